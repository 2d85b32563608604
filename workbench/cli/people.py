"""Members of a campaign: who may do what in it."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.accounts import accounts_of, address_option, at_the_terminal
from workbench.cli.campaigns import campaign_argument, instance_option, open_named, path_of, quoted, say

if TYPE_CHECKING:
    from workbench.campaign import Campaign


@click.group()
def member() -> None:
    """Members of a campaign: add, invite, list, remove.

    \b
    Example:
      workbench member add robust anna --role assessor
      workbench member list robust
    """


role_option = click.option(
    "--role",
    type=click.Choice(["organiser", "adjudicator", "assessor", "participant", "observer"]),
    required=True,
    help="What the person may do.",
)
team_option = click.option("--team", default="", help="A participant's team, whose runs the person sees.")


@member.command("add")
@click.argument("campaign")
@click.argument("name")
@role_option
@team_option
@instance_option
def add_member(campaign: str, name: str, role: str, team: str, instance: str | None) -> None:
    """Give somebody a role in a campaign.

    An organiser may do everything; an assessor judges; an adjudicator judges, and settles what assessors disagree on;
    a participant sees the runs of a team; an observer reads the leaderboard.

    \b
    Example:
      workbench member add robust anna --role assessor
      workbench member add robust paul --role participant --team waterloo
    """
    from workbench.accounts import clean_name, find_account
    from workbench.inviting import give_role

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
        say(f"There is no account {quoted(known)} yet; make it with: workbench user add {shlex.quote(known)}")


@member.command("invite")
@click.argument("campaign")
@role_option
@team_option
@click.option("--topics", default="", metavar="ID,...", help="Topics that will be assigned to the person.")
@click.option("--days", type=int, default=14, show_default=True, help="How long the link is good.")
@click.option("--for", "note", default="", help="Whom the link is meant for, to know it again.")
@address_option
@instance_option
def invite_member(
    campaign: str,
    role: str,
    team: str,
    topics: str,
    days: int,
    note: str,
    address: str,
    instance: str | None,
) -> None:
    """Print a link that makes whoever opens it a member; it is good once.

    The person chooses a name and a password there, or takes the role under the account they have.

    \b
    Example:
      workbench member invite robust --role assessor --topics 301,302 --address https://judging.example.org
    """
    from workbench.inviting import Invitation, invite

    asked = Invitation(
        role, team, tuple(topic.strip() for topic in topics.split(",") if topic.strip()), days, note
    )
    with open_named(path_of(campaign, instance)) as opened, accounts_of(instance) as accounts:
        token = invite(opened, accounts, asked, by=at_the_terminal(), now=datetime.now(UTC))
        _say_if_unknown(opened, team)
    click.echo(f"{address}/invitation/{token}")
    say(f"Whoever opens this link first becomes {role} of {opened.name}; it is good for {days} days.")


def _say_if_unknown(campaign: Campaign, team: str) -> None:
    from workbench.campaign import runs
    from workbench.ingest.naming import listed

    there = sorted({run.record.team for run in runs.all_runs(campaign)} - {""})
    if team and team not in there:
        known = listed([quoted(each) for each in there]) or "none"
        say(f"No run of team {quoted(team)} is there yet; teams with runs: {known}")


@member.command("remove")
@click.argument("campaign")
@click.argument("name")
@instance_option
def remove_member(campaign: str, name: str, instance: str | None) -> None:
    """Take a role away; judgments made stay.

    \b
    Example:
      workbench member remove robust anna
    """
    from workbench.campaign import members
    from workbench.errors import NotThere
    from workbench.inviting import give_role

    with open_named(path_of(campaign, instance)) as opened:
        known = members.all_members(opened)
        if name not in known:
            others = ", ".join(map(quoted, known)) or "nobody yet"
            message = f"{quoted(name)} is no member of {opened.name}; members are: {others}"
            raise NotThere(message)
        with accounts_of(instance) as accounts:
            give_role(
                opened,
                accounts,
                name,
                members.NO_ROLE,
                keep_organiser=False,
                by=at_the_terminal(),
                now=datetime.now(UTC),
            )
        say(f"{quoted(name)} is no member of {opened.name} any more.")


@member.command("list")
@campaign_argument
def list_members(path: Path) -> None:
    """The members of a campaign, their roles, and the teams of participants.

    \b
    Example:
      workbench member list robust
    """
    from workbench.campaign import members

    with open_named(path) as campaign:
        found, teams = members.all_members(campaign), members.teams(campaign)
    for name, role in found.items():
        click.echo("\t".join([name, role, *([teams[name]] if name in teams else [])]))
    if not found:
        say("No members yet. Add one: workbench member add CAMPAIGN NAME --role assessor")
