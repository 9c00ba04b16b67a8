"""The fold is a function of the set of events (invariant 2), and a learning keeps its identity (invariant 4)."""

from __future__ import annotations

import random
from typing import Any

from conftest import EventMaker
from hypothesis import given, settings
from hypothesis import strategies as st
from xxhash import xxh3_64_intdigest

from learnlog import ids
from learnlog.events import KINDS, Event, encode, time_text, uid_of_key
from learnlog.fold import Fold, State, fold
from learnlog.logs.scan import scan
from learnlog.model import Content

BORN_WITH = [Content(key=key, category=category) for key in ("pool", "Pool", "ci") for category in ("technical", "process")]
UIDS = [*dict.fromkeys(uid_of_key(content) for content in BORN_WITH), "keyless-1", "keyless-2"]
REFS = [f"L-{number:03d}" for number in range(1, 5)]
FOLDED = [
    "recorded",
    "revised",
    "reclassified",
    "superseded",
    "archived",
    "restored",
    "deleted",
    "accepted",
    "rejected",
    "renumbered",
]
RESERVED = sorted(KINDS - {*FOLDED, "undone"})

# Any events ---------------------------------------------------------------


def event_at(number: int, kind: str, uid: str, **members: Any) -> Event:
    time_ms = 1_770_000_000_000 + number
    return Event(v=1, id=ids.compose(time_ms, 0, number), event=kind, uid=uid, at=time_text(time_ms), **members)


@st.composite
def events_of_all_kinds(draw: st.DrawFn) -> list[Event]:
    """Events of several learnings: same keys under different uids, references that clash, undos of undos and of births."""
    count = draw(st.integers(1, 16))
    numbers = st.integers(0, count + 2)
    contents = st.builds(
        Content,
        title=st.sampled_from(["one", "two"]),
        key=st.sampled_from(["pool", "POOL", "ci"]),
        category=st.sampled_from(["technical", "process"]),
        evidence=st.sampled_from([("a",), ("b",), ("a", "b")]),
        date=st.sampled_from(["2020-01-01", "2026-02-02"]),
    )
    every = ["key", "category", "evidence", "date"]
    made = []
    for number in range(count):
        kind = draw(st.sampled_from(["recorded", "recorded", *FOLDED, "undone", "undone", *RESERVED, "of-the-future"]))
        uid = draw(st.sampled_from(UIDS))
        members: dict[str, Any] = {}
        if kind in ("recorded", "revised", "reclassified"):
            content = draw(contents)
            kept = draw(st.sets(st.sampled_from([*every, "title"])))
            if kind == "recorded":  # most with a key and category, or nothing would ever be joined
                kept |= {"title", "key", "category"} if draw(st.integers(0, 3)) else {"title"}
            members["learning"] = Content(**{name: getattr(content, name) for name in kept})
        if kind in ("recorded", "renumbered"):
            members["ref"] = draw(st.sampled_from([*REFS, ""]))
        if kind == "recorded":
            members["proposed"] = draw(st.booleans())
            members["idem"] = draw(st.sampled_from(["", "", "run-1"]))
        if kind == "undone":
            targets = draw(st.lists(numbers, min_size=1, max_size=3))
            members["targets"] = tuple(ids.compose(1_770_000_000_000 + target, 0, target) for target in targets)
        made.append(event_at(number, kind, uid, **members))
    return made


def known(state: State) -> dict[str, Any]:
    """Everything a state says, in a form that can be compared."""
    tokens = [*state.references.holders, *UIDS, *(uid[:8] for uid in UIDS)]
    return {
        "learnings": state.learnings,
        "members": state.members,
        "references": state.references,
        "shown": {uid: state.ref(uid) for uid in state.learnings},
        "found": {token: set(state.find(token)) for token in tokens},
    }


@settings(max_examples=80)
@given(events_of_all_kinds(), st.randoms(use_true_random=False))
def test_any_order_and_any_repeats_fold_to_one_state(events: list[Event], chance: random.Random) -> None:
    # invariant 2, fault 32, 33
    wanted = known(fold(events))
    repeated = events + chance.choices(events, k=chance.randrange(len(events) + 1))
    chance.shuffle(repeated)
    assert known(fold(repeated)) == wanted


@settings(max_examples=80)
@given(events_of_all_kinds(), st.randoms(use_true_random=False))
def test_events_added_in_any_chunks_give_the_state_of_all_at_once(events: list[Event], chance: random.Random) -> None:
    # invariant 2: out of order, repeated, with the state looked at between
    wanted = known(fold(events))
    chance.shuffle(events)
    going = Fold()
    rest = list(events)
    while rest:
        size = chance.randrange(1, len(rest) + 1)
        going.add(rest[:size] + chance.choices(events[: len(events) - len(rest) + size], k=1))
        rest = rest[size:]
        if chance.random() < 0.5:
            going.state()
        if chance.random() < 0.2:
            going = going.copy()
    assert known(going.state()) == wanted
    assert len(going) == len(events)


@settings(max_examples=80)
@given(events_of_all_kinds(), st.integers(2, 4), st.randoms(use_true_random=False))
def test_logs_that_are_merged_in_any_order_fold_to_one_state(events: list[Event], count: int, chance: random.Random) -> None:
    # invariant 2: each line in one or several of the logs, the logs joined as `git merge=union` does
    wanted = known(fold(events))
    logs: list[list[bytes]] = [[] for _ in range(count)]
    for event in events:
        for log in chance.sample(logs, chance.randrange(1, count + 1)):
            log.append(encode(event) + b"\n")
    for _ in range(2):
        chance.shuffle(logs)
        found = scan(b"".join(line for log in logs for line in log), name="merged")
        assert not found.damaged
        assert known(fold(found.distinct())) == wanted


@settings(max_examples=80)
@given(events_of_all_kinds(), st.randoms(use_true_random=False))
def test_one_id_with_two_contents_folds_to_the_larger_hash_in_any_order(events: list[Event], chance: random.Random) -> None:
    # invariant 2: a line that somebody edited and sealed again
    other = event_at(0, "recorded", events[0].uid, learning=Content(title="edited"), ref=events[0].ref)
    wanted_first = max((events[0], other), key=lambda event: xxh3_64_intdigest(encode(event)))
    wanted = known(fold([wanted_first, *events[1:]]))
    mixed = [*events, other, *events[:1]]
    chance.shuffle(mixed)
    assert known(fold(mixed)) == wanted


@settings(max_examples=80)
@given(events_of_all_kinds())
def test_every_learning_is_found_and_no_reference_is_shown_twice(events: list[Event]) -> None:
    # invariant 4
    state = fold(events)
    shown = [state.ref(uid) for uid in state.learnings]
    assert len(set(shown)) == len(shown)
    assert set(state.learnings) == {state.shown_uid(event.uid) for event in events if event.event == "recorded"}
    for uid, one in state.learnings.items():
        assert uid in state.find(state.ref(uid))
        assert all(uid in state.find(ref) for ref in one.stored)
        assert all(state.find(member) == (uid,) for member in state.members_of(uid))


@settings(max_examples=80)
@given(events_of_all_kinds())
def test_every_reference_an_event_stored_leads_to_its_learning(events: list[Event]) -> None:
    # invariant 4, ADD-4: also when the event was undone
    state = fold(events)
    for event in events:
        uid = state.shown_uid(event.uid)
        if event.ref and uid in state.learnings:
            assert uid in state.find(event.ref)


@settings(max_examples=80)
@given(events_of_all_kinds())
def test_no_two_live_learnings_are_shown_with_one_category_and_key(events: list[Event]) -> None:
    # decided once, on the pairs before joining
    going = Fold()
    going.add(events)
    state = going.state()
    seen: dict[Any, str] = {}
    for uid in state.learnings:
        group = going.joined_with(uid)
        assert group[0] == state.shown_uid(uid) == uid
        for member in group:
            assert seen.setdefault(member, uid) == uid


def test_an_idempotency_key_stands_for_one_event_in_any_order(make_event: EventMaker) -> None:
    # fault 4, invariant 2
    events = [make_event(number, idem="run-1") for number in range(3)]
    at_once, one_by_one = Fold(), Fold()
    at_once.add(events)
    for event in reversed(events):
        one_by_one.add([event])
    assert one_by_one.idems == at_once.idems


# Small examples of the rules ---------------------------------------------------------------


def test_a_thousand_events_of_one_time_shuffled_fold_to_one_state(make_event: EventMaker) -> None:
    # fault 32
    events = [
        Event(
            v=1,
            id=ids.compose(1000, 0, tail),
            event="recorded",
            uid=f"u{tail % 7}",
            learning=Content(title=str(tail)),
            ref="L-001",
        )
        for tail in range(1000)
    ]
    wanted = known(fold(events))
    random.Random(3).shuffle(events)
    assert known(fold(events)) == wanted


def test_a_union_merge_with_repeated_lines_is_the_log_without_them(make_event: EventMaker) -> None:
    # fault 33: base a; ours a b c X; theirs a Y b c
    a, b, c, x, y = (make_event(number) for number in range(5))
    assert known(fold([a, b, c, x, y, b, c])) == known(fold([a, b, c, x, y]))


def test_two_clones_that_made_one_reference_keep_both_learnings(make_event: EventMaker) -> None:
    # fault 34
    older, younger = make_event(1, ref="L-007"), make_event(2, ref="L-007")
    for order in ([older, younger], [younger, older]):
        state = fold(order)
        assert (state.ref(older.uid), state.ref(younger.uid)) == ("L-007", "L-008")
        assert state.find("L-007") == (older.uid, younger.uid)
        assert state.find("l-8") == (younger.uid,)


def test_a_renumbered_event_fixes_what_the_fold_had_given(make_event: EventMaker) -> None:
    older, younger = make_event(1, ref="L-007"), make_event(2, ref="L-007")
    fixed = make_event(3, "renumbered", younger.uid, ref="L-008")
    state = fold([older, younger, fixed])
    assert state.references.given == {}
    assert state.ref(younger.uid) == "L-008"
    assert younger.uid in state.find("L-007")


def test_two_branches_that_recorded_one_key_wrote_one_learning(make_event: EventMaker) -> None:
    # invariant 4: the latest wins field by field
    uid = str(uid_of_key(Content(key="k")))
    ours = make_event(1, uid=uid, learning=Content(key="k", title="ours", body="from ours"))
    theirs = make_event(2, uid=uid, learning=Content(key="K", title="theirs", severity="high"))
    state = fold([theirs, ours])
    one = state.learnings[uid]
    assert (one.content.title, one.content.body, one.content.severity) == ("theirs", "from ours", "high")
    assert state.ref(uid) == "L-001"
    assert state.find("L-002") == (uid,)


def joined_pair(make_event: EventMaker, *more: Event) -> State:
    """`a` was born (technical, k); `b` was born (process, k) and reclassified to technical on another branch."""
    a = make_event(1, uid="a", learning=Content(key="k", category="technical", title="a", body="from a"))
    b = make_event(2, uid="b", learning=Content(key="k", category="process", title="b"))
    moved = make_event(3, "reclassified", "b", learning=Content(category="technical"))
    return fold([a, b, moved, *more])


def test_two_live_learnings_of_one_pair_are_shown_as_one_under_the_older(make_event: EventMaker) -> None:
    state = joined_pair(make_event)
    assert list(state.learnings) == ["a"]
    assert state.members == {"a": ("a", "b")}
    assert (state.learnings["a"].content.title, state.learnings["a"].content.body) == ("b", "from a")
    assert state.ref("a") == "L-001"
    assert state.find("L-002") == ("a",)


def test_a_deleted_learning_is_not_joined(make_event: EventMaker) -> None:
    state = joined_pair(make_event, make_event(4, "deleted", "b"))
    assert set(state.learnings) == {"a", "b"}
    assert (state.learnings["a"].status, state.learnings["b"].status) == ("active", "deleted")


def test_a_deleted_learning_is_not_taken_for_the_live_one_of_its_pair(make_event: EventMaker) -> None:
    # else restoring the one would be written to the other
    going = Fold()
    going.add(
        [
            make_event(1, uid="a", learning=Content(key="k", title="a")),
            make_event(2, uid="b", learning=Content(key="k", title="b")),
        ]
    )
    assert going.joined_with("b") == ("a", "b")
    going.add([make_event(3, "deleted", "b")])
    assert (going.joined_with("a"), going.joined_with("b")) == (("a",), ("b",))


def test_the_older_gives_the_uid_also_when_it_comes_in_last(make_event: EventMaker) -> None:
    going = Fold()
    for number, uid in ((2, "b"), (1, "a")):
        going.add([make_event(number, uid=uid, learning=Content(key="k", title=uid))])
    assert going.state().members == {"a": ("a", "b")}
    assert going.state().learnings["a"].content.title == "b"


def test_learnings_come_apart_again_when_one_changes_its_pair(make_event: EventMaker) -> None:
    state = joined_pair(make_event, make_event(4, "reclassified", "b", learning=Content(category="process")))
    assert set(state.learnings) == {"a", "b"}


def test_events_of_an_unknown_kind_are_kept_and_ignored(make_event: EventMaker) -> None:
    going = Fold()
    going.add([make_event(1, uid="a"), make_event(2, "translated", "a", to="fr")])
    assert len(going) == 2
    assert known(going.state())["learnings"]["a"].content == Content(title="title 1")
    assert [event.event for event in going.events_of(["a"])] == ["recorded", "translated"]


def test_orphans_wait_for_their_birth_and_hold_their_numbers(make_event: EventMaker) -> None:
    going = Fold()
    going.add(
        [make_event(5, "renumbered", "gone", ref="L-050"), make_event(6, "revised", "gone", learning=Content(body="late"))]
    )
    assert not going.state().learnings
    assert len(going.orphans()) == 2
    assert going.state().references.next_number == 51
    going.add([make_event(1, uid="gone")])
    assert going.state().learnings["gone"].content.body == "late"
    assert not going.orphans()


def test_a_uid_is_found_by_a_beginning_that_only_it_has(make_event: EventMaker) -> None:
    state = fold([make_event(1, uid="abcd1111"), make_event(2, uid="abcd2222"), make_event(3, uid="beef0000")])
    assert state.find("beef") == ("beef0000",)
    assert set(state.find("abcd")) == {"abcd1111", "abcd2222"}
    assert state.find("ABCD1") == ("abcd1111",)
    assert state.find("bee") == ()
    assert state.find("nothing") == ()


def test_a_native_reference_of_an_imported_learning_is_an_alias(make_event: EventMaker) -> None:
    from learnlog.events import Imported

    one = make_event(1, uid="a", imported=Imported(format="add", digest="d", native="L-003"))
    assert fold([one]).find("L-003@add") == ("a",)
    assert fold([one]).find("L-003@gstack") == ()


def test_a_copy_of_a_fold_goes_its_own_way(make_event: EventMaker) -> None:
    first = Fold()
    first.add([make_event(1, uid="a")])
    second = first.copy()
    second.add([make_event(2, "deleted", "a"), make_event(3, uid="b")])
    assert (first.state().learnings["a"].status, len(first)) == ("active", 1)
    assert (second.state().learnings["a"].status, len(second)) == ("deleted", 3)
