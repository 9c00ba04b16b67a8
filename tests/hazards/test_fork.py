"""fork: a child has no lock and no open batch, keeps none for its parent, and can write when the parent is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from learnlog import Store

from .conftest import Workers, check_sound, titles

CHILD = """
import threading
def child(work, limit_s=8):
    pid = os.fork()
    if pid == 0:
        signal.alarm(limit_s)
        try:
            print("child", work(), flush=True)
            os._exit(0)
        except BaseException as error:
            print("child failed", repr(error), flush=True)
            os._exit(1)
    return pid
def well(pid):
    assert os.waitpid(pid, 0)[1] == 0, "the child failed or hung"
path = sys.argv[1]
store = Store(path)
"""
"""In a process of its own, because a fork of the test's process has its threads."""


def test_a_child_made_while_the_lock_is_held_writes_when_its_parent_has_finished(path: Path, workers: Workers) -> None:
    # fault 25
    script = """
with FileLog(path).writing():
    pid = child(lambda: Store(path).record("of the child").ref)
    time.sleep(0.3)
    assert os.waitpid(pid, os.WNOHANG) == (0, 0), "the child did not wait"
    FileLog(path).append([])
well(pid)
print(Store(path).record("of the parent").ref)
"""
    assert workers.run(CHILD + script, path).split() == ["child", "L-001", "L-002"]
    assert titles(path) == {"of the child", "of the parent"}
    check_sound(path)


def test_a_child_that_ends_does_not_free_its_parents_lock(path: Path, workers: Workers) -> None:
    # fault 25: closing a copy of the descriptor is not unlocking
    script = """
with FileLog(path).writing():
    well(child(lambda: "gone"))
    with open(path + ".lock", "rb+") as other:
        try:
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("held")
"""
    assert workers.run(CHILD + script, path).split() == ["child", "gone", "held"]


def test_a_child_that_lives_on_does_not_keep_its_parents_lock(path: Path, workers: Workers) -> None:
    # fault 25: the parent is done, or is killed, and a child of it sleeps
    script = """
with FileLog(path).writing():
    pid = child(lambda: time.sleep(30), 40)
print(Store(path, timeout_s=2).record("while the child sleeps").ref)
os.kill(pid, signal.SIGKILL)
"""
    assert workers.run(CHILD + script, path).split() == ["L-001"]


def test_what_a_child_records_inside_its_parents_batch_is_on_disk_when_it_returns(path: Path, workers: Workers) -> None:
    # fault 25, invariant 7: the batch is the parent's, and nobody ends it in the child
    script = """
with store.batch():
    store.record("of the parent")
    pid = child(lambda: store.record("of the child").status)
    time.sleep(0.2)
well(pid)
"""
    assert workers.run(CHILD + script, path).split() == ["child", "recorded"]
    assert titles(path) == {"of the parent", "of the child"}
    check_sound(path)


def test_a_child_that_leaves_its_parents_batch_writes_nothing_twice_and_can_go_on(path: Path, workers: Workers) -> None:
    # fault 25: both run to the end of the block
    script = """
with store.batch():
    store.record("of the parent")
    pid = os.fork()
    if pid == 0:
        signal.alarm(8)
if pid == 0:
    store.record("of the child, later")
    os._exit(0)
well(pid)
"""
    workers.run(CHILD + script, path)
    assert titles(path) == {"of the parent", "of the child, later"}
    check_sound(path)


def test_a_child_made_while_another_thread_writes_can_write(path: Path, workers: Workers) -> None:
    # fault 25: the other thread is not in the child, and must not have left anything locked there
    script = """
inside = threading.Event()
def write():
    with store.batch():
        store.record("of the thread")
        inside.set()
        time.sleep(0.5)
thread = threading.Thread(target=write)
thread.start()
inside.wait()
pid = child(lambda: (store.search("thread").total, store.record("of the child").ref))
thread.join()
well(pid)
"""
    workers.run(CHILD + script, path)
    assert titles(path) == {"of the thread", "of the child"}
    check_sound(path)


@pytest.mark.parametrize("gives_up", [False, True])
def test_a_child_made_while_another_thread_waits_does_not_keep_what_that_thread_gets(
    path: Path, workers: Workers, gives_up: bool
) -> None:
    # fault 25: the child has a copy of the descriptor that is waited on
    script = """
gives_up = sys.argv[2] == "True"
store.record("before")
other = os.open(path + ".lock", os.O_RDWR)
fcntl.flock(other, fcntl.LOCK_EX)
def wait():
    try:
        Store(path, timeout_s=1.2 if gives_up else 8).record("of the thread")
    except TimeoutError:
        print("gave up", flush=True)
thread = threading.Thread(target=wait)
thread.start()
while not any(one.name.startswith("learnlog-lock") for one in threading.enumerate()):
    time.sleep(0.01)  # until the wait is in the kernel
time.sleep(0.1)
def sleep():
    os.close(other)
    time.sleep(30)
pid = child(sleep, 40)
if gives_up:
    thread.join()
fcntl.flock(other, fcntl.LOCK_UN)
os.close(other)
thread.join()
time.sleep(0.2)
try:
    Store(path, timeout_s=2).record("after")
finally:
    os.kill(pid, signal.SIGKILL)
"""
    workers.run(CHILD + script, path, gives_up)
    assert titles(path) == {"before", "after"} | (set() if gives_up else {"of the thread"})
    check_sound(path)


def test_eight_forked_children_use_the_store_of_their_parent(path: Path, workers: Workers) -> None:
    # fault 25, X-1
    script = """
store.record("of the parent")
pids = [child(lambda: [store.record(f"of {os.getpid()}, {turn}").ref for turn in range(10)], 20) for _ in range(8)]
for pid in pids:
    well(pid)
print(len(store.list()))
"""
    assert workers.run(CHILD + script, path).split()[-1] == "81"
    assert len(check_sound(path)) == 81


def test_two_stores_on_one_path_in_one_thread_share_one_batch_of_the_lock(path: Path) -> None:
    # fault 25
    one, two = Store(path, timeout_s=1), Store(path, timeout_s=1)
    with one.batch():
        first = one.record("in the batch")
        second = two.record("beside it")
        third = one.record("in the batch, later")
    assert len({first.ref, second.ref, third.ref}) == 3
    assert {hit.ref: hit.title for hit in two.list()} == {
        first.ref: "in the batch",
        second.ref: "beside it",
        third.ref: "in the batch, later",
    }
