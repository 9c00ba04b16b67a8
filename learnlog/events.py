"""The event and its line: encode, seal, decode. The format is `docs/format.md`, pinned by `tests/golden/`.

Pure functions between values and bytes: which lines of a file are damaged, and what to do about it, is `logs.scan`'s.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace
from xxhash import xxh3_64_digest, xxh3_64_hexdigest, xxh3_128_hexdigest

from learnlog import ids
from learnlog.identity import pair_of
from learnlog.model import Actor, Content

FORMAT_VERSION = 1

DAY_MS = 86_400_000
_EPOCH_ORDINAL = 719_163
"""1970-01-01 as `date.toordinal` counts."""
_TIME_LENGTH = len("2026-02-08T00:00:00.000Z")

SEAL_START = b',"sum":"xxh3:'
SEAL_BYTES = len(SEAL_START) + 16 + len(b'"}')

CONTENT_KINDS = frozenset({"recorded", "revised", "reclassified"})
"""The kinds whose `learning` member must be there."""

KINDS = frozenset(
    [
        "recorded",
        "revised",
        "reclassified",
        "confirmed",
        "contradicted",
        "rated",
        "superseded",
        "archived",
        "restored",
        "deleted",
        "accepted",
        "rejected",
        "pinned",
        "muted",
        "moved",
        "renumbered",
        "undone",
        "evolved",
        "redacted",
    ]
)


class Imported(Struct, frozen=True, gc=False, omit_defaults=True):
    """Where an imported event comes from: the format's name, the digest of the row, and the row's own id."""

    format: str
    digest: str
    native: str = ""


class Event(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True, rename={"from_": "from"}):
    """One fact about one learning. Every kind uses the first five members; which of the others it uses is in
    `docs/format.md`. An unknown kind decodes too, and is ignored by the fold.
    """

    v: int
    id: str
    event: str
    uid: str
    at: str | None = None
    actor: Actor | None = None
    batch: str = ""
    of: int = 0
    ref: str = ""
    idem: str = ""
    proposed: bool = False
    learning: Content | None = None
    evidence: tuple[str, ...] = ()
    helpful: bool | None = None
    by: str = ""
    on: bool | None = None
    to: str = ""
    from_: str = ""
    kept: bool = False
    path: str = ""
    reason: str = ""
    targets: tuple[str, ...] = ()
    imported: Imported | None = None


class Repeated(Event, frozen=True, kw_only=True, gc=False):
    """An event whose id stands on other lines too, which store other references: `also`, so that none is forgotten.

    Two machines that import one file write the same event with the reference that each of them gave.
    """

    also: tuple[str, ...] = ()


def with_refs(event: Event, refs: set[str]) -> Event:
    """The event that counts of several with one id, knowing of the references `refs` that all of them store."""
    also = tuple(sorted(refs - {event.ref, ""}))
    return Repeated(**asdict(event), also=also) if also else event


def refs_of(event: Event) -> tuple[str, ...]:
    """The references that the lines of a `recorded` store, its own last."""
    own = (event.ref,) if event.ref else ()
    return (*event.also, *own) if isinstance(event, Repeated) else own


class Malformed(ValueError):
    """The bytes are no event: the message says why, in words for the person who repairs the file."""


DECODER = msgspec.json.Decoder(Event)
_ENCODER = msgspec.json.Encoder()


def encode(event: Event) -> bytes:
    """The event's sealed line, without the line feed.

    >>> encode(Event(v=1, id=ids.ZERO, event="deleted", uid="u"))[-31:]
    b',"sum":"xxh3:567a0cce2dc7e1e7"}'
    """
    try:
        body = _ENCODER.encode(event)
    except UnicodeEncodeError:  # a lone surrogate: JSON can write it as an escape, UTF-8 cannot (fault 16)
        import json

        text = json.dumps(msgspec.to_builtins(event), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        body = text.encode("utf-8", "backslashreplace")
    return seal(body)


def seal(body: bytes) -> bytes:
    """`body`, a JSON object's bytes, with its seal as the last member (invariant 5)."""
    start = body[:-1]
    return start + SEAL_START + xxh3_64_hexdigest(start).encode() + b'"}'


def has_seal(line: bytes) -> bool:
    """Whether the line ends in the form of a seal, true or false."""
    return line[-SEAL_BYTES:-18] == SEAL_START and line.endswith(b'"}')


def seal_holds(line: bytes) -> bool:
    """Whether the seal at the end of `line` is that of the bytes before it."""
    return line[-18:-2] == xxh3_64_hexdigest(line[:-SEAL_BYTES]).encode()


def decode(line: bytes) -> Event:
    """The event of one line whose seal holds. Raises `Malformed`."""
    try:
        return DECODER.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        first = error
    try:  # msgspec refuses lone surrogates in any string, the standard library reads them (fault 16)
        return msgspec.convert(_parse(line), Event)
    except (Malformed, msgspec.ValidationError) as error:
        raise Malformed(_reason(first if isinstance(error, Malformed) else error)) from error


def decode_unsealed(line: bytes) -> Event:
    """The event of a line that another tool or a person appended: what it left out is filled in. Raises `Malformed`.

    `v` is 1 when absent, a null is an absence, `at` is brought to this format or becomes null. Without an id the event
    gets one from its time and content, and a `recorded` without a uid the one of its key, so that the same line means
    the same event wherever and however often it stands (invariant 2).
    """
    members = _parse(line)
    if not isinstance(members, dict):
        raise Malformed(f"not an event but {_json_type(members)}")
    if "sum" in members:
        raise Malformed("its seal is not where a seal stands: the line was written again by another program")
    for name in ("event", "learning"):
        if name in members and members[name] is None:
            raise Malformed(f"its {name} is null")
    if "event" not in members:
        raise Malformed("no event: the member that names its kind is missing")
    members = {name: value for name, value in members.items() if value is not None}
    if isinstance(members.get("learning"), dict):
        members["learning"] = {name: value for name, value in members["learning"].items() if value is not None}
    members.setdefault("v", FORMAT_VERSION)
    members["at"] = canonical_time(members.get("at"))
    try:
        return _completed(members)
    except msgspec.ValidationError as error:
        raise Malformed(_reason(error)) from error


def _completed(members: dict[str, Any]) -> Event:
    nameless = msgspec.convert({"id": ids.ZERO, "uid": ""} | members, Event)
    if nameless.event in CONTENT_KINDS and nameless.learning is None:
        raise Malformed(f"{nameless.event} without a learning")
    if nameless.event == "recorded" and not isinstance(nameless.learning.title, str):  # type: ignore[union-attr]
        raise Malformed("recorded without a title")
    event_id, uid = nameless.id, nameless.uid
    if "id" not in members:
        import json

        event_id = derived_id(nameless.at, 0, line_digest(json.dumps(members, sort_keys=True).encode()))
    elif not ids.is_id(event_id):
        raise Malformed(f"its id is not a UUIDv7: {event_id[:40]!r}")
    if not uid:
        if nameless.event != "recorded" or nameless.learning is None:
            raise Malformed(f"{nameless.event} without the uid of its learning")
        uid = uid_of_key(nameless.learning) or event_id
    return replace(nameless, id=event_id, uid=uid)


def _parse(line: bytes) -> Any:
    import json

    try:
        return json.loads(line.decode("utf-8"), parse_constant=_no_constant, parse_float=_finite)
    except UnicodeDecodeError as error:
        raise Malformed(f"not UTF-8 at byte {error.start} of the line") from error
    except RecursionError as error:
        raise Malformed("nested too deeply") from error
    except ValueError as error:
        raise Malformed(f"not JSON: {error}") from error


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):  # fault 17
        raise ValueError(f"{text} is too large a number")
    return number


def _json_type(value: object) -> str:
    if value is None:
        return "null"
    names = {bool: "a truth value", int: "a number", float: "a number", str: "a string", list: "a list"}
    return names.get(type(value), "something else")


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return str(error)


def canonical_time(given: object) -> str | None:
    """`given` as this format writes a time (UTC, milliseconds, Z), or None when it is no readable time.

    >>> canonical_time("2026-02-08T12:00:00+02:00"), canonical_time("2026-02-08"), canonical_time("$(date -u)")
    ('2026-02-08T10:00:00.000Z', '2026-02-08T00:00:00.000Z', None)
    """
    from datetime import UTC, datetime

    if not isinstance(given, str):
        return None
    try:
        read = datetime.fromisoformat(given.strip())
        moment = read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def time_text(time_ms: int) -> str:
    """Milliseconds since 1970 as this format writes a time.

    >>> time_text(1770508800000)
    '2026-02-08T00:00:00.000Z'
    """
    days, of_day = divmod(time_ms, DAY_MS)
    seconds, ms = divmod(of_day, 1000)
    minutes, second = divmod(seconds, 60)
    return f"{_day_text(days)}T{minutes // 60:02}:{minutes % 60:02}:{second:02}.{ms:03}Z"


@lru_cache(maxsize=64)
def _day_text(days: int) -> str:
    from datetime import date

    return date.fromordinal(_EPOCH_ORDINAL + days).isoformat()


def time_ms(text: str) -> int:
    """The inverse of `time_text`; a plain day is its start.

    >>> time_ms("2026-02-08T00:00:00.000Z"), time_ms("2026-02-08")
    (1770508800000, 1770508800000)
    """
    if len(text) == _TIME_LENGTH and _is_as_written(text):
        day, hours, minutes, seconds = text[:10], int(text[11:13]), int(text[14:16]), int(text[17:19])
        return _day_ms(day) + ((hours * 60 + minutes) * 60 + seconds) * 1000 + int(text[20:23])
    from datetime import UTC, datetime, timedelta

    read = datetime.fromisoformat(text)
    moment = read if read.tzinfo else read.replace(tzinfo=UTC)
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def _is_as_written(text: str) -> bool:
    """Whether the text has this format's own form behind its day, with an hour, a minute and a second that there are."""
    clock = text[11:13] + text[14:16] + text[17:19] + text[20:23]
    signs = text[10] + text[13] + text[16] + text[19] + text[23]
    return signs == "T::.Z" and clock.isascii() and clock.isdigit() and clock[:2] < "24" and clock[2:4] < "60" > clock[4:6]


@lru_cache(maxsize=64)
def _day_ms(day: str) -> int:
    from datetime import date

    return (date.fromisoformat(day).toordinal() - _EPOCH_ORDINAL) * DAY_MS


def derived_id(at: str | None, ordinal: int, digest: int) -> str:
    """The id of an event that was not made here: from its own time (none: the oldest), ordinal and content.

    The same event brought in twice, here or on another machine, has the same id.
    """
    return ids.compose(max(0, time_ms(at)) if at else 0, min(ordinal, 4095), digest)


def line_digest(line: bytes) -> int:
    """XXH3-64 of a line's bytes as a number."""
    return int.from_bytes(xxh3_64_digest(line), "big")


def uid_of_key(learning: Content) -> str | None:
    """The uid of a keyed learning from its (category, key) at birth, or None without a key.

    XXH3-128 of the category, NUL and the key, both NFC and case-folded, in UTF-8, as 32 hexadecimal digits.
    """
    pair = pair_of(learning)
    if pair is None:
        return None
    return xxh3_128_hexdigest("\0".join(pair).encode("utf-8", "surrogatepass"))
