"""Members have a role in a campaign, by a name that may be anything."""

from __future__ import annotations

import sqlite3

import pytest

from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import events
from workbench.storage.campaign.people import members


def put(campaign: Campaign, name: str, role: str) -> None:
    with campaign.write():
        members.put(campaign.by("Olga"), name, role)


def test_a_member_has_the_newest_role_and_none_once_it_is_taken_away(small: Campaign) -> None:
    put(small, "Ann", "organiser")
    put(small, "Ann", "assessor")
    assert [members.role_of(small, name) for name in ("Ann", "ann", "nobody")] == ["assessor", None, None]
    put(small, "Ben 'O' %", "organiser")
    put(small, "Ann", "none")
    assert members.role_of(small, "Ann") is None
    assert members.all_members(small) == {"Ben 'O' %": "organiser"}
    assert members.replay(events(small, members.MEMBER)) == members.roles_and_teams(small)
    roles = [event.content["role"] for event in log.events(small, "member")]
    assert roles == ["organiser", "assessor", "organiser", "none"]


def test_members_are_listed_in_byte_order_and_a_role_that_does_not_exist_is_refused_by_the_file(
    small: Campaign,
) -> None:
    for name in ("Zoë", "ann", "Ben", "Ärmel"):
        put(small, name, "assessor")
    assert (
        list(members.all_members(small))
        == ["Ben", "Zoë", "ann", "Ärmel"]
        == list(members.replay(events(small, members.MEMBER)))
    )
    before = log.head(small)
    with pytest.raises(sqlite3.IntegrityError):
        put(small, "Ann", "boss")
    assert log.head(small) == before
