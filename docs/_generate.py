"""Write what in the docs is made from the code: `commands.md`, and the output of the sessions that the pages show.

    python docs/_generate.py            writes
    python docs/_generate.py --check    names what is not current, and ends with 1

`tests/test_docs.py` checks the same.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from _sessions import ROOT, refilled

from learnlog import errors, vocabulary
from learnlog.cli.arguments import usage
from learnlog.cli.commands import COMMANDS, LATER, LOG_FLAGS, Command, Flag
from learnlog.cli.editing import EditFailed
from learnlog.cli.exporting import ExportFailed
from learnlog.cli.failure import AnswerLost, UsageError
from learnlog.views.keeping import ViewFailed

DOCS = ROOT / "docs"
COMMANDS_PAGE = DOCS / "commands.md"
SESSIONS = (
    ROOT / "README.md",
    *(DOCS / f"{name}.md" for name in ("tutorial", "how-to", "search", "brief", "view", "the-index", "python")),
)
"""The pages whose sessions are run."""

_TOP = """\
# Commands

Made from the command's own tables by `python docs/_generate.py`: do not edit. `learnlog help COMMAND` says the same.

## What holds for all

**JSON.** Every command takes `--json`, in any place before a `--`. Then stdout has exactly one JSON document, in success and in
failure: `{"error": {"kind": "…", "message": "…", …}}`. Notices and warnings go to stderr, always.

**Which log.** `--log FILE`; else the project in or around `--project DIR`; else `LEARNLOG_LOG`; else the nearest folder upwards
that has a `.learnlog/`; else the top level of the git repository, where a write makes `.learnlog/`; else your own log in
`LEARNLOG_HOME` (default `~/.learnlog`). `--log` and `--project` may stand before the command too. Reading never makes a file.

A log that is named (`--log`, `LEARNLOG_LOG`) is asked alone. A project's is asked together with your own, and what is recorded
goes to the one or the other ([tiers](tiers.md)); `stats`, `doctor`, `import` and `export` work on the project's.

**Which learning.** A reference (`L-001`, also `l-1`; `WL-001` in your own log), a former reference that only one learning had,
a uid, the beginning of one (four characters or more), or `ID@FORMAT` of an imported one.

**Who.** `--by agent` or `--by human`, with `:NAME` if wanted; else `LEARNLOG_ACTOR`; else a person, when stdin and stderr are
a terminal and [no variable of an agent](../SECURITY.md#a-persons-terminal) is set; else an agent. E-mail
addresses are refused.

| variable | what it says |
|---|---|
| `LEARNLOG_HOME` | the folder of your own log and settings |
| `LEARNLOG_LOG` | the log, as `--log` does |
| `LEARNLOG_ACTOR`, `LEARNLOG_SESSION` | who acts, as `--by` and `--session` do |
| `LEARNLOG_DEBUG` | set to anything: an internal error shows its traceback |
| `LEARNLOG_IN_HOOK` | set to anything: no person is at the terminal |
| `XDG_CACHE_HOME` | where [the index](the-index.md) is kept, in `learnlog/` (default `~/.cache`) |
| `NO_COLOR`, `COLUMNS` | no colour; the width of the terminal |
| `VISUAL`, `EDITOR` | the editor of `edit` |

A `LEARNLOG_` variable that means nothing is named in a warning.

## Exit codes

| code | when |
|---|---|
| 0 | done; also when nothing matched |
| 1 | failed, or partly refused; `view --check`: the view and its log differ |
| 2 | wrong usage: an unknown command or flag, a value that is not allowed, something that is not in this version |
| 3 | no such learning, or a reference that stands for several |
| 4 | refused: by [the guard](guard.md), or for its size |
| 5 | the lock was not to be had in time |
| 6 | `doctor` found damage |
| 130 | interrupted |

What stands in `error.kind`, and the Python exception that it is:

"""


def commands_page() -> str:
    """The command reference."""
    parts = [_TOP, _error_table(), "\n"]
    parts += [f"- [`{command.name}`](#learnlog-{command.name}): {command.summary}\n" for command in COMMANDS]
    parts += [_command(command) for command in COMMANDS]
    named = ", ".join(f"`{name}`" for name in LATER)
    parts.append(f"\n## Not in this version\n\nThese names are taken and end with 2: {named}.\n")
    later = [f"`{command.name} {name}`" for command in COMMANDS for flag in command.flags if flag.later for name in flag.names]
    parts.append(f"So do these flags: {', '.join(later)}.\n")
    parts.append(_words())
    return "".join(parts)


def _words() -> str:
    """The vocabulary, and what an operation asks for."""
    lists = (
        ("category", vocabulary.CATEGORIES),
        ("severity", vocabulary.SEVERITIES),
        ("scope", vocabulary.SCOPES),
        ("origin", vocabulary.ORIGINS),
        ("status", vocabulary.STATUSES),
    )
    rows = ["\n## Words\n\nWriting takes these; reading takes any word that stands in the log.\n\n| | |\n|---|---|\n"]
    rows += [f"| {name} | {' '.join(f'`{word}`' for word in words)} |\n" for name, words in lists]
    rows.append(
        "\nWhat `search --operation` keeps: these categories, and words that are none of the six below.\n\n| | |\n|---|---|\n"
    )
    rows += [f"| `{name}` | {', '.join(categories)} |\n" for name, categories in vocabulary.OPERATIONS.items()]
    rows.append("\nWhat counts as one of the six:\n\n| | |\n|---|---|\n")
    for six in sorted(vocabulary.SIX):
        same = [word for word, plain in vocabulary.EQUIVALENTS.items() if plain == six]
        rows.append(f"| {six} | {', '.join(same) or '(itself alone)'} |\n")
    return "".join(rows)


def _error_table() -> str:
    every: list[type[errors.LearnlogError]] = [
        one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.LearnlogError)
    ]
    rows = ["| kind | code | exception | when |\n|---|---|---|---|\n"]
    shown: list[type[errors.LearnlogError]] = [*every[1:], UsageError, AnswerLost, EditFailed, ViewFailed, ExportFailed]
    for one in shown:
        said = " ".join((one.__doc__ or "").split()).removesuffix(".").replace("|", "\\|")
        name = f"`{one.__name__}`" if one.__module__ == errors.__name__ else ""
        rows.append(f"| `{one.kind}` | {one.exit_code} | {name} | {said} |\n")
    rows.append(
        "\nBeside them `failed` (what the system refused, 1), `internal` (a fault of learnlog, 1) and `interrupted` (130).\n"
    )
    return "".join(rows)


def _command(command: Command) -> str:
    text = [f"\n## learnlog {command.name}\n\n{command.summary[0].upper()}{command.summary[1:]}.\n\n    {usage(command)}\n"]
    rows = [(f"`{argument.name}`".replace("|", "\\|"), argument.help) for argument in command.arguments]
    flags = [flag for flag in command.flags if not flag.later]
    own = [flag for flag in flags if flag not in LOG_FLAGS]
    rows += [(_names(flag), flag.help + (" (may be given again)" if flag.many else "")) for flag in own]
    if rows:
        text.append("\n| | |\n|---|---|\n")
        text += [f"| {name} | {said} |\n" for name, said in rows]
    shared = [f"`{name}`" for flag in flags if flag in LOG_FLAGS for name in flag.names]
    if shared:
        text.append(f"\nAlso {' and '.join(shared)}.\n")
    return "".join(text)


def _names(flag: Flag) -> str:
    return ", ".join(f"`{f'{name} {flag.metavar}'.rstrip()}`" for name in flag.names).replace("|", "\\|")


def pages() -> dict[Path, str]:
    """Every page that is made, with the text it should have."""
    with tempfile.TemporaryDirectory() as folder:
        count = iter(range(1000))

        def new_home() -> Path:
            home = Path(folder).resolve() / f"home-{next(count)}"
            home.mkdir()
            return home

        made = {path: refilled(path.read_text(encoding="utf-8"), new_home) for path in SESSIONS if path.exists()}
    return made | {COMMANDS_PAGE: commands_page()}


def main(words: list[str]) -> int:
    """Write the pages, or check them."""
    stale = {path: text for path, text in pages().items() if not path.exists() or path.read_text(encoding="utf-8") != text}
    for path, text in stale.items():
        print(path.relative_to(ROOT), "is not current" if "--check" in words else "written")
        if "--check" not in words:
            path.write_text(text, encoding="utf-8")
    return 1 if stale and "--check" in words else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
