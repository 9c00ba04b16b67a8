"""Where answers leave the process: an `Answer` has a document for programs and a text for people, and one is written."""

from __future__ import annotations

import sys

from learnlog import terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from learnlog.cli.failure import AnswerLost

DAMAGE_FOUND = 6


class Answer:
    """What a command answers; only the form that is asked for is made. `code` is the exit code."""

    __slots__ = ("code", "document", "text")

    def __init__(self, document: Callable[[], Any], text: Callable[[], str], code: int = 0) -> None:
        self.document, self.text, self.code = document, text, code


class Ready:
    """A document that is JSON already, on one line: it is written as it is, by nothing that would have to be imported."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


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
    """The document as JSON; `plain`: printable ASCII only, so that nothing in it acts on a terminal."""
    text = document.text if isinstance(document, Ready) else _encoded(document)
    return _escaped(text) if plain or _has_surrogate(text) else text


def _encoded(document: Any) -> str:
    if "msgspec" not in sys.modules:  # then no struct was made: the document is of plain values, and json costs a third
        import json

        return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    import msgspec

    try:
        return msgspec.json.encode(document).decode()
    except UnicodeEncodeError:  # half a pair, which msgspec refuses (fault 16)
        import json

        return json.dumps(msgspec.to_builtins(document), separators=(",", ":"))


def _has_surrogate(text: str) -> bool:
    """Whether the text holds half a pair, which JSON can only write as an escape (fault 16)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _escaped(text: str) -> str:
    """JSON with all that is not printable ASCII as `\\uXXXX`: in JSON it can only stand inside of a string."""
    return "".join(one if one < "\x7f" else _escape(one) for one in text)


def _escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


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
        raise _lost("stdout is closed")
    try:
        _tolerant(sys.stdout)
        _write_all(sys.stdout, text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        forget_stdout()
        raise _lost(getattr(error, "strerror", None) or str(error)) from error


def _lost(reason: str) -> AnswerLost:
    from learnlog.cli.failure import AnswerLost  # an answer that arrives does without

    return AnswerLost(reason)


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


class PlainWarnings:
    """The library's warnings as one line each, without the place in the source that Python would print."""

    def __enter__(self) -> None:
        import warnings

        self._context = warnings.catch_warnings()
        self._context.__enter__()
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *_, **__: say(f"warning: {message}")

    def __exit__(self, *failure: Any) -> None:
        self._context.__exit__(*failure)
