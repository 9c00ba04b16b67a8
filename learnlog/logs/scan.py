"""Bytes of a log to events, with every damaged line reported and none that hides its neighbours; no I/O.

The fast way checks every seal and decodes all lines in one call. Only where that fails is a line looked at by itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import overload

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from xxhash import xxh3_64_hexdigest, xxh3_64_intdigest

from learnlog.collector import collector_off
from learnlog.errors import LogUnreadable
from learnlog.events import (
    CONTENT_KINDS,
    DECODER,
    FORMAT_VERSION,
    SEAL_BYTES,
    SEAL_START,
    Event,
    Malformed,
    decode,
    decode_unsealed,
    encode,
    has_seal,
    seal_holds,
    with_refs,
)

BOM = b"\xef\xbb\xbf"
_CONFLICT_MARKER = re.compile(rb"(?:<{7}|={7}|>{7}|\|{7})(?: .*)?")
_SEAL = re.compile(rb',"sum":"xxh3:[0-9a-f]{16}"\}')
_START = re.compile(rb'\{"v":')
_LINE_FEED = re.compile(rb"\n")
_TRIES_A_LINE = 10_000
_STARTS_TRIED = 64
"""Within one damaged line, per seal: bounds the work on a line made to be slow."""


class Damage(Struct, frozen=True, kw_only=True):
    """One line that does not prove itself: its number (from 1), the byte it starts at (from 0), and what is wrong."""

    line: int
    byte: int
    kind: str
    reason: str


class Lines(Sequence[bytes]):
    """The complete lines of `data`, cut out only when asked for: copying them all costs as much as hashing them."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._starts: list[int] = []

    @property
    def starts(self) -> list[int]:
        """The byte at which each line begins."""
        if not self._starts and self.data:
            self._starts = [0, *(match.end() for match in _LINE_FEED.finditer(self.data))][:-1]
        return self._starts

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, at: int) -> bytes: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[bytes]: ...
    def __getitem__(self, at: int | slice) -> bytes | Sequence[bytes]:
        if isinstance(at, slice):
            return [self[index] for index in range(*at.indices(len(self)))]
        begin = self.starts[at]
        return self.data[begin : self.data.index(b"\n", begin)]


class Scan(Struct, kw_only=True):
    """What a stretch of a log holds.

    `events` are in the order of the lines, repeats too, and `sources` has the line of each and `numbers` its
    number. `unsealed` are line numbers.
    `lines` counts complete lines from the beginning of the log, `end` is the byte behind the last complete one, and
    `torn` says that a last line without an end is no whole record; `unended` that it is one, the last of `events`. `begins`
    has the byte at which each line stands, the first of them behind `lines_before` lines.
    """

    events: list[Event]
    sources: list[bytes] | Lines
    numbers: list[int] | range
    damaged: list[Damage]
    unsealed: list[int]
    lines: int
    end: int
    newer: int = 0
    torn: bool = False
    unended: bool = False
    begins: Callable[[], Sequence[int]] = tuple
    lines_before: int = 0
    start: int = 0
    size: int = 0

    def spans(self) -> list[tuple[int, int]]:
        """The bytes of the log, from and to, that the line of each of `events` stands on."""
        begins = [*self.begins(), self.end - self.start, self.size]
        first, start = self.lines_before + 1, self.start
        return [(start + begins[number - first], start + begins[number - first + 1]) for number in self.numbers]

    def distinct(self) -> list[Event]:
        """The events without repeats. Of several lines with one id the sealed win, then the larger hash of the line."""
        if len({event.id for event in self.events}) == len(self.events):
            return self.events
        best: dict[str, tuple[bool, int, Event]] = {}
        refs: dict[str, set[str]] = {}
        for event, line in zip(self.events, self.sources, strict=True):
            rank = (has_seal(line), xxh3_64_intdigest(line))
            known = best.get(event.id)
            if known is None or rank > known[:2]:
                best[event.id] = (*rank, event)
            refs.setdefault(event.id, set()).add(event.ref)
        return [with_refs(event, refs[event.id]) for _, _, event in best.values()]

    def conflicting_ids(self) -> list[str]:
        """The ids that stand on several lines which say different things. Two machines that import one file write lines
        that differ only in who wrote them and in the reference given: that is no conflict.
        """
        said: dict[str, set[bytes]] = {}
        for event, line in zip(self.events, self.sources, strict=True):
            plain = replace(event, ref="", batch="", of=0, actor=None)
            said.setdefault(event.id, set()).add(encode(plain) if event.imported else line)
        return [event_id for event_id, different in said.items() if len(different) > 1]


def scan(data: bytes, *, name: str, start: int = 0, lines_before: int = 0) -> Scan:
    """The events in `data`, which begins at byte `start` of the log called `name`, behind `lines_before` lines.

    Raises `LogUnreadable` when the data is UTF-16.
    """
    if start == 0 and data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise LogUnreadable(name, "it is UTF-16; save it as UTF-8")
    complete = data.rfind(b"\n") + 1
    whole = data if complete == len(data) else data[:complete]
    with collector_off():
        found = _read_lines(whole, start, lines_before)
    found.end, found.start, found.size, found.lines_before = start + complete, start, len(data), lines_before
    if complete < len(data):
        _read_tail(data[complete:], found)
    return found


def _read_lines(data: bytes, start: int, lines_before: int) -> Scan:
    count, doubtful = _prove(data)
    if not doubtful:
        events = _decode_all(data, count)
        if events is not None:
            lines = Lines(data)
            return Scan(
                events=events,
                begins=lambda: lines.starts,
                sources=lines,
                numbers=range(lines_before + 1, lines_before + count + 1),
                damaged=[],
                unsealed=[],
                lines=lines_before + count,
                end=0,
            )
    return _read_mixed(Lines(data), set(doubtful), start, lines_before)


def _prove(data: bytes) -> tuple[int, list[int]]:
    """The number of lines, and the indexes of those whose last bytes are not the seal of the bytes before."""
    count = 0
    doubtful: list[int] = []
    view, find, digest = memoryview(data), data.find, xxh3_64_hexdigest
    frame, length = SEAL_START, SEAL_BYTES  # a local name costs less than a global one, and this loop is the reading path
    begin = 0
    while (end := find(b"\n", begin)) >= 0:
        seal = end - length
        if seal < begin or data[seal : end - 2] != frame + digest(view[begin:seal]).encode():
            doubtful.append(count)
        count += 1
        begin = end + 1
    return count, doubtful


def _read_mixed(lines: Lines, doubtful: set[int], start: int, lines_before: int) -> Scan:
    """The proven lines in one call where that works, the others, and else all of them, one by one."""
    if b"\r" in lines.data:  # fault 19: with a carriage return behind them no seal stands where it should
        doubtful = {index for index in doubtful if not _proves(lines[index].removesuffix(b"\r"))}
    good = [line.removesuffix(b"\r") for index, line in enumerate(lines) if index not in doubtful]
    events = _decode_all(b"\n".join(good), len(good))
    decoded = iter(zip(events or (), good, strict=events is not None))
    sources: list[bytes] = []
    numbers: list[int] = []
    found = Scan(events=[], sources=sources, numbers=numbers, damaged=[], unsealed=[], lines=lines_before + len(lines), end=0)
    found.begins = lambda: lines.starts
    for index, line in enumerate(lines):
        if events is not None and index not in doubtful:
            event, text = next(decoded)
            found.events.append(event)
            sources.append(text)
            numbers.append(lines_before + index + 1)
        else:
            _read_line(line, lines_before + index + 1, start + lines.starts[index], found)
    return found


def _proves(line: bytes) -> bool:
    return has_seal(line) and seal_holds(line)


def _decode_all(data: bytes, count: int) -> list[Event] | None:
    """The events of `count` sealed lines in one call, or None when one of them needs a look of its own."""
    try:
        events = DECODER.decode_lines(data)
    except (msgspec.DecodeError, RecursionError):
        return None
    if len(events) != count:
        return None
    for event in events:
        if event.v != FORMAT_VERSION or (event.learning is None and event.event in CONTENT_KINDS):
            return None
    return events


def _read_line(line: bytes, number: int, byte: int, found: Scan) -> None:
    def damage(kind: str, reason: str) -> None:
        found.damaged.append(Damage(line=number, byte=byte, kind=kind, reason=reason))

    text = _trimmed(line)
    if not text:
        if b"\x00" in line:
            damage("nul-hole", f"{line.count(0)} NUL bytes and nothing else")
        return
    if _CONFLICT_MARKER.fullmatch(text):
        damage("conflict-marker", "a marker that git left at a merge conflict")
        return
    if _proves(text):
        _take_sealed(text, number, damage, found)
    elif has_seal(text) or _nearly_sealed(text):
        saved = _salvage(text, number, found)
        damage("seal", "the seal does not match the bytes before it" + saved)
    else:
        _take_unsealed(text, number, damage, found)
    if b"\x00" in line and not (found.damaged and found.damaged[-1].line == number):
        damage("nul-hole", f"{line.count(0)} NUL bytes around a record, which was read")


def _trimmed(line: bytes) -> bytes:
    """The line without the white space, NUL bytes and byte order marks around it (faults 11, 14, 18, 19)."""
    text = line.strip(b" \t\r\x00")
    while text.startswith(BOM):
        text = text[len(BOM) :].lstrip(b" \t\r\x00")
    return text


def _take_sealed(text: bytes, number: int, damage: Callable[[str, str], None], found: Scan) -> None:
    try:
        event = decode(text)
    except Malformed as error:
        version = _version_of(text)
        if version > FORMAT_VERSION:
            found.newer = max(found.newer, version)
        else:
            damage("shape", f"sealed, but no event: {error}")
        return
    if event.learning is None and event.event in CONTENT_KINDS:
        damage("shape", f"{event.event} without a learning")
        return
    _keep(event, text, number, found)


def _take_unsealed(text: bytes, number: int, damage: Callable[[str, str], None], found: Scan) -> None:
    try:
        event = decode_unsealed(text)
    except Malformed as error:
        saved = _salvage(text, number, found)
        damage("glued" if saved else "malformed", f"{error}{saved}")
        return
    found.unsealed.append(number)
    _keep(event, text, number, found)


def _keep(event: Event, text: bytes, number: int, found: Scan) -> None:
    found.newer = max(found.newer, event.v if event.v > FORMAT_VERSION else 0)
    found.events.append(event)
    assert isinstance(found.sources, list)  # only a scan that took all lines in one call has them uncut
    assert isinstance(found.numbers, list)
    found.sources.append(text)
    found.numbers.append(number)


def _salvage(text: bytes, number: int, found: Scan) -> str:
    """Keep every record inside a damaged line that a seal proves (glued and half-written lines); says how many."""
    saved, begin, tries = 0, 0, _TRIES_A_LINE
    every = [match.start() for match in _START.finditer(text)]
    for seal in _SEAL.finditer(text):
        upto = bisect_left(every, seal.start())
        starts = every[max(bisect_left(every, begin), upto - _STARTS_TRIED) : upto]
        tries -= len(starts)
        if tries < 0:
            break
        for start in starts:
            record = text[start : seal.end()]
            if seal_holds(record):
                try:
                    event = decode(record)
                except Malformed:
                    break
                _keep(event, record, number, found)
                saved, begin = saved + 1, seal.end()
                break
    return f"; {saved} whole record{'s' if saved > 1 else ''} inside it read" if saved else ""


def _nearly_sealed(text: bytes) -> bool:
    """Whether the end of the line was a seal before a bit of it flipped: half of its frame still stands."""
    end = text[-SEAL_BYTES - 2 :]
    return b'"sum"' in end or b'"xxh3:' in end


def _version_of(text: bytes) -> int:
    match = re.match(rb'\{"v":(\d{1,9})[,}]', text)
    return int(match[1]) if match else 0


def _read_tail(rest: bytes, found: Scan) -> None:
    """What follows the last line feed is being written: it counts when it is whole, else the next look will see."""
    attempt = Scan(events=[], sources=[], numbers=[], damaged=[], unsealed=[], lines=0, end=0)
    _read_line(rest, found.lines + 1, found.end, attempt)
    if attempt.damaged or not attempt.events:
        found.torn = bool(attempt.damaged)
        return
    found.unended = True
    found.events += attempt.events
    found.sources = [*found.sources, *attempt.sources]
    found.numbers = [*found.numbers, *attempt.numbers]
    found.unsealed += attempt.unsealed
    found.newer = max(found.newer, attempt.newer)
