"""Keys, tokens and passwords are refused wherever they stand, and what only looks like one passes. The secrets here are made up
and are put together when a test runs, so that nobody who looks for secrets finds one in this file.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnlog.policy import secrets
from learnlog.policy.guard import RULES, scan

DIGITS_AND_LETTERS = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + "234567"
HEX = "0123456789abcdef"


def made(alphabet: str, length: int, seed: int = 0) -> str:
    """Characters of an alphabet in no order, the same each time, a digit and a letter among them."""
    chance = random.Random(f"{alphabet}{length}{seed}")
    return "".join(chance.choice(alphabet) for _ in range(length - 2)) + "7" + ("A" if "A" in alphabet else "a")


def web_token(seed: int) -> str:
    parts = [json.dumps(one).encode() for one in ({"typ": "JWT", "alg": "HS256"}, {"sub": str(seed), "name": "ada"})]
    return ".".join(
        [*(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts), made(DIGITS_AND_LETTERS, 43, seed)]
    )


# rule: (what comes before, alphabet, shortest and longest that are tried, what comes after)
KEYS = {
    "aws-access-key": [("AK" + "IA", UPPER, 16, 20, ""), ("AS" + "IA", UPPER, 16, 16, "")],
    "github-token": [(f"gh{kind}" + "_", DIGITS_AND_LETTERS, 20, 76, "") for kind in "pousr"]
    + [("github" + "_pat_", DIGITS_AND_LETTERS + "_", 30, 82, "")],
    "gitlab-token": [("glp" + "at-", DIGITS_AND_LETTERS, 20, 40, "")],
    "anthropic-key": [("sk-" + "ant-api03-", DIGITS_AND_LETTERS + "-_", 40, 95, "AA")],
    "openai-key": [
        ("sk" + "-", DIGITS_AND_LETTERS, 20, 60, ""),
        ("sk" + "-proj-", DIGITS_AND_LETTERS, 40, 150, ""),
        ("sk" + "-", HEX, 32, 64, ""),
    ],
    "stripe-key": [("sk" + "_live_", DIGITS_AND_LETTERS, 16, 99, ""), ("rk" + "_test_", DIGITS_AND_LETTERS, 24, 30, "")],
    "google-key": [("AI" + "za", DIGITS_AND_LETTERS + "-_", 35, 40, ""), ("GOC" + "SPX-", DIGITS_AND_LETTERS, 28, 28, "")],
    "slack-token": [
        (f"xo{kind}" + "-", string.digits, 11, 13, f"-{made(DIGITS_AND_LETTERS, 24)}") for kind in ("xb", "xp", "xa")
    ]
    + [("https://hooks.sla" + "ck.com/services/T0000/B0000/", DIGITS_AND_LETTERS, 24, 24, "")],
    "discord-token": [("MT" + "k4", DIGITS_AND_LETTERS, 21, 21, f".GhIjKl.{made(DIGITS_AND_LETTERS, 38)}")],
    "telegram-token": [("123456789:" + "AA", DIGITS_AND_LETTERS, 33, 33, "")],
    "npm-token": [("np" + "m_", DIGITS_AND_LETTERS, 36, 40, "")],
    "pypi-token": [("py" + "pi-AgE", DIGITS_AND_LETTERS + "-_", 50, 200, "")],
    "huggingface-token": [("h" + "f_", DIGITS_AND_LETTERS, 34, 40, "")],
    "sendgrid-key": [("S" + "G.", DIGITS_AND_LETTERS, 22, 22, f".{made(DIGITS_AND_LETTERS, 43)}")],
    "twilio-key": [("S" + "K", HEX, 32, 32, "")],
    "shopify-token": [("shp" + "at_", HEX, 32, 32, "")],
    "digitalocean-token": [("dop" + "_v1_", HEX, 64, 64, "")],
    "docker-token": [("dckr" + "_pat_", DIGITS_AND_LETTERS, 27, 27, "")],
    "databricks-token": [("da" + "pi", HEX, 32, 32, "")],
    "vault-token": [("hv" + "s.", DIGITS_AND_LETTERS, 24, 90, "")],
    "grafana-token": [("gl" + "sa_", DIGITS_AND_LETTERS, 32, 41, "")],
    "atlassian-token": [("ATA" + "TT3", DIGITS_AND_LETTERS + "-_", 186, 190, "")],
    "linear-key": [("lin" + "_api_", DIGITS_AND_LETTERS, 40, 40, "")],
    "rubygems-key": [("ruby" + "gems_", HEX, 48, 48, "")],
    "service-key": [("gs" + "k_", DIGITS_AND_LETTERS, 52, 52, ""), ("xa" + "i-", DIGITS_AND_LETTERS, 80, 80, "")],
    "mailgun-key": [("ke" + "y-", HEX, 32, 32, "")],
    "age-key": [("AGE-SEC" + "RET-KEY-1", UPPER, 58, 58, "")],
    "azure-key": [("AccountK" + "ey=", DIGITS_AND_LETTERS + "+/", 86, 86, "==")],
    "private-key": [
        (f"-----BEGIN {kind}PRIV" + "ATE KEY-----\n", DIGITS_AND_LETTERS, 64, 64, "")
        for kind in ("", "RSA ", "EC ", "OPENSSH ")
    ],
    "url-password": [
        (f"{scheme}://ada:", DIGITS_AND_LETTERS + "!*+=~", 4, 40, "@db.example.org/shop") for scheme in ("postgres", "https")
    ],
    "authorization": [("Author" + "ization: Bearer ", DIGITS_AND_LETTERS, 32, 90, "")],
    "assigned-secret": [
        ('pass' + 'word = "', DIGITS_AND_LETTERS + "!#", 10, 40, '"'),
        ("DB_PASS" + "WORD=", DIGITS_AND_LETTERS, 14, 40, ""),
        ('{"api_' + 'key": "', DIGITS_AND_LETTERS, 20, 60, '"}'),
        ("aws_sec" + "ret_access_key = ", DIGITS_AND_LETTERS, 40, 40, ""),
    ],
}  # fmt: skip
ROWS = [(rule, *row) for rule, rows in KEYS.items() for row in rows]
PLACES = (
    "{}",
    "the old one was {} and it is revoked",
    '{{"note": "see {}", "n": 1}}',
    "curl 'https://example.org/?a=1&b={}'",
    "first line\n{}\nlast line",
    "`{}`",
    "({}).",
    "export X={}",
    "\\n{}\\n",
    "“{}”，",
)


@pytest.mark.parametrize(("rule", "before", "alphabet", "least", "most", "after"), ROWS)
@settings(max_examples=30)
@given(data=st.data())
def test_a_secret_is_refused_at_every_length_and_place(
    rule: str, before: str, alphabet: str, least: int, most: int, after: str, data: st.DataObject
) -> None:
    # X-7, fault 46
    secret = before + made(alphabet, data.draw(st.integers(least, most)), data.draw(st.integers(0, 99))) + after
    found = scan(data.draw(st.sampled_from(PLACES)).replace("{{", "{").replace("}}", "}").replace("{}", secret))
    assert found is not None
    assert found.startswith("secret/")
    assert f"secret/{rule}" == scan(secret) or rule in {"assigned-secret", "authorization", "slack-token"}


@pytest.mark.parametrize(("rule", "before", "alphabet", "least", "most", "after"), ROWS)
def test_characters_that_nobody_sees_do_not_hide_a_secret(
    rule: str, before: str, alphabet: str, least: int, most: int, after: str
) -> None:
    secret = before + made(alphabet, most) + after
    for unseen in ("\u200b", "\u00ad", "\ufe0f", "\u2060"):
        assert scan(f"it was {unseen.join(secret)} then") is not None
    assert scan("".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in secret)) is not None


@pytest.mark.parametrize("seed", range(5))
def test_a_web_token_is_refused_and_its_like_is_not(seed: int) -> None:
    token = web_token(seed)
    assert scan(f"it sent {token} back") == "secret/json-web-token"
    no_header = base64.urlsafe_b64encode(b'{"name": "a file of the cache"}').decode().rstrip("=")
    assert scan(f"it sent {no_header}.abcdefgh.ijklmnopqr back") is None


def test_every_rule_is_tried_here() -> None:
    assert {*KEYS, "json-web-token"} == {rule for rule, *_ in secrets.RULES} | {"assigned-secret"}
    assert {f"secret/{rule}" for rule in (*KEYS, "json-web-token")} == {rule for rule in RULES if rule.startswith("secret/")}


@pytest.mark.parametrize(
    "text",
    [
        "sk-...",
        "ghp_xxxx",
        "ghp_" + "x" * 36,
        "AKIA" + "X" * 16,
        "sk-your-api-key-here-please",
        "export GITHUB_TOKEN=<your token>",
        "password: ${DB_PASSWORD}",
        "password = os.environ['DB_PASSWORD']",
        "password: changeme-now-2024",
        "api_key = settings.OPENAI_API_KEY_FOR_2024",
        "postgres://user:$PASSWORD@localhost/shop",
        "postgres://user:***@localhost/shop",
        "postgres://user:<password>@localhost/shop",
        "postgres://user@localhost:5432/shop",
        "https://example.org:8443/@scope/package",
        "docker.io://nginx:1.25@sha256:" + "ab12" * 16,
        "git@github.com:owner/repository.git",
        "secret: my-app-tls-2024",
        "token: str = Field(min_length=32, max_length=64)",
        "max_tokens=200000, token_budget: 2000",
        "primary key: order_id, foreign key: customer_id_2",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A",
        "a PEM file begins with -----BEGIN PRIVATE KEY----- or with the name of the algorithm in it",
        "Authorization: Bearer <token>",
        "the sk-learn-pipeline-with-transformers folder",
        "npm_config_registry and npm_lifecycle_event are set",
        "nextToken=" + "eXb12" * 6,
    ],
)
def test_what_stands_for_a_secret_passes(text: str) -> None:
    # fault 46, fault 47
    assert scan(text) is None


NAMES = st.lists(st.from_regex(r"[a-z]{2,9}[0-9]{0,2}", fullmatch=True), min_size=1, max_size=6)


@given(NAMES, st.sampled_from(["_", "-", ".", "/", "::", "", "\\"]))
def test_names_and_paths_pass(words: list[str], joint: str) -> None:
    name = joint.join(words)
    assert scan(f"see {name} and {name.upper()} in src/{name}.py:12") is None


@given(st.binary(min_size=16, max_size=60))
def test_hashes_and_encoded_bytes_pass(data: bytes) -> None:
    for value in (
        hashlib.sha1(data).hexdigest(),
        hashlib.sha256(data).hexdigest(),
        f"sha256:{hashlib.sha256(data).hexdigest()}",
        f"{data[:4].hex()}-{data[4:6].hex()}-{data[6:8].hex()}-{data[8:10].hex()}-{data[10:16].hex()}",
        f"data:image/png;base64,{base64.b64encode(data).decode()}",
        f"fixed in commit {data[:20].hex()}",
    ):
        assert scan(value) is None
