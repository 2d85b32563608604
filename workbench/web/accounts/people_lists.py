"""The lists of the page of people: members, and invitations with offers."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from flask import g

from workbench.core.natural_order import natural
from workbench.people.accounts import Accounts
from workbench.people.accounts.links import Link
from workbench.people.members import inviting
from workbench.storage.campaign.people import members
from workbench.web.access.rules import ROLES
from workbench.web.requests.lists import Column, Listing, one_of


class Member(NamedTuple):
    """A member: name, role, and a participant's team."""

    name: str
    role: str
    team: str


class Invited(NamedTuple):
    """An invitation or an offer, and its state in a word."""

    link: Link
    state: str


MEMBERS = Listing[Member](
    noun="member",
    columns=(
        Column("name", "Name", lambda member: natural(member.name.casefold())),
        Column("role", "Role", lambda member: ROLES.index(member.role)),
        Column("team", "Team", lambda member: natural(member.team.casefold()) if member.team else None),
    ),
    filters=(one_of("role", "Role", ROLES, lambda member: member.role),),
    text=lambda member: f"{member.name} {member.team}",
    looks_in="Name or team",
    ident=lambda member: member.name,
    order="role",
)
INVITATIONS = Listing[Invited](
    noun="invitation",
    columns=(
        Column("for", "For", lambda each: natural(each.link.name.casefold()) if each.link.name else None),
        Column("role", "Role", lambda each: (each.link.role, natural(each.link.team))),
        Column("created", "Created", lambda each: each.link.link, numeric=True),
        Column("expires", "Expires", lambda each: each.link.expires_at, numeric=True),
        Column("state", "State", lambda each: each.state),
    ),
    filters=(
        one_of(
            "state",
            "State",
            ("open", "offered", "used", "accepted", "expired", "withdrawn"),
            lambda each: each.state,
        ),
    ),
    text=lambda each: f"{each.link.name} {each.link.role} {each.link.team} {each.link.used_by or ''}",
    looks_in="Name, role or team",
    ident=lambda each: str(each.link.link),
    order="-created",
    prefix="invitation-",
)


def all_members() -> list[Member]:
    """All members, the organisers first, then by role and name."""
    teams = members.teams(g.campaign)
    roles = sorted(
        members.all_members(g.campaign).items(),
        key=lambda entry: (ROLES.index(entry[1]), entry[0].casefold()),
    )
    return [Member(name, has, teams.get(name, "")) for name, has in roles]


def all_invitations(accounts: Accounts, now: datetime) -> list[Invited]:
    """All invitations and offers into the campaign of this request, the newest first."""
    return [Invited(link, link.state(now)) for link in inviting.invitations_into(accounts, g.campaign)]
