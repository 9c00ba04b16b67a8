"""A command on a terminal of its own: keys go in, what it shows is read, and nothing waits for a fixed time."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from learnlog.actor import AGENT_VARIABLES

from .conftest import ROOT

DEADLINE_S = 40
_ATTACHED = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"

_SHELL = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = os.fork()
if not job:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])
while True:
    _, status = os.waitpid(job, os.WUNTRACED)
    os.tcsetpgrp(0, os.getpgrp())
    if not os.WIFSTOPPED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
    print("[stopped]", flush=True)
    sys.stdin.readline()
    os.tcsetpgrp(0, job)
    os.kill(job, signal.SIGCONT)
"""
"""What a shell does with one job: it says when that is stopped, and goes on with it at the next line."""


class AtTerminal:
    """A running command. `seen` is everything that it has shown so far, with plain line ends."""

    def __init__(
        self,
        *words: str,
        cwd: Path,
        columns: int = 80,
        rows: int = 50,
        env: Mapping[str, str] | None = None,
        stdout: int | None = None,
        shell: bool = False,
    ) -> None:
        self._ours, self._its = pty.openpty()
        fcntl.ioctl(self._its, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        kept = {name: value for name, value in os.environ.items() if name not in (*AGENT_VARIABLES, "COLUMNS", "LINES")}
        environment = {**kept, "PYTHONPATH": str(ROOT), "TERM": "xterm", "NO_COLOR": "1", **(env or {})}
        line = [sys.executable, "-c", _SHELL if shell else _ATTACHED, sys.executable, "-m", "learnlog", *words]
        about = {"stdin": self._its, "stderr": self._its, "stdout": self._its if stdout is None else stdout}
        self.process = subprocess.Popen(line, cwd=cwd, env=environment, start_new_session=True, **about)  # type: ignore[call-overload]
        self._bytes = b""
        self._looked_at = 0

    @property
    def seen(self) -> str:
        return self._bytes.decode("utf-8", "replace").replace("\r\n", "\n")

    def until(self, text: str) -> str:
        """Wait until `text` is shown, after what was waited for before; returns what was shown up to there."""
        deadline = time.monotonic() + DEADLINE_S
        while text not in self.seen[self._looked_at :]:
            assert time.monotonic() < deadline and self._read(deadline), f"never showed {text!r}, but:\n{self.seen}"  # noqa: PT018
        start, self._looked_at = self._looked_at, self.seen.index(text, self._looked_at) + len(text)
        return self.seen[start : self._looked_at]

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def press(self, key: str, then: str) -> str:
        """A key, and what is shown until `then` is."""
        self.type(key)
        return self.until(then)

    def end(self, again: str = "") -> int:
        """Wait for the end; returns the exit code. `again` is typed once a second: Python does not see a ctrl-C that comes in
        the instant before it waits for a line.
        """
        deadline = time.monotonic() + DEADLINE_S
        next_time = time.monotonic() + 1
        while self.process.poll() is None:
            if again and time.monotonic() > next_time:
                next_time += 1
                self.type(again)
            assert time.monotonic() < deadline, f"does not end:\n{self.seen}"
            self._read(time.monotonic() + 0.02)
        while self._read(time.monotonic()):
            pass
        return self.process.returncode

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def close(self) -> None:
        """Close the terminal, as closing its window does."""
        for one in (self._its, self._ours):
            os.close(one)
        self._ours = -1

    def is_line_at_a_time(self) -> bool:
        """Whether the terminal shows what is typed and hands it over by lines, as a shell expects to find it."""
        return bool(termios.tcgetattr(self._its)[3] & termios.ICANON and termios.tcgetattr(self._its)[3] & termios.ECHO)

    def _read(self, deadline: float) -> bool:
        ready, _, _ = select.select([self._ours], [], [], max(deadline - time.monotonic(), 0))
        if not ready:
            return False
        try:
            self._bytes += os.read(self._ours, 1 << 16)
        except OSError:  # the other side is closed
            return False
        return True

    def __enter__(self) -> AtTerminal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self._ours >= 0:
            self.close()
