"""The fold: a set of events to the state of all learnings; pure, no I/O, no clock (invariant 2).

state = fold(events)            # any order, any repeats
state.learnings["0192…"]        # a `Folded`
state.find("L-007")             # the uids that answer to it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter

from msgspec import UNSET
from msgspec.structs import replace
from xxhash import xxh3_64_intdigest

from learnlog import events as codec
from learnlog.collector import collector_off
from learnlog.events import Event
from learnlog.identity import Pair, folded, pair_of
from learnlog.naming import canonical, number_of
from learnlog.reduce import DELETED, MOVED, Folded, born, reduce
from learnlog.references import Assignment, assign
from learnlog.vocabulary import REFERENCE_PREFIXES

_by_id = attrgetter("id")
_by_birth = attrgetter("birth")
_TIER_OF = {prefix: tier for tier, prefix in REFERENCE_PREFIXES.items()}


class Fold:
    """A fold that goes on: events added later give the state that all of them at once would have given.

    `own` is every learning as its own events have it, by uid. `idems` has the event of every idempotency key.
    """

    def __init__(self, *, prefix: str = "L") -> None:
        self.prefix = prefix
        self.own: dict[str, Folded] = {}
        self.idems: dict[str, Event] = {}
        self._groups: dict[str, list[Event]] = {}
        self._keys: dict[str, dict[str, None]] = {}
        self._ids: set[str] = set()
        self._state: State | None = None

    def copy(self) -> Fold:
        """Another fold that begins where this one stands."""
        other = Fold(prefix=self.prefix)
        other.own, other.idems, other._ids = dict(self.own), dict(self.idems), set(self._ids)
        other._groups = {uid: list(group) for uid, group in self._groups.items()}
        other._keys = {key: dict(uids) for key, uids in self._keys.items()}
        return other

    def add(self, events: Iterable[Event]) -> None:
        """Add events, of which an id that is known already is left out (see `fold` for one id with two contents)."""
        with collector_off():
            self._add(events)
        self._state = None

    def _add(self, events: Iterable[Event]) -> None:
        groups, own, keys = self._groups, self.own, self._keys
        again: set[str] = set()
        for event in self._new(events):
            uid = event.uid
            if uid in groups:
                groups[uid].append(event)
                again.add(uid)
            else:
                groups[uid] = [event]
                if event.event == "recorded":
                    own[uid] = born(uid, event)
            learning = event.learning
            if learning is not None and learning.key is not UNSET:
                keys.setdefault(folded(learning.key), {})[uid] = None
            if event.idem and ((seen := self.idems.get(event.idem)) is None or event.id < seen.id):
                self.idems[event.idem] = event
        for uid in again:
            groups[uid].sort(key=_by_id)
            one = reduce(uid, groups[uid])
            if one is not None:
                own[uid] = self._seen_from_here(one) if one.tiers else one

    def _new(self, events: Iterable[Event]) -> list[Event]:
        """Those of `events` that were not added before, each once, ordered by id."""
        given = list(events)
        every = [event.id for event in given]
        ids = set(every)
        if every != sorted(every):  # nearly always in order, and then sorting by an attribute is a waste
            given.sort(key=_by_id)
        if len(ids) < len(given):
            given = list({event.id: event for event in reversed(given)}.values())[::-1]
        if not self._ids:
            self._ids = ids
        else:
            given = [event for event in given if event.id not in self._ids]
            self._ids |= ids
        return given

    def __len__(self) -> int:
        """The number of different events so far."""
        return len(self._ids)

    def knows(self, event_id: str) -> bool:
        """Whether an event with this id was added."""
        return event_id in self._ids

    def events(self) -> Iterator[Event]:
        """Every event, learning by learning."""
        return (event for group in self._groups.values() for event in group)

    def events_of(self, uids: Iterable[str]) -> list[Event]:
        """Every event of these learnings, ordered by id."""
        return sorted((event for uid in uids for event in self._groups.get(uid, ())), key=_by_id)

    def orphans(self) -> list[Event]:
        """The events of learnings whose birth has not come in."""
        return [event for uid in self._groups.keys() - self.own.keys() for event in self._groups[uid]]

    def joined_with(self, uid: str) -> tuple[str, ...]:
        """The uids of all live learnings that hold the (category, key) of this one, oldest first; itself alone if none.

        Decided on what each is by its own events.
        """
        pair = pair_of(self.own[uid].content)
        if pair is None or self.own[uid].status == DELETED:
            return (uid,)
        return tuple(one.uid for one in sorted(self._live(pair), key=_by_birth))

    def shown(self, uids: tuple[str, ...]) -> Folded:
        """Joined learnings as the one that is shown, under the oldest's uid, from the events of all."""
        if len(uids) == 1:
            return self.own[uids[0]]
        one = reduce(uids[0], self.events_of(uids))
        assert one is not None  # each of them has a birth
        # The oldest's references last, so that it is shown under its own; the younger ones' are aliases.
        younger = dict.fromkeys(ref for uid in uids[1:] for ref in self.own[uid].stored)
        stored = (*(ref for ref in younger if ref not in self.own[uids[0]].stored), *self.own[uids[0]].stored)
        return self._seen_from_here(replace(one, stored=stored))

    def _seen_from_here(self, one: Folded) -> Folded:
        """A learning that was moved, as the log of this fold's tier shows it: under a reference of its own, and as gone when it
        lives elsewhere.
        """
        if not one.tiers:
            return one
        ours = [ref for ref in one.stored if ref.startswith(f"{self.prefix}-")]
        stored = (*(ref for ref in one.stored if ref not in ours), *ours)
        here = _TIER_OF.get(self.prefix) in one.tiers
        return replace(one, stored=stored, status=one.status if here else MOVED)

    def joined(self) -> list[tuple[str, ...]]:
        """Every group of two and more learnings that are shown as one."""
        groups: dict[str, tuple[str, ...]] = {}
        for uids in self._keys.values():
            if len(uids) > 1:
                for uid in uids:
                    if uid in self.own and len(together := self.joined_with(uid)) > 1:
                        groups[together[0]] = together
        return list(groups.values())

    def holder_of(self, pair: Pair) -> str | None:
        """The uid that a record of this (category, key) patches: who holds it now, a live one before a deleted one, else
        who was born with it; None when nobody did.
        """
        candidates = sorted((self.own[uid] for uid in self._keys.get(pair[1], ()) if uid in self.own), key=_by_birth)
        now = [one for one in candidates if pair_of(one.content) == pair]
        if now:
            return min(now, key=lambda one: one.status == DELETED).uid
        return next((one.uid for one in candidates if self._birth_pair(one) == pair), None)

    def only_holder_of_key(self, key: str) -> str | None:
        """The uid of the one learning that holds this (folded) key in whatever category; None for none or several."""
        holders = set()
        for uid in self._keys.get(key, ()):
            if uid in self.own and (pair := pair_of(self.own[uid].content)) and pair[1] == key:
                holders.add(self.joined_with(uid)[0])
        return holders.pop() if len(holders) == 1 else None

    def state(self) -> State:
        """The state now."""
        if self._state is None:
            with collector_off():
                self._state = State(self)
        return self._state

    def _live(self, pair: Pair) -> list[Folded]:
        held = (self.own[uid] for uid in self._keys.get(pair[1], ()) if uid in self.own)
        return [one for one in held if one.status != DELETED and pair_of(one.content) == pair]

    def _birth_pair(self, one: Folded) -> Pair | None:
        birth = next(event for event in self._groups[one.uid] if event.id == one.birth)
        return pair_of(birth.learning) if birth.learning else None


class State:
    """What is known: `learnings` by uid, one for each group that is joined, and the references they answer to.

    `members` has, for a learning that joins several, all their uids, its own first.
    """

    def __init__(self, source: Fold) -> None:
        self._own = source.own
        self.learnings = dict(source.own)
        self.members = {uids[0]: uids for uids in source.joined()}
        self._into = {uid: uids[0] for uids in self.members.values() for uid in uids[1:]}
        for uids in self.members.values():
            for uid in uids[1:]:
                del self.learnings[uid]
            self.learnings[uids[0]] = source.shown(uids)
        highest = max((number_of(event.ref) for event in source.orphans()), default=0)
        claims = sorted(self.learnings.values(), key=_by_birth)
        self.references: Assignment = assign(claims, prefix=source.prefix, highest=highest)

    def ref(self, uid: str) -> str:
        """The reference that stands for a learning now."""
        return self.references.given.get(uid) or self.learnings[uid].stored[-1]

    def members_of(self, uid: str) -> tuple[str, ...]:
        """The uids of all learnings that are shown as this one, its own first."""
        return self.members.get(uid, (uid,))

    def shown_uid(self, uid: str) -> str:
        """The uid under which a learning is shown: its own, or that of the older one it is joined to."""
        return self._into.get(uid, uid)

    def find(self, token: str) -> tuple[str, ...]:
        """The uids that answer to a reference, present or past, a uid, a beginning of one, or `NATIVE@FORMAT`."""
        ref = canonical(token)
        if held := self.references.holders.get(ref or "") or self.references.holders.get(token):
            return held
        low = token.lower()
        if low in self._own:
            return (self.shown_uid(low),)
        if "@" in token:
            return tuple(uid for uid, one in self.learnings.items() if token in one.native)
        if len(low) >= 4:
            return tuple(dict.fromkeys(self.shown_uid(uid) for uid in self._own if uid.startswith(low)))
        return ()


def fold(events: Iterable[Event], *, prefix: str = "L") -> State:
    """The state that a set of events makes. Of different events with one id the one with the larger hash counts.

    `prefix` is that of references that the fold itself has to give out.
    """
    going = Fold(prefix=prefix)
    going.add(_distinct(events))
    return going.state()


def _distinct(events: Iterable[Event]) -> list[Event]:
    best: dict[str, Event] = {}
    refs: dict[str, set[str]] = {}
    for event in events:
        known = best.get(event.id)
        if known is None or (known != event and _weight(event) > _weight(known)):
            best[event.id] = event
        refs.setdefault(event.id, set()).add(event.ref)
    return [codec.with_refs(event, refs[event.id]) for event in best.values()]


def _weight(event: Event) -> int:
    return xxh3_64_intdigest(codec.encode(event))
