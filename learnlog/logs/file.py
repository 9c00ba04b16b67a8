"""A log in a file: locked, sealed, durable appends; reads that take no lock and write nothing.

The file is `docs/format.md`. Promises, each with its test in `tests/hazards/`: an append that returned is on disk
(invariant 7); one that raised left the log as it was; a torn tail is ended, never continued (invariant 6); the cost of an
append does not depend on the length of the log (`logs.checkpoint`).
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Sequence
from itertools import accumulate
from stat import S_ISREG

from msgspec import Struct
from msgspec.structs import replace

from learnlog import ids
from learnlog.errors import LockFailed, LockTimeout, NewerFormat, Outdated, WriteFailed
from learnlog.events import Event, encode, has_seal
from learnlog.filesystem import SYSTEM, FileSystem, sync_folder
from learnlog.lock import DEFAULT_TIMEOUT_S, FileLock, lock_for
from learnlog.logs import checkpoint as checkpoints
from learnlog.logs.checkpoint import Checkpoint
from learnlog.logs.reader import FileReader
from learnlog.logs.scan import Scan, scan
from learnlog.logs.writer import WriterState

LOCK_SUFFIX = ".lock"
_SEAL_END = len(b'0123456789abcdef"}\n')
"""A line's last bytes, from the digits of its seal on."""
_REPLACEMENTS_FOLLOWED = 5
_REF = re.compile(rb'"ref":"[A-Za-z]{1,8}-([0-9]{1,12})"')
_START = b'{"v":'
"""How each line that this library wrote begins, a damaged one too."""


class FileLog(FileReader):
    """The log at `path`, made on the first append and never by reading. A position is a number of bytes.

    `durable=False` returns before the data is on the disk: an operating system that crashes may lose what was appended
    in its last seconds. `timeout_s` is how long an append waits for the lock.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        durable: bool = True,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        system: FileSystem = SYSTEM,
    ) -> None:
        super().__init__(os.path.abspath(os.path.expanduser(os.fspath(path))))
        self.durable = durable
        self.timeout_s = timeout_s
        self._system = system
        self._path = self._through_links()
        self._folder_is_linked = self._path != self.name
        self._lock: FileLock | None = None
        self._left: tuple[bytes, Checkpoint] | None = None

    # Writing ---------------------------------------------------------------------------------------------------------

    def writing(self) -> _Writing:
        """See `Log.writing`. What was appended inside is on disk when the outermost block has ended.

        The disk is waited for after the lock is given back: the next writer works meanwhile, and one wait often serves
        several (measured in `docs/performance.md`).
        """
        return _Writing(self)

    def _acquire(self) -> FileLock:
        path = self._resolved()
        lock = self._lock
        if lock is None or lock.path != path + LOCK_SUFFIX:
            lock = self._lock = lock_for(path + LOCK_SUFFIX, self._system)
        try:
            lock.acquire(self.timeout_s)
        except FileNotFoundError:
            self._make_folder(path)
            lock.acquire(self.timeout_s)
        try:
            if not isinstance(lock.guarded, _Held):
                lock.guarded = self._catch_up(path, lock.fd, lock.sidecar)
        except BaseException:
            lock.release()
            raise
        return lock

    def _release(self, lock: FileLock, held: _Held) -> None:
        lock.release()
        if held.unsynced is not None and not lock.is_mine:
            self._sync(held, lock)

    def append(self, events: Sequence[Event], expect: int | None = None) -> list[int]:
        """See `Log.append`. Raises `NewerFormat` when the log holds lines that only a newer version understands."""
        if self._lock is not None and self._lock.is_mine and isinstance(self._lock.guarded, _Held):
            return self._append(self._lock.guarded, events, expect)
        with self.writing() as held:
            return self._append(held, events, expect)

    def sync(self) -> None:
        """See `Log.sync`."""
        if not self.durable:
            return
        try:
            fd = self._system.open(self._resolved(), os.O_RDWR)
        except FileNotFoundError:
            return
        except OSError as error:
            raise WriteFailed(self.name, error.strerror or str(error)) from error
        try:
            self._system.fdatasync(fd)
        except OSError as error:
            raise WriteFailed(self.name, error.strerror or str(error)) from error
        finally:
            self._system.close(fd)

    def _append(self, held: _Held, events: Sequence[Event], expect: int | None) -> list[int]:
        lines = [encode(event) + b"\n" for event in events]
        for _ in range(_REPLACEMENTS_FOLLOWED):
            fd, created = self._open(held.path)
            try:
                opened = self._opened(fd, held.path)
                before = opened.st_size
                start = self._write(fd, before, held, lines, expect)
                held.written(events)
                end = start + sum(map(len, lines))
                named = self._still_named(opened, held.path)
                if lines and named:
                    self._leave_checkpoint(named, held, lines[-1])
            except BaseException:
                self._system.close(fd)
                raise
            if named:
                break
            self._system.close(fd)
            held.settled = False  # another log has the name now, and what was decided on was the old one
        else:
            raise WriteFailed(held.path, "another file was put in its place again and again")
        self._remember(held, _Unsynced(fd=fd, before=before, end=end, created=created or not before, wanted=self.durable))
        return list(accumulate(map(len, lines), initial=start))[1:]

    def _remember(self, held: _Held, new: _Unsynced) -> None:
        old = held.unsynced
        if old is not None:  # a second append in one block: one wait will do for both, if it is still the same file
            if os.path.samestat(os.fstat(old.fd), os.fstat(new.fd)):
                new = replace(new, before=old.before, created=old.created or new.created, wanted=old.wanted or new.wanted)
            self._system.close(old.fd)
        held.unsynced = new

    def _sync(self, held: _Held, lock: FileLock) -> None:
        """Wait until all that was appended is on disk; when it cannot get there, take it out again."""
        appended, held.unsynced = held.unsynced, None
        assert appended is not None
        try:
            if appended.wanted:
                self._system.fdatasync(appended.fd)
                if appended.created:
                    sync_folder(os.path.dirname(held.path))
        except OSError as error:
            restored = self._take_back(appended, lock)
            raise WriteFailed(held.path, error.strerror or str(error), restored=restored) from error
        finally:
            self._system.close(appended.fd)

    def _take_back(self, appended: _Unsynced, lock: FileLock) -> bool:
        try:
            with lock.held(self.timeout_s):
                return self._cut_back(appended.fd, appended.before, appended.end)
        except (LockTimeout, LockFailed):
            return False

    def _opened(self, fd: int, path: str) -> os.stat_result:
        try:
            return self._system.fstat(fd)
        except OSError as error:
            raise WriteFailed(path, error.strerror or str(error)) from error

    def _still_named(self, opened: os.stat_result, path: str) -> os.stat_result | None:
        """The state of the log, or None when it is not the file that was opened: git replaces files without our lock, also
        between open and write.
        """
        try:
            there = os.stat(path)
        except FileNotFoundError:
            return None
        return there if (there.st_ino, there.st_dev) == (opened.st_ino, opened.st_dev) else None

    def _resolved(self) -> str:
        """The file that `name` stands for now: a symbolic link is followed, so that all its names share one lock. Raises
        `LogUnreadable` when it is no file.
        """
        if self._folder_is_linked:  # then it may be turned to another folder at any time
            self._path = self._through_links()
        try:
            mode = os.lstat(self._path).st_mode
        except OSError:
            return self._path
        if S_ISREG(mode):
            return self._path
        self.stat()  # what is no file gets no lock beside it
        return os.path.realpath(self._path)

    def _through_links(self) -> str:
        folder, name = os.path.split(self.name)
        return os.path.join(os.path.realpath(folder), name)

    def _make_folder(self, path: str) -> None:
        try:
            self._system.makedirs(os.path.dirname(path))
        except OSError as error:
            raise WriteFailed(path, error.strerror or str(error)) from error

    def _open(self, path: str) -> tuple[int, bool]:
        flags = os.O_RDWR | os.O_APPEND
        try:
            try:
                return self._system.open(path, flags), False
            except FileNotFoundError:
                return self._system.open(path, flags | os.O_CREAT), True
        except OSError as error:
            raise WriteFailed(path, error.strerror or str(error)) from error

    def _write(self, fd: int, size: int, held: _Held, lines: list[bytes], expect: int | None) -> int:
        """Write all lines behind the end of the log, which is `size` bytes long, or leave it as it is; returns where they
        begin.
        """
        try:
            torn = 0 < size != held.ends_at and self._system.pread(fd, 1, size - 1) != b"\n"
        except OSError as error:
            raise WriteFailed(held.path, error.strerror or str(error)) from error
        if expect is not None and expect != (self.head() if torn else size):
            raise Outdated("position", expect, size)
        data = b"".join(lines)
        if torn:  # invariant 6: what was cut off stays cut off, and the new record stays whole
            data = b"\n" + data
        written = 0
        try:
            written = self._system.write(fd, data)
            if written < len(data):  # a full disk is a short write without an error
                written += self._system.write(fd, data[written:])
            if written < len(data):
                raise OSError(errno.ENOSPC, f"only {written} of {len(data)} bytes were written")
        except OSError as error:
            restored = self._cut_back(fd, size, size + written)
            raise WriteFailed(held.path, error.strerror or str(error), restored=restored) from error
        return size + torn

    def _cut_back(self, fd: int, size: int, end: int) -> bool:
        """Make the log as it was; not when it does not end at `end`, because then somebody has appended behind it."""
        try:
            if self._system.fstat(fd).st_size != end:
                return False
            self._system.ftruncate(fd, size)
            return self._system.fstat(fd).st_size == size
        except OSError:
            return False

    # The writer's checkpoint (design: appending costs the same whatever the log's size) ----------------------------------

    def _catch_up(self, path: str, lock_fd: int, sidecar: bytes) -> _Held:
        """What a writer must know of the log as it is: by the checkpoint, by the tail behind it, or by the whole log."""
        stat = self.stat()
        if stat is None:
            return _Held(path, lock_fd)
        known = self._last_checkpoint(sidecar)
        if known is not None and known.fits(stat):
            held = _Held(path, lock_fd, known.last_id, known.next_number)
            held.ends_at = stat.st_size
            return held
        if known is not None and known.is_prefix_of(stat):
            caught_up = self._catch_up_tail(known, path, lock_fd)
            if caught_up is not None:
                return caught_up
        data = self._bytes(0)
        found = scan(data, name=self.name)
        self._refuse_newer(found)
        if found.damaged and not found.events and _START not in data:
            raise WriteFailed(path, f"it has {found.lines} lines and none of them is an event; is it a file to import?")
        held = _Held(path, lock_fd)
        self._follow(held, found)
        self._never_again(held, found, data, 0)
        held.settled = False  # who holds which reference is the fold's to say
        return held

    def _catch_up_tail(self, known: Checkpoint, path: str, lock_fd: int) -> _Held | None:
        """Follow what was appended behind the checkpoint; None when that is not all there is to it."""
        around = self._bytes(known.size - _SEAL_END)
        if around[:_SEAL_END] != known.seal.encode() + b'"}\n':
            return None
        tail = scan(around[_SEAL_END:], name=self.name, start=known.size)
        self._refuse_newer(tail)
        held = _Held(path, lock_fd, known.last_id, known.next_number)
        self._follow(held, tail)
        self._never_again(held, tail, around[_SEAL_END:], known.size)
        return held if held.settled and not tail.unsealed else None

    def _follow(self, held: _Held, found: Scan) -> None:
        if not found.unsealed:
            held.follow(found.events)
            return
        for event, line in zip(found.events, found.sources, strict=True):
            if has_seal(line):
                held.follow([event])
            else:  # semantics: it has its id as imports do, which never advance the clock
                held.follow_number(event)

    def _last_checkpoint(self, sidecar: bytes) -> Checkpoint | None:
        data = sidecar[: checkpoints.BYTES]
        if self._left is not None and self._left[0] == data:  # nobody else has written since
            return self._left[1]
        return checkpoints.from_bytes(data)

    def _never_again(self, held: _Held, found: Scan, data: bytes, start: int) -> None:
        """The references on damaged lines stay taken: the line may come back from a copy."""
        for one in found.damaged:
            begin = one.byte - start
            for number in _REF.findall(data[begin : data.find(b"\n", begin)]):
                held.next_number = max(held.next_number, int(number) + 1)

    def _refuse_newer(self, found: Scan) -> None:
        if found.newer:
            raise NewerFormat(self.name, found.newer)

    def _leave_checkpoint(self, stat: os.stat_result, held: _Held, last_line: bytes) -> None:
        if not held.settled:
            return
        left = Checkpoint(
            device=stat.st_dev,
            inode=stat.st_ino,
            size=stat.st_size,
            mtime_ns=stat.st_mtime_ns,
            last_id=held.last_id,
            next_number=held.next_number,
            seal=last_line[-_SEAL_END:-3].decode(),
        )
        data = checkpoints.to_bytes(left)
        self._left = (data, left)
        try:
            self._system.pwrite(held.lock_fd, data, 0)
        except OSError:  # a full disk: the next writer goes by the checkpoint before, and the tail behind it
            return


class _Unsynced(Struct, frozen=True, kw_only=True):
    """An append that is in the file and perhaps not on the disk: its descriptor, the log's size before and behind it."""

    fd: int
    before: int
    end: int
    created: bool
    wanted: bool


class _Writing:
    """The block in which one writer holds the log. A class, because a generator costs as much as two system calls."""

    __slots__ = ("_held", "_lock", "_log")

    def __init__(self, log: FileLog) -> None:
        self._log = log

    def __enter__(self) -> _Held:
        self._lock = self._log._acquire()
        held = self._lock.guarded
        assert isinstance(held, _Held)  # `_acquire` saw to it
        self._held = held
        return held

    def __exit__(self, *_: object) -> None:
        self._log._release(self._lock, self._held)


class _Held(WriterState):
    """A writer's state for as long as it holds the lock, with the log's resolved path and the sidecar's descriptor."""

    def __init__(self, path: str, lock_fd: int, last_id: str = ids.ZERO, next_number: int = 1) -> None:
        super().__init__(last_id, next_number)
        self.path, self.lock_fd = path, lock_fd
        self.ends_at = -1
        """A size at which the log is known to end with a whole line."""
        self.unsynced: _Unsynced | None = None
