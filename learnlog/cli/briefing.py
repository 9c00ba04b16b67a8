"""`brief`: the block of text that an agent reads. It takes no lock and writes nothing."""

from __future__ import annotations

import os
import time

from learnlog import briefing, trust
from learnlog.cli.arguments import whole_number
from learnlog.cli.opening import others_of, stores_around, surroundings_of, tell_settings
from learnlog.cli.output import Answer, PlainWarnings
from learnlog.cli.reading import asked_of, filters_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from learnlog.cli.arguments import Options
    from learnlog.index.together import Part
    from learnlog.views.brief import Brief


def brief(options: Options) -> Answer:
    """The learnings that matter to an operation, to a prompt, or to both. Nothing matters: no output."""
    filters = {name: value for name, value in filters_of(options).items() if name != "rank"}
    budget = whole_number("budget", options.budget)
    around = surroundings_of(options)
    as_of = [] if options.as_of is None else [store.as_of(options.as_of) for store in stores_around(around, options)]
    now_ms = as_of[0].now_ms if as_of else time.time_ns() // 1_000_000
    stack = filters.pop("stack") or around.stack
    tell_settings(around)
    more: dict[str, Any] = {"style": options.style, "budget": budget}
    filters |= {name: value for name, value in more.items() if value is not None}

    def question(opened: Sequence[Part]) -> Brief:
        with PlainWarnings():
            return briefing.brief(
                opened,
                " ".join(options.prompt),
                stack=stack,
                now_ms=now_ms,
                trusted=trust.read(trust.path_of(os.environ)),
                **filters,
            )

    parts = around.parts()
    if as_of:
        for part, then in zip(parts, as_of, strict=True):
            part.answers_as(then.connection())
        made = question(parts)
    else:
        made = asked_of([*parts, *others_of(around, options)], question)
    return Answer(
        lambda: {"text": made.text, "shown": list(made.shown), "left_out": made.left_out},
        lambda: made.text,
    )
