"""The commands, their arguments and flags: data, one line each. What each does is in the module that its `run` names.

Parsing, help, completion and the command reference are made from these tables, which are plain objects: every start makes them.
"""

from __future__ import annotations

from learnlog.vocabulary import CATEGORIES, ORIGINS, RANKS, SCOPES, SEVERITIES, STATUSES, TIERS


class Flag:
    """One option. Without `metavar` it is a switch; `many`: it may be given again; `later`: not in this version.

    `words` are what a shell may complete it with.
    """

    __slots__ = ("help", "later", "many", "metavar", "names", "words")

    def __init__(
        self,
        *,
        names: tuple[str, ...],
        help: str = "",
        metavar: str = "",
        many: bool = False,
        later: bool = False,
        words: tuple[str, ...] = (),
    ) -> None:
        self.names, self.help, self.metavar = names, help, metavar
        self.many, self.later, self.words = many, later, words


class Argument:
    """What stands without a flag: `most` None means any number."""

    __slots__ = ("help", "least", "most", "name")

    def __init__(self, name: str, least: int, most: int | None, help: str) -> None:
        self.name, self.least, self.most, self.help = name, least, most, help


class Command:
    """One command; `run` is `module:function`."""

    __slots__ = ("arguments", "flags", "name", "run", "summary")

    def __init__(
        self, *, name: str, summary: str, run: str, arguments: tuple[Argument, ...] = (), flags: tuple[Flag, ...] = ()
    ) -> None:
        self.name, self.summary, self.run = name, summary, run
        self.arguments, self.flags = arguments, flags


def _flag(names: str, metavar: str, help_: str, *, many: bool = False, words: tuple[str, ...] = ()) -> Flag:
    return Flag(names=tuple(names.split()), metavar=metavar, help=help_, many=many, words=words)


def _later(*names: str) -> tuple[Flag, ...]:
    return tuple(Flag(names=(name,), later=True) for name in names)


LOG_FLAGS = (
    _flag("--log", "FILE", "this log and nothing else"),
    _flag("--project", "DIR", "the log of the project in or around DIR"),
)
_ACTOR_FLAGS = (
    _flag("--by", "WHO", "agent or human, then :NAME if wanted", words=("agent", "human")),
    _flag("--session", "ID", "the session it happens in"),
)
_CHANGING = (*_ACTOR_FLAGS, *LOG_FLAGS)

REVIEW_REASONS = ("proposed", "classified", "stale", "duplicate", "contradicted", "files")
"""Those of `learnlog.reviewing`, which no other command imports."""

_STYLES = ("learnlog", "add", "gstack", "amplihack", "precedents")
_SCOPES = ("auto", *SCOPES)
_CLASS_FLAGS = (
    _flag("-c --category", "WORD", f"one of {', '.join(CATEGORIES)}", words=CATEGORIES),
    _flag("-s --severity", "WORD", f"one of {', '.join(SEVERITIES)}", words=SEVERITIES),
    _flag("--stack", "A,B", "what it is about; empty: any project", many=True),
    _flag("--scope", "WORD", f"one of {', '.join(_SCOPES)}", words=_SCOPES),
)
_CONTENT_FLAGS = (
    _flag("-b --body", "TEXT", "what there is to say; - reads it from stdin"),
    *_CLASS_FLAGS,
    _flag("--key", "KEY", "a name of its own: recording it again changes this learning"),
    _flag("--tag", "TAG", "a tag", many=True),
    _flag("--file", "PATH", "a file it is about", many=True),
    _flag("--confidence", "N", "0.8, 8/10, or 2 to 10 for tenths"),
    _flag("--origin", "WORD", f"one of {', '.join(ORIGINS)}", words=ORIGINS),
    _flag("--source", "TEXT", "the project it comes from"),
    _flag("--checkpoint", "TEXT", "the moment of the work it was learned at"),
    _flag("--evidence", "TEXT", "what it rests on", many=True),
    _flag("--example", "TEXT", "an example"),
    _flag("--date", "DAY", "the day it was learned, YYYY-MM-DD"),
)
CONTENT_NAMES = tuple(flag.names[-1][2:] for flag in _CONTENT_FLAGS)
CLASS_NAMES = tuple(flag.names[-1][2:] for flag in _CLASS_FLAGS)

_EXPECT = _flag("--expect", "EVENT", "fail when something newer than this event came")
_STATUS = _flag("--status", "WORD", f"of {', '.join(STATUSES)}", many=True, words=STATUSES)
_PAGE_FLAGS = (
    _flag("--limit", "N", "at most so many"),
    _flag("--offset", "N", "without the first so many"),
)
_SEARCH_FLAGS = (
    _flag("--operation", "NAME", "what matters to plan, deploy, … in the project's stack (none known: no stack)"),
    _flag("--stack", "A,B", "for these, and what is for any project", many=True),
    _flag("--category", "WORD", "of this category", many=True, words=CATEGORIES),
    _flag("--severity", "WORD", "of this severity", many=True, words=SEVERITIES),
    _flag("--scope", "WORD", "of this scope", many=True, words=SCOPES),
    _flag("--tag", "TAG", "with this tag", many=True),
    _flag("--file", "PATH", "about this file, folder or pattern", many=True),
    _flag("--origin", "WORD", "of this origin", many=True, words=ORIGINS),
    _flag("--min-confidence", "N", "at least this confidence after decay"),
    _flag("--tier", "WORD", "in this tier", many=True, words=TIERS),
    _STATUS,
    *_PAGE_FLAGS,
    _flag(
        "--rank",
        "WORD",
        "order by severity or confidence; with TEXT also relevance (the default), keywords or precedent",
        words=RANKS,
    ),
    _flag("--count", "", "how many match, and nothing else"),
    _flag("--as-of", "DAY", "what was known at the end of a day, UTC"),
    _flag("--explain", "", "why each hit stands where it stands"),
    _flag("--cross-project", "", "in other projects with the same stack too, what you trust of them"),
)
_BRIEF_LEFT_OUT = ("--rank", "--count", "--explain")

_REF = Argument("REF", 1, 1, "a reference like L-001, a uid or the beginning of one")
_REFS = Argument("REF", 1, None, "references like L-001, uids or beginnings of one; all are changed or none")
_WRITING, _READING, _SETUP = "learnlog.cli.writing", "learnlog.cli.reading", "learnlog.cli.setup"

COMMANDS = (
    Command(
        name="init",
        summary="make .learnlog/, its configuration and the lines that git needs; safe to run again",
        run=f"{_SETUP}:init",
        arguments=(Argument("DIR", 0, 1, "the project's folder; this one when left out"),),
    ),
    Command(
        name="add",
        summary="record a learning",
        run=f"{_WRITING}:add",
        arguments=(Argument("TITLE", 0, 1, "what was learned, in a sentence"),),
        flags=(
            *_CONTENT_FLAGS,
            _flag("--proposed", "", "as a proposal, to be accepted by a person"),
            _flag("--idempotency-key", "KEY", "a call with a key that was seen before writes nothing"),
            _flag("--from", "FILE", "record many: one JSON object a line; - reads stdin"),
            *_CHANGING,
        ),
    ),
    Command(
        name="revise",
        summary="change what a learning says",
        run=f"{_WRITING}:revise",
        arguments=(_REF,),
        flags=(_flag("--title", "TEXT", "the new title"), *_CONTENT_FLAGS, _EXPECT, *_CHANGING),
    ),
    Command(
        name="edit",
        summary="change what a learning says, in $VISUAL or $EDITOR",
        run="learnlog.cli.editing:edit",
        arguments=(_REF,),
        flags=(_EXPECT, *_CHANGING),
    ),
    Command(
        name="reclassify",
        summary="change scope, category, severity or stack",
        run=f"{_WRITING}:reclassify",
        arguments=(_REF,),
        flags=(
            *_CLASS_FLAGS,
            _flag("--move", "", "into another tier out of a committed log: take it away there too, for everybody"),
            _EXPECT,
            *_CHANGING,
        ),
    ),
    Command(
        name="archive",
        summary="take learnings out of searches",
        run=f"{_WRITING}:archive",
        arguments=(_REFS,),
        flags=_CHANGING,
    ),
    Command(
        name="restore",
        summary="make archived or deleted learnings active again",
        run=f"{_WRITING}:restore",
        arguments=(_REFS,),
        flags=_CHANGING,
    ),
    Command(
        name="delete",
        summary="delete learnings; they stay in the log and in history",
        run=f"{_WRITING}:delete",
        arguments=(_REFS,),
        flags=_CHANGING,
    ),
    Command(
        name="accept",
        summary="make proposed learnings active",
        run=f"{_WRITING}:accept",
        arguments=(_REFS,),
        flags=_CHANGING,
    ),
    Command(
        name="reject",
        summary="delete proposed learnings",
        run=f"{_WRITING}:reject",
        arguments=(_REFS,),
        flags=_CHANGING,
    ),
    Command(
        name="undo",
        summary="take back an event, a call, or the last change of a learning",
        run=f"{_WRITING}:undo",
        arguments=(Argument("EVENT|REF", 0, 1, "what to take back; what you did last when left out"),),
        flags=_CHANGING,
    ),
    Command(
        name="search",
        summary="find learnings: every filter is met by any one of its words",
        run=f"{_READING}:search",
        arguments=(Argument("TEXT", 0, None, "words to look for"),),
        flags=(*_SEARCH_FLAGS, *LOG_FLAGS),
    ),
    Command(
        name="brief",
        summary="print the learnings that matter to an operation, a prompt, or both, for an agent to read",
        run="learnlog.cli.briefing:brief",
        arguments=(Argument("PROMPT", 0, None, "what is about to be done, in words"),),
        flags=(
            _flag("--budget", "TOKENS", "at most so many tokens (2000)"),
            _flag("--style", "NAME", f"one of {', '.join(_STYLES)}", words=_STYLES),
            *(flag for flag in _SEARCH_FLAGS if flag.names[-1] not in _BRIEF_LEFT_OUT),
            *LOG_FLAGS,
        ),
    ),
    Command(
        name="trust",
        summary="vouch for learnings as they are now, so that your other projects may see them",
        run="learnlog.cli.trusting:trust_",
        arguments=(_REFS,),
        flags=(_flag("--off", "", "vouch for them no more"), *LOG_FLAGS),
    ),
    Command(
        name="review",
        summary="decide on what wants a person, one at a time; without a terminal: list it",
        run="learnlog.cli.reviewing:review",
        flags=(
            _flag("--tier", "WORD", "in this tier", many=True, words=TIERS),
            _flag("--reason", "WORD", f"for one of {', '.join(REVIEW_REASONS)}", many=True, words=REVIEW_REASONS),
            _PAGE_FLAGS[0],
            *_CHANGING,
        ),
    ),
    Command(
        name="show",
        summary="show one learning with every field",
        run=f"{_READING}:show",
        arguments=(_REF,),
        flags=LOG_FLAGS,
    ),
    Command(
        name="list",
        summary="show all learnings",
        run=f"{_READING}:list_all",
        flags=(_STATUS, *_PAGE_FLAGS, *LOG_FLAGS),
    ),
    Command(
        name="history",
        summary="show every event of a learning, oldest first",
        run=f"{_READING}:history",
        arguments=(_REF,),
        flags=LOG_FLAGS,
    ),
    Command(name="stats", summary="show counts and health", run=f"{_READING}:stats", flags=LOG_FLAGS),
    Command(
        name="doctor",
        summary="verify every line, seal and identity; exit 6 when damage is found",
        run=f"{_READING}:doctor",
        flags=(*_later("--repair"), *LOG_FLAGS),
    ),
    Command(
        name="view",
        summary="make the Markdown view beside the log; --check: exit 1 when the two differ",
        run="learnlog.cli.viewing:view",
        flags=(
            _flag("--check", "", "say how the view and its log differ, and write nothing"),
            _flag("--active", "", "the bounded view instead: the few that matter most in full, the rest by title"),
            *LOG_FLAGS,
        ),
    ),
    Command(
        name="config",
        summary="read or change settings: get KEY, set KEY VALUE, path",
        run=f"{_SETUP}:config",
        arguments=(
            Argument("ACTION", 1, 1, "get, set or path"),
            Argument("KEY", 0, 1, "name, stack, view.commit, …: docs/configuration.md has them all"),
            Argument("VALUE", 0, 1, "the new value; a list as a,b; true or false"),
        ),
        flags=(_flag("--user", "", "this person's settings, not the project's"), LOG_FLAGS[1]),
    ),
    Command(
        name="import",
        summary="bring in learnings of other tools' files",
        run="learnlog.cli.importing:import_",
        arguments=(Argument("PATH", 1, None, "files to read; - reads stdin"),),
        flags=(
            _flag("--format", "NAME", "the files' format; detected when left out", words=("gstack", "add")),
            _flag("--dry-run", "", "say what would be done, and write nothing"),
            _flag(
                "--on-conflict",
                "WORD",
                "what is known here: newer rows change it (newer, the default), it stays (skip), nothing is stored (fail)",
                words=("newer", "skip", "fail"),
            ),
            _flag("--strict", "", "store nothing when a row is refused"),
            *_CHANGING,
        ),
    ),
    Command(
        name="export",
        summary="write what is known for files of other tools: to stdout, or between markers into one file",
        run="learnlog.cli.exporting:export",
        flags=(
            _flag("--format", "NAME", "claude-md: Markdown for CLAUDE.md or AGENTS.md, the default", words=("claude-md",)),
            _flag(
                "-o --output", "FILE", "into this file, made when it is missing: between its markers, and nothing else of it"
            ),
            _flag("-c --category", "WORD", "of this category", many=True, words=CATEGORIES),
            _flag("--min-confidence", "N", "at least this confidence after decay"),
            _flag("--with-personal", "", "leave home folders, e-mail addresses, user and host names in the text"),
            *LOG_FLAGS,
        ),
    ),
    Command(
        name="completion",
        summary="print a script that completes commands and flags",
        run=f"{_SETUP}:completion",
        arguments=(Argument("SHELL", 1, 1, "bash, zsh or fish"),),
    ),
    Command(
        name="help",
        summary="say what a command does",
        run=f"{_SETUP}:help_",
        arguments=(Argument("COMMAND", 0, 1, "the command"),),
    ),
)

LATER = (
    "observe", "confirm", "contradict", "feedback", "supersede", "pin", "mute", "similar",
    "prune", "evolve", "diff", "migrate", "purge", "hook", "mcp", "install", "sync", "merge-driver",
    "gstack-log", "gstack-search",
)  # fmt: skip
"""Commands of the interface that are not in this version."""

BY_NAME = {command.name: command for command in COMMANDS}
