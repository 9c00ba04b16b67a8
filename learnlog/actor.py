"""Who acts: from an argument, from the environment, or from whether a person's terminal is attached."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping

from learnlog.errors import InvalidValue
from learnlog.model import Actor

AGENT_VARIABLES = (
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "OPENCODE",
    "AIDER_MODEL",
    "COPILOT_AGENT",
    "AI_AGENT",
    "LEARNLOG_IN_HOOK",
)
"""Variables that agents set for the commands they run: with one of them there is no person at the terminal."""

_MAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")


def actor_from(by: str | None, session: str | None, environment: Mapping[str, str] | None = None) -> Actor:
    """The actor that `by` (`agent` or `human`, then `:NAME` if wanted) and `session` describe.

    What is None comes from `LEARNLOG_ACTOR` and `LEARNLOG_SESSION`; failing that it is an agent, unless a person's
    terminal is attached. Raises `InvalidValue` for another kind and for an e-mail address, which is never written.

    >>> actor_from("human:Ada", "", {})
    Actor(kind='human', name='Ada', session='')
    """
    environment = os.environ if environment is None else environment
    argument = "by"
    if by is None:
        by = environment.get("LEARNLOG_ACTOR") or None
        argument = "LEARNLOG_ACTOR" if by else argument
    if session is None:
        session = environment.get("LEARNLOG_SESSION", "")
    if by is None:
        by = "human" if persons_terminal(environment) else "agent"
    if not isinstance(by, str):
        raise InvalidValue(argument, by, "'agent' or 'human', then ':NAME' if wanted")
    kind, _, name = by.partition(":")
    if kind not in ("agent", "human"):
        raise InvalidValue(argument, by, "'agent' or 'human', then ':NAME' if wanted")
    for text, where in ((name, argument), (session, "session")):
        if not isinstance(text, str) or len(text) > 200:
            raise InvalidValue(where, text, "a text of at most 200 characters")
        if _MAIL.search(text):
            raise InvalidValue(where, "(an e-mail address)", "a name; e-mail addresses are never written")
    return Actor(kind, name, session)


def persons_terminal(environment: Mapping[str, str]) -> bool:
    """Whether stdin and stderr are terminals and no variable of an agent is set."""
    if any(environment.get(name) for name in AGENT_VARIABLES):
        return False
    try:
        return sys.stdin.isatty() and sys.stderr.isatty()
    except (AttributeError, ValueError):  # a program without them, or with closed ones
        return False
