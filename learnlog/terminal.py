"""Text made safe and fitting for a terminal: stored text is data and never acts on the place that shows it (invariant 10).

Pure but for `columns` and `wants_colour`, which ask the stream. What is shown where is the command's to say.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

_JOINERS = "\u200c\u200d"
"""Zero-width, and needed to write Persian, Indic scripts and emoji: they move nothing and hide nothing."""
_FIRST_SELECTOR, _LAST_SELECTOR = "\U000e0100", "\U000e01ef"
_COLOURS = {"critical": "1;31", "high": "31", "medium": "33", "low": "2", "dim": "2", "bold": "1"}
DEFAULT_COLUMNS = 80


def line(text: str) -> str:
    """`text` on one line: line ends shown as ⏎, tabs as spaces, and everything that could act on a terminal as an escape.

    >>> line("a\\nb\\x1b[31m\\u202e")
    'a⏎b\\\\x1b[31m\\\\u202e'
    """
    if text.isprintable() and not _hides(text):
        return text
    return _visible(text.replace("\r\n", "\n").replace("\n", "⏎").replace("\t", " "))


def block(text: str) -> str:
    """`text` with its line ends kept, and everything else as in `line`."""
    if text.isprintable() and not _hides(text):
        return text
    return "\n".join(_visible(part.expandtabs(4)) for part in text.replace("\r\n", "\n").split("\n"))


def _hides(text: str) -> bool:
    """Whether bytes that nobody sees can stand in a text: a run of variation selectors carries any message."""
    return not text.isascii() and any(_FIRST_SELECTOR <= one <= _LAST_SELECTOR for one in text)


def _visible(text: str) -> str:
    if text.isprintable() and not _hides(text):
        return text
    return "".join(map(_escape, text))


def _escape(character: str) -> str:
    """The character, or how Python would write it when it controls, reorders, hides, or is half a pair (fault 16, 20)."""
    hides = _FIRST_SELECTOR <= character <= _LAST_SELECTOR
    if (character.isprintable() and not hides) or character in _JOINERS:
        return character
    from unicodedata import category

    if not hides and category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return character  # spaces of all kinds, private use, and what is newer than this Python
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def fit(text: str, width: int) -> str:
    """`text` cut to `width` columns, with … where something is left out; wide characters count two.

    >>> fit("thread pool", 8), fit("脚本修复", 5), fit("short", 8)
    ('thread …', '脚本…', 'short')
    """
    if len(text) * 2 <= width or _columns_of(text) <= width:
        return text
    kept = []
    left = width - 1
    for character in text:
        left -= _columns_of(character)
        if left < 0:
            break
        kept.append(character)
    return "".join(kept) + "…"


def _columns_of(text: str) -> int:
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(one) else 2 if east_asian_width(one) in "WF" else 1 for one in text)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person reads the stream."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def columns(stream: TextIO | None) -> int | None:
    """The width of the terminal that reads the stream; None when none does, and nothing is to be cut."""
    if stream is None or not is_terminal(stream):
        return None
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(stream.fileno()).columns or DEFAULT_COLUMNS
    except (OSError, ValueError):
        return DEFAULT_COLUMNS


def wants_colour(stream: TextIO | None, environment: Mapping[str, str]) -> bool:
    """Colour only for a terminal, and never with NO_COLOR set or on a dumb one."""
    return is_terminal(stream) and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def paint(text: str, style: str, *, colour: bool) -> str:
    """`text` in the colour of a severity, `dim` or `bold`; as it is without `colour` or for a style that is not known."""
    code = _COLOURS.get(style)
    return f"\x1b[{code}m{text}\x1b[0m" if colour and code else text
