"""A text's first sentence, as a title: for scripts with and without spaces, and for texts without a stop. Pure."""

from __future__ import annotations

import re

TITLE_CHARACTERS = 500
_STOP = re.compile(
    r"[。！？｡]+[”’」』）)\"']*"
    r"|(?<![.!?])[.!?](?=\s)"
    # Dots in a row and a stop before a bracket or quote end a sentence only where another one begins: `f(a, ...) is`.
    r"|[.!?…]+[\"')\]”’]*(?=\s+[A-ZÀ-ÖØ-Þ])"
    r"|[\r\n\u2028\u2029]+"
)
_NO_END = re.compile(
    r"(?:^|[\s(\[])(?:e\.g|i\.e|etc|vs|cf|ca|approx|incl|resp|no|nr|fig|eq|dr|mr|mrs|st|[^\W\d_]|\d+)\.$", re.I
)
"""A stop that ends no sentence: an abbreviation, an initial, the number of a list's item."""
_LONGEST_NO_END = 16


def first_sentence(text: str) -> str:
    """The first sentence of `text` with its stop, at most 500 characters, cut between words where it has any.

    >>> first_sentence("Use flock, e.g. in C. It is free.")
    'Use flock, e.g. in C. It is free.'
    >>> first_sentence("v6.0.2 is out. Update.")
    'v6.0.2 is out.'
    >>> first_sentence("不要覆盖旧 token。重写时保留。")
    '不要覆盖旧 token。'
    """
    text = text.strip()
    for stop in _STOP.finditer(text, 0, TITLE_CHARACTERS + 1):  # one that stands later would be cut off again
        end = stop.end()
        if not _NO_END.search(text[max(0, end - _LONGEST_NO_END) : end].rstrip()):
            return _cut(text[:end].rstrip())
    return _cut(text)


def _cut(sentence: str) -> str:
    if len(sentence) <= TITLE_CHARACTERS:
        return sentence
    head = sentence[: TITLE_CHARACTERS - 1]
    if not sentence[TITLE_CHARACTERS - 1].isspace():
        # A text without spaces has no word to keep whole: cut where it is.
        shorter = re.sub(r"\s+\S*$", "", head)
        head = shorter if len(shorter) > TITLE_CHARACTERS // 2 else head
    return head.rstrip() + "…"
