"""Commands for the accounts of an instance: create, disable, set passwords, and read the security log."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.campaigns import INSTANCE, actor, instance_option, quoted, say
from workbench.cli.options import Decorator, Group, argument, option
from workbench.cli.tables import format_option, text_sheet, write_list

if TYPE_CHECKING:
    from workbench.people.accounts import Accounts
    from workbench.people.accounts.account_restore import AccountDifferences
    from workbench.storage.campaign import Campaign


def _checked_address(context: click.Context, option: click.Parameter, address: str) -> str:
    if not re.fullmatch(r"https?://[^/\s]\S*", address):
        message = f"{address!r} is not an address; write one that begins with https:// (or http://)"
        raise click.BadParameter(message)
    return address.rstrip("/")


address_option = option(
    "The public address of the server, with which the link begins.",
    "--address",
    callback=_checked_address,
    default="http://127.0.0.1:5000",
)


def accounts_of(instance: str | None) -> Accounts:
    """The accounts of an instance folder, changed by the operator who runs this command."""
    from workbench.people.accounts import open_accounts
    from workbench.storage.instance import instance_folder

    return open_accounts(instance_folder(instance)).by(actor())


class _OpenedAccounts:
    """The option --instance: the accounts of the folder, open until the command ends."""

    def options(self, name: str, kind: Any) -> list[Decorator]:
        return INSTANCE

    def value(self, name: str, given: Mapping[str, Any]) -> Accounts:
        return click.get_current_context().with_resource(accounts_of(given["instance"]))


accounts_option: Any = _OpenedAccounts()


def disabled_here(campaign: Campaign) -> frozenset[str]:
    """The members whose accounts in this command's instance folder are disabled; none where it has no accounts."""
    from workbench.people.members.inviting import disabled_members
    from workbench.storage.instance import ACCOUNTS_FILE

    folder = click.get_current_context().params["instance"]
    if not Path(folder or "instance", ACCOUNTS_FILE).exists():  # reading makes none
        return frozenset()
    with accounts_of(folder) as accounts:
        return disabled_members(campaign, accounts)


@click.group(cls=Group)
def user() -> None:
    """Manage the accounts of this instance and read its security log.

    Example:
      workbench user add anna
      workbench member add robust anna --role assessor
    """


@user.command("add")
def add_user(
    name: str = argument(),
    password: str = option(
        "Prompted for if omitted; omit it, since other users can see the command.",
        required=False,
        prompt=True,
        confirmation_prompt=True,
        hide_input=True,
    ),
    organiser: bool = option("Permit creating campaigns in the browser."),
    accounts: Accounts = accounts_option,
) -> None:
    """Create an account; the command prompts for the password and stores its scrypt hash.

    Example:
      workbench user add anna --organiser
      workbench user add ben
    """
    from workbench.people.accounts import add_account

    account = add_account(accounts, name, password, makes_campaigns=organiser)
    if organiser:
        say(f"Created the account {quoted(account.name)}, which may create campaigns. Next: workbench serve")
    else:
        next_step = f"workbench member add CAMPAIGN {shlex.quote(account.name)} --role assessor"
        say(f"Created the account {quoted(account.name)}. Next: {next_step}")


@user.command("password")
def change_password(
    name: str = argument(),
    password: str | None = option("Prompted for if omitted."),
    accounts: Accounts = accounts_option,
) -> None:
    """Set a new password, which ends the account's sessions.

    Example:
      workbench user password anna
    """
    from workbench.people.accounts import get_account, set_password

    get_account(accounts, name)  # before the prompt for a password
    given = password or click.prompt("Password", hide_input=True, confirmation_prompt=True)
    account = set_password(accounts, name, given)
    say(f"{quoted(account.name)} has a new password; sessions under the old one have ended.")


@user.command("reset")
def reset_user(
    name: str = argument(), address: str = address_option, accounts: Accounts = accounts_option
) -> None:
    """Print a single-use reset link for a new password; it expires after two days.

    Example:
      workbench user reset anna --address https://judging.example.org
    """
    from workbench.people.members.password_links import RESET_LIFETIME, make_reset

    token = make_reset(accounts, name)
    click.echo(f"{address}/reset/{token}")
    say(f"Give this link to {quoted(name)} only: it works once and expires after {RESET_LIFETIME.days} days.")


@user.command("sign-out")
def sign_out_user(name: str = argument(), accounts: Accounts = accounts_option) -> None:
    """End all sessions of an account.

    Example:
      workbench user sign-out anna
    """
    from workbench.people.accounts import end_sessions

    account = end_sessions(accounts, name)
    say(f"{quoted(account.name)} is signed out everywhere.")


@user.command("second-factor")
def second_factor_of_user(
    name: str = argument(),
    remove: bool = option("Remove the second factor, which ends the account's sessions."),
    accounts: Accounts = accounts_option,
) -> None:
    """Show whether an account has a second factor, or remove it when device and recovery codes are lost.

    Verify the identity of the person who requests it: afterwards the password alone is enough to sign in.

    Example:
      workbench user second-factor anna
      workbench user second-factor anna --remove
    """
    from workbench.people.accounts import get_account
    from workbench.people.accounts.second_factor import (
        has_second_factor,
        recovery_codes_left,
        remove_second_factor,
    )

    account = get_account(accounts, name)
    if remove and remove_second_factor(accounts, account.name):
        say(f"{quoted(account.name)} now signs in with the password alone, and is signed out everywhere.")
    elif has_second_factor(accounts, account.name):
        left = recovery_codes_left(accounts, account.name)
        say(f"{quoted(account.name)} has a second factor, and {left} recovery codes left.")
    else:
        say(f"{quoted(account.name)} has no second factor.")


@user.command("allow")
def allow_user(name: str = argument(), accounts: Accounts = accounts_option) -> None:
    """Permit an account to create campaigns in the browser.

    Example:
      workbench user allow anna
    """
    _set_makes_campaigns(accounts, name, makes=True)


@user.command("forbid")
def forbid_user(name: str = argument(), accounts: Accounts = accounts_option) -> None:
    """Stop an account from creating campaigns; it remains organiser of existing ones.

    Example:
      workbench user forbid anna
    """
    _set_makes_campaigns(accounts, name, makes=False)


@user.command("backup")
def backup_users(file: Path = argument(), accounts: Accounts = accounts_option) -> None:
    """Back up the accounts and the security log to a new FILE, also while a server is running.

    To restore it: workbench user restore FILE.

    Example:
      workbench user backup /backups/accounts.2026-03-01.db
    """
    from workbench.people.accounts import backup

    backup(accounts, file)
    say(f"Backed up the accounts to {file}, which only you can read.")


@user.command("restore")
def restore_users(file: Path = argument("BACKUP"), instance: str | None = instance_option) -> None:
    """Restore a backup of the accounts; all sessions end, and open links and recovery codes become invalid.

    Stop the server first. The current file is kept beside it under another name; the backup is not changed. The command
    lists the differences: passwords and permissions revert to those in the backup.

    Example:
      workbench user restore /backups/accounts.auto.20260301T120000Z.db
    """
    from workbench.release.backups.restoring import restore_accounts
    from workbench.storage.instance import instance_folder

    restored = restore_accounts(file, instance_folder(instance), actor())
    say(f"{file} is intact; a copy of it is now {restored.path}.")
    if restored.aside is not None:
        say(f"The previous file is now {restored.aside}; nothing is deleted.")
    say(f"All sessions have ended. Open links that became invalid: {restored.withdrawn:,}.")
    say("All recovery codes are invalid; each user creates new ones on the account page.")
    _say_differences(restored.differences)


@user.command("disable")
def disable_user(name: str = argument(), accounts: Accounts = accounts_option) -> None:
    """Disable an account; it is never deleted, since judgments name it.

    Example:
      workbench user disable anna
    """
    _set_disabled(accounts, name, disabled=True)


@user.command("enable")
def enable_user(name: str = argument(), accounts: Accounts = accounts_option) -> None:
    """Enable a disabled account.

    Example:
      workbench user enable anna
    """
    _set_disabled(accounts, name, disabled=False)


@user.command("list")
def list_users(kind: str = format_option, accounts: Accounts = accounts_option) -> None:
    """List the accounts of this instance.

    Example:
      workbench user list
    """
    from workbench.people.accounts import list_accounts

    found = list_accounts(accounts)
    rows = [(each.name, _yes(each.disabled), _yes(each.makes_campaigns)) for each in found]
    sheet = text_sheet(("Account", "Disabled", "May create campaigns"), rows)
    write_list(kind, sheet, "No accounts yet. Create one: workbench user add NAME")


def _yes(whether: bool) -> str:
    return "yes" if whether else "no"


def _say_differences(differences: AccountDifferences | None) -> None:
    if differences is None:
        say("The previous file cannot be read: check workbench user list before you start the server.")
        return
    for names, words in (
        (differences.shut, "Disabled since the backup, and enabled again (workbench user disable NAME)"),
        (differences.forbidden, "May create campaigns again (workbench user forbid NAME)"),
        (differences.other_password, "Sign in with an earlier password (workbench user reset NAME)"),
        (differences.newer, "Account no longer exists (workbench user add NAME)"),
        (
            differences.second_factor,
            "Have an earlier second factor or other providers, or none (workbench user second-factor NAME --remove, "
            "and workbench user password NAME, which disconnects)",
        ),
    ):
        if names:
            say(f"{words}: {', '.join(map(quoted, names))}")


def _set_makes_campaigns(accounts: Accounts, name: str, *, makes: bool) -> None:
    from workbench.people.accounts import set_makes_campaigns

    account = set_makes_campaigns(accounts, name, makes=makes)
    say(
        f"{quoted(account.name)} {'may now create campaigns' if makes else 'may no longer create campaigns'}."
    )


def _set_disabled(accounts: Accounts, name: str, *, disabled: bool) -> None:
    from workbench.people.accounts import set_disabled

    account = set_disabled(accounts, name, disabled=disabled)
    say(f"{quoted(account.name)} {'can no longer sign in' if disabled else 'can sign in again'}.")
