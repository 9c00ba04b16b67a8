"""A log in memory: the executable specification of `Log`, for tests and for programs that keep nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from learnlog.errors import Outdated
from learnlog.events import Event, encode
from learnlog.logs import Look, Mark
from learnlog.logs.scan import Scan
from learnlog.logs.writer import WriterState


class MemoryLog:
    """Events in a list. Safe for threads, gone with the process; a position is a number of events."""

    name = ":memory:"

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._lock = threading.RLock()
        self._state = WriterState()

    def append(self, events: Sequence[Event], expect: int | None = None) -> list[int]:
        """See `Log.append`."""
        with self.writing() as writer:
            if expect is not None and expect != self.head():
                raise Outdated("position", expect, self.head())
            for event in events:
                encode(event)  # what no file could hold is refused here too, before anything is kept
            first = self.head()
            self._events.extend(events)
            writer.written(events)
            return [first + count for count in range(1, len(events) + 1)]

    def read(self, after: int | None = None) -> Iterator[Event]:
        """See `Log.read`."""
        return iter(self._events[after or 0 :])

    def head(self) -> int:
        """See `Log.head`."""
        return len(self._events)

    def look(self, mark: Mark | None) -> Look | None:
        """See `Log.look`."""
        after = mark.end if mark else 0
        events = self._events[after:]
        if mark is not None and not events:
            return None
        end = after + len(events)
        sources = [encode(event) for event in events]
        found = Scan(
            events=events,
            sources=sources,
            numbers=range(after + 1, end + 1),
            damaged=[],
            unsealed=[],
            lines=end,
            end=end,
            begins=lambda: range(len(events)),
            lines_before=after,
            start=after,
            size=len(events),
        )
        return Look(scan=found, mark=Mark(version=(end,), end=end, lines=end, digest=0), whole=mark is None)

    def reread(self, spans: Sequence[tuple[int, int]]) -> list[Event]:
        """See `Log.reread`."""
        events = [self._events[start] for start, _ in spans]
        lines = [encode(event) for event in events]
        return Scan(events=events, sources=lines, numbers=[], damaged=[], unsealed=[], lines=0, end=0).distinct()

    def sync(self) -> None:
        """See `Log.sync`: there is no disk."""

    @contextmanager
    def writing(self) -> Iterator[WriterState]:
        """See `Log.writing`."""
        with self._lock:
            yield self._state
