"""One log behind verbs: record and its kin, in process (semantics: Identity and references, Status)."""

from __future__ import annotations

import contextlib
import datetime
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Clock, EventMaker

from learnlog import (
    AmbiguousReference,
    BatchRefused,
    InvalidValue,
    KeyTaken,
    LearnlogError,
    NoSuchLearning,
    NothingToUndo,
    Outdated,
    Store,
    TooLarge,
    WrongStatus,
)
from learnlog.events import uid_of_key
from learnlog.ids import is_id
from learnlog.importing import import_paths
from learnlog.logs import Log
from learnlog.logs.file import FileLog
from learnlog.logs.memory import MemoryLog
from learnlog.model import Content

OpenStore = Callable[[], Store]


def kinds(store: Store) -> list[str]:
    return [event.event for event in store.log.read()]


def refs(store: Store) -> list[str]:
    return sorted(hit.ref for hit in store.list())


# Record ---------------------------------------------------------------


def test_a_new_learning_has_a_reference_a_uid_and_its_event(store: Store) -> None:
    done = store.record("title", body="body")
    assert (done.ref, done.status, done.tier, done.scope) == ("L-001", "recorded", "project", "project")
    assert done.uid == done.event
    assert is_id(done.event)
    assert store.get(done.ref).event == done.event
    assert store.record("title", body="body").ref == "L-002"  # without a key a second one is another one


def test_references_count_up_and_are_never_used_again(store: Store) -> None:
    # ADD-4
    assert [store.record(str(number)).ref for number in range(3)] == ["L-001", "L-002", "L-003"]
    store.delete("L-003")
    store.undo(store.record("gone").event)
    assert store.record("next").ref == "L-005"


@pytest.mark.parametrize(("tier", "ref"), [("project", "L-001"), ("workstation", "WL-001"), ("organization", "OL-001")])
def test_each_tier_has_its_prefix(tier: str, ref: str) -> None:
    # ADD-4
    store = Store(MemoryLog(), tier=tier)
    assert store.record("x").ref == ref
    assert store.get(ref.lower()).tier == tier


def test_a_second_record_of_a_key_is_a_patch(store: Store) -> None:
    first = store.record("old", key="k", body="kept", severity="high", tags=["a", "b"], confidence=0.9)
    second = store.record("new", key="k", tags=["c"])
    assert (second.status, second.ref, second.uid) == ("revised", first.ref, first.uid)
    shown = store.get("L-001")
    assert (shown.title, shown.body, shown.severity, shown.tags, shown.confidence) == ("new", "kept", "high", ("c",), 0.9)


def test_a_record_that_changes_nothing_writes_nothing(store: Store) -> None:
    first = store.record("t", key="k", tags=["a"], severity="medium")
    for again in ({}, {"tags": ["a"]}, {"severity": "medium"}, {"confidence": 0.5}, {"body": ""}, {"category": "technical"}):
        done = store.record("t", key="k", **again)
        assert (done.status, done.event, done.ref) == ("unchanged", first.event, "L-001")
    assert kinds(store) == ["recorded"]


def test_an_idempotency_key_makes_one_learning_whatever_the_words(store: Store) -> None:
    # fault 4
    first = store.record("words", idempotency_key="run-7")
    for number in range(10):
        done = store.record(f"other words {number}", idempotency_key="run-7", severity="high")
        assert (done.status, done.ref, done.event) == ("unchanged", first.ref, first.event)
    assert kinds(store) == ["recorded"]
    assert store.record("words", idempotency_key="run-8").ref == "L-002"


def test_an_idempotency_key_holds_inside_a_batch_and_in_another_process(open_store: OpenStore) -> None:
    # fault 4
    with open_store().batch() as store:
        store.record("a", idempotency_key="x")
        assert store.record("b", idempotency_key="x").status == "unchanged"
    assert open_store().record("c", idempotency_key="x").status == "unchanged"
    assert open_store().record_many([{"title": "d", "idempotency_key": "x"}])[0].status == "unchanged"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Pool", "pool"), ("caf\u00e9", "cafe\u0301"), ("CAF\u00c9", "cafe\u0301"), (" pool ", "pool"), ("straße", "STRASSE")],
)
def test_two_spellings_of_a_key_are_one_learning(store: Store, one: str, other: str) -> None:
    # fault 21
    first = store.record("a", key=one)
    assert store.record("b", key=other).uid == first.uid


def test_a_category_tells_two_learnings_of_one_key_apart(store: Store) -> None:
    # GS-dedup
    one = store.record("a", key="k", category="technical")
    other = store.record("b", key="k", category="process")
    assert one.uid != other.uid
    assert store.record("c", key="k", category="process").uid == other.uid
    new = store.record("d", key="k")  # without a category, and two hold the key: the pair with the default category
    assert new.uid == one.uid


def test_without_a_category_the_key_alone_finds_the_one_learning(store: Store) -> None:
    first = store.record("a", key="k", category="process")
    assert store.record("b", key="k").uid == first.uid
    assert store.get("L-001").category == "process"


def test_a_reclassified_learning_is_found_under_its_pair_of_now_and_of_birth(store: Store) -> None:
    first = store.record("a", key="k", category="technical")
    store.reclassify("L-001", category="process")
    assert store.record("b", key="k", category="process").uid == first.uid
    assert store.record("c", key="k", category="technical").uid == first.uid
    assert store.get("L-001").category == "process"  # changed only by reclassify
    assert len(store.list()) == 1


def test_a_pair_that_is_held_now_comes_before_one_held_at_birth(store: Store) -> None:
    moved = store.record("a", key="k", category="technical")
    store.revise("L-001", key="other")
    assert store.record("b", key="other", category="technical").uid == moved.uid
    assert store.record("c", key="k", category="technical").uid == moved.uid  # born with it, and nobody else has it


def test_a_deleted_learning_comes_back_when_its_key_is_recorded(store: Store) -> None:
    first = store.record("a", key="k", body="old")
    store.delete("L-001")
    done = store.record("b", key="k")
    assert (done.uid, done.ref, done.status) == (first.uid, "L-001", "revised")
    assert (store.get("L-001").status, store.get("L-001").body) == ("active", "old")
    assert store.record("a", key="k").status == "revised"


def test_the_uid_of_a_keyed_learning_is_the_same_in_every_log(store: Store) -> None:
    # invariant 4
    done = store.record("a", key="K", category="process")
    assert (
        done.uid
        == uid_of_key(Content(key="k", category="process"))
        == Store(MemoryLog()).record("b", key="k", category="process").uid
    )


def test_who_records_is_kept(store: Store) -> None:
    store.record("a")
    store.record("b", by="human:Ada", session="s1")
    agent, person = store.get("L-001"), store.get("L-002")
    assert (agent.origin, agent.classified_by) == ("observed", "agent")
    assert (person.origin, person.classified_by) == ("user-stated", "human")
    assert person.actor is not None
    assert (person.actor.name, person.actor.session) == ("Ada", "s1")


# The status table ---------------------------------------------------------------

REACH = {
    "proposed": lambda store: store.record("t", key="k", proposed=True),
    "active": lambda store: store.record("t", key="k"),
    "archived": lambda store: (store.record("t", key="k"), store.archive("L-001")),
    "deleted": lambda store: (store.record("t", key="k"), store.delete("L-001")),
}
VERBS: dict[str, Callable[[Store], Any]] = {
    "archive": lambda store: store.archive("L-001"),
    "restore": lambda store: store.restore("L-001"),
    "delete": lambda store: store.delete("L-001"),
    "record again": lambda store: store.record("other", key="k"),
}
TABLE = [
    # before, verb, after, and what the verb answers: a status, or the error it raises
    ("proposed", "archive", "archived", "revised"),
    ("proposed", "restore", "proposed", WrongStatus),
    ("proposed", "delete", "deleted", "revised"),
    ("proposed", "record again", "proposed", "proposed"),
    ("active", "archive", "archived", "revised"),
    ("active", "restore", "active", "unchanged"),
    ("active", "delete", "deleted", "revised"),
    ("active", "record again", "active", "revised"),
    ("archived", "archive", "archived", "unchanged"),
    ("archived", "restore", "active", "revised"),
    ("archived", "delete", "deleted", "revised"),
    ("archived", "record again", "active", "revised"),
    ("deleted", "archive", "deleted", WrongStatus),
    ("deleted", "restore", "active", "revised"),
    ("deleted", "delete", "deleted", "unchanged"),
    ("deleted", "record again", "active", "revised"),
]


@pytest.mark.parametrize(("before", "verb", "after", "answer"), TABLE)
def test_every_cell_of_the_status_table(store: Store, before: str, verb: str, after: str, answer: Any) -> None:
    REACH[before](store)
    assert store.get("L-001").status == before
    count = len(kinds(store))
    if isinstance(answer, str):
        done = VERBS[verb](store)
        assert (done.status, done.ref) == (answer, "L-001")
    else:
        with pytest.raises(answer):
            VERBS[verb](store)
    assert store.get("L-001").status == after
    written = answer not in ("unchanged", WrongStatus)
    assert len(kinds(store)) == count + written
    if written:  # and each is undone by undo
        store.undo("L-001")
        assert store.get("L-001").status == before


@pytest.mark.parametrize("verb", ["revise", "reclassify"])
def test_what_is_deleted_is_not_changed_by_verbs(store: Store, verb: str) -> None:
    store.record("t")
    store.delete("L-001")
    with pytest.raises(WrongStatus, match="restore it first"):
        getattr(store, verb)("L-001", severity="high")


def test_search_sees_active_and_list_proposed_too(store: Store) -> None:
    for number, reach in enumerate(REACH.values(), 1):
        reach(inner := Store(MemoryLog(), by="agent"))
        assert inner.search().total == (number == 2)
        assert inner.list().total == (number <= 2)
        assert inner.list(status=["active", "proposed", "archived", "deleted"]).total == 1


# Revise, reclassify, expect ---------------------------------------------------------------


def test_revise_changes_what_is_given(store: Store) -> None:
    store.record("t", body="b", tags=["x"])
    done = store.revise("L-001", title="new", tags=[])
    assert done.status == "revised"
    shown = store.get("L-001")
    assert (shown.title, shown.body, shown.tags, shown.event) == ("new", "b", (), done.event)
    assert store.revise("L-001", title="new").status == "unchanged"


def test_revising_a_classification_is_a_reclassify_of_the_same_call(store: Store) -> None:
    store.record("t", key="k", category="technical")
    store.revise("L-001", body="b", category="process")
    events = list(store.log.read())
    assert [event.event for event in events] == ["recorded", "revised", "reclassified"]
    assert events[1].batch == events[2].batch != ""
    assert store.record("t", key="k", category="architecture", body="c").ref in ("L-001", "L-002")
    assert store.get("L-001").category == "process"


def test_reclassify_says_who_decided(store: Store) -> None:
    # ADD-20
    store.record("t")
    store.reclassify("L-001", severity="critical", stack=["rust"], by="human:Ada")
    shown = store.get("L-001")
    assert (shown.severity, shown.stack, shown.classified_by) == ("critical", ("rust",), "human")
    assert store.reclassify("L-001", severity="critical", by="human:Ada").status == "unchanged"


@pytest.mark.parametrize("verb", ["revise", "reclassify"])
def test_expect_fails_when_something_newer_came(store: Store, verb: str) -> None:
    # fault 5
    seen = store.record("t", severity="low").event
    getattr(store, verb)("L-001", expect=seen, severity="high")
    with pytest.raises(Outdated) as caught:
        getattr(store, verb)("L-001", expect=seen, severity="critical")
    assert store.get("L-001").severity == "high"
    assert store.get("L-001").event in str(caught.value)
    getattr(store, verb)("L-001", expect=store.get("L-001").event, severity="critical")


# Finding ---------------------------------------------------------------


def test_a_learning_answers_to_reference_uid_and_the_beginning_of_one(store: Store) -> None:
    done = store.record("t", key="k")
    store.record("other", key="another")
    for name in ("L-001", "l-1", " L-0001 ", done.uid, done.uid.upper(), done.uid[:8]):
        assert store.get(name).uid == done.uid


def test_nobody_answers_to_a_reference_never_given(store: Store) -> None:
    store.record("t")
    for name in ("L-002", "WL-001", "nothing", "0" * 32, "x"):
        for verb in (store.get, store.history, store.archive, store.delete, store.undo):
            with pytest.raises(NoSuchLearning):
                verb(name)
    assert NoSuchLearning("x").exit_code == 3
    assert kinds(store) == ["recorded"]


@pytest.fixture
def merged(make_event: EventMaker, clock: Clock) -> Store:
    """Two clones each made L-007."""
    log = MemoryLog()
    log.append([make_event(1, ref="L-007"), make_event(2, ref="L-007")])
    return Store(log, clock=clock, by="agent")


def test_a_reference_of_two_learnings_is_ambiguous_and_both_are_listed(merged: Store) -> None:
    # fault 34
    with pytest.raises(AmbiguousReference) as caught:
        merged.get("L-007")
    assert [candidate[0] for candidate in caught.value.candidates] == ["L-007", "L-008"]
    assert caught.value.exit_code == 3
    assert merged.get("L-008").aliases == ("L-007",)


@pytest.mark.parametrize("kind", ["memory", "file"])
def test_the_next_write_settles_references_that_clashed(
    kind: str, make_event: EventMaker, clock: Clock, tmp_path: Path
) -> None:
    # ADD-4, fault 34: what was shown as L-002 stays L-002
    log: Log = MemoryLog() if kind == "memory" else FileLog(tmp_path / "log.jsonl")
    log.append([make_event(1, ref="L-001")])
    log.append([make_event(2, ref="L-001")])
    store = Store(log, clock=clock, by="agent")
    assert store.get("L-002").uid == make_event(2).uid
    assert store.record("new").ref == "L-003"
    assert store.get("L-002").uid == make_event(2).uid
    assert kinds(store) == ["recorded", "recorded", "renumbered", "recorded"]


def test_clashing_references_of_a_merged_file_are_settled_by_the_next_write(
    open_store: OpenStore, make_event: EventMaker, tmp_path: Path
) -> None:
    # fault 34
    from learnlog.events import encode

    lines = [encode(make_event(number, ref="L-007")) + b"\n" for number in (1, 2, 3)]
    (tmp_path / "learnings.jsonl").write_bytes(b"".join(lines))
    before = refs(open_store())
    assert before == ["L-007", "L-008", "L-009"]
    assert open_store().record("new").ref == "L-010"
    assert kinds(open_store()) == ["recorded"] * 3 + ["renumbered"] * 2 + ["recorded"]
    assert refs(open_store()) == [*before, "L-010"]
    assert not [one for one in open_store().verify() if one.kind == "waiting-reference"]


def test_a_verb_on_joined_learnings_counts_for_all_of_them(make_event: EventMaker, clock: Clock) -> None:
    # else one would come back, or they would come apart
    log = MemoryLog()
    log.append([make_event(1, uid="aaaa", learning=Content(key="k", title="a"))])
    log.append([make_event(2, uid="bbbb", learning=Content(key="k", title="b"))])
    store = Store(log, clock=clock, by="agent")
    assert refs(store) == ["L-001"]
    store.delete("L-002")  # an alias of the one they are
    assert store.list().total == 0
    assert {event.uid for event in log.read() if event.event == "deleted"} == {"aaaa", "bbbb"}
    store.undo("aaaa")
    store.undo("bbbb")
    assert refs(store) == ["L-001"]
    store.reclassify("L-001", category="process")
    assert (refs(store), store.get("bbbb").category) == (["L-001"], "process")


# Undo ---------------------------------------------------------------


def test_undo_takes_the_latest_and_then_the_one_before(store: Store) -> None:
    store.record("t")
    store.revise("L-001", body="one")
    store.revise("L-001", body="two")
    bodies = []
    for _ in range(2):
        store.undo("L-001")
        bodies.append(store.get("L-001").body)
    assert bodies == ["one", ""]
    store.undo("L-001")
    assert store.get("L-001").status == "deleted"  # its birth
    with pytest.raises(NothingToUndo):
        store.undo("L-001")


def test_undo_of_an_event_takes_exactly_that(store: Store) -> None:
    store.record("t")
    first = store.revise("L-001", body="one")
    store.revise("L-001", tags=["x"])
    store.undo(first.event)
    assert (store.get("L-001").body, store.get("L-001").tags) == ("", ("x",))
    with pytest.raises(NothingToUndo):
        store.undo(first.event)


def test_undo_of_an_undo_restores(store: Store) -> None:
    store.record("t")
    store.revise("L-001", body="one")
    undone = store.undo("L-001")[0].event
    store.undo(undone)
    assert store.get("L-001").body == "one"


def test_undo_of_a_batch_takes_all_of_its_events(store: Store) -> None:
    store.record("kept")
    with store.batch():
        store.record("a")
        store.revise("L-001", body="changed")
        store.record("b")
    batch = list(store.log.read())[-1].batch
    assert len(store.undo(batch)) == 3
    assert [(hit.ref, hit.body) for hit in store.list()] == [("L-001", "")]
    with pytest.raises(NothingToUndo):
        store.undo(batch)


def test_undo_of_a_birth_deletes_and_its_undo_brings_back(store: Store) -> None:
    birth = store.record("t").event
    undone = store.undo(birth)
    assert store.get("L-001").status == "deleted"
    store.undo(undone[0].event)
    assert store.get("L-001").status == "active"


def test_undo_without_a_name_takes_what_this_actor_did_last(store: Store) -> None:
    store.record("mine")
    store.record("hers", by="human:Ada")
    store.undo_last()
    assert (store.get("L-001").status, store.get("L-002").status) == ("deleted", "active")
    with pytest.raises(NothingToUndo):
        store.undo_last()


def test_undo_without_a_name_takes_a_whole_call(store: Store) -> None:
    store.record("kept")
    store.record_many([{"title": "a"}, {"title": "b"}])
    assert len(store.undo_last()) == 2
    assert refs(store) == ["L-001"]


# Batches and many ---------------------------------------------------------------


class Counting(MemoryLog):
    def __init__(self) -> None:
        super().__init__()
        self.appends = 0

    def append(self, events: Any, expect: int | None = None) -> list[int]:
        self.appends += 1
        return super().append(events, expect)


def test_a_batch_is_one_append_and_sees_itself() -> None:
    store = Store(log := Counting(), by="agent")
    with store.batch():
        store.record("a", key="k")
        assert store.get("L-001").title == "a"
        with store.batch():
            assert store.record("b", key="k").status == "revised"
            store.archive("L-001")
        assert log.head() == 0  # a nested one ends with the outer
        assert store.list(status="archived").total == 1
    assert (log.appends, log.head()) == (1, 3)
    assert len({event.batch for event in log.read()} - {""}) == 1


def test_an_empty_batch_writes_nothing() -> None:
    store = Store(log := Counting())
    with store.batch():
        assert store.search().total == 0
    assert log.appends == 0


def test_an_exception_in_a_batch_writes_nothing(open_store: OpenStore, tmp_path: Path) -> None:
    store = open_store()
    store.record("before")
    size = (tmp_path / "learnings.jsonl").stat().st_size

    def broken_off() -> None:
        with store.batch():
            store.record("a")
            with store.batch():
                store.delete("L-001")
            raise KeyError

    with pytest.raises(KeyError):
        broken_off()
    assert (tmp_path / "learnings.jsonl").stat().st_size == size
    assert [hit.title for hit in store.list()] == ["before"]
    assert store.record("after").status == "recorded"  # and the store goes on


def test_a_refused_verb_inside_a_batch_leaves_the_others(store: Store) -> None:
    with store.batch():
        store.record("a")
        with pytest.raises(NoSuchLearning):
            store.archive("L-009")
        store.record("b")
    assert refs(store) == ["L-001", "L-002"]


def test_many_are_one_append() -> None:
    store = Store(log := Counting(), by="agent")
    rows = [{"title": "a", "key": "k"}, {"title": "b"}, {"title": "c", "key": "k"}, {"title": "d", "proposed": True}]
    assert [(done.ref, done.status) for done in store.record_many(rows)] == [
        ("L-001", "recorded"),
        ("L-002", "recorded"),
        ("L-001", "revised"),
        ("L-003", "proposed"),
    ]
    assert log.appends == 1
    assert list(store.record_many([])) == []
    assert log.appends == 1


def test_many_with_a_bad_row_store_none_and_name_each() -> None:
    # fault 41
    store = Store(log := Counting())
    rows: list[Any] = [{"title": "a"}, {"title": ""}, {"title": "b", "severity": "dire"}, {"tilte": "c"}, 5]
    with pytest.raises(BatchRefused) as caught:
        store.record_many(rows)
    assert [row for row, _ in caught.value.refused] == [2, 3, 4, 5]
    assert "severity" in str(caught.value)
    assert log.appends == 0
    done = store.record_many(rows, partial=True)
    assert ([one.ref for one in done], [row for row, _ in done.refused]) == (["L-001"], [2, 3, 4, 5])


def test_learnings_that_were_read_can_be_recorded_elsewhere(store: Store) -> None:
    store.record("t", key="k", severity="high", tags=["x"], extra={"a": 1})
    other = Store(MemoryLog(), by="agent")
    other.record_many(list(store.list()))
    copy, original = other.get("L-001"), store.get("L-001")
    assert (copy.uid, copy.severity, copy.tags, copy.extra, copy.defaulted) == (
        original.uid,
        "high",
        ("x",),
        {"a": 1},
        original.defaulted,
    )


# Several stores ---------------------------------------------------------------


def test_two_stores_on_one_path_in_one_thread_see_each_other(open_store: OpenStore) -> None:
    # fault 25, 30
    one, other = open_store(), open_store()
    for number in range(5):
        one.record(f"one {number}")
        other.record(f"other {number}", key="shared")
        assert one.list().total == other.list().total == number + 2
    assert refs(one) == [f"L-{number:03d}" for number in range(1, 7)]


def test_a_store_inside_the_batch_of_another_neither_waits_nor_takes_its_numbers(open_store: OpenStore) -> None:
    # fault 25
    one, other = open_store(), open_store()
    with one.batch():
        first = one.record("one")
        inner = other.record("other")
        last = one.record("one again")
    assert [first.ref, inner.ref, last.ref] == ["L-001", "L-002", "L-003"]
    assert len({event.id for event in one.log.read()}) == 3
    assert refs(open_store()) == ["L-001", "L-002", "L-003"]
    assert not one.verify()


def test_a_store_may_be_shared_by_threads(open_store: OpenStore) -> None:
    # fault 3, 25
    store = open_store()
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for round_ in range(5):
                store.record(f"{number} {round_}")
                store.record("shared", key="k", body=f"{number} {round_}")
                store.search("shared")
        except BaseException as error:  # noqa: BLE001 - shown by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failures
    assert store.list().total == 21
    assert len(refs(store)) == len(set(refs(store))) == 21
    assert not store.verify()


def test_a_batch_of_one_thread_is_not_that_of_another(store: Store) -> None:
    begun, seen = threading.Event(), []

    def other() -> None:
        begun.set()
        seen.append(store.record("from the other").ref)

    with store.batch():
        store.record("a")
        thread = threading.Thread(target=other)
        thread.start()
        begun.wait(5)
        store.record("b")
    thread.join(10)
    assert seen == ["L-003"]
    assert store.list().total == 3


def test_closing_forgets_nothing_that_was_written(open_store: OpenStore) -> None:
    with open_store() as store:
        store.record("a")
    assert store.list().total == 1
    store.record("b")
    assert open_store().list().total == 2


def test_reading_makes_no_file(open_store: OpenStore, tmp_path: Path) -> None:
    # invariant 8
    store = open_store()
    assert (store.search().total, store.list().total, store.stats().learnings, list(store.verify())) == (0, 0, 0, [])
    assert list(tmp_path.iterdir()) == []


def test_a_clock_that_runs_backwards_does_not_turn_the_order(clock: Clock) -> None:
    # invariant 3, fault 31
    store = Store(MemoryLog(), clock=clock, random=random.Random(1).randbytes, by="agent")
    for body in ("one", "two", "three"):
        store.record("t", key="k", body=body)
        clock.pass_days(-100)
    assert store.get("L-001").body == "three"


# Wrong arguments: at once, by name, and nothing is written ---------------------------------------------------------------

WRONG: list[tuple[str, Callable[[Store], Any]]] = [
    ("title", lambda store: store.record("")),
    ("title", lambda store: store.record(None)),  # type: ignore[arg-type]
    ("title", lambda store: store.record(5)),  # type: ignore[arg-type]
    ("key", lambda store: store.record("t", key="")),
    ("key", lambda store: store.record("t", key="a\nb")),
    ("category", lambda store: store.record("t", category="gardening")),
    ("severity", lambda store: store.record("t", severity="hihg")),
    ("scope", lambda store: store.record("t", scope="global")),
    ("origin", lambda store: store.record("t", origin="heard")),
    ("confidence", lambda store: store.record("t", confidence=8)),
    ("confidence", lambda store: store.record("t", confidence="0.8")),
    ("confidence", lambda store: store.record("t", confidence=float("nan"))),
    ("stack", lambda store: store.record("t", stack="python")),
    ("tags", lambda store: store.record("t", tags="a,b")),
    ("files", lambda store: store.record("t", files=[1])),
    ("date", lambda store: store.record("t", date="yesterday")),
    ("date", lambda store: store.record("t", date=datetime.date(2999, 1, 1))),
    ("extra", lambda store: store.record("t", extra=[1])),
    ("idempotency_key", lambda store: store.record("t", idempotency_key="")),
    ("idempotency_key", lambda store: store.record("t", idempotency_key=5)),  # type: ignore[arg-type]
    ("by", lambda store: store.record("t", by="robot")),
    ("by", lambda store: store.record("t", by="human:ada@example.org")),
    ("session", lambda store: store.record("t", session="x" * 201)),
    ("argument", lambda store: store.record("t", severty="high")),
    ("argument", lambda store: store.record("t", classified_by="human")),
    ("argument", lambda store: store.record("t", status="active")),
    ("title", lambda store: store.revise("L-001", title=" ")),
    ("fields", lambda store: store.revise("L-001")),
    ("fields", lambda store: store.revise("L-001", body=None)),
    ("argument", lambda store: store.revise("L-001", ref="L-002")),
    ("severity", lambda store: store.revise("L-001", severity="dire")),
    ("argument", lambda store: store.reclassify("L-001", body="x")),
    ("fields", lambda store: store.reclassify("L-001")),
    ("category", lambda store: store.reclassify("L-001", category="x")),
    ("reference", lambda store: store.get("")),
    ("reference", lambda store: store.get(5)),  # type: ignore[arg-type]
    ("reference", lambda store: store.archive(None)),  # type: ignore[arg-type]
    ("reference", lambda store: store.delete("  ")),
    ("by", lambda store: store.delete("L-001", by="robot")),
    ("by", lambda store: store.undo("L-001", by="robot")),
    ("limit", lambda store: store.list(limit=-1)),
    ("status", lambda store: store.list(status="gone")),
    ("day", lambda store: store.as_of("soon")),
    ("tier", lambda store: Store("x", tier="galaxy")),
    ("log", lambda store: Store("")),
]


@pytest.mark.parametrize(("argument", "call"), WRONG)
def test_a_wrong_argument_is_refused_by_name_and_nothing_is_written(
    store: Store, argument: str, call: Callable[[Store], Any]
) -> None:
    store.record("there")
    with pytest.raises(InvalidValue, match=f"^{argument}: ") as caught:
        call(store)
    assert caught.value.exit_code == 2
    assert isinstance(caught.value, ValueError | LearnlogError)
    assert kinds(store) == ["recorded"]


WAITING: list[tuple[str, Callable[[Store], Any]]] = [
    ("reason", lambda store: store.archive("L-001", reason=5)),  # type: ignore[arg-type]
    ("reason", lambda store: store.delete("L-001", reason=["x"])),  # type: ignore[arg-type]
    ("reason", lambda store: store.restore("L-001", reason=5)),  # type: ignore[arg-type]
    ("proposed", lambda store: store.record("t", proposed="no")),  # type: ignore[arg-type]
    ("proposed", lambda store: store.record("t", proposed=None)),  # type: ignore[arg-type]
    ("reference", lambda store: store.undo(5)),  # type: ignore[arg-type]
    ("by", lambda store: store.record("t", by=["human"])),  # type: ignore[arg-type]
    ("rows", lambda store: store.record_many(None)),  # type: ignore[arg-type]
    ("rows", lambda store: store.record_many({"title": "x"})),  # type: ignore[arg-type]
    ("rows", lambda store: store.record_many("title")),
    ("log", lambda store: Store(None)),  # type: ignore[arg-type]
    ("log", lambda store: Store(5)),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("argument", "call"), WAITING)
def test_a_wrong_argument_of_these_too(store: Store, argument: str, call: Callable[[Store], Any]) -> None:
    store.record("there")
    with pytest.raises(InvalidValue, match=f"^{argument}: "):
        call(store)
    assert kinds(store) == ["recorded"]


def test_a_reason_has_a_limit(store: Store) -> None:
    store.record("t")
    with pytest.raises(TooLarge):
        store.archive("L-001", reason="x" * (5 << 20))


@pytest.mark.parametrize(("given", "error"), [("x" * 501, TooLarge), ("é" * 600, TooLarge)])
def test_what_is_too_large_is_refused_before_the_lock(store: Store, given: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        store.record(given)
    assert kinds(store) == []


def test_undo_last_after_an_import_takes_the_import_and_not_what_was_done_before(store: Store, tmp_path: Path) -> None:
    # imported events have ids of their own, old times
    store.record("mine")
    source = tmp_path / "gstack.jsonl"
    source.write_text('{"ts":"2025-04-16T07:05:01Z","type":"tool","key":"k","insight":"An insight.","confidence":8}\n')
    import_paths(store, [source])
    store.undo_last()
    assert [hit.title for hit in store.list()] == ["mine"]


@pytest.mark.parametrize("verb", ["revise", "reclassify"])
def test_a_change_that_would_make_two_learnings_one_is_refused(store: Store, verb: str) -> None:
    # semantics: joining is what a merge does; a person who types it has mistaken the key
    store.record("one", key="k", category="process")
    store.record(
        "two", key="k" if verb == "reclassify" else "other", category="technical" if verb == "reclassify" else "process"
    )
    with pytest.raises(KeyTaken, match="L-001"):
        store.revise("L-002", key="K") if verb == "revise" else store.reclassify("L-002", category="process")
    assert [hit.title for hit in store.list()] == ["two", "one"]
    store.delete("L-001")
    store.revise("L-002", key="K") if verb == "revise" else store.reclassify("L-002", category="process")


def test_an_inner_block_that_fails_takes_back_its_own_events_only(store: Store) -> None:
    with store.batch():
        store.record("outer")
        with contextlib.suppress(InvalidValue), store.batch():
            store.record("inner")
            store.record("inner too", severity="urgent")
        store.record("outer again")
    assert {hit.title for hit in store.list()} == {"outer", "outer again"}


def test_a_verb_that_fails_inside_a_batch_leaves_nothing_of_itself(store: Store) -> None:
    store.record("one", key="k", category="process")
    store.record("two", key="k", category="technical")
    with store.batch(), pytest.raises(KeyTaken):
        store.revise("L-002", body="half of it", category="process")
    assert store.get("L-002").body == ""


@pytest.mark.parametrize(("count", "total"), [(999, 999), (1000, 1000), (1001, None), (1500, None)])
def test_a_total_is_exact_up_to_a_thousand_and_above_it_when_asked_for(store: Store, count: int, total: int | None) -> None:
    # interface: exact up to 1,000 and null above (exact with --count)
    store.record_many([{"title": f"t {at}"} for at in range(count)])
    assert (store.search().total, store.search(count=True).total) == (total, count)
    assert store.search(limit=10).more


NOT_JSON = {
    "bytes": b"bytes",
    "set": {1, 2},
    "object": object(),
    "5,000 digits": 10**5000,
    "2**63": 1 << 63,
    "deep": [[b"deep"]],
    "complex": {"a": {"b": 2j}},
}


@pytest.mark.parametrize("value", NOT_JSON.values(), ids=NOT_JSON.keys())
def test_what_json_cannot_hold_is_refused_in_extra(store: Store, value: object) -> None:
    with pytest.raises(InvalidValue, match="extra"):
        store.record("t", extra={"value": value})
    assert store.list().total == 0


@pytest.mark.parametrize("path", ["", "a\0b", "\ud800", "~nobody-of-this-name/learnings.jsonl"])
def test_a_path_that_no_file_can_have_is_refused_by_name(path: str) -> None:
    with pytest.raises(InvalidValue, match="log"):
        Store(path)


@pytest.mark.parametrize("timeout_s", [-1, float("nan"), float("inf"), "1", True, None])
def test_a_time_limit_that_is_none_is_refused_by_name(tmp_path: Path, timeout_s: object) -> None:
    with pytest.raises(InvalidValue, match="timeout_s"):
        Store(tmp_path / "l.jsonl", timeout_s=timeout_s)  # type: ignore[arg-type]


def test_the_events_of_one_call_say_how_many_they_are(tmp_path: Path) -> None:
    # docs/format.md: a reader can tell a batch that a killed writer left unfinished
    store = Store(tmp_path / "learnings.jsonl")
    store.record("alone")
    store.record_many([{"title": "a"}, {"title": "b"}, {"title": "c"}])
    events = list(store.log.read())
    assert [event.of for event in events] == [0, 3, 3, 3]
    assert len({event.batch for event in events[1:]}) == 1


def test_restoring_a_learning_whose_key_another_has_by_now_is_refused(store: Store) -> None:
    # docs/decisions/0007: only a merge makes two learnings one
    store.record("one", key="k", category="technical")
    store.record("two", key="k", category="process")
    store.delete("L-001")
    store.reclassify("L-002", category="technical")
    with pytest.raises(KeyTaken):
        store.restore("L-001")
    assert [hit.title for hit in store.list()] == ["two"]


def test_learnings_that_an_undo_parts_get_references_of_their_own_at_once(tmp_path: Path) -> None:
    # semantics: a learning keeps its reference unless an older one has it, and none is ever given twice
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    for path, key in ((one, "z1"), (other, "z2")):
        store = Store(path)
        store.record(key, key=key, category="process")
        store.revise("L-001", key="z")
    merged = tmp_path / "merged.jsonl"
    merged.write_bytes(one.read_bytes() + other.read_bytes())
    younger = Store(other).get("L-001").uid
    store = Store(merged)
    assert len(store.list()) == 1
    event = store.history(younger).events[-1].id
    store.undo(event)
    shown = {hit.title: hit.ref for hit in store.list()}
    assert len(set(shown.values())) == 2
    assert not [finding for finding in store.verify() if finding.kind == "waiting-reference"]
    assert store.record("new").ref not in shown.values()
    assert shown.items() <= {hit.title: hit.ref for hit in store.list()}.items()


def test_of_two_deleted_learnings_with_one_key_either_may_be_restored(store: Store) -> None:
    store.record("one", key="k", category="technical")
    store.record("two", key="k", category="process")
    store.delete("L-001")
    store.reclassify("L-002", category="technical")
    store.delete("L-002")
    store.restore("L-002")
    assert [hit.title for hit in store.list()] == ["two"]


def test_a_reader_that_was_open_keeps_all_when_a_new_line_comes_in_twice(tmp_path: Path) -> None:
    # invariant 2: a merge appends a line that nobody here has seen, and appends it twice
    path, elsewhere = tmp_path / "learnings.jsonl", tmp_path / "elsewhere.jsonl"
    store = Store(path)
    store.record("known before")
    assert store.list().total == 1
    Store(elsewhere).record("from elsewhere", key="k")
    with path.open("ab") as log:
        log.write(elsewhere.read_bytes() * 2)
    assert {hit.title for hit in store.list()} == {"known before", "from elsewhere"}
