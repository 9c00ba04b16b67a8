"""What this person looked at in a review and left as it is: a file in LEARNLOG_HOME, a token a line.

A token stands for one reason why one learning wanted a person, with the words that were looked at: other words, or another
reason, and it wants one again. What a reason is, is `reviewing`'s to say. Best effort: a line that is lost is asked once more.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from learnlog import roots
from learnlog.errors import WriteFailed

FILE_NAME = "reviewed"
_KEPT, _OPEN = "kept", "open"


def path_of(environment: Mapping[str, str]) -> str:
    """The file of this person."""
    return os.path.join(roots.home(environment), FILE_NAME)


def read(path: str) -> set[str]:
    """The tokens of all that was kept. A line that is none is left out."""
    try:
        with open(path, encoding="ascii", errors="replace", newline="\n") as file:
            lines = file.read().split("\n")
    except OSError:
        return set()
    tokens: set[str] = set()
    for line in lines:
        word, _, token = line.partition(" ")
        if word == _KEPT and len(token) == 32:
            tokens.add(token)
        elif word == _OPEN:
            tokens.discard(token)
    return tokens


def put(path: str, tokens: Iterable[str], *, on: bool = True) -> None:
    """Keep these, or with `on` False no more. Raises `WriteFailed`."""
    word = _KEPT if on else _OPEN
    lines = "".join(f"{word} {token}\n" for token in tokens)
    if not lines:
        return
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a", encoding="ascii", newline="\n") as file:
            file.write(lines)
    except OSError as error:
        raise WriteFailed(path, error.strerror or str(error)) from error
