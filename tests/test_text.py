"""Tokens in any script, and how alike two texts are (faults 42, 43; IN-observe)."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnlog.text import similarity, tokens, words_for_similarity


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("snake_case", {"snake_case", "snake", "case"}),
        ("CamelCase", {"camelcase", "camel", "case"}),
        ("getHTTPResponse", {"gethttpresponse", "get", "http", "response"}),
        ("kebab-case", {"kebab-case", "kebab", "case"}),
        ("os.path.join", {"os.path.join", "os", "path", "join"}),
        ("error:timeout", {"error:timeout", "error", "timeout"}),
        ("GB/s", {"gb/s", "gb", "s"}),
        ("C++ and c#", {"c++", "and", "c#"}),
        ("bot's", {"bot's", "bot", "s"}),
        ("NEAR(", {"near"}),
        ('"quote', {"quote"}),
        ("* AND -", {"and"}),
        ("Привет ΣΟΦΙΑ", {"привет", "σοφια"}),
        ("...!?", set()),
        ("", set()),
    ],
)
def test_words_identifiers_and_their_parts(text: str, wanted: set[str]) -> None:
    # fault 42: no character is an operator
    assert set(tokens(text)) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("STRASSE straße", {"strasse"}),
        ("cafe\u0301", {"caf\u00e9"}),
        ("für", {"für"}),
        ("Größenänderung", {"größenänderung".casefold()}),
        ("señal_única", {"señal_única", "señal", "única"}),
    ],
)
def test_a_letter_with_an_accent_is_part_of_its_word(text: str, wanted: set[str]) -> None:
    # else "über" finds every "für", by their "ü"
    assert set(tokens(text)) == wanted


@pytest.mark.parametrize("query", ["脚本", "build", "修复", "重跑"])
def test_text_without_spaces_is_found_by_its_parts(query: str) -> None:
    # fault 43
    assert set(tokens(query)) <= set(tokens("重跑build脚本后修复"))


@pytest.mark.parametrize(("text", "query"), [("データベース接続", "接続"), ("데이터베이스 연결", "연결"), ("𠀋𠀌", "𠀌")])
def test_japanese_korean_and_rare_characters_too(text: str, query: str) -> None:
    # fault 43
    assert set(tokens(query)) <= set(tokens(text))


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_gives_tokens_that_are_found_by_themselves(text: str) -> None:
    # fault 16: a lone surrogate too
    found = list(tokens(text))
    assert all(found)
    assert all(token == token.casefold() for token in found)


@given(st.text())
def test_the_normal_form_makes_no_difference(text: str) -> None:
    # fault 21
    assert list(tokens(normalize("NFD", text))) == list(tokens(text))


def test_similarity_compares_words_of_four_letters_and_more() -> None:
    # IN-observe
    one, other = words_for_similarity("use the lock for each file"), words_for_similarity("a lock on every file")
    assert one == {"lock", "each", "file"}
    assert similarity(one, other) == pytest.approx(2 / 4)


def test_a_text_without_long_words_compares_all_it_has() -> None:
    assert words_for_similarity("run ci on pr") == {"run", "ci", "on", "pr"}
    assert similarity(words_for_similarity("a b"), words_for_similarity("a b")) == 1.0


def test_text_without_spaces_compares_pairs() -> None:
    one = words_for_similarity("重跑脚本后修复")
    assert similarity(one, words_for_similarity("重跑脚本后修")) > 0.6
    assert similarity(one, words_for_similarity("数据库连接")) == 0.0


def test_nothing_is_like_nothing() -> None:
    assert similarity(frozenset(), frozenset()) == 0.0
    assert similarity(words_for_similarity("!"), words_for_similarity("!")) == 0.0


@given(st.frozensets(st.text(max_size=3)), st.frozensets(st.text(max_size=3)))
def test_similarity_is_symmetric_and_from_0_to_1(one: frozenset[str], other: frozenset[str]) -> None:
    assert 0.0 <= similarity(one, other) == similarity(other, one) <= 1.0
