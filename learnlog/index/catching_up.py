"""An index brought to where its log is: from the tail where that is all that is new, from the whole log when in doubt.

Whatever an event touches is folded again from all its events, those of the learnings it may be joined with too, by the same
fold that folds a whole log. Everything happens inside the caller's transaction; who may write, and when, is not said here.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from learnlog.collector import collector_off
from learnlog.events import Event
from learnlog.fold import Fold, State
from learnlog.index import filling, schema
from learnlog.index.schema import plain
from learnlog.logs import Log, Look, Mark
from learnlog.logs.scan import Scan
from learnlog.naming import number_of
from learnlog.references import assign


class FarBehind(Exception):
    """More than a little of the log is not in the index, and it was to be caught up only if that takes a moment."""


def catch_up(
    connection: sqlite3.Connection, log: Log, *, name: str, tier: str, prefix: str, most_bytes: int | None = None
) -> bool:
    """Make the index that of `log` as it is now; returns whether it had to be made anew. `name` says which log, and which
    tokenizer, it is of.

    Raises `sqlite3.Error`, `LogUnreadable`; `FarBehind` when there is more than `most_bytes` to read.
    """
    mark = _mark(connection, name)
    if most_bytes is not None and (mark is None or log.head() - mark.end > most_bytes):
        raise FarBehind
    look = log.look(mark)
    if look is None:
        return False
    with collector_off():
        if mark is not None and not look.whole and _extended(connection, log, look, mark, tier=tier, prefix=prefix):
            return False
        if most_bytes is not None:
            raise FarBehind
        if not look.whole:
            look = log.look(None)
            assert look is not None  # without a mark a log always answers
        _rebuild(connection, look, name=name, tier=tier, prefix=prefix)
        return True


def put_ahead(connection: sqlite3.Connection, log: Log, events: Sequence[Event], *, tier: str, prefix: str) -> None:
    """Put in events that are in no log yet: the caller takes them back by ending its transaction."""
    with collector_off():
        filling.insert_events(connection, events, ((0, 0) for _ in events))
        done = _fold_again(connection, log, {event.uid for event in events}, list(events), tier=tier, prefix=prefix)
        if done is None:  # the log was replaced a moment ago: everything anew
            source = Fold(prefix=prefix)
            source.add([*log.read(), *events])
            fill(connection, source, tier=tier)


def part_with(connection: sqlite3.Connection, log: Log, *, key: str, idem: str, prefix: str) -> Fold | None:
    """The fold of all that has to do with a (folded) key and an idempotency key; None when the log is not what was indexed."""
    rows = connection.execute(
        "SELECT uid FROM keyed WHERE key = ? UNION SELECT uid FROM idem WHERE idem = ?", (plain(key), plain(idem))
    )
    return part(connection, log, [uid for (uid,) in rows], prefix=prefix)


def part(connection: sqlite3.Connection, log: Log, uids: Iterable[str], *, prefix: str) -> Fold | None:
    """The fold of these learnings and of those they may be joined with; None when the log is not what was indexed."""
    return _fold_of(connection, log, _together(connection, uids), [], prefix=prefix, new_from=None)


def fill(connection: sqlite3.Connection, source: Fold, *, tier: str) -> None:
    """Make an index of a fold whose events are nobody's to look up, in place of what is there."""
    schema.create(connection)
    _fill(connection, source, tier=tier)
    _put_head(connection, "", Mark(version=(), end=0, lines=0, digest=0), newer=0, waiting=False)


def _mark(connection: sqlite3.Connection, name: str) -> Mark | None:
    """How far the index has read; None when there is none yet, or one of another log or version."""
    try:
        head = connection.execute("SELECT name, version, end, lines, digest, chunks FROM head").fetchone()
    except sqlite3.OperationalError:  # nothing, or another program's tables
        return None
    if head is None or head[0] != name:
        return None
    version = tuple(int(one) for one in head[1].split(",") if one)
    return Mark(version=version, end=head[2], lines=head[3], digest=int(head[4], 16), chunks=head[5])


def _put_head(connection: sqlite3.Connection, name: str, mark: Mark, *, newer: int, waiting: bool) -> None:
    version = ",".join(map(str, mark.version))
    row = (name, version, mark.end, mark.lines, f"{mark.digest:x}", mark.chunks, newer, waiting)
    connection.execute("INSERT OR REPLACE INTO head VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def _rebuild(connection: sqlite3.Connection, look: Look, *, name: str, tier: str, prefix: str) -> None:
    schema.create(connection)
    source = Fold(prefix=prefix)
    source.add(look.scan.distinct())
    waiting = _fill(connection, source, tier=tier)
    filling.insert_events(connection, look.scan.events, look.scan.spans())
    _note(connection, look.scan)
    _put_head(connection, name, look.mark, newer=look.scan.newer, waiting=waiting)


def _fill(connection: sqlite3.Connection, source: Fold, *, tier: str) -> bool:
    """Put in all learnings of a fold, and say whether one waits for a reference of its own."""
    state = source.state()
    refs = {uid: state.ref(uid) for uid in state.learnings}
    filling.insert(connection, state, refs, tier=tier)
    for statement in schema.statements(schema.INDEXES):
        connection.execute(statement)
    connection.execute("INSERT INTO text (text) VALUES ('optimize')")  # else the first appends would merge what is large
    return bool(state.references.given)


def _note(connection: sqlite3.Connection, found: Scan) -> None:
    rows = [(one.line, one.byte, one.kind, plain(one.reason)) for one in found.damaged]
    rows += [(line, 0, "unsealed", "") for line in found.unsealed]
    connection.executemany("INSERT INTO noted VALUES (?, ?, ?, ?)", rows)


def _extended(connection: sqlite3.Connection, log: Log, look: Look, mark: Mark, *, tier: str, prefix: str) -> bool:
    """Go on from `mark` with what came since; False when the log is not what the index was made from."""
    found = look.scan
    # A last line without an end was taken for a record, and stands behind the mark: now it is looked at again.
    provisional = connection.execute("SELECT uid FROM event INDEXED BY event_start WHERE start >= ?", (mark.end,)).fetchall()
    if provisional:
        connection.execute("DELETE FROM event WHERE start >= ?", (mark.end,))
        connection.execute("DELETE FROM noted WHERE line > ?", (mark.lines,))
    filling.insert_events(connection, found.events, found.spans())
    _note(connection, found)
    touched = {uid for (uid,) in provisional} | {event.uid for event in found.events}
    [newer, waiting] = connection.execute("SELECT newer, waiting FROM head").fetchone()
    if touched:
        again = _fold_again(connection, log, touched, found.distinct(), tier=tier, prefix=prefix, new_from=mark.end)
        if again is None:
            return False
        waiting = again
    [name] = connection.execute("SELECT name FROM head").fetchone()
    _put_head(connection, name, look.mark, newer=max(newer, found.newer), waiting=waiting)
    return True


def _fold_again(
    connection: sqlite3.Connection,
    log: Log,
    touched: Iterable[str],
    new: list[Event],
    *,
    tier: str,
    prefix: str,
    new_from: int | None = None,
) -> bool | None:
    """Fold what is touched anew; returns whether a learning waits for a reference, None when the log has changed.

    `new` are events whose lines need not be read again: they stand at or behind `new_from`, or in no log.
    """
    uids = _together(connection, touched)
    while True:
        source = _fold_of(connection, log, uids, new, prefix=prefix, new_from=new_from)
        if source is None:
            return None
        state = source.state()
        refs, moved, waiting = _references(connection, log, uids, state, prefix=prefix)
        if not moved:
            break
        uids = _together(connection, uids | moved)
    filling.remove(connection, sorted(map(plain, uids)))
    filling.insert(connection, state, refs, tier=tier)
    return waiting


def _together(connection: sqlite3.Connection, uids: Iterable[str]) -> set[str]:
    """These learnings, and all that ever had a key in common with one of them, for they may be shown as one."""
    found = {plain(uid) for uid in uids}
    fresh = found
    while fresh:
        chosen = json.dumps(sorted(fresh))
        rows = connection.execute(
            "SELECT DISTINCT other.uid FROM json_each(?) JOIN keyed ON keyed.uid = value"
            " JOIN keyed AS other ON other.key = keyed.key",
            (chosen,),
        )
        fresh = {uid for (uid,) in rows} - found
        found |= fresh
    return found


def _fold_of(
    connection: sqlite3.Connection, log: Log, uids: set[str], new: list[Event], *, prefix: str, new_from: int | None
) -> Fold | None:
    """The fold of all events of these learnings; None when they do not stand in the log where they stood."""
    rows = connection.execute(
        "SELECT id, start, end FROM event WHERE uid IN (SELECT value FROM json_each(?))", (json.dumps(sorted(uids)),)
    ).fetchall()
    wanted = {row[0] for row in rows}
    fresh = {plain(event.id) for event in new}
    old = [row for row in rows if row[2] and (new_from is None or row[1] < new_from)]
    if any(row[0] in fresh for row in old):  # one id on several lines: which of them counts is decided over all
        events = log.reread(sorted({(start, end) for _, start, end in rows}))
    else:
        events = [*log.reread(sorted({(start, end) for _, start, end in old})), *new] if old else new
    events = [event for event in events if plain(event.uid) in uids]
    if {plain(event.id) for event in events} != wanted:
        return None
    source = Fold(prefix=prefix)
    source.add(events)
    return source


def _references(
    connection: sqlite3.Connection, log: Log, uids: set[str], state: State, *, prefix: str
) -> tuple[dict[str, str], set[str], bool]:
    """The references of the learnings in `state`, those of other learnings that change with them, and whether one waits."""
    [waiting] = connection.execute("SELECT waiting FROM head").fetchone() or (False,)
    if not waiting and not _collide(connection, uids, state):
        return {uid: one.stored[-1] for uid, one in state.learnings.items()}, set(), False
    chosen = json.dumps(sorted(uids))
    others = connection.execute(
        "SELECT uid, birth, ref, stored FROM learning WHERE doc NOT IN"
        " (SELECT doc FROM own WHERE uid IN (SELECT value FROM json_each(?)))",
        (chosen,),
    ).fetchall()
    shown = {uid: ref for uid, _, ref, _ in others}
    claims = [(birth, _Claim(uid, tuple(stored.split("\n")) if stored else ())) for uid, birth, _, stored in others]
    claims += [(one.birth, _Claim(one.uid, one.stored)) for one in state.learnings.values()]
    claims.sort(key=lambda one: one[0])
    highest = _highest_of_orphans(connection, log)
    given = assign([claim for _, claim in claims], prefix=prefix, highest=highest).given
    refs = {claim.uid: given.get(claim.uid) or claim.stored[-1] for _, claim in claims}
    moved = {uid for uid, ref in shown.items() if refs[uid] != ref}
    return {uid: refs[uid] for uid in state.learnings}, moved, bool(given)


def _collide(connection: sqlite3.Connection, uids: set[str], state: State) -> bool:
    """Whether a learning in `state` has no reference, or one that stands for another learning too."""
    names = [ref for one in state.learnings.values() for ref in one.stored]
    if len(set(names)) < len(names) or not all(one.stored for one in state.learnings.values()):
        return True
    rows = connection.execute(
        "SELECT 1 FROM alias JOIN own ON own.uid = alias.uid WHERE name IN (SELECT value FROM json_each(?)) AND own.doc NOT IN"
        " (SELECT doc FROM own WHERE uid IN (SELECT value FROM json_each(?))) LIMIT 1",
        (json.dumps(names), json.dumps(sorted(uids))),
    )
    return rows.fetchone() is not None


def _highest_of_orphans(connection: sqlite3.Connection, log: Log) -> int:
    """The highest number that an event stores whose learning has not come in."""
    spans = connection.execute("SELECT start, end FROM event WHERE end AND uid NOT IN (SELECT uid FROM own)").fetchall()
    return max((number_of(event.ref) for event in log.reread(spans)), default=0) if spans else 0


class _Claim:
    """A learning's claim to references; see `references.Claim`."""

    __slots__ = ("stored", "uid")

    def __init__(self, uid: str, stored: tuple[str, ...]) -> None:
        self.uid, self.stored = uid, stored
