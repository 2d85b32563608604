"""People: accounts prove who somebody is, members may do something in a campaign."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import actor, campaign_argument, instance_option, open_named, path_of, say

if TYPE_CHECKING:
    from workbench.accounts import Accounts, By

ADDRESS = "http://127.0.0.1:5000"


@click.group()
def user() -> None:
    """Accounts of this instance: who may come in, and the record of who did.

    \b
    Example:
      workbench user add anna
      workbench member add robust anna --role assessor
    """


@user.command("add")
@click.argument("name")
@click.password_option(help="Asked for when it is not given; better not given, since others see commands.")
@click.option("--organiser", is_flag=True, help="The person may make campaigns in the browser.")
@instance_option
def add_user(name: str, password: str, organiser: bool, instance: str | None) -> None:
    """Make an account; the password is asked for and kept as a scrypt hash.

    \b
    Example:
      workbench user add anna --organiser
      workbench user add ben
    """
    from workbench.accounts import add_account

    with _accounts(instance) as accounts:
        account = add_account(
            accounts, name, password, makes_campaigns=organiser, now=datetime.now(UTC), by=_at_the_terminal()
        )
    if organiser:
        say(f"Made the account {account.name}, which may make campaigns. Next: workbench serve")
    else:
        known = shlex.quote(account.name)
        say(f"Made the account {account.name}. Next: workbench member add CAMPAIGN {known} --role assessor")


@user.command("password")
@click.argument("name")
@click.option("--password", help="Asked for when it is not given.")
@instance_option
def change_password(name: str, password: str | None, instance: str | None) -> None:
    """Give an account a new password, which ends its sessions.

    \b
    Example:
      workbench user password anna
    """
    from workbench.accounts import get_account, set_password

    with _accounts(instance) as accounts:
        get_account(accounts, name)  # before anybody types a password in vain
        given = password or click.prompt("Password", hide_input=True, confirmation_prompt=True)
        account = set_password(accounts, name, given, by=_at_the_terminal())
    say(f"{account.name} has a new password; whoever was signed in with the old one is signed out.")


@user.command("reset")
@click.argument("name")
@click.option(
    "--address",
    default=ADDRESS,
    show_default=True,
    help="Where people reach the server; the link begins with it.",
)
@instance_option
def reset_user(name: str, address: str, instance: str | None) -> None:
    """Print a link by which somebody sets a new password; it is good once, for two days.

    \b
    Example:
      workbench user reset anna --address https://judging.example.org
    """
    from workbench.inviting import RESET_LIFETIME, make_reset

    with _accounts(instance) as accounts:
        token = make_reset(accounts, name, by=_at_the_terminal(), now=datetime.now(UTC))
    click.echo(f"{address.rstrip('/')}/reset/{token}")
    say(f"Hand this link to {name} alone: it is good once, for {RESET_LIFETIME.days} days.")


@user.command("sign-out")
@click.argument("name")
@instance_option
def sign_out_user(name: str, instance: str | None) -> None:
    """Sign somebody out wherever they are signed in.

    \b
    Example:
      workbench user sign-out anna
    """
    from workbench.accounts import end_sessions

    with _accounts(instance) as accounts:
        account = end_sessions(accounts, name, by=_at_the_terminal())
    say(f"{account.name} is signed out everywhere.")


@user.command("allow")
@click.argument("name")
@instance_option
def allow_user(name: str, instance: str | None) -> None:
    """Let somebody make campaigns in the browser.

    \b
    Example:
      workbench user allow anna
    """
    _set_makes_campaigns(name, instance, makes=True)


@user.command("forbid")
@click.argument("name")
@instance_option
def forbid_user(name: str, instance: str | None) -> None:
    """Let somebody make no more campaigns; they stay organiser of those they have.

    \b
    Example:
      workbench user forbid anna
    """
    _set_makes_campaigns(name, instance, makes=False)


@user.command("log")
@click.argument("name", required=False)
@click.option(
    "--last", type=click.IntRange(1), default=100, show_default=True, metavar="N", help="How many rows."
)
@instance_option
def log_of_users(name: str | None, last: int, instance: str | None) -> None:
    """What happened to accounts and roles: who did what to whom, when, and from where.

    The columns are the time, what was done, whom it is about, who did it, from which address, and details, with tabs
    between them. With a NAME only what is about that person, or was done by them.

    \b
    Example:
      workbench user log
      workbench user log anna --last 20
    """
    from workbench.accounts import find_account
    from workbench.accounts.acts import acts

    with _accounts(instance) as accounts:
        account = find_account(accounts, name) if name else None
        found = acts(accounts, account.name if account else name, last=last)
    for act in found:
        click.echo("\t".join(_printable(part) for part in act[1:]))
    if not found:
        say("Nothing is recorded yet.")


@user.command("disable")
@click.argument("name")
@instance_option
def disable_user(name: str, instance: str | None) -> None:
    """Shut an account; it is never deleted, since judgments name it.

    \b
    Example:
      workbench user disable anna
    """
    _set_disabled(name, instance, disabled=True)


@user.command("enable")
@click.argument("name")
@instance_option
def enable_user(name: str, instance: str | None) -> None:
    """Open an account that was shut.

    \b
    Example:
      workbench user enable anna
    """
    _set_disabled(name, instance, disabled=False)


@user.command("list")
@instance_option
def list_users(instance: str | None) -> None:
    """The accounts of this instance.

    \b
    Example:
      workbench user list
    """
    from workbench.accounts import list_accounts

    with _accounts(instance) as accounts:
        found = list_accounts(accounts)
    for account in found:
        makes = "  (may make campaigns)" if account.makes_campaigns else ""
        click.echo(f"{account.name}{'  (disabled)' if account.disabled else ''}{makes}")
    if not found:
        say("No accounts yet. Make one: workbench user add NAME")


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

    with open_named(path_of(campaign, instance)) as opened, _accounts(instance) as accounts:
        account = find_account(accounts, name)
        known = account.name if account else clean_name(name)
        give_role(
            opened,
            accounts,
            known,
            role,
            team=team,
            keep_organiser=False,
            by=_at_the_terminal(),
            now=datetime.now(UTC),
        )
        say(f"{known} is {role} of {opened.name}{f', of team {team}' if team else ''}.")
    if account is None:
        say(f"There is no account {known} yet; make it with: workbench user add {shlex.quote(known)}")


@member.command("invite")
@click.argument("campaign")
@role_option
@team_option
@click.option("--topics", default="", metavar="ID,...", help="Topics that will be assigned to the person.")
@click.option("--days", type=int, default=14, show_default=True, help="How long the link is good.")
@click.option("--for", "note", default="", help="Whom the link is meant for, to know it again.")
@click.option(
    "--address",
    default=ADDRESS,
    show_default=True,
    help="Where people reach the server; the link begins with it.",
)
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
    with open_named(path_of(campaign, instance)) as opened, _accounts(instance) as accounts:
        token = invite(opened, accounts, asked, by=_at_the_terminal(), now=datetime.now(UTC))
    click.echo(f"{address.rstrip('/')}/invitation/{token}")
    say(f"Whoever opens this link first becomes {role} of {opened.name}; it is good for {days} days.")


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
            message = f"{name} is no member of {opened.name}; members are: {', '.join(known) or 'nobody yet'}"
            raise NotThere(message)
        with _accounts(instance) as accounts:
            give_role(
                opened,
                accounts,
                name,
                members.NO_ROLE,
                keep_organiser=False,
                by=_at_the_terminal(),
                now=datetime.now(UTC),
            )
        say(f"{name} is no member of {opened.name} any more.")


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


def _accounts(instance: str | None) -> Accounts:
    from workbench.accounts import open_accounts
    from workbench.instance import instance_folder

    return open_accounts(instance_folder(instance))


def _printable(text: str) -> str:
    """A text without what would move a terminal's cursor or begin a line: the record is about strangers too."""
    return "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text
    )


def _at_the_terminal() -> By:
    from workbench.accounts import TERMINAL

    return TERMINAL._replace(actor=actor())


def _set_makes_campaigns(name: str, instance: str | None, *, makes: bool) -> None:
    from workbench.accounts import set_makes_campaigns

    with _accounts(instance) as accounts:
        account = set_makes_campaigns(accounts, name, makes=makes, by=_at_the_terminal())
    say(f"{account.name} {'may make campaigns' if makes else 'may make no more campaigns'}.")


def _set_disabled(name: str, instance: str | None, *, disabled: bool) -> None:
    from workbench.accounts import set_disabled

    with _accounts(instance) as accounts:
        account = set_disabled(accounts, name, disabled=disabled, by=_at_the_terminal())
    say(f"{account.name} {'cannot sign in any more' if disabled else 'can sign in again'}.")
