"""Bytes to events: every bad line is reported and hides nothing around it (invariant 5)."""

from __future__ import annotations

import time
from collections.abc import Iterable

import pytest
from conftest import EventMaker
from hypothesis import given
from hypothesis import strategies as st
from xxhash import xxh3_64_intdigest

from learnlog import ids
from learnlog.errors import LogUnreadable
from learnlog.events import Event, encode, seal
from learnlog.logs.scan import BOM, Scan, scan
from learnlog.model import Content


@pytest.fixture(scope="module")
def three(make_event: EventMaker) -> list[Event]:
    return [
        make_event(1, learning=Content(title="first", body='line\nbreak \u2028 \u0085 \x00 "quoted" {"v":1')),
        make_event(
            2, learning=Content(title="second \ud83d", key="k", stack=("python",), confidence=700, extra={"a": [1, {}]})
        ),
        make_event(3, "archived", uid="u", reason="third"),
    ]


def read(data: bytes, **where: int) -> Scan:
    return scan(data, name="test", **where)


def file_of(events: Iterable[Event]) -> bytes:
    return b"".join(encode(event) + b"\n" for event in events)


def test_a_sound_log_is_read_whole_and_nothing_is_reported(three: list[Event]) -> None:
    found = read(file_of(three))
    assert found.events == three
    assert (found.damaged, found.unsealed, found.lines, found.torn, found.newer) == ([], [], 3, False, 0)
    assert found.end == len(file_of(three))
    assert list(found.sources) == [encode(event) for event in three]


def test_an_empty_log_holds_nothing() -> None:
    found = read(b"")
    assert (found.events, found.damaged, found.lines, found.end, found.torn) == ([], [], 0, 0, False)


def test_every_prefix_gives_its_complete_records_and_takes_an_append(three: list[Event], make_event: EventMaker) -> None:
    # fault 8, 9, 10
    data = file_of(three)
    ends = [index + 1 for index, byte in enumerate(data) if byte == 0x0A]
    later = make_event(9)
    for cut in range(len(data) + 1):
        whole = sum(end <= cut + 1 for end in ends)  # a record is complete before its line feed
        found = read(data[:cut])
        assert found.events == three[:whole], cut
        assert not found.damaged, cut
        assert found.torn == (cut not in (0, *ends, *(end - 1 for end in ends))), cut
        assert found.end == max([0, *(end for end in ends if end <= cut)]), cut
        between = b"" if not cut or data[cut - 1 : cut] == b"\n" else b"\n"  # as the writer ends a torn line
        appended = read(data[:cut] + between + file_of([later]))
        assert appended.events == [*three[:whole], later], cut
        assert len(appended.damaged) == found.torn, cut


def test_every_bit_of_a_line_flipped_is_reported_and_harms_no_neighbour(three: list[Event]) -> None:
    # invariant 5: the flipped line is as it was, or is not there; never something else
    for flipped, original in enumerate(three):
        lines = [encode(event) + b"\n" for event in three]
        for at in range(len(lines[flipped])):
            for bit in range(8):
                line = bytearray(lines[flipped])
                line[at] ^= 1 << bit
                found = read(b"".join([*lines[:flipped], bytes(line), *lines[flipped + 1 :]]))
                neighbours = [event for event in three if event is not original]
                assert [event for event in found.events if event.id != original.id] == neighbours, (flipped, at, bit)
                assert all(event in three for event in found.events), (flipped, at, bit)
                assert found.damaged or found.torn or found.newer, (flipped, at, bit)


def test_one_bad_line_among_a_thousand_is_named_and_the_others_are_read(make_event: EventMaker) -> None:
    # fault 13
    lines = [encode(make_event(number)) + b"\n" for number in range(1000)]
    lines[617] = lines[617].replace(b"title", b"tit1e")
    found = read(b"".join(lines))
    assert len(found.events) == 999
    assert [(one.line, one.byte, one.kind) for one in found.damaged] == [(618, sum(map(len, lines[:617])), "seal")]


def test_line_numbers_and_bytes_go_on_where_reading_went_on(three: list[Event]) -> None:
    found = read(file_of(three[:1]) + b"garbage\n", start=5000, lines_before=40)
    assert [(one.line, one.byte) for one in found.damaged] == [(42, 5000 + len(file_of(three[:1])))]
    assert found.lines == 42


@pytest.mark.parametrize("count", [1, 2, 511, 512, 4095, 4096, 65536])
@pytest.mark.parametrize("own_line", [True, False])
def test_a_hole_of_nul_bytes_hides_no_record(three: list[Event], count: int, own_line: bool) -> None:
    # fault 11: as a power cut leaves them
    hole = bytes(count) + (b"\n" if own_line else b"")
    found = read(file_of(three[:1]) + hole + file_of(three[1:]))
    assert found.events == three
    assert [(one.kind, one.line) for one in found.damaged] == [("nul-hole", 2)]


def test_a_hole_inside_a_record_takes_that_record_only(three: list[Event]) -> None:
    line = encode(three[1])
    found = read(file_of(three[:1]) + line[:50] + bytes(50) + line[100:] + b"\n" + file_of(three[2:]))
    assert found.events == [three[0], three[2]]
    assert [one.line for one in found.damaged] == [2]


def test_a_tail_of_nul_bytes_is_no_record_and_no_reported_line(three: list[Event]) -> None:
    found = read(file_of(three) + bytes(4096))
    assert found.events == three
    assert found.torn
    assert not found.damaged


def test_records_glued_together_are_all_read(three: list[Event]) -> None:
    found = read(b"".join(map(encode, three)) + b"\n")
    assert found.events == three
    assert [one.line for one in found.damaged] == [1]


def test_a_torn_record_glued_to_a_whole_one_does_not_take_it_along(three: list[Event]) -> None:
    torn, whole = encode(three[1]), encode(three[2])
    for cut in range(1, len(torn)):
        found = read(file_of(three[:1]) + torn[:cut] + whole + b"\n")
        assert found.events == [three[0], three[2]], cut
        assert [one.line for one in found.damaged] == [2], cut


def test_a_whole_record_before_a_torn_one_in_its_line_is_read(three: list[Event]) -> None:
    whole, torn = encode(three[0]), encode(three[1])
    for cut in range(1, len(torn)):
        found = read(whole + torn[:cut] + b"\n" + file_of(three[2:]))
        assert found.events == [three[0], three[2]], cut
        assert [one.line for one in found.damaged] == [1], cut


def test_a_sealed_record_inside_a_text_is_not_taken_for_one(three: list[Event], make_event: EventMaker) -> None:
    inner = encode(three[2]).decode()
    outer = make_event(5, learning=Content(title="a log in a log", body=inner))
    damaged = encode(outer).replace(b"a log", b"a hog", 1)
    assert read(damaged + b"\n").events == []
    assert read(file_of([outer])).events == [outer]


@pytest.mark.parametrize("ending", [b"\r\n", b"\r\r\n", b" \n", b"\t\r\n"])
def test_line_ends_of_other_systems_change_nothing(three: list[Event], ending: bytes) -> None:
    # fault 19: the seals still hold
    found = read(file_of(three).replace(b"\n", ending))
    assert found.events == three
    assert (found.damaged, found.unsealed, found.torn) == ([], [], False)


def test_line_ends_of_two_systems_in_one_file_change_nothing(three: list[Event]) -> None:
    found = read(file_of(three[:1]).replace(b"\n", b"\r\n") + file_of(three[1:]))
    assert found.events == three
    assert (found.damaged, found.unsealed) == ([], [])


def test_byte_order_marks_change_nothing_wherever_they_stand(three: list[Event]) -> None:
    # fault 18
    for data in (BOM + file_of(three), file_of(three[:1]) + BOM + file_of(three[1:]), BOM + BOM + file_of(three)):
        found = read(data)
        assert found.events == three
        assert (found.damaged, found.unsealed) == ([], [])


def test_a_byte_order_mark_alone_is_an_empty_line(three: list[Event]) -> None:
    found = read(BOM + b"\n" + file_of(three))
    assert found.events == three
    assert not found.damaged


@pytest.mark.parametrize("mark", [b"<<<<<<< HEAD", b"=======", b">>>>>>> their-branch", b"||||||| 1234abc", b">>>>>>> a b c\r"])
def test_conflict_markers_are_reported_and_the_records_between_are_read(three: list[Event], mark: bytes) -> None:
    found = read(file_of(three[:1]) + mark + b"\n" + file_of(three[1:]))
    assert found.events == three
    assert [(one.kind, one.line) for one in found.damaged] == [("conflict-marker", 2)]


@pytest.mark.parametrize("blank", [b"", b" ", b"\t", b"    \t ", b"\r", b" \r"])
def test_blank_lines_are_nothing(three: list[Event], blank: bytes) -> None:
    # fault 14
    found = read(blank + b"\n" + file_of(three[:1]) + blank + b"\n" + blank + b"\n" + file_of(three[1:]) + blank)
    assert found.events == three
    assert (found.damaged, found.torn) == ([], False)


NO_EVENTS = [
    b"42",
    b"-0",
    b"null",
    b"true",
    b"[]",
    b"[{}]",
    b"{}",
    b'""',
    b'{"event":"recorded"}',
    b'{"event":"recorded","learning":null}',
    b'{"event":"recorded","learning":{}}',
    b'{"event":"recorded","learning":{"title":"x","confidence":NaN}}',
    b'{"event":"recorded","learning":{"title":"x","confidence":Infinity}}',
    b'{"event":"recorded","learning":{"title":"x","confidence":1e999}}',
    b'{"event":"archived"}',
    b"garbage",
    b"\xff\xfe\xfd",
    b"\x0b",
    b"\xc2\x85",
    b"\xe2\x80\xa8",
    b'{"v":1,',
    b"----------",
    b"=======x",
]


@pytest.mark.parametrize("line", NO_EVENTS, ids=repr)
def test_a_line_of_the_wrong_shape_is_reported_and_hides_nothing(three: list[Event], line: bytes) -> None:
    # fault 12, 13, 17
    for neighbours in (three, three[:1]):
        found = read(file_of(neighbours[:1]) + line + b"\n" + file_of(neighbours[1:]))
        assert found.events == neighbours
        assert [one.line for one in found.damaged] == [2]
        assert found.damaged[0].reason


@pytest.mark.parametrize(
    "body",
    [
        b'{"v":1}',
        b'{"v":1,"id":"0192c000-0000-7000-8000-000000000000","event":"recorded","uid":"u"}',
        b'{"v":1,"id":"0192c000-0000-7000-8000-000000000000","event":"recorded","uid":"u","learning":null}',
        b'{"v":1,"id":"0192c000-0000-7000-8000-000000000000","event":"recorded","uid":"u","learning":{"title":1}}',
        b'{"v":1,"id":"0192c000-0000-7000-8000-000000000000","event":5,"uid":"u"}',
        b'{"v":1,"id":"0192c000-0000-7000-8000-000000000000","event":"archived","uid":"u","reason":5}',
        b"[1]",
    ],
)
def test_a_seal_does_not_make_an_event_of_what_is_none(three: list[Event], body: bytes) -> None:
    found = read(file_of(three[:2]) + seal(body) + b"\n" + file_of(three[2:]))
    assert found.events == three
    assert [(one.line, one.kind) for one in found.damaged] == [(3, "shape")]


@given(garbage=st.lists(st.binary(max_size=60).map(lambda data: data.replace(b"\n", b"")), max_size=4), data=st.data())
def test_no_bytes_between_records_make_reading_fail(make_event: EventMaker, garbage: list[bytes], data: st.DataObject) -> None:
    records = [make_event(number) for number in range(3)]
    lines = [*map(encode, records)]
    for line in garbage:
        lines.insert(data.draw(st.integers(1, len(lines))), line)
    found = read(b"\n".join(lines) + b"\n")
    assert [event for event in found.events if event in records] == records


@given(data=st.data())
def test_no_cut_or_copy_of_a_record_is_taken_for_another(make_event: EventMaker, data: st.DataObject) -> None:
    record, neighbour = make_event(1, learning=Content(title="t", extra={"a": {"v": 1}})), make_event(2)
    line = encode(record)
    begin, end = sorted(data.draw(st.tuples(st.integers(0, len(line)), st.integers(0, len(line)))))
    mangled = data.draw(
        st.sampled_from([line[:begin] + line[end:], line[:end] + line[begin:end] + line[end:], line[begin:end]])
    )
    found = read(mangled + b"\n" + file_of([neighbour]))
    assert neighbour in found.events
    assert all(event in (record, neighbour) for event in found.events)


# One id on several lines ---------------------------------------------------------------


def test_a_repeated_line_is_one_event_and_no_conflict(three: list[Event]) -> None:
    # fault 33
    found = read(file_of([*three, three[0], three[1]]))
    assert found.distinct() == three
    assert found.conflicting_ids() == []


def test_of_two_lines_with_one_id_the_larger_hash_counts_in_any_order(make_event: EventMaker) -> None:
    one, other = make_event(1, learning=Content(title="one")), make_event(1, learning=Content(title="other"))
    wanted = max((one, other), key=lambda event: xxh3_64_intdigest(encode(event)))
    for order in ([one, other], [other, one], [one, other, one]):
        found = read(file_of(order))
        assert found.distinct() == [wanted]
        assert found.conflicting_ids() == [one.id]


def test_of_two_lines_with_one_id_the_sealed_one_counts(make_event: EventMaker) -> None:
    sealed = make_event(1, learning=Content(title="sealed"))
    for number in range(8):  # some of them have the larger hash
        unsealed = (
            f'{{"v":1,"id":"{sealed.id}","event":"recorded","uid":"{sealed.uid}","learning":{{"title":"{number}"}}}}\n'.encode()
        )
        for data in (file_of([sealed]) + unsealed, unsealed + file_of([sealed])):
            found = read(data)
            assert len(found.events) == 2
            assert found.distinct() == [sealed]
            assert found.conflicting_ids() == [sealed.id]


def test_unsealed_lines_are_read_and_numbered(three: list[Event]) -> None:
    line = b'{"event":"recorded","learning":{"title":"by hand"}}\n'
    found = read(line + file_of(three[:1]) + line + file_of(three[1:]))
    assert found.unsealed == [1, 3]
    assert not found.damaged
    assert len(found.events) == 5
    assert len(found.distinct()) == 4


def test_an_unsealed_line_at_the_end_without_a_line_feed_counts_when_it_is_whole() -> None:
    # fault 9
    line = b'{"event":"recorded","learning":{"title":"by hand"}}'
    whole = read(line)
    assert (len(whole.events), whole.unsealed, whole.torn, whole.lines, whole.end) == (1, [1], False, 0, 0)
    for cut in range(1, len(line)):
        found = read(line[:cut])
        assert (found.events, found.torn, found.damaged) == ([], True, []), cut


# Newer versions and other files ---------------------------------------------------------------


def sealed_line(text: str) -> bytes:
    return seal(text.encode()) + b"\n"


def test_a_line_of_a_newer_version_is_understood_as_far_as_it_goes(three: list[Event]) -> None:
    head = f'{{"v":2,"id":"{ids.compose(1, 0, 1)}","event":'
    understood = sealed_line(head + '"deleted","uid":"u","mood":"new"}')
    other_shape = sealed_line(head + '{"kind":"deleted"},"uid":"u"}')
    found = read(file_of(three[:1]) + understood + other_shape + file_of(three[1:]))
    assert [event.v for event in found.events] == [1, 2, 1, 1]
    assert found.newer == 2
    assert not found.damaged


def test_sound_lines_of_a_newer_version_alone_count_as_newer() -> None:
    found = read(sealed_line(f'{{"v":2,"id":"{ids.compose(1, 0, 1)}","event":"deleted","uid":"u"}}'))
    assert (found.newer, len(found.events), found.damaged) == (2, 1, [])


def test_an_unsealed_line_of_a_newer_version_counts_as_newer_too() -> None:
    assert read(b'{"v":3,"event":"recorded","learning":{"title":"x"}}\n').newer == 3


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_utf16_file_is_one_clear_error(three: list[Event], encoding: str) -> None:
    # fault 18
    mark = b"" if encoding == "utf-16" else "\ufeff".encode(encoding)
    with pytest.raises(LogUnreadable, match="UTF-16"):
        read(mark + encode(three[0]).decode("utf-8").encode(encoding))


# Lines made to hurt ---------------------------------------------------------------


@pytest.mark.parametrize("depth", [10, 400, 900, 990, 1000, 1010, 5000, 200_000])
@pytest.mark.parametrize("brackets", [(b"[", b"]"), (b'{"a":', b"}")])
@pytest.mark.parametrize("is_sealed", [True, False])
def test_deep_nesting_is_no_crash(three: list[Event], depth: int, brackets: tuple[bytes, bytes], is_sealed: bool) -> None:
    opened, closed = brackets
    first = ids.compose(1, 0, 1)
    head = f'{{"v":1,"id":"{first}","event":"recorded","uid":"u","learning":{{"title":"deep","extra":{{"x":'.encode()
    line = head + opened * depth + b"1" + closed * depth + b"}}}"
    found = read(file_of(three[:1]) + (seal(line) if is_sealed else line) + b"\n" + file_of(three[1:]))
    assert [event for event in found.events if event.uid != "u" or event.event == "archived"] == three
    assert len(found.events) + len(found.damaged) == 4


def test_a_line_of_a_million_characters_is_read(three: list[Event], make_event: EventMaker) -> None:
    long = make_event(7, learning=Content(title="long", body="é" * 1_000_000))
    assert read(file_of([three[0], long, three[1]])).events == [three[0], long, three[1]]


@pytest.mark.parametrize(
    "line",
    [
        b"x" * 1_000_000,
        b'{"v":' * 200_000,
        b"\x00" * 999_999 + b"x",
        b"[" * 1_000_000,
        b',"sum":"xxh3:0123456789abcdef"}' * 10_000,
    ],
    ids=["letters", "beginnings", "nuls", "brackets", "seals"],
)
def test_a_long_line_of_garbage_is_reported_in_bounded_time(three: list[Event], line: bytes) -> None:
    began = time.perf_counter()
    found = read(file_of(three[:1]) + line + b"\n" + file_of(three[1:]))
    assert found.events == three
    assert [one.line for one in found.damaged] == [2]
    assert time.perf_counter() - began < 20


def test_beginnings_and_seals_in_one_line_cost_a_bounded_time(three: list[Event]) -> None:
    line = b'{"v":' * 64 + b',"sum":"xxh3:0123456789abcdef"}'
    began = time.perf_counter()
    found = read(file_of(three[:1]) + line * 300 + b"\n" + file_of(three[1:]))
    assert found.events == three
    assert time.perf_counter() - began < 20
