"""The commands that show what is known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from learnlog import Store

from .conftest import Run

HIT = {
    "ref", "uid", "key", "title", "body", "category", "severity", "scope", "tier", "status", "stack", "tags", "files",
    "confidence", "effective_confidence", "origin", "trusted", "source", "date", "classified_by", "score",
}  # fmt: skip


@pytest.fixture
def filled(log: Path) -> Path:
    """A log with five learnings, one of them proposed and one deleted."""
    store = Store(log, by="agent:tester")
    store.record(
        "pymysql pools are not thread-safe", category="anti-pattern", severity="critical", stack=["python"], tags=["db"]
    )
    store.record("review in the morning", category="process", severity="low", scope="universal", origin="user-stated")
    store.record("index the thread table", category="performance", stack=["sql"], files=["src/a,b.sql"], confidence=0.9)
    store.record("maybe use threads", proposed=True, confidence=0.3)
    store.record("wrong")
    store.delete("L-005")
    return log


def refs(run: Run, *words: str) -> list[str]:
    """The references that a search or list answers with."""
    done = run(*words, "--json")
    assert done.code == 0
    return [hit["ref"] for hit in done.document["hits"]]


def test_hits_have_exactly_the_members_of_the_interface(run: Run, filled: Path) -> None:
    document = run("search", "--json").document
    assert set(document) == {"total", "more", "hits"}
    assert all(set(hit) == HIT for hit in document["hits"])
    assert [hit["confidence"] for hit in document["hits"]] == [0.5, 0.9, 0.5]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([], ["L-001", "L-003", "L-002"]),
        (["thread"], ["L-003", "L-001"]),
        (["thread", "table"], ["L-003", "L-001"]),
        (["--operation", "plan"], []),
        (["--operation", "retro"], ["L-002"]),
        (["--operation", "plan", "--stack", "python"], ["L-001"]),
        (["--stack", "python"], ["L-001", "L-002"]),
        (["--stack", "go,sql"], ["L-003", "L-002"]),
        (["--category", "process,performance"], ["L-003", "L-002"]),
        (["--category", "process", "--category", "anti-pattern"], ["L-001", "L-002"]),
        (["--severity", "critical"], ["L-001"]),
        (["--scope", "universal"], ["L-002"]),
        (["--tag", "db"], ["L-001"]),
        (["--file", "src/a,b.sql"], ["L-003"]),
        (["--file", "other,src"], ["L-003"]),
        (["--origin", "user-stated"], ["L-002"]),
        (["--min-confidence", "8"], ["L-003"]),
        (["--tier", "workstation"], []),
        (["--tier", "project", "--limit", "1"], ["L-001"]),
        (["--status", "proposed,deleted"], ["L-005", "L-004"]),
        (["--limit", "1", "--offset", "1"], ["L-003"]),
        (["--limit", "0"], []),
        (["--rank", "confidence", "--limit", "1"], ["L-003"]),
        (["--as-of", "2020-01-01"], []),
        (["--as-of", "2999-01-01", "--severity", "critical"], ["L-001"]),
    ],
)
def test_every_filter_of_search_filters(run: Run, filled: Path, words: list[str], found: list[str]) -> None:  # ADD-9..15
    assert refs(run, "search", *words) == found


def test_an_operation_uses_the_projects_stack(run: Run, filled: Path, project: Path) -> None:  # ADD-operations
    assert refs(run, "search", "--operation", "plan") == []
    (project / "pyproject.toml").touch()
    assert refs(run, "search", "--operation", "plan") == ["L-001"]
    config = project / ".learnlog" / "config.toml"
    config.write_text('stack = ["go"]\n')
    assert refs(run, "search", "--operation", "plan") == []
    config.write_text("stack = \n")
    done = run("search", "--operation", "plan", "--json")
    assert [hit["ref"] for hit in done.document["hits"]] == ["L-001"]
    assert "warning" in done.err
    assert "line 1" in done.err


def test_an_unknown_operation_is_one_plain_warning_and_filters_nothing(run: Run, filled: Path) -> None:
    done = run("search", "--operation", "plam", "--stack", "python", "--json")
    assert done.document["total"] == 2
    assert done.err == "learnlog: warning: unknown operation 'plam', so no category filter; did you mean plan?\n"


def test_a_count_is_exact_and_alone(run: Run, filled: Path) -> None:
    assert run("search", "--count", "--limit", "1").out == "3\n"
    document = run("search", "--count", "--limit", "1", "--json").document
    assert (document["total"], document["more"], len(document["hits"])) == (3, True, 1)


def test_a_page_that_nobody_limited_says_on_stderr_that_there_is_more(run: Run, log: Path) -> None:
    Store(log).record_many([{"title": f"learning {number}"} for number in range(12)])
    done = run("search")
    assert (done.out.count("\n"), done.err) == (10, "learnlog: 1 to 10 of 12; --offset 10 shows the next\n")
    assert (run("search", "--limit", "2").err, run("search", "--offset", "10").err) == ("", "")


@pytest.mark.parametrize("words", [["search", "nothingness"], ["search", "--tag", "x"], ["list", "--status", "archived"]])
def test_no_match_is_silence_and_success(run: Run, filled: Path, words: list[str]) -> None:  # ADD-9..15
    done = run(*words)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert run(*words, "--json").document == {"total": 0, "more": False, "hits": []}


def test_list_is_all_and_pages(run: Run, filled: Path) -> None:
    assert refs(run, "list") == ["L-001", "L-003", "L-004", "L-002"] or refs(run, "list") == [
        "L-001",
        "L-004",
        "L-003",
        "L-002",
    ]
    assert refs(run, "list", "--limit", "2", "--offset", "3") == ["L-002"]
    assert refs(run, "list", "--status", "deleted") == ["L-005"]
    assert run("list").out.splitlines()[0].startswith("L-001  critical  pymysql pools are not thread-safe  (anti-pattern 5/10")


def test_show_has_every_field(run: Run, filled: Path) -> None:
    shown = run("show", "l-3", "--json").document
    assert set(shown) >= HIT | {"created", "updated", "last_confirmed", "pinned", "uses", "evidence", "extra", "event", "actor"}
    text = run("show", "L-003").out
    assert text.startswith("L-003  index the thread table\n")
    assert "  files                src/a,b.sql\n" in text
    assert "  confidence           9/10\n" in text


def test_history_has_every_event_oldest_first(run: Run, filled: Path) -> None:
    run("undo", "L-005")
    document = run("history", "L-005", "--json").document
    assert document["ref"] == "L-005"
    assert [event["event"] for event in document["events"]] == ["recorded", "deleted", "undone"]
    assert set(document["events"][0]) == {"id", "event", "at", "actor", "changes"}
    assert document["events"][0]["actor"] == {"kind": "agent", "name": "tester", "session": ""}
    assert document["events"][1]["undone"] is True
    assert document["events"][2]["changes"] == {"status": {"from": "deleted", "to": "active"}}
    assert "deleted  agent:tester" in run("history", "L-005").out
    assert "  status: deleted → active\n" in run("history", "L-005").out


@pytest.mark.parametrize("verb", ["show", "history"])
def test_what_is_not_there_ends_with_3(run: Run, log: Path, verb: str) -> None:
    assert run(verb, "L-001").code == 3
    Store(log).record("t")
    done = run(verb, "L-009", "--json")
    assert (done.code, done.error["kind"], done.error["reference"]) == (3, "no-such-learning", "L-009")
    assert run(verb, "").code == 2


def test_stats_counts_and_names_damaged_lines(run: Run, filled: Path) -> None:  # fault 13
    clean = run("stats", "--json").document
    assert set(clean) == {
        "learnings", "events", "superseded_events", "by_category", "by_severity", "by_scope", "by_origin", "by_status",
        "average_confidence", "damaged_lines", "unsealed_lines", "log_bytes",
    }  # fmt: skip
    assert (clean["learnings"], clean["events"], clean["superseded_events"], clean["damaged_lines"]) == (4, 6, 1, [])
    damage(filled, 2)
    done = run("stats", "--json")
    assert [set(one) for one in done.document["damaged_lines"]] == [{"line", "reason"}]
    assert done.document["damaged_lines"][0]["line"] == 2
    assert "1 damaged line(s)" in done.err
    assert "damaged line 2" in run("stats").out
    assert run("stats").out.startswith("learnings           3\n")


def test_doctor_says_that_all_is_well_in_one_line(run: Run, filled: Path) -> None:
    done = run("doctor")
    assert (done.code, done.out) == (0, f"{filled}: 6 lines, all well\n")
    assert run("doctor", "--json").document == {"findings": []}


def test_doctor_ends_with_6_and_names_line_byte_reason_and_remedy(run: Run, filled: Path) -> None:  # fault 13
    damage(filled, 2)
    done = run("doctor", "--json")
    assert done.code == 6
    found = done.document["findings"][0]
    assert set(found) == {"kind", "line", "byte", "reason", "remedy"}
    assert (found["line"], found["byte"]) == (2, filled.read_bytes().index(b"\n") + 1)
    text = run("doctor")
    assert text.code == 6
    assert text.out.startswith(f"line 2 (byte {found['byte']}): {found['kind']}: ")


def test_doctor_tells_of_a_note_and_ends_well(run: Run, filled: Path) -> None:
    line = json.dumps({"v": 1, "event": "recorded", "at": "2026-01-01T00:00:00.000Z", "learning": {"title": "by hand"}})
    with filled.open("a") as file:
        file.write(line + "\n")
    done = run("doctor", "--json")
    assert (done.code, done.document["findings"][0]["kind"]) == (0, "unsealed")


@pytest.mark.parametrize("words", [["search"], ["search", "x"], ["list"], ["stats"], ["doctor"]])
def test_without_a_log_reading_is_silence_and_makes_nothing(run: Run, log: Path, words: list[str]) -> None:
    done = run(*words)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert run(*words, "--json").code == 0
    assert list(log.parent.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["search", "--limit", "-1"], "0 or more"),
        (["search", "--limit", "x"], "whole number"),
        (["search", "--offset", "1.5"], "whole number"),
        (["search", "--min-confidence", "1"], "1.0 or 1/10"),
        (["search", "--category", "gardening"], "one of technical"),
        (["search", "--category", ","], "at least one word"),
        (["search", "--severity", "urgent"], "critical"),
        (["search", "--scope", "auto"], "one of project"),
        (["search", "--origin", "dream"], "observed"),
        (["search", "--status", "asleep"], "one of active"),
        (["search", "--tier", "galaxy"], "one of project"),
        (["search", "--rank", "beauty"], "one of severity"),
        (["search", "--rank", "relevance"], "when there is no text"),
        (["search", "--as-of", "yesterday"], "YYYY-MM-DD"),
        (["search", "--as-of", "2026-02-30"], "YYYY-MM-DD"),
        (["search", "--cross-project"], "--cross-project is off"),
        (["search", "--explain=yes"], "explicit argument"),
        (["list", "more"], "one argument too many"),
        (["list", "--tag", "x"], "has no flag --tag"),
        (["list", "--limit", "many"], "whole number"),
        (["list", "--status", ""], "at least one word"),
        (["show"], "REF is missing"),
        (["show", "a", "b"], "one argument too many"),
        (["history"], "REF is missing"),
        (["stats", "x"], "one argument too many"),
        (["doctor", "--repair"], "not in this version"),
        (["doctor", "--deep"], "has no flag --deep"),
    ],
)
def test_wrong_usage_is_one_line_with_exit_2(run: Run, log: Path, words: list[str], says: str) -> None:
    done = run(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert says in done.err
    assert run(*words, "--json").error["message"] == done.err.removeprefix("learnlog: ").removesuffix("\n")


def damage(log: Path, number: int) -> None:
    """Flip a letter in the title of a line."""
    lines = log.read_bytes().split(b"\n")
    lines[number - 1] = lines[number - 1].replace(b'"title":"r', b'"title":"R')
    log.write_bytes(b"\n".join(lines))


def test_a_search_of_the_past_asks_every_tier_as_it_was(run: Run, log: Path) -> None:
    # semantics: `--as-of`; what a nearer tier holds now says nothing of what it held then
    run("add", "the lock", "--scope", "workstation")
    run("add", "The lock", "--scope", "project")
    today = run("list", "--json").document["hits"][0]["date"]
    for words in (["search"], ["search", "lock"], ["brief", "--operation", "implementer"], ["brief", "lock"]):
        assert "L-001" in run(*words, "--as-of", today).out, words
        assert "WL-001" not in run(*words, "--as-of", today).out, words
        assert run(*words, "--as-of", "2020-01-01").out == ""


def test_other_projects_are_searched_when_this_person_turned_it_on_and_hits_say_where_they_are_from(
    run: Run, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # GS-trust: off until turned on, trusted alone, each marked
    from learnlog import trust

    other = log.parents[2] / "other"
    for folder in (other, log.parents[1]):
        (folder / ".learnlog").mkdir(parents=True, exist_ok=True)
        (folder / "pyproject.toml").write_text('[project]\nname = "x"\n')
    monkeypatch.chdir(other)
    for title in ("trusted there", "not trusted there"):
        run("add", title, "--scope", "project")
    run("revise", "L-001", "--body", "b")
    monkeypatch.chdir(log.parents[1])
    assert run("search", "--cross-project").code == 2
    assert run("config", "set", "--user", "cross_project.read", "true").code == 0
    assert run("search", "--cross-project").out == ""
    monkeypatch.setattr("learnlog.cli.trusting.persons_terminal", lambda environment: True)
    monkeypatch.chdir(other)
    assert run("trust", "L-001").out == "L-001 trusted\n"
    monkeypatch.chdir(log.parents[1])
    assert run("search").out == ""
    found = run("search", "--cross-project")
    assert "from other" in found.out
    assert "not trusted" not in found.out
    [hit] = run("search", "--cross-project", "--json").document["hits"]
    assert (hit["tier"], hit["source"], hit["trusted"]) == ("other", "other", True)
    assert "trusted there" in run("brief", "--operation", "implementer", "--cross-project").out
    monkeypatch.chdir(other)
    assert run("trust", "L-001", "--off").code == 0
    monkeypatch.chdir(log.parents[1])
    assert run("search", "--cross-project").out == ""
    assert trust.read(str(log.parents[2] / ".learnlog" / "trusted")) == {}


def test_only_a_person_at_a_terminal_trusts(run: Run, log: Path) -> None:
    run("add", "a", "--scope", "project")
    done = run("trust", "L-001", "--json")
    assert (done.code, done.error["kind"]) == (1, "needs-person")
    assert not (log.parents[2] / ".learnlog" / "trusted").exists()
