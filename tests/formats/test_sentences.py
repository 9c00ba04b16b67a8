"""A title out of a text, in scripts with and without spaces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnlog.formats.sentences import TITLE_CHARACTERS, first_sentence


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Use flock. It is free.", "Use flock."),
        ("Use flock", "Use flock"),
        ("  padded text. More", "padded text."),
        ("v6.0.2 is out. Update.", "v6.0.2 is out."),
        ("Pin it, e.g. with ==. Always.", "Pin it, e.g. with ==."),
        ("1. First thing. Second thing.", "1. First thing."),
        ("Is it slow? Measure.", "Is it slow?"),
        ("Call new Service(repo, ...) directly. Then mock.", "Call new Service(repo, ...) directly."),
        ('It said "no." Then it left.', 'It said "no."'),
        ("first line\nsecond line", "first line"),
        ("first line\r\nsecond line", "first line"),
        ("不要覆盖旧 token。重写时保留。", "不要覆盖旧 token。"),
        ("“先备份。”再删除。", "“先备份。”"),
        ("注入失败. 上游已修复", "注入失败."),
        ("校验 'GDD step?' 节点时返回 0。改用字面量", "校验 'GDD step?' 节点时返回 0。"),
        ("当多个 task 互相独立时，可并行执行", "当多个 task 互相独立时，可并行执行"),
        ("見出しは短く。本文は長く。", "見出しは短く。"),
    ],
)
def test_the_title_is_the_first_sentence(text: str, title: str) -> None:
    # GS-fields, fault 43
    assert first_sentence(text) == title


def test_a_long_sentence_is_cut_between_words() -> None:
    # GS-fields
    title = first_sentence("word " * 300)
    assert len(title) <= TITLE_CHARACTERS
    assert title.endswith("word…")
    assert len(title) > TITLE_CHARACTERS - 10


def test_a_long_text_without_spaces_is_cut_where_it_must() -> None:
    # fault 43
    assert first_sentence("字" * 600) == "字" * 499 + "…"
    assert first_sentence("字" * 500) == "字" * 500


@given(st.text(min_size=1, max_size=1200).filter(str.strip))
def test_a_title_is_never_empty_nor_too_long_and_begins_the_text(text: str) -> None:
    # GS-fields
    title = first_sentence(text)
    assert 0 < len(title) <= TITLE_CHARACTERS
    assert text.strip().startswith(title.removesuffix("…"))
