"""The line of an event: the same bytes for ever, any text, a seal that proves it (invariant 5)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xxhash import xxh3_64_hexdigest, xxh3_128_hexdigest

from learnlog import events, ids
from learnlog.events import (
    CONTENT_KINDS,
    KINDS,
    Event,
    Imported,
    Malformed,
    canonical_time,
    decode,
    decode_unsealed,
    derived_id,
    encode,
    has_seal,
    seal,
    seal_holds,
    time_ms,
    time_text,
    uid_of_key,
)
from learnlog.fold import fold
from learnlog.logs.scan import scan
from learnlog.model import Actor, Content
from learnlog.shown import effective_confidence, hit

FORMAT_PAGE = Path(__file__).parent.parent / "docs" / "format.md"
GOLDEN_READ_AT_MS = 1_770_552_000_000 + 100 * 86_400_000

# Golden files ---------------------------------------------------------------


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")[:-1]


def test_each_golden_line_is_decoded_and_encoded_to_the_same_bytes(golden: Path) -> None:
    for line in lines_of(golden / "format-1.jsonl"):
        assert has_seal(line)
        assert seal_holds(line)
        assert encode(decode(line)) == line


def test_each_kind_of_event_has_a_golden_line(golden: Path) -> None:
    assert {decode(line).event for line in lines_of(golden / "format-1.jsonl")} == KINDS


def test_each_member_of_an_event_and_each_field_of_a_learning_stands_in_a_golden_line(golden: Path) -> None:
    read = [json.loads(line) for line in lines_of(golden / "format-1.jsonl")]
    assert {name for line in read for name in line} == {*Event.__struct_encode_fields__, "sum"}
    assert {name for line in read for name in line.get("learning", {})} == set(Content.__struct_fields__)


@pytest.mark.parametrize("name", ["format-1", "format-1-unsealed"])
def test_a_golden_log_folds_to_its_golden_state(golden: Path, name: str) -> None:
    found = scan((golden / f"{name}.jsonl").read_bytes(), name=name)
    assert not found.damaged
    state = fold(found.events)
    known = [state.learnings[uid] for uid in sorted(state.learnings)]
    effective = [effective_confidence(one, GOLDEN_READ_AT_MS) for one in known]
    shown = [
        hit(one, ref=state.ref(one.uid), tier="project", effective=sure) for one, sure in zip(known, effective, strict=True)
    ]
    assert json.loads(json.dumps(msgspec.to_builtins(shown))) == json.loads((golden / f"{name}.state.json").read_text())


@pytest.mark.parametrize("name", ["format-1", "format-1-unsealed"])
def test_the_format_page_shows_exactly_the_golden_lines(golden: Path, name: str) -> None:
    shown = [line for line in FORMAT_PAGE.read_bytes().split(b"\n") if line.startswith(b'{"')]
    unsealed = [line for line in shown if not has_seal(line)]
    sealed = [line for line in shown if has_seal(line)]
    assert (sealed if name == "format-1" else unsealed) == lines_of(golden / f"{name}.jsonl")


def test_the_format_page_names_every_kind_member_and_field() -> None:
    page = FORMAT_PAGE.read_text(encoding="utf-8")
    names = {*KINDS, *Event.__struct_encode_fields__, *Content.__struct_fields__, *Imported.__struct_fields__}
    assert not {name for name in names if f"`{name}`" not in page}


def test_the_golden_lines_can_be_written_from_the_format_page_alone(golden: Path) -> None:
    # as a program in another language would: plain JSON and the hash
    for line in lines_of(golden / "format-1.jsonl"):
        members = json.loads(line)
        del members["sum"]
        plain = json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
        assert plain[:-1] + b',"sum":"xxh3:' + xxh3_64_hexdigest(plain[:-1]).encode() + b'"}' == line


def test_the_ids_of_unsealed_golden_lines_can_be_made_from_the_format_page_alone(golden: Path) -> None:
    times = {"by hand": (1_770_552_000_000, "2026-02-08T12:00:00.000Z"), "no key": (0, None)}
    for line in lines_of(golden / "format-1-unsealed.jsonl"):
        time_of_it, at = next(value for words, value in times.items() if words in line.decode())
        text = json.dumps(json.loads(line) | {"v": 1, "at": at}, sort_keys=True)
        tail = (0b10 << 62) | (int(xxh3_64_hexdigest(text.encode()), 16) & ((1 << 62) - 1))
        digits = f"{time_of_it:012x}7000{tail:016x}"
        assert decode_unsealed(line).id.replace("-", "") == digits


# Any text and any value ---------------------------------------------------------------

AWKWARD = '\ud83d\udfff\u2028\u2029\u0085\x00\x1c\x1f\x7f"\\/\n\r\t\ufeff\ufffe\uffff\U0001f600\U0010ffffe\u0301'


def joined_surrogates(text: str) -> str:
    """Two halves side by side are one character: JSON cannot say otherwise."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


any_text = st.text(st.one_of(st.sampled_from(AWKWARD), st.characters(exclude_categories=()))).map(joined_surrogates)
texts = st.lists(any_text, max_size=3).map(tuple)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=6,
)
contents = st.builds(
    Content,
    title=any_text,
    body=any_text | st.just(msgspec.UNSET),
    key=any_text | st.just(msgspec.UNSET),
    stack=texts | st.just(msgspec.UNSET),
    evidence=texts | st.just(msgspec.UNSET),
    confidence=st.integers(0, 1000) | st.just(msgspec.UNSET),
    extra=st.dictionaries(any_text, json_values, max_size=3) | st.just(msgspec.UNSET),
)
any_event = st.builds(
    Event,
    v=st.just(1),
    id=st.integers(0, (1 << 48) - 1).map(lambda time: ids.compose(time, 0, time)),
    event=st.sampled_from(sorted(KINDS)) | any_text,
    uid=any_text,
    at=st.none() | any_text,
    actor=st.none() | st.builds(Actor, kind=any_text, name=any_text, session=any_text),
    ref=any_text,
    proposed=st.booleans(),
    learning=contents,
    targets=texts,
    helpful=st.none() | st.booleans(),
    imported=st.none() | st.builds(Imported, format=any_text, digest=any_text, native=any_text),
)


@settings(max_examples=200)
@given(any_event)
def test_any_event_comes_back_from_its_line_as_it_was(event: Event) -> None:
    # fault 15, 16
    line = encode(event)
    assert b"\n" not in line
    assert has_seal(line)
    assert seal_holds(line)
    assert decode(line) == event
    assert scan(line + b"\n", name="x").events == [event]


@settings(max_examples=100)
@given(any_event)
def test_a_line_is_utf8_json_that_other_programs_read(event: Event) -> None:
    read = json.loads(encode(event).decode("utf-8"))
    assert list(read)[-1] == "sum"
    assert read["learning"].get("title") == event.learning.title  # type: ignore[union-attr]


@pytest.mark.parametrize("character", AWKWARD)
def test_each_awkward_character_is_stored_in_every_text(character: str) -> None:
    # fault 15, 16
    event = Event(
        v=1,
        id=ids.ZERO,
        event="recorded",
        uid="u",
        learning=Content(title=character, tags=(character,), extra={character: character}),
    )
    assert decode(encode(event)) == event


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_not_json_is_never_written(number: float) -> None:
    # fault 17: beside a lone surrogate too, where another encoder writes the line
    for title in ("plain", "\ud83d"):
        event = Event(v=1, id=ids.ZERO, event="recorded", uid="u", learning=Content(title=title, extra={"x": number}))
        try:
            line = encode(event)
        except ValueError:
            continue
        assert decode(line).learning is not None


# The seal ---------------------------------------------------------------


def test_the_seal_is_the_hash_of_the_bytes_before_it() -> None:
    line = encode(Event(v=1, id=ids.ZERO, event="deleted", uid="u"))
    before, _, rest = line.rpartition(b',"sum":"xxh3:')
    assert rest == xxh3_64_hexdigest(before).encode() + b'"}'


def test_the_hash_is_xxh3_64_as_its_specification_has_it() -> None:
    # Known answers, so that another library in another language can check itself.
    assert xxh3_64_hexdigest(b"") == "2d06800538d394c2"
    assert seal(b'{"v":1}') == b'{"v":1,"sum":"xxh3:' + xxh3_64_hexdigest(b'{"v":1').encode() + b'"}'


def test_a_seal_fails_when_any_byte_before_it_changes() -> None:
    # invariant 5
    line = encode(Event(v=1, id=ids.ZERO, event="deleted", uid="u"))
    for at in range(len(line)):
        changed = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
        assert not (has_seal(changed) and seal_holds(changed)), at


# Lines without a seal ---------------------------------------------------------------


def test_a_line_by_hand_needs_only_event_and_title() -> None:
    event = decode_unsealed(b'{"event":"recorded","learning":{"title":"by hand"}}')
    assert (event.v, event.at, event.uid) == (1, None, event.id)
    assert ids.is_id(event.id)
    assert ids.time_of(event.id) == 0  # without a time: the oldest


def test_the_same_line_by_hand_is_the_same_event_wherever_it_stands() -> None:
    # invariant 2: order of members, white space and null members mean nothing
    lines = [
        b'{"event":"recorded","at":"2026-02-08T12:00:00Z","learning":{"title":"x","severity":"low"}}',
        b'{"learning": {"severity": "low", "title": "x"}, "at": "2026-02-08T13:00:00+01:00", "event": "recorded"}',
        b'{"v":1,"event":"recorded","at":"2026-02-08T12:00:00.000Z","ref":null,"learning":{"title":"x","severity":"low","body":null}}',
    ]
    assert len({encode(decode_unsealed(line)) for line in lines}) == 1


def test_a_line_by_hand_with_a_key_belongs_to_the_learning_of_that_key() -> None:
    event = decode_unsealed(b'{"event":"recorded","learning":{"title":"x","key":"K","category":"Process"}}')
    assert event.uid == uid_of_key(Content(key="k", category="process"))


def test_a_line_by_hand_keeps_the_id_and_uid_it_has() -> None:
    line = f'{{"event":"archived","id":"{ids.compose(5, 0, 5)}","uid":"abc"}}'.encode()
    event = decode_unsealed(line)
    assert (event.id, event.uid, event.event) == (ids.compose(5, 0, 5), "abc", "archived")


def test_a_line_by_hand_carries_the_time_it_names_in_its_id() -> None:
    event = decode_unsealed(b'{"event":"recorded","at":"2026-02-08T12:00:00Z","learning":{"title":"x"}}')
    assert ids.time_of(event.id) == time_ms("2026-02-08T12:00:00.000Z")


REFUSED = {
    b"42": "a number",
    b"4.5": "a number",
    b"null": "null",
    b"true": "a truth value",
    b'"text"': "a string",
    b"[]": "a list",
    b'[{"event":"recorded"}]': "a list",
    b"{}": "no event",
    b'{"event":null}': "event is null",
    b'{"event":"recorded"}': "without a learning",
    b'{"event":"recorded","learning":null}': "learning is null",
    b'{"event":"recorded","learning":{}}': "without a title",
    b'{"event":"recorded","learning":[]}': "learning",
    b'{"event":"recorded","learning":"text"}': "learning",
    b'{"event":"recorded","learning":{"title":5}}': "title",
    b'{"event":"recorded","learning":{"title":null}}': "without a title",
    b'{"event":"recorded","learning":{"title":"x","stack":"python"}}': "stack",
    b'{"event":"recorded","learning":{"title":"x","confidence":NaN}}': "NaN is not JSON",
    b'{"event":"recorded","learning":{"title":"x","confidence":Infinity}}': "Infinity is not JSON",
    b'{"event":"recorded","learning":{"title":"x","confidence":-Infinity}}': "-Infinity is not JSON",
    b'{"event":"recorded","learning":{"title":"x","confidence":1e999}}': "too large a number",
    b'{"event":"recorded","learning":{"title":"x","confidence":1001}}': "confidence",
    b'{"event":"recorded","learning":{"title":"x","confidence":-1}}': "confidence",
    b'{"event":"recorded","learning":{"title":"x","confidence":0.5}}': "confidence",
    b'{"event":"recorded","learning":{"title":"x","confidence":"8"}}': "confidence",
    b'{"event":"revised","uid":"u"}': "without a learning",
    b'{"event":"archived"}': "without the uid",
    b'{"event":"revised","learning":{"body":"x"}}': "without the uid",
    b'{"event":["recorded"],"learning":{"title":"x"}}': "event",
    b'{"event":"recorded","id":"L-001","learning":{"title":"x"}}': "UUIDv7",
    b'{"event":"recorded","v":"1","learning":{"title":"x"}}': "v",
    b'{"sum":"xxh3:0000000000000000","event":"recorded","learning":{"title":"x"}}': "seal",
    b'{"event":"recorded","learning":{"title":"x"}': "not JSON",
    b'{"event":"recorded","learning":{"title":"x"}}}': "not JSON",
    b"{'event':'recorded'}": "not JSON",
    b'{"event":"recorded","learning":{"title":"\xff"}}': "not UTF-8",
    b"\xed\xa0\xbd": "not UTF-8",
    b"": "not JSON",
}


@pytest.mark.parametrize("line", REFUSED, ids=lambda line: repr(line)[:60])
def test_what_is_no_event_is_refused_with_the_reason(line: bytes) -> None:
    # fault 12, 17
    with pytest.raises(Malformed, match=REFUSED[line]):
        decode_unsealed(line)


def test_an_unknown_kind_is_an_event() -> None:
    assert decode_unsealed(b'{"event":"translated","uid":"u","to":"fr","more":{"a":1}}').event == "translated"


def test_unknown_members_are_left_alone() -> None:
    line = seal(f'{{"v":1,"id":"{ids.ZERO}","event":"deleted","uid":"u","weather":"fine"}}'.encode())
    assert decode(line).uid == "u"


# Identities ---------------------------------------------------------------


def test_the_uid_of_a_key_is_the_hash_that_the_format_page_gives() -> None:
    wanted = xxh3_128_hexdigest(b"anti-pattern\0pymysql-threads")
    assert uid_of_key(Content(key="PyMySQL-Threads", category="anti-pattern")) == wanted == "56f6856b5d6c8b955bc0c314a28c13b7"


def test_without_a_key_there_is_no_uid_of_a_key() -> None:
    assert uid_of_key(Content(title="x")) is None
    assert uid_of_key(Content(title="x", key="")) is None


def test_the_uid_of_a_key_tells_category_from_key() -> None:
    assert uid_of_key(Content(category="ab", key="c")) != uid_of_key(Content(category="a", key="bc"))


def test_an_id_of_an_event_from_elsewhere_is_a_function_of_its_time_and_content() -> None:
    # invariant 3; importing twice adds nothing
    at = "2024-05-01T09:30:00.000Z"
    assert derived_id(at, 0, 99) == derived_id(at, 0, 99)
    assert len({derived_id(at, 0, 99), derived_id(at, 1, 99), derived_id(at, 0, 98), derived_id(None, 0, 99)}) == 4
    assert (
        derived_id(None, 0, 99) < derived_id("1970-01-01T00:00:00.001Z", 0, 99) < derived_id(at, 0, 99) < derived_id(at, 1, 0)
    )
    assert ids.is_id(derived_id("1901-01-01T00:00:00.000Z", 9999, 1 << 70))  # before 1970, too many, too long


# Times ---------------------------------------------------------------


@given(st.integers(0, 253_402_300_799_999))
def test_a_time_is_read_as_it_was_written(moment: int) -> None:
    assert time_ms(time_text(moment)) == moment


@pytest.mark.parametrize(
    ("given_time", "wanted"),
    [
        ("2026-02-08T12:00:00Z", "2026-02-08T12:00:00.000Z"),
        ("2026-02-08T12:00:00.123456Z", "2026-02-08T12:00:00.123Z"),
        ("2026-02-08T23:30:00-02:00", "2026-02-09T01:30:00.000Z"),
        (" 2026-02-08 ", "2026-02-08T00:00:00.000Z"),
        ("2026-02-30", None),
        ("soon", None),
        ("", None),
        ("0001-01-01T00:00:00+14:00", None),  # before the first day there is
        (1770552000, None),
        (None, None),
        ([], None),
    ],
)
def test_a_time_in_any_form_is_brought_to_ours_or_is_none(given_time: Any, wanted: str | None) -> None:
    # fault 31
    assert canonical_time(given_time) == wanted


def test_the_kinds_with_a_learning_are_kinds() -> None:
    assert CONTENT_KINDS < KINDS
    assert events.FORMAT_VERSION == 1
