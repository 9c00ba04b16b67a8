"""From flags to a `Store`: which log, who acts, and what to tell about the choice."""

from __future__ import annotations

import os

from learnlog import roots
from learnlog.cli.output import say
from learnlog.errors import NoSuchLearning
from learnlog.roots import FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from learnlog.cli.arguments import Options
    from learnlog.index.together import Part
    from learnlog.library import Library
    from learnlog.roots import Place
    from learnlog.store import Store
    from learnlog.surroundings import Surroundings


def place_of(options: Options) -> Place:
    """The log that the flags and the environment name. Warns of variables that mean nothing."""
    warn_of_variables()
    if options.log is not None and options.project is not None:
        from learnlog.cli.failure import UsageError

        raise UsageError("--log and --project exclude each other")
    return roots.locate(options.log, options.project, os.environ)


def surroundings_of(options: Options) -> Surroundings:
    """The logs that the flags and the environment name together."""
    from learnlog.surroundings import Surroundings

    return Surroundings(place_of(options), os.environ)


def others_of(around: Surroundings, options: Options) -> list[Part]:
    """The logs of other projects, when they are asked for and this person turned that on. Raises `UsageError` when not."""
    if not getattr(options, "cross_project", False):
        return []
    if not around.settings.cross_project_read:
        from learnlog.cli.failure import UsageError

        raise UsageError("--cross-project is off: `learnlog config set --user cross_project.read true` turns it on")
    return around.others()


def tell_settings(around: Surroundings) -> None:
    """Say what is wrong with the settings that were looked at."""
    for warning in around.settings.warnings:
        say(f"warning: {warning}")


def warn_of_variables() -> None:
    """Name the LEARNLOG_ variables that are not known."""
    unknown = roots.unknown_variables(os.environ)
    if unknown:
        say(f"warning: {', '.join(unknown)} means nothing to this version; known are {', '.join(roots.VARIABLES)}")


def store_at(place: Place, options: Options) -> Store:
    """The store of a place; what changes it is done by `--by` and `--session`."""
    from learnlog.store import Store  # most commands do without it

    actor: dict[str, Any] = {name: getattr(options, name, None) for name in ("by", "session")}
    return Store(place.log, tier=place.tier, **actor)


def stores_around(around: Surroundings, options: Options) -> list[Store]:
    """The stores of the logs that there are, the nearest first."""
    from learnlog.store import Store

    actor: dict[str, Any] = {name: getattr(options, name, None) for name in ("by", "session")}
    return [Store(path, tier=tier, **actor) for tier, path in around.present()]


def store_to_read(options: Options) -> Store:
    """The store that a reading command looks at. A log that does not exist is an empty one."""
    return store_at(place_of(options), options)


def library_of(options: Options) -> Library:
    """The tiers that the flags and the environment name; what changes them is done by `--by` and `--session`."""
    from learnlog.library import Library

    actor: dict[str, Any] = {name: getattr(options, name, None) for name in ("by", "session")}
    return Library(surroundings_of(options), notify=lambda message: say(f"warning: {message}"), **actor)


def library_with(options: Options, reference: str | None) -> Library:
    """The tiers that a verb changes, of which a log must exist: nothing is made on the way to "no such learning"."""
    library = library_of(options)
    if not any(os.path.exists(path) for _, path in library.around.tiers):
        raise NoSuchLearning(reference if reference is not None else "the last event")
    return library


def notice_of(place: Place) -> str:
    """What to tell after the first write to a place that nobody named: asked before the write. Empty: nothing."""
    if place.named:
        return ""
    if place.tier == "workstation":
        return f"no project here: written to your own log, {place.log} (`learnlog init` makes a project)"
    if place.root is not None and not os.path.isdir(os.path.join(place.root, FOLDER)):
        return f"made {os.path.join(place.root, FOLDER)} (`learnlog init` also sets up git)"
    return ""


def scope_of(options: Options) -> str | None:
    """The scope to store; `auto` is left to learnlog, which in this version means that none is given."""
    scope: str | None = options.scope
    return None if scope is None or scope.strip().lower() == "auto" else scope
