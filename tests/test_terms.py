"""The terms that are searched for on behalf of a prompt, and the kind of task that it speaks of."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnlog.policy.terms import BROAD_LEAST, GENERIC, KINDS, LEAST, MOST, WEAK, kind_of, terms
from learnlog.text import COMMON, tokens
from learnlog.vocabulary import CATEGORIES

STACK = ("python", "fastapi", "github-actions", "next.js", "c++", "ci")


def rarity_of(text: str, **held: int) -> Callable[[str], int]:
    """The rarity in a log where each token of `text` stands in 2 learnings, and others in as many as is said."""
    counts = dict.fromkeys(tokens(text), 2) | {token: count for word, count in held.items() for token in tokens(word)}
    return lambda token: counts.get(token, 0)


# Which ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prompt", "found"),
    [  # PR-terms, AM-inject
        ("Please fix the retry loop in fetch_page, FastAPI drops git hooks", "FastAPI fetch_page retry loop drops git hooks"),
        ("Fix the import error in the memory module", "import memory error"),
        ("why does `git rebase --no-edit` fail on src/app/main.py?", "no-edit src/app/main.py git rebase"),
        ("set up ci, git and the api", "ci git api"),
        ('(getUserName) vs. a.b.c; "utf8": MAX_RETRIES!', "getUserName a.b.c utf8 MAX_RETRIES vs"),
        ("C++ and C# interop, .NET", "C++ C# .NET interop"),
        ("the bot's cache isn't and/or doesn't, e.g. S3", "S3 bot cache"),
        ("multi-tenant auth, each tenant alone", "multi-tenant auth alone"),
        ("FIX THE LOCK TIMEOUT NOW", "LOCK TIMEOUT"),
    ],
)
def test_terms_are_technologies_then_identifiers_then_words(prompt: str, found: str) -> None:
    assert " ".join(terms(prompt, stack=STACK)) == found


@pytest.mark.parametrize("written", ["GitHub Actions", "github-actions", "Github  actions", "GitHubActions"])
def test_a_technology_of_several_words_is_one_term(written: str) -> None:  # PR-terms, AM-inject
    assert terms(f"cache wheels in {written}", stack=STACK)[0].casefold().replace(" ", "-") in (
        "github-actions",
        "githubactions",
    )
    assert len(terms(f"cache wheels in {written}", stack=STACK)) == 3


def test_a_technology_is_known_however_it_is_written() -> None:  # PR-terms
    assert terms("hydration of NextJS pages", stack=STACK)[0] == "NextJS"
    assert terms("hydration of Next.js pages", stack=STACK)[0] == "Next.js"
    assert terms("hydration of nextjs pages")[0] == "hydration"


@pytest.mark.parametrize(
    "prompt", ["please change the code", "fix and update it", "", "   ", "?!", "Could you have a look?", "ok thanks"]
)
def test_generic_words_are_no_terms(prompt: str) -> None:  # PR-terms
    assert terms(prompt, stack=STACK) == ()


def test_the_generic_words_are_left_out_in_every_form() -> None:  # PR-terms
    words = "code codes fix fixed fixing change changes updated updating please adding created using needs helped decides"
    for word in words.split():
        assert terms(f"{word} {word.upper()} {word.title()}") == (), word


def test_words_that_stand_everywhere_only_fill_up() -> None:  # PR-terms
    assert terms("add a test for the error") == ("test", "error")
    assert terms("test the error of the deadlock") == ("deadlock", "test", "error")
    assert terms("test the error: deadlock in the vacuum of the replica") == ("deadlock", "vacuum", "replica")


def test_there_are_at_most_eight_and_neither_identifiers_nor_technologies_take_all_places() -> None:  # PR-terms
    many = " ".join(f"name_{letter}x" for letter in "abcdefghij")
    found = terms(f"{many} deadlock python fastapi ci", stack=STACK)
    assert len(found) == MOST
    assert found[:3] == ("python", "fastapi", "ci")
    assert "deadlock" in found
    assert len(terms(many)) == MOST


def test_a_word_is_one_term_however_often_and_in_whatever_form_it_comes() -> None:  # PR-terms
    assert terms("lock locks Locking locked deadlock") == ("lock", "deadlock")


# What the log says ----------------------------------------------------------------------------------------------------


def test_the_rarest_words_come_first_and_those_that_the_log_does_not_have_not_at_all() -> None:  # PR-terms
    rarity = rarity_of("", retry=9, deadlock=1, vacuum=4)
    assert terms("retry the vacuum after a deadlock of flurbs", rarity=rarity, documents=100) == ("deadlock", "vacuum", "retry")
    assert terms("flurbs and blorbs", rarity=rarity, documents=100) == ()


def test_a_word_is_looked_up_as_the_token_that_an_index_has() -> None:  # PR-terms
    assert terms("rebasing, retries and getUserName", rarity=rarity_of("rebase retry user_name"), documents=9) == (
        "getUserName",
        "rebasing",
        "retries",
    )


def test_an_identifier_that_only_shares_generic_parts_with_the_log_is_unknown_to_it() -> None:  # PR-terms
    assert terms("update_code in fetch_page", rarity=rarity_of("update code"), documents=9) == ()


def test_what_most_of_the_log_has_tells_nothing_apart() -> None:  # PR-terms, PR-format
    rarity = rarity_of("vacuum deadlock replica", worker=BROAD_LEAST + 1)
    assert terms("worker vacuum deadlock replica", rarity=rarity, documents=60) == ("vacuum", "deadlock", "replica")
    assert terms("worker vacuum deadlock replica", rarity=rarity, documents=600)[-1] == "worker"
    assert terms("worker vacuum", rarity=rarity, documents=60) == ("vacuum", "worker")  # but it is better than nothing


def test_a_number_is_a_term_where_the_log_has_it() -> None:  # PR-terms
    assert terms("see 1234 and 42", rarity=rarity_of("#1234"), documents=9) == ("1234",)
    assert terms("see 1234 and 42") == ()


def test_scripts_without_spaces_give_the_pairs_that_the_log_has() -> None:  # PR-terms, fault 43
    prompt = "重跑build脚本后修复"
    assert terms(prompt, rarity=rarity_of("脚本", build=3, 修复=1), documents=9) == ("修复", "脚本", "build")
    assert {"build", "脚本", "修复"} <= set(terms(prompt))
    assert "接続" in terms("スレッドの接続を共有しない", rarity=rarity_of("接続プール"), documents=9)
    assert "스레" in terms("스레드 풀", rarity=rarity_of("스레드"), documents=9)


def test_of_a_long_prompt_both_ends_are_looked_at() -> None:  # AM-inject
    pasted = "2026-01-01 INFO started\n" * 100_000
    found = terms(f"deadlock in the replica\n{pasted}\nwhy the vacuum?")
    assert {"deadlock", "replica", "vacuum"} <= set(found)


@given(st.text(max_size=200), st.lists(st.text(max_size=12), max_size=4))
def test_any_prompt_gives_the_same_few_terms_each_of_which_finds_something(prompt: str, stack: list[str]) -> None:
    found = terms(prompt, stack=stack)
    assert found == terms(prompt, stack=tuple(stack))
    assert len(found) <= MOST
    for term in found:
        assert any(token not in COMMON and token not in GENERIC for token in tokens(term))
        assert not set(tokens(term)).isdisjoint(tokens(prompt))


@given(st.text(alphabet="ab ._-/'+#Z1脚é", max_size=60))
def test_a_log_that_has_every_word_leaves_none_out(prompt: str) -> None:
    known = terms(prompt, rarity=lambda _: 1, documents=10)
    assert set(terms(prompt)) <= set(known)


# The lists ------------------------------------------------------------------------------------------------------------


def test_the_lists_hold_tokens_as_the_tokenizer_makes_them() -> None:
    words = (
        "please choose decide properly verify already anyone create changes update possible releases microservices libraries"
    )
    known = GENERIC | WEAK | {cue for cues in KINDS.values() for cue in cues.split()}
    assert {word for word in words.split() if tokens(word)[0] not in known} == {"anyone"}
    assert not GENERIC & WEAK
    assert LEAST < MOST


@pytest.mark.parametrize(
    ("prompt", "category"),
    [  # PR-terms
        ("Investigate the crash in the importer", "bug-resolution"),
        ("Why does this test fail with a traceback?", "bug-resolution"),
        ("Choose a library for retries", "library-selection"),
        ("Design the module structure of the importer", "architecture"),
        ("Which pattern should handlers follow?", "pattern-choice"),
        ("Defer the second milestone", "scope-change"),
        ("SQLite versus Postgres", "trade-off"),
        ("The query is slow, optimize it", "performance"),
        ("Release 1.2 and deploy it", "process"),
        ("修复登录的错误", "bug-resolution"),
        ("バグを直す", "bug-resolution"),
        ("Say hello", None),
        ("", None),
    ],
)
def test_the_kind_of_a_task_is_a_category(prompt: str, category: str | None) -> None:
    assert kind_of(prompt) == category


def test_every_kind_of_task_is_a_category_of_the_vocabulary() -> None:  # PR-terms
    assert set(KINDS) <= set(CATEGORIES)
    cues = [cue for words in KINDS.values() for cue in words.split()]
    assert len(cues) == len(set(cues))
