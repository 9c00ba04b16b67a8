"""The stem of an English word, so that `locks`, `locked` and `locking` are found by `lock`. Pure; knows no other language.

The rules are those of the English (Porter2) stemmer of the Snowball project, as published at
https://snowballstem.org/algorithms/english/stemmer.html with the revisions up to Snowball 3.1. `tests/test_stemming.py` holds
them to the `snowballstemmer` package, word by word. Ours for one reason: that package takes longer to import than a
search may take.
"""

from __future__ import annotations

_VOWELS = "aeiouy"
_OTHERS = "bcdfghjklmnpqrstvwxzY"
"""The letters that are not vowels; a `y` that is none is written `Y` while a word is stemmed."""

_SPECIAL = {
    "skies": "sky",
    "skis": "ski",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
    **dict.fromkeys(("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")),
}
"""Words whose stem no rule gives; None: the word itself."""

_HEADS = ("arsen", "commun", "emerg", "gener", "inter", "later", "organ", "past", "univers")
"""Beginnings that would lose too much: what follows them is the first region."""

_NOT_EED = frozenset(("proc", "exc", "succ"))
_NOT_ING = frozenset(("inn", "out", "cann", "herr", "earr", "even"))
_DOUBLES = frozenset(("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"))
_LI_AFTER = "cdeghkmnrt"

Rules = dict[str, list[tuple[str, str]]]


def _by_last_letter(table: str) -> Rules:
    """The rules `suffix>replacement` of a table, by the last letter of the suffix, the longest first."""
    rules: Rules = {}
    for rule in table.split():
        suffix, _, replacement = rule.partition(">")
        rules.setdefault(suffix[-1], []).append((suffix, replacement))
    for same_letter in rules.values():
        same_letter.sort(key=lambda pair: -len(pair[0]))
    return rules


_STEP_2 = _by_last_letter(
    "tional>tion enci>ence anci>ance abli>able entli>ent izer>ize ization>ize ational>ate ation>ate ator>ate alism>al"
    " aliti>al alli>al fulness>ful ousli>ous ousness>ous iveness>ive iviti>ive biliti>ble bli>ble ogist>og ogi>og"
    " fulli>ful lessli>less li>"
)
_STEP_3 = _by_last_letter("tional>tion ational>ate alize>al icate>ic iciti>ic ical>ic ful> ness> ative>")
_STEP_4 = _by_last_letter("al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ism> ate> iti> ous> ive> ize> ion>")


def stem(word: str) -> str:
    """The stem of `word`, which is lower case; whatever is not made of the letters a to z is its own stem.

    >>> [stem(word) for word in ("locking", "caches", "retries", "generically", "für")]
    ['lock', 'cach', 'retri', 'generic', 'für']
    """
    if len(word) < 3 or not (word.isascii() and word.isalpha() and word.islower()):
        return word
    if word in _SPECIAL:
        return _SPECIAL[word] or word
    if "y" in word:
        word = _mark(word)
    first, second = _regions(word)
    word = _final_y(_verb(_plural(word), first))
    if first < len(word):
        word = _derived(word, first, second)
    return word.lower() if "Y" in word else word


def _mark(word: str) -> str:
    """The word with each `y` that begins it, or that follows a vowel, as `Y`."""
    letters = list(word)
    for at, letter in enumerate(letters):
        if letter == "y" and (at == 0 or letters[at - 1] in _VOWELS):
            letters[at] = "Y"
    return "".join(letters)


def _regions(word: str) -> tuple[int, int]:
    """Where the two regions begin: each after the first letter that is no vowel and follows one."""
    length = len(word)
    if word.startswith(_HEADS):
        first = next(len(head) for head in _HEADS if word.startswith(head))
    else:
        first = length - len(_region(word))
    return first, length - len(_region(word[first:]))


def _region(text: str) -> str:
    return text.lstrip(_OTHERS).lstrip(_VOWELS)[1:]


def _has_vowel(text: str) -> bool:
    return text.strip(_OTHERS) != ""


def _plural(word: str) -> str:
    """Step 1a."""
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word[-1] == "s" and not word.endswith(("us", "ss")) and _has_vowel(word[:-2]):
        return word[:-1]
    return word


def _verb(word: str, first: int) -> str:
    """Step 1b: the endings of verbs."""
    adverb = word.endswith("ly")
    end = word[:-2] if adverb else word
    if end.endswith("eed"):
        kept = end[:-3]
        return end[:-1] if len(kept) >= first and kept not in _NOT_EED else word
    if end.endswith("ed"):
        kept = end[:-2]
    elif end.endswith("ing"):
        kept = end[:-3]
        if kept in _NOT_ING and not adverb:
            return word
        if len(kept) == 2 and kept[1] == "y" and kept[0] in _OTHERS and not adverb:
            return kept[0] + "ie"
    else:
        return word
    return _mended(kept, first) if _has_vowel(kept) else word


def _mended(word: str, first: int) -> str:
    """What is left of a verb, with the `e` it lost or without the letter that was doubled."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if word[-2:] in _DOUBLES:
        return word if word[:-2] in ("a", "e", "o") else word[:-1]
    return word + "e" if len(word) == first and _ends_short(word) else word


def _ends_short(word: str) -> bool:
    """Whether the word ends in a short syllable."""
    if len(word) == 2:
        return word[0] in _VOWELS and word[1] in _OTHERS
    if word.endswith("past"):
        return True
    end = word[-3:]
    return len(end) == 3 and end[0] in _OTHERS and end[1] in _VOWELS and end[2] in _OTHERS and end[2] not in "wxY"


def _final_y(word: str) -> str:
    """Step 1c."""
    return word[:-1] + "i" if len(word) > 2 and word[-1] in "yY" and word[-2] in _OTHERS else word


def _derived(word: str, first: int, second: int) -> str:
    """Steps 2 to 5: the endings that make one kind of word of another."""
    for suffix, replacement in _STEP_2.get(word[-1], ()):
        if word.endswith(suffix):
            kept = word[: -len(suffix)]
            if len(kept) >= first and _fits(kept, suffix):
                word = kept + replacement
            break
    for suffix, replacement in _STEP_3.get(word[-1], ()):
        if word.endswith(suffix):
            kept = word[: -len(suffix)]
            if len(kept) >= (second if suffix == "ative" else first):
                word = kept + replacement
            break
    for suffix, _ in _STEP_4.get(word[-1], ()):
        if word.endswith(suffix):
            kept = word[: -len(suffix)]
            if len(kept) >= second and _fits(kept, suffix):
                word = kept
            break
    return _without_e(word, first, second)


def _fits(kept: str, suffix: str) -> bool:
    """Whether what stands before a suffix allows its removal: only three of them ask."""
    if suffix == "li":
        return kept[-1:] != "" and kept[-1] in _LI_AFTER
    if suffix == "ogi":
        return kept.endswith("l")
    return suffix != "ion" or kept.endswith(("s", "t"))


def _without_e(word: str, first: int, second: int) -> str:
    """Step 5: the last `e`, and one of a double `l`."""
    end = len(word) - 1
    if word[end] == "e":
        return word[:end] if end >= second or (end >= first and not _ends_short(word[:end])) else word
    return word[:end] if end >= second and word.endswith("ll") else word
