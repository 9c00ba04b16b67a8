"""Which scope a new learning has, in this place: a function or a command of the caller's says it, else the rules.

The rules are `policy.classify`; what the project calls its own is read by `belongings`, and the command is run by
`classifier_command`. What is asked may fail, and then the rules answer, with a warning. Takes no lock, and is to be called
before one is taken.
"""

from __future__ import annotations

import os
import time
import warnings

from learnlog.policy.classify import Facts, Verdict, classify
from learnlog.terminal import line
from learnlog.vocabulary import SCOPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Any

    from learnlog.surroundings import Surroundings

FRESH_S = 1.0
"""For so long what was read of a project is taken to be so still, in one process."""
_MOST_PROJECTS = 16
_NOT_OURS = ("node_modules/", "vendor/", ".git/", ".venv/", "venv/", "/", "~")
_read: dict[tuple[str, str], tuple[float, Facts]] = {}
"""(root, name) -> when it was read, and what was; threads may read one twice."""


def scope_of(
    fields: Mapping[str, Any], around: Surroundings, classifier: Callable[[Mapping[str, Any]], str] | None = None
) -> str:
    """The scope of a new learning with these `fields`: "project", "workstation" or "universal".

    `classifier` is asked; without one the command that this person configured; without that the rules. One that raises, fails,
    takes too long or answers anything else gives a warning, and the rules answer. Never raises for what others do.
    """
    said = None
    if classifier is not None:
        said = _asked(classifier, fields)
    elif around.settings.classifier_command:
        said = _commanded(fields, around)
    return said or _by_rules(fields, around).scope


def explain(fields: Mapping[str, Any], around: Surroundings) -> tuple[str, tuple[str, ...]]:
    """The scope by the rules, and the reasons for it in words."""
    verdict = _by_rules(fields, around)
    return verdict.scope, verdict.reasons


def _asked(classifier: Callable[[Mapping[str, Any]], str], fields: Mapping[str, Any]) -> str | None:
    try:
        said = classifier(fields)
    except Exception as error:  # noqa: BLE001 - it is not ours, and a learning is not lost for it
        _warn(f"the classifier failed ({type(error).__name__}: {error})")
        return None
    scope = said.strip().lower() if isinstance(said, str) else ""
    if scope in SCOPES:
        return scope
    _warn(f"the classifier answered {said!r:.80}, not one of {', '.join(SCOPES)}")
    return None


def _commanded(fields: Mapping[str, Any], around: Surroundings) -> str | None:
    from learnlog.classifier_command import CommandFailed, ask

    settings = around.settings
    question = {
        "title": fields.get("title", ""),
        "body": fields.get("body", ""),
        "tags": list(fields.get("tags") or ()),
        "files": list(fields.get("files") or ()),
        "stack": list(fields.get("stack") or ()),
        "project": _name_of(around),
        "project_stack": list(around.stack),
    }
    try:
        return ask(
            settings.classifier_command, question, timeout_s=settings.classifier_timeout_s, environment=around.environment
        )
    except CommandFailed as error:
        _warn(f"classifier.command {error}")
        return None


def _warn(what: str) -> None:
    warnings.warn(f"{line(what)}; the rules decided the scope", stacklevel=5)


# The rules, in this place -----------------------------------------------------------------------------------------------


def _by_rules(fields: Mapping[str, Any], around: Surroundings) -> Verdict:
    return classify(fields, _facts(around))


def _name_of(around: Surroundings) -> str | None:
    root = around.place.root
    return around.settings.name or (None if root is None else os.path.basename(os.path.abspath(root)))


def _facts(around: Surroundings) -> Facts:
    name, root = _name_of(around), around.place.root
    if root is None:
        return Facts(name, around.stack, lambda _: False, ())
    key, now = (root, f"{name}\0{around.stack}"), time.monotonic()
    read_at, facts = _read.get(key, (0.0, None))
    if facts is not None and now - read_at < FRESH_S:
        return facts
    facts = _read_facts(root, name, around.stack, around.environment)
    if len(_read) >= _MOST_PROJECTS:
        _read.clear()
    _read[key] = (now, facts)
    return facts


def _read_facts(root: str, name: str | None, stack: Collection[str], environment: Mapping[str, str]) -> Facts:
    from learnlog import belongings

    files, tables = belongings.of(root, environment)
    absolute = os.path.join(os.path.abspath(root), "")

    def names_a_file(piece: str) -> bool:
        piece = piece.removeprefix(absolute)
        return files.has(piece) or _is_there(root, piece)

    return Facts(name, stack, names_a_file, tables)


def _is_there(root: str, piece: str) -> bool:
    """Whether a path is of a file that is not tracked yet: what was learned is often about what is new."""
    if "/" not in piece or piece.startswith(_NOT_OURS) or ".." in piece.split("/"):
        return False
    try:
        return os.path.isfile(os.path.join(root, piece))
    except ValueError:  # what no path can hold
        return False
