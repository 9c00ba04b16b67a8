"""GS-decay, row by row; the clock is passed in (fault 36)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnlog.policy.decay import DAY_MS, effective


@pytest.mark.parametrize(
    ("points", "origin", "days", "wanted"),
    [
        (8, "observed", 90, 5),  # the two rows that GS-decay names
        (3, "observed", 365, 0),
        (8, "inferred", 90, 5),
        (8, "observed", 0, 8),
        (8, "observed", 29.999, 8),
        (8, "observed", 30, 7),
        (8, "observed", 59.999, 7),
        (8, "observed", 60, 6),
        (10, "observed", 300, 0),
        (10, "observed", 299.9, 1),
        (1, "inferred", 10_000, 0),
        (0, "observed", 30, 0),
        (8, "user-stated", 3650, 8),
        (8, "cross-model", 3650, 8),
        (8, None, 3650, 8),
        (8, "a word of another tool", 3650, 8),
    ],
)
def test_a_point_for_every_full_30_days_and_never_below_zero(points: int, origin: str, days: float, wanted: int) -> None:
    # GS-decay
    assert effective(points * 100, origin, 1000, 1000 + int(days * DAY_MS)) == wanted * 100


def test_without_a_readable_time_nothing_decays() -> None:
    assert effective(800, "observed", None, 10**13) == 800


def test_what_is_from_the_future_does_not_grow() -> None:
    assert effective(800, "observed", 10**13, 0) == 800


@given(st.integers(0, 1000), st.integers(0, 10**13), st.integers(0, 10**13))
def test_confidence_only_falls_with_time(confidence: int, first: int, second: int) -> None:
    early, late = sorted((first, second))
    assert 0 <= effective(confidence, "observed", 0, late) <= effective(confidence, "observed", 0, early) <= confidence
