"""The folder for what can be made again: this person's alone, as the platform has it. Makes it, and nothing else."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_FOLDER = "learnlog"


def private_folder(environment: Mapping[str, str]) -> str | None:
    """The folder for what is made of logs and projects; None when there is none that is this person's alone."""
    folder = os.path.join(cache_folder(environment), _FOLDER)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        stat = os.stat(folder)
    except (OSError, ValueError):
        return None
    if hasattr(os, "getuid") and (stat.st_uid != os.getuid() or stat.st_mode & 0o022):
        return None  # others could write what this person is told
    return folder


def cache_folder(environment: Mapping[str, str]) -> str:
    """The folder for what can be made again, as the platform has it (XDG Base Directory Specification elsewhere)."""
    given = environment.get("XDG_CACHE_HOME", "")
    if os.path.isabs(given):
        return given
    if sys.platform == "win32":
        return environment.get("LOCALAPPDATA") or os.path.expanduser("~\\AppData\\Local")
    return os.path.expanduser("~/Library/Caches" if sys.platform == "darwin" else "~/.cache")
