"""What can be set: a table of keys, and what a value of each must be. Pure; the files it stands in are `config`'s."""

from __future__ import annotations

from learnlog.errors import InvalidValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Value = str | float | bool | tuple[str, ...]

LONGEST_TEXT = 255
MOST_NAMES = 100
LONGEST_NAME = 60
LONGEST_COMMAND = 4_000
LONGEST_WAIT_S = 600


class Key:
    """One setting. `personal`: it counts in the person's own file alone. `default`: None is "not set".

    `inert`: it is accepted, and has no effect in this version.
    """

    __slots__ = ("default", "example", "help", "inert", "kind", "name", "personal")

    def __init__(
        self,
        name: str,
        kind: str,
        default: Value | None,
        *,
        help: str,
        example: str,
        personal: bool = False,
        inert: bool = False,
    ) -> None:
        self.name, self.kind, self.default = name, kind, default
        self.help, self.example, self.personal, self.inert = help, example, personal, inert

    @property
    def path(self) -> tuple[str, ...]:
        """The name in its parts, as TOML has them."""
        return tuple(self.name.split("."))


TABLE = (
    Key("name", "text", None, help="what the project is called where it is shown", example='"shop"'),
    Key(
        "stack", "names", None, help="its languages and frameworks, in place of what its files say", example='["python", "sql"]'
    ),
    Key("vocabulary.categories", "words", (), help="categories to have beside the usual ones", example='["security"]'),
    Key(
        "vocabulary.only",
        "words",
        None,
        help="of all categories, those that may be written",
        example='["technical", "security"]',
    ),
    Key("view.commit", "switch", False, help="whether the Markdown view is committed with the log", example="true"),
    Key(
        "classifier.command",
        "command",
        (),
        help="the program that says which scope a new learning has, in place of the rules",
        example='"python3 /home/ada/bin/scope.py"',
        personal=True,
    ),
    Key("classifier.timeout_s", "seconds", 10.0, help="how long to wait for it", example="2.5", personal=True),
    Key(
        "cross_project.read",
        "switch",
        False,
        help="whether trusted learnings of your other projects are searched too",
        example="true",
        personal=True,
    ),
    Key(
        "guard.allow",
        "words",
        (),
        help="rules of the guard that do not refuse what you write; agents are not shown it",
        example='["injection/chat-role"]',
        personal=True,
    ),
    Key(
        "organization.log",
        "text",
        None,
        help="the log that a team shares",
        example='"postgres://logs.example.org/learnlog"',
        personal=True,
        inert=True,
    ),
)
"""Every key, in the order in which the docs have them."""

BY_NAME = {key.name: key for key in TABLE}
BY_PATH = {key.path: key for key in TABLE}
GROUPS = {key.path[0] for key in TABLE if len(key.path) > 1}


def known(name: str) -> Key:
    """The key of that name. Raises `InvalidValue` with those there are."""
    if name not in BY_NAME:
        raise InvalidValue("key", name, f"one of {', '.join(BY_NAME)}")
    return BY_NAME[name]


def allowed(key: Key) -> str:
    """What a value of the key must be, in words."""
    return _KINDS[key.kind][0]


def checked(key: Key, given: object) -> Value:
    """A value as it stands in a file, made ready for use. Raises `InvalidValue` with what is allowed.

    >>> checked(known("stack"), ["Python", " sql ", "python"])
    ('python', 'sql')
    """
    value = _KINDS[key.kind][1](given)
    if value is None:
        raise InvalidValue(key.name, masked(given), allowed(key))
    return value


def from_text(key: Key, given: str) -> Value:
    """A value as it is typed on the command line, as it is to stand in a file. Raises `InvalidValue` with what is allowed.

    >>> from_text(known("stack"), "Python, sql"), from_text(known("view.commit"), "true")
    (('python', 'sql'), True)
    """
    if not given.isprintable():
        raise InvalidValue(key.name, masked(given), "a text of printable characters")
    typed: object = given.strip()
    if key.kind in ("names", "words"):
        typed = given.split(",")
    elif key.kind == "switch":
        typed = {"true": True, "false": False}.get(given.strip().lower())
    elif key.kind == "seconds":
        typed = _number_in(given)
    try:
        value = checked(key, typed)
    except InvalidValue as error:
        raise InvalidValue(key.name, masked(given), error.allowed) from None
    return given.strip() if key.kind == "command" else value


def masked(given: object) -> object:
    """`given`, without the password if it is a text with an address that has one.

    >>> masked("see postgres://ada:secret@db/x")
    'see postgres://ada:…@db/x'
    """
    if not (isinstance(given, str) and has_password(given)):
        return given
    import re

    return re.sub(_ADDRESS_WITH_PASSWORD, r"\1…@", given)


_ADDRESS_WITH_PASSWORD = r"(://[^\s/@:]{0,200}:)(?!\d+/)[^\s@]{1,400}@"
"""The user, and what stands between the colon and the at; a port before a path with an at in it is none."""


def has_password(text: str) -> bool:
    """Whether an address in the text has a password: `scheme://user:password@…`, also without the user."""
    if "://" not in text or "@" not in text:
        return False
    import re

    return re.search(_ADDRESS_WITH_PASSWORD, text) is not None


# What a value must be -----------------------------------------------------------------------------------------------


def _text(given: object) -> str | None:
    if not isinstance(given, str) or not given.isprintable() or not 0 < len(given.strip()) <= LONGEST_TEXT:
        return None
    return given.strip()


def _names(given: object) -> tuple[str, ...] | None:
    if not isinstance(given, (list, tuple)) or len(given) > MOST_NAMES:
        return None
    if not all(isinstance(one, str) and one.isprintable() and len(one) <= LONGEST_NAME and "," not in one for one in given):
        return None
    return tuple(dict.fromkeys(name for one in given if (name := one.strip().lower())))


def _words(given: object) -> tuple[str, ...] | None:
    names = _names(given)
    signs = str.maketrans("", "", "-_./")
    whole = names is not None and all(one.translate(signs).isalnum() for one in names)
    return names if whole else None


def _switch(given: object) -> bool | None:
    return given if isinstance(given, bool) else None


def _seconds(given: object) -> float | None:
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 < given <= LONGEST_WAIT_S:  # nan is not
        return None
    return float(given)


def _command(given: object) -> tuple[str, ...] | None:
    words = given
    if isinstance(given, str):
        import shlex

        try:
            words = shlex.split(given)
        except ValueError:  # a quotation that does not end
            return None
    if not isinstance(words, list) or not all(isinstance(one, str) and one.isprintable() for one in words):
        return None
    if words and not words[0].strip():
        return None
    return tuple(words) if sum(map(len, words)) <= LONGEST_COMMAND else None


def _number_in(given: str) -> float | None:
    try:
        return float(given)
    except ValueError:
        return None


_LIST = f"at most {MOST_NAMES}, of up to {LONGEST_NAME} printable characters each"
_KINDS: dict[str, tuple[str, Callable[[object], Value | None]]] = {
    "text": (f"a text of 1 to {LONGEST_TEXT} printable characters", _text),
    "names": (f"a list of names: {_LIST}, without a comma", _names),
    "words": (f"a list of words of letters, digits, -, _, . and /: {_LIST}", _words),
    "switch": ("true or false", _switch),
    "seconds": (f"a number of seconds above 0, at most {LONGEST_WAIT_S}", _seconds),
    "command": (f"a command as a text or a list of its words, of at most {LONGEST_COMMAND} printable characters", _command),
}
"""A kind of value: what it must be, and the value made ready for use; None when it is not that."""
