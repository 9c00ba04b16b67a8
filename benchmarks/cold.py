"""The command from the outside: whole processes beside the bare interpreter."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.corpus import log_bytes
from benchmarks.table import Row, compare, in_turns, timed
from learnlog import Store

ROUNDS = 25


def environment(home: str) -> dict[str, str]:
    """As a user has it: compiled modules are kept (a start that compiles everything again measures the compiler)."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LEARNLOG_", "PYTHON"))}
    return kept | {"LEARNLOG_HOME": home, "LEARNLOG_ACTOR": "agent:bench"}


def process(arguments: list[str], env: dict[str, str]) -> float:
    """Seconds that one run of the interpreter takes. Raises `CalledProcessError` when it fails."""
    return timed(lambda: subprocess.run([sys.executable, *arguments], env=env, check=True, stdout=subprocess.DEVNULL))


def add(sizes: list[int]) -> list[Row]:
    """`learnlog add` at each size beside `python -c pass`."""
    with tempfile.TemporaryDirectory() as folder:
        env = environment(folder)
        logs = [Path(folder, f"{size}.jsonl") for size in sizes]
        for log, size in zip(logs, sizes, strict=True):
            log.write_bytes(log_bytes(size))
            Store(log).record("the first append reads the log once and leaves the checkpoint")
        runs = [
            lambda log=log: process(["-m", "learnlog", "--log", str(log), "add", "what was learned", "-b", "why"], env)  # type: ignore[misc]
            for log in logs
        ]
        bare, *found = in_turns(lambda: process(["-c", "pass"], env), *runs, rounds=ROUNDS)
    table = [
        compare(f"cold `learnlog add`, {size:,} in the log", one, bare, at_most=6, name="`python -c pass`")
        for size, one in zip(sizes, found, strict=True)
    ]
    if len(sizes) > 1:
        what = f"cold `learnlog add` at {sizes[-1]:,} beside the same at {sizes[0]:,}"
        table.append(compare(what, found[-1], found[0], at_most=1.1, name=f"at {sizes[0]:,}"))
    return table


def start(sizes: list[int]) -> list[Row]:
    """Where the time of a cold `learnlog add` goes: each row has all that the rows before it have, and a little more."""
    with tempfile.TemporaryDirectory() as folder:
        env = environment(folder)
        log = Path(folder, "learnings.jsonl")
        Store(log).record("the folder, the lock and the checkpoint are there")
        steps = {
            "`import msgspec`": ["-c", "import msgspec"],
            "and xxhash": ["-c", "import msgspec, xxhash"],
            "and `learnlog.store`": ["-c", "import msgspec, xxhash, learnlog.store"],
            "the whole of `learnlog add`": ["-m", "learnlog", "--log", str(log), "add", "what was learned", "-b", "why"],
        }
        bare, *found = in_turns(
            lambda: process(["-c", "pass"], env),
            *(lambda step=step: process(step, env) for step in steps.values()),  # type: ignore[misc]
            rounds=ROUNDS,
        )
    table, before = [], bare
    for name, one in zip(steps, found, strict=True):
        more = (statistics.median(one) - statistics.median(before)) * 1000
        table.append(
            compare(name, one, bare, at_most=5, name="`python -c pass`")._replace(target=f"+ {more:.1f} ms", reached=None)
        )
        before = one
    return table
