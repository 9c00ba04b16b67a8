"""The text of a project's files, read with bounds, and what the readers find in it, brought in order."""

from __future__ import annotations

import os
import stat

from learnlog.stacks import documents, scans
from learnlog.stacks.names import Found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from learnlog.stacks import Sighting

FILE_BYTES = 1 << 20
ALL_BYTES = 2 << 20
"""So much of one file, and of all of a project, is read; of what is longer, its beginning."""

_READERS: dict[str, Callable[[str, Found], None]] = {
    "pyproject": documents.pyproject,
    "pipfile": documents.pipfile,
    "package_json": documents.package_json,
    "deno": documents.deno,
    "composer": documents.composer,
    "cargo": documents.cargo,
    "setup_cfg": scans.setup_cfg,
    "requirements": scans.requirements,
    "go_mod": scans.go_mod,
    "gemfile": scans.gemfile,
    "maven": scans.maven,
    "gradle": scans.gradle,
    "mix": scans.mix,
    "dotnet": scans.dotnet,
    "swift": scans.swift,
    "pubspec": scans.pubspec,
    "cmake": scans.cmake,
    "compose": scans.compose,
    "terraform": scans.terraform,
}


def stack_of(root: str, sightings: Iterable[Sighting], *, most: int) -> tuple[str, ...]:
    """The names that the files say, most telling first, at most `most`."""
    found = Found()
    left = ALL_BYTES
    for path, says, reader in sightings:
        found.says(says)
        if not reader:
            continue
        data = _beginning(path, os.path.realpath(root), min(FILE_BYTES, left))
        left -= len(data)
        # A list for development, in a file of its own (requirements-dev.txt)
        found.for_development = reader == "requirements" and _is_for_development(os.path.basename(path))
        _READERS[reader](_decoded(data), found)
    return found.stack()[:most]


def _beginning(path: str, root: str, size: int) -> bytes:
    """The first bytes of a plain file inside `root`; none of any other: a link may lead to secrets, or to a device."""
    try:
        real = os.path.realpath(path)
        if os.path.commonpath([real, root]) != root:
            return b""
        # a named pipe must not make us wait for who writes into it
        descriptor = os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError):
        return b""
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return b""
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(size)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def _decoded(data: bytes) -> str:
    """As UTF-8, or UTF-16 where the mark says so (a shell of Windows writes `pip freeze > requirements.txt` like that)."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").replace("\r\n", "\n")
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def _is_for_development(name: str) -> bool:
    return any(word in name.lower() for word in ("dev", "test", "lint", "doc", "ci.", "build"))
