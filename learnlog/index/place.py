"""Where the index of a log is kept: a file for each log in this person's cache."""

from __future__ import annotations

import os

from learnlog.cache import private_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def path_of(log: str, prefix: str, environment: Mapping[str, str]) -> str | None:
    """The file for the index of the log at `log`; None when there is no folder of this person's own to keep it in.

    The name is XXH3-64 of the log's real path.
    """
    from xxhash import xxh3_64_hexdigest

    folder = private_folder(environment)
    if folder is None:
        return None
    name = xxh3_64_hexdigest(os.fsencode(os.path.realpath(log)))
    return os.path.join(folder, f"{name}-{prefix}.sqlite")
