"""A function or a command of the caller's says the scope; when it fails in any way the rules do, with one warning."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from learnlog import classifier_command, classifying, config
from learnlog.classifying import explain, scope_of
from learnlog.roots import Place
from learnlog.surroundings import Surroundings

FIELDS = {"title": "pytest fixtures of scope session are built once", "body": "per worker", "tags": ("xdist",)}
BY_RULES = "workstation"
NOT_BY_RULES = "universal"


@pytest.fixture(autouse=True)
def _nothing_is_known_yet() -> Iterator[None]:
    classifier_command._paused.clear()
    classifying._read.clear()
    yield
    classifier_command._paused.clear()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "green-shop"
    (root / "src" / "cart").mkdir(parents=True)
    (root / "src" / "cart" / "total.py").touch()
    (root / "schema.sql").write_text("create table users (a)", encoding="utf-8")
    (tmp_path / "home").mkdir()
    return root


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"LEARNLOG_HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "cache")}


def around(
    root: Path | None, environment: dict[str, str], command: tuple[str, ...] = (), timeout_s: float = 10.0
) -> Surroundings:
    log = Path(environment["LEARNLOG_HOME"]) / "learnings.jsonl"
    place = Place(
        log=str(log), tier="workstation" if root is None else "project", root=None if root is None else str(root), named=False
    )
    made = Surroundings(place, environment)
    made._settings = config.Settings(
        {"classifier.command": command, "classifier.timeout_s": timeout_s, "stack": ("python", "pytest")}
    )
    return made


@pytest.fixture
def asked(project: Path, environment: dict[str, str], tmp_path: Path) -> Callable[..., tuple[str, list[str], float]]:
    """Classify with a program: the scope, the warnings, and how long it took."""

    def ask(program: str, *, timeout_s: float = 10.0, fields: Mapping[str, Any] = FIELDS) -> tuple[str, list[str], float]:
        script = tmp_path / "program.py"
        script.write_text(program, encoding="utf-8")
        here = around(project, environment, (sys.executable, "-S", str(script)), timeout_s)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            begin = time.monotonic()
            scope = scope_of(fields, here)
        return scope, [str(one.message) for one in caught], time.monotonic() - begin

    return ask


def test_the_rules_know_the_project_that_is_around(project: Path, environment: dict[str, str]) -> None:
    # ADD-16
    here = around(project, environment)
    assert explain({"title": "total.py rounds half up"}, here) == ("project", ("names total.py, a file of the project",))
    assert explain({"title": "the users table is large"}, here)[1] == ("names users, a table of the project",)
    assert explain({"title": "green-shop needs Redis"}, here)[1] == ("names green-shop, the project's own",)
    assert explain({"title": f"{project}/src/cart/total.py rounds"}, here)[0] == "project"
    assert scope_of(FIELDS, here) == BY_RULES
    assert scope_of({"title": "total.py is read by pytest"}, around(None, environment)) == "workstation"


def test_a_file_that_git_does_not_track_yet_is_the_projects_too(project: Path, environment: dict[str, str]) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    subprocess.run(["git", "init", "-q"], cwd=project, check=True, env=clean)
    subprocess.run(["git", "add", "schema.sql"], cwd=project, check=True, env=clean)
    (project / "node_modules" / "react").mkdir(parents=True)
    (project / "node_modules" / "react" / "index.js").touch()
    here = around(project, environment)
    assert scope_of({"title": "pytest collects src/cart/total.py"}, here) == "project"
    assert scope_of({"title": "React: node_modules/react/index.js is CommonJS"}, here) == "workstation"
    assert scope_of({"title": "pytest reads ../../etc/hosts and \0/x and src/cart"}, here) == "workstation"


def test_a_function_is_asked_first(project: Path, environment: dict[str, str]) -> None:
    # ADD-18
    here = around(project, environment, ("/bin/false",))
    seen: list[Mapping[str, Any]] = []

    def says(fields: Mapping[str, Any]) -> str:
        seen.append(fields)
        return " Universal\n"

    assert scope_of(FIELDS, here, says) == "universal"
    assert seen == [FIELDS]


@pytest.mark.parametrize("answer", ["", "everything", None, 3, ["project"], {"scope": "project"}, b"project", "x" * 10**6])
def test_a_function_that_answers_nonsense_is_warned_about(project: Path, environment: dict[str, str], answer: Any) -> None:
    with pytest.warns(UserWarning, match=r"the classifier answered .*the rules decided") as caught:
        assert scope_of(FIELDS, around(project, environment), lambda _: answer) == BY_RULES
    assert len(caught) == 1
    assert len(str(caught[0].message)) < 300


def test_a_function_that_raises_is_warned_about(project: Path, environment: dict[str, str]) -> None:
    def fails(fields: Mapping[str, Any]) -> str:
        raise RuntimeError("no\x1b[31m model")

    with pytest.warns(UserWarning, match=r"the classifier failed \(RuntimeError: no\\x1b\[31m model\)"):
        assert scope_of(FIELDS, around(project, environment), fails) == BY_RULES


def test_what_a_person_does_to_stop_a_function_is_not_taken_for_its_failure(project: Path, environment: dict[str, str]) -> None:
    def interrupted(fields: Mapping[str, Any]) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scope_of(FIELDS, around(project, environment), interrupted)


@pytest.mark.parametrize("answer", ["universal", " Universal \n", '"universal"', '{"scope": "universal", "why": "x"}'])
def test_a_command_answers_with_a_word_or_with_json(asked: Callable[..., Any], answer: str) -> None:
    # ADD-18
    assert asked(f"print({answer!r})")[:2] == (NOT_BY_RULES, [])


def test_a_command_is_told_the_learning_and_the_project(asked: Callable[..., Any], tmp_path: Path) -> None:
    fields = {"title": "one \ud83d half", "body": "x" * 1_000_000, "files": ("a.py",), "stack": ("go",), "key": "not told"}
    program = (
        "import json, os, sys; told = json.load(sys.stdin); told['body'] = len(told['body']); told['in'] = os.getcwd()\n"
        f"json.dump(told, open({str(tmp_path / 'told')!r}, 'w')); print('universal')"
    )
    assert asked(program, fields=fields)[:2] == (NOT_BY_RULES, [])
    assert json.loads((tmp_path / "told").read_text()) == {
        "title": "one \ud83d half",
        "body": 1_000_000,
        "tags": [],
        "files": ["a.py"],
        "stack": ["go"],
        "project": "green-shop",
        "project_stack": ["python", "pytest"],
        "in": str(tmp_path / "home"),  # not in the project, whose files are others'
    }


NONSENSE = {
    "nothing": ("", "answered ''"),
    "another word": ("print('mine')", "answered 'mine'"),
    "two words": ("print('project universal')", "answered 'project universal'"),
    "other json": ("print('{\"scope\": true}')", "answered True"),
    "broken json": ("print('{\"scope\":')", "neither a word nor JSON"),
    "deep json": ("print('{\"a\":' * 30000)", "more than 65536 bytes"),
    "deeper": ("print('{\"a\":' * 9000)", "neither a word nor JSON"),
    "bad UTF-8": ("import os; os.write(1, b'\\xff\\xfeproject')", "neither a word nor JSON"),
    "a terminal's escapes": ("print('\\x1b[31mproject')", "answered '\\x1b[31mproject'"),
    "exit status": ("print('universal'); raise SystemExit(3)", "failed (exit status 3)"),
    "a signal": ("print('universal', flush=True); import os; os.kill(os.getpid(), 9)", "failed (ended by signal 9)"),
    "an exception": ("import sys; sys.stderr.write('x' * 10**6); 1 / 0", "failed (exit status 1)"),
}


@pytest.mark.parametrize("name", NONSENSE)
def test_a_command_that_fails_or_answers_nonsense_is_warned_about_once(asked: Callable[..., Any], name: str) -> None:
    # issue: a classifier command that hangs, fails or answers nonsense: the rules, and a warning
    program, says = NONSENSE[name]
    scope, said, _ = asked(program)
    assert scope == BY_RULES
    assert len(said) == 1
    assert said[0].startswith("classifier.command ")
    assert says in said[0].replace("\\\\", "\\")
    assert said[0].isprintable()


def test_a_command_that_never_stops_talking_is_stopped(asked: Callable[..., Any]) -> None:
    scope, said, took = asked("import sys\nfor _ in range(100): sys.stdout.write('x' * 1_000_000)")
    assert (scope, len(said)) == (BY_RULES, 1)
    assert "more than 65536 bytes" in said[0]
    assert took < 5


@pytest.mark.parametrize(
    "hangs", ["import time; time.sleep(600)", "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)"]
)
def test_a_command_that_hangs_is_ended_in_time_and_left_alone_for_a_while(asked: Callable[..., Any], hangs: str) -> None:
    scope, said, took = asked(hangs, timeout_s=0.3)
    assert (scope, len(said)) == (BY_RULES, 1)
    assert "did not answer within 0.3 s" in said[0]
    assert took < 3
    scope, said, took = asked(hangs, timeout_s=0.3)  # a thousand rows do not wait a thousand times
    assert scope == BY_RULES
    assert "left alone" in said[0]
    assert took < 0.3


FORKS = "import os, sys, time\nif os.fork() == 0:\n    open({pid!r}, 'w').write(str(os.getpid()))\n    time.sleep(600)\n"


def wait_for(happens: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        if happens():
            return True
        time.sleep(0.01)
    return False


def is_gone(pid: Path) -> bool:
    """Whether the process ended; one that nobody collects is shown as a zombie."""
    try:
        state = Path(f"/proc/{pid.read_text()}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


@pytest.mark.parametrize("then", ["time.sleep(600)", "print('universal', flush=True)"])
def test_what_a_command_started_is_ended_with_it(asked: Callable[..., Any], tmp_path: Path, then: str) -> None:
    pid = tmp_path / "pid"
    program = (
        FORKS.format(pid=str(pid))
        + f"while not os.path.exists({str(pid)!r}) or not os.path.getsize({str(pid)!r}): pass\n{then}"
    )
    scope, said, took = asked(program, timeout_s=2.0)
    answered = "print" in then  # the child holds the output open, and the answer is there all the same
    assert (scope, len(said)) == ((NOT_BY_RULES, 0) if answered else (BY_RULES, 1))
    assert took < 5
    assert wait_for(lambda: is_gone(pid))


def test_a_command_that_does_not_read_is_no_failure(asked: Callable[..., Any]) -> None:
    program = "import os; os.close(0); print('universal')"
    assert asked(program, fields={**FIELDS, "body": "x" * 3_000_000})[:2] == (NOT_BY_RULES, [])


@pytest.mark.parametrize("command", [("/nowhere/at all",), ("no-such-program-anywhere",), ("a\0b",), ("/",)])
def test_a_command_that_is_not_there_is_warned_about(
    project: Path, environment: dict[str, str], command: tuple[str, ...]
) -> None:
    with pytest.warns(UserWarning, match=r"classifier\.command could not be started") as caught:
        assert scope_of(FIELDS, around(project, environment, command)) == BY_RULES
    assert len(caught) == 1


def test_no_shell_reads_the_command(project: Path, environment: dict[str, str], tmp_path: Path) -> None:
    words = (
        sys.executable,
        "-S",
        "-c",
        "import sys; print(sys.argv[1] if sys.argv[1] == '$HOME;*' else 'universal')",
        "$HOME;*",
    )
    with pytest.warns(UserWarning, match=r"answered '\$HOME;\*'"):
        assert scope_of(FIELDS, around(project, environment, words)) == BY_RULES


def test_an_interrupt_ends_the_command_too(project: Path, environment: dict[str, str], tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    words = (sys.executable, "-S", "-c", f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(600)")

    def interrupt() -> None:
        wait_for(lambda: pid.exists() and pid.read_text() != "")
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        scope_of(FIELDS, around(project, environment, words))
    assert wait_for(lambda: is_gone(pid))


def test_threads_may_classify_at_once(project: Path, environment: dict[str, str]) -> None:
    here = around(project, environment)
    found: list[str] = []

    def work() -> None:
        found.extend(scope_of({"title": f"total.py rounds {number}"}, here) for number in range(50))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["project"] * 200
