"""What a person's trust holds on to: the words of a learning, as one digest. Pure; who trusts what is `trust`'s."""

from __future__ import annotations

from xxhash import xxh3_128_hexdigest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

WORDS = ("title", "body", "key", "example", "outcome", "stack", "tags", "files", "evidence", "alternatives")
"""The fields that a change of ends a trust. What a learning is classified as, and how sure one is of it, may change."""


def digest(shown: Mapping[str, Any]) -> str:
    """XXH3-128, as 32 hexadecimal digits, of the words of a learning: each text with its length in characters before it.

    >>> digest({"title": "a"}) == digest({"title": "a", "severity": "high"}) != digest({"title": "a", "body": "a"})
    True
    """
    parts = []
    for name in WORDS:
        value = shown.get(name) or ()
        texts = (value,) if isinstance(value, str) else value
        parts.append(f"{len(texts)};" + "".join(f"{len(text)}:{text}" for text in texts))
    return xxh3_128_hexdigest("\n".join(parts).encode("utf-8", "surrogatepass"))
