"""The narrow seam to the operating system: every call that can fail while a log is written, so that tests can make it fail.

`SYSTEM` is the real one. Nothing here decides anything.
"""

from __future__ import annotations

import os
from typing import Protocol


class FileSystem(Protocol):
    """The calls of a writer, with the meaning they have in `os`."""

    def open(self, path: str, flags: int, mode: int = 0o666) -> int: ...
    def write(self, fd: int, data: bytes) -> int: ...
    def pwrite(self, fd: int, data: bytes, offset: int) -> int: ...
    def pread(self, fd: int, size: int, offset: int) -> bytes: ...
    def fstat(self, fd: int) -> os.stat_result: ...
    def fdatasync(self, fd: int) -> None: ...
    def fsync(self, fd: int) -> None: ...
    def ftruncate(self, fd: int, size: int) -> None: ...
    def close(self, fd: int) -> None: ...
    def flock(self, fd: int, operation: int) -> None: ...
    def makedirs(self, path: str) -> None: ...


class System:
    """The real operating system."""

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        return os.open(path, flags | getattr(os, "O_CLOEXEC", 0), mode)

    def write(self, fd: int, data: bytes) -> int:
        return os.write(fd, data)

    def pwrite(self, fd: int, data: bytes, offset: int) -> int:
        return os.pwrite(fd, data, offset)

    def pread(self, fd: int, size: int, offset: int) -> bytes:
        return os.pread(fd, size, offset)

    def fstat(self, fd: int) -> os.stat_result:
        return os.fstat(fd)

    def fdatasync(self, fd: int) -> None:
        if hasattr(os, "fdatasync"):
            os.fdatasync(fd)
        else:  # macOS has none, and its fsync does not reach the platter either: F_FULLFSYNC does
            import fcntl

            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)  # type: ignore[attr-defined, unused-ignore]

    def fsync(self, fd: int) -> None:
        os.fsync(fd)

    def ftruncate(self, fd: int, size: int) -> None:
        os.ftruncate(fd, size)

    def close(self, fd: int) -> None:
        os.close(fd)

    def flock(self, fd: int, operation: int) -> None:
        import fcntl

        fcntl.flock(fd, operation)

    def makedirs(self, path: str) -> None:
        """Make the folder and its missing parents, and put each new name on disk."""
        missing = []
        while path and not os.path.isdir(path):
            missing.append(path)
            path = os.path.dirname(path)
        for folder in reversed(missing):
            try:
                os.mkdir(folder)
            except FileExistsError:
                if not os.path.isdir(folder):
                    raise
            sync_folder(os.path.dirname(folder) or ".")


def sync_folder(path: str) -> None:
    """Put the names in a folder on disk, so that a new file is still there after a power cut."""
    fd = os.open(path, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


SYSTEM = System()
