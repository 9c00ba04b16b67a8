"""Which kinds of secrets a text holds: a table of what keys and tokens look like. Pure; never returns what it found.

Prefixes and alphabets are those that the issuers document; lengths are lower bounds, since issuers lengthen their keys. What
stands for a secret in documentation (`sk-...`, `ghp_xxxx`, `${TOKEN}`, `<password>`, `***`) passes. A key that documentation
prints in full does not: nothing tells it from one that works, and a learning loses nothing by its absence.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from functools import cache
from math import log2

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SHORTEST = 16
"""Letters and digits in a row that a key has at least, its prefix with them."""
_NAMES = "password passwd pwd passphrase secret token apikey accesskey key credential credentials authorization bearer"
_NAMED = frozenset(_NAMES.translate(str.maketrans("l", "i")).encode().split())
_IN_NAMES = ("assword", "ecret", "oken", "ASSWORD", "ECRET", "OKEN")
"""Parts of names in which the words are not told apart: `dbPassword`, `AUTHTOKEN`."""
_AT_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f][0-9A-Fa-f]))"
"""Where a key can begin: not inside a word, but behind an escape of JSON or of an address."""


def _any(value: str) -> bool:
    """Whether a value behind a known prefix could be real: not one sign again and again, and no words that say otherwise."""
    return len(set(value)) > 2 and not _placeholder().search(value)


def _key(value: str) -> bool:
    """Whether a value behind a short prefix is a key and no name: a run that no word is."""
    runs = re.split(r"[-_]", value)
    return _any(value) and any(len(run) >= 20 or (len(run) >= 12 and _is_mixed(run)) for run in runs)


def _digits_too(value: str) -> bool:
    return _any(value) and not value.isalpha()


def _header(value: str) -> bool:
    return _any(value) and _is_mixed(value)


def _password(value: str) -> bool:
    """Whether what stands at a password's place in an address is one."""
    return not _stands_for().fullmatch(value)


def _web_token(value: str) -> bool:
    """Whether the first part of a JSON web token decodes to a header."""
    head = value.split(".", 1)[0]
    try:
        return b'"alg"' in a2b_base64(head.replace("-", "+").replace("_", "/") + "=" * (-len(head) % 4))
    except Error:
        return False


def _assigned(value: str) -> bool:
    """Whether a value that is assigned to a name such as `password` is one: no name, path, type or placeholder."""
    quoted = value[0] in "\"'`"
    bare = value[1:-1] if quoted else value.rstrip(").]}>:!?")
    if (
        len(bare) < (8 if quoted else 12)
        or _stands_for().fullmatch(bare)
        or _placeholder().search(bare)
        or _ELSEWHERE.search(bare)
    ):
        return False
    if _NO_SECRET.search(bare) or (not quoted and _CODE.search(bare)):
        return False
    parts = [part for part in re.split(r"[-_./:]", bare) if part]
    if len(parts) > 1 and not any(len(part) >= 10 and _is_mixed(part) for part in parts):
        return False
    return _is_mixed(bare) and _bits(bare) >= (2.5 if quoted else 3.0)


def _is_mixed(text: str) -> bool:
    """Whether letters and digits are mixed as in no name: `a1b2`, not `sha256`."""
    return any(one.isalpha() for one in text) and any(one.isdigit() for one in text)


def _bits(text: str) -> float:
    """Shannon's entropy of the characters, in bits each."""
    return -sum(share * log2(share) for share in (text.count(one) / len(text) for one in set(text)))


@cache
def _placeholder() -> re.Pattern[str]:
    """What stands where a secret would."""
    return re.compile(
        r"x{4}|\*{3}|\.{3}|\$\{|\{\{|placeholder|change.?me|redacted|your[-_]|[-_]here\b|dummy|not[-_]?a[-_]?real",
        re.IGNORECASE,
    )


@cache
def _stands_for() -> re.Pattern[str]:
    """A value that stands for another."""
    return re.compile(
        r"\*+|x+|\.+|…|-+|_+|\$\w+|\$?\{.*|\$\(.*|<.*|\[.*|%\w*%?|:\w+|#\{.*|redacted|placeholder|hidden|masked", re.IGNORECASE
    )


_ELSEWHERE = re.compile(r"^[./~]|://|^sha\d+[:-]")
_NO_SECRET = re.compile(r"example|sample|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$", re.IGNORECASE)
"""What an assigned value is when it is none of that: a made-up one, or a UUID."""
_CODE = re.compile(r"[()\[\]{}<>$%]|\w\.\w+\.\w")

RULES: tuple[tuple[str, str, str, str, Callable[[str], bool]], ...] = (
    # rule, what it finds, strings one of which is in each text that has one, pattern (its first group, or all of it, is
    # judged), judge
    ("aws-access-key", "an AWS access key id", "AKIA ABIA ACCA A3T", r"(?:AKIA|ABIA|ACCA|A3T[A-Z0-9])([A-Z0-9]{12,})", _any),
    ("aws-access-key", "a temporary AWS access key id", "ASIA", r"ASIA([A-Z0-9]{16,})", _digits_too),
    ("github-token", "a GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_([A-Za-z0-9_]{16,})", _any),
    ("github-token", "a fine-grained GitHub token", "github_pat_", r"github_pat_([A-Za-z0-9_]{16,})", _any),
    (
        "gitlab-token",
        "a GitLab token",
        "glpat- gldt- glrt- glptt- glsoat- glcbt- glft-",
        r"gl(?:pat|dt|rt|ptt|soat|cbt|ft)-([\w-]{16,})",
        _any,
    ),
    ("anthropic-key", "an Anthropic key", "sk-ant-", r"sk-ant-([\w-]{16,})", _any),
    ("openai-key", "a key that begins with sk-, as OpenAI's and others' do", "sk-", r"sk-([\w-]{16,})", _key),
    ("stripe-key", "a Stripe key", "_live_ _test_ whsec_", r"(?:[rsp]k_(?:live|test)_|whsec_)([A-Za-z0-9]{12,})", _any),
    ("google-key", "a Google API key", "AIza", r"AIza([\w-]{30,})", _any),
    ("google-key", "a Google OAuth secret or token", "GOCSPX- ya29.", r"(?:GOCSPX-|ya29\.)([\w-]{20,})", _any),
    (
        "google-key",
        "a service account's key id",
        "private_key_id",
        r"private_key_id\\?[\"']\s*:\s*\\?[\"']([0-9a-f]{32,})",
        _any,
    ),
    ("slack-token", "a Slack token", "xox xapp-", r"(?:xox[a-z]|xapp)-(?:\d-)?([A-Za-z0-9-]{10,})", _digits_too),
    (
        "slack-token",
        "a Slack webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/+]{20,})",
        _any,
    ),
    ("discord-token", "a Discord bot token", ".", r"[MNO]([A-Za-z0-9_-]{22,27}\.[\w-]{6}\.[\w-]{27,})", _any),
    ("discord-token", "a Discord webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/(\d{15,}/[\w-]{40,})", _any),
    ("telegram-token", "a Telegram bot token", ":AA", r"\d{6,12}:AA([\w-]{30,})", _any),
    ("npm-token", "an npm token", "npm_", r"npm_([A-Za-z0-9]{24,})", _any),
    ("pypi-token", "a PyPI token", "pypi-AgE", r"pypi-AgE([\w-]{16,})", _any),
    ("huggingface-token", "a Hugging Face token", "hf_", r"hf_([A-Za-z0-9]{24,})", _any),
    ("sendgrid-key", "a SendGrid key", "SG.", r"SG\.([\w-]{16,}\.[\w-]{16,})", _any),
    ("twilio-key", "a Twilio key", "SK", r"SK([0-9a-f]{32})", _any),
    ("shopify-token", "a Shopify token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_([0-9a-fA-F]{24,})", _any),
    ("digitalocean-token", "a DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_([0-9a-f]{32,})", _any),
    ("docker-token", "a Docker Hub token", "dckr_pat_", r"dckr_pat_([\w-]{20,})", _any),
    ("databricks-token", "a Databricks token", "dapi", r"dapi([0-9a-f]{32})", _any),
    ("vault-token", "a HashiCorp Vault token", "hvs. hvb.", r"hv[sb]\.([\w-]{20,})", _any),
    ("grafana-token", "a Grafana token", "glsa_ glc_", r"gl(?:sa|c)_([\w+/=]{24,})", _any),
    ("atlassian-token", "an Atlassian token", "ATATT3", r"ATATT3([\w=-]{24,})", _any),
    ("linear-key", "a Linear key", "lin_api_", r"lin_api_([A-Za-z0-9]{24,})", _any),
    ("rubygems-key", "a RubyGems key", "rubygems_", r"rubygems_([0-9a-f]{32,})", _any),
    ("service-key", "a Groq, xAI or Replicate key", "gsk_ xai- r8_", r"(?:gsk_|xai-|r8_)([A-Za-z0-9]{24,})", _any),
    ("mailgun-key", "a Mailgun key", "key-", r"key-([0-9a-f]{32})", _any),
    ("age-key", "an age identity", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1([A-Z0-9]{30,})", _any),
    (
        "azure-key",
        "an Azure account key",
        "AccountKey= SharedAccessKey=",
        r"(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{32,})",
        _any,
    ),
    ("azure-key", "an Azure shared access signature", "sig=", r"[?&]sig=([A-Za-z0-9%+/]{40,})", _any),
    ("azure-key", "a Microsoft Entra client secret", "8Q~ 7Q~ 6Q~ 9Q~ 5Q~", r"([\w.~-]{3}\dQ~[\w.~-]{30,})", _any),
    (
        "private-key",
        "a private key",
        "-----BEGIN",
        r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?=\s*\Z|\s*?[\r\n]|\s?\\+[nr]|"
        r"\s*[A-Za-z0-9+/=]{16}|.{0,80}-----END )",
        bool,
    ),
    ("json-web-token", "a signed JSON web token", "eyJ", r"(eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]{8,})", _web_token),
    (
        "url-password",
        "a password in an address",
        "://",
        r"://[^\s/?#:@\"'<>]{0,256}:([^\s/?#\"'<>]{1,256}?)@(?=[\w\[$<{%])(?!sha\d)",
        _password,
    ),
    (
        "authorization",
        "an authorization header",
        "uthorization",
        r"uthorization\\?[\"']?\s{0,4}[:=,]\s{0,4}\\?[\"']?(?:Bearer|Basic|Token)\s{1,4}([\w.~+/=-]{16,})",
        _header,
    ),
    ("authorization", "a bearer token", "Bearer bearer", r"[Bb]earer\s{1,4}([\w.~+/=-]{20,})", _key),
)
_KEYS = ("api", "access", "secret", "auth", "account", "encryption", "signing", "private")
_WORDS = ("password", "passwd", "pwd", "passphrase", "secret", "token", "credential", "credentials")
_ASSIGNED = (*_WORDS, *(f"{what}{joint}key" for what in _KEYS for joint in ("", "_", "-", " ")))
_OTHER_TOKENS = ("request", "next", "page", "pagination", "client")
"""Before `token`: it marks a place and opens nothing."""
_VALUE = re.compile(
    r"\d?\\?[\"'`]?\s{0,5}(?::=|=>|={1,3}|:)\s{0,5}\\?(\"[^\s\"]{6,256}\"|'[^\s']{6,256}'|`[^\s`]{6,256}`|[^\s\"'`,;]{12,256})"
)
ASSIGNED = "a value assigned to a password, secret, token or key"
"""What the rule `assigned-secret` catches; the others are `RULES`."""


def near(text: str, words: set[bytes]) -> bool:
    """Whether a text could hold a secret: False for most prose. `words` are `injection.words_in` of it."""
    if "://" in text or "-----BEGIN" in text or max(map(len, words), default=0) >= _SHORTEST:
        return True
    if "=" not in text and ":" not in text:
        return b"bearer" in words
    return not words.isdisjoint(_NAMED) or any(part in text for part in _IN_NAMES)


def found(text: str) -> Iterator[str]:
    """The names of the rules that a text trips."""
    for name, hints, pattern, judge in _ready():
        if any(hint in text for hint in hints) and any(judge(match[match.re.groups]) for match in pattern.finditer(text)):
            yield name
    if ("=" in text or ":" in text) and any(map(_assigned, _values(text))):
        yield "assigned-secret"


def _values(text: str) -> Iterator[str]:
    """What is assigned to a name such as `password`."""
    low = text.lower()
    for name in _ASSIGNED:
        place = low.find(name)
        while place >= 0:
            end = place + len(name)
            match = None if name == "token" and low.endswith(_OTHER_TOKENS, 0, place) else _VALUE.match(text, end)
            if match:
                yield match[1]
            place = low.find(name, match.end() if match else end)


@cache
def _ready() -> tuple[tuple[str, tuple[str, ...], re.Pattern[str], Callable[[str], bool]], ...]:
    return tuple(
        (
            name,
            tuple(hints.split()),
            re.compile(pattern if pattern.startswith((":", "-", "(?i")) else _AT_START + pattern),
            judge,
        )
        for name, _, hints, pattern, judge in RULES
    )
