"""What in a text speaks of a person or their machine, replaced by words that say what it was. Pure.

A rule, no judge: it knows folders of people, e-mail addresses, and the names that it is given. What else may name somebody, as
a person in a sentence does, it does not see.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from re import Pattern

HOME, EMAIL, USER, HOST = "~", "<email>", "<user>", "<host>"
LEAST_NAME = 3
"""A shorter name is a part of too many texts to be taken for one."""

GENERIC = frozenset((
    "admin", "administrator", "agent", "alpine", "app", "arch", "build", "builder", "centos", "ci", "circleci",
    "claude", "codex", "container", "debian", "default", "desktop", "dev", "developer", "docker", "ec2-user", "fedora",
    "git", "gitlab-runner", "guest", "home", "host", "jenkins", "laptop", "localdomain", "localhost",
    "localhost.localdomain", "main", "mysql", "nginx", "nobody", "node", "pi", "postgres", "python", "redis", "root",
    "runner", "server", "service", "system", "test", "tester", "travis", "ubuntu", "user", "users", "vagrant", "web",
    "workstation", "www-data",
))  # fmt: skip
"""Names of accounts and machines that are nobody's, and words of many texts."""

_HOMES = (
    # Windows, before its part that looks like the others: a name may have spaces when more of the path follows.
    r"(?<![A-Za-z])[A-Za-z]:[\\/]+Users[\\/]+(?:[^\\/:*?\"<>|\s]+(?: [^\\/:*?\"<>|\s]+){0,3}(?=\\)|[^\\/:*?\"'`<>|\s]+)",
    # Unix, macOS, Windows as WSL and Git's shell show it; not the `/home/…` of a web address.
    r"(?<![\w.~-])(?:/(?:mnt/)?[a-z](?=/Users/)|/export(?=/home/)|/var(?=/home/))?/(?:home|Users)/(?!Shared\b)[^/\s\\:;,\"'`<>|()\[\]{}]+",
)
# Each part is begun at one place only, so that a text of a megabyte takes no more than one walk. `git@` names nobody.
_ADDRESS = r"(?<![\w.+-])(?!git@)[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{2,}(?![\w-])"


def cleaner(*, users: Iterable[str] = (), hosts: Iterable[str] = (), homes: Iterable[str] = ()) -> Callable[[str], str]:
    """What takes the personal out of a text: any home folder and e-mail address, and these names, folders and hosts.

    >>> clean = cleaner(users=["alice"], hosts=["rabbit-hole"], homes=["/data/alice"])
    >>> clean("/home/bob/x and /data/alice/y: ask alice@example.com, or Alice on rabbit-hole; malice is not meant")
    '~/x and ~/y: ask <email>, or <user> on <host>; malice is not meant'
    """
    import re

    rules: list[tuple[Pattern[str], str]] = []
    folders = sorted({one.rstrip("/\\") for one in homes if len(one.strip("/\\")) > LEAST_NAME}, key=len, reverse=True)
    if folders:
        rules.append((re.compile(rf"(?:{'|'.join(map(re.escape, folders))})(?![\w-])"), HOME))
    rules += [(re.compile(one), HOME) for one in _HOMES]
    rules.append((re.compile(_ADDRESS), EMAIL))
    for names, word in ((hosts, HOST), (users, USER)):
        known = sorted({one.strip() for one in names if _is_a_name(one)}, key=len, reverse=True)
        if known:
            rules.append((re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, known))})(?![^\W_])", re.IGNORECASE), word))

    def clean(text: str) -> str:
        for pattern, word in rules:
            text = pattern.sub(word, text)
        return text

    return clean


def _is_a_name(name: str) -> bool:
    plain = name.strip().lower()
    return len(plain) >= LEAST_NAME and plain not in GENERIC and not plain.isdecimal()
