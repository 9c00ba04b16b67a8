"""Which learnings want a person, and why: over the tiers of a library. Asks nobody and changes nothing but what was kept.

for candidate in candidates(library, now_ms):
    candidate.learning.ref, [reason.text for reason in candidate.reasons]
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import asdict
from xxhash import xxh3_128_hexdigest

from learnlog import belongings, kept, routing
from learnlog.errors import InvalidValue, NoSuchLearning
from learnlog.model import Learning
from learnlog.policy import duplicates
from learnlog.policy.decay import DAY_MS
from learnlog.policy.vouching import digest
from learnlog.text import similarity, words_for_similarity

if TYPE_CHECKING:
    from learnlog.belongings import Files
    from learnlog.done import Done
    from learnlog.library import Library

PROPOSED, CLASSIFIED, STALE, DUPLICATE, CONTRADICTED, FILES = REASONS = (
    "proposed",
    "classified",
    "stale",
    "duplicate",
    "contradicted",
    "files",
)
"""Why a learning may want a person, in the order in which they are shown."""

STATUSES = ("active", "proposed")
STALE_DAYS = 90
STALE_SEVERITIES = ("medium", "low")
DOUBTFUL = 0.3
"""An effective confidence below this is one that nobody should act on."""

_SETTLED_BY_A_VERB = (PROPOSED, CLASSIFIED)
"""Reasons that are gone when somebody has decided, and that are never put aside."""
_NAMED_FILES = 3
_WITHHELD = "(withheld: "
_PATTERN = frozenset("*?[")


class Reason(Struct, frozen=True, kw_only=True):
    """One reason: its `kind` (one of `REASONS`), a sentence, and the token under which it is kept (empty: it cannot be)."""

    kind: str
    text: str
    token: str


class Candidate(Struct, frozen=True, kw_only=True):
    """A learning that wants a person; `others` are those of its tier that say nearly the same, the nearest first."""

    learning: Learning
    reasons: tuple[Reason, ...]
    others: tuple[Learning, ...]


def candidates(
    library: Library,
    now_ms: int,
    *,
    tiers: Sequence[str] | None = None,
    reasons: Sequence[str] | None = None,
) -> list[Candidate]:
    """What wants a person now, of these tiers (None: all) and for one of these reasons (None: any): by its first reason, then
    most severe first. Raises `InvalidValue`, `LogUnreadable`.
    """
    return Review(library, now_ms).candidates(tiers=tiers, reasons=reasons)


class Review:
    """What wants a person in the tiers of `library` at the moment `now_ms`."""

    def __init__(self, library: Library, now_ms: int) -> None:
        self.library, self.now_ms = library, now_ms
        self._root = library.around.place.root
        self._files: Files | None = None
        self.kept_in = kept.path_of(library.around.environment)

    def candidates(self, *, tiers: Sequence[str] | None = None, reasons: Sequence[str] | None = None) -> list[Candidate]:
        """See `candidates` of this module."""
        for word in reasons or ():
            if word not in REASONS:
                raise InvalidValue("reason", word, f"one of {', '.join(REASONS)}")
        tokens = kept.read(self.kept_in)
        known = list(self.library.search(status=STATUSES, tier=tiers, limit=None))
        others = _others(known)
        found = [self._looked_at(one, others.get(one.uid, ()), tokens) for one in known]
        wanted = set(REASONS if reasons is None else reasons)
        chosen = [one for one in found if not wanted.isdisjoint(reason.kind for reason in one.reasons)]
        return sorted(chosen, key=lambda one: REASONS.index(one.reasons[0].kind))

    def again(self, candidate: Candidate) -> Candidate | None:
        """The candidate as it is now; None when it wants nobody any more. Raises `NoSuchLearning`."""
        learning = self.library.get(candidate.learning.uid)
        if learning.status not in STATUSES:
            return None
        words = words_for_similarity(learning.title)
        beside = [one for other in candidate.others if (one := self._known(other.uid)) and one.tier == learning.tier]
        near = [one for one in beside if similarity(words, words_for_similarity(one.title)) >= duplicates.LEAST]
        looked_at = self._looked_at(learning, near, kept.read(self.kept_in))
        return looked_at if looked_at.reasons else None

    def keep(self, candidate: Candidate) -> Done:
        """Say that a person looked at it and leaves it as it is: it is classified by that person now, and the same reasons do
        not come up again before something changes. Raises as `Library.reclassify`, `WriteFailed`.
        """
        one = candidate.learning
        stays = routing.tier_of(one.scope, self.library.stores) == one.tier
        same: dict[str, Any] = {"scope": one.scope} if stays else {"severity": one.severity}  # to keep it is not to move it
        done = self.library.reclassify(one.uid, expect=one.event, **same)
        kept.put(self.kept_in, tokens_of(candidate))
        return done

    def open_again(self, candidate: Candidate) -> None:
        """Take back what `keep` put aside. Raises `WriteFailed`."""
        kept.put(self.kept_in, tokens_of(candidate), on=False)

    def _known(self, uid: str) -> Learning | None:
        try:
            one = self.library.get(uid)
        except NoSuchLearning:
            return None
        return one if one.status in STATUSES else None

    def _looked_at(self, learning: Learning, others: Sequence[Learning], tokens: Collection[str]) -> Candidate:
        beside = [one for one in others if not tokens or _pair(learning, one) not in tokens]
        reasons = [one for one in self._reasons(learning, beside) if one.token not in tokens]
        return Candidate(learning=learning, reasons=tuple(reasons), others=tuple(beside))

    def _reasons(self, one: Learning, others: Sequence[Learning]) -> Iterator[Reason]:
        def reason(kind: str, text: str, *about: str) -> Reason:
            token = "" if kind in _SETTLED_BY_A_VERB or kind == DUPLICATE else _token(kind, _words_of(one), *about)
            return Reason(kind=kind, text=text, token=token)

        if one.status == PROPOSED:
            yield reason(PROPOSED, "it is proposed, and nobody accepted or rejected it")
        if one.classified_by == "agent":
            yield reason(CLASSIFIED, "an agent decided on its scope, and no person looked at that")
        age = age_days(one, self.now_ms)
        if age is not None and age > STALE_DAYS and one.severity in STALE_SEVERITIES and not one.pinned:
            yield reason(STALE, f"it is {age} days old, and {one.severity}", str(age // STALE_DAYS))
        if others:
            named = ", ".join(f"{other.ref} ({_likeness(one, other)} %)" for other in others)
            yield reason(DUPLICATE, f"nearly the same as {named}")
        if one.effective_confidence < DOUBTFUL:
            yield reason(CONTRADICTED, f"its confidence is down to {one.effective_confidence * 10:g}/10", repr(one.confidence))
        gone = self._gone(one)
        if gone:
            more = f" and {len(gone) - _NAMED_FILES} more" if len(gone) > _NAMED_FILES else ""
            yield reason(FILES, f"not in the project any more: {', '.join(gone[:_NAMED_FILES])}{more}", *gone)

    def _gone(self, one: Learning) -> list[str]:
        """The files of a learning of this project that are not there. Of other places, and of patterns, nothing is known."""
        if self._root is None or one.tier != "project":
            return []
        return [file for file in one.files if self._is_gone(self._root, file)]

    def _is_gone(self, root: str, file: str) -> bool:
        name = file.strip().removeprefix("./")
        if not name or "\0" in name or "://" in name or not _PATTERN.isdisjoint(name):
            return False
        if os.path.isabs(name) or name.startswith("~") or ".." in name.split("/"):
            return False  # a path of somebody's machine; and a log is data: it does not say where to look on this one
        path, _, _ = name.partition(":")  # `app.py:12`
        if any(os.path.lexists(os.path.join(root, one)) for one in (name, path)):
            return False
        if self._files is None:
            self._files, _ = belongings.of(root, self.library.around.environment)
        return not self._files.has(path)  # `session.py` alone stands for the one in app/auth


def age_days(learning: Learning, now_ms: int) -> int | None:
    """Full days since the last change of content or the last confirmation; None when nobody knows."""
    days = [day for text in (learning.date, learning.last_confirmed) if text and (day := _day(text)) is not None]
    return None if not days else max(0, now_ms // DAY_MS - max(days))


def tokens_of(candidate: Candidate) -> list[str]:
    """What is kept when this candidate is: each reason that can be put aside, and each pair of near-duplicates."""
    pairs = [_pair(candidate.learning, other) for other in candidate.others]
    return [reason.token for reason in candidate.reasons if reason.token] + pairs


def as_row(candidate: Candidate) -> Mapping[str, Any]:
    """A candidate as a document has it."""
    one = candidate.learning
    return {
        "ref": one.ref,
        "uid": one.uid,
        "tier": one.tier,
        "title": one.title,
        "reasons": [reason.kind for reason in candidate.reasons],
        "why": [reason.text for reason in candidate.reasons],
        "others": [other.ref for other in candidate.others],
    }


def _others(known: Sequence[Learning]) -> dict[str, list[Learning]]:
    """The near-duplicates of each learning by its uid: within a tier, since one log cannot say that another's replaces it."""
    found: dict[str, list[Learning]] = {}
    for tier in {one.tier for one in known}:
        there = [one for one in known if one.tier == tier and not one.title.startswith(_WITHHELD)]
        for at, near in duplicates.near_ones([one.title for one in there]).items():
            found[there[at].uid] = [there[other] for _, other in near]
    return found


def _likeness(one: Learning, other: Learning) -> int:
    return int(similarity(words_for_similarity(one.title), words_for_similarity(other.title)) * 100)


def _pair(one: Learning, other: Learning) -> str:
    """The token of a pair: who has looked at the one has looked at the other."""
    return _token(DUPLICATE, *sorted(map(_words_of, (one, other))))


def _words_of(learning: Learning) -> str:
    """The learning, and the words that it was looked at with."""
    return f"{learning.uid} {digest(asdict(learning))}"


def _token(*about: str) -> str:
    return xxh3_128_hexdigest("\0".join(about).encode("utf-8", "surrogatepass"))


def _day(text: str) -> int | None:
    """Days from 1970 to a date; None for a text that is none (fault 31)."""
    try:
        return date.fromisoformat(text[:10]).toordinal() - _EPOCH
    except ValueError:
        return None


_EPOCH = date(1970, 1, 1).toordinal()
