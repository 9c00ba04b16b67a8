"""What was made from files, kept in this person's cache until one of them changes: lines of text, to be read without an import.

Best effort: a cache that cannot be read or written makes it anew each time, and the answer is the same.
"""

from __future__ import annotations

import os
import time

from learnlog.cache import private_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_FORMAT = "learnlog remembered 1"
_SETTLED_NS = 2_000_000_000
"""A file that changed so lately may change again within one tick of its file system's clock: what it says is not kept."""


def recall(
    kind: str, about: str, files: Sequence[str], make: Callable[[], Sequence[str]], environment: Mapping[str, str]
) -> tuple[str, ...]:
    """The lines that `make` makes from `files` (paths; also such as do not exist, and folders, whose listing counts), or those
    that it made last time for this `kind` and `about` (a path), when none of the files has changed since.

    Lines hold no line feed.
    """
    path = _place(kind, about, environment)
    if path is None:
        return tuple(make())
    signs = [_sign(name) for name in files]
    head = [_FORMAT, about, str(len(files)), *(f"{sign} {name}" for sign, name in zip(signs, files, strict=True))]
    kept = _read(path)
    if kept[: len(head)] == head:
        return tuple(kept[len(head) :])
    made = tuple(make())
    if _settled(files) and not any("\n" in line for line in (*head, *made)):
        _write(path, [*head, *made])
    return made


def _place(kind: str, about: str, environment: Mapping[str, str]) -> str | None:
    from xxhash import xxh3_64_hexdigest

    folder = private_folder(environment)
    name = xxh3_64_hexdigest(os.path.realpath(about).encode("utf-8", "surrogateescape"))
    return None if folder is None else os.path.join(folder, f"{kind}-{name}.txt")


def _sign(name: str) -> str:
    try:
        stat = os.stat(name)
    except (OSError, ValueError):
        return "-"
    return f"{stat.st_dev},{stat.st_ino},{stat.st_size},{stat.st_mtime_ns}"


def _settled(files: Sequence[str]) -> bool:
    now = time.time_ns()
    for name in files:
        try:
            if now - os.stat(name).st_mtime_ns < _SETTLED_NS:
                return False
        except (OSError, ValueError):
            continue
    return True


def _read(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            text = file.read()
    except OSError:
        return []
    return text[:-1].split("\n") if text.endswith("\n") else []  # one that was cut has no end


def _write(path: str, lines: Sequence[str]) -> None:
    beside = f"{path}.{os.getpid()}.new"
    try:
        with open(beside, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            file.write("\n".join(lines) + "\n")
        os.replace(beside, path)
    except (OSError, ValueError):
        try:
            os.unlink(beside)
        except (OSError, ValueError):
            return
