"""The index itself: made for the first time, caught up after each append, and while others append."""

from __future__ import annotations

import json
import multiprocessing
import os
import sqlite3
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from multiprocessing.synchronize import Event as Signal
from pathlib import Path
from typing import Any

from benchmarks.corpus import log_bytes, rows
from benchmarks.table import Row, compare, in_turns, timed
from learnlog import Store

EACH = 40
APPENDS_EACH = 150
PROCESSES = 8


def first(size: int) -> list[Row]:
    """The first question to a log of `size`, beside putting the same rows and text into a table and FTS5."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        log = Path(folder, "learnings.jsonl")
        log.write_bytes(log_bytes(size))
        given = [tuple(_columns(row, number)) for number, row in enumerate(rows(size))]

        def ours() -> float:
            for file in Path(folder, "learnlog").glob("*"):
                file.unlink()
            with Store(log) as store:
                return timed(store.search)

        def plain() -> float:
            path = Path(folder, "plain.sqlite")
            for suffix in ("", "-wal", "-shm"):
                Path(f"{path}{suffix}").unlink(missing_ok=True)
            return timed(lambda: _put_in(path, given))

        one, other = in_turns(ours, plain, rounds=3)
    return [compare(f"first index of {size:,}", one, other, at_most=2.5, name="executemany into a table and FTS5")]


def alternating(size: int) -> list[Row]:
    """An append and a search in turns, beside the append alone."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        log = Path(folder, "learnings.jsonl")
        log.write_bytes(log_bytes(size))
        with Store(log) as store:
            given = rows(EACH)
            store.record("the first append reads the log once")
            store.search()

            def both() -> float:
                store.search()  # what was appended meanwhile is not this one's to catch up with
                return timed(lambda: [(store.record(**row), store.search(category="process")) for row in given]) / EACH

            one, other = in_turns(both, lambda: timed(lambda: [store.record(**row) for row in given]) / EACH, rounds=9)
    return [compare(f"append then search, in turns, at {size:,}", one, other, at_most=5, name="the append alone")]


def together(size: int) -> list[Row]:
    """Eight processes that append beside eight that search, beside the eight that append alone."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        log = Path(folder, "learnings.jsonl")
        log.write_bytes(log_bytes(size))
        Store(log).record("the first append reads the log once")
        Store(log).search()
        both, alone = in_turns(lambda: _appending(log, PROCESSES), lambda: _appending(log, 0), rounds=5)
    ours, other = (PROCESSES * APPENDS_EACH / statistics.median(one) for one in (both, alone))
    what = f"appends of {PROCESSES} processes while {PROCESSES} others search, {size:,} in the log"
    ratio = ours / other
    beside = f"{other:,.0f} appends/s alone"
    return [Row(what, f"{ours:,.0f} appends/s", beside, f"{ratio:.2f} ×", "≥ 0.6 × the throughput", ratio >= 0.6)]


def steps(size: int) -> list[Row]:
    """Where the time of catching up with one append goes, by statement."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        log = Path(folder, "learnings.jsonl")
        log.write_bytes(log_bytes(size))
        with Store(log) as store:
            for row in rows(EACH):  # a new index merges its words once after some fifteen appends: 0.1 to 0.2 s at 50,000
                store.record(**row)
                store.search()
            assert store._index is not None
            index = store._index
            watched = _Watched(index._opened())
            index._connection = watched  # type: ignore[assignment]
            spent = 0.0
            for row in rows(EACH):
                store.record(**row)
                spent += timed(lambda: index.ask(lambda connection: None))
    table = []
    for name, seconds in [
        *watched.spent.most_common(),
        ("reading the tail, folding, making rows", spent - sum(watched.spent.values())),
    ]:
        share = f"{seconds / spent:.0%} of {spent / EACH * 1e3:.3f} ms"
        table.append(Row(name, f"{seconds / EACH * 1e3:.3f} ms", share, "", "", None))
    return table


class _Watched:
    """A connection that adds up what each kind of statement takes."""

    KINDS = (
        ("COMMIT", "commit"),
        ("INSERT INTO text", "the words into FTS5"),
        ("INSERT", "the other rows"),
        ("DELETE", "taking old rows out"),
        ("SELECT", "looking up what is known"),
    )

    def __init__(self, real: sqlite3.Connection) -> None:
        self._real = real
        self.spent: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
        return self._timed(sql, lambda: self._real.execute(sql, *given))

    def executemany(self, sql: str, given: Any) -> sqlite3.Cursor:
        return self._timed(sql, lambda: self._real.executemany(sql, given))

    def _timed(self, sql: str, run: Callable[[], sqlite3.Cursor]) -> sqlite3.Cursor:
        begin = time.perf_counter()
        cursor = run()
        kind = next((name for start, name in self.KINDS if sql.startswith(start)), "beginning and the like")
        self.spent[kind] += time.perf_counter() - begin
        return cursor


def _columns(row: dict[str, Any], number: int) -> list[str]:
    texts = [row["title"], row["body"], row["category"], row["severity"], json.dumps(row["stack"]), json.dumps(row["tags"])]
    return [*texts, row["origin"], "active", f"L-{number:03d}", f"{number:032x}"]


def _put_in(path: Path, given: list[tuple[str, ...]]) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("BEGIN")
    names = "title, body, category, severity, stack, tags, origin, status, ref, uid"
    connection.execute(f"CREATE TABLE learning (id INTEGER PRIMARY KEY, {names})")
    connection.execute("CREATE VIRTUAL TABLE text USING fts5(title, body, tags)")
    connection.executemany(f"INSERT INTO learning ({names}) VALUES ({', '.join('?' * 10)})", given)
    connection.executemany("INSERT INTO text (title, body, tags) VALUES (?, ?, ?)", [(one[0], one[1], one[5]) for one in given])
    connection.execute("COMMIT")
    connection.close()


def _appending(log: Path, searchers: int) -> float:
    """Seconds until all appenders are done."""
    started = multiprocessing.Barrier(PROCESSES + searchers + 1)
    over = multiprocessing.Event()
    readers = [multiprocessing.Process(target=_search, args=(str(log), started, over)) for _ in range(searchers)]
    writers = [multiprocessing.Process(target=_append, args=(str(log), started)) for _ in range(PROCESSES)]
    for one in (*readers, *writers):
        one.start()
    started.wait()
    begin = time.perf_counter()
    for one in writers:
        one.join()
    spent = time.perf_counter() - begin
    over.set()
    for one in readers:
        one.join()
    if any(one.exitcode for one in (*readers, *writers)):
        raise ChildProcessError("an appender or a searcher failed")
    return spent


def _append(log: str, started: Barrier) -> None:
    store, given = Store(log), rows(APPENDS_EACH)
    started.wait()
    for row in given:
        store.record(**row)


def _search(log: str, started: Barrier, over: Signal) -> None:
    store = Store(log)
    store.search()
    started.wait()
    while not over.is_set():
        store.search(category="process")
        time.sleep(0.01)  # an agent thinks between two questions
