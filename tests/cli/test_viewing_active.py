"""`learnlog view --active`: the bounded view beside the log, made, compared, and kept up to date where there is one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture
def view(log: Path) -> Path:
    return log.with_name("learnings-active.md")


def test_the_bounded_view_is_made_beside_the_log_and_its_text_is_sealed(run: Run, view: Path) -> None:  # ADD-active
    run("add", "first", "--scope", "project")
    run("add", "gone", "--scope", "project")
    run("archive", "L-002")
    assert not view.exists()
    assert run("view", "--active", "--check").code == 1
    made = run("view", "--active")
    assert (made.code, made.out, made.err) == (0, f"{view}: 1 learning\n", "")
    text = view.read_text()
    assert text.startswith(
        "# Active Learnings (1 of 2)\n\n> Pre-filtered by severity and date. Full data: `.learnlog/learnings.jsonl`"
    )
    assert "- **[medium]** first (L-001, " in text
    assert run("view", "--active", "--check").code == 0
    assert run("view", "--active", "--json").document == {"path": str(view), "written": False, "kept": None, "learnings": 1}


def test_where_there_is_one_it_follows_each_write(run: Run, view: Path) -> None:  # ADD-active, ADD-27
    run("add", "first", "--scope", "project")
    run("view", "--active")
    run("add", "second", "--scope", "project")
    assert "second" in view.read_text()
    assert run("view", "--active", "--check").code == 0
    run("delete", "L-001")
    assert "first" not in view.read_text()


def test_check_names_what_differs_and_an_edit_is_kept(run: Run, view: Path) -> None:  # fault 48
    run("add", "first", "--scope", "project")
    run("add", "second", "--scope", "project", "-s", "high")
    run("view", "--active")
    view.write_text(view.read_text().replace("first", "mine"))
    compared = run("view", "--active", "--check", "--json")
    assert compared.code == 1
    assert [(one["kind"], one["refs"]) for one in compared.document["reasons"]] == [("edited", []), ("outdated", ["L-001"])]
    made = run("view", "--active", "--json").document
    assert made["written"] is True
    assert Path(made["kept"]).name.startswith("learnings-active.edited-")
    assert "mine" in Path(made["kept"]).read_text()


def test_git_ignores_the_bounded_view_and_not_a_persons_words(run: Run, project: Path, view: Path) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    run("init")

    def ignored(path: Path) -> bool:
        return subprocess.run(["git", "check-ignore", "-q", str(path)], check=False).returncode == 0

    for name in (view.name, f"{view.name}.lock", f"{view.name}.new"):
        assert ignored(view.with_name(name)), name
    assert not ignored(view.with_name("learnings-active.edited-20260208T120000Z.md"))
