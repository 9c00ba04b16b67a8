"""What each verb decides under the lock: from a transaction and checked arguments to the events that go into the log.

Every function returns a `Decision`; none reads or writes a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from learnlog import ids
from learnlog.done import Decision
from learnlog.errors import InvalidValue, KeyTaken, NothingToUndo, Outdated, WrongStatus
from learnlog.events import KINDS, Event, uid_of_key
from learnlog.fold import Fold
from learnlog.identity import Pair, pair_of
from learnlog.model import CLASSIFICATION_FIELDS, Actor, Content, given
from learnlog.naming import number_of
from learnlog.reduce import DELETED, MOVED, PROPOSED, SUPERSEDED, TRANSITIONS, Folded, merge, undone_by
from learnlog.shown import value
from learnlog.transaction import Transaction
from learnlog.vocabulary import DEFAULT_SCOPE

_ORIGIN_OF = {"human": "user-stated", "agent": "observed"}
"""What a learning that does not say where it comes from comes from."""

_REMEDIES = {DELETED: "restore it first", MOVED: "it lives on in the log of another tier"}
"""What to do when a learning's status forbids a verb."""

_UNDOABLE = KINDS - {"undone", "renumbered", "redacted"}


def record(tx: Transaction, content: Content, actor: Actor, *, proposed: bool = False, idem: str = "") -> Decision:
    """Record a learning, or patch the one that has its key (semantics: "Identity and references")."""
    pair = pair_of(content)
    if not idem and pair is None:
        return _birth(tx, None, content, actor, proposed=proposed, idem=idem)
    fold = tx.fold_about(pair[1] if pair else "", idem)
    if idem and (seen := fold.idems.get(idem)) is not None:
        return _decision(_shown(fold, seen.uid), "unchanged", seen)
    if pair is None:
        return _birth(tx, None, content, actor, proposed=proposed, idem=idem)
    uid = fold.only_holder_of_key(pair[1]) if content.category is UNSET else None
    uid = uid or fold.holder_of(pair)
    if uid is None:
        return _birth(tx, uid_of_key(content), content, actor, proposed=proposed, idem=idem)
    return _record_again(tx, fold, uid, content, actor, proposed=proposed, idem=idem)


def _birth(tx: Transaction, uid: str | None, content: Content, actor: Actor, *, proposed: bool, idem: str) -> Decision:
    origin = _ORIGIN_OF[actor.kind] if content.origin is UNSET else content.origin
    classified_by = actor.kind if content.classified_by is UNSET else content.classified_by
    learning = replace(content, origin=origin, classified_by=classified_by)
    ref = tx.new_reference()
    made = tx.add("recorded", uid, actor, ref=ref, idem=idem, proposed=proposed, learning=learning)
    scope = content.scope if isinstance(content.scope, str) else DEFAULT_SCOPE
    status = "proposed" if proposed else "recorded"
    return Decision(uid=made.uid, ref=ref, scope=scope, event=made.id, status=status)


def _record_again(
    tx: Transaction, fold: Fold, uid: str, content: Content, actor: Actor, *, proposed: bool, idem: str
) -> Decision:
    known = _shown(fold, uid)
    status = TRANSITIONS["recorded"].get(known.status, known.status)
    if status == known.status and _adds_nothing(known, content):
        return _decision(known, "unchanged")
    tx.hold(merge(known.content, content))
    made = tx.add("recorded", known.uid, actor, above=known.last, idem=idem, proposed=proposed, learning=content)
    return _decision(known, "proposed" if status == PROPOSED else "revised", made)


def _adds_nothing(known: Folded, patch: Content) -> bool:
    """Whether the patch leaves the learning as it is shown."""
    fields = given(patch)
    if known.fixed:
        fields.pop("category", None)
    return all(value(known, name) == new for name, new in fields.items())


def revise(tx: Transaction, reference: str, patch: Content, actor: Actor, *, expect: str | None = None) -> Decision:
    """Change content; what `reclassify` changes becomes a `reclassified` event of the same call."""
    known = _alive(tx, "revise", reference)
    hold_to(known, expect)
    fields = given(patch)
    classes = {name: fields.pop(name) for name in CLASSIFICATION_FIELDS if name in fields}
    decision = _decision(known, "unchanged")
    _hold_key_free(tx.fold(), known, patch)
    if fields and not _adds_nothing(known, Content(**fields)):
        tx.hold(merge(known.content, patch))
        decision = _each(tx, known, "revised", actor, learning=Content(**fields))
    if classes:
        further = reclassify(tx, known.uid, Content(**classes), actor)
        decision = decision if further.status == "unchanged" else further
    return decision


def reclassify(tx: Transaction, reference: str, patch: Content, actor: Actor, *, expect: str | None = None) -> Decision:
    """Change scope, category, severity or stack, and say who decided it."""
    known = _alive(tx, "reclassify", reference)
    hold_to(known, expect)
    _hold_key_free(tx.fold(), known, patch)
    classified = replace(patch, classified_by=actor.kind)
    same = all(value(known, name) == new for name, new in given(classified).items())
    if same and (known.fixed or patch.category is UNSET):
        return _decision(known, "unchanged")
    return _each(tx, known, "reclassified", actor, learning=classified)


def change_status(tx: Transaction, kind: str, verb: str, reference: str, actor: Actor, *, reason: str = "") -> Decision:
    """Archive, restore or delete: one event, nothing when it is so already. Raises `WrongStatus`."""
    known = tx.snapshot().find(reference)
    after = TRANSITIONS[kind].get(known.status)
    if after is None:
        if known.status in TRANSITIONS[kind].values():
            return _decision(known, "unchanged")
        raise WrongStatus(verb, known.stored[-1], known.status, _REMEDIES.get(known.status, ""))
    if kind == "restored" and known.status == DELETED:
        _hold_pair_free(tx.fold(), known, pair_of(known.content))
    return _each(tx, known, kind, actor, reason=reason)


def supersede(tx: Transaction, reference: str, other: str, actor: Actor, *, elsewhere: bool = False) -> Decision:
    """Say that another learning replaces this one; `elsewhere`: `other` is the uid of one that lives in another log. Raises
    `InvalidValue` when it is the same, `WrongStatus`.
    """
    known, by = tx.snapshot().find(reference), other if elsewhere else _alive(tx, "supersede by", other).uid
    if known.uid == by:
        raise InvalidValue("by", other, "another learning than the one it replaces")
    if SUPERSEDED not in (known.status, TRANSITIONS["superseded"].get(known.status)):
        raise WrongStatus("supersede", known.stored[-1], known.status, _REMEDIES.get(known.status, ""))
    return _each(tx, known, "superseded", actor, by=by)


def arrive(
    tx: Transaction, known: Folded, history: Sequence[Event], patch: Content, actor: Actor, *, source: str, kept: bool
) -> Decision:
    """Take over a learning that lives in the log of another tier, `source`, with its history: it lives here from now on, there
    too when it is `kept`, and is classified by `patch` as it comes. Raises `KeyTaken` when another learning, which was
    recorded here by itself, has its key: their words are not mixed.
    """
    before = tx.fold().own.get(known.uid)
    if before is not None and not any(event.id == before.birth for event in history):
        raise KeyTaken(known.stored[-1], before.stored[-1], *(pair_of(before.content) or ("", "")))
    tx.carry(history)
    uids = dict.fromkeys([known.uid, *(event.uid for event in history)])
    members: dict[str, Any] = {"from_": source, "to": tx.tier, "kept": kept, "learning": patch}
    ours = [ref for ref in before.stored if ref.startswith(f"{tx.prefix}-") and number_of(ref)] if before else []
    ref = ours[-1] if ours else tx.new_reference()
    made = [tx.add("moved", uid, actor, above=history[-1].id, ref=ref if uid == known.uid else "", **members) for uid in uids]
    return _decision(_shown(tx.fold(), known.uid), "revised", made[0])


def undo(tx: Transaction, token: str, actor: Actor) -> list[Decision]:
    """Take back an event, all events of a batch, or the latest event of a learning. Raises `NothingToUndo`."""
    fold = tx.fold()
    if isinstance(token, str) and ids.is_id(token.strip().lower()):
        targets = _named(fold, token.strip().lower())
        if targets:
            return _undo(tx, fold, token, targets, actor)
    known = tx.snapshot().find(token)
    events = fold.events_of(fold.joined_with(known.uid))
    undone = undone_by(events)
    candidates = [event for event in events if event.id not in undone and event.event in _UNDOABLE]
    if not candidates:
        raise NothingToUndo(token, "every event of it is undone already")
    return _undo(tx, fold, token, _siblings(candidates), actor)


def undo_last(tx: Transaction, actor: Actor) -> list[Decision]:
    """Take back what this actor did last, a whole call at once. Raises `NothingToUndo`."""
    fold = tx.fold()
    mine = last_call(fold, actor)
    if not mine:
        raise NothingToUndo("the last event", "this actor has none that is not undone; name an event or a learning")
    return _undo(tx, fold, mine[-1].id, mine, actor)


def last_call(fold: Fold, actor: Actor) -> list[Event]:
    """The events of what an actor did last and nobody has undone."""
    every = sorted(fold.events(), key=lambda event: event.batch or event.id)  # imported events have old ids and a new batch
    undone = undone_by(every)
    mine = [event for event in every if event.actor == actor and event.event in _UNDOABLE and event.id not in undone]
    return [event for event in mine if event is mine[-1] or event.batch == mine[-1].batch != ""]


def _siblings(events: Sequence[Event]) -> list[Event]:
    """The last of `events` with those of the same call that did the same to the learnings it is joined with."""
    last = events[-1]
    return [
        event
        for event in events
        if event is last or (last.batch and (event.batch, event.event) == (last.batch, last.event) and event.uid != last.uid)
    ]


def _named(fold: Fold, token: str) -> list[Event]:
    """The event with this id, or the events of this batch; none when the id is a learning's that has more events."""
    exact = [event for event in fold.events() if event.id == token]
    if exact and not (exact[0].uid == token and len(fold.events_of([token])) > 1):
        return exact
    return [event for event in fold.events() if event.batch == token]


def _undo(tx: Transaction, fold: Fold, token: str, targets: Sequence[Event], actor: Actor) -> list[Decision]:
    by_uid: dict[str, list[Event]] = {}
    for event in targets:
        by_uid.setdefault(event.uid, []).append(event)
    decisions = []
    for uid, events in by_uid.items():
        every = fold.events_of([uid])
        undone = undone_by(every)
        open_ = [event for event in events if event.id not in undone and event.event != "renumbered"]
        if open_:
            targets_ = tuple(event.id for event in open_)
            made = tx.add("undone", uid, actor, above=every[-1].id, targets=targets_)
            if uid in fold.own:
                decisions.append(_decision(_shown(fold, uid), "revised", made))
    if not decisions:
        raise NothingToUndo(token, "it is undone already, or is a change of reference")
    return decisions


def _alive(tx: Transaction, verb: str, reference: str) -> Folded:
    known = tx.snapshot().find(reference)
    if known.status in _REMEDIES:
        raise WrongStatus(verb, known.stored[-1], known.status, _REMEDIES[known.status])
    return known


def _hold_key_free(fold: Fold, known: Folded, patch: Content) -> None:
    """Refuse a category and key that another live learning holds. Raises `KeyTaken`."""
    pair = pair_of(merge(known.content, patch))
    if pair != pair_of(known.content):
        _hold_pair_free(fold, known, pair)


def _hold_pair_free(fold: Fold, known: Folded, pair: Pair | None) -> None:
    uid = fold.holder_of(pair) if pair is not None else None
    if pair is None or uid is None or uid in fold.joined_with(known.uid):
        return
    other = fold.own[uid]
    if other.status != DELETED and pair_of(other.content) == pair:
        raise KeyTaken(known.stored[-1], other.stored[-1], *pair)


def hold_to(known: Folded, expect: str | None) -> None:
    """Refuse a change of what is not what the caller has seen. Raises `InvalidValue`, `Outdated`."""
    if expect is not None and not (isinstance(expect, str) and ids.is_id(expect)):
        raise InvalidValue("expect", expect, "the id of an event, as `history` and every answer give it")
    if expect is not None and expect != known.last:
        raise Outdated("event", expect, known.last)


def _shown(fold: Fold, uid: str) -> Folded:
    return fold.shown(fold.joined_with(uid))


def standing(known: Folded, status: str) -> Decision:
    """The answer about a learning that something was done to elsewhere."""
    return _decision(known, status)


def _decision(known: Folded, status: str, event: Event | None = None) -> Decision:
    """The answer about a known learning. Its last stored reference is the one it is shown under: see `Transaction.settle`."""
    scope = value(known, "scope")
    if event is not None and event.learning is not None and isinstance(event.learning.scope, str):
        scope = event.learning.scope
    return Decision(uid=known.uid, ref=known.stored[-1], scope=scope, event=event.id if event else known.last, status=status)


def _each(tx: Transaction, known: Folded, kind: str, actor: Actor, **members: Any) -> Decision:
    """The event for every learning that is shown as this one: else a joined one would come apart, or come back."""
    members = {name: given for name, given in members.items() if given != ""}
    made = None
    for uid in tx.fold().joined_with(known.uid):
        event = tx.add(kind, uid, actor, above=known.last, **members)
        made = made or event
    return _decision(known, "revised", made)
