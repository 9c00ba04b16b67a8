"""The learnings that matter most to some words, without looking at all that have one of them.

Each word's learnings stand in the text table by the level that the word has in them (`policy.ranking`). When few match, all
are scored. Else the lists are read from the one that adds most to the one that adds least, until what is left could not lift
a learning that was not seen yet into the page (Fagin's threshold algorithm; Turtle and Flood's MaxScore): the page is the one
that scoring all would give.
"""

from __future__ import annotations

import sqlite3

from learnlog.index import schema
from learnlog.index.asking import EFFECTIVE, ORDERS, Found
from learnlog.policy import ranking
from learnlog.policy.decay import DAY_MS
from learnlog.query import EXACT_TOTAL
from learnlog.vocabulary import severity_rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from learnlog.index.asking import Filter
    from learnlog.query import Query

_FEW = 60
"""So many matches are all scored: that is faster than finding out which need not be."""
_AT_ONCE = 100
"""Candidates that are looked at together."""
_LEVEL = {sign: level for level, sign in enumerate(schema.SIGNS)}
_BITS = 44
"""Low bits of a partial score that hold the score; above them stands one bit for each word that was seen."""
_ROW = f"doc, severity, changed, changed_by, pinned, category, aged, {EFFECTIVE}"

_MATCHING = "text CROSS JOIN learning NOT INDEXED ON doc = text.rowid WHERE text MATCH :any"
"""The words first, then the other conditions: left to itself SQLite may ask for the words once for each learning."""


class _Word:
    """One word of a query: its weight, and its levels from the greatest, each with how many learnings have it."""

    __slots__ = ("bit", "levels", "text", "weight")

    def __init__(self, text: str, bit: int, levels: list[tuple[int, int]], weight: int) -> None:
        self.text, self.bit, self.levels, self.weight = text, bit, levels, weight


class _Scored:
    """A learning that matches, with its score; they are compared by what comes first."""

    __slots__ = ("confidence", "doc", "key", "pinned", "score", "severity")

    def __init__(self, row: tuple[Any, ...], score: float) -> None:
        doc, severity, changed, changed_by, pinned, _, _, confidence, *_ = row
        self.doc, self.score, self.severity, self.confidence, self.pinned = doc, score, severity, confidence, pinned
        self.key = (pinned, score, -severity_rank(severity), changed, changed_by)


def ask(
    connection: sqlite3.Connection,
    query: Query,
    texts: list[str],
    chosen: Filter,
    beside: Sequence[sqlite3.Connection] = (),
) -> Found:
    """The page of `query`, whose words are `texts` and whose other conditions are `chosen`; `beside` as `asking.ask` has it.
    Raises `sqlite3.Error`.
    """
    where, parameters = chosen.where, chosen.parameters
    documents = sum(_documents(one) for one in (connection, *beside))
    words = [word for bit, text in enumerate(texts) if (word := _word(connection, text, bit, documents, beside)).levels]
    if not words:
        return Found([], 0, more=False)
    asked = parameters | {"any": " OR ".join(f'"{_quoted(word.text)}{schema.SEPARATOR}" *' for word in words)}
    if query.rank in ORDERS:
        return _in_order(connection, query, where, asked)
    if query.rank != "relevance":
        return _by_fields(connection, query, texts, where, asked)
    every = _matching(connection, where, asked, limit=EXACT_TOTAL + 1)
    end = None if query.limit is None else query.offset + query.limit
    total = len(every) if len(every) <= EXACT_TOTAL else _count(connection, where, asked) if query.count else None
    if not end or end > EXACT_TOTAL or len(every) <= _FEW:
        every = every if len(every) <= EXACT_TOTAL else _matching(connection, where, asked, limit=-1)
        best = sorted(_scored(connection, words, every, asked), key=_first, reverse=True)
    else:
        best = _Best(connection, words, chosen.walking, asked, end, floor=ranking.unshown(query.floor)).find()
    page = best[query.offset : end]
    reasons = _reasons(connection, words, page) if query.explain else [None] * len(page)
    shown = [(one.doc, ranking.shown(int(one.score)), why) for one, why in zip(page, reasons, strict=True)]
    return Found(shown, total, more=end is not None and len(every) > end)


def _quoted(text: str) -> str:
    return text.replace('"', '""')


def holding(connection: sqlite3.Connection, word: str) -> int:
    """In how many learnings of an index a word of the tokenizer's stands."""
    return sum(count for _, count in _levels(connection, schema.plain(word)))


def _documents(connection: sqlite3.Connection) -> int:
    [count] = connection.execute("SELECT count(*) FROM learning").fetchone()
    return int(count)


def _word(connection: sqlite3.Connection, text: str, bit: int, documents: int, beside: Sequence[sqlite3.Connection]) -> _Word:
    levels = _levels(connection, text)
    holding = sum(count for one in beside for _, count in _levels(one, text)) + sum(count for _, count in levels)
    return _Word(text, bit, levels, ranking.weight(documents, holding))


def _levels(connection: sqlite3.Connection, text: str) -> list[tuple[int, int]]:
    """The levels that a word has in the learnings of an index, from the greatest, each with how many have it."""
    start = text + schema.SEPARATOR
    found = connection.execute("SELECT term, doc FROM word WHERE term >= ? AND term < ?", (start, start + "\U0010ffff"))
    return sorted(((_LEVEL[term[-1]], count) for term, count in found), reverse=True)


def _matching(connection: sqlite3.Connection, where: str, asked: dict[str, Any], *, limit: int) -> list[int]:
    sql = f"SELECT doc FROM {_MATCHING} AND {where} LIMIT :most"
    return [doc for (doc,) in connection.execute(sql, asked | {"most": limit})]


def _count(connection: sqlite3.Connection, where: str, asked: dict[str, Any]) -> int:
    sql = f"SELECT count(*) FROM {_MATCHING} AND {where}"
    [count] = connection.execute(sql, asked).fetchone()
    return int(count)


def _rows(connection: sqlite3.Connection, docs: Sequence[int], where: str, asked: dict[str, Any]) -> list[tuple[Any, ...]]:
    """What scoring needs of these learnings, as far as they fit the conditions: the columns of `_ROW`."""
    sql = f"SELECT {_ROW} FROM json_each(:docs) CROSS JOIN learning NOT INDEXED ON doc = value WHERE {where}"
    return connection.execute(sql, asked | {"docs": _listed(docs)}).fetchall()


def _words_of(connection: sqlite3.Connection, docs: Sequence[int], columns: str = "words") -> dict[int, Any]:
    """Columns of `words` by doc."""
    sql = f"SELECT doc, {columns} FROM json_each(?) CROSS JOIN words ON doc = value"
    found = {doc: row for doc, *row in connection.execute(sql, (_listed(docs),))}
    if len(found) < len(set(docs)):
        raise sqlite3.DatabaseError("a learning of the index has no words")
    return found


def _listed(docs: Sequence[int]) -> str:
    """Numbers as JSON: one parameter, so that the statement need not be compiled again."""
    return f"[{','.join(map(str, docs))}]"


def _scored(connection: sqlite3.Connection, words: list[_Word], docs: Sequence[int], asked: dict[str, Any]) -> list[_Scored]:
    """Each of these learnings with its score, from its words."""
    texts = _words_of(connection, docs)
    return [
        _Scored(row, sum(_adds(words, texts[row[0]][0]).values()) * ranking.temper(row[7], row[1]))
        for row in _rows(connection, docs, "1", asked)
    ]


def _adds(words: list[_Word], text: str) -> dict[str, int]:
    """What each word adds to the relevance of a learning whose words with their levels are `text`."""
    found = {}
    for word in words:
        at = text.find(f" {word.text}{schema.SEPARATOR}")
        if at >= 0:
            found[word.text] = word.weight * _LEVEL[text[at + len(word.text) + 2]]
    return found


def _reasons(connection: sqlite3.Connection, words: list[_Word], page: list[_Scored]) -> list[dict[str, Any]]:
    """The factors of each score."""
    texts = _words_of(connection, [one.doc for one in page])
    return [
        ranking.reasons(_adds(words, texts[one.doc][0]), one.confidence, one.severity, pinned=bool(one.pinned)) for one in page
    ]


class _Best:
    """The search for the `wanted` best learnings of more than that many. `sums` has what is known of the score of each that
    was seen, with a bit for each word seen in it, and `left` what each word could still add.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        words: list[_Word],
        where: str,
        asked: dict[str, Any],
        wanted: int,
        *,
        floor: int,
    ) -> None:
        self._floor = floor
        self._connection, self._words, self._where, self._asked, self._wanted = connection, words, where, asked, wanted
        self._sums: dict[int, int] = {}
        self._left = [0] * (max(word.bit for word in words) + 1)
        self._found: list[_Scored] = []
        self._known: set[int] = set()
        [confidence] = connection.execute("SELECT max(confidence) FROM learning").fetchone()
        self._temper_most = ranking.temper(confidence, "critical")

    def find(self) -> list[_Scored]:
        """The best, best first."""
        pinned = self._connection.execute("SELECT doc FROM learning WHERE pinned").fetchall()
        self._take(_scored(self._connection, self._words, self._fitting([doc for (doc,) in pinned]), self._asked))
        waiting = sorted(
            (word.weight * level, word.bit, at) for word in self._words for at, (level, _) in enumerate(word.levels)
        )
        by_bit = {word.bit: word for word in self._words}
        for word in self._words:
            self._left[word.bit] = word.weight * word.levels[0][0]
        look_again = self._wanted
        while waiting and sum(self._left) * self._temper_most >= self._threshold():
            adds, bit, at = waiting.pop()
            self._read(by_bit[bit], at, adds)
            if len(self._sums) >= look_again:
                self._verify(self._candidates()[:_AT_ONCE])
                look_again = 2 * len(self._sums)
        candidates = self._candidates()
        while candidates and self._most(candidates[0]) * self._temper_most >= self._threshold():
            self._verify(candidates[:_AT_ONCE])
            candidates = candidates[_AT_ONCE:]
        return self._found

    def _read(self, word: _Word, at: int, adds: int) -> None:
        """Add the learnings that have a word in one of its levels."""
        match = f'"{_quoted(word.text)}{schema.SEPARATOR}{schema.SIGNS[word.levels[at][0]]}"'
        seen = adds | 1 << (_BITS + word.bit)
        sums = self._sums
        known = sums.get
        for (doc,) in self._connection.execute("SELECT rowid FROM text WHERE text MATCH ?", (match,)):
            sums[doc] = known(doc, 0) + seen
        self._left[word.bit] = word.weight * word.levels[at + 1][0] if at + 1 < len(word.levels) else 0

    def _most(self, doc: int) -> int:
        """What the relevance of a learning is at most; it is that when none of the words not seen in it has any left."""
        found = self._sums[doc]
        unseen = 0
        for bit, left in enumerate(self._left):
            if not found >> (_BITS + bit) & 1:
                unseen += left
        return (found & _SCORE) + unseen

    def _candidates(self) -> list[int]:
        """Those that were seen and not scored yet and may be among the best, the most promising first."""
        unseen: dict[int, int] = {}
        promising = []
        least = self._threshold() // self._temper_most
        for doc, found in self._sums.items():
            bits = found >> _BITS
            if bits not in unseen:
                unseen[bits] = sum(left for bit, left in enumerate(self._left) if not bits >> bit & 1)
            most = (found & _SCORE) + unseen[bits]
            if most >= least and doc not in self._known:
                promising.append((most, doc))
        promising.sort(reverse=True)
        return [doc for _, doc in promising]

    def _threshold(self) -> int:
        """The score of the last of the best so far, here or elsewhere; what does not reach it is not among them."""
        return max(self._floor, int(self._found[-1].score)) if len(self._found) == self._wanted else self._floor

    def _fitting(self, docs: Sequence[int]) -> list[int]:
        self._known.update(docs)
        return [row[0] for row in _rows(self._connection, docs, self._where, self._asked)]

    def _verify(self, docs: Sequence[int]) -> None:
        """Score these learnings, as far as they fit the other conditions and may be among the best."""
        self._known.update(docs)
        threshold, exact = self._threshold(), not any(self._left)
        unsure = []
        for row in _rows(self._connection, docs, self._where, self._asked):
            most = self._most(row[0]) * ranking.temper(row[7], row[1])
            if most >= threshold:
                if exact:
                    self._found.append(_Scored(row, most))
                else:
                    unsure.append(row[0])
        self._take(_scored(self._connection, self._words, unsure, self._asked))

    def _take(self, scored: list[_Scored]) -> None:
        self._found += [one for one in scored if one.score]
        self._found.sort(key=_first, reverse=True)
        del self._found[self._wanted :]


_SCORE = (1 << _BITS) - 1


def _first(one: _Scored) -> tuple[Any, ...]:
    return one.key


def _in_order(connection: sqlite3.Connection, query: Query, where: str, asked: dict[str, Any]) -> Found:
    """All that match, in an order that the words do not change."""
    source = f"{_MATCHING} AND {where}"
    limit = -1 if query.limit is None else query.limit
    sql = f"SELECT doc FROM {source} ORDER BY {ORDERS[query.rank]} LIMIT :limit OFFSET :offset"
    docs = connection.execute(sql, asked | {"limit": limit, "offset": query.offset}).fetchall() if limit else []
    total = _count(connection, where, asked)
    more = query.limit is not None and total > query.offset + query.limit
    reasons = {"rank": query.rank} if query.explain else None
    shown = total if query.count or total <= EXACT_TOTAL else None
    return Found([(doc, None, reasons) for (doc,) in docs], shown, more=more)


def _by_fields(connection: sqlite3.Connection, query: Query, texts: list[str], where: str, asked: dict[str, Any]) -> Found:
    """Those whose tags, title or category have a word, by how many do (`keywords`, `precedent`)."""
    from learnlog.text import tokens

    rows = _rows(connection, _matching(connection, where, asked, limit=-1), "1", asked)
    fields = _words_of(connection, [row[0] for row in rows], "title, tags")
    asked_words = set(texts)
    found = []
    for row in rows:
        title, tags = set(fields[row[0]][0].split()), [tag for tag in fields[row[0]][1].split("\n") if tag]
        if query.rank == "precedent":
            score = ranking.precedent(texts, set(tags), title, row[5])
            if score and query.kind == row[5] and row[5] not in texts:
                score += 1
        else:
            keywords = {word for tag in tags for word in tokens(tag)} or title
            age_days = 0.0 if row[6] is None else (asked["now"] - row[6]) / DAY_MS
            score = ranking.keywords(asked_words, keywords, row[7], age_days)
        if score:
            found.append(_Scored(row, score))
    found.sort(key=_first, reverse=True)
    end = None if query.limit is None else query.offset + query.limit
    reasons = {"rank": query.rank} if query.explain else None
    page = [(one.doc, float(one.score), reasons) for one in found[query.offset : end]]
    total = len(found) if query.count or len(found) <= EXACT_TOTAL else None
    return Found(page, total, more=end is not None and len(found) > end)
