"""gstack's lines: every field in its place, odd ones kept, bad lines refused by number."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from msgspec import UNSET

from learnlog import Store
from learnlog.events import canonical_time
from learnlog.formats import gstack
from learnlog.formats.rows import Unreadable
from learnlog.importing import import_paths
from learnlog.logs.memory import MemoryLog

from .conftest import insight, lines, needs


def only(row: dict[str, Any]) -> Any:
    source = gstack.read(lines([row]))
    assert not source.refused
    return source.rows[0]


@pytest.mark.parametrize("name", ["learnings.jsonl", "other-project.jsonl"])
def test_every_row_of_the_real_files_is_there_field_by_field(name: str) -> None:
    # GS-fields
    path = needs(f"gstack/{name}")
    store = Store(MemoryLog(), clock=lambda: 1_900_000_000_000)
    rows = [json.loads(line) for line in path.read_bytes().split(b"\n") if line.strip()]
    report = import_paths(store, [path])
    assert (report.read, report.added, report.refused) == (len(rows), len(rows), ())
    shown = {one.key: one for one in store.list()}
    assert len(shown) == len(rows)
    for row in rows:
        one = shown[row["key"]]
        assert (one.body or one.title) == row["insight"]
        assert row["insight"].startswith(one.title.removesuffix("…"))
        assert (one.category, one.origin, list(one.files)) == (row["type"], row["source"], row["files"])
        assert round(one.confidence * 10) == row["confidence"]
        assert one.created == canonical_time(row["ts"])
        assert one.extra == {}
    unknown = [row for row in rows if row["source"] == "error"]
    assert [problem.kind for problem in report.unusual] == ["unknown-word"] * len(unknown)


def test_skill_and_trusted_and_what_nobody_knows_go_into_extra() -> None:
    # GS-fields, GS-trust: a trusted member from elsewhere has no effect
    row = only(insight(skill="review", trusted=True, branch="main", depth={"a": [1, None]}))
    assert row.content.extra == {"skill": "review", "trusted": True, "branch": "main", "depth": {"a": [1, None]}}


def test_what_the_source_did_not_say_stays_unset() -> None:
    # semantics "Importing": defaulted fields are marked
    content = only({"insight": "Use flock."}).content
    assert content.title == "Use flock."
    assert all(getattr(content, name) is UNSET for name in content.__struct_fields__ if name != "title")
    store = Store(MemoryLog())
    import_paths(store, ["-"], format="gstack", stdin=_stream(lines([{"insight": "Use flock."}])))
    defaulted = store.list()[0].defaulted
    assert {"confidence", "category", "severity", "origin", "source"} <= set(defaulted)


@pytest.mark.parametrize("confidence", [0, 11, -1, 8.0, 0.8, True, "8", [8], 1e300])
def test_a_confidence_that_is_no_whole_number_from_1_to_10_is_refused(confidence: object) -> None:
    # GS-fields, fault 17
    source = gstack.read(lines([insight("good"), insight("bad", confidence=confidence)]))
    assert [row.content.key for row in source.rows] == ["good"]
    assert [(one.line, one.kind) for one in source.refused] == [(2, "invalid-value")]
    assert "from 1 to 10" in source.refused[0].message


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"1e999"])
@pytest.mark.parametrize("member", [b"confidence", b"weight"])
def test_numbers_that_are_none_are_refused(number: bytes, member: bytes) -> None:
    # fault 17
    source = gstack.read(b'{"insight":"a","type":"tool"}\n{"insight":"b","type":"tool","%s":%s}\n' % (member, number))
    assert [(one.line, one.kind) for one in source.refused] == [(2, "invalid-value")]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b'{"insight":"cut of', "malformed"),
        (b"42", "shape"),
        (b"null", "shape"),
        (b"[]", "shape"),
        (b'{"type":"tool"}', "shape"),
        (b'{"insight":"  ","type":"tool"}', "shape"),
        (b'{"insight":7,"type":"tool"}', "shape"),
        (b'{"insight":"\xff","type":"tool"}', "malformed"),
        (b'{"insight":"a"}{"insight":"b"}', "malformed"),
        (b'{"insight":"a","deep":' + b"[" * 100 + b"]" * 100 + b"}", "shape"),
        (b'{"insight":"a","deep":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "malformed"),
    ],
)
def test_a_bad_line_is_refused_by_its_number_and_hides_no_other(line: bytes, kind: str) -> None:
    # GS-tolerant, faults 12 and 13
    source = gstack.read(b"\n" + lines([insight("a")]) + line + b"\n" + lines([insight("b")]))
    assert [row.content.key for row in source.rows] == ["a", "b"]
    assert [(one.line, one.kind) for one in source.refused] == [(3, kind)]
    assert [row.line for row in source.rows] == [2, 4]


def test_bom_crlf_blank_lines_and_a_missing_end_change_nothing() -> None:
    # faults 14, 18, 19
    plain = lines([insight("a"), insight("b")])
    odd = b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n\r\n  \t\r\n").rstrip()
    assert gstack.detect(odd)
    assert [row.content for row in gstack.read(odd).rows] == [row.content for row in gstack.read(plain).rows]
    glued = plain + b"\xef\xbb\xbf" + plain
    assert len(gstack.read(glued).rows) == 4


def test_line_separators_of_unicode_do_not_end_a_line() -> None:
    # fault 15
    text = "one\u2028two\u2029three\u0085four\u001cfive"
    data = json.dumps(insight(text=text), ensure_ascii=False).encode()
    assert gstack.read(data).rows[0].content.body == text
    assert len(gstack.read(data.replace(b", ", b",\r")).rows) == 1


def test_a_lone_surrogate_is_kept() -> None:
    # fault 16
    row = gstack.read(b'{"insight":"half \\ud83d of it","type":"tool"}\n').rows[0]
    assert row.content.title == "half \ud83d of it"


@pytest.mark.parametrize(
    ("member", "value"),
    [("type", 3), ("type", ""), ("source", ["x"]), ("files", "a.py"), ("files", [1]), ("key", 7), ("key", "a\nb")],
)
def test_a_value_of_the_wrong_type_is_kept_in_extra_and_said(member: str, value: object) -> None:
    # semantics "Importing": nothing is lost
    row = only(insight(**{member: value}))
    assert row.content.extra == {member: value}
    assert [note.kind for note in row.unusual] == ["odd-value"]


def test_words_outside_the_vocabulary_are_kept_as_they_are_and_said() -> None:
    # semantics "Importing"
    row = only(insight(type="Gotcha", source="error"))
    assert (row.content.category, row.content.origin) == ("Gotcha", "error")
    assert [note.kind for note in row.unusual] == ["unknown-word", "unknown-word"]


@pytest.mark.parametrize("given", ["$(date -u)", "yesterday", "", 1770508800, True, ["2026"]])
def test_a_time_that_does_not_parse_is_none_and_stays_in_extra(given: object) -> None:
    # fault 31
    row = only(insight(ts=None) | {"ts": given})
    assert row.at is None
    assert row.content.extra == {"ts": given}
    assert [note.kind for note in row.unusual] == ["unreadable-time"]


def test_a_time_that_would_not_be_written_back_the_same_stays_in_extra() -> None:
    # semantics "Importing": lossless
    row = only(insight(ts="2026-02-08T12:00:00.123456+02:00"))
    assert row.at == "2026-02-08T10:00:00.123Z"
    assert row.content.extra == {"ts": "2026-02-08T12:00:00.123456+02:00"}
    assert only(insight(ts="2026-02-08T12:00:00Z")).content.extra is UNSET


def test_lines_without_an_insight_are_another_file() -> None:
    # fault 50
    with pytest.raises(Unreadable, match="expected JSON lines"):
        gstack.read(b'{"name":"x"}\n{"name":"y"}\n')
    assert gstack.read(b"\n \n").rows == ()


def test_a_few_foreign_lines_do_not_hide_what_the_file_is() -> None:
    # GS-tolerant
    rows = [insight(f"k{count}") for count in range(5)]
    mixed = [b"not json\n", b'{"name":"x"}\n', *(lines([row]) for row in rows)]
    random.Random(1).shuffle(mixed)
    assert gstack.detect(b"".join(mixed))
    assert not gstack.detect(b'{"name":"x"}\n' * 9 + lines(rows))


def _stream(data: bytes) -> Any:
    import io

    return io.BytesIO(data)
