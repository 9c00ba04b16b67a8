"""Timing in turns, and tables of what came of it."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple


class Row(NamedTuple):
    """One line of a table: what was measured beside what, the ratio, and the ratio to reach."""

    what: str
    ours: str
    beside: str
    ratio: str
    target: str
    reached: bool | None


def in_turns(*measured: Callable[[], float], rounds: int) -> list[list[float]]:
    """What each of `measured` returned in each round; they take turns, so that a slow moment of the machine hits all."""
    found: list[list[float]] = [[] for _ in measured]
    for _ in range(rounds):
        for one, values in zip(measured, found, strict=True):
            gc.collect()
            values.append(one())
    return found


def timed(work: Callable[[], object]) -> float:
    """Seconds that `work` takes; what it returns is kept until the clock has stopped."""
    begin = time.perf_counter()
    result = work()
    end = time.perf_counter()
    del result
    return end - begin


def compare(what: str, ours: list[float], beside: list[float], *, at_most: float, unit: str = "ms", name: str = "") -> Row:
    """The row for medians of seconds, of which ours may be at most `at_most` times the other."""
    scale = {"ms": 1e3, "µs": 1e6}[unit]
    one, other = statistics.median(ours), statistics.median(beside)
    ratio = one / other
    label = f" {name}" if name else ""
    return Row(
        what,
        f"{one * scale:.4g} {unit}",
        f"{other * scale:.4g} {unit}{label}",
        f"{ratio:.2f} ×",
        f"≤ {at_most:g} ×",
        ratio <= at_most,
    )


def show(title: str, rows: list[Row]) -> str:
    """The table as Markdown."""
    lines = [
        f"### {title}",
        "",
        f"| what | learnlog | beside | ratio | {'to reach' if rows[0].reached is not None else 'more than the row before'} | |",
    ]
    lines.append("|---|---|---|---|---|---|")
    for row in rows:
        mark = "" if row.reached is None else "reached" if row.reached else "**missed**"
        lines.append(f"| {row.what} | {row.ours} | {row.beside} | {row.ratio} | {row.target} | {mark} |")
    return "\n".join(lines) + "\n"
