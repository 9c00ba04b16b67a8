"""The settings that hold: those of a project and of this person together, remembered until one of their files changes.

What stands in one file, and how it is changed, is `config_file`'s; what a key is and may be is `settings`'.
"""

from __future__ import annotations

import os

from learnlog import roots
from learnlog.errors import ConfigInvalid
from learnlog.roots import CONFIG_NAME, FOLDER
from learnlog.settings import BY_NAME, TABLE
from learnlog.vocabulary import CATEGORIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from learnlog.settings import Value


class Settings:
    """What holds here: an attribute for each key of `settings.TABLE`, and in `warnings` what is wrong with the files."""

    __slots__ = (
        "classifier_command",
        "classifier_timeout_s",
        "cross_project_read",
        "guard_allow",
        "name",
        "organization_log",
        "stack",
        "view_commit",
        "vocabulary_categories",
        "vocabulary_only",
        "warnings",
    )

    def __init__(self, values: Mapping[str, Any], warnings: Sequence[str] = ()) -> None:
        value = {key.name: values.get(key.name, key.default) for key in TABLE}
        self.name: str | None = value["name"]
        self.stack: tuple[str, ...] | None = value["stack"]
        self.vocabulary_categories: tuple[str, ...] = value["vocabulary.categories"]
        self.vocabulary_only: tuple[str, ...] | None = value["vocabulary.only"]
        self.view_commit: bool = value["view.commit"]
        self.classifier_command: tuple[str, ...] = value["classifier.command"]
        self.classifier_timeout_s: float = value["classifier.timeout_s"]
        self.cross_project_read: bool = value["cross_project.read"]
        self.guard_allow: frozenset[str] = frozenset(value["guard.allow"])
        self.organization_log: str | None = value["organization.log"]
        self.warnings: tuple[str, ...] = tuple(warnings)

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories that may be written here."""
        return _writable(self.vocabulary_categories, self.vocabulary_only)


def path_of(root: str | None, environment: Mapping[str, str]) -> str:
    """The file of the project at `root`; with None that of this person."""
    return os.path.join(roots.home(environment) if root is None else os.path.join(root, FOLDER), CONFIG_NAME)


def settings(root: str | None, environment: Mapping[str, str]) -> Settings:
    """What holds in the project at `root` (None: outside of any), from its file and this person's.

    A project's file alone decides about its name, stack, vocabulary and view; this person's about all else. Never raises for
    what is in a file: it is in `warnings`, and the default holds. What was read is remembered until a file changes.
    """
    person = path_of(None, environment)
    files = [person] if root is None else [person, path_of(root, environment)]
    if not any(map(os.path.lexists, files)):
        return Settings({})
    from learnlog.remembered import recall

    def kept() -> list[str]:
        lines, lasting = _read_all(root, files)
        if not lasting:
            raise _NotToKeep(lines)
        return lines

    about = roots.home(environment) if root is None else root
    try:
        return _from_lines(recall("settings", about, [*files, *_CODE], kept, environment))
    except _NotToKeep as unkept:
        return _from_lines(unkept.lines)
    except (LookupError, ValueError):  # what was kept is damaged
        return _from_lines(_read_all(root, files)[0])


# Both files together, and remembered ----------------------------------------------------------------------------------


_CODE = tuple(
    os.path.join(os.path.dirname(__file__), f"{name}.py") for name in ("config", "config_file", "settings", "vocabulary")
)
"""What was made by another version may be of other keys."""


class _NotToKeep(Exception):
    """`lines` were made while a file could not be read: that may pass without a change of the file."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines


def _read_all(root: str | None, files: Sequence[str]) -> tuple[list[str], bool]:
    """What the files set together, as lines: a key and its value, or nothing and a warning, with tabs between (a value has
    none); and whether that lasts until a file changes.
    """
    from learnlog.config_file import read
    from learnlog.terminal import line

    values: dict[str, Value] = {}
    warnings: list[str] = []
    lasting = True
    for path in files:
        shared = path != files[0]
        try:
            found = read(path, root if shared else None)
        except ConfigInvalid as error:
            warnings.append(line(f"{error}; nothing in it has an effect"))
            lasting = lasting and not isinstance(error.__cause__, OSError)
            continue
        warnings += found.warnings
        counting = [key.name for key in TABLE if root is None or shared is not key.personal]
        values.update({name: found.values[name] for name in counting if name in found.values})
    lines = ["\t".join((name, *_written(value))) for name, value in values.items()]
    return lines + [f"\t{one}" for one in warnings], lasting


def _written(value: Value) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (str(value),)


def _from_lines(lines: Sequence[str]) -> Settings:
    values: dict[str, Value] = {}
    warnings = []
    for line in lines:
        name, *rest = line.split("\t")
        if name:
            values[name] = _value_of(BY_NAME[name].kind, rest)
        else:
            warnings.append(rest[0])
    return Settings(values, warnings)


def _value_of(kind: str, written: list[str]) -> Value:
    if kind == "text":
        return written[0]
    if kind == "switch":
        return written[0] == str(True)
    return float(written[0]) if kind == "seconds" else tuple(written)


def _writable(added: tuple[str, ...], only: tuple[str, ...] | None) -> tuple[str, ...]:
    every = dict.fromkeys((*CATEGORIES, *added))
    return tuple(word for word in every if not only or word in only)
