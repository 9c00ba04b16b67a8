"""`add --from`: lines of JSON to rows, and rows to learnings in one append; each refusal with the number of its line."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from learnlog.cli.failure import UsageError
from learnlog.done import Done
from learnlog.drafting import drafted_rows
from learnlog.errors import BatchRefused, InvalidValue, SourceUnreadable
from learnlog.ids import now_ms
from learnlog.library import Library
from learnlog.routing import AUTO

Row = tuple[int, Any]
"""The number of a line, from 1, and what stands on it: a mapping, or the reason why it is none."""


def read_rows(source: str, synonyms: Mapping[str, str]) -> list[Row]:
    """The rows of a file, or of stdin for `-`; for a line that is no row, why. Raises `SourceUnreadable`, `UsageError`."""
    rows: list[Row] = []
    data = _bytes(source)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise SourceUnreadable(source, "it is UTF-16; save it as UTF-8")
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            rows.append((number, _row(line, synonyms)))
        except (ValueError, RecursionError) as error:
            rows.append((number, str(error)))
    return rows


def record_rows(library: Library, rows: Sequence[Row]) -> Sequence[Done]:
    """Record all rows, or none. Raises `BatchRefused` with the numbers of their lines."""
    bad = [(number, row) for number, row in rows if isinstance(row, str)]
    good = [(number, row) for number, row in rows if not isinstance(row, str)]
    if bad:
        _, refused, _ = drafted_rows([_without_scope(row) for _, row in good], now_ms=now_ms())
        raise _refused(bad, good, refused, len(rows))
    try:
        return library.record_many([row for _, row in good])
    except BatchRefused as error:
        raise _refused(bad, good, error.refused, len(rows)) from error


def _refused(bad: list[Row], good: list[Row], refused: Sequence[tuple[int, str]], count: int) -> BatchRefused:
    """The refusal of lines that are no rows, and of rows that are no learnings, by their numbers."""
    return BatchRefused(sorted([*bad, *((good[at - 1][0], reason) for at, reason in refused)]), count)


def _without_scope(row: dict[str, Any]) -> dict[str, Any]:
    """The row, as it is checked when its scope is to be found."""
    return {name: value for name, value in row.items() if name != "scope" or value != AUTO}


def _row(line: bytes, synonyms: Mapping[str, str]) -> dict[str, Any]:
    try:
        row = json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start} of the line") from error
    if not isinstance(row, dict):
        raise ValueError("not a JSON object")
    for short, name in synonyms.items():
        if short in row:
            if name in row:
                raise ValueError(f"{short} and {name} are the same; give one")
            given = row.pop(short)
            row[name] = [given] if isinstance(given, str) else given
    return row


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number in JSON")


def _bytes(source: str) -> bytes:
    if not source:
        raise InvalidValue("--from", source, "a file, or - for stdin")
    if source == "-":
        if sys.stdin is None:
            raise UsageError("--from - reads stdin, which is closed")
        stream = getattr(sys.stdin, "buffer", None)
        return sys.stdin.read().encode("utf-8", "surrogatepass") if stream is None else bytes(stream.read())
    import os

    try:
        with open(os.path.expanduser(source), "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise SourceUnreadable(source, getattr(error, "strerror", None) or str(error)) from error
