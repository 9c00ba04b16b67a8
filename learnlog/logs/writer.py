"""What a writer must know before it appends: the greatest id and the next free number, followed event by event; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from learnlog import ids
from learnlog.events import Event
from learnlog.ids import IdClock
from learnlog.naming import number_of


class WriterState:
    """`last_id`: no event made here has a greater one (imported ids never advance the clock). `next_number`: no stored
    reference has this number or a higher one. `settled`: no learning can be waiting for a reference of its own.

    What is handed out counts at once, before it is written, so that two stores in one batch never get the same.
    """

    def __init__(self, last_id: str = ids.ZERO, next_number: int = 1, *, settled: bool = True) -> None:
        self.last_id, self.next_number, self.settled = last_id, next_number, settled
        self._handed_out: set[int] = set()
        self._made: set[str] = set()

    def hand_out_id(self, clock: IdClock, above: str = ids.ZERO) -> str:
        """An id for a new event, above all others and above `above`."""
        clock.follow(self.last_id)
        if above > self.last_id and _may_lead(above):
            clock.follow(above)
        self.last_id = clock.next()
        self._made.add(self.last_id)
        return self.last_id

    def hand_out_number(self) -> int:
        """The number of a new reference."""
        number, self.next_number = self.next_number, self.next_number + 1
        self._handed_out.add(number)
        return number

    def follow(self, events: Iterable[Event]) -> None:
        """Take in events that were appended by others. A number that is not above all before it may be held twice, and a
        learning without one waits for it: not settled.
        """
        for event in events:
            self._follow_id(event)
            self.follow_number(event)

    def _follow_id(self, event: Event) -> None:
        if event.imported is None and event.id > self.last_id and _may_lead(event.id):
            self.last_id = event.id

    def follow_number(self, event: Event) -> None:
        """Take in only what an event says of references: the id of an unsealed line does not advance the clock."""
        if event.ref:
            number = number_of(event.ref)
            if number < self.next_number:
                self.settled = False
            else:
                self.next_number = number + 1
        elif event.event == "recorded":
            self.settled = False

    def written(self, events: Sequence[Event]) -> None:
        """Take in events that were appended while this writer held the log: of what it handed out, or from elsewhere."""
        for event in events:
            if event.id in self._made:
                self._made.discard(event.id)
                continue
            self._follow_id(event)
            if number_of(event.ref) not in self._handed_out:
                self.follow_number(event)


def _may_lead(event_id: str) -> bool:
    """Whether a clock may go on from an id: it is one, and leaves time for others."""
    return event_id <= ids.LATEST and ids.is_id(event_id)
