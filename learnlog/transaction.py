"""One critical section of a writer: what is known under the lock, the events that it decides on, and their one append.

It reads through a `Reading`, numbers what it makes by the log's `WriterState`, and gives the whole to `Log.append`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from learnlog import ids
from learnlog.events import FORMAT_VERSION, Event, time_text
from learnlog.fold import Fold
from learnlog.ids import IdClock
from learnlog.logs import Log
from learnlog.logs.writer import WriterState
from learnlog.model import Actor
from learnlog.reading import Reading
from learnlog.references import reference

if TYPE_CHECKING:
    from learnlog.snapshot import Snapshot


class Transaction:
    """Made while the log's `writing()` is held. Nothing is on disk before `commit`."""

    def __init__(
        self,
        log: Log,
        reading: Reading,
        writer: WriterState,
        *,
        prefix: str,
        tier: str,
        clock: Callable[[], int],
        random: Callable[[int], bytes],
    ) -> None:
        self._log, self._reading, self._writer = log, reading, writer
        self._prefix, self._tier, self._clock = prefix, tier, clock
        self._ids = IdClock(clock=clock, random=random)
        self._settling: list[Event] = []
        self._events: list[Event] = []
        self._ahead: Fold | None = None
        self._unseen = 0
        self.pid = os.getpid()
        self._moment = (-1, "")

    @property
    def empty(self) -> bool:
        """Whether there is nothing to append."""
        return not self._events

    def now_ms(self) -> int:
        """The wall clock."""
        return self._clock()

    def fold(self) -> Fold:
        """What is known with the events of this transaction."""
        if not self._events and not self._settling:
            return self._reading.fold()
        if self._ahead is None:
            self._ahead = self._reading.fold().copy()
            self._ahead.add(self._settling)
        if self._unseen < len(self._events):
            self._ahead.add(self._events[self._unseen :])
            self._unseen = len(self._events)
        return self._ahead

    def snapshot(self) -> Snapshot:
        """`fold`, to look things up in."""
        from learnlog.snapshot import Snapshot  # a command that only appends does without

        return Snapshot(self.fold(), tier=self._tier, now_ms=self._clock())

    def settle(self, actor: Actor) -> None:
        """Store the references that the fold gave to learnings which no event has given one (after a merge). Comes first."""
        if self._writer.settled:
            return
        state = self._reading.fold().state()
        self._writer.next_number = max(self._writer.next_number, state.references.next_number)
        for uid, ref in state.references.given.items():
            self.add("renumbered", uid, actor, ref=ref)  # above the clock is enough: see `WriterState.follow`
        self._settling, self._events = self._events, []

    def add(self, kind: str, uid: str | None, actor: Actor, *, above: str = ids.ZERO, **members: Any) -> Event:
        """Decide on an event; `uid` None makes a new learning of it, whose uid is the event's id.

        `above` is the newest event that it is to come after.
        """
        event_id = self._writer.hand_out_id(self._ids, above)
        now = self._clock()
        if now != self._moment[0]:
            self._moment = (now, time_text(now))
        event = Event(
            v=FORMAT_VERSION,
            id=event_id,
            event=kind,
            uid=uid or event_id,
            at=self._moment[1],
            actor=actor,
            **members,
        )
        self._events.append(event)
        return event

    def take(self, event: Event) -> None:
        """Decide on an event that is made already."""
        self._events.append(event)

    def mark(self) -> int:
        """Where the decisions stand now, for `back_to`."""
        return len(self._events)

    def back_to(self, mark: int) -> None:
        """Take back what was decided since `mark`: the block that decided it ended with an exception."""
        if len(self._events) > mark:
            del self._events[mark:]
            self._ahead, self._unseen = None, 0

    def new_reference(self) -> str:
        """A reference that nobody ever had."""
        return reference(self._prefix, self._writer.hand_out_number())

    def commit(self) -> None:
        """Append everything in one write. The events of one call share a `batch` and say how many they are."""
        if not self._events:
            return
        events = self._events
        if len(events) > 1 or events[0].imported:
            batch, of = self._writer.hand_out_id(self._ids), len(events)
            events = [replace(event, batch=batch, of=of) for event in events]
        was_settled, self._writer.settled = self._writer.settled, True
        try:
            self._log.append([*self._settling, *events])
        except BaseException:
            self._writer.settled = was_settled
            raise
