"""What came into a log around the guard, as it is shown: the rule that it breaks, and none of its words. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from xxhash import xxh3_64_hexdigest

from learnlog.model import Actor
from learnlog.naming import canonical
from learnlog.policy.guard import scan_all
from learnlog.vocabulary import CATEGORIES, ORIGINS, SCOPES, SEVERITIES

_WORDS = {
    "category": CATEGORIES,
    "severity": SEVERITIES,
    "scope": SCOPES,
    "origin": ORIGINS,
    "classified_by": ("agent", "human"),
}
_OURS: tuple[str, ...] = (
    "tier",
    "status",
    "confidence",
    "effective_confidence",
    "trusted",
    "pinned",
    "muted",
    "uses",
    "defaulted",
)
"""Fields that learnlog makes itself."""


def withheld(shown: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a learning as they may be shown: as they are, or when they trip a rule of the guard without any text that
    somebody gave; `defaults` has what stands in its place.
    """
    rule = scan_all(text for name, value in shown.items() if name not in _OURS for text in texts_in(value))
    if rule is None:
        return dict(shown)
    kept = {name: value for name, value in shown.items() if name in _OURS or value in _WORDS.get(name, ())}
    kept["uid"], kept["event"] = _named(shown["uid"]), _named(shown["event"])
    aliases = tuple(one for one in shown["aliases"] if canonical(one) == one)
    return {name: kept.get(name, defaults.get(name)) for name in shown} | {"title": said(rule), "aliases": aliases}


def _named(identity: str) -> str:
    """An identity as it may be shown: what another program put in its place may say anything."""
    return identity if scan_all([identity]) is None else xxh3_64_hexdigest(identity.encode("utf-8", "surrogatepass"))


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
        yield value.kind
        yield value.name
        yield value.session
