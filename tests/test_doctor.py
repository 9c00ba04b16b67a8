"""`verify` names every kind of damage with its place and remedy, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Clock, EventMaker

from learnlog import Store
from learnlog.doctor import examine
from learnlog.events import Event, encode, seal
from learnlog.logs.file import FileLog
from learnlog.model import Content


@pytest.fixture
def verify(tmp_path: Path) -> Callable[[bytes], list[tuple[str, int | None]]]:
    """What `examine` finds in a file of these bytes: kind and line of each."""

    def look(data: bytes) -> list[tuple[str, int | None]]:
        path = tmp_path / "log.jsonl"
        path.write_bytes(data)
        found = examine(FileLog(path), prefix="L", now_ms=1_800_000_000_000)
        assert path.read_bytes() == data
        assert [entry.name for entry in tmp_path.iterdir()] == ["log.jsonl"]
        assert all(one.reason and one.remedy for one in found)
        return [(one.kind, one.line) for one in found]

    return look


def line(event: Event) -> bytes:
    return encode(event) + b"\n"


def test_a_sound_log_has_no_findings(verify: Callable[[bytes], object], make_event: EventMaker) -> None:
    assert verify(b"".join(line(make_event(number)) for number in range(1, 4))) == []
    assert verify(b"") == []


def test_each_kind_of_damage_is_found_in_its_line(verify: Callable[[bytes], object], make_event: EventMaker) -> None:
    good, other = line(make_event(1)), line(make_event(2))
    damages = {
        "seal": good.replace(b"title 1", b"title 7"),
        "malformed": b"garbage\n",
        "shape": seal(b'{"v":1,"event":5}') + b"\n",
        "nul-hole": bytes(4096) + b"\n",
        "conflict-marker": b"=======\n",
        "glued": line(make_event(3))[:40] + line(make_event(4))[:-1] + b" and more that is far too long for a seal\n",
    }
    for kind, damaged in damages.items():
        assert verify(good + damaged + other) == [(kind, 2)], kind


def test_a_torn_tail_is_named_once_it_stays(verify: Callable[[bytes], object], make_event: EventMaker) -> None:
    # fault 8
    assert verify(line(make_event(1)) + b'{"v":1,"id"') == [("torn-tail", 2)]


def test_a_whole_last_line_without_its_end_is_no_finding(verify: Callable[[bytes], object], make_event: EventMaker) -> None:
    # fault 9
    assert verify(line(make_event(1))[:-1]) == []


def test_what_needs_nothing_is_a_note(make_event: EventMaker, tmp_path: Path) -> None:
    log = FileLog(tmp_path / "log.jsonl")
    log.append([make_event(1), make_event(2, ref="L-001"), make_event(3, "archived", "nobody")])
    with open(log.name, "ab") as file:
        file.write(b'{"event":"recorded","learning":{"title":"by hand"}}\n')
        file.write(seal(b'{"v":2,"id":"00000000-0001-7000-8000-000000000000","event":"deleted","uid":"u"}') + b"\n")
    found = examine(log, prefix="L", now_ms=0)
    kinds = [one.kind for one in found]
    assert sorted(set(kinds)) == ["clock-ahead", "newer-format", "orphan", "unsealed", "waiting-reference"]
    assert not any(one.is_damage for one in found)


def test_one_id_with_two_contents_is_damage(verify: Callable[[bytes], object], make_event: EventMaker) -> None:
    one, two = make_event(1), make_event(1, learning=Content(title="other"))
    assert verify(line(one) + line(two)) == [("id-twice", 2)]
    assert verify(line(one) + line(one)) == []  # fault 33: a repeat is none


def test_one_bad_line_among_a_thousand_is_named_by_stats_and_doctor(
    make_event: EventMaker, tmp_path: Path, clock: Clock
) -> None:
    # fault 13
    path = tmp_path / "log.jsonl"
    lines = [line(make_event(number)) for number in range(1, 1001)]
    lines[499] = lines[499][:-5] + b"\n"
    path.write_bytes(b"".join(lines))
    store = Store(path, clock=clock)
    assert [(one.kind, one.line) for one in store.verify()] == [("seal", 500)]
    stats = store.stats()
    assert (stats.learnings, [one.line for one in stats.damaged_lines]) == (999, [500])
    assert any("500" in warning for warning in store.warnings())
