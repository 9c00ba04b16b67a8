"""`learnlog export`: to stdout, into somebody's file, and never over what they wrote."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from learnlog.cli import arguments, commands, exporting
from learnlog.cli.commands import LOG_FLAGS, Command, Flag
from learnlog.formats.markers import BEGIN, block

from .conftest import Run


def _flag(*names: str, metavar: str = "", many: bool = False) -> Flag:
    return Flag(names=names, metavar=metavar, many=many, help="x")


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command, for as long as the table has none."""
    if "export" in commands.BY_NAME:
        return
    flags = (
        _flag("--format", metavar="NAME"),
        _flag("-o", "--output", metavar="FILE"),
        _flag("-c", "--category", metavar="WORD", many=True),
        _flag("--min-confidence", metavar="N"),
        _flag("--with-personal"),
        *LOG_FLAGS,
    )
    command = Command(name="export", summary="x", run="learnlog.cli.exporting:export", flags=flags)
    monkeypatch.setitem(commands.BY_NAME, "export", command)
    monkeypatch.setattr(arguments, "LATER", tuple(name for name in arguments.LATER if name != "export"))


@pytest.fixture
def target(project: Path) -> Path:
    return project / "CLAUDE.md"


@pytest.fixture
def known(run: Run, project: Path) -> None:
    """Two learnings, of which one is archived, and a third."""
    run("add", "Use flock", "-c", "pattern", "--key", "use-flock", "--confidence", "8", "--scope", "project")
    run("add", "gone", "-c", "pattern", "--scope", "project")
    run("archive", "L-002")
    run("add", "pymysql is not safe", "-c", "pitfall", "--confidence", "0.3", "--scope", "project")


def test_export_writes_the_block_to_stdout(run: Run, known: None, project: Path) -> None:  # GS-export
    for words in ((), ("--format", "claude-md"), ("-o", "-")):
        made = run("export", *words)
        assert (made.code, made.err) == (0, "")
        assert made.out.startswith(f"{BEGIN}\n## Project Learnings\n")
        assert "### Patterns\n\n- **use-flock** Use flock (L-001, confidence 8/10)\n" in made.out
        assert "### Pitfalls\n\n- **L-003** pymysql is not safe (confidence 3/10)\n" in made.out
        assert "gone" not in made.out
    document = run("export", "--json").document
    assert document == {"path": None, "written": False, "kept": None, "learnings": 2, "text": made.out}
    assert sorted(one.name for one in project.iterdir()) == [".learnlog"]


def test_export_into_a_file_changes_its_block_and_nothing_else(run: Run, known: None, target: Path) -> None:  # GS-export
    target.write_bytes(b"\xef\xbb\xbf# caf\xe9\r\nmine, without a last line end")
    os.chmod(target, 0o640)
    before = target.read_bytes()
    done = run("export", "-o", "CLAUDE.md")
    assert (done.code, done.out, done.err) == (0, f"{target}: 2 learnings\n", "")
    first = target.read_bytes()
    assert first.startswith(before + b"\r\n\r\n" + BEGIN.encode() + b"\r\n")
    assert b"\n" not in first.replace(b"\r\n", b"")
    assert target.stat().st_mode & 0o7777 == 0o640
    target.write_bytes(first + b"after\n")
    run("archive", "L-003")
    assert run("export", "-o", str(target), "--json").document == {
        "path": str(target),
        "written": True,
        "kept": None,
        "learnings": 1,
    }
    second = target.read_bytes()
    assert second.startswith(before)
    assert second.endswith(b"-->\r\nafter\n")
    assert b"pymysql" not in second


def test_a_second_export_of_one_state_writes_nothing(run: Run, known: None, target: Path) -> None:  # invariant 9
    run("export", "-o", "CLAUDE.md")
    before = (target.read_bytes(), target.stat())
    again = run("export", "-o", "CLAUDE.md")
    assert again.out == f"{target}: 2 learnings, as it was\n"
    assert (target.read_bytes(), target.stat()) == before


def test_a_missing_file_is_made_with_its_folders(run: Run, known: None, project: Path) -> None:
    run("export", "-o", "docs/agents/AGENTS.md")
    made = (project / "docs" / "agents" / "AGENTS.md").read_text()
    assert made.startswith(BEGIN)
    assert sorted(one.name for one in (project / "docs" / "agents").iterdir()) == ["AGENTS.md"]


def test_nothing_to_export_makes_no_file_and_empties_a_block(run: Run, known: None, target: Path) -> None:
    run("export", "-o", "CLAUDE.md")
    run("archive", "L-001", "L-003")
    assert run("export").out == ""
    run("export", "-o", "CLAUDE.md")
    assert target.read_text() == block("")
    done = run("export", "-o", "other.md")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert not target.with_name("other.md").exists()
    untouched = target.with_name("mine.md")
    untouched.write_text("mine")
    assert run("export", "-o", "mine.md", "--json").document["written"] is False
    assert untouched.read_text() == "mine"


def test_what_a_person_wrote_into_the_block_is_kept_beside_it(run: Run, known: None, target: Path) -> None:  # fault 48
    run("export", "-o", "CLAUDE.md")
    made = target.read_bytes()
    for count in (1, 2):
        target.write_bytes(made.replace(b"Use flock", b"Use flock, I say %d" % count))
        os.utime(target, (0, 1_770_000_000))
        done = run("export", "-o", "CLAUDE.md", "--json")
        name = f"CLAUDE.edited-20260202T024000Z{'' if count == 1 else '-2'}.md"
        kept = target.with_name(name)
        assert done.document["kept"] == str(kept)
        assert f"kept in {kept}" in done.err
        assert b"Use flock, I say %d" % count in kept.read_bytes()
        assert target.read_bytes() == made
    target.write_bytes(b"before\n" + made)
    assert run("export", "-o", "CLAUDE.md").err == ""  # outside of it is nobody's but theirs


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (f"{BEGIN}\n".encode(), "no line has learnlog:end"),
        (block("a\n").encode() * 2, "more than one block"),
        (b"```\n" + block("a\n").encode() + b"```\n", "code fence"),
        ("# Mine\n".encode("utf-16"), "UTF-16"),
        ("# Mine, quite long\n".encode("utf-16-le"), "UTF-16"),
        (b"a\n\n<!-- learnlog view xxh3:0123456789abcdef -->\n", "a view of a log"),
    ],
)
def test_a_file_in_which_no_block_can_be_told_is_one_clear_error(
    data: bytes, reason: str, run: Run, known: None, target: Path
) -> None:
    target.write_bytes(data)
    failed = run("export", "-o", "CLAUDE.md")
    assert failed.code == 1
    assert re.fullmatch(rf"learnlog: cannot export into {target}: .*{reason}.*; it is as it was\n", failed.err)
    assert target.read_bytes() == data
    assert run("export", "-o", "CLAUDE.md", "--json").error["kind"] == "export-failed"
    assert sorted(one.name for one in target.parent.iterdir()) == [".learnlog", "CLAUDE.md"]


def test_a_link_is_followed_to_markdown_and_to_nothing_else(run: Run, known: None, target: Path) -> None:
    real = target.with_name("AGENTS.md")
    real.write_text("mine\n")
    target.symlink_to(real.name)
    run("export", "-o", "CLAUDE.md")
    assert target.is_symlink()
    assert real.read_text().startswith(f"mine\n\n{BEGIN}\n")
    # A hostile repository: what stands in backticks would be run at the next login.
    profile = target.with_name(".bashrc")
    profile.write_text("# mine\n")
    target.unlink()
    target.symlink_to(profile.name)
    failed = run("export", "-o", "CLAUDE.md")
    assert failed.code == 1
    assert f"it is a link to {profile}, which is no Markdown" in failed.err
    assert profile.read_text() == "# mine\n"


def test_what_is_no_file_is_refused(run: Run, known: None, project: Path, log: Path) -> None:
    os.mkfifo(project / "pipe.md")
    (project / "folder.md").mkdir()
    for name in ("pipe.md", "folder.md"):
        failed = run("export", "-o", name)
        assert (failed.code, "it is no file" in failed.err) == (1, True)
    before = log.read_bytes()
    assert run("export", "-o", str(log)).code == 2
    assert run("export", "-o", "").code == 2
    assert log.read_bytes() == before


def test_a_write_that_fails_leaves_the_file_as_it_was(
    run: Run, known: None, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target.write_text("mine\n")

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(exporting.os, "fsync", full)
    failed = run("export", "-o", "CLAUDE.md")
    assert failed.code == 1
    assert "No space left on device; it is as it was" in failed.err
    assert target.read_text() == "mine\n"
    assert sorted(one.name for one in target.parent.iterdir()) == [".learnlog", "CLAUDE.md"]


def test_a_file_that_may_not_be_written_is_not_replaced(
    run: Run, known: None, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target.write_text("mine\n")
    target.chmod(0o444)
    monkeypatch.setattr(exporting.os, "access", lambda path, mode: False)  # as for anybody but root
    assert "Permission denied" in run("export", "-o", "CLAUDE.md").err
    assert target.read_text() == "mine\n"


def test_what_is_saved_while_the_block_is_made_is_not_lost(
    run: Run, known: None, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target.write_text("first\n")
    write = exporting._write
    saved = []

    def slow(path: str, data: bytes, of: str) -> None:
        write(path, data, of)
        if not saved:
            saved.append(target.write_text("second\n"))

    monkeypatch.setattr(exporting, "_write", slow)
    assert run("export", "-o", "CLAUDE.md").code == 0
    assert target.read_text().startswith(f"second\n\n{BEGIN}\n")


# What is in it --------------------------------------------------------------------------------------------------------


def test_nobody_is_named_unless_it_is_asked_for(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # GS-export
    monkeypatch.setenv("USER", "lewiscarroll")
    monkeypatch.setattr(exporting.os, "uname", lambda: os.uname_result(("Linux", "rabbit-hole.example", "", "", "")))
    text = f"{project.parent}/x of lewiscarroll on rabbit-hole, alice@example.com, /Users/alice/y"
    run("add", text, "--by", "human:lewiscarroll", "--session", "s-12345", "--source", "wonderland", "--scope", "project")
    made = run("export").out
    assert "`~/x of <user> on <host>, <email>, ~/y`" in made
    for word in ("lewiscarroll", "rabbit", "alice", "s-12345", "wonderland"):
        assert word not in made
    told = run("export", "--with-personal").out
    assert text in told
    assert "s-12345" not in told
    assert "human" not in told


def test_filters_choose_what_is_exported(run: Run, known: None) -> None:
    assert run("export", "--category", "pitfall", "--json").document["learnings"] == 1
    assert "use-flock" in run("export", "--min-confidence", "8/10").out
    assert "pymysql" not in run("export", "--min-confidence", "8/10").out
    assert run("export", "--min-confidence", "eleven").code == 2


def test_other_formats_are_not_in_this_version(run: Run, known: None) -> None:
    for name in ("add", "gstack", "learnlog", "csv"):
        failed = run("export", "--format", name)
        assert (failed.code, "not in this version" in failed.err) == (2, True)
    assert run("export", "--format", "word").code == 2


def test_export_writes_nothing_to_the_log_or_its_folder(run: Run, known: None, log: Path) -> None:  # invariant 8
    before = {one.name: one.read_bytes() for one in log.parent.iterdir()}
    run("export", "-o", "CLAUDE.md")
    assert {one.name: one.read_bytes() for one in log.parent.iterdir()} == before
