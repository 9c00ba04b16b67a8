"""What is known at one moment: search, list, one learning, its history, the counts. Reads a fold, touches no file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date as Day
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from learnlog import ids
from learnlog.done import Similar
from learnlog.errors import AmbiguousReference, InvalidValue, NoSuchLearning
from learnlog.events import DAY_MS, KINDS, Event, time_ms
from learnlog.fold import Fold, State
from learnlog.logs.scan import Damage
from learnlog.model import CONTENT_FIELDS, Actor, Hit, Hits, Learning
from learnlog.naming import canonical
from learnlog.policy import withholding
from learnlog.policy.guard import scan_all
from learnlog.reduce import DELETED, MOVED, Folded, reduce, undone_by
from learnlog.shown import DEFAULTS, effective_confidence, hit, value
from learnlog.vocabulary import CATEGORIES, DEFAULT_CONFIDENCE, ORIGINS, SCOPES, SEVERITIES, STATUSES

if TYPE_CHECKING:
    import sqlite3


class Change(Struct, frozen=True, kw_only=True):
    """One event of a learning's history: `changes` has, by field, what it was and what it became. `undone` says that
    another event has taken it back.
    """

    id: str
    event: str
    at: str | None
    actor: Actor | None
    changes: dict[str, dict[str, Any]]
    undone: bool


class History(Struct, frozen=True, kw_only=True):
    """Every event of one learning, oldest first."""

    ref: str
    events: tuple[Change, ...]


class Stats(Struct, frozen=True, kw_only=True):
    """Counts. `learnings` and what is counted by category, severity, scope and origin leave out those deleted or moved away;
    `superseded_events` are the events beyond one a learning; `log_bytes` is the length up to the last whole line.
    """

    learnings: int
    events: int
    superseded_events: int
    by_category: dict[str, int]
    by_severity: dict[str, int]
    by_scope: dict[str, int]
    by_origin: dict[str, int]
    by_status: dict[str, int]
    average_confidence: float | None
    damaged_lines: tuple[Damage, ...]
    unsealed_lines: int
    log_bytes: int


class Snapshot:
    """A fold seen from one moment (`now_ms`). `tier` is the tier of the log that it was made from."""

    def __init__(self, fold: Fold, *, tier: str, now_ms: int) -> None:
        self._index: sqlite3.Connection | None = None
        self._fold, self._tier, self.now_ms = fold, tier, now_ms

    def __del__(self) -> None:
        """The index goes with what it is of."""
        if self._index is not None:
            self._index.close()

    @property
    def state(self) -> State:
        """The folded state."""
        return self._fold.state()

    def search(self, text: str = "", **filters: Any) -> Hits:
        """The page of learnings that match; see `Store.search`."""
        from learnlog.answering import search

        return search(self.connection(), text, filters, tier=self._tier, now_ms=self.now_ms)

    def list(self, *, status: str | Sequence[str] | None = None, limit: int | None = None, offset: int = 0) -> Hits:
        """All learnings, ordered like a search; see `Store.list`."""
        return self.search(status=("active", "proposed") if status is None else status, limit=limit, offset=offset)

    def find(self, reference: str) -> Folded:
        """The learning that answers to `reference`. Raises `NoSuchLearning`, `AmbiguousReference`."""
        if not isinstance(reference, str) or not reference.strip():
            raise InvalidValue("reference", reference, "a reference like L-001, a uid or the beginning of one")
        state = self.state
        uids = state.find(reference.strip())
        if len(uids) == 1:
            return state.learnings[uids[0]]
        if not uids:
            from difflib import get_close_matches

            refs = [state.ref(uid) for uid in state.learnings]
            raise NoSuchLearning(reference, get_close_matches(reference.upper(), refs[-2000:], 3, 0.7))
        raise AmbiguousReference(reference, [(state.ref(uid), uid, value(state.learnings[uid], "title")) for uid in uids])

    def get(self, reference: str) -> Learning:
        """The learning that answers to `reference`, of whatever status. Raises `NoSuchLearning`, `AmbiguousReference`."""
        return self.shown(self.find(reference))

    def shown(self, folded: Folded) -> Hit:
        """A folded learning as it is shown at this moment."""
        effective = effective_confidence(folded, self.now_ms)
        return hit(folded, ref=self.state.ref(folded.uid), tier=self._tier, effective=effective)

    def history(self, reference: str) -> History:
        """Every event of a learning and what it changed. Raises `NoSuchLearning`, `AmbiguousReference`."""
        folded = self.find(reference)
        events = self._fold.events_of(self.state.members_of(folded.uid))
        undone = undone_by(events)
        changes = []
        before: dict[str, Any] = {}
        for count, event in enumerate(events, 1):
            after = _fields(reduce(folded.uid, events[:count]))
            changes.append(_change(event, before, after, undone=event.id in undone))
            before = after
        return History(ref=self.state.ref(folded.uid), events=tuple(changes))

    def similar(self, reference: str) -> tuple[Similar, ...]:
        """The learnings whose titles are nearest to that of one, the nearest first; deleted ones are left out."""
        from learnlog.answering import similar

        return similar(self.connection(), reference)

    def stats(self, *, damaged: Sequence[Damage] = (), unsealed: int = 0, log_bytes: int = 0) -> Stats:
        """The counts at this moment."""
        every = list(self.state.learnings.values())
        live = [one for one in every if one.status not in (DELETED, MOVED)]
        average = sum(value(one, "confidence") for one in live) / len(live) / 1000 if live else None

        def count(name: str) -> dict[str, int]:
            return dict(Counter(str(value(one, name) or "unstated") for one in live).most_common())

        return Stats(
            learnings=len(live),
            events=len(self._fold),
            superseded_events=len(self._fold) - len(every),
            by_category=count("category"),
            by_severity=count("severity"),
            by_scope=count("scope"),
            by_origin=count("origin"),
            by_status=dict(Counter(one.status for one in every).most_common()),
            average_confidence=None if average is None else round(average, 4),
            damaged_lines=tuple(damaged),
            unsealed_lines=unsealed,
            log_bytes=log_bytes,
        )

    def connection(self) -> sqlite3.Connection:
        """An index of this fold, made when something is looked for."""
        if self._index is None:
            from learnlog.index import of_fold

            self._index = of_fold(self._fold, tier=self._tier)
        return self._index


def _fields(folded: Folded | None) -> dict[str, Any]:
    if folded is None:
        return {}
    fields = {name: value(folded, name) for name in CONTENT_FIELDS}
    fields["confidence"] /= 1000
    return fields | {"status": folded.status, "ref": folded.stored[-1] if folded.stored else None}


def _change(event: Event, before: dict[str, Any], after: dict[str, Any], *, undone: bool) -> Change:
    empty = DEFAULTS | {"confidence": DEFAULT_CONFIDENCE / 1000} if not before else {}
    rule = scan_all(
        withholding.texts_in([after, before, event.event, event.at or "", event.actor])
    )  # as they are shown: together
    changes = {
        name: {"from": _shown(before.get(name), rule), "to": _shown(new, rule)}
        for name, new in after.items()
        if new != before.get(name, empty.get(name)) and not (not before and new is None)
    }
    kind, at, actor = (event.event, event.at, event.actor) if rule is None else (_shown(event.event, rule), None, None)
    return Change(id=event.id, event=kind, at=at, actor=actor, changes=changes, undone=undone)


_HARMLESS = frozenset((*CATEGORIES, *ORIGINS, *SCOPES, *SEVERITIES, *STATUSES, *KINDS, "agent", "human"))


def _shown(value: Any, rule: str | None) -> Any:
    """A value as it may be shown, when the learning trips a rule of the guard."""
    if rule is None or all(text in _HARMLESS or canonical(text) == text for text in withholding.texts_in(value)):
        return value
    return withholding.said(rule)


def as_of(source: Fold, day: str | Day, *, prefix: str, tier: str) -> Snapshot:
    """What a fold knew at the end of a day (UTC), by the times in the event ids. Raises `InvalidValue`."""
    moment = _end_of_day(day)
    then = Fold(prefix=prefix)
    then.add(event for event in source.events() if _made_at(event) <= moment)
    return Snapshot(then, tier=tier, now_ms=moment)


def _made_at(event: Event) -> int:
    return ids.time_of(event.id) if ids.is_id(event.id) else 0


def _end_of_day(day: str | Day) -> int:
    text = day.isoformat()[:10] if isinstance(day, Day) else day
    try:
        if not isinstance(text, str) or len(text) != 10 or "W" in text:  # a week's form is as long as a day's
            raise ValueError
        return time_ms(text) + DAY_MS - 1
    except ValueError:
        raise InvalidValue("day", day, "a day as YYYY-MM-DD") from None
