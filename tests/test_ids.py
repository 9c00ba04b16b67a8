"""Event ids: unique, ordered, UUIDv7 (invariant 3)."""

from __future__ import annotations

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnlog import ids
from learnlog.ids import IdClock

LAST_TIME = (1 << 48) - 1


def zeros(count: int) -> bytes:
    return bytes(count)


@given(st.integers(0, LAST_TIME), st.integers(0, 4095), st.integers(0, (1 << 64) - 1))
def test_an_id_is_a_uuid_of_version_7_that_carries_its_time(time_ms: int, counter: int, tail: int) -> None:
    made = ids.compose(time_ms, counter, tail)
    read = uuid.UUID(made)
    assert (read.version, read.variant) == (7, uuid.RFC_4122)
    assert (read.int >> 80, read.int >> 64 & 0xFFF) == (time_ms, counter)
    assert str(read) == made
    assert ids.is_id(made)
    assert ids.time_of(made) == time_ms


fields = st.tuples(st.integers(0, LAST_TIME), st.integers(0, 4095), st.integers(0, (1 << 62) - 1))


@given(fields, fields)
def test_the_order_of_ids_as_text_is_the_order_of_their_fields(one: tuple[int, int, int], other: tuple[int, int, int]) -> None:
    # invariant 3
    assert (ids.compose(*one) < ids.compose(*other)) == (one < other)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "L-001",
        "0192c000-0000-7000-8000-00000000000",  # a digit short
        "0192c000-0000-7000-8000-0000000000000",  # one too many
        "0192C000-0000-7000-8000-00000000000A",  # capitals
        "0192c000-0000-4000-8000-000000000000",  # version 4
        "0192c000-0000-7000-c000-000000000000",  # another variant
        "0192c00000007000800000000000000000",
        "0192c000-0000-7000-8000-000000000000\n",
        "٠192c000-0000-7000-8000-000000000000",  # a digit of another script
    ],
)
def test_what_has_not_the_form_of_an_id_is_none(text: str) -> None:
    assert not ids.is_id(text)


@given(st.lists(st.integers(0, 1 << 45), min_size=1, max_size=50), st.integers(0, 1 << 44), st.integers(0, 4095))
def test_ids_grow_whatever_the_clock_does(ticks: list[int], last_ms: int, last_counter: int) -> None:
    # invariant 3: also when the clock stands still, jumps back, or is behind the log
    last = ids.compose(last_ms, last_counter, (1 << 62) - 1)
    clock = iter(ticks)
    made = IdClock(last, clock=lambda: next(clock), random=zeros)
    several = [last] + [made.next() for _ in ticks]
    assert several == sorted(set(several))


def test_a_clock_ahead_of_the_log_is_told_truly() -> None:
    clock = IdClock(ids.compose(1000, 7, 0), clock=lambda: 2000, random=zeros)
    assert clock.next() == ids.compose(2000, 0, 0)


def test_a_full_counter_goes_on_in_the_next_millisecond() -> None:
    clock = IdClock(ids.compose(1000, 4095, 5), clock=lambda: 1000, random=zeros)
    assert clock.next() == ids.compose(1001, 0, 0)
    assert clock.next() == ids.compose(1001, 1, 0)


def test_ten_thousand_ids_of_one_millisecond_are_ordered_and_different() -> None:
    # fault 30 and 32: many writes within one tick
    clock = IdClock(clock=lambda: 1000, random=zeros)
    made = [clock.next() for _ in range(10_000)]
    assert made == sorted(set(made))
    assert ids.time_of(made[-1]) == 1002


def test_following_an_older_id_changes_nothing_and_a_newer_one_moves_on() -> None:
    clock = IdClock(ids.compose(5000, 3, 0), clock=lambda: 0, random=zeros)
    clock.follow(ids.compose(4000, 9, 0))
    assert clock.next() == ids.compose(5000, 4, 0)
    clock.follow(ids.compose(5000, 8, 0))
    assert clock.next() == ids.compose(5000, 9, 0)


def test_the_random_part_is_random() -> None:
    clock = IdClock(clock=lambda: 1000)
    other = IdClock(clock=lambda: 1000)
    assert clock.next() != other.next()


def test_zero_is_below_every_id_that_is_made() -> None:
    assert ids.is_id(ids.ZERO)
    assert IdClock(clock=lambda: 0, random=zeros).next() > ids.ZERO
