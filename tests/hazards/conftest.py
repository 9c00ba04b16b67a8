"""Real processes, a file system that fails, and what is checked of a log after a hazard."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from learnlog import Store, events
from learnlog.filesystem import System
from learnlog.logs.file import FileLog

PRELUDE = """
import os, sys, time, json, fcntl, signal
from learnlog import Store
from learnlog.errors import LearnlogError
from learnlog.logs.file import FileLog
def go():
    print("ready", flush=True)
    sys.stdin.readline()
"""
"""Before every script: `go()` says that the process is warm and waits for the word."""


class Workers:
    """Processes that run a few lines of Python each; one that still runs when the test ends is killed."""

    def __init__(self) -> None:
        self.running: list[subprocess.Popen[str]] = []

    def start(self, script: str, *arguments: object, go: bool = True) -> subprocess.Popen[str]:
        """Start `script`, with `arguments` as its `sys.argv[1:]`; with `go` it is warm when this returns."""
        command = [sys.executable, "-c", PRELUDE + script, *map(str, arguments)]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.running.append(process)
        if go:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n", process.communicate()[1]
        return process

    def many(self, count: int, script: str, *arguments: object) -> list[subprocess.Popen[str]]:
        """`count` processes, each with its number before the arguments; all of them warm, none of them begun."""
        started = [self.start(script, number, *arguments, go=False) for number in range(count)]
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n", process.communicate()[1]
        return started

    def release(self, *processes: subprocess.Popen[str]) -> None:
        """Say the word."""
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()

    def finish(self, process: subprocess.Popen[str], timeout_s: float = 60) -> str:
        """What it printed, once it has ended well."""
        out, error = process.communicate(timeout=timeout_s)
        assert process.returncode == 0, error
        return out

    def run(self, script: str, *arguments: object) -> str:
        """Run a script that does not wait for the word."""
        return self.finish(self.start(script, *arguments, go=False))

    def end(self) -> None:
        """Kill whatever still runs."""
        for process in self.running:
            if process.poll() is None:
                process.kill()
            process.communicate()


@pytest.fixture
def workers() -> Iterator[Workers]:
    """See `Workers`."""
    started = Workers()
    yield started
    started.end()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the log of a test stands: nothing is there yet."""
    return tmp_path / "learnings.jsonl"


class Faulty(System):
    """The real system until told otherwise: `fail` has, by the name of a call, what happens in its place."""

    def __init__(self) -> None:
        self.fail: dict[str, Callable[..., object]] = {}
        self.calls: list[str] = []

    def __getattribute__(self, name: str) -> object:
        real = super().__getattribute__(name)
        if name.startswith("_") or name in ("fail", "calls"):
            return real

        def call(*arguments: object) -> object:
            self.calls.append(name)
            return self.fail[name](*arguments) if name in self.fail else real(*arguments)

        return call


def raising(number: int) -> Callable[..., object]:
    """A call that fails with this errno."""

    def call(*_: object) -> object:
        raise OSError(number, os.strerror(number))

    return call


def lines_of(path: Path) -> list[bytes]:
    """The complete lines of a log."""
    return path.read_bytes().split(b"\n")[:-1]


def check_sound(path: Path) -> list[events.Event]:
    """Every line sealed and whole, ids rising with the lines (invariant 3), no reference given twice; the events."""
    for number, line in enumerate(lines_of(path), 1):
        assert events.has_seal(line), f"line {number} has no seal"
        assert events.seal_holds(line), f"line {number} is damaged"
    assert path.read_bytes()[-1:] == b"\n"
    found = list(FileLog(path).read())
    ids = [event.id for event in found]
    assert ids == sorted(set(ids))
    refs = [event.ref for event in found if event.ref]
    assert len(refs) == len(set(refs))
    return found


def titles(path: Path) -> set[str]:
    """The titles of what a fresh reader sees."""
    return {hit.title for hit in Store(path).list()}
