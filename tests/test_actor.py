"""Who acts: the argument, the environment, the terminal."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from learnlog.actor import AGENT_VARIABLES, actor_from, persons_terminal
from learnlog.errors import InvalidValue
from learnlog.model import Actor


class Terminal:
    def isatty(self) -> bool:
        return True


def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the test itself: between set-up and test pytest puts its own streams back."""
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stderr", Terminal())


def test_the_argument_comes_before_the_environment() -> None:
    environment = {"LEARNLOG_ACTOR": "human:Ada", "LEARNLOG_SESSION": "s1"}
    assert actor_from("agent:claude", "s2", environment) == Actor("agent", "claude", "s2")
    assert actor_from(None, None, environment) == Actor("human", "Ada", "s1")


def test_a_name_may_hold_colons_and_be_missing() -> None:
    assert actor_from("agent:a:b", "", {}) == Actor("agent", "a:b")
    assert actor_from("human", "", {}) == Actor("human")


def test_a_persons_terminal_makes_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    at_a_terminal(monkeypatch)
    assert actor_from(None, None, {}).kind == "human"
    assert persons_terminal({})


@pytest.mark.parametrize("name", AGENT_VARIABLES)
def test_a_variable_of_an_agent_makes_an_agent(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at_a_terminal(monkeypatch)
    assert actor_from(None, None, {name: "1"}).kind == "agent"
    assert actor_from(None, None, {name: ""}).kind == "human"


def test_without_a_terminal_it_is_an_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert actor_from(None, None, {}).kind == "agent"


@pytest.mark.parametrize("by", ["", "robot", "Human", "agents:x", ":x", 5, ["human"], b"human"])
def test_another_kind_is_refused(by: Any) -> None:
    with pytest.raises(InvalidValue, match="by"):
        actor_from(by, "", {})


def test_the_variable_is_named_when_it_is_wrong() -> None:
    with pytest.raises(InvalidValue, match="LEARNLOG_ACTOR"):
        actor_from(None, None, {"LEARNLOG_ACTOR": "robot"})


@pytest.mark.parametrize(("by", "session"), [("human:ada@example.org", ""), ("human:Ada <a.b@c.de>", ""), ("agent", "x@y.zz")])
def test_an_address_is_refused_and_not_repeated(by: str, session: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        actor_from(by, session, {})
    assert "@" not in str(caught.value)


def test_what_is_too_long_is_refused() -> None:
    with pytest.raises(InvalidValue):
        actor_from("human:" + "x" * 201, "", {})
    with pytest.raises(InvalidValue, match="session"):
        actor_from("human", "x" * 201, {})
    with pytest.raises(InvalidValue, match="session"):
        actor_from("human", 5, {})  # type: ignore[arg-type]
