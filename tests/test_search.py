"""The reference search: each filter, each order, pages, operations (ADD-9..15, ADD-operations, GS-rank)."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Clock, EventMaker

from learnlog import Store
from learnlog.logs.memory import MemoryLog
from learnlog.model import Content
from learnlog.vocabulary import CATEGORIES, EQUIVALENTS, OPERATIONS, SIX, matters_to


def titles(store: Store, text: str = "", **filters: Any) -> list[str]:
    return [hit.title for hit in store.search(text, **filters)]


@pytest.fixture
def shelf(store: Store, clock: Clock) -> Store:
    """Five learnings, of which the last is the youngest."""
    store.record(
        "alpha", severity="low", category="technical", stack=["python"], tags=["Git"], files=["src/a.py"], confidence=0.9
    )
    store.record("beta", severity="high", category="process", scope="universal", origin="user-stated", confidence=0.3)
    store.record("gamma", severity="high", category="pitfall", stack=["rust", "wasm"], files=["src/sub/b.rs", "docs"])
    clock.pass_days(40)
    store.record("delta", severity="critical", category="anti-pattern", scope="workstation", tags=["ci", "git"], confidence=1)
    store.record("epsilon", severity="medium", proposed=True)
    return store


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ({}, ["delta", "gamma", "beta", "alpha"]),
        ({"severity": "high"}, ["gamma", "beta"]),
        ({"severity": ["low", "critical"]}, ["delta", "alpha"]),
        ({"category": "pitfall"}, ["gamma"]),
        ({"category": ("process", "technical")}, ["beta", "alpha"]),
        ({"scope": "project"}, ["gamma", "alpha"]),
        ({"scope": ["workstation", "universal"]}, ["delta", "beta"]),
        ({"origin": "user-stated"}, ["beta"]),
        ({"tag": "git"}, ["delta", "alpha"]),
        ({"tag": ["ci", "none"]}, ["delta"]),
        ({"stack": "python"}, ["delta", "beta", "alpha"]),
        ({"stack": ["WASM"]}, ["delta", "gamma", "beta"]),
        ({"stack": ["elixir"]}, ["delta", "beta"]),
        ({"file": "src/a.py"}, ["alpha"]),
        ({"file": "src"}, ["gamma", "alpha"]),
        ({"file": "src/"}, ["gamma", "alpha"]),
        ({"file": "*.rs"}, ["gamma"]),
        ({"file": "sr"}, []),
        ({"status": "proposed"}, ["epsilon"]),
        ({"status": ["active", "proposed"]}, ["delta", "gamma", "beta", "epsilon", "alpha"]),
        ({"min_confidence": 0.8}, ["delta", "alpha"]),
        ({"min_confidence": 0.81}, ["delta"]),  # alpha was 0.9, forty days ago
        ({"min_confidence": 0}, ["delta", "gamma", "beta", "alpha"]),
        ({"tier": "project"}, ["delta", "gamma", "beta", "alpha"]),
        ({"tier": "workstation"}, []),
        ({"severity": "high", "scope": "universal"}, ["beta"]),
        ({"severity": "critical", "category": "process"}, []),
    ],
    ids=repr,
)
def test_each_filter_keeps_what_it_should_in_the_order_of_severity_then_newest(
    shelf: Store, filters: dict[str, Any], wanted: list[str]
) -> None:
    # ADD-10, ADD-11
    assert titles(shelf, **filters) == wanted


def test_filters_mean_the_same_in_any_order_of_arguments(shelf: Store) -> None:
    assert titles(shelf, status="active", tier="workstation") == []
    assert titles(shelf, tier="workstation", status="active") == []
    assert titles(shelf, status=[], tier="workstation") == []


def test_newest_first_among_equals_and_never_by_chance(store: Store, clock: Clock) -> None:
    # fault 36
    clock.pass_days(1)
    for number in range(5):
        store.record(str(number))
    for _ in range(20):
        assert titles(store) == ["4", "3", "2", "1", "0"]
    store.revise("L-002", body="changed")
    assert titles(store) == ["1", "4", "3", "2", "0"]
    store.reclassify("L-001", stack=["python"])  # no change of content
    assert titles(store) == ["1", "4", "3", "2", "0"]


def test_newest_first_also_within_one_tick_of_the_clock() -> None:
    # fault 30, 36: the event id decides
    store = Store(MemoryLog(), clock=lambda: 1_770_552_000_000, by="agent")
    for number in range(5):
        store.record(str(number))
    store.revise("L-002", body="changed")
    assert titles(store) == ["1", "4", "3", "2", "0"]


def test_order_of_confidence_is_that_of_today(store: Store, clock: Clock) -> None:
    # GS-rank, GS-decay
    store.record("observed", origin="observed", confidence=0.9)
    store.record("stated", origin="user-stated", confidence=0.8)
    assert titles(store, rank="confidence") == ["observed", "stated"]
    clock.pass_days(61)
    assert titles(store, rank="confidence") == ["stated", "observed"]
    assert [hit.effective_confidence for hit in store.search(rank="confidence")] == [0.8, 0.7]
    assert [hit.confidence for hit in store.search(rank="confidence")] == [0.8, 0.9]


@pytest.mark.parametrize(("days", "wanted"), [(0, 0.8), (29, 0.8), (31, 0.7), (91, 0.5), (400, 0.0)])
def test_confidence_decays_when_read_and_is_never_stored(store: Store, clock: Clock, days: int, wanted: float) -> None:
    # GS-decay
    store.record("t", confidence=0.8)
    clock.pass_days(days)
    learning = store.get("L-001")
    assert (learning.confidence, learning.effective_confidence) == (0.8, wanted)


def test_pages_cover_everything_once(store: Store) -> None:
    store.record_many([{"title": str(number)} for number in range(23)])
    everything = titles(store, limit=None)
    assert len(everything) == 23
    paged = []
    for offset in range(0, 30, 5):
        page = store.search(limit=5, offset=offset)
        paged += [hit.title for hit in page]
        assert (page.total, page.more) == (23, offset + 5 < 23)
    assert paged == everything
    assert len(store.search()) == 10  # ADD-13
    assert store.search(limit=0).more
    assert store.search(limit=23).more is False


def test_hits_are_a_sequence(shelf: Store) -> None:
    hits = shelf.search()
    assert (len(hits), hits[0].title, hits[-1].title) == (4, "delta", "alpha")
    assert [hit.title for hit in hits[1:3]] == ["gamma", "beta"]
    assert hits[0] in hits


# Text ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("stored", "queries"),
    [
        ("run the pre-edit hook", ["pre-edit", "edit", "PRE"]),
        ("error:timeout at 3 GB/s", ["error:timeout", "timeout", "GB/s", "gb"]),
        ("the bot's token", ["bot's", "bot"]),
        ('say "quote" NEAR( the end *', ['"quote', "NEAR(", "quote*"]),
        ("C++ templates", ["C++", "c++"]),
        ("snake_case and CamelCase", ["snake_case", "case", "Camel", "camelcase"]),
        ("重跑build脚本后修复", ["脚本", "build", "修复"]),
        ("データベース接続", ["接続"]),
        ("broken \ud83d half", ["half", "broken"]),
    ],
)
def test_a_query_is_words_and_never_operators(store: Store, stored: str, queries: list[str]) -> None:
    # fault 42, 43, 16
    store.record(stored)
    store.record("something else entirely")
    for query in queries:
        assert titles(store, query) == [stored], query


def test_key_body_and_tags_are_searched_too(store: Store) -> None:
    store.record("one", key="needle")
    store.record("two", body="a needle here")
    store.record("three", tags=["needle"])
    store.record("four", example="needle")
    assert set(titles(store, "needle")) == {"one", "two", "three"}


def test_more_of_the_words_comes_first_whatever_the_severity(store: Store) -> None:
    store.record("lock the file", severity="low")
    store.record("lock", severity="critical")
    hits = store.search("lock file")
    assert [hit.title for hit in hits] == ["lock the file", "lock"]
    scores = [hit.score or 0 for hit in hits]
    assert scores[0] > scores[1] > 0
    assert store.search()[0].score is None


@pytest.mark.parametrize("query", ["*", "(((", "\u2028", "zebra"])
def test_a_query_that_matches_nothing_gives_nothing(shelf: Store, query: str) -> None:
    # ADD-15: silence and success
    assert (shelf.search(query).total, list(shelf.search(query))) == (0, [])


def test_an_empty_log_answers_everything(store: Store) -> None:
    # ADD-edges
    assert titles(store, "x", operation="plan", stack="python") == []
    assert store.search().more is False


# Operations ---------------------------------------------------------------

ADD_OPERATIONS = {
    "plan": {"architecture", "anti-pattern", "collaboration"},
    "tdd-cycle": {"technical", "anti-pattern", "performance"},
    "test-writer": {"technical", "anti-pattern"},
    "implementer": {"technical", "anti-pattern", "architecture"},
    "deploy": {"performance", "technical", "process"},
    "verify": {"technical", "process"},
    "optimize": {"performance", "technical"},
    "reviewer": {"architecture", "anti-pattern", "process"},
    "cycle": {"architecture", "collaboration", "process"},
    "retro": {"process", "collaboration"},
    "spec": {"architecture", "collaboration"},
}
SAME_AS = {
    "technical": {"tool", "tools", "operational", "investigation", "errors", "debugging", "bug-resolution"},
    "anti-pattern": {"pitfall"},
    "architecture": {"pattern", "pattern-choice", "library-selection", "trade-off"},
    "collaboration": {"preference"},
    "process": {"workflows", "scope-change"},
    "performance": set(),
}


@pytest.mark.parametrize("operation", ADD_OPERATIONS)
def test_an_operation_is_told_its_categories_and_their_equivalents(store: Store, operation: str) -> None:
    # ADD-operations
    store.record_many([{"title": category, "category": category} for category in CATEGORIES])
    wanted = {word for category in ADD_OPERATIONS[operation] for word in {category, *SAME_AS[category]}}
    assert set(titles(store, operation=operation, limit=None)) == wanted


def test_the_tables_are_complete() -> None:
    assert set(OPERATIONS) == set(ADD_OPERATIONS)
    assert set(CATEGORIES) == SIX | set(EQUIVALENTS)


def test_an_unknown_operation_filters_nothing_and_names_the_nearest(store: Store) -> None:
    # ADD-operations
    store.record("t", category="performance")
    with pytest.warns(UserWarning, match="did you mean deploy"):
        assert titles(store, operation="deplyo") == ["t"]
    assert matters_to("gardening", "technical")


def test_a_word_without_an_equivalent_passes_every_operation() -> None:
    assert all(matters_to(operation, "gardening") for operation in OPERATIONS)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limit", -1), ("limit", 2.5), ("limit", "10"), ("limit", True), ("offset", -1), ("offset", "0"),
        ("min_confidence", 1.1), ("min_confidence", -0.1), ("min_confidence", "0.5"), ("min_confidence", float("nan")),
        ("min_confidence", True), ("rank", "newest"), ("rank", 5), ("severity", "hgih"), ("severity", 5),
        ("category", "gardening"),
        ("scope", "global"), ("origin", "heard"), ("status", "gone"), ("status", 5), ("tier", "galaxy"), ("tier", 5),
        ("stack", 5), ("stack", [5]), ("tag", {"a": 1}), ("file", 5), ("file", b"a"), ("operation", 5),
    ],
)  # fmt: skip
def test_a_wrong_filter_is_refused_with_its_name(store: Store, name: str, value: Any) -> None:
    from learnlog import InvalidValue

    with pytest.raises(InvalidValue, match=f"^{name}: "):
        store.search(**{name: value})


def test_an_unknown_filter_and_an_order_without_words_say_so(store: Store) -> None:
    from learnlog import InvalidValue

    with pytest.raises(InvalidValue, match="severty"):
        store.search(severty="high")
    with pytest.raises(InvalidValue, match="text"):
        store.search(5)  # type: ignore[arg-type]
    for rank in ("relevance", "keywords", "precedent"):
        with pytest.raises(InvalidValue, match="severity or confidence when there is no text"):
            store.search(rank=rank)
        assert list(store.search("x", rank=rank)) == []


def test_a_filter_takes_any_word_that_stands_in_the_log(open_store: Any, tmp_path: Any) -> None:
    # reading filters take any word that stands in the log
    line = b'{"event":"recorded","learning":{"title":"by hand","category":"gardening","severity":"dire"}}\n'
    (tmp_path / "learnings.jsonl").write_bytes(line)
    store = open_store()
    assert titles(store, category="gardening") == titles(store, severity="dire") == ["by hand"]


@pytest.mark.parametrize("date", ["soon", "$(date -u)", "2026-13-45", "\ud83d", "9999"])
def test_a_date_that_is_none_hides_nothing_and_does_not_stick_to_the_top(open_store: Any, tmp_path: Any, date: str) -> None:
    # fault 31
    import json

    line = json.dumps({"event": "recorded", "learning": {"title": "by hand", "date": date, "origin": "observed"}})
    (tmp_path / "learnings.jsonl").write_text(line + "\n")
    store = open_store()
    store.record("ours")
    assert titles(store) == ["ours", "by hand"]
    assert store.get("L-001").title
    assert store.stats().learnings == 2
    assert store.list().total == 2


@pytest.mark.parametrize("at", ["soon", "2026-13-45T00:00:00.000Z"])
def test_a_sealed_time_that_is_none_does_not_decay_and_fails_nothing(make_event: EventMaker, at: str) -> None:
    # fault 31: no readable time, no decay
    log = MemoryLog()
    log.append([make_event(1, at=at, learning=Content(title="t", origin="observed", confidence=800))])
    store = Store(log)
    assert [hit.effective_confidence for hit in store.search(min_confidence=0.8)] == [0.8]
