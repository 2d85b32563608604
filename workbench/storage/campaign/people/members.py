"""Who may do what in a campaign. An account authenticates a person; a member has a role here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from workbench.core.wording import translatable as _
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import shown
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.erasable import ID_OF, Ids, id_of
from workbench.storage.campaign.log.log import Event, append_event

ROLES = (_("organiser"), _("adjudicator"), _("assessor"), _("participant"), _("observer"))
JUDGES = ("organiser", "adjudicator", "assessor")
"""Roles that see documents and judge them."""

ADJUDICATORS = ("organiser", "adjudicator")
"""Roles that settle what assessors disagree on."""

BOARD_READERS = ("organiser", "observer")
"""Roles that see the scores of all runs."""

PARTICIPANT = "participant"
"""The role that has a team, and sees the runs of that team."""

INCLUDED = {
    "organiser": ("organiser", "adjudicator", "assessor", "observer"),
    "adjudicator": ("adjudicator", "assessor"),
}
"""Of roles that may do what others may: which these are. A token of such a member can be one of those alone."""

NO_ROLE = "none"

MEMBER = kinds.MEMBER
"""The kind of event that gives a role."""

_NAME = shown("member.name")


class Viewer(NamedTuple):
    """Who looks at a campaign: their id in its log (the name where they have none), the name that is shown of them, one
    of ROLES, None for a non-member, and the team of a participant.
    """

    id: str
    name: str
    role: str | None
    team: str = ""


def viewer(campaign: Campaign, name: str) -> Viewer:
    """The person who signs in under a name."""
    row = campaign.execute(
        f"""SELECT id, coalesce(person.shown, ?1), member.role, iif(member.role = 'participant', coalesce(team, ''), '')
        FROM (SELECT {ID_OF} AS id)
        LEFT JOIN person USING (id) LEFT JOIN member ON member.name = id AND member.role <> 'none'""",
        [name],
    ).fetchone()
    return Viewer(*row)


def roles_within(role: str | None) -> tuple[str, ...]:
    """The roles whose work somebody of this role may do: the role itself at least, none for a non-member."""
    return () if role is None else INCLUDED.get(role, (role,))


def role_of(campaign: Campaign, name: str) -> str | None:
    """One of ROLES, or None for a non-member."""
    return viewer(campaign, name).role


def roles_ever(campaign: Campaign) -> dict[str, str]:
    """The role of each person who ever had one, NO_ROLE of those who left."""
    return campaign.mapping(f"SELECT {_NAME}, role FROM member")


def was_member(campaign: Campaign, name: str) -> bool:
    """Whether a name has a role, or ever had one."""
    return campaign.value("SELECT 1 FROM member WHERE name = ?", [id_of(campaign, name)]) is not None


def team_of(campaign: Campaign, name: str) -> str:
    """The team whose runs a member sees as a participant; "" for all others."""
    return viewer(campaign, name).team


def teams(campaign: Campaign) -> dict[str, str]:
    """Each participant's team, by name in byte order."""
    return {name: team for name, (role, team) in roles_and_teams(campaign).items() if role == PARTICIPANT}


def all_members(campaign: Campaign) -> dict[str, str]:
    """Each member's role, by name in byte order."""
    return {name: role for name, (role, _) in roles_and_teams(campaign).items()}


def roles_and_teams(campaign: Campaign) -> dict[str, tuple[str, str]]:
    """Each member's role, and the team of a participant, by name in byte order."""
    rows = campaign.execute(
        f"""SELECT {_NAME} AS known, role, iif(role = '{PARTICIPANT}', coalesce(team, ''), '')
        FROM member WHERE role <> '{NO_ROLE}' ORDER BY known"""
    )
    return {name: (role, team) for name, role, team in rows}


def names_used(campaign: Campaign) -> list[str]:
    """All who were ever members of the campaign or judged in it: names that are in use."""
    return campaign.column(
        f"SELECT {shown('used.name')} FROM "
        "(SELECT name FROM member UNION SELECT DISTINCT assessor FROM judgment) AS used"
    )


def put(campaign: Campaign, name: str, role: str, *, team: str = "") -> int:
    """Give a member a role ('none' takes it away) inside the open write transaction; participants have a team."""
    content = {"name": name, "role": role} | ({"team": team} if team else {})
    seq = append_event(campaign, MEMBER, content)
    campaign.execute(
        "INSERT INTO member (name, role, team, seq) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (name) DO UPDATE SET role = excluded.role, team = excluded.team, seq = excluded.seq",
        [Ids(campaign)[name], role, team or None, seq],
    )
    return seq


def replay(logged: Iterable[Event]) -> dict[str, tuple[str, str]]:
    """What `roles_and_teams` gives, from the events of MEMBER alone."""
    found = {event.content["name"]: event.content for event in logged}
    return {
        name: (content["role"], content.get("team", "") if content["role"] == PARTICIPANT else "")
        for name, content in sorted(found.items())
        if content["role"] != NO_ROLE
    }
