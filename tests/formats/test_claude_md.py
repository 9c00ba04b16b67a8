"""The block for CLAUDE.md: its sections and entries, what is taken out, and its place in a file of somebody else's."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from views.conftest import learning_of
from views.test_markdown import HOSTILE, items_of, top_level

from learnlog.formats import claude_md, markers
from learnlog.formats.claude_md import BODY_CHARACTERS, SECTIONS, render
from learnlog.formats.markers import Misplaced, block, place
from learnlog.model import Learning
from learnlog.vocabulary import CATEGORIES

GOLDEN = f"""\
{claude_md.HEADING}

{claude_md.NOTICE}

### Patterns

- **use-flock** Use flock. It is freed by the kernel. (L-001, confidence 8/10)

### Pitfalls

- **L-002** pymysql is not thread-safe (confidence 10/10)
  One connection a thread.

### Preferences

- **L-003** `**tabs**` (confidence 5/10)

### Architecture

- **L-004** A title (confidence 7.5/10)
  {"b" * BODY_CHARACTERS}… [cut; `learnlog show` has all of it]

### Technical

- **L-005** A title (confidence 5/10)

### gardening

- **L-006** A title (confidence 5/10)

"""


def test_the_block_has_the_sections_of_gstack_and_then_the_others() -> None:  # GS-export
    made = render(
        [
            learning_of(6, category="gardening"),
            learning_of(5),
            learning_of(4, category="architecture", confidence=0.75, body="b" * (BODY_CHARACTERS + 1)),
            learning_of(3, category="preference", title="**tabs**"),
            learning_of(
                2, category="anti-pattern", confidence=1.0, title="pymysql is not thread-safe", body="One connection a thread."
            ),
            learning_of(
                1,
                category="pattern",
                key="use-flock",
                confidence=0.8,
                effective_confidence=0.2,
                title="Use flock.",
                body="Use flock. It is freed by the kernel.",
            ),
            learning_of(7, muted=True),
            *(learning_of(10 + at, status=one) for at, one in enumerate(("proposed", "archived", "superseded", "deleted"))),
        ]
    )
    assert made == GOLDEN


def test_each_category_has_one_section() -> None:
    told = [category for _, categories in SECTIONS for category in categories]
    assert sorted(told) == sorted(CATEGORIES)
    assert [heading for heading, _ in SECTIONS][:4] == ["Patterns", "Pitfalls", "Preferences", "Architecture"]


def test_one_state_has_one_text_in_whatever_order_it_comes() -> None:  # invariant 2
    learnings = [learning_of(at, category=CATEGORIES[at % 7], pinned=at == 20, confidence=at % 3 / 10) for at in range(30)]
    made = render(learnings)
    for seed in range(5):
        random.Random(seed).shuffle(learnings)
        assert render(learnings) == made


def test_nothing_that_is_active_is_no_text() -> None:
    assert render([]) == render([learning_of(1, status="archived"), learning_of(2, muted=True)]) == ""


def test_nobody_is_named_in_it() -> None:  # GS-export: PII-free by default
    from learnlog.model import Actor

    personal = "see /home/alice/x or alice@example.com"
    fields = dict.fromkeys(("title", "body", "key", "category", "source"), personal)
    made = render([learning_of(1, actor=Actor(kind="human", name="alice", session="s-alice"), **fields)])
    assert "alice" not in made
    assert made.count("~/x or <email>") == 3  # heading, key and body: the body says the title, and so stands alone
    told = render([learning_of(1, **fields)], lambda text: text)
    assert told.count("alice@example.com") == 3


# Nothing acts -------------------------------------------------------------------------------------------------------

_SPECIAL = st.sampled_from(
    [
        *"`#*_-+>|[]()<&\\~=1.:/ \n\ra",
        "```",
        "<!--",
        "-->",
        "<!-- learnlog:end -->",
        block("").strip(),
        "\n\n",
        "    ",
        "\u2028",
    ]
)
_TEXT = st.one_of(st.lists(_SPECIAL, max_size=10).map("".join), st.text(max_size=20), st.sampled_from(HOSTILE))


@st.composite
def learnings_of_any_text(draw: st.DrawFn) -> list[Learning]:
    def one(number: int) -> Learning:
        fields: dict[str, Any] = {name: draw(_TEXT) for name in ("title", "body", "category")}
        return learning_of(number, key=draw(st.one_of(st.none(), _TEXT)), **fields)

    return [one(number) for number in range(1, draw(st.integers(1, 4)) + 1)]


def assert_nothing_acts(text: str, count: int) -> None:
    blocks = top_level(text)
    kinds = [one[0].type for one in blocks]
    sections = (len(kinds) - 2) // 2
    assert kinds == ["heading_open", "paragraph_open", *["heading_open", "bullet_list_open"] * sections]
    items = [item for one in blocks if one[0].type == "bullet_list_open" for item in items_of(one)]
    assert len(items) == count
    for item in items:
        assert [token.type for token in item] == [
            "list_item_open", "paragraph_open", "inline", "paragraph_close", "list_item_close",
        ]  # fmt: skip
        kinds_inside = {child.type for child in item[2].children or []}
        assert kinds_inside <= {"strong_open", "strong_close", "text", "code_inline", "softbreak"}


@given(learnings_of_any_text())
def test_no_stored_text_leaves_its_entry_or_the_block(learnings: list[Learning]) -> None:  # invariant 10, fault 44
    text = render(learnings)
    assert_nothing_acts(text, len(learnings))
    file = place(b"# Mine\n", text).data
    again = place(file, text)
    assert (again.data, again.edited) == (file, None)
    assert place(file, "").data == b"# Mine\n\n" + block("").encode()


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_leaves_neither(text: str) -> None:  # fault 44
    made = render([learning_of(1, title=text, body=text, key=text, category=text), learning_of(2, title="after it")])
    assert_nothing_acts(made, 2)


# Its place in a file --------------------------------------------------------------------------------------------------

TEXT = "## New\n\n- new\n\n"


@pytest.mark.parametrize(
    ("before", "apart"),
    [
        (b"", b""),
        (b"\xef\xbb\xbf", b""),
        (b"# Mine\n", b"\n"),
        (b"# Mine", b"\n\n"),
        (b"# Mine\n\n", b""),
        (b"\n", b""),
        (b"# Mine\r\n\r\n\r\nlast", b"\r\n\r\n"),
        (b"# Mine\r\n", b"\r\n"),
        (b"caf\xe9 \xff\xfe \x80\n", b"\n"),
        (b"```\ncode\n```\n", b"\n"),
        (b"- ```\n  code\n  ```\n", b"\n"),
        (b"10. ~~~sh\n    code\n    ~~~\n", b"\n"),
        (b"````\n```\n````\n", b"\n"),
        (b"``` not ` a fence\n", b"\n"),
        (b"see `<!-- learnlog:begin -->` here\n", b"\n"),
    ],
)
def test_a_block_is_added_behind_what_is_there_and_every_byte_of_that_stays(before: bytes, apart: bytes) -> None:  # GS-export
    made = place(before, TEXT).data
    line_end = b"\r\n" if b"\r\n" in before else b"\n"
    assert made == before + apart + block(TEXT).encode().replace(b"\n", line_end)
    assert place(made, TEXT).data == made


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("first", [b"", b"\xef\xbb\xbf", b"\xff\xfe caf\xe9\n\n", b"one\n", b"   \n"])
@pytest.mark.parametrize("last", [b"", b"\n", b"\nafter", b"\n\xe9 \x00 after\n", b"\r\n\r\nafter\n"])
def test_a_block_is_changed_in_its_place_and_nothing_else_is(first: bytes, last: bytes, line_end: bytes) -> None:  # GS-export
    first = first.replace(b"\n", line_end)
    last = last if b"\r" in last else last.replace(b"\n", line_end)

    def file(text: str) -> bytes:
        return first + block(text).encode().removesuffix(b"\n").replace(b"\n", line_end) + last

    for text in (TEXT, "", "other\n"):
        placed = place(file("- old\n"), text)
        assert (placed.data, placed.edited) == (file(text), None)


def test_no_text_empties_a_block_and_makes_none() -> None:
    assert place(None, "").data == b""
    assert place(b"# Mine", "").data == b"# Mine"
    assert place(block(TEXT).encode(), "").data == block("").encode()


def test_two_markers_of_a_persons_say_where_the_block_is_to_be() -> None:
    placed = place(b"# Mine\n<!-- learnlog:begin -->\n\n<!-- learnlog:end -->\n# More\n", TEXT)
    assert placed.data == b"# Mine\n" + block(TEXT).encode() + b"# More\n"
    assert placed.edited is None


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_an_edit_in_the_block_is_noticed_and_turned_line_ends_are_none(line_end: bytes) -> None:  # fault 19, 48
    file = block("- old\n").encode().replace(b"\n", line_end)
    assert place(file, TEXT).edited is None
    edited = file.replace(b"- old", b"- old\xe9, and mine")
    placed = place(edited, TEXT)
    assert placed.edited == b"- old\xe9, and mine" + line_end
    assert placed.data == block(TEXT).encode().replace(b"\n", line_end)
    without_digest = b"<!-- learnlog:begin -->\n- mine\n<!-- learnlog:end -->"
    assert place(without_digest, TEXT).edited == b"- mine\n"
    assert place(without_digest, "- mine\n").edited is None  # what is there is what is wanted


BEGIN, END = markers.BEGIN, block("").split("\n")[1]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{BEGIN}\n", "line 1 has the marker learnlog:begin, and no line has learnlog:end"),
        (f"a\n{END}\n", "line 2 has the marker learnlog:end, and no line has learnlog:begin"),
        (f"{END}\n{BEGIN}\n", "wrong order: end in line 1, begin in line 2"),
        (f"{BEGIN}\n{END}\n" * 2, "more than one block"),
        (f"{BEGIN}\n{BEGIN}\n{END}\n", "more than one block"),
        (f"```\n{BEGIN}\n{END}\n```\n", "the marker in line 2 stands in the code fence that line 1 opens"),
        (f"~~~md\n```\n{BEGIN}\n{END}\n~~~\n", "line 3 stands in the code fence that line 1 opens"),
        (f"{BEGIN}\n```\n{END}\n", "the marker in line 3 stands in the code fence that line 2 opens"),
        (f"    {BEGIN}\n    {END}\n", "line 1 is indented"),
        (f"{BEGIN}\n  {END}\n", "line 2 is indented"),
        ("a\n```\nb\n", "line 2 opens a code fence that nothing closes"),
        ("<!-- learnlog:begin, do not touch -->\nb\n", "no line has learnlog:end"),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_markers_that_make_no_block_are_one_clear_error(text: str, reason: str, line_end: str) -> None:
    with pytest.raises(Misplaced, match=reason):
        place(text.replace("\n", line_end).encode(), TEXT)


@given(
    st.lists(st.sampled_from([b"# a", b"```", b"~~~", b"\xff", b"- ```", b"  ```", b"", b" x\r", b"\xef\xbb\xbf"]), max_size=8)
)
def test_of_any_file_every_byte_stays_and_a_second_time_changes_nothing(lines: list[bytes]) -> None:  # GS-export
    data = b"\n".join(lines)
    try:
        made = place(data, TEXT).data
    except Misplaced:
        return
    assert made.startswith(data)
    assert place(made, TEXT).data == made
    emptied = place(made, "").data
    assert emptied.startswith(data)
    assert place(emptied, TEXT).data == made
