"""Where a TOML text sets which key, and the text with one key set otherwise, every other line as it was. Pure.

Reads only what is TOML already: whether it is, and what it says, is `tomllib`'s.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Path = tuple[str, ...]


class Statement:
    """Lines `start` to before `stop` (from 0) that set `path`, below the header of `table`; or are that header.

    `comment`: where in the last of them a comment begins; None: nowhere.
    """

    __slots__ = ("comment", "header", "path", "start", "stop", "table")

    def __init__(self, start: int, stop: int, comment: int | None, table: Path, path: Path, *, header: bool) -> None:
        self.start, self.stop, self.comment, self.table, self.path, self.header = start, stop, comment, table, path, header


def statements(text: str) -> list[Statement]:
    """What a TOML text sets, in its order. Raises `tomllib.TOMLDecodeError` for a key that is none."""
    lines = lines_of(text)
    table: Path = ()
    found = []
    for start, stop, comment in _spans(lines):
        first = lines[start].strip()
        header = first.startswith("[")
        path = _path(first if header else f"{_key_of(first)} = 0")
        if header:
            table = path
        found.append(Statement(start, stop, comment, table, path if header else (*table, *path), header=header))
    return found


def places(text: str) -> dict[Path, int]:
    """The line, from 1, that first speaks of a path of at most two parts."""
    found: dict[Path, int] = {}
    for one in statements(text):
        for parts in (1, 2):
            found.setdefault(one.path[:parts], one.start + 1)
    return found


def comments(text: str) -> Iterator[tuple[int, str]]:
    """The comments with their lines, from 1."""
    depth, quote = 0, ""
    for number, line in enumerate(lines_of(text), 1):
        depth, quote, at = _after(line, depth, quote)
        if at is not None:
            yield number, line[at:]


def with_key(text: str, path: Path, value: str) -> str | None:
    """`text` with `path` (of one or two parts) set to what `value` is in TOML; None when that takes more than lines of its own.

    >>> with_key("[view]  # for people\\ncommit = false # or not\\n", ("view", "commit"), "true")
    '[view]  # for people\\ncommit = true # or not\\n'
    """
    lines, known = lines_of(text), statements(text)
    end = "\r\n" if "\r\n" in text else "\n"
    setting = next((one for one in known if one.path == path and not one.header), None)
    if setting is not None:
        last = lines[setting.stop - 1].rstrip("\r\n")
        comment = "" if setting.comment is None else f" {last[setting.comment :]}"
        lines[setting.start : setting.stop] = [f"{'.'.join(path[len(setting.table) :])} = {value}{comment}{end}"]
        return "".join(lines)
    if any(one.path == path[: len(one.path)] and not one.header for one in known):
        return None  # it stands inside of a value: view = {commit = false}
    at, before = _place_for(lines, known, path)
    if at > 0 and not lines[at - 1].endswith("\n"):
        lines[at - 1] += end
    lines[at:at] = [f"{line}{end}" for line in (*before[0], f"{before[1]} = {value}")]
    return "".join(lines)


def lines_of(text: str) -> list[str]:
    """The lines with their ends; only a line feed ends one."""
    *whole, rest = text.split("\n")
    return [*(f"{one}\n" for one in whole), *filter(None, [rest])]


def _place_for(lines: list[str], known: list[Statement], path: Path) -> tuple[int, tuple[list[str], str]]:
    """The line before which a new setting goes, the lines that go before it, and how it is written there."""
    table = [one for one in known if one.table == path[:-1]]
    if len(path) > 1 and table:
        return table[-1].stop, ([], path[-1])
    top = [one for one in known if not one.table]
    beside = [one for one in top if len(path) > 1 and one.path[:-1] == path[:-1]]
    if beside:  # view.other = 1: a table that is made so cannot have a header
        return beside[-1].stop, ([], ".".join(path))
    if len(path) > 1:
        return len(lines), ([*([""] if lines else []), f"[{'.'.join(path[:-1])}]"], path[-1])
    if top:
        return top[-1].stop, ([], path[0])
    return _above(lines, known[0].start) if known else len(lines), ([], path[0])


def _above(lines: list[str], start: int) -> int:
    """The first line of the comment right above a line, which belongs to it."""
    while start > 0 and lines[start - 1].lstrip().startswith("#"):
        start -= 1
    return start


def _spans(lines: list[str]) -> Iterator[tuple[int, int, int | None]]:
    """First line, line after the last, and the place of a comment in the last, of each statement."""
    start: int | None = None
    depth, quote = 0, ""
    for number, line in enumerate(lines):
        depth, quote, comment = _after(line, depth, quote)
        blank = not line.strip() or line.lstrip().startswith("#")
        if start is None and not blank:
            start = number
        if start is not None and not depth and not quote:
            yield start, number + 1, comment
            start = None


def _after(line: str, depth: int, quote: str) -> tuple[int, str, int | None]:
    """How many brackets are open behind a line, which text is, and where its comment begins."""
    at = 0
    while at < len(line):
        here = line[at]
        if quote:
            at, quote = _in_text(line, at, quote)
        elif here == "#":
            return depth, quote, at
        elif here in "\"'":
            quote = here * 3 if line.startswith(here * 3, at) else here
            at += len(quote)
        else:
            depth += (here in "[{") - (here in "]}")
            at += 1
    return depth, quote, None


def _in_text(line: str, at: int, quote: str) -> tuple[int, str]:
    """The next place in a text, and the quote that it is open with: none when it ends here."""
    if line[at] == "\\" and quote[0] == '"':
        return at + 2, quote
    if not line.startswith(quote, at):
        return at + 1, quote
    at += len(quote)
    for _ in range(2 if len(quote) == 3 else 0):  # a text of several lines may end with two quotes of its own
        at += line.startswith(quote[0], at)
    return at, ""


def _key_of(line: str) -> str:
    """What stands before the = of a line that begins a setting."""
    at, quote = 0, ""
    while quote or line[at] != "=":
        if quote:
            at, quote = _in_text(line, at, quote)
            continue
        quote = line[at] if line[at] in "\"'" else ""
        at += 1
    return line[:at]


def _path(line: str) -> Path:
    """The parts of the one key in a line."""
    import tomllib

    node: object = tomllib.loads(line)
    parts = []
    while isinstance(node, dict) and node:
        [(part, node)] = node.items()
        parts.append(part)
    return tuple(parts)
