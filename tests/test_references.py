"""References: counting up, never used twice, the same on every machine (ADD-4, fault 34)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from learnlog.naming import canonical, number_of, reference
from learnlog.references import Assignment, assign


class Claim(Struct):
    uid: str
    stored: tuple[str, ...]


def assigned(*stored: str, highest: int = 0) -> Assignment:
    """Who holds what when learnings `a`, `b`, … (oldest first) have stored these references, separated by spaces."""
    claims = [Claim(uid, tuple(refs.split())) for uid, refs in zip("abcdefgh", stored, strict=False)]
    return assign(claims, prefix="L", highest=highest)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("L-001", "L-001"),
        ("l-1", "L-001"),
        ("wl-0000012", "WL-012"),
        ("OL-12345", "OL-12345"),
        ("L001", None),
        ("L-", None),
        ("-1", None),
        ("L-1x", None),
        (" L-001", None),
        ("L-001\n", None),
        ("L-1٢", None),
        ("", None),
    ],
)
def test_a_reference_is_read_in_any_spelling(text: str, wanted: str | None) -> None:
    assert canonical(text) == wanted


def test_a_number_over_999_has_four_digits() -> None:
    assert [reference("L", number) for number in (1, 999, 1000)] == ["L-001", "L-999", "L-1000"]
    assert [number_of(ref) for ref in ("L-001", "WL-1000", "", "L-x")] == [1, 1000, 0, 0]


def test_each_keeps_the_reference_it_was_born_with() -> None:
    held = assigned("L-001", "L-002", "L-007")
    assert held.holders == {"L-001": ("a",), "L-002": ("b",), "L-007": ("c",)}
    assert (held.given, held.next_number) == ({}, 8)


def test_the_younger_of_two_gets_a_number_above_all_that_were_stored() -> None:
    # fault 34
    held = assigned("L-001", "L-002", "L-002", "L-009")
    assert held.given == {"c": "L-010"}
    assert held.holders["L-002"] == ("b", "c")
    assert held.holders["L-010"] == ("c",)
    assert held.next_number == 11


def test_several_that_wait_are_served_in_the_order_of_birth() -> None:
    assert assigned("L-001", "L-001", "L-001").given == {"b": "L-002", "c": "L-003"}


def test_a_learning_without_a_reference_gets_one() -> None:
    assert assigned("", "L-003", "").given == {"a": "L-004", "c": "L-005"}


def test_a_renumbered_learning_is_shown_under_the_last_and_found_under_both() -> None:
    held = assigned("L-001", "L-001 L-002")
    assert held.given == {}
    assert held.holders == {"L-001": ("a", "b"), "L-002": ("b",)}


def test_the_same_number_given_twice_by_two_writers_is_given_anew_to_the_younger() -> None:
    held = assigned("L-001", "L-001 L-002", "L-001 L-002")
    assert held.given == {"c": "L-003"}


def test_an_alias_does_not_keep_a_reference_from_the_one_born_with_it() -> None:
    held = assigned("L-001 L-005", "L-001")
    assert held.given == {}
    assert held.holders["L-001"] == ("a", "b")


def test_numbers_stored_for_learnings_that_are_not_here_are_never_given() -> None:
    assert assigned("L-001", "L-001", highest=41).given == {"b": "L-042"}


numbers = st.integers(1, 4).map(lambda number: f"L-{number:03d}")


@given(st.lists(st.lists(numbers, max_size=3, unique=True).map(tuple), max_size=8), st.integers(0, 6))
def test_no_two_learnings_are_ever_shown_under_one_reference(stored: list[tuple[str, ...]], highest: int) -> None:
    claims = [Claim(f"u{index}", refs) for index, refs in enumerate(stored)]
    held = assign(claims, prefix="L", highest=highest)
    shown = [held.given.get(claim.uid) or claim.stored[-1] for claim in claims]
    assert len(set(shown)) == len(shown)
    for claim, ref in zip(claims, shown, strict=True):
        assert claim.uid in held.holders[ref]
        assert all(claim.uid in held.holders[one] for one in claim.stored)
    stored_numbers = [number_of(ref) for refs in stored for ref in refs]
    assert all(number_of(ref) > max([highest, *stored_numbers]) for ref in held.given.values())
    assert held.next_number > max([highest, *map(number_of, held.holders)])
