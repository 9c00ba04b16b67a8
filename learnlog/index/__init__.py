"""The index of a log: opened, caught up, asked. It can be deleted at any time; the next question makes it again.

A question is asked inside one read transaction, so that others may catch the index up meanwhile. One that is busy is copied,
one that is broken is made again, one that cannot be kept on disk is kept in memory: the answers are the same. Imports next to
nothing: what catching up needs is imported when there is something to catch up with.
"""

from __future__ import annotations

import os
import sqlite3

from learnlog.index import schema
from learnlog.index.place import path_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from learnlog.events import Event
    from learnlog.fold import Fold
    from learnlog.logs import Log
    from learnlog.logs.file import FileLog

    T = TypeVar("T")
    Connection = sqlite3.Connection

MEMORY = ":memory:"
_BYTES_A_SECOND = 5_000_000
"""About as fast as an index is made from a log; who waits for another to make it waits no longer than that."""
_NEAR_BYTES = 1 << 20
"""So much of a log is caught up with in a moment."""
_LEAST_WAIT_S, _MOST_WAIT_S = 0.25, 20.0


class Index:
    """The index of the log called `name`. `version` says what the log looks like now, `log` makes what reads it.

    `path` None keeps it in memory. Not for several threads at once: the caller sees to that.
    """

    def __init__(
        self, name: str, *, tier: str, prefix: str, version: Callable[[], str], log: Callable[[], Log], path: str | None
    ) -> None:
        from unicodedata import unidata_version

        self._connection: Connection | None = None
        self._pid = os.getpid()
        self._log_name = name
        self._name = f"{schema.FORMAT}\0{name}\0{tier}\0{prefix}\0{unidata_version}"
        self._tier, self._prefix = tier, prefix
        self._version, self.log = version, log
        self.path = path or MEMORY

    def ask_if_near(self, question: Callable[[Connection], T]) -> T | None:
        """As `ask`, when that takes no more than a moment; else None."""
        from learnlog.index.catching_up import FarBehind

        if self.path == MEMORY or not os.path.exists(self.path):
            return None
        try:
            return self._asked(self._opened(), question, most_bytes=_NEAR_BYTES)
        except (sqlite3.Error, FarBehind):
            return None

    def ask(self, question: Callable[[Connection], T]) -> T:
        """What `question` answers when it is given the index of the log as it is now. Raises `LogUnreadable`."""
        for last_way_out in (False, False, True):
            try:
                connection = self._opened()
                try:
                    return self._asked(connection, question)
                except sqlite3.OperationalError as error:
                    if not _is_busy(error):
                        raise
                    return self._asked_of_a_copy(connection, question)
            except sqlite3.Error as error:
                if last_way_out:
                    raise
                self._give_up(error)
        raise AssertionError  # the last way out answers or raises

    def ask_ahead(self, events: Sequence[Event], question: Callable[[Connection], T]) -> T:
        """As `ask`, of the log as it would be with these events, which are in no log yet."""
        from learnlog.index.catching_up import put_ahead

        def of_a_copy(connection: Connection) -> T:
            copy = schema.connect(MEMORY)
            try:
                connection.backup(copy)
                copy.execute("BEGIN")
                put_ahead(copy, self.log(), events, tier=self._tier, prefix=self._prefix)
                return question(copy)
            finally:
                copy.close()

        def ahead(connection: Connection) -> T:
            connection.execute("COMMIT")
            connection.execute("BEGIN IMMEDIATE")
            put_ahead(connection, self.log(), events, tier=self._tier, prefix=self._prefix)
            return question(connection)

        try:
            return self.ask(ahead)
        except sqlite3.OperationalError as error:
            if not _is_busy(error):
                raise
            return self.ask(of_a_copy)

    def close(self) -> None:
        """Let go of the file; the next question opens it again."""
        connection, self._connection = self._connection, None
        if connection is not None and self._pid == os.getpid():
            connection.close()

    def __del__(self) -> None:
        """Who forgets a store need not close it first."""
        self.close()

    def _opened(self) -> Connection:
        if self._pid != os.getpid():  # a connection must not be carried over a fork: the child leaves its parent's alone
            _left_alone.append(self._connection)
            self._connection, self._pid = None, os.getpid()
        if self._connection is None:
            fresh = self.path == MEMORY or not os.path.exists(self.path)
            self._connection = schema.connect(self.path, busy_s=self._wait_s())
            if fresh:
                self._connection.execute("PRAGMA journal_mode = WAL")
        return self._connection

    def _asked(self, connection: Connection, question: Callable[[Connection], T], most_bytes: int | None = None) -> T:
        connection.execute("BEGIN")
        try:
            if not self._is_current(connection):
                connection.execute("ROLLBACK")
                schema.prepare_to_write(connection)
                connection.execute("BEGIN IMMEDIATE")
                anew = self._catch_up(connection, most_bytes)
                connection.execute("COMMIT")
                if anew:  # what was written ahead is as large as the index: the next appends should not have to move it
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                connection.execute("BEGIN")
            return question(connection)
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    def _asked_of_a_copy(self, connection: Connection, question: Callable[[Connection], T]) -> T:
        """Another process is at work on the index: what it has committed, and the rest of the log over it in memory."""
        copy = schema.connect(MEMORY)
        try:
            connection.backup(copy)
            return self._asked(copy, question)
        finally:
            copy.close()

    def _is_current(self, connection: Connection) -> bool:
        try:
            head = connection.execute("SELECT name, version FROM head").fetchone()
        except sqlite3.OperationalError as error:
            if _is_busy(error):
                raise
            return False  # another program's tables
        return bool(head == (self._name, self._version()))

    def _catch_up(self, connection: Connection, most_bytes: int | None) -> bool:
        from learnlog.index.catching_up import catch_up

        names = {"name": self._name, "tier": self._tier, "prefix": self._prefix}
        return catch_up(connection, self.log(), **names, most_bytes=most_bytes)

    def _give_up(self, error: sqlite3.Error) -> None:
        """Go on without the file as it is: make it anew when it is broken, and in memory when that is no help."""
        path = self.path
        try:
            self.close()
        except sqlite3.Error:
            self._connection = None  # what is broken may not even close
        # "no such table" and the like say that the file is another program's; no room, no permission that it is of no use.
        of_no_use = isinstance(error, sqlite3.OperationalError) and _code(error) != sqlite3.SQLITE_ERROR
        if of_no_use or not _removed(path):
            self.path = MEMORY

    def _wait_s(self) -> float:
        try:
            size = os.stat(self._log_name).st_size
        except (OSError, ValueError):
            size = 0
        return min(max(_LEAST_WAIT_S, size / _BYTES_A_SECOND), _MOST_WAIT_S)


_left_alone: list[Connection | None] = []


def of_file(log: FileLog, *, tier: str, prefix: str) -> Index:
    """The index of a log in a file, kept in this person's cache."""
    path = path_of(log.name, prefix, os.environ)
    return Index(log.name, tier=tier, prefix=prefix, version=lambda: file_version(log.name), log=lambda: log, path=path)


def of_path(name: str, *, tier: str, prefix: str) -> Index:
    """The index of the log in the file `name`, an absolute path: without what reads it, as long as nothing has to be read."""

    def log() -> Log:
        from learnlog.logs.file import FileLog

        return FileLog(name)

    path = path_of(name, prefix, os.environ)
    return Index(name, tier=tier, prefix=prefix, version=lambda: file_version(name), log=log, path=path)


def of_log(log: Log, *, tier: str, prefix: str) -> Index:
    """The index of any other log, in memory."""
    return Index(log.name, tier=tier, prefix=prefix, version=lambda: str(log.head()), log=lambda: log, path=None)


def of_fold(source: Fold, *, tier: str) -> Connection:
    """An index in memory of a fold that does not change."""
    from learnlog.index.catching_up import fill

    connection = schema.connect(MEMORY)
    connection.execute("BEGIN")
    fill(connection, source, tier=tier)
    connection.execute("COMMIT")
    return connection


def file_version(name: str) -> str:
    """What tells one state of a file from another, as a log's `Mark.version` has it."""
    try:
        stat = os.stat(name)
    except FileNotFoundError:
        return ""
    except OSError:
        return "unreadable"  # the log says why when it is looked at
    return f"{stat.st_dev},{stat.st_ino},{stat.st_size},{stat.st_mtime_ns}"


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _code(error: sqlite3.Error) -> int:
    """SQLite's code; one that Python raises by itself (a text that is no UTF-8) has none, and is an error of the file's."""
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & 0xFF


def _removed(path: str) -> bool:
    """Take a file away that is no index, with what SQLite keeps beside it."""
    if path == MEMORY:
        return False
    try:
        for name in (path + "-wal", path + "-shm", path):
            if os.path.lexists(name):
                os.unlink(name)
    except OSError:
        return False
    return True
