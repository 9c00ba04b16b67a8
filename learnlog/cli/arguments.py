"""Words of the command line to values: one parser, for the one command that runs, made from its table.

Every malformed value raises with what is allowed; no flag is ever ignored.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from learnlog.cli.commands import BY_NAME, LATER, LOG_FLAGS, Argument, Command, Flag
from learnlog.cli.failure import UsageError
from learnlog.errors import InvalidValue, NotInThisVersion

_HELP = Flag(names=("-h", "--help"), help="say what the command does")
_JSON = Flag(names=("--json",), help="answer with one JSON document")
_TENTHS = re.compile(r"([0-9]{1,2}(?:\.[0-9]+)?)/10")
_FRACTION = re.compile(r"[01]?\.[0-9]+")
_WHOLE = re.compile(r"[0-9]{1,18}")
CONFIDENCES = "0.0 to 1.0, 8/10, or a whole number from 2 to 10 for tenths (1 could be either: write 1.0 or 1/10)"


def choose(words: Sequence[str]) -> tuple[Command, list[str]]:
    """The command that `words` name, and the words for it. `--log` and `--project` may stand before it."""
    front, rest = _global_flags(list(words))
    if not rest:
        raise UsageError("no command given; `learnlog help` lists them")
    name, *rest = rest
    if name in ("-h", "--help"):
        name = "help"
    if name in LATER:
        raise NotInThisVersion(name)
    command = BY_NAME.get(name)
    if command is None:
        what = "flag" if name.startswith("-") else "command"
        raise UsageError(f"unknown {what} {name!r}{_nearest(name, (*BY_NAME, *LATER))}; `learnlog help` lists the commands")
    return command, [*front, *rest]


def _global_flags(words: list[str]) -> tuple[list[str], list[str]]:
    names = tuple(name for flag in LOG_FLAGS for name in flag.names)
    at = 0
    while at < len(words) and words[at].partition("=")[0] in names:
        at += 1 if "=" in words[at] else 2
    return words[:at], words[at:]


def parse(command: Command, words: Sequence[str]) -> argparse.Namespace:
    """The flags by name, and the arguments by theirs in lower case: a text, None, or a list where there may be many."""
    end = words.index("--") if "--" in words else len(words)
    options, loose = parser_for(command).parse_known_args(words[:end])
    if options.help:
        return options
    for word in loose:
        if len(word) > 1 and word.startswith("-") and " " not in word:
            known = [name for flag in command.flags for name in flag.names]
            raise UsageError(f"{command.name} has no flag {word.partition('=')[0]}{_nearest(word, known)}")
    vars(options).update(_arguments(command, [*loose, *words[end + 1 :]]))
    return options


def _arguments(command: Command, words: list[str]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    left = list(words)
    for argument in command.arguments:
        name = attribute(argument.name)
        if argument.most is None:
            made[name], left = left, []
        else:
            made[name] = left.pop(0) if left else None
        if argument.least and not made[name]:
            raise UsageError(f"{command.name}: {argument.name} is missing: {argument.help}")
    if left:
        raise UsageError(f"{command.name}: {left[0]!r} is one argument too many (several words go in quotes)")
    return made


def attribute(name: str) -> str:
    """The name that an argument or a flag has among the options."""
    return re.split(r"\|", name.lstrip("-"))[-1].lower().replace("-", "_")


def parser_for(command: Command, *, width: int = 80, arguments: bool = False) -> argparse.ArgumentParser:
    """The parser of one command's flags; `width` is that of its help, which has the `arguments` too."""

    def formatter(prog: str) -> argparse.HelpFormatter:
        return argparse.HelpFormatter(prog, max_help_position=26, width=width)  # without a width it imports shutil

    parser = _Parser(
        prog=f"learnlog {command.name}",
        usage=usage(command),
        description=f"{command.summary[0].upper()}{command.summary[1:]}.",
        allow_abbrev=False,
        add_help=False,
        formatter_class=formatter,
    )
    for argument in command.arguments if arguments else ():
        parser.add_argument(argument.name, nargs="*", help=argument.help.replace("%", "%%"))
    for flag in (*command.flags, *((_JSON,) if arguments else ()), _HELP):
        _add(parser, flag)
    return parser


def usage(command: Command) -> str:
    """How the command is written."""
    words = [f"learnlog {command.name}", *map(_written, command.arguments)]
    return " ".join((*words, "[flags]"))


def _written(argument: Argument) -> str:
    many = f"{argument.name}…" if argument.most is None else argument.name
    return many if argument.least else f"[{many}]"


def _add(parser: argparse.ArgumentParser, flag: Flag) -> None:
    dest = attribute(flag.names[-1])
    text = flag.help.replace("%", "%%")
    if flag.later:
        parser.add_argument(*flag.names, dest=dest, action=_Later, nargs="?", help=argparse.SUPPRESS)
    elif not flag.metavar:
        parser.add_argument(*flag.names, dest=dest, action="store_true", help=text)
    else:
        parser.add_argument(*flag.names, dest=dest, metavar=flag.metavar, help=text, action="append" if flag.many else "store")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog.partition(' ')[2]}: {message}")


class _Later(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, namespace: object, values: object, option: str | None = None) -> None:
        raise NotInThisVersion(f"{parser.prog.partition(' ')[2]} {option}")


def _nearest(word: str, names: Sequence[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word.partition("=")[0], names, 1, 0.6)
    return f"; did you mean {near[0]}?" if near else ""


# Values -------------------------------------------------------------------------------------------------------------


def confidence(name: str, text: str | None) -> float | None:
    """`0.8`, `8/10` or `8` as 0 to 1. Raises `InvalidValue`, for a bare `1` too.

    >>> confidence("confidence", "8"), confidence("confidence", "7.5/10"), confidence("confidence", ".8")
    (0.8, 0.75, 0.8)
    """
    if text is None:
        return None
    given = text.strip()
    if tenths := _TENTHS.fullmatch(given):
        value = float(tenths[1]) / 10
    elif _FRACTION.fullmatch(given):
        value = float(given)
    elif _WHOLE.fullmatch(given) and 2 <= int(given) <= 10:
        value = int(given) / 10
    else:
        value = -1.0
    if not 0 <= value <= 1:
        raise InvalidValue(name, text, CONFIDENCES)
    return value


def whole_number(name: str, text: str | None) -> int | None:
    """A whole number, 0 or more. Raises `InvalidValue`."""
    if text is None:
        return None
    if not _WHOLE.fullmatch(text.strip()):
        raise InvalidValue(name, text, "a whole number, 0 or more")
    return int(text)


def comma_list(given: Sequence[str] | None) -> list[str] | None:
    """Repeats and commas as one list; a single empty text is the empty list."""
    if given is None:
        return None
    return [part for text in given for one in text.split(",") if (part := one.strip())]
