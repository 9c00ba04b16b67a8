"""Stored text in a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from learnlog import terminal


@given(st.text(st.characters()))
def test_no_text_holds_a_character_that_acts_on_a_terminal(text: str) -> None:  # invariant 10, fault 20
    bad = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    from unicodedata import category

    joiners = "\u200c\u200d"
    assert [one for one in terminal.line(text) if category(one) in bad and one not in joiners] == []
    assert [one for one in terminal.block(text) if category(one) in bad and one not in joiners + "\n"] == []


@given(st.text(st.characters(exclude_categories=["C", "Z"])))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert terminal.line(text) == terminal.block(text) == text


@given(st.text(), st.integers(2, 40))
def test_a_cut_text_is_a_beginning_and_fits(text: str, width: int) -> None:
    shown = terminal.line(text)
    cut = terminal.fit(shown, width)
    assert cut == shown or (cut.endswith("…") and shown.startswith(cut[:-1]))
    assert terminal._columns_of(cut) <= width
