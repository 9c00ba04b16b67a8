"""The command as a process: its one document, its streams, its exit codes, its start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from learnlog import Store
from learnlog.cli.commands import COMMANDS, LATER

from .conftest import ROOT, Run

HOSTILE = "a\x1b[31mred\x1b]0;title\x07 \u202eevil\u2066 \x9b2J \ud83d\r\nnext ‏ \u2028 \U000e0041"


@pytest.mark.parametrize(
    "words", [["--json", "list"], ["list", "--json"], ["--json", "--project", ".", "list"], ["list", "--json", "--json"]]
)
def test_json_is_taken_in_any_position(run: Run, log: Path, words: list[str]) -> None:
    assert run(*words).document == {"total": 0, "more": False, "hits": []}


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["frobnicate"],
        ["--frob"],
        ["add"],
        ["add", "--tag"],
        ["list", "--limit"],
        ["search", "--limit=x"],
        ["purge"],
        ["help", "frob"],
    ],
)
def test_a_usage_error_is_one_document_too(run: Run, log: Path, words: list[str]) -> None:  # fault 39
    done = run("--json", *words)
    assert (done.code, done.err) == (2, "")
    assert set(done.document) == {"error"}
    assert done.error["kind"] in ("usage", "not-in-this-version", "invalid-value")


@pytest.mark.parametrize("name", LATER)
def test_a_command_of_a_later_version_says_so(run: Run, log: Path, name: str) -> None:
    done = run(name, "some", "--words")
    assert (done.code, done.out, done.err) == (2, "", f"learnlog: {name}: not in this version\n")


def test_an_unknown_command_names_the_nearest(run: Run, log: Path) -> None:
    assert "did you mean search?" in run("serach").err


def test_an_unexpected_exception_is_one_document_and_no_traceback(run: Run, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("learnlog.index.asking.ask", fail)
    done = run("list", "--json")
    assert (done.code, done.error["kind"], done.err) == (1, "internal", "")
    assert "RuntimeError: a bug" in done.error["message"]
    assert "Traceback" not in run("list").err
    monkeypatch.setenv("LEARNLOG_DEBUG", "1")
    done = run("list", "--json")
    assert done.error["kind"] == "internal"
    assert "Traceback" in done.err


def test_an_interrupt_ends_with_130(run: Run, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("learnlog.index.asking.ask", interrupt)
    done = run("list", "--json")
    assert (done.code, done.error["kind"]) == (130, "interrupted")
    assert run("list").code == 130


def test_stored_text_never_acts_on_a_terminal(run: Run, log: Path) -> None:  # fault 20, invariant 10
    assert run("add", HOSTILE).code == 4  # letters that nobody sees are not even stored
    hostile = "".join(one for one in HOSTILE if not "\U000e0020" <= one <= "\U000e007f")
    Store(log).record(hostile, body=hostile, tags=[hostile], evidence=[hostile], source=hostile, extra={hostile: hostile})
    run("revise", "L-001", "--example", hostile)
    for words in (["list"], ["search", "red"], ["show", "L-001"], ["history", "L-001"], ["show", hostile], ["stats"]):
        done = run(*words)
        for text in (done.out, done.err):
            assert all(one.isprintable() or one == "\n" for one in text), words
    assert run("list").out.count("\n") == 1
    assert "⏎next" in run("list").out


def test_half_a_pair_is_stored_and_answered_as_json(command: Run, log: Path) -> None:  # fault 16
    Store(log).record("half \ud83d pair")
    for words in (["list", "--json"], ["show", "L-001", "--json"], ["history", "L-001", "--json"]):
        done = command(*words)
        assert done.code == 0
        assert "half \\ud83d pair" in done.out
        assert json.loads(done.out)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-16"])
def test_a_stream_that_cannot_write_the_text_is_no_crash(command: Run, log: Path, encoding: str) -> None:  # fault 20
    Store(log).record("脚本 ✓ naïve\nnext")
    for words in (["list"], ["show", "L-001"], ["show", "脚本"]):
        done = command(*words, env={"PYTHONIOENCODING": encoding})
        assert done.code == (3 if "脚本" in words else 0)
        assert "Traceback" not in done.err
    if encoding != "utf-16":
        done = command("list", "--json", env={"PYTHONIOENCODING": encoding})
        assert json.loads(done.out)["hits"][0]["title"] == "脚本 ✓ naïve\nnext"


def test_undecodable_arguments_do_not_crash(command: Run, log: Path) -> None:
    line = [os.fsencode(sys.executable), b"-m", b"learnlog", b"add", b"caf\xe9", b"--json"]
    done = subprocess.run(line, capture_output=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0
    assert json.loads(done.stdout)["ref"] == "L-001"
    assert command("list").code == 0


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_stops_is_no_error(command: Run, log: Path, unbuffered: str) -> None:
    Store(log).record_many([{"title": f"learning {n} " + "x" * 300} for n in range(2000)])
    done = command("list", shell='"$@" | head -c 100', env={"PYTHONUNBUFFERED": unbuffered})
    assert (done.err, len(done.out)) == ("", 100)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_answer_that_fits_in_part_is_not_a_success(command: Run, log: Path, unbuffered: str) -> None:  # fault 6
    Store(log).record_many([{"title": f"learning {n} " + "x" * 300} for n in range(2000)])
    shell = 'ulimit -f 64; "$@" >out.json'  # a full disk: a part is taken without an error
    done = command("list", "--json", shell=shell, env={"PYTHONUNBUFFERED": unbuffered})
    assert done.code == 1
    assert "its answer cannot be written" in done.err


@pytest.mark.parametrize("json_flag", [[], ["--json"]])
def test_an_answer_that_cannot_be_written_is_said_and_the_learning_is_there(
    command: Run, log: Path, json_flag: list[str]
) -> None:  # fault 41
    for number, stdout in enumerate((">&-", ">/dev/full"), 1):
        done = command("add", f"t{number}", *json_flag, shell=f'"$@" {stdout}')
        assert (done.code, done.out) == (1, "")
        assert "its answer cannot be written" in done.err
        assert done.err.count("\n") == 1
        assert len(Store(log).list()) == number
    assert command("add", "t3", *json_flag, shell='"$@" 2>&- <&-').code == 0


AS_NOBODY = """
import os, sys
from learnlog.cli import main

def every(folder):
    print("==")
    os.chdir(folder)
    for words in (["list"], ["search", "t"], ["show", "L-001"], ["history", "L-001"], ["stats"], ["doctor"]):
        print(words[0], main([*words, "--json"]))
    print("add", main(["add", "u", "--json"]))

scratch, project = sys.argv[1:]
every(scratch)  # so that everything is imported that the other user may not read
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
every(project)
"""


def test_a_read_only_directory_reads_and_refuses_to_write_in_one_line(
    project: Path, log: Path, tmp_path: Path
) -> None:  # fault 26
    scratch = tmp_path / "scratch"
    (scratch / ".learnlog").mkdir(parents=True)
    for one in (log, scratch / ".learnlog" / "learnings.jsonl"):
        Store(one).record("t")
    for folder in [project, scratch, *project.parents, *scratch.parents]:  # so that another user gets there
        if folder.stat().st_uid == os.getuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)
    names = sorted(log.parent.iterdir())
    before = log.read_bytes()
    for file in names:
        file.chmod(0o444)
    log.parent.chmod(0o555)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    line = [sys.executable, "-c", AS_NOBODY, str(scratch), str(project)]
    done = subprocess.run(line, capture_output=True, text=True, check=False, env=environment, timeout=60)
    log.parent.chmod(0o755)
    assert done.stderr == ""
    lines = done.stdout.rpartition("==\n")[2].splitlines()
    assert [one for one in lines if not one.startswith("{")] == [
        *(f"{verb} 0" for verb in ("list", "search", "show", "history", "stats", "doctor")),
        "add 1",
    ]
    error = json.loads(lines[-2])["error"]
    assert error["kind"] in ("lock-failed", "write-failed")
    assert log.read_bytes() == before
    assert sorted(log.parent.iterdir()) == names


def test_a_lock_that_is_held_ends_with_5_and_names_the_holder(
    run: Run, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fault 23
    import learnlog.logs.file as file_log

    Store(log).record("t")
    hold = "import sys; from learnlog.lock import lock_for\n"
    hold += "with lock_for(sys.argv[1]).held(): print('held', flush=True); sys.stdin.read()"
    holder = subprocess.Popen(
        [sys.executable, "-c", hold, f"{os.path.realpath(log)}.lock"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    monkeypatch.setattr(file_log.FileLog, "timeout_s", property(lambda self: 0.2, lambda self, value: None), raising=False)
    try:
        done = run("add", "u", "--json")
        assert run("list").code == 0
    finally:
        holder.communicate()
    assert (done.code, done.error["kind"]) == (5, "lock-timeout")
    assert str(holder.pid) in done.error["message"]


def test_a_variable_that_is_not_known_is_named(run: Run, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEARNLOG_HOEM", "/x")
    done = run("list", "--json")
    assert done.document["total"] == 0
    assert "LEARNLOG_HOEM" in done.err
    assert "LEARNLOG_HOME" in done.err


def test_colour_only_reaches_a_terminal(command: Run, log: Path) -> None:
    Store(log).record("a learning with a rather long title that does not fit into forty columns", severity="critical")
    through = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"
    line = [sys.executable, "-c", through, sys.executable, "-m", "learnlog", "list"]
    seen = {}
    for name, env in {"plain": {"NO_COLOR": "1"}, "dumb": {"TERM": "dumb"}, "colour": {}}.items():
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "40", "TERM": "xterm", **env}
        done = subprocess.run(line, capture_output=True, stdin=subprocess.DEVNULL, env=environment, check=False, timeout=60)
        seen[name] = done.stdout.decode().strip()
    assert "\x1b[1;31mcritical\x1b[0m" in seen["colour"]
    assert seen["plain"] == seen["dumb"]
    assert "\x1b" not in seen["plain"]
    assert len(seen["plain"]) <= 40
    assert seen["plain"].startswith("L-001  critical  a learn")
    assert "does not fit into forty columns" in command("list").out


def test_a_cold_add_imports_nothing_that_it_does_not_need(command: Run, log: Path) -> None:
    # a log of its own: a project's has a view, which is made from an index
    run = "main(['--log', 'other.jsonl', 'add', 't'])"
    code = f"import sys; from learnlog.cli import main; {run}; print(sorted(sys.modules), file=sys.stderr)"
    line = [sys.executable, "-S", "-c", code]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    done = subprocess.run(line, capture_output=True, text=True, env=environment, check=True, cwd=log.parent.parent)
    loaded = set(eval(done.stderr))
    assert "msgspec" in loaded
    unwanted = {"portalocker", "sqlite3", "shutil", "subprocess", "tempfile", "dataclasses", "asyncio", "tomllib", "logging"}
    unwanted |= {"learnlog.importing", "learnlog.config", "learnlog.cli.reading", "learnlog.cli.setup", "learnlog.cli.rows"}
    assert loaded & unwanted == set()
    own = "import sys; before = set(sys.modules); import learnlog.cli; print(set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", own], capture_output=True, text=True, cwd=ROOT, check=True)
    assert eval(done.stdout) == {"learnlog", "learnlog.cli"}


def test_every_command_has_help_and_every_flag_of_it_is_there(run: Run, home: Path) -> None:
    overview = run("help").out
    assert run("--help").out == overview
    for command in COMMANDS:
        assert f"  {command.name} " in overview
        text = run("help", command.name).out
        assert run(command.name, "--help").out == run(command.name, "-h").out == text
        assert text.startswith(f"usage: learnlog {command.name}")
        assert all(name in text for flag in command.flags if not flag.later for name in flag.names)
    assert run("help", "add", "--json").document["help"] == run("help", "add").out
    assert run("help", "purge").code == 2


def test_the_version_is_said(run: Run, home: Path) -> None:
    assert run("--version").out == "learnlog 0.1.0\n"
    assert run("--version", "--json").document == {"version": "0.1.0"}
