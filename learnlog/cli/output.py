"""Where answers leave the process: an `Answer` has a document for programs and a text for people, and one is written."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from learnlog import terminal
from learnlog.cli.failure import AnswerLost
from learnlog.done import Done, Similar

DAMAGE_FOUND = 6


class Answer(Struct, frozen=True):
    """What a command answers; only the form that is asked for is made. `code` is the exit code."""

    document: Callable[[], Any]
    text: Callable[[], str]
    code: int = 0


class Receipt(Struct, frozen=True, kw_only=True):
    """What a verb that changes something answers."""

    ref: str
    uid: str
    event: str
    status: str
    tier: str
    scope: str
    similar: tuple[Similar, ...]


def receipt(done: Done) -> Receipt:
    """`done` with what is similar, which is looked for now."""
    return Receipt(
        ref=done.ref,
        uid=done.uid,
        event=done.event,
        status=done.status,
        tier=done.tier,
        scope=done.scope,
        similar=done.similar,
    )


def write(answer: Answer, *, as_json: bool) -> None:
    """Write the answer to stdout. Raises `AnswerLost` when it cannot be written, `BrokenPipeError` when nobody reads on."""
    if as_json:
        write_json(answer.document())
    else:
        text = answer.text()
        if text:
            _write(text if text.endswith("\n") else text + "\n")


def write_json(document: Any) -> None:
    """Exactly one JSON document, and a line end."""
    _write(json_text(document, plain=terminal.is_terminal(sys.stdout) or not _speaks_utf_8()) + "\n")


def json_text(document: Any, *, plain: bool = False) -> str:
    """The document as JSON; `plain`: ASCII only, so that nothing in it acts on a terminal."""
    encoded = None if plain else _encoded(document)
    if encoded is not None:
        return encoded
    import json

    return json.dumps(msgspec.to_builtins(document), separators=(",", ":"))


def _encoded(document: Any) -> str | None:
    """The document in UTF-8; None when it holds a lone surrogate, which JSON can only write as an escape (fault 16)."""
    try:
        return msgspec.json.encode(document).decode()
    except UnicodeEncodeError:
        return None


def say(message: str) -> None:
    """A notice, warning or failure for whoever watches: one line on stderr."""
    if sys.stderr is None:
        return
    try:
        _tolerant(sys.stderr)
        sys.stderr.write(f"learnlog: {terminal.line(message)}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return  # nobody is there to be told


def _write(text: str) -> None:
    if sys.stdout is None:
        raise AnswerLost("stdout is closed")
    try:
        _tolerant(sys.stdout)
        _write_all(sys.stdout, text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        forget_stdout()
        raise AnswerLost(getattr(error, "strerror", None) or str(error)) from error


def _write_all(stream: Any, text: str) -> None:
    """Write the text, also where the stream has no buffer (PYTHONUNBUFFERED) and takes a part without an error."""
    binary = getattr(stream, "buffer", None)
    if binary is None:
        stream.write(text)
        return
    left = memoryview(text.encode(stream.encoding, stream.errors))
    while left:
        taken = binary.write(left)
        if not taken:
            raise OSError("it takes no more")
        left = left[taken:]


def forget_stdout() -> None:
    """Let nothing be left for the interpreter to flush when it ends, which would fail once more and aloud."""
    import os

    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):
        sys.stdout = None  # type: ignore[assignment, unused-ignore]


def _tolerant(stream: Any) -> None:
    """A character that the stream cannot write is written as an escape, and never a crash (fault 20)."""
    if getattr(stream, "errors", "") in ("strict", "surrogateescape") and hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")


def _speaks_utf_8() -> bool:
    return (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "").replace("_", "") == "utf8"
