"""People: accounts prove who somebody is, members may do something in a campaign."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import actor, campaign_argument, instance_option, open_named, path_of, say

if TYPE_CHECKING:
    from workbench.accounts import Accounts


@click.group()
def user() -> None:
    """Accounts of this instance: add, list, password, disable, enable.

    \b
    Example:
      workbench user add anna
      workbench member add robust anna --role assessor
    """


@user.command("add")
@click.argument("name")
@click.password_option(help="Asked for when it is not given; better not given, since others see commands.")
@instance_option
def add_user(name: str, password: str, instance: str | None) -> None:
    """Make an account; the password is asked for and kept as a scrypt hash.

    \b
    Example:
      workbench user add anna
    """
    from workbench.accounts import add_account

    with _accounts(instance) as accounts:
        account = add_account(accounts, name, password, now=datetime.now(UTC))
    say(
        f"Made the account {account.name}. Next: workbench member add CAMPAIGN {account.name} --role assessor"
    )


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
        account = set_password(accounts, name, given)
    say(f"{account.name} has a new password; whoever was signed in with the old one is signed out.")


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
        click.echo(f"{account.name}{'  (disabled)' if account.disabled else ''}")
    if not found:
        say("No accounts yet. Make one: workbench user add NAME")


@click.group()
def member() -> None:
    """Members of a campaign: add, list, remove.

    \b
    Example:
      workbench member add robust anna --role assessor
      workbench member list robust
    """


@member.command("add")
@click.argument("campaign")
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(["organiser", "adjudicator", "assessor", "participant", "observer"]),
    required=True,
    help="What the person may do.",
)
@instance_option
def add_member(campaign: str, name: str, role: str, instance: str | None) -> None:
    """Give somebody a role in a campaign: an organiser sees everything, an assessor judges.

    \b
    Example:
      workbench member add robust anna --role assessor
    """
    from workbench.accounts import clean_name, find_account
    from workbench.setting_up import set_role

    with open_named(path_of(campaign, instance)) as opened:
        with _accounts(instance) as accounts:
            account = find_account(accounts, name)
        known = account.name if account else clean_name(name)
        set_role(opened, known, role, actor=actor())
        say(f"{known} is {role} of {opened.name}.")
    if account is None:
        say(f"There is no account {known} yet; make it with: workbench user add {shlex.quote(known)}")


@member.command("remove")
@campaign_argument
@click.argument("name")
def remove_member(path: Path, name: str) -> None:
    """Take a role away; judgments made stay.

    \b
    Example:
      workbench member remove robust anna
    """
    from workbench.campaign import members
    from workbench.errors import NotThere
    from workbench.setting_up import set_role

    with open_named(path) as campaign:
        known = members.all_members(campaign)
        if name not in known:
            message = (
                f"{name} is no member of {campaign.name}; members are: {', '.join(known) or 'nobody yet'}"
            )
            raise NotThere(message)
        set_role(campaign, name, "none", actor=actor())
        say(f"{name} is no member of {campaign.name} any more.")


@member.command("list")
@campaign_argument
def list_members(path: Path) -> None:
    """The members of a campaign and their roles.

    \b
    Example:
      workbench member list robust
    """
    from workbench.campaign import members

    with open_named(path) as campaign:
        found = members.all_members(campaign)
    for name, role in found.items():
        click.echo(f"{name}\t{role}")
    if not found:
        say("No members yet. Add one: workbench member add CAMPAIGN NAME --role assessor")


def _accounts(instance: str | None) -> Accounts:
    from workbench.accounts import open_accounts
    from workbench.instance import instance_folder

    return open_accounts(instance_folder(instance))


def _set_disabled(name: str, instance: str | None, *, disabled: bool) -> None:
    from workbench.accounts import set_disabled

    with _accounts(instance) as accounts:
        account = set_disabled(accounts, name, disabled=disabled)
    say(f"{account.name} {'cannot sign in any more' if disabled else 'can sign in again'}.")
