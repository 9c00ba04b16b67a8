"""The events of one learning to what is known of it: patches, status, undo; pure, no clock.

The rules are `docs/how-the-fold-decides.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from learnlog.events import Event, Imported, canonical_time, refs_of
from learnlog.model import Actor, Content, given
from learnlog.vocabulary import REFERENCE_PREFIXES

_LONGEST_REFERENCE = 24
"""Characters of a reference, as `naming` reads them."""

PROPOSED, ACTIVE, ARCHIVED, SUPERSEDED, DELETED = "proposed", "active", "archived", "superseded", "deleted"
MOVED = "moved"
"""As the log of a tier shows what lives in another one now. The fold says so: events do not know whose log they are in."""

TRANSITIONS: dict[str, dict[str, str]] = {
    "archived": {PROPOSED: ARCHIVED, ACTIVE: ARCHIVED, SUPERSEDED: ARCHIVED},
    "restored": {ARCHIVED: ACTIVE, SUPERSEDED: ACTIVE, DELETED: ACTIVE},
    "deleted": {PROPOSED: DELETED, ACTIVE: DELETED, ARCHIVED: DELETED, SUPERSEDED: DELETED},
    "superseded": {PROPOSED: SUPERSEDED, ACTIVE: SUPERSEDED, ARCHIVED: SUPERSEDED},
    "accepted": {PROPOSED: ACTIVE},
    "rejected": {PROPOSED: DELETED},
    "recorded": {ACTIVE: ACTIVE, ARCHIVED: ACTIVE, SUPERSEDED: ACTIVE, DELETED: ACTIVE},
}
"""Kind of event -> status before -> status after; what is not in it leaves the status as it is."""


class Folded(Struct, frozen=True, kw_only=True, gc=False):
    """One learning as its own events have it.

    `birth` is the id of its first `recorded`, `last` that of its newest event, `changed` the instant of the last change
    of content (an imported day until then) and `changed_by` that event. `aged` is where decay starts. `fixed`: the
    category was set by `reclassify`. `pinned`: a person wants it first. `stored` are the references ever stored for it, in
    id order. `tiers`: where it lives since it was moved; empty when it never was. `moves`: each `moved` as `id from`.
    """

    uid: str
    birth: str
    last: str
    status: str
    content: Content
    stored: tuple[str, ...]
    created: str
    changed: str
    changed_by: str
    aged: str
    actor: Actor | None = None
    fixed: bool = False
    pinned: bool = False
    native: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()


def reduce(uid: str, events: Sequence[Event]) -> Folded | None:
    """What these events, of one learning and ordered by id, make of it; None as long as none of them records it."""
    if len(events) == 1:
        only = events[0]
        return born(uid, only) if only.event == "recorded" else None
    birth = next((event for event in events if event.event == "recorded"), None)
    if birth is None:
        return None
    undone = undone_by(events)
    folded = born(uid, birth)
    for event in events:
        if event is birth:
            continue
        if event.event == "renumbered":
            if event.ref:
                folded = replace(folded, stored=_with(folded.stored, event.ref))
        elif event.id not in undone:
            if event.id > birth.id or event.event in ("revised", "reclassified"):  # no status before there is a learning
                folded = _step(folded, event, birth)
        elif event.event in ("recorded", "moved"):
            if event.ref:  # undone or not, a reference once given is never used again
                folded = replace(folded, stored=(*refs_of(event), *folded.stored))
            if event.event == "moved":
                folded = replace(folded, tiers=_before(folded, event), moves=(*folded.moves, _move(event)))
    return replace(folded, last=events[-1].id)


def undone_by(events: Iterable[Event]) -> set[str]:
    """The ids of the events that are undone. The newest `undone` is looked at first, so that one that is undone itself
    undoes nothing; an event can only undo older ones.
    """
    undone: set[str] = set()
    for event in sorted((event for event in events if event.event == "undone"), key=_id, reverse=True):
        if event.id not in undone:
            undone.update(target for target in event.targets if target < event.id)
    return undone


def merge(content: Content, patch: Content, *, fixed: bool = False) -> Content:
    """`content` with the fields that `patch` gives; lists are replaced. A `fixed` category stays."""
    fields = given(patch)
    if fixed:
        fields.pop("category", None)
    return replace(content, **fields) if fields else content


def _id(event: Event) -> str:
    return event.id


def born(uid: str, event: Event) -> Folded:
    """What one `recorded` makes of a learning that had no event before."""
    content, event_id = event.learning, event.id
    assert content is not None  # `logs.scan` lets no `recorded` without a learning pass
    at = event.at or ""
    changed = at if content.date is UNSET else _instant(content.date, at)
    return Folded(
        uid=uid,
        birth=event_id,
        last=event_id,
        status=PROPOSED if event.proposed else ACTIVE,
        content=content,
        stored=(event.ref,) if type(event) is Event and _names(event.ref) else tuple(filter(_names, refs_of(event))),
        created=at,
        changed=changed,
        changed_by=event_id,
        aged=changed,
        actor=event.actor,
        native=() if event.imported is None else _native(event.imported),
    )


def _names(ref: str) -> bool:
    """Whether a reference could be one: what another program wrote in its place is not shown."""
    return ref[-1:].isdigit() and len(ref) <= _LONGEST_REFERENCE and " " not in ref


def _native(imported: Imported) -> tuple[str, ...]:
    return (f"{imported.native}@{imported.format}",) if imported.native else ()


def _step(folded: Folded, event: Event, birth: Event) -> Folded:
    kind = event.event
    if kind in ("recorded", "revised"):
        return _patched(folded, event)
    if kind == "reclassified" and event.learning is not None:
        fixed = folded.fixed or event.learning.category is not UNSET
        return replace(folded, content=merge(folded.content, event.learning), fixed=fixed)
    if kind == "moved":
        return _moved(folded, event)
    if kind == "undone":
        return replace(folded, status=DELETED) if birth.id in event.targets else folded
    if kind == "pinned":
        return replace(folded, pinned=event.on is not False)
    status = TRANSITIONS.get(kind, {}).get(folded.status, folded.status)
    return folded if status == folded.status else replace(folded, status=status)


def _before(folded: Folded, event: Event) -> tuple[str, ...]:
    """Where a learning lived before it was moved."""
    return folded.tiers or ((event.from_,) if event.from_ in REFERENCE_PREFIXES else ())


def _move(event: Event) -> str:
    return f"{event.id} {event.from_ if event.from_ in REFERENCE_PREFIXES else ''}"


def _moved(folded: Folded, event: Event) -> Folded:
    """It lives in `to`, and in `from` only when that was kept; what it is classified as goes with it."""
    if event.to not in REFERENCE_PREFIXES:
        return folded  # to no place that there is
    left = tuple(one for one in _before(folded, event) if (event.kept or one != event.from_) and one != event.to)
    tiers = (*left, event.to) if event.from_ in REFERENCE_PREFIXES else (event.to,)
    changes: dict[str, Any] = {"tiers": tiers, "moves": (*folded.moves, _move(event))}
    if event.learning is not None:
        changes["content"] = merge(folded.content, event.learning)
        changes["fixed"] = folded.fixed or event.learning.category is not UNSET
    stored = folded.stored
    if event.ref not in stored:  # a stranger to this tier's log: what it was called in another one is another's name here
        prefix = f"{REFERENCE_PREFIXES.get(event.to)}-"
        stored = tuple(ref for ref in stored if not ref.startswith(prefix))
    changes["stored"] = _with(stored, event.ref) if event.ref else stored
    return replace(folded, **changes)


def _patched(folded: Folded, event: Event) -> Folded:
    assert event.learning is not None
    patch, old = event.learning, folded.content
    again = event.event == "recorded"
    if again and folded.status == PROPOSED and patch.evidence is not UNSET and old.evidence is not UNSET:
        added = tuple(text for text in patch.evidence if text not in old.evidence)
        patch = replace(patch, evidence=old.evidence + added)
    new = merge(old, patch, fixed=again and folded.fixed)
    changes: dict[str, Any] = {"content": new}
    if new != old:
        at = event.at or ""
        changes["changed"] = at if patch.date is UNSET else _instant(patch.date, at)
        changes["changed_by"] = event.id
        if (new.title, new.body) != (old.title, old.body):
            changes["aged"] = changes["changed"]
    if again:
        changes["status"] = TRANSITIONS["recorded"].get(folded.status, folded.status)
        if event.ref:
            changes["stored"] = (*refs_of(event), *folded.stored)
        if event.imported and event.imported.native:
            changes["native"] = _with(folded.native, *_native(event.imported))
    return replace(folded, **changes)


def _with(texts: tuple[str, ...], text: str) -> tuple[str, ...]:
    """`texts` with `text` as the last."""
    return (*(one for one in texts if one != text), text)


def _instant(day: str | Any, at: str) -> str:
    """The day a learning says it is from, or the moment of the event when that lies in it, or when the day is none."""
    readable = canonical_time(day)
    return at if readable is None or at.startswith(str(day)) else readable[:10]
