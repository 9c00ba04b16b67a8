"""The foreign formats that can be read, and which of them a file is in; the files themselves are opened elsewhere.

A format is one module and one line of `FORMATS`. Detection goes by content, in the order of the table.
"""

from __future__ import annotations

from learnlog.errors import InvalidValue, NotInThisVersion
from learnlog.formats import add, gstack
from learnlog.formats.rows import Format, Unreadable

FORMATS = (
    Format(name=gstack.NAME, expects=gstack.EXPECTS, detect=gstack.detect, read=gstack.read),
    Format(name=add.NAME, expects=add.EXPECTS, detect=add.detect, read=add.read),
)

NAMES = (
    "learnlog",
    "add",
    "gstack",
    "instincts",
    "amplihack",
    "precedents",
    "learnings-md",
    "mcp-memory",
    "agentic-stack",
    "csv",
    "json",
    "claude-md",
)
"""Every name that the interface has, built or not."""


def named(name: str) -> Format:
    """The format with this name. Raises `NotInThisVersion` for one that is not built, `InvalidValue` for any other."""
    for one in FORMATS:
        if one.name == name:
            return one
    if name in NAMES:
        raise NotInThisVersion(f"format {name}")
    raise InvalidValue("format", name, f"one of {', '.join(NAMES)}")


def detect(data: bytes) -> Format:
    """The format that `data` is in. Raises `Unreadable`, saying what was expected (fault 50)."""
    check_encoding(data)
    for one in FORMATS:
        if one.detect(data):
            return one
    if not data.strip():
        raise Unreadable("it is empty")
    known = "; ".join(f"{one.name} ({one.expects})" for one in FORMATS)
    raise Unreadable(f"in no format that this version reads: {known}")


def check_encoding(data: bytes) -> None:
    """Raises `Unreadable` for UTF-16 and UTF-32, with a mark at the start or without (fault 18)."""
    head = data[:256]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or head.count(0) * 5 > len(head):
        raise Unreadable("it is UTF-16, UTF-32 or no text; save it as UTF-8")
