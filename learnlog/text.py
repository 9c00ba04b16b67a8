"""Text to tokens, one way for index, query and similarity; and how alike two texts are. Pure; knows nothing of ranking.

NFC and case-folded; an identifier gives itself and its parts (`snake_case`, `CamelCase`, `kebab-case`, `a.b.c`, `C++`), an
English word its stem, a run of a script without spaces its characters and the pairs of neighbours. No character is an
operator and none is an error. Text is taken apart at white space, and what a piece gives is remembered, so that a text of
500 characters costs a few look-ups; what was seen before never changes an answer.
"""

from __future__ import annotations

from itertools import chain

from learnlog.stemming import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Found = tuple[str, bool]
    """A token, and whether similarity counts it."""

LONGEST_TOKEN = 64
"""Characters of a token; what is longer is cut there, so that a page of base64 does not fill an index."""
_MOST_PARTS = 64
"""When an identifier has given as many tokens, the rest of its pieces give none: for the same reason."""
_MOST_PARTS_OF_WORD = 12
"""A word of more parts is nobody's `CamelCase` but a key, a hash or base64."""
_REMEMBERED = 200_000
_LONGEST_REMEMBERED = 128
"""Pieces of text whose tokens are kept, and the characters of one: most addresses of pages are shorter."""
_LONG = 4
"""Letters that a word needs to count for similarity, as it is written (IN-observe)."""

_COMMON = (
    "a an and are as at be been but by can did do for from had has how i if in into is it me my of on or our s so t that the"
    " them then there they to us was we were what when which who will with you"
)
COMMON = frozenset(_COMMON.split())
"""English words, as tokens, that say nothing about what a query is after: articles, pronouns, prepositions, auxiliaries;
and the `s` and `t` of `it's` and `don't`."""

_JOINERS = "-./:'+#"
"""One of these between two characters of words makes one identifier of them; elsewhere it parts, but see `_runs`."""
_PARTING = str.maketrans(dict.fromkeys(_JOINERS + "_", " "))
_ASCII = "".join(one if one.isalnum() or one in _JOINERS + "_" else " " for one in map(chr, range(128)))
"""What each ASCII character is when runs are looked for: itself, or a space."""
_OPENING, _CLOSING = "\"'`([{<*_", "\"'`)]}>*_.,;:!?"
"""What often stands around a word and only parts it: for the usual case, which needs no search for runs."""
_INSTEAD = {one: one for one in _JOINERS + "_"} | {"’": "'", "\u2010": "-", "\u2011": "-", "\u200b": " "}
"""What a character beyond those of words becomes, if not a space: typographic ones the joiner they stand for. The last is
the one invisible character that parts; the others are passed over.
"""
_SELECTORS = (("\u034f", "\u034f"), ("\u180b", "\u180f"), ("\ufe00", "\ufe0f"), ("\U000e0100", "\U000e01ef"))
"""Marks that only choose between two looks of the character before them."""
_IDEOGRAPHIC = (
    ("\u1100", "\u11ff"),  # Korean letters
    ("\u3005", "\u3007"),  # 々 〆 〇
    ("\u3040", "\u31ff"),  # Japanese syllables, Bopomofo, Korean letters
    ("\u3400", "\u4dbf"),
    ("\u4e00", "\u9fff"),
    ("\ua960", "\ua97f"),
    ("\uac00", "\ud7ff"),  # Korean syllables
    ("\uf900", "\ufaff"),
    ("\uff66", "\uffdc"),  # half-width
    ("\U00016fe0", "\U00018d8f"),
    ("\U0001aff0", "\U0001b2ff"),
    ("\U00020000", "\U0003fffd"),
)
_UNSPACED = (
    ("\u0e00", "\u0eff"),  # Thai, Lao
    ("\u1000", "\u109f"),  # Burmese
    ("\u1780", "\u17ff"),  # Khmer
)
_WORDS, _CHARACTERS, _PAIRS = "words", "characters", "pairs"
"""What a run of a script gives: identifiers; characters and pairs; pairs and the whole, where a letter alone says nothing."""
_MARK, _HIDDEN, _BETWEEN = "mark", "hidden", "parts"
"""The other kinds of character: stands on one; changes no word; is between words."""
_MOST_MARKS = 30
"""Marks of one character that count, as in Unicode's stream-safe form: the time for the normal form grows with their square."""


def tokens(text: str) -> list[str]:
    """The tokens of `text`, in order, with repeats.

    >>> tokens("Use getUserName, 脚本")
    ['use', 'getusername', 'getusernam', 'get', 'user', 'name', '脚', '脚本', '本']
    """
    return list(chain.from_iterable(map(_TOKENS.__getitem__, text.split())))


def query_words(text: str) -> list[str]:
    """The distinct tokens of a query, in order, without common English words, unless there are no others.

    >>> query_words("how to undo the last rebase"), query_words("to be or not to be")
    (['undo', 'last', 'rebas'], ['not'])
    >>> query_words("what is it")
    ['what', 'is', 'it']
    """
    every = list(dict.fromkeys(tokens(text)))
    return [token for token in every if token not in COMMON] or every


def words_for_similarity(text: str) -> frozenset[str]:
    """The set of words that similarity compares: those written with four letters and more; when there is none, every token.

    So a text without long words, and one without spaces between them, still has something to compare.
    """
    return frozenset(chain.from_iterable(map(_COUNTED.__getitem__, text.split()))) or frozenset(tokens(text))


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """The Jaccard similarity of two sets of words, 0 to 1; two empty sets have nothing in common: 0.

    >>> similarity(frozenset("abc"), frozenset("bcd"))
    0.5
    """
    if not one or not other:
        return 0.0
    common = len(one & other)
    return common / (len(one) + len(other) - common)


class _Remembered(dict[str, "Any"]):
    """What a function gives for a piece of text; forgets all of it when there is too much, and long pieces at once.

    Threads may share it: each step on the dictionary is whole, and no answer depends on what another thread does to it.
    """

    def __init__(self, function: Callable[[str], Any]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, piece: str) -> Any:
        found = self._function(piece)
        if len(piece) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[piece] = found
        return found


def _tokens_of(piece: str) -> tuple[str, ...]:
    word = piece.lstrip(_OPENING).rstrip(_CLOSING)
    if word.isascii() and word.isalpha() and word.islower():  # most pieces of most texts
        return (_STEMS[word[:LONGEST_TOKEN]],)
    return tuple([token for token, _ in _found(piece)])


def _found(piece: str) -> Iterator[Found]:
    """What a piece of text without white space gives, in order."""
    if piece.isascii():
        yield from chain.from_iterable(map(_IDENTIFIERS.__getitem__, _runs(piece.translate(_ASCII))))
        return
    for script, run in _scripts(piece):
        if script is _WORDS:
            yield from chain.from_iterable(map(_IDENTIFIERS.__getitem__, _runs(run)))
        else:
            yield from _without_spaces(run, script)


def _runs(text: str) -> Iterator[str]:
    """The identifiers in `text`, which holds nothing but spaces, joiners and characters of words.

    A joiner between two characters of words belongs to them, and so do two more: those after `C++` and `C#`, and the dot
    before `.NET` and `.gitignore`.
    """
    for part in text.split():
        at, end = 0, len(part)
        while at < end:
            if part[at] in _JOINERS:
                at += 1
                continue
            start = at
            while at < end and (part[at] not in _JOINERS or (at + 1 < end and part[at + 1] not in _JOINERS)):
                at += 1
            while at < end and part[at] in "+#":
                at += 1
            dotted = part[start].isalpha() and part[start - 1 : start] == "." and part[start - 2 : start - 1] != "."
            yield "." + part[start:at] if dotted else part[start:at]


def _identifier(run: str) -> tuple[Found, ...]:
    """An identifier whole, then its pieces between joiners, each with its parts, none of them twice; of one word, its stem."""
    if run.isalpha() and (run.islower() or run.istitle()):
        folded = _folded(run)  # most words of most texts
        return ((_STEMS[folded], len(folded) >= _LONG),)
    whole = run.lstrip("_-/:'+#").rstrip("_-./:'")
    pieces = whole.translate(_PARTING).split()
    found: dict[str, bool] = {}
    if pieces and pieces != [whole]:
        folded = _folded(whole)
        found[folded] = len(folded) >= _LONG
        if len(pieces) == 1 and len(pieces[0]) == 1 and whole[-1] in "+#":
            pieces = []  # the letter of `C++` is no part of it: it would be found by every `c`
    for piece in pieces:
        if len(found) >= _MOST_PARTS:
            break
        for token, counts in _word(piece):
            found[token] = counts or found.get(token, False)
    return tuple(found.items())


def _word(word: str) -> Iterator[Found]:
    """What a word without joiners gives: a plain one its stem; one like `CamelCase` itself, its stem, and its parts."""
    parts = _parts(word)
    folded = _folded(word)
    if len(parts) > 1:
        yield folded, False
    yield _STEMS[folded], len(folded) >= _LONG  # of both: `SubProcesses` is found by `subprocesses`, which is a plain word
    if len(parts) > 1:
        for part in map(_folded, parts):
            yield _STEMS[part], len(part) >= _LONG


def _parts(word: str) -> list[str]:
    """Where case and digits say that a word is made of several: `getHTTPResponse2` is get, HTTP, Response and 2."""
    if len(word) > LONGEST_TOKEN or (word.isalpha() and (word.islower() or word.isupper() or word.istitle())):
        return [word]
    cuts = [0]
    last = 0
    for at, character in enumerate(word):
        if not character.isalnum():
            continue  # a mark belongs to what it stands on
        before = word[last]
        if character.isdecimal() != before.isdecimal() or (character.isupper() and before.islower()):
            cuts.append(at)
        elif character.islower() and before.isupper() and last > cuts[-1] and not _is_plural(word, at):
            cuts.append(last)
        last = at
    if len(cuts) > _MOST_PARTS_OF_WORD:
        return [word]
    return [word[start:end] for start, end in zip(cuts, [*cuts[1:], len(word)], strict=True)]


def _is_plural(word: str, at: int) -> bool:
    """Whether the letter there is the `s` of `URLs`."""
    return word[at] == "s" and not word[at + 1 : at + 2].islower()


def _folded(word: str) -> str:
    """The word as a token: case-folded, no longer than one may be."""
    return (word.lower() if word.isascii() else _caseless(word))[:LONGEST_TOKEN]


def _caseless(text: str) -> str:
    """The case-folded form of a text in its normal form: folding takes some characters apart, hence once more."""
    from unicodedata import normalize

    return normalize("NFC", text.casefold())


def _scripts(piece: str) -> Iterator[tuple[str, str]]:
    """The runs of a piece beyond ASCII, each with what it gives; a mark goes with what it stands on."""
    from unicodedata import normalize

    kind_of = _KINDS.__getitem__
    script, run, stands = _WORDS, "", False
    for character in normalize("NFC", _shown(piece)):
        kind = kind_of(character)
        if kind is _MARK:
            kind, character = (script, character) if stands else (_WORDS, " ")
        elif kind is _BETWEEN:
            kind, character, stands = _WORDS, _INSTEAD.get(character, " "), False
        else:
            stands = True
        if kind is not script:
            yield script, run
            script, run = kind, ""
        run += character
    yield script, run


def _shown(piece: str) -> str:
    """A piece without what only changes how its characters look: joiners, soft hyphens, selectors; or marks without end."""
    shown = []
    marks = 0
    for character in piece:
        kind = _KINDS[character]
        marks = marks + 1 if kind is _MARK else marks if kind is _HIDDEN else 0
        if kind is not _HIDDEN and marks <= _MOST_MARKS:
            shown.append(character)
    return "".join(shown)


def _kind(character: str) -> str:
    """What a character is for `_scripts`."""
    from unicodedata import category

    if character.isalnum():
        return _CHARACTERS if _within(character, _IDEOGRAPHIC) else _PAIRS if _within(character, _UNSPACED) else _WORDS
    kind = category(character)
    if (kind in ("Cf", "Me") and character not in _INSTEAD) or _within(character, _SELECTORS):
        return _HIDDEN
    return _MARK if kind[0] == "M" else _BETWEEN


def _within(character: str, ranges: tuple[tuple[str, str], ...]) -> bool:
    return any(first <= character <= last for first, last in ranges)


def _without_spaces(run: str, script: str) -> Iterator[Found]:
    """A run of a script without spaces between words: its characters, each with its marks, and the pairs of neighbours."""
    characters: list[str] = []
    for character in run if run.isalnum() else _caseless(run):  # these scripts have no case, but a mark may have
        if character.isalnum():
            characters.append(character)
        else:
            characters[-1] += character
    if script is _PAIRS and len(characters) != 2:
        yield "".join(characters)[:LONGEST_TOKEN], False
    before = ""
    for character in characters:
        if before:
            yield (before + character)[:LONGEST_TOKEN], True
        if script is _CHARACTERS:
            yield character[:LONGEST_TOKEN], False
        before = character


_KINDS = _Remembered(_kind)
_TOKENS = _Remembered(_tokens_of)
_COUNTED = _Remembered(lambda piece: tuple([token for token, counts in _found(piece) if counts]))
_IDENTIFIERS = _Remembered(_identifier)
_STEMS = _Remembered(stem)
