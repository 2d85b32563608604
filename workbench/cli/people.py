"""Members of a campaign: who may do what in it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from workbench.cli.accounts import accounts_option, address_option, disabled_here
from workbench.cli.campaigns import Opened, quoted, say
from workbench.cli.options import Group, argument, option
from workbench.cli.tables import format_option, text_sheet, write_list
from workbench.core.wording import capital, counted

if TYPE_CHECKING:
    from workbench.people.accounts import Accounts
    from workbench.storage.campaign import Campaign


@click.group(cls=Group)
def member() -> None:
    """Members of a campaign: add, invite, list, export their data, rename, hide, remove, forget.

    Example:
      workbench member add robust anna --role assessor
      workbench member list robust
    """


ROLES = click.Choice(["organiser", "adjudicator", "assessor", "participant", "observer"])
role_option = option("The member's permissions.", "--role", type=ROLES)
team_option = option("A participant's team, whose runs the participant sees.", "--team", default="")


@member.command("add")
def add_member(
    campaign: Opened,
    name: str = argument(),
    role: str = role_option,
    team: str = team_option,
    accounts: Accounts = accounts_option,
) -> None:
    """Give an account a role in a campaign.

    An organiser has all permissions; an assessor judges; an adjudicator judges and resolves disagreements;
    a participant sees the runs of a team; an observer sees the leaderboard.

    Example:
      workbench member add robust anna --role assessor
      workbench member add robust paul --role participant --team waterloo
    """
    from workbench.people.accounts import clean_name, find_account
    from workbench.people.members.inviting import give_role

    account = find_account(accounts, name)
    known = account.name if account else clean_name(name)
    give_role(campaign, accounts, known, role, team=team)
    say(f"{quoted(known)} is {role} of {campaign.name}{f', of team {quoted(team)}' if team else ''}.")
    _say_if_unknown(campaign, team)
    if account is None:
        say(
            f"There is no account {quoted(known)} yet; create it with: workbench user add {shlex.quote(known)}"
        )


@member.command("token")
def make_token_of_member(
    campaign: Opened,
    name: str = argument(),
    role: str | None = option("The role it works in.  [default: the member's]", type=ROLES),
    purpose: str = option("What it is for.", "--for", default="made at the terminal"),
    days: int = option("Days until it expires.", default=90),
    accounts: Accounts = accounts_option,
) -> None:
    """Print a token with which a program works in a campaign as this member, over HTTP.

    The program sends it with each request: Authorization: Bearer TOKEN. It is stored nowhere else: keep the output.
    A new password of the member revokes it, as the member can on the account page.

    Example:
      workbench member token robust anna --for "nightly scores" > token.txt
      workbench member token robust anna --role observer --days 7
    """
    from workbench.people.accounts import get_account
    from workbench.people.accounts.tokens import make_token
    from workbench.people.members.programs import scope

    account = get_account(accounts, name)
    click.echo(make_token(accounts, account.name, scope(campaign, account.name, role), purpose, days))


@member.command("tokens")
def tokens_of_members(
    campaign: Opened,
    number: int | None = option("Revoke the token of this number.", "--revoke"),
    kind: str = format_option,
    accounts: Accounts = accounts_option,
) -> None:
    """List the tokens of programs in a campaign, or revoke one.

    Example:
      workbench member tokens robust
      workbench member tokens robust --revoke 3
    """
    from workbench.people.accounts.tokens import revoke, tokens
    from workbench.storage.campaign.log.log import mark

    found = tokens(accounts, log=mark(campaign))
    if number is not None:
        if (revoked := revoke(accounts, found, number)) is None:
            message = f"{campaign.name} has no token of the number {number}"
            raise click.BadParameter(message, param_hint="--revoke")
        say(f"Revoked the token of {quoted(revoked.name)}: {revoked.scope}.")
        return
    rows = [
        (str(each.token), each.name, each.purpose, each.role, each.used_at or "never", each.expires_at)
        for each in found
    ]
    sheet = text_sheet(("Number", "Account", "For", "Role", "Last used", "Expires"), rows)
    write_list(kind, sheet, f"No tokens yet. Create one: workbench member token {campaign.name} NAME")


class Invited(NamedTuple):
    """Who is invited as what, and where the links lead."""

    role: str | None = option(
        "The member's permissions; with --list those of the rows without a role.", type=ROLES
    )
    team: str = team_option
    topics: str = option("Topics to assign to the new member.", default="", metavar="ID,...")
    days: int = option("Days until the link expires.", default=14)
    note: str = option("A note: who the link is for.", "--for", default="")
    file: str | None = option(
        "Invite each row of a CSV file: columns name or email, and optionally role, team and topics.",
        "--list",
        metavar="FILE",
    )
    kind: Literal["csv", "json"] | None = option(
        "With --list: the output format.  [default: csv]", "--format"
    )
    address: str = address_option


@member.command("invite")
def invite_member(campaign: Opened, invited: Invited, accounts: Accounts = accounts_option) -> None:
    """Print a single-use invitation link that makes its recipient a member, or one for each row of a list.

    The recipient chooses a user name and password, or accepts the role with an existing account. Of a list all rows
    are invited or none. The links are stored nowhere else: keep the output.

    Example:
      workbench member invite robust --role assessor --topics 301,302 --address https://judging.example.org
      workbench member invite robust --list people.csv --role assessor > links.csv
    """
    from workbench.people.members.inviting import Invitation, invite

    role, note = invited.role, invited.note
    if invited.file is not None:
        if invited.topics or note:
            message = (
                "--topics and --for are columns of the list (topics, name): leave them out beside --list"
            )
            raise click.UsageError(message)
        _invite_list(campaign, accounts, invited.file, invited)
        return
    if role is None or invited.kind is not None:
        raise click.UsageError("--format needs --list" if role else "Missing option '--role' (or '--list').")
    topics = tuple(filter(None, map(str.strip, invited.topics.split(","))))
    invitation = Invitation(role, invited.team, topics, invited.days, note)
    token = invite(campaign, accounts, invitation)
    _say_if_unknown(campaign, invited.team)
    click.echo(f"{invited.address}/invitation/{token}")
    say(
        f"The first person to open this link becomes {role} of {campaign.name}; "
        f"it expires after {invited.days} days."
    )


def _invite_list(campaign: Campaign, accounts: Accounts, file: str, invited: Invited) -> None:
    from workbench.formats.people_lists import write_links
    from workbench.formats.tables.json_text import json_text
    from workbench.formats.text.content import load
    from workbench.people.members.inviting import Invitation
    from workbench.people.members.inviting_many import invite_many

    made = invite_many(
        campaign, accounts, load(file), Invitation(invited.role or "", invited.team, days=invited.days)
    )
    linked = [(row, f"{invited.address}/invitation/{token}") for row, token in made]
    if invited.kind == "json":
        names = ("name", "role", "team", "topics")
        rows = [{name: getattr(row, name) for name in names} | {"link": link} for row, link in linked]
        click.echo(json_text(rows), nl=False)
    else:
        click.echo("".join(write_links(linked)), nl=False)
    people = counted(len(made), "person", "people")
    say(f"{people} invited to {campaign.name}; the links expire after {invited.days} days.")


def _say_if_unknown(campaign: Campaign, team: str) -> None:
    from workbench.core.wording import listed
    from workbench.storage.campaign.collection import runs

    there = sorted({run.record.team for run in runs.all_runs(campaign)} - {""})
    if team and team not in there:
        known = listed([quoted(each) for each in there]) or "none"
        say(f"There are no runs of team {quoted(team)} yet; teams with runs: {known}")


@member.command("remove")
def remove_member(
    campaign: Opened,
    name: str = argument(),
    heirs: tuple[str, ...] = option(
        "Hand all their work over to this member; may be repeated.", "--to", metavar="NAME"
    ),
    accounts: Accounts = accounts_option,
) -> None:
    """Remove a member; their judgments remain, and by default their topics stay assigned to them.

    Example:
      workbench member remove robust anna
      workbench member remove robust anna --to ben --to cara
    """
    from workbench.campaign.assigning import Successors
    from workbench.campaign.assigning.handing_over import work_of
    from workbench.core.errors import NotThere
    from workbench.people.members.inviting import give_role
    from workbench.storage.campaign.people import members

    known = members.all_members(campaign)
    if name not in known:
        others = ", ".join(map(quoted, known)) or "none yet"
        raise NotThere(f"{quoted(name)} is not a member of {campaign.name}; members are: {others}")
    successors = Successors(name, heirs, disabled_here(campaign)) if heirs else None
    said = give_role(campaign, accounts, name, members.NO_ROLE, successors=successors)
    say(f"{quoted(name)} is no longer a member of {campaign.name}.")
    if said:
        say(f"{capital(said)}.")
    elif left := len(work_of(campaign, name)):
        way_out = f"workbench assign hand-over {campaign.command_name} {shlex.quote(name)} --to NAME"
        say(f"{counted(left, 'topic')} still assigned to {quoted(name)}. To hand them over: {way_out}")


@member.command("search")
def let_member_search(
    campaign: Opened, name: str = argument(), forbid: bool = option("Withdraw the permission to search.")
) -> None:
    """Let an assessor search the texts in the browser and put what is found into the pool.

    Organisers may always.

    Example:
      workbench member search robust anna
      workbench member search robust anna --forbid
    """
    from workbench.people.members.searchers import let_search
    from workbench.storage.campaign.organising import settings

    others = set(settings.read(campaign).searchers) - {name}
    let_search(campaign, others | (set() if forbid else {name}))
    say(f"{quoted(name)} {'may not search' if forbid else 'may search'} the texts of {campaign.name}.")


@member.command("list")
def list_members(campaign: Opened, kind: str = format_option) -> None:
    """List the members of a campaign, their roles, and the teams of participants.

    Example:
      workbench member list robust
    """
    from workbench.storage.campaign.people import members

    found, teams = members.all_members(campaign), members.teams(campaign)
    rows = [(name, role, teams.get(name, "")) for name, role in found.items()]
    nothing = "No members yet. Add one: workbench member add CAMPAIGN NAME --role assessor"
    write_list(kind, text_sheet(("Member", "Role", "Team"), rows), nothing)
