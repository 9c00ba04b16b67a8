"""A query to a page of an index: filters, orders and counts in SQL. Imports next to nothing: it is on the start-up path.

Words are ranked in `relevance`; what matches and what comes first is written down in plain Python in `tests/reference.py`.
"""

from __future__ import annotations

from learnlog.index.schema import plain
from learnlog.policy.decay import DAY_MS, LOSS, PERIOD_DAYS
from learnlog.query import EXACT_TOTAL, Query
from learnlog.vocabulary import EQUIVALENTS, SIX, matters_to

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
_FEW = 400
"""Learnings that are gathered and sorted rather than looked for in the order of all."""
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
    """The conditions of a query as SQL over `learning`, with its parameters; `narrow` selects the docs that one of its
    conditions lets pass, where few may.
    """

    __slots__ = ("narrow", "parameters", "where")

    def __init__(self, where: str, parameters: dict[str, Any], narrow: list[str]) -> None:
        self.where, self.parameters, self.narrow = where, parameters, narrow


def ask(connection: sqlite3.Connection, query: Query, *, now_ms: int) -> Found:
    """The page that `query` asks for, at `now_ms`. Raises `sqlite3.Error`."""
    if query.nothing:
        return Found([], 0, more=False)
    chosen = _filter(connection, query, now_ms)
    if not query.text:
        return _in_order(connection, query, chosen)
    from learnlog.index import relevance  # what only filters does without
    from learnlog.text import query_words

    words = [plain(word) for word in query_words(query.text)]
    if not words:
        return Found([], 0, more=False)
    return relevance.ask(connection, query, words, chosen.where, chosen.parameters)


def stands(connection: sqlite3.Connection, column: str, word: str) -> bool:
    """Whether a learning has this word as its category, severity, scope or origin."""
    row = connection.execute(f"SELECT 1 FROM learning WHERE {column} = ? LIMIT 1", (plain(word),)).fetchone()
    return row is not None


def _in_order(connection: sqlite3.Connection, query: Query, chosen: Filter) -> Found:
    limit = _NO_LIMIT if query.limit is None else query.limit
    source = _source(connection, query, chosen)
    sql = f"SELECT doc FROM {source} WHERE {chosen.where} ORDER BY {ORDERS[query.rank]} LIMIT :limit OFFSET :offset"
    asked = chosen.parameters | {"limit": limit, "offset": query.offset}
    docs = [(doc, None, None) for (doc,) in connection.execute(sql, asked)] if limit else []
    total = _total(connection, query, chosen)
    if limit == _NO_LIMIT:
        more = False
    elif total is not None:
        more = total > query.offset + limit
    else:
        behind = chosen.parameters | {"offset": query.offset + limit}
        more = (
            connection.execute(f"SELECT 1 FROM learning WHERE {chosen.where} LIMIT 1 OFFSET :offset", behind).fetchone()
            is not None
        )
    return Found(docs, total, more=more)


def _total(connection: sqlite3.Connection, query: Query, chosen: Filter) -> int | None:
    limit = "" if query.count else f" LIMIT {EXACT_TOTAL + 1}"
    counted = f"SELECT count(*) FROM (SELECT 1 FROM learning WHERE {chosen.where}{limit})"
    [total] = connection.execute(counted, chosen.parameters).fetchone()
    return int(total) if query.count or total <= EXACT_TOTAL else None


def _source(connection: sqlite3.Connection, query: Query, chosen: Filter) -> str:
    """Where to look: the order of all, until the page is full; or what a condition lets pass, when that is little."""
    for narrow in chosen.narrow:
        rows = connection.execute(f"SELECT count(*) FROM (SELECT 1 FROM ({narrow}) LIMIT {_FEW + 1})", chosen.parameters)
        if rows.fetchone()[0] <= _FEW:
            return f"(SELECT * FROM learning WHERE doc IN ({narrow}))"
    return "learning INDEXED BY learning_order" if query.rank == "severity" else "learning"


def _filter(connection: sqlite3.Connection, query: Query, now_ms: int) -> Filter:
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
    if query.operation is not None:
        passed_over = tuple(word for word in (*SIX, *EQUIVALENTS) if not matters_to(query.operation, word))
        made["operation"] = f"category NOT IN {any_of('operation', passed_over)}"
    labelled = {}
    for name, kind in (("tag", "tags"), ("stack", "stack")):
        words = tuple(word.casefold() for word in getattr(query, name))
        if words:
            labelled[name] = f"SELECT doc FROM label WHERE kind = '{kind}' AND word IN {any_of(name, words)}"
    if query.file:
        patterns = tuple(map(plain, query.file))
        connection.create_function("names_file", 1, lambda file: any(names_file(pattern, file) for pattern in patterns))
        files = "SELECT word FROM (SELECT DISTINCT word FROM label WHERE kind = 'files') WHERE names_file(word)"
        labelled["file"] = f"SELECT doc FROM label WHERE kind = 'files' AND word IN ({files})"
    for name, docs in labelled.items():
        made[name] = f"(anywhere OR doc IN ({docs}))" if name == "stack" else f"doc IN ({docs})"
    if query.min_confidence:
        made["confidence"] = f"{EFFECTIVE} >= :least"
        parameters["least"] = query.min_confidence
    narrow = [docs for name, docs in labelled.items() if name != "stack"]
    if "category" in made or "active" not in query.status:
        classes = [made[name] for name in ("status", "category") if name in made]
        narrow.append(f"SELECT doc FROM learning WHERE {' AND '.join(classes) or 1}")
    return Filter(" AND ".join(made.values()) or "1", parameters, narrow)


def names_file(pattern: str, file: str) -> bool:
    """Whether `file` is the path, lies in the folder, or fits the shell pattern."""
    if file == pattern or file.startswith(pattern.rstrip("/") + "/"):
        return True
    if not any(sign in pattern for sign in "*?["):
        return False
    from fnmatch import fnmatchcase

    return fnmatchcase(file, pattern)
