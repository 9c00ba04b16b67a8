"""What a project calls its own: the files that git tracks, and the tables that they make."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnlog import belongings, git_index
from learnlog.belongings import Files

NAMES = ["app/auth/session.py", "app/auth/tokens.py", "Makefile", "docs/über uns.md", f"deep/{'x' * 120}/y.txt"]


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", *identity, *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, env=environment).stdout


def write(folder: Path, *names: str, text: str = "") -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def repository(folder: Path, *options: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", *options)
    write(folder, *NAMES)
    git(folder, "add", ".")
    return folder


def tracked(folder: Path) -> list[str]:
    found = git_index.find(str(folder))
    assert found is not None
    return sorted(git_index.read(found[0]))


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_the_index_says_what_git_says(tmp_path: Path, version: str) -> None:
    folder = repository(tmp_path / "r")
    write(folder, "planned.py")
    if version == "3":
        git(folder, "add", "--intent-to-add", "planned.py")  # a flag that version 2 has no place for
    git(folder, "update-index", "--index-version", version)
    assert (folder / ".git" / "index").read_bytes()[7] == int(version)
    assert tracked(folder) == sorted(git(folder, "ls-files", "-z").split("\0")[:-1])


def test_a_repository_of_sha_256_and_a_split_index_are_read(tmp_path: Path) -> None:
    folder = repository(tmp_path / "long", "--object-format=sha256")
    assert tracked(folder) == sorted(NAMES)
    split = repository(tmp_path / "split")
    git(split, "update-index", "--split-index")
    write(split, "late.py")
    git(split, "add", "late.py")
    assert tracked(split) == sorted([*NAMES, "late.py"])


def test_a_worktree_and_a_submodule_have_an_index_of_their_own(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = repository(tmp_path / "main")
    git(folder, "commit", "-qm", "one")
    git(folder, "worktree", "add", "-q", str(tmp_path / "tree"))
    write(tmp_path / "tree", "only_here.py")
    git(tmp_path / "tree", "add", ".")
    assert belongings.of(str(tmp_path / "tree"), environment)[0].has("only_here.py")
    assert not belongings.of(str(folder), environment)[0].has("only_here.py")
    outer = repository(tmp_path / "outer")
    git(outer, "submodule", "add", "-q", str(folder), "inner")
    assert belongings.of(str(outer / "inner"), environment)[0].has("app/auth/session.py")


def test_a_project_in_a_folder_of_a_repository_has_the_files_of_that_folder(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    folder = repository(tmp_path / "mono")
    files, _ = belongings.of(str(folder / "app"), environment)
    assert files.has("auth/session.py")
    assert not files.has("Makefile")


@pytest.mark.parametrize("damage", ["cut", "empty", "other", "absent", "version"])
def test_an_index_that_cannot_be_read_leaves_the_folder(tmp_path: Path, environment: dict[str, str], damage: str) -> None:
    folder = repository(tmp_path / "r")
    index = folder / ".git" / "index"
    whole = index.read_bytes()
    broken = {"cut": whole[:-30], "empty": b"", "other": b"\x00\xff" * 900, "version": whole[:7] + b"\x09" + whole[8:]}
    if damage == "absent":
        index.unlink()
    else:
        index.write_bytes(broken[damage])
    files, _ = belongings.of(str(folder), environment)
    assert files.has("app/auth/session.py")
    assert not files.has("app/auth/nothing.py")


def test_every_beginning_of_an_index_is_refused_or_read_and_never_a_crash(tmp_path: Path) -> None:
    index = repository(tmp_path / "r") / ".git" / "index"
    whole = index.read_bytes()
    other = tmp_path / "cut"
    for size in range(len(whole)):
        other.write_bytes(whole[:size])
        with pytest.raises(ValueError, match=r"cut"):
            git_index.read(str(other))


def test_what_was_read_is_kept_until_git_changes_it(
    tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = repository(tmp_path / "r")
    index = folder / ".git" / "index"
    os.utime(index, ns=(1, time.time_ns() - 10**11))
    code = time.time_ns() - 10**11
    for path in (belongings.__file__, git_index.__file__):
        if os.stat(path).st_mtime_ns > code:
            os.utime(path, ns=(code, code))
    assert belongings.of(str(folder), environment)[0].has("session.py")
    with monkeypatch.context() as patched:
        patched.setattr(git_index, "read", lambda _: pytest.fail("read again"))
        assert belongings.of(str(folder), environment)[0].has("session.py")
    write(folder, "new.py")
    git(folder, "add", ".")
    assert belongings.of(str(folder), environment)[0].has("new.py")


def test_without_git_a_bounded_walk_finds_the_files(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path / "plain"
    write(folder, "app/one.py", "a/b/c/deep.py", "a/b/c/d/deeper.py", "node_modules/x/y.js", ".hidden/z.py")
    files, _ = belongings.of(str(folder), environment)
    found = [files.has(name) for name in ("app/one.py", "deep.py", "deeper.py", "y.js", "z.py")]
    assert found == [True, True, False, False, False]
    for number in range(belongings.WALKED):
        (folder / "app" / f"{number}.txt").touch()
    begin = time.process_time()
    belongings.of(str(folder), environment)
    assert time.process_time() - begin < 0.5


def test_a_link_is_not_followed_by_the_walk_and_a_pipe_is_not_read(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path / "plain"
    write(folder, "a.py")
    (folder / "self").symlink_to(folder)
    os.mkfifo(folder / "schema.sql")
    (folder / "other.sql").symlink_to("/dev/zero")
    files, tables = belongings.of(str(folder), environment)
    assert (files.has("a.py"), files.has("self/a.py"), tables) == (True, False, ())


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        (
            "db/one.sql",
            'CREATE TABLE users (a);\ncreate table if not exists "Shop".`lines` (b); CREATE TABLE [dbo].[Jobs] (c)',
            None,
        ),
        (
            "app/models.py",
            'class A:\n    __tablename__ = "users"\nclass B:\n    db_table = "lines"\nclass C: __tablename__="jobs"',
            None,
        ),
        ("alembic/versions/1.py", 'op.create_table("users", x)\nop.create_table(\n    "lines")\nop.create_table("jobs")', None),
        ("db/schema.rb", 'create_table "users", force: true do |t|\ncreate_table :lines do |t|\ncreate_table("jobs")', None),
        ("db/migrations/1.php", "Schema::create('users', f); Schema::create( 'lines', f); Schema::create('jobs', f)", None),
        ("migrations/1.ts", 'knex.schema.createTable("users", f).createTable(`lines`, f); pgTable("jobs", {})', None),
        ("prisma/schema.prisma", 'model U { @@map("users") }\nmodel L { @@map("lines") }\nmodel J { @@map("jobs") }', None),
        ("db/words.sql", "-- create table for the users, create table if needed\nCREATE TABLE words (a)", ["words"]),
        ("notes.txt", "CREATE TABLE users (a)", []),
    ],
)
def test_tables_are_known_from_what_makes_them(
    tmp_path: Path, environment: dict[str, str], name: str, text: str, wanted: list[str] | None
) -> None:
    write(tmp_path / "r", name, text=text)
    _, tables = belongings.of(str(tmp_path / "r"), environment)
    assert sorted(tables) == (["jobs", "lines", "users"] if wanted is None else wanted)


def test_of_many_and_large_files_some_are_read(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path / "r"
    for number in range(100):
        write(folder, f"migrations/{number:03}.sql", text=f"CREATE TABLE t{number} (a);" + " " * 300_000)
    _, tables = belongings.of(str(folder), environment)
    assert "t0" in tables
    assert len(tables) < 60


SOME = st.text("abc._-é /", min_size=1, max_size=12).filter(lambda name: not name.startswith("/") and not name.endswith("/"))


@given(st.lists(SOME, max_size=6), st.lists(SOME, min_size=20, max_size=40))
@settings(max_examples=80)
def test_a_search_and_the_parts_of_names_agree(paths: list[str], names: list[str]) -> None:
    # what makes the twentieth look-up fast changes no answer
    used = Files(paths)
    answers = [used.has(name) for name in names]
    assert answers == [Files(paths).has(name) for name in names]
    assert all(used.has(path) for path in paths if path.strip("./"))
