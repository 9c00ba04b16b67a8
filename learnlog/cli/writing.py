"""The commands that change what is known: add, revise, reclassify, archive, restore, delete, undo."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from learnlog.actor import persons_terminal
from learnlog.cli.arguments import comma_list, confidence
from learnlog.cli.commands import CLASS_NAMES, CONTENT_NAMES
from learnlog.cli.failure import UsageError
from learnlog.cli.opening import library_of, library_with, notice_of, scope_of
from learnlog.cli.output import Answer, PlainWarnings, say
from learnlog.cli.receipts import receipt
from learnlog.done import Done
from learnlog.errors import InvalidValue, LearnlogError, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from learnlog.cli.arguments import Options

_SYNONYMS = {"tag": "tags", "file": "files"}
_ALONE_WITH_FROM = (*CONTENT_NAMES, "proposed", "idempotency-key")


def add(options: Options) -> Answer:
    """`add TITLE` records one learning, `add --from FILE` many in one append."""
    many = getattr(options, "from")
    if many is None:
        return _add_one(options)
    given = [name for name in _ALONE_WITH_FROM if getattr(options, name.replace("-", "_"))]
    if options.title is not None or given:
        what = f"--{given[0]}" if given else "TITLE"
        raise UsageError(f"add: {what} does not go with --from, whose lines say it")
    return _add_many(options, many)


def _add_one(options: Options) -> Answer:
    asked = options.title is None
    if asked:
        from learnlog.cli import asking  # a person's terminal alone needs it

        asking.ask(options)
    fields = content_fields(options)
    library = library_of(options)
    notice = notice_of(library.around.place)
    try:
        with PlainWarnings():
            done = library.record(options.title, proposed=options.proposed, idempotency_key=options.idempotency_key, **fields)
    except LearnlogError as error:
        if asked and not isinstance(error, Refused):
            say(f"what you typed, for `learnlog add --from -`: {asking.repeat_with(options)}")
        raise
    typed = asked or (options.by is None and persons_terminal(os.environ))
    if typed and done.status == "recorded" and library.stores[done.tier].actor(None, None).kind == "human":
        library.trust(done.uid)  # who types it vouches for it (GS-manual)
    _tell(notice)
    return _one(done, done.status)


def _add_many(options: Options, source: str) -> Answer:
    from learnlog.cli.rows import read_rows, record_rows

    rows = read_rows(source, _SYNONYMS)
    library = library_of(options)
    notice = notice_of(library.around.place)
    with PlainWarnings():
        done = record_rows(library, rows) if rows else []
    if done:
        _tell(notice)
    return _list(done)


def revise(options: Options) -> Answer:
    """Change content fields of one learning."""
    fields = content_fields(options)
    if options.title is not None:
        fields["title"] = options.title
    fields = {name: value for name, value in fields.items() if value is not None}
    if not fields:
        raise UsageError(f"revise: nothing to change; give one of --title, --{', --'.join(CONTENT_NAMES)}")
    library = library_with(options, options.ref)
    done = library.revise(options.ref, expect=options.expect, **fields)
    return _one(done, done.status)


def reclassify(options: Options) -> Answer:
    """Change scope, category, severity or stack of one learning."""
    fields = {name: value for name, value in _class_fields(options).items() if value is not None}
    if not fields:
        raise UsageError(f"reclassify: nothing to change; give one of --{', --'.join(CLASS_NAMES)}")
    library = library_with(options, options.ref)
    done = library.reclassify(options.ref, expect=options.expect, move=options.move or None, **fields)
    return _one(done, "reclassified" if done.status == "revised" else done.status)


def archive(options: Options) -> Answer:
    """Archive all that are named, or none."""
    return _each(options, "archive", "archived")


def restore(options: Options) -> Answer:
    """Restore all that are named, or none."""
    return _each(options, "restore", "restored")


def delete(options: Options) -> Answer:
    """Delete all that are named, or none."""
    return _each(options, "delete", "deleted")


def accept(options: Options) -> Answer:
    """Make all that are named active, or none."""
    return _each(options, "accept", "accepted")


def reject(options: Options) -> Answer:
    """Delete all proposed ones that are named, or none."""
    return _each(options, "reject", "rejected")


def _each(options: Options, verb: str, what: str) -> Answer:
    library = library_with(options, options.ref[0])
    done = library.each(verb, options.ref)
    return _list(done, what)


def undo(options: Options) -> Answer:
    """Take back an event, the events of a call, or the latest event of a learning."""
    library = library_with(options, options.ref)
    done = library.undo_last() if options.ref is None else library.undo(options.ref)
    return _one(done[0], "undone") if len(done) == 1 else _list(done, "undone")


# From flags to arguments --------------------------------------------------------------------------------------------


def content_fields(options: Options) -> dict[str, Any]:
    """The arguments of `record` and `revise` that the flags give; None is "not given"."""
    return {
        "body": read_stdin("-b -") if options.body == "-" else options.body,
        **_class_fields(options),
        "key": options.key,
        "tags": options.tag,
        "files": options.file,
        "confidence": confidence("confidence", options.confidence),
        "origin": options.origin,
        "source": options.source,
        "checkpoint": options.checkpoint,
        "evidence": options.evidence,
        "example": options.example,
        "date": options.date,
    }


def _class_fields(options: Options) -> dict[str, Any]:
    return {
        "category": options.category,
        "severity": options.severity,
        "stack": comma_list(options.stack),
        "scope": scope_of(options),
    }


def read_stdin(what: str) -> str:
    """All of stdin as text. Raises `UsageError` when it is closed, `InvalidValue` when it is not UTF-8."""
    if sys.stdin is None:
        raise UsageError(f"{what} reads stdin, which is closed")
    stream = getattr(sys.stdin, "buffer", None)
    try:
        text: str = sys.stdin.read() if stream is None else stream.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidValue(what, error.object[error.start : error.start + 8], "UTF-8 text") from error
    return text.removesuffix("\n").removesuffix("\r")


# Answers ------------------------------------------------------------------------------------------------------------


def _one(done: Done, what: str) -> Answer:
    return Answer(lambda: receipt(done), lambda: f"{done.ref} {what}")


def _list(done: Sequence[Done], what: str = "") -> Answer:
    return Answer(lambda: [receipt(one) for one in done], lambda: "\n".join(f"{one.ref} {_said(one, what)}" for one in done))


def _said(done: Done, what: str) -> str:
    return what if what and done.status != "unchanged" else done.status


def _tell(notice: str) -> None:
    if notice:
        say(notice)
