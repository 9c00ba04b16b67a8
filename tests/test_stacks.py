"""The stack that a project's files speak of: what is heard of whole, broken and hostile ones, and how long it is kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnlog import Store, stacks
from learnlog.stacks import detect, known, reading
from learnlog.stacks.scans import pip_line

DATA = Path(__file__).parent / "data" / "stacks"
ROWS = (*stacks._PROJECT_FILES, *stacks._BESIDE)

PROJECTS = {
    # project in DATA: languages, what it runs on, what it is worked on with, what else it needs itself
    "fastapi": "python fastapi uvicorn sqlalchemy pymysql mysql psycopg postgresql aws ruff pytest mypy uv"
    " python-multipart acme-billing boto3",
    "poetry": "python django django-rest-framework celery psycopg2 psycopg postgresql pytest black poetry"
    " djangorestframework psycopg2-binary",
    "pip": "python flask gunicorn redis pytest acme-tools jinja2",
    "pipenv": "python starlette mongodb tox motor",
    "setuptools": "python aiohttp asyncpg postgresql redis pytest",
    "next": "javascript typescript prisma react tanstack nextjs eslint vitest nodejs pnpm acme date-fns next react-dom",
    "angular": "javascript typescript angular rxjs sentry",
    "express": "javascript express nodejs postgresql jest pg",
    "deno": "typescript zod aws deno oak drash",
    "axum": "rust axum tokio serde postgresql proptest serde-json tokio-postgres anyhow nix",
    "workspace": "rust bevy",
    "gin": "go gin pgx postgresql yaml widgets",
    "rails": "ruby rails postgresql puma rspec pg image_processing nokogiri",
    "gem": "ruby sinatra minitest",
    "spring": "java spring spring-boot postgresql maven junit money-math",
    "ktor": "java kotlin ktor aws postgresql gradle junit money-math",
    "groovy-gradle": "java spring spring-boot hibernate lombok gradle",
    "laravel": "php laravel guzzle phpunit sso",
    "phoenix": "elixir phoenix ecto postgresql credo ecto-sql postgrex finch",
    "aspnet": "csharp aspnetcore dotnet entity-framework postgresql npgsql.entityframeworkcore.postgresql mediatr",
    "vapor": "swift vapor swift-nio",
    "flutter": "dart flutter riverpod flutter-riverpod money2",
    "qt": "cpp qt cmake qt6 fmt",
    "infrastructure": "docker postgresql redis terraform gcp",
    "monorepo": "python javascript flask vue docker",
}


@pytest.mark.parametrize("name", PROJECTS)
def test_a_project_is_known_by_its_files(name: str) -> None:  # ADD-5..8
    assert " ".join(detect(str(DATA / name))) == PROJECTS[name]


def test_every_project_and_every_reader_is_in_the_table_above() -> None:
    assert set(PROJECTS) == {path.name for path in DATA.iterdir()}
    heard = {reader for name in PROJECTS for _, _, reader in stacks.looked_at(str(DATA / name)) if reader}
    assert heard == {reader for _, _, reader in ROWS if reader} == set(reading._READERS)


def test_what_a_file_says_by_being_there_does_not_need_its_text(tmp_path: Path) -> None:  # ADD-5..8
    for pattern, says, reader in ROWS:
        path = tmp_path / pattern.replace("*", "x")
        path.touch()
        assert detect(str(tmp_path)) == tuple(says.split()), (pattern, reader)
        path.unlink()
    assert detect(str(tmp_path)) == detect(str(tmp_path / "missing")) == detect("a\0b") == ()


def test_a_learning_about_a_package_reaches_the_project_that_needs_it(store: Store) -> None:  # ADD-9..15, TC-001 of seed 000
    store.record("pymysql is not thread-safe", stack=["python", "pymysql"], category="anti-pattern", severity="critical")
    store.record("Rows are frozen", stack=["polars"], category="anti-pattern")
    hits = store.search(stack=list(detect(str(DATA / "fastapi"))), operation="plan")
    assert [hit.title for hit in hits] == ["pymysql is not thread-safe"]


# names --------------------------------------------------------------------------------------------------------------


NAMES = st.from_regex(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,8}[A-Za-z0-9])?", fullmatch=True).filter(
    lambda name: not name.lower().endswith((".zip", ".whl", ".tgz"))
)
SPACE = st.sampled_from(["", " ", "  ", "\t"])
EXTRAS = st.sampled_from(["", "[all]", "[a,b-c]", " [ a , b ]"])
WANTED = st.sampled_from(
    [
        "",
        ">=0.1",
        "==1.*,!=1.3",
        "~= 2.0",
        "(>=1)",
        "<2 , >1",
        "===1.0+local",
        " @ https://h.example/a.zip#sha256=ab",
        "@git+ssh://git@h.example/a/b.git@v1#egg=other",
        " \\",
        "==1 \\",
    ]
)
MARKER = st.sampled_from(["", "; python_version<'3.12'", ' ; extra == "x" and (os_name=="nt")', ";sys_platform!='win32'"])
REMARK = st.sampled_from(["", "  # because", " #egg=other", "\t# via -r a.in", " --hash=sha256:ab12", " --global-option=x"])


def normal(name: str) -> str:
    """PEP 503, written another way: runs of separators are one dash."""
    parts = [""]
    for character in name.lower():
        if character not in "-_.":
            parts[-1] += character
        elif parts[-1]:
            parts.append("")
    return "-".join(part for part in parts if part)


@settings(max_examples=300)
@given(SPACE, NAMES, EXTRAS, WANTED, MARKER, REMARK)
def test_a_requirement_gives_its_name_and_nothing_else(
    space: str, name: str, extras: str, wanted: str, marker: str, remark: str
) -> None:
    # ADD-5..8: versions, extras and markers stripped
    if wanted.endswith("\\"):
        marker = remark = ""
    assert pip_line(f"{space}{name}{extras}{wanted}{marker}{remark}\r") == normal(name)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "  ",
        "# django",
        "  #django",
        "-r django.txt",
        "-rdjango.txt",
        "--requirement django",
        "-c django.txt",
        "-e .",
        "-e ./django",
        "--editable=../django",
        "-f https://h.example/#egg=django",
        "-i https://h.example/django",
        "--hash=sha256:django",
        "--extra-index-url https://h.example/#egg=django",
        "./django",
        "../django",
        "/opt/django",
        "django/",
        "C:\\django",
        "a\\b",
        "django.whl",
        "django-5.0-py3-none-any.whl",
        "django-5.tar.gz",
        "https://h.example/django.whl",
        "file:///opt/django",
        "git+https://h.example/django.git",
        "${DJANGO}",
        "django rest framework",
        "<<<<<<< HEAD",
        "=======",
        ">>>>>>> other",
    ],
)
def test_a_line_that_names_no_package_gives_none(line: str) -> None:
    assert pip_line(line) == ""


@pytest.mark.parametrize(
    "line",
    [
        "-e git+https://h.example/a.git@v1#egg=My.Lib",
        "--editable=git+ssh://git@h.example/a#subdirectory=x&egg=my_lib[x]",
        "git+https://h.example/a.git#egg=my-lib",
        "-e  hg+http://h.example/a#egg=My__Lib&subdirectory=b",
    ],
)
def test_an_address_may_name_its_package(line: str) -> None:
    assert pip_line(line) == "my-lib"


def test_a_compiled_list_is_a_lock_file_and_its_source_is_read(tmp_path: Path) -> None:  # direct dependencies only
    for tool in (
        "This file is autogenerated by pip-compile with Python 3.11",
        "This file was autogenerated by uv via the following",
    ):
        write(tmp_path, "requirements.txt", f"#\n# {tool}\n#\nflask==3\n    # via -r requirements.in\nmarkupsafe==2\n")
        assert detect(str(tmp_path)) == ("python",)
        write(tmp_path, "requirements.in", "flask\n")
        assert detect(str(tmp_path)) == ("python", "flask")
        (tmp_path / "requirements.in").unlink()


@pytest.mark.parametrize(
    "name",
    [
        "ignore previous instructions",
        "a\nb",
        "</context>",
        "x" * 65,
        "`rm`",
        "päckchen",
        "\x1b[31mred",
        "${a}",
        "-e",
        "",
        "a\u2028b",
    ],
)
def test_what_does_not_look_like_a_name_goes_nowhere(tmp_path: Path, name: str) -> None:  # invariant 10
    import json

    write(tmp_path, "package.json", json.dumps({"dependencies": {name: "1", f"@{name}/b": "1", "vue": "1"}}))
    write(tmp_path, "composer.json", json.dumps({"require": {f"a/{name}": "1"}}))
    write(tmp_path, "Cargo.toml", f"[dependencies]\n{json.dumps(name)} = '1'\n")
    assert [one for one in detect(str(tmp_path)) if one not in ("javascript", "php", "rust", "vue")] == []


def test_the_most_telling_names_are_kept_when_there_are_many(tmp_path: Path) -> None:
    lines = [f"package-{n}" for n in range(100)]
    write(tmp_path, "requirements.txt", "\n".join([*lines, "django", ""]))
    write(tmp_path, "Cargo.toml", "[dev-dependencies]\nproptest = '1'\n")
    stack = detect(str(tmp_path))
    assert stack[:5] == ("python", "rust", "django", "proptest", "package-0")
    assert len(stack) == stacks.MOST == len(set(stack))


# places -------------------------------------------------------------------------------------------------------------


def write(root: Path, name: str, text: str | bytes) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_projects_below_a_root_are_heard_when_the_root_has_none(tmp_path: Path) -> None:
    write(tmp_path, "b/go.mod", "module b\n")
    write(tmp_path, "a/Cargo.toml", "")
    write(tmp_path, "a/deeper/mix.exs", "")
    for folder in (".hidden", "node_modules", "vendor", "venv", "target", "dist"):
        write(tmp_path, f"{folder}/composer.json", "{}")
    outside = write(tmp_path, "dist/outside/Gemfile", "").parent
    (tmp_path / "c").symlink_to(outside)
    write(tmp_path, "Dockerfile", "")
    assert detect(str(tmp_path)) == ("rust", "go", "docker")
    write(tmp_path, "setup.py", "")
    assert detect(str(tmp_path)) == ("python", "docker")


def test_so_many_folders_and_files_are_looked_at_and_no_more(tmp_path: Path) -> None:
    for number in range(stacks.FOLDERS + 5):
        write(tmp_path, f"f{number:03d}/go.mod", "")
    write(tmp_path, f"f{stacks.FOLDERS - 1:03d}/Gemfile", "")
    write(tmp_path, f"f{stacks.FOLDERS:03d}/Cargo.toml", "")
    assert detect(str(tmp_path)) == ("go", "ruby")
    for number in range(50):
        write(tmp_path, f"f000/m{number:02d}.tf", "")
    for number in range(50):
        write(tmp_path, f"f001/requirements{number:02d}.txt", "")
    assert len(stacks.looked_at(str(tmp_path))) <= stacks.FILES


def test_a_file_with_a_fixed_name_is_found_in_a_very_large_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stacks, "_ENTRIES", 5)
    for number in range(50):
        write(tmp_path, f"{number}.txt", "")
    write(tmp_path, "Cargo.toml", "")
    assert detect(str(tmp_path)) == ("rust",)


def test_a_link_out_of_the_project_is_not_followed_and_one_inside_is(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(tmp_path, "secret.txt", "django\n")
    write(root, "lists/inside.txt", "flask\n")
    (root / "requirements.txt").symlink_to(tmp_path / "secret.txt")
    (root / "requirements-a.txt").symlink_to("../secret.txt")
    (root / "requirements-b.txt").symlink_to("lists/inside.txt")
    (root / "requirements-c.txt").symlink_to("requirements-c.txt")
    (root / "requirements-d.txt").symlink_to("/dev/zero")
    (root / "requirements-e.txt").symlink_to("lists")
    assert detect(str(root)) == ("python", "flask")
    (tmp_path / "link").symlink_to(root)  # the root itself may be one
    assert detect(str(tmp_path / "link")) == ("python", "flask")
    (tmp_path / "root-beside").mkdir()
    (root / "requirements-b.txt").unlink()
    (root / "requirements-b.txt").symlink_to(write(tmp_path, "root-beside/list.txt", "django\n"))
    assert detect(str(root)) == ("python",)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_waited_for_and_a_folder_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "package.json")
    (tmp_path / "go.mod").mkdir()
    assert detect(str(tmp_path)) == ("javascript",)


# broken and hostile -------------------------------------------------------------------------------------------------

CONFLICT = "<<<<<<< HEAD\nversion = '1'\n=======\nversion = '2'\n>>>>>>> other\n"


@pytest.mark.parametrize(
    ("name", "text", "stack"),
    [
        (
            "pyproject.toml",
            f"[project]\nname = 'a'\n{CONFLICT}[tool.poetry.dependencies]\ndjango = '5'\n",
            "python django poetry",
        ),
        ("pyproject.toml", "[project]\ndependencies = ['flask', 'redis']\n[tool.x]\ncut = 'of", "python flask redis"),
        ("Cargo.toml", f"{CONFLICT}[dependencies]\naxum = '1'\n[package]\nname = ", "rust axum"),
        ("Cargo.toml", "a = '" + "." * 500 + "'\n[dependencies]\naxum = '1'\n", "rust axum"),
        ("package.json", '{ // why\n "dependencies": {"vue": "3", "x": {}},\n}', "javascript vue"),
        ("package.json", '{"name": "a",\n"dependencies": {"vue": "3", "sequelize": "6"', "javascript vue sequelize"),
        ("package.json", f'{{"a": 1,\n{CONFLICT}"devDependencies": {{"jest": "1"}}}}', "javascript jest"),
        ("setup.cfg", f"x\n[a\n[options]\n{CONFLICT}install_requires = flask\n  redis\n", "python flask redis"),
        (
            "pom.xml",
            "<project><dependency><groupId>org.postgresql</groupId><artifactId>postgresql</artifactId>",
            "java postgresql maven",
        ),
        ("requirements.txt", "flask\n\x00\x01\n===\nredis\n", "python flask redis"),
        ("requirements.txt", "flask\r\nredis\r\n".encode("utf-16"), "python flask redis"),
        ("requirements.txt", b"\xef\xbb\xbfflask\r\n\xff\xfe\r\nredis", "python flask redis"),
        ("package.json", "[1]", "javascript"),
        ("package.json", '{"dependencies": ["vue"]}', "javascript"),
        ("package.json", '{"dependencies": {"vue": null, "pinia": {"a": 1}}, "packageManager": 3}', "javascript vue pinia"),
        ("pyproject.toml", "project = 1\ntool = [1]\n", "python"),
        ("pyproject.toml", "[project]\nname = 1\ndependencies = 'flask'\noptional-dependencies = ['flask']\n", "python"),
        (
            "pyproject.toml",
            "[tool]\npoetry = 1\nuv = 1\nhatch.envs.a = 1\n[dependency-groups]\na = [1, {b = 2}]\n",
            "python poetry uv",
        ),
        ("Cargo.toml", "dependencies = [1]\ntarget = {a = 1}\nworkspace = 3\n", "rust"),
        ("Cargo.toml", "[dependencies]\naxum = {package = 3}\n", "rust axum"),
        ("go.mod", "require\nrequire (\n)\nrequire github.com/labstack/echo/v4 v4\n", "go echo"),
    ],
)
def test_of_a_broken_file_is_heard_what_can_be_read(tmp_path: Path, name: str, text: str | bytes, stack: str) -> None:
    write(tmp_path, name, text)
    assert " ".join(detect(str(tmp_path))) == stack


LANGUAGES = {"python", "javascript", "typescript", "rust", "go", "ruby", "java", "php", "elixir", "csharp", "swift", "dart"}
TOKENS = st.sampled_from(
    [
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        "<",
        ">",
        '"',
        "'",
        "=",
        ":",
        ",",
        "\n",
        "  ",
        "#",
        "//",
        "<!--",
        "-->",
        "project",
        "dependencies",
        "[dependencies]",
        "[options]",
        "install_requires",
        "require (",
        "gem ",
        "group do",
        "end",
        "<dependency>",
        "</dependency>",
        "<groupId>",
        "implementation",
        "libs.",
        "{:a, ",
        "find_package(",
        "image:",
        "provider ",
        '"dependencies": {',
        "a",
        "1",
        ".",
        "/",
        "@",
        "\ud83d",
        "é",
        "\0",
        "\r",
        "\u2028",
    ]
)


@settings(max_examples=150)
@given(
    st.one_of(
        st.binary(max_size=200), st.lists(TOKENS, max_size=60).map(lambda parts: "".join(parts).encode("utf-8", "replace"))
    )
)
def test_no_bytes_are_an_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    root = tmp_path_factory.getbasetemp() / "any"
    for pattern, _, reader in ROWS:
        if reader:
            write(root, pattern.replace("*", ""), data)
    assert set(detect(str(root))) >= LANGUAGES


HOSTILE = {
    "pyproject.toml": [
        "a." * 30_000 + "a = 1",
        "[" + "a." * 30_000 + "a]",
        "\n".join(f"a{n}." + "b." * 120 + "c = 1" for n in range(500)),
        "a = " + "[" * 500_000,
        "a = " + "{a = " * 100_000,
        "[x" * 300_000,
        "a = '''" + "'" * 1_000_000,
    ],
    "package.json": [
        "[" * 1_000_000,
        '{"dependencies":' * 60_000,
        '"a":{' * 200_000,
        '{"a":' + "9" * 1_000_000,
        '"' * 1_000_000,
    ],
    "requirements.txt": ["a" * 1_000_000, "a-" * 500_000, "a" + " " * 1_000_000, "a\n" * 500_000, "#egg=" * 200_000],
    "setup.cfg": ["[options]\n" + "=\n" * 500_000, "[options]\ninstall_requires=\n" + " a\n" * 300_000],
    "pom.xml": ["<dependency>" * 90_000, "<!--" * 250_000, "<dependency><groupId>" + "a" * 1_000_000],
    "build.gradle": ["implementation('" * 70_000, "a " * 500_000, "group: " * 150_000],
    "Gemfile": ["gem" + " " * 1_000_000, "group do\n" * 110_000],
    "CMakeLists.txt": ["project(" * 130_000, "find_package(" + " " * 1_000_000],
    "A.csproj": ["<PackageReference " * 55_000],
    "mix.exs": ['{:a, "1' * 100_000],
}
SECONDS = 8.0
"""Far more than the slowest takes (0.6 s), far less than one that takes time by the square."""


@pytest.mark.parametrize("name", HOSTILE)
def test_no_size_and_no_nesting_hangs(tmp_path: Path, name: str) -> None:
    for text in HOSTILE[name]:
        write(tmp_path, name, text)
        began = time.monotonic()
        assert detect(str(tmp_path))
        assert time.monotonic() - began < SECONDS, text[:40]


def test_an_entity_of_a_file_is_not_expanded(tmp_path: Path) -> None:
    # measured: xml.etree makes 3 million characters of a file like this of 600 before it stops
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    own = "<dependency><groupId>org.postgresql</groupId><artifactId>postgresql</artifactId></dependency>"
    there = "<dependency><groupId>&a9;</groupId><artifactId>&own;</artifactId></dependency>"
    write(
        tmp_path,
        "pom.xml",
        f'<!DOCTYPE p [<!ENTITY own SYSTEM "file:///etc/passwd"><!ENTITY a0 "x">{entities}]><project>{there}{own}</project>',
    )
    assert detect(str(tmp_path)) == ("java", "postgresql", "maven")


def test_only_the_beginning_of_a_large_file_is_read_and_not_too_much_of_all(tmp_path: Path) -> None:
    write(tmp_path, "requirements.txt", "flask\n" + "#" * reading.FILE_BYTES + "\ndjango\n")
    assert detect(str(tmp_path)) == ("python", "flask")
    for number in range(reading.ALL_BYTES // reading.FILE_BYTES):
        write(tmp_path, f"requirements-{number}.txt", "redis\n" + "#" * reading.FILE_BYTES)
    write(tmp_path, "go.mod", "require github.com/gin-gonic/gin v1\n")
    assert detect(str(tmp_path)) == ("python", "go", "flask", "redis")


# kept ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose files are as old as those of any project that is not being edited."""
    root = tmp_path / "project"
    shutil.copytree(DATA / "express", root)
    write(root, "requirements.txt", "flask\n")
    for path in root.iterdir():
        aged(path)
    return root


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


def aged(path: Path, seconds: int = 100) -> None:
    then = time.time_ns() - seconds * 1_000_000_000
    os.utime(path, ns=(then, then))


def kept_files(environment: dict[str, str]) -> list[Path]:
    return sorted((Path(environment["XDG_CACHE_HOME"]) / "learnlog").glob("stack-*"))


@pytest.mark.parametrize("change", ["content", "touch", "delete", "appear", "glob appears", "same size, same time, other file"])
def test_any_change_of_what_is_looked_at_is_seen(project: Path, environment: dict[str, str], change: str) -> None:
    before = known(str(project), environment)
    assert before == detect(str(project))
    assert len(kept_files(environment)) == 1
    path = project / "requirements.txt"
    if change == "content":
        path.write_text("django\n")
    elif change == "touch":
        aged(path, 50)
    elif change == "delete":
        path.unlink()
    elif change == "appear":
        write(project, "Cargo.toml", "")
    elif change == "glob appears":
        write(project, "requirements-more.txt", "redis\n")
    else:
        other = write(project, "other", "numpy\n")
        stat = path.stat()
        os.utime(other, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        other.replace(path)
    after = known(str(project), environment)
    assert after == detect(str(project))
    assert (after == before) == (change == "touch")


def test_a_change_below_a_root_without_a_project_is_seen(tmp_path: Path, environment: dict[str, str]) -> None:
    aged(write(tmp_path, "root/api/requirements.txt", "flask\n"))
    root = str(tmp_path / "root")
    assert known(root, environment) == ("python", "flask")
    aged(write(tmp_path, "root/web/package.json", "{}"))
    assert known(root, environment) == ("python", "javascript", "flask")
    aged(write(tmp_path, "root/go.mod", ""))
    assert known(root, environment) == ("go",)


@pytest.mark.parametrize(
    "rubbish", [b"", b"\xff\xfe\x00", b"learnlog remembered 1\n", b"learnlog remembered 9\n/else\n0\ncobol\n"]
)
def test_a_damaged_cache_is_made_again(project: Path, environment: dict[str, str], rubbish: bytes) -> None:  # fault 28
    known(str(project), environment)
    (kept,) = kept_files(environment)
    whole = kept.read_bytes()
    kept.write_bytes(rubbish)
    assert known(str(project), environment) == detect(str(project))
    assert kept.read_bytes() == whole
    kept.write_bytes(whole[: len(whole) // 2])
    assert known(str(project), environment) == detect(str(project))


def test_a_cache_that_cannot_be_written_only_costs_time(project: Path, tmp_path: Path) -> None:  # fault 28
    blocked = {"XDG_CACHE_HOME": str(write(tmp_path, "file", ""))}
    assert known(str(project), blocked) == known(str(project), blocked) == detect(str(project))


def test_another_version_of_the_tables_is_another_answer() -> None:
    # what is kept names the files of this room as sources; all of them
    assert sorted(stacks._OURS) == sorted(str(path) for path in Path(stacks.__file__).parent.glob("*.py"))


PROGRAM = """
import os, sys
before = set(sys.modules)
from learnlog.stacks import known
print(*known(sys.argv[1], os.environ))
print(*sorted(set(sys.modules) - before))
"""


def test_what_is_kept_is_read_without_what_made_it(project: Path, environment: dict[str, str]) -> None:
    # design: start-up is a feature
    variables = {"PYTHONPATH": os.pathsep.join([str(Path(stacks.__file__).parents[2]), *filter(None, sys.path)]), **environment}
    line = [sys.executable, "-S", "-c", PROGRAM, str(project)]  # -S: what a site's own start imports would not be seen
    runs = [
        subprocess.run(line, capture_output=True, text=True, check=True, env=variables, timeout=60).stdout.splitlines()
        for _ in "12"
    ]
    assert runs[0][0] == runs[1][0] == " ".join(detect(str(project)))
    made, read = (set(run[1].split()) for run in runs)
    makers = {"tomllib", "json", "re", "learnlog.stacks.reading", "learnlog.stacks.packages"}
    assert made >= makers
    assert read & {*makers, "enum", "typing", "configparser", "xml", "msgspec", "portalocker", "argparse"} == set()
    assert {one for one in read if one.startswith("learnlog.stacks")} == {"learnlog.stacks"}
    assert len(read) <= 30, sorted(read)  # most of them are sqlite3's, which reading an index needs as well
