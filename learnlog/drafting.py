"""What a caller gave, checked and brought into form: keyword arguments to a `Content`, or one error that names the argument.

Pure. The limits and words are those of `docs/format.md`; nothing is written here.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, ValidationError, convert
from msgspec.structs import replace

from learnlog.errors import InvalidValue, LearnlogError, TooLarge
from learnlog.events import DAY_MS, FORMAT_VERSION, Event, encode, time_ms
from learnlog.model import Content, Learning
from learnlog.vocabulary import CATEGORIES, ORIGINS, SCOPES, SEVERITIES

TITLE_CHARACTERS = 500
BODY_BYTES = 1 << 20
EVENT_BYTES = 4 << 20
EXTRA_DEPTH = 100
"""Levels of nesting in `extra`."""

_WORDS = {"scope": SCOPES, "category": CATEGORIES, "severity": SEVERITIES, "origin": ORIGINS}
_LISTS = ("stack", "tags", "files", "evidence", "alternatives")
_TEXTS = ("body", "source", "checkpoint", "example", "outcome")
_SHORT = 50_000
"""Characters. A dozen texts of this length, six bytes of JSON for each character, fit into an event."""
_PLAIN = (str, list, tuple)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

FIELDS = ("title", "key", "confidence", "date", "extra", *_WORDS, *_LISTS, *_TEXTS)
"""The arguments that `record` and `revise` take for the content of a learning."""


class Draft(Struct, frozen=True):
    """What is to be recorded: the content, whether as a proposal, and the idempotency key (empty: none)."""

    content: Content
    proposed: bool = False
    idem: str = ""


def drafted(
    row: Mapping[str, Any] | Learning,
    *,
    now_ms: int,
    categories: Collection[str] = CATEGORIES,
    hold: Callable[[Mapping[str, Any]], None] = lambda _: None,
) -> Draft:
    """What the arguments of one `record` describe, its title among them; `hold` raises for fields that are not to be stored.
    Raises `InvalidValue`, `TooLarge`.
    """
    fields = row_fields(row)
    hold(fields)
    proposed = truth("proposed", fields.pop("proposed", False))
    idem = idempotency(fields.pop("idempotency_key", None))
    required("title", fields.get("title"))
    return Draft(draft(fields, now_ms=now_ms, categories=categories), proposed, idem)


def drafted_rows(
    rows: object,
    *,
    now_ms: int,
    categories: Collection[str] = CATEGORIES,
    hold: Callable[[Mapping[str, Any]], None] = lambda _: None,
) -> tuple[list[Draft], list[tuple[int, str]], int]:
    """What many rows describe, (position from 1, reason) of those that are refused, and how many there were. `hold`
    raises for fields that are not to be stored. Raises `InvalidValue` for what are no rows.
    """
    if isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Iterable):
        raise InvalidValue("rows", rows, "a list of mappings or learnings")
    drafts: list[Draft] = []
    refused: list[tuple[int, str]] = []
    given = 0
    for given, row in enumerate(rows, 1):
        try:
            drafts.append(drafted(row, now_ms=now_ms, categories=categories, hold=hold))
        except LearnlogError as error:
            refused.append((given, str(error)))
    return drafts, refused, given


def draft(fields: Mapping[str, Any], *, now_ms: int, categories: Collection[str] = CATEGORIES) -> Content:
    """The content that `fields` (names of `FIELDS`; None is "not given") describe.

    `categories` are the words that one may have. Raises `InvalidValue` with the argument's name and what is allowed, and
    `TooLarge`.
    """
    if categories is not CATEGORIES and fields.get("category") is not None:
        category = _word("category", fields["category"], tuple(categories))
        rest = {name: value for name, value in fields.items() if name != "category"}
        return replace(draft(rest, now_ms=now_ms), category=category)
    ready = _ready(fields)
    if ready is not None:
        return ready
    made: dict[str, Any] = {}
    for name, value in fields.items():
        if value is not None and value is not UNSET:
            made[name] = _READERS[name](value, now_ms) if name in _READERS else _unknown(name)
    content = Content(**made)
    if "extra" in made or sum(map(_length, made.values())) > _SHORT:
        _hold_to_size(content)
    return content


def _ready(fields: Mapping[str, Any]) -> Content | None:
    """The content of fields that are in form already, as nearly all are; None when one needs a closer look."""
    if not fields.keys() <= _IN_FORM.keys():
        return None
    try:
        content = convert(fields, Content)
    except ValidationError:
        return None
    for name, value in fields.items():
        if type(value) not in _PLAIN or not _IN_FORM[name](getattr(content, name)):
            return None
    return content


def row_fields(row: Mapping[str, Any] | Learning) -> dict[str, Any]:
    """The arguments in a row of many: a mapping of them, or a learning as it was read. Raises `InvalidValue`."""
    if isinstance(row, Learning):
        return {name: getattr(row, name) for name in FIELDS if name not in row.defaulted}
    if not isinstance(row, Mapping):
        raise InvalidValue("row", row, "a mapping of arguments of `record`, or a Learning")
    return dict(row)


def _length(value: object) -> int:
    if isinstance(value, str):
        return len(value)
    return sum(map(len, value)) if isinstance(value, tuple) else 0


def _hold_to_size(content: Content) -> None:
    try:
        size = len(encode(Event(v=FORMAT_VERSION, id="", event="", uid="", learning=content)))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidValue("extra", content.extra, f"made of JSON values: {error}") from error
    if size > EVENT_BYTES:
        raise TooLarge("the event", size, EVENT_BYTES, "bytes")


def _unknown(name: str) -> Any:
    from difflib import get_close_matches

    near = get_close_matches(name, FIELDS, 1)
    raise InvalidValue(
        "argument",
        name,
        f"one of {', '.join(FIELDS)}, proposed, idempotency_key" + (f" (did you mean {near[0]}?)" if near else ""),
    )


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidValue(name, value, "a text")
    if len(value) > BODY_BYTES // 4:  # measured only where it can matter
        size = len(value.encode("utf-8", "surrogatepass"))
        if size > BODY_BYTES:
            raise TooLarge(name, size, BODY_BYTES, "bytes")
    return value


def reason_text(value: object) -> str:
    """The reason for a change of status, checked. Raises `InvalidValue`, `TooLarge`."""
    return _text("reason", value)


def truth(name: str, value: object) -> bool:
    """A yes or no. Raises `InvalidValue`."""
    if not isinstance(value, bool):
        raise InvalidValue(name, value, "True or False")
    return value


def required(name: str, value: Any) -> Any:
    """What has to be given. Raises `InvalidValue`."""
    if value is None:
        raise InvalidValue(name, value, "given")
    return value


def idempotency(given: object) -> str:
    """An idempotency key, empty for none. Raises `InvalidValue`."""
    if given is None:
        return ""
    if not isinstance(given, str) or not given or len(given) > 200:
        raise InvalidValue("idempotency_key", given, "a text of 1 to 200 characters")
    return given


def hold_to_path(path: str) -> None:
    """Refuse a text that no file can be called."""
    try:
        possible = bool(path) and "\0" not in path and not path.startswith("~") and bool(os.fsencode(path))
    except UnicodeEncodeError:
        possible = False
    if not possible:
        raise InvalidValue("log", path, "a path (with a `~` that stands for somebody's home)")


def _title(value: object, now_ms: int) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidValue("title", value, "a text that is not empty")
    title = value.strip()
    if len(title) > TITLE_CHARACTERS:
        raise TooLarge("title", len(title), TITLE_CHARACTERS, "characters")
    return title


def _key(value: object, now_ms: int) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 200 or not value.strip().isprintable():
        raise InvalidValue("key", value, "a text of 1 to 200 printable characters")
    return value.strip()


def _word(name: str, value: object, allowed: Sequence[str]) -> str:
    if isinstance(value, str):
        if value in allowed:
            return value
        word = value.strip().lower()
        if word in allowed:
            return word
    raise InvalidValue(name, value, f"one of {', '.join(allowed)}")


def _list(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        if isinstance(value, str) and name in ("evidence", "alternatives"):
            value = [value]
        elif isinstance(value, set | frozenset):
            value = sorted(value, key=str)
        elif isinstance(value, str) or not isinstance(value, Sequence):
            raise InvalidValue(name, value, "a list of texts")
    texts = [_text(name, one).strip() for one in value]
    return tuple(dict.fromkeys(filter(None, texts)))


def _names(value: object, now_ms: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.lower() for name in _list("stack", value)))


def _confidence(value: object, now_ms: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:  # NaN is not either
        raise InvalidValue("confidence", value, "a number from 0 to 1")
    return round(value * 1000)


def _date(value: object, now_ms: int) -> str:
    text = value if isinstance(value, str) else getattr(value, "isoformat", lambda: "")()[:10]
    try:
        if not _DAY.fullmatch(text):
            raise ValueError
        moment = time_ms(text)
    except ValueError:
        raise InvalidValue("date", value, "a day as YYYY-MM-DD") from None
    if moment > now_ms + DAY_MS:
        raise InvalidValue("date", value, "a day that is not in the future")
    return str(text)


def _extra(value: object, now_ms: int) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise InvalidValue("extra", value, "a mapping with texts as keys")
    _hold_to_json(value, EXTRA_DEPTH)
    return dict(value)


def _hold_to_json(value: object, depth: int) -> None:
    """Refuse what JSON cannot say, or what nests so deeply that some reader's stack would not take it (fault 17)."""
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidValue("extra", value, "made of JSON values, which have no NaN and no Infinity")
    if isinstance(value, Mapping):
        value = value.values()
    elif not isinstance(value, list | tuple):
        if value is not None and not isinstance(value, str | int | float):
            raise InvalidValue("extra", value, "made of JSON values: texts, numbers, truth values, null, lists, mappings")
        if isinstance(value, int) and abs(value) >= 1 << 63:
            raise InvalidValue("extra", value, "made of numbers that other readers can hold: whole ones below 2**63")
        return
    if not depth:
        raise InvalidValue("extra", "(nested)", f"nested no deeper than {EXTRA_DEPTH} levels")
    for one in value:
        _hold_to_json(one, depth - 1)


def _is_title(text: str) -> bool:
    return 0 < len(text) <= TITLE_CHARACTERS and text == text.strip()


def _is_key(text: str) -> bool:
    return 0 < len(text) <= 200 and text == text.strip() and text.isprintable()


def _is_short(text: str) -> bool:
    return len(text) <= _SHORT


def _are_names(texts: tuple[str, ...]) -> bool:
    for text in texts:
        if not text or len(text) > 1000 or text != text.strip():
            return False
    return len(texts) < 2 or (len(texts) < 100 and len(set(texts)) == len(texts))


def _are_low_names(texts: tuple[str, ...]) -> bool:
    return _are_names(texts) and all(text == text.lower() for text in texts)


_IN_FORM: dict[str, Callable[[Any], bool]] = {
    "title": _is_title,
    "key": _is_key,
    "stack": _are_low_names,
    **{name: frozenset(words).__contains__ for name, words in _WORDS.items()},
    **dict.fromkeys(("tags", "files", "evidence", "alternatives"), _are_names),
    **dict.fromkeys(_TEXTS, _is_short),
}
"""Field -> whether a value of the right type may stay as it is."""

_Reader = Callable[[Any, int], Any]


def _reader(read: Callable[..., Any], name: str, *more: Any) -> _Reader:
    return lambda value, now_ms: read(name, value, *more)


_READERS: dict[str, _Reader] = {
    "title": _title,
    "key": _key,
    "confidence": _confidence,
    "date": _date,
    "extra": _extra,
    **{name: _reader(_word, name, words) for name, words in _WORDS.items()},
    **{name: _reader(_list, name) for name in _LISTS},
    **{name: _reader(_text, name) for name in _TEXTS},
    "stack": _names,
}
