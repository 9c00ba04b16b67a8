"""A key is set where it stands, and every other line stays as it is."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnlog.toml_lines import comments, lines_of, places, with_key

TOP = (
    "# a comment [with] = \"quotes'\n",
    "\n",
    "  \t\n",
    'top = "a # no comment" # one\n',
    '"quoted.key" = 1\n',
    "'=' = '='\n",
    "dotted.two = [ # here\n  '#', # there\n  \"]\", [1, 2],\n]\n",
    'text = """\n[view]\ncommit = false\n\\""" # no \\\n"""" # yes\n',
    "other = '''\n# no\nname = 1'''''\n",
    "inline = { commit = 1, x = [ '{' ] }\n",
)
TABLES = (
    "[other]\ncommit = 1\n# below\n",
    "  [ 'deep' . \"view\" ]\ncommit = 1\n",
    "[[list]]\nname = 1\n",
    "[[list]]\nname = 2\n\n",
    "[view] # yes\n",
    "[view]\nlimit = 1\n# behind\n\n",
    "[view]\ncommit = false # or not\nx = 1\n",
    "[view]\n'commit'=[\n]\n",
    "[view.sub]\ncommit = 1\n",
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """TOML put together of parts that are hard to tell apart."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    top = draw(st.lists(st.sampled_from(TOP), unique=True))
    top += draw(st.sampled_from([[], ["view.commit = 3\n"], ["view.x = 1\n"], ["name = 'old'\n"], ['"name" = [\n1]\n']]))
    tables = draw(st.lists(st.sampled_from(TABLES), unique=True))
    text = "".join([*top, *tables]).replace("\n", end)
    return text.removesuffix(end) if draw(st.booleans()) else text


def parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


@given(documents(), st.sampled_from([("name",), ("view", "commit"), ("vocabulary", "only")]))
def test_one_key_is_set_and_nothing_else_changes(text: str, path: tuple[str, ...]) -> None:
    before = parsed(text)
    if before is None:  # parts that do not go together: view twice
        return
    changed = with_key(text, path, '"new"')
    assert changed is not None
    expected = before
    for part in path[:-1]:
        expected = expected.setdefault(part, {})
    expected[path[-1]] = "new"
    assert tomllib.loads(changed) == before
    old, new = (lines_of(one.removesuffix("\n").removesuffix("\r")) for one in (text, changed))
    while old and new and old[0].rstrip("\r\n") == new[0].rstrip("\r\n"):  # a last line may get an end
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    assert len(new) <= 3  # a blank line, a header and a line
    assert not old or path[-1] in old[0]


def test_a_key_inside_of_a_value_is_left_to_a_person() -> None:
    assert with_key("view = { commit = false }\n", ("view", "commit"), "true") is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        ("\n# x\nname = 1\n", {("name",): 3}),
        ("a = [\n1,\n]\n[view]\n\ncommit = 1\n", {("a",): 1, ("view",): 4, ("view", "commit"): 6}),
        ("view.commit = 1\n", {("view",): 1, ("view", "commit"): 1}),
        ("a = '''\nname = 1\n'''\n'a.b'.c = 2\n", {("a",): 1, ("a.b",): 4, ("a.b", "c"): 4}),
        ("[a.b.c]\nx = 1", {("a",): 1, ("a", "b"): 1}),
    ],
)
def test_the_line_of_a_key_is_known(text: str, found: dict[tuple[str, ...], int]) -> None:
    assert places(text) == found


def test_a_comment_is_told_from_a_text_with_a_hash() -> None:
    text = 'a = \'# no\' # one\nb = [ # two\n \'#\', # three\n]\nc = """\n# no\n""" # four\n# five'
    assert list(comments(text)) == [(1, "# one\n"), (2, "# two\n"), (3, "# three\n"), (7, "# four\n"), (8, "# five")]
