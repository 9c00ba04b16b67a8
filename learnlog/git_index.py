"""The paths that git tracks, from its index file: versions 2 to 4, also in a worktree and in a submodule. Runs no git.

The format is git's Documentation/gitformat-index.txt. What an entry says beside its path is passed over.
"""

from __future__ import annotations

import os

LARGEST = 1 << 26
"""Bytes of an index that is read; a larger one is of half a million files."""
_HEADER = 12
_BEFORE_HASH, _HASHES = 40, (20, 32)
"""Bytes of an entry before the object's hash, and of SHA-1 and SHA-256."""
_EXTENDED = 0x40


def find(root: str) -> tuple[str, str] | None:
    """The index file of the repository around a folder, and the folder's path in it with "/" at its end, or "". None: none."""
    folder = os.path.realpath(root)
    inside = ""
    while True:
        found = _index_in(folder)
        if found is not None:
            return found, inside
        above, name = os.path.split(folder)
        if above == folder:
            return None
        folder, inside = above, f"{name}/{inside}"


def read(index: str) -> list[str]:
    """The paths in an index file. Raises `ValueError` for a format that is not known and a file that is cut, `OSError`."""
    with open(index, "rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST or data[:4] != b"DIRC" or int.from_bytes(data[4:8], "big") not in (2, 3, 4):
        raise ValueError(f"{index} is no index of a version that is known")
    error = ValueError()
    for size in _HASHES:  # which one it is stands in a configuration; the other does not fit
        try:
            paths, end = _entries(data, size)
            shared = _shared(index, data, end, size)
        except (IndexError, ValueError) as wrong:
            error = ValueError(f"{index}: {wrong}")
            continue
        own = [os.fsdecode(path) for path in paths if path]
        return own if shared is None else list(dict.fromkeys([*read(shared), *own]))
    raise error


def _index_in(folder: str) -> str | None:
    place = os.path.join(folder, ".git")
    if os.path.isdir(place):
        return os.path.join(place, "index")
    try:
        with open(place, encoding="utf-8", errors="surrogateescape") as file:
            word, _, target = file.read(4096).partition(":")
    except OSError:
        return None
    return os.path.join(folder, target.strip(), "index") if word == "gitdir" else None


def _entries(data: bytes, hash_size: int) -> tuple[list[bytes], int]:
    """The paths, and where the entries end."""
    packed = data[7] == 4
    flags = _BEFORE_HASH + hash_size
    paths = []
    path, at = b"", _HEADER
    for _ in range(int.from_bytes(data[8:12], "big")):
        said = int.from_bytes(data[at + flags : at + flags + 2], "big") & 0xFFF  # the most that it can say is "as many or more"
        begin = at + flags + (4 if data[at + flags] & _EXTENDED else 2)
        if packed:
            cut, begin = _number(data, begin)
            end = data.index(0, begin)
            path = path[: len(path) - cut] + data[begin:end]
            at = end + 1
        else:
            end = data.index(0, begin)
            path = data[begin:end]
            at += (end - at) // 8 * 8 + 8
        if said not in (0xFFF, len(path)):
            raise ValueError("the length of a path is not as it says")
        paths.append(path)
    if at > len(data) - hash_size:
        raise ValueError("it is cut")
    return paths, at


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, as in git's packs (offset encoding), and where it ends."""
    value = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) | (data[at] & 0x7F)
    return value, at + 1


def _shared(index: str, data: bytes, at: int, hash_size: int) -> str | None:
    """The index that this one is a change of ("split index"): what that one has and this takes away is listed all the same."""
    while at + 8 <= len(data) - hash_size:
        name, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "big")
        if name == b"link" and any(data[at + 8 : at + 8 + hash_size]):
            return os.path.join(os.path.dirname(index), f"sharedindex.{data[at + 8 : at + 8 + hash_size].hex()}")
        at += 8 + size
    if at != len(data) - hash_size:
        raise ValueError("its extensions do not end where it ends")
    return None
