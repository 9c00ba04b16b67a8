"""A disk that is full, fails, or takes less than it was given: an error, the log as it was, and the next append works."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import portalocker.portalocker
import pytest

from learnlog import LearnlogError, LockFailed, Store, WriteFailed
from learnlog.logs.file import FileLog

from .conftest import Faulty, Workers, check_sound, raising, titles


def first(count: int) -> Callable[[int, bytes], int]:
    """A write that takes at most `count` bytes a call, and says so."""
    return lambda fd, data: os.write(fd, data[:count])


def then_full(count: int, number: int = errno.ENOSPC) -> Callable[[int, bytes], int]:
    """A write that takes `count` bytes once and then raises."""
    left = [count]

    def write(fd: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(number, os.strerror(number))
        taken, left[0] = left[0], 0
        return os.write(fd, data[:taken])

    return write


WRITES = {
    "ten bytes a call": lambda: first(10),
    "ten bytes, then full": lambda: then_full(10),
    "half, then full": lambda: then_full(150),
    "all but one byte, then full": lambda: lambda fd, data: os.write(fd, data[: len(data) - 1]) if len(data) > 1 else 0,
    "nothing and no error": lambda: lambda fd, data: 0,
    "full at once": lambda: raising(errno.ENOSPC),
    "over quota": lambda: raising(errno.EDQUOT),
    "half, then over quota": lambda: then_full(150, errno.EDQUOT),
    "too large": lambda: raising(errno.EFBIG),
    "an I/O error": lambda: raising(errno.EIO),
}


@pytest.mark.parametrize("torn", [False, True])
@pytest.mark.parametrize("kind", WRITES)
def test_a_write_that_fails_leaves_the_log_as_it_was_and_the_next_append_works(path: Path, kind: str, torn: bool) -> None:
    # fault 6, invariants 6, 7
    Store(path).record("before")
    if torn:
        path.write_bytes(path.read_bytes() + b'{"cut')
    before = path.read_bytes()
    system = Faulty()
    store = Store(FileLog(path, system=system))
    system.fail["write"] = WRITES[kind]()
    with pytest.raises(WriteFailed) as failed:
        store.record_many([{"title": "one"}, {"title": "two", "body": "b" * 5000}])
    assert failed.value.restored
    assert isinstance(failed.value, OSError)
    assert str(path) in str(failed.value)
    assert isinstance(failed.value.__cause__, OSError)
    assert path.read_bytes() == before
    assert {hit.title for hit in store.list()} == {"before"}
    system.fail.clear()
    assert store.record("after").ref in ("L-002", "L-003", "L-004")
    assert titles(path) == {"before", "after"}


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC, errno.EDQUOT])
def test_an_fsync_that_fails_is_no_success(path: Path, number: int) -> None:
    # invariant 7
    Store(path).record("before")
    before = path.read_bytes()
    system = Faulty()
    system.fail["fdatasync"] = raising(number)
    store = Store(FileLog(path, system=system))
    with pytest.raises(WriteFailed, match="the log is as it was"):
        store.record("not on disk")
    assert path.read_bytes() == before
    assert titles(path) == {"before"} == {hit.title for hit in store.list()}
    system.fail.clear()
    store.record("after")
    assert titles(path) == {"before", "after"}
    check_sound(path)


def test_success_comes_after_fdatasync_and_not_before(path: Path) -> None:
    # invariant 7: the write, then the disk, then the answer
    system = Faulty()
    Store(FileLog(path, system=system)).record("durable")
    assert system.calls.index("write") < system.calls.index("fdatasync")
    system.calls.clear()
    Store(FileLog(path, system=system, durable=False)).record("not durable")
    assert "fdatasync" not in system.calls


def test_a_log_that_cannot_be_cut_back_is_said_to_be_so_and_still_takes_the_next_append(path: Path) -> None:
    # fault 6, invariant 6
    Store(path).record("before")
    before = path.read_bytes()
    system = Faulty()
    system.fail |= {"write": then_full(30), "ftruncate": raising(errno.EIO)}
    with pytest.raises(WriteFailed, match="doctor") as failed:
        Store(FileLog(path, system=system)).record("half of it")
    assert not failed.value.restored
    assert path.read_bytes() == before + path.read_bytes()[len(before) :][:30]
    Store(path).record("after")
    assert titles(path) == {"before", "after"}
    assert [damage.line for damage in Store(path).stats().damaged_lines] == [2]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EMFILE, errno.ENOSPC, errno.EROFS, errno.EIO])
def test_a_log_that_cannot_be_opened_is_one_clear_error(path: Path, number: int) -> None:
    # fault 6
    Store(path).record("before")
    before = path.read_bytes()
    system = Faulty()
    store = Store(FileLog(path, system=system))
    for name in (path.name, path.name + ".lock"):
        real = os.open
        system.fail["open"] = lambda where, flags, mode=0o666, name=name, real=real: (
            raising(number)() if where.endswith("/" + name) else real(where, flags, mode)
        )
        with pytest.raises(WriteFailed if name == path.name else LockFailed, match=os.strerror(number)):
            store.record("no")
    assert path.read_bytes() == before
    system.fail.clear()
    store.record("after")
    assert titles(path) == {"before", "after"}


@pytest.mark.parametrize("call", ["pwrite", "pwrite short"])
def test_a_checkpoint_that_cannot_be_written_costs_nothing_but_time(path: Path, call: str) -> None:
    # a full disk: the sidecar has no room, the log had
    system = Faulty()

    def pwrite(fd: int, data: bytes, offset: int) -> int:
        if offset == 0:
            if call == "pwrite short":
                return os.pwrite(fd, data[:100], offset)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return os.pwrite(fd, data, offset)

    system.fail["pwrite"] = pwrite
    store = Store(FileLog(path, system=system))
    assert [store.record(title).ref for title in "abc"] == ["L-001", "L-002", "L-003"]
    assert Store(path).record("d").ref == "L-004"
    check_sound(path)


def test_an_append_that_is_on_disk_never_fails_for_its_checkpoint(path: Path) -> None:
    # fault 41: the log has the record, so the answer is its reference, whatever becomes of the sidecar
    system = Faulty()
    store = Store(FileLog(path, system=system))
    store.record("before")

    def pwrite(fd: int, data: bytes, offset: int) -> int:
        return raising(errno.EIO)() if offset == 0 else os.pwrite(fd, data, offset)  # type: ignore[return-value]

    system.fail |= {"pwrite": pwrite, "ftruncate": raising(errno.EIO)}
    assert store.record("on disk").ref == "L-002"
    system.fail.clear()
    assert Store(path).record("after").ref == "L-003"


@pytest.mark.parametrize("call", ["fstat", "pread"])
def test_a_failing_look_before_the_write_is_an_error_of_the_library(path: Path, call: str) -> None:
    # errors first: whatever the system says while a log is written comes out as one of ours
    Store(path).record("before")
    before = path.read_bytes()
    system = Faulty()
    system.fail[call] = raising(errno.EIO)
    with pytest.raises(LearnlogError):
        Store(FileLog(path, system=system)).record("no")
    assert path.read_bytes() == before
    assert Store(path).record("after").ref == "L-002"


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EBADF, errno.EIO, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_system_that_cannot_lock_is_one_clear_error(path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    # fault 27: portalocker takes over, and fails in the same way
    Store(path).record("before")
    before = path.read_bytes()
    system = Faulty()
    system.fail["flock"] = raising(number)
    monkeypatch.setattr(fcntl, "flock", raising(number))
    monkeypatch.setattr(portalocker.portalocker, "LOCKER", raising(number))  # bound when it was imported
    open_files = len(os.listdir("/proc/self/fd"))
    with pytest.raises(LockFailed) as failed:
        Store(FileLog(path, system=system, timeout_s=5)).record("no")
    assert "\n" not in str(failed.value)
    assert os.strerror(number) in str(failed.value)
    assert path.read_bytes() == before
    assert len(os.listdir("/proc/self/fd")) <= open_files
    assert titles(path) == {"before"}
    monkeypatch.undo()
    assert Store(path).record("after").ref == "L-002"


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EBADF, errno.EIO])
def test_portalocker_takes_over_where_the_first_try_fails(path: Path, number: int) -> None:
    # fault 27: our own call fails, the library's works
    system = Faulty()
    system.fail["flock"] = raising(number)
    store = Store(FileLog(path, system=system, timeout_s=5))
    assert [store.record(title).ref for title in "ab"] == ["L-001", "L-002"]


def test_a_file_size_limit_is_an_error_and_not_a_torn_log(path: Path, workers: Workers) -> None:
    # fault 6 by the real system: RLIMIT_FSIZE makes the write short, and the rest an error
    Store(path).record("before")
    script = """
import resource
path = sys.argv[1]
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
for room in (10, 300, 4096, 9000):
    limit = max(os.path.getsize(path) + room, 4096)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    before = open(path, "rb").read()
    try:
        Store(path).record("too large", body="x" * 20_000)
    except LearnlogError as error:
        print(error.kind)
    assert open(path, "rb").read() == before
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(Store(path).record("after").ref)
"""
    assert workers.run(script, path).split() == ["write-failed"] * 4 + ["L-002"]
    assert titles(path) == {"before", "after"}
    check_sound(path)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB, where root may mount one."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_fills_up_keeps_every_record_that_was_acknowledged(small_disk: Path) -> None:
    # fault 6, fault 41, invariant 7, by the real system
    path = small_disk / "learnings.jsonl"
    store = Store(path)
    acknowledged = []
    errors = []
    for count in range(40):
        before = path.read_bytes() if path.exists() else b""
        try:
            store.record(f"number {count}", body="x" * (count * 331 % 9000))
            acknowledged.append(f"number {count}")
        except WriteFailed as error:
            errors.append((error, before == path.read_bytes()))
    assert errors
    assert all(error.restored and unchanged for error, unchanged in errors)
    assert len(acknowledged) > 5
    assert titles(path) == set(acknowledged)
    check_sound(path)


def test_a_full_disk_refuses_a_batch_as_a_whole(small_disk: Path) -> None:
    # fault 41: all or nothing
    path = small_disk / "learnings.jsonl"
    Store(path).record("before")
    before = path.read_bytes()
    with pytest.raises(WriteFailed):
        Store(path).record_many({"title": f"row {count}", "body": "x" * 1000} for count in range(100))
    assert path.read_bytes() == before
    assert len(Store(path).record_many({"title": f"row {count}", "body": "x" * 1000} for count in range(20))) == 20


def test_a_disk_without_room_for_the_first_byte_is_an_error_of_the_library(small_disk: Path) -> None:
    # fault 6: not even the sidecar fits
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * 4096 * 16)
    path = small_disk / "learnings.jsonl"
    with pytest.raises((WriteFailed, LockFailed)):
        Store(path).record("no room")
    assert not path.exists() or path.read_bytes() == b""
    filler.unlink()
    assert Store(path).record("room").ref == "L-001"


def test_a_new_log_whose_name_cannot_be_put_on_disk_is_no_success_or_not_there(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # invariant 7: the folder's own fsync fails
    monkeypatch.setattr("learnlog.logs.file.sync_folder", raising(errno.EIO))
    with pytest.raises(WriteFailed) as failed:
        Store(path).record("first")
    assert failed.value.restored
    assert titles(path) == set()
    monkeypatch.undo()
    assert Store(path).record("first").ref == "L-001"
    assert len(Store(path).list()) == 1
