"""ADD's documents: wrapper, archive and bare list, every field in its place, places of what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from learnlog import Store
from learnlog.formats import add
from learnlog.formats.rows import Unreadable
from learnlog.importing import import_paths
from learnlog.logs.memory import MemoryLog

from .conftest import SHARED, entries, entry, needs

REAL = sorted(SHARED.glob("add/**/*.json")) or [SHARED / "add" / "learnings.json"]


def only(row: dict[str, Any]) -> Any:
    source = add.read(entries([row]))
    assert not source.refused
    return source.rows[0]


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_every_entry_of_the_real_files_is_there_field_by_field(path: Path) -> None:
    # ADD-1..8, ADD-20
    needs(str(path.relative_to(SHARED)))
    document = json.loads(path.read_bytes())
    rows = document.get("entries", []) + document.get("archived", [])
    store = Store(MemoryLog(), clock=lambda: 1_900_000_000_000)
    report = import_paths(store, [path])
    assert (report.read, report.added, report.refused) == (len(rows), len(rows), ())
    assert len(store.list(status=["active", "archived"])) == len(rows)
    for row in rows:
        one = store.get(f"{row['id']}@add")
        assert (one.title, one.body, one.scope, one.severity) == (row["title"], row["body"], row["scope"], row["severity"])
        assert (list(one.stack), one.source, one.date) == (row["stack"], row["source"], row["date"])
        assert one.category == row.get("category", "technical")
        assert ("category" in one.defaulted) == ("category" not in row)
        assert (one.classified_by, one.checkpoint) == (row.get("classified_by"), row.get("checkpoint_type"))
        assert one.created == row["date"] + "T00:00:00.000Z"
        archived = row.get("archived", False) or "archived" in document
        assert one.status == ("archived" if archived else "active")
        assert one.extra == {}


def test_a_bare_list_is_read_like_a_wrapper() -> None:
    # ADD-1..3
    data = json.dumps([entry("L-001"), entry("L-002")]).encode()
    assert add.detect(data)
    assert [row.native for row in add.read(data).rows] == ["L-001", "L-002"]


def test_other_lists_of_a_document_are_no_entries() -> None:
    # ADD-1..3
    data = json.dumps({"tags": ["a"], "entries": [entry("L-001")], "more": [{"title": "x"}], "archived": [entry("L-002")]})
    source = add.read(data.encode())
    assert ([row.native for row in source.rows], source.refused) == (["L-001", "L-002"], ())


def test_the_archive_says_when() -> None:
    # ADD-archive
    data = json.dumps({"archived": [entry()], "archived_on": "2026-07-12"}).encode()
    (row,) = add.read(data).rows
    assert (row.archived, row.archived_at) == (True, "2026-07-12T00:00:00.000Z")
    (row,) = add.read(entries([entry(archived=True)])).rows
    assert (row.archived, row.archived_at) == (True, None)
    (row,) = add.read(entries([entry(archived=True, archived_on="2026-03-01")])).rows
    assert (row.archived_at, row.content.extra) == ("2026-03-01T00:00:00.000Z", UNSET)
    (row,) = add.read(entries([entry(archived=False)])).rows
    assert (row.archived, row.content.extra) == (False, UNSET)


def test_unknown_members_go_into_extra() -> None:
    # semantics "Importing": lossless
    row = only(entry(promoted=True, links=["a"], key="not ADD's", notes={"x": None}))
    assert row.content.extra == {"promoted": True, "links": ["a"], "key": "not ADD's", "notes": {"x": None}}


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"id": "L-002", "body": "b"}, "no title"),
        ({"id": "L-002", "title": " "}, "no title"),
        ({"id": "L-002", "title": 5}, "no title"),
        ("text", "not an object but a text"),
        (None, "not an object but null"),
        ([], "not an object but a list"),
        (5, "not an object but a number"),
    ],
)
def test_a_malformed_entry_is_refused_with_its_place(value: object, reason: str) -> None:
    # ADD-edges, fault 12
    source = add.read(entries([entry("L-001"), value, entry("L-003")]))
    assert [row.native for row in source.rows] == ["L-001", "L-003"]
    (refused,) = source.refused
    text = entries([entry("L-001"), value, entry("L-003")]).decode()
    first = json.dumps(value, indent=2).split("\n")[0]
    assert text.split("\n")[refused.line - 1].strip().startswith(first)
    assert reason in refused.message
    assert "entries 2" in refused.message


def test_lines_of_entries_are_those_of_the_file() -> None:
    # ADD-edges
    data = entries([entry(f"L-{count:03}", title=f"t{count} ]}}{{[, \\n") for count in range(1, 6)])
    text = data.decode().split("\n")
    for row in add.read(data).rows:
        assert text[row.line - 1].strip() == "{"
        assert row.native in text[row.line]
    crlf = data.replace(b"\n", b"\r\n")
    assert [row.line for row in add.read(b"\xef\xbb\xbf" + crlf).rows] == [row.line for row in add.read(data).rows]


def test_a_document_that_does_not_parse_names_the_line() -> None:
    # ADD-edges: salvage is a later issue, silence is not an option
    data = entries([entry("L-001"), entry("L-002")])
    cut = data[: data.rindex(b"}", 0, -4)]
    assert add.detect(cut)
    with pytest.raises(Unreadable, match=r"not JSON at line \d+"):
        add.read(cut)


@pytest.mark.parametrize("value", [{"entries": {}}, {"title": "x"}, "text", 5, None, {"entries": "x", "title": "y"}])
def test_another_document_is_refused_by_shape(value: object) -> None:
    # fault 50
    data = json.dumps(value).encode()
    assert not add.detect(data)
    with pytest.raises(Unreadable, match="expected JSON with a list of entries"):
        add.read(data)


@pytest.mark.parametrize("value", [[], [1], {"entries": [{"title": "a feed", "link": "x"}]}, [{"title": "Album"}]])
def test_lists_of_other_titled_things_are_not_taken_for_learnings(value: object) -> None:
    # fault 50
    assert not add.detect(json.dumps(value).encode())


def test_an_empty_document_is_add_with_nothing_in_it() -> None:
    # ADD-edges: empty store
    assert add.detect(entries([]))
    assert add.read(entries([])).rows == ()


@pytest.mark.parametrize(("given", "native", "extra"), [(7, "7", {"id": 7}), ("", "", {"id": ""}), (["x"], "", {"id": ["x"]})])
def test_an_id_that_is_no_text_is_kept_as_it_was(given: object, native: str, extra: object) -> None:
    # semantics "Importing": lossless
    row = only(entry() | {"id": given})
    assert (row.native, row.content.extra) == (native, extra)


def test_a_day_with_a_time_gives_both() -> None:
    # ADD-20
    row = only(entry(date="2026-02-08T23:30:00-02:00"))
    assert (row.at, row.content.date) == ("2026-02-09T01:30:00.000Z", "2026-02-09")
    assert row.content.extra == {"date": "2026-02-08T23:30:00-02:00"}


def test_words_outside_the_vocabulary_are_kept_and_said() -> None:
    # semantics "Importing"
    row = only(entry(scope="global", category="ci-cd", severity="Urgent", classified_by="bot"))
    content = row.content
    assert (content.scope, content.category, content.severity, content.classified_by) == ("global", "ci-cd", "Urgent", "bot")
    assert [note.kind for note in row.unusual] == ["unknown-word"] * 4
