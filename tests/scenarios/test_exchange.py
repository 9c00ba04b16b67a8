"""Three stores that write and exchange lines in whatever order: all come to one state, whatever the order was."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from learnlog import KeyTaken, NothingToUndo, WrongStatus

from .conftest import Machine, check_agreement, check_references

SCHEDULES = 200
PARTS = 4
KEYS = ("alpha", "Alpha", "beta", None)
CATEGORIES = ("technical", "tool", "process")


def act(machine: Machine, chance: random.Random, step: int) -> None:
    """One random verb on a random learning."""
    store = machine.store()
    uids = [hit.uid for hit in machine.known()]
    verb = chance.choice(
        ["record", "record", "record", "revise", "reclassify", "archive", "restore", "delete", "undo", "batch"]
    )
    try:
        if verb == "record" or not uids:
            key = chance.choice(KEYS)
            store.record(f"step {step} of {machine.name}", key=key, category=chance.choice(CATEGORIES) if key else None)
        elif verb == "batch":
            with store.batch():
                store.record(f"step {step} of {machine.name}, first")
                store.archive(chance.choice(uids))
        elif verb == "revise":
            store.revise(chance.choice(uids), body=f"step {step}")
        elif verb == "reclassify":
            store.reclassify(chance.choice(uids), category=chance.choice(CATEGORIES), severity="high")
        else:
            getattr(store, verb)(chance.choice(uids))
    except (
        WrongStatus,
        NothingToUndo,
        KeyTaken,
    ):  # the verb makes no sense for what it met, and that is the only way it may fail
        return


def take_over(here: Machine, there: Machine, chance: random.Random) -> None:
    """What a union of lines does: those of the other that are missing come in, at the end or in between, some twice."""
    mine = here.path.read_bytes().splitlines(keepends=True) if here.path.exists() else []
    theirs = there.path.read_bytes().splitlines(keepends=True) if there.path.exists() else []
    missing = [line for line in theirs if line not in mine]
    again = [line for line in theirs if line in mine and chance.random() < 0.2]
    if chance.random() < 0.5:
        with here.path.open("ab") as log:  # rsync --append, or a program that copies lines
            log.write(b"".join(missing + again))
        return
    at = chance.randint(0, len(mine))
    new = here.path.with_name("new")
    new.write_bytes(b"".join(mine[:at] + again + missing + mine[at:]))
    os.replace(new, here.path)  # git


def run(folder: Path, seed: int) -> None:
    """One schedule, its exchange, and the writes and the exchange after it."""
    chance = random.Random(seed)
    machines = [
        Machine(f"{seed}/{name}", folder / f"{name}.jsonl", skew_ms=chance.choice([0, -5_000, 40_000, 10**9])) for name in "abc"
    ]
    for step in range(chance.randint(4, 12)):
        machine = chance.choice(machines)
        if chance.random() < 0.25:
            take_over(machine, chance.choice([one for one in machines if one is not machine]), chance)
        else:
            act(machine, chance, step)
    known = set().union(*(machine.refs() for machine in machines))
    events = set().union(*(machine.event_ids() for machine in machines))
    exchange_all(machines, chance)
    assert all(machine.event_ids() == events for machine in machines)
    before = {hit.uid: hit.ref for hit in check_agreement(machines)}
    check_references(machines, known)
    for machine in machines[:2]:
        machine.store().record("written after the exchange")
    exchange_all(machines, chance)
    machines[2].store().record("the last")
    exchange_all(machines, chance)
    after = {hit.uid: hit.ref for hit in check_agreement(machines)}
    check_references(machines, known)
    assert {uid: ref for uid, ref in after.items() if uid in before} == before
    assert not machines[0].store().verify()


def exchange_all(machines: list[Machine], chance: random.Random) -> None:
    """Every pair in both directions, until all have everything."""
    pairs = [(here, there) for here in machines for there in machines if here is not there]
    for _ in range(2):
        chance.shuffle(pairs)
        for here, there in pairs:
            take_over(here, there, chance)


@pytest.mark.parametrize("part", range(PARTS))
def test_stores_that_exchange_lines_in_random_order_agree(tmp_path: Path, part: int) -> None:
    # X-1, invariants 2, 4, faults 32 to 34
    for seed in range(part, SCHEDULES, PARTS):
        folder = tmp_path / str(seed)
        folder.mkdir()
        try:
            run(folder, seed)
        except AssertionError as error:
            raise AssertionError(f"schedule {seed}: {error}") from error


@pytest.mark.long
def test_two_thousand_more_schedules(tmp_path: Path) -> None:
    # invariant 2
    for seed in range(10_000, 12_000):
        folder = tmp_path / str(seed)
        folder.mkdir()
        run(folder, seed)
