"""The house itself: which room may import which, how large a room is, what a start-up loads, examples that run."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import learnlog

HOUSE = Path(learnlog.__file__).parent
ROOMS = (
    # From the core to the face; a room imports only from rooms in rows above its own, or beside it in its row.
    ("errors", "vocabulary", "ids", "collector", "filesystem", "terminal", "views", "naming", "stemming", "cache", "git"),
    ("model", "query"),
    ("identity", "roots", "settings", "toml_lines", "routing", "views.markdown"),
    ("views.inert", "views.quoting"),
    ("views.active", "views.brief", "views.blocks"),
    ("events",),
    ("policy", "policy.decay", "policy.ranking", "policy.vouching", "policy.personal", "text", "lock"),
    ("trust", "kept", "policy.terms", "policy.duplicates"),
    (
        "policy.lookalikes",
        "policy.foreign",
        "policy.phrase_words",
        "policy.phrases",
        "policy.secrets",
        "policy.injection",
        "policy.guard",
    ),
    ("policy.withholding",),
    ("references", "reduce", "actor", "drafting"),
    ("fold", "shown"),
    ("logs.scan", "logs.writer", "logs.checkpoint"),
    ("logs",),
    ("logs.reader",),
    ("logs.file", "logs.memory"),
    ("reading", "done"),
    ("index.schema", "index.place"),
    ("remembered",),
    ("config_file", "config"),
    ("guarding",),
    ("stacks.names", "stacks.packages", "stacks.reading", "stacks.documents", "stacks.scans", "stacks"),
    ("index.asking", "index.relevance", "index.filling"),
    ("index.showing", "index.catching_up"),
    ("index.nearness", "index"),
    ("index.together",),
    ("snapshot", "answering", "doctor"),
    ("transaction",),
    ("deciding",),
    ("status_verbs", "doors", "store", "views.keeping"),
    ("projects", "moving", "surroundings"),
    ("git_index", "belongings", "classifier_command", "policy.scope_words", "policy.wording", "policy.classify", "classifying"),
    ("briefing", "known", "library"),
    ("reviewing",),
)
PURE = (
    "errors",
    "vocabulary",
    "model",
    "identity",
    "events",
    "reduce",
    "references",
    "fold",
    "shown",
    "text",
    "stemming",
    "naming",
    "query",
    "settings",
    "toml_lines",
    "routing",
    "policy.decay",
    "policy.ranking",
    "policy.vouching",
    "views.markdown",
    "views.inert",
    "views.active",
    "views.quoting",
    "views.brief",
    "views.blocks",
    "policy.personal",
    "policy.terms",
    "policy.duplicates",
    "policy.guard",
    "policy.phrases",
    "policy.phrase_words",
    "policy.foreign",
    "policy.injection",
    "policy.secrets",
    "policy.lookalikes",
    "policy.withholding",
    "policy.classify",
    "policy.scope_words",
    "policy.wording",
    "formats.claude_md",
    "formats.markers",
)
WORLD = {"socket", "subprocess", "sqlite3", "pathlib", "shutil", "tempfile", "random", "time", "os", "io", "threading", "fcntl"}
LINES = 420
FUNCTION_LINES = 60


def module_name(path: Path) -> str:
    parts = path.relative_to(HOUSE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(path): path for path in sorted(HOUSE.rglob("*.py"))}


def imports_of(name: str) -> set[str]:
    """The modules a module imports, ours without `learnlog.`; what is only imported for types too."""
    found = set()
    for node in ast.walk(ast.parse(FILES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = {one for one in inner if one.removeprefix("learnlog.") in FILES}
            found |= modules if modules else {node.module}
    return {one.removeprefix("learnlog.") for one in found}


@pytest.mark.parametrize("name", [name for row in ROOMS for name in row])
def test_data_flows_one_way(name: str) -> None:
    # design: no module on the left imports one on its right
    row = next(index for index, names in enumerate(ROOMS) if name in names)
    allowed = {one for names in ROOMS[: row + 1] for one in names} | {"learnlog"}
    ours = {one for one in imports_of(name) if one in FILES and one != ""}
    assert ours <= allowed, f"{name} must not import {sorted(ours - allowed)}"


def test_no_room_of_the_core_knows_the_command_or_the_formats() -> None:
    for name in FILES:
        if not name.startswith(("cli", "__main__")):
            assert not {one for one in imports_of(name) if one.startswith("cli")}, name


@pytest.mark.parametrize("name", PURE)
def test_the_core_touches_nothing_of_the_world(name: str) -> None:
    # style: the core does no I/O
    assert not imports_of(name) & WORLD


@pytest.mark.parametrize("name", FILES)
def test_a_room_is_small_and_says_what_it_does(name: str) -> None:
    source = FILES[name].read_text(encoding="utf-8")
    assert source.count("\n") < LINES
    tree = ast.parse(source)
    if source.strip():
        assert ast.get_docstring(tree), f"{name} has no docstring"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
            assert node.end_lineno - node.lineno < FUNCTION_LINES, f"{name}.{node.name} does not fit a screen"


@pytest.mark.parametrize("name", learnlog.__all__)
def test_a_public_name_is_there_and_explained(name: str) -> None:
    value = getattr(learnlog, name)
    if name != "__version__":
        assert value.__doc__
        assert value.__module__.startswith("learnlog.")


def test_a_name_that_is_not_public_is_not_there() -> None:
    with pytest.raises(AttributeError, match="Nonsense"):
        learnlog.Nonsense  # noqa: B018 - looking is the test


def test_the_typed_face_names_what_the_lazy_one_does() -> None:
    tree = ast.parse(FILES[""].read_text(encoding="utf-8"))
    typed = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert typed - {"import_module"} == set(learnlog.__all__) - {"__version__"} == set(dir(learnlog)) - {"__version__"}


@pytest.mark.parametrize("name", ["learnlog", "learnlog.cli"])
def test_importing_loads_nothing_heavy(name: str) -> None:
    # design: start-up is a feature
    heavy = ["msgspec", "portalocker", "xxhash", "sqlite3", "asyncio", "typing", "dataclasses", "importlib.metadata", "redis"]
    program = f"import sys; before = set(sys.modules); import {name}; print(*(set({heavy}) & (set(sys.modules) - before)))"
    ran = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=False, cwd=HOUSE.parent)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.split() == []


def modules() -> list[str]:
    found = [one.name for one in pkgutil.walk_packages([str(HOUSE)], "learnlog.") if not one.name.endswith("__main__")]
    return ["learnlog", *found]


@pytest.mark.parametrize("name", modules())
def test_the_examples_in_the_docstrings_run(name: str) -> None:
    module: ModuleType = importlib.import_module(name)
    result = doctest.testmod(module)
    assert result.failed == 0


def test_there_are_examples() -> None:
    with_examples = [name for name, path in FILES.items() if ">>> " in path.read_text(encoding="utf-8")]
    assert {"store", "events", "ids", "text", "naming", "vocabulary"} <= set(with_examples)
