"""A failure as a person or a program reads it: one line on stderr, or one document on stdout; and its exit code."""

from __future__ import annotations

import os
import sys

from learnlog.errors import AmbiguousReference, BatchRefused, LearnlogError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class UsageError(LearnlogError, ValueError):
    """The command line itself is wrong: an unknown command or flag, a missing or superfluous argument."""

    kind = "usage"
    exit_code = 2


class AnswerLost(LearnlogError, OSError):
    """The command did what it was asked, and its answer cannot be written: stdout is closed or full."""

    kind = "answer-lost"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the command is done, but its answer cannot be written: {reason}")


_SAID = (
    "argument",
    "allowed",
    "reference",
    "near",
    "status",
    "path",
    "line",
    "reason",
    "holder",
    "what",
    "limit",
    "expected",
    "newest",
)
"""Attributes of exceptions that a program may want beside the sentence."""


def report(error: Exception, *, as_json: bool) -> int:
    """Say what went wrong; returns the exit code."""
    if isinstance(error, LearnlogError):
        message, details = _without_secrets(error)
        try:
            tell(error.kind, message, as_json=as_json and not isinstance(error, AnswerLost), details=details)
        except AnswerLost:  # nobody can read the document: the line on stderr is what is left
            tell(error.kind, message, as_json=False)
        return error.exit_code
    if os.environ.get("LEARNLOG_DEBUG"):
        import traceback

        traceback.print_exception(error, file=sys.stderr)
    if isinstance(error, OSError):
        where = f": {error.filename}" if error.filename else ""
        tell("failed", f"{error.strerror or error}{where}", as_json=as_json)
    else:
        hint = "please report it; LEARNLOG_DEBUG=1 shows where"
        tell("internal", f"{type(error).__name__}: {error} ({hint})", as_json=as_json)
    return 1


def _without_secrets(error: LearnlogError) -> tuple[str, dict[str, Any]]:
    """What to say of a failure; what it is about may be a secret that was given in the wrong place, and is not repeated."""
    from learnlog.policy.guard import scan

    rule = scan(str(error))
    if rule is None or not rule.startswith("secret/"):
        return str(error), _details(error)
    return f"{getattr(error, 'argument', 'a value')} is not allowed; it holds a secret, which is not repeated ({rule})", {}


def tell(kind: str, message: str, *, as_json: bool, details: dict[str, Any] | None = None) -> None:
    """The failure in its one place."""
    from learnlog.cli.output import say, write_json

    if as_json:
        write_json({"error": {"kind": kind, "message": message} | (details or {})})
    else:
        say(message)


def _details(error: LearnlogError) -> dict[str, Any]:
    """The data of an exception, each under the name it has there."""
    if isinstance(error, AmbiguousReference):
        listed = [{"ref": ref, "uid": uid, "title": title} for ref, uid, title in error.candidates]
        return {"reference": error.reference, "candidates": listed}
    if isinstance(error, BatchRefused):
        return {"refused": [{"line": row, "message": reason} for row, reason in error.refused]}
    return {name: value for name in _SAID if (value := getattr(error, name, None))}
