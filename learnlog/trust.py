"""Whom this person vouches for: a file in LEARNLOG_HOME with the uid and the digest of the words of each learning.

A log cannot say that it is trusted; this file alone does, and other words under the same uid are not what was trusted
(`policy.vouching`). Reading it imports nothing.
"""

from __future__ import annotations

import os

from learnlog import roots
from learnlog.errors import InvalidValue, WriteFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FILE_NAME = "trusted"
_TRUSTED, _NOT = "trusted", "not"


def path_of(environment: Mapping[str, str]) -> str:
    """The file of this person."""
    return os.path.join(roots.home(environment), FILE_NAME)


def read(path: str) -> dict[str, str]:
    """uid -> digest of all that is trusted. A line that is none is left out: what cannot be read is not trusted (fault 45)."""
    try:
        with open(path, encoding="ascii", errors="replace", newline="\n") as file:
            lines = file.read().split("\n")[:-1]  # a last line without an end was cut
    except OSError:
        return {}
    trusted: dict[str, str] = {}
    for line in lines:
        word, _, rest = line.partition(" ")
        uid, _, digest = rest.partition(" ")
        if word == _TRUSTED and uid and len(digest) == 32:
            trusted[uid] = digest
        elif word == _NOT:
            trusted.pop(uid, None)
    return trusted


def put(path: str, given: Iterable[tuple[str, str]], *, on: bool = True) -> None:
    """Trust (uid, digest), or with `on` False trust them no more. Returns when it is on disk. Raises `InvalidValue` for a
    uid that is none, `WriteFailed`, `LockTimeout`.
    """
    from learnlog.lock import lock_for

    given = list(given)
    for uid, _ in given:
        if not uid.isprintable() or " " in uid:
            raise InvalidValue("uid", uid, "printable, without spaces")
    lines = "".join(f"{_TRUSTED} {uid} {digest}\n" if on else f"{_NOT} {uid}\n" for uid, digest in given)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with lock_for(f"{path}.lock").held():
            _append(path, lines.encode("ascii", "replace"))
    except OSError as error:
        raise WriteFailed(path, error.strerror or str(error)) from error


def _append(path: str, data: bytes) -> None:
    """Append whole lines, or none: behind a line that was cut they begin a new one."""
    with open(path, "ab", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        if size and _last_byte(path) != b"\n":
            data = b"\n" + data
        written = file.write(data)
        if written < len(data):
            file.truncate(size)
            raise OSError(28, "no space left on device")
        os.fsync(file.fileno())


def _last_byte(path: str) -> bytes:
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1)
