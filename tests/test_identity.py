"""What makes two learnings one: category and key, compared NFC and case-folded."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnlog.identity import folded, pair_of
from learnlog.model import Content


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Pool-Size", "pool-size"),
        ("caf\u00e9", "cafe\u0301"),  # NFC and NFD
        ("CAF\u00c9", "cafe\u0301"),
        ("stra\u00dfe", "STRASSE"),
        ("\u212bngstr\u00f6m", "\u00e5ngstro\u0308m"),  # the sign of the unit is the letter
        ("\u03a3\u03a3", "\u03c3\u03c2"),  # both small sigmas
        ("\uac00", "\u1100\u1161"),  # a Hangul syllable and its letters
    ],
)
def test_two_spellings_of_one_key_are_one(one: str, other: str) -> None:
    # fault 21
    assert folded(one) == folded(other)


@pytest.mark.parametrize(
    ("one", "other"), [("pool-size", "pool_size"), ("MyApp", "my-app"), ("a", "a "), ("ﬁ", "fj"), ("\u0131x", "ix")]
)
def test_different_keys_stay_different(one: str, other: str) -> None:
    assert folded(one) != folded(other)


@given(st.text())
def test_the_normal_form_of_a_key_makes_no_difference(text: str) -> None:
    # fault 21
    assert folded(normalize("NFC", text)) == folded(normalize("NFD", text)) == folded(text)


@given(st.text(st.characters(max_codepoint=127)))
def test_the_short_way_for_plain_ascii_gives_what_the_long_way_gives(text: str) -> None:
    assert folded(text) == normalize("NFC", normalize("NFC", text).casefold())


def test_a_lone_surrogate_is_no_crash() -> None:
    # fault 16
    assert folded("\ud83dA") == "\ud83da"


def test_an_absent_category_is_technical() -> None:
    assert pair_of(Content(key="K")) == pair_of(Content(key="k", category="Technical")) == ("technical", "k")


def test_without_a_key_there_is_no_pair() -> None:
    assert pair_of(Content(title="x", category="process")) is None
    assert pair_of(Content(key="")) is None
