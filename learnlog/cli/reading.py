"""The commands that show what is known: search, list, show, history, stats, doctor. They write nothing."""

from __future__ import annotations

import os
import sys
import time

from learnlog import index, query
from learnlog.cli.arguments import comma_list, confidence, whole_number
from learnlog.cli.opening import place_of, store_at
from learnlog.cli.output import DAMAGE_FOUND, Answer, Ready, say
from learnlog.errors import ConfigInvalid, InvalidValue
from learnlog.index import asking, showing
from learnlog.roots import CONFIG_NAME, FOLDER
from learnlog.vocabulary import REFERENCE_PREFIXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    from learnlog.cli.arguments import Options
    from learnlog.doctor import Finding
    from learnlog.index.asking import Found
    from learnlog.roots import Place
    from learnlog.store import Store

    T = TypeVar("T")

_LISTS = ("category", "severity", "scope", "origin", "status", "tier", "stack", "tag")
_NO_STACK = ("",)
"""A stack that no learning has, so that only those for any project pass."""


def search(options: Options) -> Answer:
    """Find learnings by words and filters."""
    filters = _filters(options)
    place = place_of(options)
    if options.operation is not None and not filters["stack"]:
        filters["stack"] = _stack_of(place) or _NO_STACK
    filters |= {"count": options.count, "explain": options.explain}
    if options.count and not options.json:
        filters |= {"limit": 0, "offset": 0}
    return _page(place, options, " ".join(options.text), filters)


def list_all(options: Options) -> Answer:
    """All active and proposed learnings, or those of a status."""
    status = comma_list(options.status)
    if options.status is not None and not status:
        raise InvalidValue("--status", ",".join(options.status), "at least one word")
    limit, offset = whole_number("limit", options.limit), whole_number("offset", options.offset) or 0
    filters = {"status": status or ("active", "proposed"), "limit": limit, "offset": offset}
    return _page(place_of(options), options, "", filters)


def _page(place: Place, options: Options, text: str, filters: dict[str, Any]) -> Answer:
    """The page of a search, in the one form that is asked for."""
    as_of = getattr(options, "as_of", None)
    known = None if as_of is None else store_at(place, options).as_of(as_of)
    now_ms = time.time_ns() // 1_000_000 if known is None else known.now_ms

    def question(connection: sqlite3.Connection) -> Answer:
        with _PlainWarnings():
            stands = lambda name, word: asking.stands(connection, name, word)  # noqa: E731
            asked = query.read(text, filters, tier=place.tier, stands=stands)
        found = asking.ask(connection, asked, now_ms=now_ms)
        if options.json:
            document = Ready(showing.page(connection, found, now_ms=now_ms))
            return Answer(lambda: document, str)
        if asked.count:
            return Answer(dict, lambda: str(found.total))
        return _listed(connection, found, asked, options, now_ms)

    return _asked(place, question) if known is None else question(known.connection())


def _listed(connection: sqlite3.Connection, found: Found, asked: query.Query, options: Options, now_ms: int) -> Answer:
    from learnlog.cli.listing import hits_text, reasons_text

    hits = showing.lines(connection, [doc for doc, _, _ in found.docs], now_ms=now_ms)
    reasons = [reasons_text(score, why) for _, score, why in found.docs if why is not None]
    if found.more and options.limit is None:  # who gave a limit knows that there may be more
        total = f"more than {query.EXACT_TOTAL:,}" if found.total is None else found.total
        first, last = asked.offset + 1, asked.offset + len(hits)
        say(f"{first} to {last} of {total}; --offset {last} shows the next")
    return Answer(dict, lambda: hits_text(hits, sys.stdout, text=asked.text, reasons=reasons))


def _asked(place: Place, question: Callable[[sqlite3.Connection], T]) -> T:
    """What the index of the log answers, and what there is to tell about the log."""
    name = os.path.abspath(place.log)
    opened = index.of_path(name, tier=place.tier, prefix=REFERENCE_PREFIXES[place.tier])

    def with_warnings(connection: sqlite3.Connection) -> tuple[T, list[str]]:
        return question(connection), showing.warnings(connection, name)

    answer, told = opened.ask(with_warnings)
    for warning in told:
        say(f"warning: {warning}")
    return answer


def _filters(options: Options) -> dict[str, Any]:
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


def show(options: Options) -> Answer:
    """One learning with every field."""
    now_ms = time.time_ns() // 1_000_000

    def question(connection: sqlite3.Connection) -> str:
        doc, _, _ = showing.find_one(connection, options.ref)
        return showing.learning_as_json(connection, doc, now_ms=now_ms)

    text = _asked(place_of(options), question)

    def as_text() -> str:
        import json

        from learnlog.cli.listing import learning_text

        return learning_text(json.loads(text))

    return Answer(lambda: Ready(text), as_text)


def history(options: Options) -> Answer:
    """Every event of one learning."""
    from learnlog.cli.shapes import history_shown, history_text

    store = store_at(place_of(options), options)
    known = store.history(options.ref)
    for warning in store.warnings():
        say(f"warning: {warning}")
    return Answer(lambda: history_shown(known), lambda: history_text(known))


def stats(options: Options) -> Answer:
    """Counts and health."""
    place = place_of(options)
    counts = _asked(place, showing.counts)
    counts["damaged_lines"] = [{"line": line, "reason": reason} for line, _, _, reason in counts["damaged_lines"]]

    def as_text() -> str:
        from learnlog.cli.listing import stats_text

        return stats_text(counts) if os.path.exists(place.log) else ""

    return Answer(lambda: counts, as_text)


def doctor(options: Options) -> Answer:
    """Verify the log."""
    place = place_of(options)
    store = store_at(place, options)
    findings = store.verify()
    code = DAMAGE_FOUND if any(finding.is_damage for finding in findings) else 0
    return Answer(lambda: {"findings": findings}, lambda: _findings_text(place, store, findings), code)


def _findings_text(place: Place, store: Store, findings: Sequence[Finding]) -> str:
    if findings:
        from learnlog.cli.shapes import finding_text

        return "\n".join(map(finding_text, findings))
    if not os.path.exists(place.log):
        return ""
    look = store.log.look(None)
    lines = look.mark.lines if look else 0
    return f"{store.log.name}: {lines} {'line' if lines == 1 else 'lines'}, all well"


class _PlainWarnings:
    """The library's warnings as one line each, without the place in the source that Python would print."""

    def __enter__(self) -> None:
        import warnings

        self._context = warnings.catch_warnings()
        self._context.__enter__()
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *_, **__: say(f"warning: {message}")

    def __exit__(self, *failure: Any) -> None:
        self._context.__exit__(*failure)
