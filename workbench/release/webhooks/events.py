"""The events that webhooks send, each declared once, and the webhooks of a campaign, with messages about its log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import Any

from workbench.analysis.registry import ANALYSES
from workbench.analysis.trust.certain_pairs import PairsRequest, pairs_follower
from workbench.analysis.trust.evidence import IN_A_JOB
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.registry import Entry, Registry
from workbench.formats.tables.json_text import json_line
from workbench.people.accounts import Accounts, open_accounts
from workbench.people.accounts.security_log import stamp
from workbench.people.accounts.webhooks import Message, Webhook, drop, put, put_messages, webhooks
from workbench.release.webhooks.sending import host_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection.question_topics import MARK, questions
from workbench.storage.campaign.counts.finished_topics import finished_topics
from workbench.storage.campaign.log import kinds, log

MOST = 10
"""Webhooks of a campaign."""

Found = tuple[int, str, dict[str, Any]]
"""The row of an event, its time, and what it is about, by ids."""


@dataclass(frozen=True, eq=False)
class WebhookEvent(Entry):
    """`function(campaign, after)` finds the events of rows behind `after`; slow ones are looked for once a minute."""

    slow: bool = False


EVENTS = Registry("event", "events", WebhookEvent)
event = EVENTS.register


@event("topic.finished")
def topic_finished(campaign: Campaign, after: int) -> Iterator[Found]:
    """The last pooled pair of a topic had its first judgment; once more after the pool grew."""
    asked = questions(campaign)
    for row, at, topic_id, pairs in finished_topics(campaign, after, campaign.up_to):
        question = asked.get(topic_id, "")
        name = topic_id.removesuffix(f"{MARK}{question}")
        yield row, at, {"topic": name, "pairs": pairs} | ({"question": question} if question else {})


@event("pool.grew")
def pool_grew(campaign: Campaign, after: int) -> Iterator[Found]:
    """A pool was made, or an adaptive pool took in further pairs."""
    for seq, at, _, _, content, _ in log.events(campaign, kinds.POOL, kinds.CHOICE, after=after):
        pairs = content["pairs"]  # of a choice they are listed
        yield seq, at, {"pool": content["pool"], "pairs": pairs if isinstance(pairs, int) else len(pairs)}


@event("run.submitted")
def run_submitted(campaign: Campaign, after: int) -> Iterator[Found]:
    """A run was added, by its team or by an organiser."""
    for each in log.events(campaign, kinds.RUN, after=after):
        yield each.seq, each.at, {"run": each.content["tag"]}


@event("pair.certain", slow=True)
def pair_certain(campaign: Campaign, after: int) -> Iterator[Found]:
    """One run stays ahead of another, whatever the rest of the pool holds; sent once for each pair."""
    measure = ANALYSES["certain"].question(campaign, {})["measure"]

    def certain(row: int) -> set[tuple[str, str]]:
        try:
            asked = PairsRequest(measure, most_steps=IN_A_JOB)
            found = pairs_follower(campaign).answer(campaign.at(row), asked)
        except (CampaignError, UnknownName):  # there were no runs or judgments yet
            return set()
        return {(each.run_a, each.run_b) for each in found.rows() if each.state == "certain"}

    before = certain(after)  # first, since sums are brought up to date, and not back
    for ahead, behind in sorted(certain(campaign.up_to) - before):
        yield campaign.up_to, log.timestamp(), {"ahead": ahead, "behind": behind, "measure": measure}


def active(campaign: Campaign, accounts: Accounts) -> list[Webhook]:
    """The webhooks of a campaign that this server has, and the log has not removed."""
    removed = {each.content["webhook"] for each in log.events(campaign, kinds.WEBHOOK_REMOVED)}
    rows = {each.seq for each in log.events(campaign, kinds.WEBHOOK)} - removed
    return [each for each in webhooks(accounts, log.mark(campaign)) if each.row in rows]


def add_webhook(campaign: Campaign, accounts: Accounts, url: str, names: Sequence[str]) -> Webhook:
    """Add a webhook for some events; CampaignError or UnknownName for what it cannot be."""
    host, names = host_of(url), [EVENTS.find(name).name for name in names]
    if not names:
        raise CampaignError(f"choose at least one event: {', '.join(EVENTS)}")
    if len(active(campaign, accounts)) >= MOST:
        raise CampaignError(f"a campaign has at most {MOST} webhooks; remove one that is not needed")
    with campaign.write(), accounts.write():
        row = log.append_event(campaign, kinds.WEBHOOK, {"host": host, "events": names})
        made = Webhook(log.mark(campaign), row, url, token_bytes(32), dict.fromkeys(names, (row, "")))
        put(accounts, made)
    return made


def remove_webhook(campaign: Campaign, accounts: Accounts, number: int) -> None:
    """Remove the webhook that the row of this number added; its messages that wait are not sent either."""
    with campaign.write(), accounts.write():
        drop(accounts, _numbered(campaign, accounts, number))
        log.append_event(campaign, kinds.WEBHOOK_REMOVED, {"webhook": number})


def try_webhook(campaign: Campaign, accounts: Accounts, number: int) -> Message:
    """A message of the type "test", which the server sends in a moment, unless the caller does at once."""
    webhook, soon = _numbered(campaign, accounts, number), accounts.at(accounts.now + timedelta(seconds=5))
    made = _message(soon, webhook, "test", campaign.name, (number, log.timestamp(), {}), token_hex(16))
    put_messages(accounts, webhook, [made])
    return made


def _numbered(campaign: Campaign, accounts: Accounts, number: int) -> Webhook:
    for found in (each for each in active(campaign, accounts) if each.row == number):
        return found
    raise CampaignError(f"{campaign.name} has no webhook {number}")


def look(instance: Path, path: Path, slow: bool) -> None:
    """Make the messages of what happened in a campaign since the last look: of slow events, or of all others."""
    with open_accounts(instance) as accounts, open_campaign(path) as opened, opened.snapshot():
        head = log.head(opened)
        campaign = opened.at(head.seq)
        for webhook in active(opened, accounts):
            read, new = {name: each for name, each in webhook.read.items() if EVENTS[name].slow == slow}, []
            for name, (seq, known) in read.items():
                # In a log that went back to a backup that row is another one; what is known gets its id again.
                after = seq if log.head(campaign.at(seq)).hash.hex() == known else webhook.row
                for found in EVENTS[name].function(campaign, after):
                    key = json_line(found[2]) if slow else log.head(campaign.at(found[0])).hash.hex()
                    new.append(_message(accounts, webhook, name, campaign.name, found, key))
            now = webhook._replace(read=dict.fromkeys(read, (head.seq, head.hash.hex())))
            put_messages(accounts, now, sorted(new, key=lambda each: each.row))


def _message(
    accounts: Accounts, webhook: Webhook, name: str, campaign: str, found: Found, key: str
) -> Message:
    """A message that is due now; the same `key` gives the same id."""
    (row, at, about), now = found, stamp(accounts.now)
    id_ = f"msg_{sha256(f'{webhook.salt.hex()} {name} {key}'.encode()).hexdigest()[:32]}"
    body = json_line({"type": name, "timestamp": at, "data": {"campaign": campaign, "row": row, **about}})
    return Message(id_, webhook.log, webhook.row, row, name, body.rstrip(), now, now)
