"""The events of one learning to what is known: patches, status, undo (semantics: Status, Identity and references)."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import EventMaker

from learnlog.events import Event
from learnlog.model import Content
from learnlog.reduce import Folded, merge, reduce

U = "u"

REACHED_BY = {
    "proposed": [],
    "active": [("accepted", {})],
    "archived": [("archived", {})],
    "superseded": [("superseded", {})],
    "deleted": [("deleted", {})],
}
"""From a proposed learning to each status."""

STATUS_TABLE = [
    # kind, then what it makes of: proposed, active, archived, superseded, deleted
    ("archived", "archived", "archived", "archived", "archived", "deleted"),
    ("restored", "proposed", "active", "active", "active", "active"),
    ("deleted", "deleted", "deleted", "deleted", "deleted", "deleted"),
    ("superseded", "superseded", "superseded", "superseded", "superseded", "deleted"),
    ("accepted", "active", "active", "archived", "superseded", "deleted"),
    ("rejected", "deleted", "active", "archived", "superseded", "deleted"),
    ("recorded", "proposed", "active", "active", "active", "active"),
    # none of these changes a status
    ("revised", "proposed", "active", "archived", "superseded", "deleted"),
    ("reclassified", "proposed", "active", "archived", "superseded", "deleted"),
    ("renumbered", "proposed", "active", "archived", "superseded", "deleted"),
    ("confirmed", "proposed", "active", "archived", "superseded", "deleted"),
    ("rated", "proposed", "active", "archived", "superseded", "deleted"),
    ("pinned", "proposed", "active", "archived", "superseded", "deleted"),
    ("redacted", "proposed", "active", "archived", "superseded", "deleted"),
    ("a kind of the future", "proposed", "active", "archived", "superseded", "deleted"),
]


@pytest.fixture(scope="module")
def made(make_event: EventMaker) -> Any:
    """`made(("recorded", {...}), …)` is the result of these events, numbered from 1, of one learning."""

    def make(*steps: tuple[str, dict[str, Any]]) -> Folded:
        folded = reduce(U, events_of(*steps))
        assert folded is not None
        return folded

    def events_of(*steps: tuple[str, dict[str, Any]]) -> list[Event]:
        return [make_event(number, kind, U, **members) for number, (kind, members) in enumerate(steps, 1)]

    make.events = events_of  # type: ignore[attr-defined]
    return make


def recorded(**fields: Any) -> tuple[str, dict[str, Any]]:
    fields.setdefault("title", "t")
    return "recorded", {"learning": Content(**fields)}


def revised(**fields: Any) -> tuple[str, dict[str, Any]]:
    return "revised", {"learning": Content(**fields)}


def reclassified(**fields: Any) -> tuple[str, dict[str, Any]]:
    return "reclassified", {"learning": Content(**fields)}


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [(row[0], before, after) for row in STATUS_TABLE for before, after in zip(REACHED_BY, row[1:], strict=True)],
)
def test_every_cell_of_the_status_table(made: Any, kind: str, before: str, after: str) -> None:
    birth = ("recorded", {"learning": Content(title="t"), "proposed": True})
    assert made(birth, *REACHED_BY[before]).status == before
    assert made(birth, *REACHED_BY[before], (kind, {})).status == after


def test_fields_given_win_and_absent_ones_stay(made: Any) -> None:
    one = made(recorded(title="a", body="b", confidence=800, tags=("x",)), recorded(title="c", severity="high"))
    assert one.content == Content(title="c", body="b", confidence=800, tags=("x",), severity="high")


def test_lists_are_replaced_and_an_empty_one_empties(made: Any) -> None:
    assert made(recorded(tags=("a", "b")), revised(tags=("c",))).content.tags == ("c",)
    assert made(recorded(tags=("a", "b")), revised(tags=())).content.tags == ()


def test_evidence_for_a_proposed_learning_is_added_and_for_an_active_one_replaced(made: Any) -> None:
    proposed = ("recorded", {"learning": Content(title="t", evidence=("a", "b")), "proposed": True})
    assert made(proposed, recorded(evidence=("b", "c"))).content.evidence == ("a", "b", "c")
    assert made(recorded(evidence=("a", "b")), recorded(evidence=("b", "c"))).content.evidence == ("b", "c")


def test_a_category_set_by_reclassify_changes_only_by_reclassify(made: Any) -> None:
    steps = [recorded(category="technical"), reclassified(category="process")]
    assert made(*steps, recorded(category="technical", body="new")).content == Content(
        title="t", category="process", body="new"
    )
    assert made(*steps, reclassified(category="architecture")).content.category == "architecture"
    assert made(recorded(category="technical"), recorded(category="process")).content.category == "process"
    assert made(recorded(), reclassified(severity="high"), recorded(category="process")).content.category == "process"


def test_an_undone_reclassify_does_not_hold_the_category(made: Any) -> None:
    steps = [recorded(category="technical"), reclassified(category="process")]
    target = made.events(*steps)[1].id
    one = made(*steps, ("undone", {"targets": (target,)}), recorded(category="architecture"))
    assert one.content.category == "architecture"


def test_merge_takes_nothing_from_an_empty_patch() -> None:
    content = Content(title="t", tags=("a",))
    assert merge(content, Content()) is content


# Undo ---------------------------------------------------------------


def undone(made: Any, *steps: tuple[str, dict[str, Any]], then: list[list[int]]) -> Folded:
    """The steps, then one `undone` for each list of numbers (from 1, `undone` events too)."""
    every = list(steps)
    for targets in then:
        ids = [event.id for event in made.events(*every)]
        every.append(("undone", {"targets": tuple(ids[number - 1] for number in targets)}))
    folded: Folded = made(*every)
    return folded


def test_an_undone_event_is_skipped(made: Any) -> None:
    one = undone(made, recorded(), revised(body="a"), revised(tags=("x",)), then=[[2]])
    assert one.content == Content(title="t", tags=("x",))


def test_undoing_an_undo_restores(made: Any) -> None:
    steps = [recorded(), revised(body="a")]
    assert undone(made, *steps, then=[[2]]).content == Content(title="t")
    assert undone(made, *steps, then=[[2], [3]]).content == Content(title="t", body="a")
    assert undone(made, *steps, then=[[2], [3], [4]]).content == Content(title="t")


def test_undoing_a_birth_deletes_and_undoing_that_brings_back(made: Any) -> None:
    assert undone(made, recorded(), then=[[1]]).status == "deleted"
    assert undone(made, recorded(), then=[[1], [2]]).status == "active"


def test_a_later_record_revives_what_an_undone_birth_deleted(made: Any) -> None:
    first = made.events(recorded(body="old"))[0].id
    one = made(recorded(body="old"), ("undone", {"targets": (first,)}), recorded(title="new"))
    assert (one.status, one.content.title) == ("active", "new")


def test_an_undo_cannot_reach_a_later_event(made: Any, make_event: EventMaker) -> None:
    later = make_event(3).id
    one = made(recorded(), ("undone", {"targets": (later,)}), revised(body="later"))
    assert one.content.body == "later"


def test_undoing_a_delete_gives_the_status_before_it_back(made: Any) -> None:
    assert undone(made, recorded(), ("archived", {}), ("deleted", {}), then=[[3]]).status == "archived"


def test_removing_the_newest_version_does_not_bring_an_older_one_as_current(made: Any) -> None:
    # fault 37: deleted is deleted; what older records said stays in the history
    assert made(recorded(title="old"), recorded(title="new"), ("deleted", {})).status == "deleted"


def test_content_changes_after_a_delete_without_reviving(made: Any) -> None:
    one = made(recorded(), ("deleted", {}), revised(body="late"), reclassified(severity="high"))
    assert (one.status, one.content.body, one.content.severity) == ("deleted", "late", "high")


def test_a_reference_once_given_is_kept_also_when_its_event_is_undone(made: Any) -> None:
    # ADD-4: never re-used
    steps = [
        ("recorded", {"learning": Content(title="t"), "ref": "L-001"}),
        ("recorded", {"learning": Content(), "ref": "L-002"}),
    ]
    assert set(undone(made, *steps, then=[[2]]).stored) == {"L-001", "L-002"}


# Births, times ---------------------------------------------------------------


def test_events_without_a_birth_make_nothing(made: Any) -> None:
    assert reduce(U, made.events(revised(body="x"))) is None
    assert reduce(U, made.events(revised(body="x"), ("archived", {}), ("undone", {}))) is None


@pytest.mark.parametrize("kind", ["deleted", "archived", "superseded"])
def test_a_record_after_an_orphaned_change_of_status_is_active(made: Any, kind: str) -> None:
    # Only half of a log was copied: what came before the first record that is here cannot decide what it is now.
    assert made((kind, {}), recorded()).status == "active"


def test_time_of_creation_and_change(made: Any) -> None:
    steps = [recorded(), revised(body="x"), reclassified(severity="high"), ("archived", {})]
    events = made.events(*steps)
    one = made(*steps)
    assert (one.birth, one.created) == (events[0].id, events[0].at)
    assert (one.changed, one.changed_by) == (events[1].at, events[1].id)
    assert one.last == events[3].id


def test_decay_starts_anew_with_title_and_body_only(made: Any) -> None:
    born = made(recorded()).aged
    assert made(recorded(), revised(tags=("x",)), reclassified(severity="high"), ("restored", {})).aged == born
    for fields in ({"title": "other"}, {"body": "other"}):
        steps = [recorded(), revised(**fields)]
        assert made(*steps).aged == made.events(*steps)[1].at


def test_a_record_that_changes_nothing_makes_nothing_young(made: Any) -> None:
    steps = [recorded(body="x"), recorded(body="x")]
    assert made(*steps).changed_by == made.events(*steps)[0].id


def test_the_day_a_learning_says_it_is_from_counts_until_its_content_changes(made: Any) -> None:
    assert made(recorded(date="2020-01-01")).changed == "2020-01-01"
    steps = [recorded(date="2020-01-01"), revised(body="x")]
    assert made(*steps).changed == made.events(*steps)[1].at


def test_the_day_of_the_event_itself_is_its_moment(made: Any) -> None:
    at = made.events(recorded())[0].at
    assert made(recorded(date=at[:10])).changed == at
