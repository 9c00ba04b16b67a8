"""Which of many titles say nearly the same: all against all, without comparing each with each; pure.

Two sets of words as alike as `LEAST` share one of the rarest words of each (Chaudhuri and others, "A Primitive Operator for
Similarity Joins in Data Cleaning", 2006): only titles that share such a word are compared, and of those a bounded number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice

from learnlog.text import similarity, words_for_similarity

LEAST = 0.6
"""The similarity from which two titles are taken for the same, as `observe` does."""
SHOWN = 5
"""Of the titles that are near one, so many are named."""
COMPARED, LEAST_COMPARED = 1_000_000, 50
"""Comparisons altogether, as many for each title (so many at least), those first that share its rarest word: among 5,000 titles
200 for each. Only where more share the rarest words can a pair be missed."""

_ENOUGH = 20
"""Of a title that is near so many others no more are looked for: where hundreds say the same, five are as good as any."""

Near = list[tuple[float, int]]
"""(similarity, position) of titles, the nearest first."""


def near_ones(titles: Sequence[str]) -> dict[int, Near]:
    """For the position of each title that is near another one: the positions of those. A title without words is near none.

    >>> near_ones(["retry flaky network tests", "sort imports", "flaky network tests: retry", "retry network tests"])
    {0: [(1.0, 2), (0.75, 3)], 2: [(1.0, 0), (0.75, 3)], 3: [(0.75, 0), (0.75, 2)]}
    """
    groups: dict[frozenset[str], list[int]] = {}
    for at, title in enumerate(titles):
        words = words_for_similarity(title)
        if words:
            groups.setdefault(words, []).append(at)
    members = list(groups.values())
    near: dict[int, list[tuple[float, int]]] = {group: [] for group in range(len(members))}
    for one, other, likeness in _pairs(list(groups)):
        near[one].append((likeness, other))
        near[other].append((likeness, one))
    found = {}
    for group, alike in near.items():
        beside = [(likeness, at) for likeness, other in _nearest(alike) for at in members[other][:SHOWN]]
        same = [(1.0, at) for at in members[group][: SHOWN + 1]]
        for at in members[group]:
            nearest = _nearest([one for one in (*same, *beside) if one[1] != at])
            if nearest:
                found[at] = nearest
    return dict(sorted(found.items()))


def _nearest(near: Iterable[tuple[float, int]]) -> Near:
    return sorted(near, key=lambda one: (-one[0], one[1]))[:SHOWN]


def _pairs(sets: Sequence[frozenset[str]]) -> Iterable[tuple[int, int, float]]:
    """(position, position, similarity) of the pairs of different sets that are near."""
    counts: dict[str, int] = {}
    for words in sets:
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    holding: dict[str, list[int]] = {}
    most = max(COMPARED // max(len(sets), 1), LEAST_COMPARED)
    for at, words in enumerate(sets):
        by_rarity = sorted(words, key=lambda word: (counts[word], word))
        rare = by_rarity[: len(words) + (-6 * len(words)) // 10 + 1]  # all but so many as two sets have in common, and one
        seen: set[int] = set()
        found = 0
        for other in islice(chain.from_iterable(holding.get(word, ()) for word in rare), most):
            if found == _ENOUGH:
                break
            if other in seen:
                continue
            seen.add(other)
            likeness = similarity(words, sets[other])
            if likeness >= LEAST:
                found += 1
                yield other, at, round(likeness, 4)
        for word in rare:
            holding.setdefault(word, []).append(at)
