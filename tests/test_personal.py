"""What speaks of a person or a machine is taken out of a text, and ordinary text stays as it is."""

from __future__ import annotations

import time

import pytest

from learnlog.policy.personal import GENERIC, cleaner

CLEAN = cleaner(users=["alice", "Alice Liddell", "root", "jo", "1000"], hosts=["rabbit-hole.local", "rabbit-hole", "localhost"])

TAKEN = [
    ("/home/bob/work/x.py fails", "~/work/x.py fails"),
    ("see /home/bob", "see ~"),
    ("(/home/bob)", "(~)"),
    ("file:///home/bob/x", "file://~/x"),
    ("/Users/bob.smith/x", "~/x"),
    ("/mnt/c/Users/bob/x and /c/Users/bob", "~/x and ~"),
    ("/export/home/bob/x", "~/x"),
    (r"C:\Users\bob\x", r"~\x"),
    (r"C:\\Users\\bob\\x", r"~\\x"),
    (r"c:/Users/bob/x", "~/x"),
    (r"C:\Users\Bob Smith\x", r"~\x"),
    (r"C:\Users\bob is at home, not D:\x", r"~ is at home, not D:\x"),
    ("ask a.b+c@mail.example.org.", "ask <email>."),
    ("<bob@example.com>", "<<email>>"),
    ("postgres://bob:secret@db.example.com/x", "postgres://bob:<email>/x"),
    ("ssh bob@build.example.com", "ssh <email>"),
    ("ALICE did it, alice's way, alice_tmp", "<user> did it, <user>'s way, <user>_tmp"),
    ("by Alice Liddell", "by <user>"),
    ("on rabbit-hole.local and Rabbit-Hole:8080", "on <host> and <host>:8080"),
]


@pytest.mark.parametrize(("text", "clean"), TAKEN)
def test_what_speaks_of_a_person_is_taken_out(text: str, clean: str) -> None:  # GS-export, AM-manage
    assert CLEAN(text) == clean


STAYS = [
    "malice, alices and palace",
    "the root of the tree, as root",
    "jo and 1000",
    "localhost:8080",
    "lodash@4.17.21, @types/node, pkg@1.2.x",
    "git@github.com:org/repo.git",
    "https://example.com/home/dashboard and ~/x",
    "/homes and /home",
    "/Users/Shared/x",
    "a @decorator, user@",
    "D:\\Users",
]


@pytest.mark.parametrize("text", STAYS)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert CLEAN(text) == text


def test_the_home_of_this_person_is_found_wherever_it_is() -> None:
    clean = cleaner(homes=["/data/people/al", "/data/people/al/", "/", ""])
    assert clean("/data/people/al/x, /data/people/alice, /data") == "~/x, /data/people/alice, /data"


def test_of_two_homes_the_deeper_one_is_taken_whole() -> None:
    assert cleaner(homes=["/data/al", "/data/al/deep"])("/data/al/deep/x and /data/al/y") == "~/x and ~/y"


def test_without_names_folders_and_addresses_are_taken_out() -> None:
    assert cleaner()("/home/alice, alice, alice@example.com") == "~, alice, <email>"


def test_names_that_are_nobodys_are_no_names() -> None:
    clean = cleaner(users=sorted(GENERIC), hosts=sorted(GENERIC))
    text = " ".join(sorted(GENERIC))
    assert clean(text) == text


@pytest.mark.parametrize("part", ["a", "a@", "a.b", "a@b.", "/home/", "C:\\Users\\a "])
def test_a_text_of_a_megabyte_takes_a_moment(part: str) -> None:
    text = part * (1_000_000 // len(part))
    before = time.process_time()
    CLEAN(text)
    assert time.process_time() - before < 3
