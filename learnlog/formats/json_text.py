"""JSON files that keep learnings in top-level lists: where each element begins. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from learnlog.formats.rows import Unreadable

BOM = "\ufeff"
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class Element(Struct, frozen=True, kw_only=True):
    """One element of a top-level list: the member that holds the list ("" when the document is the list itself), the
    element's position in it (from 1), and the line it begins on (from 1).
    """

    member: str
    position: int
    line: int
    value: Any


def decoded(data: bytes) -> str:
    """The text of a UTF-8 file, without a byte order mark. Raises `Unreadable`."""
    try:
        return data.decode("utf-8").removeprefix(BOM)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"not UTF-8 at line {line}, byte {error.start}") from error


def parsed(text: str) -> Any:
    """The document in `text`. Raises `Unreadable` with the line where it stops being JSON."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(f"not JSON at line {error.lineno}: {error.msg}") from error
    except RecursionError as error:
        raise Unreadable("nested too deeply") from error
    except ValueError as error:  # a number of thousands of digits
        raise Unreadable(f"not JSON: {error}") from error


def elements(text: str) -> Iterator[Element]:
    """Every element of the document's lists: of itself, or of its members. `text` is what `parsed` took."""
    at = _skip(text, 0)
    if text[at] == "[":
        yield from _of_list(text, at, "")[0]
    elif text[at] == "{":
        yield from _of_object(text, at)


def _of_object(text: str, at: int) -> Iterator[Element]:
    at = _skip(text, at + 1)
    while text[at] != "}":
        name, at = _DECODER.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)  # behind the colon
        if text[at] == "[":
            found, at = _of_list(text, at, name)
            yield from found
        else:
            _, at = _DECODER.raw_decode(text, at)
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)


def _of_list(text: str, at: int, member: str) -> tuple[list[Element], int]:
    """The elements of the list that begins at `at`, and where it ends."""
    found: list[Element] = []
    line, counted = text.count("\n", 0, at) + 1, at
    at = _skip(text, at + 1)
    while text[at] != "]":
        line, counted = line + text.count("\n", counted, at), at
        value, at = _DECODER.raw_decode(text, at)
        found.append(Element(member=member, position=len(found) + 1, line=line, value=value))
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found, at + 1


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None  # it matches nothing too
    return match.end()
