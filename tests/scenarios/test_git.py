"""Clones that record, change and delete offline and exchange by real git: one state everywhere, nothing lost."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import pytest

from learnlog import Store
from learnlog.events import encode
from learnlog.logs.file import FileLog

from .conftest import ATTRIBUTE, HOW, Clone, answers, check_agreement, check_references, clone_of, first_clone

YEAR_MS = 365 * 86_400_000
NAMES = ("one", "two", "three")
SKEWS = {"one": 0, "two": -3_600_000, "three": YEAR_MS}


def work_of_one(clone: Clone) -> None:
    """Offline: the shared key, learnings of its own, and changes to what all know."""
    store = clone.store()
    store.record("shared, as one says it", key="shared", body="one", severity="high")
    store.record("only one knows", tags=["a"])
    mistake = store.record("only one knows this too")
    store.reclassify("L-001", severity="critical", category="performance")
    store.archive("L-002")
    store.delete("L-003")
    store.record("held by two", key="held", category="tool")
    store.revise(mistake.ref, body="and more of it")
    store.undo(mistake.ref)


def work_of_two(clone: Clone) -> None:
    """Offline: the same key in other words, and other changes to the same learnings."""
    store = clone.store()
    store.record("only two knows")
    store.record("shared, as two says it", key="Shared", stack=["python"])
    store.revise("L-001", body="two was here")
    store.delete("L-002")
    store.record("the key of all again", key="base", evidence=["seen by two"])
    with store.batch():
        store.record("two, in a batch")
        store.record("two, in the same batch")
    clone.commit("half of the work")
    clone.store().restore("L-002")


def work_of_three(clone: Clone) -> None:
    """Offline, with a clock a year ahead: deleted and restored, undone, and a key that comes to be another's."""
    store = clone.store()
    store.delete("L-003")
    store.restore("L-003")
    undone = store.record("three takes this back")
    store.undo(undone.event)
    held = store.record("held by three", key="held", category="operational")
    store.reclassify(held.ref, category="tool")
    store.record("shared, as three says it", key="shared", outcome="three")
    clone.commit("half of the work")
    store.archive("L-001")
    store.record("only three knows")


WORK = {"one": work_of_one, "two": work_of_two, "three": work_of_three}


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three clones with their offline work committed; tests work on copies."""
    folder = tmp_path_factory.mktemp("clones")
    one = first_clone(folder / "one")
    store = one.store()
    store.record("all know this", key="base", origin="observed", confidence=0.8)
    for title in ("the second", "the third", "the fourth"):
        store.record(title)
    one.commit("what all know")
    clones = [one, *(clone_of(one, name, skew_ms=SKEWS[name]) for name in NAMES[1:])]
    for clone in clones:
        WORK[clone.name](clone)
        clone.commit("the work")
    return folder


def copies(worked: Path, tmp_path: Path, names: tuple[str, ...] = NAMES) -> dict[str, Clone]:
    """The clones as they are before anything is exchanged."""
    clones = {}
    for name in names:
        shutil.copytree(worked / name, tmp_path / name)
        clones[name] = Clone(name + "'", tmp_path / name, skew_ms=SKEWS[name] + 86_400_000)
    return clones


def exchange(clones: list[Clone], how: str, route: str) -> None:
    """Everything to everybody: the first collects and hands out, or it goes round in a chain, back and forth."""
    first, *others = clones
    if route == "hub":
        for other in others:
            first.pull(other, how)
        for other in others:
            other.pull(first, how)
    else:
        for here, there in itertools.pairwise(clones):
            there.pull(here, how)
        for here, there in itertools.pairwise(reversed(clones)):
            there.pull(here, how)


def check_exchanged(clones: list[Clone], known: set[tuple[str, str]], events: set[str]) -> None:
    """One state, nothing lost, every reference still finds its learning; then the next writes settle what was shared."""
    for clone in clones:
        assert clone.event_ids() >= events, f"{clone.name} lost {events - clone.event_ids()}"
    shown = {(hit.ref, hit.uid) for hit in check_agreement(clones)}
    check_references(clones, known)
    for clone in clones:  # all at once, each offline: the first write stores the new references
        clone.store().record(f"{clone.name} writes after the merge")
        clone.commit("after the merge")
    kinds = [event.event for event in FileLog(clones[0].path).read()]
    assert "renumbered" in kinds
    exchange(clones, "merge", "hub")
    after = {hit.uid: hit for hit in check_agreement(clones)}
    assert len(after) == len(shown) + len(clones)
    check_references(clones, known | shown)
    written = {hit.uid for hit in after.values() if hit.title.endswith("writes after the merge")}
    assert {(hit.ref, uid) for uid, hit in after.items() if uid not in written} == shown  # and what was shown is stored
    clones[0].store().record("and once more")
    clones[0].commit("settled")
    assert not [finding for finding in clones[0].store().verify() if finding.kind == "waiting-reference"]
    for clone in clones[1:]:
        clone.pull(clones[0])
    check_agreement(clones)


def run(worked: Path, tmp_path: Path, order: tuple[str, ...], how: str, route: str) -> dict[str, Clone]:
    """The whole scenario."""
    clones = copies(worked, tmp_path, order)
    known = set().union(*(clone.refs() for clone in clones.values()))
    events = set().union(*(clone.event_ids() for clone in clones.values()))
    exchange([clones[name] for name in order], how, route)
    check_exchanged([clones[name] for name in order], known, events)
    return clones


@pytest.mark.parametrize("route", ["hub", "chain"])
@pytest.mark.parametrize("order", list(itertools.permutations(NAMES)), ids="-".join)
def test_three_clones_agree_in_every_order_of_merging(worked: Path, tmp_path: Path, order: tuple[str, ...], route: str) -> None:
    # ADD-4, fault 34, invariants 2, 4
    clones = run(worked, tmp_path, order, "merge", route)
    known = {hit.title: hit for hit in clones["one"].known()}
    assert (
        sum(hit.key is not None and hit.key.lower() == "shared" for hit in known.values()) == 1
    )  # one learning, three authors
    held = [hit for hit in known.values() if hit.key == "held"]
    assert len(held) == 1  # two learnings that came to hold one key are shown as one
    history = clones["two"].store().history(held[0].uid).events
    assert {event.actor.name for event in history if event.actor} >= {"one", "three"}
    assert {"only one knows", "only two knows", "only three knows", "two, in a batch"} <= known.keys()
    assert known["three takes this back"].status == "deleted"
    assert known["the third"].status == "active"  # restored a year later than it was deleted


@pytest.mark.parametrize("how", ["rebase", "squash", "cherry-pick"])
@pytest.mark.parametrize("order", list(itertools.permutations(NAMES))[::3], ids="-".join)
def test_three_clones_agree_however_they_exchange(worked: Path, tmp_path: Path, order: tuple[str, ...], how: str) -> None:
    # X-11, fault 33, invariant 2: rebased, squashed and picked commits repeat lines, or bring them in another order
    run(worked, tmp_path, order, how, "hub")


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("order", list(itertools.permutations(NAMES, 2))[::3], ids="-".join)
def test_two_clones_agree_in_both_directions(worked: Path, tmp_path: Path, order: tuple[str, ...], how: str) -> None:
    # X-11, fault 34
    run(worked, tmp_path, order, how, "chain")


@pytest.mark.long
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("route", ["hub", "chain"])
@pytest.mark.parametrize("order", list(itertools.permutations(NAMES)), ids="-".join)
def test_every_order_route_and_way(worked: Path, tmp_path: Path, order: tuple[str, ...], how: str, route: str) -> None:
    #
    run(worked, tmp_path, order, how, route)


@pytest.mark.parametrize("keys", [("a", "b"), ("b", "a"), (None, None)])
def test_two_clones_that_each_make_the_same_reference(tmp_path: Path, keys: tuple[str | None, str | None]) -> None:
    # fault 34: both live, both found, all agree which is which, and the old reference lists both
    one = first_clone(tmp_path / "one")
    one.store().record("the first")
    one.commit()
    two = clone_of(one, "two", skew_ms=60_000)
    older = one.store().record("of one", key=keys[0])
    younger = two.store().record("of two", key=keys[1])
    assert older.ref == younger.ref == "L-002"
    one.commit()
    two.commit()
    one.pull(two)
    two.pull(one)
    shown = {hit.title: hit.ref for hit in check_agreement([one, two])}
    assert shown == {"the first": "L-001", "of one": "L-002", "of two": "L-003"}
    for clone in (one, two):
        assert answers(clone.store(), "L-002") == {older.uid, younger.uid}
        assert clone.store().get("L-003").uid == younger.uid
        assert clone.store().get(younger.uid).ref == "L-003"
    assert two.store().record("next").ref == "L-004"
    two.commit()
    one.pull(two)
    renumbered = [event for event in FileLog(one.path).read() if event.event == "renumbered"]
    assert [(event.uid, event.ref) for event in renumbered] == [(younger.uid, "L-003")]
    assert {hit.title: hit.ref for hit in check_agreement([one, two])} == shown | {"next": "L-004"}


@pytest.mark.parametrize("lacking", ["one", "two", "both"])
def test_a_log_that_lacks_its_last_line_feed_loses_nothing_in_a_merge(tmp_path: Path, lacking: str) -> None:
    # fault 9: git glues the lines of a union where a line feed is missing
    one = first_clone(tmp_path / "one")
    one.store().record("the first")
    one.commit()
    two = clone_of(one, "two", skew_ms=60_000)
    for clone in (one, two):
        clone.store().record(f"of {clone.name}")
        clone.store().record(f"the last of {clone.name}")
        if lacking in (clone.name, "both"):
            clone.path.write_bytes(clone.path.read_bytes()[:-1])
        clone.commit()
    one.pull(two)
    two.pull(one)
    expected = {"the first", "of one", "the last of one", "of two", "the last of two"}
    for clone in (one, two):
        assert {hit.title for hit in clone.known()} == expected
    assert one.known() == two.known()
    one.store().record("the next")
    assert {hit.title for hit in one.known()} == {*expected, "the next"}


def test_conflict_markers_left_in_the_log_hide_nothing(tmp_path: Path) -> None:
    # design: read git conflict markers without losing a record; here the merge driver was never set
    one = first_clone(tmp_path / "one", attribute=False)
    one.store().record("the first")
    one.commit()
    two = clone_of(one, "two", skew_ms=60_000)
    for clone in (one, two):
        clone.store().record(f"of {clone.name}")
        clone.commit()
    one.git("pull", "--no-rebase", "--no-edit", str(two.root), "main", check=False)
    assert b"<<<<<<< " in one.path.read_bytes()
    assert {hit.title for hit in one.known()} == {"the first", "of one", "of two"}
    assert one.store().record("while in conflict").ref == "L-004"
    one.git("commit", "-q", "-a", "-m", "markers and all")
    two.pull(one)
    assert {hit.title for hit in two.known()} == {"the first", "of one", "of two", "while in conflict"}
    assert one.known() == two.known()
    damaged = two.store().stats().damaged_lines
    assert [damage.kind for damage in damaged] == ["conflict-marker"] * 3
    two.path.write_bytes(b"\n".join(line for line in two.path.read_bytes().split(b"\n") if line[:1] not in b"<=>" or not line))
    assert check_agreement([two])
    assert len(two.known()) == 4


def test_a_checkout_with_crlf_has_the_same_state_and_takes_appends(tmp_path: Path) -> None:
    # fault 19: core.autocrlf=true where the attribute is missing
    one = first_clone(tmp_path / "one", attribute=False)
    for title in ("first", "second", "third"):
        one.store().record(title)
    one.commit()
    two = clone_of(one, "two", skew_ms=60_000, options=["-c", "core.autocrlf=true"])
    assert two.path.read_bytes().count(b"\r\n") == 3
    assert one.known() == two.known()
    stats = two.store().stats()
    assert (stats.damaged_lines, stats.unsealed_lines) == ((), 0)
    assert two.store().record("appended").ref == "L-004"
    assert two.store().record("appended again").ref == "L-005"
    assert two.store().verify() == []
    two.commit()
    one.pull(two)
    assert one.path.read_bytes().count(b"\r") == 0
    assert len(check_agreement([one, two])) == 5


def test_the_attribute_keeps_line_feeds_where_git_would_change_them(tmp_path: Path) -> None:
    # fault 19: "text eol=lf"
    one = first_clone(tmp_path / "one")
    one.store().record("first")
    one.commit()
    two = clone_of(one, "two", options=["-c", "core.autocrlf=true"])
    assert (two.root / ".gitattributes").read_bytes().replace(b"\r", b"") == ATTRIBUTE.encode()
    assert two.path.read_bytes() == one.path.read_bytes()


def test_a_union_with_repeats_has_the_state_without_them(tmp_path: Path) -> None:
    # fault 33: base a, ours a b c X, theirs a Y b c, as git's union leaves it
    one = first_clone(tmp_path / "one")
    two = Clone("two", tmp_path / "two")
    for title in ("a", "b", "c", "X", "Y"):
        one.store().record(title, key="k" if title in "bX" else title)
    one.store().delete("L-003")
    lines = [encode(event) + b"\n" for event in FileLog(one.path).read()]
    a, b, c, x, y, deleted = lines
    two.path.parent.mkdir(parents=True)
    for order in ([a, b, c, x, y, b, c, deleted], [deleted, y, x, c, b, a], [*lines, *lines], [deleted, *lines, deleted]):
        two.path.write_bytes(b"".join(order))
        assert two.known() == one.known()
        assert two.store().verify() == []
        assert two.store().stats().events == 6


def test_a_store_that_is_open_while_branches_are_checked_out_follows(tmp_path: Path) -> None:
    # git puts another file under the name: reader and writer go by what is there
    one = first_clone(tmp_path / "one")
    one.store().record("the first")
    one.commit()
    store = one.store()
    one.git("checkout", "-q", "-b", "side")
    store.record("on the side")
    one.commit()
    one.git("checkout", "-q", "main")
    assert {hit.title for hit in store.list()} == {"the first"}
    assert store.record("on main").ref == "L-002"
    one.commit()
    one.git("checkout", "-q", "side")
    assert {hit.title for hit in store.list()} == {"the first", "on the side"}
    one.git("checkout", "-q", "main")
    one.git("merge", "-q", "--no-edit", "side")
    assert {hit.title for hit in store.list()} == {"the first", "on the side", "on main"}
    refs = {hit.title: hit.ref for hit in store.list()}
    assert sorted(refs.values()) == ["L-001", "L-002", "L-003"]
    assert store.record("after").ref == "L-004"
    assert {hit.title: hit.ref for hit in Store(one.path).list()} == refs | {"after": "L-004"}
