"""What an agent is told: what matters to an operation, to a prompt, or to both, out of the logs around it.

Which learnings these are is said here; how they are told is `views.brief`'s. Imports next to nothing: agents call it at the
start of each task.
"""

from __future__ import annotations

from learnlog import query
from learnlog.index import showing, together
from learnlog.views import brief as telling
from learnlog.views.brief import Brief, Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from learnlog.index.together import Hit, Page, Part

NO_STACK = ("",)
"""A stack that no learning has, so that only those for any project pass."""
_ROWS = 10
"""So many more than are told in full are looked at, for the rows of one line."""
_RANKS = {"add": "severity", "gstack": "confidence"}
_RANKS_OF_TEXT = {"learnlog": "relevance", "amplihack": "keywords", "precedents": "precedent"}
BROAD_COUNT, BROAD_SHARE = 20, 0.2
"""More matches than both the number and the share of all say little (PR-format)."""


def brief(
    opened: Sequence[Part],
    prompt: str = "",
    *,
    operation: str | None = None,
    stack: Sequence[str] = (),
    style: str = "learnlog",
    budget: int = telling.DEFAULT_BUDGET,
    now_ms: int,
    trusted: Mapping[str, str],
    **filters: Any,
) -> Brief:
    """The brief for an operation, a prompt, or both, about this `stack` (empty: what is for any project). `filters` are those
    of a search; `limit` is how many are told in full. Raises `InvalidValue`.
    """
    most = filters.pop("limit", None)
    wanted = (telling.MOST.get(style, 1) if most is None else most) + _ROWS
    filters = {**filters, "stack": tuple(stack) or NO_STACK, "limit": wanted}
    if operation is not None:
        filters["operation"] = operation
    text, kind = _looked_for(opened, prompt, stack), _kind(prompt, style)
    hits, total = _found(opened, text, kind, filters, style, now_ms, only_text=bool(prompt.strip()) and operation is None)
    entries = _entries(hits, now_ms, trusted)
    broad = bool(text) and _is_broad(opened, total)
    return telling.render(
        entries,
        style=style,
        budget=budget,
        most=most,
        total=total,
        prompt=prompt,
        operation=operation or "",
        broad=broad,
        today=_day(opened[0], now_ms),
    )


def _looked_for(opened: Sequence[Part], prompt: str, stack: Sequence[str]) -> str:
    """The words of a prompt that are worth looking for; none when it has none."""
    if not prompt.strip():
        return ""
    from learnlog.index import relevance
    from learnlog.policy import terms

    def rarity(word: str) -> int:
        return sum(relevance.holding(part.connection, word) for part in opened)

    documents = sum(_learnings(part) for part in opened)
    words = list(terms.terms(prompt, stack=stack, rarity=rarity, documents=documents))
    return " ".join(words)


def _kind(prompt: str, style: str) -> str:
    """The category that a task is about, where the style counts it (PR-terms)."""
    if style != "precedents":
        return ""
    from learnlog.policy import terms

    return terms.kind_of(prompt) or ""


def _learnings(part: Part) -> int:
    [count] = part.connection.execute("SELECT count(*) FROM learning").fetchone()
    return int(count)


def _found(
    opened: Sequence[Part],
    text: str,
    kind: str,
    filters: dict[str, Any],
    style: str,
    now_ms: int,
    *,
    only_text: bool,
) -> tuple[Sequence[Hit], int | None]:
    """The hits, most valuable first, and how many match: those with the words, then what else matters to the operation."""
    if only_text and not text:
        return [], 0
    page: Page | None = None
    if text:
        rank = _RANKS.get(style) or _RANKS_OF_TEXT.get(style)
        page = together.search(opened, text, filters | {"rank": rank}, now_ms=now_ms, kind=kind)
        if only_text or (page.total is None or page.total >= filters["limit"]):
            return page.hits, page.total
    rest = together.search(opened, "", filters | {"rank": _RANKS.get(style, "severity")}, now_ms=now_ms)
    if page is None:
        return rest.hits, rest.total
    known = {(id(hit.part), hit.doc) for hit in page.hits}
    return [*page.hits, *(hit for hit in rest.hits if (id(hit.part), hit.doc) not in known)], rest.total


def _is_broad(opened: Sequence[Part], total: int | None) -> bool:
    if total is not None and total <= BROAD_COUNT:
        return False
    every = sum(_learnings(part) for part in opened)
    return (query.EXACT_TOTAL if total is None else total) > BROAD_SHARE * every


def _entries(hits: Sequence[Hit], now_ms: int, trusted: Mapping[str, str]) -> list[Entry]:
    made: dict[tuple[int, int], Entry] = {}
    for part in {id(hit.part): hit.part for hit in hits}.values():
        chosen = [hit for hit in hits if hit.part is part]
        for hit, face in zip(chosen, showing.faces(part.connection, [hit.doc for hit in chosen], now_ms=now_ms), strict=True):
            made[id(part), hit.doc] = _entry(part, hit, face, trusted)
    return [made[id(hit.part), hit.doc] for hit in hits]


def _entry(part: Part, hit: Hit, face: dict[str, Any], trusted: Mapping[str, str]) -> Entry:
    vouched = trusted.get(face.pop("uid")) == face.pop("vouched")
    face["evidence"] = len(face["evidence"])
    face["tier"] = together.OTHER if part.project else face["tier"]
    age_days = face.pop("age_days")
    del face["doc"]
    return Entry(
        face.pop("ref"),
        face.pop("title"),
        project=part.project,
        trusted=vouched,
        score=hit.score,
        age_days=None if age_days is None else max(0, age_days),
        **face,
    )


def _day(part: Part, now_ms: int) -> str:
    """The day of a moment, UTC; SQLite is there already, and a calendar would have to be imported."""
    [day] = part.connection.execute("SELECT date(?, 'unixepoch')", (now_ms // 1000,)).fetchone()
    return str(day)
