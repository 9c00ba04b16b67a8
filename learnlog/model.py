"""The values that go in and come out: `Content` (what a patch gives), `Learning` (what is known), `Hit`, `Hits`.

Nothing here reads, writes or decides; the words these fields may hold are in `vocabulary`, what to look for in `query`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, overload

import msgspec
from msgspec import UNSET, Struct, UnsetType

Thousandths = Annotated[int, msgspec.Meta(ge=0, le=1000)]


class Actor(Struct, frozen=True, gc=False, omit_defaults=True):
    """Who did it: `kind` is agent or human; `name` and `session` may be empty. Never an e-mail address."""

    kind: str
    name: str = ""
    session: str = ""


class Content(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """The fields a learning can be given. A field that is `UNSET` was not given: a patch leaves it as it was, and a
    learning in which nobody ever gave it shows the default of `docs/format.md`.
    """

    key: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    body: str | UnsetType = UNSET
    scope: str | UnsetType = UNSET
    category: str | UnsetType = UNSET
    severity: str | UnsetType = UNSET
    stack: tuple[str, ...] | UnsetType = UNSET
    tags: tuple[str, ...] | UnsetType = UNSET
    files: tuple[str, ...] | UnsetType = UNSET
    confidence: Thousandths | UnsetType = UNSET
    origin: str | UnsetType = UNSET
    source: str | UnsetType = UNSET
    date: str | UnsetType = UNSET
    classified_by: str | UnsetType = UNSET
    checkpoint: str | UnsetType = UNSET
    evidence: tuple[str, ...] | UnsetType = UNSET
    example: str | UnsetType = UNSET
    alternatives: tuple[str, ...] | UnsetType = UNSET
    outcome: str | UnsetType = UNSET
    extra: dict[str, Any] | UnsetType = UNSET


CONTENT_FIELDS = Content.__struct_fields__
CLASSIFICATION_FIELDS = ("scope", "category", "severity", "stack")
"""What `reclassify` changes; every other content field is changed by `revise`."""


def given(content: Content) -> dict[str, Any]:
    """The fields that are set, by name.

    >>> given(Content(title="t", stack=()))
    {'title': 't', 'stack': ()}
    """
    return {name: value for name in CONTENT_FIELDS if (value := getattr(content, name)) is not UNSET}


class Learning(Struct, frozen=True, kw_only=True):
    """One learning as it is known at one moment. Confidences are 0 to 1; times are ISO 8601, UTC.

    `effective_confidence` is `confidence` after decay at the moment of reading. `defaulted` names the fields that nobody
    gave. `event` is the newest event that shaped it: hand it to `revise(expect=…)`.
    """

    ref: str
    uid: str
    key: str | None
    title: str
    body: str
    category: str
    severity: str
    scope: str
    tier: str
    status: str
    stack: tuple[str, ...]
    tags: tuple[str, ...]
    files: tuple[str, ...]
    confidence: float
    effective_confidence: float
    origin: str | None
    trusted: bool
    source: str | None
    date: str | None
    classified_by: str | None
    checkpoint: str | None
    evidence: tuple[str, ...]
    example: str
    alternatives: tuple[str, ...]
    outcome: str
    created: str | None
    updated: str | None
    last_confirmed: str | None
    pinned: bool
    muted: bool
    uses: int
    aliases: tuple[str, ...]
    actor: Actor | None
    defaulted: tuple[str, ...]
    event: str
    extra: dict[str, Any]


class Hit(Learning, frozen=True, kw_only=True):
    """A learning found by a search; `score` is how much it matters to the words, `None` without text. `explain` has the
    factors of the score, when the search was asked for them.
    """

    score: float | None = None
    explain: dict[str, Any] | None = None


class Hits(Sequence[Hit]):
    """One page of a search: a sequence of `Hit`, with `total` (how many matched; None above 1,000, unless `count` asked
    for it) and `more` (is there a next page).
    """

    def __init__(self, hits: Sequence[Hit], *, total: int | None, more: bool) -> None:
        self._hits = tuple(hits)
        self.total = total
        self.more = more

    def __len__(self) -> int:
        return len(self._hits)

    @overload
    def __getitem__(self, at: int) -> Hit: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Hit]: ...
    def __getitem__(self, at: int | slice) -> Hit | Sequence[Hit]:
        return self._hits[at]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self._hits)

    def __repr__(self) -> str:
        return f"Hits({[hit.ref for hit in self._hits]}, total={self.total}, more={self.more})"
