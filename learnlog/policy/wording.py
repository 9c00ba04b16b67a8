"""A learning as `policy.classify` reads it: its words, which of them name a technology, and what may be a file. Pure.

Decides nothing about scope.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from learnlog.policy.scope_words import (
    AFTER_WORDS,
    ALWAYS_NAMES,
    AMBIGUOUS,
    EVERYBODYS_FILES,
    FIRST_NAMES,
    IN_PASSING,
    TECHNOLOGY,
    TERMS,
    WHATEVER,
    WORK_TOOLS,
)
from learnlog.stemming import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from typing import Any

LOOKED_AT = 8_000
"""Characters of a body that are looked at: what a learning is about stands at its beginning."""
_ENDS = frozenset(".!?:\n")
"""What ends a sentence."""
_NOTHING = frozenset(["", " ", ", ", ". ", "."])
"""What, after a word, says nothing about it."""
_LONGEST_WORD, _LONGEST_PIECE = 80, 300
_WORD = re.compile(r"(\W{0,16})(\w+(?:[.'/-]\w+)*[+#]{0,2})")
"""What stands before a word (bounded, so that a page of dashes takes no time), and the word."""
_PARTS_PIECES = str.maketrans(dict.fromkeys("\"'`’“”,;<>|", " "))
_PLACE_IN_FILE = re.compile(r"(?::\d+){1,2}(?:-\d+)?$|#L\d+(?:-L?\d+)?$|::\w.*$")
_IDENTIFIER = re.compile(r"\w*[^\W_]_[^\W_]\w*|[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}")
_WITHOUT_POINT = frozenset(name for name in EVERYBODYS_FILES if "." not in name)
_TOLD_APART = TECHNOLOGY | WORK_TOOLS


class Word:
    """A word as it is written and folded, its stem, and where it stands.

    `plain`: of letters alone, without capitals inside; `identifier`: as in programs; `begins` a sentence, so that a capital
    says nothing; `called`: written as code.
    """

    __slots__ = ("after_comma", "begins", "called", "fold", "identifier", "in_title", "plain", "root", "written")

    def __init__(self, found: str, in_title: bool, begins: bool, after_comma: bool, called: bool) -> None:
        self.written = written = found.removesuffix("'s")
        self.fold = fold = written.casefold()
        letters = fold.isalpha()
        self.root = stem(fold) if letters and fold.isascii() else fold
        self.plain = letters and (written[1:].islower() or len(written) == 1)
        self.identifier = not self.plain and _IDENTIFIER.fullmatch(written) is not None
        self.in_title, self.begins, self.after_comma, self.called = in_title, begins, after_comma, called


_word = lru_cache(maxsize=8192)(Word)
"""The same words come again and again, most of them with nothing but a space before and after."""


class Wording:
    """The words of title and body, and what the other fields say of a learning in a project with this `stack`."""

    def __init__(self, fields: Mapping[str, Any], stack: Collection[str]) -> None:
        self.title = str(fields.get("title") or "")
        self.body = str(fields.get("body") or "")[:LOOKED_AT]
        self.stack_labels = _texts(fields.get("stack"))
        self.labels = [label.casefold() for label in (*self.stack_labels, *_texts(fields.get("tags")))]
        self.files = _texts(fields.get("files"))
        self.category = fields.get("category")
        self.title_words = _words_of(self.title, in_title=True)
        self.words = [*self.title_words, *_words_of(self.body, in_title=False)]
        self.folds = {word.fold for word in self.words}
        self.first = self.title_words[0].fold if self.title_words else ""
        self.second = self.title_words[1].fold if len(self.title_words) > 1 else ""
        capitals = sum(word.written[:1].isupper() for word in self.title_words)
        self.shouts = capitals * 2 > len(self.title_words) > 3
        """Every Word of the Title Has a Capital, so that none says anything."""
        self.technologies: dict[int, str] = {}
        """At which of `words` a technology is named, and which; but see `examples`."""
        for at, word in enumerate(self.words):
            if not word.plain or word.fold in _TOLD_APART or word.fold in stack:
                name = self._technology(word, stack)
                if name is not None:
                    self.technologies[at] = name
        self.is_technical = bool(self.technologies) or not TERMS.isdisjoint(self.folds)

    def _technology(self, word: Word, stack: Collection[str]) -> str | None:
        fold = word.fold
        if fold in WORK_TOOLS:
            return fold if word.written[:1].isupper() and not (word.begins and fold in AMBIGUOUS) else None
        heads = (fold,) if fold.isalpha() else (fold, fold.removesuffix(".js"), re.split(r"[./]", fold, maxsplit=1)[0])
        for name in heads:
            # What a project depends on may be called `once` or `which`, too.
            unsure = name in AMBIGUOUS if name in TECHNOLOGY else name in stack and name.isalpha()
            if unsure:
                return name if self._is_name(word, stack) else None
            if name in TECHNOLOGY or name in stack:
                return name
        if fold.isalpha():
            return None
        parts = (*re.split(r"[-_.]", fold), fold.rstrip("0123456789"))  # pytest-xdist, python3
        return next((one for one in parts if one in ALWAYS_NAMES), None)

    def _is_name(self, word: Word, stack: Collection[str]) -> bool:
        """Whether a word that is also an everyday one is written as a name: inside a sentence with a capital, at the start of
        a title without one, or as code.
        """
        if word.called or not word.fold.isalpha():
            return True
        capital = word.written[:1].isupper()
        if word.in_title and word is self.title_words[0] and word.begins:
            likely = word.fold in FIRST_NAMES or word.fold in stack
            is_one = word.fold.endswith("s") and self.second in ("has", "does")  # of requests one would say "have"
            return not capital or is_one or (likely and self.second not in AFTER_WORDS)
        return capital and not word.begins and not (word.in_title and self.shouts)

    def examples(self) -> set[int]:
        """Which of `words` are named in passing: what follows "whether", "such as" and their like, to the end of the sentence;
        in one with "anything" all.
        """
        found: set[int] = set()
        if IN_PASSING.isdisjoint(self.folds) and WHATEVER.isdisjoint(self.folds) and "such" not in self.folds:
            return found
        passing, begin = False, 0
        for at, word in enumerate(self.words):
            if word.begins:
                passing, begin = False, at
            if word.fold in IN_PASSING or (word.fold == "as" and at and self.words[at - 1].fold == "such"):
                passing = True
            elif word.fold in WHATEVER:
                found.update(range(begin, at))
                passing, begin = True, at
            if passing:
                found.add(at)
        return found

    def pieces(self) -> Iterator[str]:
        """What may be a file, each once: with a slash or a point, or named as files are; without the line it is about."""
        seen = set()
        some = not _WITHOUT_POINT.isdisjoint(self.folds)
        for found in f"{self.title}\n{self.body}".translate(_PARTS_PIECES).split():
            if not some and "." not in found and "/" not in found and "\\" not in found:
                continue
            piece = found.strip("()[]{}*!?").rstrip(".:)")
            if "/" not in piece and "." not in piece and "\\" not in piece and piece.casefold() not in EVERYBODYS_FILES:
                continue
            piece = _PLACE_IN_FILE.sub("", piece).rstrip(".:)").replace("\\", "/").removeprefix("./")
            if piece not in seen and "://" not in found and len(piece) <= _LONGEST_PIECE:
                seen.add(piece)
                yield piece

    def phrases(self, pairs: Collection[tuple[str, str]]) -> Iterator[tuple[Word, Word]]:
        """The neighbours whose stems are one of `pairs`."""
        for one, other in zip(self.words, islice(self.words, 1, None), strict=False):
            if (one.root, other.root) in pairs and not other.begins:
                yield one, other


def modules(piece: str) -> tuple[str, ...]:
    """The paths of what is written with points: `app.auth.session` is app/auth/session, or a name in app/auth."""
    if "." not in piece or not all(map(str.isidentifier, piece.split("."))):
        return ()
    path = piece.replace(".", "/")
    return (path, path.rpartition("/")[0]) if path.count("/") > 1 else (path,)


def _texts(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [one for one in value or () if isinstance(one, str)]


def _words_of(text: str, *, in_title: bool) -> list[Word]:
    pairs = _WORD.findall(_parted(text))
    afters = [between for between, _ in pairs[1:]] + [""]
    words = []
    begins = True
    for (between, found), after in zip(pairs, afters, strict=False):
        if between == " " and after in _NOTHING:
            words.append(_word(found[:_LONGEST_WORD], in_title, begins, False, False))
        elif between[-1:] not in ("/", "{"):  # else a part of an address: see `pieces`
            begins = begins or not _ENDS.isdisjoint(between)
            called = between.endswith("`") or after.startswith(("(", "::"))
            words.append(_word(found[:_LONGEST_WORD], in_title, begins, "," in between or ";" in between, called))
        begins = False
    return words


def _parted(text: str) -> str:
    """The text with a space for each character of a script without spaces, so that `在pytest里` has a word."""
    if text.isascii():
        return text
    text = text.replace("’", "'")
    return "".join([one if one < "\u0e00" or "\u1e00" <= one < "\u2000" else " " for one in text])
