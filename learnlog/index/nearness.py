"""The learnings whose titles are nearest to one: candidates from the index, then exact similarity."""

from __future__ import annotations

from learnlog.index import schema
from learnlog.index.schema import plain
from learnlog.index.showing import titles
from learnlog.text import similarity, words_for_similarity

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

NEAR = 0.5
"""The least similarity worth showing."""
SHOWN = 5


def similar(connection: sqlite3.Connection, doc: int) -> list[tuple[str, str, float]]:
    """(reference, title, similarity) of the nearest to the learning `doc`, the nearest first; deleted ones are left out.

    Two sets of words of which more than half are common have one of each set's rarest half in common (Chaudhuri and others,
    "A Primitive Operator for Similarity Joins in Data Cleaning", 2006): only learnings with such a word are compared.
    """
    [title] = titles(connection, [doc])
    words = words_for_similarity(title)
    if not words:
        return []
    by_rarity = sorted(words, key=lambda word: (_holding(connection, word), word))
    least_common = -(-len(words) * NEAR // 1)
    rare = by_rarity[: len(words) - int(least_common) + 1]
    match = " OR ".join(f'"{plain(word).replace(chr(34), chr(34) * 2)}{schema.SEPARATOR}" *' for word in rare)
    rows = connection.execute(
        "SELECT doc, ref, birth FROM text CROSS JOIN learning NOT INDEXED ON doc = text.rowid"
        " WHERE text MATCH ? AND status NOT IN ('deleted', 'moved') AND doc != ?",
        (match, doc),
    ).fetchall()
    near = []
    for (_, ref, birth), other in zip(rows, titles(connection, [row[0] for row in rows]), strict=True):
        likeness = similarity(words, words_for_similarity(other))
        if likeness >= NEAR:
            near.append((-likeness, birth, ref, other))
    return [(ref, other, round(-likeness, 4)) for likeness, _, ref, other in sorted(near)[:SHOWN]]


def _holding(connection: sqlite3.Connection, word: str) -> int:
    start = plain(word) + schema.SEPARATOR
    [count] = connection.execute(
        "SELECT coalesce(sum(doc), 0) FROM word WHERE term >= ? AND term < ?", (start, start + "\U0010ffff")
    ).fetchone()
    return int(count)
