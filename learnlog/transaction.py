"""One critical section of a writer: what is known under the lock, the events that it decides on, and their one append.

It reads through a `Reading`, numbers what it makes by the log's `WriterState`, and gives the whole to `Log.append`.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from learnlog import ids
from learnlog.events import FORMAT_VERSION, Event, time_text
from learnlog.fold import Fold
from learnlog.guarding import Gate
from learnlog.ids import IdClock
from learnlog.logs import Log
from learnlog.logs.writer import WriterState
from learnlog.model import Actor, Content
from learnlog.naming import reference
from learnlog.reading import Reading

if TYPE_CHECKING:
    from learnlog.snapshot import Snapshot


class Transaction:
    """Made while the log's `writing()` is held. Nothing is on disk before `commit`."""

    def __init__(self, source: Transactions, writer: WriterState, ids: IdClock) -> None:
        self._source, self._writer = source, writer
        self._log, self._reading, self._clock = source.log, source.reading, source.clock
        self._ids = ids
        self._settling: list[Event] = []
        self._carried: list[Event] = []
        self._events: list[Event] = []
        self._ahead: Fold | None = None
        self._unseen = 0
        self.prefix, self.tier = source.prefix, source.tier
        self.pid = os.getpid()
        self._moment = (-1, "")

    @property
    def decided(self) -> list[Event]:
        """The events that the commit will append, as far as they are known."""
        return [*self._settling, *self._carried, *self._events]

    @property
    def empty(self) -> bool:
        """Whether there is nothing to append."""
        return not self._events and not self._carried

    @property
    def nothing_yet(self) -> bool:
        """Whether nothing was decided so far, a reference neither; asked for each row of many, so without making a list."""
        return not (self._events or self._carried or self._settling)

    def now_ms(self) -> int:
        """The wall clock."""
        return self._clock()

    def fold(self) -> Fold:
        """What is known with the events of this transaction."""
        if self.nothing_yet:
            return self._reading.fold()
        if self._ahead is None:
            self._ahead = self._reading.fold().copy()
            self._ahead.add([*self._settling, *self._carried])
        if self._unseen < len(self._events):
            self._ahead.add(self._events[self._unseen :])
            self._unseen = len(self._events)
        return self._ahead

    def fold_about(self, key: str, idem: str) -> Fold:
        """What is known of all that has to do with a (folded) key and an idempotency key: looked up, where the log was not
        read yet and there is something that knows it; else everything.
        """
        if self.nothing_yet and not self._reading.begun and self._source.lookup is not None:
            part = self._source.lookup(key, idem)
            if part is not None:
                return part
        return self.fold()

    def snapshot(self) -> Snapshot:
        """`fold`, to look things up in."""
        from learnlog.snapshot import Snapshot  # a command that only appends does without

        return Snapshot(self.fold(), tier=self._source.tier, now_ms=self._clock())

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

    def carry(self, events: Iterable[Event]) -> None:
        """Take events over from another log, to the letter: those that are not known here. They come before all others."""
        known = self.fold()
        self._carried += [event for event in events if not known.knows(event.id)]
        self._ahead, self._unseen = None, 0

    def hold(self, content: Content) -> None:
        """Refuse what a learning would say as a whole, when the guard does. Raises `Refused`."""
        self._source.gate.hold_content(content)

    def mark(self) -> tuple[int, int]:
        """Where the decisions stand now, for `back_to`."""
        return len(self._events), len(self._carried)

    def back_to(self, mark: tuple[int, int]) -> None:
        """Take back what was decided since `mark`: the block that decided it ended with an exception."""
        if self.mark() != mark:
            del self._events[mark[0] :], self._carried[mark[1] :]
            self._ahead, self._unseen = None, 0

    def new_reference(self) -> str:
        """A reference that nobody ever had."""
        return reference(self.prefix, self._writer.hand_out_number())

    def _parted(self) -> list[Event]:
        """References for learnings that were shown as one and, by these events, are not any more."""
        if all(event.event == "recorded" for event in self._events) or not self._reading.fold().joined():
            return []  # recording parts nothing, and reads nothing of the log
        references, actor = self.fold().state().references, self._events[-1].actor or Actor("agent")
        self._writer.next_number = max(self._writer.next_number, references.next_number)
        decided = len(self._events)
        for uid, ref in references.given.items():
            self.add("renumbered", uid, actor, ref=ref)
        return self._events[decided:]

    def commit(self) -> None:
        """Append everything in one write. The events of one call share a `batch` and say how many they are."""
        if self.empty:
            return
        events = list(self._events)
        parted = self._parted()
        if len(events) > 1 or (events and events[0].imported):
            batch, of = self._writer.hand_out_id(self._ids), len(events)
            events = [replace(event, batch=batch, of=of) for event in events]
        self._source.gate.hold_events([*self._carried, *events])
        was_settled, self._writer.settled = self._writer.settled, True
        try:
            self._log.append([*self._settling, *self._carried, *events, *parted])
        except BaseException:
            self._writer.settled = was_settled
            raise


class Transactions:
    """Opens the transactions of one log, for one thread at a time, each inside the lock; one inside another joins it."""

    def __init__(
        self,
        log: Log,
        reading: Reading,
        *,
        prefix: str,
        tier: str,
        clock: Callable[[], int],
        random: Callable[[int], bytes],
        gate: Gate,
    ) -> None:
        self.gate = gate
        self.log, self.reading, self.prefix, self.tier = log, reading, prefix, tier
        self.clock, self.random = clock, random
        self.lookup: Callable[[str, str], Fold | None] | None = None
        """Knows what has to do with a key and an idempotency key without reading the whole log; None when it does not."""
        self._open = threading.local()
        self._ids = IdClock(clock=clock, random=random)
        self._pid = os.getpid()

    def ids(self) -> IdClock:
        """The maker of ids; a forked child has one of its own, for it must not go on with its parent's random bytes."""
        if self._pid != os.getpid():
            self._ids, self._pid = IdClock(clock=self.clock, random=self.random), os.getpid()
        return self._ids

    def running(self) -> Transaction | None:
        """The transaction that this thread is inside of; in a forked child that of its parent is none."""
        tx: Transaction | None = getattr(self._open, "transaction", None)
        return tx if tx is not None and tx.pid == os.getpid() else None

    def run(self, tx: Transaction | None) -> None:
        """Say which transaction this thread is inside of."""
        self._open.transaction = tx

    def verb(self, actor: Actor) -> Opened:
        """The block of one verb: nobody else moves what was read meanwhile, and its answer is on disk when it ends."""
        return Opened(self, actor, is_verb=True)

    def batch(self, actor: Actor) -> Opened:
        """The block of several verbs: they see each other's events, and other threads read on."""
        return Opened(self, actor, is_verb=False)


class Opened:
    """The block of a transaction: committed when it ends well, taken back when it ends with an exception. A class, because
    a generator costs as much as two system calls.
    """

    __slots__ = ("_actor", "_is_verb", "_mark", "_source", "_tx", "_writing")

    def __init__(self, source: Transactions, actor: Actor, *, is_verb: bool) -> None:
        self._source, self._actor, self._is_verb = source, actor, is_verb

    def __enter__(self) -> Transaction:
        running = self._source.running()
        self._writing: AbstractContextManager[WriterState] | None = None
        if running is None:
            self._writing = self._source.log.writing()
            writer = self._writing.__enter__()
            try:
                running = Transaction(self._source, writer, self._source.ids())
                if not writer.settled:
                    with self._source.reading.lock:
                        running.settle(self._actor)
                self._source.run(running)
            except BaseException:
                self._writing.__exit__(*sys.exc_info())
                raise
        self._tx, self._mark = running, running.mark()
        if self._is_verb:
            self._source.reading.lock.acquire()
        return running

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        tx = self._tx
        if self._is_verb:
            self._source.reading.lock.release()
        if self._writing is None:
            if error is not None:
                tx.back_to(self._mark)
            return
        self._source.run(None)
        try:
            if error is None and tx.pid == os.getpid():  # in a forked child they are its parent's to commit
                tx.commit()
        finally:
            self._writing.__exit__(kind, error, trace)
        if error is None and tx.empty and self._is_verb:  # "unchanged" may rest on an event of another's, not on disk yet
            self._source.log.sync()
