"""What the docs say is so: links lead somewhere, commands parse, sessions print what is shown, named tests exist."""

from __future__ import annotations

import ast
import re
import shlex
import sys
from pathlib import Path

import pytest

import learnlog
from learnlog.cli.arguments import choose, parse
from learnlog.index import schema
from learnlog.policy import ranking
from learnlog.query import EXACT_TOTAL
from learnlog.text import COMMON, tokens
from learnlog.views.keeping import AUTOMATIC_LIMIT
from learnlog.vocabulary import RANKS

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs"))

import _generate  # noqa: E402 - the docs are no package
import _sessions  # noqa: E402

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
SESSIONS = [str(page.relative_to(ROOT)) for page in _generate.SESSIONS]
"""The pages whose sessions are run here and by `docs/_generate.py`."""


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def anchors_of(page: str) -> set[str]:
    """The anchors that headings make, as the common hosts write them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", page, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def shown_commands(page: str) -> list[str]:
    """Every `learnlog …` that a page shows as something to type."""
    found = []
    for language in ("console", "sh"):
        for block in _sessions.blocks(page, language):
            commands = [step.command for step in _sessions.steps(block)] if language == "console" else block.splitlines()
            found += [command for command in commands if re.search(r"\blearnlog\b", command)]
    return found


def words_of(command: str) -> list[list[str]]:
    """The words of each call of learnlog in a line of shell, without its program's name."""
    text = re.sub(r"<<'?(\w+)'?\n.*?\n\1", "", command.replace("\\\n", " "), flags=re.DOTALL)
    text = re.sub(r"\s\d(?=>)", " ", text)  # the number of what is redirected is no word
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    calls: list[list[str]] = []
    going = False
    for word in lexer:
        if word == "learnlog" and not going:
            calls.append([])
            going = True
        elif re.fullmatch(r"[|&;()<>]+", word):
            going = False
        elif going:
            calls[-1].append(word)
    return calls


@pytest.mark.parametrize("name", NAMES)
def test_every_relative_link_leads_somewhere(name: str) -> None:
    page = ROOT / name
    for target in _LINK.findall(re.sub(r"```.*?```", "", text_of(name), flags=re.DOTALL)):
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{name} links to {target}"
        if anchor:
            assert anchor in anchors_of(there.read_text(encoding="utf-8")), f"{name} links to {target}"


def test_every_page_is_reached_from_the_map() -> None:
    seen = {ROOT / "README.md"}
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        for target in _LINK.findall(page.read_text(encoding="utf-8")):
            there = (page.parent / target.partition("#")[0]).resolve()
            if there.suffix == ".md" and there.exists() and there not in seen:
                seen.add(there)
                waiting.append(there)
    assert {str(page.relative_to(ROOT)) for page in PAGES} - {str(page.relative_to(ROOT)) for page in seen} == set()


@pytest.mark.parametrize("name", [name for name in NAMES if "learnlog" in "".join(shown_commands(text_of(name)))])
def test_every_command_that_a_page_shows_parses(name: str) -> None:
    for command in shown_commands(text_of(name)):
        for words in words_of(command):
            chosen, rest = choose([word for word in words if word != "--json"])
            parse(chosen, rest)


def test_the_words_of_a_command_are_found_in_a_line_of_shell() -> None:
    assert words_of("cd x && learnlog add 'a b' --tag c > /dev/null & learnlog list | head -1; echo $?") == [
        ["add", "a b", "--tag", "c"],
        ["list"],
    ]
    assert words_of("cat <<'END'\nlearnlog nonsense\nEND") == []
    assert words_of("learnlog view 2> told.txt; learnlog list 2>&1") == [["view"], ["list"]]


@pytest.mark.parametrize("name", [name for name in SESSIONS if _sessions.blocks(text_of(name), "console")])
def test_a_session_prints_what_the_page_shows(name: str, tmp_path: Path) -> None:
    page = text_of(name)
    shown = [step for block in _sessions.blocks(page, "console") for step in _sessions.steps(block)]
    assert len(shown) >= 8
    printed = _sessions.run_console(page, tmp_path)
    for step, got in zip(shown, printed, strict=True):
        assert (step.command, _sessions.masked(got)) == (step.command, _sessions.masked(step.shown))


@pytest.mark.parametrize("name", [name for name in SESSIONS if _sessions.blocks(text_of(name), "pycon")])
def test_the_python_that_a_page_shows_prints_what_it_shows(name: str, tmp_path: Path) -> None:
    printed, wrong = _sessions.run_python(text_of(name), tmp_path)
    assert wrong == []
    assert len(printed) >= 4


def test_every_page_with_a_session_is_run() -> None:
    shown = {name for name in NAMES for language in ("console", "pycon") if _sessions.blocks(text_of(name), language)}
    assert shown == set(SESSIONS)


def test_a_session_that_prints_something_else_is_seen(tmp_path: Path) -> None:
    # the checks above can fail: a wrong output is found, and written down rightly
    page = "```console\n$ learnlog add a --log l.jsonl\nL-009 recorded\n```\n\n```pycon\n>>> 1 + 1\n3\n>>> 1 / 0\n```\n"
    homes = iter([tmp_path / "shell", tmp_path / "python"])

    def new_home() -> Path:
        home = next(homes)
        home.mkdir()
        return home

    right = _sessions.refilled(page, new_home)
    assert "L-001 recorded" in right
    assert ">>> 1 + 1\n2\n" in right
    assert "...\nbuiltins.ZeroDivisionError: division by zero" in right
    assert len(_sessions.run_python(page, tmp_path)[1]) == 2


def test_the_command_reference_is_made_from_the_tables_of_now() -> None:
    # style 14: what can drift is generated and checked
    assert _generate.COMMANDS_PAGE.read_text(encoding="utf-8") == _generate.commands_page(), "run python docs/_generate.py"


def test_the_readme_begins_with_the_two_commands() -> None:
    first_screen = "\n".join(text_of("README.md").splitlines()[:40])
    for command in ("make try", "make test", "pip install learnlog-store"):
        assert command in first_screen


def test_every_test_that_the_guarantees_name_exists() -> None:
    named = _NAMED_TEST.findall(text_of("docs/guarantees.md"))
    assert len(named) >= 40
    for file, function in named:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        there = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert function in there, f"{file}::{function}"


@pytest.mark.parametrize("number", range(1, 11))
def test_every_invariant_names_a_test_that_proves_it(number: int) -> None:
    page = text_of("docs/guarantees.md")
    begin = page.index(f"**{number}. ")
    end = page.index(f"**{number + 1}. ") if number < 10 else page.index("\n## ", begin)
    assert _NAMED_TEST.search(page, begin, end)


@pytest.mark.parametrize("name", [name for name in learnlog.__all__ if name != "__version__"])
def test_the_python_page_names_every_public_name(name: str) -> None:
    assert re.search(rf"`{name}\b", text_of("docs/python.md"))


@pytest.mark.parametrize("name", [name for name in vars(learnlog.Store) if not name.startswith("_")])
def test_the_python_page_has_every_verb(name: str) -> None:
    if name in ("import_events", "rehearse"):  # doors for importers, which are shown as `import_paths`
        return
    assert re.search(rf"\b{name}\(", text_of("docs/python.md"))


def test_the_licence_is_in_the_package_description() -> None:
    assert "MIT License" in text_of("LICENSE")
    assert 'license = "MIT"' in text_of("pyproject.toml")


# What the pages about search and the index say of the code's tables (style 14) ------------------------------------------


def rows_of(page: str, first: str) -> list[list[str]]:
    """The cells of the table whose first heading is `first`, without its headings."""
    table = re.search(rf"^\| {re.escape(first)} \|.*\n\|[-|]+\n((?:\|.*\n)+)", page, re.MULTILINE)
    assert table, f"no table begins with {first!r}"
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table[1].splitlines()]


def test_the_words_that_the_search_page_shows_are_those_of_the_tokenizer() -> None:
    rows = rows_of(text_of("docs/search.md"), "text")
    assert len(rows) >= 10
    for text, words in rows:
        assert tokens(text.strip("`")) == re.findall(r"`([^`]+)`", words)


def test_the_common_words_on_the_search_page_are_those_that_are_left_out() -> None:
    [listed] = re.findall(r"^> (.*)$", text_of("docs/search.md"), re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", listed)) == COMMON


def test_the_constants_on_the_search_page_are_those_of_the_ranking() -> None:
    page = text_of("docs/search.md")
    for name, value, _ in rows_of(page, "constant"):
        assert getattr(ranking, name.strip("`")) == float(value)
    assert f"`HALF_LIFE_DAYS` is {ranking.HALF_LIFE_DAYS}" in page
    factors = re.findall(r"([\d.]+) for (critical|high|low)\b|\b(1) for (medium)", page)
    shown = {word or other: float(factor or one) for factor, word, one, other in factors}
    assert shown == {word: weight / 100 for word, weight in ranking.SEVERITY_WEIGHT.items()}


def test_the_search_page_has_every_rank() -> None:
    ranks = [row[0].strip("`") for row in rows_of(text_of("docs/search.md"), "`--rank`")]
    assert sorted(ranks) == sorted(RANKS)


def test_the_tables_on_the_index_page_are_those_of_the_schema() -> None:
    there = re.findall(r"CREATE (?:VIRTUAL )?TABLE (\w+)", schema.TABLES)
    assert sorted(row[0].strip("`") for row in rows_of(text_of("docs/the-index.md"), "table")) == sorted(there)


def test_the_limits_on_the_pages_are_those_of_the_code() -> None:
    assert f"exact up to {EXACT_TOTAL:,}" in text_of("docs/search.md")
    assert f"Above {AUTOMATIC_LIMIT:,} active learnings" in text_of("docs/view.md")
