"""Ask a program of this person's for the scope of a learning: JSON on its standard input, a word or JSON on its output.

The program is run as its words, by no shell, in LEARNLOG_HOME, so that no file of a project is taken for a part of it. It has
a time limit; what it leaves running is ended with it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
import time

from learnlog import roots
from learnlog.vocabulary import SCOPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

LONGEST_ANSWER = 1 << 16
"""Bytes; a program that says more is ended."""
PAUSE_S = 60.0
"""A command that hung or could not be started is not asked again for so long, in one process: many rows wait once."""
_GRACE_S = 0.25
"""How long what a program started may hold its output open when it has ended itself."""
_POLL_S = 0.02
_paused: dict[tuple[str, ...], float] = {}
"""Command -> until when; monotonic seconds."""


class CommandFailed(Exception):
    """The program gave no scope; the message says what happened, to follow its name."""


def ask(command: Sequence[str], question: Mapping[str, Any], *, timeout_s: float, environment: Mapping[str, str]) -> str:
    """The scope that the program `command` gives. Raises `CommandFailed` else, after `timeout_s` at the latest."""
    words = tuple(command)
    if time.monotonic() < _paused.get(words, 0.0):
        raise CommandFailed(f"is left alone for {PAUSE_S:g} s after it failed")
    # ASCII alone: half a pair goes through, too (fault 16)
    output, status = _run(words, json.dumps(question).encode("ascii"), timeout_s, roots.home(environment))
    if len(output) > LONGEST_ANSWER:
        raise CommandFailed(f"answered with more than {LONGEST_ANSWER} bytes")
    if status != 0:
        raise CommandFailed(f"failed ({f'exit status {status}' if status > 0 else f'ended by signal {-status}'})")
    return _scope_in(output)


def _scope_in(output: bytes) -> str:
    try:
        text = output.decode("utf-8").strip()
        found = json.loads(text) if text[:1] in ("{", '"') else text
    except (ValueError, RecursionError):
        raise CommandFailed("answered what is neither a word nor JSON in UTF-8") from None
    said = found.get("scope") if isinstance(found, dict) else found
    scope = said.strip().lower() if isinstance(said, str) else ""
    if scope not in SCOPES:
        raise CommandFailed(f"answered {said!r:.80}, not one of {', '.join(SCOPES)}")
    return scope


def _run(words: tuple[str, ...], given: bytes, timeout_s: float, folder: str) -> tuple[bytes, int]:
    deadline = time.monotonic() + timeout_s
    try:
        process = subprocess.Popen(
            words,
            cwd=folder if os.path.isdir(folder) else os.path.abspath(os.sep),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        _pause(words)
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CommandFailed(f"could not be started ({words[0]}: {reason})") from error
    try:
        output = _answer(process, given, deadline)
    except subprocess.TimeoutExpired as error:
        _pause(words)
        raise CommandFailed(f"did not answer within {timeout_s:g} s") from error
    finally:  # also when the person interrupts: it is in a session of its own, and would go on
        status = _end(process)
    return output, status


def _pause(words: tuple[str, ...]) -> None:
    _paused[words] = time.monotonic() + PAUSE_S


def _answer(process: subprocess.Popen[bytes], given: bytes, deadline: float) -> bytes:
    """What it wrote until it ended, or more than is allowed. Threads write and read, so that neither side waits for ever."""
    found: list[bytes] = []
    threading.Thread(target=_write, args=(process, given), daemon=True).start()
    reader = threading.Thread(target=_read, args=(process, found), daemon=True)
    reader.start()
    while reader.is_alive() and not _has_ended(process):
        reader.join(_left(process, deadline))
    reader.join(min(_GRACE_S, max(0.0, deadline - time.monotonic())))
    output = b"".join(found)
    while len(output) <= LONGEST_ANSWER and not _has_ended(process):  # one that says too much may wait to say the rest
        time.sleep(min(0.001, _left(process, deadline)))
    return output


def _left(process: subprocess.Popen[bytes], deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise subprocess.TimeoutExpired(process.args, 0)
    return min(_POLL_S, left)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether it has ended; it is left for `_end` to collect, so that its number is not another's before that."""
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _write(process: subprocess.Popen[bytes], given: bytes) -> None:
    assert process.stdin is not None
    try:
        with process.stdin as stdin:
            rest = memoryview(given)
            while rest:
                rest = rest[stdin.write(rest) or 0 :]
    except OSError:
        return  # it may answer without reading all


def _read(process: subprocess.Popen[bytes], found: list[bytes]) -> None:
    assert process.stdout is not None
    total = 0
    with process.stdout as stdout:
        while total <= LONGEST_ANSWER and (part := stdout.read(LONGEST_ANSWER)):
            found.append(part)
            total += len(part)


def _end(process: subprocess.Popen[bytes]) -> int:
    """End what is left of it and of what it started; its exit status."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # there is nobody left
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    return process.wait()
