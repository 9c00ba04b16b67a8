"""The index under hazard: writers and searchers at once, kills in the middle, forks, threads, a holder that stands still."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from learnlog import Store
from learnlog.index import schema
from learnlog.index.place import path_of

from .conftest import Workers

APPENDS_AND_SEARCHES = """
number, path = sys.argv[1:]
go()
store = Store(path, durable=False)
for count in range(20):
    word = "q" + chr(97 + int(number)) * 2 + chr(97 + count) * 3  # one word, of letters: a number would be a part of its own
    title = f"{word} lock"
    store.record(title, category=["process", "technical"][count % 2])
    assert [hit.title for hit in store.search(word)] == [title], "its own write"
    assert store.search("lock", count=True, limit=1).total >= count + 1
print("done")
"""
SEARCHES = """
number, path = sys.argv[1:]
go()
seen = 0
until = time.monotonic() + 3
while time.monotonic() < until and seen < 80:
    total = Store(path).search("lock", count=True, limit=3).total
    assert total >= seen, (total, seen)
    seen = total
print("done")
"""
CATCHES_UP = """
path, = sys.argv[1:]
go()
while True:
    store = Store(path, durable=False)
    store.record("lock", body="word " * 50)
    store.search("lock")
"""


def titles(path: Path) -> list[str]:
    return sorted(hit.title for hit in Store(path).search(status=(), limit=None))


def test_each_of_many_processes_sees_its_own_writes_at_once_and_no_search_fails(path: Path, workers: Workers) -> None:
    # fault 2, invariant 8
    Store(path).record("the first lock")
    writers = workers.many(4, APPENDS_AND_SEARCHES, path)
    readers = workers.many(2, SEARCHES, path)
    workers.release(*writers, *readers)
    assert [workers.finish(one) for one in (*writers, *readers)] == ["done\n"] * 6
    assert Store(path).search("lock", limit=None).total == 81
    assert titles(path) == sorted(
        ["the first lock", *(f"q{chr(97 + n) * 2}{chr(97 + c) * 3} lock" for n in range(4) for c in range(20))]
    )


def killed_while_catching_up(path: Path, workers: Workers, rounds: int) -> None:
    chance = random.Random(3)
    for _ in range(rounds):
        worker = workers.start(CATCHES_UP, path)
        workers.release(worker)
        time.sleep(chance.uniform(0.0, 0.15))
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        events = sum(1 for _ in Store(path).log.read())
        assert Store(path).search("lock", count=True).total == events
        assert len(Store(path).list()) == events


def test_a_kill_in_the_middle_of_catching_up_leaves_an_index_that_answers(path: Path, workers: Workers) -> None:
    # fault 28, invariant 9
    Store(path).record("lock")
    killed_while_catching_up(path, workers, 6)


@pytest.mark.long
def test_many_kills_in_the_middle_of_catching_up_leave_an_index_that_answers(path: Path, workers: Workers) -> None:
    Store(path).record("lock")
    killed_while_catching_up(path, workers, 150)


def test_a_kill_in_the_middle_of_making_an_index_leaves_one_that_is_made_again(path: Path, cache: Path) -> None:
    # fault 28
    Store(path).record_many([{"title": f"lock {number}", "body": "word " * 100} for number in range(3000)])
    line = [sys.executable, "-m", "learnlog", "--log", str(path), "search", "lock", "--count"]
    for wait_s in (0.1, 0.25, 0.4, 0.6):
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL)
        time.sleep(wait_s)
        process.kill()
        process.wait()
    assert subprocess.run(line, capture_output=True, text=True, check=True).stdout == "3000\n"


HOLDS = """
path, begin = sys.argv[1:]
import sqlite3
connection = sqlite3.connect(path, isolation_level=None)
connection.execute(begin)
go()
"""


@pytest.mark.parametrize("begin", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_process_that_stands_still_with_the_index_in_its_hand_blocks_nobody(
    path: Path, workers: Workers, cache: Path, begin: str
) -> None:
    # fault 23, 28
    store = Store(path)
    store.record("lock")
    assert store.search("lock").total == 1
    index = path_of(str(path), "L", os.environ)
    assert index is not None
    holder = workers.start(HOLDS, index, begin)
    holder.send_signal(signal.SIGSTOP)
    store.record("another lock")
    began = time.monotonic()
    assert store.search("lock").total == Store(path).search("lock").total == 2
    assert time.monotonic() - began < 8
    holder.kill()
    holder.wait()
    assert Store(path).search("lock").total == 2


def test_a_child_asks_an_index_of_its_own(path: Path, workers: Workers) -> None:
    # fault 25
    script = """
path, = sys.argv[1:]
store = Store(path)
store.record("lock")
assert store.search("lock").total == 1
pid = os.fork()
if pid == 0:
    signal.alarm(20)
    store.record("of the child, a lock")
    os._exit(0 if store.search("lock").total == 2 else 1)
assert os.waitpid(pid, 0)[1] == 0
store.record("of the parent, a lock")
print(store.search("lock").total)
"""
    assert workers.run(script, path) == "3\n"


def test_threads_may_search_and_write_with_one_store(path: Path) -> None:
    store = Store(path, durable=False)
    store.record("lock")
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for count in range(15):
                word = f"q{chr(97 + number) * 2}{chr(97 + count) * 3}"
                store.record(f"lock {word}")
                assert store.search(word).total == 1
                store.list(limit=3)
        except BaseException as error:  # noqa: BLE001 - told to the test
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.search("lock", limit=None).total == 61


def test_reading_writes_nothing_beside_the_log_and_only_its_person_can_open_the_index(path: Path, cache: Path) -> None:
    # invariant 8; mode 0700
    Store(path).record("lock")
    before = sorted(path.parent.iterdir())
    Store(path).search("lock")
    assert sorted(path.parent.iterdir()) == before
    assert (cache / "learnlog").stat().st_mode & 0o077 == 0


def test_an_index_for_which_there_is_no_room_is_kept_in_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # fault 28
    store = Store(path)
    store.record_many([{"title": f"lock {number}", "body": "word " * 100} for number in range(200)])
    real = schema.connect

    def small(name: str, **options: float) -> object:
        connection = real(name, **options)
        if name != ":memory:":
            connection.execute("PRAGMA max_page_count = 40")
        return connection

    monkeypatch.setattr(schema, "connect", small)
    assert store.search("lock", limit=None).total == Store(path).search("lock", limit=None).total == 200
