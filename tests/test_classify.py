"""Which scope a learning has by the rules: what it names, and how it speaks."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnlog.belongings import Files
from learnlog.policy.classify import PROJECT, UNIVERSAL, WORKSTATION, Facts, classify
from learnlog.vocabulary import SCOPES

SCOPE = Path(__file__).parent / "data" / "scope"
FILES = (
    "src/cart/total.py",
    "src/cart/coupon.rs",
    "src/orders/Ledger.java",
    "Makefile",
    "package.json",
    "docs/how to.md",
    "conf/app.ini",
)


def facts(**changes: Any) -> Facts:
    known: dict[str, Any] = {
        "name": "green-shop",
        "stack": ["rust", "axum", "click", "which"],
        "names_a_file": Files(FILES).has,
        "tables": ["users", "orders", "order_items", "requests", "schema_migrations"],
    }
    return Facts(**(known | changes))


def scope(title: str, body: str = "", **fields: Any) -> str:
    return classify({"title": title, "body": body, **fields}, facts()).scope


def right_of(name: str) -> tuple[int, int]:
    """How many of the labelled texts of a file get their label, and how many there are."""
    project = json.loads((SCOPE / "project.json").read_text(encoding="utf-8"))
    known = Facts(project["name"], project["stack"], Files(project["files"]).has, project["tables"])
    rows = [json.loads(line) for line in (SCOPE / name).read_text(encoding="utf-8").splitlines()]
    return sum(classify(row, known).scope == row["scope"] for row in rows), len(rows)


def test_tc_002_a_quirk_of_the_projects_own_table_is_the_projects() -> None:
    # TC-002 of seed 000
    found = classify({"title": "users table has a composite primary key on (org_id, user_id)", "stack": ("python",)}, facts())
    assert (found.scope, found.reasons) == (PROJECT, ("names users, a table of the project",))


def test_tc_003_a_pattern_of_a_framework_is_for_the_workstation() -> None:
    # TC-003 of seed 000
    title = "FastAPI lifespan handlers must yield, not return — startup code runs before yield, shutdown after"
    assert scope(title) == scope(title, stack=("python", "fastapi")) == WORKSTATION


@pytest.mark.parametrize(
    "title",
    [
        "src/cart/total.py rounds half up",
        "Rounding in cart/total.py is half up",
        "total.py:40 rounds half up",
        "`src/cart/total.py#L12-L40` rounds",
        "./src/cart/total.py rounds",
        "src\\cart\\total.py rounds",
        "src.cart.total rounds half up",
        "Rust's clippy is off in src/cart/",
        "Pytest skips src/cart/total.py::test_round",
        "Ledger.java must not call Spring twice",
        "Click reads conf/app.ini",
    ],
)
def test_naming_one_of_the_projects_files_makes_it_the_projects(title: str) -> None:
    # ADD-17
    assert scope(title) == PROJECT
    assert "a file of the project" in classify({"title": title}, facts()).reasons[0]


def test_a_file_that_was_given_beside_the_text_counts() -> None:
    assert scope("Redis SCAN may return a key twice", files=("src/cart/total.py",)) == PROJECT
    assert scope("Redis SCAN may return a key twice", files=("lib/other.py",)) == WORKSTATION


@pytest.mark.parametrize(
    "title",
    [
        "order_items grows by 2 GB a month",
        "orders.total is in cents",
        "ix_users_email is not unique",
        "OrderItem is saved before its order",
        "A row in orders is never deleted",
        "JOIN users only by id in MySQL",
        "MySQL deadlock between orders and users",
        "`users` is partitioned in Postgres",
        "Postgres: SELECT * FROM orders needs a limit",
    ],
)
def test_naming_a_table_makes_it_the_projects(title: str) -> None:
    # ADD-17
    assert scope(title) == PROJECT
    assert "of the project" in classify({"title": title}, facts()).reasons[0]


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("Talk to users about the orders of magnitude", UNIVERSAL),
        ("requests.get has no timeout of its own", WORKSTATION),
        ("Rails writes schema_migrations inside the transaction", WORKSTATION),
        ("Ask users for examples before building it", UNIVERSAL),
    ],
)
def test_a_word_that_is_a_tables_name_too_keeps_its_everyday_sense(title: str, wanted: str) -> None:
    assert scope(title) == wanted


@pytest.mark.parametrize("title", ["green_shop.flags is read once", "GREEN_SHOP_DB is read by Axum", "GreenShop needs Redis"])
def test_naming_the_project_makes_it_the_projects(title: str) -> None:
    # ADD-17
    assert scope(title) == PROJECT


@pytest.mark.parametrize(
    "title",
    [
        "Our Postgres runs out of connections",
        "We use httpx in place of requests",
        "Staging runs Postgres 14",
        "The checkout fails for guests",
        "OrderService must not call the ledger twice",
        "MAX_UPLOAD_MB is enforced twice",
        "Fixed the rounding",
        "It works again",
        "Sorting is wrong on page two",
        "Rechnungen werden nachts verschickt",
        "重跑脚本后修复",
        "",
        "...",
    ],
)
def test_what_is_of_this_place_or_unclear_is_the_projects(title: str) -> None:
    # ADD-17: it can be promoted later
    assert scope(title) == PROJECT


@pytest.mark.parametrize(
    "title",
    [
        "Go maps are not safe for concurrent writes",
        "Rust's Drop is not called on process::exit",
        "serde flatten disables deny_unknown_fields",
        "React runs effects twice in strict mode",
        "git stash does not keep untracked files",
        "bash set -e does not stop inside a condition",
        "SQLite allows one writer at a time",
        "Next.js caches fetch calls by default",
        "pytest-xdist builds a session fixture once per worker",
        "python3 -m venv copies no site-packages",
        "requests.Session keeps cookies between calls",
        "Requests has no default timeout",
        "click groups swallow exceptions of their callbacks",
        "asyncio.gather does not cancel the others when one fails",
        "在pytest里fixture的scope默认是function",
        "Kubernetes’s CPU limit throttles an idle node",
    ],
)
def test_a_fact_about_a_technology_is_for_the_workstation(title: str) -> None:
    # ADD-17
    assert scope(title) == WORKSTATION


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Ask why five times", "The first answer is a symptom."),
        ("Never deploy on a Friday afternoon", ""),
        ("A pull request of more than 400 lines is not read", ""),
        ("Stop and re-read the task after three failed attempts", ""),
        ("React to feedback within a day", ""),
        ("Go back to the last green commit before debugging", ""),
        ("Automate what was done by hand three times", "Be it such as in Bash or in Python."),
        ("When stuck for an hour, explain it to someone", ""),
        ("Meetings without an agenda can be declined", "Whether they are in Zoom or in a room."),
        ("Decisions are written down", "Slack is not the place."),
    ],
)
def test_how_people_work_is_universal(title: str, body: str) -> None:
    # ADD-17
    assert scope(title, body) == UNIVERSAL


def test_a_dependency_that_is_called_as_a_word_is_not_seen_in_every_sentence() -> None:
    assert scope("Exports are slow, which nobody reported") == PROJECT
    assert scope("which() follows links") == WORKSTATION


def test_a_category_of_method_speaks_for_method() -> None:
    assert scope("Small steps", category="process") == UNIVERSAL


def test_without_a_project_nothing_of_a_project_is_needed() -> None:
    nothing = Facts(None, (), lambda _: False, ())
    assert classify({"title": "Redis SCAN may return a key twice"}, nothing).scope == WORKSTATION
    assert classify({"title": "It works again"}, nothing).reasons == ("speaks of something particular",)


def test_the_labelled_texts_that_were_seen_get_their_labels() -> None:
    right, count = right_of("seen.jsonl")
    assert right >= 0.95 * count, f"{right} of {count}"


def test_of_the_labelled_texts_that_were_held_out_85_of_a_hundred_get_their_labels(capsys: pytest.CaptureFixture[str]) -> None:
    # issue 4: counted once, when the rules were done; no rule was changed for it
    right, count = right_of("held-out.jsonl")
    with capsys.disabled():
        print(f"\nscopes of the held-out texts: {right} of {count} right")
    assert count >= 45
    assert right >= 0.85 * count, f"{right} of {count}"


@given(
    st.dictionaries(st.sampled_from(["title", "body", "key", "category"]), st.text(max_size=300)),
    st.lists(st.text(max_size=40)),
)
def test_any_text_has_a_scope_and_a_reason_and_the_same_each_time(fields: dict[str, Any], names: list[str]) -> None:
    given_fields = {**fields, "files": tuple(names), "stack": tuple(names), "tags": tuple(names)}
    once, again = classify(given_fields, facts()), classify(given_fields, facts())
    assert once.scope in SCOPES
    assert once.reasons
    assert (once.scope, once.reasons) == (again.scope, again.reasons)


@given(st.sampled_from(FILES[:3]), st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=60))
@settings(max_examples=60)
def test_a_file_of_the_project_is_seen_beside_any_words(file: str, words: str) -> None:
    # ADD-17
    assert scope(f"{words} {file} {words}") == PROJECT


@pytest.mark.parametrize(
    "piece", ["a.", "_", "a", "a-", "`(", "x:1", "a_b_", "aB", "/", "-", "anything ", "\u4e00", "(", "a'", "::1"]
)
def test_no_text_takes_long(piece: str) -> None:
    body = piece * (1_000_000 // len(piece))
    begin = time.process_time()
    scope(body[:500], body)
    assert time.process_time() - begin < 0.5
