"""What is known, in the shapes of the interface: JSON documents with exactly its members, and text for people.

Every stored text goes through `terminal` on its way into a text (invariant 10).
"""

from __future__ import annotations

import os
from typing import Any, TextIO

from msgspec import Struct

from learnlog import terminal
from learnlog.doctor import Finding
from learnlog.model import Actor, Hit, Hits, Learning
from learnlog.snapshot import Change, History, Stats
from learnlog.terminal import block, line, paint

HIT_MEMBERS = (
    "ref", "uid", "key", "title", "body", "category", "severity", "scope", "tier", "status", "stack", "tags", "files",
    "confidence", "effective_confidence", "origin", "trusted", "source", "date", "classified_by", "score",
)  # fmt: skip


class Page(Struct, frozen=True, kw_only=True):
    """The document of `search` and `list`."""

    total: int | None
    more: bool
    hits: list[dict[str, Any]]


def page(hits: Hits) -> Page:
    """One page of hits with the members that the interface names, and no others."""
    return Page(total=hits.total, more=hits.more, hits=[{name: getattr(hit, name) for name in HIT_MEMBERS} for hit in hits])


def history_shown(known: History) -> dict[str, Any]:
    """The document of `history`."""
    return {"ref": known.ref, "events": [_change_shown(change) for change in known.events]}


def _change_shown(change: Change) -> dict[str, Any]:
    """One event; it says `undone` only where it is."""
    shown: dict[str, Any] = {"id": change.id, "event": change.event, "at": change.at, "actor": None, "changes": change.changes}
    if change.actor is not None:
        shown["actor"] = {name: getattr(change.actor, name) for name in Actor.__struct_fields__}
    return shown | ({"undone": True} if change.undone else {})


def stats_shown(counts: Stats) -> dict[str, Any]:
    """The document of `stats`."""
    shown = {name: getattr(counts, name) for name in Stats.__struct_fields__}
    shown["damaged_lines"] = [{"line": one.line, "reason": one.reason} for one in counts.damaged_lines]
    return shown


# Text ---------------------------------------------------------------------------------------------------------------


def hits_text(hits: Hits, stream: TextIO | None) -> str:
    """One line for each hit, cut to the terminal that reads it."""
    width, colour = terminal.columns(stream), terminal.wants_colour(stream, os.environ)
    refs = max((len(hit.ref) for hit in hits), default=0)
    return "\n".join(_hit_line(hit, refs, width, colour) for hit in hits)


def _hit_line(hit: Hit, refs: int, width: int | None, colour: bool) -> str:
    severity = f"{line(hit.severity):<8}"
    details = [line(hit.category), tenths(hit.effective_confidence), hit.date or ""]
    if hit.status != "active":
        details.insert(0, hit.status)
    if hit.stack:
        details.append(line(",".join(hit.stack)))
    title, tail = line(hit.title), f"({' '.join(filter(None, details))})"
    if width is not None:
        room = max(width - refs - len(severity) - 4, 10)
        title = terminal.fit(title, max(room - len(tail) - 2, 10, room // 2))
        tail = terminal.fit(tail, max(room - len(title) - 2, 1))
    head = f"{hit.ref:<{refs}}  {paint(severity, hit.severity, colour=colour)}"
    return f"{head}  {title}  {paint(tail, 'dim', colour=colour)}"


def tenths(confidence: float) -> str:
    """A confidence as people see it.

    >>> tenths(0.8), tenths(0.75), tenths(1.0)
    ('8/10', '7.5/10', '10/10')
    """
    return f"{round(confidence * 10, 2):g}/10"


_ELSEWHERE = ("title", "body", "ref")


def learning_text(learning: Learning) -> str:
    """Every field of a learning, the body last."""
    lines = [f"{line(learning.ref)}  {line(learning.title)}"]
    lines += [
        f"  {name:<20} {_field(name, getattr(learning, name))}" for name in Learning.__struct_fields__ if name not in _ELSEWHERE
    ]
    if learning.body:
        lines += ["", *(f"  {one}" for one in block(learning.body).split("\n"))]
    return "\n".join(lines)


def _field(name: str, value: Any) -> str:
    if name in ("confidence", "effective_confidence"):
        return tenths(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Actor):
        return _actor(value)
    if isinstance(value, tuple):
        return ", ".join(map(line, value)) or "-"
    if value is None or value in ("", {}):
        return "-"
    return line(value) if isinstance(value, str) else line(_json(value))


def _actor(actor: Actor | None) -> str:
    if actor is None:
        return "-"
    name = f"{line(actor.kind)}:{line(actor.name)}" if actor.name else line(actor.kind)
    return f"{name} ({line(actor.session)})" if actor.session else name


def history_text(known: History) -> str:
    """Each event with who, when, and what it changed."""
    return "\n".join(part for change in known.events for part in _change_lines(change))


def _change_lines(change: Change) -> list[str]:
    undone = "  (undone)" if change.undone else ""
    head = f"{line(change.at or '(no time)')}  {line(change.event)}  {_actor(change.actor)}  {line(change.id)}{undone}"
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


def stats_text(counts: Stats) -> str:
    """The counts, a line each."""
    average = "-" if counts.average_confidence is None else tenths(counts.average_confidence)
    lines = [
        f"learnings           {counts.learnings}",
        f"events              {counts.events} ({counts.superseded_events} superseded)",
        f"average confidence  {average}",
        f"log                 {counts.log_bytes} bytes, {counts.unsealed_lines} unsealed lines",
    ]
    for name in ("category", "severity", "scope", "origin", "status"):
        by = getattr(counts, f"by_{name}")
        lines.append(f"by {name:<16} {', '.join(f'{line(word)} {count}' for word, count in by.items()) or '-'}")
    lines += [f"damaged line {one.line}: {line(one.reason)}" for one in counts.damaged_lines]
    return "\n".join(lines)


def finding_text(finding: Finding) -> str:
    """A finding with its place and what to do."""
    place = "" if finding.line is None else f"line {finding.line}"
    place += "" if finding.byte is None else f" (byte {finding.byte})"
    return f"{f'{place}: ' if place else ''}{finding.kind}: {line(finding.reason)}\n  {finding.remedy}"


def _json(value: Any) -> str:
    from learnlog.cli.output import json_text

    return json_text(value)
