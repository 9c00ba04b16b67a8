"""Learnings of realistic size for benchmarks: short notes by a programmer, or made-up ones where those are absent."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

from learnlog.events import Event, encode, time_text
from learnlog.ids import IdClock
from learnlog.model import Actor, Content

NOTES = Path(os.environ.get("LEARNLOG_BENCH_NOTES", Path(__file__).parents[2] / "shared/data/retrieval/til.jsonl"))
SEVERITIES = ("critical", "high", "medium", "medium", "low")
CATEGORIES = ("technical", "architecture", "anti-pattern", "performance", "collaboration", "process")
BODY_CHARACTERS = 400


def source() -> str:
    """Where the texts come from, for the head of a table."""
    return "TIL notes" if NOTES.exists() else "made-up notes (the TIL notes are not here)"


def rows(count: int) -> list[dict[str, Any]]:
    """`count` rows of arguments for `Store.record`, about 600 bytes each as a line; the same ones on every call."""
    dice = random.Random(7)
    notes = _notes()
    made = []
    for number in range(count):
        note = notes[number % len(notes)]
        again = number // len(notes)
        made.append(
            {
                "title": note["title"][:300] + (f" ({again})" if again else ""),
                "body": note["body"][:BODY_CHARACTERS],
                "category": dice.choice(CATEGORIES),
                "severity": dice.choice(SEVERITIES),
                "stack": [note["topic"].lower()] if dice.random() < 0.7 else [],
                "tags": [note["topic"].lower()],
                "origin": "observed",
            }
        )
    return made


def log_bytes(count: int) -> bytes:
    """A log of `count` recorded learnings, a minute apart, as the library would have written it."""
    moment = [1_750_000_000_000]
    clock = IdClock(clock=lambda: moment[0], random=random.Random(7).randbytes)
    actor = Actor("agent", "bench", "s1")
    lines = []
    for number, row in enumerate(rows(count), 1):
        moment[0] += 60_000
        event_id = clock.next()
        content = Content(**{name: tuple(value) if isinstance(value, list) else value for name, value in row.items()})
        event = Event(
            v=1,
            id=event_id,
            event="recorded",
            uid=event_id,
            at=time_text(moment[0]),
            actor=actor,
            ref=f"L-{number:03d}",
            learning=content,
        )
        lines.append(encode(event) + b"\n")
    return b"".join(lines)


def _notes() -> list[dict[str, str]]:
    if NOTES.exists():
        return [json.loads(line) for line in NOTES.read_text(encoding="utf-8").splitlines() if line]
    dice = random.Random(3)
    words = [
        f"{a}{b}" for a in ("run", "test", "git", "lock", "cache", "type", "index") for b in ("er", "s", "ing", "_all", "")
    ]
    return [
        {
            "topic": dice.choice(("python", "git", "postgres", "vim")),
            "title": " ".join(dice.choices(words, k=6)),
            "body": " ".join(dice.choices(words, k=90)),
        }
        for _ in range(1800)
    ]
