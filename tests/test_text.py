"""Tokens in any script, and how alike two texts are (faults 16, 21, 42, 43; X-3, IN-observe)."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from unicodedata import category, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnlog import text as module
from learnlog.text import COMMON, LONGEST_TOKEN, query_words, similarity, tokens, words_for_similarity

ANYTHING = st.text(st.characters(exclude_categories=()))
_LETTERS = "abyzABYZ019éßſİΰ脚本デーが한ｶﾞกำิ์हि्مً\u0301\u0308\u0345"
_OTHERS = " \t\n_-./:'+#\"*()[]{}<>|\\\0\x1e\x1f\x7f\x85\u2028’\u200b\u200d\ufe0f\u20e3\ufeff👍\ud83d"
TRICKY = st.text(st.sampled_from(_LETTERS + _OTHERS))
"""Characters that each mean something to the tokenizer, so that a few of them meet in most examples."""


def forget() -> None:
    for remembered in (module._TOKENS, module._COUNTED, module._IDENTIFIERS, module._STEMS, module._KINDS):
        remembered.clear()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("snake_case", {"snake_case", "snake", "case"}),
        ("CamelCase", {"camelcase", "camelcas", "camel", "case"}),
        ("getHTTPResponse", {"gethttpresponse", "gethttprespons", "get", "http", "respons"}),
        ("kebab-case", {"kebab-case", "kebab", "case"}),
        ("os.path.join", {"os.path.join", "os", "path", "join"}),
        ("error:timeout", {"error:timeout", "error", "timeout"}),
        ("GB/s", {"gb/s", "gb", "s"}),
        ("C++ and c#", {"c++", "and", "c#"}),
        ("counter++", {"counter++", "counter"}),
        ("ASP.NET and .NET", {"asp.net", "asp", "net", ".net", "and"}),
        ("~/.gitignore ./x ..y ...", {".gitignore", "gitignor", "x", "y"}),
        ("bot's", {"bot's", "bot", "s"}),
        ("bot’s pre\u2011edit", {"bot's", "bot", "s", "pre-edit", "pre", "edit"}),
        ("use .net .5", {"use", ".net", "net", "5"}),
        ("IOUsage", {"iousage", "iousag", "io", "usag"}),
        ("ax\u0302B", {"ax\u0302b", "ax\u0302", "b"}),
        ("a-\u0301b", {"a", "b"}),
        ("std::vec a->b", {"std", "vec", "a", "b"}),
        ("https://example.com/a_b", {"https", "example.com/a_b", "exampl", "com", "a", "b"}),
        ("__init__", {"init"}),
        ("utf8 IPv6", {"utf8", "utf", "8", "ipv6", "i", "pv", "6"}),
        ("URLs userIDs", {"url", "userids", "userid", "user", "id"}),
        ("retry_locks locks", {"retry_locks", "retri", "lock"}),
        ("NEAR(", {"near"}),
        ('"quoted', {"quot"}),
        ("* AND -", {"and"}),
        ("Привет ΣΟΦΙΑ", {"привет", "σοφια"}),
        ("...!? -- '' ## ++", set()),
        ("", set()),
    ],
)
def test_words_identifiers_and_their_parts(text: str, wanted: set[str]) -> None:
    # fault 42: no character is an operator
    assert set(tokens(text)) == wanted


def test_tokens_come_in_order_and_as_often_as_they_stand() -> None:
    # what a ranking counts
    assert tokens("locks, lock; pre-lock lock-lock") == ["lock", "lock", "pre-lock", "pre", "lock", "lock-lock", "lock"]


@pytest.mark.parametrize(
    ("one", "other"),
    [("SQLite", "sqlite"), ("SubProcesses", "subprocesses"), ("LOCKING", "locks"), ("Straße", "STRASSE"), ("’Tis", "'tis")],
)
def test_a_word_is_found_however_its_letters_are_written(one: str, other: str) -> None:
    # fault 42
    assert set(tokens(other)) <= set(tokens(one))


@pytest.mark.parametrize(
    "around", ["{}", "({})", "`{}`", "**{}**", "{}.", '"{}",', "_{}_", "<{}>", "[{}]:", "'{}'", "-{}-", "'{}!", "„{}“"]
)
@pytest.mark.parametrize("word", ["locks", "LOCKS", "größe", "a"])
def test_what_stands_around_a_word_changes_nothing(around: str, word: str) -> None:
    # fault 42
    assert tokens(around.format(word)) == tokens(word)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("STRASSE straße", {"strass"}),
        ("cafe\u0301", {"caf\u00e9"}),
        ("für", {"für"}),
        ("Größenänderung", {"größenänderung".casefold()}),
        ("señal_única", {"señal_única", "señal", "única"}),
        ("ΰ \u03a5\u0308\u0301", {"ΰ"}),
        ("脚\u0345", {"脚", "脚ι", "ι"}),
    ],
)
def test_a_letter_with_an_accent_is_part_of_its_word(text: str, wanted: set[str]) -> None:
    # else "über" finds every "für", by their "ü"
    assert set(tokens(text)) == wanted


@pytest.mark.parametrize("word", ["हिन्दी", "العَرَبِيَّة", "สวัสดี", "עִבְרִית", "தமிழ்", "မြန်မာ", "ខ្មែរ", "བོད", "ne\u0328\u0301"])
def test_a_mark_never_tears_a_word(word: str) -> None:
    # a vowel sign is no letter to Python, and a word to whoever reads it
    found = tokens(f"x {word}, y")
    assert normalize("NFC", word) in found
    assert not any(category(token[0])[0] == "M" for token in found)


@pytest.mark.parametrize("inside", ["\u200d", "\u200c", "\u00ad", "\ufeff", "\u2060", "\ufe0f", "\u034f", "\u20e3"])
def test_a_character_without_a_look_is_passed_over(inside: str) -> None:
    # Persian joins its words with one, and what hyphenates puts them anywhere
    assert tokens(f"می{inside}خواهم re{inside}base") == tokens("میخواهم rebase")


@pytest.mark.parametrize(
    "between",
    [" ", "\u3000", "\u200b", "\x00", "\x1e", "\x1f", "\x85", "\u2028", "→", "👍🏽", "\ud83d", "\ue0b0", "…", "—", "，"],
)
def test_a_character_of_no_word_parts(between: str) -> None:
    # faults 15, 16
    assert tokens(f"one{between}two") == ["one", "two"]


@pytest.mark.parametrize("query", ["脚本", "build", "修复", "重跑", "脚"])
def test_text_without_spaces_is_found_by_its_parts(query: str) -> None:
    # fault 43
    assert set(tokens(query)) <= set(tokens("重跑build脚本后修复"))
    assert set(tokens("数据库")).isdisjoint(tokens("重跑build脚本后修复"))


def test_a_run_of_characters_gives_each_and_each_pair() -> None:
    # fault 43
    assert tokens("重跑build脚本后") == ["重", "重跑", "跑", "build", "脚", "脚本", "本", "本后", "后"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("データベース・接続", "接続"),
        ("데이터베이스 연결", "연결"),
        ("𠀋𠀌", "𠀌"),
        ("葛\U000e0100城", "葛城"),
    ],
)
def test_japanese_korean_and_rare_characters_too(text: str, query: str) -> None:
    # fault 43
    assert set(tokens(query)) <= set(tokens(text))


@pytest.mark.parametrize(("text", "query"), [("ข้อมูลฐาน", "ฐาน"), ("ພາສາລາວ", "ລາວ"), ("ဒေတာဘေ့စ်", "ဒေတာ"), ("ទិន្នន័យ", "ន្នន័យ")])
def test_scripts_of_letters_without_spaces_give_pairs_of_them_with_their_marks(text: str, query: str) -> None:
    # fault 43, X-3: but no single letters, which are in every text
    whole, *pairs = tokens(query)
    assert whole == query
    assert set(pairs or [whole]) <= set(tokens(text))
    assert text in tokens(text)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 500,
        "X1y2" * 200,
        "脚\u0301" * 3 + "\u0302" * 300,
        "ß" * 60,
        "สวัสดี" * 40,
        "a-" * 100,
        "é" * 65,
        "脚本".replace("本", "\u0344" * 30 + "本") + "\u0344" * 30,
    ],
)
def test_no_token_is_longer_than_the_limit(text: str) -> None:
    # the index is made of them
    assert max(map(len, tokens(text))) <= LONGEST_TOKEN


def test_base64_and_hashes_do_not_fill_an_index() -> None:
    # what is too long or has too many parts is no identifier
    blob = "".join("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[i * i * 7919 % 64] for i in range(20_000))
    assert len(tokens(blob)) < 20_000 / 10
    assert len(tokens(".".join(f"v{number}" for number in range(1_000)))) < 80
    assert len(tokens("aB" + "c" * LONGEST_TOKEN)) == 1
    assert tokens("a3f2b1c09d8e7f6a5b4c3d2e1f00a9b8c7d6e5f4") == ["a3f2b1c09d8e7f6a5b4c3d2e1f00a9b8c7d6e5f4"]


@pytest.mark.parametrize(
    "text", ["a" + "\u0301\u0316" * 100_000, "脚本" * 50_000, "a." * 50_000, "+-" * 100_000, "1a" * 100_000, "_" * 100_000]
)
def test_no_text_takes_longer_than_its_length(text: str) -> None:
    # Unicode's normal form takes a minute for the first of these, when it is left to it
    from time import process_time

    started = process_time()
    tokens(text)
    assert process_time() - started < 3


@given(ANYTHING | TRICKY)
def test_any_text_gives_tokens_that_an_index_can_hold(text: str) -> None:
    # faults 15, 16: nothing but what stands in words, folded; a lone surrogate is in none
    for token in tokens(text):
        assert token
        assert len(token) <= LONGEST_TOKEN
        assert token.split() == [token]
        assert not {category(one) for one in token} & {"Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp"}
        assert token == normalize("NFC", token.casefold())
        assert category(token[0])[0] != "M"
    assert set(query_words(text)) <= set(tokens(text))
    assert bool(query_words(text)) == bool(tokens(text))


@given(ANYTHING | TRICKY)
def test_the_normal_form_makes_no_difference(text: str) -> None:
    # fault 21
    assert tokens(normalize("NFD", text)) == tokens(text) == tokens(normalize("NFC", text))


@given(TRICKY, TRICKY)
def test_a_text_gives_what_its_pieces_give(one: str, other: str) -> None:
    # the normal form too may be made piece by piece
    assert tokens(f"{one} {other}") == tokens(one) + tokens(other)


@given(st.lists(TRICKY, max_size=5), TRICKY)
def test_what_was_seen_before_never_changes_an_answer(before: list[str], text: str) -> None:
    # an index made today and one made from nothing hold the same
    forget()
    alone = tokens(text), words_for_similarity(text)
    for other in before:
        tokens(other)
        words_for_similarity(other)
    assert (tokens(text), words_for_similarity(text)) == alone


def test_what_is_remembered_is_bounded_and_threads_may_share_it(monkeypatch: pytest.MonkeyPatch) -> None:
    #
    texts = [" ".join(f"word{number}Part-x{number}" for number in range(start, start + 40)) for start in range(0, 400, 5)]
    alone = [tokens(text) for text in texts]
    monkeypatch.setattr(module, "_REMEMBERED", 16)
    forget()
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(tokens, texts * 4))
    assert together == alone * 4
    assert len(module._TOKENS) <= 16 + 8  # each thread may add one between another's look and its step
    before = len(module._TOKENS)
    tokens("x" * 10_000)
    assert len(module._TOKENS) == before


def test_a_query_is_its_words_without_common_ones() -> None:
    #
    assert query_words("How to retry the locks of a Lock?") == ["retri", "lock"]
    assert query_words("it's in C++, isn't it") == ["it's", "c++", "isn't", "isn"]


@pytest.mark.parametrize("query", ["to be", "what is it", "The", "IT"])
def test_a_query_of_only_common_words_keeps_them(query: str) -> None:
    #
    assert query_words(query) == tokens(query) != []


def test_common_words_are_written_as_tokens() -> None:
    # else one in the table would never be left out
    assert {word: tokens(word) for word in COMMON} == {word: [word] for word in COMMON}


def test_a_query_costs_two_modules_and_one_more_beyond_ascii() -> None:
    # mission: start-up is a feature
    script = """
import sys, learnlog, itertools, __future__
before = set(sys.modules)
from learnlog.text import query_words
query_words("how to undo C++")
assert sorted(set(sys.modules) - before) == ["learnlog.stemming", "learnlog.text"], set(sys.modules) - before
query_words("脚本")
assert set(sys.modules) - before <= {"learnlog.stemming", "learnlog.text", "unicodedata"}, set(sys.modules) - before
"""
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False).stderr == ""


def test_similarity_compares_words_of_four_letters_and_more() -> None:
    # IN-observe
    one, other = words_for_similarity("use the lock for each file"), words_for_similarity("a lock on every file")
    assert one == {"lock", "each", "file"}
    assert similarity(one, other) == pytest.approx(2 / 4)


def test_letters_are_counted_as_a_word_is_written() -> None:
    # IN-observe: `uses` has four, and is `use` when it is compared; `run` has three
    assert words_for_similarity("uses run") == words_for_similarity("USES") == {"use"}
    assert words_for_similarity("uses.use") == {"uses.use", "use"}
    assert words_for_similarity("runs locked") == words_for_similarity("running locks")


def test_a_text_without_long_words_compares_all_it_has() -> None:
    # IN-observe
    assert words_for_similarity("run ci on pr") == {"run", "ci", "on", "pr"}
    assert similarity(words_for_similarity("a b"), words_for_similarity("a b")) == 1.0


def test_text_without_spaces_compares_pairs() -> None:
    # IN-observe, fault 43
    one = words_for_similarity("重跑脚本后修复")
    assert one == {"重跑", "跑脚", "脚本", "本后", "后修", "修复"}
    assert similarity(one, words_for_similarity("重跑脚本后修")) > 0.6
    assert similarity(one, words_for_similarity("数据库连接")) == 0.0


def test_nothing_is_like_nothing() -> None:
    assert similarity(frozenset(), frozenset()) == 0.0
    assert similarity(words_for_similarity("!"), words_for_similarity("!")) == 0.0


@given(st.frozensets(st.text(max_size=3)), st.frozensets(st.text(max_size=3)))
def test_similarity_is_symmetric_and_from_0_to_1(one: frozenset[str], other: frozenset[str]) -> None:
    assert 0.0 <= similarity(one, other) == similarity(other, one) <= 1.0
