"""What reading a foreign file gives: rows, refused rows, and what was unusual; values only, no format knows another.

A later issue adds writing: what a source did not say stays `UNSET` in `Row.content`, and what has no field stays in
`extra` under its own name, so that a row can be written back as it came.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from learnlog.model import Content


class Note(Struct, frozen=True, kw_only=True):
    """Something unusual about a row that was read: `kind` is a word to filter by, `message` a sentence."""

    kind: str
    message: str


class Refusal(Struct, frozen=True, kw_only=True):
    """A row that was not read: the line it begins on (from 1) and why."""

    line: int
    kind: str
    message: str


class NativeTime(Struct, frozen=True, kw_only=True):
    """A row's time as its file gives it, and the name of the member that holds it."""

    member: str
    given: Any


class Row(Struct, frozen=True, kw_only=True):
    """One learning of a foreign file.

    `line` is where it begins (from 1). `native` is its own id, unique within `project`; both are empty in formats without
    ids. `at` is its time as `events` writes one, None when it has none that can be read, and `time` is that time as the
    file gives it. `archived` says that the source has put it away, at `archived_at` where that is known.
    """

    line: int
    content: Content
    native: str = ""
    project: str = ""
    at: str | None = None
    time: NativeTime | None = None
    archived: bool = False
    archived_at: str | None = None
    unusual: tuple[Note, ...] = ()


class Source(Struct, frozen=True, kw_only=True):
    """What one file holds, in the order of the file."""

    rows: tuple[Row, ...]
    refused: tuple[Refusal, ...] = ()


class Format(Struct, frozen=True, kw_only=True):
    """A foreign format: `expects` says in words what a file of it looks like.

    `detect` decides by content, never by name; `read` raises `Unreadable` when the data as a whole is not of the format.
    Both are pure.
    """

    name: str
    expects: str
    detect: Callable[[bytes], bool]
    read: Callable[[bytes], Source]


class Unreadable(ValueError):
    """The data as a whole cannot be read: the message says why, and where that is known."""


class Refused(ValueError):
    """One row cannot be read: `kind` and the message become a `Refusal`."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        super().__init__(message)


def without_time(row: Row, note: Note) -> Row:
    """The row as one that has no time; the time that it gives stays in `extra`, under its own name."""
    if row.time is None:
        return replace(row, at=None, unusual=(*row.unusual, note))
    extra: dict[str, Any] | UnsetType = row.content.extra
    kept = {**({} if extra is UNSET else extra), row.time.member: row.time.given}
    content = replace(row.content, date=UNSET, extra=kept)
    return replace(row, at=None, content=content, unusual=(*row.unusual, note))
