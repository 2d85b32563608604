"""Members of a campaign: who may do what in it."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.accounts import accounts_of, address_option, at_the_terminal
from workbench.cli.campaigns import (
    actor,
    campaign_argument,
    instance_option,
    open_named,
    path_of,
    quoted,
    say,
)
from workbench.cli.tables import format_option, write_sheet
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.storage.campaign import Campaign


@click.group()
def member() -> None:
    """Members of a campaign: add, invite, list, export their data, rename, hide, remove, forget.

    \b
    Example:
      workbench member add robust anna --role assessor
      workbench member list robust
    """


ROLES = click.Choice(["organiser", "adjudicator", "assessor", "participant", "observer"])
role_option = click.option("--role", type=ROLES, required=True, help="The member's permissions.")
team_option = click.option(
    "--team", default="", help="A participant's team, whose runs the participant sees."
)


@member.command("add")
@click.argument("campaign")
@click.argument("name")
@role_option
@team_option
@instance_option
def add_member(campaign: str, name: str, role: str, team: str, instance: str | None) -> None:
    """Give an account a role in a campaign.

    An organiser has all permissions; an assessor judges; an adjudicator judges and resolves disagreements;
    a participant sees the runs of a team; an observer sees the leaderboard.

    \b
    Example:
      workbench member add robust anna --role assessor
      workbench member add robust paul --role participant --team waterloo
    """
    from workbench.people.accounts import clean_name, find_account
    from workbench.people.members.inviting import give_role

    with open_named(path_of(campaign, instance)) as opened, accounts_of(instance) as accounts:
        account = find_account(accounts, name)
        known = account.name if account else clean_name(name)
        give_role(
            opened,
            accounts,
            known,
            role,
            team=team,
            keep_organiser=False,
            by=at_the_terminal(),
            now=datetime.now(UTC),
        )
        say(f"{quoted(known)} is {role} of {opened.name}{f', of team {quoted(team)}' if team else ''}.")
        _say_if_unknown(opened, team)
    if account is None:
        say(
            f"There is no account {quoted(known)} yet; create it with: workbench user add {shlex.quote(known)}"
        )


@member.command("invite")
@click.argument("campaign")
@click.option(
    "--role", type=ROLES, help="The member's permissions; with --list those of the rows without a role."
)
@team_option
@click.option("--topics", default="", metavar="ID,...", help="Topics to assign to the new member.")
@click.option("--days", type=int, default=14, show_default=True, help="Days until the link expires.")
@click.option("--for", "note", default="", help="A note: who the link is for.")
@click.option(
    "--list",
    "file",
    metavar="FILE",
    help="Invite each row of a CSV file: columns name or email, and optionally role, team and topics.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["csv", "json"]),
    help="With --list: the output format.  [default: csv]",
)
@address_option
@instance_option
def invite_member(
    campaign: str,
    role: str | None,
    team: str,
    topics: str,
    days: int,
    note: str,
    file: str | None,
    kind: str | None,
    address: str,
    instance: str | None,
) -> None:
    """Print a single-use invitation link that makes its recipient a member, or one for each row of a list.

    The recipient chooses a user name and password, or accepts the role with an existing account. Of a list all rows
    are invited or none. The links are stored nowhere else: keep the output.

    \b
    Example:
      workbench member invite robust --role assessor --topics 301,302 --address https://judging.example.org
      workbench member invite robust --list people.csv --role assessor > links.csv
    """
    from workbench.people.members.inviting import Invitation, invite

    if file is not None:
        if topics or note:
            message = (
                "--topics and --for are columns of the list (topics, name): leave them out beside --list"
            )
            raise click.UsageError(message)
        _invite_list(campaign, file, role or "", team, days, kind or "csv", address, instance)
        return
    if role is None or kind is not None:
        message = "--format needs --list" if role else "Missing option '--role' (or '--list')."
        raise click.UsageError(message)
    invitation = Invitation(
        role, team, tuple(topic.strip() for topic in topics.split(",") if topic.strip()), days, note
    )
    with open_named(path_of(campaign, instance)) as opened, accounts_of(instance) as accounts:
        token = invite(opened, accounts, invitation, by=at_the_terminal(), now=datetime.now(UTC))
        _say_if_unknown(opened, team)
    click.echo(f"{address}/invitation/{token}")
    say(f"The first person to open this link becomes {role} of {opened.name}; it expires after {days} days.")


def _invite_list(
    campaign: str,
    file: str,
    role: str,
    team: str,
    days: int,
    kind: str,
    address: str,
    instance: str | None,
) -> None:
    """Invite the rows of a list and print it with the links."""
    from workbench.formats.invitation_lists import write_links
    from workbench.formats.tables.json_text import json_text
    from workbench.formats.text.content import load
    from workbench.people.members.inviting_many import invite_many

    content = load(file)
    with open_named(path_of(campaign, instance)) as opened, accounts_of(instance) as accounts:
        made = invite_many(
            opened,
            accounts,
            content,
            role=role,
            team=team,
            days=days,
            by=at_the_terminal(),
            now=datetime.now(UTC),
        )
    linked = [(row, f"{address}/invitation/{token}") for row, token in made]
    if kind == "json":
        names = ("name", "role", "team", "topics")
        rows = [{name: getattr(row, name) for name in names} | {"link": link} for row, link in linked]
        click.echo(json_text(rows), nl=False)
    else:
        click.echo("".join(write_links(linked)), nl=False)
    say(
        f"{counted(len(made), 'person', 'people')} invited to {opened.name}; the links expire after {days} days."
    )


def _say_if_unknown(campaign: Campaign, team: str) -> None:
    from workbench.core.wording import listed
    from workbench.storage.campaign.collection import runs

    there = sorted({run.record.team for run in runs.all_runs(campaign)} - {""})
    if team and team not in there:
        known = listed([quoted(each) for each in there]) or "none"
        say(f"There are no runs of team {quoted(team)} yet; teams with runs: {known}")


@member.command("remove")
@click.argument("campaign")
@click.argument("name")
@click.option("--to", "heir", metavar="NAME", help="Hand their topics over to this member.")
@click.option("--unassign", is_flag=True, help="Leave their topics without an assessor.")
@instance_option
def remove_member(campaign: str, name: str, heir: str | None, unassign: bool, instance: str | None) -> None:
    """Remove a member; their judgments remain, and by default their topics stay assigned to them.

    \b
    Example:
      workbench member remove robust anna
      workbench member remove robust anna --to ben
    """
    from workbench.campaign.assigning import ended_words, held
    from workbench.core.errors import NotThere
    from workbench.people.members.inviting import HAND_OVER, LEAVE, UNASSIGN, give_role
    from workbench.storage.campaign.people import members

    if heir and unassign:
        raise click.UsageError("Choose one of --to and --unassign.")
    with open_named(path_of(campaign, instance)) as opened:
        known = members.all_members(opened)
        if name not in known:
            others = ", ".join(map(quoted, known)) or "none yet"
            message = f"{quoted(name)} is not a member of {opened.name}; members are: {others}"
            raise NotThere(message)
        with accounts_of(instance) as accounts:
            ended = give_role(
                opened,
                accounts,
                name,
                members.NO_ROLE,
                keep_organiser=False,
                topics=HAND_OVER if heir else UNASSIGN if unassign else LEAVE,
                heir=heir,
                by=at_the_terminal(),
                now=datetime.now(UTC),
            )
        say(f"{quoted(name)} is no longer a member of {opened.name}.")
        if ended:
            say(f"{ended_words(ended)}{f'; {quoted(heir)} has them now' if heir else ''}.")
        elif left := len(held(opened, [name])):
            way_out = f"workbench assign take {opened.command_name} --from {shlex.quote(name)} --to NAME"
            say(f"{counted(left, 'topic')} still assigned to {quoted(name)}. To hand them over: {way_out}")


@member.command("search")
@click.argument("campaign")
@click.argument("name")
@click.option("--forbid", is_flag=True, help="Withdraw the permission to search.")
@instance_option
def let_member_search(campaign: str, name: str, forbid: bool, instance: str | None) -> None:
    """Let an assessor search the texts in the browser and put what is found into the pool.

    Organisers may always.

    \b
    Example:
      workbench member search robust anna
      workbench member search robust anna --forbid
    """
    from workbench.people.members.searchers import let_search
    from workbench.storage.campaign.organising import settings

    with open_named(path_of(campaign, instance)) as opened:
        others = set(settings.read(opened).searchers) - {name}
        let_search(opened, others | (set() if forbid else {name}), actor=actor())
        say(f"{quoted(name)} {'may not search' if forbid else 'may search'} the texts of {opened.name}.")


@member.command("list")
@campaign_argument
@format_option
def list_members(path: Path, kind: str) -> None:
    """List the members of a campaign, their roles, and the teams of participants.

    \b
    Example:
      workbench member list robust
    """
    from workbench.formats.tables.sheets import text_sheet
    from workbench.storage.campaign.people import members

    with open_named(path) as campaign:
        found, teams = members.all_members(campaign), members.teams(campaign)
    if found or kind != "table":
        rows = [(name, role, teams.get(name, "")) for name, role in found.items()]
        write_sheet(kind, lambda: text_sheet(("Member", "Role", "Team"), rows))
    if not found:
        say("No members yet. Add one: workbench member add CAMPAIGN NAME --role assessor")
