"""How much a learning matters to the words of a query: whole-number arithmetic, so that every place that ranks agrees. Pure.

Text is ranked by BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) over weighted fields, in two
halves. The *level* of a word in a learning (1 to 63) depends on that learning alone, with a fixed pivot length in place of the
average one; it is made when the learning is indexed. The *weight* of a word (its inverse document frequency) is made when it is
asked for. Their products are summed and tempered by confidence and severity.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

TITLE, TAG = 6, 3
"""How often a word in the title or key, or in a tag, counts; in the body once."""
SATURATION, LENGTH_SHARE, PIVOT = 1.2, 0.75, 90
"""BM25's k1 and b, and the number of words of a learning that is neither long nor short."""
LEVELS = 63

CONFIDENCE_LEAST, CONFIDENCE_SHARE = 700, 300
"""What confidence 0 leaves of a relevance, in thousandths, and what confidence 1 adds to that."""
SEVERITY_WEIGHT = {"critical": 110, "high": 105, "medium": 100, "low": 95}
"""Per cent."""
SEVERITY_LEAST = 95
SCORE_UNIT = LEVELS * 1000 * 1000 * 100
"""A product of level, weight, confidence and severity that is shown as 1."""

HALF_LIFE_DAYS = 90
"""With `rank=keywords`, a learning of this age counts half."""


def counted(title: Sequence[str], key: Sequence[str], tags: Sequence[str], body: Sequence[str]) -> dict[str, int]:
    """How often each word stands in a learning, from the words of its fields; in a title, key or tag more than once a time.

    >>> counted(["lock"], [], [], ["a", "lock"])
    Counter({'lock': 7, 'a': 1})
    """
    from collections import Counter

    found: dict[str, int] = Counter(body)  # counting in C: this is a tenth of what making an index costs
    for words, times in ((title, TITLE), (key, TITLE), (tags, TAG)):
        for word in words:
            found[word] = found.get(word, 0) + times
    return found


def level(times: int, length: int) -> int:
    """The level of a word that counts so many `times` in a learning of `length` words.

    >>> level(1, 4), level(7, 4), level(1, 400)
    (47, 60, 12)
    """
    worn = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length / PIVOT)
    return max(1, round(LEVELS * times / (times + worn)))


def weight(documents: int, holding: int) -> int:
    """The weight of a word that `holding` of `documents` learnings have, in thousandths; at least 1.

    >>> weight(1000, 1), weight(1000, 999)
    (6503, 1)
    """
    from math import log

    return max(1, round(1000 * log(1 + (documents - holding + 0.5) / (holding + 0.5))))


def temper(confidence: int, severity: str) -> int:
    """What confidence (effective, thousandths) and severity make of a relevance: a factor to multiply it with.

    >>> temper(1000, "medium"), temper(0, "low") <= temper(500, "nonsense")
    (100000, True)
    """
    share = CONFIDENCE_LEAST + CONFIDENCE_SHARE * confidence // 1000
    return share * SEVERITY_WEIGHT.get(severity, SEVERITY_LEAST)


def shown(score: int) -> float:
    """A score as it is shown.

    >>> shown(SCORE_UNIT)
    1.0
    """
    return round(score / SCORE_UNIT, 6)


def unshown(score: float) -> int:
    """The least score that is shown so.

    >>> shown(unshown(0.731)) in (0.731, 0.730999), unshown(0.0)
    (True, 0)
    """
    return max(0, int((score - 0.000001) * SCORE_UNIT))


def reasons(words: Mapping[str, int], confidence: int, severity: str, *, pinned: bool) -> dict[str, Any]:
    """A relevance taken apart: the sum of `words`, times the two factors, is the score as it is shown.

    >>> reasons({"lock": 63000}, 500, "high", pinned=False)
    {'words': {'lock': 1.0}, 'confidence_factor': 0.85, 'severity_factor': 1.05, 'pinned': False}
    """
    return {
        "words": {word: round(adds / (LEVELS * 1000), 6) for word, adds in words.items()},
        "confidence_factor": (CONFIDENCE_LEAST + CONFIDENCE_SHARE * confidence // 1000) / 1000,
        "severity_factor": SEVERITY_WEIGHT.get(severity, SEVERITY_LEAST) / 100,
        "pinned": pinned,
    }


def keywords(asked: set[str], keywords_: set[str], confidence: int, age_days: float) -> float:
    """amplihack's rank: the share of common keywords in the smaller set, times confidence, times recency (half after
    `HALF_LIFE_DAYS`). 0 when there is nothing in common.

    >>> keywords({"git", "lock"}, {"git", "hook", "ci"}, 800, 90)
    0.2
    """
    common = len(asked & keywords_)
    if not common:
        return 0.0
    recency = 0.5 ** (max(0, int(age_days)) / HALF_LIFE_DAYS)  # of whole days: a score that changes while one looks is none
    return float(round(common / min(len(asked), len(keywords_)) * confidence / 1000 * recency, 9))


def precedent(asked: Iterable[str], tags: set[str], title: set[str], category: str) -> float:
    """The precedents' rank: two for each word that is a tag, one for each in the title, one when a word is the category.

    >>> precedent(["auth", "trade-off"], {"auth", "jwt"}, {"auth", "by", "jwt"}, "trade-off")
    4.0
    """
    words = list(asked)
    found = sum(2 * (word in tags) + (word in title) for word in words)
    return float(found + (1 if category in words else 0)) if found else 0.0
