"""`import PATH…`: files of other tools into the log, and the report of what became of their rows."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from msgspec import Struct

from learnlog import importing, terminal
from learnlog.arriving import NEWER, Problem
from learnlog.cli.failure import UsageError
from learnlog.cli.opening import notice_of, place_of, store_at
from learnlog.cli.output import Answer, say
from learnlog.cli.viewing import refresh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from learnlog.cli.arguments import Options


class Noted(Struct, frozen=True, kw_only=True):
    """One row of the document's `refused` and `unusual`."""

    path: str
    line: int | None
    kind: str
    message: str


class Imported(Struct, frozen=True, kw_only=True):
    """The document of `import`."""

    read: int
    added: int
    unchanged: int
    older: int
    refused: list[Noted]
    unusual: list[Noted]


def import_(options: Options) -> Answer:
    """Import files; exit 1 when a row was refused."""
    if "-" in options.path and sys.stdin is None:
        raise UsageError("import - reads stdin, which is closed")
    place = place_of(options)
    notice = notice_of(place)
    store = store_at(place, options)
    report = importing.import_paths(
        store,
        options.path,
        format=options.format,
        dry_run=options.dry_run,
        on_conflict=options.on_conflict or NEWER,
        strict=options.strict,
        by=options.by,
        session=options.session,
        stdin=getattr(sys.stdin or None, "buffer", None),
    )
    if report.added and not options.dry_run:
        refresh(store)
    if notice and report.added and not options.dry_run:
        say(notice)
    document = Imported(
        read=report.read,
        added=report.added,
        unchanged=report.unchanged,
        older=report.older,
        refused=_noted(report.refused),
        unusual=_noted(report.unusual),
    )
    return Answer(lambda: document, lambda: _text(document, dry_run=options.dry_run), 1 if document.refused else 0)


def _noted(problems: Sequence[Problem]) -> list[Noted]:
    return [Noted(path=one.path, line=one.line or None, kind=one.kind, message=one.message) for one in problems]


def _text(document: Imported, *, dry_run: bool) -> str:
    """The counts on stdout; every row that was refused or is unusual on stderr."""
    for what, rows in (("refused", document.refused), ("unusual", document.unusual)):
        for row in rows:
            say(f"{row.path}:{'' if row.line is None else row.line}: {what}: {row.message}")
    would = "would be " if dry_run else ""
    return terminal.line(
        f"read {document.read}: {document.added} {would}added, {document.unchanged} unchanged, {document.older} older, "
        f"{len(document.refused)} refused, {len(document.unusual)} unusual"
    )
