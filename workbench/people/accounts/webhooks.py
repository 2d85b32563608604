"""Webhooks in the file of accounts: addresses with the salts of their secrets, and the messages that are sent there."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from typing import Any, NamedTuple

from workbench.people.accounts.file import Accounts
from workbench.people.accounts.security_log import stamp

PAUSES = (5, 60, 600, 3_600, 10_800, 28_800, 43_200)
"""Seconds from an attempt that failed to the next: eight attempts in about a day, then the message is given up."""
KEPT = timedelta(days=30)
"""For how long messages that were delivered or given up are listed."""


class Webhook(NamedTuple):
    """The webhook that a row of the log with the mark `log` added; `read`: by event the last row seen, and its hash."""

    log: str
    row: int
    url: str
    salt: bytes
    read: dict[str, tuple[int, str]]


class Message(NamedTuple):
    """A message about a row of the log; `id` stays with each attempt: when (`at`), `status` (0: no answer),
    `milliseconds` and `error`. `due_at` is when the next one is, "" after the last.
    """

    id: str
    log: str
    webhook: int
    row: int
    event: str
    body: str
    made_at: str
    due_at: str
    attempts: tuple[dict[str, Any], ...] = ()

    @property
    def state(self) -> str:
        """What became of it."""
        return "waiting" if self.due_at else "given up" if self.attempts[-1]["error"] else "delivered"


def webhooks(accounts: Accounts, log: str | None = None) -> list[Webhook]:
    """The webhooks of the campaign with a log, or all, in the order in which they were added."""
    rows = accounts.db.execute("SELECT * FROM webhook WHERE ?1 IS NULL OR log = ?1 ORDER BY row", [log])
    return [Webhook._make([*row, json.loads(read)]) for *row, read in rows.fetchall()]


def put(accounts: Accounts, webhook: Webhook) -> None:
    """Add a webhook."""
    insert = "INSERT OR REPLACE INTO webhook VALUES (?, ?, ?, ?, ?)"
    accounts.db.execute(insert, [*webhook[:-1], json.dumps(webhook.read)])


def drop(accounts: Accounts, webhook: Webhook) -> None:
    """Remove a webhook with its messages."""
    accounts.db.execute("DELETE FROM webhook WHERE log = ? AND row = ?", webhook[:2])


def put_messages(accounts: Accounts, webhook: Webhook, new: Iterable[Message]) -> None:
    """Keep new messages and what was `read` for them, unless the webhook is gone; old messages go."""
    read = "UPDATE webhook SET read = json_patch(read, ?) WHERE log = ? AND row = ?"
    insert = "INSERT OR IGNORE INTO webhook_message VALUES (?, ?, ?, ?, ?, ?, ?, ?, '[]')"
    old = "DELETE FROM webhook_message WHERE due_at = '' AND made_at < ?"
    with accounts.write():
        if accounts.db.execute(read, [json.dumps(webhook.read), *webhook[:2]]).rowcount:
            accounts.db.conn.executemany(insert, [each[:-1] for each in new])
        accounts.db.execute(old, [stamp(accounts.now - KEPT)])


def messages(accounts: Accounts, log: str, most: int) -> list[Message]:
    """The newest messages of the campaign with a log, the newest first."""
    return _messages(accounts, "log = ? ORDER BY rowid DESC LIMIT ?", log, most)


def due(accounts: Accounts) -> list[Message]:
    """The messages that are to be sent now, in the order of their next attempts, else as they were made."""
    return _messages(accounts, "due_at BETWEEN '1' AND ? ORDER BY due_at, rowid", stamp(accounts.now))


def claimed(accounts: Accounts, message: Message, seconds: float) -> Webhook | None:
    """The webhook of a message that no other process sends within `seconds`; None if one does, or it was removed."""
    update = "UPDATE webhook_message SET due_at = ? WHERE id = ? AND due_at = ?"
    until = stamp(accounts.now + timedelta(seconds=seconds))
    found = {each.row: each for each in webhooks(accounts, message.log)}.get(message.webhook)
    is_mine = accounts.db.execute(update, [until, message.id, message.due_at]).rowcount == 1
    return found if is_mine else None


def note_attempt(accounts: Accounts, message: Message, attempt: dict[str, Any]) -> None:
    """Keep an attempt; the next is due after a pause, unless the message was delivered or this was the last one."""
    attempts, due_at = [*message.attempts, attempt], ""
    if attempt["error"] and len(attempts) <= len(PAUSES):
        due_at = stamp(accounts.now + timedelta(seconds=PAUSES[len(attempts) - 1]))
    update = "UPDATE webhook_message SET due_at = ?, attempts = ? WHERE id = ?"
    accounts.db.execute(update, [due_at, json.dumps(attempts), message.id])


def _messages(accounts: Accounts, where: str, *values: str | int) -> list[Message]:
    rows = accounts.db.execute(f"SELECT * FROM webhook_message WHERE {where}", values)
    return [Message._make([*row, tuple(json.loads(each))]) for *row, each in rows.fetchall()]
