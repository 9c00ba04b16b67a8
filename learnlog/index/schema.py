"""The tables of an index, and how one is opened as SQLite has it. Which log it is of, and what is in it, is said elsewhere.

head      one row: which log, how far it was read (a `Mark`), and what was found on the way
learning  a row for each learning that is shown: what is filtered and ordered by, narrow so that counting is fast
face      the learning as JSON, in three pieces that what depends on the moment is put between
label     its tags, stack and files, folded, a row each
words     its words, each with its level behind it; and for the ranks that look at fields those of its title, and its tags
text      FTS5 over the words with their levels: from a word to its learnings, those first in which it matters most
travelled those that were moved from one tier to another: each move, and where it came from
own       every uid, also of a learning that is joined to another, and the learning it is shown as
keyed     every key that a learning ever had
alias     every reference that stands for a learning, and its names in other programs
event     where each learning's lines stand, for folding it again and for its history
noted     the lines that were left out, and those without a seal (kind `unsealed`)
"""

from __future__ import annotations

import sqlite3

FORMAT = 4
"""Greater with each change of these tables, of the tokenizer, or of how a level is made: an index of another is thrown away."""

SEPARATOR = "\x1f"
SIGNS = "".join(sign for sign in map(chr, range(ord("!"), ord("~") + 1)) if not sign.isupper() and sign != '"')
"""Behind the separator stands the level: the first of these is 0. ASCII, which SQLite takes as it is; no capitals, which its
tokenizer would fold."""

_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" + SEPARATOR
_TOKENIZER = "ascii tokenchars '{}'".format(_PUNCTUATION.replace("'", "''"))

TABLES = f"""
CREATE TABLE head (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  name TEXT NOT NULL, version TEXT NOT NULL, end INTEGER NOT NULL, lines INTEGER NOT NULL, digest TEXT NOT NULL,
  chunks BLOB NOT NULL, newer INTEGER NOT NULL, waiting INTEGER NOT NULL
);
CREATE TABLE learning (
  doc INTEGER PRIMARY KEY, uid TEXT NOT NULL, ref TEXT NOT NULL, status TEXT NOT NULL, category TEXT NOT NULL,
  severity TEXT NOT NULL, severity_order INTEGER NOT NULL, scope TEXT NOT NULL, origin TEXT, anywhere INTEGER NOT NULL,
  confidence INTEGER NOT NULL, aged INTEGER, decays INTEGER NOT NULL, pinned INTEGER NOT NULL, changed TEXT NOT NULL,
  changed_by TEXT NOT NULL, birth TEXT NOT NULL, stored TEXT NOT NULL, named INTEGER, titled INTEGER NOT NULL,
  vouched TEXT NOT NULL
);
CREATE TABLE face (doc INTEGER PRIMARY KEY, head TEXT NOT NULL, tail TEXT NOT NULL, rest TEXT NOT NULL);
CREATE TABLE label (doc INTEGER NOT NULL, kind TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (doc, kind, word)) WITHOUT ROWID;
CREATE TABLE words (doc INTEGER PRIMARY KEY, words TEXT NOT NULL, title TEXT NOT NULL, tags TEXT NOT NULL);
CREATE VIRTUAL TABLE text USING fts5(
  words, content='', detail=none, columnsize=0, tokenize="{_TOKENIZER.replace('"', '""')}"
);
INSERT INTO text (text, rank) VALUES ('hashsize', {16 << 20});
CREATE VIRTUAL TABLE word USING fts5vocab(text, row);
CREATE TABLE travelled (doc INTEGER PRIMARY KEY, moves TEXT NOT NULL);
CREATE TABLE own (uid TEXT PRIMARY KEY, doc INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE keyed (key TEXT NOT NULL, uid TEXT NOT NULL, PRIMARY KEY (key, uid)) WITHOUT ROWID;
CREATE TABLE idem (idem TEXT NOT NULL, uid TEXT NOT NULL, PRIMARY KEY (idem, uid)) WITHOUT ROWID;
CREATE TABLE alias (name TEXT NOT NULL, uid TEXT NOT NULL, PRIMARY KEY (name, uid)) WITHOUT ROWID;
CREATE TABLE event (
  uid TEXT NOT NULL, id TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, PRIMARY KEY (uid, id, start)
) WITHOUT ROWID;
CREATE TABLE noted (line INTEGER NOT NULL, byte INTEGER NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL);
"""
INDEXES = """
CREATE INDEX learning_order ON learning (
  pinned DESC, severity_order, changed DESC, changed_by DESC,
  status, category, severity, scope, origin, anywhere, confidence, aged, decays
);
CREATE INDEX learning_class ON learning (
  status, category, anywhere, severity, scope, origin, confidence, aged, decays
);
CREATE INDEX learning_named ON learning (named) WHERE named IS NOT NULL;
CREATE INDEX learning_titled ON learning (titled);
CREATE INDEX learning_category ON learning (category);
CREATE INDEX learning_confidence ON learning (confidence);
CREATE INDEX label_word ON label (kind, word);
CREATE INDEX keyed_uid ON keyed (uid);
CREATE INDEX alias_uid ON alias (uid);
CREATE INDEX own_doc ON own (doc);
CREATE INDEX event_start ON event (start);
"""
"""Made last: sorting once is faster than keeping an order while many rows go in."""

_PAGES_BEFORE_CHECKPOINT = 8000
"""SQLite's own 1,000 are some thirty appends, each time with two waits for the disk."""
_WAL_BYTES_KEPT = 32 << 20


def connect(path: str, *, busy_s: float = 5.0) -> sqlite3.Connection:
    """A connection to the index at `path`, or to one in memory. Transactions are begun by hand. Raises `sqlite3.Error`."""
    connection = sqlite3.connect(path, timeout=busy_s, isolation_level=None, check_same_thread=False, cached_statements=256)
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection


def prepare_to_write(connection: sqlite3.Connection) -> None:
    """Set what matters to who writes alone: reading does without."""
    connection.execute(f"PRAGMA wal_autocheckpoint = {_PAGES_BEFORE_CHECKPOINT}")
    connection.execute(f"PRAGMA journal_size_limit = {_WAL_BYTES_KEPT}")


def create(connection: sqlite3.Connection) -> None:
    """Make the tables, without `INDEXES`, in place of what is there, in the caller's transaction. Raises `sqlite3.Error`."""
    for sort in ("VIRTUAL", "TABLE"):
        tables = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
        for name, text in tables:
            virtual = str(text).upper().startswith("CREATE VIRTUAL")
            if virtual == (sort == "VIRTUAL") and not name.startswith("sqlite_"):
                quoted = name.replace('"', '""')
                connection.execute(f'DROP TABLE IF EXISTS "{quoted}"')
    for statement in statements(TABLES):
        connection.execute(statement)


def statements(text: str) -> list[str]:
    """The statements of a script, one by one: `executescript` would end the transaction that they belong to."""
    return [one for one in text.split(";\n") if one.strip()]


def plain(text: str) -> str:
    """`text` as SQLite can hold it: half a surrogate pair is written as an escape (fault 16)."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
