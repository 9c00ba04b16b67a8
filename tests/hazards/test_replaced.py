"""The log's name and what stands under it: replaced files, links, folders, missing parents, lines of the future."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

import pytest

from learnlog import LearnlogError, LockTimeout, LogUnreadable, NewerFormat, Store, WriteFailed
from learnlog.events import Event, encode, seal
from learnlog.ids import compose, now_ms
from learnlog.importing import import_paths
from learnlog.logs.file import FileLog
from learnlog.model import Content

from .conftest import Faulty, Workers, check_sound, titles


def replace(path: Path, data: bytes) -> None:
    """Put a new file under the name, as git does."""
    new = path.with_name("new")
    new.write_bytes(data)
    os.replace(new, path)


def test_a_process_that_had_the_store_open_writes_to_the_new_file(path: Path, workers: Workers) -> None:
    # fault 29
    Store(path).record("before")
    script = """
store = Store(sys.argv[1])
store.record("of the other process")
go()
print(store.record("after the file was replaced").ref, len(store.list()))
"""
    process = workers.start(script, path)
    other = path.with_name("other.jsonl")
    Store(other).record_many({"title": f"row {count}"} for count in range(5))
    os.replace(other, path)
    workers.release(process)
    assert workers.finish(process).split() == ["L-006", "6"]
    assert titles(path) == {*(f"row {count}" for count in range(5)), "after the file was replaced"}
    check_sound(path)


def test_an_append_is_in_the_file_that_has_the_name_when_it_returns(path: Path) -> None:
    # invariant 7: git puts a new file there, without asking for our lock, between our opening and our writing
    Store(path).record("before")
    system = Faulty()

    def write(fd: int, data: bytes) -> int:
        del system.fail["write"]
        replace(path, path.read_bytes())
        return os.write(fd, data)

    system.fail["write"] = write
    Store(FileLog(path, system=system)).record("acknowledged")
    assert titles(path) == {"before", "acknowledged"}


def test_a_symbolic_link_and_its_target_are_one_log_with_one_lock(tmp_path: Path) -> None:
    # design: follow a symlinked log to its target
    target = tmp_path / "real" / "learnings.jsonl"
    link = tmp_path / "link.jsonl"
    link.symlink_to(target)
    assert Store(link).record("through the link").ref == "L-001"
    assert Store(target).record("by its own name").ref == "L-002"
    assert link.is_symlink()
    assert titles(link) == titles(target) == {"through the link", "by its own name"}
    assert sorted(file.name for file in tmp_path.iterdir()) == ["link.jsonl", "real"]
    assert sorted(file.name for file in target.parent.iterdir()) == ["learnings.jsonl", "learnings.jsonl.lock"]
    with target.with_name("learnings.jsonl.lock").open("rb+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name in (link, target):
            with pytest.raises(LockTimeout):
                Store(name, timeout_s=0.05).record("no")
    with Store(link).batch() as store:
        store.record("one batch")
        Store(target, timeout_s=0.5).record("inside it")
    assert len(titles(link)) == 4


def test_a_link_that_is_turned_to_another_log_is_followed(tmp_path: Path) -> None:
    # a store that is open writes where the link leads now
    link = tmp_path / "link.jsonl"
    link.symlink_to("one.jsonl")
    store = Store(link)
    store.record("one")
    link.unlink()
    link.symlink_to("two.jsonl")
    assert store.record("two").ref == "L-001"
    assert titles(tmp_path / "one.jsonl") == {"one"}
    assert titles(tmp_path / "two.jsonl") == {"two"} == {hit.title for hit in store.list()}


def test_a_linked_folder_that_is_turned_is_followed_by_reader_and_writer_alike(tmp_path: Path) -> None:
    # the folder's link may change too: what is read and what is written stays one file
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    link = tmp_path / "current"
    link.symlink_to("one")
    store = Store(link / "learnings.jsonl")
    store.record("one")
    link.unlink()
    link.symlink_to("two")
    store.record("two")
    assert titles(tmp_path / "two" / "learnings.jsonl") == {"two"} == {hit.title for hit in store.list()}


def newer_lines() -> dict[str, bytes]:
    """Lines of a later format: one that this version can decode, and one that it cannot."""
    event = Event(v=2, id=compose(now_ms(), 0, 1), event="dreamed", uid="u" * 8)
    return {
        "readable": encode(event),
        "unreadable": seal(b'{"v":2,"id":17,"event":["of","another","shape"]}'),
        "of a known kind": encode(
            Event(v=7, id=compose(now_ms(), 0, 1), event="recorded", uid="u" * 8, ref="L-002", learning=Content(title="new"))
        ),
    }


@pytest.mark.parametrize("kind", ["readable", "unreadable", "of a known kind"])
@pytest.mark.parametrize("sidecar", [True, False])
def test_a_log_of_a_newer_format_is_read_and_not_written(path: Path, kind: str, sidecar: bool) -> None:
    # semantics: reads what it understands, warns, and refuses to write
    open_before = Store(path)
    open_before.record("before")
    with path.open("ab") as log:
        log.write(newer_lines()[kind] + b"\n")
    if not sidecar:
        path.with_name(path.name + ".lock").unlink()
    there = path.read_bytes()
    for store in (open_before, Store(path)):
        assert "before" in {hit.title for hit in store.list()}
        assert any("format version" in warning for warning in store.warnings())
        for write in (
            lambda store=store: store.record("no"),
            lambda store=store: store.delete("L-001"),
            lambda store=store: store.log.append([]),
        ):
            with pytest.raises(NewerFormat, match="update learnlog"):
                write()
    assert path.read_bytes() == there
    found = Store(path).verify()
    assert "newer-format" in [finding.kind for finding in found]
    assert not any(finding.is_damage for finding in found)


def test_a_folder_where_the_log_should_be_is_one_clear_error(path: Path) -> None:
    path.mkdir()
    with pytest.raises(LogUnreadable, match="folder"):
        Store(path).list()
    with pytest.raises(LearnlogError, match="folder"):
        Store(path).record("no")
    assert list(path.iterdir()) == []


def test_a_file_where_a_folder_should_be_is_one_clear_error(path: Path) -> None:
    path.write_bytes(b"a file\n")
    with pytest.raises(LearnlogError):
        Store(path / "sub" / "learnings.jsonl").record("no")
    assert path.read_bytes() == b"a file\n"


def test_missing_parents_are_made_on_write(tmp_path: Path) -> None:
    # interface
    path = tmp_path / "a" / "b" / "c" / "learnings.jsonl"
    store = Store(path)
    assert list(store.list()) == []
    assert not (tmp_path / "a").exists()
    assert store.record("first").ref == "L-001"
    assert titles(path) == {"first"}


def test_a_folder_that_is_removed_while_the_store_is_open_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "a" / "learnings.jsonl"
    store = Store(path)
    store.record("first")
    for file in path.parent.iterdir():
        file.unlink()
    path.parent.rmdir()
    assert list(store.list()) == []
    assert store.record("second").ref == "L-001"
    assert titles(path) == {"second"}


def test_parents_that_cannot_be_made_are_one_clear_error(tmp_path: Path) -> None:
    system = Faulty()

    def makedirs(path: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    system.fail["makedirs"] = makedirs
    with pytest.raises(WriteFailed, match="No space"):
        Store(FileLog(tmp_path / "a" / "learnings.jsonl", system=system)).record("no")
    assert list(tmp_path.iterdir()) == []


def test_a_device_that_is_always_full_takes_nothing_and_says_so(tmp_path: Path) -> None:
    # /dev/full: every write is ENOSPC. The sidecar would stand beside the target, so the call alone goes there
    system = Faulty()
    real = os.open
    system.fail["open"] = lambda where, flags, mode=0o666: real("/dev/full" if where.endswith(".jsonl") else where, flags, mode)
    if not os.path.exists("/dev/full"):
        pytest.skip("no such device here")
    with pytest.raises(WriteFailed, match="No space"):
        Store(FileLog(tmp_path / "learnings.jsonl", system=system)).record("no")


@pytest.mark.parametrize("text", ["# A page\n\nwith words\n", '{"entries": []}\n', '{"ts":"x","key":"k"}\n' * 3, "42\n"])
def test_a_file_that_is_no_log_is_not_written_to(path: Path, text: str) -> None:
    # fault 50: refused by shape, and nothing of the file is changed
    path.write_text(text)
    with pytest.raises(WriteFailed, match="none of them is an event"):
        Store(path).record("no")
    assert path.read_text() == text


def test_a_pipe_is_no_log_and_nobody_waits_for_it(path: Path) -> None:
    os.mkfifo(path)
    for verb in (lambda: Store(path).list(), lambda: Store(path).record("no")):
        with pytest.raises(LogUnreadable, match="no regular file"):
            verb()


@pytest.mark.parametrize("sidecar", [True, False])
def test_the_reference_on_a_damaged_line_is_not_given_again(path: Path, sidecar: bool) -> None:
    # ADD-4: never re-used; the line may come back from a copy
    store = Store(path)
    for title in ("one", "two", "three"):
        store.record(title)
    data = path.read_bytes()
    at = data.rindex(b"three")
    path.write_bytes(data[:at] + b"\x54" + data[at + 1 :])
    if not sidecar:
        path.with_name(path.name + ".lock").unlink()
    assert Store(path).record("four").ref == "L-004"


def test_two_machines_that_import_one_file_keep_both_references(path: Path, tmp_path: Path) -> None:
    # semantics: every reference ever stored stays an alias; and the same event on both is no damage
    source = tmp_path / "gstack.jsonl"
    source.write_text('{"ts":"2026-04-16T07:05:01Z","type":"tool","key":"k","insight":"An insight.","confidence":8}\n')
    other = path.with_name("other.jsonl")
    Store(other).record("first there")
    for log in (path, other):
        import_paths(Store(log), [source])
    merged = path.with_name("merged.jsonl")
    merged.write_bytes(path.read_bytes() + other.read_bytes())
    store = Store(merged)
    uid = next(hit.uid for hit in store.list() if hit.key == "k")
    shown = store.get(uid)
    assert {"L-001", "L-002"} <= {shown.ref, *shown.aliases}
    assert not [finding for finding in store.verify() if finding.is_damage]
