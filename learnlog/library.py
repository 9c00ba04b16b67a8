"""The tiers around a place as one: a new learning is classified and routed, what is known is asked of all, the nearer first.

    library = Library.discover()
    library.record("FastAPI lifespan handlers must yield").tier        # 'workstation'
    library.search("lifespan")[0].title

Each tier is a `Store`; this module says which of them, and moves what crosses from one to another.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from learnlog import deciding, git, ids, moving, roots, routing
from learnlog.done import Done, Recordings
from learnlog.drafting import Draft, draft, drafted, drafted_rows
from learnlog.errors import (
    BatchRefused,
    InvalidValue,
    LearnlogError,
    NoSuchLearning,
    NothingToUndo,
    Refused,
    WrongStatus,
)
from learnlog.guarding import Gate
from learnlog.known import Known
from learnlog.model import CLASSIFICATION_FIELDS, Content, Learning, given
from learnlog.reduce import DELETED, MOVED
from learnlog.status_verbs import StatusVerbs
from learnlog.store import Store
from learnlog.surroundings import Surroundings
from learnlog.views.keeping import refresh_theirs
from learnlog.vocabulary import CATEGORIES

if TYPE_CHECKING:
    from learnlog.index.together import Part

T = TypeVar("T")

Classifier = Callable[[Mapping[str, Any]], str]
"""From the fields of a new learning to its scope: project, workstation or universal."""


class Library(Known, StatusVerbs):
    """The tiers around one place: `stores` by tier, the nearest first. `Library.discover()` finds them.

    `classifier` decides the scope of what is recorded without one; None: the command that this person configured, else the
    rules (`policy.classify`). `by` and `session` say who acts. After each verb the views of the tiers that it wrote to are made
    again, and the project's file in LEARNLOG_HOME; what goes wrong with that is told to `notify` (None: as a warning). Safe for
    threads; also a context manager.
    """

    def __init__(
        self,
        around: Surroundings,
        *,
        by: str | None = None,
        session: str | None = None,
        durable: bool = True,
        classifier: Classifier | None = None,
        clock: Callable[[], int] = ids.now_ms,
        random: Callable[[int], bytes] = os.urandom,
        notify: Callable[[str], None] | None = None,
    ) -> None:
        self.around = around
        self._notify = notify or _warn
        self._classifier = classifier
        self._clock = clock
        self._categories: tuple[str, ...] = CATEGORIES
        if not around.place.named:  # a log that was named has nothing around it
            if around.settings.categories != CATEGORIES:
                self._categories = around.settings.categories
            for warning in around.settings.warnings:
                self._notify(warning)
        more: dict[str, Any] = {"durable": durable, "by": by, "session": session, "clock": clock, "random": random}
        self.stores = {tier: Store(path, tier=tier, categories=self._categories, **more) for tier, path in around.tiers}

    @classmethod
    def discover(
        cls, project: str | os.PathLike[str] | None = None, *, environment: Mapping[str, str] | None = None, **options: Any
    ) -> Library:
        """The library of the project in or around `project` (a folder), or around the working directory, with this person's
        own tier; without a project that alone. `options` are those of `Library`. Raises `InvalidValue`, `LogUnreadable`.
        """
        environment = os.environ if environment is None else environment
        folder = None if project is None else os.fspath(project)
        return cls(Surroundings(roots.locate(None, folder, {**environment, "LEARNLOG_LOG": ""}), environment), **options)

    # What is written ------------------------------------------------------------------------------------------------

    def record(self, title: str, *, by: str | None = None, session: str | None = None, **fields: Any) -> Done:
        """Record a learning, in the tier of its scope: `scope` as given, else (left out, None or "auto") as it is classified.
        With the `key` of one that is known, that is patched where it lives. Arguments and errors as `Store.record`.
        """
        one = self._draft({"title": title, **fields})
        tier, one = self._routed(one)
        if len(self.stores) > 1 and (uid := self.stores[tier].moved_away(one.content.key)):
            return self._recorded_elsewhere(uid, one, by=by, session=session)
        return self._written([self.stores[tier].record_drafted(one, by=by, session=session)])[0]

    def _recorded_elsewhere(self, uid: str, one: Draft, *, by: str | None, session: str | None) -> Done:
        """Patch a learning where it was moved to, and then let it go where its scope says."""
        tier, _ = self._locate(uid)
        scope, content = one.content.scope, replace(one.content, scope=UNSET, classified_by=UNSET)
        done = self.stores[tier].record_drafted(replace(one, content=content), by=by, session=session)
        if not isinstance(scope, str) or one.content.classified_by == "agent":
            return self._mended(done)
        return self.reclassify(done.uid, scope=scope, by=by, session=session)

    def record_many(
        self,
        rows: Iterable[Mapping[str, Any] | Learning],
        *,
        partial: bool = False,
        by: str | None = None,
        session: str | None = None,
    ) -> Recordings:
        """Record many, in one append a tier. Raises `BatchRefused`, and stores none, when a row is refused (see `Store`)."""
        rows = [_without_auto(row) for row in rows] if not isinstance(rows, str | bytes | Mapping) else rows
        drafts, refused, count = drafted_rows(rows, now_ms=self._clock(), categories=self._categories, hold=Gate().hold_given)
        if refused and not partial:
            raise BatchRefused(refused, count)
        by_tier: dict[str, list[tuple[int, Draft]]] = {}
        for at, one in enumerate(drafts):
            tier, routed = self._routed(one)
            by_tier.setdefault(tier, []).append((at, routed))
        done: dict[int, Done] = {}
        for tier, chosen in by_tier.items():
            store = self.stores[tier]
            with store.batch():
                for at, one in chosen:
                    done[at] = store.record_drafted(one, by=by, session=session)
        return Recordings(self._written([done[at] for at in sorted(done)]), refused)

    def reclassify(
        self,
        reference: str,
        *,
        move: bool | None = None,
        expect: str | None = None,
        by: str | None = None,
        session: str | None = None,
        **fields: Any,
    ) -> Done:
        """Change `scope`, `category`, `severity` or `stack`. A scope of another tier moves the learning there, with its
        identity and history. Out of a project's log that is committed it is copied, and stays there too, unless `move` is
        True; with `move` False nothing is taken away from any log. Raises as `Store.reclassify`.
        """
        tier, uid = self._locate(reference)
        store = self.stores[tier]
        scope = fields.get("scope")
        target = tier if not isinstance(scope, str) else routing.tier_of(scope.strip().lower(), self.stores)
        if target == tier:
            more: dict[str, Any] = {"expect": expect, "by": by, "session": session, **fields}
            return self._verb("reclassify", reference, **more)
        content = _classification(fields, now_ms=self._clock(), categories=self._categories)
        actor = store.actor(by, session)
        patch = replace(content, classified_by=actor.kind)
        # A demotion moves; and only what may be kept is worth asking git about.
        kept = tier == "project" and (self._is_shared(store) if move is None else not move)
        done, uids = moving.arrive(store, self.stores[target], uid, patch, actor=actor, kept=kept, expect=expect)
        try:
            moving.carry(self.stores[target], store, uids)
        except (LearnlogError, OSError) as error:  # it is done: it lives in the target, and every reader sees it there
            self._notify(f"{error}; moved all the same, and the next change mends the log that it left")
        return self._written([done], also=[tier])[0]

    def revise(self, reference: str, **fields: Any) -> Done:
        """See `Store.revise`; a scope of another tier moves the learning as `reclassify` does."""
        scope = fields.pop("scope", None)
        done = None
        if {name for name in fields if name not in ("by", "session", "expect")}:
            done = self._verb("revise", reference, **fields)
            reference = done.uid
        if scope is None and done is not None:
            return done
        names = ("by", "session") if done is not None else ("by", "session", "expect")
        who = {name: fields[name] for name in names if name in fields}
        return self.reclassify(reference, scope=scope, **who) if scope is not None else self._verb("revise", reference)

    def supersede(self, old: str, *, by: str, actor: str | None = None, session: str | None = None) -> Done:
        """Say that the learning `by`, of whatever tier, replaces `old`. Raises as `Store.supersede`."""
        if len(self.stores) == 1:
            return self._verb("supersede", old, by=by, actor=actor, session=session)
        there, other = self._locate(by)
        if self.stores[there].get(other).status == DELETED:
            raise WrongStatus("supersede by", by, DELETED, "restore it first")

        def superseded(store: Store, uid: str) -> Done:
            who = store.actor(actor, session)
            elsewhere = store is not self.stores[there]
            return store.decide(who, lambda tx: deciding.supersede(tx, uid, other, who, elsewhere=elsewhere))

        return self._mended(self._where_it_lives(old, superseded))

    def each(self, verb: str, references: Sequence[str], **more: Any) -> list[Done]:
        """`archive`, `restore`, `delete`, `accept` or `reject` for all that are named, or for none."""
        for last in (False, False, True):
            found = [self._locate(reference) for reference in references]
            try:
                with ExitStack() as batches:
                    for tier in [tier for tier in self.stores if any(one == tier for one, _ in found)]:
                        batches.enter_context(self.stores[tier].batch())
                    done = [getattr(self.stores[tier], verb)(uid, **more) for tier, uid in found]
                break
            except WrongStatus as error:
                if error.status != MOVED or last or len(self.stores) == 1:
                    raise
        return [self._mended(one) for one in done]

    def undo(self, reference: str, *, by: str | None = None, session: str | None = None) -> Recordings:
        """Take back an event, a call, or the latest event of a learning: also a move. Raises as `Store.undo`."""
        try:
            tier, token = self._locate(reference)
            order = [tier]
        except NoSuchLearning:
            if not (isinstance(reference, str) and ids.is_id(reference.strip().lower())):
                raise
            order, token = list(self.stores), reference
        for tier in order:
            try:
                undone = self.stores[tier].undo(token, by=by, session=session)
            except NoSuchLearning:
                if tier == order[-1]:
                    raise
                continue
            return Recordings([self._mended(done) for done in undone], ())
        raise NothingToUndo(reference, "no log has it")

    def undo_last(self, *, by: str | None = None, session: str | None = None) -> Recordings:
        """Take back what this actor did last, in whichever tier. Raises `NothingToUndo`."""
        actor = next(iter(self.stores.values())).actor(by, session)
        calls = {tier: store.last_call(actor) for tier, store in self.stores.items()}
        newest = max(self.stores, key=lambda tier: max((event.batch or event.id for event in calls[tier]), default=""))
        return Recordings([self._mended(done) for done in self.stores[newest].undo_last(by=by, session=session)], ())

    def trust(self, reference: str, *, on: bool = True) -> None:
        """Vouch for a learning as it is now, or with `on` False no more: other projects may see it. It is a person who vouches;
        that there is one is for the caller to know. Raises `NoSuchLearning`, `WriteFailed`.
        """
        from learnlog import trust
        from learnlog.index import together

        def question(parts: Sequence[Part]) -> tuple[str, str]:
            part, doc, uid = together.find_one(parts, reference)
            [digest] = part.connection.execute("SELECT vouched FROM learning WHERE doc = ?", (doc,)).fetchone()
            return uid, digest

        trust.put(trust.path_of(self.around.environment), [self._ask(question)], on=on)

    def _status(self, kind: str, verb: str, reference: str, *, reason: str, by: str | None, session: str | None) -> Done:
        return self._verb(verb, reference, reason=reason, by=by, session=session)

    def _verb(self, name: str, reference: str, **more: Any) -> Done:
        return self._mended(self._where_it_lives(reference, lambda store, uid: getattr(store, name)(uid, **more)))

    def _where_it_lives(self, reference: str, do: Callable[[Store, str], Done]) -> Done:
        """What `do` answers for the tier in which a learning lives; looked up again when it was moved meanwhile."""
        for last in (False, False, True):
            tier, uid = self._locate(reference)
            try:
                return do(self.stores[tier], uid)
            except WrongStatus as error:
                if error.status != MOVED or last or len(self.stores) == 1:
                    raise
        raise AssertionError  # the last time it is done or raises

    # Inside ---------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close every tier; see `Store.close`."""
        for store in self.stores.values():
            store.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _mended(self, done: Done) -> Done:
        """Carry what one log has of a moved learning to the other, and answer with where it lives now."""
        if len(self.stores) == 1:
            return self._written([done])[0]
        changed = []
        for source, target, uids in self._ask(_gaps, as_is=True):
            try:
                moving.carry(self.stores[source], self.stores[target], uids)
                changed.append(target)
            except Refused as error:  # it came into the one log around the guard, and stays there
                self._notify(str(error))
        tier, _ = self._locate(done.uid)
        self._written([done], also=changed)
        return done if tier == done.tier else self.stores[tier].done_of(done.uid, status=done.status)

    def _written(self, done: Sequence[Done], also: Sequence[str] = ()) -> Sequence[Done]:
        """What was done, after what follows from it: the views, and the project's file. Neither ever fails a write."""
        for tier in {one.tier for one in done}.union(also):
            for notice in refresh_theirs(self.stores[tier]):
                self._notify(notice)
        if "project" in self.stores and not self.around.place.named:
            self.around.note_project(self.stores["project"])
        return done

    def _draft(self, row: Mapping[str, Any]) -> Draft:
        return drafted(_without_auto(row), now_ms=self._clock(), categories=self._categories, hold=Gate().hold_given)

    def _routed(self, one: Draft) -> tuple[str, Draft]:
        """The tier that a learning is to be recorded in, and the learning with its scope."""
        if len(self.stores) > 1 and one.content.scope is UNSET and isinstance(one.content.key, str):
            tier = self._holding(one.content.key)
            if tier is not None:
                return tier, one
        one = self._classified(one)
        return routing.tier_of(str(one.content.scope), self.stores), one

    def _classified(self, one: Draft) -> Draft:
        if one.content.scope is not UNSET or self.around.place.named:  # one log that was named keeps what it is given
            return one
        from learnlog.classifying import scope_of

        scope = routing.scope_in(scope_of(given(one.content), self.around, self._classifier), self.stores)
        return replace(one, content=replace(one.content, scope=scope, classified_by="agent"))

    def _holding(self, key: str) -> str | None:
        """The nearest tier in which a learning has this key."""
        return next((tier for tier, store in self.stores.items() if store.holds_key(key)), None)

    def _is_shared(self, store: Store) -> bool:
        """Whether the log is committed, so that others have what is in it."""
        return git.is_tracked(store.log.name)


def _gaps(parts: Sequence[Part]) -> list[tuple[str, str, set[str]]]:
    """(tier that has events, tier that lacks them, the learnings)."""
    from learnlog.index import together

    names = {part.name: part.tier for part in parts}
    found = []
    for name, events in together.gaps(parts).items():
        uids = {event.uid for event in events}
        found += [(tier, names[name], uids) for other, tier in names.items() if other != name]
    return found


def _classification(fields: Mapping[str, Any], *, now_ms: int, categories: Collection[str]) -> Content:
    for name in fields:
        if name not in CLASSIFICATION_FIELDS:
            raise InvalidValue("argument", name, f"one of {', '.join(CLASSIFICATION_FIELDS)}")
    Gate().hold_given(fields)
    return draft(fields, now_ms=now_ms, categories=categories)


def _without_auto(row: Any) -> Any:
    if not isinstance(row, Mapping) or not isinstance(row.get("scope"), str) or row["scope"].strip().lower() != routing.AUTO:
        return row
    return {name: value for name, value in row.items() if name != "scope"}


def _warn(message: str) -> None:
    warnings.warn(message, stacklevel=5)
