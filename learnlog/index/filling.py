"""From a fold to the rows of an index: what is filtered by, what is shown, what is searched, and who is called what."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from learnlog.events import Event
from learnlog.fold import State
from learnlog.identity import as_number
from learnlog.identity import folded as as_compared
from learnlog.index import schema
from learnlog.index.schema import plain
from learnlog.policy import ranking, vouching
from learnlog.reduce import Folded
from learnlog.shown import fields, moment
from learnlog.text import tokens
from learnlog.vocabulary import DECAYING_ORIGINS, severity_rank

_INSERTS = {
    "learning": f"INSERT INTO learning VALUES ({', '.join('?' * 21)})",
    "face": "INSERT INTO face VALUES (?, ?, ?, ?)",
    "label": "INSERT OR IGNORE INTO label VALUES (?, ?, ?)",
    "words": "INSERT INTO words VALUES (?, ?, ?, ?)",
    "text": "INSERT INTO text (rowid, words) VALUES (?, ?)",
    "travelled": "INSERT INTO travelled VALUES (?, ?)",
    "own": "INSERT OR REPLACE INTO own VALUES (?, ?)",
    "alias": "INSERT OR IGNORE INTO alias VALUES (?, ?)",
}
_EFFECTIVE = ',"effective_confidence":0,'
_REST = ',"checkpoint":'
_AT_ONCE = 1000
"""Learnings that are put in together: while they are new they are in the processor's cache."""


def insert(connection: sqlite3.Connection, state: State, refs: Mapping[str, str], *, tier: str) -> None:
    """Put every learning of `state` in. `refs` has the reference of each."""
    [first] = connection.execute("SELECT coalesce(max(doc), 0) + 1 FROM learning").fetchone()
    encode = msgspec.json.Encoder().encode
    rows: dict[str, list[Any]] = {name: [] for name in _INSERTS}
    for doc, folded in enumerate(state.learnings.values(), first):
        ref = refs[folded.uid]
        shown = fields(folded, ref=ref, tier=tier)
        words = _words(shown)
        rows["learning"].append(_learning(doc, ref, folded, shown))
        rows["face"].append((doc, *_pieces(shown, encode)))
        rows["words"].append((doc, *words))
        rows["text"].append((doc, words[0]))
        for kind in ("tags", "stack", "files"):
            for word in shown[kind]:
                rows["label"].append((doc, kind, plain(word if kind == "files" else word.casefold())))
        if folded.tiers:
            rows["travelled"].append((doc, plain("\n".join(folded.moves))))
        for uid in state.members_of(folded.uid):
            rows["own"].append((plain(uid), doc))
        for name in {*folded.stored, *folded.native, ref}:
            rows["alias"].append((plain(name), plain(folded.uid)))
        if len(rows["learning"]) == _AT_ONCE:
            _put(connection, rows)
    _put(connection, rows)


def _put(connection: sqlite3.Connection, rows: dict[str, list[Any]]) -> None:
    for name, statement in _INSERTS.items():
        connection.executemany(statement, rows[name])
        rows[name].clear()


def insert_events(connection: sqlite3.Connection, events: Iterable[Event], spans: Iterable[tuple[int, int]]) -> None:
    """Put in where events stand, and the keys that they give and were given with."""
    events = list(events)
    connection.executemany(
        "INSERT OR REPLACE INTO event VALUES (?, ?, ?, ?)",
        ((plain(event.uid), plain(event.id), start, end) for event, (start, end) in zip(events, spans, strict=True)),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO keyed VALUES (?, ?)",
        (
            (plain(as_compared(event.learning.key)), plain(event.uid))
            for event in events
            if event.learning is not None and isinstance(event.learning.key, str)
        ),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO idem VALUES (?, ?)", ((plain(event.idem), plain(event.uid)) for event in events if event.idem)
    )


def remove(connection: sqlite3.Connection, uids: Sequence[str]) -> None:
    """Take out the learnings that these uids are shown as."""
    chosen = json.dumps(uids)
    docs = connection.execute(
        "SELECT DISTINCT doc FROM own WHERE uid IN (SELECT value FROM json_each(?))", (chosen,)
    ).fetchall()
    connection.executemany("INSERT INTO text (text, rowid, words) SELECT 'delete', doc, words FROM words WHERE doc = ?", docs)
    connection.executemany("DELETE FROM alias WHERE uid = (SELECT uid FROM learning WHERE doc = ?)", docs)
    for table in ("learning", "face", "label", "words", "travelled", "own"):
        connection.executemany(f"DELETE FROM {table} WHERE doc = ?", docs)


def _learning(doc: int, ref: str, folded: Folded, shown: dict[str, Any]) -> tuple[Any, ...]:
    severity, origin = plain(shown["severity"]), shown["origin"]
    return (
        doc,
        plain(folded.uid),
        plain(ref),
        folded.status,
        plain(shown["category"]),
        severity,
        severity_rank(severity),
        plain(shown["scope"]),
        None if origin is None else plain(origin),
        not shown["stack"],
        round(shown["confidence"] * 1000),
        moment(folded.aged),
        origin in DECAYING_ORIGINS,
        folded.pinned,
        plain(folded.changed),
        plain(folded.changed_by),
        plain(folded.birth),
        plain("\n".join(folded.stored)),
        as_number(shown["key"]) if shown["key"] else None,
        as_number(shown["title"]),
        vouching.digest(shown),
    )


def _pieces(shown: dict[str, Any], encode: Callable[[Any], bytes]) -> tuple[str, str, str]:
    """The learning as JSON, without its reference and its effective confidence: they are put between when it is shown.

    Quotes inside a string are escaped, so that the first place that looks like a member is one.
    """
    try:
        text = encode(shown).decode()
    except UnicodeEncodeError:  # a lone surrogate: JSON can write it as an escape, UTF-8 cannot (fault 16)
        text = json.dumps(msgspec.to_builtins(shown), ensure_ascii=False, separators=(",", ":"))
        text = text.encode("utf-8", "backslashreplace").decode()
    head, _, behind = text.partition(_EFFECTIVE)
    tail, _, rest = behind.partition(_REST)
    return head[1:], tail, _REST[1:] + rest[:-1]


def _words(shown: dict[str, Any]) -> tuple[str, str, str]:
    """The words with their levels, and for the ranks that look at fields: the words of the title, the tags as they are."""
    title = tokens(shown["title"])
    key = tokens(shown["key"]) if shown["key"] else []
    tags = [word for tag in shown["tags"] for word in tokens(tag)]
    body = tokens(shown["body"])
    found = ranking.counted(title, key, tags, body)
    ends = _ends(len(title) + len(key) + len(tags) + len(body))
    words = " ".join([word + ends[times] for word, times in found.items()])
    return f" {words}", " ".join(title), plain("\n".join([tag.casefold() for tag in shown["tags"]]))


class _Ends(dict[int, str]):
    """What stands behind a word in a learning of some length, by how often it counts: the separator and the level."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self._length = length

    def __missing__(self, times: int) -> str:
        end = self[times] = schema.SEPARATOR + schema.SIGNS[ranking.level(times, self._length)]
        return end


_ends = lru_cache(maxsize=1024)(_Ends)
