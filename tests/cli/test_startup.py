"""What a command imports, and what it does without: agents start one at every prompt (design: start-up is a feature)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from learnlog import Store
from learnlog.cli.commands import COMMANDS

from .conftest import ROOT

HEAVY = {"msgspec", "xxhash", "sqlite3", "portalocker"}
SETUP = HEAVY | {"argparse", "re", "enum", "typing", "datetime", "importlib", "collections", "json"}
WRITES = HEAVY - {"msgspec", "xxhash"} | {
    "argparse",
    "json",
    "subprocess",
    "tempfile",
    "tomllib",
    "learnlog.config_file",
    "learnlog.importing",
}
"""`re` and `enum` are not among these: msgspec brings them."""
READS = {
    "msgspec",
    "portalocker",
    "argparse",
    "re",
    "json",
    "typing",
    "enum",
    "learnlog.config_file",
    "tomllib",
    "learnlog.store",
}
"""`datetime` and `collections` are not among these, sqlite3 brings them; nor xxhash, by which an index is named."""

ROWS = (
    # words; what is not imported; how many modules there may be beyond those of the interpreter
    ("--version", SETUP | {"learnlog.cli.arguments"}, 18),
    ("help", SETUP, 18),
    ("help add", SETUP, 18),
    ("add --help", SETUP, 18),
    ("completion bash", SETUP, 18),
    ("config path", SETUP | {"tomllib"}, 18),
    ("config get name", HEAVY | {"argparse", "json"}, 60),  # tomllib brings re
    ("--version --json", HEAVY | {"argparse"}, 50),  # json brings re; msgspec would cost three times as much
    (
        "search --frobnicate",
        HEAVY | {"argparse", "json", "learnlog.cli.reading"},
        52,
    ),  # difflib brings re; a message is looked at for a secret
)
WRITING_WORDS = (
    "add title",
    "revise L-001 --title other",
    "reclassify L-001 --severity low",
    "archive L-001",
    "restore L-001",
    "delete L-001",
    "undo L-001",
)
"""Without `--json`, with which they also say what is similar, and open an index for it."""
MOST_WRITING = 142
READING_WORDS = (
    "search",
    "search learning",
    "search --json learning",
    "search --stack python --limit 3",
    "list",
    "list --json",
    "show L-001 --json",
    "stats",
)
BRIEFS = ("brief --operation plan", "brief why does learning three fail", "brief --style gstack learning")
MOST_BRIEFING = 64
MOST_READING = 56
WITH_JSON = tuple(
    (words, READS - {"json", "re", "enum"}, 68) for words in ("show L-001", "stats --json", "search learning --json --explain")
)
UNHURRIED = {"init", "edit", "import", "history", "doctor", "view", "export", "trust", "accept", "reject", "review"}
"""Commands without a row: a person waits for them, or they read the whole log."""

PROGRAM = """
import os, sys
before = set(sys.modules)
from learnlog.cli import main
code = main(sys.argv[1:])
found = sorted(set(sys.modules) - before)
print(code, *found, file=sys.stderr)
"""


@pytest.fixture(scope="module")
def folder_of_learnings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of fifty learnings, and a home whose index of it is current where there is one."""
    folder = tmp_path_factory.mktemp("startup")
    log = folder / "project" / ".learnlog" / "learnings.jsonl"
    log.parent.mkdir(parents=True)
    Store(log).record_many([{"title": f"learning {n}", "stack": ["python"]} for n in range(50)])
    os.utime(folder / "project", (0, 0))  # what is known of a folder that changed a moment ago is not kept
    for words in ("search learning", "brief learning"):
        started(folder, words)
    return folder


@pytest.fixture
def folder_to_write_to(tmp_path: Path) -> Path:
    """The same for one test."""
    log = tmp_path / "project" / ".learnlog" / "learnings.jsonl"
    log.parent.mkdir(parents=True)
    Store(log).record_many([{"title": f"learning {n}"} for n in range(3)])
    return tmp_path


def started(folder: Path, words: str) -> tuple[int, set[str]]:
    """The exit code of a command, and what it imported that the interpreter itself (and `os`) had not."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LEARNLOG_", "PYTHON", "XDG_"))}
    environment = {**kept, "HOME": str(folder), "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    line = [sys.executable, "-S", "-c", PROGRAM, *words.split()]  # -S: what a site's own start imports would not be seen
    options: dict[str, Any] = {"env": environment, "cwd": folder / "project", "stdin": subprocess.DEVNULL, "timeout": 60}
    ran = subprocess.run(line, capture_output=True, text=True, check=False, **options)
    code, *modules = ran.stderr.splitlines()[-1].split()
    return int(code), set(modules)


@pytest.mark.parametrize(
    ("words", "unwanted", "most"),
    [
        *ROWS,
        *((words, READS, MOST_READING) for words in READING_WORDS),
        *((words, READS, MOST_BRIEFING) for words in BRIEFS),
        *WITH_JSON,
    ],
)
def test_a_command_imports_what_it_needs_and_no_more(
    folder_of_learnings: Path, words: str, unwanted: set[str], most: int
) -> None:
    code, modules = started(folder_of_learnings, words)
    assert code == (2 if "frobnicate" in words else 0)
    assert modules & unwanted == set()
    assert len(modules) <= most, sorted(modules)


@pytest.mark.parametrize("words", WRITING_WORDS)
def test_a_command_that_writes_imports_no_more_than_it_needs(folder_to_write_to: Path, words: str) -> None:
    log = folder_to_write_to / "named.jsonl"  # a project's log has a view, which is made from an index
    log.write_bytes((folder_to_write_to / "project" / ".learnlog" / "learnings.jsonl").read_bytes())
    code, modules = started(folder_to_write_to, f"--log {log} {words}")
    assert code == 0
    assert modules & WRITES == set()
    assert len(modules) <= MOST_WRITING, sorted(modules)


def test_what_is_imported_is_seen(folder_to_write_to: Path) -> None:
    # the rows above can fail: what a command does need is in the count
    assert "learnlog.cli.setup" in started(folder_to_write_to, "help")[1]
    assert {"msgspec", "learnlog.store"} <= started(folder_to_write_to, "add title")[1]
    assert "json" in started(folder_to_write_to, "help --json")[1]


def test_every_command_has_a_row_or_is_named_as_one_that_needs_none() -> None:
    named = {command.name for command in COMMANDS}
    with_rows = {
        words.split()[0] for words in (*(row[0] for row in (*ROWS, *WITH_JSON)), *WRITING_WORDS, *READING_WORDS, *BRIEFS)
    }
    assert with_rows - named == {"--version"}
    assert named - with_rows <= UNHURRIED
