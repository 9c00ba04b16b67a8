"""The commands around the log: init, config, completion, help, the version."""

from __future__ import annotations

import os
import sys

from learnlog import config as configuration
from learnlog import roots, terminal
from learnlog.cli.commands import BY_NAME, COMMANDS, LATER
from learnlog.cli.failure import UsageError
from learnlog.cli.opening import warn_of_variables
from learnlog.cli.output import Answer, say
from learnlog.errors import ConfigInvalid, InvalidValue, NotInThisVersion
from learnlog.roots import CONFIG_NAME, FOLDER, LOG_NAME
from learnlog.settings import LONGEST_TEXT, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from learnlog.cli.arguments import Options
    from learnlog.cli.commands import Command
    from learnlog.settings import Key, Value

_ATTRIBUTES = f"/{FOLDER}/{LOG_NAME} text eol=lf merge=union"
_IGNORED = (f"/{FOLDER}/{LOG_NAME}.lock", f"/{FOLDER}/learnings.md*", f"/{FOLDER}/learnings-active.md*")
_COMMITTED = f"!/{FOLDER}/learnings.md"
"""Behind the others: the view itself, where `view.commit` is on."""


def init(options: Options) -> Answer:
    """Make a project's folder, its configuration and the lines that git needs; nothing that is there is changed.

    In the document `created` and `unchanged` are paths below `root`.
    """
    warn_of_variables()
    given = "." if options.dir is None else options.dir
    if not given or "\0" in given or os.path.isfile(os.path.expanduser(given)):
        raise InvalidValue("DIR", given, "a folder")
    root = os.path.abspath(os.path.expanduser(given))
    if roots.in_home(root, os.environ):
        raise InvalidValue("DIR", given, f"another folder: {os.path.join(root, FOLDER)} is LEARNLOG_HOME")
    if os.path.realpath(root) == os.path.realpath(roots.home(os.environ)):
        raise InvalidValue("DIR", given, "another folder: this one is LEARNLOG_HOME, which is never a project")
    os.makedirs(os.path.join(root, FOLDER), exist_ok=True)
    stack, made = _configuration(root)
    ignored = (*_IGNORED, _COMMITTED) if configuration.settings(root, os.environ).view_commit else _IGNORED
    steps = [
        (f"{FOLDER}/{CONFIG_NAME}", made),
        (".gitattributes", _ensure_lines(os.path.join(root, ".gitattributes"), [_ATTRIBUTES])),
        (".gitignore", _ensure_lines(os.path.join(root, ".gitignore"), ignored)),
    ]
    created = [name for name, changed in steps if changed]
    unchanged = [name for name, changed in steps if not changed]
    log = os.path.join(root, FOLDER, LOG_NAME)
    return Answer(
        lambda: {"root": root, "log": log, "created": created, "unchanged": unchanged, "stack": stack},
        lambda: _initialised_text(root, created, stack),
    )


def _configuration(root: str) -> tuple[tuple[str, ...], bool]:
    """The stack, as it is configured or found, and whether the file was made now."""
    path = os.path.join(root, FOLDER, CONFIG_NAME)
    from learnlog.config_file import new_file
    from learnlog.stacks import detect

    detected = detect(root)

    try:
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(new_file(name=_project_name(root), stack=detected))
    except FileExistsError:
        known_here = configuration.settings(root, os.environ)
        _tell(known_here.warnings)
        return detected if known_here.stack is None else known_here.stack, False
    return detected, True


def _project_name(root: str) -> str:
    """The folder's name, which may hold anything that a path may."""
    return terminal.fit(terminal.line(os.path.basename(root)), LONGEST_TEXT) or "project"


def _ensure_lines(path: str, lines: tuple[str, ...] | list[str]) -> bool:
    """Append those of `lines` that the file has not, in its own kind of line end; its bytes stay. Whether any was missing."""
    try:
        with open(path, "rb") as file:
            known = file.read()
    except FileNotFoundError:
        known = b""
    there = {one.strip() for one in known.split(b"\n")}
    missing = [one.encode() for one in lines if one.encode() not in there]
    if not missing:
        return False
    end = b"\r\n" if b"\r\n" in known else b"\n"
    with open(path, "ab") as file:
        file.write((end if known and not known.endswith(b"\n") else b"") + b"".join(one + end for one in missing))
    return True


def _initialised_text(root: str, created: list[str], stack: tuple[str, ...]) -> str:
    about = f" (stack: {', '.join(stack)})" if stack else ""
    made = f"made {', '.join(created)}" if created else "everything was there"
    return terminal.line(f"{os.path.join(root, FOLDER)}: {made}{about}")


# config -------------------------------------------------------------------------------------------------------------


def config(options: Options) -> Answer:
    """`get KEY`, `set KEY VALUE` or `path`, of the project or with `--user` of this person."""
    warn_of_variables()
    actions: dict[str, tuple[Callable[[Options], Answer], int]] = {"get": (_get, 1), "set": (_set, 2), "path": (_path, 0)}
    if options.action not in actions:
        raise InvalidValue("ACTION", options.action, f"one of {', '.join(actions)}")
    run, wanted = actions[options.action]
    given = [one for one in (options.key, options.value) if one is not None]
    if len(given) != wanted:
        raise UsageError(f"config {options.action} takes {('nothing more', 'KEY', 'KEY VALUE')[wanted]}")
    return run(options)


def _get(options: Options) -> Answer:
    from learnlog.config_file import read

    key = known(options.key)
    root = _root(options, key)
    path = configuration.path_of(root, os.environ)
    found = read(path, root)
    if key.name in found.wrong:
        raise ConfigInvalid(path, found.wrong[key.name])
    _tell(found.warnings)
    if key.personal and not options.user:
        _tell_of_project(options)
    value = found.values.get(key.name, key.default)
    return Answer(lambda: {"key": key.name, "value": value, "path": path}, lambda: _setting_text(key, value))


def _set(options: Options) -> Answer:
    from learnlog.config_file import put

    key = known(options.key)
    if key.personal and not options.user:
        raise UsageError(f"{key.name} counts in your own settings only: learnlog config set --user {key.name} VALUE")
    root = _root(options, key)
    path = configuration.path_of(root, os.environ)
    after = put(path, key.name, options.value, root)
    _tell(after.warnings)
    value = after.values[key.name]
    shown = f"{key.name} = {_setting_text(key, value)}"
    return Answer(lambda: {"key": key.name, "value": value, "path": path}, lambda: shown)


def _path(options: Options) -> Answer:
    path = configuration.path_of(_root(options), os.environ)
    return Answer(lambda: {"path": path}, lambda: terminal.line(path))


def _root(options: Options, key: Key | None = None) -> str | None:
    """The project whose file is meant; None: this person's, also for a `key` that counts in no other."""
    if options.user and options.project is not None:
        raise UsageError("config: --user and --project exclude each other")
    if options.user or (key is not None and key.personal):
        return None
    root = roots.project_root(options.project, os.environ)
    if root is None:
        raise UsageError("config: no project here; `learnlog init` makes one, --user is for your own settings")
    return root


def _tell_of_project(options: Options) -> None:
    """Say what in the project's file has no effect, where one asks for what it may have tried to set."""
    from learnlog.config_file import read

    root = roots.project_root(options.project, os.environ)
    if root is None:
        return
    try:
        _tell(read(configuration.path_of(root, os.environ), root).warnings)
    except ConfigInvalid as error:
        _tell([str(error)])


def _setting_text(key: Key, value: Value | None) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        if key.kind != "command":
            return terminal.line(",".join(value))
        import shlex

        return terminal.line(shlex.join(value))
    if isinstance(value, str):
        return terminal.line(value)
    return f"{value:g}" if key.kind == "seconds" else str(value).lower()


def _tell(warnings: Iterable[str]) -> None:
    for one in warnings:
        say(f"warning: {one}")


# help, completion, version ------------------------------------------------------------------------------------------


def version() -> Answer:
    """`--version`."""
    from learnlog import __version__

    return Answer(lambda: {"version": __version__}, lambda: f"learnlog {__version__}")


def help_(options: Options) -> Answer:
    """`help`, `help COMMAND`."""
    name = options.command
    if name is None:
        return _overview()
    if name in LATER:
        raise NotInThisVersion(name)
    if name not in BY_NAME:
        raise InvalidValue("COMMAND", name, f"one of {', '.join(BY_NAME)}")
    return help_of(BY_NAME[name])


def help_of(command: Command) -> Answer:
    """What one command does, with its arguments and flags."""
    from learnlog.cli.help import help_text

    text = help_text(command, terminal.columns(sys.stdout) or terminal.DEFAULT_COLUMNS)
    return Answer(lambda: {"help": text}, lambda: text)


def _overview() -> Answer:
    width = max(len(command.name) for command in COMMANDS)
    text = "\n".join(
        [
            "learnlog COMMAND …: what agents and people learned, in an append-only log",
            "",
            *(f"  {command.name:<{width}}  {command.summary}" for command in COMMANDS),
            "",
            "Every command takes --json; `learnlog help COMMAND` has its flags.",
            f"Not in this version: {', '.join(LATER)}.",
        ]
    )
    return Answer(lambda: {"help": text}, lambda: text)


def completion(options: Options) -> Answer:
    """The script for a shell."""
    from learnlog.cli.completion import SHELLS, script

    shell = options.shell
    if shell not in SHELLS:
        raise InvalidValue("SHELL", shell, f"one of {', '.join(SHELLS)}")
    text = script(shell)
    return Answer(lambda: {"shell": shell, "script": text}, lambda: text)
