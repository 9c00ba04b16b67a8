"""The stemmer beside the `snowballstemmer` package: the same stem for every word (X-3)."""

from __future__ import annotations

import os
import random
import re
from itertools import product
from pathlib import Path

import pytest
import snowballstemmer
from hypothesis import given, settings
from hypothesis import strategies as st

from learnlog.stemming import stem

ROOT = Path(__file__).parents[1]
NOTES = Path(os.environ.get("LEARNLOG_BENCH_NOTES", ROOT.parent / "shared/data/retrieval/til.jsonl"))


def words_of(text: str) -> set[str]:
    return set(re.findall("[a-z]+", text.lower()))


ENDINGS = sorted(
    words_of(
        "s sses ied ies us ss ed edly ing ingly eed eedly y ly tional ational enci anci abli entli izer ization ation ator"
        " alism aliti alli fulness ousli ousness iveness iviti biliti bli ogist ogi logi fulli lessli li ency ancy ably ently"
        " ality ivity ability ology fully lessly alize icate icity ical ful ness ative al ance ence er ic able ible ant ement"
        " ment ent ism ate ity ous ive ize ion sion tion e l ll le re"
    )
)
HEADS = sorted(words_of("gener commun arsen past univers later emerg inter organ proc exc succ inn out cann herr earr even"))
BEGINNINGS = ["", "a", "b", "y", *sorted(words_of("hop hopp tr eat rely relat condit adjust owl way egg")), *HEADS]
WHOLE = words_of(
    "skies skis sky idly gently ugly early only singly news howe atlas cosmos bias andes dying lying tying vying dyings herring"
    " herrings evening inning proceed exceeds succeed succeeded past paste pasted add adding egg off hopping hoping falling"
    " yes youth sayyid yy ayy say by cry cries ties kiwis gas this international organization emergency university laterally"
)


def reference(word: str) -> str:
    found: str = snowballstemmer.stemmer("english").stemWord(word)
    return found


def differing(words: set[str]) -> dict[str, tuple[str, str]]:
    stemmer = snowballstemmer.stemmer("english")
    return {word: (stem(word), theirs) for word in sorted(words) if stem(word) != (theirs := stemmer.stemWord(word))}


def test_every_word_of_our_own_pages_has_the_stem_that_snowball_gives() -> None:
    #
    words = set().union(*(words_of(page.read_text(encoding="utf-8")) for page in (ROOT / "docs").glob("*.md")))
    assert len(words) > 1_000
    assert differing(words) == {}


@pytest.mark.skipif(not NOTES.exists(), reason="the collection of notes is not on this machine")
def test_every_word_of_a_collection_of_notes_has_it_too() -> None:
    #
    words = words_of(NOTES.read_text(encoding="utf-8").replace("\\n", " "))
    assert len(words) > 10_000
    assert differing(words) == {}


def test_every_rule_gives_what_snowballs_gives_after_every_kind_of_beginning() -> None:
    # each ending, and each two in a row, after beginnings that put it in, at the edge of and before both regions
    one = {start + ending for start, ending in product(BEGINNINGS, ENDINGS)}
    two = {start + first + second for start, first, second in product(["", "b", "hop", "relat"], ENDINGS, ENDINGS)}
    assert differing({*one, *two, *WHOLE}) == {}


def test_words_that_nobody_wrote_have_it_too() -> None:
    # what a generator finds that no list thought of; more vowels, and the letters that the rules speak of
    chance = random.Random(3)
    letters = "aeiouyy" * 2 + "bcdfghjklmnpqrstvwxz"
    words = {
        "".join(chance.choices(letters, k=chance.randint(1, 7))) + "".join(chance.choices(ENDINGS, k=chance.randint(0, 3)))
        for _ in range(15_000)
    }
    assert differing(words) == {}


@settings(max_examples=300)
@given(st.lists(st.sampled_from([*"aeiouybdglmnstwx", *HEADS, *ENDINGS]), min_size=1, max_size=5).map("".join))
def test_words_made_of_what_the_rules_name_have_it_too(word: str) -> None:
    # hypothesis shrinks what differs to the rule at fault
    assert stem(word) == reference(word)


@pytest.mark.parametrize(
    "word", ["", "a", "is", "für", "naïves", "c++", "v2s", "don't", "snake_cases", "Locks", "脚本", "\ud800s", "s s"]
)
def test_what_is_not_a_lower_case_word_of_a_to_z_is_its_own_stem(word: str) -> None:
    # an identifier or a word of another language loses nothing
    assert stem(word) == word


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_has_a_stem_and_it_is_never_longer(word: str) -> None:
    # fault 16; `hoping` is given its `e` again, so a stem is not always a beginning of its word
    assert len(stem(word)) <= len(word)
    assert bool(stem(word)) == bool(word)


@pytest.mark.parametrize(
    "words",
    [
        "lock locks locked locking",
        "cache caches cached caching",
        "retry retries retried retrying",
        "migrate migration migrating",
    ],
)
def test_the_forms_of_a_word_meet(words: str) -> None:
    #
    assert len({stem(word) for word in words.split()}) == 1
