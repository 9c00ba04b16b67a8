"""Appends beside the least a durable append can be: open, flock, write, fdatasync of the same bytes."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path

from benchmarks.corpus import log_bytes, rows
from benchmarks.table import Row, compare, in_turns, timed
from learnlog import Store

EACH = 100
PROCESSES_EACH = 150


def run(size: int) -> list[Row]:
    """The rows of the table for a log that holds `size` learnings already."""
    with tempfile.TemporaryDirectory() as folder:
        log, floor = Path(folder, "learnings.jsonl"), Path(folder, "floor.jsonl")
        data = log_bytes(size)
        log.write_bytes(data)
        floor.write_bytes(data)
        Store(log).record("the first append reads the log once and leaves the checkpoint")
        found = [_one_process(log, floor, size)]
        found.append(_many_processes(log, floor, 8, size))
        found.append(_slowest(log, floor, 16, size))
    return found


def _one_process(log: Path, floor: Path, size: int) -> Row:
    store, given, line = Store(log), rows(EACH), log_bytes(1)

    def ours() -> float:
        return timed(lambda: [store.record(**row) for row in given]) / EACH

    def least() -> float:
        return timed(lambda: [_floor_append(str(floor), line) for _ in range(EACH)]) / EACH

    one, other = in_turns(ours, least, rounds=15)
    return compare(f"durable append, one process, {size:,} in the log", one, other, at_most=1.5, unit="µs", name="floor")


def _many_processes(log: Path, floor: Path, count: int, size: int) -> Row:
    one, other = in_turns(
        lambda: _together(_append_ours, str(log), count)[0], lambda: _together(_append_floor, str(floor), count)[0], rounds=5
    )
    ours, least = statistics.median(one), statistics.median(other)
    total = count * PROCESSES_EACH
    return Row(
        f"the same, {count} processes at once, {size:,} in the log",
        f"{total / ours:,.0f} appends/s",
        f"{total / least:,.0f} appends/s floor",
        f"{least / ours:.2f} ×",
        "≥ 0.7 × the throughput",
        least / ours >= 0.7,
    )


def _slowest(log: Path, floor: Path, count: int, size: int) -> Row:
    one, other = in_turns(
        lambda: _together(_append_ours, str(log), count)[1], lambda: _together(_append_floor, str(floor), count)[1], rounds=5
    )
    return compare(f"slowest append of {count} processes, {size:,} in the log", one, other, at_most=2, name="floor")


def _together(work: Callable[[str, Barrier, int], list[float]], path: str, count: int) -> tuple[float, float]:
    """Seconds from the common start to the last end, and the slowest single append, of `count` processes."""
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager:
        barrier = manager.Barrier(count)
        with context.Pool(count) as pool:
            spans = pool.starmap(work, [(path, barrier, number) for number in range(count)], chunksize=1)
    begin, end = min(span[0] for span in spans), max(span[1] for span in spans)
    return end - begin, max(span[2] for span in spans)


def _append_ours(path: str, barrier: Barrier, number: int) -> list[float]:
    store = Store(path, by=f"agent:{number}", timeout_s=60)
    given = rows(PROCESSES_EACH)
    return _repeat(lambda at: store.record(**given[at]), barrier)


def _append_floor(path: str, barrier: Barrier, number: int) -> list[float]:
    line = log_bytes(1)
    return _repeat(lambda at: _floor_append(path, line), barrier)


def _repeat(append: Callable[[int], object], barrier: Barrier) -> list[float]:
    barrier.wait()
    begin = time.monotonic()
    slowest = 0.0
    for at in range(PROCESSES_EACH):
        slowest = max(slowest, timed(lambda at=at: append(at)))  # type: ignore[misc]
    return [begin, time.monotonic(), slowest]


def _floor_append(path: str, line: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_APPEND)
    fcntl.flock(fd, fcntl.LOCK_EX)
    os.write(fd, line)
    os.fdatasync(fd)
    os.close(fd)
