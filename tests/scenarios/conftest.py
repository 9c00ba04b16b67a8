"""Clones of one repository that write offline and exchange by real git, and what must be the same in all of them."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from learnlog import AmbiguousReference, Hit, NoSuchLearning, Store
from learnlog.events import time_ms
from learnlog.logs.file import FileLog
from learnlog.vocabulary import STATUSES

NOON = time_ms("2026-03-01T12:00:00.000Z")
LATER = NOON + 30 * 86_400_000
"""When everybody looks: confidences that decay are then the same."""
ATTRIBUTE = "/.learnlog/learnings.jsonl text eol=lf merge=union\n"
LOG = Path(".learnlog") / "learnings.jsonl"


class Machine:
    """A log with a clock and a chance of its own, so that every run is the same. `skew_ms` is how wrong its clock goes."""

    def __init__(self, name: str, path: Path, *, skew_ms: int = 0) -> None:
        self.name, self.path = name, path
        self._now_ms = NOON + skew_ms
        self._random = random.Random(name)

    def store(self) -> Store:
        """A store as a new process would open it."""
        log = FileLog(self.path, durable=False)
        return Store(log, by=f"agent:{self.name}", clock=self._tick, random=self._random.randbytes)

    def _tick(self) -> int:
        self._now_ms += 700
        return self._now_ms

    def known(self) -> list[Hit]:
        """Every learning of whatever status, as it is shown to everybody at one moment, by uid."""
        store = Store(self.path, clock=lambda: LATER)
        return sorted(store.list(status=STATUSES), key=lambda hit: hit.uid)

    def refs(self) -> set[tuple[str, str]]:
        """Every reference that is stored here, with the uid of its learning."""
        return {(event.ref, event.uid) for event in FileLog(self.path).read() if event.ref}

    def event_ids(self) -> set[str]:
        """The ids of all events in the log."""
        return {event.id for event in FileLog(self.path).read()}


class Clone(Machine):
    """A machine whose log is in a git repository."""

    def __init__(self, name: str, root: Path, *, skew_ms: int = 0) -> None:
        super().__init__(name, root / LOG, skew_ms=skew_ms)
        self.root = root

    def git(self, *arguments: str, check: bool = True) -> str:
        """Run git here, with nothing of this computer's configuration; its output."""
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root.parent),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_EDITOR": "true",
            "GIT_TERMINAL_PROMPT": "0",
            "LC_ALL": "C",
        }
        identity = ["-c", f"user.name={self.name}", "-c", "user.email=nobody@example.invalid", "-c", "init.defaultBranch=main"]
        quick = ["-c", "gc.auto=0", "-c", "core.fsync=none", "-c", "advice.diverging=false"]
        command = ["git", *identity, *quick, *arguments]
        done = subprocess.run(command, cwd=self.root, env=environment, capture_output=True, text=True, timeout=60)
        assert not check or done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def commit(self, message: str = "learn") -> None:
        """Commit the log and its attribute as they are."""
        attributes = [".gitattributes"] if (self.root / ".gitattributes").exists() else []
        self.git("add", *attributes, str(LOG))
        if self.git("status", "--porcelain", "--untracked-files=no"):
            self.git("commit", "-q", "-m", message)

    def pull(self, other: Clone, how: str = "merge") -> None:
        """Bring in what the other clone has committed."""
        HOW[how](self, other)


def _merge(here: Clone, there: Clone) -> None:
    here.git("pull", "-q", "--no-rebase", "--no-edit", str(there.root), "main")


def _rebase(here: Clone, there: Clone) -> None:
    here.git("pull", "-q", "--rebase", str(there.root), "main")


def _squash(here: Clone, there: Clone) -> None:
    here.git("fetch", "-q", str(there.root), "main")
    here.git("merge", "-q", "--squash", "FETCH_HEAD")
    here.commit("squashed")


def _cherry_pick(here: Clone, there: Clone) -> None:
    here.git("fetch", "-q", str(there.root), "main")
    for commit in here.git("rev-list", "--reverse", "--no-merges", "HEAD..FETCH_HEAD").split():
        here.git("cherry-pick", "--allow-empty", "--keep-redundant-commits", commit)


HOW = {"merge": _merge, "rebase": _rebase, "squash": _squash, "cherry-pick": _cherry_pick}


def first_clone(root: Path, *, attribute: bool = True) -> Clone:
    """A new repository with an empty history; its log is not there yet."""
    root.mkdir(parents=True)
    clone = Clone(root.name, root)
    clone.git("init", "-q")
    if attribute:
        (root / ".gitattributes").write_text(ATTRIBUTE)
    return clone


def clone_of(source: Clone, name: str, *, skew_ms: int = 0, options: Iterable[str] = ()) -> Clone:
    """A clone beside its source."""
    root = source.root.parent / name
    source.git("clone", "-q", *options, str(source.root), str(root))
    return Clone(name, root, skew_ms=skew_ms)


def answers(store: Store, token: str) -> set[str]:
    """The uids of the learnings that answer to a reference: none, one, or several that are listed."""
    try:
        return {store.get(token).uid}
    except AmbiguousReference as ambiguous:
        return {uid for _, uid, _ in ambiguous.candidates}
    except NoSuchLearning:
        return set()


def check_agreement(machines: Iterable[Machine]) -> list[Hit]:
    """All of them show the same learnings, field by field, each under a reference of its own; what they show."""
    machines = list(machines)
    shown = [machine.known() for machine in machines]
    for machine, other in zip(machines[1:], shown[1:], strict=True):
        assert _by_uid(other) == _by_uid(shown[0]), f"{machine.name} and {machines[0].name} differ"
    refs = [hit.ref for hit in shown[0]]
    assert len(refs) == len(set(refs)), f"one reference twice: {sorted(refs)}"
    for machine in machines:
        assert not [finding for finding in Store(machine.path).verify() if finding.is_damage]
    return shown[0]


def _by_uid(hits: list[Hit]) -> dict[str, Any]:
    return {hit.uid: hit for hit in hits}


def check_references(machines: Iterable[Machine], stored: Iterable[tuple[str, str]]) -> None:
    """Whatever reference was ever stored anywhere finds its learning on every machine, alone or among those listed."""
    stored = list(stored)
    for machine in machines:
        store = Store(machine.path)
        for ref, uid in stored:
            now = store.get(uid).uid  # joined ones answer under the older
            assert now in answers(store, ref), f"{ref} does not find {uid} on {machine.name}"
