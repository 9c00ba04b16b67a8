"""A log read once and followed from there: the fold of all that was read, and what was found on the way."""

from __future__ import annotations

import os
import threading
import weakref

from learnlog.fold import Fold
from learnlog.logs import Log, Mark
from learnlog.logs.scan import Damage, Scan


class Reading:
    """Follows one log. `fold` is that of everything in the log now, and goes on: hold `lock` while working with it."""

    def __init__(self, log: Log, *, prefix: str) -> None:
        self._log, self._prefix = log, prefix
        self.lock = threading.RLock()
        self._start()
        _open.add(self)

    def _reset_in_child(self) -> None:
        """After a fork: another thread, which is not in the child, may have held the lock and been in the middle of it."""
        self.lock = threading.RLock()
        self._start()

    def forget(self) -> None:
        """Begin anew with the next call."""
        with self.lock:
            self._start()

    def _start(self) -> None:
        self._fold = Fold(prefix=self._prefix)
        self._mark: Mark | None = None
        self.damaged: list[Damage] = []
        self.unsealed: set[int] = set()
        self.newer = 0
        self._unended = False

    @property
    def begun(self) -> bool:
        """Whether the log was read already, so that to go on is to read what is new."""
        return self._mark is not None

    @property
    def bytes(self) -> int:
        """The length of the log up to its last whole line, as last read."""
        return self._mark.end if self._mark else 0

    def fold(self) -> Fold:
        """The fold of the log as it is now: only what is new since the last call is read. Raises `LogUnreadable`."""
        with self.lock:
            look = self._log.look(self._mark)
            if look is None:
                return self._fold
            if not look.whole and (self._unended or self._repeats(look.scan)):
                # A repeated id: which line counts is decided over all of them. A last line that had no end: it may be another.
                look = self._log.look(None)
                assert look is not None
            if look.whole:
                self._start()
            found = look.scan
            self._mark = look.mark
            self._unended = found.unended
            self.damaged += found.damaged
            self.unsealed |= set(found.unsealed)
            self.newer = max(self.newer, found.newer)
            before = len(self._fold)
            self._fold.add(found.events)
            if len(self._fold) - before < len(found.events):  # which of two lines with one id counts is not the fold's to say
                self._fold = Fold(prefix=self._prefix)  # this look is whole: see above
                self._fold.add(found.distinct())
            return self._fold

    def _repeats(self, found: Scan) -> bool:
        """Whether an id stands on two of these lines, or on one of them and one that was read before."""
        ids = {event.id for event in found.events}
        return len(ids) < len(found.events) or any(map(self._fold.knows, ids))


_open: weakref.WeakSet[Reading] = weakref.WeakSet()


def _after_fork() -> None:
    for reading in list(_open):
        reading._reset_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
