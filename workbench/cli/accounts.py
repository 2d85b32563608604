"""Accounts of an instance: made, shut, given new passwords, and the record of what happened to them."""

from __future__ import annotations

import re
import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import actor, instance_option, quoted, say

if TYPE_CHECKING:
    from workbench.accounts import Accounts, By
    from workbench.accounts.older import Otherwise


def _checked_address(context: click.Context, option: click.Parameter, address: str) -> str:
    if not re.fullmatch(r"https?://[^/\s]\S*", address):
        message = f"{address!r} is no address; it begins with https:// (or http://)"
        raise click.BadParameter(message)
    return address.rstrip("/")


address_option = click.option(
    "--address",
    callback=_checked_address,
    default="http://127.0.0.1:5000",
    show_default=True,
    help="Where people reach the server; the link begins with it.",
)


def accounts_of(instance: str | None) -> Accounts:
    """The accounts of an instance folder."""
    from workbench.accounts import open_accounts
    from workbench.instance import instance_folder

    return open_accounts(instance_folder(instance))


def at_the_terminal() -> By:
    """Who runs this command, for the record of acts."""
    from workbench.accounts import TERMINAL

    return TERMINAL._replace(actor=actor())


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

    with accounts_of(instance) as accounts:
        account = add_account(
            accounts, name, password, makes_campaigns=organiser, now=datetime.now(UTC), by=at_the_terminal()
        )
    if organiser:
        say(f"Made the account {quoted(account.name)}, which may make campaigns. Next: workbench serve")
    else:
        next_step = f"workbench member add CAMPAIGN {shlex.quote(account.name)} --role assessor"
        say(f"Made the account {quoted(account.name)}. Next: {next_step}")


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

    with accounts_of(instance) as accounts:
        get_account(accounts, name)  # before anybody types a password in vain
        given = password or click.prompt("Password", hide_input=True, confirmation_prompt=True)
        account = set_password(accounts, name, given, by=at_the_terminal())
    say(f"{quoted(account.name)} has a new password; whoever was signed in with the old one is signed out.")


@user.command("reset")
@click.argument("name")
@address_option
@instance_option
def reset_user(name: str, address: str, instance: str | None) -> None:
    """Print a link by which somebody sets a new password; it is good once, for two days.

    \b
    Example:
      workbench user reset anna --address https://judging.example.org
    """
    from workbench.inviting import RESET_LIFETIME, make_reset

    with accounts_of(instance) as accounts:
        token = make_reset(accounts, name, by=at_the_terminal(), now=datetime.now(UTC))
    click.echo(f"{address}/reset/{token}")
    say(f"Hand this link to {quoted(name)} alone: it is good once, for {RESET_LIFETIME.days} days.")


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

    with accounts_of(instance) as accounts:
        account = end_sessions(accounts, name, by=at_the_terminal())
    say(f"{quoted(account.name)} is signed out everywhere.")


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

    with accounts_of(instance) as accounts:
        account = find_account(accounts, name) if name else None
        found = acts(accounts, account.name if account else name, last=last)
    for act in found:
        click.echo("\t".join(_printable(part) for part in act[1:]))
    if not found:
        say(f"Nothing is recorded of {quoted(name)}." if name else "Nothing is recorded yet.")


@user.command("audit")
@click.option(
    "--head", "noted", metavar="HASH", help="A hash that an earlier audit told: is its row still there?"
)
@instance_option
def audit_users(noted: str | None, instance: str | None) -> None:
    """Check that the record of acts is what was written; exit status 1 when it is not.

    Each row has a hash of itself and the row before it. That rows were cut off at the end is seen only with a hash kept
    elsewhere: give the one that an earlier audit told with --head.

    \b
    Example:
      workbench user audit
      workbench user audit --head 5cf2ac3f1d9e4b70
    """
    from workbench.accounts import AccountError, acts
    from workbench.accounts.older import check_record

    if noted is not None and not re.fullmatch("[0-9a-fA-F]{8,64}", noted):
        raise click.BadParameter("a hash is told as 8 to 64 hexadecimal digits", param_hint="--head")
    with accounts_of(instance) as accounts:
        check_record(accounts)
        if noted is not None and not acts.has_hash(accounts, noted):
            message = (
                f"{accounts.path}: the record has no row whose hash begins with {noted}; rows were cut off"
            )
            raise AccountError(message)
        seq, last = acts.head(accounts)
    click.echo(f"The record of acts holds. It ends with row {seq}, hash {last.hex()}.")


@user.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@instance_option
def backup_users(file: Path, instance: str | None) -> None:
    """Copy the accounts and their record into a new FILE, also while they are served.

    To go back to it: workbench user restore FILE.

    \b
    Example:
      workbench user backup /backups/accounts.2026-03-01.db
    """
    from workbench.accounts import backup

    with accounts_of(instance) as accounts:
        backup(accounts, file)
    say(f"The accounts are copied to {file}, which only you can read.")


@user.command("restore")
@click.argument("file", metavar="BACKUP", type=click.Path(dir_okay=False, path_type=Path))
@instance_option
def restore_users(file: Path, instance: str | None) -> None:
    """Go back to a backup of the accounts; everybody is signed out, and all open links are withdrawn.

    Stop the server first. The file that is there is kept beside it under another name, with what was recorded since;
    the backup stays where it is. What the backup knows otherwise is told: passwords and rights are again those of then.

    \b
    Example:
      workbench user restore /backups/accounts.auto.20260301T120000Z.db
    """
    from workbench.instance import instance_folder
    from workbench.restoring import restore_accounts

    restored = restore_accounts(file, instance_folder(instance), by=at_the_terminal())
    say(f"{file} holds; a copy of it is now {restored.path}.")
    if restored.aside is not None:
        say(f"The file that was there is {restored.aside}; nothing is deleted.")
    say(f"Everybody is signed out. Links that were open and are withdrawn: {restored.withdrawn:,}.")
    _say_otherwise(restored.otherwise)


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

    with accounts_of(instance) as accounts:
        found = list_accounts(accounts)
    for account in found:
        makes = "  (may make campaigns)" if account.makes_campaigns else ""
        click.echo(f"{account.name}{'  (disabled)' if account.disabled else ''}{makes}")
    if not found:
        say("No accounts yet. Make one: workbench user add NAME")


def _printable(text: str) -> str:
    """A text without what would move a terminal's cursor or begin a line: the record is about strangers too."""
    return "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text
    )


def _say_otherwise(otherwise: Otherwise | None) -> None:
    if otherwise is None:
        say("The file that was there cannot be read: look through workbench user list before you serve.")
        return
    for names, words in (
        (otherwise.shut, "Shut since then, and open again (workbench user disable NAME)"),
        (otherwise.forbidden, "May make campaigns again (workbench user forbid NAME)"),
        (otherwise.other_password, "Sign in with an earlier password (workbench user reset NAME)"),
        (otherwise.newer, "Have no account any more (workbench user add NAME)"),
    ):
        if names:
            say(f"{words}: {', '.join(map(quoted, names))}")


def _set_makes_campaigns(name: str, instance: str | None, *, makes: bool) -> None:
    from workbench.accounts import set_makes_campaigns

    with accounts_of(instance) as accounts:
        account = set_makes_campaigns(accounts, name, makes=makes, by=at_the_terminal())
    say(f"{quoted(account.name)} {'may make campaigns' if makes else 'may make no more campaigns'}.")


def _set_disabled(name: str, instance: str | None, *, disabled: bool) -> None:
    from workbench.accounts import set_disabled

    with accounts_of(instance) as accounts:
        account = set_disabled(accounts, name, disabled=disabled, by=at_the_terminal())
    say(f"{quoted(account.name)} {'cannot sign in any more' if disabled else 'can sign in again'}.")
