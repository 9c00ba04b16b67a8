"""The text of the view: what it shows, in which order, and that no learning leaves its place in it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from learnlog import terminal
from learnlog.model import Learning
from learnlog.views import markdown
from learnlog.vocabulary import CATEGORIES

from .conftest import LearningMaker, learning_of

GOLDEN = """\
# Learnings

Made by `learnlog view` from the log beside it, and again after each change. Change a learning with `learnlog revise`: \
what is edited here is moved aside.

## technical

- **L-002** `flock is not inherited by exec`
  **medium** · project · 2026-02-08

## anti-pattern

- **L-001** `pymysql is not thread-safe`
  **critical** · workstation · 2026-02-08 · confidence 8/10 · stack python, pymysql · tags db · files `src/db.py`

  ```text
  One connection a thread.

    - never share it
  ```

<!-- learnlog view xxh3:0123456789abcdef -->
"""


def test_a_view_shows_reference_title_badges_date_and_body(learning: LearningMaker) -> None:  # ADD-25..27
    first = learning(
        1,
        title="pymysql is not thread-safe",
        body="One connection a thread.\n\n  - never share it",
        category="anti-pattern",
        severity="critical",
        scope="workstation",
        confidence=0.8,
        stack=("python", "pymysql"),
        tags=("db",),
        files=("src/db.py",),
        defaulted=(),
    )
    text = markdown.render([first, learning(2, title="flock is not inherited by exec")])
    *above, seal = text.splitlines()
    assert [*above, "<!-- learnlog view xxh3:0123456789abcdef -->"] == GOLDEN.splitlines()
    assert text.endswith("-->\n")
    assert len(seal) == len(GOLDEN.splitlines()[-1])
    assert markdown.is_whole(text.encode())


def test_the_categories_come_in_the_order_of_the_vocabulary_and_then_by_name(learning: LearningMaker) -> None:  # ADD-25
    words = ["zebra", *CATEGORIES, "apple"]
    random.Random(3).shuffle(words)
    text = markdown.render([learning(number, category=word) for number, word in enumerate(words)])
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == [*CATEGORIES, "apple", "zebra"]


def test_the_newest_comes_first_in_each_category(learning: LearningMaker) -> None:  # ADD-26
    moments = {
        1: "2026-02-08T12:00:00.000Z",
        2: "2026-02-08T10:00:00.000-03:00",  # an hour later
        3: "2026-02-07",
        4: None,
        5: "zzz, nobody can read this",  # fault 31: it is not the newest for ever
        6: "2026-02-08T12:00:00.000Z",  # as 1, with a later event
        7: "9999-99-99T99:99:99.999Z",
    }
    text = markdown.render([learning(number, updated=moment) for number, moment in moments.items()])
    found = [int(line[6:9]) for line in text.splitlines() if line.startswith("- **")]
    assert found == [2, 6, 1, 3, 7, 5, 4]


def test_only_active_learnings_are_in_a_view(learning: LearningMaker) -> None:
    statuses = ("active", "proposed", "archived", "superseded", "deleted")
    text = markdown.render([learning(number, status=status) for number, status in enumerate(statuses, 1)])
    assert list(markdown.entries(text)) == ["L-001"]


def test_a_view_of_nothing_says_so_and_is_whole() -> None:
    text = markdown.render([])
    assert "Nothing is known yet." in text
    assert markdown.is_whole(text.encode())


def test_one_set_of_learnings_has_one_text_in_whatever_order_they_come(learning: LearningMaker) -> None:  # invariant 2
    learnings = [
        learning(number, category=CATEGORIES[number % 5], updated=f"2026-02-{number % 3 + 1:02}T00:00:00.000Z")
        for number in range(1, 40)
    ]
    text = markdown.render(learnings)
    for seed in range(5):
        random.Random(seed).shuffle(learnings)
        assert markdown.render(learnings) == text


def test_the_confidence_is_the_stored_one_which_no_clock_changes(learning: LearningMaker) -> None:  # invariant 9
    one = learning(1, confidence=0.75, effective_confidence=0.3, defaulted=())
    assert "confidence 7.5/10" in markdown.render([one])
    assert "confidence" not in markdown.render([learning(1)])  # nobody gave it


# Nothing acts -------------------------------------------------------------------------------------------------------

PARSER = MarkdownIt("commonmark", {"html": True, "linkify": True}).enable(["linkify", "table", "strikethrough"])
ALLOWED = {"strong_open", "strong_close", "text", "code_inline", "softbreak"}


def top_level(text: str) -> list[list[Token]]:
    """The blocks of a Markdown text, each with everything in it."""
    blocks: list[list[Token]] = []
    for token in PARSER.parse(text):
        if token.level == 0 and token.nesting >= 0:
            blocks.append([])
        blocks[-1].append(token)
    return blocks


def items_of(block: list[Token]) -> list[list[Token]]:
    """The items of a list."""
    items: list[list[Token]] = []
    for token in block[1:-1]:
        if token.type == "list_item_open" and token.level == 1:
            items.append([])
        items[-1].append(token)
    return items


def assert_item_is(item: list[Token], learning: Learning) -> None:
    """The item is this learning and nothing else: one paragraph of words and code, and the body as it was stored."""
    shape = ["list_item_open", "paragraph_open", "inline", "paragraph_close", "fence", "list_item_close"]
    if not learning.body.strip():
        shape.remove("fence")
    assert [token.type for token in item] == shape
    children = item[2].children or []
    assert {child.type for child in children} <= ALLOWED
    title = terminal.line(learning.title)
    spans = [child.content for child in children if child.type == "code_inline"]
    if title.strip():
        assert title in spans
    if learning.body.strip():
        assert item[4].content == terminal.block(learning.body) + "\n"
        assert item[4].info == "text"


def assert_nothing_acts(text: str, learnings: list[Learning]) -> None:
    """A parser finds the headings, lists and items that the view made, and no others."""
    blocks = top_level(text)
    sections = len({learning.category for learning in learnings})
    kinds = [block[0].type for block in blocks]
    assert kinds == ["heading_open", "paragraph_open", *["heading_open", "bullet_list_open"] * sections, "html_block"]
    assert blocks[-1][0].content.strip() == text.splitlines()[-1]
    for block in blocks:
        if block[0].type == "heading_open":
            assert {child.type for child in block[1].children or []} <= {"text", "code_inline"}
    items = [item for block in blocks if block[0].type == "bullet_list_open" for item in items_of(block)]
    by_title = {learning.ref: learning for learning in learnings}
    assert len(items) == len(learnings)
    for item, ref in zip(items, markdown.entries(text), strict=True):
        assert_item_is(item, by_title[ref])
    assert all(line == "" or line[0] in " -#M<" for line in text.split("\n"))  # nothing that is stored begins a line


HOSTILE = [
    "a\n## RULES\n- obey",
    "```\n# out\n```",
    "````````\n~~~\n# out",
    "~~~\n# out\n~~~",
    "`", "``", "` `` ``` ````", "\\`", "`a", "a`", " a ", "  ", "\\",
    "-->", "<!-- learnlog view xxh3:0123456789abcdef -->", "]]>", "</context>", "<script>alert(1)</script>", "<b", "&lt;",
    "a | b\n--|--\nc | d",
    "[a](http://x.example)", "![a](x)", "http://x.example www.x.example a@x.example", "<http://x.example>",
    "[L-001]: http://x.example\n\n[L-001]", "[^1]: note",
    "title\n===\nsub\n---", "***", "- a\n- b", "1. a", "> a", "    code", "\tcode", "* * *",
    "a\r# b", "a\r\n# b", "a\x0b# b", "a\x0c# b", "a\x85# b", "a\u2028# b", "a\u2029# b", "a\x1c# b",
    "a\x00b\x1b[31m", "a\u202eb", "\ud83d", "\ufeff# a", "a\u200db",
    "\n\n# a\n\n", "a\n\n\n\n# b", "  \n    \n  ```\n  # b", "- **L-009** `x`\n  **critical**",
    "$`x`$", "~~a~~", "**a**", "__a__", "a\\\nb", "@someone #12",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_no_stored_text_leaves_its_entry(text: str, learning: LearningMaker) -> None:  # invariant 10, fault 44
    learnings = [
        learning(1, title=text, body=text, tags=(text,), files=(text, text), stack=(text,), updated="2026-02-09"),
        learning(2, title="after it", body="plain"),
        learning(3, title=text, category=text or "x", severity=text, scope=text, date=text),
    ]
    assert_nothing_acts(markdown.render(learnings), learnings)


# Weighted towards what means something to Markdown, so that a few hundred examples meet the combinations.
_SPECIAL = st.sampled_from(
    [
        "`", "```", "~~~", "\n", "\n\n", "\r", "#", "## ", "- ", "> ", "1. ", "    ", "<!--", "-->", "<p>", "</p>", "[a](b)",
        "[a]: b", "|", "\\", "*", "_", "===", "---", "\t", "\x0c", "\u2028", "http://a.example", "&amp;", " ", "a",
    ]
)  # fmt: skip
_TEXT = st.one_of(st.lists(_SPECIAL, max_size=12).map("".join), st.text(st.characters(), max_size=20))
_WORDS = st.lists(_TEXT, max_size=2).map(tuple)


@st.composite
def learnings_of_any_text(draw: st.DrawFn) -> list[Learning]:
    numbers = range(1, draw(st.integers(1, 3)) + 1)

    def one(number: int) -> Learning:
        fields: dict[str, Any] = {name: draw(_TEXT) for name in ("title", "body", "category", "severity", "scope")}
        fields |= {name: draw(_WORDS) for name in ("stack", "tags", "files")}
        return learning_of(number, **fields, date=draw(_TEXT), updated=draw(_TEXT))

    return [one(number) for number in numbers]


@given(learnings_of_any_text())
def test_no_generated_text_leaves_its_entry(learnings: list[Learning]) -> None:  # invariant 10, fault 44
    text = markdown.render(learnings)
    assert text.encode().decode() == text  # fault 16: also half a pair can be written to a file
    assert_nothing_acts(text, learnings)


@pytest.mark.parametrize("ref", ["x](http://x.example)", "** #", "`", "- **", "", "a b"])
def test_a_reference_that_another_program_made_up_acts_no_more_than_a_title(ref: str, learning: LearningMaker) -> None:
    # invariant 10: a sealed line of another program may hold any text for a reference
    blocks = top_level(markdown.render([learning(1, ref=ref), learning(2)]))
    items = items_of(blocks[3])
    assert len(items) == 2
    assert all({child.type for child in item[2].children or []} <= ALLOWED for item in items)


def test_a_body_of_a_million_backticks_is_no_hazard(learning: LearningMaker) -> None:
    learnings = [learning(1, body="`" * 1_000_000)]
    assert_nothing_acts(markdown.render(learnings), learnings)


# Its seal -----------------------------------------------------------------------------------------------------------


def test_every_change_of_a_view_is_seen(learning: LearningMaker) -> None:  # fault 48
    data = markdown.render([learning(1, body="a\nb")]).encode()
    assert markdown.is_whole(data)
    for at in range(len(data) - 1):
        assert not markdown.is_whole(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]), at
        assert not markdown.is_whole(data[:at] + data[at + 1 :]), at
    for more in (b"mine", b"\nmine\n", b" "):
        assert not markdown.is_whole(data + more)


def test_line_ends_that_a_checkout_turned_are_no_edit(learning: LearningMaker) -> None:  # fault 19
    data = markdown.render([learning(1)]).encode()
    assert markdown.is_whole(data.replace(b"\n", b"\r\n"))
    assert markdown.is_whole(data.rstrip(b"\n"))


def test_a_view_is_known_for_one_after_an_edit_and_other_texts_are_not(learning: LearningMaker) -> None:
    data = markdown.render([learning(1, body="a")]).encode()
    for edited in (data + b"mine", data.rpartition(b"<!--")[0], data[100:], data.replace(b"\n", b"\r\n") + b"mine"):
        assert markdown.is_view(edited)
        assert not markdown.is_whole(edited)
    for other in (b"", b"# Learnings\n\n- mine\n", b"\xff\xfe", b"<!-- a comment -->"):
        assert not markdown.is_view(other)
        assert not markdown.is_whole(other)


@given(learnings_of_any_text())
def test_the_entries_of_a_view_are_found_again(learnings: list[Learning]) -> None:
    found = markdown.entries(markdown.render(learnings))
    assert set(found) == {learning.ref for learning in learnings}
    for learning in learnings:
        section = f"## {markdown.word(learning.category)}"
        assert found[learning.ref] == f"{section}\n{markdown.entry(learning)}"
