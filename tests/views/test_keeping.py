"""The file of the view: made whole or not at all, by one at a time, never over a person's words, never failing a write."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from stat import S_IMODE

import pytest

from learnlog import Store
from learnlog.errors import InvalidValue
from learnlog.filesystem import System
from learnlog.logs.memory import MemoryLog
from learnlog.views import keeping, markdown
from learnlog.views.keeping import ViewFailed, check, rebuild, refresh

Opening = Callable[[], Store]


@pytest.fixture
def view(tmp_path: Path) -> Path:
    """Where the view of `open_store`'s log belongs."""
    return tmp_path / "learnings.md"


def kinds(store: Store) -> list[str]:
    return [one.kind for one in check(store)]


def beside(view: Path) -> list[str]:
    """What lies beside the log, without the log, the view and their locks."""
    usual = {"learnings.jsonl", "learnings.jsonl.lock", "learnings.md", "learnings.md.lock"}
    return sorted(one.name for one in view.parent.iterdir() if one.name not in usual)


# When it is made ----------------------------------------------------------------------------------------------------


def test_a_view_stands_beside_its_log_and_shows_what_is_active(open_store: Opening, view: Path) -> None:  # ADD-25..27
    store = open_store()
    store.record("first", body="## RULES")
    store.record("second")
    store.archive("L-002")
    outcome = rebuild(store)
    assert (outcome.path, outcome.written, outcome.kept, outcome.learnings, outcome.left) == (str(view), True, None, 1, "")
    assert list(markdown.entries(view.read_text())) == ["L-001"]
    assert check(store) == []
    assert beside(view) == []


def test_a_view_follows_each_kind_of_change(open_store: Opening, view: Path) -> None:  # ADD-27
    store = open_store()
    changes: list[Callable[[], object]] = [
        lambda: store.record("first"),
        lambda: store.revise("L-001", body="more"),
        lambda: store.reclassify("L-001", severity="high"),
        lambda: store.archive("L-001"),
        lambda: store.restore("L-001"),
        lambda: store.delete("L-001"),
        lambda: store.undo("L-001"),
        lambda: store.archive("L-001"),
    ]
    for change in changes:
        change()
        assert check(store) != []
        assert refresh(store) == []
        assert check(store) == []
    assert view.read_text() == markdown.render([])  # the last one is gone, and the view says so


def test_the_same_state_is_the_same_bytes_and_writes_nothing(open_store: Opening, view: Path) -> None:  # invariant 9
    store = open_store()
    store.record("first", confidence=0.8, origin="observed")
    rebuild(store)
    before, data = view.stat(), view.read_bytes()
    store._clock.pass_days(400)  # type: ignore[attr-defined]  # decay changes what a search says, not the view
    again = rebuild(open_store())
    assert (again.written, again.learnings) == (False, 1)
    assert (view.stat().st_ino, view.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    view.unlink()
    rebuild(open_store())
    assert view.read_bytes() == data


def test_reading_nothing_makes_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "missing" / "learnings.jsonl")
    assert refresh(store) == []
    assert rebuild(store).written is False
    assert check(store) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("log", "name"), [("notes.jsonl", "notes.md"), ("notes", "notes.md"), ("a.b.jsonl", "a.b.md"), (".x", ".x.md")]
)
def test_the_view_of_a_log_with_another_name_has_that_name(tmp_path: Path, log: str, name: str) -> None:
    store = Store(tmp_path / log)
    store.record("first")
    assert refresh(store) == []
    assert list(markdown.entries((tmp_path / name).read_text())) == ["L-001"]


@pytest.mark.parametrize("name", ["log.md", "log.MD"])
def test_a_view_is_never_put_over_its_log(tmp_path: Path, name: str) -> None:
    store = Store(tmp_path / name)
    store.record("first")
    assert rebuild(store).written
    assert Store(tmp_path / name).get("L-001").title == "first"
    (tmp_path / "link.md").symlink_to(tmp_path / name)
    for path in (tmp_path / name, tmp_path / "link.md"):
        with pytest.raises(InvalidValue, match="another file than the log"):
            rebuild(store, str(path))


def test_a_log_in_memory_has_no_view_of_its_own_but_can_be_given_one(tmp_path: Path) -> None:
    store = Store(MemoryLog())
    store.record("first")
    with pytest.raises(InvalidValue, match="a file, for a view"):
        rebuild(store)
    assert rebuild(store, str(tmp_path / "mine.md")).written
    assert check(store, str(tmp_path / "mine.md")) == []


def test_above_the_limit_a_view_is_made_only_when_it_is_asked_for(open_store: Opening, view: Path) -> None:
    store = open_store()
    store.record_many({"title": f"learning {number}"} for number in range(keeping.AUTOMATIC_LIMIT))
    assert refresh(store) == []
    old = view.read_bytes()
    store.record("one more")
    [notice] = refresh(store)
    assert "2,000" in notice
    assert "`learnlog view`" in notice
    assert view.read_bytes() == old
    assert kinds(store) == ["outdated"]
    assert rebuild(store).learnings == keeping.AUTOMATIC_LIMIT + 1
    assert check(store) == []


# Whole or not at all ------------------------------------------------------------------------------------------------


def test_a_reader_never_sees_half_a_view(open_store: Opening, view: Path) -> None:
    store = open_store()
    store.record("first", body="x\n" * 20_000)
    rebuild(store)
    seen: list[bool] = []
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            seen.append(markdown.is_whole(view.read_bytes()))

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for number in range(15):
            store.revise("L-001", body=f"{number}\n" * 20_000)
            assert refresh(store) == []
    finally:
        stop.set()
        reader.join()
    assert seen
    assert all(seen)


def test_the_mode_of_a_view_stays_and_a_first_one_is_as_private_as_its_log(open_store: Opening, view: Path) -> None:
    store = open_store()
    store.record("first")
    log = Path(store.log.name)
    log.chmod(0o600)
    rebuild(store)
    assert S_IMODE(view.stat().st_mode) == 0o600
    for number, mode in enumerate((0o640, 0o664, 0o444)):  # also what the umask of this process would not give
        view.chmod(mode)
        store.record(f"more {number}")
        rebuild(store)
        assert S_IMODE(view.stat().st_mode) == mode
    view.unlink()
    log.chmod(0o664)
    rebuild(store)
    assert S_IMODE(view.stat().st_mode) == 0o664


def test_what_a_killed_process_left_is_no_hindrance(open_store: Opening, view: Path, tmp_path: Path) -> None:
    store = open_store()
    store.record("first")
    (tmp_path / "learnings.md.new").write_text("half a vi")
    (tmp_path / "learnings.md.lock").write_text("")
    assert refresh(store) == []
    assert check(store) == []
    assert beside(view) == []


def test_a_new_view_is_not_written_through_a_link_at_its_name(open_store: Opening, view: Path, tmp_path: Path) -> None:
    store = open_store()
    store.record("first")
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (tmp_path / "learnings.md.new").symlink_to(precious)
    assert refresh(store) == []
    assert precious.read_text() == "mine"
    assert check(store) == []


class Failing(System):
    """A disk that takes half a page and is full then."""

    def write(self, fd: int, data: bytes) -> int:
        os.write(fd, data[:100])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Slow(System):
    """A disk that takes seven bytes a call."""

    def write(self, fd: int, data: bytes) -> int:
        return os.write(fd, data[:7])


class Stuck(System):
    """A disk that takes nothing and does not say why."""

    def write(self, fd: int, data: bytes) -> int:
        return 0


@pytest.mark.parametrize("system", [Failing(), Stuck()])
def test_a_full_disk_is_one_notice_and_leaves_the_old_view(open_store: Opening, view: Path, system: System) -> None:  # fault 6
    store = open_store()
    store.record("first")
    rebuild(store)
    old = view.read_bytes()
    store.record("second")
    [notice] = refresh(store, system=system)
    assert "No space left" in notice
    assert str(view) in notice
    assert view.read_bytes() == old
    assert beside(view) == []
    with pytest.raises(ViewFailed, match="No space left"):
        rebuild(store, system=system)
    assert refresh(store) == []
    assert check(store) == []


def test_a_disk_that_takes_a_few_bytes_a_call_gets_all_of_them(open_store: Opening) -> None:  # fault 6
    store = open_store()
    store.record("first")
    assert rebuild(store, system=Slow()).written
    assert check(store) == []


def test_what_is_no_file_at_its_place_is_one_notice(open_store: Opening, view: Path) -> None:
    store = open_store()
    store.record("first")
    for make, clear in ((view.mkdir, view.rmdir), (lambda: os.mkfifo(view), view.unlink)):
        make()
        [notice] = refresh(store)
        assert "no file" in notice
        assert kinds(store) == ["unreadable"]
        with pytest.raises(ViewFailed):
            rebuild(store)
        clear()
    assert refresh(store) == []


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EIO])
def test_a_lock_that_fails_is_one_notice(open_store: Opening, code: int) -> None:  # fault 27
    class NoLocks(System):
        def flock(self, fd: int, operation: int) -> None:
            raise OSError(code, os.strerror(code))

    store = open_store()
    store.record("first")
    assert refresh(store, system=NoLocks()) == [f"cannot make the view {keeping.view_path(store.log)}: {os.strerror(code)}"]


def test_a_log_that_cannot_be_read_is_one_notice(open_store: Opening, view: Path) -> None:
    store = open_store()
    store.record("first")
    rebuild(store)
    log = Path(store.log.name)
    log.unlink()
    log.mkdir()
    [notice] = refresh(store)
    assert "it is a folder" in notice


# One at a time ------------------------------------------------------------------------------------------------------


def test_who_finds_another_at_work_goes_on_at_once(open_store: Opening, view: Path, tmp_path: Path) -> None:
    store = open_store()
    store.record("first")
    before = threading.active_count()
    with open(tmp_path / "learnings.md.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert rebuild(store).left == keeping.BUSY
        assert refresh(store) == []
    assert not view.exists()
    assert threading.active_count() == before  # nobody is left behind who would take the turn later, for nothing
    assert rebuild(store).written


class Meanwhile(System):
    """Does something while a view is being written: `what` gets the number of the write."""

    def __init__(self, what: Callable[[int], object]) -> None:
        self.what, self.writes = what, 0

    def write(self, fd: int, data: bytes) -> int:
        written = os.write(fd, data)
        self.writes += 1
        self.what(self.writes)
        return written


def test_what_is_written_while_a_view_is_made_is_in_it(open_store: Opening, view: Path) -> None:
    store, other = open_store(), open_store()
    store.record("first")

    def write(count: int) -> None:
        if count <= 2:
            other.record(f"meanwhile {count}")
            assert refresh(other) == []  # it is not its turn

    assert rebuild(store, system=Meanwhile(write)).learnings == 3
    assert list(markdown.entries(view.read_text())) == ["L-003", "L-002", "L-001"]
    assert check(store) == []


def test_what_is_written_when_a_turn_ends_is_in_the_view(open_store: Opening, view: Path) -> None:
    # between the last look at the log and the end of the turn: that writer is sent away, and nobody comes after it
    store, other = open_store(), open_store()
    store.record("first")
    written: list[int] = []

    class AtTheEnd(System):
        def flock(self, fd: int, operation: int) -> None:
            if operation == fcntl.LOCK_UN and not written:
                written.append(1)
                other.record("at the end")
                assert rebuild(other).left == keeping.BUSY
            super().flock(fd, operation)

    rebuild(store, system=AtTheEnd())
    assert list(markdown.entries(view.read_text())) == ["L-002", "L-001"]


def test_a_log_that_never_rests_does_not_hold_its_writer_for_ever(open_store: Opening, view: Path) -> None:
    store, other = open_store(), open_store()
    store.record("first")
    system = Meanwhile(lambda count: other.record(f"meanwhile {count}"))
    [notice] = refresh(store, system=system)
    assert "a moment behind" in notice
    assert system.writes == keeping._ROUNDS
    assert markdown.is_whole(view.read_bytes())


WRITER = """
import sys
from learnlog import Store
from learnlog.views.keeping import refresh
store = Store(sys.argv[1], durable=False)
print("ready", flush=True)
sys.stdin.readline()
for number in range(12):
    store.record(f"{sys.argv[2]} {number}")
    assert refresh(store) == []
"""


def test_the_last_write_of_many_processes_is_in_the_view(open_store: Opening, view: Path) -> None:  # fault 1
    store = open_store()
    store.record("first")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, store.log.name, str(number)], text=True, **pipes)  # type: ignore[call-overload]
        for number in range(4)
    ]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.stdin.write("\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    assert check(store) == []
    assert len(markdown.entries(view.read_text())) == 49
    assert beside(view) == []


# What a person wrote ------------------------------------------------------------------------------------------------

EDITS: list[Callable[[bytes], bytes]] = [
    lambda data: data + b"- my own words\n",
    lambda data: data.replace(b"first", b"my own words"),
    lambda data: b"my own words\n" + data,
    lambda data: data.rpartition(b"<!--")[0] + b"my own words",
    lambda data: b"my own words",
    lambda data: b"\xff\xfemy own words",
]


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("make", [refresh, rebuild])
def test_what_a_person_wrote_is_kept_beside_and_told(
    open_store: Opening, view: Path, edit: Callable[[bytes], bytes], make: Callable[[Store], object]
) -> None:  # fault 48
    store = open_store()
    store.record("first")
    rebuild(store)
    edited = edit(view.read_bytes())
    view.write_bytes(edited)
    os.utime(view, (1_770_552_061, 1_770_552_061))
    assert kinds(store)[0] in ("edited", "foreign")
    kept = view.with_name("learnings.edited-20260208T120101Z.md")
    made = make(store)
    notices = made if isinstance(made, list) else keeping.notices(made)  # type: ignore[arg-type]
    assert notices == [f"{view} was not as learnlog made it: what stood there is kept in {kept}"]
    assert kept.read_bytes() == edited
    assert check(store) == []
    assert make(store) == [] or rebuild(store).kept is None  # told once


def test_an_edit_never_takes_the_place_of_an_earlier_one(open_store: Opening, view: Path) -> None:  # fault 48
    store = open_store()
    store.record("first")
    for number in range(3):
        view.write_text(f"edit {number}")
        os.utime(view, (0, 0))
        assert len(refresh(store)) == 1
    names = [f"learnings.edited-19700101T000000Z{more}.md" for more in ("", "-2", "-3")]
    assert [view.with_name(name).read_text() for name in names] == ["edit 0", "edit 1", "edit 2"]
    assert check(store) == []


@pytest.mark.parametrize("moment", [-5, 2**40])
def test_an_edit_at_an_impossible_time_is_kept_too(open_store: Opening, view: Path, moment: int) -> None:
    store = open_store()
    store.record("first")
    view.write_text("mine")
    try:
        os.utime(view, (moment, moment))
    except (OSError, OverflowError):
        pytest.skip("this file system has no such time")
    kept = rebuild(store).kept
    assert kept is not None
    assert Path(kept).read_text() == "mine"


def test_an_edit_is_kept_where_files_cannot_be_linked(open_store: Opening, view: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", no_links)
    store = open_store()
    store.record("first")
    for number in range(2):
        view.write_text(f"edit {number}")
        os.utime(view, (0, 0))
        assert len(refresh(store)) == 1
    assert view.with_name("learnings.edited-19700101T000000Z.md").read_text() == "edit 0"
    assert view.with_name("learnings.edited-19700101T000000Z-2.md").read_text() == "edit 1"
    assert check(store) == []


def test_a_process_that_died_with_an_edit_in_its_hands_leaves_no_second_copy(open_store: Opening, view: Path) -> None:
    store = open_store()
    store.record("first")
    view.write_text("mine")
    os.utime(view, (0, 0))
    kept = view.with_name("learnings.edited-19700101T000000Z.md")
    os.link(view, kept)
    assert rebuild(store).kept == str(kept)
    assert beside(view) == [kept.name]
    assert kept.read_text() == "mine"


def test_what_is_saved_while_a_view_is_made_is_kept(open_store: Opening, view: Path) -> None:  # fault 48
    store = open_store()
    store.record("first")
    rebuild(store)
    store.record("second")
    outcome = rebuild(store, system=Meanwhile(lambda count: count == 1 and view.write_text("saved just now")))
    assert outcome.kept is not None
    assert Path(outcome.kept).read_text() == "saved just now"
    assert check(store) == []


@pytest.mark.parametrize("left", [b"", b"\n", b"\0" * 4096])
def test_what_a_power_cut_leaves_of_a_view_is_no_edit(open_store: Opening, view: Path, left: bytes) -> None:
    store = open_store()
    store.record("first")
    view.write_bytes(left)
    assert refresh(store) == []
    assert check(store) == []
    assert beside(view) == []


def test_turned_line_ends_are_no_edit_and_no_difference(open_store: Opening, view: Path) -> None:  # fault 19
    store = open_store()
    store.record("first")
    rebuild(store)
    view.write_bytes(view.read_bytes().replace(b"\n", b"\r\n"))
    assert check(store) == []
    store.record("second")
    assert refresh(store) == []
    assert check(store) == []


def test_a_file_that_learnlog_did_not_make_is_left_alone_beside_a_log_of_another_name(tmp_path: Path) -> None:  # fault 48
    store = Store(tmp_path / "README.jsonl")
    store.record("first")
    mine = tmp_path / "README.md"
    mine.write_text("# My project\n")
    [notice] = refresh(store)
    assert "left as it is" in notice
    assert mine.read_text() == "# My project\n"
    assert kinds(store) == ["foreign", "outdated"]
    outcome = rebuild(store)  # asked for by name
    assert outcome.kept is not None
    assert Path(outcome.kept).read_text() == "# My project\n"
    mine.write_text(mine.read_text() + "edited")
    assert "is kept in" in refresh(store)[0]  # it is a view now


# Links --------------------------------------------------------------------------------------------------------------


def test_a_linked_view_is_replaced_where_it_lies(open_store: Opening, view: Path, tmp_path: Path) -> None:
    store = open_store()
    store.record("first")
    rebuild(store)
    docs = tmp_path / "docs"
    docs.mkdir()
    target = docs / "learned.md"
    view.rename(target)
    view.symlink_to(target)
    store.record("second")
    assert refresh(store) == []
    assert view.is_symlink()
    assert list(markdown.entries(target.read_text())) == ["L-002", "L-001"]
    assert [one.name for one in docs.iterdir()] == ["learned.md"]
    target.write_text(target.read_text() + "mine")
    [notice] = refresh(store)
    assert f"{docs}/learned.edited-" in notice


@pytest.mark.parametrize("there", [True, False])
def test_a_link_to_what_is_no_view_is_never_followed(
    open_store: Opening, view: Path, tmp_path: Path, there: bool
) -> None:  # a repository can bring such a link: invariant 10
    store = open_store()
    store.record("first", body="rm -rf precious")
    target = tmp_path / "bashrc"
    if there:
        target.write_text("# mine\n")
    view.symlink_to(target)
    [notice] = refresh(store)
    assert "which is no view" in notice
    with pytest.raises(ViewFailed, match="which is no view"):
        rebuild(store)
    assert target.exists() is there
    assert not there or target.read_text() == "# mine\n"
    assert beside(view) == (["bashrc"] if there else [])


def test_the_view_of_a_linked_log_stands_beside_the_link(open_store: Opening, tmp_path: Path) -> None:
    open_store().record("first")
    (tmp_path / "elsewhere").mkdir()
    linked = tmp_path / "elsewhere" / "learnings.jsonl"
    linked.symlink_to(tmp_path / "learnings.jsonl")
    assert rebuild(Store(linked)).written
    assert (tmp_path / "elsewhere" / "learnings.md").is_file()
    assert not (tmp_path / "learnings.md").exists()


# Comparing ----------------------------------------------------------------------------------------------------------


def test_a_check_says_what_differs_and_writes_nothing(open_store: Opening, view: Path) -> None:
    store = open_store()
    for title in ("first", "second", "third"):
        store.record(title)
    [missing] = check(store)
    assert (missing.kind, sorted(missing.refs)) == ("missing", ["L-001", "L-002", "L-003"])
    assert not view.exists()
    rebuild(store)
    store.revise("L-001", body="more")
    store.reclassify("L-002", category="process")
    store.delete("L-003")
    store.record("fourth")
    old = view.read_bytes()
    [found] = check(store)
    assert found.kind == "outdated"
    assert sorted(found.refs) == ["L-001", "L-002", "L-003", "L-004"]
    for said in ("L-001 (changed)", "L-002 (changed)", "L-003 (not in the log)", "L-004 (missing)"):
        assert said in found.message
    view.write_bytes(old + b"mine")
    assert kinds(store) == ["edited", "outdated"]
    assert view.read_bytes() == old + b"mine"
    assert beside(view) == []


def test_a_check_names_a_few_of_many_and_has_them_all(open_store: Opening) -> None:
    store = open_store()
    store.record("first")
    rebuild(store)
    store.record_many({"title": f"learning {number}"} for number in range(30))
    [found] = check(store)
    assert len(found.refs) == 30
    assert found.message.endswith("and 10 more")


def test_a_view_of_another_version_is_outdated_and_no_edit(open_store: Opening, view: Path) -> None:
    store = open_store()
    store.record("first")
    rebuild(store)
    above = view.read_text().rpartition("<!--")[0]
    view.write_text(markdown.sealed(above.replace("# Learnings", "# Learned", 1)))
    [found] = check(store)
    assert (found.kind, found.refs) == ("outdated", [])
    assert refresh(store) == []
    assert check(store) == []
    assert beside(view) == []
