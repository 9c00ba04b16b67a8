"""Stored text made fit to be shown among other text: safe, quoted, cut to what there is room for; and what it costs. Pure.

Nothing in it ends what it stands in, and nothing in it acts (invariant 10). What is told of a learning is for `brief` to say.
"""

from __future__ import annotations

from learnlog.terminal import block, line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

QUOTE = ">"
"""What each line of a quotation begins with."""
ELLIPSIS = "…"
_LEAST_CUT = 12
"""Characters below which the beginning of a text says nothing."""

_PLAIN = b"abcdefghijklmnopqrstuvwxyz "
_HEAVY = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_FOREIGN = bytes(range(128, 256))


def estimate(text: str) -> int:
    """How many tokens a model makes of `text`, rather too many than too few: of a hundred bytes of UTF-8 25 when they are
    small letters and spaces, 70 for capitals and digits, 90 for other ASCII characters, 55 beyond ASCII. What that was held
    against is in docs/brief.md.

    >>> estimate(""), estimate("pymysql is not thread-safe"), estimate("脚本")
    (0, 8, 4)
    """
    data = text.encode("utf-8", "surrogatepass")
    plain, heavy, foreign = (len(data) - len(data.translate(None, one)) for one in (_PLAIN, _HEAVY, _FOREIGN))
    return (25 * plain + 70 * heavy + 55 * foreign + 90 * (len(data) - plain - heavy - foreign) + 99) // 100


def quotation(text: str, room: int, notice: int) -> tuple[str, bool]:
    """`text` safe and quoted, as much of it as takes no more than `room` tokens, and whether that is not all: then room for a
    `notice` of so many is left as well. No text when next to none would fit.
    """
    if len(text) <= 4 * room:
        every = quoted(safe(text))
        if estimate(every) <= room:
            return every, False
    some = cut(text, room - notice, lambda part: estimate(quoted(part)))
    return quoted(some) if some else "", True


def cut(text: str, room: int, measure: Callable[[str], int]) -> str:
    """The beginning of `text`, safe, with … behind it, that `measure` finds no larger than `room`: up to the end of a sentence
    where one is near, else of a word. Nothing when next to nothing would fit.
    """
    shown = safe(text[: 4 * max(room, 0)])  # no character costs less than a quarter of a token
    low, high = 0, len(shown)
    while high - low > 1:
        middle = (low + high) // 2
        if measure(f"{shown[:middle]} {ELLIPSIS}") <= room:
            low = middle
        else:
            high = middle
    return f"{_whole_words(shown[:low]).rstrip()} {ELLIPSIS}" if low >= _LEAST_CUT else ""


def _whole_words(text: str) -> str:
    sentence = max(text.rfind(end) for end in (". ", ".\n", "! ", "? ", "\n", "。", "！", "？"))
    if sentence >= 0.6 * len(text):
        return text[: sentence + 1]
    word = max(text.rfind(" "), text.rfind("\n"))
    return text[:word] if word >= 0.8 * len(text) else text


_AFTER_NO_TAG = " \t=<-0123456789,;.)\n⏎"


def safe(text: str) -> str:
    """`text` with its line ends, and nothing in it that acts: what controls, hides or reorders is shown as an escape (fault 16,
    20), what begins a tag or ends a comment as an entity, so that no host's own mark is ended either (fault 44).

    >>> safe("a < b </context>\\x1b[31m")
    'a < b &lt;/context>\\\\x1b[31m'
    """
    shown = block(text)
    first, *rest = shown.split("<")
    made = "".join([first, *("<" + one if one[:1] in _AFTER_NO_TAG else "&lt;" + one for one in rest)])
    return made.replace("-->", "--&gt;")


def inline(text: str, longest: int) -> str:
    """`text` on one line, safe, cut at a word when it is longer than so many characters."""
    shown = safe(line(text[: longest + 1].strip()))
    return shown if len(text) <= longest else f"{_whole_words(shown[:longest]).rstrip()}{ELLIPSIS}"


def quoted(text: str) -> str:
    """`text`, which is safe, in lines that each begin with the mark of a quotation."""
    return "\n".join(f"{QUOTE} {one}" if one else QUOTE for one in text.split("\n"))


def points(thousandths: int) -> str:
    """A confidence as it is shown.

    >>> points(800), points(850)
    ('8/10', '8.5/10')
    """
    return f"{thousandths / 100:g}/10"


def day(text: str) -> str:
    """`text` when it has the form of a date, else nothing."""
    digits = text[:4] + text[5:7] + text[8:]
    return text if len(text) == 10 and text.isascii() and digits.isdigit() and text[4] == text[7] == "-" else ""
