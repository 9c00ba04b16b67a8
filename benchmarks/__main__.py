"""Print all tables: `make bench`. `python -m benchmarks append fold` prints only those; `--sizes 500,5000` sets the sizes."""

from __future__ import annotations

import argparse
import os
import platform
import sys

from benchmarks import append, bulk, classify, cold, guard, indexing, searching, tiers
from benchmarks.corpus import source
from benchmarks.table import show

SIZES = [500, 5_000, 50_000]
TABLES = {
    "append": ("Appending", lambda sizes: [row for size in sizes for row in append.run(size)]),
    "bulk": ("Many in one call", lambda sizes: bulk.record_many()),
    "fold": ("Reading and folding the whole log", lambda sizes: [row for size in sizes for row in bulk.read_and_fold(size)]),
    "cold": ("The command, whole process", cold.add),
    "start": ("Where the time of a cold `learnlog add` goes", cold.start),
    "search": ("Searching, whole process", searching.cold),
    "warm": ("Searching, in a process that lives on", lambda sizes: [row for size in sizes for row in searching.warm(size)]),
    "index": (
        "The index",
        lambda sizes: [*indexing.first(sizes[-1]), *indexing.alternating(sizes[-1]), *indexing.together(5_000)],
    ),
    "memory": ("Memory", lambda sizes: searching.memory(sizes[-1])),
    "search-start": ("Where the time of a cold `learnlog search` goes", searching.start),
    "classify": ("Before the lock", classify.run),
    "guard": ("The guard", guard.one_learning),
    "brief": ("The brief over two tiers, whole process", tiers.brief),
    "add": ("Adding in a project, whole process", tiers.add),
    "catch-up": ("Where the time of catching up with one append goes", lambda sizes: indexing.steps(sizes[-1])),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("tables", nargs="*", choices=[*TABLES, []], help="which tables; all when left out")
    parser.add_argument("--sizes", default=SIZES, type=lambda text: [int(size) for size in text.split(",")])
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.system()}; texts: {source()}.\n")
    for name in arguments.tables or TABLES:
        title, run = TABLES[name]
        print(show(title, run(arguments.sizes)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
