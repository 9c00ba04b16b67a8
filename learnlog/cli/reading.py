"""The commands that show what is known: search, list, show, history, stats, doctor. They write nothing."""

from __future__ import annotations

import os
import sys
import time

from learnlog import query, trust
from learnlog.cli.arguments import comma_list, confidence, whole_number
from learnlog.cli.opening import others_of, place_of, store_at, stores_around, surroundings_of, tell_settings
from learnlog.cli.output import DAMAGE_FOUND, Answer, PlainWarnings, Ready, say
from learnlog.errors import InvalidValue
from learnlog.index import showing, together
from learnlog.surroundings import Surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    from learnlog.cli.arguments import Options
    from learnlog.doctor import Finding
    from learnlog.index.together import Page, Part
    from learnlog.roots import Place
    from learnlog.store import Store

    T = TypeVar("T")

_LISTS = ("category", "severity", "scope", "origin", "status", "tier", "stack", "tag")
_NO_STACK = ("",)
"""A stack that no learning has, so that only those for any project pass."""


def search(options: Options) -> Answer:
    """Find learnings by words and filters."""
    filters = filters_of(options)
    around = surroundings_of(options)
    if options.operation is not None and not filters["stack"]:
        filters["stack"] = around.stack or _NO_STACK
        tell_settings(around)
    filters |= {"count": options.count, "explain": options.explain}
    if options.count and not options.json:
        filters |= {"limit": 0, "offset": 0}
    return _page(around, options, " ".join(options.text), filters)


def list_all(options: Options) -> Answer:
    """All active and proposed learnings, or those of a status."""
    status = comma_list(options.status)
    if options.status is not None and not status:
        raise InvalidValue("--status", ",".join(options.status), "at least one word")
    limit, offset = whole_number("limit", options.limit), whole_number("offset", options.offset) or 0
    filters = {"status": status or ("active", "proposed"), "limit": limit, "offset": offset}
    return _page(surroundings_of(options), options, "", filters)


def _page(around: Surroundings, options: Options, text: str, filters: dict[str, Any]) -> Answer:
    """The page of a search, in the one form that is asked for."""
    as_of = getattr(options, "as_of", None)
    known = [] if as_of is None else [store.as_of(as_of) for store in stores_around(around, options)]
    now_ms = known[0].now_ms if known else time.time_ns() // 1_000_000

    def question(opened: list[Part]) -> Answer:
        with PlainWarnings():
            page = together.search(opened, text, filters, now_ms=now_ms)
        if options.json:
            trusted = trust.read(trust.path_of(os.environ))
            hits = together.hits_as_json(page, now_ms=now_ms, whole=False, trusted=trusted)
            document = Ready(showing.page(hits, page.total, more=page.more))
            return Answer(lambda: document, str)
        if page.query.count:
            return Answer(dict, lambda: str(page.total))
        return _listed(page, options, now_ms)

    if not known:
        return asked_of([*around.parts(), *others_of(around, options)], question)
    parts = around.parts()
    for part, then in zip(parts, known, strict=True):
        part.answers_as(then.connection())
    return question(parts)


def _listed(page: Page, options: Options, now_ms: int) -> Answer:
    from learnlog.cli.listing import hits_text, reasons_text

    asked = page.query
    lines = together.lines(page, now_ms=now_ms)
    reasons = [reasons_text(hit.score, hit.reasons) for hit in page.hits if hit.reasons is not None]
    if page.more and options.limit is None:  # who gave a limit knows that there may be more
        total = f"more than {query.EXACT_TOTAL:,}" if page.total is None else page.total
        first, last = asked.offset + 1, asked.offset + len(lines)
        say(f"{first} to {last} of {total}; --offset {last} shows the next")
    return Answer(dict, lambda: hits_text(lines, sys.stdout, text=asked.text, reasons=reasons))


def asked_of(parts: Sequence[Part], question: Callable[[list[Part]], T]) -> T:
    """What these logs answer, and what there is to tell about them. One that cannot be read is told of, and left out."""

    def with_warnings(opened: list[Part]) -> tuple[T, list[str]]:
        return question(opened), [told for part in opened for told in showing.warnings(part.connection, part.name)]

    answer, told = together.ask(parts, with_warnings, unreadable=lambda error: say(f"warning: {error}; left out"))
    for warning in told:
        say(f"warning: {warning}")
    return answer


def filters_of(options: Options) -> dict[str, Any]:
    """The filters of a search that the flags give; None is "not given"."""
    filters: dict[str, Any] = {name: comma_list(getattr(options, name)) or None for name in _LISTS}
    for name in _LISTS:
        if getattr(options, name) is not None and filters[name] is None:
            raise InvalidValue(f"--{name}", ",".join(getattr(options, name)), "at least one word")
    # A path may have a comma in it: the whole and its parts are looked for.
    filters["file"] = None if options.file is None else [*options.file, *(comma_list(options.file) or [])]
    filters["operation"] = options.operation
    filters["min_confidence"] = confidence("min_confidence", options.min_confidence)
    filters["rank"] = getattr(options, "rank", None)
    filters["offset"] = whole_number("offset", options.offset) or 0
    if options.limit is not None:
        filters["limit"] = whole_number("limit", options.limit)
    return filters


def show(options: Options) -> Answer:
    """One learning with every field."""
    now_ms = time.time_ns() // 1_000_000

    def question(opened: list[Part]) -> str:
        part, doc, _ = together.find_one(opened, options.ref)
        trusted = trust.read(trust.path_of(os.environ))
        return showing.learning_as_json(part.connection, doc, now_ms=now_ms, trusted=trusted)

    text = asked_of(surroundings_of(options).parts(), question)

    def as_text() -> str:
        import json

        from learnlog.cli.listing import learning_text

        return learning_text(json.loads(text))

    return Answer(lambda: Ready(text), as_text)


def history(options: Options) -> Answer:
    """Every event of one learning."""
    from learnlog.cli.shapes import history_shown, history_text

    around = surroundings_of(options)
    if len(around.tiers) == 1:
        store, reference = store_at(around.place, options), options.ref
    else:
        tier, reference = asked_of(around.parts(), lambda opened: _named(opened, options.ref))
        [store] = [one for one in stores_around(around, options) if one.tier == tier]
    known = store.history(reference)
    for warning in store.warnings():
        say(f"warning: {warning}")
    return Answer(lambda: history_shown(known), lambda: history_text(known))


def _named(opened: list[Part], reference: str) -> tuple[str, str]:
    """The tier and the uid of the learning that answers to a reference."""
    part, _, uid = together.find_one(opened, reference)
    return part.tier, uid


def stats(options: Options) -> Answer:
    """Counts and health of the log at hand."""
    place = place_of(options)
    counts = asked_of(Surroundings(place, os.environ).parts()[:1], lambda opened: showing.counts(opened[0].connection))
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
