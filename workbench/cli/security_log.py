"""Commands that read and check the security log of an instance."""

from __future__ import annotations

import re

import click

from workbench.cli.accounts import accounts_of
from workbench.cli.campaigns import instance_option, quoted, say
from workbench.cli.tables import format_option, write_sheet


@click.command("log")
@click.argument("name", required=False)
@click.option(
    "--last",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    metavar="N",
    help="Number of rows to show.",
)
@format_option
@instance_option
def log_of_users(name: str | None, last: int, kind: str, instance: str | None) -> None:
    """Show the security log: changes of accounts and roles with time, actor and address.

    With a NAME, only acts that concern that account or were done by it.

    \b
    Example:
      workbench user log
      workbench user log anna --last 20
      workbench user log --format csv > acts.csv
    """
    from workbench.formats.tables.sheets import text_sheet
    from workbench.people.accounts import find_account
    from workbench.people.accounts.security_log import acts

    with accounts_of(instance) as accounts:
        account = find_account(accounts, name) if name else None
        found = acts(accounts, account.name if account else name, last=last)
    if found or kind != "table":
        rows = [tuple(map(_printable, act[1:])) for act in found]
        heads = ("Time", "Act", "Account", "Actor", "Address", "Details")
        write_sheet(kind, lambda: text_sheet(heads, rows))
    if not found:
        say(f"The security log has no rows about {quoted(name)}." if name else "The security log is empty.")


@click.command("audit")
@click.option(
    "--head",
    "noted",
    metavar="HASH",
    help="A hash that an earlier audit printed; check that its row still exists.",
)
@instance_option
def audit_users(noted: str | None, instance: str | None) -> None:
    """Check the integrity of the security log; exit status 1 if it was altered.

    Exit status 1 also if the file has tables or indexes that are not the workbench's.

    Each row has a hash of itself and the previous row. Rows missing at the end are detected only with a hash kept
    elsewhere: pass the one that an earlier audit printed as --head.

    \b
    Example:
      workbench user audit
      workbench user audit --head 5cf2ac3f1d9e4b70
    """
    from workbench.people.accounts import AccountError, security_log
    from workbench.people.accounts.account_restore import check_definitions, check_record

    if noted is not None and not re.fullmatch("[0-9a-fA-F]{8,64}", noted):
        raise click.BadParameter("write the hash as 8 to 64 hexadecimal digits", param_hint="--head")
    with accounts_of(instance) as accounts:
        check_definitions(accounts)
        check_record(accounts)
        if noted is not None and not security_log.has_hash(accounts, noted):
            message = f"{accounts.path}: the security log has no row whose hash begins with {noted}; rows are missing"
            raise AccountError(message)
        seq, last = security_log.head(accounts)
    click.echo(f"The security log is intact. It ends with row {seq}, hash {last.hex()}.")


def _printable(text: str) -> str:
    """A text with every character replaced that is not printable: the log holds untrusted input."""
    return "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text
    )
