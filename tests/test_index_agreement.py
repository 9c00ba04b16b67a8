"""The index answers as the reference search does: on generated logs, whatever came, in whatever order and pieces."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import reference
from conftest import START_MS, Clock, EventMaker
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from test_fold import UIDS, events_of_all_kinds

from learnlog import Hits, Store
from learnlog.events import Event, encode
from learnlog.fold import State, fold
from learnlog.logs.file import FileLog
from learnlog.logs.memory import MemoryLog
from learnlog.model import Content
from learnlog.query import Query
from learnlog.shown import value
from learnlog.text import similarity, words_for_similarity

NOW_MS = START_MS + 200 * 86_400_000
TITLES = [
    "lock the file",
    "Lock GB/s",
    "重跑build脚本",
    "C++ templates",
    "the of and",
    "getUserName is slow",
    "half \ud83d",
    "nul \0 lock",
]
BODIES = ["", "take the lock, then write the file", "lock lock lock", "snake_case and 脚本", "a\nb `lock` " + "word " * 90]
TEXTS = [
    "lock",
    "file lock",
    "脚本",
    "c++",
    "the",
    "user name",
    "GB/s",
    "zebra",
    "NEAR( * lock",
    "half",
    "word write build",
    "\0",
    "\ud83d",
]
LISTS: dict[str, list[tuple[str, ...]]] = {
    "tags": [(), ("Git",), ("ci", "git"), ("multi-tenant",), ("lock",)],
    "stack": [(), ("python",), ("Rust", "wasm")],
    "files": [(), ("src/a.py",), ("src/sub/b.rs", "docs"), ("a,b.sql",)],
}
FILTERS: dict[str, list[Any]] = {
    "operation": [None, "plan", "deploy"],
    "stack": [(), ("python",), ("rust", "go"), ("",)],
    "category": [(), ("technical",), ("process", "pitfall"), ("gardening",)],
    "severity": [(), ("critical",), ("low", "high"), ("dire",)],
    "scope": [(), ("project",), ("universal", "workstation")],
    "tag": [(), ("git",), ("CI", "none")],
    "file": [(), ("src",), ("src/a.py", "docs"), ("*.rs",), ("s[!x]c/*",)],
    "origin": [(), ("observed",), ("user-stated", "inferred")],
    "status": [("active",), (), ("active", "proposed"), ("deleted", "archived", "superseded")],
    "min_confidence": [0, 0, 300, 600],
    "limit": [10, None, 1, 3, 0],
    "offset": [0, 0, 1, 4],
    "count": [False, True],
}


@st.composite
def rich_events(draw: st.DrawFn) -> list[Event]:
    """Events of all kinds, whose learnings have all that can be searched and filtered by."""
    chance = draw(st.randoms(use_true_random=False))
    made = []
    for event in draw(events_of_all_kinds()):
        if event.learning is not None:
            event = replace(event, learning=richer(event.learning, chance))
        made.append(replace(event, on=chance.random() < 0.7) if event.event == "pinned" else event)
    return made


def richer(content: Content, chance: random.Random) -> Content:
    fields: dict[str, Any] = {name: chance.choice(choice) for name, choice in LISTS.items() if chance.random() < 0.5}
    if isinstance(content.title, str):
        fields["title"] = chance.choice(TITLES)
    words = {
        "body": BODIES,
        "severity": ["critical", "high", "medium", "low", "dire"],
        "scope": ["project", "universal"],
        "origin": ["observed", "user-stated", "inferred"],
        "confidence": [0, 300, 500, 900, 1000],
    }
    fields |= {name: chance.choice(choice) for name, choice in words.items() if chance.random() < 0.5}
    return replace(content, **fields)


def queries(chance: random.Random, count: int) -> list[Query]:
    made = []
    for _ in range(count):
        filters = {name: chance.choice(choice) for name, choice in FILTERS.items() if chance.random() < 0.25}
        text = chance.choice(TEXTS) if chance.random() < 0.6 else ""
        ranks = ["severity", "confidence", *(["relevance", "keywords", "precedent"] if text else [])]
        made.append(Query(text=text, rank=chance.choice(ranks), **filters))
    return made


def asked(query: Query) -> dict[str, Any]:
    """The query as `Store.search` takes it."""
    names = [name for name in Query.__slots__ if name not in ("text", "explain", "nothing", "kind", "floor")]
    filters = {name: getattr(query, name) for name in names}
    filters["min_confidence"] = query.min_confidence / 1000
    return filters


def shown(hits: Hits) -> tuple[Any, ...]:
    return list(hits), hits.total, hits.more


def stands(state: State, query: Query) -> bool:
    """Whether the words of the query are such as a filter takes: of the vocabulary, or in the log."""
    odd = {"category": "gardening", "severity": "dire"}
    return all(
        word not in getattr(query, name) or any(value(one, name) == word for one in state.learnings.values())
        for name, word in odd.items()
    )


def agree(store: Store, state: State, chance: random.Random, count: int) -> None:
    for query in queries(chance, count):
        if stands(state, query):
            wanted = reference.search(state, query, tier="project", now_ms=NOW_MS)
            assert shown(store.search(query.text, **asked(query))) == shown(wanted), asked(query) | {"text": query.text}
    everything = {uid: state.ref(uid) for uid in state.learnings}
    assert {hit.uid: hit.ref for hit in store.search(status=(), limit=None)} == everything
    for token in [*state.references.holders, *UIDS, *(uid[:8] for uid in UIDS), "L-999", "x"]:
        found = set(state.find(token))
        if len(found) == 1:
            assert store.get(token).uid == found.pop()
        else:
            with pytest.raises(LookupError):
                store.get(token)
    for uid in state.learnings:
        assert [(one.ref, one.similarity) for one in store.similar(uid)] == near(state, uid)


def near(state: State, uid: str) -> list[tuple[str, float]]:
    words = words_for_similarity(value(state.learnings[uid], "title"))
    found = []
    for other in state.learnings.values():
        likeness = similarity(words, words_for_similarity(value(other, "title")))
        if other.uid != uid and other.status != "deleted" and likeness >= 0.5:
            found.append((-likeness, other.birth, state.ref(other.uid)))
    return [(ref, round(-likeness, 4)) for likeness, _, ref in sorted(found)[:5]]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(rich_events(), st.randoms(use_true_random=False))
def test_an_index_caught_up_piece_by_piece_answers_as_the_reference(
    tmp_path_factory: pytest.TempPathFactory, events: list[Event], chance: random.Random
) -> None:
    # invariant 9, fault 30: late events, repeats, other processes' stores; X-3, ADD-9..15
    path = tmp_path_factory.mktemp("log") / "learnings.jsonl"
    lines = [encode(event) + b"\n" for event in events]
    lines += chance.choices(lines, k=chance.randrange(3))
    lines += [b"not a line\n", b'{"event":"recorded","learning":{"title":"by hand lock"}}\n'][: chance.randrange(3)]
    chance.shuffle(lines)
    open_one = Store(path, clock=lambda: NOW_MS, by="agent")
    data = b""
    while lines:
        size = chance.randrange(1, len(lines) + 1)
        piece, lines = b"".join(lines[:size]), lines[size:]
        unended = chance.random() < 0.2
        with path.open("ab") as file:
            file.write(piece[:-1] if unended else piece)
        data += piece[:-1] if unended else piece
        state = fold(FileLog(path).read())
        other = Store(path, clock=lambda: NOW_MS, by="agent")
        agree(chance.choice([open_one, other]), state, chance, 6)
        if unended:
            with path.open("ab") as file:
                file.write(b"\n")
    agree(open_one, fold(FileLog(path).read()), chance, 12)


@settings(max_examples=40)
@given(rich_events(), st.randoms(use_true_random=False))
def test_a_log_in_memory_is_indexed_too(events: list[Event], chance: random.Random) -> None:
    log = MemoryLog()
    store = Store(log, clock=lambda: NOW_MS, by="agent")
    for at in range(0, len(events), 5):
        log.append(events[at : at + 5])
        agree(store, fold(log.read()), chance, 6)


def many(make_event: EventMaker, count: int) -> list[Event]:
    chance = random.Random(11)
    words = ["lock", "file", "git", "branch", "build", "cache", "test", "the", "index", "slow", "脚本"]
    events = []
    for number in range(count):
        content = Content(
            title=" ".join(chance.choices(words, k=4)),
            body=" ".join(chance.choices(words, k=chance.randrange(40))),
            severity=chance.choice(["critical", "high", "medium", "low"]),
            tags=(chance.choice(["git", "ci"]),),
            stack=chance.choice([(), ("python",), ("rust",)]),
            confidence=chance.choice([100, 500, 900]),
            origin=chance.choice(["observed", "user-stated"]),
        )
        events.append(make_event(number, learning=content))
        if chance.random() < 0.01:
            events.append(make_event(number + 100_000, "pinned", uid=events[-1].uid, on=True))
    return events


@pytest.mark.parametrize(
    "text", ["lock", "git branch", "slow index cache", "the lock", "脚本 build zebra", "lock file git branch build"]
)
def test_a_page_is_the_beginning_of_the_whole_list_when_thousands_match(
    make_event: EventMaker, text: str, big: Callable[[], Store]
) -> None:
    # what is passed over could not have come in
    store = big()
    for filters in ({}, {"stack": "python"}, {"tag": "ci", "severity": ["low", "high"]}, {"min_confidence": 0.4}):
        for rank in ("relevance", "severity", "confidence", "keywords", "precedent"):
            whole = store.search(text, limit=None, rank=rank, count=True, **filters)
            for offset, limit in ((0, 10), (0, 1), (7, 5), (95, 10)):
                page = store.search(text, limit=limit, offset=offset, rank=rank, **filters)
                assert list(page) == list(whole)[offset : offset + limit]
                assert page.total == (len(whole) if len(whole) <= 1000 else None)
                assert page.more == (len(whole) > offset + limit)


def test_the_whole_list_is_that_of_the_reference_when_thousands_match(make_event: EventMaker, big: Callable[[], Store]) -> None:
    store = big()
    state = fold(many(make_event, 3000))
    for text, rank in (
        ("lock", "relevance"),
        ("git cache", "relevance"),
        ("build", "precedent"),
        ("ci", "keywords"),
        ("", "confidence"),
    ):
        query = Query(text=text, rank=rank, limit=None, count=True)
        assert shown(store.search(text, **asked(query))) == shown(reference.search(state, query, tier="project", now_ms=NOW_MS))


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory, make_event: EventMaker) -> Callable[[], Store]:
    path = tmp_path_factory.mktemp("big") / "learnings.jsonl"
    path.write_bytes(b"".join(encode(event) + b"\n" for event in many(make_event, 3000)))
    store = Store(path, clock=lambda: NOW_MS, by="agent")
    return lambda: store


def test_in_a_batch_a_search_sees_what_was_decided_in_it(open_store: Callable[[], Store]) -> None:
    store = open_store()
    store.record("lock the file", key="k")
    with store.batch():
        store.record("another lock")
        store.record("lock it", key="k", body="changed")
        store.archive("L-001")
        assert [hit.title for hit in store.search("lock")] == ["another lock"]
        assert store.get("L-001").status == "archived"
        assert [one.event for one in store.history("L-001").events] == ["recorded", "recorded", "archived"]
        assert [hit.title for hit in open_store().search("lock")] == ["lock the file"]  # and nobody else does
    assert {hit.ref: hit.status for hit in open_store().search(status=())} == {"L-001": "archived", "L-002": "active"}


@given(st.text())
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_anything_at_all_as_a_query_is_an_answer_or_nothing(store: Store, text: str) -> None:
    # fault 42
    if not store.list().total:
        store.record_many([{"title": title} for title in ("lock the file", "C++", "脚本")])
    store.search(text)
    store.search(f"lock {text}", rank="precedent", explain=True)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 100_000,
        "lock " * 10_000,
        " ".join(map(str, range(10_000))),
        '"' * 999,
        "a AND b OR NOT (c",
        "col: x",
        "-",
        "\x1f",
        "^a",
        "{a} : b",
    ],
)
def test_large_and_odd_queries_too(store: Store, text: str) -> None:
    # fault 42
    store.record("lock")
    assert len(store.search(text)) <= 1


# What happens to the file ------------------------------------------------------------------------------------------


def index_file(cache: Path) -> Path:
    return max((cache / "learnlog").glob("*.sqlite"), key=lambda path: path.stat().st_mtime_ns)


BREAKAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_bytes(b"this is no database\n" * 500),
    "cut": lambda path: os.truncate(path, path.stat().st_size // 2),
    "garbage behind the head": lambda path: path.write_bytes(path.read_bytes()[:4096] + os.urandom(path.stat().st_size)),
    "gone": lambda path: path.unlink(),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize("name", BREAKAGES)
@pytest.mark.parametrize("is_open", [True, False])
def test_a_broken_index_is_made_again_and_the_answer_is_the_same(
    open_store: Callable[[], Store], cache: Path, name: str, is_open: bool
) -> None:
    # fault 28, invariant 9
    store = open_store()
    store.record_many([{"title": f"lock number {number}", "body": "x" * 200} for number in range(60)])
    wanted = shown(store.search("lock", limit=None))
    store.close()
    if is_open:
        assert shown(store.search("lock", limit=None)) == wanted
    path = index_file(cache)
    for beside in (Path(f"{path}-wal"), Path(f"{path}-shm")):
        beside.unlink(missing_ok=True)
    BREAKAGES[name](path)
    assert shown(open_store().search("lock", limit=None)) == wanted
    store.record("one more")
    assert len(store.search("lock", limit=None)) == 60
    assert store.list().total == open_store().list().total == 61


@pytest.mark.parametrize(
    "statement",
    ["DROP TABLE head", "DROP TABLE face", "UPDATE head SET name = 'x'", "UPDATE head SET name = '0' || substr(name, 2)"],
)
def test_an_index_of_another_version_or_log_is_thrown_away(
    open_store: Callable[[], Store], cache: Path, statement: str
) -> None:
    # fault 28
    import sqlite3

    store = open_store()
    store.record("lock")
    assert store.search("lock").total == 1
    store.close()
    with sqlite3.connect(index_file(cache)) as connection:
        connection.execute(statement)
    connection.close()
    assert open_store().search("lock").total == 1
    store.record("another lock")
    assert open_store().search("lock").total == 2


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM face",
        "UPDATE face SET head = head || '{'",
        "UPDATE face SET tail = CAST(x'ff' AS TEXT)",
        "DELETE FROM words",
    ],
)
def test_an_index_whose_rows_are_damaged_is_made_again(open_store: Callable[[], Store], cache: Path, statement: str) -> None:
    # fault 28
    import sqlite3

    store = open_store()
    store.record("lock the file")
    wanted = shown(store.search("lock"))
    store.close()
    connection = sqlite3.connect(index_file(cache))
    connection.execute(statement)
    connection.commit()
    connection.close()
    assert shown(open_store().search("lock")) == wanted
    assert store.get("L-001").title == "lock the file"


def test_an_index_that_somebody_holds_is_answered_from_a_copy(
    open_store: Callable[[], Store], cache: Path, clock: Clock
) -> None:
    # design: index busy; invariant 8
    import sqlite3

    store = open_store()
    store.record("lock")
    assert store.search("lock").total == 1
    for begin in ("BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"):
        holder = sqlite3.connect(index_file(cache), isolation_level=None)
        holder.execute(begin)
        store.record("another lock")
        assert store.search("lock").total == open_store().search("lock").total
        holder.execute("ROLLBACK")
        holder.close()
    assert store.search("lock").total == 3


@pytest.mark.parametrize("change", ["gone", "replaced", "same bytes", "cut", "edited", "touched"])
def test_a_log_that_was_changed_by_others_is_followed(tmp_path: Path, open_store: Callable[[], Store], change: str) -> None:
    # design: an index is keyed by the log's position
    path = tmp_path / "learnings.jsonl"
    store = open_store()
    store.record_many([{"title": f"lock {number}"} for number in range(30)])
    assert store.search("lock", limit=None).total == 30
    data = path.read_bytes()
    lines = data.splitlines(keepends=True)
    if change == "gone":
        path.unlink()
    elif change in ("replaced", "same bytes"):
        new = tmp_path / "new"
        new.write_bytes(b"".join(lines[5:]) if change == "replaced" else data + lines[0])
        new.replace(path)
    elif change == "cut":
        path.write_bytes(b"".join(lines[:10]))
    elif change == "edited":
        path.write_bytes(data.replace(b"lock 7", b"lack 7"))  # its seal does not hold any more
    else:
        os.utime(path, ns=(1, 1))
    wanted = {"gone": 0, "replaced": 25, "same bytes": 30, "cut": 10, "edited": 29, "touched": 30}[change]
    assert store.search("lock", limit=None).total == open_store().search("lock", limit=None).total == wanted
    assert bool(store.warnings()) == (change == "edited")


def test_without_a_folder_of_its_own_the_index_is_in_memory(
    open_store: Callable[[], Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # fault 28: unwritable, of others, no folder at all
    store = open_store()
    store.record("lock")
    (tmp_path / "file").touch()
    shared = tmp_path / "shared" / "learnlog"
    shared.mkdir(parents=True)
    shared.chmod(0o777)
    for folder in (tmp_path / "file", tmp_path / "shared", Path("/proc/none")):
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
        again = open_store()
        assert again.search("lock").total == 1
        again.record("other")
        assert again.list().total == open_store().list().total
    assert list(shared.iterdir()) == []
