"""Text to tokens, one way for index, query and similarity; and how alike two texts are. Pure.

NFC and case-folded; an identifier gives itself and its parts (`snake_case`, `CamelCase`, `kebab-case`, `a.b.c`); a run of
Chinese, Japanese or Korean gives its characters and the pairs of neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from unicodedata import normalize

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0003fffd"
_RUN = rf"[{_CJK}]+|[^\W_](?:[^\W{_CJK}]|[-./:'’+#](?=[^\W{_CJK}])|[+#](?![^\W{_CJK}]))*"
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")
_SPLIT = re.compile(r"[-./:'’+#_]+")
_LONG = 4
"""Letters that a word needs to count for similarity (IN-observe)."""


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A run of characters that belong together, and one character of a script without spaces. Compiled when first used:
    that takes as long as starting the interpreter.
    """
    return re.compile(_RUN), re.compile(rf"[{_CJK}]")


def tokens(text: str) -> Iterator[str]:
    """The tokens of `text`, in order, with repeats.

    >>> list(tokens("Use getUserName, 脚本"))
    ['use', 'getusername', 'get', 'user', 'name', '脚', '脚本', '本']
    """
    runs, is_cjk = _patterns()
    for match in runs.finditer(normalize("NFC", text)):
        run = match[0]
        if is_cjk.match(run):
            yield from _characters_and_pairs(run)
        else:
            yield from _identifier(run)


def _characters_and_pairs(run: str) -> Iterator[str]:
    for at, character in enumerate(run):
        yield character
        if at + 1 < len(run):
            yield run[at : at + 2]


def _identifier(run: str) -> Iterator[str]:
    whole = run.casefold()
    yield whole
    pieces = [piece for piece in _SPLIT.split(run) if piece]
    parts = [part for piece in pieces for part in (_CAMEL.findall(piece) if piece.isascii() else [piece])]
    if len(parts) > 1:
        seen = {whole}
        for piece in (*pieces, *parts):
            folded = piece.casefold()
            if folded not in seen:
                seen.add(folded)
                yield folded


def words_for_similarity(text: str) -> frozenset[str]:
    """The set of words that similarity compares: those of four letters and more; when there is none, every token.

    So a text without long words, and one without spaces between them, still has something to compare.
    """
    every = list(tokens(text))
    is_cjk = _patterns()[1]
    long = frozenset(token for token in every if len(token) >= _LONG)
    pairs = frozenset(token for token in every if len(token) == 2 and is_cjk.match(token))
    return long | pairs or frozenset(every)


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """The Jaccard similarity of two sets of words, 0 to 1; two empty sets have nothing in common: 0.

    >>> similarity(frozenset("abc"), frozenset("bcd"))
    0.5
    """
    if not one or not other:
        return 0.0
    common = len(one & other)
    return common / (len(one) + len(other) - common)
