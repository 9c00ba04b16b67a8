"""The Markdown view: learnings in, one text out. It looks at no file and no clock, so one state has one text, byte for byte.

Stored text stands in code spans (titles, words) and fenced blocks (bodies), the one place of Markdown in which nothing
acts: no learning leaves its list item (invariant 10). When the file is made, and what becomes of one that a person edited,
is for `keeping` to say. The last line carries the XXH3-64 of everything above it.
"""

from __future__ import annotations

from functools import lru_cache

from xxhash import xxh3_64_hexdigest

from learnlog import terminal
from learnlog.vocabulary import CATEGORIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from learnlog.model import Learning

HEADING = "# Learnings"
NOTICE = (
    "Made by `learnlog view` from the log beside it, and again after each change. "
    "Change a learning with `learnlog revise`: what is edited here is moved aside."
)
_NOTHING = "Nothing is known yet."
_SEAL = "<!-- learnlog view xxh3:{} -->"
_SEAL_START = _SEAL.partition("{")[0].encode()
_FENCE = 3
_ITEM = "- **"
_INSIDE = "  "
"""The indentation of what belongs to a list item."""


def render(learnings: Iterable[Learning]) -> str:
    """The view of the active ones among `learnings`, in whatever order they come: a section for each category, in the
    order of the vocabulary and then by name, the newest first in each.
    """
    sections: dict[str, list[Learning]] = {}
    for learning in learnings:
        if learning.status == "active":
            sections.setdefault(learning.category, []).append(learning)
    parts = [HEADING, NOTICE]
    for category in sorted(sections, key=_place):
        parts.append(f"## {word(category)}")
        parts += map(entry, sorted(sections[category], key=_age, reverse=True))
    if not sections:
        parts.append(_NOTHING)
    return sealed("\n\n".join(parts) + "\n\n")


def _place(category: str) -> tuple[int, str]:
    return (CATEGORIES.index(category) if category in CATEGORIES else len(CATEGORIES), category)


def _age(learning: Learning) -> tuple[float, str, str]:
    return (_moment(learning.updated), learning.event, learning.uid)


def _moment(text: str | None) -> float:
    """The moment a text names; the oldest for one that nobody can read, as another program may have sealed it (fault 31)."""
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(text or "")
    except ValueError:
        return float("-inf")
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


# One learning -------------------------------------------------------------------------------------------------------


def entry(learning: Learning) -> str:
    """One list item: reference, title, badges, date and what else was given, then the body."""
    details = [f"**{word(learning.severity)}**", word(learning.scope)]
    if learning.date:
        details.append(word(learning.date))
    if "confidence" not in learning.defaulted:  # the stored one: after decay it would change from day to day
        details.append(f"confidence {round(learning.confidence * 10, 2):g}/10")
    for name in ("stack", "tags", "files"):
        values = getattr(learning, name)
        if values:
            details.append(f"{name} {', '.join(map(word, values))}")
    lines = [f"{_ITEM}{word(learning.ref)}** {code(learning.title)}", _INSIDE + " · ".join(details)]
    if learning.body.strip():
        lines += ["", *_fenced(learning.body)]
    return "\n".join(lines)


def _fenced(body: str) -> list[str]:
    """The lines of a block that no line of `body` ends: its fence is longer than any run of backticks in there."""
    shown = [terminal.block(one) for one in body.replace("\r\n", "\n").split("\n")]
    fence = "`" * max(_FENCE, _longest_run(body) + 1)
    return [f"{_INSIDE}{fence}text", *(_INSIDE + one if one else "" for one in shown), _INSIDE + fence]


@lru_cache(maxsize=1024)  # a view says the same few words in every entry
def word(text: str) -> str:
    """A word of letters, digits and inner hyphens as it is, since it means nothing to Markdown; any other as code.

    >>> word("anti-pattern"), word("L-001"), word("a*b*")
    ('anti-pattern', 'L-001', '`a*b*`')
    """
    plain = text.isascii() and text.replace("-", "").isalnum() and text[0] != "-" and text[-1] != "-"
    return text if plain else code(text)


def code(text: str) -> str:
    """`text` on one line as a code span, in which no character is special.

    >>> code("a\\n## b"), code("use `x`")
    ('`a⏎## b`', '`` use `x` ``')
    """
    shown = terminal.line(text)
    if not shown.strip():
        return "(empty)"
    ticks = "`" * (_longest_run(shown) + 1)
    # Markdown takes one space off both ends, where both have one; a backtick at an end would join the delimiter.
    pad = " " if "`" in (shown[0], shown[-1]) or shown[0] == shown[-1] == " " else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def _longest_run(text: str) -> int:
    """The length of the longest run of backticks."""
    if "```" not in text:
        return 2 if "``" in text else int("`" in text)
    from re import findall

    return max(map(len, findall("`{3,}", text)))


# A text that was a view once ----------------------------------------------------------------------------------------


def sealed(text: str) -> str:
    """`text`, which ends with a line end, and the line that proves it."""
    return f"{text}{_SEAL.format(xxh3_64_hexdigest(text.encode()))}\n"


def is_whole(data: bytes) -> bool:
    """Whether the bytes are a view, of whatever state, as it was made. Line ends that a checkout turned do not count.

    >>> is_whole(render([]).encode()), is_whole(render([]).encode() + b"My own words.")
    (True, False)
    """
    above, _, last = as_made(data).rstrip(b"\n").rpartition(b"\n")
    return last == _SEAL.format(xxh3_64_hexdigest(above + b"\n")).encode()


def is_view(data: bytes) -> bool:
    """Whether the bytes were a view once, whatever a person did to them since."""
    notice = NOTICE.encode()
    return any(line == notice or line.startswith(_SEAL_START) for line in as_made(data).split(b"\n"))


def as_made(data: bytes) -> bytes:
    """The bytes with the line ends that views are made with."""
    return data.replace(b"\r\n", b"\n")


def entries(text: str) -> dict[str, str]:
    """The entries of a view by reference, each with the heading that it stands under."""
    found: dict[str, str] = {}
    heading = ref = ""
    for line in text.split("\n"):  # all that is stored is indented: what begins a line is the view's own
        if line.startswith(_ITEM):
            ref = line.removeprefix(_ITEM).partition("** ")[0]
            found[ref] = f"{found.get(ref, '')}{heading}\n{line}"
        elif line and not line.startswith(_INSIDE):
            heading, ref = line, ""
        elif ref:
            found[ref] += f"\n{line}"
    return {name: one.rstrip("\n") for name, one in found.items()}
