"""When and how the view beside a log is made: whole or not at all, never over what a person wrote, never failing a write.

`rebuild` is for who asks for it, `refresh` for after a write, when the lock of the log is free; `check` compares and writes
nothing. What stands in a view is `markdown`'s, in the bounded one `active`'s. Of several that would make one view one does, and
the others go on at once; it looks at the log again after it has let the others in, so the last change is always in the view.
"""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager

from learnlog.errors import InvalidValue, LearnlogError
from learnlog.roots import FOLDER, LOG_NAME
from learnlog.views import active, markdown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from learnlog.filesystem import FileSystem
    from learnlog.logs import Log
    from learnlog.model import Learning
    from learnlog.store import Store

AUTOMATIC_LIMIT = 2000
"""Above so many active learnings a view is made only when it is asked for: it costs each write more than the write."""
LOCK_SUFFIX, NEW_SUFFIX = ".lock", ".new"
_ROUNDS = 50
"""How often a view is made again because somebody wrote meanwhile; the last one says that it may be behind."""
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_SHOWN = 20
_LAST_SECOND = 253_402_300_799

BUSY, BEHIND, TOO_MANY, FOREIGN = "busy", "behind", "too-many", "foreign"
"""Why a view is not what the log says: another process makes it, others keep writing, the limit, not ours to replace."""


class Form:
    """One form of a view: the end of its name, the statuses of the learnings that it is made of, how its text is made and how
    its entries are found in it.
    """

    __slots__ = ("ending", "entries", "statuses", "text")

    def __init__(
        self,
        ending: str,
        statuses: tuple[str, ...],
        text: Callable[[Sequence[Learning], str], str],
        entries: Callable[[str], dict[str, str]],
    ) -> None:
        self.ending, self.statuses, self.text, self.entries = ending, statuses, text, entries


def _bounded(learnings: Sequence[Learning], log: str) -> str:
    return markdown.sealed(active.render(learnings, log="/".join(log.split(os.sep)[-2:])) + "\n")


WHOLE = Form(".md", ("active",), lambda learnings, _: markdown.render(learnings), markdown.entries)
ACTIVE = Form("-active.md", ("active", "archived"), _bounded, active.entries_of)


class ViewFailed(LearnlogError, OSError):
    """The view cannot be made (no permission, no space, no file at its place): the old one is as it was, and so is the log."""

    kind = "view-failed"

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"cannot make the view {path}: {reason}")


class Outcome:
    """What became of a view: whether the file changed, where a person's edits are now, how many learnings it shows, and
    why it is not up to date (`BUSY`, `BEHIND`, `TOO_MANY`, `FOREIGN`; empty: it is).
    """

    __slots__ = ("kept", "learnings", "left", "path", "written")

    def __init__(self, path: str, *, learnings: int = 0, left: str = "") -> None:
        self.path, self.learnings, self.left = path, learnings, left
        self.written = False
        self.kept: str | None = None


class Difference:
    """One way in which a view and its log differ: `missing`, `unreadable`, `edited`, `foreign` or `outdated`, with `refs`."""

    __slots__ = ("kind", "message", "refs")

    def __init__(self, kind: str, message: str, refs: list[str]) -> None:
        self.kind, self.message, self.refs = kind, message, refs


def view_path(log: Log, form: Form = WHOLE) -> str:
    """Where a view of a log belongs: beside it, with its name and `.md`. Raises `InvalidValue` for a log in no file."""
    if not os.path.isabs(log.name):
        raise InvalidValue("log", log.name, "a file, for a view to stand beside")
    path = os.path.splitext(log.name)[0] + form.ending
    return f"{log.name}{form.ending}" if path.lower() == log.name.lower() else path


def rebuild(store: Store, path: str | None = None, *, form: Form = WHOLE, system: FileSystem | None = None) -> Outcome:
    """Make the view now, however large; a file at its place that is none of ours is moved aside. Raises `ViewFailed`."""
    return _Building(store, path, form=form, system=system).run()


def refresh(store: Store, *, system: FileSystem | None = None) -> list[str]:
    """Make the view after a write, and the bounded one where there is one. Never raises for what the file system does: returns
    what is to be told, mostly nothing.
    """
    told = _refreshed(store, WHOLE, system)
    return told + _refreshed(store, ACTIVE, system) if os.path.lexists(view_path(store.log, ACTIVE)) else told


def _refreshed(store: Store, form: Form, system: FileSystem | None) -> list[str]:
    try:
        building = _Building(store, None, form=form, system=system)
        building.limit = AUTOMATIC_LIMIT
        # Beside `notes.jsonl` somebody may keep a `notes.md`; the standard log's view has a name that is learnlog's own.
        building.takes_over = os.path.basename(store.log.name) == LOG_NAME
        return notices(building.run())
    except (OSError, LearnlogError) as error:
        return [str(error)]


def refresh_theirs(store: Store) -> list[str]:
    """`refresh` of a log that has a view: a project and a person have one, another log only when somebody has made one."""
    folder = os.path.dirname(store.log.name)
    theirs = store.tier == "workstation" or os.path.basename(folder) == FOLDER
    return refresh(store) if theirs or os.path.lexists(view_path(store.log)) else []


def notices(outcome: Outcome) -> list[str]:
    """What to tell of an outcome: where edits went, and why the view is not up to date."""
    told = []
    if outcome.kept:
        told.append(f"{outcome.path} was not as learnlog made it: what stood there is kept in {outcome.kept}")
    why = {
        TOO_MANY: f"it is left as it was: more than {AUTOMATIC_LIMIT:,} active learnings; `learnlog view` makes it",
        FOREIGN: "it is left as it is: learnlog did not make it; `learnlog view` moves it aside and makes its own",
        BEHIND: "it may be a moment behind, others keep writing; `learnlog view` makes it again",
    }.get(outcome.left)
    return [*told, f"{outcome.path}: {why}"] if why else told


# Making it ----------------------------------------------------------------------------------------------------------


class _Building:
    """One call's work on one view."""

    limit: int | None = None
    takes_over = True

    def __init__(self, store: Store, path: str | None, *, form: Form, system: FileSystem | None) -> None:
        from learnlog.filesystem import SYSTEM  # `check` does without

        self._store, self._form, self._system = store, form, system or SYSTEM
        self._path = _path_of(store, path, form)

    def run(self) -> Outcome:
        try:
            return self._run()
        except LearnlogError:
            raise
        except OSError as error:
            raise ViewFailed(self._path, error.strerror or str(error)) from error

    def _run(self) -> Outcome:
        if not os.path.lexists(self._path) and not self._store.list(status="active", limit=1):
            return Outcome(self._path)  # nothing to show, and nothing that shows what was
        done = Outcome(self._path)
        for _ in range(_ROUNDS):
            with self._turn() as mine:
                if not mine:
                    done.left = BUSY
                    return done
                head = self._store.log.head()
                self._round(done)
            # After the turn is given back: whoever wrote before that and was sent away is seen here.
            if done.left or self._store.log.head() == head:
                return done
        done.left = BEHIND
        return done

    @contextmanager
    def _turn(self) -> Iterator[bool]:
        """Whether it is this call's turn, for as long as the block lasts. Nobody waits.

        Not `lock.FileLock`: when it does not get the lock it leaves a thread behind that takes it later, for nobody, and
        whoever comes then would be sent away without anybody making the view.
        """
        import fcntl

        fd = self._system.open(self._path + LOCK_SUFFIX, os.O_RDWR | os.O_CREAT | _NO_FOLLOW)
        try:
            try:
                self._system.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                try:
                    yield True
                finally:
                    self._system.flock(fd, fcntl.LOCK_UN)  # said aloud: a child forked meanwhile shares the open file
        finally:
            self._system.close(fd)

    def _round(self, done: Outcome) -> None:
        if self.limit is not None and self._store.list(status="active", limit=1, offset=self.limit):
            done.left = TOO_MANY
            return
        learnings = self._store.list(status=self._form.statuses)
        done.learnings = sum(one.status == "active" for one in learnings)
        data = self._form.text(learnings, self._store.log.name).encode()
        target = os.path.realpath(self._path)
        seen = _look(target)
        if seen is not None and seen.data == data:
            return
        if not self._may_replace(seen):
            done.left = FOREIGN
            return
        new = target + NEW_SUFFIX
        try:
            self._write(new, data, seen.mode if seen else self._mode_of_log())
            seen = _look(target)  # once more, now that nothing slow is left: a person may have saved meanwhile
            if not self._may_replace(seen):
                done.left = FOREIGN
                return
            if seen is not None and seen.has_words:
                done.kept = done.kept or _aside(target, seen)
            os.replace(new, target)
            done.written = True
        finally:
            _remove(new)

    def _may_replace(self, seen: _Seen | None) -> bool:
        """Whether the file is this call's to replace. Raises `ViewFailed` for a link that leads to anything but a view."""
        if os.path.islink(self._path) and (seen is None or not markdown.is_view(seen.data)):
            # A repository can bring a link that leads anywhere, and a view full of stored text must not land there.
            to = os.path.realpath(self._path)
            raise ViewFailed(self._path, f"it is a link to {to}, which is no view; move one there, and it is kept up to date")
        return self.takes_over or seen is None or not seen.has_words or markdown.is_view(seen.data)

    def _mode_of_log(self) -> int | None:
        """A first view is as private as its log; None for a log in no file."""
        try:
            return os.stat(self._store.log.name).st_mode & 0o666
        except FileNotFoundError:
            return None

    def _write(self, path: str, data: bytes, mode: int | None) -> None:
        """The new view, under the turn, so that one name for all is enough: what a killed process left there goes."""
        _remove(path)
        given = 0o666 if mode is None else mode & 0o666
        fd = self._system.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, given)
        try:
            if mode is not None and self._system.fstat(fd).st_mode & 0o7777 != mode:
                os.chmod(path, mode)
            written = 0
            while written < len(data):
                taken = self._system.write(fd, data[written:] if written else data)
                if not taken:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                written += taken
        finally:
            self._system.close(fd)


class _Seen:
    """A view's file as it was found."""

    def __init__(self, data: bytes, stat: os.stat_result) -> None:
        self.data = data
        self.mode = stat.st_mode & 0o7777
        self.mtime = stat.st_mtime

    @property
    def has_words(self) -> bool:
        """Whether somebody but learnlog wrote in there (fault 48). What a power cut leaves of a new file is empty, or NULs."""
        return bool(self.data.strip(b"\0 \t\r\n")) and not markdown.is_whole(self.data)


def _path_of(store: Store, path: str | None, form: Form) -> str:
    if path is None:
        return view_path(store.log, form)
    path = os.path.abspath(os.path.expanduser(path))
    if os.path.realpath(path) == os.path.realpath(store.log.name):
        raise InvalidValue("path", path, "another file than the log")
    return path


def _look(path: str) -> _Seen | None:
    """The file at `path`; None when there is none. Raises `OSError`, for what is no file too."""
    from stat import S_ISREG

    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe would wait for ever
    except FileNotFoundError:
        return None
    try:
        stat = os.fstat(fd)
        if not S_ISREG(stat.st_mode):
            raise OSError(errno.EINVAL, "there is something at its place that is no file")
        with open(fd, "rb", closefd=False) as file:
            return _Seen(file.read(), stat)
    finally:
        os.close(fd)


def _aside(target: str, seen: _Seen) -> str:
    """Give the file at `target` a second name that says when it was edited, one that nothing has; returns it."""
    import time

    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(min(max(seen.mtime, 0), _LAST_SECOND)))
    stem = f"{target.removesuffix('.md')}.edited-{stamp}"
    count = 1
    while True:
        kept = f"{stem}.md" if count == 1 else f"{stem}-{count}.md"
        try:
            _name_also(target, kept)
        except FileExistsError:
            if not os.path.samefile(target, kept):  # else a process died between this and what follows
                count += 1
                continue
        return kept


def _name_also(target: str, kept: str) -> None:
    """Let the file have the name `kept`, which must be free; also `target` goes on to name it where files can be linked."""
    try:
        os.link(target, kept)
    except FileExistsError:
        raise
    except OSError:  # a file system without links, or a file of somebody else's
        os.close(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        try:
            os.replace(target, kept)
        except OSError:
            _remove(kept)
            raise


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


# Comparing it -------------------------------------------------------------------------------------------------------


def check(store: Store, path: str | None = None, *, form: Form = WHOLE) -> list[Difference]:
    """How the view and the log differ; empty: they do not. Writes nothing."""
    path = _path_of(store, path, form)
    learnings = store.list(status=form.statuses)
    try:
        seen = _look(path)
    except OSError as error:
        return [Difference("unreadable", f"cannot read {path}: {error.strerror or error}", [])]
    if seen is None:
        refs = [one.ref for one in learnings if one.status == "active"]
        return [Difference("missing", f"{path} is not there; `learnlog view` makes it", refs)] if refs else []
    wanted = form.text(learnings, store.log.name)
    data = markdown.as_made(seen.data)
    if data == wanted.encode():
        return []
    found = []
    if not markdown.is_view(data):
        found.append(Difference("foreign", f"{path} was not made by learnlog", []))
    elif not markdown.is_whole(data):
        found.append(Difference("edited", f"{path} was edited; `learnlog view` moves it aside and makes it again", []))
    said, refs = _changes(form.entries(data.decode("utf-8", "replace")), form.entries(wanted))
    if refs or not found:
        what = f"differs from the log in {said}" if refs else "shows what the log says in another form"
        found.append(Difference("outdated", f"{path} {what}", refs))
    return found


def _changes(there: dict[str, str], wanted: dict[str, str]) -> tuple[str, list[str]]:
    """What to say of the entries that differ, and their references: those of the log in its order, then the others."""
    changed = {ref: "changed" if ref in there else "missing" for ref, one in wanted.items() if there.get(ref) != one}
    changed |= {ref: "not in the log" for ref in there if ref not in wanted}
    said = [f"{ref} ({what})" for ref, what in changed.items()]
    more = f" and {len(said) - _SHOWN} more" if len(said) > _SHOWN else ""
    return ", ".join(said[:_SHOWN]) + more, list(changed)
