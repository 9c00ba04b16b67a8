"""The bounded active view: the few learnings that matter most in full, every other one as a row of an index. Pure.

Heading, order and rows are those of ADD's `learnings-active.md`, so that whatever reads that file reads this one. It looks at
no clock: one state has one text. When the file is made, and what becomes of one that a person edited, is `keeping`'s.
"""

from __future__ import annotations

from learnlog.views import markdown
from learnlog.views.inert import ELLIPSIS, cut, inert, told
from learnlog.views.quoting import day
from learnlog.vocabulary import severity_rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from learnlog.model import Learning

ENTRIES = 15
"""At most so many learnings are told in full."""
CHARACTERS = 6000
"""At most so many characters are theirs, line ends and all; headings and the index are not counted."""
BODY_CHARACTERS = 400
"""A longer body is cut, and says so."""
ROW_CHARACTERS = 120
"""A longer title is cut in a row of the index, so that a row is a line."""
TITLE_CHARACTERS, WORD_CHARACTERS = 500, 40
"""What another program wrote may be longer than learnlog lets anything be, and would leave no room for the others."""

LOG = ".learnlog/learnings.jsonl"
READ = "`learnlog show REF`"

_NOTHING = "# Active Learnings (0 entries)\n\nNo learnings recorded yet.\n"
_END = "---\n*Auto-generated. Do not edit — regenerated on each learning write.*\n"
_UNDATED = "undated"


def render(
    learnings: Iterable[Learning],
    *,
    entries: int = ENTRIES,
    characters: int = CHARACTERS,
    log: str = LOG,
    read: str = READ,
) -> str:
    """The view of the active ones among `learnings`, in whatever order they come; of the archived ones it tells the count.

    At most `entries` are told in full, in at most so many `characters`: the pinned first, then by severity, the newest first.
    From the first that has no room, all have a row in the index. `log` is where all of it stands, and `read` says how to read
    what an index row leaves out. What is muted is not told.
    """
    given = list(learnings)
    active = ranked(one for one in given if one.status == "active")
    archived = sum(one.status == "archived" for one in given)
    if not active and not archived:
        return _NOTHING
    whole = [entry(one, log=log) for one in active[:entries]]
    count = _fitting(whole, characters)
    parts = [
        f"# Active Learnings ({count} of {len(active) + archived})",
        f"> Pre-filtered by severity and date. Full data: {markdown.code(log)}"
        + (f" ({archived} archived)" if archived else ""),
    ]
    if count:
        parts.append(_sections(active[:count], whole))
    rows = [row(one) for one in active[count:]]
    if rows:
        parts += [f"## Index ({len(rows)} more — title only, {read} for full detail)", "\n".join(rows)]
    return "\n\n".join([*parts, _END])


def ranked(learnings: Iterable[Learning]) -> list[Learning]:
    """Those that are not muted, the pinned first, then by severity, then the newest first; in one order however they come."""
    told_of = sorted((one for one in learnings if not one.muted), key=_age, reverse=True)
    return sorted(told_of, key=lambda one: (not one.pinned, severity_rank(one.severity)))


def _age(learning: Learning) -> tuple[str, str, str]:
    return (learning.date or "", learning.event, learning.uid)


def _fitting(whole: Sequence[str], characters: int) -> int:
    """How many of the texts, from the first on, take no more than so many characters, each with its line end."""
    for at, text in enumerate(whole):
        characters -= len(text) + 1
        if characters < 0:
            return at
    return len(whole)


def _sections(learnings: Sequence[Learning], whole: Sequence[str]) -> str:
    """The texts by category: the one with the most severe learning first, then by name."""
    texts: dict[str, list[str]] = {}
    worst: dict[str, int] = {}
    for learning, text in zip(learnings, whole, strict=False):
        texts.setdefault(learning.category, []).append(text)
        rank = severity_rank(learning.severity)
        worst[learning.category] = min(rank, worst.get(learning.category, rank))
    lines = []
    for category in sorted(texts, key=lambda one: (worst[one], one)):
        lines += [f"### {_word(category)}", *texts[category]]
    return "\n".join(lines)


# One learning -------------------------------------------------------------------------------------------------------


def entry(learning: Learning, *, log: str = LOG) -> str:
    """A learning in full: severity, title, reference and day, and below them the body on one line."""
    said = f"({_word(learning.ref)}, {day(learning.date or '') or _UNDATED})"
    title = f"- **[{_severity(learning)}]** {told(learning.title, TITLE_CHARACTERS)} {said}"
    if not learning.body.strip():
        return title
    body, is_cut = cut(learning.body, BODY_CHARACTERS)
    if not is_cut:
        return f"{title}\n  {inert(body)}"
    return f"{title}\n  {inert(body + ELLIPSIS)} [truncated — full entry in {_file_name(log)}]"


def row(learning: Learning) -> str:
    """A learning as one line of the index."""
    head = f"- [{_severity(learning)}] {_word(learning.ref)} {_word(learning.category)}:"
    return f"{head} {told(learning.title, ROW_CHARACTERS)} ({day(learning.date or '') or _UNDATED})"


def _severity(learning: Learning) -> str:
    return _word(learning.severity.replace("]", ")"))  # it ends with the bracket, whatever another program stored


def _word(text: str) -> str:
    return markdown.word(text) if len(text) <= WORD_CHARACTERS else told(text, WORD_CHARACTERS)


def _file_name(log: str) -> str:
    name = log.rpartition("/")[2]
    return name if name.isascii() and name.replace(".", "").replace("-", "").isalnum() else markdown.code(name)


# A text that was a view once ----------------------------------------------------------------------------------------


def entries_of(text: str) -> dict[str, str]:
    """The entries and the rows of a view by reference; an entry with the heading that it stands under."""
    found: dict[str, str] = {}
    heading = ref = ""
    for line in text.split("\n"):
        if line.startswith("- **["):
            ref = line.rpartition(" (")[2].partition(",")[0]
            found[ref] = f"{heading}\n{line}"
        elif line.startswith("- ["):
            ref = line.partition("] ")[2].partition(" ")[0]
            found[ref] = line
        elif line.startswith("  ") and ref:
            found[ref] += f"\n{line}"
        elif line:
            heading, ref = line, ""
    return found
