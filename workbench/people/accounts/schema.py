"""The schema of the file `accounts.db`: one script, and what of a file differs from it.

VERSION grows with every change here; a file has that of the schema that made it as its `user_version`.
"""

from __future__ import annotations

from sqlite_utils import Database

from workbench.storage.campaign.file.schema import definitions_in, definitions_made_by

VERSION = 3

TABLES = """
-- `name_key` is what makes two spellings one name. `invited_by` is by whose invitation the account came, "" for one
-- made, or invited, at the server's terminal. `language` is the one of the person's pages, "" where none was chosen. An
-- account without a password has "" in the place of its hash.
CREATE TABLE account (
    name TEXT NOT NULL PRIMARY KEY,
    name_key TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    created_at TEXT NOT NULL,
    disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
    makes_campaigns INTEGER NOT NULL DEFAULT 0,
    invited_by TEXT NOT NULL DEFAULT '',
    language TEXT NOT NULL DEFAULT ''
) STRICT;

-- Single-use links and offers of roles. Of a token only the SHA-256 is kept. `log` is the hash of the first row of the
-- campaign's log, as another campaign may have its name. `account` is the account that a role is offered to, "" where
-- no account had the name that was typed, NULL in links. `taken_names` counts the names tried with a link that were
-- not free, and `taken_at` is the time of the last one.
CREATE TABLE link (
    link INTEGER PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('invitation', 'reset')),
    name TEXT NOT NULL,
    campaign TEXT NOT NULL,
    role TEXT NOT NULL,
    team TEXT NOT NULL,
    topics TEXT NOT NULL,
    made_by TEXT NOT NULL,
    made_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_by TEXT,
    used_at TEXT,
    withdrawn_at TEXT,
    log TEXT NOT NULL DEFAULT '',
    at_terminal INTEGER NOT NULL DEFAULT 0,
    account TEXT,
    declined_at TEXT,
    taken_names INTEGER NOT NULL DEFAULT 0,
    taken_at TEXT
) STRICT;

-- The security log.
CREATE TABLE act (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    act TEXT NOT NULL,
    name TEXT NOT NULL,
    actor TEXT NOT NULL,
    address TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;

-- Sessions that are open: they can be listed, and end when their row goes. Of a token only the SHA-256 is kept.
CREATE TABLE session (
    session INTEGER PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    local TEXT NOT NULL,
    browser TEXT NOT NULL,
    address TEXT NOT NULL,
    started_at TEXT NOT NULL,
    used_at TEXT NOT NULL,
    confirmed_at TEXT NOT NULL
) STRICT;

CREATE INDEX session_of ON session (name);

-- Tokens of programs. Of a token only the SHA-256 is kept. `log` is the hash of the first row of the campaign's log.
CREATE TABLE token (
    token INTEGER PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    purpose TEXT NOT NULL,
    campaign TEXT NOT NULL,
    log TEXT NOT NULL,
    role TEXT NOT NULL,
    made_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at TEXT NOT NULL,
    address TEXT NOT NULL
) STRICT;

-- The sign-ins at providers (OpenID Connect) that accounts are connected with.
CREATE TABLE identity (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    name TEXT NOT NULL,
    made_at TEXT NOT NULL,
    PRIMARY KEY (issuer, subject),
    UNIQUE (name, issuer)
) STRICT;

-- The secret of an account that signs in with codes, and the last step of time whose code was used.
CREATE TABLE second_factor (
    name TEXT NOT NULL PRIMARY KEY,
    secret TEXT NOT NULL,
    made_at TEXT NOT NULL,
    last_step INTEGER NOT NULL
) STRICT;

CREATE TABLE recovery_code (
    name TEXT NOT NULL,
    code_hash TEXT NOT NULL,
    PRIMARY KEY (name, code_hash)
) STRICT;

-- Webhooks of campaigns. `log` is the hash of the log's first row, `row` that of the event that added it. Secrets are
-- made of `salt` and the server's `secret_key`. `read` is a JSON object: by event, the last row looked at, its hash.
CREATE TABLE webhook (
    log TEXT NOT NULL, row INTEGER NOT NULL, url TEXT NOT NULL, salt BLOB NOT NULL, read TEXT NOT NULL,
    PRIMARY KEY (log, row)
) STRICT;

-- What webhooks send. `due_at` is "" once it was delivered or given up, `attempts` a JSON array.
CREATE TABLE webhook_message (
    id TEXT NOT NULL PRIMARY KEY, log TEXT NOT NULL, webhook INTEGER NOT NULL, row INTEGER NOT NULL,
    event TEXT NOT NULL, body TEXT NOT NULL, made_at TEXT NOT NULL, due_at TEXT NOT NULL, attempts TEXT NOT NULL,
    FOREIGN KEY (log, webhook) REFERENCES webhook (log, row) ON DELETE CASCADE
) STRICT
"""

TRIGGERS = (
    """CREATE TRIGGER act_stays BEFORE UPDATE ON act
BEGIN SELECT RAISE(ABORT, 'the record of acts is append-only'); END""",
    """CREATE TRIGGER act_is_kept BEFORE DELETE ON act
BEGIN SELECT RAISE(ABORT, 'the record of acts is append-only'); END""",
    """CREATE TRIGGER act_is_next BEFORE INSERT ON act
WHEN NEW.seq IS NOT (SELECT 1 + coalesce(max(seq), 0) FROM act)
BEGIN SELECT RAISE(ABORT, 'the record of acts is append-only'); END""",
)
"""They leave a plain INSERT with the next number as the only way to write into `act`."""


def create(db: Database) -> None:
    """Make the schema in an empty database, inside the open write transaction."""
    for statement in (*TABLES.split(";"), *TRIGGERS):
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {VERSION}")


def foreign(db: Database, *kinds: str) -> list[str]:
    """What is not as the schema defines it, not its own or missing, by name: of triggers and views, which run when the
    file is read or written, with the rights of who does that, or of tables and indexes.
    """
    found, ours = definitions_in(db), definitions_made_by(create)
    pairs = ((found[kind], ours[kind]) for kind in kinds)
    names = (name for here, there in pairs for name in here | there if here.get(name) != there.get(name))
    return sorted(name for name in names if not name.startswith("sqlite_"))
