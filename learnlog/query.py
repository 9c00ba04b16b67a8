"""What to look for: keyword arguments to a checked `Query`. Reads nothing; imports next to nothing, for the start-up's sake."""

from __future__ import annotations

from learnlog.errors import InvalidValue
from learnlog.vocabulary import CATEGORIES, OPERATIONS, ORIGINS, RANKS, SCOPES, SEVERITIES, STATUSES, TIERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

DEFAULT_LIMIT = 10
EXACT_TOTAL = 1000
"""Up to this many matches a total is exact without being asked for; above it is None."""
RANKS_WITHOUT_TEXT = ("severity", "confidence")

_WORDS = {"category": CATEGORIES, "severity": SEVERITIES, "scope": SCOPES, "origin": ORIGINS, "status": STATUSES}
_LARGEST = 1 << 61


class Query:
    """What to look for. Each filter is met by any one of its words; an empty filter lets everything pass.

    `stack` also lets learnings without a stack pass. `min_confidence` (thousandths) is held against the effective
    confidence. `limit` None means all. `count` asks for an exact total, also above `EXACT_TOTAL`. `rank` None is
    `relevance` with text and `severity` without. `nothing`: nothing can match (another tier was asked for).
    `kind` is a category that counts in the rank `precedent`. What has a lower relevance than `floor` need not be found.
    """

    __slots__ = (
        "category",
        "count",
        "explain",
        "file",
        "floor",
        "kind",
        "limit",
        "min_confidence",
        "nothing",
        "offset",
        "operation",
        "origin",
        "rank",
        "scope",
        "severity",
        "stack",
        "status",
        "tag",
        "text",
    )

    def __init__(
        self,
        *,
        text: str = "",
        operation: str | None = None,
        stack: tuple[str, ...] = (),
        category: tuple[str, ...] = (),
        severity: tuple[str, ...] = (),
        scope: tuple[str, ...] = (),
        tag: tuple[str, ...] = (),
        file: tuple[str, ...] = (),
        origin: tuple[str, ...] = (),
        status: tuple[str, ...] = ("active",),
        min_confidence: int = 0,
        rank: str | None = None,
        limit: int | None = DEFAULT_LIMIT,
        offset: int = 0,
        count: bool = False,
        explain: bool = False,
        nothing: bool = False,
    ) -> None:
        self.text, self.operation, self.rank = text, operation, rank or ("relevance" if text else "severity")
        self.stack, self.category, self.severity, self.scope = stack, category, severity, scope
        self.tag, self.file, self.origin, self.status = tag, file, origin, status
        self.min_confidence, self.limit, self.offset = min_confidence, limit, offset
        self.count, self.explain, self.nothing = count, explain, nothing
        self.kind, self.floor = "", 0.0


def read(text: str, filters: Mapping[str, Any], *, tier: str, stands: Callable[[str, str], bool]) -> Query:
    """The query in keyword arguments, for a log of `tier`. `stands(name, word)` says whether a word that is not in the
    vocabulary stands in the log. Raises `InvalidValue`; warns of an unknown operation.
    """
    if not isinstance(text, str):
        raise InvalidValue("text", text, "a text")
    made: dict[str, Any] = {"text": text}
    for name, given in filters.items():
        if given is None and name != "limit":
            continue
        if name in _WORDS:
            made[name] = _words(name, given, stands)
        elif name in ("stack", "tag", "file"):
            made[name] = _texts(name, given)
        elif name in _READERS:
            made[name] = _READERS[name](given)
        elif name == "tier":
            made["nothing"] = tier not in tiers(given)
        else:
            raise InvalidValue("filter", name, f"one of {', '.join((*_WORDS, 'stack', 'tag', 'file', 'tier', *_READERS))}")
    rank = made.get("rank")
    if rank is not None and not text and rank not in RANKS_WITHOUT_TEXT:
        raise InvalidValue("rank", rank, f"{' or '.join(RANKS_WITHOUT_TEXT)} when there is no text to rank by")
    return Query(**made)


def _words(name: str, given: object, stands: Callable[[str, str], bool]) -> tuple[str, ...]:
    """Words of the vocabulary, or any that stand in the log."""
    words = _texts(name, given)
    allowed = _WORDS[name]
    for word in words:
        if word not in allowed and (name == "status" or not stands(name, word)):
            more = "" if name == "status" else ", or a word that stands in the log"
            raise InvalidValue(name, word, f"one of {', '.join(allowed)}{more}")
    return words


def _texts(name: str, given: object) -> tuple[str, ...]:
    if isinstance(given, str):
        given = (given,)
    if not isinstance(given, (list, tuple)) or not all(isinstance(one, str) for one in given):
        raise InvalidValue(name, given, "a text or a list of texts")
    return tuple(given)


def tiers(given: object) -> tuple[str, ...]:
    """Names of tiers. Raises `InvalidValue`."""
    names = _texts("tier", given)
    for name in names:
        if name not in TIERS:
            raise InvalidValue("tier", name, f"one of {', '.join(TIERS)}")
    return names


def _operation(given: object) -> str | None:
    if not isinstance(given, str):
        raise InvalidValue("operation", given, "the name of an operation")
    if given in OPERATIONS:
        return given
    import warnings
    from difflib import get_close_matches

    near = get_close_matches(given, OPERATIONS, 1)
    hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(OPERATIONS)}"
    warnings.warn(f"unknown operation {given!r}, so no category filter{hint}", stacklevel=6)
    return None


def _min_confidence(given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 <= given <= 1:
        raise InvalidValue("min_confidence", given, "a number from 0 to 1")
    return round(given * 1000)


def _rank(given: object) -> str:
    if given not in RANKS:
        raise InvalidValue("rank", given, f"one of {', '.join(RANKS)}")
    return str(given)


def _limit(given: object) -> int | None:
    return None if given is None else _count("limit", given)


def _offset(given: object) -> int:
    return _count("offset", given)


def _count(name: str, given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise InvalidValue(name, given, "a whole number, 0 or more")
    return min(given, _LARGEST)


def _truth(name: str, given: object) -> bool:
    if not isinstance(given, bool):
        raise InvalidValue(name, given, "true or false")
    return given


_READERS: dict[str, Callable[[object], object]] = {
    "operation": _operation,
    "min_confidence": _min_confidence,
    "rank": _rank,
    "limit": _limit,
    "offset": _offset,
    "count": lambda given: _truth("count", given),
    "explain": lambda given: _truth("explain", given),
}
