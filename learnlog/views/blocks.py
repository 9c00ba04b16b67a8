"""The blocks that other systems put before an agent, made of our learnings: ADD's active view, gstack's list, amplihack's past
learnings, the results of a search for precedents. Pure.

Headings, order and fields are theirs. Ours are the sentence that says what follows is data, the lines about what was left out,
and how stored text is kept in its place: on one line behind words of the block, or quoted where it has several (invariant 10).
"""

from __future__ import annotations

from learnlog.views.brief import (
    BROAD,
    FRAME,
    LONGEST_DETAIL,
    LONGEST_TITLE,
    LONGEST_WORD,
    UNCOUNTED,
    counted,
    reference,
    rest_of,
    row,
    told_at_length,
    whole,
)
from learnlog.views.quoting import cut, day, estimate, inline, points, quotation
from learnlog.vocabulary import TIERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from learnlog.views.brief import Composing, Entry, Listing, Setting, Telling

_BEGINS_A_BLOCK = "#>-+*=_~`|<&[\\"
_UNSTATED = "unstated"


def _behind(text: str) -> str:
    """A line of stored text that does not begin a heading, a list or a fence where it stands alone in an item."""
    number = text.lstrip("0123456789")
    begins = text[:1] in _BEGINS_A_BLOCK or (number != text and number[:1] in (".", ")"))
    return f"\\{text}" if text and begins else text


def _on_one_line(text: str, room: int, cut_off: str) -> str:
    """`text` folded into one line that fits, and `cut_off` behind it when that is not all; nothing when there is no room."""
    folded = " ".join(text.split("\n"))
    if len(folded) <= 4 * room:
        shown = _behind(inline(folded, len(folded)))
        if estimate(shown) <= room:
            return shown
    some = cut(folded, room - estimate(cut_off) - 1, estimate)  # one for a backslash
    return _behind(f"{some} {cut_off}") if some else ""


def _notes(setting: Setting) -> list[str]:
    return [FRAME, BROAD] if setting.broad else [FRAME]


def _sections(told: Sequence[tuple[Entry, str]]) -> dict[str, list[tuple[Entry, str]]]:
    found: dict[str, list[tuple[Entry, str]]] = {}
    for entry, text in told:
        found.setdefault(inline(entry.category, LONGEST_WORD) or _UNSTATED, []).append((entry, text))
    return found


# ADD: a bounded list by category, the rest as an index ----------------------------------------------------------------


def _add_entry(entry: Entry, room: int) -> str:
    said = f"{reference(entry)}, {day(entry.date) or 'undated'}"
    title = f"- **[{inline(entry.severity, LONGEST_WORD)}]** {inline(entry.title, LONGEST_TITLE)} ({said})"
    body = told_at_length(entry)
    left = room - estimate(f"{title}\n  ")
    if not body or left < 0:
        return title if left >= 0 else ""
    shown = _on_one_line(body, left, f"[truncated — full entry {whole(entry)}]")
    return f"{title}\n  {shown}" if shown else ""


def _add(setting: Setting, told: Sequence[tuple[Entry, str]], rows: Sequence[str]) -> str:
    if not told and not rows:
        return ""
    matched = f"more than {UNCOUNTED:,}" if setting.matched is None else f"{setting.matched}"
    lines = [f"# Active Learnings ({len(told)} of {matched})", ""]
    lines += ["> Pre-filtered by severity and date. Full data: `learnlog show REF`", *(f"> {one}" for one in _notes(setting))]
    sections = _sections(told)
    for category in sorted(sections):
        lines += [*([""] if lines[-1][:1] == ">" else []), f"### {category}", *(text for _, text in sections[category])]
    if rows:
        lines += ["", f"## Index ({len(rows)} more — title only, `learnlog show REF` for full detail)", ""]
        lines += rows
    count = counted(setting, len(told) + len(rows))
    return "\n".join([*lines, "", count] if count else lines)


def _add_row(entry: Entry) -> str:
    severity, category = (inline(one, LONGEST_WORD) for one in (entry.severity, entry.category))
    said = day(entry.date) or "undated"
    return f"- [{severity}] {reference(entry)} {category}: {inline(entry.title, LONGEST_DETAIL)} ({said})"


# gstack: a summary, a section for each type ---------------------------------------------------------------------------


def _gstack_entry(entry: Entry, room: int) -> str:
    key = inline(entry.key or "", LONGEST_WORD) or reference(entry)
    source = inline(entry.origin or _UNSTATED, LONGEST_WORD)
    cross = " [cross-project]" if entry.project else ""
    top = f"- [{key}] (confidence: {points(entry.effective)}, {source}, {day(entry.date) or 'undated'}){cross}"
    files = f" (files: {inline(', '.join(entry.files), LONGEST_DETAIL)})" if entry.files else ""
    shown = _on_one_line(_insight(entry), room - estimate(f"{top}\n  {files}"), f"[cut, full entry {whole(entry)}]")
    return f"{top}\n  {shown}{files}" if shown else ""


def _insight(entry: Entry) -> str:
    """The title and the body as the one text that they are there; a title that is the beginning of the body is said once."""
    body = told_at_length(entry)
    title = entry.title.strip()
    return body if body.startswith(title.rstrip(".…")) else f"{title}: {body}" if body else title


def _gstack(setting: Setting, told: Sequence[tuple[Entry, str]], rows: Sequence[str]) -> str:
    if not told and not rows:
        return ""
    sections = _sections(told)
    counts = ", ".join(f"{len(one)} {_plural(name) if len(one) > 1 else name}" for name, one in sections.items())
    lines = [f"LEARNINGS: {len(told)} loaded" + (f" ({counts})" if counts else ""), *_notes(setting)]
    for name, section in sections.items():
        heading = _plural(name)
        lines += ["", f"## {heading[:1].upper()}{heading[1:]}", *(text for _, text in section)]
    return "\n".join([*lines, *rest_of(setting, len(told), rows)])


def _plural(word: str) -> str:
    return word if word.endswith("s") else f"{word}s"


# amplihack: the best few, each with its insight -----------------------------------------------------------------------


def _amplihack_entry(entry: Entry, room: int) -> str:
    category = inline(entry.category, LONGEST_WORD)
    heading = f"### {category[:1].upper()}{category[1:]}: {inline(entry.title, LONGEST_TITLE)}"
    body = told_at_length(entry)
    left = room - estimate(f"{heading}\n\n---")
    if not body or left < 0:
        return f"{heading}\n---" if left >= 0 else ""
    notice = f"(cut, all of it: {whole(entry)})"
    shown, is_cut = quotation(body, left, estimate(f"\n\n{notice}\n"))
    end = f"\n\n{notice}\n\n---" if is_cut else "\n---"
    return f"{heading}\n{shown}{end}" if shown else ""


def _amplihack(setting: Setting, told: Sequence[tuple[Entry, str]], rows: Sequence[str]) -> str:
    if not told and not rows:
        return ""
    lines = ["## Past Learnings Relevant to This Task", "", *_notes(setting)]
    for _, text in told:
        lines += ["", text]
    return "\n".join([*lines, *rest_of(setting, len(told), rows)])


# Precedents: the results of a search ----------------------------------------------------------------------------------

_FIRST = "No relevant precedents found. This appears to be a first-time decision in this problem space."


def _precedent(entry: Entry, room: int) -> str:
    said = f"{inline(entry.category, LONGEST_WORD)}, {day(entry.date) or 'undated'}"
    lines = [f"**[{reference(entry)}]** — {inline(entry.title, LONGEST_TITLE)} ({said}) [{_place(entry)}]"]
    lines.append(f"- **Confidence**: {points(entry.effective)}")
    left = room - estimate("\n".join(lines))
    told = (
        ("Alternatives rejected", "; ".join(entry.alternatives), left // 2),
        ("Outcome", entry.outcome, left // 3),
        ("Context", "" if entry.alternatives or entry.outcome.strip() else told_at_length(entry), left // 2),
        ("Tags", ", ".join(entry.tags), left // 6),
    )
    for name, text, share in told:
        shown = text.strip() and _on_one_line(text.strip(), share - estimate(f"\n- **{name}**: "), "[cut]")
        if shown:
            lines.append(f"- **{name}**: {shown}")
    made = "\n".join(lines)
    return made if estimate(made) <= room else ""


def _place(entry: Entry) -> str:
    if entry.project:
        return "another project"
    return "org" if entry.tier == "organization" else entry.tier if entry.tier in TIERS else "elsewhere"


def _precedents(setting: Setting, told: Sequence[tuple[Entry, str]], rows: Sequence[str]) -> str:
    if setting.entries and not told and not rows:
        return ""
    ours = sum(entry.tier == "organization" for entry in setting.entries)
    known = setting.matched if setting.entries else 0
    total = f"more than {UNCOUNTED:,}" if known is None else f"{known}"
    near = f"more than {UNCOUNTED - ours:,}" if known is None else f"{known - ours}"
    counts = f"Matches: {near} project-level, {ours} org-level ({total} total)"
    lines = ["---", "**Precedent Search** complete", counts, "---", ""]
    if not setting.entries:
        return "\n".join([*lines, _FIRST])
    lines += ["### Relevant Precedents", "", *_notes(setting)]
    for _, text in told:
        lines += ["", text]
    return "\n".join([*lines, *rest_of(setting, len(told), rows)])


BLOCKS: dict[str, tuple[Telling, Listing, Composing]] = {
    "add": (_add_entry, _add_row, _add),
    "gstack": (_gstack_entry, row, _gstack),
    "amplihack": (_amplihack_entry, row, _amplihack),
    "precedents": (_precedent, row, _precedents),
}
"""Style -> how it tells one learning in full, how by title only, and how it puts the block together."""
