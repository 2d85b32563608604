"""Commands that read the security log of an instance, and check the file that it is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from workbench.cli.accounts import accounts_option
from workbench.cli.campaigns import quoted
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option, text_sheet, write_list

if TYPE_CHECKING:
    from workbench.people.accounts import Accounts


@command("log")
def log_of_users(
    name: str | None = argument(),
    last: int = option("Number of rows to show.", default=100, least=1, metavar="N"),
    kind: str = format_option,
    accounts: Accounts = accounts_option,
) -> None:
    """Show the security log: changes of accounts and roles with time, actor and address.

    With a NAME, only acts that concern that account or were done by it.

    Example:
      workbench user log
      workbench user log anna --last 20
      workbench user log --format csv > acts.csv
    """
    from workbench.people.accounts import find_account
    from workbench.people.accounts.security_log import acts

    account = find_account(accounts, name) if name else None
    found = acts(accounts, account.name if account else name, last=last)
    heads = ("Time", "Act", "Account", "Actor", "Address", "Details")
    rows = [tuple(map(_printable, act[1:])) for act in found]
    nothing = f"The security log has no rows about {quoted(name)}." if name else "The security log is empty."
    write_list(kind, text_sheet(heads, rows), nothing)


@command("audit")
def audit_users(accounts: Accounts = accounts_option) -> None:
    """Check the file of accounts; exit status 1 if it has tables or indexes that are not the workbench's.

    Example:
      workbench user audit
    """
    from workbench.people.accounts.account_restore import check_definitions

    check_definitions(accounts)
    click.echo("The file of accounts has the workbench's own tables and indexes alone.")


def _printable(text: str) -> str:
    """A text with every character replaced that is not printable: the log holds untrusted input."""
    return "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text
    )
