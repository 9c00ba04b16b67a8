"""Which rules of injection a text trips: the text is brought to a few plain forms, and `phrases` are looked for in them. Pure.

Most texts end at `near`: they do not have the words of any phrase. The others are looked at as words (lower case, one space
between two; `.!?;:,` stay where a sentence or clause ends), as words with digits read as letters, and as words with the letters
of `i g n o r e` and `ig-nore` put together. `l` and `i` are one letter there. What is said before a phrase counts too: `git
will ignore the earlier rules` and `do not bypass review` are prose.
"""

from __future__ import annotations

import re
from functools import cache

from learnlog.policy import foreign, phrase_words
from learnlog.policy.lookalikes import REVERSING, latin, plain, turned
from learnlog.policy.phrase_words import ANY, NOT_TOLD, WORDS
from learnlog.policy.phrases import PHRASES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_DIGITS, _MEANT = "0134567895@$", "oieasgtbgsas"
_AS_LETTERS = {**dict(zip(_DIGITS, _MEANT, strict=True)), **dict.fromkeys("l|!", "i")}
_MARKS = "-_.*~/\\|+`\"'^!"
"""What stands between the parts of a word, or between the letters of one."""
_TOGETHER, _PARTED = (
    bytes(
        ord(_AS_LETTERS.get(one, one) if one.isalnum() or (one in _AS_LETTERS and one not in marks) else " ")
        for one in (chr(code).lower() if code < 128 else " " for code in range(256))
    )
    for marks in ("", _MARKS)
)
_MARK_BYTES = _MARKS.replace("|", "").replace("!", "").encode()
_READ = str.maketrans(_DIGITS + "l", _MEANT + "i")
_ONE_LETTER = str.maketrans("l", "i")
_STANDS_FOR_I = re.compile(r"(?<![\w!|])[!|](?=\w)")

_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
_AS_SPACE = str.maketrans({chr(one): " " for one in range(128) if not chr(one).isalnum() and chr(one) not in ".!?;:,("})
# A class of characters first, then what stands before it: the search goes from one such character to the next.
_INSIDE_MARK = re.compile(r"[.!?;:,](?!\s|\Z)")
_MIXED = re.compile(r"[0-9@$!|](?:(?=[a-z])|(?<=[a-z].))")
_INSIDE = re.compile(r"[-_.*~/\\|+](?<=[^\W_].)[-_.*~/\\|+]{0,2}(?=[^\W_])")
_HYPHEN = re.compile(r"-(?<=[^\W_].)[ \t]*\n\s*(?=[^\W_])")
_APART = re.compile(r"(?<![^\W_])[^\W_](?:[^\w\n][^\W_])+(?![^\W_])")
_APART_LINES = re.compile(r"(?<![^\W_])[^\W_](?:[\W_]{1,4}[^\W_]){7,}(?![^\W_])")
_ROLES = (b"system", b"assistant", b"user", b"human", b"deveioper", b"ai")
_ONE_BYTE = frozenset(bytes([one]) for one in range(128))
_DIFFERENT_LETTERS = 4
"""Letters that stand alone in a text, each counted once, from which on it could be spelling a word."""
_LOOK_BACK = 48
"""Characters before a phrase that are looked at: some words."""

_ROLE = re.compile(
    r"^[ \t>*#\-_\"'`(\[|+<]{0,12}(?:\w{1,3}[.)][ \t]{0,3})?(?:system|assistant|user|human|developer|ai)"
    r"(?: (?:prompt|message|note|override|notice|instructions?))?[ \t*_\"'`)\]|>]{0,6}:[ \t*_\"'`]{0,8}\n?",
    re.MULTILINE,
)
_WORD = re.compile(r"[a-z][a-z'-]*[.,;:!?)\"]*$")
_SPEAKS, _STATES, _ORDERS, _OBJECTS = (
    frozenset(words.split()) for words in (phrase_words.SPEAKS, phrase_words.STATES, phrase_words.ORDERS, phrase_words.OBJECTS)
)


@cache
def _markup() -> re.Pattern[str]:
    """Compiled when a text has the signs of markup: few have."""
    return re.compile(
        r"\[/?INST\]|(?i:<\|[a-z_]{2,24}\|>|<</?SYS>>|<(?:start|end)_of_turn>|</?tool_(?:call|use|result)s?>|</?function_calls?>|"
        r"</?(?:system|assistant|developer|human)(?:[-_ ](?:reminder|prompt|message|instructions?|note))?>)"
    )


_HIDDEN = re.compile("(?<![\U0001f3f4\U000e0020-\U000e007e])[\U000e0020-\U000e007e]")
"""Letters as tags: nobody sees them and a model reads them. Behind a black flag they are part of a picture."""
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")


@cache
def _beyond_latin() -> re.Pattern[str]:
    """Compiled when a text needs it: that takes longer than all else of the import."""
    return re.compile("[\u0370-\u07ff\u0900-\u0dff\u3040-\u9fff\uac00-\ud7a3]")


def words_in(seen: str) -> set[bytes]:
    """The words of a text in its `latin` form, digits and signs read as the letters they stand for, `l` as `i`; what marks join
    both whole and in parts.

    >>> sorted(words_in("1GN0R3 a_ll"))
    [b'a', b'aii', b'ignore', b'ii']
    """
    raw = seen.encode("ascii", "ignore").replace(b"-\n", b"")
    together, parted = raw.translate(_TOGETHER, _MARK_BYTES).split(), raw.translate(_PARTED).split()
    return set(together) if together == parted else {*together, *parted}


def near(text: str, seen: str, words: set[bytes]) -> bool:
    """Whether a text could trip a rule: False for most. `seen` is its `latin` form, `words` are the `words_in` that."""
    if not text.isascii() and (_beyond_latin().search(text) or _HIDDEN.search(text) or REVERSING in text):
        return True
    if ("<" in seen or "[" in seen) and _markup().search(seen):
        return True
    return _may_have_a_role(seen, words) or any(_near_rules(words)) or bool(_letters_apart(seen.lower(), words))


def tripped(text: str, seen: str) -> Iterator[str]:
    """The names of the rules that a text trips, one perhaps more than once. `seen` is its `latin` form."""
    if _HIDDEN.search(text):
        yield "hidden-text"
    for one in [seen, latin(turned(text))] if REVERSING in text else [seen]:
        low = _BEYOND_ASCII.sub(" ", one.lower())
        words = words_in(one)
        if ("<" in one or "[" in one) and _markup().search(one):
            yield "hidden-markup"
        if _may_have_a_role(one, words) and _speaks_in_a_role(low):
            yield "chat-role"
        yield from _phrases(low, words)
    if not text.isascii():
        bare = plain(text).lower()
        if any(re.search(phrase, bare) for phrase in foreign.SCRIPTS):
            yield "other-language"


def _phrases(low: str, words: set[bytes]) -> Iterator[str]:
    runs = _letters_apart(low, words)
    rules = _rules() if runs else dict.fromkeys(_near_rules(words))
    if not rules:
        return
    forms = [Form(form, words) for form in dict.fromkeys(_forms(low, apart=_are_apart(words)))]
    # A line that begins with an order is one, and a phrase may yet go on over the end of a line: both are looked for.
    by_line = [*forms, Form(low.translate(_READ).replace("\n", ";\n"), words)] if "\n" in low else forms
    for rule in rules:
        looked_at = forms if rule.before in (ANY, NOT_TOLD) else by_line
        if any(form.says(rule) for form in looked_at) or any(_squeezed(rule.phrase).search(run) for run in runs):
            yield rule.name


class Form:
    """A text in words, and where its words stand."""

    def __init__(self, text: str, words: set[bytes]) -> None:
        self.text, self.words = _in_words(text), words
        self._places: dict[bytes, list[int]] = {}

    def says(self, rule: Rule) -> bool:
        """Whether it says the phrase, and to the reader."""
        phrase = _compiled(rule.phrase)
        for start in rule.starts & self.words:
            for place in self._places_of(start):
                if phrase.match(self.text, place) and self._is_meant(rule.before, place):
                    return True
        return False

    def _places_of(self, start: bytes) -> list[int]:
        """Where a word, or a longer one, begins; many rules ask for the same."""
        if start not in self._places:
            text, word = self.text, start.decode()
            found, place = [], text.find(word)
            while place >= 0:
                if not place or not text[place - 1].isalnum():
                    found.append(place)
                place = text.find(word, place + 1)
            self._places[start] = found
        return self._places[start]

    def _is_meant(self, before: str, place: int) -> bool:
        if before == ANY:
            return True
        said = self.text[max(0, place - _LOOK_BACK) : place]
        return (before != NOT_TOLD) == bool(_compiled(before).search(said))


def _forms(low: str, *, apart: bool) -> Iterator[str]:
    """What is looked at in words: a text as it is, with digits as letters, and with the letters of a word put together."""
    yield low.translate(_ONE_LETTER)
    read = (_STANDS_FOR_I.sub("i", low) if "!" in low or "|" in low else low).translate(_READ)
    if _MIXED.search(low):
        yield read
    whole = _APART.sub(lambda run: re.sub(r"[\W_]", "", run[0]), read) if apart else read
    yield _INSIDE.sub("", _HYPHEN.sub("", whole))


def _in_words(text: str) -> str:
    parted = _APOSTROPHE.sub("", text) if "'" in text else text
    parted = " ".join(_INSIDE_MARK.sub(" ", parted.translate(_AS_SPACE)).replace(" (", " ").split())
    for mark in ".!?;:,":
        parted = parted.replace(" " + mark, mark)
    return parted


def _may_have_a_role(seen: str, words: set[bytes]) -> bool:
    return ":" in seen and not words.isdisjoint(_ROLES)


def _speaks_in_a_role(low: str) -> bool:
    """Whether a line is role, colon, prose."""
    for match in _ROLE.finditer(low.translate(_READ)):
        if _is_prose(low[match.end() : match.end() + 400].split("\n", 1)[0]):
            return True
    return False


def _is_prose(said: str) -> bool:
    """Whether somebody speaks, and it is no value: plain words, with a person, an order or a statement among them."""
    given = said.split()
    plain_words = [word.rstrip('.,;:!?)"') for word in given if _WORD.match(word)]
    if len(plain_words) >= 2 and plain_words[0] in _ORDERS and plain_words[1] in _OBJECTS:
        return True
    if len(plain_words) < 3 or len(plain_words) * 10 < len(given) * 6:
        return False
    if plain_words[0] in _ORDERS or not _SPEAKS.isdisjoint(plain_words):
        return True
    return len(plain_words) >= 4 and not _STATES.isdisjoint(plain_words)


# The table, made ready when it is first needed -----------------------------------------------------------------------


class Rule:
    """A phrase and what is known of every text that says it."""

    __slots__ = ("before", "begins", "name", "needs", "phrase", "starts")

    def __init__(self, name: str, begins: str, needs: str, phrase: str, before: str) -> None:
        self.name, self.phrase, self.before = name, phrase, before
        self.begins, self.needs = _sets_of_words(begins), _sets_of_words(needs)
        self.starts = frozenset(entry.split("_")[0].encode() for entry in begins.translate(_ONE_LETTER).split())


def _sets_of_words(entries: str) -> tuple[frozenset[bytes], ...]:
    return tuple(frozenset(entry.encode().split(b"_")) for entry in entries.translate(_ONE_LETTER).split())


@cache
def _rules() -> tuple[Rule, ...]:
    return tuple(Rule(*row) for row in PHRASES) + tuple(Rule("other-language", *row, ANY) for row in foreign.PHRASES)


@cache
def _by_word() -> dict[bytes, list[tuple[frozenset[bytes], Rule]]]:
    """What begins a phrase, by the longest word of it: the rarest, as a rule."""
    found: dict[bytes, list[tuple[frozenset[bytes], Rule]]] = {}
    for rule in _rules():
        for words in rule.begins:
            found.setdefault(max(words, key=len), []).append((words, rule))
    return found


def _near_rules(words: set[bytes]) -> Iterator[Rule]:
    """The rules of which a text has the words; one more than once."""
    by_word = _by_word()
    for word in words & by_word.keys():
        for begin, rule in by_word[word]:
            if begin <= words and (not rule.needs or any(need <= words for need in rule.needs)):
                yield rule


def _are_apart(words: set[bytes]) -> bool:
    return sum(map(_ONE_BYTE.__contains__, words)) >= _DIFFERENT_LETTERS


def _letters_apart(low: str, words: set[bytes]) -> list[str]:
    """The runs of `i g n o r e` in a text, put together."""
    if not _are_apart(words):
        return []
    return [re.sub(r"[\W_]+", "", run) for run in _APART_LINES.findall(low.translate(_READ))]


@cache
def _compiled(phrase: str) -> re.Pattern[str]:
    text = _written_out(phrase).translate(_ONE_LETTER)
    return re.compile(text if phrase.endswith("$") else text.replace(" ", ",? "))


@cache
def _squeezed(phrase: str) -> re.Pattern[str]:
    """The phrase for a text without a space in it."""
    text = _written_out(phrase).translate(_ONE_LETTER).replace(r"\b", "")
    text = re.sub(r"\(\?: ?\\w\+ ?\)\{0,(\d)\}\??", lambda some: rf"\\w{{0,{8 * int(some[1])}}}?".replace("\\\\", "\\"), text)
    text = re.sub(r"\(\?: ?\\w\+ ?\)\?", r"\\w{0,8}?", text)
    return re.compile(re.sub(r"\\w[+*]", r"\\w{0,8}", text).replace(" ?", "").replace(" ", ""))


def _written_out(phrase: str) -> str:
    """The phrase with what `WORDS` says in place of each `<name>`."""
    while "<" in (stripped := phrase.replace("(?<", "")):
        name = re.search(r"<([a-z-]+)>", stripped)
        if name is None:
            break
        phrase = phrase.replace(name[0], WORDS[name[1]])
    return phrase
