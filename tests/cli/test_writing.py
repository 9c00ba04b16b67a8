"""The commands that change what is known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from learnlog import Store

from .conftest import Run


def test_add_answers_with_the_reference_of_what_is_on_disk(run: Run, log: Path) -> None:  # fault 41
    done = run("add", "flock is not inherited by exec", "--json")
    assert done.code == 0
    assert set(done.document) == {"ref", "uid", "event", "status", "tier", "scope", "similar"}
    assert Store(log).get(done.document["ref"]).event == done.document["event"]
    assert done.document | {"uid": 0, "event": 0} == {
        "ref": "L-001", "uid": 0, "event": 0, "status": "recorded", "tier": "project", "scope": "project", "similar": [],
    }  # fmt: skip


def test_every_flag_of_add_reaches_the_learning(run: Run, log: Path) -> None:  # ADD-5..8, GS-fields
    flags = """--body text --category anti-pattern --severity high --key k --stack Python,pymysql --stack sql --tag a --tag b
    --file x.py --file y.py --scope universal --confidence 8/10 --origin inferred --source other --checkpoint P1
    --evidence e1 --evidence e2 --example ex --date 2026-01-02 --by human:Ada --session s1"""
    assert run("add", "title", *flags.split(), "--proposed", "--idempotency-key", "i", "--log", str(log)).code == 0
    one = Store(log).get("L-001")
    assert (one.title, one.body, one.category, one.severity, one.key) == ("title", "text", "anti-pattern", "high", "k")
    assert (one.stack, one.tags, one.files) == (("python", "pymysql", "sql"), ("a", "b"), ("x.py", "y.py"))
    assert (one.scope, one.confidence, one.origin, one.source) == ("universal", 0.8, "inferred", "other")
    assert (one.checkpoint, one.evidence, one.example, one.date) == ("P1", ("e1", "e2"), "ex", "2026-01-02")
    assert one.status == "proposed"
    assert one.actor is not None
    assert (one.actor.kind, one.actor.name, one.actor.session) == ("human", "Ada", "s1")


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        *[("8", 0.8), ("10", 1.0), ("2", 0.2), ("8/10", 0.8), ("7.5/10", 0.75), ("1/10", 0.1)],
        *[("0.8", 0.8), (".05", 0.05), ("1.0", 1.0), ("0.0", 0.0), ("0.8/10", 0.08)],
    ],
)
def test_a_confidence_is_taken_in_tenths_and_as_a_fraction(run: Run, log: Path, given: str, meant: float) -> None:
    assert run("add", "t", "--confidence", given).code == 0
    assert Store(log).get("L-001").confidence == meant


@pytest.mark.parametrize(
    "given",
    [
        *["1", "0", "11", "-3", "nan", "inf", "Infinity", "1e999", "1e-1", "80%", "8/5", "1.1", "11/10"],
        *["", " ", "٨", "0,8", "true"],
    ],
)
def test_another_confidence_is_refused_and_nothing_is_written(run: Run, log: Path, given: str) -> None:  # fault 17
    done = run("add", "t", f"--confidence={given}", "--json")
    assert (done.code, done.error["kind"], done.error["argument"]) == (2, "invalid-value", "confidence")
    assert not log.exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["add"], "TITLE is missing"),
        (["add", ""], "title"),
        (["add", "a", "b"], "one argument too many"),
        (["add", "t", "--category", "gardening"], "anti-pattern"),
        (["add", "t", "--severity", "urgent"], "critical, high, medium, low"),
        (["add", "t", "--scope", "galaxy"], "project, workstation, universal"),
        (["add", "t", "--origin", "dream"], "cross-model"),
        (["add", "t", "--date", "yesterday"], "YYYY-MM-DD"),
        (["add", "t", "--date", "2999-01-01"], "not in the future"),
        (["add", "t", "--key", " "], "printable"),
        (["add", "t", "--by", "robot"], "'agent' or 'human'"),
        (["add", "t", "--by", "human:ada@example.org"], "e-mail"),
        (["add", "t", "--idempotency-key", ""], "1 to 200"),
        (["add", "t", "--log", "."], "not of a folder"),
        (["add", "t", "--log", ""], "log file"),
        (["add", "t", "--log", "x", "--project", "y"], "exclude each other"),
        (["add", "t", "--form", "x"], "did you mean --"),
        (["add", "t", "--body"], "expected one argument"),
        (["add", "t", "--from", "x"], "does not go with --from"),
        (["add", "--from", "x", "--tag", "a"], "--tag does not go with --from"),
        (["revise"], "REF is missing"),
        (["revise", "L-001"], "nothing to change"),
        (["revise", "L-001", "L-002", "--title", "t"], "one argument too many"),
        (["reclassify", "L-001"], "nothing to change"),
        (["reclassify", "L-001", "--title", "t"], "has no flag --title"),
        (["archive"], "REF is missing"),
        (["restore"], "REF is missing"),
        (["delete"], "REF is missing"),
        (["undo", "L-001", "L-002"], "one argument too many"),
    ],
)
def test_wrong_usage_is_one_line_with_exit_2_and_nothing_written(run: Run, log: Path, words: list[str], says: str) -> None:
    done = run(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert says in done.err
    assert list(log.parent.iterdir()) == []


def test_a_body_comes_from_stdin_and_bytes_that_are_no_text_are_refused(run: Run, log: Path) -> None:
    assert run("add", "t", "-b", "-", stdin="two\nlines ✓\n".encode()).code == 0
    assert run("add", "u", "-b", "-", stdin=b"\xff\xfe bytes").code == 2
    assert run("add", "u", "-b", "-", stdin="été".encode("latin-1")).code == 2
    store = Store(log)
    assert store.get("L-001").body == "two\nlines ✓"
    assert store.list().total == 1


def test_a_title_after_two_dashes_may_look_like_a_flag(run: Run, log: Path) -> None:
    assert run("add", "--severity", "low", "--scope", "project", "--", "--json").code == 0
    assert Store(log).get("L-001").title == "--json"


def test_the_same_idempotency_key_makes_one_learning_whatever_the_wording(run: Run, log: Path) -> None:  # fault 4
    answers = [run("add", f"wording {n}", "--idempotency-key", "k", "--json").document for n in range(10)]
    assert [one["status"] for one in answers] == ["recorded"] + ["unchanged"] * 9
    assert {one["ref"] for one in answers} == {"L-001"}
    assert len(Store(log).list()) == 1


def test_add_says_what_is_similar_only_when_a_program_asks(run: Run, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("add", "connection pools exhaust quickly")
    near = run("add", "connection pools exhaust quickly today", "--json").document["similar"]
    assert near == [{"ref": "L-001", "title": "connection pools exhaust quickly", "similarity": 0.8}]
    monkeypatch.setattr(Store, "_similar", lambda self, uid: pytest.fail("the whole log was read for nobody"))
    assert run("add", "connection pools exhaust slowly").code == 0


def test_many_rows_are_one_append_and_a_list(run: Run, log: Path) -> None:
    rows = [{"title": f"t{n}", "tag": "a", "file": ["x.py"], "confidence": 0.7} for n in range(3)]
    done = run("add", "--from", "-", "--json", stdin=b"\xef\xbb\xbf\n" + b"\n".join(json.dumps(row).encode() for row in rows))
    assert done.code == 0
    assert [one["ref"] for one in done.document] == ["L-001", "L-002", "L-003"]
    events = [json.loads(line) for line in log.read_bytes().splitlines()]
    assert len({event["batch"] for event in events}) == 1
    one = Store(log).get("L-002")
    assert (one.tags, one.files, one.confidence) == (("a",), ("x.py",), 0.7)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{", "Expecting"),
        (b"42", "not a JSON object"),
        (b'{"title": "t", "colour": "red"}', "colour"),
        (b'{"title": "t", "confidence": NaN}', "NaN"),
        (b'{"title": "t", "confidence": 1e999}', "confidence"),
        (b'{"title": "\xff"}', "not UTF-8"),
        (b'{"body": "no title"}', "title"),
        (b'{"title": "t", "tag": "a", "tags": ["b"]}', "give one"),
        (b"[" * 100_000, "recursion"),
    ],
)
def test_one_bad_row_is_named_by_its_line_and_none_is_stored(run: Run, log: Path, line: bytes, says: str) -> None:  # fault 41
    done = run("add", "--from", "-", "--json", stdin=b'{"title": "good"}\n\n' + line + b"\n")
    assert (done.code, done.error["kind"]) == (1, "batch-refused")
    assert [one["line"] for one in done.error["refused"]] == [3]
    assert says in done.error["refused"][0]["message"]
    assert not log.exists()


def test_a_file_of_rows_that_is_not_there_is_one_line(run: Run, log: Path) -> None:
    done = run("add", "--from", "missing.jsonl")
    assert (done.code, done.err) == (1, "learnlog: cannot import missing.jsonl: No such file or directory\n")
    assert not log.exists()


def test_revise_changes_fields_and_empties_lists(run: Run, log: Path) -> None:
    run("add", "old", "--tag", "a", "--stack", "python")
    done = run("revise", "l-1", "--title", "new", "--body", "b", "--tag", "", "--stack", "", "--json")
    assert (done.code, done.document["status"], done.document["ref"]) == (0, "revised", "L-001")
    one = Store(log).get("L-001")
    assert (one.title, one.body, one.tags, one.stack) == ("new", "b", (), ())
    assert run("revise", "L-001", "--title", "new").out == "L-001 unchanged\n"


def test_expect_fails_when_something_newer_came(run: Run, log: Path) -> None:  # fault 5
    first = run("add", "t", "--json").document["event"]
    second = run("revise", "L-001", "--body", "1", "--expect", first, "--json").document["event"]
    done = run("revise", "L-001", "--body", "2", "--expect", first, "--json")
    assert (done.code, done.error["kind"]) == (1, "outdated")
    assert Store(log).get("L-001").body == "1"
    assert run("reclassify", "L-001", "--severity", "low", "--expect", first).code == 1
    assert run("reclassify", "L-001", "--severity", "low", "--expect", second).code == 0


def test_reclassify_says_who_decided(run: Run, log: Path) -> None:  # ADD-19
    run("add", "t")
    words = ["--category", "process", "--severity", "high", "--stack", "go", "--scope", "universal", "--by", "human:Ada"]
    done = run("reclassify", "L-001", *words)
    assert (done.code, done.out) == (0, "WL-001 reclassified\n")
    one = Store(log.parents[2] / ".learnlog" / "learnings.jsonl", tier="workstation").get("WL-001")
    assert (one.category, one.severity, one.stack, one.scope) == ("process", "high", ("go",), "universal")
    assert one.classified_by == "human"


def test_archive_restore_and_delete_answer_with_a_list_and_are_one_call(run: Run, log: Path) -> None:
    run("add", "one")
    run("add", "two")
    for verb, status in (("archive", "archived"), ("restore", "active"), ("delete", "deleted")):
        done = run(verb, "L-001", "L-002", "--session", "s", "--json")
        assert [one["ref"] for one in done.document] == ["L-001", "L-002"]
        assert {Store(log).get(ref).status for ref in ("L-001", "L-002")} == {status}
        batches = [json.loads(line)["batch"] for line in log.read_bytes().splitlines()[-2:]]
        assert len(set(batches)) == 1
    assert isinstance(run("restore", "L-001", "--json").document, list)
    assert run("delete", "L-002").out == "L-002 unchanged\n"


@pytest.mark.parametrize("verb", ["archive", "restore", "delete"])
def test_of_several_references_all_are_changed_or_none(run: Run, log: Path, verb: str) -> None:
    run("add", "one")
    before = log.read_bytes()
    done = run(verb, "L-001", "L-404", "--json")
    assert (done.code, done.error["kind"], done.error["reference"]) == (3, "no-such-learning", "L-404")
    assert log.read_bytes() == before


def test_undo_gives_an_object_for_one_learning_and_a_list_for_several(run: Run, log: Path) -> None:  # X-2
    run("add", "one")
    run("add", "two")
    run("archive", "L-001", "L-002")
    assert [one["ref"] for one in run("undo", "--json").document] == ["L-001", "L-002"]
    assert {Store(log).get(ref).status for ref in ("L-001", "L-002")} == {"active"}
    event = run("delete", "L-001", "--json").document[0]["event"]
    assert run("undo", event, "--json").document["ref"] == "L-001"
    assert run("undo", "L-002", "--by", "agent:x").out == "L-002 undone\n"
    done = run("undo", event)
    assert done.code == 1
    assert "nothing to undo" in done.err


@pytest.mark.parametrize(
    "verb",
    [["revise", "--title", "t"], ["reclassify", "--severity", "low"], ["archive"], ["restore"], ["delete"], ["undo"]],
)
def test_a_verb_on_a_log_that_is_not_there_makes_nothing(run: Run, log: Path, verb: list[str]) -> None:
    done = run(verb[0], "L-001", *verb[1:], "--json")
    assert (done.code, done.error["kind"]) == (3, "no-such-learning")
    assert list(log.parent.iterdir()) == []


def test_an_ambiguous_reference_lists_all(run: Run, log: Path) -> None:
    first, second = (run("add", f"t{n}", "--json").document["uid"] for n in range(2))
    shared = next(n for n in range(len(first), 0, -1) if first[:n] == second[:n])
    done = run("delete", first[: max(shared, 4)], "--json")
    assert (done.code, done.error["kind"]) == (3, "ambiguous-reference")
    assert [one["ref"] for one in done.error["candidates"]] == ["L-001", "L-002"]


def test_a_text_that_is_too_large_is_refused_with_exit_4(run: Run, log: Path) -> None:
    assert run("add", "x" * 501).code == 4
    done = run("add", "t", "-b", "-", "--json", stdin=b"x" * ((1 << 20) + 1))
    assert (done.code, done.error["kind"]) == (4, "too-large")
    assert not log.exists()
