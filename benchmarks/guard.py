"""What the guard costs a learning of 1 KB: nothing near a rule, usual notes, the hardest prose; beside every rule in turn."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.corpus import rows
from benchmarks.table import Row, compare, in_turns
from learnlog.policy import guard, injection, secrets

ROUNDS = 40
LIMIT_S = 0.001
SIZE = 1024
ORDINARY = Path(__file__).parents[1] / "tests/data/guard/ordinary.seen.jsonl"
HARDEST = "nothing but sentences made to be near the rules"
QUIET = (
    "The pool opens its sockets lazily and closes them after a minute of silence. A cursor left open keeps the snapshot alive. "
)


def one_learning(sizes: list[int]) -> list[Row]:
    """The median for one learning of 1 KB beside what it would cost to try every rule on it."""
    lines = [json.loads(line)["text"] for line in ORDINARY.read_text(encoding="utf-8").splitlines()]
    kinds = {
        "nothing near a rule": [(QUIET * 9)[:SIZE]] * 40,
        "notes of a programmer": _joined([f"{row['title']}. {row['body']}" for row in rows(200)]),
        HARDEST: _joined(lines),
    }
    table = []
    for name, texts in kinds.items():
        guard.scan(texts[0])
        _every_rule(texts[0])
        ours, beside = in_turns(
            lambda texts=texts: _each(guard.scan, texts),  # type: ignore[misc]
            lambda texts=texts: _each(_every_rule, texts),  # type: ignore[misc]
            rounds=ROUNDS,
        )
        row = compare(f"guard a learning of 1 KB: {name}", ours, beside, at_most=1, name="every rule in turn")
        median = sorted(ours)[len(ours) // 2]
        hardest = name == HARDEST  # what nobody writes; it has no target
        target = "none" if hardest else f"≤ {LIMIT_S * 1000:g} ms"
        table.append(row._replace(target=target, reached=None if hardest else median <= LIMIT_S))
    return table


def _joined(lines: list[str]) -> list[str]:
    """Forty texts of 1 KB, of lines in any order."""
    chance = random.Random(4)
    return ["\n".join(chance.sample(lines, 40))[:SIZE] for _ in range(40)]


def _each(work: Callable[[str], object], texts: list[str]) -> float:
    """Seconds that one of `texts` takes, on average."""
    begin = time.perf_counter()
    for text in texts:
        work(text)
    return (time.perf_counter() - begin) / len(texts)


def _every_rule(text: str) -> None:
    """Each phrase searched for in each form, each secret in the text: what is done without a look at the words before."""
    for form in dict.fromkeys(injection._forms(text.lower(), apart=True)):
        words = injection._in_words(form)
        for rule in injection._rules():
            injection._compiled(rule.phrase).search(words)
    for _, _, pattern, _ in secrets._ready():
        pattern.search(text)
