"""Several logs asked as one, the nearest first: one page in one order, in which what a nearer log holds hides what is farther.

Each log has an index of its own and is asked by the same query engine; here their pages are put together. A learning that
was moved stands in two logs: where one of them has not all of its events yet, they are laid over its index for this question.
Imports next to nothing: it is on the start-up path.
"""

from __future__ import annotations

import os
import sqlite3

from learnlog import query
from learnlog.errors import AmbiguousReference, InvalidValue, LogUnreadable, NoSuchLearning
from learnlog.index import asking, showing
from learnlog.index.schema import plain
from learnlog.naming import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeVar

    from learnlog.events import Event
    from learnlog.index import Index
    from learnlog.index.asking import Found
    from learnlog.query import Query

    T = TypeVar("T")

OTHER = "other"
"""The tier of what comes from another project."""


class Part:
    """One log among several. `project` is the name of the other project that it is of, empty for this person's own tiers;
    of another project only what is in `trusted` (uid -> digest of the words) is seen.
    """

    __slots__ = ("connection", "index", "laid_over", "name", "prefix", "project", "tier", "trusted")

    def __init__(
        self, index: Index, *, name: str, tier: str, prefix: str, project: str = "", trusted: Mapping[str, str] | None = None
    ) -> None:
        self.index, self.name, self.tier, self.prefix, self.project = index, name, tier, prefix, project
        self.trusted = trusted or {}
        self.laid_over = False
        self.connection: sqlite3.Connection = None  # type: ignore[assignment]  # while a question is being answered

    def answers_as(self, connection: sqlite3.Connection) -> None:
        """Be asked through this connection, of an index in memory that nobody else sees."""
        self.connection, self.laid_over = connection, True


class Hit:
    """One learning of a page: where it stands, and its place in the order."""

    __slots__ = ("doc", "order", "part", "reasons", "score")

    def __init__(
        self, part: Part, doc: int, score: float | None, reasons: dict[str, Any] | None, order: tuple[Any, ...]
    ) -> None:
        self.part, self.doc, self.score, self.reasons, self.order = part, doc, score, reasons, order


class Page:
    """The hits of a page, best first; `total` and `more` as `asking.Found` has them."""

    __slots__ = ("hits", "more", "query", "total")

    def __init__(self, asked: Query, hits: Sequence[Hit], total: int | None, *, more: bool) -> None:
        self.query, self.hits, self.total, self.more = asked, hits, total, more


def ask(
    parts: Sequence[Part],
    question: Callable[[list[Part]], T],
    *,
    unreadable: Callable[[LogUnreadable], None],
    as_is: bool = False,
) -> T:
    """What `question` answers when it is given the parts, each with its connection. A part that cannot be read is told to
    `unreadable` and left out; when none is left `LogUnreadable` is raised. `as_is`: nothing is laid over the indexes.
    The connections are closed when it returns.
    """
    late: dict[str, list[Event]] = {}

    def looked(opened: list[Part]) -> T | _Late:
        missing = {} if as_is else gaps(opened)
        return _Late(missing) if missing else question(opened)

    try:
        answer = _opened(parts, [], looked, late, unreadable)
        if isinstance(answer, _Late):
            late = answer.events
            answer = _opened(parts, [], question, late, unreadable)
        return answer  # type: ignore[no-any-return]
    finally:
        for part in parts:
            part.index.close()


class _Late:
    """The events that are missing in a log, by its name."""

    def __init__(self, events: dict[str, list[Event]]) -> None:
        self.events = events


def _opened(
    parts: Sequence[Part],
    opened: list[Part],
    question: Callable[[list[Part]], Any],
    late: Mapping[str, list[Event]],
    unreadable: Callable[[LogUnreadable], None],
) -> Any:
    if not parts:
        return question(opened)
    part, *rest = parts

    def with_this(connection: sqlite3.Connection) -> Any:
        part.connection = connection
        return _opened(rest, [*opened, part], question, late, unreadable)

    try:
        part.laid_over = bool(late.get(part.name))
        if part.laid_over:
            return part.index.ask_ahead(late[part.name], with_this)
        return part.index.ask(with_this)
    except LogUnreadable as error:
        if not rest and not opened:
            raise
        unreadable(error)
        return _opened(rest, opened, question, late, unreadable)


# Moved learnings ----------------------------------------------------------------------------------------------------


def gaps(opened: Sequence[Part]) -> dict[str, list[Event]]:
    """The events of moved learnings that stand in one log and not in another that holds the same learning, by log. Of the moves
    those alone that led out of a log are missing in it: a learning that went on to another project has not come back to this.
    """
    own = [part for part in opened if not part.project]
    if len(own) < 2:
        return {}
    moves: dict[str, str] = {}
    travelled = {uid for part in own for uid in _travelled(part, moves)}
    if not travelled:
        return {}
    known = [_events(part, travelled) for part in own]
    missing: dict[str, list[Event]] = {}
    for uid in travelled:
        holding = [(part, ids[uid]) for part, ids in zip(own, known, strict=True) if uid in ids]
        for part, ids in holding:
            for other, others in holding:
                lacking = {one for one in others - ids if moves.get(one, part.tier) == part.tier} if ids & others else None
                if lacking:
                    missing.setdefault(part.name, []).extend(_read(other, uid, lacking))
    return missing


def _travelled(part: Part, moves: dict[str, str]) -> list[str]:
    """The learnings that were moved; and into `moves` the tier that each move led out of, by its event."""
    found = []
    for uid, lines in part.connection.execute("SELECT own.uid, moves FROM travelled JOIN own USING (doc)"):
        found.append(uid)
        for line in lines.split("\n"):
            event, _, source = line.partition(" ")
            moves[event] = source
    return found


def _events(part: Part, uids: set[str]) -> dict[str, set[str]]:
    import json

    found: dict[str, set[str]] = {}
    asked = "SELECT event.uid, event.id FROM json_each(?) CROSS JOIN event ON event.uid = value"
    for uid, event in part.connection.execute(asked, (json.dumps(sorted(uids)),)):
        found.setdefault(uid, set()).add(event)
    return found


def _read(part: Part, uid: str, ids: set[str]) -> list[Event]:
    from learnlog.index.catching_up import part as fold_of

    fold = fold_of(part.connection, part.index.log(), [uid], prefix=part.prefix)
    return [] if fold is None else [event for event in fold.events_of([uid]) if plain(event.id) in ids]


# Searching ----------------------------------------------------------------------------------------------------------


def search(opened: Sequence[Part], text: str, filters: Mapping[str, Any], *, now_ms: int, kind: str = "") -> Page:
    """The page of all parts together; `kind` is a category that counts in the rank `precedent`. Raises `InvalidValue`."""
    filters = dict(filters)
    wanted = filters.pop("tier", None)
    tiers = None if wanted is None else query.tiers(wanted)
    asked = query.read(
        text, filters, tier="", stands=lambda name, word: any(asking.stands(part.connection, name, word) for part in opened)
    )
    asked.kind = kind
    chosen = [part for part in opened if tiers is None or part.tier in tiers]
    if len(chosen) == 1 and not chosen[0].project and len(opened) == 1:
        return _alone(chosen[0], asked, now_ms)
    end = None if asked.limit is None else asked.offset + asked.limit
    offset, limit = asked.offset, asked.limit
    asked.offset, asked.limit = 0, end
    hits: list[Hit] = []
    total: int | None = 0
    more = False
    for part in chosen:
        nearer = [one for one in opened[: opened.index(part)] if not one.project]
        beside = [one.connection for one in opened if one is not part]
        found = asking.ask(part.connection, asked, now_ms=now_ms, conditions=_conditions(part, nearer), beside=beside)
        hits += _hits(part, found, asked, now_ms, -opened.index(part))
        asked.floor = _floor(hits, asked)
        total = None if total is None or found.total is None else total + found.total
        more = more or found.more
    asked.offset, asked.limit = offset, limit
    hits.sort(key=lambda one: one.order, reverse=True)
    if total is not None and total > query.EXACT_TOTAL and not asked.count:
        total = None
    return Page(asked, hits[offset:end], total, more=more or (end is not None and len(hits) > end))


def _floor(hits: list[Hit], asked: Query) -> float:
    """The relevance of the last hit of a full page: what is less relevant in a farther log does not get onto it."""
    scores = sorted((hit.score for hit in hits if hit.score is not None), reverse=True)
    full = asked.rank == "relevance" and asked.limit and len(scores) >= asked.limit
    return scores[asked.limit - 1] if full and asked.limit else 0.0


def _alone(part: Part, asked: Query, now_ms: int) -> Page:
    found = asking.ask(part.connection, asked, now_ms=now_ms)
    return Page(asked, [Hit(part, *one, ()) for one in found.docs], found.total, more=found.more)


def _conditions(part: Part, nearer: Sequence[Part]) -> list[str]:
    """What hides a learning: a nearer log holds the same thing, or it is another project's and nobody here vouches for it."""
    conditions = []
    if part.project:
        trusted = part.trusted
        part.connection.create_function("vouched_for", 2, lambda uid, digest: trusted.get(uid) == digest)
        conditions.append("vouched_for(uid, vouched)")
    for count, one in enumerate(nearer):
        if _holds_any(one):
            conditions.append(_held_by(f"nearer{count}") if _attached(part, one, count) else _asked_of(part, one, count))
    return conditions


def _held_by(nearer: str) -> str:
    """Not held by another index that this one has at hand: by title, by key, or as the very same learning."""
    held = f"EXISTS (SELECT 1 FROM {nearer}.learning AS held WHERE held.{{0}} = learning.{{0}} AND held.status = 'active')"
    same = f"{nearer}.own AS same JOIN {nearer}.learning AS held ON held.doc = same.doc"
    return (
        f"NOT {held.format('titled')} AND (learning.named IS NULL OR NOT {held.format('named')})"
        f" AND NOT EXISTS (SELECT 1 FROM {same} WHERE same.uid = learning.uid AND held.status = 'active')"
    )


def _attached(part: Part, nearer: Part, count: int) -> bool:
    """Whether the index of a nearer log could be put beside this one, so that SQLite itself looks things up in it."""
    if part.laid_over or nearer.laid_over or not os.path.exists(nearer.index.path):
        return False
    connection = part.connection
    connection.execute("COMMIT")  # of a reading transaction: nothing can be attached inside of one
    try:
        connection.execute(f"ATTACH ? AS nearer{count}", (nearer.index.path,))
        connection.execute(f"SELECT 1 FROM nearer{count}.learning LIMIT 1").fetchone()
    except sqlite3.Error:
        return False
    finally:
        connection.execute("BEGIN")
    return True


def _asked_of(part: Part, nearer: Part, count: int) -> str:
    """The same, by asking the nearer index for one learning after the other."""
    connection = nearer.connection
    part.connection.create_function(f"held{count}", 3, lambda *same: _holds(connection, same))
    return f"NOT held{count}(uid, named, titled)"


def _holds_any(part: Part) -> bool:
    return part.connection.execute("SELECT 1 FROM learning WHERE status = 'active' LIMIT 1").fetchone() is not None


def _holds(connection: sqlite3.Connection, same: tuple[str, int | None, int]) -> bool:
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM learning WHERE titled = ?3 AND status = 'active')"
        " OR EXISTS (SELECT 1 FROM learning WHERE named = ?2 AND status = 'active')"
        " OR EXISTS (SELECT 1 FROM own JOIN learning USING (doc) WHERE own.uid = ?1 AND status = 'active')",
        same,
    ).fetchone()
    return bool(row[0])


def _hits(part: Part, found: Found, asked: Query, now_ms: int, nearness: int) -> list[Hit]:
    """The hits of one part with what they are ordered by; where all else is the same, the nearer one comes first."""
    if not found.docs:
        return []
    docs = ",".join(str(doc) for doc, _, _ in found.docs)
    columns = f"doc, pinned, severity_order, changed, changed_by, {asking.EFFECTIVE}"
    rows = part.connection.execute(f"SELECT {columns} FROM learning NOT INDEXED WHERE doc IN ({docs})", {"now": now_ms})
    keys = {doc: (pinned, -severity, changed, by, effective) for doc, pinned, severity, changed, by, effective in rows}
    hits = []
    for doc, score, reasons in found.docs:
        pinned, severity, changed, by, effective = keys[doc]
        first = (effective,) if asked.rank == "confidence" else (severity,) if score is None else (score, severity)
        hits.append(Hit(part, doc, score, reasons, (pinned, *first, changed, by, nearness)))
    return hits


def hits_as_json(page: Page, *, now_ms: int, whole: bool, trusted: Mapping[str, str]) -> list[str]:
    """Each hit of a page as JSON, in its order."""
    made: dict[tuple[int, int], str] = {}
    for part in {id(hit.part): hit.part for hit in page.hits}.values():
        docs = [(hit.doc, hit.score, hit.reasons) for hit in page.hits if hit.part is part]
        texts = showing.hits_as_json(
            part.connection, asking.Found(docs, 0, more=False), now_ms=now_ms, whole=whole, trusted=trusted
        )
        for (doc, _, _), text in zip(docs, texts, strict=True):
            made[id(part), doc] = _of_other(part, text) if part.project else text
    return [made[id(hit.part), hit.doc] for hit in page.hits]


def _of_other(part: Part, text: str) -> str:
    """The JSON of another project's learning says so: its tier, and its source where it names none. Quotes inside a string are
    escaped, so that the first place that looks like a member is one.
    """
    import json

    text = text.replace(',"tier":"project",', f',"tier":"{OTHER}",', 1)
    return text.replace(',"source":null,', f',"source":{json.dumps(part.project)},', 1)


def lines(page: Page, *, now_ms: int) -> list[showing.Line]:
    """The lines of a page for people, in its order."""
    made: dict[tuple[int, int], showing.Line] = {}
    for part in {id(hit.part): hit.part for hit in page.hits}.values():
        docs = [hit.doc for hit in page.hits if hit.part is part]
        for line in showing.lines(part.connection, docs, now_ms=now_ms):
            line.project = part.project
            made[id(part), line.doc] = line
    return [made[id(hit.part), hit.doc] for hit in page.hits]


# Finding one --------------------------------------------------------------------------------------------------------


def find_one(opened: Sequence[Part], reference: str) -> tuple[Part, int, str]:
    """(part, doc, uid) of the learning that answers to a reference or uid, where it lives. The tier that a reference's letters
    name is asked first. Raises `InvalidValue`, `NoSuchLearning`, `AmbiguousReference`.
    """
    if not isinstance(reference, str) or not reference.strip():
        raise InvalidValue("reference", reference, "a reference like L-001, a uid or the beginning of one")
    token = reference.strip()
    ref = canonical(token)
    ordered = sorted(opened, key=lambda part: ref is None or not ref.startswith(f"{part.prefix}-"))
    found: dict[str, tuple[Part, int, str]] = {}
    for part in ordered:
        for doc, shown, uid in showing.find(part.connection, token):
            found.setdefault(uid, (part, doc, shown))
        if found and ref is not None:
            break
    if len(found) == 1:
        [(uid, (part, doc, _))] = found.items()
        return (*_where_it_lives(opened, part, doc, uid), uid)
    if not found:
        raise NoSuchLearning(reference, _near(ordered, reference))
    raise AmbiguousReference(
        reference, [(shown, uid, showing.titles(part.connection, [doc])[0]) for uid, (part, doc, shown) in found.items()]
    )


def _where_it_lives(opened: Sequence[Part], part: Part, doc: int, uid: str) -> tuple[Part, int]:
    """The log that a learning was moved to, when it was; nearer ones first."""
    if not _was_moved(part, doc):
        return part, doc
    for other in opened:
        row = other.connection.execute("SELECT doc FROM own WHERE uid = ?", (uid,)).fetchone()
        if row is not None and not _was_moved(other, row[0]):
            return other, row[0]
    return part, doc


def _was_moved(part: Part, doc: int) -> bool:
    return bool(part.connection.execute("SELECT status FROM learning WHERE doc = ?", (doc,)).fetchone() == ("moved",))


def _near(opened: Sequence[Part], reference: str) -> list[str]:
    for part in opened:
        near = showing.near(part.connection, reference)
        if near:
            return near
    return []
