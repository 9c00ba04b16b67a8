"""learnlog: an append-only log of what agents and people learned, folded into what is known now.

    from learnlog import Store
    store = Store("learnings.jsonl")
    store.record("pymysql is not thread-safe", category="anti-pattern", severity="critical")

The names below are the public ones; they are imported when first used, because a command is started at every prompt.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from learnlog.doctor import Finding
    from learnlog.done import Done, Recordings, Similar
    from learnlog.errors import (
        AmbiguousReference,
        BatchRefused,
        InvalidValue,
        KeyTaken,
        LearnlogError,
        LockFailed,
        LockTimeout,
        LogUnreadable,
        NewerFormat,
        NoSuchLearning,
        NothingToUndo,
        NotInThisVersion,
        Outdated,
        SourceUnreadable,
        TooLarge,
        WriteFailed,
        WrongStatus,
    )
    from learnlog.model import Actor, Hit, Hits, Learning
    from learnlog.snapshot import Change, History, Snapshot, Stats
    from learnlog.store import Store

_HOMES = {
    "doctor": ("Finding",),
    "done": ("Done", "Recordings", "Similar"),
    "errors": (
        "AmbiguousReference",
        "BatchRefused",
        "InvalidValue",
        "KeyTaken",
        "LearnlogError",
        "LockFailed",
        "LockTimeout",
        "LogUnreadable",
        "NewerFormat",
        "NoSuchLearning",
        "NotInThisVersion",
        "NothingToUndo",
        "Outdated",
        "SourceUnreadable",
        "TooLarge",
        "WriteFailed",
        "WrongStatus",
    ),
    "model": ("Actor", "Hit", "Hits", "Learning"),
    "snapshot": ("Change", "History", "Snapshot", "Stats"),
    "store": ("Store",),
}

__version__ = "0.1.0"
__all__ = [
    "Actor",
    "AmbiguousReference",
    "BatchRefused",
    "Change",
    "Done",
    "Finding",
    "History",
    "Hit",
    "Hits",
    "InvalidValue",
    "KeyTaken",
    "Learning",
    "LearnlogError",
    "LockFailed",
    "LockTimeout",
    "LogUnreadable",
    "NewerFormat",
    "NoSuchLearning",
    "NotInThisVersion",
    "NothingToUndo",
    "Outdated",
    "Recordings",
    "Similar",
    "Snapshot",
    "SourceUnreadable",
    "Stats",
    "Store",
    "TooLarge",
    "WriteFailed",
    "WrongStatus",
    "__version__",
]


def __getattr__(name: str) -> object:
    for module, names in _HOMES.items():
        if name in names:
            from importlib import import_module

            value = getattr(import_module(f"learnlog.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'learnlog' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
