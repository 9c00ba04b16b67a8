"""The one gate to a log: every string of every event passes the guard, or nothing of its call is written.

What a caller gives is looked at before the lock is taken; what stands in the events in the end is looked at once more when they
are appended, as far as it was not seen yet, so that no way around leads into the log.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from learnlog.errors import Refused
from learnlog.events import Event
from learnlog.model import Content, given
from learnlog.policy.guard import scan_all
from learnlog.policy.withholding import texts_in
from learnlog.vocabulary import CATEGORIES, ORIGINS, SCOPES, SEVERITIES

_OURS = frozenset((*CATEGORIES, *ORIGINS, *SCOPES, *SEVERITIES, "agent", "human", ""))
_MOST = 100_000
"""Texts that are remembered as seen, for the calls of one batch."""


class Gate:
    """Remembers the texts that passed it since the last append."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def hold(self, **texts: object) -> None:
        """Look at texts (or values that hold some) by the names of their fields. Raises `Refused`."""
        self._hold([(name, list(texts_in(value))) for name, value in texts.items()])

    def hold_given(self, fields: Mapping[str, Any]) -> None:
        """Look at what a caller gave, before it is brought into form, or refused with a message that repeats it. Raises
        `Refused`.
        """
        self._hold([(str(name), [str(name), *texts_in(value)]) for name, value in fields.items()])

    def hold_content(self, content: Content) -> None:
        """Look at what a learning is to be given. Raises `Refused`."""
        self.hold(**given(content))

    def hold_events(self, events: Iterable[Event]) -> None:
        """Look at what is about to be appended. Raises `Refused`."""
        for event in events:
            self._hold(list(_fields(event)))
        self._seen.clear()

    def _hold(self, fields: list[tuple[str, list[str]]]) -> None:
        texts = [text for _, several in fields for text in several]
        new = [text for text in texts if text not in _OURS and text not in self._seen]
        if not new:
            return
        rule = scan_all(texts)
        if rule is not None:
            rule = scan_all(texts, _allowed())
        if rule is not None:
            raise Refused(rule, _where(fields))
        if len(self._seen) < _MOST:
            self._seen.update(new)


def _fields(event: Event) -> Iterator[tuple[str, list[str]]]:
    """The texts of an event by field: those that somebody gives."""
    if event.learning is not None:
        for name, value in given(event.learning).items():
            yield name, list(texts_in(value))
    if event.actor is not None:
        yield "actor", [event.actor.name, event.actor.session]
    if event.imported is not None:
        yield "imported", [event.imported.format, event.imported.native]
    for name in ("ref", "idem", "evidence", "by", "to", "from_", "path", "reason"):
        value = getattr(event, name)
        if value:
            yield name.removesuffix("_"), list(texts_in(value))


def _allowed() -> frozenset[str]:
    """The rules that this person has allowed; read when a rule is tripped, which is seldom."""
    from learnlog import config

    return config.settings(None, os.environ).guard_allow


def _where(fields: list[tuple[str, list[str]]]) -> str:
    """The field that trips a rule, or those that do together."""
    allowed = _allowed()
    for name, texts in fields:
        if scan_all(texts, allowed) is not None:
            return name
    return " and ".join(name for name, texts in fields if any(texts))
