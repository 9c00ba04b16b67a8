"""`review`: what wants a person, one at a time with a key for each decision; without a person's terminal, as a list.

What is decided is written at once (`verdicts`), so that a walk may end anywhere: q, ctrl-C, ctrl-D, a closed terminal, a kill.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from learnlog import ids, terminal
from learnlog.actor import persons_terminal
from learnlog.cli.arguments import Options, comma_list, whole_number
from learnlog.cli.card import card, packed, wrapped
from learnlog.cli.opening import surroundings_of
from learnlog.cli.output import Answer, say
from learnlog.cli.screen import Screen
from learnlog.cli.verdicts import Verdicts
from learnlog.errors import LearnlogError, LogUnreadable
from learnlog.library import Library
from learnlog.reviewing import Review, as_row

if TYPE_CHECKING:
    from learnlog.reviewing import Candidate

INTERRUPTED = 130

_KEYS = (
    # the key, what it is called, and what it does
    ("k", "keep", "it is right as it is: you looked at it, and it does not come up again before something changes"),
    ("a", "accept", "the proposal becomes active"),
    ("r", "reject", "the proposal is deleted, and not proposed again"),
    ("e", "edit", "change it in $VISUAL or $EDITOR"),
    ("s", "scope", "then p project, w workstation, u universal: it moves there"),
    ("v", "severity", "then c critical, h high, m medium, l low"),
    ("t", "trust", "you vouch for these words: your other projects may see them"),
    ("x", "archive", "out of the searches; `learnlog restore` brings it back"),
    ("m", "merge", "the near-duplicate replaces it"),
    ("n", "skip", "not now: it comes up again"),
    ("u", "undo", "take back the last decision of this walk, and go back there (b does the same)"),
    ("q", "quit", "leave; all that was decided stays (ctrl-C and ctrl-D do the same)"),
    ("?", "help", "this"),
)
_SCOPES = {"p": "project", "w": "workstation", "u": "universal"}
_SEVERITIES = {"c": "critical", "h": "high", "m": "medium", "l": "low"}
_PROMPT_ROWS = 2


def review(options: Options) -> Answer:
    """Walk what wants a person, or list it."""
    tiers, reasons, limit = comma_list(options.tier), comma_list(options.reason), whole_number("limit", options.limit)
    library = Library(surroundings_of(options), notify=_once(), by=options.by, session=options.session)
    walks = _persons(library) and not options.json
    about = Review(library, ids.now_ms())
    found = about.candidates(tiers=tiers, reasons=reasons)
    _tell_damage(library)
    total, found = len(found), found if limit is None else found[:limit]
    if not found or not walks:
        rows = [as_row(one) for one in found]
        return Answer(lambda: {"total": total, "entries": rows}, lambda: _listed(found))
    return Walk(library, about, found, options).answer()


def _persons(library: Library) -> bool:
    """Whether there is somebody to walk with: a person who acts as one, and sees what is shown."""
    who = next(iter(library.stores.values())).actor(None, None)
    return who.kind == "human" and persons_terminal(os.environ) and terminal.is_terminal(sys.stdout)


def _once() -> Callable[[str], None]:
    """Says each warning once, not after every decision."""
    said: set[str] = set()

    def tell(message: str) -> None:
        if message not in said:
            said.add(message)
            say(f"warning: {message}")

    return tell


def _tell_damage(library: Library) -> None:
    for store in library.stores.values():
        try:
            told = store.warnings()
        except LogUnreadable:
            continue  # the library has said so
        for warning in told:
            say(f"warning: {warning}")


def _listed(found: Sequence[Candidate]) -> str:
    """A line for each, cut to the terminal that reads it."""
    width = terminal.columns(sys.stdout)
    refs = max((len(one.learning.ref) for one in found), default=0)
    lines = []
    for one in found:
        why = "; ".join(reason.text for reason in one.reasons)
        text = f"{terminal.line(one.learning.ref):<{refs}}  {terminal.line(one.learning.title)}  ({terminal.line(why)})"
        lines.append(text if width is None else terminal.fit(text, width))
    return "\n".join(lines)


class Walk:
    """One walk over candidates, on a person's terminal."""

    def __init__(self, library: Library, about: Review, found: Sequence[Candidate], options: Options) -> None:
        self._library, self._about, self._found, self._options = library, about, found, options
        self._verdicts = Verdicts(library, about)
        self._colour = terminal.wants_colour(sys.stdout, os.environ)
        self._shown = ("", "")
        self._at = 0

    def answer(self) -> Answer:
        """Walk until the end, or until the person leaves; what was decided, in numbers."""
        code = 0
        try:
            with Screen() as self._screen:
                while self._at < len(self._found):
                    if not self._one():
                        break
        except EOFError:
            code = 0  # ctrl-D, or the terminal was closed: both are ways to leave
        except KeyboardInterrupt:
            code = INTERRUPTED
        text = self._summary()
        return Answer(dict, lambda: text, code)

    def _one(self) -> bool:
        """Show the learning that comes next and do what the person says; False when they leave."""
        try:
            candidate = self._about.again(self._found[self._at])
        except LearnlogError as error:
            self._say(f"{self._found[self._at].learning.ref}: {error}")
            candidate = None
        if candidate is None:  # decided by what was done before, or by somebody else
            self._at += 1
            return True
        self._show(candidate)
        key = self._screen.key(self._keys_line(candidate))
        key = {"b": "u"}.get(key, key)
        if key == "q":
            return False
        if key == "?":
            self._help(candidate)
        elif key in self._usable(candidate):
            self._decide(key, candidate)
        elif key:
            self._say(self._why_not(key))
        return True

    def _decide(self, key: str, candidate: Candidate) -> None:
        """What goes wrong with one learning is told in a line, and the walk goes on."""
        try:
            self._say(self._DECISIONS[key](self, candidate))
        except (LearnlogError, OSError) as error:
            self._say(str(error))

    # The decisions: each does it, and says in a sentence what was done ---------------------------------------------------

    def _keep(self, candidate: Candidate) -> str:
        return self._go_on(self._verdicts.keep(self._at, candidate))

    def _skip(self, candidate: Candidate) -> str:
        return self._go_on(self._verdicts.skip(self._at, candidate))

    def _accept(self, candidate: Candidate) -> str:
        return self._verdicts.status(self._at, candidate, "accept", "accepted")

    def _reject(self, candidate: Candidate) -> str:
        return self._go_on(self._verdicts.status(self._at, candidate, "reject", "rejected"))

    def _archive(self, candidate: Candidate) -> str:
        return self._go_on(self._verdicts.status(self._at, candidate, "archive", "archived"))

    def _trust(self, candidate: Candidate) -> str:
        return self._verdicts.trust(self._at, candidate)

    def _scope(self, candidate: Candidate) -> str:
        scope = self._choice("scope", _SCOPES)
        return self._verdicts.reclassify(self._at, candidate, "scoped", scope=scope) if scope else "no other scope"

    def _severity(self, candidate: Candidate) -> str:
        severity = self._choice("severity", _SEVERITIES)
        return self._verdicts.reclassify(self._at, candidate, "rated", severity=severity) if severity else "no other severity"

    def _merge(self, candidate: Candidate) -> str:
        others = {str(number): other for number, other in enumerate(candidate.others, 1)}
        chosen = "1"
        if len(others) > 1:
            chosen = self._screen.key(self._wrapped(f"merge into: 1 to {len(others)}, any other key for none"))
        if chosen not in others:
            return "not merged"
        return self._go_on(self._verdicts.merge(self._at, candidate, others[chosen]))

    def _edit(self, candidate: Candidate) -> str:
        from learnlog.cli.editing import edit

        options = Options()
        options.__dict__.update(vars(self._options), ref=candidate.learning.uid, expect=candidate.learning.event)

        def change() -> str:
            with self._screen.lent():
                return edit(options).text()

        return self._verdicts.edit(self._at, candidate, change)

    def _undo(self, candidate: Candidate) -> str:
        self._at, said = self._verdicts.undo()
        self._shown = ("", "")
        return said

    _DECISIONS: Mapping[str, Callable[[Walk, Candidate], str]] = {
        "k": _keep,
        "a": _accept,
        "r": _reject,
        "e": _edit,
        "s": _scope,
        "v": _severity,
        "t": _trust,
        "x": _archive,
        "m": _merge,
        "n": _skip,
        "u": _undo,
    }

    def _go_on(self, said: str) -> str:
        self._at += 1
        return said

    def _choice(self, name: str, words: Mapping[str, str]) -> str | None:
        listed = ", ".join(f"{key} {word}" for key, word in words.items())
        return words.get(self._screen.key(self._wrapped(f"{name}: {listed}, any other key for none")))

    # What is shown -------------------------------------------------------------------------------------------------------

    def _show(self, candidate: Candidate) -> None:
        """The card, unless it stands there already."""
        seen = (candidate.learning.uid, candidate.learning.event)
        if seen == self._shown:
            return
        self._shown = seen
        columns = self._screen.columns
        prompt = self._keys_line(candidate).count("\n") + 1
        place = f"{self._at + 1} of {len(self._found)}"
        rows = self._screen.rows - prompt - _PROMPT_ROWS
        self._screen.draw(card(candidate, place, columns=columns, rows=rows, colour=self._colour, now_ms=self._about.now_ms))

    def _usable(self, candidate: Candidate) -> set[str]:
        """The keys that mean something for this one."""
        proposed = candidate.learning.status == "proposed"
        usable = {key for key, _, _ in _KEYS} - ({"k"} if proposed else {"a", "r"})
        if not candidate.others:
            usable.discard("m")
        if self._verdicts.last is None:
            usable.discard("u")
        return usable

    def _keys_line(self, candidate: Candidate) -> str:
        usable = self._usable(candidate)
        items = [f"{key} {name}" for key, name, _ in _KEYS if key in usable]
        return "\n".join(packed(items, "  ", self._screen.columns))

    def _why_not(self, key: str) -> str:
        why = {
            "k": "it is proposed: a accepts it, r rejects it, n leaves it for another day",
            "a": "it is not proposed: k keeps it",
            "r": "it is not proposed: x archives it",
            "m": "nothing here says nearly the same",
            "u": "nothing was decided yet",
        }
        return why.get(key, f"{key!r} is no key here; ? lists them")

    def _help(self, candidate: Candidate) -> None:
        usable = self._usable(candidate)
        for key, name, does in _KEYS:
            if key in usable and key != "?":
                self._say(f"{key} {name}: {does}")

    def _wrapped(self, text: str) -> str:
        return "\n".join(wrapped(text, self._screen.columns))

    def _say(self, text: str) -> None:
        self._screen.draw(self._wrapped(terminal.line(text)))

    def _summary(self) -> str:
        counts = self._verdicts.counts()
        decided = ", ".join(f"{count} {what}" for what, count in counts.items()) or "nothing decided"
        left = len(self._found) - self._at
        return f"{decided}; {left} not looked at" if left else decided
