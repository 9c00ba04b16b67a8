"""Every exception of the library, by the moment it is raised; nothing here raises one.

Each carries what it is about as attributes, builds its sentence from them, and names the exit code that the command ends
with. `kind` is the word that `--json` prints for it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class LearnlogError(Exception):
    """The root of all of them. Caught by nobody but a program's outermost layer."""

    kind = "failed"
    exit_code = 1


# When arguments are looked at, before anything is read or written ---------------------------------------------------


class InvalidValue(LearnlogError, ValueError):
    """An argument has a value that is not allowed: the name of the argument, the value, and what is allowed."""

    kind = "invalid-value"
    exit_code = 2

    def __init__(self, argument: str, value: object, allowed: str) -> None:
        self.argument, self.value, self.allowed = argument, value, allowed
        try:
            shown = repr(value)
        except ValueError:  # a whole number of more digits than Python writes
            shown = "a number that is too long"
        shown = shown if len(shown) <= 80 else shown[:77] + "..."
        super().__init__(f"{argument}: {shown} is not allowed; it must be {allowed}")


class NotInThisVersion(LearnlogError, NotImplementedError):
    """A verb, command or flag that the interface names and that this version does not have yet."""

    kind = "not-in-this-version"
    exit_code = 2

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(f"{what}: not in this version")


class TooLarge(LearnlogError, ValueError):
    """A text is over its limit (title 500 characters, body 1 MiB, a whole event 4 MiB): refused before the lock."""

    kind = "too-large"
    exit_code = 4

    def __init__(self, what: str, size: int, limit: int, unit: str) -> None:
        self.what, self.size, self.limit, self.unit = what, size, limit, unit
        super().__init__(f"{what} has {size} {unit}; at most {limit} are allowed")


class BatchRefused(LearnlogError, ValueError):
    """Some of many given rows are refused, so that none was stored: `refused` has (position from 1, reason)."""

    kind = "batch-refused"

    def __init__(self, refused: Sequence[tuple[int, str]], given: int) -> None:
        self.refused, self.given = list(refused), given
        first = "; ".join(f"row {row}: {reason}" for row, reason in self.refused[:5])
        more = f"; and {len(self.refused) - 5} more" if len(self.refused) > 5 else ""
        super().__init__(f"{len(self.refused)} of {given} rows refused, nothing stored: {first}{more}")


# When a learning is looked for --------------------------------------------------------------------------------------


class NoSuchLearning(LearnlogError, LookupError):
    """No learning, event or batch answers to the given reference."""

    kind = "no-such-learning"
    exit_code = 3

    def __init__(self, reference: str, near: Iterable[str] = ()) -> None:
        self.reference, self.near = reference, list(near)
        hint = f"; near: {', '.join(self.near)}" if self.near else ""
        super().__init__(f"no learning answers to {reference!r}{hint}")


class AmbiguousReference(LearnlogError, LookupError):
    """Several learnings answer to the reference: `candidates` has (reference, uid, title) of each."""

    kind = "ambiguous-reference"
    exit_code = 3

    def __init__(self, reference: str, candidates: Sequence[tuple[str, str, str]]) -> None:
        self.reference, self.candidates = reference, list(candidates)
        listed = "; ".join(f"{ref} (uid {uid}) {title!r}" for ref, uid, title in self.candidates)
        super().__init__(f"{reference!r} stands for {len(self.candidates)} learnings, name one by its uid: {listed}")


# When a verb meets the state ----------------------------------------------------------------------------------------


class WrongStatus(LearnlogError, ValueError):
    """The verb makes no sense for a learning of this status (archiving what is deleted): nothing is written."""

    kind = "wrong-status"

    def __init__(self, verb: str, reference: str, status: str, remedy: str = "") -> None:
        self.verb, self.reference, self.status = verb, reference, status
        super().__init__(f"cannot {verb} {reference}: it is {status}" + (f"; {remedy}" if remedy else ""))


class KeyTaken(LearnlogError, ValueError):
    """A change would give a learning the category and key that another one holds: the two would be shown as one."""

    kind = "key-taken"

    def __init__(self, reference: str, holder: str, category: str, key: str) -> None:
        self.reference, self.holder, self.category, self.key = reference, holder, category, key
        super().__init__(f"{reference} cannot become {category}/{key}: {holder} is that learning; delete one of them first")


class NothingToUndo(LearnlogError, LookupError):
    """Every event of the learning is undone already, or the named event cannot be undone."""

    kind = "nothing-to-undo"

    def __init__(self, reference: str, reason: str) -> None:
        self.reference, self.reason = reference, reason
        super().__init__(f"nothing to undo for {reference!r}: {reason}")


class Outdated(LearnlogError, ValueError):
    """`expect` named an event and something newer has come since: `newest` is the event that stands now."""

    kind = "outdated"

    def __init__(self, what: str, expected: object, newest: object) -> None:
        self.expected, self.newest = expected, newest
        super().__init__(f"expected {what} {expected} to be the newest, but {newest} came after it; look again and repeat")


# When the log is read -----------------------------------------------------------------------------------------------


class Refused(LearnlogError, ValueError):
    """The guard refused a text: it would act as an instruction when an agent reads it, or holds a secret. Nothing was stored.
    `rule` names what it is; the text itself is never repeated.
    """

    kind = "refused-by-guard"
    exit_code = 4

    def __init__(self, rule: str, field: str) -> None:
        self.rule, self.argument = rule, field
        what = "holds a secret" if rule.startswith("secret/") else "reads like an instruction to whoever is shown it"
        super().__init__(f"{field} {what} ({rule}); nothing was stored. docs/guard.md says what to do")


class NeedsPerson(LearnlogError, PermissionError):
    """Only a person at a terminal may do this, and none is there."""

    kind = "needs-person"

    def __init__(self, verb: str) -> None:
        self.argument = verb
        super().__init__(f"{verb} is for a person at a terminal (SECURITY.md says how one is known)")


class LogUnreadable(LearnlogError, OSError):
    """The log exists and cannot be read, or is no log at all (a folder, a UTF-16 file)."""

    kind = "log-unreadable"

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"cannot read {path}: {reason}")


class SourceUnreadable(LearnlogError, ValueError):
    """A file to import cannot be read, or is in no known format: the message says what was expected."""

    kind = "source-unreadable"

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"cannot import {path}: {reason}")


class ConfigInvalid(LearnlogError, ValueError):
    """A configuration file does not parse, or a key in it has a value that is not allowed."""

    kind = "config-invalid"
    exit_code = 2

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}")


# When the log is written --------------------------------------------------------------------------------------------


class LockTimeout(LearnlogError, TimeoutError):
    """Another process held the lock for the whole time allowed; `holder` says which, where that is known."""

    kind = "lock-timeout"
    exit_code = 5

    def __init__(self, path: str, timeout_s: float, holder: str) -> None:
        self.path, self.timeout_s, self.holder = path, timeout_s, holder
        by = f" by {holder}" if holder else ""
        super().__init__(f"{path} was held{by} for more than {timeout_s:g} s; nothing was written")


class LockFailed(LearnlogError, OSError):
    """The system cannot lock here (ENOLCK, EIO, a read-only folder): nothing was written."""

    kind = "lock-failed"

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"cannot lock {path}: {reason}; nothing was written")


class WriteFailed(LearnlogError, OSError):
    """The append did not reach the disk (full, read-only, an I/O error); the log is as it was before the call."""

    kind = "write-failed"

    def __init__(self, path: str, reason: str, *, restored: bool = True) -> None:
        self.path, self.reason, self.restored = path, reason, restored
        state = "the log is as it was" if restored else "the log could not be cut back: run `learnlog doctor`"
        super().__init__(f"cannot write {path}: {reason}; {state}")


class NewerFormat(LearnlogError, RuntimeError):
    """The log holds lines of a newer major format version: it is read as far as understood and not written."""

    kind = "newer-format"

    def __init__(self, path: str, version: int) -> None:
        self.path, self.version = path, version
        super().__init__(f"{path} has lines of format version {version}; update learnlog to write to it")
