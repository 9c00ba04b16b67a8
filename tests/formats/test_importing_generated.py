"""Importing over generated files with every oddity: twice is once, and the order of rows does not matter."""

from __future__ import annotations

import io
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from learnlog import Store
from learnlog.importing import Report, import_paths
from learnlog.logs.memory import MemoryLog

from .conftest import known

NOW_MS = 1_790_000_000_000  # September 2026
ABSENT = object()


def maybe(*values: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from([ABSENT, *values])


TIMES = maybe(
    "2026-01-01T00:00:00Z",
    "2026-01-02T00:00:00Z",
    "2026-01-02T00:00:00.250Z",
    "2026-01-02T02:00:00+02:00",
    "2026-01-03",
    "1969-12-31T23:59:59Z",
    "2099-01-01T00:00:00Z",
    "$(date -u)",
    "",
    None,
    1770508800,
)
TEXTS = st.sampled_from(
    ["Use flock.", "Use flock. It is free.", "不要覆盖。重写时保留。", "two\nlines", "Use  FLOCK.", "\ud83d half"]
)
EXTRAS = maybe(True, [1, {"a": None}], "text", {"nested": {"deep": [[]]}})

INSIGHTS = st.fixed_dictionaries(
    {
        "insight": TEXTS | maybe(None, "", 5),
        "key": maybe("a", "A", "b", "Cafe\u0301", "Caf\u00e9", "x" * 201, "tab\t", 3, None),
        "type": maybe("pattern", "Pattern", "pitfall", "gotcha", "", 1, None),
        "confidence": maybe(1, 8, 10, 0, 11, 8.5, "8", True, None),
        "source": maybe("observed", "error", None, 7),
        "files": maybe([], ["a.py", ""], "a.py", [1], None),
        "ts": TIMES,
        "trusted": EXTRAS,
    }
)
ENTRIES = st.fixed_dictionaries(
    {
        "id": maybe("L-001", "L-002", "l-001", "WL-001", "", 5, None),
        "title": TEXTS | maybe(None, " ", 5, "t" * 501),
        "body": maybe("body", "", 5, None),
        "scope": maybe("project", "global", "", None, []),
        "stack": maybe([], ["python", "Python"], "python", None),
        "category": maybe("technical", "ci-cd", None),
        "severity": maybe("high", "Urgent", None, 1),
        "source": maybe("demo", "other", None, 5),
        "date": TIMES,
        "archived": maybe(True, False, "yes", None),
        "archived_on": maybe("2026-02-01", "never", None),
        "promoted": EXTRAS,
    }
)
JUNK = st.sampled_from([b"", b"  \t", b"{torn", b"42", b"null", b"[]", b'{"insight": NaN}', b"\xff"])


def present(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not ABSENT}


@st.composite
def gstack_files(draw: st.DrawFn) -> bytes:
    rows = draw(st.lists(INSIGHTS, max_size=8))
    lines = [json.dumps(present(row), ensure_ascii=draw(st.booleans())).encode("utf-8", "backslashreplace") for row in rows]
    for junk in draw(st.lists(JUNK, max_size=3)):
        lines.insert(draw(st.integers(0, len(lines))), junk)
    end = draw(st.sampled_from([b"\n", b"\r\n", b"\n\n"]))
    certain = b'{"insight": "so that it is a file of gstack", "key": "certain", "ts": "2026-01-01T00:00:00Z"}'
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + end.join([*lines, certain]) + draw(st.sampled_from([b"", end]))


@st.composite
def add_files(draw: st.DrawFn) -> bytes:
    rows = [present(row) for row in draw(st.lists(ENTRIES, max_size=6))]
    junk = draw(st.lists(st.sampled_from([None, 5, "text", [], {}]), max_size=2))
    wrapper = draw(
        st.sampled_from(
            [
                {"entries": rows + junk, "project": "demo"},
                {"entries": rows, "archived": junk, "project": 5},
                {"archived": rows + junk, "archived_on": "2026-03-01"},
                {"archived": rows, "archived_on": "soon"},
                rows + junk,
            ]
        )
    )
    text = json.dumps(wrapper, indent=draw(st.sampled_from([None, 2])))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode()


FILES = st.one_of(gstack_files().map(lambda data: ("gstack", data)), add_files().map(lambda data: ("add", data)))


def imported(store: Store, files: list[tuple[str, bytes]], **options: Any) -> list[Report]:
    return [import_paths(store, ["-"], format=name, stdin=io.BytesIO(data), **options) for name, data in files]


def a_store() -> Store:
    return Store(MemoryLog(), clock=lambda: NOW_MS, by="agent:tester")


@settings(max_examples=150)
@given(st.lists(FILES, min_size=1, max_size=3).flatmap(lambda files: st.tuples(st.just(files), st.permutations(files))))
def test_whatever_was_imported_once_adds_nothing_again_in_any_order(
    both: tuple[list[tuple[str, bytes]], list[tuple[str, bytes]]],
) -> None:
    # fault 35, invariant 2
    files, again = both
    store = a_store()
    first = imported(store, files)
    state, head = known(store), store.log.head()
    second = imported(store, again)
    assert store.log.head() == head
    assert known(store) == state
    assert [report.added for report in second] == [0] * len(again)
    for report in first + second:
        assert report.read == report.added + report.unchanged + report.older + len(report.refused)
    reopened = Store(store.log, clock=lambda: NOW_MS)
    assert known(reopened) == state


@settings(max_examples=100)
@given(FILES, st.sampled_from(["newer", "skip", "fail"]))
def test_a_rehearsal_reports_what_the_import_will(file: tuple[str, bytes], on_conflict: str) -> None:
    # interface: --dry-run
    store = a_store()
    store.record("Mine", key="a", category="pattern")
    head = store.log.head()
    (rehearsed,) = imported(store, [file], dry_run=True, on_conflict=on_conflict)
    assert store.log.head() == head
    assert imported(store, [file], on_conflict=on_conflict) == [rehearsed]


@st.composite
def rows_with_times_of_their_own(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    rows = [present(row) for row in draw(st.lists(INSIGHTS, min_size=2, max_size=8))]
    dated = [row | {"ts": f"2026-01-{day:02}T00:00:00Z"} for day, row in enumerate(rows, 1)]
    return dated, draw(st.permutations(dated))


@settings(max_examples=150)
@given(rows_with_times_of_their_own())
def test_shuffled_rows_with_times_of_their_own_give_one_state(
    both: tuple[list[dict[str, Any]], list[dict[str, Any]]],
) -> None:
    # fault 32, invariant 2
    states = []
    for rows in both:
        store = a_store()
        certain = {"insight": "so that it is a file of gstack", "key": "certain", "ts": "2025-01-01T00:00:00Z"}
        imported(store, [("gstack", b"\n".join(json.dumps(row).encode() for row in [certain, *rows]))])
        states.append(known(store))
    assert states[0] == states[1]


@settings(max_examples=60)
@given(st.lists(FILES, min_size=2, max_size=3))
def test_imports_on_two_branches_merge_to_one_state_in_either_order(files: list[tuple[str, bytes]]) -> None:
    # invariant 2: git merge=union of two logs that imported the same things separately
    ours, theirs = a_store(), a_store()
    imported(ours, files)
    imported(theirs, files[::-1])
    states = []
    for first, second in ((ours, theirs), (theirs, ours)):
        log = MemoryLog()
        log.append([*first.log.read(), *second.log.read()])
        states.append(known(Store(log, clock=lambda: NOW_MS)))
    assert states[0] == states[1]
