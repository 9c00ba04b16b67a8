"""A learning as a text that a person edits, and back: `field: value` lines, a line of dashes, the body. Pure.

A field that may have several values has a line for each. A value that would not survive a line (line ends, spaces around
it, a quote at its beginning) is written as a JSON string, and one that begins with a quote is read as one.
"""

from __future__ import annotations

import json
from typing import Any

from learnlog.cli.arguments import comma_list, confidence
from learnlog.errors import InvalidValue
from learnlog.model import Learning

_DASHES = "-" * 8
_TEXTS = ("title", "key", "category", "severity", "scope", "confidence", "origin", "source", "checkpoint", "example", "outcome")
_MANY = {"stack": "stack", "tag": "tags", "file": "files", "evidence": "evidence", "alternative": "alternatives"}
"""The name in the form -> the field."""


class FormError(ValueError):
    """The text is no form: the message names the line."""


def form_text(learning: Learning) -> str:
    """The form of a learning."""
    lines = [
        f"# {learning.ref}: change what is wrong, save and leave. Lines like this one do not count.",
        "# A second tag, file, evidence or alternative goes on a line of its own; below the dashes is the body.",
    ]
    lines += [f"{name}: {_written(_shown(learning, name))}".rstrip(" ") for name in _TEXTS]
    for name, field in _MANY.items():
        values = getattr(learning, field)
        given = [", ".join(values)] if name == "stack" and not any("," in one for one in values) else values
        lines += [f"{name}: {_written(value)}".rstrip(" ") for value in given or [""]]
    return "\n".join([*lines, _DASHES, learning.body]) + "\n"


def read_form(text: str, learning: Learning) -> dict[str, Any]:
    """The fields that the form gives another value than `learning` has. Raises `FormError`, `InvalidValue`."""
    texts, many, body = _parse(text)
    changes: dict[str, Any] = {
        name: given for name, given in texts.items() if given != _shown(learning, name) and not _unread(name, given, learning)
    }
    if "confidence" in changes:
        changes["confidence"] = confidence("confidence", changes["confidence"])
    for name, field in _MANY.items():
        given = [one for one in many[name] if one]
        values = (comma_list(given) if name == "stack" else given) or []
        if tuple(values) != getattr(learning, field):
            changes[field] = values
    if "\r" not in learning.body:  # an editor's line ends are no change of the text
        body = body.replace("\r\n", "\n")
    if body != learning.body:
        changes["body"] = body
    return changes


def _unread(name: str, given: str, learning: Learning) -> bool:
    """Whether an empty line of the form stands for a field that has a word by default or a key: it cannot be emptied."""
    if given:
        return False
    if name in ("source", "checkpoint", "example", "outcome"):
        return False
    raise InvalidValue(name, given, f"a value, as {_shown(learning, name)!r} was" if _shown(learning, name) else "a value")


def _parse(text: str) -> tuple[dict[str, str], dict[str, list[str]], str]:
    texts: dict[str, str] = {}
    many: dict[str, list[str]] = {name: [] for name in _MANY}
    rest = text
    number = 0
    while rest:
        number += 1
        line, _, rest = rest.partition("\n")
        line = line.removesuffix("\r")
        if line.startswith(_DASHES) and not line.strip("-"):
            return texts, many, rest.removesuffix("\n").removesuffix("\r")
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, value = line.partition(":")
        name = name.strip().lower()
        if not colon or (name not in _TEXTS and name not in _MANY):
            raise FormError(f"line {number}: {line[:40]!r} is none of {', '.join((*_TEXTS, *_MANY))}")
        if name in texts:
            raise FormError(f"line {number}: {name} stands there twice")
        if name in many:
            many[name].append(_read(value, number))
        else:
            texts[name] = _read(value, number)
    raise FormError(f"the line of dashes ({_DASHES}) above the body is gone")


def _shown(learning: Learning, name: str) -> str:
    value = getattr(learning, name)
    if name == "confidence":
        return str(value)
    return "" if value is None else str(value)


def _written(value: str) -> str:
    plain = value.isprintable() and value == value.strip() and not value.startswith('"')
    return value if plain else json.dumps(value, ensure_ascii=False)


def _read(value: str, number: int) -> str:
    text = value.strip(" \t")
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError as error:
        raise FormError(f"line {number}: a value that begins with a quote must be a JSON string: {error}") from error
