"""What stands in an index, as it is shown at a moment: learnings as JSON, who answers to a name, the counts.

The JSON is put together from pieces that were made when the learning was indexed, so that showing needs no codec.
"""

from __future__ import annotations

import sqlite3

from learnlog.errors import AmbiguousReference, InvalidValue, NoSuchLearning
from learnlog.index.asking import EFFECTIVE
from learnlog.index.schema import plain
from learnlog.naming import canonical
from learnlog.policy.decay import DAY_MS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from learnlog.index.asking import Found

_AT_ONCE = 500
_NOBODY: Mapping[str, str] = {}
_SHORTEST_BEGINNING = 4
"""Characters of a uid that stand for the whole, when only one begins so."""


def page(hits: Sequence[str], total: int | None, *, more: bool) -> str:
    """The document of `search` and `list`: one page of hits, which are JSON already."""
    counted = "null" if total is None else total
    return f'{{"total":{counted},"more":{"true" if more else "false"},"hits":[{",".join(hits)}]}}'


def hits_as_json(
    connection: sqlite3.Connection, found: Found, *, now_ms: int, whole: bool, trusted: Mapping[str, str] = _NOBODY
) -> list[str]:
    """Each hit as JSON, in order: with every field, or with those of a page that the interface names. `explain` is there when
    reasons were asked for. `trusted` has the digests of the learnings that this person vouches for, by uid.
    """
    rows = _rows(connection, [doc for doc, _, _ in found.docs], now_ms, trusted)
    made = []
    for doc, score, reasons in found.docs:
        ref, effective, head, tail, rest = rows[doc]
        more = f",{rest}" if whole else ""
        why = "" if reasons is None else f',"explain":{_json(reasons)}'
        shown = "null" if score is None else repr(score)
        made.append(
            f'{{"ref":{_text(ref)},{head},"effective_confidence":{effective / 1000!r},{tail}{more},"score":{shown}{why}}}'
        )
    return made


def learning_as_json(connection: sqlite3.Connection, doc: int, *, now_ms: int, trusted: Mapping[str, str] = _NOBODY) -> str:
    """One learning with every field; `trusted` as `hits_as_json` has it."""
    ref, effective, head, tail, rest = _rows(connection, [doc], now_ms, trusted)[doc]
    return f'{{"ref":{_text(ref)},{head},"effective_confidence":{effective / 1000!r},{tail},{rest},"score":null}}'


def _rows(
    connection: sqlite3.Connection, docs: Sequence[int], now_ms: int, trusted: Mapping[str, str]
) -> dict[int, tuple[Any, ...]]:
    asked = f"SELECT doc, ref, {EFFECTIVE}, head, tail, rest FROM learning NOT INDEXED JOIN face USING (doc) WHERE doc IN "
    rows: dict[int, tuple[Any, ...]] = {}
    for at in range(0, len(docs), _AT_ONCE):
        chosen = ",".join(map(str, docs[at : at + _AT_ONCE]))
        rows.update((doc, row) for doc, *row in connection.execute(f"{asked} ({chosen})", {"now": now_ms}))
    _hold_complete(docs, rows)
    for doc in vouched(connection, docs, trusted):
        ref, effective, head, tail, rest = rows[doc]
        rows[doc] = (ref, effective, head, tail.replace(',"trusted":false,', ',"trusted":true,', 1), rest)
    return rows


def vouched(connection: sqlite3.Connection, docs: Sequence[int], trusted: Mapping[str, str]) -> set[int]:
    """Those of `docs` that are trusted as they are now: by uid, and by the digest of their words."""
    if not trusted:
        return set()
    found: set[int] = set()
    for at in range(0, len(docs), _AT_ONCE):
        chosen = ",".join(map(str, docs[at : at + _AT_ONCE]))
        rows = connection.execute(f"SELECT doc, uid, vouched FROM learning WHERE doc IN ({chosen})")
        found.update(doc for doc, uid, digest in rows if trusted.get(uid) == digest)
    return found


def _hold_complete(docs: Sequence[int], rows: Mapping[int, object]) -> None:
    """Raise `sqlite3.DatabaseError` when an index, or what is left of one, has not what it says it has."""
    if any(doc not in rows for doc in docs):
        raise sqlite3.DatabaseError("a learning of the index has no face")


class Line:
    """What one hit shows in a list for people; `effective` is its confidence after decay, in thousandths, and
    `project` the name of the other project that it is from.
    """

    __slots__ = ("body", "category", "date", "doc", "effective", "project", "ref", "severity", "stack", "status", "title")

    def __init__(self, row: tuple[Any, ...]) -> None:
        self.project = ""
        self.doc, self.ref, self.severity, self.category, self.status, self.effective, self.date, *texts = row
        head, self.title, self.body, self.stack = texts
        if self.title is None:  # it has an escape that SQLite does not read as JSON has it
            import json

            shown = json.loads(f"{{{head}}}")
            self.title, self.body, self.stack = shown["title"], shown["body"], ",".join(shown["stack"])


def lines(connection: sqlite3.Connection, docs: Sequence[int], *, now_ms: int) -> list[Line]:
    """The lines of these learnings, in order."""
    whole = "CASE WHEN instr(head, '\\u') THEN NULL ELSE {} END"
    member = "json_extract('{{' || head || '}}', '$.{}')"
    stack = "(SELECT group_concat(value) FROM json_each('{' || head || '}', '$.stack'))"
    asked = (
        f"SELECT doc, ref, severity, category, status, {EFFECTIVE}, substr(changed, 1, 10), head,"
        f" {whole.format(member.format('title'))}, {whole.format(member.format('body'))}, {whole.format(stack)}"
        " FROM learning NOT INDEXED JOIN face USING (doc) WHERE doc IN "
    )
    found: dict[int, Line] = {}
    for at in range(0, len(docs), _AT_ONCE):
        chosen = ",".join(map(str, docs[at : at + _AT_ONCE]))
        found.update((row[0], Line(row)) for row in connection.execute(f"{asked} ({chosen})", {"now": now_ms}))
    _hold_complete(docs, found)
    return [found[doc] for doc in docs]


_TEXTS = ("uid", "key", "title", "body", "tier", "source", "example", "outcome")
_MANY = ("stack", "tags", "files", "alternatives", "evidence")
_BETWEEN = "\x1f"


def faces(connection: sqlite3.Connection, docs: Sequence[int], *, now_ms: int) -> list[dict[str, Any]]:
    """What these learnings show of themselves, in order: their fields by name, with `effective` (thousandths), `date` ("" for
    none) and `age_days` (None when nobody knows).
    """
    columns = [f"json_extract(whole, '$.{name}')" for name in _TEXTS]
    columns += [f"(SELECT group_concat(value, '{_BETWEEN}') FROM json_each(whole, '$.{name}'))" for name in _MANY]
    plainly = ", ".join(f"CASE WHEN instr(whole, '\\u') THEN NULL ELSE {column} END" for column in columns)
    asked = (
        "WITH one AS MATERIALIZED (SELECT doc, '{' || head || ',' || tail || ',' || rest || '}' AS whole FROM face"
        " WHERE doc IN ({0})) SELECT doc, ref, category, severity, status, scope, origin, confidence, "
        f"{EFFECTIVE}, substr(changed, 1, 10), (:now - aged) / {DAY_MS}, vouched, whole, {plainly}"
        " FROM one CROSS JOIN learning NOT INDEXED USING (doc)"
    )
    found: dict[int, dict[str, Any]] = {}
    for at in range(0, len(docs), _AT_ONCE):
        chosen = ",".join(map(str, docs[at : at + _AT_ONCE]))
        for row in connection.execute(asked.replace("{0}", chosen), {"now": now_ms}):
            found[row[0]] = _face(row)
    _hold_complete(docs, found)
    return [found[doc] for doc in docs]


_COLUMNS = (
    "doc",
    "ref",
    "category",
    "severity",
    "status",
    "scope",
    "origin",
    "confidence",
    "effective",
    "date",
    "age_days",
    "vouched",
)


def _face(row: tuple[Any, ...]) -> dict[str, Any]:
    shown = dict(zip(_COLUMNS, row, strict=False))
    whole, *rest = row[len(_COLUMNS) :]
    if rest[0] is None:  # it has an escape that SQLite does not read as JSON has it
        import json

        known = json.loads(whole)
        rest = [*(known[name] for name in _TEXTS), *(_BETWEEN.join(known[name]) for name in _MANY)]
    shown.update(zip(_TEXTS, rest, strict=False))
    many = rest[len(_TEXTS) :]
    shown.update((name, tuple(text.split(_BETWEEN)) if text else ()) for name, text in zip(_MANY, many, strict=True))
    return shown


def _text(text: str) -> str:
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return _json(text)


def _json(value: object) -> str:
    import json

    return json.dumps(value, separators=(",", ":"))


def find(connection: sqlite3.Connection, token: str) -> list[tuple[int, str, str]]:
    """(doc, reference, uid) of the learnings that answer to a reference, present or past, a uid, a beginning of one, or
    `NATIVE@FORMAT`; the oldest first.
    """
    for name in dict.fromkeys((canonical(token) or token, token)):
        found = _ordered(connection, "uid IN (SELECT uid FROM alias WHERE name = ?)", (plain(name),))
        if found:
            return found
    low = plain(token.lower())
    found = _ordered(connection, "doc IN (SELECT doc FROM own WHERE uid = ?)", (low,))
    if not found and len(low) >= _SHORTEST_BEGINNING:
        beginning = "doc IN (SELECT doc FROM own WHERE uid >= ? AND uid < ? || char(1114111))"
        found = _ordered(connection, beginning, (low, low))
    return found


def _ordered(connection: sqlite3.Connection, where: str, asked: tuple[str, ...]) -> list[tuple[int, str, str]]:
    return connection.execute(f"SELECT doc, ref, uid FROM learning WHERE {where} ORDER BY birth", asked).fetchall()


def titles(connection: sqlite3.Connection, docs: Sequence[int]) -> list[str]:
    """The titles of learnings, in the order of `docs`."""
    return [one.title for one in lines(connection, docs, now_ms=0)]


def find_one(connection: sqlite3.Connection, reference: str) -> tuple[int, str, str]:
    """As `find`, when there is one and no other. Raises `InvalidValue`, `NoSuchLearning`, `AmbiguousReference`."""
    if not isinstance(reference, str) or not reference.strip():
        raise InvalidValue("reference", reference, "a reference like L-001, a uid or the beginning of one")
    found = find(connection, reference.strip())
    if len(found) == 1:
        return found[0]
    if not found:
        raise NoSuchLearning(reference, near(connection, reference))
    shown = zip(found, titles(connection, [doc for doc, _, _ in found]), strict=True)
    raise AmbiguousReference(reference, [(ref, uid, title) for (_, ref, uid), title in shown])


def near(connection: sqlite3.Connection, reference: str) -> list[str]:
    """References that look like one that nobody has."""
    from difflib import get_close_matches

    refs = [ref for (ref,) in connection.execute("SELECT ref FROM learning ORDER BY birth DESC LIMIT 2000")]
    return get_close_matches(reference.upper(), refs[::-1], 3, 0.7)


def counts(connection: sqlite3.Connection) -> dict[str, Any]:
    """The counts of `stats`: all of `Stats` by name, the damaged lines as (line, byte, kind, reason)."""
    learnings, average = connection.execute(
        "SELECT count(*), avg(confidence) FROM learning WHERE status NOT IN ('deleted', 'moved')"
    ).fetchone()
    [every] = connection.execute("SELECT count(*) FROM learning").fetchone()
    [events] = connection.execute("SELECT count(*) FROM (SELECT DISTINCT uid, id FROM event)").fetchone()

    def by(column: str, where: str = "status NOT IN ('deleted', 'moved')") -> dict[str, int]:
        rows = connection.execute(
            f"SELECT coalesce({column}, 'unstated'), count(*) FROM learning WHERE {where}"
            " GROUP BY 1 ORDER BY 2 DESC, min(birth)"
        )
        return dict(rows.fetchall())

    [unsealed] = connection.execute("SELECT count(*) FROM noted WHERE kind = 'unsealed'").fetchone()
    return {
        "learnings": learnings,
        "events": events,
        "superseded_events": events - every,
        "by_category": by("category"),
        "by_severity": by("severity"),
        "by_scope": by("scope"),
        "by_origin": by("origin"),
        "by_status": by("status", "1"),
        "average_confidence": None if average is None else round(average / 1000, 4),
        "damaged_lines": damaged(connection),
        "unsealed_lines": unsealed,
        "log_bytes": log_bytes(connection),
    }


def log_bytes(connection: sqlite3.Connection) -> int:
    """The length of the log, up to its last whole line, that the index was made from."""
    [position] = connection.execute("SELECT end FROM head").fetchone()
    return int(position)


def damaged(connection: sqlite3.Connection) -> list[tuple[int, int, str, str]]:
    """(line, byte, kind, reason) of each line that was left out."""
    return connection.execute("SELECT * FROM noted WHERE kind != 'unsealed' ORDER BY line").fetchall()


def warnings(connection: sqlite3.Connection, name: str) -> list[str]:
    """What a reader should be told of the log called `name`: damaged lines, and lines of a newer format."""
    said = []
    lines = damaged(connection)
    if lines:
        listed = ", ".join(str(line) for line, *_ in lines[:5]) + (", …" if len(lines) > 5 else "")
        said.append(f"{name}: {len(lines)} damaged line(s) left out ({listed}); see `learnlog doctor`")
    [newer] = connection.execute("SELECT newer FROM head").fetchone()
    if newer:
        said.append(f"{name}: lines of format version {newer}; update learnlog to understand them")
    return said
