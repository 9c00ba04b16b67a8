"""The commands that show what is known: search, list, show, history, stats, doctor. They write nothing."""

from __future__ import annotations

import os
import sys
import warnings
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from learnlog.cli.arguments import comma_list, confidence, whole_number
from learnlog.cli.opening import place_of, store_at, store_to_read
from learnlog.cli.output import DAMAGE_FOUND, Answer, say
from learnlog.cli.shapes import (
    finding_text,
    history_shown,
    history_text,
    hits_text,
    learning_text,
    page,
    stats_shown,
    stats_text,
)
from learnlog.doctor import Finding
from learnlog.errors import ConfigInvalid, InvalidValue
from learnlog.model import Hits
from learnlog.roots import CONFIG_NAME, FOLDER, Place
from learnlog.store import Store

_LISTS = ("category", "severity", "scope", "origin", "status", "tier", "stack", "tag")
_NO_STACK = ("",)
"""A stack that no learning has, so that only those for any project pass."""


def search(options: Namespace) -> Answer:
    """Find learnings by words and filters."""
    filters = _filters(options)
    place = place_of(options)
    if options.operation is not None and not filters["stack"]:
        filters["stack"] = _stack_of(place) or _NO_STACK
    filters["count"] = options.count
    counts_only = options.count and not options.json
    if counts_only:
        filters |= {"limit": 0, "offset": 0}
    store = store_at(place, options)
    with _plain_warnings():
        known = store if options.as_of is None else store.as_of(options.as_of)
        hits = known.search(" ".join(options.text), **filters)
    _warn(store)
    offset = filters["offset"]
    return Answer(lambda: page(hits), lambda: str(hits.total) if options.count else _page_text(hits, options, offset))


def _filters(options: Namespace) -> dict[str, Any]:
    filters: dict[str, Any] = {name: comma_list(getattr(options, name)) or None for name in _LISTS}
    for name in _LISTS:
        if getattr(options, name) is not None and filters[name] is None:
            raise InvalidValue(f"--{name}", ",".join(getattr(options, name)), "at least one word")
    # A path may have a comma in it: the whole and its parts are looked for.
    filters["file"] = None if options.file is None else [*options.file, *(comma_list(options.file) or [])]
    filters["operation"] = options.operation
    filters["min_confidence"] = confidence("min_confidence", options.min_confidence)
    filters["rank"] = options.rank
    filters["offset"] = whole_number("offset", options.offset) or 0
    if options.limit is not None:
        filters["limit"] = whole_number("limit", options.limit)
    return filters


def _stack_of(place: Place) -> tuple[str, ...]:
    """The project's stack: as it is configured, else as its files say. Empty: not known."""
    from learnlog import config

    if place.root is None:
        return ()
    try:
        configured = config.read(os.path.join(place.root, FOLDER, CONFIG_NAME)).stack
    except ConfigInvalid as error:
        say(f"warning: {error}; going on without it")
        configured = None
    return config.detect_stack(place.root) if configured is None else configured


def list_all(options: Namespace) -> Answer:
    """All active and proposed learnings, or those of a status."""
    status = comma_list(options.status)
    if options.status is not None and not status:
        raise InvalidValue("--status", ",".join(options.status), "at least one word")
    limit, offset = whole_number("limit", options.limit), whole_number("offset", options.offset) or 0
    store = store_to_read(options)
    hits = store.list(status=status, limit=limit, offset=offset)
    _warn(store)
    return Answer(lambda: page(hits), lambda: _page_text(hits, options, offset))


def show(options: Namespace) -> Answer:
    """One learning with every field."""
    store = store_to_read(options)
    learning = store.get(options.ref)
    _warn(store)
    return Answer(lambda: learning, lambda: learning_text(learning))


def history(options: Namespace) -> Answer:
    """Every event of one learning."""
    store = store_to_read(options)
    known = store.history(options.ref)
    _warn(store)
    return Answer(lambda: history_shown(known), lambda: history_text(known))


def stats(options: Namespace) -> Answer:
    """Counts and health."""
    place = place_of(options)
    store = store_at(place, options)
    counts = store.stats()
    _warn(store)
    return Answer(lambda: stats_shown(counts), lambda: stats_text(counts) if os.path.exists(place.log) else "")


def doctor(options: Namespace) -> Answer:
    """Verify the log."""
    place = place_of(options)
    store = store_at(place, options)
    findings = store.verify()
    code = DAMAGE_FOUND if any(finding.is_damage for finding in findings) else 0
    return Answer(lambda: {"findings": findings}, lambda: _findings_text(place, store, findings), code)


def _findings_text(place: Place, store: Store, findings: Sequence[Finding]) -> str:
    if findings:
        return "\n".join(map(finding_text, findings))
    if not os.path.exists(place.log):
        return ""
    look = store.log.look(None)
    lines = look.mark.lines if look else 0
    return f"{store.log.name}: {lines} {'line' if lines == 1 else 'lines'}, all well"


def _page_text(hits: Hits, options: Namespace, offset: int) -> str:
    if hits.more and options.limit is None:  # who gave a limit knows that there may be more
        say(f"{offset + 1} to {offset + len(hits)} of {hits.total}; --offset {offset + len(hits)} shows the next")
    return hits_text(hits, sys.stdout)


def _warn(store: Store) -> None:
    for warning in store.warnings():
        say(f"warning: {warning}")


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """The library's warnings as one line each, without the place in the source that Python would print."""

    def tell(message: Warning | str, *_: object, **__: object) -> None:
        say(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = tell
        yield
