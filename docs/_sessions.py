"""The sessions that the pages show, run for real: shell commands in `console` blocks, Python in `pycon` blocks.

`python docs/_generate.py` writes what came out into the pages; `tests/test_docs.py` runs them again and compares, with ids,
times and days masked. One page is one session: every block goes on where the one before it ended.
"""

from __future__ import annotations

import contextlib
import doctest
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HOME_SHOWN = "/home/ada"
"""What the pages call the folder that a session runs in."""

_PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
_BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_END = "\x1e"
_MASKS = (
    (r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", "<id>"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", "<time>"),
    (r"\d{4}-\d\d-\d\d", "<day>"),
    (r"[\d.]+/10(?= <day>)", "<confidence>"),  # of what is imported, it falls with every month
    (r"xxh3:[0-9a-f]{16}", "<seal>"),
    (r"process \d+ on [\w.-]+", "<process>"),
    (r"\(byte \d+\)", "(byte <n>)"),
    (r"(?m)^Auto-merging .*\n", ""),  # not every git says it
)


@dataclass(frozen=True)
class Step:
    """One command and what the page says that it prints."""

    command: str
    shown: str


def masked(text: str) -> str:
    """`text` without what differs from run to run.

    >>> masked("2026-02-08T12:00:00.000Z  recorded  8/10 2026-02-08")
    '<time>  recorded  <confidence> <day>'
    """
    for pattern, mask in _MASKS:
        text = re.sub(pattern, mask, text)
    return text


def blocks(page: str, language: str) -> list[str]:
    """The texts of all blocks in a language."""
    return [match["text"] for match in _BLOCK.finditer(page) if match["language"] == language]


def steps(block: str) -> list[Step]:
    """The commands of a `console` block: a line after `$ `, further lines of the same command after `> `."""
    found: list[tuple[list[str], list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(([line[2:]], []))
        elif line.startswith(">") and not found[-1][1]:
            found[-1][0].append(line[2:])
        else:
            found[-1][1].append(line)
    return [Step("\n".join(command), "".join(f"{line}\n" for line in shown)) for command, shown in found]


def run_console(page: str, home: Path) -> list[str]:
    """What every command of a page's `console` blocks prints, to stdout and stderr, in one shell that starts in `home`."""
    commands = [step.command for block in blocks(page, "console") for step in steps(block)]
    script = "".join(f"{command}\n_code=$?; printf '{_END}'; (exit $_code)\n" for command in commands)
    home = home.resolve()
    ran = subprocess.run(
        ["bash"],
        input=f"exec 2>&1\n{script}".encode(),
        stdout=subprocess.PIPE,
        cwd=home,
        env=environment(home),
        timeout=120,
        check=False,
    )
    printed = ran.stdout.decode().replace(str(home), HOME_SHOWN).split(_END)
    if len(printed) != len(commands) + 1:
        raise RuntimeError(f"the session ended early, after {commands[len(printed) - 1]!r}: {printed[-1]}")
    return printed[:-1]


def environment(home: Path) -> dict[str, str]:
    """A person's environment with nothing in it that speaks of learnlog or of an agent."""
    return {
        "HOME": str(home),
        "PATH": _PATH,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in _GIT_PERSON.items()},
    }


_GIT_PERSON = {"NAME": "Ada", "EMAIL": "ada@example.org"}


class _Checker(doctest.OutputChecker):
    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(masked(want), masked(_as_shown(got)), optionflags)


class _Runner(doctest.DocTestRunner):
    """Remembers what every example printed, and which did not print what the page shows."""

    def __init__(self) -> None:
        super().__init__(checker=_Checker(), verbose=False)
        self.printed: list[str] = []
        self.wrong: list[str] = []

    def report_start(self, out: object, test: object, example: object) -> None:
        """Say nothing."""

    def report_success(self, out: object, test: object, example: doctest.Example, got: str) -> None:
        """Remember it; an expected exception stays as the page shows it."""
        self.printed.append(_as_shown(got) if example.exc_msg is None else example.want)

    def report_failure(self, out: object, test: object, example: doctest.Example, got: str) -> None:
        """Remember it, and that it is wrong."""
        if got.startswith("Traceback"):
            got = f"Traceback (most recent call last):\n    ...\n{got.splitlines()[-1]}\n"
        self.printed.append(_as_shown(got))
        self.wrong.append(f">>> {example.source}shown:\n{example.want}printed:\n{got}")

    def report_unexpected_exception(self, out: object, test: object, example: doctest.Example, exc_info: Any) -> None:
        """As a failure."""
        kind, error, _ = exc_info
        self.report_failure(out, test, example, f"Traceback\n{kind.__module__}.{kind.__name__}: {error}\n")


def _as_shown(printed: str) -> str:
    return printed.replace(str(Path.cwd()), HOME_SHOWN)


def run_python(page: str, home: Path) -> tuple[list[str], list[str]]:
    """Run a page's `pycon` blocks in `home`: what each example printed, and which of it is not as the page shows."""
    source = "\n".join(blocks(page, "pycon"))
    runner = _Runner()
    with _in(home):
        runner.run(doctest.DocTestParser().get_doctest(source, {}, "page", "page", 0), out=lambda _: None)
    return runner.printed, runner.wrong


def refilled(page: str, new_home: Callable[[], Path]) -> str:
    """The page with what its sessions print now; what differs only in what is masked stays as it is."""
    printed = iter(run_console(page, new_home())) if blocks(page, "console") else iter(())
    python = run_python(page, new_home())[0] if blocks(page, "pycon") else []
    said = iter(python)

    def fill(match: re.Match[str]) -> str:
        if match["language"] == "console":
            text = "".join(_console_text(step, next(printed)) for step in steps(match["text"]))
        elif match["language"] == "pycon":
            text = _pycon_text(match["text"], said)
        else:
            return match[0]
        return f"```{match['language']}\n{text}```"

    return _BLOCK.sub(fill, page)


def _console_text(step: Step, printed: str) -> str:
    shown = step.shown if masked(step.shown) == masked(printed) else printed
    command = step.command.replace("\n", "\n> ")
    return f"$ {command}\n{shown}"


def _pycon_text(block: str, said: Iterator[str]) -> str:
    text = []
    for part in doctest.DocTestParser().parse(block):
        if isinstance(part, str):
            text.append(part)
            continue
        got = next(said)
        first, *more = part.source.splitlines()
        lines = [f">>> {first}", *(f"... {line}".rstrip() for line in more)]
        shown = part.want if masked(part.want) == masked(got) else got
        text.append("".join(f"{line}\n" for line in lines) + shown)
    return "".join(text)


@contextlib.contextmanager
def _in(folder: Path) -> Iterator[None]:
    """Work in a folder, as a person whose environment says nothing."""
    kept, here = dict(os.environ), Path.cwd()
    os.environ.clear()
    os.environ.update(environment(folder))
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)
        os.environ.clear()
        os.environ.update(kept)
