"""Clocks that stand still, jump and disagree: ids rise all the same, and the latest write wins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from learnlog import Store, ids
from learnlog.events import Event, Imported, encode, time_ms
from learnlog.logs.file import FileLog
from learnlog.model import Content

from .conftest import Workers, check_sound, titles

NOON = time_ms("2026-03-01T12:00:00.000Z")
YEAR = 365 * 86_400_000


def ticking(*times: int) -> Callable[[], int]:
    """A clock that shows these times, and then the last one for ever."""
    left = list(times)
    return lambda: left.pop(0) if len(left) > 1 else left[0]


CLOCKS = {
    "stands still": lambda: ticking(NOON),
    "jumps back years": lambda: ticking(NOON, NOON, NOON, NOON - 20 * YEAR),
    "jumps forward and comes back": lambda: ticking(NOON, NOON, NOON, NOON + 5 * YEAR, NOON + 5 * YEAR, NOON),
    "begins before 1970": lambda: ticking(-5, -4, 0, NOON),
    "runs backwards": lambda: ticking(*range(NOON, NOON - 500, -1)),
}


@pytest.mark.parametrize("kind", CLOCKS)
def test_ids_rise_whatever_the_clock_does_and_the_latest_write_wins(path: Path, kind: str) -> None:
    # invariant 3, fault 31
    store = Store(path, clock=CLOCKS[kind](), durable=False)
    for count in range(30):
        store.record(f"version {count}", key="k")
    found = check_sound(path)
    assert len(found) == 30
    assert all(ids.is_id(event.id) for event in found)
    assert [hit.title for hit in Store(path).list()] == ["version 29"]


def test_more_events_in_one_millisecond_than_the_counter_counts(path: Path) -> None:
    # invariant 3: 4,096 to a millisecond, then the next one
    store = Store(path, clock=ticking(NOON), durable=False)
    store.record_many({"title": f"row {count}"} for count in range(9_000))
    Store(path, clock=ticking(NOON), durable=False).record("one more")
    found = check_sound(path)
    assert len(found) == 9_001
    assert ids.time_of(found[-1].id) == NOON + 2
    assert all(event.at == "2026-03-01T12:00:00.000Z" for event in found)  # what people see is the wall clock


def test_processes_whose_clocks_disagree_by_years_write_in_the_order_in_which_they_write(path: Path, workers: Workers) -> None:
    # invariant 3, fault 31
    script = """
number, path = int(sys.argv[1]), sys.argv[2]
store = Store(path, clock=lambda: time.time_ns() // 1_000_000 + (number - 1) * 10 * 365 * 86_400_000)
go()
for turn in range(15):
    store.record(f"{number} turn {turn}", key="k")
print(path)
"""
    started = workers.many(3, script, path)
    workers.release(*started)
    for process in started:
        workers.finish(process)
    found = check_sound(path)
    assert len(found) == 45
    assert found[-1].learning is not None
    assert [hit.title for hit in Store(path).list()] == [found[-1].learning.title]


def test_two_stores_with_different_clocks_take_turns(path: Path) -> None:
    # invariant 3: through the checkpoint, and with the checkpoint gone
    ahead, behind = Store(path, clock=ticking(NOON + YEAR)), Store(path, clock=ticking(NOON))
    for turn in range(6):
        ahead.record(f"ahead {turn}", key="k")
        behind.record(f"behind {turn}", key="k")
        if turn == 3:
            path.with_name(path.name + ".lock").write_bytes(b"")
    check_sound(path)
    assert [hit.title for hit in ahead.list()] == ["behind 5"]


def imported(at_ms: int) -> bytes:
    """The line of an imported learning whose own time is `at_ms`."""
    learning = Content(title="imported")
    event_id = ids.compose(at_ms, 0, 77)
    event = Event(v=1, id=event_id, event="recorded", uid="i", learning=learning, imported=Imported("gstack", "d"))
    return encode(event) + b"\n"


def test_an_imported_id_does_not_advance_the_clock(path: Path) -> None:
    # semantics: imported ids never advance the clock
    store = Store(path, clock=ticking(NOON))
    store.record("before")
    with path.open("ab") as log:
        log.write(imported(NOON + 40 * YEAR))
    for fresh in (store, Store(path, clock=ticking(NOON))):
        assert ids.time_of(fresh.record("after").event) <= NOON + 1
    path.with_name(path.name + ".lock").write_bytes(b"")
    assert ids.time_of(Store(path, clock=ticking(NOON)).record("later").event) <= NOON + 1


@pytest.mark.parametrize("at", ["2099-01-01", "9999-12-31T23:59:59Z"])
@pytest.mark.parametrize("sidecar", [True, False])
def test_an_unsealed_line_from_the_future_does_not_advance_the_clock(path: Path, at: str, sidecar: bool) -> None:
    # semantics: a line without an id gets one as imports do, and those never advance the clock
    Store(path, clock=ticking(NOON)).record("before")
    with path.open("ab") as log:
        log.write(b'{"event":"recorded","at":"%s","learning":{"title":"by hand"}}\n' % at.encode())
    if not sidecar:
        path.with_name(path.name + ".lock").unlink()
    done = Store(path, clock=ticking(NOON)).record("after")
    assert ids.time_of(done.event) <= NOON + 1
    assert titles(path) == {"before", "by hand", "after"}


@pytest.mark.parametrize("sealed", [True, False])
def test_the_greatest_id_there_is_does_not_break_the_log(path: Path, sealed: bool) -> None:
    # invariant 3: whatever a merge brings in, what is written here has an id
    Store(path).record("before")
    greatest = "ffffffff-ffff-7fff-bfff-ffffffffffff"
    event = Event(v=1, id=greatest, event="recorded", uid=greatest, learning=Content(title="the last"))
    by_hand = b'{"event":"recorded","id":"%s","learning":{"title":"the last"}}' % greatest.encode()
    with path.open("ab") as log:
        log.write((encode(event) if sealed else by_hand) + b"\n")
    made = [Store(path).record(f"after {count}") for count in range(3)]
    assert all(ids.is_id(done.event) for done in made)
    assert len({done.event for done in made}) == 3
    assert titles(path) == {"before", "the last", "after 0", "after 1", "after 2"}


@pytest.mark.parametrize("event_id", ["zzz", "", "L-001", "ffffffff-ffff-4fff-bfff-ffffffffffff", "٣" * 36])
def test_a_sealed_line_whose_id_is_none_stops_neither_readers_nor_writers(path: Path, event_id: str) -> None:
    # invariant 5: a seal proves that a line is unchanged, not that it is right
    Store(path).record("before")
    bad = Event(v=1, id=event_id, event="recorded", uid="u", learning=Content(title="no id"))
    with path.open("ab") as log:
        log.write(encode(bad) + b"\n")
    assert "before" in titles(path)
    assert Store(path).record("after").ref == "L-003"  # what the line records has the number before, and keeps it
    assert {"before", "after"} <= titles(path)
    assert Store(path).as_of("2100-01-01").get("L-001").title == "before"
    assert [finding.line for finding in Store(path).verify() if finding.is_damage] == [2]


@pytest.mark.parametrize("member", ["at", "date"])
@pytest.mark.parametrize("sealed", [True, False])
def test_a_time_that_cannot_be_read_stops_no_reader(path: Path, member: str, sealed: bool) -> None:
    # fault 31: no readable time, no decay
    Store(path).record("before")
    learning = Content(title="undated", origin="observed", **({"date": "last tuesday"} if member == "date" else {}))
    at = "yesterday" if member == "at" else None
    event = Event(v=1, id=ids.compose(NOON, 0, 1), event="recorded", uid="u" * 8, at=at, learning=learning)
    line = encode(event)
    if not sealed:
        line = line[: line.rindex(b',"sum"')] + b"}"
    with path.open("ab") as log:
        log.write(line + b"\n")
    assert titles(path) == {"before", "undated"}
    undated = Store(path).get("u" * 8)
    assert undated.effective_confidence == undated.confidence
    Store(path).record("after")
    assert len(Store(path).search("undated", min_confidence=0.1)) == 1


def test_a_reader_sees_two_writes_of_one_clock_tick(path: Path) -> None:
    # fault 30
    store, reader = Store(path, durable=False), Store(path)
    for count in range(1, 200):
        store.record(f"number {count}")
        assert reader.list(limit=1).total == count


def test_the_log_interface_takes_foreign_ids_as_they_are(path: Path) -> None:
    # invariant 3: an event of another machine that is ahead is followed
    Store(path, clock=ticking(NOON)).record("before")
    learning = Content(title="of a machine that is ahead")
    FileLog(path).append(
        [Event(v=1, id=ids.compose(NOON + YEAR, 7, 1), event="recorded", uid="a" * 8, ref="L-002", learning=learning)]
    )
    done = Store(path, clock=ticking(NOON)).record("after")
    assert ids.time_of(done.event) == NOON + YEAR
    check_sound(path)
