"""What is known over several tiers: the questions of a `Library`, each asked of all its logs. Writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from learnlog.errors import InvalidValue
from learnlog.model import Hits, Learning
from learnlog.store import Store
from learnlog.surroundings import Surroundings

if TYPE_CHECKING:
    from learnlog.done import Similar
    from learnlog.index.together import Part
    from learnlog.snapshot import History
    from learnlog.views.brief import Brief

T = TypeVar("T")


class Known:
    """The reading half of `Library`, whose attributes these are."""

    around: Surroundings
    stores: dict[str, Store]
    _clock: Callable[[], int]
    _notify: Callable[[str], None]

    @property
    def stack(self) -> tuple[str, ...]:
        """The project's stack: as it is configured, else as its files say."""
        return self.around.stack

    def search(self, text: str = "", **filters: Any) -> Hits:
        """The page of all tiers together; where two hold the same thing the nearer one is shown. See `Store.search`."""
        from learnlog.answering import hits_of
        from learnlog.index import together

        now_ms = self._clock()
        return self._ask(lambda parts: hits_of(together.search(parts, text, filters, now_ms=now_ms), now_ms, self._trusted()))

    def brief(self, prompt: str = "", *, budget: int = 2000, style: str = "learnlog", **filters: Any) -> Brief:
        """The block that an agent reads, for an operation, a prompt, or both: `text`, the references `shown` in full, and how
        many were `left_out`. `filters` are those of `search`, `limit` how many are told in full; without `stack` those of the
        project's. Raises `InvalidValue`.
        """
        from learnlog.briefing import brief

        if not isinstance(prompt, str):
            raise InvalidValue("prompt", prompt, "a text")
        now_ms, trusted = self._clock(), self._trusted()
        more: dict[str, Any] = {"budget": budget, "style": style, "stack": self.stack} | filters
        return self._ask(lambda parts: brief(parts, prompt, now_ms=now_ms, trusted=trusted, **more))

    def list(self, *, status: str | Sequence[str] | None = None, limit: int | None = None, offset: int = 0) -> Hits:
        """All active and proposed learnings, or those of `status`; see `Store.list`."""
        return self.search(status=("active", "proposed") if status is None else status, limit=limit, offset=offset)

    def get(self, reference: str) -> Learning:
        """One learning, where it lives. Raises `NoSuchLearning`, `AmbiguousReference`."""
        from learnlog.answering import learning_of
        from learnlog.index import together

        now_ms = self._clock()

        def question(parts: Sequence[Part]) -> Learning:
            part, doc, _ = together.find_one(parts, reference)
            return learning_of(part.connection, doc, now_ms, self._trusted())

        return self._ask(question)

    def history(self, reference: str) -> History:
        """Every event of a learning, from the log in which it lives."""
        tier, uid = self._locate(reference)
        return self.stores[tier].history(uid)

    def similar(self, reference: str) -> tuple[Similar, ...]:
        """The learnings of its tier that are nearest to one."""
        tier, uid = self._locate(reference)
        return self.stores[tier].similar(uid)

    def _ask(self, question: Callable[[Any], T], *, as_is: bool = False) -> T:
        from learnlog.index import together  # what only appends to one log does without

        parts = self.around.parts()
        return together.ask(parts, question, unreadable=lambda error: self._notify(f"{error}; left out"), as_is=as_is)

    def _trusted(self) -> dict[str, str]:
        from learnlog import trust

        return trust.read(trust.path_of(self.around.environment))

    def _locate(self, reference: str) -> tuple[str, str]:
        """The tier in which a learning lives, and its uid."""
        if len(self.stores) == 1:
            return next(iter(self.stores)), reference
        from learnlog.index import together

        def question(parts: Sequence[Part]) -> tuple[str, str]:
            part, _, uid = together.find_one(parts, reference)
            return part.tier, uid

        return self._ask(question)
