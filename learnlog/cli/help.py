"""The help of one command as a text of a given width, made from its table; pure."""

from __future__ import annotations

from learnlog.cli.arguments import HELP, JSON, usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from learnlog.cli.commands import Command, Flag

_WIDEST_NAME = 22
"""Columns; what is wider has its explanation on the next line."""


def help_text(command: Command, width: int) -> str:
    """How the command is written, what it does, and a line or more for each argument and flag."""
    arguments = [(one.name, one.help) for one in command.arguments]
    flags = [(_names(one), one.help) for one in (*command.flags, JSON, HELP) if not one.later]
    names = min(max(len(name) for name, _ in (*arguments, *flags)), _WIDEST_NAME)
    parts = [f"usage: {usage(command)}", "", *_wrapped(f"{command.summary[0].upper()}{command.summary[1:]}.", width)]
    for title, rows in (("positional arguments:", arguments), ("options:", flags)):
        if rows:
            parts += ["", title, *(line for name, said in rows for line in _row(name, said, names, width))]
    return "\n".join(parts) + "\n"


def _names(flag: Flag) -> str:
    return ", ".join(f"{name} {flag.metavar}".rstrip() for name in flag.names)


def _row(name: str, said: str, names: int, width: int) -> list[str]:
    """A name with its explanation beside it, which goes on below itself."""
    lines = _wrapped(said, max(width - names - 4, 11))
    beside = "" if len(name) > names else lines.pop(0)
    return [f"  {name:<{names}}  {beside}".rstrip(), *(f"{'':<{names + 4}}{line}" for line in lines)]


def _wrapped(text: str, width: int) -> list[str]:
    """The words of a text in lines of at most `width`; a word that is longer stands alone."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return lines
