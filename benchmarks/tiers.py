"""What several logs cost: `brief` over two tiers, and `add` with the guard and the classification; whole processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from msgspec.structs import replace

from benchmarks.cold import ROUNDS, environment
from benchmarks.corpus import log_bytes
from benchmarks.table import Row, compare, in_turns, timed
from learnlog import Store
from learnlog.events import DECODER, encode

SIZES = (5_000, 50_000)
OPERATION = ["brief", "--operation", "plan"]
PROMPT = ["brief", "remove a file from the git staging area before the commit"]
BOTH = [*PROMPT, "--operation", "implementer"]
FEW = 50
"""Learnings of each tier that a learning is added to: its view is made again each time, which costs more the more there are."""
FILES = 300
"""Tracked files of the project."""


def brief(_: list[int]) -> list[Row]:
    """`learnlog brief` on two tiers of so many learnings each, beside the bare interpreter and beside the smaller ones."""
    with tempfile.TemporaryDirectory() as folder:
        places = [_place(folder, size) for size in SIZES]
        lines = [(words, place) for words in (OPERATION, PROMPT, BOTH) for place in places]
        for words, place in lines:
            _run(["-m", "learnlog", *words], place)  # the indexes are made, the modules are compiled
        bare, *found = in_turns(
            lambda: _run(["-c", "pass"], places[0]),
            *(lambda words=words, place=place: _run(["-m", "learnlog", *words], place) for words, place in lines),  # type: ignore[misc]
            rounds=ROUNDS,
        )
    table = []
    for at, name in enumerate(("an operation", "a prompt", "both")):
        small, large = found[2 * at : 2 * at + 2]
        table.append(
            compare(f"`brief` for {name}, two tiers of {SIZES[0]:,}", small, bare, at_most=3.5, name="`python -c pass`")
        )
        what = f"`brief` for {name}, two tiers of {SIZES[1]:,}"
        table.append(compare(what, large, small, at_most=1.3, name=f"at {SIZES[0]:,} each"))
    return table


def add(_: list[int]) -> list[Row]:
    """`learnlog add` in a project: guarded, classified, routed, its view made again, the project noted."""
    with tempfile.TemporaryDirectory() as folder:
        place = _place(folder, FEW)
        title = "FastAPI lifespan handlers must yield, not return: startup code runs before yield"
        into_project = ["-m", "learnlog", "add", "the users table has a composite key", "-b", "why"]
        lines = [into_project, ["-m", "learnlog", "add", title, "-b", "why"]]
        lines.append(["-m", "learnlog", "--log", os.path.join(folder, "named.jsonl"), "add", title, "-b", "why"])
        for words in lines:
            _run(words, place)
        bare, *found = in_turns(
            lambda: _run(["-c", "pass"], place),
            *(lambda words=words: _run(words, place) for words in lines),  # type: ignore[misc]
            rounds=ROUNDS,
        )
    names = ("in a project, kept there", "in a project, routed to the workstation", "with `--log`")
    return [
        compare(f"cold `learnlog add` {name}", one, bare, at_most=6, name="`python -c pass`")
        for name, one in zip(names, found, strict=True)
    ]


class _Place:
    """A project with its files, beside a home; each with a log of `size` learnings."""

    def __init__(self, project: Path, env: dict[str, str]) -> None:
        self.project, self.env = project, env


def _place(folder: str, size: int) -> _Place:
    project, home = Path(folder, f"project-{size}"), Path(folder, f"home-{size}")
    for one in (project / ".learnlog", home):
        one.mkdir(parents=True)
    (project / ".learnlog" / "learnings.jsonl").write_bytes(log_bytes(size))
    _other_half(home / "learnings.jsonl", size)
    (project / "pyproject.toml").write_text('[project]\nname = "p"\ndependencies = ["git", "fastapi"]\n')
    for n in range(FILES):
        (project / f"module_{n}.py").write_text("")
    for words in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *words], cwd=project, check=True, capture_output=True)
    for one in (project, project / "pyproject.toml", project / ".git" / "index"):
        os.utime(one, (0, 0))  # what is known of a file that changed a moment ago is not kept
    return _Place(project, environment(str(home)) | {"XDG_CACHE_HOME": os.path.join(folder, "cache")})


def _other_half(path: Path, size: int) -> None:
    """The log of the workstation tier: as many other learnings, under references of its own."""
    events = [DECODER.decode(line) for line in log_bytes(2 * size).splitlines()[size:]]
    path.write_bytes(b"".join(encode(replace(event, ref=f"W{event.ref}")) + b"\n" for event in events))
    Store(path, tier="workstation").record("the first append reads the log once and leaves the checkpoint")


def _run(arguments: list[str], place: _Place) -> float:
    def run() -> object:
        line = [sys.executable, *arguments]
        return subprocess.run(line, env=place.env, cwd=place.project, check=True, stdout=subprocess.DEVNULL)

    return timed(run)
