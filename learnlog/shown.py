"""What a learning shows in each field: what was given, or the format's default, at a moment; pure."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict

from learnlog.events import time_ms
from learnlog.model import CONTENT_FIELDS, Hit, Learning
from learnlog.policy import decay
from learnlog.policy.withholding import withheld
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


def effective_confidence(folded: Folded, now_ms: int) -> int:
    """The confidence at `now_ms`, in thousandths."""
    return decay.effective(value(folded, "confidence"), value(folded, "origin"), moment(folded.aged), now_ms)


def moment(text: str) -> int | None:
    """The moment a text names; None for one that nobody can read, as another program may have sealed it (fault 31)."""
    try:
        return time_ms(text)
    except ValueError:
        return None


def fields(folded: Folded, *, ref: str, tier: str) -> dict[str, Any]:
    """What a learning shows when it is shown under `ref`, by the names of `Learning` and in their order, but for `ref` itself;
    `effective_confidence`, which depends on the moment, is 0. What came in around the guard is withheld.
    """
    content = {name: given for name, given in asdict(folded.content).items() if given is not UNSET}
    shown = _EMPTY | content
    shown["uid"], shown["tier"], shown["status"] = folded.uid, tier, folded.status
    shown["confidence"] = value(folded, "confidence") / 1000
    shown["date"] = folded.changed[:10] or None
    shown["created"], shown["updated"] = folded.created or None, folded.changed or None
    shown["pinned"] = folded.pinned
    if len(folded.stored) != 1 or folded.native or folded.stored[0] != ref:
        shown["aliases"] = tuple(one for one in (*folded.stored, *folded.native) if one != ref)
    shown["actor"], shown["event"] = folded.actor, folded.last
    shown["defaulted"] = tuple([name for name in CONTENT_FIELDS if name not in content])
    return withheld(shown, DEFAULTS)


def hit(folded: Folded, *, ref: str, tier: str, effective: int, score: float | None = None) -> Hit:
    """A folded learning as it is shown under `ref`, when its confidence is `effective` (thousandths)."""
    shown = fields(folded, ref=ref, tier=tier)
    shown["effective_confidence"] = effective / 1000
    return Hit(ref=ref, score=score, **shown)


_NOT_GIVEN: dict[str, Any] = {"trusted": False, "muted": False, "uses": 0, "aliases": (), "effective_confidence": 0}
_EMPTY: dict[str, Any] = {
    name: _NOT_GIVEN.get(name, DEFAULTS.get(name)) for name in Learning.__struct_fields__ if name != "ref"
}
