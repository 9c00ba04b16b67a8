"""The members of one native row, taken one by one; what is left at the end is `extra`, under its own name. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from learnlog.events import canonical_time
from learnlog.formats.rows import NativeTime, Note, Refused

DEPTH = 64
"""How deeply a row may be nested: readers of the log give up on much deeper ones."""


class Members:
    """Takes known members out of a row. One that has not the type of its field is left, noted in `notes`, and so kept in
    `extra`; a null states nothing and is dropped. Raises `Refused` for values that JSON cannot hold.
    """

    def __init__(self, members: object) -> None:
        if not isinstance(members, dict):
            raise Refused("shape", f"not an object but {_kind_of(members)}")
        _check(members)
        self._rest: dict[str, Any] = dict(members)
        self.notes: list[Note] = []

    def text(self, name: str) -> str | UnsetType:
        """A text of any content."""
        value = self._take(name, "a text", lambda value: isinstance(value, str))
        return UNSET if value is UNSET else str(value)

    def word(self, name: str, usual: Sequence[str]) -> str | UnsetType:
        """A word, kept as it is; one that is not `usual` is noted."""
        value = self._take(name, "a word", lambda value: isinstance(value, str) and bool(value.strip()))
        if not isinstance(value, str):
            return UNSET
        word = value.strip()
        if word not in usual:
            self.note("unknown-word", f"{name} {_short(word)} is none of {', '.join(usual)}; kept as it is")
        return word

    def texts(self, name: str) -> tuple[str, ...] | UnsetType:
        """A list of texts, kept as it is."""
        value = self._take(name, "a list of texts", _is_texts)
        return UNSET if value is UNSET else tuple(value)

    def key(self, name: str) -> str | UnsetType:
        """A text that can serve as a key: printable, not empty."""
        value = self._take(name, "a printable text", lambda value: isinstance(value, str) and _is_key(value.strip()))
        return UNSET if value is UNSET else str(value.strip())

    def native_id(self, name: str) -> str:
        """The row's own id, empty when it has none. A number is taken as its digits, and kept as the number that it is."""
        value = self._rest.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        text = self._take(name, "a text", lambda value: isinstance(value, str) and bool(value.strip()))
        return "" if text is UNSET else str(text.strip())

    def flag(self, name: str) -> bool:
        """Whether the member is true; false when it is absent."""
        value = self._take(name, "true or false", lambda value: isinstance(value, bool))
        return value is True

    def time(self, name: str, *, written: Callable[[str], str]) -> tuple[str | None, NativeTime | None]:
        """The row's time, as this library writes it and as the row gives it.

        `written` makes the native form of a time: one that it would not give back stays in `extra` too, as does one that
        cannot be read.
        """
        given = self._rest.get(name)
        if given is None:
            self._rest.pop(name, None)
            self.note("no-time", f"no {name}: ordered as oldest")
            return None, None
        at = canonical_time(given)
        if at is None:
            self.note("unreadable-time", f"{name} {_short(given)} cannot be read as a time: ordered as oldest")
            return None, None
        if written(at) == given:
            del self._rest[name]
        return at, NativeTime(member=name, given=given)

    def extra(self) -> dict[str, Any] | UnsetType:
        """What nobody took."""
        return self._rest or UNSET

    def note(self, kind: str, message: str) -> None:
        """Say that something is unusual."""
        self.notes.append(Note(kind=kind, message=message))

    def peek(self, name: str) -> Any:
        """A member's value, None when it is absent; it is not taken."""
        return self._rest.get(name)

    def take(self, name: str) -> Any:
        """A member's value, None when it is absent."""
        return self._rest.pop(name, None)

    def _take(self, name: str, expected: str, fits: Callable[[Any], bool]) -> Any:
        value = self._rest.get(name)
        if value is None:
            self._rest.pop(name, None)
            return UNSET
        if fits(value):
            return self._rest.pop(name)
        self.note("odd-value", f"{name} {_short(value)} is not {expected}; kept in extra")
        return UNSET


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_key(text: str) -> bool:
    return bool(text) and text.isprintable()


def _check(members: dict[str, Any]) -> None:
    """Refuse what a log cannot keep: numbers that are none (fault 17), and nesting beyond `DEPTH`."""
    level: list[Any] = [members]
    for _ in range(DEPTH):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below += value.values()
            elif isinstance(value, list):
                below += value
            elif isinstance(value, float) and not math.isfinite(value):
                raise Refused("invalid-value", f"{value} is no number that JSON can hold")
        level = below
        if not level:
            return
    raise Refused("shape", f"nested more than {DEPTH} deep")


def _kind_of(value: object) -> str:
    if value is None:
        return "null"
    names = {bool: "a truth value", int: "a number", float: "a number", str: "a text", list: "a list"}
    return names.get(type(value), type(value).__name__)


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
