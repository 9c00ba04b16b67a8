"""Many at once: `record_many` beside encoding the same rows, and reading with folding beside decoding the same bytes."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import msgspec

from benchmarks.corpus import log_bytes, rows
from benchmarks.table import Row, compare, in_turns, timed
from learnlog import Store
from learnlog.collector import collector_off
from learnlog.events import DECODER
from learnlog.logs.file import FileLog
from learnlog.reading import Reading

MANY = 10_000


def record_many() -> list[Row]:
    """`record_many` of 10,000 rows beside msgspec encode, one write, one fsync."""
    given = rows(MANY)
    encoder = msgspec.json.Encoder()
    with tempfile.TemporaryDirectory() as folder:
        counter = iter(range(1000))

        def ours() -> float:
            store = Store(Path(folder, f"ours-{next(counter)}.jsonl"))
            store.record("the folder and the lock are there")
            return timed(lambda: store.record_many(given))

        def least() -> float:
            return timed(lambda: _floor(Path(folder, f"floor-{next(counter)}.jsonl"), encoder, given))

        one, other = in_turns(ours, least, rounds=9)
    return [compare(f"`record_many` of {MANY:,}", one, other, at_most=5, name="encode, write, fsync")]


def read_and_fold(size: int) -> list[Row]:
    """Reading and folding a whole log beside `decode_lines` of the same bytes into the same structs."""
    data = log_bytes(size)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "learnings.jsonl")
        path.write_bytes(data)

        def ours() -> float:
            return timed(lambda: Reading(FileLog(path), prefix="L").fold().state())

        def least() -> float:
            with collector_off():
                return timed(lambda: DECODER.decode_lines(path.read_bytes()))

        one, other = in_turns(ours, least, rounds=15 if size > 10_000 else 30)
    return [compare(f"read and fold {size:,}", one, other, at_most=2.5, name="decode_lines")]


def _floor(path: Path, encoder: msgspec.json.Encoder, given: list[dict[str, object]]) -> None:
    data = b"\n".join([encoder.encode(row) for row in given])
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(fd, data)
    os.fsync(fd)
    os.close(fd)
