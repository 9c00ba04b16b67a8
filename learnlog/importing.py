"""Bringing foreign files into a store: what is in them becomes events, in one append, and a second time adds nothing.

This module opens files and hands on; what a file means is `formats`' to say, and what of it is news `arriving`'s.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from msgspec.structs import replace

from learnlog import formats
from learnlog.arriving import NEWER, ON_CONFLICT, Plan, Problem, Read, Report
from learnlog.errors import InvalidValue, Refused, SourceUnreadable
from learnlog.formats.rows import Format, Refusal, Source, Unreadable
from learnlog.guarding import Gate
from learnlog.model import Actor, given
from learnlog.store import Store
from learnlog.transaction import Transaction

__all__ = ["Problem", "Report", "import_paths"]

STDIN = "-"


def import_paths(
    store: Store,
    paths: Sequence[str | os.PathLike[str]],
    *,
    format: str | None = None,
    dry_run: bool = False,
    on_conflict: str = NEWER,
    strict: bool = False,
    by: str | None = None,
    session: str | None = None,
    stdin: BinaryIO | None = None,
) -> Report:
    """Import files, folders (every file of a known format in them) and "-" (standard input), all in one append.

    `format` is a name of `formats.NAMES`; left out, each file's content decides. `dry_run` writes nothing, takes no lock
    and gives the same report. `on_conflict`: `newer` lets newer rows patch what is known, and keeps ours where a row of the
    same time says something else; `skip` leaves every learning that is known here alone; `fail` stores nothing when a row
    would change one. `strict` stores nothing when a row is refused. Raises `SourceUnreadable` for a file that cannot be
    read or is in no known format, `InvalidValue`, `NotInThisVersion`, and what a write raises.
    """
    if isinstance(paths, str | os.PathLike) or not paths:
        raise InvalidValue("paths", paths, "a list of one or more paths")
    if on_conflict not in ON_CONFLICT:
        raise InvalidValue("on_conflict", on_conflict, f"one of {', '.join(ON_CONFLICT)}")
    wanted = formats.named(format) if format is not None else None
    sources, unread = _read_all(paths, wanted, stdin)
    sources = [_guarded(one) for one in sources]

    def plan(tx: Transaction, actor: Actor) -> Plan:
        made = Plan(tx.fold(), actor, now_ms=tx.now_ms(), on_conflict=on_conflict)
        made.refused += unread
        made.take_all(sources)
        if (strict and made.refused) or made.conflicts:
            made.store_nothing()
        return made

    if dry_run:
        return store.rehearse(plan, by=by, session=session).report()
    return store.import_events(lambda tx, actor: _carry_out(tx, plan(tx, actor)), by=by, session=session).report()


def _carry_out(tx: Transaction, plan: Plan) -> Plan:
    for event in plan.events:
        tx.take(replace(event, ref=tx.new_reference()) if event.id in plan.births else event)
    return plan


def _guarded(read: Read) -> Read:
    """What was read, without the rows that the guard refuses: looked at before the lock is taken."""
    gate = Gate()
    rows, refused = [], list(read.source.refused)
    for row in read.source.rows:
        try:
            gate.hold(**given(row.content), id=row.native)
            rows.append(row)
        except Refused as error:
            refused.append(Refusal(line=row.line, kind=error.kind, message=str(error)))
    return replace(read, source=Source(rows=tuple(rows), refused=tuple(refused)))


# Files to rows ------------------------------------------------------------------------------------------------------------


def _read_all(
    paths: Sequence[str | os.PathLike[str]], wanted: Format | None, stdin: BinaryIO | None
) -> tuple[list[Read], list[Problem]]:
    """Every file, and the files in folders that are of a known format and cannot be read."""
    sources: list[Read] = []
    unread: list[Problem] = []
    for given_path in paths:
        path = os.fspath(given_path)
        if path != STDIN and os.path.isdir(os.path.expanduser(path)):
            sources += _read_folder(os.path.expanduser(path), wanted, unread)
        else:
            sources.append(_read_file(path, wanted, stdin))
    return sources, unread


def _read_file(path: str, wanted: Format | None, stdin: BinaryIO | None) -> Read:
    data = _bytes_of(path, stdin)
    try:
        formats.check_encoding(data)
        one = wanted or formats.detect(data)
        return Read(path=path, format=one.name, source=one.read(data))
    except Unreadable as error:
        raise SourceUnreadable(path, str(error)) from error


def _bytes_of(path: str, stdin: BinaryIO | None) -> bytes:
    if path == STDIN:
        return (stdin or sys.stdin.buffer).read()
    try:
        with open(os.path.expanduser(path), "rb") as file:
            return file.read()
    except OSError as error:
        raise SourceUnreadable(path, error.strerror or str(error)) from error
    except ValueError as error:  # a NUL in the name
        raise SourceUnreadable(path, str(error)) from error


def _read_folder(folder: str, wanted: Format | None, unread: list[Problem]) -> list[Read]:
    found: list[Read] = []
    problems: list[Problem] = []
    for path in _files_in(folder):
        data = _bytes_of(path, None)
        try:
            one = formats.detect(data)
        except Unreadable:
            continue  # a folder holds other things too; a file that is named itself is not passed over
        if wanted is not None and one.name != wanted.name:
            continue
        try:
            found.append(Read(path=path, format=one.name, source=one.read(data)))
        except Unreadable as error:
            problems.append(Problem(path=path, line=None, kind="unreadable", message=str(error)))
    if not found and not problems:
        expected = wanted.name if wanted else " or ".join(one.name for one in formats.FORMATS)
        raise SourceUnreadable(folder, f"no file in it is in the format {expected}")
    unread += problems
    return found


def _files_in(folder: str) -> Iterator[str]:
    """The files in a folder and in those below it that are not hidden, sorted."""

    def fail(error: OSError) -> None:
        raise SourceUnreadable(error.filename or folder, error.strerror or str(error)) from error

    for at, below, names in os.walk(folder, onerror=fail):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in sorted(names):
            path = os.path.join(at, name)
            if not name.startswith(".") and os.path.isfile(path):
                yield path
