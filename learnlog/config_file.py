"""One configuration file: read with care, judged key by key, changed one line at a time.

A project's file is committed, so it is data from others: what is not its to set is named and has no effect. What a key is and
may be is `settings`'; where a key stands in the text is `toml_lines`'.
"""

from __future__ import annotations

import os
import stat

from learnlog import terminal, toml_lines
from learnlog.errors import ConfigInvalid, InvalidValue
from learnlog.roots import FOLDER
from learnlog.settings import BY_NAME, BY_PATH, GROUPS, checked, from_text, has_password, known, masked
from learnlog.vocabulary import CATEGORIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from learnlog.settings import Key, Value

LARGEST_FILE = 64 * 1024
MOST_DOTS = 100
"""In one line. tomllib's time grows with the square of a key's parts, and more: 4,000 below a header of 4,000 took 2.4 s."""
MOST_WARNINGS = 20
_SHOWN_CHARACTERS = 60
_PERSONAL = "counts in your own settings only (`learnlog config set --user`); it has no effect here"
_PASSWORD = "has an address with a password in it, which a committed file must not have; it has no effect"


class Config:
    """What one file sets: `values` by the name of the key. `wrong` has the keys with a value that is not allowed, and why;
    `warnings` what is said of them and of all else in the file that has no effect.
    """

    __slots__ = ("values", "warnings", "wrong")

    def __init__(self, values: dict[str, Value], wrong: dict[str, str], warnings: tuple[str, ...]) -> None:
        self.values, self.wrong, self.warnings = values, wrong, warnings


def read(path: str, root: str | None = None) -> Config:
    """What a file sets; nothing when there is none. `root`: it is the file of the project there, and not this person's.

    Raises `ConfigInvalid`, naming the file and the line, when it cannot be read or does not parse.
    """
    text = _text(path, root)
    return _judged(path, text, _parsed(path, text), shared=root is not None)


def put(path: str, name: str, given: str, root: str | None = None) -> Config:
    """Set the key in the file, made when it is missing; every other line stays. Raises `InvalidValue`, `ConfigInvalid`.

    `root` as for `read`.
    """
    key = known(name)
    if root is not None and key.personal:
        raise InvalidValue("key", name, "one that a project may set; this one is for your own settings: --user")
    if root is not None and has_password(given):
        raise InvalidValue(name, masked(given), "without the password: a project's settings are committed")
    value = from_text(key, given)
    text = _text(path, root)
    _parsed(path, text)  # what does not parse is not written over
    changed = toml_lines.with_key(text, key.path, _toml(value))
    if changed is None:
        raise ConfigInvalid(path, f"{key.path[0]} has no lines of its own there; nothing written, change it by hand")
    after = _judged(path, changed, _parsed(path, changed), shared=root is not None)
    if name in after.wrong:
        raise ConfigInvalid(path, f"{after.wrong[name]}; nothing written")
    if changed != text:
        _replace(path, changed, private=root is None)
    return after


def new_file(*, name: str, stack: tuple[str, ...]) -> str:
    """The text of a project's first configuration."""
    return (
        "# Settings of this project's learnings; committed, so they hold for everybody who has the repository.\n"
        f"name = {_toml(name)}\nstack = {_toml(stack)}\n"
    )


# One file -------------------------------------------------------------------------------------------------------------


def _text(path: str, root: str | None) -> str:
    """What is in a file. Never waits for one that is none (a pipe), and follows no link of a project out of it."""
    try:
        if root is not None and os.path.islink(path) and not _is_within(path, root):
            raise ConfigInvalid(path, "it is a link that leads out of the project")
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise ConfigInvalid(path, "it is no file")
        with open(descriptor, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise ConfigInvalid(path, error.strerror or str(error)) from error
    if len(data) > LARGEST_FILE:
        raise ConfigInvalid(path, f"it is larger than {LARGEST_FILE // 1024} KiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigInvalid(path, f"line {data[: error.start].count(10) + 1}: not UTF-8 at byte {error.start}") from error


def _is_within(path: str, root: str) -> bool:
    """Whether a link leads to a file of the project's folder, or of its `.learnlog`, which may itself be a link."""
    real = os.path.realpath(path)
    folders = (os.path.realpath(one) for one in (root, os.path.join(root, FOLDER)))
    return any(real.startswith(os.path.join(one, "")) for one in folders)


def _parsed(path: str, text: str) -> dict[str, Any]:
    crowded = next((at for at, line in enumerate(text.split("\n"), 1) if line.count(".") > MOST_DOTS), None)
    if crowded is not None:
        raise ConfigInvalid(path, f"line {crowded}: it has more than {MOST_DOTS} dots")
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigInvalid(path, _reason(str(error), text)) from error
    except RecursionError as error:
        raise ConfigInvalid(path, "it is nested too deeply") from error
    except ValueError as error:
        raise ConfigInvalid(path, "it has a number of too many digits") from error


def _reason(told: str, text: str) -> str:
    """What the parser says, with a line in any case; without what stands in the file, which may be long or secret."""
    what, _, where = told.rpartition(" (at ")
    line = where.removeprefix("line ").partition(",")[0]
    if not line.isdigit():  # "end of document"
        line = str(text.rstrip("\n").count("\n") + 1)
    return f"line {line}: {what if what.isprintable() and len(what) <= 80 and '://' not in what else 'not TOML'}"


def _judged(path: str, text: str, parsed: Mapping[str, Any], *, shared: bool) -> Config:
    """What of a file has an effect, and what is said of the rest. `shared`: it is committed, and data from others."""
    values: dict[str, Value] = {}
    told: dict[tuple[str, ...], str] = {}
    for parts, value in _members(parsed):
        key = BY_PATH.get(parts)
        if shared and any(map(has_password, _texts(parts, value))):
            told[parts] = _PASSWORD
        elif key is None:
            told[parts] = ""
        elif shared and key.personal:
            told[parts] = _PERSONAL
        else:
            _take(key, value, values, told)
    _narrow(values, told)
    return _with_lines(path, text, values, told, shared=shared)


def _take(key: Key, value: object, values: dict[str, Value], told: dict[tuple[str, ...], str]) -> None:
    try:
        values[key.name] = checked(key, value)
    except InvalidValue as error:
        told[key.path] = f"must be {error.allowed}; it has no effect"
        return
    if key.inert:
        told[key.path] = "has no effect in this version"


def _narrow(values: dict[str, Value], told: dict[tuple[str, ...], str]) -> None:
    """Take `vocabulary.only` away when it names what is no category."""
    added, only = values.get("vocabulary.categories", ()), values.get("vocabulary.only")
    if not (isinstance(added, tuple) and isinstance(only, tuple)):
        return
    strange = [word for word in only if word not in (*CATEGORIES, *added)]
    if strange:
        told["vocabulary", "only"] = f"names {', '.join(strange[:5])}, which is no category here; it has no effect"
        del values["vocabulary.only"]


def _with_lines(path: str, text: str, values: dict[str, Value], told: Mapping[tuple[str, ...], str], *, shared: bool) -> Config:
    """The outcome, what is told in it with the lines: keys that are known first, so that no crowd of others hides them."""
    lines = toml_lines.places(text) if told else {}
    found = [(parts not in BY_PATH, lines.get(parts, lines.get(parts[:1], 1)), parts) for parts in told]
    if shared and has_password(text):
        comments = (number for number, comment in toml_lines.comments(text) if has_password(comment))
        found += [(True, number, ()) for number in comments]
    sentences = []
    wrong = {}
    for _, line, parts in sorted(found)[:MOST_WARNINGS]:
        what = told.get(parts, _PASSWORD) or _of_unknown(parts)
        sentence = f"line {line}: {_shown(parts) if parts else 'a comment'} {what}"
        sentences.append(terminal.line(f"{path}: {sentence}"))
        if parts in BY_PATH and ".".join(parts) not in values:
            wrong[".".join(parts)] = sentence
    if len(found) > MOST_WARNINGS:
        sentences.append(terminal.line(f"{path}: {len(found) - MOST_WARNINGS} more lines have no effect"))
    return Config(values, wrong, tuple(sentences))


def _members(parsed: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What is set, by the parts of its name: two below a table that has settings, else one."""
    for name, value in parsed.items():
        if name in GROUPS and isinstance(value, dict):
            yield from (((name, inner), one) for inner, one in value.items())
        else:
            yield (name,), value


def _texts(parts: tuple[str, ...], value: Any) -> Iterator[str]:
    """Every text in a value however deep, and the names of what it is in."""
    yield from parts
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            yield from one
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _of_unknown(parts: tuple[str, ...]) -> str:
    if parts[0] in GROUPS and len(parts) == 1:
        return "must be a table of settings; it has no effect"
    from difflib import get_close_matches

    near = get_close_matches(_shown(parts), BY_NAME, 1)
    return "is not known and has no effect" + (f"; did you mean {near[0]}?" if near else "")


def _shown(parts: tuple[str, ...]) -> str:
    return terminal.fit(terminal.line(str(masked(".".join(parts)))), _SHOWN_CHARACTERS)


# One file, changed ----------------------------------------------------------------------------------------------------


def _toml(value: Value) -> str:
    """A value as TOML writes it, which is as JSON does."""
    import json

    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _replace(path: str, text: str, *, private: bool) -> None:
    """Write a file so that a reader sees the old or the new one, whole; a link keeps pointing to it.

    `private`: a new one is for this person's eyes alone.
    """
    target = os.path.realpath(path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    beside = f"{target}.{os.getpid()}.new"
    try:
        with open(beside, "x", encoding="utf-8", newline="", opener=_opener(0o600 if private else 0o666)) as file:
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


def _opener(mode: int) -> Callable[[str, int], int]:
    return lambda name, flags: os.open(name, flags, mode)
