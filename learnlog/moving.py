"""A learning from the log of one tier to that of another, with its identity and its whole history.

First everything, and the `moved` event, is appended to the target; then the source gets what it lacks of that. A process that
dies between the two leaves a learning in both logs, which is read as moved (`index.together`) and mended by the next writer.
"""

from __future__ import annotations

from collections.abc import Iterable

from learnlog import deciding
from learnlog.done import Done
from learnlog.model import Actor, Content
from learnlog.store import Store


def arrive(
    source: Store, target: Store, uid: str, patch: Content, *, actor: Actor, kept: bool, expect: str | None = None
) -> tuple[Done, set[str]]:
    """Append the learning that `source` knows under `uid` to the target, classified by `patch` as it goes; `kept`: the source
    keeps it too. It lives in the target from now on. What is left is to `carry` these uids to the source. Raises
    `NoSuchLearning`, `Outdated`, `KeyTaken`, and what an append does.
    """
    known, history = source.whole(uid)
    deciding.hold_to(known, expect)
    done = target.decide(
        actor,
        lambda tx: deciding.arrive(tx, known, history, patch, actor, source=source.tier, kept=kept),
    )
    return done, {event.uid for event in history}


def carry(source: Store, target: Store, uids: Iterable[str]) -> None:
    """Append to `target` every event of these learnings that stands in `source` alone, to the letter; of the moves those alone
    that led out of the target.
    """
    events = [event for event in source.events_of(uids) if event.event != "moved" or event.from_ == target.tier]
    target.import_events(lambda tx, _: tx.carry(events))
