"""The reference search: filters, orders and ranks over a folded state in plain Python. What the index answers, this says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from learnlog.fold import State
from learnlog.index.asking import names_file
from learnlog.model import Hit, Hits
from learnlog.policy import ranking
from learnlog.policy.decay import DAY_MS
from learnlog.query import EXACT_TOTAL, Query
from learnlog.reduce import Folded
from learnlog.shown import effective_confidence, hit, moment, value
from learnlog.text import query_words, tokens
from learnlog.vocabulary import matters_to, severity_rank

Scores = dict[str, float | None]
"""uid -> score, of those that match the words; all without a score when there are none."""


def search(state: State, query: Query, *, tier: str, now_ms: int) -> Hits:
    """The page of learnings that `query` asks for."""
    scores = _scores(state, query, now_ms)
    found = [one for one in state.learnings.values() if one.uid in scores and _passes(one, query, now_ms)]
    if query.nothing:
        found = []

    def key(one: Folded) -> tuple[Any, ...]:
        first = effective_confidence(one, now_ms) if query.rank == "confidence" else -severity_rank(value(one, "severity"))
        return (one.pinned, scores[one.uid] or 0, first, one.changed, one.changed_by)

    found.sort(key=key, reverse=True)
    end = None if query.limit is None else query.offset + query.limit
    page = [_hit(state, one, scores[one.uid], query, tier=tier, now_ms=now_ms) for one in found[query.offset : end]]
    total = len(found) if query.count or len(found) <= EXACT_TOTAL else None
    return Hits(page, total=total, more=end is not None and end < len(found))


def _hit(state: State, one: Folded, score: float | None, query: Query, *, tier: str, now_ms: int) -> Hit:
    shown = ranking.shown(int(score)) if score is not None and query.rank == "relevance" else score
    return hit(one, ref=state.ref(one.uid), tier=tier, effective=effective_confidence(one, now_ms), score=shown)


def _scores(state: State, query: Query, now_ms: int) -> Scores:
    every = list(state.learnings.values())
    if not query.text:
        return dict.fromkeys(state.learnings)
    words = query_words(query.text)
    levels = {one.uid: _levels(one) for one in every}
    matching = [one for one in every if any(word in levels[one.uid] for word in words)]
    if query.rank in ("severity", "confidence"):
        return {one.uid: None for one in matching}
    if query.rank == "relevance":
        weights = {word: ranking.weight(len(every), sum(word in found for found in levels.values())) for word in words}
        return {one.uid: _relevance(one, levels[one.uid], weights, now_ms) for one in matching}
    scores = {one.uid: _by_fields(one, words, query.rank, now_ms) for one in matching}
    return {uid: score for uid, score in scores.items() if score}


def _levels(one: Folded) -> dict[str, int]:
    tags = [token for tag in value(one, "tags") for token in tokens(tag)]
    fields = [tokens(value(one, "title")), tokens(value(one, "key") or ""), tags, tokens(value(one, "body"))]
    counted = ranking.counted(*fields)
    length = sum(map(len, fields))
    return {word: ranking.level(times, length) for word, times in counted.items()}


def _relevance(one: Folded, levels: dict[str, int], weights: dict[str, int], now_ms: int) -> int:
    factor = ranking.temper(effective_confidence(one, now_ms), value(one, "severity"))
    return factor * sum(weight * levels.get(word, 0) for word, weight in weights.items())


def _by_fields(one: Folded, words: list[str], rank: str, now_ms: int) -> float:
    tags = {tag.casefold() for tag in value(one, "tags") if tag}
    title = set(tokens(value(one, "title")))
    if rank == "precedent":
        return ranking.precedent(words, tags, title, value(one, "category"))
    since = moment(one.aged)
    age_days = 0.0 if since is None else (now_ms - since) / DAY_MS
    keywords = {token for tag in tags for token in tokens(tag)} or title
    return ranking.keywords(set(words), keywords, effective_confidence(one, now_ms), age_days)


def _passes(folded: Folded, query: Query, now_ms: int) -> bool:
    return (
        (not query.status or folded.status in query.status)
        and (not query.severity or value(folded, "severity") in query.severity)
        and (not query.category or value(folded, "category") in query.category)
        and (not query.scope or value(folded, "scope") in query.scope)
        and (not query.origin or value(folded, "origin") in query.origin)
        and (not query.tag or _overlap(query.tag, value(folded, "tags")))
        and (not query.stack or not value(folded, "stack") or _overlap(query.stack, value(folded, "stack")))
        and (not query.file or any(names_file(pattern, file) for pattern in query.file for file in value(folded, "files")))
        and (query.operation is None or matters_to(query.operation, value(folded, "category")))
        and (not query.min_confidence or effective_confidence(folded, now_ms) >= query.min_confidence)
    )


def _overlap(wanted: Iterable[str], there: Iterable[str]) -> bool:
    return not {word.casefold() for word in wanted}.isdisjoint(word.casefold() for word in there)
