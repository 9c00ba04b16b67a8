"""Words of the command line to values: one small parser, for the one command that runs, made from its table.

Every malformed value raises with what is allowed; no flag is ever ignored. Does not use argparse, which is 16 ms of each start;
what both take, they take the same way (tests/cli/test_arguments.py compares them).
"""

from __future__ import annotations

from learnlog.cli.commands import BY_NAME, LATER, LOG_FLAGS, Argument, Command, Flag
from learnlog.errors import InvalidValue, NotInThisVersion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from learnlog.cli.failure import UsageError

HELP = Flag(names=("-h", "--help"), help="say what the command does")
JSON = Flag(names=("--json",), help="answer with one JSON document")
CONFIDENCES = "0.0 to 1.0, 8/10, or a whole number from 2 to 10 for tenths (1 could be either: write 1.0 or 1/10)"
_MOST_DIGITS = 18
"""Of a whole number: as many as SQLite's integers hold."""


class Options:
    """What the words gave, by name: a switch as true or false, a text or None, a list where there may be many."""

    json = False

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...  # the names are those of the command's table


def choose(words: Sequence[str]) -> tuple[Command, list[str]]:
    """The command that `words` name, and the words for it. `--log` and `--project` may stand before it."""
    front, rest = _global_flags(list(words))
    if not rest:
        raise _wrong("no command given; `learnlog help` lists them")
    name, *rest = rest
    if name in HELP.names:
        name = "help"
    if name in LATER:
        raise NotInThisVersion(name)
    command = BY_NAME.get(name)
    if command is None:
        what = "flag" if name.startswith("-") else "command"
        raise _wrong(f"unknown {what} {name!r}{_nearest(name, (*BY_NAME, *LATER))}; `learnlog help` lists the commands")
    return command, [*front, *rest]


def _global_flags(words: list[str]) -> tuple[list[str], list[str]]:
    names = tuple(name for flag in LOG_FLAGS for name in flag.names)
    at = 0
    while at < len(words) and words[at].partition("=")[0] in names:
        at += 1 if "=" in words[at] else 2
    return words[:at], words[at:]


def parse(command: Command, words: Sequence[str]) -> Options:
    """The flags and arguments of one command. With `--help` among them the arguments are not looked at."""
    end = words.index("--") if "--" in words else len(words)
    flags = {name: flag for flag in (*command.flags, HELP) for name in flag.names}
    options = Options()
    for flag in flags.values():
        setattr(options, attribute(flag.names[-1]), None if flag.metavar else False)
    loose = _read_flags(command, flags, words[:end], options)
    if options.help:
        return options
    for word in loose:
        if _looks_like_a_flag(word):
            raise _wrong(f"{command.name} has no flag {word.partition('=')[0]}{_nearest(word, list(flags))}")
    _read_arguments(command, [*loose, *words[end + 1 :]], options)
    return options


def _read_flags(command: Command, flags: dict[str, Flag], words: Sequence[str], options: Options) -> list[str]:
    """Put what the flags say into `options`; returns the words that are neither a known flag nor the value of one."""
    loose = []
    at = 0
    while at < len(words):
        name, value = _split(words[at], flags)
        flag = flags.get(name)
        at += 1
        if flag is None:
            loose.append(words[at - 1])
            continue
        if flag.later:
            raise NotInThisVersion(f"{command.name} {name}")
        if not flag.metavar:
            if value is not None:
                raise _wrong(f"{command.name}: argument {'/'.join(flag.names)}: ignored explicit argument {value!r}")
            setattr(options, attribute(flag.names[-1]), True)
            continue
        if value is None:
            if at == len(words) or _stands_for_a_flag(words[at], flags):
                raise _wrong(f"{command.name}: argument {'/'.join(flag.names)}: expected one argument")
            value = words[at]
            at += 1
        _put(options, flag, value)
    return loose


def _split(word: str, flags: dict[str, Flag]) -> tuple[str, str | None]:
    """The name and the value in `--flag=value`, `-b=value` and `-bvalue`; the word and None when there are not both in it."""
    if word in flags or not word.startswith("-"):
        return word, None
    name, equals, value = word.partition("=")
    if equals and name in flags:
        return name, value
    return (word[:2], word[2:]) if word[:2] in flags else (word, None)


def _put(options: Options, flag: Flag, value: str) -> None:
    name = attribute(flag.names[-1])
    if flag.many:
        setattr(options, name, [*(getattr(options, name) or ()), value])
    else:
        setattr(options, name, value)


def _stands_for_a_flag(word: str, flags: dict[str, Flag]) -> bool:
    """Whether a word cannot be a value unless it is joined to its flag by `=`; `-5` and `-` can."""
    return _split(word, flags)[0] in flags or (_looks_like_a_flag(word) and not _is_negative(word))


def _looks_like_a_flag(word: str) -> bool:
    return len(word) > 1 and word.startswith("-") and " " not in word


def _is_negative(word: str) -> bool:
    return word[1:].replace(".", "", 1).isdecimal() and not word.endswith(".")


def _read_arguments(command: Command, words: list[str], options: Options) -> None:
    left = list(words)
    for argument in command.arguments:
        given: str | list[str] | None
        if argument.most is None:
            given, left = left, []
        else:
            given = left.pop(0) if left else None
        if argument.least and not given:
            raise _wrong(f"{command.name}: {argument.name} is missing: {argument.help}")
        setattr(options, attribute(argument.name), given)
    if left:
        raise _wrong(f"{command.name}: {left[0]!r} is one argument too many (several words go in quotes)")


def attribute(name: str) -> str:
    """The name that an argument or a flag has among the options.

    >>> attribute("--as-of"), attribute("EVENT|REF")
    ('as_of', 'ref')
    """
    return name.lstrip("-").rpartition("|")[2].lower().replace("-", "_")


def usage(command: Command) -> str:
    """How the command is written."""
    words = [f"learnlog {command.name}", *map(_written, command.arguments)]
    return " ".join((*words, "[flags]"))


def _written(argument: Argument) -> str:
    many = f"{argument.name}…" if argument.most is None else argument.name
    return many if argument.least else f"[{many}]"


def _wrong(message: str) -> UsageError:
    from learnlog.cli.failure import UsageError  # a start that goes well does without

    return UsageError(message)


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
    value = _fraction(text.strip())
    if value is None or value > 1:
        raise InvalidValue(name, text, CONFIDENCES)
    return value


def _fraction(given: str) -> float | None:
    """The value of a text in one of the three forms; None for a text in none of them."""
    if given.endswith("/10"):
        tenths = given.removesuffix("/10")
        whole, dot, part = tenths.partition(".")
        return float(tenths) / 10 if _digits(whole) and len(whole) <= 2 and (_digits(part) or not dot) else None
    whole, dot, part = given.partition(".")
    if dot:
        return float(given) if whole in ("", "0", "1") and _digits(part) else None
    return int(given) / 10 if _is_whole(given) and 2 <= int(given) <= 10 else None


def _digits(text: str) -> bool:
    """Whether the text is digits from 0 to 9, and nothing else."""
    return text.isascii() and text.isdigit()


def _is_whole(text: str) -> bool:
    return _digits(text) and len(text) <= _MOST_DIGITS


def whole_number(name: str, text: str | None) -> int | None:
    """A whole number, 0 or more. Raises `InvalidValue`."""
    if text is None:
        return None
    given = text.strip()
    if not _is_whole(given):
        raise InvalidValue(name, text, "a whole number, 0 or more")
    return int(given)


def comma_list(given: Sequence[str] | None) -> list[str] | None:
    """Repeats and commas as one list; a single empty text is the empty list."""
    if given is None:
        return None
    return [part for text in given for one in text.split(",") if (part := one.strip())]
