"""What rows from elsewhere mean for what is known here: news, known already, older, in conflict. Pure.

`importing` reads the files and carries a `Plan` out; the rules are those of `docs/formats.md` ("What importing does").
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace
from xxhash import xxh3_128_hexdigest

from learnlog import ids
from learnlog.drafting import BODY_BYTES, EVENT_BYTES, TITLE_CHARACTERS
from learnlog.events import DAY_MS, FORMAT_VERSION, Event, Imported, derived_id, encode, line_digest, time_ms, uid_of_key
from learnlog.fold import Fold
from learnlog.formats.rows import Note, Row, Source, without_time
from learnlog.identity import folded, pair_of
from learnlog.model import Actor, Content, given
from learnlog.reduce import ARCHIVED, DELETED, TRANSITIONS, Folded
from learnlog.shown import value

NEWER, SKIP, FAIL = "newer", "skip", "fail"
ON_CONFLICT = (NEWER, SKIP, FAIL)
KEY_CHARACTERS = 200
_LAST_OF_ITS_MOMENT = 4095
"""The place in the order of an archiving: behind every row of the same time."""


class Problem(Struct, frozen=True, kw_only=True):
    """A row that was refused or is unusual: the file, the line (None: the file as a whole), a word, a sentence."""

    path: str
    line: int | None
    kind: str
    message: str


class Report(Struct, frozen=True, kw_only=True):
    """What became of the rows: `read` is all of them. `added` rows made events, `unchanged` ones are known already, and
    `older` ones would have overridden something newer here (or something deleted here), and were left out.
    """

    read: int = 0
    added: int = 0
    unchanged: int = 0
    older: int = 0
    refused: tuple[Problem, ...] = ()
    unusual: tuple[Problem, ...] = ()


class Candidate(Struct, frozen=True, kw_only=True):
    """A row with its place. `ordinal` counts the rows of the same learning and time before it in the file, and `canonical`
    is its content as bytes that are the same on every machine.
    """

    path: str
    format: str
    row: Row
    ordinal: int
    canonical: bytes

    @property
    def digest(self) -> str:
        """The digest under which the log remembers the row."""
        return xxh3_128_hexdigest(self.canonical)

    @property
    def event_id(self) -> str:
        """The id of the event that the row makes: from its own time and content."""
        return derived_id(self.row.at, self.ordinal, line_digest(self.canonical))

    @property
    def archived_id(self) -> str:
        """The id of the event that archives it."""
        return derived_id(self.archived_at, _LAST_OF_ITS_MOMENT, line_digest(self.canonical))

    @property
    def archived_at(self) -> str | None:
        """When it was archived; never before it was written."""
        return max(self.row.at or "", self.row.archived_at or "") or None


class Read(Struct, frozen=True, kw_only=True):
    """One file that was read."""

    path: str
    format: str
    source: Source


class Plan:
    """What the rows of one call mean for what is known: `events` in the order of their time, those in `births` to be given
    a reference, and the counts. Pure: nothing is stored until somebody carries it out.
    """

    def __init__(self, known: Fold, actor: Actor, *, now_ms: int, on_conflict: str) -> None:
        self._known, self._ahead = known, known.copy()
        self._actor, self._latest, self._on_conflict = actor, now_ms + DAY_MS, on_conflict
        self._digests = {(one.imported.format, one.imported.digest) for one in known.events() if one.imported}
        self._titles: dict[str, Any] = {}
        self.events: list[Event] = []
        self.births: set[str] = set()
        self.read = 0
        self.counts = {"added": 0, "unchanged": 0, "older": 0}
        self.refused: list[Problem] = []
        self.unusual: list[Problem] = []
        self.conflicts = 0

    def report(self) -> Report:
        """The report of this call."""
        return Report(read=self.read, refused=tuple(self.refused), unusual=tuple(self.unusual), **self.counts)

    def store_nothing(self) -> None:
        """Give up what was decided; the report still says why."""
        self.events, self.births = [], set()
        self.counts["added"] = 0

    def take_all(self, sources: Sequence[Read]) -> None:
        """Decide on every row, oldest first, so that the order in a file does not matter where the times tell."""
        candidates: list[Candidate] = []
        for read in sources:
            self.read += len(read.source.rows) + len(read.source.refused)
            for one in read.source.refused:
                self.refused.append(Problem(path=read.path, line=one.line, kind=one.kind, message=one.message))
            candidates += self._candidates(read)
        candidates.sort(key=lambda candidate: candidate.row.at or "")
        for candidate in candidates:
            self._take(candidate)
        for problems in (self.refused, self.unusual):
            problems.sort(key=lambda problem: (problem.path, problem.line or 0))

    def _candidates(self, read: Read) -> Iterator[Candidate]:
        ordinals: dict[tuple[str, str | None], int] = {}
        for native in read.source.rows:
            refusal = _over_its_limit(native.content)
            if refusal is not None:
                self.refused.append(Problem(path=read.path, line=native.line, kind="too-large", message=refusal))
                continue
            # Before a time from the future is taken away: that it has passed does not make another row of it.
            canonical = _canonical(native)
            row = self._dated(native)
            named = _own_identity(read.format, row)
            ordinal = ordinals.get((named, row.at), 0)
            ordinals[named, row.at] = ordinal + 1
            if row.native and self._titles.setdefault(named, row.content.title) != row.content.title:
                said = f"{row.native!r:.60} stands under another title too; both are kept as versions of one learning"
                row = replace(row, unusual=(*row.unusual, Note(kind="id-twice", message=said)))
            yield Candidate(path=read.path, format=read.format, row=row, ordinal=ordinal, canonical=canonical)

    def _dated(self, row: Row) -> Row:
        """The row without times that cannot be (fault 31: one from the future would win for ever)."""
        if row.archived_at is not None and time_ms(row.archived_at) > self._latest:
            said = f"archived_on {row.archived_at} is in the future; archived when it was written"
            row = replace(row, archived_at=None, unusual=(*row.unusual, Note(kind="future-time", message=said)))
        if row.at is not None and time_ms(row.at) > self._latest:
            row = without_time(row, Note(kind="future-time", message=f"{row.at} is in the future: ordered as oldest"))
        return row

    def _take(self, one: Candidate) -> None:
        for note in one.row.unusual:
            self._say(one, note.kind, note.message)
        uid = self._identify(one)
        ours = self._shown(uid)
        verdict = self._judge(one, ours)
        if verdict == "refused":
            return
        if verdict == "added":
            self._digests.add((one.format, one.digest))
            if uid not in self._ahead.own:
                self.births.add(one.event_id)
            self._make(one, "recorded", uid, one.event_id, one.row.at, learning=one.row.content)
        if one.row.archived:
            verdict = self._archive(one, uid, ours) or verdict
        if verdict != "refused":
            self.counts[verdict] += 1

    def _identify(self, one: Candidate) -> str:
        """The uid of the learning that the row is about: one that is known by its key, as `record` finds it, else its own."""
        content = one.row.content
        pair = pair_of(content)
        known = None
        if pair is not None:
            known = self._ahead.only_holder_of_key(pair[1]) if content.category is UNSET else None
            known = known or self._ahead.holder_of(pair)
        return known or _own_identity(one.format, one.row)

    def _shown(self, uid: str) -> Folded | None:
        """The learning as it was known before this call."""
        return self._known.shown(self._known.joined_with(uid)) if uid in self._known.own else None

    def _newest(self, ours: Folded) -> str:
        """The newest event that says something about a learning; which reference it has is none of it."""
        events = self._known.events_of(self._known.joined_with(ours.uid))
        return max(event.id for event in events if event.event != "renumbered")

    def _judge(self, one: Candidate, ours: Folded | None) -> str:
        """What becomes of a row: `added`, `unchanged`, `older` or `refused`. `ours` is what was known before this call."""
        if (one.format, one.digest) in self._digests:
            return "unchanged"
        if ours is None:
            return "added"
        if ours.status == DELETED:
            return "older"
        same = _says_nothing_new(ours, one.row.content)
        if self._on_conflict == SKIP:
            return "unchanged" if same else "older"
        newest, own = self._newest(ours), one.event_id
        if ids.time_of(own) == ids.time_of(newest):
            return "unchanged" if same else self._conflict(one, ours)
        if own < newest:
            return "older"
        if self._on_conflict == FAIL and not (same and _recorded_again(ours) == ours.status):
            return self._refuse(one, ours, "would change")
        return "added"

    def _conflict(self, one: Candidate, ours: Folded) -> str:
        if self._on_conflict == FAIL:
            return self._refuse(one, ours, "has the same time and other content than")
        self._say(one, "conflict", f"same time and other content than {_name(ours)}, which is known here and is kept")
        return "older"

    def _refuse(self, one: Candidate, ours: Folded, does: str) -> str:
        self.conflicts += 1
        said = f"it {does} {_name(ours)}, which is known here; nothing is stored"
        self.refused.append(Problem(path=one.path, line=one.row.line, kind="conflict", message=said))
        return "refused"

    def _archive(self, one: Candidate, uid: str, ours: Folded | None) -> str | None:
        """Archive the row's learning where that is news: `added`, or `refused`, or None when it is not."""
        if self._ahead.knows(one.archived_id) or uid not in self._ahead.own:
            return None
        if ours is not None:
            if ours.status == DELETED or self._on_conflict == SKIP or one.archived_id < self._newest(ours):
                return None
            if self._on_conflict == FAIL and ours.status != ARCHIVED:
                return self._refuse(one, ours, "would archive")
        self._make(one, "archived", uid, one.archived_id, one.archived_at)
        return "added"

    def _make(
        self, one: Candidate, kind: str, uid: str, event_id: str, at: str | None, learning: Content | None = None
    ) -> None:
        imported = Imported(one.format, one.digest, one.row.native)
        event = Event(
            v=FORMAT_VERSION, id=event_id, event=kind, uid=uid, at=at, actor=self._actor, learning=learning, imported=imported
        )
        self.events.append(event)
        self._ahead.add([event])

    def _say(self, one: Candidate, kind: str, message: str) -> None:
        self.unusual.append(Problem(path=one.path, line=one.row.line, kind=kind, message=message))


def _own_identity(format_name: str, row: Row) -> str:
    """The uid of a row by itself: from its native id, else from its key, else from its title (NFC, case- and space-folded)."""
    if row.native:
        return _uid(format_name, folded(row.project), folded(row.native))
    by_key = uid_of_key(row.content)
    return by_key or _uid(" ".join(folded(str(row.content.title)).split()))


def _uid(*parts: str) -> str:
    return xxh3_128_hexdigest("\0".join(parts).encode("utf-8", "surrogatepass"))


def _canonical(row: Row) -> bytes:
    """The row's content and identity as JSON that is the same wherever it is made. That it is archived is no part of it:
    an entry that moves into an archive is the same entry.
    """
    members = {"at": row.at, "native": row.native, "project": row.project, "content": given(row.content)}
    return json.dumps(members, sort_keys=True, separators=(",", ":")).encode()


def _recorded_again(ours: Folded) -> str:
    """The status that a learning has once it is recorded again."""
    return TRANSITIONS["recorded"].get(ours.status, ours.status)


def _says_nothing_new(ours: Folded, patch: Content) -> bool:
    fields = given(patch)
    if ours.fixed:
        fields.pop("category", None)
    return all(value(ours, name) == new for name, new in fields.items())


def _name(ours: Folded) -> str:
    return f"{ours.stored[-1]} {value(ours, 'title')[:60]!r}" if ours.stored else repr(value(ours, "title")[:60])


_LIMITS: tuple[tuple[str, int, str, Callable[[str], int]], ...] = (
    ("title", TITLE_CHARACTERS, "characters", len),
    ("key", KEY_CHARACTERS, "characters", len),
    ("body", BODY_BYTES, "bytes", lambda text: len(text.encode("utf-8", "surrogatepass"))),
)


def _over_its_limit(content: Content) -> str | None:
    """Why the content is too large to be stored, or None when it is not."""
    for name, limit, unit, size_of in _LIMITS:
        text = getattr(content, name)
        if isinstance(text, str) and len(text) * 4 > limit and (size := size_of(text)) > limit:
            return f"{name} has {size} {unit}; at most {limit} are allowed"
    size = len(encode(Event(v=FORMAT_VERSION, id="", event="", uid="", learning=content)))
    return f"the event has {size} bytes; at most {EVENT_BYTES} are allowed" if size > EVENT_BYTES else None
