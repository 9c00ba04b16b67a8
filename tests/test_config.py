"""The settings that hold: two files, what each may set, what is wrong with them, and what is remembered."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from learnlog import config, config_file
from learnlog.errors import ConfigInvalid, InvalidValue
from learnlog.settings import TABLE, Key, allowed, checked, from_text, has_password, known, masked
from learnlog.vocabulary import CATEGORIES

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "configuration.md"


class Files:
    """A person's file and a project's, that are a minute old however late they are written."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.environment = {"LEARNLOG_HOME": str(folder / "home"), "XDG_CACHE_HOME": str(folder / "cache")}
        self.person = folder / "home" / "config.toml"
        self.project = self.root / ".learnlog" / "config.toml"
        self.cache = folder / "cache" / "learnlog"
        for file in (self.person, self.project):
            file.parent.mkdir(parents=True)

    def write(self, *, person: str | None = None, project: str | None = None) -> None:
        for file, text in ((self.person, person), (self.project, project)):
            if text is not None:
                file.write_text(text, encoding="utf-8")
                then = time.time() - 60
                os.utime(file, (then, then))

    def settings(self) -> config.Settings:
        return config.settings(str(self.root), self.environment)

    def told(self) -> list[str]:
        """The warnings about the project's file, without its path."""
        return [one.removeprefix(f"{self.project}: ") for one in self.settings().warnings]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


@pytest.fixture
def old_code() -> None:
    """Waits until the code itself is older than what is not kept yet: it may have been installed a moment ago."""
    newest = max(os.stat(path).st_mtime for path in config._CODE)
    time.sleep(max(0.0, min(3.0, newest + 2.2 - time.time())))


def shown(settings: config.Settings) -> dict[str, object]:
    return {name: getattr(settings, name) for name in settings.__slots__}


# What holds ---------------------------------------------------------------------------------------------------------


def test_without_files_the_defaults_hold_and_nothing_is_kept(files: Files) -> None:
    assert shown(files.settings()) == {
        "classifier_command": (),
        "classifier_timeout_s": 10.0,
        "cross_project_read": False,
        "guard_allow": frozenset(),
        "name": None,
        "organization_log": None,
        "stack": None,
        "view_commit": False,
        "vocabulary_categories": (),
        "vocabulary_only": None,
        "warnings": (),
    }
    assert not files.cache.exists()


def test_a_project_decides_about_itself_and_a_person_about_all_else(files: Files) -> None:
    # semantics: a project's configuration may set name, stack, vocabulary, view
    files.write(
        project="name = 'shop'\nstack = ['Python', 'python', ' C++ ']\n"
        "vocabulary.categories = ['Security']\nview.commit = true\n",
        person="""
            name = 'mine'
            stack = ['cobol']
            view.commit = false
            guard.allow = ['role-prefix', 'aws-key']
            cross_project.read = true
            [classifier]
            command = 'python3 "my scope.py"'
            timeout_s = 3
        """,
    )
    found = files.settings()
    assert (found.name, found.stack, found.view_commit) == ("shop", ("python", "c++"), True)
    assert found.categories == (*CATEGORIES, "security")
    assert (found.guard_allow, found.cross_project_read) == (frozenset({"role-prefix", "aws-key"}), True)
    assert (found.classifier_command, found.classifier_timeout_s) == (("python3", "my scope.py"), 3.0)
    assert found.warnings == ()
    files.write(project="")
    assert (files.settings().name, files.settings().stack) == (None, None)  # a person's stack is no project's
    outside = config.settings(None, files.environment)
    assert (outside.name, outside.stack, outside.guard_allow) == ("mine", ("cobol",), found.guard_allow)


def test_a_vocabulary_is_extended_and_narrowed(files: Files) -> None:
    files.write(project="[vocabulary]\ncategories = ['security']\nonly = ['technical', 'security']\n")
    assert files.settings().categories == ("technical", "security")
    files.write(project="[vocabulary]\nonly = []\n")
    assert (files.settings().categories, files.told()) == (CATEGORIES, [])
    files.write(project="[vocabulary]\n\nonly = ['technical', 'gardening']\n")
    assert files.settings().categories == CATEGORIES
    assert files.told() == ["line 3: vocabulary.only names gardening, which is no category here; it has no effect"]


@pytest.mark.parametrize("key", [key for key in TABLE if key.personal], ids=lambda key: key.name)
def test_a_key_of_this_person_has_no_effect_in_a_projects_file(files: Files, key: Key) -> None:
    files.write(project=f"name = 'x'\n# why\n{key.name} = {key.example}\n")
    found = files.settings()
    assert shown(found) == shown(config.Settings({"name": "x"}, found.warnings))
    personal = f"line 3: {key.name} counts in your own settings only (`learnlog config set --user`); it has no effect here"
    assert files.told() == [personal]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("\nview.comit = true\n", ["line 2: view.comit is not known and has no effect; did you mean view.commit?"]),
        ("[views]\ncommit = true\n", ["line 1: views is not known and has no effect"]),
        ("stacks = []\nname = 'x'\n", ["line 1: stacks is not known and has no effect; did you mean stack?"]),
        ("'view.commit' = true\n", ["line 1: view.commit is not known and has no effect; did you mean view.commit?"]),
        ("view = 3\n", ["line 1: view must be a table of settings; it has no effect"]),
        ("[[view]]\ncommit = true\n", ["line 1: view must be a table of settings; it has no effect"]),
        ("name = ''\n", [f"line 1: name must be {allowed(known('name'))}; it has no effect"]),
        ("\n[view]\ncommit = 'yes'\n", ["line 3: view.commit must be true or false; it has no effect"]),
        ("stack = [\n'a',\n1]\n", [f"line 1: stack must be {allowed(known('stack'))}; it has no effect"]),
        ("view = { commit = 1 }\n", ["line 1: view.commit must be true or false; it has no effect"]),
    ],
)
def test_what_has_no_effect_is_told_with_its_line_and_the_rest_holds(files: Files, text: str, told: list[str]) -> None:
    files.write(project=f"vocabulary.categories = ['kept']\n{text}")
    moved = [re.sub(r"line (\d+)", lambda found: f"line {int(found[1]) + 1}", one) for one in told]
    assert files.told() == moved
    assert files.settings().vocabulary_categories == ("kept",)


def test_a_file_that_does_not_parse_is_one_warning_with_its_line(files: Files) -> None:
    # issue 4: reading commands go on with defaults
    files.write(project="name = 'x'\nstack = [\n", person="guard.allow = ['a']\n")
    found = files.settings()
    assert (found.name, found.guard_allow) == (None, frozenset({"a"}))
    assert files.told() == ["line 2: Invalid value; nothing in it has an effect"]
    files.write(project="name = 'x'\n\nstack = oops\n", person="=\n")
    first, second = files.settings().warnings
    assert first == f"{files.person}: line 1: Invalid statement; nothing in it has an effect"
    assert second == f"{files.project}: line 3: Invalid value; nothing in it has an effect"
    with pytest.raises(ConfigInvalid, match="line 3") as caught:
        config_file.read(str(files.project), str(files.root))
    assert caught.value.path == str(files.project)


def test_bytes_that_are_no_text_are_named_by_line(files: Files) -> None:
    files.project.write_bytes(b"name = 'x'\n\nstack = '\xff'\n")
    assert files.told() == ["line 3: not UTF-8 at byte 21; nothing in it has an effect"]


def test_of_many_lines_without_effect_the_first_are_told_and_the_rest_counted(files: Files) -> None:
    files.write(project="".join(f"unknown{number} = 1\n" for number in range(500)) + "guard.allow = ['a']\n")
    told = files.told()
    assert len(told) == config_file.MOST_WARNINGS + 1
    assert told[0].startswith("line 501: guard.allow counts")  # what matters is not hidden by a crowd
    assert told[-1] == f"{501 - config_file.MOST_WARNINGS} more lines have no effect"


# Values -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", " \t "),
        ("name", "a\x1b[31mb"),
        ("name", "a\u202eb"),
        ("name", "x" * 256),
        ("name", 3),
        ("stack", "python"),
        ("stack", ["x"] * 101),
        ("stack", ["x" * 61]),
        ("stack", ["a\nb"]),
        ("stack", [["a"]]),
        ("vocabulary.categories", ["two words"]),
        ("vocabulary.categories", ["a|b"]),
        ("guard.allow", ["*"]),
        ("view.commit", 1),
        ("classifier.timeout_s", 0),
        ("classifier.timeout_s", -1),
        ("classifier.timeout_s", 601),
        ("classifier.timeout_s", True),
        ("classifier.timeout_s", float("nan")),
        ("classifier.timeout_s", float("inf")),
        ("classifier.timeout_s", "10"),
        ("classifier.command", "unclosed 'quote"),
        ("classifier.command", ["  ", "x"]),
        ("classifier.command", ["a", 1]),
        ("classifier.command", ["a\0b"]),
        ("classifier.command", "x" * 4001),
        ("cross_project.read", "true"),
        ("organization.log", ["a"]),
    ],
)
def test_a_value_that_is_not_allowed_is_refused_with_what_is(name: str, value: object) -> None:
    with pytest.raises(InvalidValue) as caught:
        checked(known(name), value)
    assert caught.value.argument == name
    assert caught.value.allowed == allowed(known(name))


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("stack", "Python, sql,,python", ("python", "sql")),
        ("stack", "", ()),
        ("view.commit", " True ", True),
        ("classifier.timeout_s", "2.5", 2.5),
        ("classifier.command", " a 'b c' ", "a 'b c'"),
        ("name", " a ✓ ", "a ✓"),
    ],
)
def test_a_value_is_typed_as_the_help_says(name: str, typed: str, value: object) -> None:
    assert from_text(known(name), typed) == value


@pytest.mark.parametrize(
    ("name", "typed"),
    [("view.commit", "yes"), ("classifier.timeout_s", "soon"), ("classifier.timeout_s", "nan"), ("name", "a\nb")],
)
def test_a_typed_value_that_is_not_allowed_is_refused(name: str, typed: str) -> None:
    with pytest.raises(InvalidValue, match=re.escape(name)):
        from_text(known(name), typed)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("postgres://ada:hunter2@db/x", True),
        ("see https://ada:hun/ter2@db now", True),
        ("redis://:hunter2@host:6379", True),
        ("POSTGRES+psycopg://a.b%40c:hunter2@[::1]/x", True),
        ("postgres://ada@db:5432/x", False),
        ("http://localhost:4873/@scope/name", False),
        ("https://example.org/a:b@c", False),
        ("mail ada: now @home, see https://example.org", False),
        ("://", False),
    ],
)
def test_an_address_with_a_password_is_told_from_one_without(text: str, secret: bool) -> None:
    # fault 46
    assert has_password(text) is secret
    assert "hunter2" not in str(masked(text))
    assert (masked(text) == text) is not secret


# What is remembered -------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("old_code")
def test_what_was_read_is_remembered_until_a_file_changes(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    files.write(
        project="name = 'a ✓'\nstack = []\nview.commit = true\n[vocabulary]\ncategories = ['x']\nonly = ['x']\nodd = 1\n",
        person="organization.log = 'a'\ncross_project.read = false\n[classifier]\ncommand = ['a b', '']\ntimeout_s = 0.25\n",
    )
    reads: list[str] = []
    real = config_file.read
    monkeypatch.setattr(config_file, "read", lambda path, root=None: (reads.append(path), real(path, root))[1])
    first = shown(files.settings())
    assert (first["stack"], first["classifier_command"], len(first["warnings"])) == ((), ("a b", ""), 2)  # type: ignore[arg-type]
    assert len(reads) == 2
    assert shown(files.settings()) == first
    assert len(reads) == 2
    files.write(person="guard.allow = ['a']\n")
    assert files.settings().guard_allow == {"a"}
    files.person.unlink()
    assert files.settings().guard_allow == frozenset()


@pytest.mark.parametrize("rubbish", ["nonsense\tx", "view.commit", "classifier.timeout_s\tsoon", ""])
@pytest.mark.usefixtures("old_code")
def test_settings_that_are_kept_damaged_are_read_again(files: Files, rubbish: str) -> None:
    # invariant 9
    files.write(project="name = 'x'\n")
    files.settings()
    [kept] = files.cache.glob("settings-*")
    text = kept.read_text()
    assert text.endswith("\nname\tx\n")
    kept.write_text(text.replace("name\tx", rubbish))
    assert (files.settings().name, files.settings().warnings) == ("x", ())


def test_a_file_that_cannot_be_read_now_is_tried_again(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    # a change of who may read a file does not change the file
    files.write(project="name = 'x'\n")

    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(config_file.os, "open", denied)
        assert files.told()[-1] == "Permission denied; nothing in it has an effect"
    assert (files.settings().name, files.told()) == ("x", [])


PROGRAM = """
import sys
from learnlog import config
before = set(sys.modules)
found = config.settings(sys.argv[1], {"LEARNLOG_HOME": sys.argv[2], "XDG_CACHE_HOME": sys.argv[3]})
print(found.name, len(found.warnings), *sorted(set(sys.modules) - before))
"""


def modules_of(files: Files) -> tuple[str, set[str]]:
    """What a process finds, and what it imports for it."""
    line = [sys.executable, "-S", "-c", PROGRAM, str(files.root), *files.environment.values()]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    ran = subprocess.run(line, capture_output=True, text=True, check=True, env=environment, timeout=60)
    name, warnings, *modules = ran.stdout.split()
    return f"{name} {warnings}", set(modules)


@pytest.mark.usefixtures("old_code")
def test_the_second_look_imports_no_parser(files: Files) -> None:
    # design: start-up is a feature
    assert modules_of(files) == ("None 0", set())
    files.write(project="name = 'x'\nodd = 1\n", person="classifier.command = 'a b'\n")
    heavy = {"tomllib", "re", "json", "difflib", "shlex", "learnlog.config_file"}
    assert heavy - {"json"} <= modules_of(files)[1]
    found, modules = modules_of(files)
    assert found == "x 1"
    assert modules & (heavy | {"enum", "typing", "msgspec", "portalocker"}) == set()


# Writing ------------------------------------------------------------------------------------------------------------


def as_typed(key: Key) -> str:
    """The example of a key as it is typed."""
    value = tomllib.loads(f"x = {key.example}")["x"]
    if isinstance(value, list):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_every_key_is_set_and_read_back_as_its_example(files: Files) -> None:
    path = str(files.person)
    config_file.put(path, "vocabulary.categories", "security")  # for vocabulary.only
    for key in TABLE:
        after = config_file.put(path, key.name, as_typed(key))
        assert after.values[key.name] == checked(key, tomllib.loads(f"x = {key.example}")["x"])
    text = files.person.read_text()
    assert set(config_file.read(path).values) == {key.name for key in TABLE}
    for key in TABLE:
        config_file.put(path, key.name, as_typed(key))
    assert files.person.read_text() == text


def test_what_cannot_be_set_leaves_the_file_as_it_was(files: Files) -> None:
    for text, name in (("view = { commit = false }\n", "view.commit"), ("[name]\nx = 1\n", "name"), ("name = [\n", "name")):
        files.write(project=text)
        with pytest.raises(ConfigInvalid):
            config_file.put(str(files.project), name, "true", str(files.root))
        assert files.project.read_text() == text
    assert [one.name for one in files.project.parent.iterdir()] == ["config.toml"]


def test_a_link_of_a_person_stays_a_link_and_a_mode_stays(files: Files, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text("")
    real.chmod(0o640)
    files.person.symlink_to(real)
    config_file.put(str(files.person), "name", "x")
    assert files.person.is_symlink()
    assert (real.read_text(), real.stat().st_mode & 0o777) == ('name = "x"\n', 0o640)


# The page -----------------------------------------------------------------------------------------------------------


def test_the_page_has_every_key_as_the_table_has_it() -> None:
    rows = re.findall(r"^\| `([\w.]+)` \| (.*) \| (.*) \| (.*) \| `(.*)` \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(key.name, key.help, default_text(key.default), who(key), f"{key.name} = {key.example}") for key in TABLE]


@pytest.mark.parametrize("key", TABLE, ids=lambda key: key.name)
def test_the_page_says_what_a_value_must_be(key: Key) -> None:
    assert f"- `{key.kind}`: {allowed(key)}" in PAGE.read_text(encoding="utf-8")


def default_text(default: object) -> str:
    if default is None or default == ():
        return "not set"
    return f"`{str(default).lower() if isinstance(default, bool) else f'{default:g}'}`"


def who(key: Key) -> str:
    return "you" if key.personal else "project, you"
