"""What the tests of the command share: a person's home and a project of their own, the command in this process and outside."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from learnlog.actor import AGENT_VARIABLES
from learnlog.cli import main

FOREIGN = ("VISUAL", "EDITOR", "COLUMNS", "NO_COLOR", "PYTHONIOENCODING", *AGENT_VARIABLES)
ROOT = Path(__file__).parents[2]


class Result:
    """What a run left: exit code, stdout and stderr."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def document(self) -> Any:
        """Stdout, which must be exactly one JSON document."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """The error in the document."""
        return self.document["error"]

    def __repr__(self) -> str:
        return f"Result({self.code}, out={self.out!r}, err={self.err!r})"


Run = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home, with nothing in it and nothing in the environment that speaks of learnlog or of an agent."""
    home = tmp_path / "home"
    home.mkdir()
    for name in os.environ:
        if name.startswith("LEARNLOG_") or name in (
            "VISUAL",
            "EDITOR",
            "COLUMNS",
            "NO_COLOR",
            "PYTHONIOENCODING",
            "CLAUDECODE",
        ):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in the home, which is the working directory."""
    folder = home / "project"
    (folder / ".learnlog").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def log(project: Path) -> Path:
    """The project's log, which is not there yet."""
    return project / ".learnlog" / "learnings.jsonl"


@pytest.fixture
def run(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in this process."""

    def run(*words: str, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsys.readouterr()
        code = main(list(words))
        seen = capsys.readouterr()
        return Result(code, seen.out, seen.err)

    return run


@pytest.fixture
def command(home: Path) -> Run:
    """Runs the real command in a process of its own; `shell` is a line around it, with "$@" for the command."""

    def command(
        *words: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, shell: str = "", **options: Any
    ) -> Result:
        line = [sys.executable, "-m", "learnlog", *words]
        if shell:
            line = ["sh", "-c", shell, "sh", *line]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
        done = subprocess.run(line, input=stdin, capture_output=True, env=environment, timeout=60, check=False, **options)
        return Result(done.returncode, done.stdout.decode("utf-8", "backslashreplace"), done.stderr.decode("utf-8", "replace"))

    return command
