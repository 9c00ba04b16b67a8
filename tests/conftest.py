"""What the tests share: a clock that is set by hand, events with ids in order, stores in memory and in a file."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from learnlog import Store, ids
from learnlog.events import Event, time_text
from learnlog.logs.memory import MemoryLog
from learnlog.model import Actor, Content

settings.register_profile("tests", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")

START_MS = 1_770_552_000_000
"""2026-02-08T12:00:00Z."""
DAY_MS = 86_400_000
GOLDEN = Path(__file__).parent / "golden"

EventMaker = Callable[..., Event]


@pytest.fixture(scope="session", autouse=True)
def cache() -> Iterator[Path]:
    """The folder for indexes, one for each process that runs tests; the commands that tests start use it too."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        yield Path(folder)


class Clock:
    """Milliseconds since 1970 that pass only when told to; each look takes one millisecond of its own."""

    def __init__(self, now_ms: int = START_MS) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        self.now_ms += 1
        return self.now_ms

    def pass_days(self, days: float) -> None:
        self.now_ms += int(days * DAY_MS)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> Store:
    """A store in memory, with the clock of the test and the same ids in each run. An agent writes."""
    return Store(MemoryLog(), clock=clock, random=random.Random(7).randbytes, by="agent:tester")


@pytest.fixture
def open_store(tmp_path: Path, clock: Clock) -> Callable[[], Store]:
    """Opens stores on one file: each call another object, as another program would."""
    seeds = iter(range(1000))
    path = tmp_path / "learnings.jsonl"
    return lambda: Store(path, clock=clock, random=random.Random(next(seeds)).randbytes, by="agent:tester", durable=False)


@pytest.fixture(scope="session")
def make_event() -> EventMaker:
    """`make_event(3)` is the recorded event number 3: greater ids have greater numbers, one minute lies between two."""

    def make(number: int, kind: str = "recorded", uid: str = "", **members: object) -> Event:
        time_ms = START_MS + number * 60_000
        event_id = ids.compose(time_ms, 0, number)
        if kind in ("recorded", "revised", "reclassified"):
            members.setdefault("learning", Content(title=f"title {number}"))
        if kind == "recorded":
            members.setdefault("ref", f"L-{number:03d}")
        members.setdefault("at", time_text(time_ms))
        members.setdefault("actor", Actor("agent", "tester"))
        return Event(v=1, id=event_id, event=kind, uid=uid or event_id, **members)  # type: ignore[arg-type]

    return make


@pytest.fixture(scope="session")
def golden() -> Path:
    """The folder of the golden files."""
    return GOLDEN
