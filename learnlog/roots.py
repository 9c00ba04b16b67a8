"""Which log a command works on: what was named, else the project around the working directory, else this person's own.

Looks at the file system and never changes it. The order is that of docs/commands.md ("which log"): `--log`, `--project`,
`LEARNLOG_LOG`, the nearest ancestor with `.learnlog/`, the git top level, the workstation tier.
"""

from __future__ import annotations

import os

from learnlog.errors import InvalidValue, LogUnreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FOLDER = ".learnlog"
LOG_NAME = "learnings.jsonl"
CONFIG_NAME = "config.toml"

_LONGEST_POINTER = 4096
"""Characters of the file with which a worktree says where its main tree is."""

VARIABLES = (
    "LEARNLOG_HOME",
    "LEARNLOG_LOG",
    "LEARNLOG_ACTOR",
    "LEARNLOG_SESSION",
    "LEARNLOG_IN_HOOK",
    "LEARNLOG_DEBUG",
)


class Place:
    """A log and how it was come by. `root` is the project's folder, None when there is no project. `named` says that
    somebody named this very log.
    """

    __slots__ = ("log", "named", "root", "tier")

    def __init__(self, *, log: str, tier: str, root: str | None, named: bool) -> None:
        self.log, self.tier, self.root, self.named = log, tier, root, named


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """The `LEARNLOG_…` variables that mean nothing to this version."""
    return sorted(name for name in environment if name.startswith("LEARNLOG_") and name not in VARIABLES)


def home(environment: Mapping[str, str]) -> str:
    """The folder of this person's own log and settings."""
    return _absolute(environment.get("LEARNLOG_HOME") or f"~/{FOLDER}")


def locate(log: str | None, project: str | None, environment: Mapping[str, str]) -> Place:
    """The log that `--log`, `--project`, the environment and the working directory name. It may not exist yet.

    Raises `InvalidValue` for a `--log` that is a folder and a `--project` that is a file.
    """
    if log is not None:
        return _named("log", log, environment)
    if project is not None:
        return _project("project", project, environment)
    if environment.get("LEARNLOG_LOG"):
        return _named("LEARNLOG_LOG", environment["LEARNLOG_LOG"], environment)
    return _around(_working_directory(), environment)


def project_root(project: str | None, environment: Mapping[str, str]) -> str | None:
    """The root of the project that `--project` names or that is around the working directory; None when there is none."""
    if project is not None:
        return _project("project", project, environment).root
    return _nearest(_working_directory(), environment)


def in_home(root: str, environment: Mapping[str, str]) -> bool:
    """Whether `root/.learnlog` is LEARNLOG_HOME, which is never a project's."""
    return os.path.realpath(os.path.join(root, FOLDER)) == os.path.realpath(home(environment))


def _named(argument: str, given: str, environment: Mapping[str, str]) -> Place:
    if not given or "\0" in given:
        raise InvalidValue(argument, given, "the path of a log file")
    path = _absolute(given)
    if os.path.isdir(path) or given.endswith(os.sep):
        raise InvalidValue(argument, given, "the path of a log file, not of a folder")
    folder = os.path.dirname(path)
    root = os.path.dirname(folder) if os.path.basename(folder) == FOLDER else None
    if os.path.realpath(path) == os.path.realpath(os.path.join(home(environment), LOG_NAME)):
        return Place(log=path, tier="workstation", root=None, named=True)
    return Place(log=path, tier="project", root=root, named=True)


def _project(argument: str, given: str, environment: Mapping[str, str]) -> Place:
    if not given or "\0" in given:
        raise InvalidValue(argument, given, "a folder")
    folder = _absolute(given)
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise InvalidValue(argument, given, "a folder, not a file")
    root = _nearest(folder, environment) or folder
    return _workstation(environment) if in_home(root, environment) else _of_root(root)


def _around(folder: str, environment: Mapping[str, str]) -> Place:
    root = _nearest(folder, environment) or _shared_by_worktree(folder) or _git_top_level(folder)
    if root is None or in_home(root, environment):
        return _workstation(environment)
    return _of_root(root)


def _of_root(root: str) -> Place:
    return Place(log=os.path.join(root, FOLDER, LOG_NAME), tier="project", root=root, named=False)


def _workstation(environment: Mapping[str, str]) -> Place:
    return Place(log=os.path.join(home(environment), LOG_NAME), tier="workstation", root=None, named=False)


def _nearest(folder: str, environment: Mapping[str, str]) -> str | None:
    """The nearest folder with `.learnlog/` from here up to the person's home; LEARNLOG_HOME does not count."""
    for one in _upwards(folder):
        if os.path.isdir(os.path.join(one, FOLDER)) and not in_home(one, environment):
            return one
    return None


def _git_top_level(folder: str) -> str | None:
    """The nearest folder with `.git`, which is a file in a worktree and in a submodule."""
    return next((one for one in _upwards(folder) if os.path.exists(os.path.join(one, ".git"))), None)


def main_tree(root: str) -> str:
    """The folder whose identity a project has: itself, or of a git worktree its main tree."""
    try:
        with open(os.path.join(root, ".git"), encoding="utf-8") as file:
            word, _, place = file.read(_LONGEST_POINTER).partition(":")
        place = os.path.join(root, place.strip())
        with open(os.path.join(place, "commondir"), encoding="utf-8") as file:
            common = os.path.realpath(os.path.join(place, file.read(_LONGEST_POINTER).strip()))
    except (OSError, ValueError):  # no worktree: a folder, a submodule (which has no `commondir`), or nothing at all
        return root
    return os.path.dirname(common) if word == "gitdir" and os.path.basename(common) == ".git" else root


def _shared_by_worktree(folder: str) -> str | None:
    """The main tree, for a worktree in which git ignores `.learnlog`, so that none is ever checked out there."""
    top = _git_top_level(folder)
    main = top if top is None else main_tree(top)
    if top is None or main is None or main == top or not os.path.isdir(os.path.join(main, FOLDER)):
        return None
    from learnlog.git import is_ignored  # runs git, which only this case needs

    return main if is_ignored(os.path.join(top, FOLDER, LOG_NAME)) else None


def _upwards(folder: str) -> Iterator[str]:
    persons_home = os.path.realpath(os.path.expanduser("~"))
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder or os.path.realpath(folder) == persons_home:
            return
        folder = above


def _absolute(given: str) -> str:
    return os.path.abspath(os.path.expanduser(given))


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError as error:
        raise LogUnreadable(".", f"the working directory is gone ({error.strerror})") from error
