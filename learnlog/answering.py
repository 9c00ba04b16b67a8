"""From the index to the library's own values: `Hits`, `Learning`, `Stats`, `Similar`. Decides nothing and reads no log."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from learnlog import query, trust
from learnlog.done import Similar
from learnlog.index import asking, nearness, showing, together
from learnlog.index.catching_up import part
from learnlog.index.together import Page
from learnlog.logs import Log
from learnlog.logs.scan import Damage
from learnlog.model import Hit, Hits, Learning
from learnlog.snapshot import History, Snapshot, Stats

T = TypeVar("T", bound=Learning)

_HIT = msgspec.json.Decoder(Hit)


def search(connection: sqlite3.Connection, text: str, filters: Mapping[str, Any], *, tier: str, now_ms: int) -> Hits:
    """The page of learnings that match; see `Store.search`. Raises `InvalidValue`."""
    asked = query.read(text, filters, tier=tier, stands=lambda name, word: asking.stands(connection, name, word))
    found = asking.ask(connection, asked, now_ms=now_ms)
    texts = showing.hits_as_json(connection, found, now_ms=now_ms, whole=True, trusted=_trusted())
    return Hits([_decoded(_HIT, one) for one in texts], total=found.total, more=found.more)


def hits_of(page: Page, now_ms: int, trusted: Mapping[str, str]) -> Hits:
    """A page over several logs as the library's own values."""
    texts = together.hits_as_json(page, now_ms=now_ms, whole=True, trusted=trusted)
    return Hits([_decoded(_HIT, one) for one in texts], total=page.total, more=page.more)


def learning_of(connection: sqlite3.Connection, doc: int, now_ms: int, trusted: Mapping[str, str]) -> Learning:
    """One learning of an index."""
    return _decoded(_HIT, showing.learning_as_json(connection, doc, now_ms=now_ms, trusted=trusted))


def get(connection: sqlite3.Connection, reference: str, *, now_ms: int) -> Learning:
    """One learning, of whatever status. Raises `InvalidValue`, `NoSuchLearning`, `AmbiguousReference`."""
    doc, _, _ = showing.find_one(connection, reference)
    return _decoded(_HIT, showing.learning_as_json(connection, doc, now_ms=now_ms, trusted=_trusted()))


def history(connection: sqlite3.Connection, reference: str, log: Log, *, tier: str, prefix: str) -> History | None:
    """Every event of a learning, read from where they stand in the log; None when they do not stand there any more. Raises as
    `get`.
    """
    doc, ref, uid = showing.find_one(connection, reference)
    uids = [one for (one,) in connection.execute("SELECT uid FROM own WHERE doc = ?", (doc,))]
    fold = part(connection, log, uids, prefix=prefix)
    return None if fold is None else replace(Snapshot(fold, tier=tier, now_ms=0).history(uid), ref=ref)


def similar(connection: sqlite3.Connection, reference: str) -> tuple[Similar, ...]:
    """The learnings whose titles are nearest to that of one. Raises as `get`."""
    doc, _, _ = showing.find_one(connection, reference)
    return tuple(
        Similar(ref=ref, title=title, similarity=likeness) for ref, title, likeness in nearness.similar(connection, doc)
    )


def stats(connection: sqlite3.Connection) -> Stats:
    """The counts."""
    counted = showing.counts(connection)
    counted["damaged_lines"] = tuple(
        Damage(line=line, byte=byte, kind=kind, reason=reason) for line, byte, kind, reason in counted["damaged_lines"]
    )
    return Stats(**counted)


def _trusted() -> dict[str, str]:
    return trust.read(trust.path_of(os.environ))


def _decoded(decoder: msgspec.json.Decoder[T], text: str) -> T:
    try:
        return decoder.decode(text)
    except msgspec.DecodeError:  # msgspec refuses lone surrogates, the standard library reads them (fault 16)
        try:
            shown: T = msgspec.convert(json.loads(text), decoder.type)
        except ValueError as error:
            raise sqlite3.DatabaseError("what the index shows of a learning is damaged") from error
        return shown
