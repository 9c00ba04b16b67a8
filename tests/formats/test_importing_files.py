"""What importing reads and refuses: files, folders, standard input, bad rows; a rehearsal touches nothing."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from learnlog import InvalidValue, NotInThisVersion, Store
from learnlog.errors import SourceUnreadable
from learnlog.importing import import_paths

from .conftest import Write, counts, entries, entry, insight, kinds, lines

# What is refused ----------------------------------------------------------------------------------------------------------


def test_bad_rows_are_listed_and_the_rest_is_stored(store: Store, write: Write) -> None:
    # ADD-edges, fault 41
    source = write(lines([insight("a")]) + b"{torn\n" + lines([insight("b", confidence=99)]) + lines([insight("c")]))
    report = import_paths(store, [source])
    assert counts(report) == (4, 2, 0, 0, 2)
    assert [(one.path, one.line, one.kind) for one in report.refused] == [
        (str(source), 2, "malformed"),
        (str(source), 3, "invalid-value"),
    ]


def test_strict_stores_none_when_one_is_refused(store: Store, write: Write) -> None:
    # interface: --strict
    report = import_paths(store, [write(lines([insight("a")]) + b"{torn\n")], strict=True)
    assert counts(report) == (2, 0, 0, 0, 1)
    assert store.log.head() == 0
    store.record("Next")
    assert store.list()[0].ref == "L-001"


@pytest.mark.parametrize("field", ["title", "body", "extra"])
def test_what_is_too_large_is_refused(store: Store, write: Write, field: str) -> None:
    # semantics "Guard": sizes
    large = {"title": "t" * 501, "body": "é" * (1 << 19) + "x", "extra": ["x" * 1000] * 4300}[field]
    report = import_paths(store, [write(entries=[entry("L-001"), entry("L-002", **{field: large})])])
    assert counts(report) == (2, 1, 0, 0, 1)
    assert kinds(report.refused) == ["too-large"]


def test_limits_are_not_hit_by_what_just_fits(store: Store, write: Write) -> None:
    fits = entry("L-001", title="t" * 500, body="é" * (1 << 19))
    assert import_paths(store, [write(entries=[fits])]).refused == ()


def test_a_file_that_is_no_source_stops_the_call_before_anything_is_written(tmp_path: Path, write: Write) -> None:
    # fault 50
    store = Store(tmp_path / "new" / "log.jsonl")
    with pytest.raises(SourceUnreadable, match="in no format that this version reads"):
        import_paths(store, [write([insight()], name="good"), write(b'{"a": 1}', name="learnings.jsonl")])
    with pytest.raises(SourceUnreadable, match="No such file"):
        import_paths(store, [tmp_path / "absent"])
    with pytest.raises(SourceUnreadable, match="save it as UTF-8"):
        import_paths(store, [write('{"insight": "x"}'.encode("utf-16"), name="wide")], format="gstack")
    with pytest.raises(SourceUnreadable, match=r"not JSON at line \d+"):
        import_paths(store, [write(entries([entry()])[:-4], name="cut")])
    assert not (tmp_path / "new").exists()


def test_wrong_arguments_raise_at_once(store: Store, write: Write) -> None:
    source = write([insight()])
    with pytest.raises(InvalidValue, match="on_conflict"):
        import_paths(store, [source], on_conflict="ours")
    with pytest.raises(InvalidValue, match="paths"):
        import_paths(store, str(source))
    with pytest.raises(InvalidValue, match="paths"):
        import_paths(store, [])
    with pytest.raises(NotInThisVersion, match="format csv"):
        import_paths(store, [source], format="csv")
    assert store.log.head() == 0


# Where rows come from -----------------------------------------------------------------------------------------------------


def test_a_dry_run_says_the_same_and_touches_nothing(tmp_path: Path, write: Write) -> None:
    # interface: --dry-run
    source = write(lines([insight("a"), insight("b", source="error")]) + b"{torn\n")
    store = Store(tmp_path / "new" / "log.jsonl")
    rehearsed = import_paths(store, [source], dry_run=True)
    assert not (tmp_path / "new").exists()
    assert import_paths(store, [source]) == rehearsed
    before = sorted(os.listdir(tmp_path / "new")), (tmp_path / "new" / "log.jsonl").read_bytes()
    with store.log.writing():  # no lock is taken: this one is held
        again = import_paths(Store(tmp_path / "new" / "log.jsonl", timeout_s=0.1), [source], dry_run=True)
    assert (again.added, again.unchanged) == (0, 2)
    assert (sorted(os.listdir(tmp_path / "new")), (tmp_path / "new" / "log.jsonl").read_bytes()) == before


def test_a_dry_run_inside_a_batch_sees_the_batch_and_adds_nothing(store: Store, write: Write) -> None:
    source = write([insight("a")])
    with store.batch():
        import_paths(store, [source])
        assert counts(import_paths(store, [source], dry_run=True)) == (1, 0, 1, 0, 0)
        assert counts(import_paths(store, [write([insight("b")], name="2")], dry_run=True)) == (1, 1, 0, 0, 0)
    assert [one.key for one in store.list()] == ["a"]


def test_a_folder_gives_every_file_of_a_known_format_in_it(store: Store, write: Write) -> None:
    #
    write([insight("a")], name="all/b.jsonl")
    write(entries=[entry("L-001", "An entry")], name="all/below/a.json")
    write([insight("hidden")], name="all/.git/c.jsonl")
    write([insight("hidden too")], name="all/.c.jsonl")
    write(b"# not of ours\n", name="all/README.md")
    folder = write(b"", name="all/empty").parent
    report = import_paths(store, [folder])
    assert (report.read, report.added) == (2, 2)
    assert counts(import_paths(store, [folder], format="gstack")) == (1, 0, 1, 0, 0)
    with pytest.raises(SourceUnreadable, match="no file in it is in the format gstack or add"):
        import_paths(store, [write(b"x", name="other/x").parent])


def test_a_damaged_file_in_a_folder_is_listed_and_the_others_are_read(store: Store, write: Write) -> None:
    # ADD-edges
    write([insight("a")], name="all/b.jsonl")
    damaged = write(entries([entry()])[:-4], name="all/damaged.json")
    report = import_paths(store, [damaged.parent])
    assert (report.added, [(one.path, one.line, one.kind) for one in report.refused]) == (
        1,
        [(str(damaged), None, "unreadable")],
    )


def test_a_dash_is_standard_input(store: Store) -> None:
    report = import_paths(store, ["-"], stdin=io.BytesIO(lines([insight("a")]) + b"{torn\n"))
    assert (report.added, report.refused[0].path, report.refused[0].line) == (1, "-", 2)


def test_a_file_named_twice_counts_once(store: Store, write: Write) -> None:
    source = write([insight("a"), insight("b")])
    assert counts(import_paths(store, [source, source])) == (4, 2, 2, 0, 0)


def test_who_imports_is_the_actor(store: Store, write: Write) -> None:
    import_paths(store, [write([insight("a")])], by="human:Ada", session="s1")
    (event,) = store.log.read()
    assert (event.actor.kind, event.actor.name, event.actor.session) == ("human", "Ada", "s1")
    assert (event.imported.format, event.imported.native) == ("gstack", "")


def test_importing_goes_on_after_another_program_wrote(open_store: Callable[[], Store], write: Write) -> None:
    # references are handed out under the lock
    one, two = open_store(), open_store()
    import_paths(one, [write([insight("a")], name="1")])
    two.record("Mine")
    import_paths(one, [write([insight("b")], name="2")])
    assert sorted(hit.ref for hit in two.list()) == ["L-001", "L-002", "L-003"]
    assert list(two.verify()) == []
