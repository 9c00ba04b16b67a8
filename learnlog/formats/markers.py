"""A block of ours in a file of somebody else's: between two marker lines, every byte outside of them kept. Pure.

The line that ends the block carries the XXH3-64 of what is between, so that an edit by hand is noticed. What the file is, and
how it is written, is for whoever calls.
"""

from __future__ import annotations

import re

from xxhash import xxh3_64_hexdigest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

BEGIN = "<!-- learnlog:begin -->"
END = "<!-- learnlog:end xxh3:{} -->"
_MARKER = re.compile(rb"([ \t]*)<!--[ \t]*learnlog:(begin|end)\b(?:[ \t]+xxh3:([0-9a-f]{16})\b)?[^>]*?-->[ \t]*")
# However far it is indented, and behind the mark of a list: what closes one in a list item is indented as the item is.
_FENCE = re.compile(rb"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})(.*)")
_BOM = b"\xef\xbb\xbf"


class Misplaced(Exception):
    """The markers are not where a block could be told from the rest: the message says which lines, and nothing is done."""


class Placed:
    """A file with the block in it, and what a person wrote where the block was (None: nothing)."""

    __slots__ = ("data", "edited")

    def __init__(self, data: bytes, edited: bytes | None = None) -> None:
        self.data, self.edited = data, edited


class _Marker:
    __slots__ = ("digest", "end", "indented", "kind", "line", "start")

    def __init__(self, line: int, start: int, end: int, found: re.Match[bytes]) -> None:
        self.line, self.start, self.end = line, start, end
        self.indented, self.kind, self.digest = bool(found[1]), found[2].decode(), found[3]


def block(text: str) -> str:
    """`text`, which is empty or ends with a line end, between its markers.

    >>> print(block("Known.\\n"), end="")
    <!-- learnlog:begin -->
    Known.
    <!-- learnlog:end xxh3:c53a57823313f537 -->
    """
    return f"{BEGIN}\n{text}{_end(text)}\n"


def place(data: bytes | None, text: str) -> Placed:
    """The bytes of a file (None: there is none) with `text` for its block, in the line ends of the file: instead of the block
    that is there, else behind everything. No text: a block that is there becomes empty, and none is made.

    Raises `Misplaced` when markers stand in a code fence, indented, alone, or more than twice.
    """
    data = b"" if data is None else data
    markers, open_fence = _scan(data)
    if not markers:
        if not text:
            return Placed(data)
        if open_fence:
            raise Misplaced(f"line {open_fence} opens a code fence that nothing closes: the block would stand in it")
        return Placed(data + _behind(data, block(text)))
    begin, end = _pair(markers)
    rest = data.find(b"\n", begin.end) + 1
    line_end = b"\r\n" if data[rest - 2 : rest - 1] == b"\r" else b"\n"
    between = data[rest : end.start]
    made = _with_line_ends(text + _end(text), line_end)
    is_ours = not between.strip() or end.digest == _digest(between) or _lf(between) == text.encode()
    return Placed(data[:rest] + made + data[end.end :], None if is_ours else between)


def _end(text: str) -> str:
    return END.format(_digest(text.encode()).decode())


def _digest(between: bytes) -> bytes:
    """Of what stands between, as it was made: a checkout that turned the line ends is no edit (fault 19)."""
    return xxh3_64_hexdigest(_lf(between)).encode()


def _lf(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _with_line_ends(text: str, line_end: bytes) -> bytes:
    return text.encode().replace(b"\n", line_end)


def _behind(data: bytes, made: str) -> bytes:
    """What is added to a file to put a block behind what is there, with an empty line before it."""
    line_end = b"\r\n" if data[: data.find(b"\n")].endswith(b"\r") else b"\n"
    if data.removeprefix(_BOM) == b"" or _lf(data).endswith(b"\n\n") or _lf(data) == b"\n":
        apart = b""
    else:
        apart = line_end if data.endswith(b"\n") else 2 * line_end
    return apart + _with_line_ends(made, line_end)


# Where the markers are ------------------------------------------------------------------------------------------------


def _pair(markers: Sequence[_Marker]) -> tuple[_Marker, _Marker]:
    indented = next((one for one in markers if one.indented), None)
    if indented is not None:
        raise Misplaced(f"the marker in line {indented.line} is indented: it must begin its line")
    if [one.kind for one in markers] == ["begin", "end"]:
        return markers[0], markers[1]
    if len(markers) == 1:
        other = "end" if markers[0].kind == "begin" else "begin"
        raise Misplaced(f"line {markers[0].line} has the marker learnlog:{markers[0].kind}, and no line has learnlog:{other}")
    lines = ", ".join(f"{one.kind} in line {one.line}" for one in markers[:10])
    raise Misplaced(f"more than one block, or its ends in the wrong order: {lines}")


def _scan(data: bytes) -> tuple[list[_Marker], int]:
    """The markers of a file, and the line that opens a code fence which is still open at the end (0: none is)."""
    found: list[_Marker] = []
    fence, opened, start = b"", 0, 0
    for number, line in enumerate(data.split(b"\n"), 1):
        skipped = len(_BOM) if number == 1 and line.startswith(_BOM) else 0
        bare = line[skipped:].rstrip(b"\r")
        marker = _MARKER.fullmatch(bare)
        edge = _FENCE.fullmatch(bare)
        if marker and fence:
            raise Misplaced(f"the marker in line {number} stands in the code fence that line {opened} opens")
        if marker:
            at = start + skipped
            found.append(_Marker(number, at, at + len(bare.rstrip()), marker))
        elif edge and not fence:
            fence, opened = edge[1], number
        elif edge and edge[1].startswith(fence) and not edge[2].strip():
            fence, opened = b"", 0
        start += len(line) + 1
    return found, opened
