"""Invitations for all rows of a list at once: all of them or none, and every wrong row is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from operator import itemgetter

from workbench.core.errors import CampaignError, InputError, Problem, UnknownName
from workbench.core.wording import none_such
from workbench.formats.people_lists import Invited, read_invitations
from workbench.formats.text.content import Content
from workbench.people.accounts import Accounts
from workbench.people.members import inviting
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.people.members import PARTICIPANT

MOST_ROWS = 20_000


def invite_many(
    campaign: Campaign, accounts: Accounts, content: Content, usual: inviting.Invitation
) -> list[tuple[Invited, str]]:
    """Make an invitation for each row of a list; returns the rows with the tokens of their links, which are kept
    nowhere.

    `usual` has the role of rows without one, the team of the participants among them, and the days of all. Raises
    InputError, which names every row that cannot be invited; then no invitation is made.
    """
    rows = [row._replace(role=row.role or usual.role) for row in read_invitations(content)]
    rows = [row._replace(team=row.team or usual.team) if row.role == PARTICIPANT else row for row in rows]
    if len(rows) > MOST_ROWS:
        message = f"a list has at most {MOST_ROWS:,} rows, not {len(rows):,}; divide it"
        raise InputError([Problem(content.file, None, message)])
    wanted = [inviting.Invitation(row.role, row.team, row.topics, usual.days, row.name) for row in rows]
    with accounts.write():
        checks = (_offers(rows, wanted), _topics(campaign, rows), _invited(campaign, accounts, rows))
        wrong = sorted(chain.from_iterable(checks), key=itemgetter(0))
        if wrong:
            raise InputError([Problem(content.file, line, message) for line, message in wrong])
        tokens = [inviting.put_invitation(campaign, accounts, each) for each in wanted]
    return list(zip(rows, tokens, strict=True))


def _offers(rows: Sequence[Invited], wanted: Sequence[inviting.Invitation]) -> Iterator[tuple[int, str]]:
    for row, invitation in zip(rows, wanted, strict=True):
        if not row.role:
            message = "the role is missing; write it in the row, or choose one for all rows"
            yield row.line, f"{row.name}: {message}"
            continue
        try:
            inviting.check_offered(invitation)
        except (CampaignError, UnknownName) as error:
            yield row.line, f"{row.name}: {error}"


def _topics(campaign: Campaign, rows: Sequence[Invited]) -> Iterator[tuple[int, str]]:
    """Topics that the campaign does not have, that an earlier row has, or that are assigned already."""
    known = dict.fromkeys(topics.topic_ids(campaign))
    assigned = inviting.assigned_topics(campaign).items()
    taken = {topic_id: f"is assigned to {assessor} already" for topic_id, assessor in assigned}
    for row in rows:
        unknown = [topic_id for topic_id in row.topics if topic_id not in known]
        if unknown:
            message = none_such("topic", unknown, list(known), of=campaign.name)
            yield row.line, f"{row.name}: {message}; correct the ids"
        for topic_id in row.topics:
            if topic_id in taken:
                yield row.line, f"{row.name}: topic {topic_id} {taken[topic_id]}; leave it out of the row"
            taken.setdefault(topic_id, f"is in line {row.line} already")


def _invited(campaign: Campaign, accounts: Accounts, rows: Sequence[Invited]) -> Iterator[tuple[int, str]]:
    """Rows with an open invitation: a list that is sent twice invites each person once."""
    there = {
        link.name.casefold(): link
        for link in inviting.invitations_into(accounts, campaign)
        if link.name and link.is_open(accounts.now)
    }
    for row in rows:
        if (link := there.get(row.name.casefold())) is not None:
            message = f"an invitation of {link.made_at[:10]} is open; withdraw it or take the row out"
            yield row.line, f"{row.name}: {message}"
