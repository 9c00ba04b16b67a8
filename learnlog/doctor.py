"""Look at every line, seal, id and reference of a log; say what is wrong, where, and what to do. Changes nothing."""

from __future__ import annotations

import time

from msgspec import Struct

from learnlog import ids
from learnlog.events import DAY_MS
from learnlog.fold import Fold
from learnlog.logs import Log
from learnlog.logs.scan import Scan

_BUSY_S = 0.2
"""How long an unfinished last line may stay as it is before it counts as torn."""

_REMEDIES = {
    "seal": "compare with a copy (git, a backup); the line is left out until then",
    "malformed": "compare with a copy (git, a backup); the line is left out until then",
    "shape": "write it as docs/format.md has it, or remove it",
    "glued": "nothing is lost of what was read; the rest of the line was a write that did not finish",
    "nul-hole": "a power cut took what was not on disk yet; compare with a copy",
    "conflict-marker": "remove the marker; the records around it are read",
    "torn-tail": "nothing: the next write ends the line, and what was acknowledged is whole",
    "id-twice": "keep the line that is right; until then the sealed one, else the one with the larger hash, counts",
    "unsealed": "nothing: lines of other tools are read; this one cannot prove that it is unchanged",
    "newer-format": "update learnlog; this version reads what it understands and writes nothing",
    "waiting-reference": "nothing: the next write stores the new reference",
    "orphan": "bring the missing part of the log (git, a backup); the events wait for their learning",
    "clock-ahead": "set the clock of the machine that wrote it; order is kept all the same",
}
_NOTES = frozenset({"unsealed", "newer-format", "waiting-reference", "orphan", "clock-ahead"})


class Finding(Struct, frozen=True, kw_only=True):
    """One thing found: `line` from 1 and `byte` from 0 where it has a place, `reason` what is wrong, `remedy` what to do."""

    kind: str
    line: int | None
    byte: int | None
    reason: str
    remedy: str

    @property
    def is_damage(self) -> bool:
        """Whether something was lost or changed; the other findings are worth knowing and need nothing."""
        return self.kind not in _NOTES


def examine(log: Log, *, prefix: str, now_ms: int | None = None) -> list[Finding]:
    """Everything that is wrong with a log, in the order of the lines. Raises `LogUnreadable`."""
    look = log.look(None)
    assert look is not None  # without a mark a log always answers
    found = look.scan
    findings = [_finding(one.kind, one.reason, line=one.line, byte=one.byte) for one in found.damaged]
    if found.torn and _still_torn(log, found):
        reason = "the last line has no end and is no record: a write did not finish"
        findings.append(_finding("torn-tail", reason, line=found.lines + 1, byte=found.end))
    findings += [_finding("unsealed", "no seal: appended by another tool or a person", line=at) for at in found.unsealed]
    if found.newer:
        findings.append(_finding("newer-format", f"lines of format version {found.newer}"))
    lines = dict(zip((event.id for event in found.events), found.numbers, strict=True))
    for event_id, line in lines.items():
        if not ids.is_id(event_id):
            findings.append(_finding("shape", f"its id is not a UUIDv7: {event_id[:40]!r}", line=line))
    distinct = found.distinct()
    if len(distinct) < len(found.events):
        for one in found.conflicting_ids():
            findings.append(_finding("id-twice", f"event {one} stands on lines that differ", line=lines[one]))
    fold = Fold(prefix=prefix)
    fold.add(distinct)
    findings += _of_the_fold(fold, ids.now_ms() if now_ms is None else now_ms)
    return sorted(findings, key=lambda finding: (finding.line is None, finding.line or 0))


def _of_the_fold(fold: Fold, now_ms: int) -> list[Finding]:
    findings = []
    state = fold.state()
    for uid, ref in state.references.given.items():
        had = ", ".join(state.learnings[uid].stored)
        reason = f"{uid} shares {had} with an older learning" if had else f"{uid} has no reference"
        findings.append(_finding("waiting-reference", f"{reason}; it is shown as {ref}"))
    for event in fold.orphans():
        findings.append(_finding("orphan", f"event {event.id} ({event.event}) is about {event.uid}, which nobody recorded"))
    made_here = [event.id for event in fold.events() if event.imported is None and ids.is_id(event.id)]
    ahead = [event_id for event_id in made_here if ids.time_of(event_id) > now_ms + DAY_MS]
    if ahead:
        findings.append(_finding("clock-ahead", f"{len(ahead)} events from the future, the last of them {max(ahead)}"))
    return findings


def _still_torn(log: Log, found: Scan) -> bool:
    time.sleep(_BUSY_S)
    again = log.look(None)
    return again is not None and again.scan.torn and again.scan.end == found.end


def _finding(kind: str, reason: str, *, line: int | None = None, byte: int | None = None) -> Finding:
    return Finding(kind=kind, line=line, byte=byte, reason=reason, remedy=_REMEDIES[kind])
