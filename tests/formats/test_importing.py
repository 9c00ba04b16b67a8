"""What importing does to a store: once is enough, newer knowledge stays, deleted stays deleted, all or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from learnlog import Store
from learnlog.importing import import_paths
from learnlog.logs.memory import MemoryLog

from .conftest import SHARED, Write, counts, entries, entry, insight, kinds, known, lines, needs

JANUARY, MARCH, LATER = "2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z", "2026-02-01T00:00:00Z"


# Once is enough -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["gstack", "add"])
def test_a_second_import_of_real_files_appends_nothing(folder: str, tmp_path: Path) -> None:
    # fault 35, invariant 2
    needs(folder)
    store = Store(tmp_path / "log.jsonl", clock=lambda: 1_900_000_000_000, durable=False)
    first = import_paths(store, [SHARED / folder])
    assert first.added > 0
    before = (tmp_path / "log.jsonl").read_bytes()
    again = import_paths(store, [SHARED / folder])
    assert (again.added, again.unchanged, again.read) == (0, first.read, first.read)
    assert (tmp_path / "log.jsonl").read_bytes() == before
    assert list(store.verify()) == []


def test_the_example_that_ships_with_the_project_is_read_whole(store: Store) -> None:
    example = Path(__file__).parents[2] / "examples" / "learnings.jsonl"
    report = import_paths(Store(store.log, clock=lambda: 1_900_000_000_000), [example])
    assert (report.read, report.refused, report.unusual) == (15, (), ())
    one = next(one for one in store.list() if one.key == "sqlite_readonly_folder")
    assert (one.confidence, "stale pages" in one.body, one.extra) == (1.0, True, {"skill": "investigate"})
    assert store.stats().learnings == 14


def test_another_machine_makes_the_same_events_of_the_same_file(write: Write) -> None:
    # invariant 3: two clones that import the same file merge to one state
    source = write([insight("a"), insight("b"), insight("a", "Newer.", MARCH)])
    made = []
    for _ in range(2):
        other = Store(MemoryLog(), clock=lambda: 1_900_000_000_000)
        import_paths(other, [source])
        made.append([(event.id, event.uid, event.at) for event in other.log.read()])
    assert made[0] == made[1]


def test_everything_of_one_call_is_one_append(store: Store, write: Write) -> None:
    # semantics "Importing"; X-2: `undo BATCH` takes the import back
    import_paths(store, [write([insight("a"), insight("b")], name="1"), write([insight("c")], name="2")])
    batches = {event.batch for event in store.log.read()}
    assert len(batches) == 1
    store.undo(batches.pop())
    assert len(store.list()) == 0


# Who is who ---------------------------------------------------------------------------------------------------------------


def test_rows_of_one_key_are_one_learning_and_the_newest_shows(store: Store, write: Write) -> None:
    # GS-dedup, fault 31
    rows = [insight("k", "Newer.", MARCH), insight("k", "Older.", JANUARY), insight("k", "Of another type.", type="pitfall")]
    report = import_paths(store, [write(rows)])
    assert counts(report) == (3, 3, 0, 0, 0)
    assert sorted(one.title for one in store.list()) == ["Newer.", "Of another type."]
    assert [change.event for change in store.history(store.search(category="pattern")[0].ref).events] == ["recorded"] * 2


def test_of_rows_with_one_time_the_last_in_the_file_shows(store: Store, write: Write) -> None:
    # GS-dedup, fault 31: latest wins, also within a second
    import_paths(store, [write([insight("k", f"Version {count}.") for count in range(20)])])
    assert [one.title for one in store.list()] == ["Version 19."]


def test_a_row_patches_the_learning_that_has_its_key(store: Store, write: Write) -> None:
    # semantics "Identity": a learning keeps its identity, also one that was reclassified
    mine = store.record("Mine", key="K", category="pattern", date="2026-01-01")
    store.reclassify(mine.ref, category="process")
    later = "2026-02-08T13:00:00Z"  # after both events
    import_paths(store, [write([insight("k", "Theirs.", later)])])
    assert [(one.ref, one.title, one.category) for one in store.list()] == [(mine.ref, "Theirs.", "process")]


def test_a_row_finds_the_learning_that_holds_its_pair_now(store: Store, write: Write) -> None:
    # semantics "Identity": the current (category, key), not only the one at birth
    mine = store.record("Mine", key="k", category="pitfall")
    store.reclassify(mine.ref, category="pattern")
    assert import_paths(store, [write([insight("K", "Theirs.", "2026-02-08T13:00:00Z")])]).added == 1
    assert [(one.uid, one.title) for one in store.list()] == [(mine.uid, "Theirs.")]
    assert {event.uid for event in store.log.read()} == {mine.uid}
    store.delete(mine.ref)
    assert import_paths(store, [write([insight("K", "Again.", "2026-02-08T14:00:00Z")])]).older == 1


def test_a_row_without_a_type_finds_the_one_learning_of_its_key(store: Store, write: Write) -> None:
    # semantics "Identity": no category given: the key alone, if one learning holds it
    mine = store.record("Mine", key="k", category="pitfall")
    typeless = insight("k", "Theirs.", "2026-02-08T13:00:00Z", type=None)
    assert import_paths(store, [write([typeless])]).added == 1
    assert [(one.uid, one.title, one.category) for one in store.list()] == [(mine.uid, "Theirs.", "pitfall")]


def test_native_ids_are_compared_without_case(store: Store, write: Write) -> None:
    # fault 21
    import_paths(store, [write(entries=[entry("L-001", "One"), entry("l-001", "Two", "2026-01-02")])])
    assert [one.title for one in store.list()] == ["Two"]


def test_native_ids_become_aliases_and_references_are_ours(store: Store, write: Write) -> None:
    # semantics "Importing": show L-003@add
    store.record("Mine")
    import_paths(store, [write(entries=[entry("L-001", "First"), entry("L-003", "Third")])])
    assert store.get("L-003@add").title == "Third"
    assert [store.get(ref).title for ref in ("L-001", "L-002", "L-003")] == ["Mine", "First", "Third"]


def test_the_same_native_id_of_two_projects_is_two_learnings(store: Store, write: Write) -> None:
    # semantics "Importing": format, source project, native id
    one = write(entries=[entry("L-001", "T") | {"source": None}], project="one", name="1")
    two = write(entries=[entry("L-001", "T") | {"source": None}], project="two", name="2")
    own = write(entries=[entry("L-001", "T", source="three")], project="two", name="3")
    report = import_paths(store, [one, two, own])
    assert counts(report) == (3, 3, 0, 0, 0)
    assert len(store.list()) == 3


def test_rows_without_key_and_id_are_known_by_their_title(store: Store, write: Write) -> None:
    # semantics "Importing": hash of the normalised title
    nameless = [insight(None, "Use  flock.", JANUARY), insight(None, "USE flock.", MARCH), insight(None, "Another.")]
    import_paths(store, [write([{k: v for k, v in row.items() if k != "key"} for row in nameless])])
    assert sorted(one.title for one in store.list()) == ["Another.", "USE flock."]


def test_one_native_id_on_two_titles_is_said(store: Store, write: Write) -> None:
    # ADD-4: ADD's parallel writers hand one number out twice
    twice = write(entries=[entry("L-001", "One"), entry("L-001", "Two"), entry("L-002", "Other")])
    report = import_paths(store, [twice, write(entries=[entry("L-002", "Another")], name="2")])
    assert kinds(report.unusual) == ["id-twice", "id-twice"]
    assert len(store.history("L-001@add").events) == 2


# Older, newer, in conflict, deleted ---------------------------------------------------------------------------------------


def test_a_newer_row_patches_and_what_it_does_not_say_stays(store: Store, write: Write) -> None:
    # semantics "Identity": a second record is a patch
    import_paths(store, [write([insight("k", "Old.", JANUARY, skill="ship", files=["a.py"])])])
    newer = {"insight": "New.", "key": "k", "type": "pattern", "ts": MARCH}
    assert counts(import_paths(store, [write([newer])])) == (1, 1, 0, 0, 0)
    one = store.list()[0]
    assert (one.title, one.files, one.confidence, one.extra) == ("New.", ("a.py",), 0.8, {"skill": "ship"})


def test_an_old_export_changes_nothing_of_newer_knowledge(store: Store, write: Write) -> None:
    # fault 35
    import_paths(store, [write([insight("k", "From the file.", JANUARY)])])
    store.revise("L-001", title="Mine now")
    before = known(store)
    report = import_paths(store, [write([insight("k", "Between.", MARCH), insight("k", "From the file.", JANUARY)])])
    assert counts(report) == (2, 0, 1, 1, 0)
    assert known(store) == before


def test_what_was_deleted_here_stays_deleted(store: Store, write: Write, clock: Any) -> None:
    # fault 35: deletions travel
    import_paths(store, [write([insight("k", "Old.", JANUARY)])])
    store.delete("L-001")
    clock.pass_days(10)
    newer = write([insight("k", "Old.", JANUARY), insight("k", "After the delete.", "2026-02-15T00:00:00Z")])
    assert counts(import_paths(store, [newer])) == (2, 0, 1, 1, 0)
    assert store.get("L-001").status == "deleted"


def test_an_archived_learning_is_revived_by_a_newer_row(store: Store, write: Write, clock: Any) -> None:
    # semantics "Status": record again
    import_paths(store, [write([insight("k", "Old.", JANUARY)])])
    store.archive("L-001")
    clock.pass_days(10)
    assert counts(import_paths(store, [write([insight("k", "New.", "2026-02-15T00:00:00Z")])])) == (1, 1, 0, 0, 0)
    assert (store.get("L-001").status, store.get("L-001").title) == ("active", "New.")


def test_at_the_same_time_with_other_content_ours_is_kept(store: Store, write: Write) -> None:
    # semantics "Importing": a conflict
    import_paths(store, [write([insight("k", "Ours.", JANUARY)])])
    before = known(store)
    report = import_paths(store, [write([insight("k", "Theirs.", JANUARY)])])
    assert counts(report) == (1, 0, 0, 1, 0)
    assert kinds(report.unusual) == ["conflict"]
    assert "L-001" in report.unusual[0].message
    assert known(store) == before


def test_what_comes_back_later_counts_again(store: Store, write: Write) -> None:
    # semantics "Importing": the same words at another time are another row
    for time, text in ((JANUARY, "A."), (MARCH, "B."), (LATER, "A.")):
        assert import_paths(store, [write([insight("k", text, time)])]).added == 1
    assert [one.title for one in store.list()] == ["A."]


def test_a_new_reference_is_no_newer_knowledge(tmp_path: Path, write: Write) -> None:
    # invariant 4: the `renumbered` event after a merge does not shut newer rows out
    for key in ("a", "b"):
        import_paths(Store(tmp_path / key, durable=False), [write([insight(key, f"{key}.", JANUARY)])])
    (tmp_path / "merged").write_bytes((tmp_path / "a").read_bytes() + (tmp_path / "b").read_bytes())
    merged = Store(tmp_path / "merged", durable=False)  # both learnings hold L-001
    report = import_paths(merged, [write([insight(key, "Newer.", MARCH) for key in ("a", "b")])])
    assert "renumbered" in [event.event for event in merged.log.read()]
    assert counts(report) == (2, 2, 0, 0, 0)
    assert sorted((one.ref, one.title) for one in merged.list()) == [("L-001", "Newer."), ("L-002", "Newer.")]


def test_skip_leaves_what_is_known_alone(store: Store, write: Write) -> None:
    # interface: --on-conflict skip
    import_paths(store, [write([insight("k", "Ours.", JANUARY), insight("same", "Same.", JANUARY)])])
    before = known(store)
    rows = [insight("k", "Newer.", MARCH), insight("same", "Same.", MARCH), insight("new", "A.", JANUARY)]
    report = import_paths(store, [write([*rows, insight("new", "B.", MARCH)])], on_conflict="skip")
    assert counts(report) == (4, 2, 1, 1, 0)
    after = known(store)
    assert {uid: after[uid] for uid in before} == before
    assert sorted(one.title for one in store.list()) == ["B.", "Ours.", "Same."]


@pytest.mark.parametrize("time", [JANUARY, MARCH], ids=["conflict", "newer"])
def test_fail_stores_nothing_when_a_known_learning_would_change(store: Store, write: Write, time: str) -> None:
    # interface: --on-conflict fail
    import_paths(store, [write([insight("k", "Ours.", JANUARY)])])
    before, head = known(store), store.log.head()
    source = write([insight("new", "New.", JANUARY), insight("k", "Theirs.", time)])
    report = import_paths(store, [source], on_conflict="fail")
    assert (report.added, [(one.line, one.kind) for one in report.refused]) == (0, [(2, "conflict")])
    assert (known(store), store.log.head()) == (before, head)
    harmless = write([insight("new", "New.", JANUARY), insight("k", "Ours.", JANUARY)])
    assert counts(import_paths(store, [harmless], on_conflict="fail")) == (2, 1, 1, 0, 0)


def test_skip_takes_a_category_that_a_person_set_here_for_no_difference(store: Store, write: Write) -> None:
    # semantics "Identity": a category set by `reclassify` changes only by `reclassify`
    source = write([insight("k", "Same.", JANUARY)])
    import_paths(store, [source])
    store.reclassify("L-001", category="process")
    again = write([insight("k", "Same.", MARCH)])
    assert counts(import_paths(store, [again], on_conflict="skip")) == (1, 0, 1, 0, 0)


def test_fail_lets_pass_what_changes_nothing_and_not_what_revives(store: Store, write: Write) -> None:
    # interface: --on-conflict fail
    import_paths(store, [write([insight("k", "Same.", JANUARY)])])
    assert counts(import_paths(store, [write([insight("k", "Same.", MARCH)])], on_conflict="fail")) == (1, 1, 0, 0, 0)
    store.archive("L-001")
    afterwards = write([insight("k", "Same.", "2026-02-08T13:00:00Z")])
    assert kinds(import_paths(store, [afterwards], on_conflict="fail").refused) == ["conflict"]
    assert store.get("L-001").status == "archived"


# Times --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ts", [None, "soon", "2099-01-01T00:00:00Z"])
def test_a_time_that_cannot_be_is_ordered_as_oldest(store: Store, write: Write, ts: str | None) -> None:
    # fault 31: not stuck for ever
    report = import_paths(store, [write([insight("k", "No time.", ts)])])
    assert len(report.unusual) == 1
    one = store.get("L-001")
    assert (one.created, one.date) == (None, None)
    assert one.extra == ({"ts": ts} if ts else {})
    assert counts(import_paths(store, [write([insight("k", "Dated.", JANUARY)])])) == (1, 1, 0, 0, 0)
    assert store.get("L-001").title == "Dated."
    assert counts(import_paths(store, [write([insight("k", "No time.", ts)])])) == (1, 0, 1, 0, 0)


def test_a_day_in_the_future_does_not_stay_on_top(store: Store, write: Write) -> None:
    # fault 31
    report = import_paths(store, [write(entries=[entry(date="2099-01-01")])])
    assert kinds(report.unusual) == ["future-time"]
    one = store.get("L-001")
    assert (one.date, one.extra) == (None, {"date": "2099-01-01"})


def test_a_row_from_the_future_is_the_same_row_when_its_time_has_come(write: Write) -> None:
    # fault 35
    log, source = MemoryLog(), write([insight("k", "Tomorrow.", "2026-06-01T00:00:00Z")])
    assert import_paths(Store(log, clock=lambda: 1_770_552_000_000), [source]).added == 1
    assert counts(import_paths(Store(log, clock=lambda: 1_900_000_000_000), [source])) == (1, 0, 1, 0, 0)


def test_imported_ids_never_advance_the_clock(store: Store, write: Write) -> None:
    # semantics "Importing"
    import_paths(store, [write([insight("k", "In an hour.", "2026-02-08T23:00:00Z")])])
    mine = store.record("Mine").event
    assert max(event.id for event in store.log.read()) != mine


# Archives -----------------------------------------------------------------------------------------------------------------


def test_the_archive_archives_what_an_earlier_import_brought(store: Store, write: Write) -> None:
    # ADD-archive
    row = entry("L-007", "Old news", date="2026-01-01")
    import_paths(store, [write(entries=[row])])
    archive = write(b"{}", name="archive")
    archive.write_bytes(entries([]).replace(b'"entries": []', b'"archived": [%s]' % lines([row]).strip()))
    assert counts(import_paths(store, [archive])) == (1, 1, 0, 0, 0)
    assert store.get("L-007@add").status == "archived"
    assert counts(import_paths(store, [archive])) == (1, 0, 1, 0, 0)
    assert [event.event for event in store.log.read()] == ["recorded", "archived"]


def test_archiving_that_is_older_than_a_restore_here_does_not_count(store: Store, write: Write) -> None:
    # fault 35
    row = entry("L-007", "Old news", date="2026-01-01", archived=True, archived_on="2026-01-20")
    import_paths(store, [write(entries=[entry("L-007", "Old news", date="2026-01-01")])])
    store.revise("L-001", body="still true")
    import_paths(store, [write(entries=[row])])
    assert store.get("L-001").status == "active"


def test_what_was_deleted_here_is_not_archived(store: Store, write: Write) -> None:
    # semantics "Importing": deleted here stays deleted
    import_paths(store, [write(entries=[entry("L-007", date="2026-01-01")])])
    store.delete("L-001")
    head = store.log.head()
    row = entry("L-007", date="2026-01-01", archived=True, archived_on="2026-02-09")
    assert counts(import_paths(store, [write(entries=[row])])) == (1, 0, 1, 0, 0)
    assert store.log.head() == head


def test_fail_refuses_to_archive_what_is_known(store: Store, write: Write) -> None:
    # interface: --on-conflict fail
    import_paths(store, [write(entries=[entry("L-007", date="2026-01-01")])])
    row = entry("L-007", date="2026-01-01", archived=True)
    assert kinds(import_paths(store, [write(entries=[row])], on_conflict="fail").refused) == ["conflict"]
    assert store.get("L-001").status == "active"
