"""What the last writer left for the next: the log's state and the greatest id and number in it; pure, one line of text.

It stands in the first bytes of the lock's sidecar and is read and written only while the lock is held. It proves itself
by its own hash; one that does not, or does not fit the log, is as good as none.
"""

from __future__ import annotations

import os

from msgspec import Struct
from xxhash import xxh3_64_hexdigest

from learnlog import ids

BYTES = 512
_MAGIC = "learnlog-checkpoint-1"


class Checkpoint(Struct, frozen=True, kw_only=True):
    """The log as it was when it was written, and what a writer needs of it. `seal` is the end of its last line."""

    device: int
    inode: int
    size: int
    mtime_ns: int
    last_id: str
    next_number: int
    seal: str

    def fits(self, stat: os.stat_result) -> bool:
        """Whether the log is still exactly the one described."""
        return (self.device, self.inode, self.size, self.mtime_ns) == (
            stat.st_dev,
            stat.st_ino,
            stat.st_size,
            stat.st_mtime_ns,
        )

    def is_prefix_of(self, stat: os.stat_result) -> bool:
        """Whether the log may be the one described with something appended: `seal` decides."""
        return (self.device, self.inode) == (stat.st_dev, stat.st_ino) and stat.st_size > self.size > 0


def to_bytes(checkpoint: Checkpoint) -> bytes:
    """The line that `from_bytes` reads, padded to `BYTES`."""
    c = checkpoint
    text = f"{_MAGIC} {c.device} {c.inode} {c.size} {c.mtime_ns} {c.last_id} {c.next_number} {c.seal} "
    return f"{text}{xxh3_64_hexdigest(text.encode())}".encode().ljust(BYTES - 1) + b"\n"


def from_bytes(data: bytes) -> Checkpoint | None:
    """The checkpoint in `data`, or None when there is none that proves itself."""
    try:
        text = data.decode("ascii").strip()
        head, digest = text[:-16], text[-16:]
        magic, device, inode, size, mtime_ns, last_id, next_number, seal = head.split()
        if magic != _MAGIC or digest != xxh3_64_hexdigest(head.encode()) or not ids.is_id(last_id):
            return None
        numbers = map(int, (device, inode, size, mtime_ns, next_number))
    except ValueError:
        return None
    first = dict(zip(("device", "inode", "size", "mtime_ns", "next_number"), numbers, strict=True))
    return Checkpoint(last_id=last_id, seal=seal, **first)
