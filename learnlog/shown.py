"""What a learning shows in each field: what was given, or the format's default; pure."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from learnlog.reduce import Folded
from learnlog.vocabulary import DEFAULT_CATEGORY, DEFAULT_CONFIDENCE, DEFAULT_SCOPE, DEFAULT_SEVERITY

DEFAULTS: dict[str, Any] = {
    "title": "",
    "body": "",
    "scope": DEFAULT_SCOPE,
    "category": DEFAULT_CATEGORY,
    "severity": DEFAULT_SEVERITY,
    "stack": (),
    "tags": (),
    "files": (),
    "confidence": DEFAULT_CONFIDENCE,
    "evidence": (),
    "example": "",
    "alternatives": (),
    "outcome": "",
    "extra": {},
}
"""What a learning shows in a field that nobody gave; the other fields show None."""


def value(folded: Folded, name: str) -> Any:
    """A content field as it is shown: given, or its default."""
    given = getattr(folded.content, name)
    return DEFAULTS.get(name) if given is UNSET else given
