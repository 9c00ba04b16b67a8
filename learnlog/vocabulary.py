"""The words: categories, severities, scopes and their kin, and which categories matter to an operation; data only.

Sources: the seed systems' own lists (ADD, gstack, amplihack, precedents). Writes are held to these words; reading
filters take any word that stands in a log.
"""

from __future__ import annotations

SEVERITIES = ("critical", "high", "medium", "low")
SCOPES = ("project", "workstation", "universal")
ORIGINS = ("observed", "inferred", "user-stated", "cross-model")
STATUSES = ("active", "proposed", "archived", "superseded", "deleted", "moved")
TIERS = ("project", "workstation", "organization")
RANKS = ("severity", "confidence", "relevance", "keywords", "precedent")

CATEGORIES = (
    # ADD
    "technical", "architecture", "anti-pattern", "performance", "collaboration", "process",
    # gstack
    "pattern", "pitfall", "preference", "tool", "operational", "investigation",
    # amplihack
    "errors", "workflows", "tools", "debugging",
    # precedents
    "library-selection", "pattern-choice", "trade-off", "bug-resolution", "scope-change",
)  # fmt: skip

DEFAULT_CATEGORY = "technical"
DEFAULT_SEVERITY = "medium"
DEFAULT_SCOPE = "project"
DEFAULT_CONFIDENCE = 500
"""Thousandths: 0.5."""

DECAYING_ORIGINS = frozenset({"observed", "inferred"})

REFERENCE_PREFIXES = {"project": "L", "workstation": "WL", "organization": "OL"}

EQUIVALENTS = {
    "pitfall": "anti-pattern",
    "tool": "technical",
    "tools": "technical",
    "operational": "technical",
    "investigation": "technical",
    "errors": "technical",
    "debugging": "technical",
    "bug-resolution": "technical",
    "pattern": "architecture",
    "pattern-choice": "architecture",
    "library-selection": "architecture",
    "trade-off": "architecture",
    "preference": "collaboration",
    "workflows": "process",
    "scope-change": "process",
}
"""A seed's word -> the word of ADD's six that an operation asks for."""

OPERATIONS = {
    "plan": ("architecture", "anti-pattern", "collaboration"),
    "tdd-cycle": ("technical", "anti-pattern", "performance"),
    "test-writer": ("technical", "anti-pattern"),
    "implementer": ("technical", "anti-pattern", "architecture"),
    "deploy": ("performance", "technical", "process"),
    "verify": ("technical", "process"),
    "optimize": ("performance", "technical"),
    "reviewer": ("architecture", "anti-pattern", "process"),
    "cycle": ("architecture", "collaboration", "process"),
    "retro": ("process", "collaboration"),
    "spec": ("architecture", "collaboration"),
}

SIX = frozenset({"technical", "architecture", "anti-pattern", "performance", "collaboration", "process"})


def matters_to(operation: str, category: str) -> bool:
    """Whether a learning of `category` is told at the start of `operation`.

    An operation that is not known filters nothing, and a category that is neither one of ADD's six nor equivalent to one
    passes every operation.

    >>> matters_to("deploy", "tools"), matters_to("deploy", "anti-pattern"), matters_to("deploy", "gardening")
    (True, False, True)
    """
    wanted = OPERATIONS.get(operation)
    if wanted is None:
        return True
    plain = EQUIVALENTS.get(category, category)
    return plain in wanted or plain not in SIX


def severity_rank(severity: str) -> int:
    """0 for critical to 3 for low; 4 for a word outside the list, which sorts last."""
    return SEVERITIES.index(severity) if severity in SEVERITIES else len(SEVERITIES)
