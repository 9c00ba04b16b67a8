"""A log read once and followed from there: the fold of all that was read, and what was found on the way."""

from __future__ import annotations

import threading

from learnlog.fold import Fold
from learnlog.logs import Log, Mark
from learnlog.logs.scan import Damage


class Reading:
    """Follows one log. `fold` is that of everything in the log now, and goes on: hold `lock` while working with it."""

    def __init__(self, log: Log, *, prefix: str) -> None:
        self._log, self._prefix = log, prefix
        self.lock = threading.RLock()
        self._start()

    def _start(self) -> None:
        self._fold = Fold(prefix=self._prefix)
        self._mark: Mark | None = None
        self.damaged: list[Damage] = []
        self.unsealed: set[int] = set()
        self.conflicting: list[str] = []
        self.newer = 0

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
            if not look.whole and any(self._fold.knows(event.id) for event in look.scan.events):
                look = self._log.look(None)  # a repeated id: which line counts is decided over all of them
                assert look is not None
            if look.whole:
                self._start()
            found = look.scan
            self._mark = look.mark
            self.damaged += found.damaged
            self.unsealed |= set(found.unsealed)
            self.newer = max(self.newer, found.newer)
            before = len(self._fold)
            self._fold.add(found.events)
            if len(self._fold) - before < len(found.events):  # which of two lines with one id counts is not the fold's to say
                self._fold = Fold(prefix=self._prefix)
                self._fold.add(found.distinct())
                self.conflicting = found.conflicting_ids()
            return self._fold
