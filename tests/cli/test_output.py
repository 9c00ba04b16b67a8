"""One JSON document on stdout: whoever made it, and whatever stdout can write."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnlog.cli.output import Answer, Ready, json_text, write

TEXTS = st.text(st.characters(exclude_categories=[])) | st.sampled_from(
    ["half \ud83d", "\x7f", "脚本 ✓", "🙂", "\u2028", '"\\']
)
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def shown(document: Any, encoding: str, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """What arrives behind stdout."""
    raw = io.BytesIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
        write(Answer(lambda: document, lambda: "not asked for"), as_json=True)
        return raw.getvalue()


@given(DOCUMENTS)
def test_a_document_is_the_same_with_json_with_msgspec_and_ready(document: Any) -> None:  # fault 16
    by_msgspec = json_text(document)
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(sys.modules, "msgspec")
        by_json = json_text(document)
    ready = json_text(Ready(json.dumps(document, ensure_ascii=False)))
    for text in (by_msgspec, by_json, ready):
        assert json.loads(text) == document
        assert text.encode().count(b"\n") == 0  # encode(): no lone half of a pair is left, which no stream could write


@given(DOCUMENTS)
def test_on_a_terminal_nothing_but_printable_ascii_is_written(document: Any) -> None:  # fault 20, invariant 10
    for one in (document, Ready(json.dumps(document, ensure_ascii=False))):
        text = json_text(one, plain=True)
        assert text.isascii()
        assert text.isprintable()
        assert json.loads(text) == document


def test_a_ready_document_is_written_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    text = '{"n": 1e400, "n": 0.10, "t": "脚本"}'  # what reading it and writing it again would change
    assert shown(Ready(text), "utf-8", monkeypatch) == f"{text}\n".encode()
    assert shown(Ready(text), "cp1252", monkeypatch) == b'{"n": 1e400, "n": 0.10, "t": "\\u811a\\u672c"}\n'


@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "latin-1", "ascii", "cp1252", "utf-16"])
def test_every_stream_gets_the_same_document(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:  # fault 20
    document = {"title": "脚本 ✓ naïve 🙂 \ud83d", "n": [1, None, True]}
    for one in (document, Ready(json.dumps(document, ensure_ascii=False)), Ready(json.dumps(document))):
        assert json.loads(shown(one, encoding, monkeypatch).decode(encoding)) == document


def test_a_struct_in_a_document_is_written_with_its_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    class Found(msgspec.Struct):
        line: int
        reason: str

    for reason in ("✓", "half \ud83d"):
        assert json.loads(shown({"findings": (Found(3, reason),)}, "utf-8", monkeypatch)) == {
            "findings": [{"line": 3, "reason": reason}]
        }
