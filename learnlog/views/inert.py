"""Stored text in Markdown with as few signs as can be: as it is when nothing in it acts, else as a code span. Pure.

For texts that people and agents read as prose, where `markdown` with its code spans all over would not be what is expected.
What stands in a bullet after it has gone through here stays there (invariant 10, fault 44).
"""

from __future__ import annotations

from learnlog import terminal
from learnlog.views.markdown import code

ELLIPSIS = "…"
_ACTS = frozenset("`*[]<>&\\|~#$^{}@")
"""What begins something in Markdown, in HTML, or in what GitHub adds to them, wherever it stands; `_` acts beside a word."""
_MAY_BEGIN = "\"'("


def told(text: str, longest: int | None = None) -> str:
    """`text` on one line, plain or as code; cut, with … behind it, when it would show more than `longest` characters.

    >>> told("Use select_related for joins."), told("# rules"), told("a long story", 6)
    ('Use select_related for joins.', '`# rules`', 'a long…')
    """
    shown, is_cut = cut(text, longest)
    return inert(shown + ELLIPSIS if is_cut else shown)


def cut(text: str, longest: int | None) -> tuple[str, bool]:
    """The first `longest` characters of `text` as a terminal may show it on one line, and whether that is not all."""
    text = text.strip()
    if longest is None:
        return terminal.line(text), False
    # Of a megabyte not all is made safe. Twice: a line end may be two characters and is shown as one.
    shown = terminal.line(text[: 2 * longest + 2])
    return (shown, False) if len(shown) <= longest else (shown[:longest], True)


def inert(shown: str) -> str:
    """A line as it is when nothing in it acts, else as a code span."""
    return shown if is_inert(shown) else code(shown)


def is_inert(line: str) -> bool:
    """Whether the line is words and nothing else to Markdown, be it at the beginning of a line or inside of one.

    >>> is_inert("3.11 is not 3.9, is it?"), is_inert("1. first"), is_inert("see example.com"), is_inert("_so_")
    (True, False, False, False)
    """
    if not line.isprintable() or not _ACTS.isdisjoint(line) or not _begins_plainly(line) or line[-1:] == " ":
        return False
    return all(_is_in_a_word(line, at) for at, one in enumerate(line) if one == "_") and not _may_be_a_link(line)


def _begins_plainly(line: str) -> bool:
    number = line.lstrip("0123456789")
    if number != line and number[:1] in (".", ")") and number[1:2] in ("", " "):
        return False  # a numbered list
    return line[:1].isalnum() or (line[:1] in _MAY_BEGIN and line != "")


def _is_in_a_word(line: str, at: int) -> bool:
    return 0 < at < len(line) - 1 and line[at - 1].isalnum() and line[at + 1].isalnum()


def _may_be_a_link(line: str) -> bool:
    """Whether some reader of Markdown would make a link of a part: of an address, a host's name, a file's."""
    return "//" in line or any(line[at : at + 1] == "." and line[at + 1 : at + 2].isalpha() for at in range(len(line)))
