"""Readers of the files that have a grammar: TOML and JSON. A text in, what it names into a `Found`; no text is an error.

A file that does not parse is read table by table (TOML), or by its lists of dependencies alone (JSON): a conflict that git left
in it, a comment, or an end that was cut off hides what it stands in, and nothing else.
"""

from __future__ import annotations

import json
import re
import tomllib

from learnlog.stacks import packages
from learnlog.stacks.scans import DEVELOPMENT_EXTRAS, pip_line, pip_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from learnlog.stacks.names import Found

_TOML_CHARACTERS = 256 << 10
_DOTS_IN_A_LINE, _DOTS_IN_A_HEADER = 128, 16
"""Beyond these tomllib takes time, and memory, by the square: measured, one line of 20,000 dots is 8 s, of 80,000 the end of
the process. 30 requirements with their versions on one line have about 90."""
_HEADER = re.compile(r"\[\[?[ \t]*[\w.\"' \t-]+\]\]?[ \t]*(#.*)?")


def pyproject(text: str, found: Found) -> None:
    """PEP 621, PEP 735, Poetry, PDM, uv and Hatch; what the project is built with is none of its stack."""
    document = _toml(text)
    project, tools = _table(document, "project"), _table(document, "tool")
    itself = pip_name(str(project.get("name", "")))  # an extra may be made of others: "name[this,that]"
    _pip(_texts(project, "dependencies"), found, runtime=True)
    for extra in _table(project, "optional-dependencies"):
        lines = [line for line in _texts(project, "optional-dependencies", extra) if pip_line(line) != itself]
        _pip(lines, found, runtime=extra.lower() not in DEVELOPMENT_EXTRAS)
    _poetry(_table(tools, "poetry", "dependencies"), found, runtime=True)
    for groups in (_table(document, "dependency-groups"), _table(tools, "pdm", "dev-dependencies")):
        for group in groups:
            _pip(_texts(groups, group), found, runtime=False)
    _pip(_texts(tools, "uv", "dev-dependencies"), found, runtime=False)
    for environment in _table(tools, "hatch", "envs").values():
        _pip([*_texts(environment, "dependencies"), *_texts(environment, "extra-dependencies")], found, runtime=False)
    _poetry(_table(tools, "poetry", "dev-dependencies"), found, runtime=False)
    for group in _table(tools, "poetry", "group").values():
        _poetry(_table(group, "dependencies"), found, runtime=False)
    for name in tools:
        found.has_tool(packages.PYTHON, pip_name(name))


def pipfile(text: str, found: Found) -> None:
    """Pipenv's `packages` and `dev-packages`."""
    document = _toml(text)
    _poetry(_table(document, "packages"), found, runtime=True)
    _poetry(_table(document, "dev-packages"), found, runtime=False)


def package_json(text: str, found: Found) -> None:
    """npm's dependencies of every kind, the engine, and the package manager that is asked for."""
    document = _json(text, "dependencies", "peerDependencies", "optionalDependencies", "devDependencies", "engines")
    for kind in ("dependencies", "peerDependencies", "optionalDependencies", "devDependencies"):
        for package, version in _table(document, kind).items():
            if not (isinstance(version, str) and version.startswith(("workspace:", "file:", "link:", "portal:"))):
                # those are this project's own
                _npm(package, found, runtime=kind != "devDependencies")
    if "node" in _table(document, "engines"):
        found.says("nodejs")
    manager = document.get("packageManager")
    if isinstance(manager, str):
        found.has_tool(packages.NPM, manager.partition("@")[0])


def deno(text: str, found: Found) -> None:
    """Deno's imports: of npm, of JSR, and by address."""
    imports = _table(_json(text, "imports"), "imports")
    for target in (one for one in imports.values() if isinstance(one, str)):
        kind, _, rest = target.partition(":")
        if kind in ("npm", "jsr"):
            scope, slash, name = rest.lstrip("/").partition("/")
            whole = f"{scope}/{name.partition('/')[0]}" if slash and scope.startswith("@") else scope
            _npm(whole[:1] + whole[1:].partition("@")[0], found, runtime=True)
        elif rest.startswith("//deno.land/x/"):
            _npm(re.split(r"[@/]", rest[len("//deno.land/x/") :], maxsplit=1)[0], found, runtime=True)


def composer(text: str, found: Found) -> None:
    """Composer's `require` and `require-dev`: packages by vendor and name, and extensions of PHP."""
    document = _json(text, "require", "require-dev")
    for kind in ("require", "require-dev"):
        for package in _table(document, kind):
            name = package.lower()
            found.uses(packages.COMPOSER, name, name.rpartition("/")[2], runtime=kind == "require")


def cargo(text: str, found: Found) -> None:
    """Cargo's dependencies: of a package, of a workspace, for one target only, and those for tests and building."""
    document = _toml(text)
    places = [document, _table(document, "workspace"), *_table(document, "target").values()]
    for kind, runtime in (("dependencies", True), ("dev-dependencies", False), ("build-dependencies", False)):
        for place in places:
            for crate, wanted in _table(place, kind).items():
                if isinstance(wanted, dict) and "path" in wanted:
                    continue  # one of this project's own
                real = wanted.get("package") if isinstance(wanted, dict) else None
                name = (real if isinstance(real, str) else crate).lower().replace("_", "-")
                found.uses(packages.CARGO, name, name, runtime=runtime)


def _pip(lines: Iterable[str], found: Found, *, runtime: bool) -> None:
    for line in lines:
        name = pip_line(line)
        if name:
            found.uses(packages.PYTHON, name, name, runtime=runtime)


def _poetry(table: dict[str, Any], found: Found, *, runtime: bool) -> None:
    for package, wanted in table.items():
        name = pip_name(package)
        if name != "python" and not (isinstance(wanted, dict) and "path" in wanted):
            found.uses(packages.PYTHON, name, name, runtime=runtime)


def _npm(package: str, found: Found, *, runtime: bool) -> None:
    """A package goes by its scope, if it has one: `@angular/core` is angular."""
    name = package.lower()
    found.uses(packages.NPM, name, name.partition("/")[0].removeprefix("@"), runtime=runtime)


def _table(document: Any, *keys: str) -> dict[str, Any]:
    """The table at these keys; an empty one when there is none, or something else."""
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else {}


def _texts(document: Any, *keys: str) -> list[str]:
    """The texts in the list at these keys."""
    values = _table(document, *keys[:-1]).get(keys[-1])
    return [one for one in values if isinstance(one, str)] if isinstance(values, list) else []


def _toml(text: str) -> dict[str, Any]:
    whole = _toml_of(text) if len(text) <= _TOML_CHARACTERS else None
    if whole is not None:
        return whole
    merged: dict[str, Any] = {}
    for part in _toml_tables(text[:_TOML_CHARACTERS]):
        _merge(merged, _toml_of(part) or {})
    return merged


def _toml_of(text: str) -> dict[str, Any] | None:
    for line in text.split("\n"):
        if line.count(".") > (_DOTS_IN_A_HEADER if line.lstrip().startswith("[") else _DOTS_IN_A_LINE):
            return None
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _toml_tables(text: str) -> Iterator[str]:
    """The text from each header of a table to the next."""
    lines: list[str] = []
    for line in text.split("\n"):
        if _HEADER.fullmatch(line):
            yield "\n".join(lines)
            lines = []
        lines.append(line)
    yield "\n".join(lines)


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        there = into.get(key)
        if isinstance(there, dict) and isinstance(value, dict):
            _merge(there, value)
        else:
            into[key] = value


def _json(text: str, *wanted: str) -> dict[str, Any]:
    """A JSON object; of a text that is none, the members of the objects with these names."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        found: dict[str, Any] = {name: {} for name in wanted}
        for name, members in re.findall(r'"(\w[\w-]{0,40})"[ \t]{0,9}:\s{0,9}\{([^{}]*)', text):
            if name in found:
                found[name].update(re.findall(r'"([^"\\\n]{1,200})"[ \t]{0,9}:[ \t]{0,9}"([^"\\\n]{0,200})"', members))
        return found
    return document if isinstance(document, dict) else {}
