"""The seam between what is known and where it is kept: what every log can do, and what reading one gives.

`memory` is the executable specification, `file` the default; `tests/contract/` runs on each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from msgspec import Struct

from learnlog.events import Event
from learnlog.logs.scan import Scan
from learnlog.logs.writer import WriterState


class Mark(Struct, frozen=True, kw_only=True):
    """How far somebody has read, and what the log looked like: `version` changes whenever the log does, `end` is the
    position, `lines` the number of lines before it, `digest` that of the last bytes before it, and `chunks` the digests, 8
    bytes each, of what stands before those.
    """

    version: tuple[int, ...]
    end: int
    lines: int
    digest: int
    chunks: bytes = b""


class Look(Struct, frozen=True, kw_only=True):
    """What came since a mark: `whole` says that the log is not the one that was marked, and `scan` is all of it."""

    scan: Scan
    mark: Mark
    whole: bool


class Log(Protocol):
    """An append-only log of events. A position is a place between two of them, 0 the beginning."""

    @property
    def name(self) -> str:
        """What messages call it: a path or an address."""

    def append(self, events: Sequence[Event], expect: int | None = None) -> list[int]:
        """Append all events or none; returns the position behind each.

        Returns when they are on disk (invariant 7). Raises `Outdated` when `expect` is given and is not the head any
        more, `WriteFailed` when the disk refuses (the log is then as it was), `LockTimeout` and `LockFailed`.
        """

    def read(self, after: int | None = None) -> Iterator[Event]:
        """The events behind `after`, in the order of the log, repeats and unknown kinds too. Takes no lock."""

    def head(self) -> int:
        """The position behind the last whole line."""

    def look(self, mark: Mark | None) -> Look | None:
        """What came since `mark`, in bulk, with what was found on the way (damage, unsealed lines, newer versions).

        None when nothing did. Takes no lock (invariant 8).
        """

    def reread(self, spans: Sequence[tuple[int, int]]) -> list[Event]:
        """The events at these places (`Scan.spans`), of which an id that stands on several lines counts once (see `Scan`).

        Of a log that is not the one they were found in, whatever stands there now.
        """

    def sync(self) -> None:
        """Return when everything in the log is on disk, whoever wrote it. Raises `WriteFailed`."""

    def writing(self) -> AbstractContextManager[WriterState]:
        """Until the block ends nobody else appends; re-entrant in its thread. Raises `LockTimeout`, `LockFailed`."""
