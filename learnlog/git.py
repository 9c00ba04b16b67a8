"""What git knows of a path: asked of git itself, which changes nothing. Without git, or outside a repository: nothing."""

from __future__ import annotations

import os

_PATIENCE_S = 5.0


def is_tracked(path: str) -> bool:
    """Whether a file is committed, or about to be."""
    return _succeeds(path, "ls-files", "--error-unmatch")


def is_ignored(path: str) -> bool:
    """Whether git is told to leave a path alone."""
    return _succeeds(path, "check-ignore", "--quiet")


def _succeeds(path: str, *words: str) -> bool:
    import subprocess

    path = os.path.abspath(path)
    folder = os.path.dirname(path)
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    name = os.path.relpath(path, folder)
    # A repository may name a program to be run for each look at its files: its settings are data from others.
    command = ["git", "-c", "core.fsmonitor=false", "--literal-pathspecs", *words, "--", name]
    if words[0] == "check-ignore":  # which takes paths, no patterns
        command.remove("--literal-pathspecs")
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
    try:
        ran = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE_S,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return False
    return ran.returncode == 0
