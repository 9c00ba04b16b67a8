"""Many processes write one log at once; nothing is lost, nobody is refused, nobody starves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from learnlog import Store

from .conftest import Workers, check_sound

SIZES = (80, 100, 511, 4_095, 4_096, 4_097, 65_536, 262_144)

WRITER = """
number, path, count, sizes = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), json.loads(sys.argv[4])
store = Store(path, session=f"s{number}")
go()
slowest = 0.0
for turn in range(count):
    begun = time.monotonic()
    store.record(f"writer {number} turn {turn}", body="x" * sizes[(turn + number) % len(sizes)])
    slowest = max(slowest, time.monotonic() - begun)
print(slowest)
"""

READER = """
path, stop = sys.argv[2], sys.argv[3]
store = Store(path)
go()
looks, seen = 0, 0
while not os.path.exists(stop):
    stats = store.stats()
    assert not stats.damaged_lines, stats.damaged_lines
    assert stats.learnings >= seen, (stats.learnings, seen)
    seen = stats.learnings
    looks += 1
    Store(path).search("writer", limit=1)
print(looks, store.stats().learnings)
"""


def write_and_read(path: Path, workers: Workers, *, count: int, readers: int) -> None:
    """Eight writers and some readers at once; checks what each of them saw and what is there afterwards."""
    stop = path.parent / "stop"
    reading = workers.many(readers, READER, path, stop)
    writing = workers.many(8, WRITER, path, count, json.dumps(SIZES))
    workers.release(*reading, *writing)
    slowest = max(float(workers.finish(process, 300)) for process in writing)
    stop.touch()
    for process in reading:
        looks, seen = map(int, workers.finish(process, 120).split())
        assert looks >= 1
        assert seen == 8 * count
    assert slowest < 10, "a writer waited as long as it may"
    found = check_sound(path)
    assert len(found) == 8 * count
    assert {event.ref for event in found} == {f"L-{number:03d}" for number in range(1, 8 * count + 1)}
    assert len({hit.title for hit in Store(path).list()}) == 8 * count


def test_eight_processes_and_four_readers_lose_nothing_and_see_nothing_half_written(path: Path, workers: Workers) -> None:
    # X-1, ADD-4, fault 1, fault 2, invariants 3, 5, 8
    write_and_read(path, workers, count=14, readers=4)


@pytest.mark.long
def test_eight_processes_with_two_hundred_appends_and_fifteen_readers(path: Path, workers: Workers) -> None:
    # fault 1, fault 2
    write_and_read(path, workers, count=200, readers=15)


@pytest.mark.parametrize("argument", ["key", "idempotency_key"])
def test_the_same_key_from_eight_processes_at_once_is_one_learning(path: Path, workers: Workers, argument: str) -> None:
    # fault 3, fault 4, GS-dedup
    script = """
number, path, argument = int(sys.argv[1]), sys.argv[2], sys.argv[3]
store = Store(path)
go()
done = store.record(f"in the words of {number}", **{argument: "pool-size"})
print(done.uid, done.ref, done.status)
"""
    started = workers.many(8, script, path, argument)
    workers.release(*started)
    answers = [workers.finish(process).split() for process in started]
    assert {(uid, ref) for uid, ref, _ in answers} == {(answers[0][0], "L-001")}
    others = "revised" if argument == "key" else "unchanged"
    assert sorted(status for _, _, status in answers) == sorted(["recorded"] + [others] * 7)
    assert len(Store(path).list()) == 1
    assert len(check_sound(path)) == (8 if argument == "key" else 1)


def test_batches_of_several_processes_are_not_mixed(path: Path, workers: Workers) -> None:
    # the events of one append stand side by side
    script = """
number, path = int(sys.argv[1]), sys.argv[2]
store = Store(path)
go()
for turn in range(6):
    store.record_many({"title": f"{number}/{turn}/{row}", "body": "y" * 3000} for row in range(7))
"""
    started = workers.many(4, script, path)
    workers.release(*started)
    for process in started:
        workers.finish(process)
    batches = [event.batch for event in check_sound(path)]
    assert len(batches) == 4 * 6 * 7
    assert all(len(set(batches[at : at + 7])) == 1 for at in range(0, len(batches), 7))
    assert len(set(batches)) == 24
