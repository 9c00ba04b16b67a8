"""The reading half of a log in a file: takes no lock, needs no write permission, writes nothing (invariant 8)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from stat import S_ISDIR, S_ISREG

from xxhash import xxh3_64_digest, xxh3_64_intdigest

from learnlog.errors import LogUnreadable
from learnlog.events import Event
from learnlog.logs import Look, Mark
from learnlog.logs.scan import Scan, scan

_LAST_BYTES = 65536
_CHUNK_BYTES = 1 << 18
_TIME_UNKNOWN = -1
"""In a version: somebody wrote while the file was read."""


class FileReader:
    """Reads the log at `name`, an absolute path. A position is a number of bytes."""

    def __init__(self, name: str) -> None:
        self.name = name

    def read(self, after: int | None = None) -> Iterator[Event]:
        """See `Log.read`."""
        start = after or 0
        return iter(scan(self._bytes(start), name=self.name, start=start).events)

    def look(self, mark: Mark | None) -> Look | None:
        """See `Log.look`. Raises `LogUnreadable`.

        A longer file with the same bytes before the mark (the last 64 KiB and more are compared) has grown. Another file under
        the name (git replaces it), or one that is not longer, is looked at whole: when everything before the mark is as it
        was, only what stands behind it is new. An edit in place far before the mark of a file that also grew is not seen:
        `doctor` sees it.
        """
        stat = self.stat()
        if mark is not None and mark.version == _version(stat):
            return None
        if mark is not None and stat is not None and mark.end:
            grown = _may_have_grown(mark, stat)
            start = _window(mark.end) if grown else 0
            data, version = self._snapshot(start)
            if _is_prefix(mark, data, start):
                known = mark.end - start
                found = scan(data[known:], name=self.name, start=mark.end, lines_before=mark.lines)
                return Look(scan=found, mark=_mark(version, found, start, data, mark.chunks), whole=False)
            if not grown:
                return self._whole(data, version)
        return self._whole(*self._snapshot(0))

    def _whole(self, data: bytes, version: tuple[int, ...]) -> Look:
        found = scan(data, name=self.name)
        return Look(scan=found, mark=_mark(version, found, 0, data, b""), whole=True)

    def reread(self, spans: Sequence[tuple[int, int]]) -> list[Event]:
        """See `Log.reread`. Raises `LogUnreadable`."""
        lines = []
        try:
            with open(self.name, "rb", buffering=0) as file:
                for start, end in spans:
                    lines.append(os.pread(file.fileno(), end - start, start).removesuffix(b"\n"))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise LogUnreadable(self.name, error.strerror or str(error)) from error
        return scan(b"\n".join([*lines, b""]), name=self.name, start=1).distinct()

    def head(self) -> int:
        """See `Log.head`."""
        try:
            size = os.stat(self.name).st_size
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise LogUnreadable(self.name, error.strerror or str(error)) from error
        begin = size
        while begin > 0:
            begin = max(0, begin - _LAST_BYTES)
            end = self._bytes(begin).rfind(b"\n", 0, size - begin)
            if end >= 0:
                return begin + end + 1
        return 0

    def stat(self) -> os.stat_result | None:
        """The file's state, or None when it does not exist. Raises `LogUnreadable`."""
        try:
            stat = os.stat(self.name)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise LogUnreadable(self.name, error.strerror or str(error)) from error
        if not S_ISREG(stat.st_mode):
            raise LogUnreadable(self.name, "it is a folder" if S_ISDIR(stat.st_mode) else "it is no regular file")
        return stat

    def _bytes(self, after: int) -> bytes:
        return self._snapshot(after)[0]

    def _snapshot(self, after: int) -> tuple[bytes, tuple[int, ...]]:
        """The bytes behind `after`, and the version of the file that they belong to."""
        self.stat()  # not every name is a file to read: a pipe would wait for ever
        try:
            with open(self.name, "rb") as file:
                before = os.fstat(file.fileno())
                file.seek(after)
                data = file.read()
                stat = os.fstat(file.fileno())
        except FileNotFoundError:
            return b"", ()
        except OSError as error:
            raise LogUnreadable(self.name, error.strerror or str(error)) from error
        if _version(before) == _version(stat) and after + len(data) == stat.st_size:
            return data, _version(stat)
        return data, (stat.st_dev, stat.st_ino, after + len(data), _TIME_UNKNOWN)


def _version(stat: os.stat_result | None) -> tuple[int, ...]:
    return () if stat is None else (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns)


def _may_have_grown(mark: Mark, stat: os.stat_result) -> bool:
    """Whether the file may be the marked one with nothing but an addition; the digest decides."""
    if mark.version[:2] != _version(stat)[:2]:
        return False
    return stat.st_size > mark.version[2] or (stat.st_size == mark.version[2] and mark.version[3] == _TIME_UNKNOWN)


def _window(end: int) -> int:
    """Where the last bytes before `end`, which are compared at every look, begin: on the border of a chunk."""
    return max(0, end - _LAST_BYTES) // _CHUNK_BYTES * _CHUNK_BYTES


def _is_prefix(mark: Mark, data: bytes, start: int) -> bool:
    """Whether `data`, which begins at byte `start` of a file, goes on from what was marked."""
    window = _window(mark.end) - start
    if len(data) < mark.end - start or xxh3_64_intdigest(data[window : mark.end - start]) != mark.digest:
        return False
    return start > 0 or _digests(data, 0, window) == mark.chunks


def _digests(data: bytes, begin: int, end: int) -> bytes:
    """The digests of the whole chunks between two borders."""
    return b"".join(xxh3_64_digest(data[at : at + _CHUNK_BYTES]) for at in range(begin, end, _CHUNK_BYTES))


def _mark(version: tuple[int, ...], found: Scan, start: int, data: bytes, chunks: bytes) -> Mark:
    """The mark at the end of what was found in `data`, which begins at byte `start`, a border of chunks; `chunks` are the
    digests that are known.
    """
    end, window = found.end, _window(found.end)
    known = len(chunks) // 8 * _CHUNK_BYTES
    return Mark(
        version=version,
        end=end,
        lines=found.lines,
        digest=xxh3_64_intdigest(data[window - start : end - start]),
        chunks=chunks + _digests(data, known - start, window - start),
    )
