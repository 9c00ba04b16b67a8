"""What a writer must know before it appends: the greatest id and the next free number, followed event by event; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from learnlog import ids
from learnlog.events import Event
from learnlog.ids import IdClock
from learnlog.references import number_of


class WriterState:
    """`last_id`: no event made here has a greater one (imported ids never advance the clock). `next_number`: no stored
    reference has this number or a higher one. `settled`: no learning can be waiting for a reference of its own.

    What is handed out counts at once, before it is written, so that two stores in one batch never get the same.
    """

    def __init__(self, last_id: str = ids.ZERO, next_number: int = 1, *, settled: bool = True) -> None:
        self.last_id, self.next_number, self.settled = last_id, next_number, settled
        self._highest = next_number - 1

    def hand_out_id(self, clock: IdClock, above: str = ids.ZERO) -> str:
        """An id for a new event, above all others and above `above`."""
        clock.follow(self.last_id)
        clock.follow(above)
        self.last_id = clock.next()
        return self.last_id

    def hand_out_number(self) -> int:
        """The number of a new reference."""
        self.next_number += 1
        return self.next_number - 1

    def follow(self, events: Iterable[Event]) -> None:
        """Take in events that were appended. A number that is not above all before it may be held twice: not settled."""
        for event in events:
            if event.imported is None and event.id > self.last_id:
                self.last_id = event.id
            if event.ref:
                number = number_of(event.ref)
                if number < self.next_number:
                    self.settled = False
                else:
                    self.next_number = number + 1
        self._highest = self.next_number - 1

    def written(self, events: Sequence[Event]) -> None:
        """Take in events as they were appended: made of what was handed out, or brought in with references of their own."""
        self.last_id = max(self.last_id, max((event.id for event in events if event.imported is None), default=ids.ZERO))
        for event in events:
            if event.ref:
                number = number_of(event.ref)
                if number <= self._highest:
                    self.settled = False  # perhaps held twice: the next writer looks
                else:
                    self._highest = number
        self.next_number = max(self.next_number, self._highest + 1)
