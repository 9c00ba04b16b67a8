"""Short references (`L-007`): which learning holds which, the same on every machine; pure.

A learning keeps the reference it was born with, or was last given by a `renumbered` event, unless an older learning holds
it. The others, ordered by birth, get numbers above the highest that was ever stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct

from learnlog.naming import reference

_NUMBER = re.compile(r"-([0-9]{1,12})$", re.MULTILINE)


class Claim(Protocol):
    """One learning's claim: its uid and the references stored for it, in id order."""

    @property
    def uid(self) -> str: ...
    @property
    def stored(self) -> tuple[str, ...]: ...


class Assignment(Struct, frozen=True, kw_only=True):
    """`holders`: every reference ever stored or given -> the uids it stands for. `given`: the learnings that got a new
    reference which no event has stored yet; the others are shown under the last one stored. `next_number`: the first one
    never used.
    """

    holders: dict[str, tuple[str, ...]]
    given: dict[str, str]
    next_number: int


def assign(claims: Iterable[Claim], *, prefix: str, highest: int = 0) -> Assignment:
    """Who holds which reference. `claims` are ordered by birth; `highest` is a number stored by an event of no claim."""
    holders: dict[str, tuple[str, ...]] = {}
    only_aliases: set[str] = set()
    waiting: list[str] = []
    for claim in claims:
        stored = claim.stored
        if len(stored) == 1 and stored[0] not in holders:  # nearly all
            holders[stored[0]] = (claim.uid,)
            continue
        wanted = stored[-1] if stored else ""
        if not wanted or (wanted in holders and wanted not in only_aliases):
            waiting.append(claim.uid)
        only_aliases.discard(wanted)
        for ref in stored:
            if ref not in holders:
                holders[ref] = (claim.uid,)
                if ref != wanted:
                    only_aliases.add(ref)
            elif claim.uid not in holders[ref]:
                holders[ref] = (*holders[ref], claim.uid)
    highest = max(highest, max(map(int, _NUMBER.findall("\n".join(holders))), default=0))
    given = {uid: reference(prefix, highest + count) for count, uid in enumerate(waiting, 1)}
    holders.update((ref, (uid,)) for uid, ref in given.items())
    return Assignment(holders=holders, given=given, next_number=highest + len(given) + 1)
