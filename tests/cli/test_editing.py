"""`edit`: the form, the editor, and a text that is never lost."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from learnlog import Store
from learnlog.cli.form import FormError, form_text, read_form

from .conftest import Run


@pytest.fixture
def editor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> object:
    """Sets the editor to a program that runs a line of Python on `text`."""

    def set_editor(change: str) -> None:
        script = tmp_path / "editor.py"
        script.write_text(
            "import sys\npath = sys.argv[1]\ntext = open(path, newline='', errors='surrogatepass').read()\n"
            f"print('drawing on the terminal')\n{change}\nopen(path, 'w', newline='', errors='surrogatepass').write(text)\n"
        )
        monkeypatch.setenv("VISUAL", f"'{sys.executable}' '{script}'")
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    return set_editor


@pytest.fixture
def filled(log: Path) -> Store:
    """A log with one learning that has something of everything."""
    store = Store(log, by="agent:tester")
    store.record(
        "old title",
        body="first\n\nthird\n",
        key="k",
        stack=["python", "sql"],
        tags=["a", "b,c", ' "quoted'],
        files=["x y.py"],
        confidence=0.75,
        evidence=["one\ntwo"],
        alternatives=["none"],
        example="",
        source="here",
    )
    return store


def test_what_is_not_changed_is_not_written(run: Run, filled: Store, log: Path, editor: object, tmp_path: Path) -> None:
    editor("pass")  # type: ignore[operator]
    before = log.read_bytes()
    done = run("edit", "L-001", "--json")
    assert (done.code, done.document["status"], done.document["ref"]) == (0, "unchanged", "L-001")
    assert run("edit", "L-001").out.endswith("L-001 unchanged\n")
    assert log.read_bytes() == before
    assert list(tmp_path.glob("learnlog-*")) == []


def test_what_is_changed_is_one_revision(run: Run, filled: Store, editor: object, tmp_path: Path) -> None:
    editor("text = text.replace('old title', 'new title').replace('tag: a\\n', '').replace('third', 'fourth')")  # type: ignore[operator]
    done = run("edit", "l-1", "--by", "human:Ada", "--json")
    assert (done.code, done.document["status"]) == (0, "revised")
    one = filled.get("L-001")
    assert (one.title, one.tags, one.body) == ("new title", ("b,c", '"quoted'), "first\n\nfourth\n")
    assert (one.confidence, one.evidence, one.key) == (0.75, ("one\ntwo",), "k")
    assert len(filled.history("L-001").events) == 2
    assert list(tmp_path.glob("learnlog-*")) == []


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        ("text = 'precious'", 2, "line 1: 'precious' is none of title"),
        ("text = text.partition('--------')[0]", 2, "the line of dashes"),
        ("text = text.replace('title: ', 'colour: ')", 2, "line 3"),
        ("text = text.replace('title: ', 'title: x\\ntitle: ')", 2, "twice"),
        ("text = text.replace('title: ', 'title: \"')", 2, "JSON string"),
        ("text = text.replace('title: old title', 'title:')", 2, "title"),
        ("text = text.replace('confidence: 0.75', 'confidence: lots')", 2, "8/10"),
        ("text = text.replace('severity: medium', 'severity: urgent')", 2, "critical"),
        ("open(path, 'wb').write(b'\\xff\\xfe precious'); sys.exit(0)", 2, "not UTF-8"),
        ("sys.exit(3)", 1, "ended with 3"),
    ],
)
def test_whatever_fails_the_text_is_kept_and_named(
    run: Run, filled: Store, log: Path, editor: object, tmp_path: Path, change: str, code: int, says: str
) -> None:
    editor(change)  # type: ignore[operator]
    before = log.read_bytes()
    done = run("edit", "L-001", "--json")
    assert (done.code, done.error["kind"]) == (code, "edit-failed")
    assert says in done.error["message"]
    kept = list(tmp_path.glob("learnlog-*"))
    assert [str(path) for path in kept] == [done.error["path"]]
    assert kept[0].read_bytes()
    assert log.read_bytes() == before


def test_what_came_meanwhile_is_not_overwritten(run: Run, filled: Store, log: Path, editor: object, tmp_path: Path) -> None:
    # fault 5
    meanwhile = f"from learnlog import Store; Store({str(log)!r}).revise('L-001', body='meanwhile')"
    editor(f"{meanwhile}; text = text.replace('old title', 'mine')")  # type: ignore[operator]
    done = run("edit", "L-001", "--json")
    assert (done.code, done.error["kind"]) == (1, "edit-failed")
    assert "came after it" in done.error["message"]
    assert "mine" in next(tmp_path.glob("learnlog-*")).read_text()
    assert (filled.get("L-001").title, filled.get("L-001").body) == ("old title", "meanwhile")


def test_without_an_editor_or_a_learning_nothing_is_opened(run: Run, filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (run("edit", "L-001").code, run("edit").code) == (2, 2)
    monkeypatch.setenv("EDITOR", "'unbalanced")
    assert run("edit", "L-001").code == 2
    monkeypatch.setenv("EDITOR", "false")
    assert run("edit", "L-009").code == 3
    done = run("edit", "L-001", "--expect", "an-older-event", "--json")
    assert (done.code, done.error["kind"]) == (2, "invalid-value")
    done = run("edit", "L-001", "--expect", "00000000-0000-7000-8000-000000000000", "--json")
    assert (done.code, done.error["kind"]) == (1, "outdated")
    monkeypatch.setenv("EDITOR", "/nowhere/editor")
    done = run("edit", "L-001", "--json")
    assert "cannot run the editor" in done.error["message"]
    Path(done.error["path"]).unlink()


@pytest.mark.parametrize("text", ["x\n", "x\r\ny", "# not a note", "--------\n", " lead", '"q"', "\ud83d", "\x1b[31m\u2028\t"])
def test_any_text_comes_back_from_the_form_as_it_was(filled: Store, text: str) -> None:
    filled.revise("L-001", body=text, example=text, source=text, evidence=[f"a{text}b"])
    one = filled.get("L-001")
    assert read_form(form_text(one), one) == {}
    with pytest.raises(FormError):
        read_form(form_text(one).replace("\n--------", "\n=======", 1), one) if "--------" not in text else read_form("", one)
