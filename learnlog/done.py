"""What a verb answers: `Done`, and `Recordings` for many."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct


class Decision(Struct, frozen=True, kw_only=True, gc=False):
    """What a verb decided: the learning, the event that stands now, and `status`: recorded, revised, proposed or unchanged."""

    uid: str
    ref: str
    scope: str
    event: str
    status: str


class Similar(Struct, frozen=True, kw_only=True):
    """A learning that is near another: `similarity` is 0 to 1 (Jaccard of the titles' words)."""

    ref: str
    title: str
    similarity: float


class Done:
    """What was done: the learning's `ref` and `uid`, the `event` that stands now, and `status`: recorded, revised,
    confirmed, proposed or unchanged. `similar` (near learnings of the same log) is computed when it is first asked for.
    """

    __slots__ = ("_find", "_similar", "event", "ref", "scope", "status", "tier", "uid")

    def __init__(self, decision: Decision, *, tier: str, find: Callable[[str], tuple[Similar, ...]]) -> None:
        self.ref, self.uid, self.event = decision.ref, decision.uid, decision.event
        self.status, self.scope = decision.status, decision.scope
        self.tier = tier
        self._find = find
        self._similar: tuple[Similar, ...] | None = None

    @property
    def similar(self) -> tuple[Similar, ...]:
        """The nearest learnings, the nearest first."""
        if self._similar is None:
            self._similar = self._find(self.uid)
        return self._similar

    def __repr__(self) -> str:
        return f"Done(ref={self.ref!r}, status={self.status!r}, event={self.event!r})"


class Recordings(list[Done]):
    """What was done with each of many; `refused` has (position from 1, reason) of those that were not."""

    def __init__(self, done: Iterable[Done], refused: Iterable[tuple[int, str]]) -> None:
        super().__init__(done)
        self.refused = tuple(refused)
