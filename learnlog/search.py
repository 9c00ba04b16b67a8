"""The reference search: filters and orders over a folded state in plain Python. What an index answers, this says.

Pure: the state and the moment come in, learnings go out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import UNSET

from learnlog.events import time_ms
from learnlog.fold import State
from learnlog.model import CONTENT_FIELDS, EXACT_TOTAL, Hit, Hits, Query
from learnlog.policy import decay
from learnlog.reduce import Folded
from learnlog.shown import value
from learnlog.text import tokens
from learnlog.vocabulary import matters_to, severity_rank


def effective_confidence(folded: Folded, now_ms: int) -> int:
    """The confidence at `now_ms`, in thousandths."""
    return decay.effective(value(folded, "confidence"), value(folded, "origin"), _moment(folded.aged), now_ms)


def _moment(text: str) -> int | None:
    """The moment a text names; None for one that nobody can read, as another program may have sealed it (fault 31)."""
    try:
        return time_ms(text)
    except ValueError:
        return None


def search(state: State, query: Query, *, tier: str, now_ms: int) -> Hits:
    """The page of learnings that `query` asks for.

    Without text the order is severity, then newest; with `rank="confidence"` effective confidence, then newest; with text
    the number of the query's words that stand in the learning comes first. Equal ones are ordered by the event id of
    their last change, the later first, so that an order never depends on chance.
    """
    wanted = set(tokens(query.text))
    found = []
    for folded in state.learnings.values():
        if not _passes(folded, query, now_ms):
            continue
        score = None
        if wanted:
            score = float(len(wanted & _words(folded)))
            if not score:
                continue
        found.append((score, folded))
    if query.text and not wanted:
        found = []
    found.sort(key=_order(query, now_ms), reverse=True)
    end = None if query.limit is None else query.offset + query.limit
    page = [hit(state, one, tier=tier, now_ms=now_ms, score=score) for score, one in found[query.offset : end]]
    total = len(found) if query.count or len(found) <= EXACT_TOTAL else None
    return Hits(page, total=total, more=end is not None and end < len(found))


def hit(state: State, folded: Folded, *, tier: str, now_ms: int, score: float | None = None) -> Hit:
    """A folded learning as it is shown at `now_ms`."""
    shown = {name: value(folded, name) for name in CONTENT_FIELDS}
    shown["confidence"] = shown["confidence"] / 1000
    shown["date"] = folded.changed[:10] or None
    ref = state.ref(folded.uid)
    return Hit(
        ref=ref,
        uid=folded.uid,
        tier=tier,
        status=folded.status,
        effective_confidence=effective_confidence(folded, now_ms) / 1000,
        trusted=False,
        created=folded.created or None,
        updated=folded.changed or None,
        last_confirmed=None,
        pinned=False,
        muted=False,
        uses=0,
        aliases=tuple(one for one in (*folded.stored, *folded.native) if one != ref),
        actor=folded.actor,
        defaulted=tuple(name for name in CONTENT_FIELDS if getattr(folded.content, name) is UNSET),
        event=folded.last,
        score=score,
        **shown,
    )


def _passes(folded: Folded, query: Query, now_ms: int) -> bool:
    return (
        (not query.status or folded.status in query.status)
        and (not query.severity or value(folded, "severity") in query.severity)
        and (not query.category or value(folded, "category") in query.category)
        and (not query.scope or value(folded, "scope") in query.scope)
        and (not query.origin or value(folded, "origin") in query.origin)
        and (not query.tag or _overlap(query.tag, value(folded, "tags")))
        and (not query.stack or not value(folded, "stack") or _overlap(query.stack, value(folded, "stack")))
        and (not query.file or any(_names_file(pattern, value(folded, "files")) for pattern in query.file))
        and (query.operation is None or matters_to(query.operation, value(folded, "category")))
        and (not query.min_confidence or effective_confidence(folded, now_ms) >= query.min_confidence)
    )


def _overlap(wanted: Iterable[str], there: Iterable[str]) -> bool:
    return not {word.casefold() for word in wanted}.isdisjoint(word.casefold() for word in there)


def _names_file(pattern: str, files: tuple[str, ...]) -> bool:
    """Whether one of `files` is the path, lies in the folder, or fits the shell pattern."""
    from fnmatch import fnmatchcase

    folder = pattern.rstrip("/") + "/"
    return any(file == pattern or file.startswith(folder) or fnmatchcase(file, pattern) for file in files)


def _words(folded: Folded) -> set[str]:
    texts = [value(folded, name) for name in ("title", "key", "body")]
    return {token for text in (*texts, *value(folded, "tags")) if text for token in tokens(text)}


def _order(query: Query, now_ms: int) -> Callable[[tuple[float | None, Folded]], tuple[Any, ...]]:
    def key(found: tuple[float | None, Folded]) -> tuple[Any, ...]:
        score, folded = found
        if query.rank == "confidence":
            first = effective_confidence(folded, now_ms)
        else:
            first = -severity_rank(value(folded, "severity"))
        return (score or 0.0, first, folded.changed, folded.changed_by)

    return key
