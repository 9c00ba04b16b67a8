"""Stored text in prose: plain where that is safe, code where it is not, and never more than there is room for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from learnlog import terminal
from learnlog.views.inert import cut, is_inert, told

from .test_markdown import HOSTILE

PARSER = MarkdownIt("commonmark", {"html": True, "linkify": True}).enable(["linkify", "table", "strikethrough"])

PROSE = [
    "Use select_related for joins.",
    "High N+1 query in list view",
    "Add /health with DB ping.",
    "Python 3.11 is 10% faster; is it? Yes!",
    '"quoted" and (in parentheses)',
    "(first) then the rest",
    "重跑脚本后修复",
    "naïve café",
    "a - b -- c",
    "key: value",
]
ACTING = [
    "see example.com", "www.example.com", "http://x", "config.py", "_so_", "a _b_ c", "1. first", "2) second", "- a", "# a",
    "+ a", "a <b>", "a & b", "a | b", "*a*", "`a`", "[a](b)", "~a~", "a\\b", "a@b", "#12", "=", "> a", "",
]  # fmt: skip


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_shown_as_it_is(text: str) -> None:  # ADD-active
    assert told(text) == text


@pytest.mark.parametrize("text", ACTING)
def test_what_may_act_is_shown_as_code(text: str) -> None:  # invariant 10
    assert not is_inert(text)
    assert told(text)[0] in "`("


@pytest.mark.parametrize("text", [" a", "a ", "a\nb", "a\x1bb", "\ud83d"])
def test_a_line_that_no_terminal_may_show_is_not_taken_for_words(text: str) -> None:  # fault 16, 20
    assert not is_inert(text)


_SIGNS = st.sampled_from(
    [*"`*_[]()<>&\\|~#$^{}@!-+=.:/'\" \n\r\t1a", "www.", "a.b", "http:", "//", "1. ", "    ", "-->", "\u2028"]
)
_TEXT = st.one_of(st.lists(_SIGNS, max_size=12).map("".join), st.text(max_size=30), st.sampled_from(HOSTILE))


@given(_TEXT)
def test_a_parser_finds_one_paragraph_of_text_or_code_wherever_it_stands(text: str) -> None:  # invariant 10, fault 44
    for made in (told(text), f"before\n{told(text)}", f"before {told(text)} behind"):
        tokens = PARSER.parse(made)
        assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
        assert {child.type for child in tokens[1].children or []} <= {"text", "code_inline", "softbreak"}


@given(_TEXT, st.integers(1, 20))
def test_no_more_is_shown_than_there_is_room_for_and_what_is_shown_is_the_beginning(text: str, room: int) -> None:
    shown, is_cut = cut(text, room)
    every = terminal.line(text.strip())
    assert every.startswith(shown.rstrip())
    assert is_cut is (len(every) > room)
    assert len(shown) == (room if is_cut else len(every))


@pytest.mark.parametrize("text", ["\r\n" * 300 + "b" * 5000, "a" * 50 + "\r\n" * 5000 + "b", " " * 9000 + "a" * 9000])
def test_a_long_text_is_cut_to_its_room_whatever_it_begins_with(text: str) -> None:
    shown, is_cut = cut(text, 100)
    assert (len(shown), is_cut) == (100, True)
