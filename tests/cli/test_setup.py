"""init, config, completion, and which log a command works on."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from learnlog import Store
from learnlog.cli.commands import COMMANDS

from .conftest import Run

ATTRIBUTE = b"/.learnlog/learnings.jsonl text eol=lf merge=union"
IGNORED = [b"/.learnlog/learnings.jsonl.lock", b"/.learnlog/learnings.md*", b"/.learnlog/learnings-active.md*"]


def test_init_makes_what_git_needs_and_a_second_run_changes_nothing(run: Run, home: Path) -> None:
    root = home / "new" / "place"
    done = run("init", str(root), "--json")
    assert done.code == 0
    assert done.document == {
        "root": str(root),
        "log": str(root / ".learnlog" / "learnings.jsonl"),
        "created": [".learnlog/config.toml", ".gitattributes", ".gitignore"],
        "unchanged": [],
        "stack": [],
    }
    assert (root / ".gitattributes").read_bytes() == ATTRIBUTE + b"\n"
    assert (root / ".gitignore").read_bytes().splitlines() == IGNORED
    assert not (root / ".learnlog" / "learnings.jsonl").exists()
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    again = run("init", str(root), "--json").document
    assert (again["created"], len(again["unchanged"])) == ([], 3)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before
    assert "everything was there" in run("init", str(root)).out


@pytest.mark.parametrize(
    "existing",
    [
        b"*.png binary\n",
        b"*.png binary",
        b"# caf\xe9\r\n*.png binary\r\n",
        b"*.x y\r\n*.png binary",
        b"\n\n",
        b"learnings.jsonl text\n",
    ],
)
def test_init_keeps_what_is_there_byte_for_byte(run: Run, project: Path, existing: bytes) -> None:
    for name in (".gitattributes", ".gitignore"):
        (project / name).write_bytes(existing)
    assert run("init").code == 0
    for name, lines in ((".gitattributes", [ATTRIBUTE]), (".gitignore", IGNORED)):
        now = (project / name).read_bytes()
        assert now.startswith(existing)
        added = now[len(existing) :]
        assert [one.strip() for one in added.strip().split(b"\n")] == lines
        assert added.endswith(b"\r\n" if b"\r\n" in existing else b"\n")
        assert run("init").code == 0
        assert (project / name).read_bytes() == now


def test_the_attribute_of_init_is_for_its_own_path_only(run: Run, project: Path) -> None:
    subprocess.run(["git", "init", "-q", "."], check=True, cwd=project)
    run("init")
    paths = [".learnlog/learnings.jsonl", "learnings.jsonl", "deep/.learnlog/learnings.jsonl", ".learnlog/config.toml"]
    said = subprocess.run(
        ["git", "check-attr", "merge", *paths], check=True, cwd=project, capture_output=True, text=True
    ).stdout
    assert [line.rpartition(" ")[2] for line in said.splitlines()] == ["union", "unspecified", "unspecified", "unspecified"]


@pytest.mark.parametrize(
    ("files", "stack"),
    [
        (["pyproject.toml"], ["python"]),
        (["requirements.txt", "package.json"], ["python", "javascript"]),
        (["package.json", "tsconfig.json"], ["javascript", "typescript"]),
        (["Cargo.toml"], ["rust"]),
        (["go.mod"], ["go"]),
        (["Gemfile"], ["ruby"]),
        (["pom.xml", "build.gradle"], ["java"]),
        (["composer.json"], ["php"]),
        (["mix.exs"], ["elixir"]),
        (["App.csproj"], ["csharp"]),
        (["README.md"], []),
    ],
)
def test_init_finds_the_stack_in_the_files(run: Run, project: Path, files: list[str], stack: list[str]) -> None:  # ADD-5..8
    for name in files:
        (project / name).touch()
    assert run("init", "--json").document["stack"] == stack
    config = tomllib.loads((project / ".learnlog" / "config.toml").read_text())
    assert config == {"name": "project", "stack": stack}
    assert run("config", "get", "stack").out == (",".join(stack) + "\n" if stack else "")


def test_typescript_is_found_in_a_package_file(run: Run, project: Path) -> None:
    (project / "package.json").write_text('{"devDependencies": {"typescript": "5"}}')
    assert run("init", "--json").document["stack"] == ["javascript", "typescript"]


def test_init_keeps_a_configuration_that_does_not_parse(run: Run, project: Path) -> None:
    config = project / ".learnlog" / "config.toml"
    config.write_text("name = \n")
    done = run("init", "--json")
    assert done.code == 0
    assert ".learnlog/config.toml" in done.document["unchanged"]
    assert "line 1" in done.err
    assert config.read_text() == "name = \n"


def test_init_refuses_a_file_and_the_home_of_this_person(run: Run, home: Path, project: Path) -> None:
    (project / "file").touch()
    for given in ("file", "~", ""):
        done = run("init", given)
        assert (done.code, done.err.count("\n")) == (2, 1)
    assert run("init", "a", "b").code == 2
    assert run("init", "--log", "x").code == 2
    assert not (home / ".learnlog").exists()


# config -------------------------------------------------------------------------------------------------------------


def test_config_sets_one_line_and_keeps_the_others(run: Run, project: Path) -> None:
    config = project / ".learnlog" / "config.toml"
    text = '# mine\r\nother = 1 # kept\r\nstack = [\r\n  "a", # old\r\n]\r\n[table]\r\nname = "not this one"\r\n'
    config.write_bytes(text.encode())
    done = run("config", "set", "stack", "Python, sql", "--json")
    assert done.document == {"key": "stack", "value": ["python", "sql"], "path": str(config)}
    assert run("config", "set", "name", 'a "quoted" ✓').out == 'name = a "quoted" ✓\n'
    assert config.read_bytes().decode() == (
        '# mine\r\nother = 1 # kept\r\nstack = ["python", "sql"]\r\nname = "a \\"quoted\\" ✓"\r\n'
        '[table]\r\nname = "not this one"\r\n'
    )
    assert run("config", "get", "name").out == 'a "quoted" ✓\n'
    told = run("config", "get", "stack").err.splitlines()
    assert [line.partition("config.toml: ")[2] for line in told] == [
        "line 2: other is not known and has no effect",
        "line 5: table is not known and has no effect",
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b'name = "new"\n'),
        (b'stack = ["a"]', b'stack = ["a"]\nname = "new"\n'),
        (b'"name" = "old"\n', b'name = "new"\n'),
        (b"  'name'= 'old' # mine\nother = 1", b'name = "new" # mine\nother = 1'),
        (b'names = "kept"\n', b'names = "kept"\nname = "new"\n'),
        (
            b'text = """\nname = "kept"\n[kept]\n"""\n  [table]\n',
            b'text = """\nname = "kept"\n[kept]\n"""\nname = "new"\n  [table]\n',
        ),
        (b"# of the file\n\n# of the table\n[table]\n", b'# of the file\n\nname = "new"\n# of the table\n[table]\n'),
    ],
)
def test_config_finds_the_line_of_a_key_however_it_is_written(run: Run, project: Path, before: bytes, after: bytes) -> None:
    config = project / ".learnlog" / "config.toml"
    config.write_bytes(before)
    assert run("config", "set", "name", "new").code == 0
    assert config.read_bytes() == after


def test_config_of_this_person_is_another_file(run: Run, home: Path, project: Path) -> None:
    assert run("config", "set", "name", "mine", "--user").code == 0
    assert run("config", "get", "name", "--user", "--json").document["value"] == "mine"
    assert run("config", "get", "name", "--json").document["value"] is None
    assert run("config", "path", "--user").out == f"{home}/.learnlog/config.toml\n"
    assert run("config", "path", "--json").document == {"path": f"{project}/.learnlog/config.toml"}
    assert run("config", "path", "--project", str(project)).out == f"{project}/.learnlog/config.toml\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["config"], "ACTION is missing"),
        (["config", "drop"], "one of get, set, path"),
        (["config", "get"], "takes KEY"),
        (["config", "get", "colour"], "one of name, stack"),
        (["config", "set", "colour", "red"], "one of name, stack"),
        (["config", "set", "name"], "takes KEY VALUE"),
        (["config", "set", "name", " "], "printable"),
        (["config", "set", "stack", "a\nb"], "printable"),
        (["config", "path", "name"], "takes nothing more"),
        (["config", "path", "--user", "--project", "."], "exclude each other"),
        (["completion"], "SHELL is missing"),
        (["completion", "tcsh"], "one of bash, zsh, fish"),
        (["help", "frob"], "one of init, add"),
    ],
)
def test_wrong_usage_is_one_line_with_exit_2_and_nothing_made(run: Run, project: Path, words: list[str], says: str) -> None:
    done = run(*words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert says in done.err
    assert list((project / ".learnlog").iterdir()) == []


def test_a_key_of_a_table_is_set_and_read_by_its_dotted_name(run: Run, project: Path) -> None:
    config = project / ".learnlog" / "config.toml"
    config.write_text("# mine\nname = 'shop'\n")
    assert run("config", "get", "view.commit").out == "false\n"
    assert run("config", "set", "view.commit", "true").out == "view.commit = true\n"
    assert run("config", "set", "vocabulary.categories", "Security, ux", "--json").document["value"] == ["security", "ux"]
    assert run("config", "get", "view.commit", "--json").document == {"key": "view.commit", "value": True, "path": str(config)}
    assert config.read_text() == (
        '# mine\nname = \'shop\'\n\n[view]\ncommit = true\n\n[vocabulary]\ncategories = ["security", "ux"]\n'
    )


def test_a_key_of_this_person_is_set_with_user_and_read_without(run: Run, home: Path, project: Path) -> None:
    # semantics: commands to run, cross-project reading and guard settings count only from the person's own file
    file = home / ".learnlog" / "config.toml"
    for key, value, shown in (
        ("guard.allow", "role-prefix,Aws-Key", "role-prefix,aws-key"),
        ("classifier.command", 'python3 "my scope.py"', "python3 'my scope.py'"),
        ("classifier.timeout_s", "2.5", "2.5"),
        ("cross_project.read", "true", "true"),
    ):
        refused = run("config", "set", key, value)
        assert (refused.code, refused.out, f"learnlog config set --user {key} VALUE" in refused.err) == (2, "", True)
        assert run("config", "set", "--user", key, value).out == f"{key} = {shown}\n"
        assert run("config", "get", key).out == f"{shown}\n"
        assert run("config", "get", key, "--json").document["path"] == str(file)
    assert list((project / ".learnlog").iterdir()) == []
    assert file.stat().st_mode & 0o077 == 0
    (project / ".learnlog" / "config.toml").write_text("[cross_project]\nread = false\n")
    asked = run("config", "get", "cross_project.read")
    assert (asked.out, "line 2: cross_project.read counts in your own settings only" in asked.err) == ("true\n", True)


def test_a_password_is_refused_for_a_project_and_never_repeated(run: Run, project: Path) -> None:
    # fault 46
    for words in (["name", "see postgres://ada:s3cret@db/x"], ["stack", "a,redis://:s3cret@host"]):
        for as_json in ([], ["--json"]):
            done = run("config", "set", *words, *as_json)
            assert (done.code, "s3cret" in done.out + done.err) == (2, False)
    assert list((project / ".learnlog").iterdir()) == []


def test_what_has_no_effect_in_this_version_says_so(run: Run, home: Path) -> None:
    done = run("config", "set", "--user", "organization.log", "postgres://ada:s3cret@db/x")
    assert (done.code, done.out) == (0, "organization.log = postgres://ada:s3cret@db/x\n")
    assert done.err.endswith("line 2: organization.log has no effect in this version\n")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("verb", ["get", "set"])
def test_a_configuration_that_does_not_parse_is_named_and_not_written_over(run: Run, project: Path, verb: str) -> None:
    config = project / ".learnlog" / "config.toml"
    config.write_text("\nname = \n")
    done = run("config", verb, "name", *(["x"] if verb == "set" else []), "--json")
    assert (done.code, done.error["kind"], done.error["path"]) == (2, "config-invalid", str(config))
    assert "line 2" in done.error["message"]
    assert config.read_text() == "\nname = \n"


@pytest.mark.parametrize(
    ("key", "text"),
    [("name", "name = 3\n"), ("stack", 'stack = "a"\n'), ("stack", "stack = [1]\n"), ("view.commit", "view = 1\n")],
)
def test_a_wrong_value_is_named_where_its_key_is_asked_for_and_the_others_hold(
    run: Run, project: Path, key: str, text: str
) -> None:
    (project / ".learnlog" / "config.toml").write_text(f"\nvocabulary.categories = ['x']\n{text}")
    good = run("config", "get", "vocabulary.categories")
    assert (good.out, f"line 3: {key.partition('.')[0]} must be" in good.err) == ("x\n", True)
    if key == "view.commit":
        assert run("config", "set", key, "true", "--json").error["kind"] == "config-invalid"  # no place for it
        return
    wrong = run("config", "get", key, "--json")
    assert (wrong.code, wrong.error["kind"]) == (2, "config-invalid")
    assert f"line 3: {key} must be" in wrong.error["message"]
    assert run("config", "set", key, "x").code == 0  # setting it is the way to mend it
    assert run("config", "get", key).err == ""


def test_no_project_is_said_by_config(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    done = run("config", "get", "name")
    assert (done.code, "no project here" in done.err) == (2, True)


# Which log ----------------------------------------------------------------------------------------------------------


def test_the_order_is_log_then_project_then_variable_then_ancestor(
    run: Run, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, below = home / "other", project / "a" / "b"
    (other / ".learnlog").mkdir(parents=True)
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert run("add", "ancestor").err == ""
    assert (project / ".learnlog" / "learnings.jsonl").exists()
    monkeypatch.setenv("LEARNLOG_LOG", "~/made/for/it/by-variable.jsonl")
    assert run("add", "variable").err == ""
    assert (home / "made/for/it/by-variable.jsonl").exists()
    assert run("add", "project", "--project", str(other)).err == ""
    assert (other / ".learnlog" / "learnings.jsonl").exists()
    assert run("--log", "relative.jsonl", "add", "log").err == ""
    assert (below / "relative.jsonl").exists()
    monkeypatch.delenv("LEARNLOG_LOG")
    assert run("list", "--json").document["hits"][0]["title"] == "ancestor"
    assert run("list", "--log=relative.jsonl", "--json").document["hits"][0]["title"] == "log"


@pytest.mark.parametrize("git", ["folder", "file"])
def test_add_makes_the_folder_at_the_git_top_level_and_says_so(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, git: str
) -> None:
    below = home / "work" / "src"
    below.mkdir(parents=True)
    (home / "work" / ".git").mkdir() if git == "folder" else (home / "work" / ".git").write_text("gitdir: elsewhere\n")
    monkeypatch.chdir(below)
    assert run("add", "t", "--severity", "wrong").err.count("\n") == 1
    assert run("list").err == ""
    assert not (home / "work" / ".learnlog").exists()
    done = run("add", "t")
    assert done.err.count("\n") == 1
    assert str(home / "work" / ".learnlog") in done.err
    assert run("add", "u").err == ""
    assert run("list").out.count("\n") == 2


def test_without_any_root_add_writes_to_the_workstation_log_and_says_so(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # ADD-4
    folder = home / "somewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    done = run("add", "t", "--json")
    assert (done.document["ref"], done.document["tier"]) == ("WL-001", "workstation")
    assert (done.err.count("\n"), str(home / ".learnlog" / "learnings.jsonl") in done.err) == (1, True)
    assert run("show", "WL-001", "--json").document["title"] == "t"
    assert run("add", "u", "--log", "~/.learnlog/learnings.jsonl", "--json").document["ref"] == "WL-002"
    assert list(folder.iterdir()) == []


def test_learnlog_home_is_never_a_root_and_the_search_stops_at_the_persons_home(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".learnlog").mkdir()
    folder = home / "somewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (home / ".learnlog").mkdir()
    assert run("add", "t", "--json").document["ref"] == "WL-001"
    assert list((tmp_path / ".learnlog").iterdir()) == []
    monkeypatch.setenv("LEARNLOG_HOME", str(folder / ".learnlog"))
    (home / ".git").mkdir()
    assert run("add", "t", "--json", "--log", str(home / "x" / "y.jsonl")).document["ref"] == "L-001"
    (folder / ".learnlog").mkdir()
    done = run("add", "t", "--json").document  # into the home's folder, which is not LEARNLOG_HOME any more
    assert (done["ref"], done["tier"]) == ("L-002", "project")


def test_a_project_that_is_a_file_is_refused_and_one_that_is_new_is_made(run: Run, project: Path) -> None:
    (project / "file").touch()
    assert run("list", "--project", "file").code == 2
    assert run("list", "--project", "").code == 2
    outside = project.parent / "outside"
    assert run("list", "--project", str(outside)).code == 0
    assert not outside.exists()
    assert "made" in run("add", "t", "--project", str(outside)).err
    assert Store(outside / ".learnlog" / "learnings.jsonl").get("L-001").title == "t"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_knows_every_command_and_flag_and_parses(run: Run, home: Path, shell: str) -> None:
    done = run("completion", shell)
    assert done.code == 0
    assert run("completion", shell, "--json").document == {"shell": shell, "script": done.out}
    for command in COMMANDS:
        assert command.name in done.out
        names = [flag.names[-1] for flag in command.flags if not flag.later]
        assert all((f"-l {name[2:]}" if shell == "fish" else name) in done.out for name in names)
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=done.out, text=True, check=True)


def test_bash_completes_commands_flags_and_words(run: Run, home: Path) -> None:
    script = run("completion", "bash").out
    for words, wanted in (
        ("learnlog arc", "archive"),
        ("learnlog --json add --cat", "--category"),
        ("learnlog add -s cr", "critical"),
    ):
        given = words.split()
        line = f"COMP_WORDS=({words}); COMP_CWORD={len(given) - 1}; _learnlog; echo ${{COMPREPLY[@]}}"
        done = subprocess.run(["bash", "-c", f"{script}\n{line}"], capture_output=True, text=True, check=True)
        assert done.stdout.split() == [wanted]


def test_a_view_is_committed_where_the_project_wants_it(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # semantics: the generated view is git-ignored unless view.commit = true
    folder = home / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    subprocess.run(["git", "init", "-q"], check=True)
    for setting, seen in (("false", False), ("true", True)):
        run("init")
        run("config", "set", "view.commit", setting)
        assert run("init").code == 0
        run("add", "a", "--scope", "project")
        status = subprocess.run(["git", "status", "--short", "-uall"], check=True, capture_output=True, text=True).stdout
        assert (".learnlog/learnings.md\n" in status) is seen
        assert ".lock" not in status
