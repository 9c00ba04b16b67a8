"""Words of the command line: what argparse would make of them, and what is refused."""

from __future__ import annotations

import argparse
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnlog.cli.arguments import attribute, choose, comma_list, confidence, parse, usage, whole_number
from learnlog.cli.commands import COMMANDS, LATER, Argument, Command, Flag
from learnlog.cli.failure import UsageError
from learnlog.cli.help import help_text
from learnlog.errors import InvalidValue, NotInThisVersion

from .conftest import Run

BY_NAME = {command.name: command for command in COMMANDS}
PLAIN = st.text(st.characters(exclude_characters="-"), max_size=6) | st.sampled_from(
    ["-", "-5", "-.5", "- a", "-x y", "--no such flag", "a=b", "=", ""]
)
"""Words that stand for themselves: values, or arguments without a flag."""
JOINED = PLAIN | st.sampled_from(["-x", "--json", "--body", "-b", "--body=x", "=x"])
"""What may follow `--flag=`: anything. (`--flag=--` is left out: argparse before Python 3.13 loses it.)"""


def with_any_words(command: Command) -> Command:
    """The command with its flags, and room for any number of words."""
    return Command(name=command.name, summary="s", run="", arguments=(Argument("WORDS", 0, None, ""),), flags=command.flags)


def argparse_of(command: Command) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(allow_abbrev=False, add_help=False, exit_on_error=False)
    for flag in command.flags:
        dest = attribute(flag.names[-1])
        if flag.later:
            continue
        if flag.metavar:
            parser.add_argument(*flag.names, dest=dest, action="append" if flag.many else "store")
        else:
            parser.add_argument(*flag.names, dest=dest, action="store_true")
    return parser


def by_argparse(command: Command, words: list[str]) -> dict[str, object]:
    end = words.index("--") if "--" in words else len(words)
    options, loose = argparse_of(command).parse_known_args(words[:end])
    return vars(options) | {"words": [*loose, *words[end + 1 :]]}


def written(flag: Flag) -> st.SearchStrategy[list[str]]:
    """A flag with a value, in every way that there is to write one."""
    names = st.sampled_from(flag.names)
    if not flag.metavar:
        return names.map(lambda name: [name])
    apart = st.tuples(names, PLAIN).map(list)
    joined = st.tuples(names, JOINED).map(lambda both: ["=".join(both)])
    short = [name for name in flag.names if not name.startswith("--")]
    if not short:
        return apart | joined
    glued = JOINED.filter(lambda value: value and not value.startswith("="))
    return apart | joined | glued.map(lambda value: [short[0] + value])


@st.composite
def well_formed(draw: st.DrawFn, command: Command) -> list[str]:
    flags = [flag for flag in command.flags if not flag.later]
    one = PLAIN.filter(lambda word: not re.fullmatch(r"-[^ ]+", word)).map(lambda word: [word])
    pieces = draw(st.lists(st.one_of(one, *map(written, flags)), max_size=6))
    tail = draw(st.just([]) | st.lists(JOINED, max_size=3).map(lambda words: ["--", *words]))
    return [word for piece in pieces for word in piece] + tail


@pytest.mark.parametrize("name", ["add", "revise", "search", "config", "import"])
@settings(max_examples=40)
@given(data=st.data())
def test_well_formed_words_mean_what_argparse_makes_of_them(name: str, data: st.DataObject) -> None:
    command = with_any_words(BY_NAME[name])
    words = data.draw(well_formed(command))
    expected = by_argparse(command, words)
    options = vars(parse(command, words))
    assert {one: options[one] for one in expected} == expected


@given(words=st.lists(st.sampled_from(["--limit", "--tag", "-x", "-5", "--count", "--", "a", "--limit=3", "--count=1", "- b"])))
def test_words_that_argparse_refuses_are_refused(words: list[str]) -> None:
    command = with_any_words(BY_NAME["search"])
    expected, refusal = None, ""
    try:
        expected = by_argparse(command, words)
    except argparse.ArgumentError as error:
        refusal = f"search: {error}"
    try:
        options = vars(parse(command, words))
    except UsageError as error:
        said = str(error)
        # what argparse only hands back, a word that looks like a flag, is refused too
        loose = expected is not None and said in [f"search has no flag {word}" for word in ("-x", "-5") if word in words]
        assert loose or said == refusal
    else:
        assert expected is not None
        assert {one: options[one] for one in expected} == expected


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("add --body", "add: argument -b/--body: expected one argument"),
        ("add --body -x", "add: argument -b/--body: expected one argument"),
        ("add -b --key k", "add: argument -b/--body: expected one argument"),
        ("add --body --", "add: argument -b/--body: expected one argument"),
        ("add t --proposed=yes", "add: argument --proposed: ignored explicit argument 'yes'"),
        ("add t --sevrity high", "add has no flag --sevrity; did you mean --severity?"),
        ("add t --sev=high", "add has no flag --sev"),  # no abbreviations
        ("add -5", "add has no flag -5"),
        ("add t u", "add: 'u' is one argument too many (several words go in quotes)"),
        ("show", "show: REF is missing: a reference like L-001, a uid or the beginning of one"),
        ("--sevrity", "unknown flag '--sevrity'"),
        ("serach", "unknown command 'serach'; did you mean search?"),
        ("", "no command given; `learnlog help` lists them"),
    ],
)
def test_what_is_wrong_is_named(words: str, says: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse(*choose(words.split()))
    assert str(refused.value).startswith(says)


@pytest.mark.parametrize("written", [[], ["=x"]])
@pytest.mark.parametrize(
    ("command", "flag"),
    [(command, name) for command in COMMANDS for flag in command.flags if flag.later for name in flag.names],
)
def test_a_flag_of_a_later_version_says_so(command: Command, flag: str, written: list[str]) -> None:
    with pytest.raises(NotInThisVersion, match=f"{command.name} {flag}: not in this version"):
        parse(command, ["".join([flag, *written])])


def test_help_wins_over_what_is_missing_and_what_is_unknown() -> None:
    for words in (["--help"], ["-h", "--unknown"], ["a", "b", "--help"]):
        assert parse(BY_NAME["show"], words).help is True
    assert choose(["--help"])[0].name == choose(["-h"])[0].name == "help"


def test_the_flags_of_the_log_may_stand_before_the_command() -> None:
    command, rest = choose(["--log", "list", "--project=x", "search", "text"])
    options = parse(command, rest)
    assert (command.name, options.log, options.project, options.text) == ("search", "list", "x", ["text"])


def test_the_names_of_a_command_are_its_own() -> None:
    # one name would hide the other among the options
    for command in COMMANDS:
        names = [attribute(flag.names[-1]) for flag in command.flags] + [attribute(one.name) for one in command.arguments]
        assert len(set(names)) == len(names), command.name
        assert command.name not in LATER


# Values -------------------------------------------------------------------------------------------------------------

NUMBERS = st.text("0123456789./ -+e_٣", max_size=8) | st.sampled_from(
    ["8/10", "7.5/10", "10", "1.0", "1", "0", "11/10", "010/10"]
)


@given(NUMBERS)
def test_a_confidence_is_one_of_three_forms(text: str) -> None:  # ADD-10
    given_text = text.strip()
    tenths = re.fullmatch(r"([0-9]{1,2}(?:\.[0-9]+)?)/10", given_text)
    if tenths and float(tenths[1]) <= 10:
        assert confidence("c", text) == float(tenths[1]) / 10
    elif re.fullmatch(r"[01]?\.[0-9]+", given_text) and float(given_text) <= 1:
        assert confidence("c", text) == float(given_text)
    elif re.fullmatch(r"0*([2-9]|10)", given_text):
        assert confidence("c", text) == int(given_text) / 10
    else:
        with pytest.raises(InvalidValue, match=r"write 1\.0 or 1/10"):
            confidence("c", text)


@given(NUMBERS)
def test_a_whole_number_is_digits_alone(text: str) -> None:
    if re.fullmatch(r"[0-9]{1,18}", text.strip()):
        assert whole_number("n", text) == int(text)
    else:
        with pytest.raises(InvalidValue, match="a whole number, 0 or more"):
            whole_number("n", text)


def test_a_number_of_more_digits_than_can_be_stored_is_refused() -> None:
    assert whole_number("n", "9" * 18) == 10**18 - 1
    for text in ("9" * 19, "9" * 5000):
        with pytest.raises(InvalidValue):
            whole_number("n", text)
        with pytest.raises(InvalidValue):
            confidence("n", text)


def test_repeats_and_commas_are_one_list() -> None:
    assert comma_list(["a, b", "c,"]) == ["a", "b", "c"]
    assert (comma_list([""]), comma_list(None)) == ([], None)


# Help ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_help_fits_the_width_and_leaves_no_word_out(command: Command, width: int) -> None:
    text = help_text(command, width)
    lines = text.split("\n")
    assert all(len(line) <= width for line in lines[2:] if width >= 60), text
    shown = " ".join(text.split())
    for flag in command.flags:
        names = ", ".join(f"{name} {flag.metavar}".strip() for name in flag.names)
        assert (f"{names} {flag.help}" in shown) is not flag.later
    for argument in command.arguments:
        assert f"{argument.name} {argument.help}" in shown
    assert lines[0] == f"usage: {usage(command)}"


def test_help_has_its_explanations_in_one_column(run: Run, home: object) -> None:
    lines = run("help", "list").out.splitlines()
    assert lines[:3] == ["usage: learnlog list [flags]", "", "Show all learnings."]
    assert lines[4:7] == [
        "options:",
        "  --status WORD  of active, proposed, archived, superseded, deleted, moved",
        "  --limit N      at most so many",
    ]
