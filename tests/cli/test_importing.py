"""`import` through the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from learnlog import Store

from .conftest import Run

ROWS = [
    {"ts": "2026-04-16T07:05:01Z", "type": "pitfall", "key": "one", "insight": "First thing.", "confidence": 8,
     "source": "observed", "files": ["a.py"]},
    {"ts": "2026-04-17T07:05:01Z", "type": "pattern", "key": "two", "insight": "Second thing.", "confidence": 6,
     "source": "inferred", "files": []},
]  # fmt: skip


@pytest.fixture
def source(project: Path) -> Path:
    """A gstack file with two rows."""
    path = project / "gstack.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def test_an_import_reports_and_a_second_one_adds_nothing(run: Run, log: Path, source: Path) -> None:  # fault 35
    dry = run("import", str(source), "--dry-run", "--json")
    assert (dry.code, dry.document["added"], log.exists()) == (0, 2, False)
    done = run("import", str(source), "--by", "agent:importer", "--session", "s", "--json")
    assert done.code == 0
    assert done.document == {"read": 2, "added": 2, "unchanged": 0, "older": 0, "refused": [], "unusual": []}
    assert {hit.key for hit in Store(log).list()} == {"one", "two"}
    assert (
        run("import", str(source), "--format", "gstack").out == "read 2: 0 added, 2 unchanged, 0 older, 0 refused, 0 unusual\n"
    )


def test_refused_rows_are_named_and_end_with_1(run: Run, log: Path, source: Path) -> None:
    source.write_text(source.read_text() + "{broken\n")
    strict = run("import", str(source), "--strict", "--json")
    assert (strict.code, log.exists() and len(Store(log).list())) in ((1, False), (1, 0))
    done = run("import", str(source), "--json")
    assert (done.code, done.document["added"]) == (1, 2)
    refused = done.document["refused"][0]
    assert set(refused) == {"path", "line", "kind", "message"}
    assert (refused["line"], refused["path"]) == (3, str(source))
    text = run("import", str(source))
    assert (text.code, text.out.count("\n")) == (1, 1)
    assert f"{source}:3: refused: " in text.err


def test_stdin_is_a_source(run: Run, log: Path, source: Path) -> None:
    assert run("import", "-", "--json", stdin=source.read_bytes()).document["added"] == 2


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["import"], 2, "PATH is missing"),
        (["import", "missing.jsonl"], 1, "missing.jsonl"),
        (["import", "gstack.jsonl", "--format", "frob"], 2, "frob"),
        (["import", "gstack.jsonl", "--on-conflict", "win"], 2, "newer, skip"),
        (["import", "gstack.jsonl", "--force"], 2, "has no flag --force"),
    ],
)
def test_what_cannot_be_imported_is_one_line_and_makes_nothing(
    run: Run, log: Path, source: Path, words: list[str], code: int, says: str
) -> None:
    done = run(*words)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert says in done.err
    assert list(log.parent.iterdir()) == []


@pytest.mark.parametrize("policy", ["newer", "skip", "fail"])
def test_every_policy_for_conflicts_is_taken(run: Run, log: Path, source: Path, policy: str) -> None:
    assert run("import", str(source), "--on-conflict", policy, "--json").document["added"] == 2
