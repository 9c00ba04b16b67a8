"""`export`: what is known, for files of other tools; to stdout, or into the block that is learnlog's in such a file.

What is between the markers is `formats.markers`' to find; here the file is read, and written whole or not at all.
"""

from __future__ import annotations

import errno
import os
import time
from stat import S_ISREG

from learnlog import formats, terminal
from learnlog.cli.arguments import comma_list, confidence
from learnlog.cli.opening import store_to_read
from learnlog.cli.output import Answer, say
from learnlog.errors import InvalidValue, LearnlogError, NotInThisVersion
from learnlog.filesystem import sync_folder
from learnlog.formats import claude_md, markers
from learnlog.formats.rows import Unreadable
from learnlog.policy import personal
from learnlog.views.markdown import is_view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from learnlog.cli.arguments import Options
    from learnlog.model import Learning
    from learnlog.store import Store

STDOUT = "-"
_MARKDOWN = (".md", ".mdc", ".markdown")
_ROUNDS = 20
"""How often it is done again because somebody saved the file meanwhile."""


class ExportFailed(LearnlogError, OSError):
    """The file cannot be exported into (no permission, no text, markers that make no block): it is as it was."""

    kind = "export-failed"

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"cannot export into {path}: {reason}; it is as it was")


class Exported:
    """What became of a file: whether it changed, and where a person's edits in the block are now."""

    __slots__ = ("kept", "path", "written")

    def __init__(self, path: str) -> None:
        self.path = path
        self.written = False
        self.kept: str | None = None


def export(options: Options) -> Answer:
    """Export the active learnings of the log."""
    _check_format(options.format)
    store = store_to_read(options)
    learnings = [one for one in _learnings(store, options) if claude_md.is_told(one)]
    text = claude_md.render(learnings, _as_they_are if options.with_personal else _cleaner())
    for warning in store.warnings():
        say(f"warning: {warning}")
    if options.output in (None, STDOUT):
        made = markers.block(text) if text else ""
        document = {"path": None, "written": False, "kept": None, "learnings": len(learnings), "text": made}
        return Answer(lambda: document, lambda: made)
    done = put(options.output, text, log=store.log.name)
    if done.kept:
        say(f"{done.path}: its block was edited; what stood there is kept in {done.kept}")
    told = {"path": done.path, "written": done.written, "kept": done.kept, "learnings": len(learnings)}
    return Answer(lambda: told, lambda: _text(done, len(learnings)))


def _check_format(name: str | None) -> None:
    if name in (None, claude_md.NAME):
        return
    if name in formats.NAMES:
        raise NotInThisVersion(f"export --format {name}")
    raise InvalidValue("format", name, f"one of {', '.join(formats.NAMES)}")


def _learnings(store: Store, options: Options) -> Sequence[Learning]:
    """The learnings that the flags ask for: one place, whatever logs they come from."""
    least = confidence("min-confidence", options.min_confidence)
    return store.search(status="active", limit=None, category=comma_list(options.category) or (), min_confidence=least)


def _text(done: Exported, count: int) -> str:
    if not (done.written or count):
        return ""
    shown = f"{count} learning{'' if count == 1 else 's'}"
    return terminal.line(f"{done.path}: {shown}{'' if done.written else ', as it was'}")


# Who is not to be named -----------------------------------------------------------------------------------------------


def _as_they_are(text: str) -> str:
    return text


def _cleaner() -> Callable[[str], str]:
    """What takes this person and this machine out of a text."""
    users = [os.environ.get(name, "") for name in ("USER", "LOGNAME", "USERNAME")]
    hosts = [os.environ.get(name, "") for name in ("HOSTNAME", "COMPUTERNAME")]
    home = os.path.expanduser("~")
    homes = [home, os.path.realpath(home)]
    if hasattr(os, "uname"):
        hosts.append(os.uname().nodename)
    if hasattr(os, "getuid"):
        import pwd

        try:
            account = pwd.getpwuid(os.getuid())
        except KeyError:  # a container's number without a name
            account = None
        if account is not None:
            users += [account.pw_name, account.pw_gecos.partition(",")[0]]
            homes.append(account.pw_dir)
    hosts += [one.partition(".")[0] for one in hosts]
    return personal.cleaner(users=users, hosts=hosts, homes=[one for one in homes if one not in ("/root", "/nonexistent")])


# The file -------------------------------------------------------------------------------------------------------------


def put(path: str, text: str, *, log: str) -> Exported:
    """Make `text` the block of the file, which is made when it is missing and there is a text. Raises `ExportFailed`."""
    if not path.strip() or "\0" in path:
        raise InvalidValue("output", path, "the path of a file, or - for stdout")
    path = os.path.abspath(os.path.expanduser(path))
    target = os.path.realpath(path)
    if target == os.path.realpath(log):
        raise InvalidValue("output", path, "another file than the log")
    if os.path.islink(path) and os.path.splitext(target)[1].lower() not in _MARKDOWN:
        # A repository can bring a link that leads anywhere, and stored text must not land in what a shell reads.
        raise ExportFailed(path, f"it is a link to {target}, which is no Markdown")
    done = Exported(path)
    try:
        for _ in range(_ROUNDS):
            if _put_once(target, text, done):
                return done
    except (markers.Misplaced, Unreadable) as error:
        raise ExportFailed(path, str(error)) from error
    except OSError as error:
        raise ExportFailed(path, error.strerror or str(error)) from error
    raise ExportFailed(path, "others keep writing it")


def _put_once(target: str, text: str, done: Exported) -> bool:
    """Whether it is done: not when somebody saved the file meanwhile."""
    seen = _read(target)
    placed = _placed(seen, text)
    if placed.data == (seen or b""):
        return True
    beside = f"{target}.{os.getpid()}.new"
    try:
        _write(beside, placed.data, target)
        if _read(target) != seen:
            return False
        if placed.edited is not None and done.kept is None:
            done.kept = _keep(target, placed.edited)
        os.replace(beside, target)
    finally:
        if os.path.lexists(beside):
            os.unlink(beside)
    sync_folder(os.path.dirname(target))
    done.written = True
    return True


def _placed(seen: bytes | None, text: str) -> markers.Placed:
    if seen is not None:
        formats.check_encoding(seen)
        if is_view(seen):
            raise Unreadable("it is a view of a log, which is made from the log alone")
    return markers.place(seen, text)


def _read(path: str) -> bytes | None:
    """What is in the file; None when there is none. Raises `OSError`, for what is no file too."""
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))  # a pipe would wait
    except FileNotFoundError:
        return None
    try:
        if not S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "it is no file")
        with open(fd, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(fd)


def _write(path: str, data: bytes, target: str) -> None:
    """A new file of these bytes, on disk, with the mode of the one that it is to replace."""
    if os.path.exists(target) and not os.access(target, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(path, "xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if os.path.exists(target):
        os.chmod(path, os.stat(target).st_mode & 0o7777)


def _keep(target: str, edited: bytes) -> str:
    """A copy of what a person wrote, beside the file under a name that nothing has; returns it."""
    stem, ending = os.path.splitext(target)
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(os.stat(target).st_mtime))
    count = 1
    while True:
        kept = f"{stem}.edited-{stamp}{'' if count == 1 else f'-{count}'}{ending}"
        try:
            _write_new(kept, edited, os.stat(target).st_mode & 0o666)
        except FileExistsError:
            count += 1
        else:
            return kept


def _write_new(path: str, data: bytes, mode: int) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    with open(fd, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
