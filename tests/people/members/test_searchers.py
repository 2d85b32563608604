"""Assessors who may search: organisers always, judges who were named, nobody else."""

from __future__ import annotations

import pytest

from tests.sentences import refused
from workbench.core.errors import NotThere
from workbench.people.members.searchers import let_search, may_search
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members


@pytest.fixture
def staffed(small: Campaign) -> Campaign:
    roles = {"Anna": "organiser", "Ben": "assessor", "Ada": "adjudicator", "Olga": "observer"}
    with small.write():
        for name, role in roles.items():
            members.put(small.by("Anna"), name, role)
    return small


def those_who_may(campaign: Campaign) -> list[str]:
    return [name for name, role in members.all_members(campaign).items() if may_search(campaign, name, role)]


def test_who_is_named_may_until_the_list_changes(staffed: Campaign) -> None:
    let_search(staffed.by("Anna"), ["Ben", "Ada"])
    assert those_who_may(staffed) == ["Ada", "Anna", "Ben"]
    row = log.head(staffed)
    let_search(staffed.by("Anna"), ["Ada", "Ben"])
    assert log.head(staffed) == row  # nothing has changed
    let_search(staffed.by("Anna"), ["Ada"])
    assert those_who_may(staffed) == ["Ada", "Anna"]


def test_who_judges_no_more_may_not(staffed: Campaign) -> None:
    let_search(staffed.by("Anna"), ["Ben"])
    with staffed.write():
        members.put(staffed.by("Anna"), "Ben", "observer")
    assert those_who_may(staffed) == ["Anna"]


@pytest.mark.parametrize("name", ["Olga", "Anna", "Zoe"])
def test_others_cannot_be_named(staffed: Campaign, name: str) -> None:
    with refused(NotThere):
        let_search(staffed.by("Anna"), [name])
    assert settings.read(staffed).searchers == ()
