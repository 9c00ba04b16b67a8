"""What makes two learnings the same one: the pair of category and key, folded for comparison; pure."""

from __future__ import annotations

from unicodedata import normalize

from xxhash import xxh3_64_intdigest

from learnlog.model import Content
from learnlog.vocabulary import DEFAULT_CATEGORY

Pair = tuple[str, str]


def folded(text: str) -> str:
    """`text` as it is compared: NFC and case-folded (fault 21).

    >>> folded("Caf\\u0065\\u0301") == folded("CAF\\u00c9")
    True
    """
    if text.isascii():
        return text.lower()
    return normalize("NFC", normalize("NFC", text).casefold())


def pair_of(content: Content) -> Pair | None:
    """The folded (category, key) of a learning, or None when it has no key. An absent category is `technical`."""
    if not isinstance(content.key, str) or not content.key:
        return None
    category = content.category if isinstance(content.category, str) else DEFAULT_CATEGORY
    return folded(category), folded(content.key)


def as_number(text: str) -> int:
    """A key or title as it is compared over tiers (spaces folded too), as a number that a database holds: XXH3-64 less 2**63.

    >>> as_number("Two  words") == as_number("two words") != as_number("twowords")
    True
    """
    return xxh3_64_intdigest(" ".join(folded(text).split()).encode("utf-8", "surrogatepass")) - (1 << 63)
