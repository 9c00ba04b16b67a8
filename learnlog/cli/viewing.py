"""`view`: the Markdown view beside the log, made or compared; and what other commands call when they have written."""

from __future__ import annotations

import os

from learnlog import terminal
from learnlog.cli.opening import stores_around, surroundings_of
from learnlog.cli.output import Answer, say
from learnlog.views import keeping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from learnlog.cli.arguments import Options
    from learnlog.store import Store
    from learnlog.views.keeping import Form

DIFFERS = 1


def view(options: Options) -> Answer:
    """Make the views of the tiers at hand, or with `--check` say how they differ from their logs: exit 1 when one does. The
    document is about the nearest; `others`, where there are some, has the same of
    each farther tier that has a log.
    """
    nearest, *farther = stores_around(surroundings_of(options), options)
    stores = [nearest, *(store for store in farther if os.path.exists(store.log.name))]
    form = keeping.ACTIVE if options.active else keeping.WHOLE
    first, *rest = [_compared(store, form) if options.check else _made(store, form) for store in stores]
    for store in stores:
        for warning in store.warnings():
            say(f"warning: {warning}")
    return Answer(
        lambda: first.document() | ({"others": [one.document() for one in rest]} if rest else {}),
        lambda: "\n".join(filter(None, (one.text() for one in (first, *rest)))),
        max(one.code for one in (first, *rest)),
    )


def refresh(store: Store) -> None:
    """Make the view after a write, once a command and after the lock is free. It never fails the command."""
    for notice in keeping.refresh_theirs(store):
        say(notice)


def _made(store: Store, form: Form) -> Answer:
    outcome = keeping.rebuild(store, form=form)
    for notice in keeping.notices(outcome):
        say(notice)
    if outcome.left == keeping.BUSY:
        say(f"{outcome.path}: another process is making it")
    document = {
        "path": outcome.path,
        "written": outcome.written,
        "kept": outcome.kept,
        "learnings": outcome.learnings,
    }
    return Answer(lambda: document, lambda: _made_text(outcome))


def _made_text(outcome: keeping.Outcome) -> str:
    if outcome.left == keeping.BUSY or not (outcome.written or outcome.learnings):
        return ""
    count = f"{outcome.learnings} learning{'' if outcome.learnings == 1 else 's'}"
    return terminal.line(f"{outcome.path}: {count}{'' if outcome.written else ', as it was'}")


def _compared(store: Store, form: Form) -> Answer:
    found = keeping.check(store, form=form)
    reasons = [{"kind": one.kind, "message": one.message, "refs": one.refs} for one in found]
    document = {"path": keeping.view_path(store.log, form), "differs": bool(found), "reasons": reasons}
    return Answer(
        lambda: document,
        lambda: "\n".join(terminal.line(one.message) for one in found),
        DIFFERS if found else 0,
    )
