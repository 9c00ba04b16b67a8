"""What a verb that changes something answers, as a document; loaded by what writes alone."""

from __future__ import annotations

from msgspec import Struct

from learnlog.done import Done, Similar


class Receipt(Struct, frozen=True, kw_only=True):
    """The document of a change."""

    ref: str
    uid: str
    event: str
    status: str
    tier: str
    scope: str
    similar: tuple[Similar, ...]


def receipt(done: Done) -> Receipt:
    """`done` with what is similar, which is looked for now."""
    return Receipt(
        ref=done.ref,
        uid=done.uid,
        event=done.event,
        status=done.status,
        tier=done.tier,
        scope=done.scope,
        similar=done.similar,
    )
