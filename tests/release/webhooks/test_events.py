"""Messages are derived from the log: whatever the door, whenever the server looks, each event once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import judge_as, write_run
from tests.sentences import refused
from workbench.analysis.trust.certain_pairs import certain_pairs
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import CampaignError, UnknownName
from workbench.people.accounts import Accounts, open_accounts
from workbench.people.accounts.webhooks import Message, messages, put, webhooks
from workbench.release.webhooks import events
from workbench.release.webhooks.events import EVENTS, active, add_webhook, look, remove_webhook
from workbench.release.webhooks.sending import secret_of
from workbench.storage.campaign import Campaign, backup, open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import mark

URL = "https://hook.example/a?key=secret"


@pytest.fixture
def accounts(small: Campaign) -> Iterator[Accounts]:
    with open_accounts(small.path.parent) as opened:
        yield opened


def looked(campaign: Campaign, accounts: Accounts, path: Path | None = None) -> list[Message]:
    """All messages, the oldest first, after a look by the server."""
    for slow in (False, True):
        look(accounts.path.parent, path or campaign.path, slow)
    return messages(accounts, mark(campaign), 99)[::-1]


def about(message: Message) -> dict[str, Any]:
    said = json.loads(message.body)
    assert (said["type"], said["data"].pop("campaign")) == (message.event, "small")
    return {"event": said["type"], **said["data"]}


def finish(campaign: Campaign, topic_id: str, *document_ids: str) -> int:
    """Judge documents of a topic; the row of the last judgment."""
    for document_id in document_ids:
        judge_as(campaign, "ben", topic_id, document_id, 1)
    return log.newest_seq(campaign)


def test_each_kind_of_event_says_what_happened_by_ids(
    small: Campaign, accounts: Accounts, tmp_path: Path
) -> None:
    add_webhook(small.by("olga"), accounts, URL, list(EVENTS))
    add_runs(small.by("olga"), [write_run(tmp_path / "gamma.run", "gamma", {"1": "d5 d4", "2": "d4"})])
    row = log.newest_seq(small)
    add_pool(small.by("olga"), depth=2)
    last = finish(small, "1", "d1", "d2", "d4", "d5")
    found = [about(each) for each in looked(small, accounts)]
    assert [each for each in found if each["event"] != "pair.certain"] == [
        {"event": "run.submitted", "row": row, "run": "gamma"},
        {"event": "pool.grew", "row": row + 1, "pool": 2, "pairs": 2},
        {"event": "topic.finished", "row": last, "topic": "1", "pairs": 4},
    ]


def test_a_pair_that_became_certain_is_told_once(small: Campaign, accounts: Accounts) -> None:
    finish(small, "1", "d1", "d2", "d4")
    add_webhook(small.by("olga"), accounts, URL, ["pair.certain"])
    assert looked(small, accounts) == []
    last = finish(small, "2", "d1", "d2", "d5")
    (told,), (pair,) = looked(small, accounts), certain_pairs(small).rows()
    assert pair.state == "certain"
    assert about(told) == {
        "event": "pair.certain", "row": last, "ahead": pair.run_a, "behind": pair.run_b, "measure": "RBP(p=0.8)"
    }  # fmt: skip
    finish(small, "2", "d1")
    assert looked(small, accounts) == [told]


def test_what_was_before_a_webhook_is_not_told(small: Campaign, accounts: Accounts) -> None:
    finish(small, "2", "d1", "d2", "d5")
    add_webhook(small.by("olga"), accounts, URL, list(EVENTS))
    finish(small, "2", "d1")
    assert [each for each in looked(small, accounts) if each.event != "pair.certain"] == []


def test_a_message_has_the_same_id_however_often_and_from_where_the_log_is_read(
    small: Campaign, accounts: Accounts
) -> None:
    webhook = add_webhook(small.by("olga"), accounts, URL, ["topic.finished"])
    finish(small, "2", "d1", "d2")
    assert looked(small, accounts) == []
    finish(small, "2", "d5")
    first = looked(small, accounts)
    put(accounts, webhook)  # as in a backup of the accounts: nothing was looked at, and no message is known
    accounts.db.execute("DELETE FROM webhook_message")
    assert [each.id for each in looked(small, accounts)] == [each.id for each in first]
    assert len(first) == 1


def test_after_a_campaign_went_back_to_a_backup_what_happens_then_is_told(
    small: Campaign, accounts: Accounts, tmp_path: Path
) -> None:
    add_webhook(small.by("olga"), accounts, URL, ["topic.finished"])
    (tmp_path / "back").mkdir()
    backup(small, tmp_path / "back" / "small.db")
    finish(small, "2", "d1", "d2", "d5")
    finish(small, "1", "d1")
    assert len(looked(small, accounts)) == 1
    with open_campaign(tmp_path / "back" / "small.db") as older:
        finish(older, "1", "d1", "d2", "d4")
        assert [about(each)["topic"] for each in looked(older, accounts, older.path)] == ["2", "1"]


def test_a_webhook_that_is_removed_makes_no_messages_even_where_a_backup_of_the_accounts_has_it(
    small: Campaign, accounts: Accounts
) -> None:
    webhook = add_webhook(small.by("olga"), accounts, URL, ["topic.finished"])
    finish(small, "2", "d1", "d2", "d5")
    assert len(looked(small, accounts)) == 1
    remove_webhook(small.by("olga"), accounts, webhook.row)
    assert (messages(accounts, mark(small), 9), webhooks(accounts)) == ([], [])
    put(accounts, webhook)
    assert (looked(small, accounts), active(small, accounts)) == ([], [])


def test_the_log_names_host_and_events_and_neither_address_nor_secret(
    small: Campaign, accounts: Accounts
) -> None:
    webhook = add_webhook(small.by("olga"), accounts, URL, ["pool.grew"])
    remove_webhook(small.by("olga"), accounts, webhook.row)
    added, removed = log.events(small)[-2:]
    assert (added.actor, added.content) == ("olga", {"host": "hook.example", "events": ["pool.grew"]})
    assert (removed.actor, removed.content) == ("olga", {"webhook": added.seq})
    stored = b"".join(path.read_bytes() for path in small.path.parent.glob("*.db*"))
    assert b"key=secret" in stored  # in the accounts
    assert secret_of(accounts, webhook).encode() not in stored


def test_what_a_webhook_cannot_be_is_refused_and_nothing_is_added(
    small: Campaign, accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = log.head(small)
    with refused(CampaignError, "topic.finished"):
        add_webhook(small.by("olga"), accounts, URL, [])
    with refused(UnknownName, "pool.grow"):
        add_webhook(small.by("olga"), accounts, URL, ["pool.grow"])
    monkeypatch.setattr(events, "MOST", 0)
    with refused(CampaignError):
        add_webhook(small.by("olga"), accounts, URL, ["pool.grew"])
    assert (log.head(small), webhooks(accounts)) == (before, [])
