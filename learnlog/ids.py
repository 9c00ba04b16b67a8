"""Event ids: UUIDv7 text (RFC 9562), made greater than a given id, read back as a time; no clock and no randomness of its own.

An id is 36 lower-case characters. Its first 48 bits are milliseconds since 1970, then the version (7), a 12-bit counter,
the variant, and 62 bits that are random for an event made here and a content hash for an imported one. Because the fields
that order stand first, text order is time order.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable

ZERO = "00000000-0000-7000-8000-000000000000"
"""Below every id that is made."""

LATEST = "e677d21f-dbff-7fff-bfff-ffffffffffff"
"""The greatest id of the year 9999. A greater one is read like any other, but no clock follows it: it would leave none."""

_SHAPE = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_COUNTER_END = 1 << 12
_TAIL_BITS = (1 << 62) - 1
_VARIANT = 0b10 << 62
_TAIL_BYTES = 8
_VARIANT_OF = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}


def is_id(text: str) -> bool:
    """Whether `text` is a UUIDv7 in the form this library writes.

    >>> is_id(ZERO), is_id("L-001")
    (True, False)
    """
    return _SHAPE.fullmatch(text) is not None


def time_of(event_id: str) -> int:
    """The milliseconds since 1970 that an id carries.

    >>> time_of("0000018f-0000-7000-8000-000000000000") == 0x018F0000
    True
    """
    return int(event_id[:8] + event_id[9:13], 16)


def compose(time_ms: int, counter: int, tail: int) -> str:
    """The id with these fields: `time_ms` 0 to 2**48 - 1, `counter` 0 to 4095, `tail` of which 62 bits count."""
    head = f"{time_ms:012x}"
    rest = f"{_VARIANT | (tail & _TAIL_BITS):016x}"
    return f"{head[:8]}-{head[8:]}-7{counter:03x}-{rest[:4]}-{rest[4:]}"


def now_ms() -> int:
    """The wall clock in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class IdClock:
    """Makes ids, each greater than the one before and than `last`: a hybrid logical clock (invariant 3).

    `clock` gives milliseconds since 1970 and may stand still, jump or run behind: time then goes on in the counter, and
    in the next millisecond when the counter is full. `random` gives n random bytes.
    """

    def __init__(
        self, last: str = ZERO, *, clock: Callable[[], int] = now_ms, random: Callable[[int], bytes] = os.urandom
    ) -> None:
        self._clock, self._random = clock, random
        self._last = ZERO
        self._time_ms, self._counter = 0, 0
        self._prefix = ""
        self._tails, self._ask = "", _TAIL_BYTES
        self.follow(last)

    def follow(self, last: str) -> None:
        """Make all further ids greater than `last` too."""
        if last > self._last:
            self._last = last
            self._time_ms, self._counter = time_of(last), int(last[15:18], 16)
            self._prefix = ""

    def next(self) -> str:
        """The next id."""
        now = self._clock()
        if now > self._time_ms:
            self._time_ms, self._counter, self._prefix = now, 0, ""
        else:
            self._counter += 1
            if self._counter == _COUNTER_END:
                self._time_ms, self._counter, self._prefix = self._time_ms + 1, 0, ""
        if not self._prefix:
            self._prefix = compose(self._time_ms, 0, 0)[:15]
        if not self._tails:  # for one id alone, then for many at a time: each asking is a system call
            self._tails, self._ask = self._random(self._ask).hex(), _TAIL_BYTES * 64
        tail, self._tails = self._tails[:16], self._tails[16:]
        self._last = f"{self._prefix}{self._counter:03x}-{_VARIANT_OF[tail[0]]}{tail[1:4]}-{tail[4:]}"
        return self._last
