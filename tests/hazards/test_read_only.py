"""A folder that may not be written: reading works and makes nothing, writing fails with one clear error."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from learnlog import Store

from .conftest import Workers

AS_NOBODY = """
path = sys.argv[1]
import sqlite3, learnlog.answering, learnlog.index.catching_up, learnlog.index.nearness, learnlog.index.relevance
if os.getuid() == 0:  # then this Python itself may be out of reach
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
store = Store(path)
answers = {"titles": [hit.title for hit in store.list()], "history": len(store.history("L-001").events)}
answers["stats"] = store.stats().learnings
answers["found"] = store.search("first").total
answers["verify"] = len(store.verify())
answers["as_of"] = store.as_of("2100-01-01").get("L-001").title
try:
    store.record("no")
except LearnlogError as error:
    answers["error"] = [type(error).__name__, error.kind, str(error)]
print(json.dumps(answers))
"""


@pytest.mark.parametrize("with_sidecar", [True, False])
@pytest.mark.parametrize("folder_too", [True, False])
def test_reading_works_without_permission_to_write(
    tmp_path: Path, workers: Workers, with_sidecar: bool, folder_too: bool
) -> None:
    # fault 26, invariant 8
    for part in [*tmp_path.parents][:3]:
        if part.stat().st_uid == os.getuid() and part != Path("/"):
            part.chmod(part.stat().st_mode | 0o055)
    tmp_path.chmod(0o755)
    folder = tmp_path / "project"
    folder.mkdir()
    path = folder / "learnings.jsonl"
    Store(path).record("first")
    sidecar = folder / "learnings.jsonl.lock"
    if not with_sidecar:
        sidecar.unlink()
    path.chmod(0o444)
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555 if folder_too else 0o755)  # of another person, when the test is run by root
    there = {file.name: file.read_bytes() for file in folder.iterdir()}
    answers = json.loads(workers.run(AS_NOBODY, path))
    kind, word, message = answers.pop("error")
    assert answers == {"titles": ["first"], "history": 1, "stats": 1, "found": 1, "verify": 0, "as_of": "first"}
    assert kind in ("LockFailed", "WriteFailed")
    assert word in ("lock-failed", "write-failed")
    assert "Permission denied" in message
    assert str(path) in message
    assert "\n" not in message
    folder.chmod(0o755)
    after = {file.name: file.read_bytes() for file in folder.iterdir()}
    if folder_too or os.getuid() == 0:
        assert after == there
    else:
        assert after[path.name] == there[path.name]


def test_reading_makes_nothing(tmp_path: Path) -> None:
    # fault 26, invariant 8, interface: never made by reading
    path = tmp_path / "no" / "such" / "learnings.jsonl"
    store = Store(path)
    assert list(store.list()) == []
    assert store.search("x").total == 0
    assert store.stats().events == 0
    assert store.verify() == []
    assert list(tmp_path.iterdir()) == []
    path.parent.mkdir(parents=True)
    path.write_bytes(b"")
    assert list(Store(path).list()) == []
    assert [file.name for file in path.parent.iterdir()] == ["learnings.jsonl"]
    assert path.read_bytes() == b""
