"""`learnlog view`: the answers of the command, and the view that writing commands leave behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from learnlog.views import keeping, markdown

from .conftest import Run

GSTACK_ROW = (
    '{"skill":"x","type":"pattern","key":"k","insight":"imported","confidence":7,"source":"observed",'
    '"ts":"2026-02-08T12:00:00Z"}\n'
)


@pytest.fixture
def view(log: Path) -> Path:
    """Where the project's view belongs."""
    return log.with_suffix(".md")


def test_view_makes_the_view_and_says_where(run: Run, view: Path) -> None:  # ADD-25..27
    run("add", "first")
    run("add", "second")
    view.unlink(missing_ok=True)
    made = run("view")
    assert (made.code, made.out, made.err) == (0, f"{view}: 2 learnings\n", "")
    assert list(markdown.entries(view.read_text())) == ["L-002", "L-001"]
    again = run("view", "--json")
    assert again.document == {"path": str(view), "written": False, "kept": None, "learnings": 2}
    assert run("view").out == f"{view}: 2 learnings, as it was\n"


def test_view_of_nothing_is_no_output_and_makes_nothing(run: Run, view: Path) -> None:
    assert (run("view").code, run("view").out) == (0, "")
    assert run("view", "--json").document == {"path": str(view), "written": False, "kept": None, "learnings": 0}
    assert run("view", "--check").code == 0
    assert list(view.parent.iterdir()) == []


def test_check_ends_with_1_and_says_what_differs(run: Run, view: Path) -> None:
    run("add", "first")
    view.unlink(missing_ok=True)
    missing = run("view", "--check", "--json")
    assert (missing.code, missing.document["differs"]) == (1, True)
    assert [(one["kind"], one["refs"]) for one in missing.document["reasons"]] == [("missing", ["L-001"])]
    assert not view.exists()
    run("view")
    same = run("view", "--check", "--json")
    assert (same.code, same.document) == (0, {"path": str(view), "differs": False, "reasons": []})
    assert (run("view", "--check").code, run("view", "--check").out) == (0, "")
    view.write_text(view.read_text().replace("first", "my words"))
    edited = run("view", "--check")
    assert edited.code == 1
    assert "was edited" in edited.out.splitlines()[0]
    assert "L-001 (changed)" in edited.out.splitlines()[1]


def test_view_tells_where_the_edits_are(run: Run, view: Path) -> None:  # fault 48
    run("add", "first")
    view.write_text("my words")
    os.utime(view, (0, 0))
    kept = view.with_name("learnings.edited-19700101T000000Z.md")
    made = run("view", "--json")
    assert made.document == {"path": str(view), "written": True, "kept": str(kept), "learnings": 1}
    assert made.err == f"learnlog: {view} was not as learnlog made it: what stood there is kept in {kept}\n"
    assert kept.read_text() == "my words"


def test_a_view_that_cannot_be_made_is_one_line_and_one_document(run: Run, view: Path) -> None:
    run("add", "first")
    view.unlink(missing_ok=True)
    view.mkdir()
    failed = run("view", "--json")
    assert (failed.code, failed.error["kind"], failed.error["path"]) == (1, "view-failed", str(view))
    failed = run("view")
    assert (failed.code, failed.out, failed.err.count("\n")) == (1, "", 1)


def test_a_damaged_log_is_told_of_and_viewed(run: Run, log: Path, view: Path) -> None:  # fault 13
    run("add", "first")
    log.write_bytes(log.read_bytes() + b"{broken\n")
    made = run("view")
    assert made.code == 0
    assert "1 damaged line" in made.err
    assert list(markdown.entries(view.read_text())) == ["L-001"]


@pytest.mark.parametrize(
    "words",
    [
        ["add", "second"],
        ["add", "--from", "-"],
        ["revise", "L-001", "--title", "changed"],
        ["reclassify", "L-001", "-s", "high"],
        ["archive", "L-001"],
        ["delete", "L-001"],
        ["undo"],
        ["import", "rows.jsonl"],
    ],
    ids=lambda words: " ".join(words),
)
def test_the_view_is_up_to_date_after_each_command_that_writes(run: Run, view: Path, words: list[str]) -> None:  # ADD-27
    run("add", "first")
    run("view")
    Path("rows.jsonl").write_text(GSTACK_ROW)
    done = run(*words, stdin=b'{"title": "one of many"}\n')
    assert (done.code, done.err) == (0, "")
    assert run("view", "--check").code == 0
    assert run("view", "--json").document["written"] is False


def test_an_edited_learning_is_in_the_view(run: Run, view: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # ADD-27
    run("add", "first")
    monkeypatch.setenv("EDITOR", "sed -i 's/^title: first/title: edited/'")
    assert run("edit", "L-001").code == 0
    assert "`edited`" in view.read_text()


def test_a_view_that_fails_never_fails_a_write(run: Run, log: Path, view: Path) -> None:  # semantics: views
    view.mkdir()
    done = run("add", "first", "--json")
    assert (done.code, done.document["ref"], done.err.count("\n")) == (0, "L-001", 1)
    assert str(view) in done.err
    assert log.read_bytes().count(b"\n") == 1


def test_a_command_that_writes_keeps_edits_and_says_so(run: Run, view: Path) -> None:  # fault 48
    run("add", "first")
    view.write_text(view.read_text() + "my words\n")
    done = run("add", "second", "--json")
    assert done.document["status"] == "recorded"
    assert "is kept in" in done.err
    [kept] = view.parent.glob("learnings.edited-*.md")
    assert kept.read_text().endswith("my words\n")


def test_a_dry_run_makes_no_view(run: Run, view: Path) -> None:
    Path("rows.jsonl").write_text(GSTACK_ROW)
    assert run("import", "--dry-run", "rows.jsonl").code == 0
    assert not view.exists()


def test_above_the_limit_a_write_leaves_the_view_and_says_what_makes_it(
    run: Run, view: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("add", "first")
    old = view.read_bytes()
    monkeypatch.setattr(keeping, "AUTOMATIC_LIMIT", 1)
    done = run("add", "second")
    assert done.code == 0
    assert "`learnlog view` makes it" in done.err
    assert view.read_bytes() == old
    assert run("view").code == 0
    assert run("view", "--check").code == 0


def test_what_a_view_leaves_is_ignored_by_git_and_a_persons_words_are_not(run: Run, project: Path, view: Path) -> None:
    import subprocess

    def ignored(path: Path) -> bool:
        return subprocess.run(["git", "check-ignore", "-q", str(path)], check=False).returncode == 0

    subprocess.run(["git", "init", "-q"], check=True)
    run("init")
    run("add", "first")
    for name in ("learnings.md", "learnings.md.lock", "learnings.md.new"):
        assert ignored(view.with_name(name)), name
    assert not ignored(view.with_name("learnings.edited-20260208T120000Z.md"))


def test_a_project_has_the_views_of_both_tiers_made_and_compared(run: Run, log: Path) -> None:
    # issue 4: views of both tiers
    run("add", "ours", "--scope", "project")
    run("add", "mine", "--scope", "workstation")
    both = [log.with_name("learnings.md"), log.parents[2] / ".learnlog" / "learnings.md"]
    assert ["ours" in both[0].read_text(), "mine" in both[1].read_text()] == [True, True]
    for one in both:
        one.unlink()
    assert run("view", "--check").code == 1
    done = run("view", "--json")
    assert (done.document["path"], [one["path"] for one in done.document["others"]]) == (str(both[0]), [str(both[1])])
    assert all(one.exists() for one in both)
    assert run("view", "--check").code == 0
    both[1].write_text("edited")
    assert run("view", "--check").code == 1
    assert run("view", "--check", "--log", str(log)).code == 0
