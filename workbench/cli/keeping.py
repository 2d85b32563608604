"""Keeping a campaign: audit and backup."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from workbench.cli.campaigns import campaign_argument, open_named, progress, say


@click.command()
@campaign_argument
def audit(path: Path) -> None:
    """Prove a campaign file against itself; exit status 1 when something does not hold.

    The chain of hashes, foreign keys, the texts that were judged, the log replayed, the rankings as added, and
    a round trip through exported files into a new campaign.

    \b
    Example:
      workbench audit robust
    """
    from workbench.audit import audit
    from workbench.campaign import log

    with open_named(path) as campaign, progress("Checking", None) as advance:
        findings = audit(campaign, on_check=lambda _: advance(1))
        head = log.head(campaign)
    for finding in findings:
        click.echo(f"{'FAILED' if finding.wrong else 'holds '}  {finding.question}")
        for sentence in finding.wrong:
            click.echo(f"          {sentence}")
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
