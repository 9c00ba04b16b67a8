"""gstack's `learnings.jsonl`: one JSON object a line, the newest line of a key and type counts. Pure.

The field map is in `docs/formats.md`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, UnsetType

from learnlog.formats.members import Members
from learnlog.formats.rows import Refusal, Refused, Row, Source, Unreadable
from learnlog.formats.sentences import first_sentence
from learnlog.model import Content
from learnlog.vocabulary import ORIGINS

NAME = "gstack"
EXPECTS = "JSON lines, each an object with an insight and a type or key"
TYPES = ("pattern", "pitfall", "preference", "architecture", "tool", "operational", "investigation")
_BOM = b"\xef\xbb\xbf"
_LOOKED_AT = 100
"""Lines that detection reads at most."""
_BESIDE_INSIGHT = ("type", "key", "confidence", "source")


def detect(data: bytes) -> bool:
    """Whether at least half of the first objects in `data` look like gstack's."""
    objects = own = 0
    for _, line in _lines(data):
        value = _object(line)
        if value is not None:
            objects += 1
            own += "insight" in value and any(name in value for name in _BESIDE_INSIGHT)
        if objects == _LOOKED_AT:
            break
    return own > 0 and own * 2 >= objects


def read(data: bytes) -> Source:
    """The rows of a file. Raises `Unreadable` when it has lines and none of them has an insight."""
    rows: list[Row] = []
    refused: list[Refusal] = []
    seen = False
    for number, line in _lines(data):
        seen = True
        try:
            rows.append(_row(number, _parsed(line)))
        except Refused as error:
            refused.append(Refusal(line=number, kind=error.kind, message=str(error)))
    if seen and not rows and not any("insight" in (_object(line) or ()) for _, line in _lines(data)):
        raise Unreadable(f"not gstack's learnings: expected {EXPECTS}")
    return Source(rows=tuple(rows), refused=tuple(refused))


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers. Only a line feed ends a line (fault 15); a BOM is skipped."""
    for number, line in enumerate(data.split(b"\n"), 1):
        text = line.strip(b" \t\r")
        while text.startswith(_BOM):
            text = text[len(_BOM) :].lstrip(b" \t\r")
        if text:
            yield number, text


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = _parsed(line)
    except Refused:
        return None
    return value if isinstance(value, dict) else None


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Refused("malformed", f"not UTF-8 at byte {error.start} of the line") from error
    except RecursionError as error:
        raise Refused("malformed", "nested too deeply") from error
    except ValueError as error:
        raise Refused("malformed", f"not JSON: {error}") from error


def _row(number: int, value: object) -> Row:
    members = Members(value)
    insight = members.take("insight")
    if not isinstance(insight, str) or not insight.strip():
        raise Refused("shape", "no insight: expected a text that is not empty")
    title = first_sentence(insight)
    confidence = _confidence(members)
    key = members.key("key")
    category = members.word("type", TYPES)
    origin = members.word("source", ORIGINS)
    files = members.texts("files")
    at, time = members.time("ts", written=lambda at: at.replace(".000Z", "Z"))
    content = Content(
        key=key,
        title=title,
        body=UNSET if title == insight else insight,
        category=category,
        origin=origin,
        files=files,
        confidence=confidence,
        extra=members.extra(),
    )
    return Row(line=number, content=content, at=at, time=time, unusual=tuple(members.notes))


def _confidence(members: Members) -> int | UnsetType:
    value = members.take("confidence")
    if value is None:
        return UNSET
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10:
        raise Refused("invalid-value", f"confidence {value!r:.40} is not a whole number from 1 to 10")
    return value * 100
