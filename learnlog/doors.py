"""What a library of several logs needs of each of them, beyond the verbs: taken in by `Store`, not meant for its callers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from learnlog import deciding
from learnlog.actor import actor_from
from learnlog.done import Decision, Done
from learnlog.drafting import Draft
from learnlog.events import Event
from learnlog.guarding import Gate
from learnlog.identity import as_number
from learnlog.model import Actor
from learnlog.reading import Reading
from learnlog.reduce import Folded
from learnlog.transaction import Transaction

if TYPE_CHECKING:
    from learnlog.snapshot import Snapshot


class Doors:
    """The attributes are those of `Store`."""

    _gate: Gate
    _reading: Reading
    _by: str | None
    _session: str | None
    _actors: dict[tuple[str | None, str | None], Actor]
    _verb: Callable[[Actor], AbstractContextManager[Transaction]]
    _snapshot: Callable[[], AbstractContextManager[Snapshot]]
    _ask: Callable[[Callable[[Any], Any]], Any]
    _done: Callable[[Decision], Done]

    def record_drafted(self, given: Draft, *, by: str | None = None, session: str | None = None) -> Done:
        """`record`, of what was checked and classified already: the door for `Library`."""
        actor = self.actor(by, session)
        self._gate.hold_content(given.content)
        with self._verb(actor) as tx:
            return self._done(deciding.record(tx, given.content, actor, proposed=given.proposed, idem=given.idem))

    def whole(self, reference: str) -> tuple[Folded, Sequence[Event]]:
        """A learning as it is folded, and every event of all that are shown as it. Raises `NoSuchLearning`."""
        with self._snapshot() as snapshot:
            known = snapshot.find(reference)
            return known, self.events_of(snapshot.state.members_of(known.uid))

    def holds_key(self, key: str) -> bool:
        """Whether a learning that lives in this log has this key now."""
        named = as_number(key)
        held = "SELECT 1 FROM learning WHERE named = ? AND status != 'moved' LIMIT 1"
        return bool(self._ask(lambda index: index.execute(held, (named,)).fetchone() is not None))

    def moved_away(self, key: object) -> str | None:
        """The uid of the learning with this key that lived in this log and lives elsewhere now."""
        if not isinstance(key, str):
            return None
        moved = "SELECT uid FROM learning WHERE named = ? AND status = 'moved' LIMIT 1"
        row = self._ask(lambda index: index.execute(moved, (as_number(key),)).fetchone())
        return None if row is None else str(row[0])

    def last_call(self, actor: Actor) -> Sequence[Event]:
        """What an actor did last here and nobody has undone."""
        with self._reading.lock:
            return deciding.last_call(self._reading.fold(), actor)

    def done_of(self, reference: str, *, status: str) -> Done:
        """An answer about a learning as it is now. Raises `NoSuchLearning`."""
        with self._snapshot() as snapshot:
            return self._done(deciding.standing(snapshot.find(reference), status))

    def events_of(self, uids: Iterable[str]) -> Sequence[Event]:
        """Every event of these learnings, ordered by id."""
        with self._reading.lock:
            return self._reading.fold().events_of(uids)

    def decide(self, actor: Actor, decide: Callable[[Transaction], Decision]) -> Done:
        """Let `decide` add events to one append and answer with what it decided: the door for verbs over several logs."""
        with self._verb(actor) as tx:
            return self._done(decide(tx))

    def actor(self, by: str | None, session: str | None) -> Actor:
        """The actor of a call; asking the environment a dozen times costs as much as an append."""
        if not isinstance(by, str | None) or not isinstance(session, str | None):
            return actor_from(by, session)  # raises, and names the one that is wrong
        actor = self._actors.get((by, session))
        if actor is None:
            actor = actor_from(self._by if by is None else by, self._session if session is None else session)
            self._gate.hold(actor=actor)
            self._actors[by, session] = actor
        return actor
