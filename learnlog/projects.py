"""The projects of this person: one small file each in `$LEARNLOG_HOME/projects/`, a projection that can be deleted.

It says where a project is, what its stack is and how many learnings it has, so that others can be searched from it. Best
effort: what cannot be written is not, and no command fails for it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from xxhash import xxh3_64_hexdigest

from learnlog import roots

FOLDER = "projects"
MOST = 5
"""So many other projects are looked at (GS-trust)."""
_LARGEST = 1 << 16


class Project:
    """One project as its file has it: `root` and `log` are absolute paths."""

    def __init__(self, *, name: str, root: str, log: str, stack: tuple[str, ...], learnings_count: int, updated: str) -> None:
        self.name, self.root, self.log, self.stack = name, root, log, stack
        self.learnings_count, self.updated = learnings_count, updated


def note(project: Project, environment: Mapping[str, str]) -> bool:
    """Write a project's file, when it says something new; returns whether there is one that says this now."""
    folder = os.path.join(roots.home(environment), FOLDER)
    try:
        path = _path_for(folder, project)
        known = _read(path)
        if known is not None and _document(known) | {"updated": ""} == _document(project) | {"updated": ""}:
            return True
        os.makedirs(folder, exist_ok=True)
        beside = f"{path}.{os.getpid()}.new"
        with open(beside, "w", encoding="utf-8", errors="surrogateescape") as file:
            json.dump(_document(project), file, indent=2)
            file.write("\n")
        os.replace(beside, path)
    except (OSError, ValueError):
        return False
    return True


def others(root: str | None, stack: Sequence[str], environment: Mapping[str, str]) -> list[Project]:
    """The other projects whose stack overlaps this one, the most overlapping first, then those that changed last; at most
    `MOST`. Those whose log is gone are left out.
    """
    wanted = set(stack)
    here = None if root is None else os.path.realpath(root)
    found = []
    for project in _all(os.path.join(roots.home(environment), FOLDER)):
        overlap = len(wanted.intersection(project.stack))
        if overlap and os.path.realpath(project.root) != here and os.path.isfile(project.log):
            found.append((overlap, project.updated, project.name, project))
    found.sort(key=lambda one: one[:3], reverse=True)
    return [project for *_, project in found[:MOST]]


def _all(folder: str) -> list[Project]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    found = (_read(os.path.join(folder, name)) for name in names if name.endswith(".json"))
    return [project for project in found if project is not None]


def _path_for(folder: str, project: Project) -> str:
    """The file of a project: two folders never have one, also when both are called the same."""
    stem = "".join(one if one.isalnum() or one in "-_." else "-" for one in project.name)[:80].lstrip(".-") or "project"
    path = os.path.join(folder, f"{stem}.json")
    known = _read(path)
    if os.path.lexists(path) and (known is None or os.path.realpath(known.root) != os.path.realpath(project.root)):
        digest = xxh3_64_hexdigest(os.fsencode(os.path.realpath(project.root)))
        return os.path.join(folder, f"{stem}-{digest}.json")
    return path


def _document(project: Project) -> dict[str, Any]:
    return {
        "name": project.name,
        "root": project.root,
        "log": project.log,
        "stack": list(project.stack),
        "learnings_count": project.learnings_count,
        "updated": project.updated,
    }


def _read(path: str) -> Project | None:
    """What a file says; None when it says nothing that can be used."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            document = json.loads(file.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(document, dict):
        return None
    name, root, log = (document.get(one) for one in ("name", "root", "log"))
    stack, count = document.get("stack"), document.get("learnings_count")
    if not (isinstance(name, str) and isinstance(root, str) and isinstance(log, str) and isinstance(stack, list)):
        return None
    return Project(
        name=name,
        root=root,
        log=log,
        stack=tuple(one for one in stack if isinstance(one, str)),
        learnings_count=count if isinstance(count, int) else 0,
        updated=str(document.get("updated", "")),
    )
