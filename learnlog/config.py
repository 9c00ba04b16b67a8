"""A configuration file, read with care and changed one line at a time: name and stack of a project, or of this person.

A project's file is committed, so it is data from others: keys that are not its to set are named and have no effect.
"""

from __future__ import annotations

import os

from learnlog.errors import ConfigInvalid, InvalidValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

KEYS = ("name", "stack")

_SIGNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("pyproject.toml", ("python",)),
    ("requirements.txt", ("python",)),
    ("setup.py", ("python",)),
    ("package.json", ("javascript",)),
    ("tsconfig.json", ("typescript",)),
    ("Cargo.toml", ("rust",)),
    ("go.mod", ("go",)),
    ("Gemfile", ("ruby",)),
    ("pom.xml", ("java",)),
    ("build.gradle", ("java",)),
    ("build.gradle.kts", ("java",)),
    ("composer.json", ("php",)),
    ("mix.exs", ("elixir",)),
    ("*.csproj", ("csharp",)),
)
"""A file of a project's root -> what it says of the stack."""


class Config:
    """What a file sets; None is "not set". `ignored` are the keys in it that have no effect."""

    __slots__ = ("ignored", "name", "stack")

    def __init__(self, *, name: str | None, stack: tuple[str, ...] | None, ignored: tuple[str, ...]) -> None:
        self.name, self.stack, self.ignored = name, stack, ignored


def read(path: str) -> Config:
    """The settings in a file; nothing is set when there is none. Raises `ConfigInvalid` naming the file and the line."""
    return _checked(path, _parsed(path, _text(path)))


def put(path: str, key: str, given: str) -> Config:
    """Set `key` in the file, made when it is missing; every other line stays. Raises `InvalidValue`, `ConfigInvalid`."""
    value = from_text(key, given)
    text = _text(path)
    _parsed(path, text)  # what does not parse is not written over
    changed = _with(text, key, _toml(value))
    after = _checked(path, _parsed(path, changed))
    if changed != text:
        _replace(path, changed)
    return after


def from_text(key: str, given: str) -> str | tuple[str, ...]:
    """A value as it is typed on the command line. Raises `InvalidValue` for a key that is not known."""
    known_key(key)
    if not given.isprintable() or (key == "name" and not given.strip()):
        raise InvalidValue(key, given, "a text of printable characters")
    if key == "stack":
        return tuple(dict.fromkeys(name.strip().lower() for name in given.split(",") if name.strip()))
    return given.strip()


def known_key(key: str) -> str:
    """The key, if it is one. Raises `InvalidValue` with those there are."""
    if key not in KEYS:
        raise InvalidValue("key", key, f"one of {', '.join(KEYS)}")
    return key


def detect_stack(root: str) -> tuple[str, ...]:
    """The stack that the files in a project's root speak of; a `package.json` that names typescript speaks of both."""
    try:
        names = set(os.listdir(root))
    except OSError:
        return ()
    found: dict[str, None] = {}
    for sign, stack in _SIGNS:
        if sign in names or (sign.startswith("*") and any(name.endswith(sign[1:]) for name in names)):
            found.update(dict.fromkeys(stack))
    if "package.json" in names and "typescript" not in found and _names_typescript(os.path.join(root, "package.json")):
        found["typescript"] = None
    return tuple(found)


def new_file(*, name: str, stack: tuple[str, ...]) -> str:
    """The text of a project's first configuration."""
    return (
        "# Settings of this project's learnings; committed, so they hold for everybody who has the repository.\n"
        f"name = {_toml(name)}\nstack = {_toml(stack)}\n"
    )


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise ConfigInvalid(path, f"not UTF-8 at byte {error.start}") from error
    except OSError as error:
        raise ConfigInvalid(path, error.strerror or str(error)) from error


def _parsed(path: str, text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigInvalid(path, str(error)) from error


def _checked(path: str, settings: Mapping[str, Any]) -> Config:
    name, stack = settings.get("name"), settings.get("stack")
    if name is not None and not isinstance(name, str):
        raise ConfigInvalid(path, "name must be a text")
    if stack is not None and not (isinstance(stack, list) and all(isinstance(one, str) for one in stack)):
        raise ConfigInvalid(path, "stack must be a list of texts")
    names = None if stack is None else tuple(one.strip().lower() for one in stack if one.strip())
    return Config(name=name, stack=names, ignored=tuple(key for key in settings if key not in KEYS))


def _with(text: str, key: str, value: str) -> str:
    """`text` with `key = value` in place of what it set, or as the last line before the first table."""
    end = "\r\n" if "\r\n" in text else "\n"
    *whole, rest = text.split("\n")
    lines = [*(f"{one}\n" for one in whole), *filter(None, [rest])]
    tables = next((at for at, one in enumerate(lines) if one.lstrip().startswith("[") and _ends_value(lines[:at])), len(lines))
    start = next((at for at in range(tables) if _sets(lines[at], key) and _ends_value(lines[:at])), None)
    if start is None:
        before = "".join(lines[:tables])
        before += end if before and not before.endswith("\n") else ""
        return f"{before}{key} = {value}{end}{''.join(lines[tables:])}"
    stop = next(at for at in range(start + 1, tables + 1) if _ends_value(lines[:at]))
    return f"{''.join(lines[:start])}{key} = {value}{end}{''.join(lines[stop:])}"


def _sets(line: str, key: str) -> bool:
    name, equals, _ = line.partition("=")
    return bool(equals) and name.strip() in (key, f'"{key}"', f"'{key}'")


def _ends_value(lines: list[str]) -> bool:
    """Whether the lines are whole TOML by themselves: no list or text is open behind them."""
    import tomllib

    try:
        tomllib.loads("".join(lines))
    except tomllib.TOMLDecodeError:
        return False
    return True


def _toml(value: str | tuple[str, ...]) -> str:
    """A value as TOML writes it, which for texts and lists of them is as JSON does."""
    import json

    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _replace(path: str, text: str) -> None:
    """Write a file so that a reader sees the old or the new one, whole; a link keeps pointing to it."""
    target = os.path.realpath(path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    beside = f"{target}.{os.getpid()}.new"
    try:
        with open(beside, "x", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(target):
            os.chmod(beside, os.stat(target).st_mode & 0o7777)
        os.replace(beside, target)
    except OSError:
        if os.path.exists(beside):
            os.unlink(beside)
        raise


def _names_typescript(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return b'"typescript"' in file.read(1 << 20)
    except OSError:
        return False
