"""What every log does, whatever keeps it: the memory log is the specification, each other log passes the same tests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from learnlog import ids
from learnlog.errors import Outdated
from learnlog.events import Event
from learnlog.logs import Log
from learnlog.logs.file import FileLog
from learnlog.logs.memory import MemoryLog
from learnlog.model import Content

EventMaker = Callable[..., Event]


@pytest.fixture(params=["memory", "file", "durable file"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Log:
    if request.param == "memory":
        return MemoryLog()
    return FileLog(tmp_path / "deep" / "learnings.jsonl", durable=request.param == "durable file")


def test_an_empty_log_has_no_events_and_is_not_made_by_looking(log: Log, tmp_path: Path) -> None:
    assert list(log.read()) == []
    assert log.head() == 0
    look = log.look(None)
    assert look is not None
    assert look.scan.events == []
    assert not list(tmp_path.iterdir())


def test_what_was_appended_is_read_in_its_order(log: Log, make_event: EventMaker) -> None:
    events = [make_event(3), make_event(1), make_event(2, "archived", "u"), make_event(1)]
    log.append(events[:2])
    log.append(events[2:])
    assert list(log.read()) == events  # not sorted, repeats too


def test_unknown_kinds_are_kept(log: Log, make_event: EventMaker) -> None:
    log.append([make_event(1, "translated", "u", to="fr")])
    assert [event.event for event in log.read()] == ["translated"]


def test_a_position_is_behind_its_event(log: Log, make_event: EventMaker) -> None:
    first = log.append([make_event(1), make_event(2)])
    second = log.append([make_event(3)])
    positions = [*first, *second]
    assert positions == sorted(set(positions))
    assert log.head() == positions[-1]
    assert list(log.read(after=0)) == [make_event(1), make_event(2), make_event(3)]
    assert list(log.read(after=positions[0])) == [make_event(2), make_event(3)]
    assert list(log.read(after=positions[1])) == [make_event(3)]
    assert list(log.read(after=positions[2])) == []


def test_appending_nothing_changes_nothing(log: Log, make_event: EventMaker) -> None:
    log.append([make_event(1)])
    head = log.head()
    assert log.append([]) == []
    assert log.head() == head
    assert len(list(log.read())) == 1


def test_an_append_that_expects_the_head_goes_through(log: Log, make_event: EventMaker) -> None:
    assert len(log.append([make_event(1)], expect=0)) == 1
    assert len(log.append([make_event(2)], expect=log.head())) == 1


def test_an_append_is_refused_when_somebody_was_faster(log: Log, make_event: EventMaker) -> None:
    # fault 5
    seen = log.head()
    log.append([make_event(1)])
    for stale in (seen, log.head() + 1, -1):
        with pytest.raises(Outdated):
            log.append([make_event(2), make_event(3)], expect=stale)
    assert list(log.read()) == [make_event(1)]


@pytest.mark.parametrize(
    "log",
    [
        "file",
        "memory",
    ],
    indirect=True,
)
def test_all_events_are_appended_or_none(log: Log, make_event: EventMaker) -> None:
    # one that cannot be written, behind one that can
    unwritable = make_event(2, learning=Content(title="x", extra={"thing": object()}))
    with pytest.raises(TypeError):
        log.append([make_event(1), unwritable])
    assert list(log.read()) == []
    assert log.head() == 0
    log.append([make_event(3)])
    assert list(log.read()) == [make_event(3)]


def test_a_look_gives_what_is_new_since_the_last(log: Log, make_event: EventMaker) -> None:
    log.append([make_event(1)])
    first = log.look(None)
    assert first is not None
    assert (first.whole, first.scan.events) == (True, [make_event(1)])
    assert log.look(first.mark) is None
    log.append([make_event(2), make_event(3)])
    second = log.look(first.mark)
    assert second is not None
    assert (second.whole, second.scan.events) == (False, [make_event(2), make_event(3)])
    assert (second.scan.lines, second.scan.damaged, second.scan.unsealed) == (3, [], [])
    assert log.look(second.mark) is None


def test_a_look_taken_before_the_first_event_goes_on_from_there(log: Log, make_event: EventMaker) -> None:
    empty = log.look(None)
    assert empty is not None
    log.append([make_event(1)])
    later = log.look(empty.mark)
    assert later is not None
    assert later.scan.events == [make_event(1)]


def test_each_of_two_writes_in_a_row_is_seen(log: Log, make_event: EventMaker) -> None:
    # fault 30: within one tick of the clock
    look = log.look(None)
    for number in range(20):
        assert look is not None
        log.append([make_event(number)])
        look = log.look(look.mark)
        assert look is not None
        assert look.scan.events[-1] == make_event(number)


def test_the_sources_of_a_look_are_the_lines_of_its_events(log: Log, make_event: EventMaker) -> None:
    log.append([make_event(1), make_event(2)])
    look = log.look(None)
    assert look is not None
    assert len(look.scan.sources) == 2
    assert look.scan.distinct() == [make_event(1), make_event(2)]


# Writing -------------------------------------------------------------------------------------------------------------------


def test_a_writer_knows_the_greatest_id_and_the_next_number(log: Log, make_event: EventMaker) -> None:
    log.append([make_event(1, ref="L-004"), make_event(2, ref="L-005")])
    with log.writing() as writer:
        assert writer.last_id == make_event(2).id
        assert writer.hand_out_number() == 6
        made = writer.hand_out_id(ids.IdClock(clock=lambda: 0))
        assert made > make_event(2).id


def test_an_imported_id_does_not_move_the_clock(log: Log, make_event: EventMaker) -> None:
    # invariant 3
    from learnlog.events import Imported

    log.append([make_event(1), make_event(9000, imported=Imported(format="add", digest="d"))])
    with log.writing() as writer:
        assert writer.last_id == make_event(1).id


def test_what_is_handed_out_is_never_handed_out_again(log: Log) -> None:
    # ADD-4
    with log.writing() as outer:
        numbers = [outer.hand_out_number()]
        with log.writing() as inner:
            numbers += [inner.hand_out_number(), outer.hand_out_number()]
    assert len(set(numbers)) == 3


def test_writing_is_re_entrant_in_its_thread(log: Log, make_event: EventMaker) -> None:
    # fault 25
    with log.writing(), log.writing():
        log.append([make_event(1)])
    log.append([make_event(2)])
    assert list(log.read()) == [make_event(1), make_event(2)]


def test_an_exception_frees_the_log(log: Log, make_event: EventMaker) -> None:
    with pytest.raises(KeyError), log.writing():
        raise KeyError
    in_thread(lambda: log.append([make_event(1)]))
    assert list(log.read()) == [make_event(1)]


def test_nobody_appends_while_another_thread_is_writing(log: Log, make_event: EventMaker) -> None:
    # fault 3: look, then append, with nothing between
    begun, order = threading.Event(), []

    def other() -> None:
        begun.set()
        log.append([make_event(2)])
        order.append("other")

    with log.writing():
        thread = threading.Thread(target=other)
        thread.start()
        begun.wait()
        thread.join(0.05)
        assert thread.is_alive()
        log.append([make_event(1)])
        order.append("first")
    thread.join(10)
    assert order == ["first", "other"]
    assert list(log.read()) == [make_event(1), make_event(2)]


def test_reading_waits_for_no_writer(log: Log, make_event: EventMaker) -> None:
    # invariant 8
    log.append([make_event(1)])
    with log.writing():
        read: list[Any] = []
        in_thread(lambda: read.extend([*log.read(), log.head(), log.look(None)]))
        assert len(read) == 3


def test_threads_that_append_at_once_lose_nothing(log: Log, make_event: EventMaker) -> None:
    # fault 1, 25
    def writes(first: int) -> None:
        for number in range(first, first + 25):
            log.append([make_event(number)])

    threads = [threading.Thread(target=writes, args=(start,)) for start in range(0, 200, 25)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(event.id for event in log.read()) == [make_event(number).id for number in range(200)]


def in_thread(work: Callable[[], object]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(10)
    assert not thread.is_alive()
