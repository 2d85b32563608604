"""What is stored about a person: given to them, corrected, hidden, erased."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.campaigns import Opened, actor, instance_option, open_named, path_of, progress, quoted, say
from workbench.cli.exporting import output_option
from workbench.cli.options import argument, command, option

if TYPE_CHECKING:
    from workbench.people.members.forgetting import Forgetting


@command("export")
def export_member(
    campaign: str = argument(),
    name: str = argument(),
    output: str = output_option,
    logs: tuple[Path, ...] = option(
        "A file with lines of workbench serve --log-requests; those about the person are included. Repeatable.",
        "--request-log",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
    ),
    instance: str | None = instance_option,
) -> None:
    """Export everything stored about one person, in a campaign and in the accounts, as one JSON document.

    That is their role, judgments with comments and rationales, assignments, preferences, events they caused, account,
    sessions, links and acts. Nothing of other people is in it: no name, no grade. Nothing is changed. The form, and
    what else is stored where: docs/run/privacy.md.

    Example:
      workbench member export robust anna -o anna.json
      workbench member export robust anna --request-log server.log | jq .accounts
    """
    from workbench.core.wording import counted
    from workbench.formats.text.writing import write_atomically
    from workbench.people.accounts import open_accounts
    from workbench.people.personal_data import known_name, personal_data
    from workbench.storage.instance import ACCOUNTS_FILE, JOBS_FOLDER

    folder = Path(instance or "instance")
    rows = 0
    with ExitStack() as held:
        opened = held.enter_context(open_named(path_of(campaign, instance)))
        has_accounts = (folder / ACCOUNTS_FILE).exists()
        accounts = held.enter_context(open_accounts(folder)) if has_accounts else None
        known = known_name(opened, accounts, name)
        advance = held.enter_context(progress("Reading", None))

        def on_row(steps: int) -> None:
            nonlocal rows
            rows += steps
            advance(steps)

        write_atomically(
            output,
            personal_data(
                known,
                [opened],
                accounts,
                jobs=folder / JOBS_FOLDER,
                request_log=_request_log(folder, known, logs),
                on_row=on_row,
            ),
        )
    say(f"{counted(rows, 'row')} about {quoted(known)}, from {opened.name} and the accounts of {folder}.")


def _request_log(folder: Path, name: str, logs: tuple[Path, ...]) -> dict[str, Any]:
    """The person's pseudonym in the request log of an instance that has a key, and the lines about them."""
    from workbench.people.personal_data import lines_of, pseudonym
    from workbench.storage.instance import SECRET_FILE, secret_key

    if not (folder / SECRET_FILE).exists():
        return {}
    word = pseudonym(secret_key(folder), name)
    lines = []
    for path in logs:
        with path.open(encoding="utf-8", errors="replace") as stream:
            lines += list(lines_of(stream, word))
    return {"account": word, "lines": lines}


@command("rename")
def rename_member(campaign: Opened, name: str = argument(), new: str = argument()) -> None:
    """Show a person by another name everywhere in a campaign; the account keeps its name for signing in.

    Example:
      workbench member rename robust anna "Anna Berg"
    """
    from workbench.people.accounts import clean_name
    from workbench.storage.campaign.people import identities

    clean = clean_name(new)
    with campaign.write():
        identities.correct(campaign, name, clean)
    say(f"{quoted(name)} is {quoted(clean)} in {campaign.name} from now on.")


@command("hide")
def hide_member(
    campaign: Opened, name: str = argument(), undo: bool = option("Show the name of the account again.")
) -> None:
    """Hide a person's name everywhere in a campaign, exports included; the person can go on judging.

    Example:
      workbench member hide robust anna
      workbench member hide robust anna --undo
    """
    from workbench.storage.campaign.people import identities

    with campaign.write():
        change = identities.show if undo else identities.hide
        label = change(campaign, name)
    say(f"{quoted(name)} is {quoted(label)} in {campaign.name} from now on.")


@command("forget")
def forget_member(
    name: str = argument(),
    campaigns: tuple[str, ...] = option(
        "A campaign outside the instance folder to erase the name in too; may be repeated.",
        "--campaign",
        metavar="CAMPAIGN",
    ),
    comments: bool = option("Also erase the comments and rationales of the judgments."),
    yes: bool = option("Erase; without it the command only says what it would erase."),
    instance: str | None = instance_option,
) -> None:
    """Erase a person's name and account: in all campaigns of the instance folder, and in those that are named.

    Judgments stay, under an id, so that labels, scores and audits do not change. Erased are the name, role, private
    lists and settings in campaigns; the account, sessions, tokens, second factor and invitations in the accounts. What
    remains is listed: rows of the security log, backups. See docs/run/privacy.md.

    Example:
      workbench member forget anna
      workbench member forget anna --comments --yes
    """
    from workbench.people.accounts import open_accounts
    from workbench.people.members.forgetting import find_stored, forget
    from workbench.storage.instance import ACCOUNTS_FILE, campaigns_in

    folder = Path(instance or "instance")
    paths = {path.resolve(): path for path in campaigns_in(folder)}
    paths |= {path.resolve(): path for each in campaigns for path in [path_of(each, instance)]}
    with ExitStack() as held:
        opened = [held.enter_context(open_named(path)).by(actor()) for path in paths.values()]
        has_accounts = (folder / ACCOUNTS_FILE).exists()
        accounts = held.enter_context(open_accounts(folder)).by(actor()) if has_accounts else None
        found = find_stored(opened, accounts, name)
        for line in _listed(found, comments=comments):
            click.echo(line)
        if not yes:
            say("Nothing is erased yet. Erase it with --yes.")
            return
        busy = forget(found, accounts, words=comments)
    for campaign in busy:
        say(
            f"{campaign.name} is in use, or the disk is full; its old pages are overwritten when it is closed."
        )
    say(f"{quoted(found.name)} is forgotten. Backups made before still have the name until they are deleted.")


def _listed(found: Forgetting, *, comments: bool) -> Iterator[str]:
    from workbench.core.wording import counted

    for there in found.campaigns:
        title = there.campaign.name
        judged = counted(there.judgments, "judgment")
        private = f"the name, role and private settings of {quoted(found.name)}"
        yield f"{title}: erases {private}; leaves {judged} under an id."
        if there.words:
            words = f"comments or rationales of {counted(there.words, 'judgment')}"
            yield (
                f"{title}: erases {words}." if comments else f"{title}: {words} stay; --comments erases them."
            )
        yield f"{title}: reasons and notes that were typed into settings, assignments and withdrawals stay as they are."
    own = found.account
    if own.accounts:
        sessions = f"{counted(own.sessions, 'session')}, {counted(own.tokens, 'token')}"
        sessions += f", {counted(own.identities, 'connected provider')}"
        codes = (
            f"{counted(own.second_factors, 'second factor')}, {counted(own.recovery_codes, 'recovery code')}"
        )
        yield f"Accounts: erases the account, {sessions}, {codes} and {counted(own.links, 'link')}."
    if own.open_links:
        yield f"Accounts: withdraws {counted(own.open_links, 'open link')} made by {quoted(found.name)}."
    if own.acts:
        rows = counted(own.acts, "row")
        yield f"Accounts: {rows} of the security log keep the name until they are erased (docs/run/privacy.md)."
