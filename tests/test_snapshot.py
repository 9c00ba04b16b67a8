"""What is known at one moment: history, counts, as-of, near learnings (X-2, GS-stats)."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Clock

from learnlog import InvalidValue, Store


def changes(store: Store, reference: str) -> list[tuple[str, dict[str, Any]]]:
    return [
        (one.event, {name: (change["from"], change["to"]) for name, change in one.changes.items()})
        for one in store.history(reference).events
    ]


def test_history_has_every_event_and_what_it_changed(store: Store) -> None:
    #
    store.record("a", key="k", confidence=0.8)
    store.record("b", key="k", body="x", by="human:Ada", session="s")
    store.reclassify("L-001", severity="high")
    store.archive("L-001", reason="old")
    assert changes(store, "L-001") == [
        (
            "recorded",
            {
                "key": (None, "k"),
                "title": (None, "a"),
                "confidence": (None, 0.8),
                "origin": (None, "observed"),
                "classified_by": (None, "agent"),
                "status": (None, "active"),
                "ref": (None, "L-001"),
            },
        ),
        ("recorded", {"title": ("a", "b"), "body": ("", "x")}),
        ("reclassified", {"severity": ("medium", "high")}),
        ("archived", {"status": ("active", "archived")}),
    ]
    second = store.history("L-001").events[1]
    assert second.actor is not None
    assert (second.actor.kind, second.actor.name, second.actor.session) == ("human", "Ada", "s")
    assert second.at is not None


def test_history_shows_no_change_in_a_field_that_nobody_gave(store: Store) -> None:
    store.record("a")
    assert set(changes(store, "L-001")[0][1]) == {"title", "origin", "classified_by", "status", "ref"}


def test_history_says_what_is_undone_and_shows_what_undoing_changed(store: Store) -> None:
    store.record("a")
    store.revise("L-001", body="x")
    store.undo("L-001")
    events = store.history("L-001").events
    assert [one.undone for one in events] == [False, True, False]
    assert events[2].event == "undone"


def test_history_of_a_deleted_learning_stays(store: Store) -> None:
    store.record("a")
    store.delete("L-001")
    assert [one.event for one in store.history("L-001").events] == ["recorded", "deleted"]


def test_stats_count_what_lives_and_what_was(store: Store) -> None:
    # GS-stats
    store.record("a", category="process", severity="high", confidence=0.9)
    store.record("b", scope="universal", origin="user-stated", confidence=0.6)
    store.record("c", proposed=True, confidence=0.3)
    store.record("d", severity="low")
    store.delete("L-004")
    store.archive("L-001")
    stats = store.stats()
    assert (stats.learnings, stats.events, stats.superseded_events) == (3, 6, 2)
    assert stats.by_category == {"technical": 2, "process": 1}
    assert stats.by_severity == {"medium": 2, "high": 1}
    assert stats.by_scope == {"project": 2, "universal": 1}
    assert stats.by_origin == {"observed": 2, "user-stated": 1}
    assert stats.by_status == {"archived": 1, "active": 1, "proposed": 1, "deleted": 1}
    assert stats.average_confidence == 0.6
    assert (stats.damaged_lines, stats.unsealed_lines) == ((), 0)


def test_stats_of_nothing(store: Store) -> None:
    stats = store.stats()
    assert (stats.learnings, stats.events, stats.average_confidence, stats.by_status) == (0, 0, None, {})


def test_stats_know_the_length_of_the_log(open_store: Callable[[], Store], tmp_path: Any) -> None:
    store = open_store()
    store.record("a")
    assert store.stats().log_bytes == (tmp_path / "learnings.jsonl").stat().st_size


def test_as_of_a_day_is_what_was_known_at_its_end(store: Store, clock: Clock) -> None:
    # X-2; the clock begins on 2026-02-08 at noon
    store.record("a", key="k", body="old")
    clock.pass_days(1)
    store.record("a", key="k", body="new")
    store.record("b")
    clock.pass_days(1)
    store.delete("L-001")
    assert store.as_of("2026-02-07").list().total == 0
    assert [hit.body for hit in store.as_of("2026-02-08").search("a")] == ["old"]
    assert [hit.body for hit in store.as_of(datetime.date(2026, 2, 9)).search("a")] == ["new"]
    assert store.as_of("2026-02-09").get("L-001").status == "active"
    assert store.as_of("2026-02-10").get("L-001").status == "deleted"
    assert store.as_of("2030-01-01").list().total == store.list().total
    assert store.as_of("2026-02-09").stats().learnings == 2
    assert len(store.as_of("2026-02-08").history("L-001").events) == 1


def test_as_of_decays_to_its_own_day(store: Store, clock: Clock) -> None:
    store.record("a", confidence=0.8)
    clock.pass_days(100)
    assert store.as_of("2026-02-08").get("L-001").effective_confidence == 0.8
    assert store.get("L-001").effective_confidence == 0.5


@pytest.mark.parametrize(
    "day", ["", "soon", "2026-02-30", "2026-2-8", "20260208", "2026-02-08T12:00", "20260101T1", 20260208, None, []]
)
def test_a_day_that_is_none_is_refused(store: Store, day: Any) -> None:
    with pytest.raises(InvalidValue, match=r"^day: "):
        store.as_of(day)


def test_a_day_is_year_month_day_and_no_other_form(store: Store) -> None:
    with pytest.raises(InvalidValue, match=r"^day: "):
        store.as_of("2026-W01-1")


def test_similar_learnings_are_named_the_nearest_first(store: Store) -> None:
    store.record("always close the database connection after use")
    store.record("close the database connection after every use")
    store.record("something about compilers entirely")
    done = store.record("always close the database connection after use")
    assert done.status == "recorded"  # an exact duplicate without a key is a new learning
    assert [(one.ref, one.similarity) for one in done.similar] == [("L-001", 1.0), ("L-002", pytest.approx(4 / 6, abs=0.1))]
    store.delete("L-001")
    assert next(one.ref for one in store.record("always close the database connection after use").similar) == "L-004"


def test_a_learning_shows_everything(store: Store) -> None:
    given = {
        "body": "b", "key": "k", "category": "process", "severity": "low", "scope": "universal", "stack": ("python",),
        "tags": ("t",), "files": ("f",), "confidence": 0.7, "origin": "inferred", "source": "s", "checkpoint": "c",
        "evidence": ("e",), "example": "x", "alternatives": ("a",), "outcome": "o", "extra": {"n": [1, None, {"m": "\ud83d"}]},
    }  # fmt: skip
    store.record("t", date="2026-02-01", **given)
    shown = store.get("L-001")
    assert {name: getattr(shown, name) for name in given} == given
    assert (shown.title, shown.date, shown.classified_by, shown.tier) == ("t", "2026-02-01", "agent", "project")
    assert shown.defaulted == ()
    assert str(shown.created).startswith("2026-02-08T12:00:00.")
    assert not shown.trusted


def test_what_nobody_gave_shows_its_default_and_says_so(store: Store) -> None:
    store.record("t")
    shown = store.get("L-001")
    assert (shown.category, shown.severity, shown.scope, shown.confidence, shown.body) == (
        "technical",
        "medium",
        "project",
        0.5,
        "",
    )
    assert {"category", "severity", "scope", "confidence", "body", "stack"} <= set(shown.defaulted)
    assert (shown.key, shown.source, shown.checkpoint, shown.last_confirmed) == (None, None, None, None)
