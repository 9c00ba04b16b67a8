"""What is known at one moment: search, list, one learning, its history, the counts. Reads a fold, touches no file."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from learnlog import search as reference_search
from learnlog.done import Similar
from learnlog.errors import AmbiguousReference, InvalidValue, NoSuchLearning, NotInThisVersion
from learnlog.events import Event
from learnlog.fold import Fold, State
from learnlog.logs.scan import Damage
from learnlog.model import CONTENT_FIELDS, Actor, Hit, Hits, Learning, Query
from learnlog.reduce import DELETED, Folded, reduce, undone_by
from learnlog.shown import DEFAULTS, value
from learnlog.text import similarity, words_for_similarity
from learnlog.vocabulary import CATEGORIES, DEFAULT_CONFIDENCE, OPERATIONS, ORIGINS, RANKS, SCOPES, SEVERITIES, STATUSES, TIERS

DEFAULT_LIMIT = 10
NEAR = 0.5
"""The least similarity worth showing."""
SIMILAR_SHOWN = 5
BUILT_RANKS = ("severity", "confidence")

_WORDS = {"category": CATEGORIES, "severity": SEVERITIES, "scope": SCOPES, "origin": ORIGINS, "status": STATUSES}


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
    """Counts. `learnings` and what is counted by category, severity, scope and origin leave out the deleted ones;
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
        self._fold, self._tier, self._now_ms = fold, tier, now_ms

    @property
    def state(self) -> State:
        """The folded state."""
        return self._fold.state()

    def search(self, text: str = "", **filters: Any) -> Hits:
        """The page of learnings that match; see `Store.search`."""
        return reference_search.search(self.state, self.query(text, filters), tier=self._tier, now_ms=self._now_ms)

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
        return reference_search.hit(self.state, folded, tier=self._tier, now_ms=self._now_ms)

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

    def similar(self, uid: str) -> tuple[Similar, ...]:
        """The learnings whose titles are nearest to that of `uid`, the nearest first; deleted ones are left out."""
        learnings = self.state.learnings
        if uid not in learnings:
            return ()
        words = words_for_similarity(value(learnings[uid], "title"))
        near = []
        for other in learnings.values():
            if other.uid != uid and other.status != DELETED:
                likeness = similarity(words, words_for_similarity(value(other, "title")))
                if likeness >= NEAR:
                    near.append((likeness, other))
        near.sort(key=lambda one: (-one[0], one[1].birth))
        return tuple(
            Similar(ref=self.state.ref(one.uid), title=value(one, "title"), similarity=round(likeness, 4))
            for likeness, one in near[:SIMILAR_SHOWN]
        )

    def stats(self, *, damaged: Sequence[Damage] = (), unsealed: int = 0, log_bytes: int = 0) -> Stats:
        """The counts at this moment."""
        every = list(self.state.learnings.values())
        live = [one for one in every if one.status != DELETED]
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

    def query(self, text: str, filters: dict[str, Any]) -> Query:
        """The query in keyword arguments. Raises `InvalidValue`, `NotInThisVersion`; warns of an unknown operation."""
        if not isinstance(text, str):
            raise InvalidValue("text", text, "a text")
        made: dict[str, Any] = {"text": text, "limit": DEFAULT_LIMIT}
        elsewhere = False
        for name, given in filters.items():
            if given is None and name != "limit":
                continue
            if name in _WORDS:
                made[name] = self._words(name, given)
            elif name in ("stack", "tag", "file"):
                made[name] = _texts(name, given)
            elif name in _READERS:
                made[name] = _READERS[name](given)
            elif name == "tier":
                elsewhere = self._tier not in _tiers(given)
            else:
                raise InvalidValue("filter", name, f"one of {', '.join((*_WORDS, 'stack', 'tag', 'file', 'tier', *_READERS))}")
        if elsewhere:
            made["status"] = ("none",)
        return Query(**made)

    def _words(self, name: str, given: object) -> tuple[str, ...]:
        """Words of the vocabulary, or any that stand in the log."""
        words = _texts(name, given)
        allowed = _WORDS[name]
        for word in words:
            if word not in allowed and not self._stands(name, word):
                more = "" if name == "status" else ", or a word that stands in the log"
                raise InvalidValue(name, word, f"one of {', '.join(allowed)}{more}")
        return words

    def _stands(self, name: str, word: str) -> bool:
        return name != "status" and any(value(one, name) == word for one in self.state.learnings.values())


def _texts(name: str, given: object) -> tuple[str, ...]:
    if isinstance(given, str):
        given = (given,)
    if not isinstance(given, Sequence) or not all(isinstance(one, str) for one in given):
        raise InvalidValue(name, given, "a text or a list of texts")
    return tuple(given)


def _tiers(given: object) -> tuple[str, ...]:
    tiers = _texts("tier", given)
    for tier in tiers:
        if tier not in TIERS:
            raise InvalidValue("tier", tier, f"one of {', '.join(TIERS)}")
    return tiers


def _operation(given: object) -> str | None:
    if not isinstance(given, str):
        raise InvalidValue("operation", given, "the name of an operation")
    if given in OPERATIONS:
        return given
    from difflib import get_close_matches

    near = get_close_matches(given, OPERATIONS, 1)
    hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(OPERATIONS)}"
    warnings.warn(f"unknown operation {given!r}, so no category filter{hint}", stacklevel=6)
    return None


def _min_confidence(given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise InvalidValue("min_confidence", given, "a number from 0 to 1")
    return round(given * 1000)


def _rank(given: object) -> str:
    if given not in RANKS:
        raise InvalidValue("rank", given, f"one of {', '.join(RANKS)}")
    if given not in BUILT_RANKS:
        raise NotInThisVersion(f"rank {given}")
    return str(given)


def _limit(given: object) -> int | None:
    if given is None:
        return None
    return _count("limit", given)


def _offset(given: object) -> int:
    return _count("offset", given)


def _exact(given: object) -> bool:
    if not isinstance(given, bool):
        raise InvalidValue("count", given, "true or false")
    return given


def _count(name: str, given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise InvalidValue(name, given, "a whole number, 0 or more")
    return given


_READERS = {
    "operation": _operation,
    "min_confidence": _min_confidence,
    "rank": _rank,
    "limit": _limit,
    "offset": _offset,
    "count": _exact,
}


def _fields(folded: Folded | None) -> dict[str, Any]:
    if folded is None:
        return {}
    fields = {name: value(folded, name) for name in CONTENT_FIELDS}
    fields["confidence"] /= 1000
    return fields | {"status": folded.status, "ref": folded.stored[-1] if folded.stored else None}


def _change(event: Event, before: dict[str, Any], after: dict[str, Any], *, undone: bool) -> Change:
    empty = DEFAULTS | {"confidence": DEFAULT_CONFIDENCE / 1000} if not before else {}
    changes = {
        name: {"from": before.get(name), "to": new}
        for name, new in after.items()
        if new != before.get(name, empty.get(name)) and not (not before and new is None)
    }
    return Change(id=event.id, event=event.event, at=event.at, actor=event.actor, changes=changes, undone=undone)
