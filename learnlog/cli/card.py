"""A learning that wants a person, as a card of at most a screen; pure. Stored text goes through `terminal` (invariant 10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from learnlog import terminal
from learnlog.cli.listing import tenths
from learnlog.reviewing import Candidate, age_days
from learnlog.terminal import block, line, paint

if TYPE_CHECKING:
    from learnlog.model import Learning

_LEAST_BODY = 3
_TITLE_ROWS = 6
_REASON_ROWS = 3
_INDENT = "  "


def card(candidate: Candidate, place: str, *, columns: int, rows: int, colour: bool, now_ms: int) -> str:
    """The card; `place` is where it stands among the others, `rows` how many lines it may have."""
    one = candidate.learning
    rule = terminal.fit(f"-- {place} {'-' * columns}", columns + 1)[:columns]
    title = _bounded(line(one.title), columns, max(1, min(_TITLE_ROWS, rows // 5)))
    head = [rule, *_head(one, columns, now_ms, colour), *(paint(part, "bold", colour=colour) for part in title)]
    about = [
        terminal.fit(f"{name}: {', '.join(map(line, values))}", columns)
        for name, values in (("stack", one.stack), ("files", one.files))
        if values
    ]
    why = [part for reason in candidate.reasons for part in _bounded(f"* {line(reason.text)}", columns, _REASON_ROWS)]
    others = [terminal.fit(f"  {number}  {_as_other(other)}", columns) for number, other in enumerate(candidate.others, 1)]
    room = rows - len(head) - len(about) - len(why) - len(others)
    return "\n".join([*head, *_body(one, columns, max(room, _LEAST_BODY)), *about, *why, *others])


def _head(one: Learning, columns: int, now_ms: int, colour: bool) -> list[str]:
    age = age_days(one, now_ms)
    now = "" if one.effective_confidence == one.confidence else f", now {tenths(one.effective_confidence)}"
    facts = [
        line(one.ref),
        line(one.tier),
        f"scope {line(one.scope)} (by {line(one.classified_by or 'nobody knows whom')})",
        line(one.severity),
        line(one.category),
        f"{tenths(one.confidence)}{now}",
        "of an unknown day" if age is None else "of today" if age == 0 else f"{age} day{'s' if age > 1 else ''} old",
    ]
    facts += [word for word, holds in (("proposed", one.status == "proposed"), ("trusted", one.trusted)) if holds]
    return [paint(part, one.severity, colour=colour) for part in packed(facts, " · ", columns)]


def _as_other(other: Learning) -> str:
    status = " (proposed)" if other.status == "proposed" else ""
    return f"{line(other.ref)}{status}  {line(other.title)}"


def _body(one: Learning, columns: int, room: int) -> list[str]:
    """As much of the body as there is room for; what is left out is said."""
    width = max(columns - len(_INDENT), 1)
    shown: list[str] = []
    left = block(one.body[: 8 * width * room])  # more than that no screen takes
    cut = len(left) < len(one.body)
    for part in left.split("\n") if left.strip() else []:
        shown += wrapped(part, width, most=room + 1 - len(shown))
        if len(shown) > room:
            cut = True
            break
    if cut:
        shown = [*shown[: room - 1], f"… (learnlog show {line(one.ref)})"]
    return [_INDENT + terminal.fit(part, width) for part in shown]


def _bounded(text: str, columns: int, most: int) -> list[str]:
    """At most so many lines, with … where something is left out."""
    lines = wrapped(text, columns, most=most + 1)
    return lines if len(lines) <= most else [*lines[: most - 1], terminal.fit(f"{lines[most - 1]} {lines[most]}", columns)]


def packed(items: Sequence[str], between: str, width: int) -> list[str]:
    """Items on lines of at most `width` columns, none broken that fits one.

    >>> packed(["k keep", "n skip", "q quit"], "  ", 15)
    ['k keep  n skip', 'q quit']
    """
    lines: list[str] = []
    for item in items:
        longer = f"{lines[-1]}{between}{item}" if lines else item
        if lines and terminal.fit(longer, width) == longer:
            lines[-1] = longer
        else:
            lines += wrapped(item, width)
    return lines


def wrapped(text: str, width: int, *, most: int = 1 << 30) -> list[str]:
    """One line as lines of at most `width` columns, at most so many; broken at a space where there is one.

    >>> wrapped("keep the lock short", 9), wrapped("脚本修复", 5)
    (['keep the', 'lock', 'short'], ['脚本', '修复'])
    """
    lines: list[str] = []
    while len(lines) < most:
        piece = text[: 4 * width + 1]
        head = piece if terminal.fit(piece, width) == piece else terminal.fit(piece, width + 1)[:-1] or piece[:1]
        if len(head) < len(text) and " " in head.strip() and text[len(head)] != " ":
            head = head[: head.rindex(" ")]
        lines.append(head.rstrip(" "))
        text = text[len(head) :].lstrip(" ")
        if not text:
            break
    return lines
