"""Classifying one learning of 1 KB by the rules, in a project of 5,000 tracked files, and together with the guard."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
from itertools import cycle
from pathlib import Path

from benchmarks.corpus import rows
from benchmarks.table import Row, in_turns, timed
from learnlog import belongings, classifying
from learnlog.policy import guard
from learnlog.roots import Place
from learnlog.surroundings import Surroundings

ROUNDS = 300
FILES = 5_000
BYTES = 1_000
LIMIT_MS = 1.0


def run(sizes: list[int]) -> list[Row]:
    """The median for a learning; the sum with the guard is to be at most 1 ms."""
    with tempfile.TemporaryDirectory() as folder:
        around = _project(Path(folder))
        learnings = _learnings()
        classifying.explain(learnings[0], around)  # what a process does once: the next rows have it

        turns = cycle(learnings)

        def classified() -> float:
            one = next(turns)
            return timed(lambda: classifying.scope_of(one, around))

        def guarded() -> float:
            one = next(turns)
            return timed(lambda: guard.scan_all(one.values()))

        def read() -> float:
            return timed(lambda: belongings.of(str(around.place.root), around.environment))

        rules, scans, first = (statistics.median(found) * 1e3 for found in in_turns(classified, guarded, read, rounds=ROUNDS))
    both = rules + scans
    return [
        Row(f"classify 1 KB, {FILES:,} tracked files", f"{rules:.2f} ms", "", "", "", None),
        Row("guard 1 KB", f"{scans:.2f} ms", "", "", "", None),
        Row(
            "guard and classification",
            f"{both:.2f} ms",
            f"{LIMIT_MS:g} ms",
            f"{both / LIMIT_MS:.2f} ×",
            "≤ 1 ×",
            both <= LIMIT_MS,
        ),
        Row("once a process: what git tracks, remembered", f"{first:.2f} ms", "", "", "", None),
    ]


def _project(folder: Path) -> Surroundings:
    root = folder / "shop"
    for number in range(FILES):
        path = root / "src" / f"part{number % 50}" / f"module{number % 250}" / f"service_{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (root / "schema.sql").write_text("CREATE TABLE invoice_lines (id int); CREATE TABLE users (id int);", encoding="utf-8")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    for words in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *words], cwd=root, check=True, env=clean)
    for path in (root / ".git" / "index", root / "schema.sql"):
        os.utime(path, (1, 1))  # what changed a moment ago is not remembered
    environment = {"LEARNLOG_HOME": str(folder / "home"), "XDG_CACHE_HOME": str(folder / "cache")}
    place = Place(log=str(root / ".learnlog" / "learnings.jsonl"), tier="project", root=str(root), named=False)
    return Surroundings(place, environment)


def _learnings() -> list[dict[str, str]]:
    """Notes, each with what the next ones say behind it until it has its size."""
    notes = rows(60)
    bodies = " ".join(note["body"] for note in notes)
    return [
        {"title": note["title"], "body": bodies[at * 100 : at * 100 + BYTES - len(note["title"])]}
        for at, note in enumerate(notes)
    ]
