"""A log that ends in the middle of something: what was whole is read, what is appended stays whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from learnlog import Store
from learnlog.events import encode

from .conftest import lines_of, titles

TAILS = [
    b'{"b":',
    b"{",
    b'"',
    b"x",
    b'{"a":1}',
    b"42",
    b"null",
    b'{"event":"recorded","learning":{"title":"\xe8\x84',  # cut inside a character
    b'{"v":1,"id":"0198',
    b"\x00" * 4096,
    b'{"v":1' + b"\x00" * 17,
    b"\xef\xbb",
    b"\xef\xbb\xbf",
    b"\r",
    b"   ",
    b"<<<<<<< HEAD",
    b"[" * 5000,
    b'{"sum":"xxh3:0123456789abcdef"}',
    b'{"b":"' + b"y" * 300_000,
]


def two_records(path: Path) -> bytes:
    """A log with two records, and its bytes."""
    store = Store(path, durable=False)
    store.record("first", body="1")
    store.record("second", body="2")
    return path.read_bytes()


def test_every_prefix_of_three_records_is_read_and_takes_an_append(path: Path) -> None:
    # fault 10, invariant 6
    two_records(path)
    Store(path, durable=False).record("third", body="日本 \U0001f600")
    data = path.read_bytes()
    ends = [at + 1 for at, byte in enumerate(data) if byte == 10]
    names = ["first", "second", "third"]
    for size in range(len(data) + 1):
        path.write_bytes(data[:size])
        whole = sum(end <= size for end in ends)
        whole += size + 1 in ends  # a record that lacks nothing but its line feed is one (fault 9)
        assert titles(path) == set(names[:whole]), size
        done = Store(path, durable=False).record("appended")
        assert done.ref == f"L-{whole + 1:03d}", size
        assert path.read_bytes().startswith(data[:size]), size
        assert titles(path) == {*names[:whole], "appended"}, size
        damaged = Store(path).stats().damaged_lines
        assert len(damaged) == (size not in (0, *ends) and size + 1 not in ends), (size, damaged)


@pytest.mark.parametrize("tail", TAILS, ids=range(len(TAILS)))
def test_an_append_behind_a_torn_tail_is_whole_and_the_tail_is_kept(path: Path, tail: bytes) -> None:
    # fault 8, invariants 5, 6
    before = two_records(path) + tail
    path.write_bytes(before)
    assert titles(path) == {"first", "second"}
    done = Store(path).record("third")
    assert done.ref == "L-003"
    assert path.read_bytes().startswith(before + b"\n")
    assert titles(path) == {"first", "second", "third"}
    assert len(lines_of(path)) == 4
    blank = not tail.strip(b" \r") or tail == b"\xef\xbb\xbf"
    assert [damage.line for damage in Store(path).stats().damaged_lines] == ([] if blank else [3])


@pytest.mark.parametrize("tail", TAILS, ids=range(len(TAILS)))
def test_a_reader_that_was_open_before_agrees_with_one_that_was_not(path: Path, tail: bytes) -> None:
    # fault 8, fault 30
    two_records(path)
    reader = Store(path)
    assert len(reader.list()) == 2
    with path.open("ab") as log:
        log.write(tail)
    assert {hit.title for hit in reader.list()} == titles(path) == {"first", "second"}
    Store(path).record("third")
    assert list(reader.list()) == list(Store(path, clock=reader._clock).list())
    assert reader.stats() == Store(path).stats()


@pytest.mark.parametrize("sealed", [True, False])
def test_a_last_line_that_lacks_only_its_end_is_a_record_and_nothing_is_glued_to_it(path: Path, sealed: bool) -> None:
    # fault 9
    data = two_records(path)
    if sealed:
        path.write_bytes(data[:-1])
        expected = {"first", "second"}
    else:
        path.write_bytes(data + b'{"event":"recorded","learning":{"title":"by hand"}}')
        expected = {"first", "second", "by hand"}
    assert titles(path) == expected
    assert Store(path).verify() == [] or not sealed
    done = Store(path).record("next")
    assert titles(path) == {*expected, "next"}
    assert done.ref not in {hit.ref for hit in Store(path).list() if hit.title != "next"}
    assert not Store(path).stats().damaged_lines


def test_a_hole_of_nul_bytes_hides_no_record(path: Path) -> None:
    # fault 11: after a power cut, between two lines and in front of one
    for size in (1, 511, 4096, 70_000):
        first, second = two_records(path).splitlines(keepends=True)
        path.write_bytes(first + b"\x00" * size + b"\n" + second)
        assert titles(path) == {"first", "second"}
        path.write_bytes(first + b"\x00" * size + second)
        assert titles(path) == {"first", "second"}
        assert [damage.kind for damage in Store(path).stats().damaged_lines] == ["nul-hole"]
        path.unlink()


def test_one_bad_line_among_a_thousand_is_named_and_hides_none(path: Path) -> None:
    # fault 13
    store = Store(path)
    store.record_many({"title": f"number {count}"} for count in range(1000))
    lines = lines_of(path)
    for at in (0, 499, 999):
        bad = bytearray(lines[at])
        bad[len(bad) // 2] ^= 1
        path.write_bytes(b"\n".join([*lines[:at], bytes(bad), *lines[at + 1 :]]) + b"\n")
        assert len(titles(path)) == 999
        assert [damage.line for damage in Store(path).stats().damaged_lines] == [at + 1]
        assert [finding.line for finding in Store(path).verify() if finding.is_damage] == [at + 1]


def test_blank_lines_are_no_damage(path: Path) -> None:
    # fault 14
    first, second = two_records(path).splitlines(keepends=True)
    for blank in (b"\n", b"   \n", b"\t\r\n", b"\n\n\n"):
        path.write_bytes(blank + first + blank + second + blank)
        assert titles(path) == {"first", "second"}
        assert Store(path).verify() == []


def test_two_records_on_one_line_are_both_read(path: Path) -> None:
    # invariant 5: glued lines, as another tool leaves them that does not look at the last byte
    store = Store(path)
    store.record("first")
    store.record("second")
    one, two = (encode(event) for event in store.log.read())
    path.write_bytes(one + two + b"\n")
    assert titles(path) == {"first", "second"}
    assert Store(path).record("third").ref == "L-003"


def test_a_last_line_that_becomes_another_is_read_again(path: Path) -> None:
    # fault 9, invariant 9: a whole record without its end was read; then somebody glued something to it
    two_records(path)
    reader = Store(path)
    with path.open("ab") as log:
        log.write(b'{"event":"recorded","learning":{"title":"by hand"}}')
    assert {hit.title for hit in reader.list()} == {"first", "second", "by hand"}
    with path.open("ab") as log:
        log.write(b" and a remark\n")
    assert {hit.title for hit in reader.list()} == titles(path) == {"first", "second"}
    assert reader.stats() == Store(path).stats()
