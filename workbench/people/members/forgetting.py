"""A person forgotten: the name erased in every campaign, with the account and all that lets the person sign in.

Judgments stay, under the id that the log has for the person, so that no label, score or hash changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.core.errors import NotThere
from workbench.core.wording import none_such
from workbench.people.accounts import Accounts, find_account
from workbench.people.accounts.stored_about import StoredOfAccount, erase_account, stored_of
from workbench.people.members.inviting import keep_an_organiser
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log.erasable import ERASED, find, id_of, number_of_remarks
from workbench.storage.campaign.people import identities, members
from workbench.storage.campaign.people.stored_about import judgments_by, names_in

NOTHING = StoredOfAccount(*[0] * len(StoredOfAccount._fields))


class InCampaign(NamedTuple):
    """What a campaign holds of a person: judgments, those with words, and role."""

    campaign: Campaign
    judgments: int
    words: int
    role: str | None

    @classmethod
    def of(cls, campaign: Campaign, name: str) -> InCampaign:
        """What a campaign holds of the person of this name."""
        words = number_of_remarks(campaign, id_of(campaign, name))
        return cls(campaign, judgments_by(campaign, name), words, members.role_of(campaign, name))


class Forgetting(NamedTuple):
    """Who is to be forgotten, and what there is of them in campaigns and accounts."""

    name: str
    campaigns: tuple[InCampaign, ...]
    account: StoredOfAccount


def find_stored(campaigns: Sequence[Campaign], accounts: Accounts | None, name: str) -> Forgetting:
    """What there is of a person, by the name of the account or the one that campaigns show.

    Raises NotThere for an unknown name, CampaignError where the person is the only organiser of a campaign.
    """
    account = None if accounts is None else find_account(accounts, name)
    known = name if account is None else account.name
    found = []
    for campaign in campaigns:
        person = find(campaign, known)
        if known in names_in(campaign) if person is None else person.state != ERASED:
            found.append(campaign)
    if account is None and not found:
        others = sorted({each for campaign in campaigns for each in names_in(campaign)})
        raise NotThere(none_such("person", name, others))
    for campaign in found:
        keep_an_organiser(campaign, known)
    own = NOTHING if accounts is None else stored_of(accounts, known)
    return Forgetting(known, tuple(InCampaign.of(campaign, known) for campaign in found), own)


def forget(found: Forgetting, accounts: Accounts | None, *, words: bool) -> list[Campaign]:
    """Erase what can be erased of a person, with `words` also comments and rationales.

    Campaigns first, each at once or not at all, the account last: after an interruption the same call does the rest.
    Returns the campaigns of which other connections still hold former pages.
    """
    held = [each.campaign for each in found.campaigns if not _forget_in(each.campaign, found.name, words)]
    if accounts is not None:
        erase_account(accounts, found.name)
    return held


def _forget_in(campaign: Campaign, name: str, words: bool) -> bool:
    identities.begin_erasing(campaign)
    with campaign.write():
        keep_an_organiser(campaign, name)
        if members.role_of(campaign, name) is not None:
            members.put(campaign, name, members.NO_ROLE)
        identities.erase(campaign, name, words=words)
    return identities.end_erasing(campaign)
