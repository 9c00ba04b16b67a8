"""Learnings as a view gets them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from learnlog.model import Learning

LearningMaker = Callable[..., Learning]

_PLAIN: dict[str, Any] = {
    "key": None,
    "title": "A title",
    "body": "",
    "category": "technical",
    "severity": "medium",
    "scope": "project",
    "tier": "project",
    "status": "active",
    "stack": (),
    "tags": (),
    "files": (),
    "confidence": 0.5,
    "effective_confidence": 0.5,
    "origin": None,
    "trusted": False,
    "source": None,
    "date": "2026-02-08",
    "classified_by": None,
    "checkpoint": None,
    "evidence": (),
    "example": "",
    "alternatives": (),
    "outcome": "",
    "created": None,
    "updated": "2026-02-08T12:00:00.000Z",
    "last_confirmed": None,
    "pinned": False,
    "muted": False,
    "uses": 0,
    "aliases": (),
    "actor": None,
    "defaulted": ("confidence",),
    "extra": {},
}


def learning_of(number: int, **fields: Any) -> Learning:
    """The learning L-00n with these fields, and plain ones."""
    named = {"ref": f"L-{number:03}", "uid": f"uid-{number:03}", "event": f"event-{number:03}"}
    return Learning(**{**_PLAIN, **named, **fields})


@pytest.fixture
def learning() -> LearningMaker:
    """Makes learnings: `learning(1, title="…")`."""
    return learning_of
