"""The lock of one file: exclusive between processes, re-entrant in a thread, with a timeout.

The lock is on a sidecar file that is never deleted; the kernel frees it when its holder dies. It is first tried with one
non-blocking `flock`, the primitive that portalocker uses itself on POSIX, because importing portalocker costs more than
the append it would guard; portalocker takes over when the lock is held, when there is no flock, and when the call fails in
any other way. Waiting is done in the kernel, in a helper thread, so that it is fair and has a timeout.

The sidecar's first 512 bytes belong to the holder, to be written while it holds the lock (see `logs.checkpoint`).
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from learnlog.errors import LockFailed, LockTimeout
from learnlog.filesystem import SYSTEM, FileSystem

DEFAULT_TIMEOUT_S = 10.0
_MOMENT_S = 0.25
"""How long a held lock is tried again before the wait in the kernel: an append holds it for less than a millisecond, and
importing portalocker for the wait costs a process a hundred (see `docs/decisions/`).
"""
_FIRST_PAUSE_S, _LAST_PAUSE_S = 0.0001, 0.001
_HOLDER_AT = 512
"""Where in the sidecar the holder writes who it is, for the message of whoever waits in vain."""
_HOLDER_BYTES = 128

_locks: weakref.WeakValueDictionary[tuple[str, FileSystem], FileLock] = weakref.WeakValueDictionary()
_registry = threading.Lock()
_descriptors: set[int] = set()
"""Every open descriptor of a sidecar, those that are waited on too: a forked child closes its copies."""


class FileLock:
    """The lock on the sidecar at `path`. One object a path and process: get it with `lock_for`."""

    def __init__(self, path: str, system: FileSystem = SYSTEM) -> None:
        self.path = path
        self._system = system
        self._thread_lock = threading.RLock()
        self._depth = 0
        self._owner = 0
        self.fd = -1
        self._abandoned: _Waiting | None = None
        self.sidecar = b""
        """The sidecar's first bytes as they were when the lock was taken; they are the holder's to write."""
        self.guarded: object = None
        """Whatever the holder wants to keep for as long as it holds the lock."""

    @contextmanager
    def held(self, timeout_s: float = DEFAULT_TIMEOUT_S) -> Iterator[FileLock]:
        """Hold the lock for the block. Raises `LockTimeout` after `timeout_s` seconds, `LockFailed` when locking fails."""
        self.acquire(timeout_s)
        try:
            yield self
        finally:
            self.release()

    def acquire(self, timeout_s: float = DEFAULT_TIMEOUT_S) -> None:
        """Take the lock, once more when this thread has it. `held` is the safer form. Raises as `held`, and
        `FileNotFoundError` when the folder of the sidecar is missing.
        """
        until = time.monotonic() + timeout_s
        if not self._thread_lock.acquire(timeout=timeout_s):
            raise LockTimeout(self.path, timeout_s, f"another thread of this process ({os.getpid()})")
        try:
            if self._depth == 0:
                self.fd = self._take(until, timeout_s)
                self._owner = threading.get_ident()
            self._depth += 1
        except BaseException:
            self._thread_lock.release()
            raise

    def release(self) -> None:
        """Give the lock back."""
        if not self._depth:  # a forked child leaves the block that its parent entered: it has nothing to give back
            return
        self._depth -= 1
        if self._depth == 0:
            fd, self.fd, self.guarded, self._owner = self.fd, -1, None, 0
            try:
                _let_go(fd, self._system)
            finally:
                self._thread_lock.release()
        else:
            self._thread_lock.release()

    @property
    def is_mine(self) -> bool:
        """Whether the thread that asks holds it."""
        return self._owner == threading.get_ident()

    def _take(self, until: float, timeout_s: float) -> int:
        try:
            fd = self._system.open(self.path, os.O_RDWR | os.O_CREAT)
        except FileNotFoundError:  # the folder is missing: whoever knows whether it should be there, makes it
            raise
        except OSError as error:
            raise LockFailed(self.path, error.strerror or str(error)) from error
        _descriptors.add(fd)
        try:
            if not self._try_for_a_moment(fd, until):
                fd = self._wait(fd, until, timeout_s)
            self._announce(fd)
        except BaseException as error:
            if not isinstance(error, LockTimeout):  # the waiting thread owns the descriptor then
                _let_go(fd, self._system)
            if isinstance(error, OSError) and not isinstance(error, LockTimeout | LockFailed):
                raise LockFailed(self.path, error.strerror or str(error)) from error
            raise
        return fd

    def _announce(self, fd: int) -> None:
        """Say in the sidecar who holds it, and keep what else stands there for whom it is meant."""
        try:
            data = self._system.pread(fd, _HOLDER_AT + _HOLDER_BYTES, 0)
        except OSError:
            data = b""
        mine = _holder_text(os.getpid())
        if data[_HOLDER_AT:] != mine:
            self._system.pwrite(fd, mine, _HOLDER_AT)
        self.sidecar = data[:_HOLDER_AT]

    def _try_for_a_moment(self, fd: int, until: float) -> bool:
        """Whether the lock came free within a moment and is now held; False leaves the decision to portalocker."""
        try:
            import fcntl
        except ImportError:
            return False
        operation = fcntl.LOCK_EX | fcntl.LOCK_NB
        give_up = 0.0
        pause_s = _FIRST_PAUSE_S
        while True:
            try:
                self._system.flock(fd, operation)
            except BlockingIOError:
                now = time.monotonic()
                give_up = give_up or min(until, now + _MOMENT_S)
                if now >= give_up:
                    return False
            except OSError:
                return False
            else:
                return True
            time.sleep(pause_s * (0.5 + time.monotonic_ns() % 1000 / 1000))  # not all at once
            pause_s = min(pause_s * 2, _LAST_PAUSE_S)

    def _wait(self, fd: int, until: float, timeout_s: float) -> int:
        waiting = self._abandoned
        if waiting is not None and waiting.taken_up_again():  # one thread waits for one path, however often it is in vain
            _let_go(fd, self._system)
            fd = waiting.fd
        else:
            waiting = _Waiting(fd, self._system)
            threading.Thread(target=waiting.run, name=f"learnlog-lock {self.path}", daemon=True).start()
        self._abandoned = None
        if not waiting.succeeded(max(0.0, until - time.monotonic())):
            self._abandoned = waiting
            raise LockTimeout(self.path, timeout_s, read_holder(self.path))
        if waiting.error is not None:
            raise LockFailed(self.path, _why(waiting.error)) from waiting.error
        return fd

    def _reset_in_child(self) -> None:
        """After a fork: the child has a copy of the descriptor, not the lock. Closing it leaves the parent's lock alone."""
        self.fd, self.guarded, self._depth, self._owner = -1, None, 0, 0
        self._abandoned = None
        self._thread_lock = threading.RLock()


class _Waiting:
    """One wait for the lock in a thread of its own. Whoever comes second of lock and timeout closes the descriptor."""

    def __init__(self, fd: int, system: FileSystem) -> None:
        self.fd, self._system = fd, system
        self._decided = threading.Lock()
        self._done = threading.Event()
        self._given_up = False
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            import portalocker

            portalocker.lock(self.fd, portalocker.LockFlags.EXCLUSIVE)
        except BaseException as error:  # noqa: BLE001 - carried to the thread that waits, which raises it
            self.error = error
        with self._decided:
            if self._given_up:
                _let_go(self.fd, self._system)
            self._done.set()

    def taken_up_again(self) -> bool:
        """Whether the wait that was given up still goes on: it is then somebody's again."""
        with self._decided:
            if self._done.is_set():
                return False
            self._given_up = False
            return True

    def succeeded(self, timeout_s: float) -> bool:
        """Whether the lock call came back in time; False hands the descriptor over to the thread."""
        if self._done.wait(timeout_s):
            return True
        with self._decided:
            self._given_up = not self._done.is_set()
        return not self._given_up


def lock_for(path: str, system: FileSystem = SYSTEM) -> FileLock:
    """The lock object of this process for the sidecar at `path` (resolved): the same one for every caller."""
    with _registry:
        lock = _locks.get((path, system))
        if lock is None:
            lock = _locks[path, system] = FileLock(path, system)
        return lock


def read_holder(path: str) -> str:
    """Who wrote its name into the sidecar last; empty when nobody did."""
    try:
        with open(path, "rb") as sidecar:
            sidecar.seek(_HOLDER_AT)
            text = sidecar.read(_HOLDER_BYTES)
    except OSError:
        return ""
    return text.split(b"\n")[0].strip(b"\0 ").decode("ascii", "replace")


def _let_go(fd: int, system: FileSystem) -> None:
    """Unlock and close. Unlocking is said aloud: a child forked this moment may still share the open file."""
    import fcntl

    _descriptors.discard(fd)
    try:
        fcntl.flock(fd, fcntl.LOCK_UN)
    except OSError:
        system.close(fd)  # which does it too, where nobody shares the file
    else:
        system.close(fd)


def _why(error: BaseException) -> str:
    """The system's own words inside portalocker's exception."""
    for inner in (error, *error.args, error.__cause__):
        if isinstance(inner, OSError) and inner.strerror:
            return inner.strerror
    return str(error)


@lru_cache(maxsize=1)
def _holder_text(pid: int) -> bytes:
    name = f"process {pid} on {os.uname().nodename}" if hasattr(os, "uname") else f"process {pid}"
    return name.encode("ascii", "replace")[: _HOLDER_BYTES - 1].ljust(_HOLDER_BYTES - 1) + b"\n"


def _after_fork() -> None:
    global _registry
    _registry = threading.Lock()
    for lock in list(_locks.values()):
        lock._reset_in_child()
    for fd in _descriptors:
        os.close(fd)
    _descriptors.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
