"""References as texts (`L-007`): read, written, counted. Pure; which learning has which is `references`'."""

from __future__ import annotations

_LETTERS = 8
_DIGITS = 15
_DIGITS_COUNTED = 12
"""A greater number was never handed out: it is a name like any other, and counting on from it would leave no more."""


def canonical(text: str) -> str | None:
    """A reference as it is stored, or None when `text` has not its form.

    >>> canonical("l-7"), canonical("WL-0012"), canonical("pymysql")
    ('L-007', 'WL-012', None)
    """
    parts = _parts(text)
    return reference(parts[0].upper(), int(parts[1])) if parts else None


def reference(prefix: str, number: int) -> str:
    """The reference with this prefix and number: at least three digits."""
    return f"{prefix}-{number:03d}"


def number_of(ref: str) -> int:
    """The number in a stored reference; 0 when it has not the form of one, so that nothing is counted on from it."""
    parts = _parts(ref)
    return int(parts[1]) if parts and len(parts[1]) <= _DIGITS_COUNTED else 0


def _parts(text: str) -> tuple[str, str] | None:
    """The letters and the digits, without the zeros before them."""
    letters, _, digits = text.partition("-")
    if not (text.isascii() and letters.isalpha() and len(letters) <= _LETTERS and digits.isdigit()):
        return None
    digits = digits.lstrip("0") or "0"
    return (letters, digits) if len(digits) <= _DIGITS else None
