"""Threads that share a store, or have one each: every write counts once, and readers are not held up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from learnlog import LockTimeout, Store

from .conftest import check_sound, titles


def together(count: int, work: Callable[[int], object]) -> list[object]:
    """`work(0)` … in `count` threads that begin at one moment; raises what any of them raised."""
    barrier = threading.Barrier(count)

    def begin(number: int) -> object:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))


def test_eight_threads_record_search_and_batch_with_one_store(path: Path) -> None:
    # fault 25, interface: a Store may be shared by threads
    store = Store(path)

    def work(number: int) -> None:
        for turn in range(6):
            done = store.record(f"thread {number} turn {turn}")
            assert store.get(done.ref).title == f"thread {number} turn {turn}"
            with store.batch():
                store.record(f"thread {number} batch {turn} a")
                store.record(f"thread {number} batch {turn} b")
                assert store.search(f"thread {number} batch {turn}", limit=None).total >= 2
            assert store.search("thread", limit=None).total >= 3 * (turn + 1)

    together(8, work)
    found = check_sound(path)
    assert len(found) == 8 * 6 * 3
    assert len(titles(path)) == 8 * 6 * 3
    batches = [event.batch for event in found if event.batch]
    assert all(batches[at] == batches[at + 1] for at in range(0, len(batches), 2))
    assert list(store.list()) == list(Store(path, clock=store._clock).list())


def test_threads_with_a_store_each_on_one_path(path: Path) -> None:
    # fault 25
    def work(number: int) -> list[str]:
        store = Store(path)
        return [store.record(f"thread {number} turn {turn}").ref for turn in range(10)]

    refs = [ref for refs in together(8, work) for ref in refs]  # type: ignore[attr-defined]
    assert sorted(refs) == [f"L-{number:03d}" for number in range(1, 81)]
    assert len(check_sound(path)) == 80


def test_an_exception_in_one_threads_batch_takes_nothing_from_the_others(path: Path) -> None:
    # semantics: an exception writes nothing
    store = Store(path)

    def work(number: int) -> None:
        for turn in range(8):
            try:
                with store.batch():
                    store.record(f"thread {number} turn {turn}")
                    if number % 2:
                        raise KeyError(number)
            except KeyError:
                pass

    together(6, work)
    assert titles(path) == {f"thread {number} turn {turn}" for number in (0, 2, 4) for turn in range(8)}
    check_sound(path)


def test_the_same_key_from_many_threads_is_one_learning(path: Path) -> None:
    # fault 3
    store = Store(path)
    done = together(8, lambda number: store.record(f"in the words of {number}", key="k").uid)
    assert len(set(done)) == 1
    assert len(store.list()) == 1


def test_a_long_batch_in_one_thread_holds_up_no_reader_in_another(path: Path) -> None:
    # invariant 8: readers take no lock
    store = Store(path)
    store.record("before")
    inside, end = threading.Event(), threading.Event()

    def write() -> None:
        with store.batch():
            store.record("not yet")
            inside.set()
            end.wait(10)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        assert inside.wait(5)
        seen: list[set[str]] = []
        reader = threading.Thread(target=lambda: seen.append({hit.title for hit in store.list()}))
        reader.start()
        reader.join(2)
        assert seen == [{"before"}]
    finally:
        end.set()
        thread.join()
    reader.join()


def test_a_thread_that_has_no_turn_in_time_says_so(path: Path) -> None:
    # fault 25
    store = Store(path, timeout_s=0.2)
    store.record("before")
    inside, end = threading.Event(), threading.Event()

    def hold() -> None:
        with store.log.writing():
            inside.set()
            end.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    assert inside.wait(5)
    begun = time.monotonic()
    try:
        with pytest.raises(LockTimeout, match="thread"):
            store.record("no")
    finally:
        end.set()
        thread.join()
    assert 0.2 <= time.monotonic() - begun < 1
    assert store.record("after").ref == "L-002"
