"""`trust REF`: this person vouches for a learning as it is now, or with `--off` does so no more."""

from __future__ import annotations

import os

from learnlog import terminal, trust
from learnlog.actor import persons_terminal
from learnlog.cli.opening import surroundings_of
from learnlog.cli.output import Answer
from learnlog.cli.reading import asked_of
from learnlog.errors import NeedsPerson
from learnlog.index import together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from learnlog.cli.arguments import Options
    from learnlog.index.together import Part


def trust_(options: Options) -> Answer:
    """Trust all that are named, or none. Raises `NeedsPerson` when no person is at the terminal."""
    if not options.off and not persons_terminal(os.environ):
        raise NeedsPerson("trust")

    def question(opened: Sequence[Part]) -> list[tuple[str, str, str]]:
        found = []
        for reference in options.ref:
            part, doc, uid = together.find_one(opened, reference)
            row = part.connection.execute("SELECT ref, vouched FROM learning WHERE doc = ?", (doc,)).fetchone()
            found.append((row[0], uid, row[1]))
        return found

    found = asked_of(surroundings_of(options).parts(), question)
    trust.put(trust.path_of(os.environ), [(uid, digest) for _, uid, digest in found], on=not options.off)
    what = "not trusted" if options.off else "trusted"
    return Answer(
        lambda: [{"ref": ref, "uid": uid, "trusted": not options.off} for ref, uid, _ in found],
        lambda: "\n".join(f"{terminal.line(ref)} {what}" for ref, *_ in found),
    )
