"""How confidence falls with age: a function of a learning and a moment, never stored.

The rule is gstack's (GS-decay): what was observed or inferred loses one point of ten for every full 30 days, down to 0;
what a person stated and what several models agreed on never does. Without a readable time nothing decays.
"""

from __future__ import annotations

from learnlog.vocabulary import DECAYING_ORIGINS

DAY_MS = 86_400_000
PERIOD_DAYS = 30
LOSS = 100
"""Thousandths for each full period."""


def effective(confidence: int, origin: str | None, aged_from_ms: int | None, now_ms: int) -> int:
    """The confidence at `now_ms`, in thousandths. `aged_from_ms` is where decay starts.

    >>> effective(800, "observed", 0, 90 * DAY_MS), effective(300, "inferred", 0, 365 * DAY_MS)
    (500, 0)
    >>> effective(900, "user-stated", 0, 365 * DAY_MS)
    900
    """
    if origin not in DECAYING_ORIGINS or aged_from_ms is None:
        return confidence
    periods = max(0, now_ms - aged_from_ms) // (PERIOD_DAYS * DAY_MS)
    return max(0, confidence - LOSS * periods)
