"""What the last writer left in the sidecar: whatever becomes of it or of the log, the next append is right, and cheap."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from learnlog import Store
from learnlog.events import Event, encode
from learnlog.ids import compose, now_ms
from learnlog.logs.file import FileLog
from learnlog.model import Content

from .conftest import Workers, check_sound, lines_of, titles


def sidecar_of(path: Path) -> Path:
    """The sidecar of a log."""
    return path.with_name(path.name + ".lock")


def record_some(path: Path, count: int, start: int = 1) -> None:
    """Some learnings, each by a store of its own, so that each goes by the checkpoint."""
    for number in range(start, start + count):
        Store(path, durable=False).record(f"number {number}")


def flipped(data: bytes, at: int) -> bytes:
    """`data` with a bit of one byte changed."""
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


SIDECARS: dict[str, Callable[[bytes], bytes | None]] = {
    "deleted": lambda data: None,
    "empty": lambda data: b"",
    "garbage": lambda data: os.urandom(700),
    "not text": lambda data: b"\xff" * 640,
    "of zeros": lambda data: bytes(640),
    "cut in the middle": lambda data: data[:60],
    "cut after the magic": lambda data: data[:22],
    "a bit of its number flipped": lambda data: flipped(data, data.index(b" ", 60) + 1),
    "with a lone number": lambda data: b"learnlog-checkpoint-1 1".ljust(640),
    "of a later version": lambda data: data.replace(b"checkpoint-1", b"checkpoint-2"),
}


@pytest.mark.parametrize("kind", SIDECARS)
def test_a_damaged_sidecar_changes_no_answer(path: Path, kind: str) -> None:
    # invariant 9, ADD-4: every reference once, every id above all others
    record_some(path, 4)
    data = SIDECARS[kind](sidecar_of(path).read_bytes())
    if data is None:
        sidecar_of(path).unlink()
    else:
        sidecar_of(path).write_bytes(data)
    record_some(path, 3, start=5)
    assert [event.ref for event in check_sound(path)] == [f"L-{number:03d}" for number in range(1, 8)]


def test_every_bit_of_the_checkpoint_flipped_changes_no_answer(path: Path) -> None:
    # invariant 9
    record_some(path, 3)
    log, good, stat = path.read_bytes(), sidecar_of(path).read_bytes(), path.stat()
    for at in range(len(good[:512].rstrip())):
        path.write_bytes(log)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # the log is again exactly the one described
        sidecar_of(path).write_bytes(flipped(good, at))
        assert Store(path, durable=False).record("next").ref == "L-004", at
    check_sound(path)


def test_the_sidecar_of_another_log_is_not_believed(path: Path, tmp_path: Path) -> None:
    # invariant 9
    other = tmp_path / "other.jsonl"
    record_some(path, 5)
    record_some(other, 2)
    sidecar_of(path).write_bytes(sidecar_of(other).read_bytes())
    record_some(path, 1, start=6)
    assert check_sound(path)[-1].ref == "L-006"


def test_an_older_checkpoint_than_the_log_is_followed_up(path: Path) -> None:
    # a writer that was killed between its append and its checkpoint
    record_some(path, 2)
    old = sidecar_of(path).read_bytes()
    record_some(path, 5, start=3)
    sidecar_of(path).write_bytes(old)
    record_some(path, 1, start=8)
    assert check_sound(path)[-1].ref == "L-008"


def test_a_longer_log_written_over_the_one_described_is_read_as_a_whole(path: Path, tmp_path: Path) -> None:
    # rsync --inplace: the same inode, a longer file, and nothing of the old one in it
    other = tmp_path / "other.jsonl"
    record_some(path, 1)
    record_some(other, 9)
    lines = [line + b"\n" for line in lines_of(other)]
    size = path.stat().st_size
    first = lines[8] + b"\n" * max(0, size - len(lines[8]))
    with path.open("rb+") as log:
        log.write(first + lines[1])
    assert Store(path).record("next").ref == "L-010"  # the one with the highest number stands before the old end


def test_a_log_replaced_by_rename_is_read_again(path: Path, tmp_path: Path) -> None:
    # what git, rsync and editors do
    record_some(path, 2)
    longer = tmp_path / "longer.jsonl"
    record_some(longer, 9)
    reader = Store(path)
    assert len(reader.list()) == 2
    os.replace(longer, path)
    assert len(reader.list()) == 9
    record_some(path, 1, start=10)
    assert check_sound(path)[-1].ref == "L-010"
    assert len(reader.list()) == 10


def test_a_new_file_that_differs_only_far_before_its_end_is_read_as_a_whole(path: Path) -> None:
    # design: a new inode is another log until its whole known prefix is the same
    Store(path).record_many({"title": f"row {count:03d}", "body": "b" * 1_000} for count in range(200))
    reader = Store(path)
    assert len(reader.list()) == 200
    events = list(FileLog(path).read())
    assert events[0].learning is not None
    events[0] = replace(events[0], learning=replace(events[0].learning, title="another"))
    new = path.with_name("new")
    FileLog(new).append([*events, replace(events[1], id=compose(now_ms() + 9, 0, 1), learning=Content(title="row 1, again"))])
    os.replace(new, path)
    assert {"another", "row 1, again"} <= {hit.title for hit in reader.list()}
    assert {hit.title for hit in reader.list()} == titles(path)


@pytest.mark.parametrize("keep", [0, 1, 3])
def test_a_log_cut_by_somebody_takes_the_next_append(path: Path, keep: int) -> None:
    # a checkout of an older commit, written in place
    record_some(path, 5)
    reader = Store(path)
    assert len(reader.list()) == 5
    os.truncate(path, sum(len(line) + 1 for line in lines_of(path)[:keep]))
    assert len(reader.list()) == keep
    record_some(path, 1, start=99)
    assert check_sound(path)[-1].ref == f"L-{keep + 1:03d}"
    assert len(reader.list()) == keep + 1


def test_an_edit_in_place_of_the_same_length_is_seen(path: Path) -> None:
    # another program wrote into the file: size and inode are the same, the time is not
    record_some(path, 3)
    reader = Store(path)
    assert len(reader.list()) == 3
    data = path.read_bytes()
    at = data.index(b"number 2") + 7
    with path.open("rb+") as log:
        log.seek(at)
        log.write(b"9")
    stat = path.stat()
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns + 10_000_000))
    assert {hit.title for hit in reader.list()} == {"number 1", "number 3"}
    assert [damage.line for damage in reader.stats().damaged_lines] == [2]
    assert Store(path).record("next").ref == "L-004"


def test_lines_of_another_tool_behind_the_checkpoint_are_counted(path: Path) -> None:
    # ADD-4, invariant 3: sealed ones with a reference and an id, and unsealed ones without
    record_some(path, 2)
    ahead = compose(now_ms() + 60_000, 5, 5)
    foreign = Event(v=1, id=ahead, event="recorded", uid="f" * 8, ref="L-041", learning=Content(title="foreign"))
    with path.open("ab") as log:
        log.write(encode(foreign) + b"\n")
    done = Store(path).record("next")
    assert done.ref == "L-042"
    assert done.event > ahead
    with path.open("ab") as log:
        log.write(b'{"event":"recorded","learning":{"title":"by hand"}}\n')
    by_hand = Store(path).record("after")
    refs = {hit.title: hit.ref for hit in Store(path).list()}
    assert len(set(refs.values())) == 6
    assert refs["after"] == by_hand.ref
    again = Store(path).record("later")
    assert {hit.title: hit.ref for hit in Store(path).list()} == refs | {"later": again.ref}


def test_a_number_taken_twice_behind_the_checkpoint_is_settled_by_the_next_write(path: Path) -> None:
    # fault 34
    record_some(path, 3)
    foreign = Event(
        v=1, id=compose(now_ms() + 5, 0, 1), event="recorded", uid="f" * 8, ref="L-002", learning=Content(title="foreign")
    )
    with path.open("ab") as log:
        log.write(encode(foreign) + b"\n")
    shown = Store(path).get("f" * 8).ref
    assert shown == "L-004"
    done = Store(path).record("next")
    assert done.ref == "L-005"
    assert Store(path).get("f" * 8).ref == shown
    assert [event.ref for event in FileLog(path).read() if event.event == "renumbered"] == [shown]
    assert Store(path).verify() == []


@pytest.mark.parametrize("behind", ["checkpoint", "nothing"])
def test_events_of_another_machine_brought_in_by_append_settle_too(path: Path, behind: str) -> None:
    # fault 34: the seam's own `append` is how another tool brings events in
    record_some(path, 1)
    foreign = Event(
        v=1, id=compose(now_ms() + 5, 0, 1), event="recorded", uid="f" * 8, ref="L-001", learning=Content(title="foreign")
    )
    if behind == "nothing":
        sidecar_of(path).unlink()
    FileLog(path).append([foreign])
    shown = Store(path).get("f" * 8).ref
    assert shown == "L-002"
    assert Store(path).record("next").ref == "L-003"
    assert Store(path).get("f" * 8).ref == shown
    assert Store(path).verify() == []


def test_a_learning_without_a_reference_brought_in_by_append_has_one_when_it_is_changed(path: Path) -> None:
    # ADD-4: another program may leave the reference out
    record_some(path, 1)
    FileLog(path).append(
        [Event(v=1, id=compose(now_ms() + 5, 0, 1), event="recorded", uid="f" * 8, learning=Content(title="x"))]
    )
    done = Store(path).archive("f" * 8)
    assert done.ref == "L-002"
    assert Store(path).get("L-002").uid == "f" * 8


def test_what_an_outer_batch_gave_up_is_settled_by_the_next_writer(path: Path, tmp_path: Path) -> None:
    # fault 25, fault 34: an inner store wrote while the outer one's `renumbered` never came to the disk
    other = tmp_path / "other.jsonl"
    record_some(path, 1)
    Store(other).record("of another clone")
    with path.open("ab") as log:
        log.write(other.read_bytes())
    outer, inner = Store(path), Store(path)

    def give_up() -> None:
        with outer.batch():
            inner.record("inner")
            raise KeyError

    with pytest.raises(KeyError):
        give_up()
    before = {hit.title: hit.ref for hit in Store(path).list()}
    assert len(set(before.values())) == 3
    done = Store(path).record("later")
    assert {hit.title: hit.ref for hit in Store(path).list()} == before | {"later": done.ref}
    assert Store(path).verify() == []


COUNT = """
def bytes_read():
    return int(open("/proc/self/io").read().split()[1])
path = sys.argv[1]
store = Store(path, durable=False)
store.record("the first imports what is left to import")
store = Store(path, durable=False)
before = bytes_read()
empty = bytes_read() - before
before = bytes_read()
store.record("counted")
print(bytes_read() - before - empty)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/io"), reason="counts what the kernel counts")
def test_an_append_reads_the_same_number_of_bytes_whatever_the_length_of_the_log(path: Path, workers: Workers) -> None:
    # design: appending costs the same, also in a new process; "checkpoint" is what makes it so
    read = []
    for count in (1, 300, 3_000):
        Store(path, durable=False).record_many({"title": f"row {row}", "body": "b" * 300} for row in range(count))
        read.append(int(workers.run(COUNT, path)))
    assert path.stat().st_size > 1_000_000
    assert max(read) < 4_096
    shutil.copy(path, path.with_name("copy"))
    os.replace(path.with_name("copy"), path)  # and without one that fits, it is the log that is read
    system_reads = workers.run(COUNT.replace('store.record("the first imports what is left to import")', ""), path)
    assert int(system_reads) > 1_000_000


def test_a_tail_behind_the_checkpoint_is_all_that_is_read(path: Path, workers: Workers) -> None:
    # design: "when it does not fit the log, the tail"
    Store(path, durable=False).record_many({"title": f"row {row}", "body": "b" * 300} for row in range(3_000))
    old = sidecar_of(path).read_bytes()
    record_some(path, 3)
    put_back = "open(path + '.lock', 'rb+').write(bytes.fromhex(sys.argv[2]))\n"
    script = COUNT.replace("before = bytes_read()\nstore", put_back + "before = bytes_read()\nstore")
    assert int(workers.run(script, path, old.hex())) < 16_384
    check_sound(path)
    assert "counted" in titles(path)


@pytest.mark.parametrize("ref", ["L-999999999999999999999999", "L-999999999999999", "L-1_000_000"])
def test_a_reference_that_nobody_can_follow_does_not_spoil_the_next_one(path: Path, ref: str) -> None:
    # ADD-4: written by hand, or by a program with a fault
    record_some(path, 1)
    with path.open("ab") as log:
        log.write(b'{"event":"recorded","ref":"%s","learning":{"title":"by hand"}}\n' % ref.encode())
    done = Store(path).record("next")
    assert Store(path).get(done.ref).title == "next"
    assert done.ref in ("L-002", "L-003")


@pytest.mark.parametrize("ref", ["nonsense", "l-7", "L7", "L-0007", "-"])
def test_every_learning_is_found_by_the_reference_that_it_is_shown_under(path: Path, ref: str) -> None:
    # interface: a stored reference may have any form, what is shown must work
    record_some(path, 1)
    with path.open("ab") as log:
        log.write(b'{"event":"recorded","ref":"%s","learning":{"title":"by hand"}}\n' % ref.encode())
    for _ in range(2):
        for hit in Store(path).list():
            assert Store(path).get(hit.ref).uid == hit.uid
        Store(path).record("next")
