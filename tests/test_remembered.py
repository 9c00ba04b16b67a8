"""What was made from files is kept until one of them changes, and never longer."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from learnlog.remembered import recall


def aged(path: Path, seconds: int = 100) -> None:
    then = time.time_ns() - seconds * 1_000_000_000
    os.utime(path, ns=(then, then))


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


def test_what_did_not_change_is_not_made_again(tmp_path: Path, environment: dict[str, str]) -> None:
    source = tmp_path / "pyproject.toml"
    source.write_text("a")
    aged(source)
    files = [str(source), str(tmp_path / "missing")]
    assert recall("k", str(tmp_path), files, lambda: ["one", "", "zwei ü"], environment) == ("one", "", "zwei ü")
    assert recall("k", str(tmp_path), files, lambda: ["other"], environment) == ("one", "", "zwei ü")
    assert recall("other", str(tmp_path), files, lambda: ["other"], environment) == ("other",)


@pytest.mark.parametrize("change", ["content", "touch", "delete", "appear"])
def test_a_change_of_any_file_makes_it_again(tmp_path: Path, environment: dict[str, str], change: str) -> None:
    source, missing = tmp_path / "a", tmp_path / "b"
    source.write_text("a")
    aged(source)
    files = [str(source), str(missing)]
    recall("k", str(tmp_path), files, lambda: ["old"], environment)
    if change == "content":
        source.write_text("ab")
    elif change == "touch":
        aged(source, 50)
    elif change == "delete":
        source.unlink()
    else:
        missing.write_text("now")
    assert recall("k", str(tmp_path), files, lambda: ["new"], environment) == ("new",)


def test_a_file_that_changed_a_moment_ago_is_not_kept(tmp_path: Path, environment: dict[str, str]) -> None:
    source = tmp_path / "a"
    source.write_text("a")
    recall("k", str(tmp_path), [str(source)], lambda: ["old"], environment)
    assert recall("k", str(tmp_path), [str(source)], lambda: ["new"], environment) == ("new",)


@pytest.mark.parametrize("rubbish", [b"", b"learnlog remembered 1", b"\xff\xfe\x00", b"learnlog remembered 1\n/else\n0\nx\n"])
def test_a_damaged_cache_is_no_cache(tmp_path: Path, environment: dict[str, str], rubbish: bytes) -> None:
    recall("k", str(tmp_path), [], lambda: ["one"], environment)
    for kept in (tmp_path / "cache" / "learnlog").iterdir():
        kept.write_bytes(rubbish)
    assert recall("k", str(tmp_path), [], lambda: ["two"], environment) == ("two",)


def test_a_cache_that_others_may_write_is_not_believed(tmp_path: Path, environment: dict[str, str]) -> None:
    recall("k", str(tmp_path), [], lambda: ["one"], environment)
    (tmp_path / "cache" / "learnlog").chmod(0o777)
    assert recall("k", str(tmp_path), [], lambda: ["two"], environment) == ("two",)


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    environment = {"XDG_CACHE_HOME": str(blocked)}
    assert recall("k", str(tmp_path), [], lambda: ["one"], environment) == ("one",)
    assert recall("k", str(tmp_path), [], lambda: ["two"], environment) == ("two",)
