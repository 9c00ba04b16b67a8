"""A query to a page of an index: filters, orders and counts in SQL. Imports next to nothing: it is on the start-up path.

Words are ranked in `relevance`; what matches and what comes first is written down in plain Python in `tests/reference.py`.
"""

from __future__ import annotations

from learnlog.index.schema import plain
from learnlog.policy.decay import DAY_MS, LOSS, PERIOD_DAYS
from learnlog.query import EXACT_TOTAL, Query
from learnlog.vocabulary import matters_to, severity_rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from typing import Any

EFFECTIVE = (
    f"CASE WHEN decays AND aged IS NOT NULL THEN max(0, confidence - {LOSS} * (max(0, :now - aged) / {PERIOD_DAYS * DAY_MS}))"
    " ELSE confidence END"
)
"""The effective confidence in thousandths (`policy.decay`)."""
ORDERS = {
    "severity": "pinned DESC, severity_order, changed DESC, changed_by DESC",
    "confidence": f"pinned DESC, {EFFECTIVE} DESC, changed DESC, changed_by DESC",
}
_OVERHEAD = 100
"""Learnings that could be sorted in the time that beginning to sort takes."""
_NO_LIMIT = -1


class Found:
    """What a query found: `docs` of the page with the score and the reasons of each, `total` (None: above what is counted
    without being asked) and `more`.
    """

    __slots__ = ("docs", "more", "total")

    def __init__(
        self, docs: Sequence[tuple[int, float | None, dict[str, Any] | None]], total: int | None, *, more: bool
    ) -> None:
        self.docs, self.total, self.more = docs, total, more


class Filter:
    """The conditions of a query as SQL over `learning`, with its parameters: `where` for many learnings, `walking` for those
    that are gone through until a page is full.
    """

    __slots__ = ("parameters", "walking", "where")

    def __init__(self, where: list[str], walking: list[str], parameters: dict[str, Any]) -> None:
        self.where, self.walking = " AND ".join(where) or "1", " AND ".join(walking) or "1"
        self.parameters = parameters


def ask(
    connection: sqlite3.Connection,
    query: Query,
    *,
    now_ms: int,
    conditions: Sequence[str] = (),
    beside: Sequence[sqlite3.Connection] = (),
) -> Found:
    """The page that `query` asks for, at `now_ms`. `conditions` are further ones, as SQL over `learning`; how rare a word is
    is counted in the indexes `beside` this one too. Raises `sqlite3.Error`.
    """
    if query.nothing:
        return Found([], 0, more=False)
    chosen = _filter(connection, query, now_ms, conditions)
    if not query.text:
        return _in_order(connection, query, chosen)
    from learnlog.index import relevance  # what only filters does without
    from learnlog.text import query_words

    words = [plain(word) for word in query_words(query.text)]
    if not words:
        return Found([], 0, more=False)
    return relevance.ask(connection, query, words, chosen, beside)


def stands(connection: sqlite3.Connection, column: str, word: str) -> bool:
    """Whether a learning has this word as its category, severity, scope or origin."""
    row = connection.execute(f"SELECT 1 FROM learning WHERE {column} = ? LIMIT 1", (plain(word),)).fetchone()
    return row is not None


def _in_order(connection: sqlite3.Connection, query: Query, chosen: Filter) -> Found:
    end = None if query.limit is None else query.offset + query.limit
    total = _total(connection, query, chosen)
    docs = _first(connection, query, chosen, end, total)[query.offset :] if query.limit != 0 else []
    if end is None:
        more = False
    elif total is not None:
        more = total > end
    else:
        more = end <= EXACT_TOTAL or _one_behind(connection, chosen, end)
    return Found([(doc, None, _reasons(query)) for doc in docs], total, more=more)


def _first(connection: sqlite3.Connection, query: Query, chosen: Filter, end: int | None, total: int | None) -> list[int]:
    """The docs of the first `end` that match, or of all, in the order of the query."""
    order = ORDERS[query.rank]
    if total is not None and _is_quicker_sorted(connection, total, end):
        return _docs(connection, f"{_source(query)} WHERE {chosen.where} ORDER BY {order}", chosen, end)
    in_order = "learning INDEXED BY learning_order WHERE"
    if query.rank != "severity":
        return _docs(connection, f"{in_order} {chosen.where} ORDER BY {order}", chosen, end)
    if not query.severity:
        return _docs(connection, f"{in_order} {chosen.walking} ORDER BY {order}", chosen, end)
    found: list[int] = []  # one stretch of the order after the other, without what stands between them
    for pinned in (1, 0):
        for severity in sorted(set(map(severity_rank, query.severity))):
            stretch = f"pinned = {pinned} AND severity_order = {severity} AND {chosen.walking}"
            left = None if end is None else end - len(found)
            found += _docs(connection, f"{in_order} {stretch} ORDER BY {order}", chosen, left)
    return found


def _is_quicker_sorted(connection: sqlite3.Connection, total: int, end: int | None) -> bool:
    """Whether to sort all that match, or to go through the order of all learnings until the page is full. One that is sorted
    costs about three times one that is passed by; `total` of them are as good as evenly spread.
    """
    if end is None:
        return True
    [learnings] = connection.execute("SELECT max(doc) FROM learning").fetchone()
    return 3 * total * (total + _OVERHEAD) < end * (learnings or 0)


def _docs(connection: sqlite3.Connection, sql: str, chosen: Filter, most: int | None) -> list[int]:
    if most == 0:
        return []
    limit = {"most": _NO_LIMIT if most is None else most}
    return [doc for (doc,) in connection.execute(f"SELECT doc FROM {sql} LIMIT :most", chosen.parameters | limit)]


def _reasons(query: Query) -> dict[str, Any] | None:
    return {"rank": query.rank} if query.explain else None


def _one_behind(connection: sqlite3.Connection, chosen: Filter, end: int) -> bool:
    behind = chosen.parameters | {"end": end}
    row = connection.execute(f"SELECT 1 FROM learning WHERE {chosen.where} LIMIT 1 OFFSET :end", behind).fetchone()
    return row is not None


def _total(connection: sqlite3.Connection, query: Query, chosen: Filter) -> int | None:
    """How many match: exact when that is asked for, or when it is not more than can be counted in a moment; else None."""
    most = _NO_LIMIT if query.count else EXACT_TOTAL + 1
    if query.stack and not query.count:  # those for any project are often enough, and cost no look at the labels
        total = _counted(connection, f"{_source(query)} WHERE anywhere = 1 AND {chosen.where}", chosen, most)
        if total < most:
            total += _counted(connection, f"{_source(query)} WHERE anywhere = 0 AND {chosen.where}", chosen, most - total)
    else:
        total = _counted(connection, f"{_source(query)} WHERE {chosen.where}", chosen, most)
    return total if query.count or total <= EXACT_TOTAL else None


def _counted(connection: sqlite3.Connection, source: str, chosen: Filter, most: int) -> int:
    counted = f"SELECT count(*) FROM (SELECT 1 FROM {source} LIMIT :most)"
    [count] = connection.execute(counted, chosen.parameters | {"most": most}).fetchone()
    return int(count)


def _source(query: Query) -> str:
    """Those that have a tag or a file are gone through one by one; of all others the index that has what is filtered by."""
    return "learning NOT INDEXED" if query.tag or query.file else "learning INDEXED BY learning_class"


def _filter(connection: sqlite3.Connection, query: Query, now_ms: int, conditions: Sequence[str]) -> Filter:
    made: dict[str, str] = {}
    parameters: dict[str, Any] = {"now": now_ms}

    def any_of(name: str, words: tuple[str, ...]) -> str:
        asked = {f"{name}{count}": plain(word) for count, word in enumerate(words)}
        parameters.update(asked)
        return f"({', '.join(f':{one}' for one in asked)})"

    for name in ("status", "category", "severity", "scope", "origin"):
        words = getattr(query, name)
        if words:
            made[name] = f"{name} IN {any_of(name, words)}"
    if query.severity and not query.stack:
        made["anywhere"] = "anywhere IN (0, 1)"  # always so; it lets the index go on to the severity that stands behind it
    if query.operation is not None:
        matter = tuple(word for word in _categories(connection) if matters_to(query.operation, word))
        made["operation"] = f"category IN {any_of('operation', matter)}"
    labelled: dict[str, str] = {}
    for name, kind in (("tag", "tags"), ("stack", "stack")):
        words = tuple(word.casefold() for word in getattr(query, name))
        if words:
            labelled[name] = f"FROM label WHERE kind = '{kind}' AND word IN {any_of(name, words)}"
    if query.file:
        patterns = tuple(map(plain, query.file))
        connection.create_function("names_file", 1, lambda file: any(names_file(pattern, file) for pattern in patterns))
        files = "SELECT word FROM (SELECT DISTINCT word FROM label WHERE kind = 'files') WHERE names_file(word)"
        labelled["file"] = f"FROM label WHERE kind = 'files' AND word IN ({files})"
    if query.min_confidence:
        made["confidence"] = f"{EFFECTIVE} >= :least"
        parameters["least"] = query.min_confidence
    where, walking = list(made.values()), list(made.values())
    for name, labels in labelled.items():
        either = "anywhere OR " if name == "stack" else ""
        where.append(f"({either}doc IN (SELECT doc {labels}))")
        walking.append(f"({either}EXISTS (SELECT 1 {labels} AND label.doc = learning.doc))")
    return Filter([*where, *conditions], [*walking, *conditions], parameters)


def _categories(connection: sqlite3.Connection) -> list[str]:
    """Every category that stands in the log, by jumping from one to the next in their index."""
    rows = connection.execute(
        "WITH RECURSIVE word(it) AS (SELECT min(category) FROM learning UNION ALL"
        " SELECT (SELECT min(category) FROM learning WHERE category > it) FROM word WHERE it IS NOT NULL)"
        " SELECT it FROM word WHERE it IS NOT NULL"
    )
    return [word for (word,) in rows]


def names_file(pattern: str, file: str) -> bool:
    """Whether `file` is the path, lies in the folder, or fits the shell pattern."""
    if file == pattern or file.startswith(pattern.rstrip("/") + "/"):
        return True
    if not any(sign in pattern for sign in "*?["):
        return False
    from fnmatch import fnmatchcase

    return fnmatchcase(file, pattern)
