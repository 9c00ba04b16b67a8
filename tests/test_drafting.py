"""What a caller gave is checked at once, with the argument's name and what is allowed."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from learnlog.drafting import BODY_BYTES, EVENT_BYTES, FIELDS, TITLE_CHARACTERS, draft, row_fields
from learnlog.errors import InvalidValue, TooLarge
from learnlog.model import CONTENT_FIELDS, Content
from learnlog.vocabulary import CATEGORIES, ORIGINS, SCOPES, SEVERITIES

NOW_MS = 1_770_552_000_000


def drafted(**fields: Any) -> Content:
    return draft(fields, now_ms=NOW_MS)


def test_each_field_of_a_learning_can_be_given_but_who_classified_it() -> None:
    assert set(FIELDS) == set(CONTENT_FIELDS) - {"classified_by"}


def test_none_is_not_given() -> None:
    assert drafted(**dict.fromkeys(FIELDS)) == Content()


@pytest.mark.parametrize(
    ("name", "words"), [("category", CATEGORIES), ("severity", SEVERITIES), ("scope", SCOPES), ("origin", ORIGINS)]
)
def test_every_word_of_the_vocabulary_is_taken_and_no_other(name: str, words: tuple[str, ...]) -> None:
    for word in words:
        assert getattr(drafted(**{name: f" {word.upper()} "}), name) == word
    for wrong in ("gardening", "", " ", 5, None.__class__, ["technical"], words):
        with pytest.raises(InvalidValue, match=f"^{name}: .*{words[0]}"):
            drafted(**{name: wrong})


class Thing:
    """What JSON has no form for."""

    def __repr__(self) -> str:  # the same in every process that collects the tests
        return "Thing()"


WRONG = [
    ("title", ["", "   ", "\n", 5, b"bytes", ["x"], True]),
    ("key", ["", " ", "x" * 201, "a\nb", "a\x00", "\ud83d", 5, ["k"]]),
    ("body", [5, b"bytes", ["x"], {}]),
    ("source", [5]),
    ("example", [5]),
    ("outcome", [[]]),
    ("checkpoint", [0]),
    ("confidence", [-0.1, 1.1, 8, float("nan"), float("inf"), "0.8", "8/10", True, False, [0.5]]),
    ("stack", ["python", 5, [5], {"python": 1}, [["python"]], [None]]),
    ("tags", ["a", 5, [5]]),
    ("files", ["a.py", [5]]),
    ("evidence", [5, [5]]),
    ("alternatives", [5]),
    (
        "date",
        ["soon", "", "2026-2-8", "20260208", "2026-02-30", "2026-02-10", "2026-02-08T12:00:00", "٢٠٢٦-٠١-٠١", 20260208, []],
    ),
    ("extra", ["text", 5, [], {5: 1}, {"a": Thing()}, {"a": {Thing(): 1}}]),
]


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in WRONG for value in values], ids=lambda v: repr(v)[:30]
)
def test_a_wrong_value_is_refused_with_the_name_of_its_argument(name: str, value: Any) -> None:
    # fault 17
    with pytest.raises(InvalidValue, match=f"^{name}: ") as caught:
        drafted(**{name: value})
    assert caught.value.argument == name
    assert len(str(caught.value)) < 500


def test_a_confidence_of_any_size_is_refused() -> None:
    with pytest.raises(InvalidValue, match=r"^confidence: "):
        drafted(confidence=10**400)


def test_an_unknown_argument_is_refused_with_the_nearest() -> None:
    with pytest.raises(InvalidValue, match="did you mean severity"):
        drafted(severty="high")


def test_texts_are_trimmed_where_space_means_nothing() -> None:
    one = drafted(title="  t \n", key=" k ", stack=[" Python", "python", ""], tags=["a", "a", " b "], body="  kept  ")
    assert one == Content(title="t", key="k", stack=("python",), tags=("a", "b"), body="  kept  ")


def test_lists_may_be_any_collection_and_evidence_a_text() -> None:
    assert drafted(tags={"b", "a"}).tags == ("a", "b")
    assert drafted(files=("x",)).files == ("x",)
    assert drafted(evidence="seen").evidence == ("seen",)


@pytest.mark.parametrize(("given", "stored"), [(0, 0), (1, 1000), (0.8, 800), (0.8004, 800), (0.0005, 0), (0.0006, 1)])
def test_confidence_is_stored_in_thousandths(given: float, stored: int) -> None:
    assert drafted(confidence=given).confidence == stored


def test_a_date_may_be_a_date() -> None:
    assert drafted(date=datetime.date(2026, 2, 7)).date == "2026-02-07"
    assert drafted(date=datetime.datetime(2026, 2, 7, 23, 59)).date == "2026-02-07"
    assert drafted(date="2026-02-09").date == "2026-02-09"  # tomorrow: it is already there somewhere


def test_limits_hold_to_the_character_and_the_byte() -> None:
    assert len(drafted(title="é" * TITLE_CHARACTERS).title) == TITLE_CHARACTERS  # type: ignore[arg-type]
    with pytest.raises(TooLarge, match="title has 501 characters"):
        drafted(title="x" * (TITLE_CHARACTERS + 1))
    drafted(body="é" * (BODY_BYTES // 2))
    with pytest.raises(TooLarge, match="body has 1048577 bytes"):
        drafted(body="x" * (BODY_BYTES + 1))
    with pytest.raises(TooLarge, match="body"):
        drafted(body="é" * (BODY_BYTES // 2 + 1))


def test_a_whole_event_has_a_limit_too() -> None:
    part = "x" * (BODY_BYTES - 100)
    drafted(body=part, example=part, outcome=part)
    with pytest.raises(TooLarge, match="the event"):
        drafted(body=part, example=part, outcome=part, source=part, tags=["x" * 500])
    with pytest.raises(TooLarge, match="the event"):
        drafted(extra={"x": "y" * EVENT_BYTES})
    with pytest.raises(TooLarge, match="the event"):
        drafted(body="\x00" * (BODY_BYTES - 1))  # six bytes of JSON each


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_json_has_not_is_refused_in_extra(number: float) -> None:
    # fault 17
    with pytest.raises(InvalidValue, match=r"^extra: "):
        drafted(extra={"deep": [{"er": number}]})


@pytest.mark.parametrize("depth", [200, 900, 990, 1100, 100_000])
def test_what_nests_too_deeply_is_refused_in_extra(depth: int) -> None:
    # what one stack can write another cannot read: a bound far below both
    nested: list[Any] = []
    for _ in range(depth):
        nested = [nested]
    with pytest.raises(InvalidValue, match=r"^extra: "):
        drafted(extra={"a": nested})


def test_a_row_is_a_mapping_or_a_learning() -> None:
    assert row_fields({"title": "t"}) == {"title": "t"}
    for wrong in ("title", 5, None, ["title"]):
        with pytest.raises(InvalidValue, match=r"^row: "):
            row_fields(wrong)  # type: ignore[arg-type]
