"""What a project calls its own, by what git tracks of it: its files, and the tables that they make. Reads, and runs nothing.

git's index is read as the file it is (measured at 5,000 files: 4 ms; `git ls-files` takes 7 to 11 ms and 5 ms more to start),
so no setting of a repository takes part. Without git: a walk of `WALKED` files. What was read is remembered until it changes.
"""

from __future__ import annotations

import os
import stat
from itertools import islice

from learnlog import git_index
from learnlog.remembered import recall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MOST_FILES = 50_000
WALKED, DEEP = 2_000, 4
"""Without git: so many files, in folders nested so deep, are looked at."""
_SOURCES, _SOURCE_BYTES, _ALL_BYTES = 60, 1 << 18, 1 << 21
"""Files that may say what tables there are: how many are read, and how much of one and of all."""
_SEARCHES = 8
"""After so many searches for files in one process it pays to know all parts of their names."""
_FILLED = frozenset(["node_modules", "vendor", "venv", "env", "site-packages", "__pycache__", "target", "dist", "build", "out"])
"""Folders that tools fill."""

_TABLE = (
    rb"(?:create\s+table\s+(?:if\s+not\s+exists\s+)?(?:[`\"\[]?\w{1,64}[`\"\]]?\.)?|__tablename__\s*=\s*"
    rb"|db_table\s*=\s*|create_table[\s(]+|schema::create\(\s*|createtable\(\s*|@@map\(\s*|(?:pg|mysql|sqlite)table\(\s*)"
    rb"[`\"'\[:]{0,2}(\w{1,64})"
)
_NO_TABLES = frozenset(["if", "for", "as", "like", "of", "to", "in", "is", "the", "a", "and", "with", "or", "on", "that"])
"""What follows in comments."""


class Files:
    """The files of a project by their names: `"\\0/"` before and `"\\0"` after each, so that one search finds any end of one.

    >>> files = Files(["app/auth/session.py", "Makefile"])
    >>> [files.has(name) for name in ("auth/session.py", "session.py", "app/auth", "auth/session", "auth")]
    [True, True, True, True, False]
    """

    __slots__ = ("_parts", "_searches", "_text")

    def __init__(self, paths: Sequence[str]) -> None:
        self._text = "".join([f"\0/{path}" for path in paths]) + "\0"
        self._searches = 0
        self._parts: frozenset[str] | None = None

    def has(self, name: str) -> bool:
        """Whether `name` is a file, a folder of two parts at least, or the end of such a path; also without what is after the
        point of a path of two parts.
        """
        name = name.strip("/")
        if not name or "\0" in name or name.strip("./") == "":
            return False
        self._searches += 1
        if self._searches > _SEARCHES:
            if self._parts is None:
                self._parts = frozenset(self._text.replace("\0", "/").replace(".", "/").split("/"))
            if name.rpartition("/")[2].strip(".").partition(".")[0] not in self._parts:
                return False
        if f"/{name}\0" in self._text:
            return True
        return "/" in name and (f"/{name}/" in self._text or f"/{name}." in self._text)


def of(root: str, environment: Mapping[str, str]) -> tuple[Files, tuple[str, ...]]:
    """The files and the names of the tables of the project in the folder `root`."""
    try:
        sources, paths = _listed(root, environment)
    except OSError:  # there is none, or it is being replaced at this moment: not to be remembered
        paths = list(islice(_walked(root), WALKED))
        sources = _sources(paths)
    read = [os.path.join(root, source) for source in sources]
    tables = recall("tables", root, [__file__, *read], lambda: _tables(read), environment) if read else ()
    return Files(paths), tables


def _listed(root: str, environment: Mapping[str, str]) -> tuple[Sequence[str], Sequence[str]]:
    """The files that may say what tables there are, and all. Raises `OSError` when there is no index to read."""
    place = git_index.find(root)
    if place is None or not os.path.exists(place[0]):
        raise FileNotFoundError(root)
    index, inside = place

    def kept() -> list[str]:
        try:
            tracked = git_index.read(index)
        except ValueError:  # of a git that is not known yet: there is still the folder
            tracked = [inside + path for path in islice(_walked(root), WALKED)]
        here = (path[len(inside) :] for path in tracked if path.startswith(inside))
        paths = list(islice((path for path in here if "\n" not in path and ".." not in path.split("/")), MOST_FILES))
        return ["\0".join(_sources(paths)), "\0".join(paths)]

    sources, paths = recall("files", root, [__file__, git_index.__file__, index], kept, environment)
    return sources.split("\0") if sources else (), paths.split("\0") if paths else ()


def _walked(folder: str, inside: str = "", depth: int = 1) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(islice(entries, WALKED), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in found:
        if entry.name.startswith(".") or "\n" in entry.name:
            continue
        if not entry.is_dir(follow_symlinks=False):
            yield inside + entry.name
        elif depth < DEEP and entry.name not in _FILLED:
            yield from _walked(entry.path, f"{inside}{entry.name}/", depth + 1)


# Tables -----------------------------------------------------------------------------------------------------------------


def _sources(paths: Sequence[str]) -> list[str]:
    """The files that may say what tables there are, whole schemas first; of many migrations the first and the last."""
    ranked = sorted((rank, path) for path in paths if (rank := _rank(path)) is not None)
    chosen = [path for _, path in ranked]
    half = _SOURCES // 2
    return chosen if len(chosen) <= _SOURCES else [*chosen[:half], *chosen[-half:]]


def _rank(path: str) -> int | None:
    folder, _, name = path.rpartition("/")
    if name in ("schema.rb", "schema.prisma", "schema.sql", "structure.sql") or name.startswith("schema.ts"):
        return 0
    if name.endswith(".py") and (name.startswith("models") or folder.endswith("models") or name == "tables.py"):
        return 1
    if name.endswith(".sql"):
        return 2
    moves = any(one in f"/{folder}/" for one in ("/migrations/", "/migrate/", "/versions/"))
    return 3 if moves and name.endswith((".py", ".rb", ".php", ".js", ".ts")) else None


def _tables(paths: Sequence[str]) -> list[str]:
    import re

    table = re.compile(_TABLE, re.IGNORECASE)
    found: dict[str, None] = {}
    left = _ALL_BYTES
    for path in paths:
        data = _bytes_of(path, min(_SOURCE_BYTES, left))
        left -= len(data)
        found.update(dict.fromkeys(name.decode("utf-8", "replace").lower() for name in table.findall(data)))
    return [name for name in found if name not in _NO_TABLES]


def _bytes_of(path: str, most: int) -> bytes:
    """The beginning of a file; nothing of what is no file, such as a pipe or a link to somewhere else."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return b""
        with open(path, "rb") as file:
            return file.read(most)
    except OSError:
        return b""
