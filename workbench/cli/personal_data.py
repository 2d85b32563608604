"""The command that gives a person what is stored about them."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from workbench.cli.campaigns import instance_option, open_named, path_of, progress, quoted, say
from workbench.cli.exporting import output_option
from workbench.cli.options import argument, declared_options, option


@click.command("export")
@declared_options
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
    what else is stored where: docs/privacy.md.

    \b
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
    from workbench.people.pseudonyms import lines_of, pseudonym
    from workbench.storage.instance import SECRET_FILE, secret_key

    if not (folder / SECRET_FILE).exists():
        return {}
    word = pseudonym(secret_key(folder), name)
    lines = []
    for path in logs:
        with path.open(encoding="utf-8", errors="replace") as stream:
            lines += list(lines_of(stream, word))
    return {"account": word, "lines": lines}
