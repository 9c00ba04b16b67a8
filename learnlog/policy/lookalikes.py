"""Text as a reader takes it in: the letters that strange characters stand for. Pure; knows no rule.

`plain` takes away what nobody sees (zero-width and other format characters, variation selectors, combining marks) and what only
changes the look (full-width, mathematical and circled letters; every white space is a space or a line break). `latin` also puts
the Latin letter where one of another script looks like it. Both keep upper and lower case. ASCII text comes back as it is.
"""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category, normalize

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_ALIKE = (
    # From Unicode's confusables (UTS 39): what looks like a letter, and that letter, place by place.
    ("АВСЕНІЈКМОРЅТУХԚԜҮҺӀЗЬЯИПГ", "ABCEHIJKMOPSTYXQWYHI3bRNnr"),  # Cyrillic, capital
    ("авсԁеһіјкӏмноргѕтуѵԝхԛүпиьзяшґ", "abcdehijklmhoprstyvwxqynub3rwr"),  # Cyrillic, small
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧΛΣ", "ABEZHIKMNOPTYXAE"),  # Greek, capital
    ("αβγδεζηικνορςστυχωμπϲϳ", "abydeznikvopsotuxwuncj"),  # Greek, small
    ("ՍՕԼՏԶՈօսհոզցյքաե", "UOLSQNouhnqgjpwt"),  # Armenian
    ("ᎪᏴᏟᎠᎬᎶᎻᏆᎫᏦᏞᎷᏢᎡᏒᏚᎢᏙᏔᎩᏃᎥᎽ", "ABCDEGHIJKLMPRRSTVWyZiY"),  # Cherokee
    ("ꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜꓮ", "BCDEFGHIJKLMNOPRSTUVWXYZA"),  # Lisu
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"),  # small capitals
    ("ɑɡıɩɨɵɛʋłđøħŧƀȷɐǝɟƃɥᴉɾʞɯɹʇʌʍʎƽⅼօ", "agiiioevldohtbjaefghijkmrtvwyslo"),  # Latin, turned and with a stroke
    ("ŁĐØĦŦƁƊƓƘƝƤƬƲƳ", "LDOHTBDGKNPTVY"),
    ("’‘ʼʹ′‛‐‑‒–—−⁃꞉∶։׃ː‹〈⟨❮›〉⟩❯∣ǀ│", "''''''-------:::::<<<<>>>>|||"),  # marks
)
_LIKE = {ord(one): letter for odd, letters in _ALIKE for one, letter in zip(odd, letters, strict=True)}
_LIKE |= {first + place: letter for first in (0x1F130, 0x1F150, 0x1F170, 0x1F1E6) for place, letter in enumerate(_LETTERS)}

_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180e\u3164\uffa0")
"""What shows nothing although Unicode files it among letters or marks."""
_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
_KEPT_SCRIPTS = 0x0900, 0x1100, 0x3040, 0xD7B0
"""From Devanagari to the last of South Asia, and from Kana to Hangul, a mark is part of the letter."""
REVERSING = "\u202e"
_POPPING = "\u202c"


def plain(text: str) -> str:
    """The text without what nobody sees, each character in its plainest form.

    >>> plain("ｉｇ\\u200bn𝐨re\\u2028the\\xa0pre\\u0301vious")
    'ignore\\nthe previous'
    """
    return text if text.isascii() else text.translate({ord(one): _plain(one) for one in set(text) if one > "~"})


def latin(text: str) -> str:
    """`plain`, with the Latin letter where one of another script looks like it.

    >>> latin("Іgnоrе")
    'Ignore'
    """
    return text if text.isascii() else text.translate({ord(one): _latin(one) for one in set(text) if one > "~"})


def turned(text: str) -> str:
    """The text with what a right-to-left override turns around as it is seen.

    >>> turned("a \\u202egnirts\\u202c b")
    'a string b'
    """
    first, *rest = text.split(REVERSING)
    seen = [first]
    for part in rest:
        inside, _, after = part.partition(_POPPING)
        seen += [inside[::-1], after]
    return "".join(seen)


@lru_cache(maxsize=1 << 16)
def _plain(one: str) -> str:
    if one in _BREAKS:
        return "\n"
    if one.isspace() or one == "\u2800":  # the empty braille cell
        return " "
    return "".join(_bare(part) for part in normalize("NFKC", one))


def _bare(one: str) -> str:
    """One character without its marks; nothing for one that is not seen."""
    kind = category(one)
    if (kind in ("Cf", "Cc", "Me") and one != "\n") or one in _UNSEEN:
        return ""
    if _KEPT_SCRIPTS[0] <= ord(one) < _KEPT_SCRIPTS[1] or _KEPT_SCRIPTS[2] <= ord(one) < _KEPT_SCRIPTS[3]:
        return one
    return "".join(part for part in normalize("NFD", one) if category(part) != "Mn")


@lru_cache(maxsize=1 << 16)
def _latin(one: str) -> str:
    like = _LIKE.get(ord(one))
    return like if like is not None else _plain(one).translate(_LIKE)
