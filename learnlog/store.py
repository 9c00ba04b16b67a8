"""One log behind verbs: what is written is an event, what is read is the fold of all of them.

    store = Store("learnings.jsonl")
    done = store.record("pymysql is not thread-safe", category="anti-pattern", severity="critical", stack=["python"])
    store.search("thread", stack=["python"])[0].title

What a verb decides is in `deciding`, what is known in `snapshot`; this module checks arguments, takes the lock, and hands on.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import date as Day
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from learnlog import deciding, ids
from learnlog.collector import collector_off
from learnlog.done import Decision, Done, Recordings, Similar
from learnlog.doors import Doors
from learnlog.drafting import draft, drafted, drafted_rows, hold_to_path, reason_text
from learnlog.errors import BatchRefused, InvalidValue, NoSuchLearning
from learnlog.fold import Fold
from learnlog.guarding import Gate
from learnlog.ids import IdClock
from learnlog.lock import DEFAULT_TIMEOUT_S
from learnlog.logs import Log
from learnlog.logs.file import FileLog
from learnlog.logs.writer import WriterState
from learnlog.model import CLASSIFICATION_FIELDS, Actor, Content, Hits, Learning
from learnlog.reading import Reading
from learnlog.status_verbs import StatusVerbs
from learnlog.transaction import Transaction, Transactions
from learnlog.vocabulary import CATEGORIES, REFERENCE_PREFIXES, TIERS

T = TypeVar("T")

MAX_TIMEOUT_S = 1_000_000

if TYPE_CHECKING:
    from learnlog.doctor import Finding
    from learnlog.index import Index
    from learnlog.snapshot import History, Snapshot, Stats


class Store(Doors, StatusVerbs):
    """One log: `log` is a path, or any `learnlog.logs.Log`. The file is made on the first write, never by reading.

    `durable=False` gives up invariant 7: an operating system that crashes may lose the last seconds. `timeout_s` is how
    long a write waits for the lock. `by` (`agent` or `human`, then `:NAME`) and `session` say who acts, unless a verb says
    otherwise; `categories` are the words that one may be. `clock` (milliseconds since 1970) and `random` are for tests. Safe
    for threads; also a context manager.

    >>> from learnlog.logs.memory import MemoryLog
    >>> store = Store(MemoryLog())
    >>> store.record("flock is not inherited by exec", severity="high").ref
    'L-001'
    >>> store.search("flock").total
    1
    """

    def __init__(
        self,
        log: str | os.PathLike[str] | Log,
        *,
        tier: str = "project",
        durable: bool = True,
        view: bool = False,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        by: str | None = None,
        session: str | None = None,
        categories: Collection[str] = CATEGORIES,
        clock: Callable[[], int] = ids.now_ms,
        random: Callable[[int], bytes] = os.urandom,
    ) -> None:
        if tier not in TIERS:
            raise InvalidValue("tier", tier, f"one of {', '.join(TIERS)}")
        if log is None or isinstance(log, int | bytes) or log == "":
            raise InvalidValue("log", log, "a path or a log")
        if isinstance(timeout_s, bool) or not isinstance(timeout_s, int | float) or not 0 <= timeout_s <= MAX_TIMEOUT_S:
            raise InvalidValue("timeout_s", timeout_s, f"a number of seconds from 0 to {MAX_TIMEOUT_S:,}")
        if isinstance(log, str | os.PathLike):
            hold_to_path(os.path.expanduser(os.fspath(log)))
            log = FileLog(log, durable=durable, timeout_s=timeout_s)
        self.log: Log = log
        self.tier, self._categories = tier, categories
        self.prefix = REFERENCE_PREFIXES[tier]
        self._by, self._session = by, session
        self._clock = clock
        self._reading = Reading(log, prefix=self.prefix)
        self._index: Index | None = None
        self._gate = Gate()
        about = {"prefix": self.prefix, "tier": tier}
        self._transactions = Transactions(log, self._reading, **about, clock=clock, random=random, gate=self._gate)
        if isinstance(log, FileLog):
            self._transactions.lookup = self._looked_up
        self._verb: Callable[[Actor], AbstractContextManager[Transaction]] = self._transactions.verb
        if view:
            from learnlog.views.keeping import view_path

            view_path(log)  # raises for a log in no file, which has no place for a view
            self._verb = self._viewed
        self._actors: dict[tuple[str | None, str | None], Actor] = {}

    # What is written -------------------------------------------------------------------------------------------------

    def record(
        self,
        title: str,
        *,
        proposed: bool = False,
        idempotency_key: str | None = None,
        by: str | None = None,
        session: str | None = None,
        **fields: Any,
    ) -> Done:
        """Record a learning; with the `key` of a known one, patch that.

        `fields`: `body`, `key`, `category`, `severity`, `scope`, `stack`, `tags`, `files`, `confidence` (0 to 1), `origin`,
        `source`, `checkpoint`, `evidence`, `example`, `alternatives`, `outcome`, `date` (YYYY-MM-DD), `extra`. A call with
        an `idempotency_key` that was seen before writes nothing. Raises `InvalidValue`, `TooLarge`, `LockTimeout`,
        `WriteFailed`.
        """
        row = {"title": title, "proposed": proposed, "idempotency_key": idempotency_key, **fields}
        return self.record_drafted(
            drafted(row, now_ms=self._clock(), categories=self._categories, hold=self._gate.hold_given), by=by, session=session
        )

    def record_many(
        self,
        rows: Iterable[Mapping[str, Any] | Learning],
        *,
        partial: bool = False,
        by: str | None = None,
        session: str | None = None,
    ) -> Recordings:
        """Record many in one lock, one write and one fsync: rows are mappings of `record`'s arguments, or learnings.

        Raises `BatchRefused`, and stores none, when a row is refused; with `partial` the others are stored and
        `refused` of the result has (position from 1, reason) of each.
        """
        actor = self.actor(by, session)
        about: dict[str, Any] = {"categories": self._categories, "hold": self._gate.hold_given}
        with collector_off():
            drafts, refused, given = drafted_rows(rows, now_ms=self._clock(), **about)
            if refused and not partial:
                raise BatchRefused(refused, given)
            with self._verb(actor) as tx:
                decided = [
                    self._done(deciding.record(tx, one.content, actor, proposed=one.proposed, idem=one.idem)) for one in drafts
                ]
            return Recordings(decided, refused)

    def revise(
        self, reference: str, *, expect: str | None = None, by: str | None = None, session: str | None = None, **fields: Any
    ) -> Done:
        """Change content fields (those of `record`, `title` too). `expect` is the newest event the caller has seen
        (`Learning.event`): raises `Outdated` when another came. Raises `NoSuchLearning`, `AmbiguousReference`, `WrongStatus`.
        """
        actor = self.actor(by, session)
        self._gate.hold_given(fields)
        content = draft(fields, now_ms=self._clock(), categories=self._categories)
        if content == Content():
            raise InvalidValue("fields", {}, "at least one field to change")
        return self.decide(actor, lambda tx: deciding.revise(tx, reference, content, actor, expect=expect))

    def reclassify(
        self, reference: str, *, expect: str | None = None, by: str | None = None, session: str | None = None, **fields: Any
    ) -> Done:
        """Change `scope`, `category`, `severity` or `stack`. A category set here is changed only here. Raises as `revise`."""
        for name in fields:
            if name not in CLASSIFICATION_FIELDS:
                raise InvalidValue("argument", name, f"one of {', '.join(CLASSIFICATION_FIELDS)}")
        actor = self.actor(by, session)
        self._gate.hold_given(fields)
        content = draft(fields, now_ms=self._clock(), categories=self._categories)
        if content == Content():
            raise InvalidValue("fields", {}, f"at least one of {', '.join(CLASSIFICATION_FIELDS)}")
        return self.decide(actor, lambda tx: deciding.reclassify(tx, reference, content, actor, expect=expect))

    def undo(self, reference: str, *, by: str | None = None, session: str | None = None) -> Recordings:
        """Take back an event, every event of a batch, or the latest event of a learning. Undoing an undo restores; undoing
        a birth deletes. Raises `NoSuchLearning`, `NothingToUndo`.
        """
        actor = self.actor(by, session)
        with self._verb(actor) as tx:
            return Recordings([self._done(decision) for decision in deciding.undo(tx, reference, actor)], [])

    def undo_last(self, *, by: str | None = None, session: str | None = None) -> Recordings:
        """Take back what this actor did last, a whole call at once. Raises `NothingToUndo`."""
        actor = self.actor(by, session)
        with self._verb(actor) as tx:
            return Recordings([self._done(decision) for decision in deciding.undo_last(tx, actor)], [])

    @contextmanager
    def batch(self) -> Iterator[Store]:
        """Every verb of this thread inside the block goes into one append at its end; an exception writes nothing. Nests."""
        with self._transactions.batch(self.actor(None, None)):
            yield self
        if self._verb != self._transactions.verb:
            self._show()

    def import_events(self, make: Callable[[Transaction, Actor], T], *, by: str | None = None, session: str | None = None) -> T:
        """Let `make` add events to one append and return what it returns: the door for importers."""
        actor = self.actor(by, session)
        with self._verb(actor) as tx:
            return make(tx, actor)

    def rehearse(self, make: Callable[[Transaction, Actor], T], *, by: str | None = None, session: str | None = None) -> T:
        """Let `make` look at the transaction that `import_events` would give it, and add nothing: no lock, no file."""
        actor = self.actor(by, session)
        with self._reading.lock:
            return make(
                self._transactions.running() or Transaction(self._transactions, WriterState(), IdClock(clock=self._clock)),
                actor,
            )

    # What is known ---------------------------------------------------------------------------------------------------

    def search(self, text: str = "", **filters: Any) -> Hits:
        """The page of learnings that match: active ones, unless `status` says otherwise.

        `filters`: `operation`, `stack`, `category`, `severity`, `scope`, `tag`, `file`, `origin`, `status`, `tier` (each a
        word or a list of words), `min_confidence` (0 to 1), `rank` (`severity`, `confidence`; with text also `relevance`, the
        default, `keywords`, `precedent`), `limit` (10; None: all), `offset`, `count` (an exact `total` above 1,000 too),
        `explain` (the hits say why they stand where they stand).
        Raises `InvalidValue`. Takes no lock and writes nothing to the log's folder.
        """
        from learnlog.answering import search

        now_ms = self._clock()
        return self._ask(lambda index: search(index, text, filters, tier=self.tier, now_ms=now_ms))

    def list(self, *, status: str | Sequence[str] | None = None, limit: int | None = None, offset: int = 0) -> Hits:
        """All active and proposed learnings, or those of `status`, most severe first, then newest."""
        return self.search(status=("active", "proposed") if status is None else status, limit=limit, offset=offset)

    def get(self, reference: str) -> Learning:
        """One learning, of whatever status, by reference, alias, uid or the beginning of one."""
        from learnlog.answering import get

        return self._ask(lambda index: get(index, reference, now_ms=self._clock()))

    def history(self, reference: str) -> History:
        """Every event of a learning, oldest first, with what each changed."""
        from learnlog.answering import history

        if not (tx := self._transactions.running()) or not tx.decided:
            known = self._ask(lambda index: history(index, reference, self.log, tier=self.tier, prefix=self.prefix))
            if known is not None:
                return known
        with self._snapshot() as snapshot:
            return snapshot.history(reference)

    def similar(self, reference: str) -> tuple[Similar, ...]:
        """The learnings whose titles are nearest to that of one, the nearest first; deleted ones are left out."""
        from learnlog.answering import similar

        return self._ask(lambda index: similar(index, reference))

    def stats(self) -> Stats:
        """Counts of learnings and events, and the damaged lines of the log."""
        from learnlog.answering import stats

        return self._ask(stats)

    def as_of(self, day: str | Day) -> Snapshot:
        """What was known at the end of a day (UTC), by the times in the event ids; `search`, `get` and so on are its."""
        from learnlog.snapshot import as_of

        with self._reading.lock:
            return as_of(self._reading.fold(), day, prefix=self.prefix, tier=self.tier)

    def verify(self) -> Sequence[Finding]:
        """Look at every line, seal, id and reference; what is wrong, where, and what to do. Empty: all is well."""
        from learnlog.doctor import examine

        return examine(self.log, prefix=self.prefix)

    def warnings(self) -> Sequence[str]:
        """What a reader should be told of the log: damaged lines, and lines of a newer format."""
        from learnlog.index.showing import warnings

        return self._ask(lambda index: warnings(index, self.log.name))

    # Inside ----------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Forget what was read, and close the index. The log needs no closing: no descriptor and no lock outlives a call."""
        self._reading.forget()
        with self._reading.lock:
            if self._index is not None:
                self._index.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def _snapshot(self) -> Iterator[Snapshot]:
        from learnlog.snapshot import Snapshot

        tx = self._transactions.running()
        with self._reading.lock:
            fold = tx.fold() if tx else self._reading.fold()
            yield Snapshot(fold, tier=self.tier, now_ms=self._clock())

    @contextmanager
    def _viewed(self, actor: Actor) -> Iterator[Transaction]:
        """A verb's transaction, and the view when it has ended."""
        with self._transactions.verb(actor) as tx:
            yield tx
        self._show()

    def _show(self) -> None:
        """Make the view once everything of this thread is written and the lock is free."""
        if self._transactions.running() is None:
            from learnlog.views.keeping import refresh

            for notice in refresh(self):
                warnings.warn(notice, stacklevel=4)

    def _ask(self, question: Callable[[Any], T]) -> T:
        """What the index answers; inside a batch, with what was decided in it."""
        with self._reading.lock:
            if self._index is None:
                self._index = self._opened_index()
            tx = self._transactions.running()
            ahead = tx.decided if tx else []
            return self._index.ask_ahead(ahead, question) if ahead else self._index.ask(question)

    def _looked_up(self, key: str, idem: str) -> Fold | None:
        """What the index knows of a key, where there is one: a new process need not read the whole log for one record."""
        from learnlog.index.catching_up import part_with

        if self._index is None:
            self._index = self._opened_index()
        return self._index.ask_if_near(lambda index: part_with(index, self.log, key=key, idem=idem, prefix=self.prefix))

    def _opened_index(self) -> Index:
        from learnlog import index

        if isinstance(self.log, FileLog):
            return index.of_file(self.log, tier=self.tier, prefix=self.prefix)
        return index.of_log(self.log, tier=self.tier, prefix=self.prefix)

    def supersede(self, old: str, *, by: str, actor: str | None = None, session: str | None = None) -> Done:
        """Say that the learning `by` replaces `old`, which leaves the searches. Raises `NoSuchLearning`, `WrongStatus`."""
        who = self.actor(actor, session)
        return self.decide(who, lambda tx: deciding.supersede(tx, old, by, who))

    def _status(self, kind: str, verb: str, reference: str, *, reason: str, by: str | None, session: str | None) -> Done:
        actor, why = self.actor(by, session), reason_text(reason)
        self._gate.hold(reason=why)
        return self.decide(actor, lambda tx: deciding.change_status(tx, kind, verb, reference, actor, reason=why))

    def _done(self, decision: Decision) -> Done:
        return Done(decision, tier=self.tier, find=self._similar)

    def _similar(self, uid: str) -> tuple[Similar, ...]:
        """What `Done.similar` shows; nothing for what is not there any more, as after a batch that was given up."""
        try:
            return self.similar(uid)
        except NoSuchLearning:
            return ()
