"""The lock between processes: exclusive, the same one that portalocker takes, in time, and gone when it should be."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import portalocker
import pytest

from learnlog import LockTimeout, Store
from learnlog.lock import lock_for
from learnlog.logs.file import FileLog

from .conftest import Workers


def test_three_processes_count_together_and_lose_no_step(path: Path, workers: Workers) -> None:
    # fault 22: what is read and written back under the lock
    counter = path.with_name("counter")
    counter.write_text("0")
    script = """
path, counter = sys.argv[2:4]
log = FileLog(path)
go()
for turn in range(150):
    with log.writing():
        count = int(open(counter).read())
        open(counter, "w").write(str(count + 1))
"""
    started = workers.many(3, script, path, counter)
    sidecar = path.with_name(path.name + ".lock")
    workers.release(*started)
    for process in started:
        workers.finish(process)
    assert counter.read_text() == "450"
    assert sidecar.exists()


def test_the_sidecar_is_never_deleted_or_made_anew(path: Path) -> None:
    # fault 22: with another inode two writers could hold "the" lock
    store = Store(path)
    store.record("first")
    sidecar = path.with_name(path.name + ".lock")
    inode = sidecar.stat().st_ino
    store.record("second")
    store.delete("L-001")
    path.unlink()
    store.close()
    Store(path).record("third")
    assert sidecar.stat().st_ino == inode


def test_our_lock_and_portalockers_exclude_each_other(path: Path) -> None:
    # design: both are the same primitive
    log = FileLog(path, timeout_s=0.05)
    sidecar = path.with_name(path.name + ".lock")
    with log.writing(), sidecar.open("rb+") as other, pytest.raises(portalocker.exceptions.LockException):
        portalocker.lock(other, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
    with sidecar.open("rb+") as other:
        portalocker.lock(other, portalocker.LockFlags.EXCLUSIVE)
        with pytest.raises(LockTimeout), log.writing():
            pytest.fail("the lock was had twice")
        portalocker.unlock(other)
        with log.writing():
            pass


@pytest.mark.parametrize("timeout_s", [0.0, 0.05, 0.2, 0.7])
def test_a_wait_is_as_long_as_it_may_be(path: Path, timeout_s: float) -> None:
    # fault 23
    Store(path).record("before")
    with path.with_name(path.name + ".lock").open("rb+") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        begun = time.monotonic()
        with pytest.raises(LockTimeout, match=f"for more than {timeout_s:g} s"):
            Store(path, timeout_s=timeout_s).record("no")
        assert timeout_s <= time.monotonic() - begun < timeout_s + 0.4


def test_a_waiter_that_gave_up_does_not_keep_the_lock_when_it_comes(path: Path) -> None:
    # fault 23: the helper thread gets the lock after the caller has gone
    Store(path).record("before")
    open_files = len(os.listdir("/proc/self/fd"))
    with path.with_name(path.name + ".lock").open("rb+") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        for _ in range(5):
            with pytest.raises(LockTimeout):
                Store(path, timeout_s=0.01).record("no")
    assert Store(path, timeout_s=2).record("after").ref == "L-002"
    until = time.monotonic() + 5
    while len(os.listdir("/proc/self/fd")) > open_files and time.monotonic() < until:
        time.sleep(0.01)
    assert len(os.listdir("/proc/self/fd")) <= open_files  # fewer, when the collector closed what another test left
    assert Store(path, timeout_s=2).record("later").ref == "L-003"


def test_a_program_started_while_the_lock_is_held_does_not_keep_it(path: Path) -> None:
    # fault 25: close-on-exec
    store = Store(path)
    with store.batch():
        store.record("held")
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)"], close_fds=False)
    try:
        assert Store(path, timeout_s=1).record("after").ref == "L-002"
    finally:
        child.kill()
        child.wait()


def test_the_lock_is_re_entrant_in_its_thread_and_in_no_other(path: Path) -> None:
    # fault 25
    log, same = FileLog(path), FileLog(path, timeout_s=0.1)
    refused: list[BaseException] = []

    def elsewhere() -> None:
        try:
            with same.writing():
                pass
        except LockTimeout as error:
            refused.append(error)

    with log.writing() as outer, same.writing() as inner:
        assert inner is outer
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
    assert [str(os.getpid()) in str(error) for error in refused] == [True]
    elsewhere()
    assert len(refused) == 1


def test_the_first_try_does_not_import_portalocker(path: Path, workers: Workers) -> None:
    # design: start-up is a feature
    script = """
Store(sys.argv[1]).record("free")
assert "portalocker" not in sys.modules
"""
    workers.run(script, path)


def test_an_interrupted_wait_leaves_no_lock_behind(path: Path) -> None:
    # fault 22: control-C while waiting
    Store(path).record("before")
    sidecar = path.with_name(path.name + ".lock")
    lock = lock_for(str(sidecar))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job starts with it ignored
    try:
        with sidecar.open("rb+") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
            timer.start()
            with pytest.raises(KeyboardInterrupt):
                lock.acquire(5)
            timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert Store(path, timeout_s=2).record("after").ref == "L-002"
