"""The bounded active view: what another tool's files expect of it, its bounds, and that nothing stored leaves its entry."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec import UNSET

from learnlog.formats import add
from learnlog.model import Learning
from learnlog.views import active, markdown
from learnlog.views.active import BODY_CHARACTERS, CHARACTERS, ENTRIES, ROW_CHARACTERS, entries_of, render
from learnlog.vocabulary import SEVERITIES

from .conftest import LearningMaker, learning_of
from .test_markdown import HOSTILE, PARSER, items_of, top_level

FIXTURES = Path(__file__).parents[3] / "shared" / "data" / "add" / "active-view"
_FIELDS = ("title", "body", "scope", "category", "severity", "stack", "date")
# Of the six, two have bounds of their own: two entries, and characters for one entry of 135 and not for two.
_BOUNDS: dict[str, dict[str, int]] = {"overflow": {"entries": 2}, "budget": {"characters": 200}}


def learnings_of_add(data: bytes) -> list[Learning]:
    """The entries of ADD's file, in our model, under their own references."""
    made = []
    for number, one in enumerate(add.read(data).rows):
        given_ = {name: value for name in _FIELDS if (value := getattr(one.content, name)) is not UNSET}
        made.append(learning_of(number, ref=one.native, status="archived" if one.archived else "active", **given_))
    return made


@pytest.mark.parametrize("name", ["basic", "empty", "large", "longbody", "overflow", "budget"])
def test_the_view_is_the_one_that_add_makes_byte_for_byte(name: str) -> None:  # ADD-active
    if not FIXTURES.exists():
        pytest.skip(f"{FIXTURES} is absent: real files to run against are not part of the project")
    learnings = learnings_of_add((FIXTURES / f"fixture-{name}.json").read_bytes())
    made = render(learnings, log=".add/learnings.json", read="read JSON", **_BOUNDS.get(name, {}))
    assert made.encode() == (FIXTURES / f"fixture-{name}-expected.md").read_bytes()


GOLDEN = f"""\
# Active Learnings (3 of 5)

> Pre-filtered by severity and date. Full data: `.learnlog/learnings.jsonl` (1 archived)

### anti-pattern
- **[critical]** `never *again*` (L-003, undated)
### technical
- **[high]** Long (L-002, 2026-02-08)
  {"a" * BODY_CHARACTERS}… [truncated — full entry in learnings.jsonl]
### process
- **[low]** Pinned although it is low (L-004, 2026-01-01)

## Index (1 more — title only, `learnlog show REF` for full detail)

- [medium] L-001 technical: Left for the index (2026-02-08)

---
*Auto-generated. Do not edit — regenerated on each learning write.*
"""


def test_the_view_of_our_own_log_says_where_the_rest_is(learning: LearningMaker) -> None:  # ADD-active
    made = render(
        [
            learning(1, title="Left for the index", body="and not seen"),
            learning(2, title="Long", severity="high", body="a" * (BODY_CHARACTERS + 1)),
            learning(3, title="never *again*", severity="critical", category="anti-pattern", date=None),
            learning(4, title="Pinned although it is low", severity="low", category="process", pinned=True, date="2026-01-01"),
            learning(5, status="archived", severity="critical"),
            learning(6, title="muted", muted=True, severity="critical"),
            *(learning(10 + at, status=one) for at, one in enumerate(("proposed", "superseded", "deleted"))),
        ],
        entries=3,
    )
    assert made == GOLDEN


def test_a_body_of_several_lines_is_one_line(learning: LearningMaker) -> None:
    made = render([learning(1, body="one\n\n- two\n")])
    assert "  one⏎⏎- two\n" in made


def test_nothing_active_is_said_and_the_archived_are_counted(learning: LearningMaker) -> None:
    assert render([]) == "# Active Learnings (0 entries)\n\nNo learnings recorded yet.\n"
    made = render([learning(1, status="archived")])
    assert made.startswith("# Active Learnings (0 of 1)\n\n> Pre-filtered")
    assert "(1 archived)" in made
    assert entries_of(made) == {}


def test_one_state_has_one_text_in_whatever_order_it_comes(learning: LearningMaker) -> None:  # invariant 2, 9
    learnings = [
        learning(number, severity=SEVERITIES[number % 4], date=f"2026-01-{number % 5 + 1:02}", category=f"c{number % 3}")
        for number in range(40)
    ]
    made = render(learnings)
    for seed in range(5):
        random.Random(seed).shuffle(learnings)
        assert render(learnings) == made


def test_the_newest_of_a_severity_come_first_and_one_that_is_pinned_before_all(learning: LearningMaker) -> None:  # ADD-active
    learnings = [
        learning(1, severity="low"),
        learning(2, severity="high", date="2026-01-01"),
        learning(3, severity="high", date="2026-03-01"),
        learning(4, severity="gardening"),
        learning(5, severity="low", pinned=True),
        learning(6, severity="critical", date=None),
    ]
    assert [one.ref for one in active.ranked(learnings)] == ["L-005", "L-006", "L-003", "L-002", "L-001", "L-004"]


@pytest.mark.parametrize("name", ["title", "ref", "severity", "category", "date"])
def test_no_text_of_another_program_takes_the_room_of_the_others(name: str, learning: LearningMaker) -> None:
    giant = learning(1, body="\x00" * 1_000_000, **{"severity": "critical", name: "*" * 1_000_000})
    made = render([giant, *(learning(number) for number in range(2, 6))])
    assert made.startswith("# Active Learnings (5 of 5)")
    assert len(made) < 3_000


# Its bounds, and that nothing acts ------------------------------------------------------------------------------------

_SPECIAL = st.sampled_from(
    [*"`#*_-+>|[]()<&\\~=1.:/ \n\ra", "```", "- **[", "] ", " (L-001, ", "<!--", "-->", "\n\n", "    ", "www.a.b", "\u2028"]
)
_TEXT = st.one_of(st.lists(_SPECIAL, max_size=10).map("".join), st.text(max_size=20), st.sampled_from(HOSTILE))
_LONG = st.tuples(_TEXT, st.integers(1, 300)).map(lambda pair: pair[0] * pair[1])


@st.composite
def learnings_of_any_text(draw: st.DrawFn) -> list[Learning]:
    made = []
    for number in range(1, draw(st.integers(0, 6)) + 1):
        fields: dict[str, Any] = {name: draw(_TEXT) for name in ("category", "date")}
        fields |= {"title": draw(st.one_of(_TEXT, _LONG)), "body": draw(st.one_of(_TEXT, _LONG))}
        fields["severity"] = draw(st.one_of(st.sampled_from(SEVERITIES), _TEXT))
        fields["pinned"] = draw(st.booleans())
        made.append(learning_of(number, **fields))
    return made


def in_full_and_rows(text: str) -> tuple[list[str], list[str]]:
    """The lines of the entries in full, and those of the index."""
    above, _, below = text.partition("\n## Index (")
    full = [line for line in above.split("\n") if line.startswith(("- ", "  "))]
    return full, [line for line in below.split("\n") if line.startswith("- ")]


@given(learnings_of_any_text(), st.integers(0, 4), st.sampled_from([0, 120, 700, CHARACTERS]))
def test_a_view_keeps_its_bounds_and_leaves_no_learning_out(learnings: list[Learning], most: int, room: int) -> None:
    text = render(learnings, entries=most, characters=room)
    full, rows = in_full_and_rows(text)
    told = [line for line in full if line.startswith("- ")]
    assert len(told) <= most
    assert sum(len(line) + 1 for line in full) <= room
    assert sorted(entries_of(text)) == sorted(one.ref for one in learnings)
    assert len(told) + len(rows) == len(learnings)
    assert all(len(line) <= 12 * ROW_CHARACTERS for line in rows)
    assert text.encode().decode() == text  # fault 16


@given(learnings_of_any_text(), st.integers(0, 4))
def test_no_stored_text_leaves_its_entry(learnings: list[Learning], most: int) -> None:  # invariant 10, fault 44
    text = render(learnings, entries=most)
    blocks = top_level(text)
    if not learnings:
        return
    full, rows = in_full_and_rows(text)
    sections = len({one.category for one in active.ranked(learnings)[: len([x for x in full if x.startswith("- ")])]})
    kinds = ["heading_open", "blockquote_open", *["heading_open", "bullet_list_open"] * (sections + bool(rows))]
    assert [block[0].type for block in blocks] == [*kinds, "hr", "paragraph_open"]
    items = [item for block in blocks if block[0].type == "bullet_list_open" for item in items_of(block)]
    assert len(items) == len(learnings)
    for item in items:
        assert [token.type for token in item if token.type != "inline"] == [
            "list_item_open", "paragraph_open", "paragraph_close", "list_item_close",
        ]  # fmt: skip
        children = next(token for token in item if token.type == "inline").children or []
        assert {child.type for child in children} <= {"strong_open", "strong_close", "text", "code_inline", "softbreak"}


def test_an_entry_that_fills_the_room_is_told_and_one_character_more_is_not(learning: LearningMaker) -> None:  # ADD-active
    room = len(active.entry(learning(1))) + len(active.entry(learning(2))) + 2
    learnings = [learning(1), learning(2)]
    assert render(learnings, characters=room).startswith("# Active Learnings (2 of 2)")
    assert render(learnings, characters=room - 1).startswith("# Active Learnings (1 of 2)")


def test_the_parser_of_these_tests_would_see_a_text_that_acts() -> None:
    assert isinstance(PARSER, MarkdownIt)
    kinds = {child.type for child in PARSER.parse("- **[high]** see [a](b) (L-001, x)")[3].children or []}
    assert "link_open" in kinds


def test_the_limits_are_those_of_add() -> None:  # ADD-active
    assert (ENTRIES, CHARACTERS, BODY_CHARACTERS) == (15, 6000, 400)
    learnings = [learning_of(number, body="b" * 500) for number in range(1, 31)]
    text = render(learnings)
    full, rows = in_full_and_rows(text)
    assert sum(len(line) + 1 for line in full) <= CHARACTERS
    assert len(rows) == 30 - len(full) // 2
    assert markdown.is_whole(markdown.sealed(text).encode())
