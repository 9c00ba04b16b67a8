"""Learnings as text for people: a line each, with where the words of a search stand; or one with every field.

Every stored text goes through `terminal` on its way into a text (invariant 10). Loaded by what reads: imports next to nothing.
"""

from __future__ import annotations

import os

from learnlog import terminal
from learnlog.terminal import block, line, paint
from learnlog.text import query_words, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TextIO

    from learnlog.index.showing import Line

_SNIPPET_WORDS = 14
"""Words of a body that are shown around those that were looked for."""
_BEFORE = 4


def hits_text(hits: Sequence[Line], stream: TextIO | None, *, text: str = "", reasons: Sequence[str] = ()) -> str:
    """A line for each hit, cut to the terminal that reads it; behind it where the words of `text` stand, and its reasons."""
    width, colour = terminal.columns(stream), terminal.wants_colour(stream, os.environ)
    refs = max((len(hit.ref) for hit in hits), default=0)
    wanted = frozenset(query_words(text)) if text else frozenset()
    shown = []
    for at, hit in enumerate(hits):
        shown.append(_hit_line(hit, refs, width, colour))
        indent = " " * (refs + 12)
        found = snippet(hit.body, wanted) if wanted else []
        if found:
            shown.append(indent + _snippet_line(found, None if width is None else width - len(indent), colour))
        if reasons:
            shown.append(indent + paint(line(reasons[at]), "dim", colour=colour))
    return "\n".join(shown)


def _hit_line(hit: Line, refs: int, width: int | None, colour: bool) -> str:
    severity = f"{line(hit.severity):<8}"
    details = [line(hit.category), tenths(hit.effective / 1000), hit.date]
    if hit.project:
        details.insert(0, f"from {line(hit.project)}")
    if hit.status != "active":
        details.insert(0, hit.status)
    if hit.stack:
        details.append(line(hit.stack))
    title, tail = line(hit.title), f"({' '.join(filter(None, details))})"
    if width is not None:
        room = max(width - refs - len(severity) - 4, 10)
        title = terminal.fit(title, max(room - len(tail) - 2, 10, room // 2))
        tail = terminal.fit(tail, max(room - len(title) - 2, 1))
    head = f"{line(hit.ref):<{refs}}  {paint(severity, hit.severity, colour=colour)}"
    return f"{head}  {title}  {paint(tail, 'dim', colour=colour)}"


def snippet(body: str, wanted: frozenset[str]) -> list[tuple[str, bool]]:
    """The stretch of a body in which most of the wanted words stand: its pieces, each with whether it is one of them.

    >>> snippet("take the lock, then write", frozenset(["lock"]))
    [('take', False), ('the', False), ('lock,', True), ('then', False), ('write', False)]
    """
    pieces = body.split()
    found = [at for at, piece in enumerate(pieces) if not wanted.isdisjoint(tokens(piece))]
    if not found:
        return []

    def holds(start: int) -> int:
        there = {token for at in found if start <= at < start + _SNIPPET_WORDS for token in tokens(pieces[at])}
        return len(there & wanted)

    start = max(0, max((at - _BEFORE for at in found[:200]), key=holds))
    end = start + _SNIPPET_WORDS
    shown = [(piece, at in set(found)) for at, piece in enumerate(pieces[start:end], start)]
    return [*([("…", False)] if start else []), *shown, *([("…", False)] if end < len(pieces) else [])]


def _snippet_line(found: Sequence[tuple[str, bool]], width: int | None, colour: bool) -> str:
    made, room = [], width
    for piece, wanted in found:
        shown = line(piece)
        if room is not None:
            if room <= 1:
                break
            shown = terminal.fit(shown, room)
            room -= len(shown) + 1
        made.append(paint(shown, "bold" if wanted else "dim", colour=colour))
    return " ".join(made)


def tenths(confidence: float) -> str:
    """A confidence as people see it.

    >>> tenths(0.8), tenths(0.75), tenths(1.0)
    ('8/10', '7.5/10', '10/10')
    """
    return f"{round(confidence * 10, 2):g}/10"


def reasons_text(score: float | None, reasons: Mapping[str, Any]) -> str:
    """Why a hit stands where it stands.

    >>> reasons_text(0.6, {"words": {"lock": 1.0}, "confidence_factor": 0.6, "severity_factor": 1.0, "pinned": True})
    'pinned; 0.6 = (lock 1) × confidence 0.6 × severity 1'
    """
    first = "pinned; " if reasons.get("pinned") else ""
    if "words" not in reasons:
        return first + ", ".join(f"{name} {value}" for name, value in reasons.items() if name != "pinned")
    words = " + ".join(f"{word} {adds:g}" for word, adds in reasons["words"].items())
    factors = f"confidence {reasons['confidence_factor']:g} × severity {reasons['severity_factor']:g}"
    return f"{first}{score:g} = ({words}) × {factors}"


_ELSEWHERE = ("title", "body", "ref", "score")


def learning_text(learning: Mapping[str, Any]) -> str:
    """Every field of a learning, the body last."""
    lines = [f"{line(learning['ref'])}  {line(learning['title'])}"]
    lines += [f"  {name:<20} {_field(name, value)}" for name, value in learning.items() if name not in _ELSEWHERE]
    if learning["body"]:
        lines += ["", *(f"  {one}" for one in block(learning["body"]).split("\n"))]
    return "\n".join(lines)


def _field(name: str, value: Any) -> str:
    if name in ("confidence", "effective_confidence"):
        return tenths(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "actor":
        return actor(value)
    if isinstance(value, list):
        return ", ".join(map(line, value)) or "-"
    if value is None or value in ("", {}):
        return "-"
    if isinstance(value, str):
        return line(value)
    import json

    return line(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def actor(given: Mapping[str, str] | None) -> str:
    """Who did it, in a few words."""
    if given is None:
        return "-"
    name = f"{line(given['kind'])}:{line(given['name'])}" if given.get("name") else line(given["kind"])
    return f"{name} ({line(given['session'])})" if given.get("session") else name


def stats_text(counts: Mapping[str, Any]) -> str:
    """The counts, a line each."""
    average = "-" if counts["average_confidence"] is None else tenths(counts["average_confidence"])
    lines = [
        f"learnings           {counts['learnings']}",
        f"events              {counts['events']} ({counts['superseded_events']} superseded)",
        f"average confidence  {average}",
        f"log                 {counts['log_bytes']} bytes, {counts['unsealed_lines']} unsealed lines",
    ]
    for name in ("category", "severity", "scope", "origin", "status"):
        by = counts[f"by_{name}"]
        lines.append(f"by {name:<16} {', '.join(f'{line(word)} {count}' for word, count in by.items()) or '-'}")
    lines += [f"damaged line {one['line']}: {line(one['reason'])}" for one in counts["damaged_lines"]]
    return "\n".join(lines)
