"""Whatever a user does with a log, it only grows: every verb appends, and what only looks changes nothing (invariant 1)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from learnlog import LearnlogError, Store
from learnlog.importing import import_paths

Verb = Callable[[Store, random.Random], object]


def _any(store: Store, chance: random.Random) -> str:
    return chance.choice([hit.ref for hit in store.list(status=["active", "proposed", "archived", "deleted"])])


def _import(store: Store, chance: random.Random) -> object:
    source = Path(store.log.name).with_name("source.jsonl")
    row = {"type": "tool", "key": f"k{chance.randrange(3)}", "insight": f"insight {chance.randrange(9)}"}
    source.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return import_paths(store, [source])


def _batch(store: Store, chance: random.Random) -> None:
    with store.batch():
        done = store.record("in a batch")
        store.archive(done.ref)


WRITING: dict[str, Verb] = {
    "record": lambda store, chance: store.record(f"title {chance.randrange(9)}", proposed=chance.random() < 0.3),
    "record a key": lambda store, chance: store.record(f"title {chance.randrange(9)}", key=f"k{chance.randrange(3)}"),
    "record many": lambda store, chance: store.record_many([{"title": "one"}, {"title": "two", "key": "k1"}]),
    "revise": lambda store, chance: store.revise(_any(store, chance), body=f"body {chance.randrange(9)}"),
    "reclassify": lambda store, chance: store.reclassify(_any(store, chance), severity=chance.choice(["high", "low"])),
    "archive": lambda store, chance: store.archive(_any(store, chance)),
    "restore": lambda store, chance: store.restore(_any(store, chance)),
    "delete": lambda store, chance: store.delete(_any(store, chance)),
    "undo": lambda store, chance: store.undo(_any(store, chance)),
    "undo_last": lambda store, chance: store.undo_last(),
    "accept": lambda store, chance: store.accept(_any(store, chance)),
    "reject": lambda store, chance: store.reject(_any(store, chance)),
    "supersede": lambda store, chance: store.supersede(_any(store, chance), by=_any(store, chance)),
    "batch": _batch,
    "import": _import,
}
READING: dict[str, Verb] = {
    "search": lambda store, chance: store.search("title"),
    "list": lambda store, chance: store.list(),
    "get": lambda store, chance: store.get("L-001"),
    "history": lambda store, chance: store.history("L-001"),
    "stats": lambda store, chance: store.stats(),
    "as_of": lambda store, chance: store.as_of("2026-02-08").search(),
    "verify": lambda store, chance: store.verify(),
    "close": lambda store, chance: store.close(),
}


@pytest.mark.parametrize("seed", range(4))
def test_no_verb_changes_a_byte_that_is_there(open_store: Callable[[], Store], tmp_path: Path, seed: int) -> None:
    # invariant 1
    chance = random.Random(seed)
    path = tmp_path / "learnings.jsonl"
    store = open_store()
    store.record("the first")
    done: set[str] = set()
    for _ in range(80):
        name = chance.choice([*WRITING, *READING])
        before = path.read_bytes()
        try:
            (WRITING | READING)[name](store if chance.random() < 0.8 else open_store(), chance)
        except LearnlogError:  # archiving what is deleted, undoing what is undone: refused, and nothing is written
            assert path.read_bytes() == before, name
            continue
        after = path.read_bytes()
        assert after.startswith(before), name
        if name in READING:
            assert after == before, name
        elif after != before:
            done.add(name)
    assert len(done) >= 8  # most of the verbs did write


def test_every_writing_verb_of_a_store_is_among_them() -> None:
    # invariant 1: a verb that is added later has to be added here too
    reading = {"search", "list", "get", "history", "stats", "as_of", "verify", "warnings", "close", "rehearse", "similar"}
    reading |= {"actor", "whole", "events_of", "holds_key", "moved_away", "last_call", "done_of"}
    doors = {"decide", "record_drafted"}  # through which `Library` writes, by verbs of which there are tests
    every = {name: value for one in Store.__mro__ for name, value in vars(one).items()}
    verbs = {name for name, value in every.items() if callable(value) and not name.startswith("_")} - reading - doors
    tested = {
        "record",
        "record_many",
        "revise",
        "reclassify",
        "archive",
        "restore",
        "delete",
        "accept",
        "reject",
        "supersede",
        "undo",
        "undo_last",
        "batch",
        "import_events",
    }
    assert verbs == tested
