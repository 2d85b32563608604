"""Keeping a campaign: audit, backup and restore."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import click

from workbench.cli.campaigns import campaign_argument, open_named, progress, say, warn_of_network


@click.command()
@campaign_argument
@click.option(
    "--head", "noted", metavar="HASH", help="A hash that an export or audit told: is its row still there?"
)
def audit(path: Path, noted: str | None) -> None:
    """Prove a campaign file against itself; exit status 1 when something does not hold.

    The chain of hashes, foreign keys, the texts that were judged, the log replayed, the rankings as added, and
    a round trip through exported files into a new campaign. That the end of the log was cut off is seen only
    with a hash kept elsewhere: give the one that an export told with --head. What a campaign out of a release bundle
    lacks is named as not checked.

    \b
    Example:
      workbench audit robust
      workbench audit robust --head 5cf2ac3f1d9e4b70
    """
    from workbench.audit import audit
    from workbench.campaign import log

    if noted is not None and not re.fullmatch("[0-9a-fA-F]{8,64}", noted):
        raise click.BadParameter("a hash is told as 8 to 64 hexadecimal digits", param_hint="--head")
    with open_named(path) as campaign, progress("Checking", None) as advance:
        findings = audit(campaign, noted=noted, on_check=lambda _: advance(1))
        head = log.head(campaign)
    for finding in findings:
        click.echo(f"{'FAILED' if finding.wrong else 'holds '}  {finding.question}")
        for sentence in finding.wrong:
            click.echo(f"          {sentence}")
        for sentence in finding.not_checked:
            click.echo(f"          not checked: {sentence}")
    click.echo(f"The log ends with row {head.seq}, hash {head.hash.hex()}.")
    if any(finding.wrong for finding in findings):
        say("The campaign does not hold: go back to a backup, and find out who changed the file.")
        raise SystemExit(1)


@click.command()
@campaign_argument
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
def backup(path: Path, file: Path | None) -> None:
    """Copy a campaign, also while it is served; a file that is there is never replaced.

    \b
    Example:
      workbench backup robust
      workbench backup robust /backups/robust-monday.db
    """
    from workbench.campaign import backup

    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    target = file or Path(f"{path.stem}.{stamp}.db")
    with open_named(path) as campaign:
        backup(campaign, target)
    say(f"Copied {path} to {target}.")


@click.command()
@click.argument("file", metavar="BACKUP", type=click.Path(dir_okay=False, path_type=Path))
@campaign_argument
def restore(file: Path, path: Path) -> None:
    """Go back to a backup: put it in the place of a campaign, once it has passed its audit.

    Stop the server first. The file that is there is kept beside it under another name; the backup stays where it
    is. Exit status 1, and nothing changed, when the backup does not hold or somebody has the campaign open.

    \b
    Example:
      workbench restore /backups/robust-monday.db robust
    """
    from workbench.restoring import restore

    warn_of_network(path)
    with progress("Checking", None) as advance:
        head, aside = restore(file, path, on_check=lambda _: advance(1))
    say(f"{file} holds; a copy of it is now {path}.")
    say(f"Its log ends with row {head.seq}, hash {head.hash.hex()}.")
    if aside is not None:
        say(f"The file that was there is {aside}; nothing is deleted.")
    say(
        "Start the server, and let everybody open a judging page once where they judged: "
        "their browsers send again what they judged in the last 14 days and the backup lacks."
    )
