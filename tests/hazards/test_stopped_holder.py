"""The holder of the lock is killed or stopped: readers go on; writers wait for a stopped one, and no longer than they may."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from learnlog import LockTimeout, Store

from .conftest import Workers, titles

HOLDER = """
store = Store(sys.argv[1])
with store.batch():
    store.record("of the holder")
    go()
"""


def test_a_killed_holder_leaves_the_lock_to_the_next_at_once(path: Path, workers: Workers) -> None:
    # fault 23, invariant 8
    Store(path).record("before")
    holder = workers.start(HOLDER, path)
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    begun = time.monotonic()
    assert Store(path).record("after").ref == "L-002"
    assert time.monotonic() - begun < 0.5
    assert titles(path) == {"before", "after"}


def test_a_writer_that_waits_has_the_lock_as_soon_as_its_holder_is_killed(path: Path, workers: Workers) -> None:
    # fault 23: waiting is done in the kernel and not by polling
    holder = workers.start(HOLDER, path)
    waiter = workers.start(
        """
store = Store(sys.argv[1])
go()
store.record("waited")
print(time.monotonic())
""",
        path,
    )
    workers.release(waiter)
    time.sleep(0.6)
    assert waiter.poll() is None
    killed = time.monotonic()
    os.kill(holder.pid, signal.SIGKILL)
    assert float(workers.finish(waiter)) - killed < 0.5
    assert titles(path) == {"waited"}


def test_a_stopped_holder_stops_no_reader_and_a_writer_says_who_it_is(path: Path, workers: Workers) -> None:
    # fault 23, invariant 8
    Store(path).record("before")
    holder = workers.start(HOLDER, path)
    os.kill(holder.pid, signal.SIGSTOP)
    try:
        begun = time.monotonic()
        assert titles(path) == {"before"}
        assert Store(path).get("L-001").title == "before"
        assert Store(path).verify() == []
        assert time.monotonic() - begun < 1
        for timeout_s in (0.0, 0.3, 1.0):
            begun = time.monotonic()
            with pytest.raises(LockTimeout, match=f"process {holder.pid} ") as refused:
                Store(path, timeout_s=timeout_s).record("no")
            assert timeout_s <= time.monotonic() - begun < timeout_s + 0.5
            assert refused.value.exit_code == 5
            assert isinstance(refused.value, TimeoutError)
        assert titles(path) == {"before"}
    finally:
        os.kill(holder.pid, signal.SIGCONT)
    workers.release(holder)
    workers.finish(holder)
    assert Store(path).record("after").ref == "L-003"
    assert titles(path) == {"before", "of the holder", "after"}


def test_a_new_log_is_read_as_empty_while_its_first_writer_is_stopped(path: Path, workers: Workers) -> None:
    # fault 23
    holder = workers.start(HOLDER, path)
    os.kill(holder.pid, signal.SIGSTOP)
    try:
        assert titles(path) == set()
    finally:
        os.kill(holder.pid, signal.SIGKILL)
