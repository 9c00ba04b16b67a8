"""learnlog: an append-only log of what agents and people learned, folded into what is known now.

    from learnlog import Library, Store
    store = Store("learnings.jsonl")                             # one log
    store.record("pymysql is not thread-safe", category="anti-pattern", severity="critical")
    library = Library.discover()                                 # the project's log and this person's own, as one
    library.brief("fix the connection pool").text

The names below are the public ones; they are imported when first used, because a command is started at every prompt.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from learnlog.doctor import Finding
    from learnlog.done import Done, Recordings, Similar
    from learnlog.errors import (
        AmbiguousReference,
        BatchRefused,
        ConfigInvalid,
        InvalidValue,
        KeyTaken,
        LearnlogError,
        LockFailed,
        LockTimeout,
        LogUnreadable,
        NeedsPerson,
        NewerFormat,
        NoSuchLearning,
        NothingToUndo,
        NotInThisVersion,
        Outdated,
        Refused,
        SourceUnreadable,
        TooLarge,
        WriteFailed,
        WrongStatus,
    )
    from learnlog.library import Library
    from learnlog.model import Actor, Hit, Hits, Learning
    from learnlog.snapshot import Change, History, Snapshot, Stats
    from learnlog.store import Store
    from learnlog.views.brief import Brief

_HOMES = {
    "doctor": ("Finding",),
    "done": ("Done", "Recordings", "Similar"),
    "errors": (
        "AmbiguousReference",
        "BatchRefused",
        "ConfigInvalid",
        "InvalidValue",
        "KeyTaken",
        "LearnlogError",
        "LockFailed",
        "LockTimeout",
        "LogUnreadable",
        "NeedsPerson",
        "NewerFormat",
        "NoSuchLearning",
        "NotInThisVersion",
        "NothingToUndo",
        "Outdated",
        "Refused",
        "SourceUnreadable",
        "TooLarge",
        "WriteFailed",
        "WrongStatus",
    ),
    "library": ("Library",),
    "model": ("Actor", "Hit", "Hits", "Learning"),
    "snapshot": ("Change", "History", "Snapshot", "Stats"),
    "store": ("Store",),
    "views.brief": ("Brief",),
}

__version__ = "0.1.0"
__all__ = [
    "Actor",
    "AmbiguousReference",
    "BatchRefused",
    "Brief",
    "Change",
    "ConfigInvalid",
    "Done",
    "Finding",
    "History",
    "Hit",
    "Hits",
    "InvalidValue",
    "KeyTaken",
    "Learning",
    "LearnlogError",
    "Library",
    "LockFailed",
    "LockTimeout",
    "LogUnreadable",
    "NeedsPerson",
    "NewerFormat",
    "NoSuchLearning",
    "NotInThisVersion",
    "NothingToUndo",
    "Outdated",
    "Recordings",
    "Refused",
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
