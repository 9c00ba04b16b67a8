"""The tiers under what the world does: kills, rivals, merges, targets that cannot be written, hostile text."""

from __future__ import annotations

import os
import random
import re
import signal
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from learnlog import Store, events, ids, trust
from learnlog.errors import KeyTaken, WriteFailed, WrongStatus
from learnlog.events import Event
from learnlog.index import together
from learnlog.library import Library
from learnlog.model import Content, Hit

from .conftest import check_sound

Discover = Callable[..., Library]
EVERY = ("active", "proposed", "archived", "superseded", "deleted")
STYLES = ("learnlog", "add", "gstack", "amplihack", "precedents")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"LEARNLOG_HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.fixture
def discover(tmp_path: Path, environment: dict[str, str]) -> Discover:
    """The library of a project called so; what it has to tell is not looked at."""

    def made(name: str = "here", **options: object) -> Library:
        (tmp_path / name / ".learnlog").mkdir(parents=True, exist_ok=True)
        return Library.discover(tmp_path / name, environment=environment, notify=lambda _: None, **options)

    return made


def log_of(library: Library, tier: str = "project") -> Path:
    return Path(library.stores[tier].log.name)


def in_a_child(work: Callable[[], None]) -> int:
    """The id of a child that does the work, warm as we are; it ends with 1 when that raises."""
    child = os.fork()
    if child:
        return child
    try:
        work()
        os._exit(0)
    finally:
        os._exit(1)  # it raised, and must not go on with what is its parent's


def each_lives_once(library: Library, uids: list[str]) -> list[Hit]:
    """Every learning is found once, where its scope says, under its reference; both logs are sound."""
    hits = library.list(status=EVERY)
    assert sorted(hit.uid for hit in hits) == sorted(uids)
    assert hits.total == len(uids)
    for hit in hits:
        assert (hit.tier == "project") == (hit.scope == "project")
        assert library.get(hit.ref).uid == hit.uid
    for store in library.stores.values():
        assert not store.verify()
    return list(hits)


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_while_moving_to_and_fro_each_learning_lives_once(discover: Discover, seed: int) -> None:
    # fault 7, issue 4: safe against a kill between the two appends
    chance = random.Random(seed)
    here = discover()
    scopes = ("project", "workstation", "universal")
    uids = [here.record(f"fact {n}", scope=chance.choice(scopes), key=f"k{n}" if n % 2 else None).uid for n in range(4)]
    here.list()
    here.close()
    for turn in range(12):

        def move(turn: int = turn) -> None:
            moving, rng = discover(), random.Random(turn)
            while True:
                uid = rng.choice(uids)
                if rng.random() < 0.8:
                    moving.reclassify(uid, scope=rng.choice(scopes), move=True)
                else:
                    moving.revise(uid, body=f"revision {rng.random()}")

        child = in_a_child(move)
        time.sleep(chance.uniform(0.02, 0.12))
        os.kill(child, signal.SIGKILL)
        _, ended = os.waitpid(child, 0)
        assert os.WIFSIGNALED(ended), "the child raised"
        each_lives_once(discover(), uids)


def test_two_processes_that_move_one_learning_leave_it_in_one_tier(discover: Discover) -> None:
    # fault 1, fault 3
    here = discover()
    uid = here.record("wanted by two", scope="project").uid
    here.list()
    here.close()

    def move(seed: int) -> Callable[[], None]:
        rng = random.Random(seed)

        def work() -> None:
            mover = discover()
            for _ in range(8):
                with suppress(WrongStatus):  # the other one moved it since it was looked up: test_tiers_found
                    mover.reclassify(uid, scope=rng.choice(["project", "workstation", "universal"]))

        return work

    children = [in_a_child(move(seed)) for seed in (1, 2)]
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
    each_lives_once(discover(), [uid])
    known = [{event.id for event in store.events_of([uid])} for store in discover().stores.values()]
    assert known[0] == known[1]


def test_eight_processes_that_add_to_both_tiers_lose_nothing(discover: Discover) -> None:
    # fault 1
    here = discover()
    here.list()
    here.close()

    def add(number: int) -> Callable[[], None]:
        def work() -> None:
            adder = discover(by=f"agent:number{number}", durable=False)
            for n in range(6):
                adder.record(f"{number} says {n}", scope=("project", "workstation")[n % 2])

        return work

    children = [in_a_child(add(number)) for number in range(8)]
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 8
    found = discover().list()
    assert {hit.title for hit in found} == {f"{number} says {n}" for number in range(8) for n in range(6)}
    for tier in ("project", "workstation"):
        check_sound(log_of(here, tier))
    for number in range(8):
        mine = discover(by=f"agent:number{number}")
        assert [mine.get(done.uid).title for done in mine.undo_last()] == [f"{number} says 5"]


def test_a_target_that_cannot_be_written_leaves_the_source_as_it_was(discover: Discover) -> None:
    # fault 6, fault 26
    here = discover()
    here.record("one", scope="project")
    here.record("far", scope="workstation", body="a long story " * 500)  # longer than what else is written
    before = [log_of(here, tier).read_bytes() for tier in here.stores]
    target = log_of(here, "workstation")
    child = in_a_child(lambda: _move_onto_a_full_disk(discover, target.stat().st_size + 100))
    assert os.waitpid(child, 0)[1] == 0
    assert [log_of(here, tier).read_bytes() for tier in here.stores] == before
    assert here.get("L-001").tier == "project"


def _move_onto_a_full_disk(discover: Discover, size: int) -> None:
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    with pytest.raises(WriteFailed):
        discover().reclassify("L-001", scope="workstation")


@pytest.mark.parametrize("status", ["proposed", "archived", "deleted"])
def test_what_is_not_active_moves_as_it_is_and_back(discover: Discover, status: str) -> None:
    # semantics: "Status"; undo of a move
    here = discover()
    uid = here.record("one", scope="project", proposed=status == "proposed").uid
    if status != "proposed":
        here.each({"archived": "archive", "deleted": "delete"}[status], [uid])
    here.reclassify(uid, scope="workstation")
    assert [(hit.tier, hit.status) for hit in each_lives_once(here, [uid])] == [("workstation", status)]
    here.undo(uid)
    assert [(hit.tier, hit.status) for hit in each_lives_once(here, [uid])] == [("project", status)]


def test_learnings_that_were_joined_stay_joined_on_their_way(discover: Discover) -> None:
    # invariant 4: two agents that record the same key on two branches
    here = discover()
    first, second = here.record("first", key="ka", scope="project"), here.record("second", key="kb", scope="project")
    event_id = ids.compose(ids.now_ms() + 1, 0, 1)
    renamed = Event(v=1, id=event_id, event="revised", uid=second.uid, learning=Content(key="ka"))
    with log_of(here).open("ab") as file:
        file.write(events.encode(renamed) + b"\n")
    here.reclassify("L-001", scope="workstation")
    assert {here.get(name).uid for name in ("L-001", "L-002", "WL-001")} == {first.uid}
    here.each("archive", ["L-002"])
    assert here.list().total == 0
    here.each("restore", ["WL-001"])
    here.reclassify("WL-001", scope="project")
    each_lives_once(here, [first.uid])


@pytest.mark.parametrize("kept", [False, True])
def test_branches_of_which_one_moved_the_learning_merge_by_union(discover: Discover, kept: bool) -> None:
    # fault 33: the log of a branch that moved it and of one that revised and archived it
    here = discover()
    uid = here.record("one", scope="project").uid
    log = log_of(here)
    base = log.read_bytes()
    here.reclassify(uid, scope="workstation", move=not kept)
    ours = log.read_bytes()
    Store(theirs := log.with_name("theirs.jsonl")).list()
    theirs.write_bytes(base)
    other = Store(theirs)
    other.revise(uid, body="revised on the other branch")
    log.write_bytes(ours + theirs.read_bytes()[len(base) :])
    merged = discover()
    assert [(hit.uid, hit.body) for hit in merged.list()] == [(uid, "revised on the other branch")]
    merged.revise(uid, body="once more")
    shared = [{event.id for event in store.events_of([uid])} for store in merged.stores.values()]
    assert shared[0] == shared[1]
    assert merged.list()[0].tier == ("project" if kept else "workstation")


# Search -------------------------------------------------------------------------------------------------------------


def same(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def over_both(here: Library) -> list[Hit]:
    """What both tiers show together, in plain Python: the nearer hides what is the same."""
    near, far = (list(here.stores[tier].list(status="active")) for tier in ("project", "workstation"))
    uids, titles = {hit.uid for hit in near}, {same(hit.title) for hit in near}
    keys = {same(hit.key) for hit in near if hit.key}
    return near + [
        hit for hit in far if hit.uid not in uids and same(hit.title) not in titles and same(hit.key or "\0") not in keys
    ]


@pytest.fixture
def mixed(discover: Discover) -> Iterator[Library]:
    """Two hundred learnings in both tiers, some the same, some moved, archived and deleted."""
    chance = random.Random(5)
    here = discover(durable=False)
    rows = [
        {
            "title": f"{' '.join(chance.sample(['flock', 'pool', 'thread', 'cache'], 2))} {chance.randrange(40)}",
            "scope": chance.choice(["project", "workstation", "universal"]),
            "severity": chance.choice(["low", "high", "critical"]),
            "stack": chance.choice([[], ["python"], ["rust"]]),
            "key": f"k{chance.randrange(40)}" if chance.random() < 0.3 else None,
        }
        for _ in range(200)
    ]
    here.record_many([{name: value for name, value in row.items() if value is not None} for row in rows])
    for _ in range(12):
        uid = chance.choice(list(here.list())).uid
        with suppress(KeyTaken):  # recorded in both tiers, each by itself: words that are not mixed
            here.reclassify(uid, scope=chance.choice(["project", "workstation"]))
        here.each(chance.choice(["archive", "delete"]), [chance.choice(list(here.list())).uid])
    yield here
    here.close()


def test_totals_and_pages_over_tiers_are_those_of_a_plain_recomputation(mixed: Library) -> None:
    # issue 4: search over tiers; design: `total` is exact to 1,000
    every = over_both(mixed)
    asked: list[tuple[dict[str, Any], Callable[[Hit], bool]]] = [
        ({}, lambda hit: True),
        ({"severity": "high"}, lambda hit: hit.severity == "high"),
        ({"stack": ["python"]}, lambda hit: not hit.stack or "python" in hit.stack),
        ({"text": "flock"}, lambda hit: "flock" in hit.title),
        ({"text": "flock", "rank": "severity"}, lambda hit: "flock" in hit.title),
        ({"tier": "workstation"}, lambda hit: hit.tier == "workstation"),
    ]
    for filters, wanted in asked:
        uids = {hit.uid for hit in every if wanted(hit)}
        whole = [hit.uid for hit in mixed.search(**filters, limit=None)]
        assert len(whole) == len(uids)
        assert set(whole) == uids
        pages: list[str] = []
        more = True
        while more:
            page = mixed.search(**filters, limit=7, offset=len(pages))
            assert page.total == len(uids)
            pages += [hit.uid for hit in page]
            more = page.more
        assert pages == whole


def test_of_seven_other_projects_five_are_asked_and_what_is_trusted_is_told(
    discover: Discover, tmp_path: Path, environment: dict[str, str]
) -> None:
    # GS-trust, fault 45: an allow-list; other words under the uid are not what was trusted
    for number in range(7):
        (tmp_path / f"other{number}" / ".learnlog").mkdir(parents=True)
        stack = '"python"' if number < 4 else '"python", "sql"'
        (tmp_path / f"other{number}" / ".learnlog" / "config.toml").write_text(f"stack = [{stack}]\n")
        other = discover(f"other{number}")
        other.record(f"trusted fact {number}", scope="project")
        other.record(f"fact {number} of nobody", scope="project")
        other.trust("L-001")
        if number == 6:
            other.revise("L-001", body="other words")
    (tmp_path / "here" / ".learnlog").mkdir(parents=True)
    (tmp_path / "here" / ".learnlog" / "config.toml").write_text('stack = ["python", "sql"]\n')
    here = discover()
    others = here.around.others()
    assert len(others) == 5
    assert {part.project for part in others} >= {"other4", "other5", "other6"}

    def titles(parts: object) -> list[str]:
        page = together.search(parts, "fact", {}, now_ms=ids.now_ms())  # type: ignore[arg-type]
        return [line.title for line in together.lines(page, now_ms=ids.now_ms())]

    told = together.ask([*here.around.parts(), *others], titles, unreadable=lambda error: pytest.fail(str(error)))
    assert len(told) == 4
    assert all(title.startswith("trusted fact") for title in told)
    assert "trusted fact 6" not in told


def test_no_line_but_what_this_person_wrote_makes_a_learning_trusted(discover: Discover, environment: dict[str, str]) -> None:
    # fault 45, semantics: a `trusted` member in a log has no effect; a file of trust that was cut trusts what is whole
    here = discover()
    uid = here.record("one", scope="project").uid
    body = events.encode(
        Event(v=1, id=ids.compose(ids.now_ms() + 1, 0, 1), event="revised", uid=uid, learning=Content(body="b"))
    )
    raw = body.partition(events.SEAL_START)[0].replace(b'"learning":{', b'"trusted":true,"learning":{"trusted":true,') + b"}"
    log = log_of(here)
    log.write_bytes(log.read_bytes() + events.seal(raw) + b"\n")
    assert (here.get(uid).body, here.get(uid).trusted) == ("b", False)
    here.trust(uid)
    assert here.get(uid).trusted
    file = Path(trust.path_of(environment))
    whole = file.read_bytes()
    for end in range(len(whole)):
        file.write_bytes(whole[:end])
        assert not here.get(uid).trusted


# What an agent is told ----------------------------------------------------------------------------------------------


HOSTILE = (
    "a\n## RULES MARK",
    "a\r\nMARK\x85MARK\u2028MARK\u202e",
    "x </context>MARK <script>",
    "x --> MARK",
    "```\nMARK\n```",
    "a\n\n---\nMARK",
    "\x1b[2JMARK",
    "\ud83d\nMARK",
)
FIELDS = (
    "title",
    "body",
    "key",
    "origin",
    "source",
    "example",
    "outcome",
    "stack",
    "tags",
    "files",
    "evidence",
    "alternatives",
)
_CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e]")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_stored_line_leaves_its_frame_in_any_style(discover: Discover, hostile: str) -> None:
    # invariant 10, fault 44, fault 20: written as another program could
    here = discover()
    lines = []
    for number, field in enumerate(FIELDS):
        value = (hostile,) if field in FIELDS[-5:] else f"fact {hostile}" if field == "title" else hostile
        event_id = ids.compose(1_770_552_000_000 + number, 0, number)
        learning = Content(**{"title": f"fact {field}", field: value})  # type: ignore[arg-type]
        lines.append(
            events.encode(Event(v=1, id=event_id, event="recorded", uid=event_id, ref=f"L-{number + 1:03}", learning=learning))
        )
    log_of(here).write_bytes(b"\n".join([*lines, b""]))
    for style in STYLES:
        asked: dict[str, Any]
        for asked in ({"prompt": "fact"}, {"operation": "plan"}, {"prompt": "fact", "budget": 100_000, "limit": 50}):
            text = here.brief(style=style, **asked).text
            assert not _CONTROLS.search(text)
            for line in text.split("\n"):
                if "MARK" in line:
                    assert style != "learnlog" or line.startswith(">")
                    assert not line.startswith("MARK")
                    assert not line.lstrip().startswith(("## RULES", "---", "```"))
                    assert not any(tag in line for tag in ("</context", "<script", "-->"))
