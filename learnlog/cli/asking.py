"""Guided `add`: asks a person for what the flags do not give, one line at a time, and fills the options with the answers.

Each answer is looked at when it is given and asked for again when it cannot be stored. Stores nothing itself; who leaves in the
middle has stored nothing. Asks on stderr: stdout is for the answer of the command.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from learnlog import ids
from learnlog.actor import persons_terminal
from learnlog.cli.arguments import comma_list, confidence
from learnlog.cli.failure import UsageError
from learnlog.cli.opening import surroundings_of
from learnlog.cli.output import say
from learnlog.drafting import draft
from learnlog.errors import InvalidValue, LearnlogError, Refused, TooLarge
from learnlog.guarding import Gate
from learnlog.routing import AUTO
from learnlog.vocabulary import CATEGORIES, DEFAULT_CATEGORY, DEFAULT_CONFIDENCE, SCOPES

if TYPE_CHECKING:
    from learnlog.cli.arguments import Options

STATED = "user-stated"
_TENTHS = tuple(str(tenths) for tenths in range(1, 11))
_INTERRUPTED = 130


class NothingStored(LearnlogError, RuntimeError):
    """The person who was asked has left: nothing was stored."""

    kind = "interrupted"
    exit_code = _INTERRUPTED

    def __init__(self) -> None:
        super().__init__("add: you left, so nothing was stored")


def ask(options: Options) -> None:
    """Ask for what is not given, and put it into `options`. Raises `UsageError` when nobody is there to be asked,
    `NothingStored` when they leave.
    """
    if not persons_terminal(os.environ):
        raise UsageError("add: TITLE is missing; without it learnlog asks, which takes a person at a terminal")
    questions = _Questions(_categories(options))
    try:
        vars(options).update(dict(_answers(options, questions)))
    except (EOFError, KeyboardInterrupt) as error:
        sys.stderr.write("\n")
        raise NothingStored from error


def repeat_with(options: Options) -> str:
    """What was typed, as a line that `add --from` takes: what could not be stored is not to be typed twice."""
    row = {"title": options.title, "body": options.body, "category": options.category, "key": options.key}
    row |= {"confidence": confidence("confidence", options.confidence), "files": options.file, "scope": options.scope}
    return json.dumps({name: value for name, value in row.items() if value is not None}, ensure_ascii=False)


def _answers(options: Options, questions: _Questions) -> Iterator[tuple[str, object]]:
    """(option, answer) for each that is not given."""
    yield "title", questions.one("title", "What was learned, in a sentence", needed=True)
    if options.body is None:
        yield "body", questions.many("body", "More about it, if there is more; an empty line ends it")
    if options.category is None:
        words, has_default = ", ".join(questions.categories), DEFAULT_CATEGORY in questions.categories
        default = f" [{DEFAULT_CATEGORY}]" if has_default else ""
        yield "category", questions.one("category", f"Type, one of {words}{default}", needed=not has_default)
    if options.key is None:
        yield "key", questions.one("key", "Key, a name by which it can be changed later [none]")
    if options.confidence is None:
        yield "confidence", questions.confidence(f"Confidence, 1 to 10 [{DEFAULT_CONFIDENCE // 100}]")
    if options.file is None:
        files = questions.one("files", "Files it is about, with commas between them [none]", read=_files)
        yield "file", None if files is None else _files(files)
    if options.scope is None:
        yield "scope", questions.one("scope", f"Scope, one of {', '.join((AUTO, *SCOPES))} [{AUTO}]", read=_scope)
    if options.origin is None:
        yield "origin", STATED


def _categories(options: Options) -> tuple[str, ...]:
    """The words that a category may be here."""
    around = surroundings_of(options)
    return CATEGORIES if around.place.named else around.settings.categories


class _Questions:
    """Asks, and asks again until the answer can be stored."""

    def __init__(self, categories: tuple[str, ...]) -> None:
        self.categories = categories
        self._gate = Gate()

    def one(
        self, field: str, question: str, *, needed: bool = False, read: Callable[[str], object] | None = None
    ) -> str | None:
        """A line, without the spaces around it; None for an empty one. `read`: what it is as the value of `field`."""
        while True:
            given = _line(f"{question}: ").strip()
            if not given and not needed:
                return None
            value = given if read is None or not given else read(given)
            if self._can_be_stored(field, value):
                return given

    def many(self, field: str, question: str) -> str | None:
        """Lines up to an empty one; None when the first is empty."""
        while True:
            lines = []
            line = _line(f"{question}:\n")
            while line.strip():
                lines.append(line.rstrip())
                line = _line("")
            if not lines:
                return None
            given = "\n".join(lines)
            if self._can_be_stored(field, given):
                return given

    def confidence(self, question: str) -> str | None:
        """A confidence in one of the forms that the flag takes; here a bare 1 can only be one of ten."""
        while True:
            given = _line(f"{question}: ").strip()
            if given in _TENTHS:
                return f"{given}/10"
            try:
                confidence("confidence", given or None)
            except InvalidValue as error:
                say(str(error))
                continue
            return given or None

    def _can_be_stored(self, field: str, value: object) -> bool:
        try:
            self._gate.hold_content(draft({field: value}, now_ms=ids.now_ms(), categories=self.categories))
        except (InvalidValue, TooLarge, Refused) as error:
            say(str(error))
            return False
        return True


def _files(given: str) -> list[str]:
    return comma_list([given]) or []


def _scope(given: str) -> str | None:
    return None if given.lower() == AUTO else given


def _line(question: str) -> str:
    """What the person types. Raises `EOFError` when the input ends, `KeyboardInterrupt`."""
    sys.stderr.write(question)
    sys.stderr.flush()
    while True:
        try:
            line = sys.stdin.readline()
        except UnicodeDecodeError as error:
            say(f"what was typed is not {error.encoding}; type it again")
            continue
        if not line:
            raise EOFError("the input has ended")
        return line.removesuffix("\n").removesuffix("\r")
