"""What a person decides in a review: each at once an event of its own, counted, and taken back the same way.

Nothing is done to a learning that is not as it was shown any more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import asdict

from learnlog import terminal, trust
from learnlog.errors import NothingToUndo, Outdated
from learnlog.policy.vouching import digest

if TYPE_CHECKING:
    from learnlog.library import Library
    from learnlog.model import Learning
    from learnlog.reviewing import Candidate, Review


class Verdict(Struct, frozen=True, kw_only=True):
    """One decision: `what` is the word by which it is counted, `at` the place of its learning in the walk, `events` what it
    wrote, oldest first; `kept` and `trusted` have the candidate when that was put down outside of the log.
    """

    what: str
    at: int
    candidate: Candidate
    events: tuple[str, ...]
    kept: bool = False
    trusted: bool = False


class Verdicts:
    """The decisions of one walk. Each method answers with a sentence for the person, and raises what the verb raises."""

    def __init__(self, library: Library, review: Review) -> None:
        self._library, self._review = library, review
        self._made: list[Verdict] = []

    @property
    def last(self) -> Verdict | None:
        """What `undo` would take back."""
        return self._made[-1] if self._made else None

    def counts(self) -> dict[str, int]:
        """How many of each, in the order in which they first came."""
        counted: dict[str, int] = {}
        for one in self._made:
            counted[one.what] = counted.get(one.what, 0) + 1
        return counted

    def keep(self, at: int, candidate: Candidate) -> str:
        """It stays as it is."""
        self._do(at, candidate, "kept", lambda: self._review.keep(candidate), kept=True)
        return f"{_ref(candidate)} kept"

    def skip(self, at: int, candidate: Candidate) -> str:
        """It is left for another day: nothing is written."""
        self._made.append(Verdict(what="skipped", at=at, candidate=candidate, events=()))
        return f"{_ref(candidate)} skipped"

    def status(self, at: int, candidate: Candidate, verb: str, what: str) -> str:
        """`accept`, `reject` or `archive`."""
        self._do(at, candidate, what, lambda: getattr(self._library, verb)(candidate.learning.uid))
        return f"{_ref(candidate)} {what}"

    def reclassify(self, at: int, candidate: Candidate, what: str, **fields: Any) -> str:
        """Another scope or severity."""
        one = candidate.learning
        self._do(at, candidate, what, lambda: self._library.reclassify(one.uid, expect=one.event, **fields))
        now = self._library.get(one.uid)
        moved = f", now {now.ref} ({now.tier})" if now.ref != one.ref else ""
        return terminal.line(f"{one.ref} {what}: {', '.join(fields.values())}{moved}")

    def trust(self, at: int, candidate: Candidate) -> str:
        """This person vouches for the words that were shown."""
        one = candidate.learning
        if one.trusted:
            return f"{_ref(candidate)} is trusted already"

        def put() -> None:
            trust.put(self._trusted_in, [(one.uid, digest(asdict(one)))])

        self._do(at, candidate, "trusted", put, trusted=True)
        return f"{_ref(candidate)} trusted"

    def merge(self, at: int, candidate: Candidate, other: Learning) -> str:
        """Another learning replaces it."""
        uid = candidate.learning.uid
        self._do(at, candidate, "merged", lambda: self._library.supersede(uid, by=other.uid))
        return f"{_ref(candidate)} merged: {terminal.line(other.ref)} replaces it"

    def edit(self, at: int, candidate: Candidate, change: Callable[[], str]) -> str:
        """What `change` (an editor) makes of it; answers with what that says."""
        said: list[str] = []
        self._do(at, candidate, "edited", lambda: said.append(change()))
        return said[0]

    def undo(self) -> tuple[int, str]:
        """Take back the last decision; the place of its learning, and a sentence. Raises `NothingToUndo`."""
        if not self._made:
            raise NothingToUndo("this walk", "nothing was decided yet, or all of it is taken back")
        one = self._made[-1]
        for event in reversed(one.events):
            self._library.undo(event)
        if one.kept:
            self._review.open_again(one.candidate)
        if one.trusted:
            trust.put(self._trusted_in, [(one.candidate.learning.uid, "")], on=False)
        self._made.pop()
        return one.at, f"{_ref(one.candidate)} no longer {one.what}"

    @property
    def _trusted_in(self) -> str:
        return trust.path_of(self._library.around.environment)

    def _do(self, at: int, candidate: Candidate, what: str, act: Callable[[], Any], **outside: bool) -> None:
        """Let `act` decide about what was shown, and remember what it wrote. Raises `Outdated` when somebody was faster."""
        one = candidate.learning
        now = self._library.get(one.uid)
        if now.event != one.event:
            raise Outdated("event", one.event, now.event)
        before = {change.id for change in self._library.history(one.uid).events}
        act()
        actor = next(iter(self._library.stores.values())).actor(None, None)
        after = self._library.history(one.uid).events
        events = tuple(change.id for change in after if change.id not in before and change.actor == actor)
        if events or any(outside.values()):
            self._made.append(Verdict(what=what, at=at, candidate=candidate, events=events, **outside))


def _ref(candidate: Candidate) -> str:
    return terminal.line(candidate.learning.ref)
