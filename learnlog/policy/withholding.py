"""What came into a log around the guard, as it is shown: the rule that it breaks, and none of its words. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from learnlog.model import Actor
from learnlog.naming import canonical
from learnlog.policy.guard import scan_all
from learnlog.vocabulary import CATEGORIES, ORIGINS, SCOPES, SEVERITIES

_WORDS = {"category": CATEGORIES, "severity": SEVERITIES, "scope": SCOPES, "origin": ORIGINS}
_OURS: tuple[str, ...] = (
    "uid",
    "tier",
    "status",
    "confidence",
    "effective_confidence",
    "trusted",
    "date",
    "created",
    "updated",
)
_OURS += ("last_confirmed", "pinned", "muted", "uses", "event", "defaulted", "classified_by")
"""Fields that hold what learnlog writes itself, or what has the form of a number or a time."""


def withheld(shown: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a learning as they may be shown: as they are, or when they trip a rule of the guard without any text that
    somebody gave; `defaults` has what stands in its place.
    """
    rule = scan_all(text for name, value in shown.items() if name not in _OURS for text in texts_in(value))
    if rule is None:
        return dict(shown)
    kept = {name: value for name, value in shown.items() if name in _OURS or value in _WORDS.get(name, ())}
    aliases = tuple(one for one in shown["aliases"] if canonical(one) == one)
    return {name: kept.get(name, defaults.get(name)) for name in shown} | {"title": said(rule), "aliases": aliases}


def text(value: Any) -> Any:
    """A value as it may be shown: itself, or what is said in its place."""
    rule = scan_all(texts_in(value))
    return value if rule is None else said(rule)


def said(rule: str) -> str:
    """What is shown in place of a text."""
    return f"(withheld: {rule})"


def texts_in(value: Any) -> Iterator[str]:
    """Every string in a value, the keys of mappings too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield name
            yield from texts_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts_in(one)
    elif isinstance(value, Actor):
        yield value.name
        yield value.session
