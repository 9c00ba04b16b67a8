"""What the tests of formats share: files written from rows, and what a store holds as something to compare."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict

from learnlog import Store
from learnlog.importing import Problem, Report

SHARED = Path(__file__).parents[3] / "shared" / "data"

Write = Callable[..., Path]


def needs(path: str) -> Path:
    """A file or folder of the shared data; the test is skipped where it is absent."""
    found = SHARED / path
    if not found.exists():
        pytest.skip(f"{found} is absent: real files to run against are not part of the project")
    return found


def lines(rows: list[Any]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def entries(rows: list[Any], **wrapper: Any) -> bytes:
    return json.dumps({"version": "1.0.0", "project": "demo", "entries": rows, **wrapper}, indent=2).encode()


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file: gstack's lines from a list, an ADD document from `entries=`, bytes as they are."""

    def written(content: Any = None, *, name: str = "source", **wrapper: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif wrapper:
            path.write_bytes(entries(wrapper.pop("entries"), **wrapper))
        else:
            path.write_bytes(lines(content))
        return path

    return written


def known(store: Store) -> dict[str, dict[str, Any]]:
    """Everything that is known, by uid, without what depends on the moment of looking."""
    every = store.list(status=["active", "proposed", "archived", "superseded", "deleted"])
    return {one.uid: {k: v for k, v in asdict(one).items() if k != "effective_confidence"} for one in every}


def insight(key: str = "k", text: str = "Use flock.", ts: str | None = "2026-01-01T00:00:00Z", **more: Any) -> dict[str, Any]:
    """A row of gstack."""
    row = {"ts": ts, "type": "pattern", "key": key, "insight": text, "confidence": 8, "source": "observed", "files": []}
    return {name: value for name, value in (row | more).items() if value is not None}


def entry(native: str = "L-001", title: str = "Use flock", date: str | None = "2026-01-01", **more: Any) -> dict[str, Any]:
    """An entry of ADD."""
    row = {"id": native, "title": title, "body": "…", "scope": "project", "severity": "high", "source": "demo", "date": date}
    return {name: value for name, value in (row | more).items() if value is not None}


def counts(report: Report) -> tuple[int, int, int, int, int]:
    """Rows read, added, unchanged, older, refused."""
    return report.read, report.added, report.unchanged, report.older, len(report.refused)


def kinds(problems: Sequence[Problem]) -> list[str]:
    return [problem.kind for problem in problems]
