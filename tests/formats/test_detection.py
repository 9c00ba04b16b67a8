"""Which format a file is in: by content, and a clear word where it is in none."""

from __future__ import annotations

import pytest

from learnlog import InvalidValue, NotInThisVersion, formats
from learnlog.events import Event, encode
from learnlog.formats.rows import Unreadable
from learnlog.model import Content

from .conftest import entries, entry, insight, lines, needs


def test_content_decides() -> None:
    #
    assert formats.detect(lines([insight()])).name == "gstack"
    assert formats.detect(entries([entry()])).name == "add"


@pytest.mark.parametrize("name", [name for name in formats.NAMES if name not in ("add", "gstack")])
def test_a_format_that_is_not_built_says_so(name: str) -> None:
    # interface.md: never ignored
    with pytest.raises(NotInThisVersion, match=f"format {name}: not in this version"):
        formats.named(name)


def test_a_format_that_nobody_knows_is_a_wrong_value() -> None:
    with pytest.raises(InvalidValue, match="gstack"):
        formats.named("gstak")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
def test_other_encodings_are_named(encoding: str) -> None:
    # fault 18
    data = lines([insight()]).decode().encode(encoding)
    with pytest.raises(Unreadable, match="UTF-16"):
        formats.detect(data)


@pytest.mark.parametrize(
    "data",
    [
        b"# Learnings\n\n- use flock\n",
        b'{"dependencies":{"a":"1"}}',
        b"title,body\nx,y\n",
        b"42",
        b"\xff\x00\x01binary",
        encode(Event(v=1, id="x", event="recorded", uid="u", learning=Content(title="t"))) + b"\n",
    ],
)
def test_unrelated_content_is_refused_with_what_was_expected(data: bytes) -> None:
    # fault 50
    with pytest.raises(Unreadable, match=r"gstack \(JSON lines.*add \(JSON with"):
        formats.detect(data)


def test_nothing_is_not_taken_for_something() -> None:
    with pytest.raises(Unreadable, match="empty"):
        formats.detect(b" \n\n")


@pytest.mark.parametrize("folder", ["neighbours", "instincts", "retrieval", "amplihack", "precedents"])
def test_real_files_of_other_tools_are_not_mistaken(folder: str) -> None:
    # fault 50
    for path in needs(folder).iterdir():
        assert not any(one.detect(path.read_bytes()) for one in formats.FORMATS), path.name
