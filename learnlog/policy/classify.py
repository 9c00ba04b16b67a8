"""Which scope a new learning has, by rules: what it names, and how it speaks. Pure; asks nobody and reads no file.

ADD-16..18. What names the project's own files, tables, settings or the project itself is for the project; what states a fact
about a technology is for every project of this person (workstation); what is about how people work is universal; and what
is unclear is for the project, from where a person can promote it. The rules are `RULES`, how they are weighed is `_decide`.
"""

from __future__ import annotations

import re
from itertools import islice

from learnlog.policy.scope_words import (
    ADVICE,
    AFTER_EVERY,
    AFTER_TABLE,
    AFTER_WORDS,
    AROUND_INDEX,
    BEFORE_TABLE,
    CLAUSE,
    EVERYBODYS_FILES,
    EVERYBODYS_FOLDERS,
    EVERYBODYS_TABLES,
    EXTENSIONS,
    GENERALLY,
    HAVE,
    HERE,
    HERE_PAIRS,
    METHOD_CATEGORIES,
    NO_NAMES,
    OF_DATABASE,
    OPENS_GENERALLY,
    OPENS_NARROWLY,
    ORDERS,
    OURS,
    PARTS_OF_TABLE,
    PLACES,
    PRACTICE,
    PRACTICE_PAIRS,
    RULES_OF_THUMB,
    SUPERLATIVES,
    TECHNOLOGY,
    TERMS,
    TIMES,
    WE_DECIDED,
    WORK,
    WORK_TOOLS,
)
from learnlog.policy.wording import Wording, modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from typing import Any

    from learnlog.policy.wording import Word

    Sign = tuple[str, int, str]
    """What it speaks for, how loudly, and why in words."""

PROJECT, WORKSTATION, UNIVERSAL = "project", "workstation", "universal"
_CERTAIN = 100
"""Louder than all that is not certain together."""
_ENOUGH = 2
_CORE, _BESIDE = UNIVERSAL, "beside"
"""What speaks of method, and what does so only beside that."""
_MOST_REASONS = 3
_TOOLS_FILE = 2
_MOST_PARTS = 12
"""Parts of an identifier that may be a table's."""
_MOST_FILES = 40
"""Pieces of a text that are asked about as files."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_HOSTS = frozenset(["db", "web", "app", "host", "srv", "worker", "vm", "ci"])
"""With a number after it: a machine."""


class Facts:
    """What is known of the project: its `name` (None: no project), `stack`, `tables`, and whether it has a file.

    `names_a_file` is asked about a path, its last parts, or a file's name.
    """

    __slots__ = ("name", "names_a_file", "stack", "tables", "words_of_tables")

    def __init__(
        self, name: str | None, stack: Collection[str], names_a_file: Callable[[str], bool], tables: Collection[str]
    ) -> None:
        self.name = None if name is None else _bare(name)
        self.stack = frozenset(one.casefold() for one in stack)
        self.names_a_file = names_a_file
        self.tables = frozenset(one.casefold() for one in tables) - EVERYBODYS_TABLES
        self.words_of_tables = self.tables | {table.removesuffix("s") for table in self.tables}


class Verdict:
    """A `scope`, and the `reasons` for it in words, the weightiest first."""

    __slots__ = ("reasons", "scope")

    def __init__(self, scope: str, reasons: Sequence[str]) -> None:
        self.scope, self.reasons = scope, tuple(reasons)


def classify(fields: Mapping[str, Any], facts: Facts) -> Verdict:
    """The scope of a new learning with these `fields` (title, body, key, tags, files, stack, category; others do not count).

    >>> facts = Facts("shop", ["python"], {"cart/total.py"}.__contains__, ["users"])
    >>> classify({"title": "users table has a composite primary key"}, facts).reasons
    ('names users, a table of the project',)
    >>> classify({"title": "FastAPI lifespan handlers must yield"}, facts).scope
    'workstation'
    >>> classify({"title": "Agree on the interface before writing either side"}, facts).scope
    'universal'
    """
    text = Wording(fields, facts.stack)
    signs: list[Sign] = []
    for rule in RULES:
        signs += rule(text, facts)
        if any(loud >= _CERTAIN for _, loud, _ in signs):
            break
    return _decide(signs)


# Weighing -------------------------------------------------------------------------------------------------------------


def _decide(signs: Sequence[Sign]) -> Verdict:
    """The project where it is named for certain; else method or technology, whichever speaks louder, when it speaks louder
    than what is particular to this place; else the project.
    """
    weight = dict.fromkeys((PROJECT, WORKSTATION, _CORE, _BESIDE), 0)
    for kind, loud, _ in signs:
        weight[kind] += loud
    method = weight[_CORE] + weight[_BESIDE] if weight[_CORE] else 0
    technology, here = weight[WORKSTATION], weight[PROJECT]
    if here < _CERTAIN:
        if method >= _ENOUGH and method > here and method > technology:
            return Verdict(UNIVERSAL, _reasons(signs, UNIVERSAL))
        if technology >= _ENOUGH and technology > here:
            return Verdict(WORKSTATION, _reasons(signs, WORKSTATION))
    return Verdict(PROJECT, _reasons(signs, PROJECT) or ("nothing in it tells whom else it is for",))


def _reasons(signs: Sequence[Sign], kind: str) -> tuple[str, ...]:
    loudest = sorted((sign for sign in signs if sign[0] == kind), key=lambda sign: -sign[1])
    return tuple(dict.fromkeys(why for _, _, why in loudest))[:_MOST_REASONS]


# The rules ------------------------------------------------------------------------------------------------------------


def _own_files(text: Wording, facts: Facts) -> Iterator[Sign]:
    for piece in (*text.files, *islice(text.pieces(), _MOST_FILES)):
        asked = piece.replace("\\", "/")
        everybodys = asked.casefold() in EVERYBODYS_FILES or asked.startswith(EVERYBODYS_FOLDERS)
        if any(map(facts.names_a_file, (asked, *modules(asked)))):
            yield PROJECT, _TOOLS_FILE if everybodys else _CERTAIN, f"names {piece}, a file of the project"
        if everybodys:
            yield WORKSTATION, _TOOLS_FILE, f"names {piece}, a file of many projects"


def _own_name(text: Wording, facts: Facts) -> Iterator[Sign]:
    name = facts.name
    if name is None or len(name) < 3 or name in NO_NAMES or name in TECHNOLOGY or name in WORK_TOOLS:
        return
    if name not in _bare(text.title) and name not in _bare(text.body):
        return
    before = ""
    for word in text.words:
        if before not in AFTER_EVERY and _begins_with(word.fold, name):
            yield PROJECT, _CERTAIN, f"names {word.written}, the project's own"
        before = word.fold


def _begins_with(fold: str, name: str) -> bool:
    """Whether a word is a name without separators, or begins with it: `green-shop`, `green_shop.flags`, `GREEN_SHOP_DB`."""
    if fold[0] != name[0] or len(fold) < len(name):
        return False
    parts = fold.translate(_PARTING).split(" ")[:_MOST_PARTS]
    return any("".join(parts[:count]) == name for count in range(1, len(parts) + 1))


_PARTING = str.maketrans("-_./", "    ")


def _own_tables(text: Wording, facts: Facts) -> Iterator[Sign]:
    if not facts.tables:
        return
    words = text.words
    unsure: dict[str, None] = {}
    for at, word in enumerate(words):
        if word.plain and word.fold not in facts.words_of_tables:
            continue
        if not word.plain and _is_tables_identifier(word.written, facts.tables):
            yield PROJECT, _CERTAIN, f"names {word.written}, a table of the project"
            continue
        after = words[at + 1].fold if at + 1 < len(words) else ""
        if word.fold in facts.tables or (f"{word.fold}s" in facts.tables and after in AFTER_TABLE):
            if _stands_as_table(words, at):
                yield PROJECT, _CERTAIN, f"names {word.written}, a table of the project"
            else:
                unsure[word.fold] = None
    if len(unsure) > 1 and any(word.fold in OF_DATABASE for word in words):
        yield PROJECT, _CERTAIN, f"names {' and '.join(list(unsure)[:2])}, tables of the project"


def _is_tables_identifier(written: str, tables: Collection[str]) -> bool:
    """Whether an identifier is of a table and can hardly mean another thing: `invoice_lines`, `ix_users_email`, `orders.total`,
    `InvoiceLine`.
    """
    head, point, column = written.casefold().partition(".")
    if point and head in tables and column.isidentifier() and column not in EXTENSIONS and head not in TECHNOLOGY:
        return True
    parts = (head if "_" in head else _CAMEL.sub("_", written).casefold()).split("_")
    if not 1 < len(parts) <= _MOST_PARTS:
        return False
    least = 1 if parts[0] in AROUND_INDEX or parts[-1] in AROUND_INDEX else 2
    runs = ((first, last) for first in range(len(parts)) for last in range(first + 1, len(parts) + 1))
    named = ("_".join(parts[first:last]) for first, last in runs if last - first >= least)
    return any(run in tables or ("_" in run and f"{run}s" in tables) for run in named)


def _stands_as_table(words: Sequence[Word], at: int) -> bool:
    """Whether an everyday word that is also a table's name stands where tables stand."""
    before = ["", "", *(word.fold for word in words[max(0, at - 2) : at])][-2:]
    after = [word.fold for word in words[at + 1 : at + 8]] or [""]
    return (
        words[at].called
        or after[0] in AFTER_TABLE
        or before[1] in BEFORE_TABLE
        or (before[1] == "the" and before[0] in BEFORE_TABLE)
        or (before[1] in ("of", "in", "on") and before[0] in PARTS_OF_TABLE)
        or (at > 0 and words[at - 1].written in ("FROM", "INTO", "UPDATE"))
        or (after[0] in HAVE and not OF_DATABASE.isdisjoint(after[1:]))
    )


def _technologies(text: Wording, facts: Facts) -> Iterator[Sign]:
    loudest, loudest_word = 0, ""
    examples = text.examples() if text.is_technical else ()
    for at, word in enumerate(text.words):
        name = text.technologies.get(at)
        if name is not None and at not in examples:
            loud = 2 if name in WORK_TOOLS else 4
        elif word.fold in TERMS:
            loud = 2
        else:
            continue
        loud = loud if word.in_title else loud // 2
        if loud > loudest:
            loudest, loudest_word = loud, word.written
    if loudest:
        yield WORKSTATION, loudest, f"is about {loudest_word}, which other projects use too"
    known = [label for label in text.labels if label in TECHNOLOGY or label in facts.stack]
    if known or text.stack_labels:
        yield WORKSTATION, 1, f"is labelled {(*known, *text.labels)[0]}"


def _method(text: Wording, facts: Facts) -> Iterator[Sign]:
    title: dict[str, None] = {}
    body: dict[str, None] = {}
    for at, word in enumerate(text.words):
        if word.root in PRACTICE and at not in text.technologies:
            (title if word.in_title else body)[word.written] = None
    for one, other in text.phrases(PRACTICE_PAIRS):
        (title if other.in_title else body)[f"{one.written} {other.written}"] = None
    if title or body:
        loud = min(2 * len(title), 4) + min(len(body), 2)
        yield _CORE, loud, f"speaks of how people work: {', '.join([*title, *body][:_MOST_REASONS])}"
    works = {word.root for word in text.title_words if word.root in WORK and word.fold not in ADVICE}
    yield _BESIDE, min(len(works), 2), "speaks of work"


def _advice(text: Wording, facts: Facts) -> Iterator[Sign]:
    words = text.title_words
    if text.first in CLAUSE:  # "When stuck, ask"
        words = words[next((at for at, word in enumerate(words) if word.after_comma), 0) :]
    if len(words) < 2:
        return
    verb = words[0].fold
    if verb in ("always", "never", "don't", "do") and words[1].fold != "the":
        yield _CORE, 1, f"tells what to do: {words[0].written} {words[1].written}"
        verb = words[2].fold if verb == "do" and words[1].fold == "not" and len(words) > 2 else words[1].fold
    if verb in ADVICE:
        yield _CORE, 3, f"tells people what to do: {verb}"
    elif verb in ORDERS:
        yield _CORE, 1, f"tells what to do: {verb}"


def _general(text: Wording, facts: Facts) -> Iterator[Sign]:
    rules = sum(word.fold in GENERALLY and word.fold not in RULES_OF_THUMB for word in text.title_words[1:])
    yield _BESIDE, min(rules, 2), "is put as a rule"
    thumb = list(dict.fromkeys(word.fold for word in text.title_words if word.fold in RULES_OF_THUMB))[:2]
    if thumb:
        yield _CORE, len(thumb), f"is put as a rule of thumb: {', '.join(thumb)}"
    if text.first in OPENS_GENERALLY or (len(text.first) > 5 and text.first.endswith("ing")):  # "Naming a thing badly costs …"
        yield _BESIDE, 1, "is put generally"
    if text.category in METHOD_CATEGORIES:
        yield _CORE, 2, f"is of the category {text.category}"


def _particular(text: Wording, facts: Facts) -> Iterator[Sign]:
    if text.first in OPENS_NARROWLY and text.second not in SUPERLATIVES:
        past = any(word.fold in ("was", "were") for word in text.title_words)
        yield PROJECT, 4 if past else 2, "speaks of something particular"
    if len(text.first) > 4 and text.first.endswith("ed") and text.second in AFTER_WORDS:
        yield PROJECT, 2, "tells what was done"
    before = ""
    for at, word in enumerate(text.words):
        loud = 0 if word.plain and word.fold not in _TELLING else _here(word, before)
        if loud:
            yield PROJECT, loud if word.in_title else (loud + 1) // 2, f"speaks of {f'{before} {word.fold}'.strip()}"
        elif word.identifier and at not in text.technologies:
            yield PROJECT, 2 if word.in_title and not text.is_technical else 1, f"names {word.written}"
        elif word.in_title and not text.is_technical and not text.shouts and _is_proper(word):
            yield PROJECT, 3, f"names {word.written}"
        before = word.fold
    tools_file = text.title.partition(" ")[0]
    if tools_file.casefold() in EVERYBODYS_FILES and any(word.fold == "the" for word in text.title_words):
        yield PROJECT, 3, f"says what {tools_file} does here"  # "docker-compose.yml maps the database": what is there once


_TELLING = OURS | PLACES | HERE | WE_DECIDED | TIMES | {other for _, other in HERE_PAIRS}


def _here(word: Word, before: str) -> int:
    """How loudly a word of a title, with the one before it, says that this is about one place."""
    fold = word.fold
    if fold in OURS or fold in PLACES or (before, fold) in HERE_PAIRS:
        return 4
    if word.written[-1:].isdigit() and word.written.rstrip("0123456789").rstrip("-") in _HOSTS:
        return 4
    if (before == "this" and fold in HERE) or (before == "we" and fold in WE_DECIDED):
        return 4
    return 1 if (fold in TIMES and before not in AFTER_EVERY) or (len(fold) > 3 and fold.isdigit()) else 0


def _is_proper(word: Word) -> bool:
    """Whether a word inside a sentence is the name of somebody or something that is not known here."""
    written = word.written
    is_name = not word.begins and written.isalpha() and written[:1].isupper() and written[1:].islower()
    return is_name and word.fold not in WORK_TOOLS and word.fold not in TIMES


def _bare(name: str) -> str:
    return name.replace("-", "").replace("_", "").replace(".", "").replace(" ", "").casefold()


RULES = (_own_files, _own_name, _own_tables, _technologies, _method, _advice, _general, _particular)
"""Each looks for one kind of sign: (what it speaks for, how loudly, why)."""
