"""Searching: whole processes, and calls in a process that lives on; at each size, with an index that is current."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.cold import environment, process
from benchmarks.corpus import log_bytes, rows
from benchmarks.table import Row, compare, in_turns, timed
from learnlog import Store
from learnlog.events import DECODER

ROUNDS = 25
FILTER = ["--category", "process", "--stack", "git"]
TEXT = "remove a file from the staging area"
SCRIPT = """
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
found = [row for row in rows if row["learning"].get("category") == "process" and "git" in row["learning"].get("stack", ["git"])]
order = ["critical", "high", "medium", "low"]
found.sort(key=lambda row: (order.index(row["learning"].get("severity", "medium")), row["at"]))
print(json.dumps(found[:10]))
"""
TITLES = 200


def cold(sizes: list[int]) -> list[Row]:
    """`learnlog search --json` beside the bare interpreter, at each size beside the smallest, and beside a plain script."""
    with tempfile.TemporaryDirectory() as folder:
        env = environment(folder)
        logs = {size: _log(folder, size) for size in sizes}
        plain = Path(folder, "plain.py")
        plain.write_text(SCRIPT)
        filtered = {size: [*_search(logs[size]), *FILTER] for size in sizes}
        worded = {size: [*_search(logs[size]), TEXT] for size in sizes}
        for words in (*filtered.values(), *worded.values()):
            process(words, env)  # the index is made, the modules are compiled
        lines = [["-c", "pass"], *filtered.values(), *worded.values(), *([str(plain), str(log)] for log in logs.values())]
        bare, *found = in_turns(*(lambda words=words: process(words, env) for words in lines), rounds=ROUNDS)  # type: ignore[misc]
    count = len(sizes)
    filters, texts, scripts = found[:count], found[count : 2 * count], found[2 * count :]
    first = f"{sizes[0]:,}"
    table = [compare(f"cold search, filter, at {first}", filters[0], bare, at_most=2.5, name="`python -c pass`")]
    table.append(_plain(compare(f"cold search, text, at {first}", texts[0], bare, at_most=9, name="`python -c pass`")))
    for size, one, text in zip(sizes[1:], filters[1:], texts[1:], strict=True):
        most, most_text = (1.15, 2.0) if size <= 50_000 else (1.3, 6.0)
        table.append(compare(f"cold search, filter, at {size:,}", one, filters[0], at_most=most, name=f"at {first}"))
        table.append(compare(f"cold search, text, at {size:,}", text, texts[0], at_most=most_text, name=f"at {first}"))
    for size, one, script in zip(sizes, filters, scripts, strict=True):
        row = compare(
            f"cold search, filter, at {size:,}, beside a script that reads the file with json", one, script, at_most=9
        )
        table.append(_plain(row))
    return table


def warm(size: int) -> list[Row]:
    """`Store.search` in a process that lives on, beside going over decoded structs."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        log = _log(folder, size)
        store = Store(log)
        store.search()
        events = DECODER.decode_lines(log.read_bytes())
        kinds = ("technical", "architecture", "anti-pattern", "performance", "collaboration", "process") * 10

        def filters() -> float:
            return statistics.median(timed(lambda kind=kind: store.search(category=kind, stack=["git"])) for kind in kinds)  # type: ignore[misc]

        def scan() -> float:
            return statistics.median(timed(lambda kind=kind: _scan(events, kind)) for kind in kinds[:6])  # type: ignore[misc]

        def total() -> float:
            return timed(lambda: store.search(count=True, limit=10))

        found, scanned, counted = in_turns(filters, scan, total, rounds=15)
        titles = _titles()
        texts = [timed(lambda title=title: store.search(title)) for title in titles]  # type: ignore[misc]
        _hold_to_the_whole(store, titles[:: max(1, size // 500)][:20])
        store.close()
    beside = f"{statistics.median(scanned) * 1e3:.4g} ms scan of structs"
    most = 0.3 if size <= 500 else 0.5
    return [
        _absolute(f"warm search, filter and rank, at {size:,}", statistics.median(found), beside, most),
        _absolute(f"the same with an exact total, at {size:,}", statistics.median(counted), beside, 15),
        _absolute(f"warm search, text, median of {TITLES} titles, at {size:,}", statistics.median(texts), beside, 25),
        _absolute(f"the same, 95th percentile, at {size:,}", sorted(texts)[int(len(texts) * 0.95)], beside, 60),
    ]


def memory(size: int) -> list[Row]:
    """The greatest resident memory of a cold search beside that of the bare interpreter."""
    with tempfile.TemporaryDirectory() as folder:
        env = environment(folder)
        log = _log(folder, size)
        lines = {"filter": [*_search(log), *FILTER], "text": [*_search(log), TEXT]}
        for words in lines.values():
            process(words, env)
        bare = statistics.median(_resident(["-c", "pass"], env) for _ in range(5))
        table = []
        for name, words in lines.items():
            most = statistics.median(_resident(words, env) for _ in range(5))
            ratio = most / bare
            beside = f"{bare / 1024:.1f} MB `python -c pass`"
            what = f"greatest memory, cold search, {name}, at {size:,}"
            table.append(Row(what, f"{most / 1024:.1f} MB", beside, f"{ratio:.2f} ×", "≤ 4 ×", ratio <= 4))
    return table


def start(sizes: list[int]) -> list[Row]:
    """Where the time of a cold search goes: each row has all that the rows before it have, and a little more."""
    with tempfile.TemporaryDirectory() as folder:
        env = environment(folder)
        log = _log(folder, sizes[0])
        steps = {
            "`import sqlite3`": ["-c", "import sqlite3"],
            "and the command's own modules": ["-c", "import sqlite3, xxhash, learnlog.cli.arguments, learnlog.cli.reading"],
            "`learnlog search`, filter": [*_search(log), *FILTER],
            "`learnlog search`, text": [*_search(log), TEXT],
        }
        for words in steps.values():
            process(words, env)
        runs = (lambda words=words: process(words, env) for words in steps.values())  # type: ignore[misc]
        bare, *found = in_turns(lambda: process(["-c", "pass"], env), *runs, rounds=ROUNDS)
    table, before = [], bare
    for name, one in zip(steps, found, strict=True):
        more = (statistics.median(one) - statistics.median(before)) * 1000
        table.append(_plain(compare(name, one, bare, at_most=9, name="`python -c pass`"), f"+ {more:.1f} ms"))
        before = one
    return table


def _log(folder: str, size: int) -> Path:
    log = Path(folder, f"{size}.jsonl")
    log.write_bytes(log_bytes(size))
    return log


def _search(log: Path) -> list[str]:
    return ["-m", "learnlog", "--log", str(log), "search", "--json"]


def _titles() -> list[str]:
    """Titles that people gave their notes, in an order without meaning, each asked once."""
    every = [row["title"] for row in rows(1800)]
    return random.Random(5).sample(every, TITLES)


def _scan(events: list[Any], category: str) -> list[Any]:
    order = {"critical": 0, "high": 1, "medium": 2, "low": 3}
    found = [
        event
        for event in events
        if event.learning.category == category and (not event.learning.stack or "git" in event.learning.stack)
    ]
    found.sort(key=lambda event: event.at, reverse=True)
    found.sort(key=lambda event: order[event.learning.severity])
    return found[:10]


def _hold_to_the_whole(store: Store, titles: list[str]) -> None:
    """Raise unless a page is the beginning of the list of all that match."""
    for title in titles:
        page = [hit.uid for hit in store.search(title)]
        whole = [hit.uid for hit in store.search(title, limit=1001)][:10]  # so many are all scored
        if page != whole:
            raise AssertionError(f"the page of {title!r} is not the beginning of the whole")


def _absolute(what: str, seconds: float, beside: str, most_ms: float) -> Row:
    ms = seconds * 1e3
    return Row(what, f"{ms:.3g} ms", beside, f"{ms / most_ms:.2f} of the target", f"≤ {most_ms:g} ms", ms <= most_ms)


def _plain(row: Row, target: str = "") -> Row:
    return row._replace(target=target, reached=None)


def _resident(words: list[str], env: dict[str, str]) -> int:
    """Kilobytes that one run of the interpreter held at most. A small process starts it: what the one that starts another
    holds is counted too.
    """
    ran = subprocess.run([sys.executable, "-c", _WATCH, *words], env=env, check=True, capture_output=True, text=True)
    return int(ran.stdout.split()[-1])


_WATCH = """
import os, sys
nowhere = os.open(os.devnull, os.O_WRONLY)
words = [sys.executable, *sys.argv[1:]]
child = os.posix_spawn(words[0], words, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, nowhere, 1)])
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss)
sys.exit(status != 0)
"""
