"""ADD's `learnings.json` and `library.json`, its archive, and bare lists of the same entries. Pure.

The field map is in `docs/formats.md`.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import UNSET

from learnlog.events import canonical_time
from learnlog.formats.json_text import Element, decoded, elements, parsed
from learnlog.formats.members import Members
from learnlog.formats.rows import Note, Refusal, Refused, Row, Source, Unreadable
from learnlog.model import Content
from learnlog.vocabulary import SCOPES, SEVERITIES

NAME = "add"
EXPECTS = "JSON with a list of entries (or archived), each an object with a title and fields like body, scope, severity"
CATEGORIES = ("technical", "architecture", "anti-pattern", "performance", "collaboration", "process")
CLASSIFIERS = ("agent", "human")
_LISTS = ("entries", "archived")
_OWN = frozenset({"body", "scope", "stack", "category", "severity", "classified_by", "checkpoint_type"})
_REFERENCE = re.compile(r"(?:L|WL|OL)-\d+")
_DAMAGED_WRAPPER = re.compile(r'"(?:entries|archived)"\s*:\s*\[')


def detect(data: bytes) -> bool:
    """Whether `data` is a document of ADD's shape, or was one before it was damaged (reading it then says where)."""
    try:
        text = decoded(data)
    except Unreadable:
        return False
    if text.lstrip(" \t\r\n")[:1] not in ("{", "["):
        return False
    try:
        document = parsed(text)
    except Unreadable:
        return _was_of_this_shape(text)
    lists = _lists_of(document)
    entries = [entry for one in lists for entry in one]
    return any(map(_is_entry, entries)) or (isinstance(document, dict) and bool(lists) and not entries)


def read(data: bytes) -> Source:
    """The rows of a file, archived ones marked. Raises `Unreadable` when it does not parse or has no list of entries."""
    text = decoded(data)
    document = parsed(text)
    if not isinstance(document, list) and not _lists_of(document):
        raise Unreadable(f"not ADD's learnings: expected {EXPECTS}")
    wrapper: dict[str, Any] = document if isinstance(document, dict) else {}
    rows: list[Row] = []
    refused: list[Refusal] = []
    for element in elements(text):
        if element.member and element.member not in _LISTS:
            continue
        try:
            rows.append(_row(element, wrapper))
        except Refused as error:
            refused.append(Refusal(line=element.line, kind=error.kind, message=f"{_place(element)}: {error}"))
    return Source(rows=tuple(rows), refused=tuple(refused))


def _lists_of(document: object) -> list[list[Any]]:
    if isinstance(document, list):
        return [document]
    if isinstance(document, dict):
        return [document[name] for name in _LISTS if isinstance(document.get(name), list)]
    return []


def _is_entry(value: object) -> bool:
    """Whether it has a title and something that lists of other titled things do not have."""
    if not isinstance(value, dict) or "title" not in value:
        return False
    return not _OWN.isdisjoint(value) or _REFERENCE.fullmatch(str(value.get("id"))) is not None


def _was_of_this_shape(text: str) -> bool:
    own = sum(f'"{name}"' in text for name in _OWN)
    wrapped = _DAMAGED_WRAPPER.search(text) is not None or text.lstrip(" \t\r\n").startswith("[")
    return wrapped and '"title"' in text and own > 1


def _place(element: Element) -> str:
    native = element.value.get("id") if isinstance(element.value, dict) else None
    named = f" ({native!r:.60})" if isinstance(native, str) else ""
    return f"{element.member or 'entry'} {element.position}{named}"


def _row(element: Element, wrapper: dict[str, Any]) -> Row:
    members = Members(element.value)
    title = members.take("title")
    if not isinstance(title, str) or not title.strip():
        raise Refused("shape", "no title: expected a text that is not empty")
    native = members.native_id("id")
    archived = members.flag("archived") or element.member == "archived"
    archived_at = _archived_at(members, wrapper) if archived else None
    body = members.text("body")
    scope = members.word("scope", SCOPES)
    stack = members.texts("stack")
    category = members.word("category", CATEGORIES)
    severity = members.word("severity", SEVERITIES)
    source = members.text("source")
    classified_by = members.word("classified_by", CLASSIFIERS)
    checkpoint = members.text("checkpoint_type")
    at, time = members.time("date", written=lambda at: at[:10])
    content = Content(
        title=title.strip(),
        body=body,
        scope=scope,
        stack=stack,
        category=category,
        severity=severity,
        source=source,
        date=at[:10] if at else UNSET,
        classified_by=classified_by,
        checkpoint=checkpoint,
        extra=members.extra(),
    )
    return Row(
        line=element.line,
        content=content,
        native=native,
        project=source if isinstance(source, str) else _project(wrapper),
        at=at,
        time=time,
        archived=archived,
        archived_at=archived_at,
        unusual=tuple(members.notes),
    )


def _project(wrapper: dict[str, Any]) -> str:
    project = wrapper.get("project")
    return project if isinstance(project, str) else ""


def _archived_at(members: Members, wrapper: dict[str, Any]) -> str | None:
    """When the entry was archived: what it says itself, else what its wrapper says."""
    given = members.peek("archived_on")
    own = given is not None
    if not own:
        given = wrapper.get("archived_on")
    at = canonical_time(given)
    if own and at is not None:
        members.take("archived_on")
    if given is not None and at is None:
        members.notes.append(Note(kind="unreadable-time", message=f"archived_on {given!r:.40} cannot be read as a time"))
    return at
