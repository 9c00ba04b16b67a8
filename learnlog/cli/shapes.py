"""Histories and findings in the shapes of the interface: JSON documents with exactly its members, and text for people.

Every stored text goes through `terminal` on its way into a text (invariant 10).
"""

from __future__ import annotations

from typing import Any

from learnlog.cli.listing import actor
from learnlog.doctor import Finding
from learnlog.model import Actor
from learnlog.snapshot import Change, History
from learnlog.terminal import line


def history_shown(known: History) -> dict[str, Any]:
    """The document of `history`."""
    return {"ref": known.ref, "events": [_change_shown(change) for change in known.events]}


def _change_shown(change: Change) -> dict[str, Any]:
    """One event; it says `undone` only where it is."""
    shown: dict[str, Any] = {"id": change.id, "event": change.event, "at": change.at, "actor": None, "changes": change.changes}
    if change.actor is not None:
        shown["actor"] = {name: getattr(change.actor, name) for name in Actor.__struct_fields__}
    return shown | ({"undone": True} if change.undone else {})


# Text ---------------------------------------------------------------------------------------------------------------


def history_text(known: History) -> str:
    """Each event with who, when, and what it changed."""
    return "\n".join(part for change in known.events for part in _change_lines(change))


def _change_lines(change: Change) -> list[str]:
    undone = "  (undone)" if change.undone else ""
    head = f"{line(change.at or '(no time)')}  {line(change.event)}  {_actor_text(change.actor)}  {line(change.id)}{undone}"
    return [head, *(f"  {name}: {_changed(both)}" for name, both in change.changes.items())]


def _changed(both: dict[str, Any]) -> str:
    new = _plain(both["to"])
    return new if both["from"] in (None, [], (), "") else f"{_plain(both['from'])} → {new}"


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return line(value) or "-"
    if isinstance(value, tuple | list) and all(isinstance(one, str) for one in value):
        return ", ".join(map(line, value)) or "-"
    return "-" if value is None else line(_json(value))


def finding_text(finding: Finding) -> str:
    """A finding with its place and what to do."""
    place = "" if finding.line is None else f"line {finding.line}"
    place += "" if finding.byte is None else f" (byte {finding.byte})"
    return f"{f'{place}: ' if place else ''}{finding.kind}: {line(finding.reason)}\n  {finding.remedy}"


def _actor_text(given: Actor | None) -> str:
    return actor(None if given is None else {name: getattr(given, name) for name in Actor.__struct_fields__})


def _json(value: Any) -> str:
    from learnlog.cli.output import json_text

    return json_text(value)
