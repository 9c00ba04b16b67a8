"""A person's terminal while something is walked: lines go out, single keys come in. Knows nothing of what is walked.

A key is read without Enter where the system has termios, else it is the first of a line. However the walk ends, on an exception
and on SIGTERM too, the terminal is as it was; a stop (ctrl-Z) gives it back for as long as it lasts.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any

from learnlog import terminal

try:
    import termios
except ImportError:  # no such terminal: a line for each key
    termios = None  # type: ignore[assignment]

_ESCAPE, _END = b"\x1b", b"\x04"
_TERMINATED = 128 + 15
_AT_ONCE = 1024
_DEFAULT_ROWS = 24


class Screen:
    """Draws on stdout and reads keys from stdin; a context manager. `columns` and `rows` are those of now."""

    def __init__(self) -> None:
        self._keys = sys.stdin.fileno()
        self._encoding = sys.stdout.encoding or "utf-8"
        self._out = sys.stdout.fileno()
        self._before: list[Any] | None = None
        self._handlers: dict[int, Any] = {}
        self._typed = b""
        self._prompt = ""
        self._single = False
        self._signalled = self._wakes = -1

    @property
    def columns(self) -> int:
        """The width of the terminal."""
        return terminal.columns(sys.stdout) or terminal.DEFAULT_COLUMNS

    @property
    def rows(self) -> int:
        """Its height."""
        return shutil.get_terminal_size((self.columns, _DEFAULT_ROWS)).lines

    def draw(self, text: str) -> None:
        """Write lines. Raises `EOFError` when nobody is there any more."""
        left = memoryview((text + "\n").encode(self._encoding, "backslashreplace"))
        try:
            while left:
                left = left[os.write(self._out, left) :]
        except OSError as error:
            raise EOFError("the terminal is gone") from error

    def key(self, prompt: str) -> str:
        """Show `prompt` and wait for a key: one character, small; empty for one that writes none (an arrow). Raises `EOFError`
        when the input ends (ctrl-D, a terminal that was closed), `KeyboardInterrupt`.
        """
        self._prompt = prompt
        self.draw(prompt)
        try:
            return self._key() if self._single else self._line()
        finally:
            self._prompt = ""

    @contextmanager
    def lent(self) -> Iterator[None]:
        """The terminal as it was before, for a program that is run in between; ctrl-C is that program's."""
        single, self._single = self._single, False
        self._give_back()
        interrupted = signal.signal(signal.SIGINT, lambda *_: None)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, interrupted)
            self._single = single
            self._take()

    def __enter__(self) -> Screen:
        sys.stdout.flush()
        if termios is not None:
            try:
                self._before = termios.tcgetattr(self._keys)
            except termios.error:
                return self
            self._single = True
            self._signalled, self._wakes = os.pipe()
            os.set_blocking(self._wakes, False)
            signal.set_wakeup_fd(self._wakes, warn_on_full_buffer=False)
            self._on(signal.SIGTERM, _end)
            self._on(signal.SIGTSTP, self._stop)
            self._take()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._single = False
        self._give_back()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        if self._wakes >= 0:
            signal.set_wakeup_fd(-1)
            os.close(self._wakes)
            os.close(self._signalled)

    def _on(self, number: int, handler: Callable[[int, FrameType | None], None]) -> None:
        """Handle a signal, unless whoever started this process has it ignored."""
        if signal.getsignal(number) == signal.SIG_DFL:
            self._handlers[number] = signal.signal(number, handler)

    def _take(self) -> None:
        """A key at a time, and none shown. What was typed ahead stays."""
        if self._before is not None and self._single:
            mode = [*self._before[:6], list(self._before[6])]
            mode[3] &= ~(termios.ICANON | termios.ECHO)
            mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
            self._set(mode)

    def _give_back(self) -> None:
        if self._before is not None:
            self._set(self._before)

    def _set(self, mode: list[Any]) -> None:
        try:
            termios.tcsetattr(self._keys, termios.TCSADRAIN, mode)
        except termios.error:
            self._before = None  # the terminal is gone: there is nothing to set any more

    def _stop(self, number: int, frame: FrameType | None) -> None:
        """ctrl-Z: the terminal is the shell's until somebody goes on here."""
        self._give_back()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, self._stop)
        self._take()
        if self._prompt and self._single:
            self.draw(self._prompt)

    def _key(self) -> str:
        while not self._typed:
            self._typed = self._read()
        one, self._typed = self._typed[:1], self._typed[1:]
        if one == _END:
            raise EOFError("ctrl-D")
        if one == _ESCAPE:
            self._typed = _behind_sequence(self._typed)
            return ""
        try:
            return one.decode("ascii").strip().lower()
        except UnicodeDecodeError:
            self._typed = self._typed.lstrip(bytes(range(0x80, 0xC0)))  # the rest of the character
            return ""

    def _read(self) -> bytes:
        """What was typed; nothing when a signal came. One that comes just before the wait would not end a bare `read`."""
        try:
            ready, _, _ = select.select([self._keys, self._signalled], [], [])
            if self._signalled in ready:
                os.read(self._signalled, _AT_ONCE)
                return b""
            read = os.read(self._keys, _AT_ONCE)
        except OSError as error:
            raise EOFError("the terminal is gone") from error
        if not read:
            raise EOFError("the input has ended")
        return read

    def _line(self) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError("the input has ended")
        return line.strip()[:1].lower()


def _behind_sequence(typed: bytes) -> bytes:
    """What was typed after the rest of an escape sequence (ECMA-48), as an arrow sends it: it comes at once."""
    if typed[:1] not in (b"[", b"O"):
        return typed
    end = next((at for at, code in enumerate(typed[1:], 1) if 0x40 <= code <= 0x7E), len(typed))
    return typed[end + 1 :]


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(_TERMINATED)
