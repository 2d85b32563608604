"""Commands that maintain a campaign file: audit, backup, quota and restore."""

from __future__ import annotations

import re
import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.campaigns import Named, Opened, open_named, say, steps, warn_of_network
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option, text_sheet, write_sheet

if TYPE_CHECKING:
    from workbench.release.audit.findings import Finding
    from workbench.storage.campaign import Campaign


@command()
def audit(
    path: Named,
    noted: str | None = option(
        "A hash that an export or audit printed; check that its row still exists.", "--head", metavar="HASH"
    ),
    kind: str = format_option,
) -> None:
    """Check a campaign file's consistency; exit status 1 if a check fails.

    Checks the hash chain, foreign keys, the judged texts, a replay of the log, the rankings as added, and
    a round trip through exported files. Rows missing at the end of the log are detected only with a hash kept
    elsewhere: pass the one that an export printed as --head. What a campaign made from a release bundle
    lacks is listed as not checked, and so are tables that are not the workbench's.

    Example:
      workbench campaign audit robust
      workbench campaign audit robust --head 5cf2ac3f1d9e4b70
    """
    from workbench.storage.campaign.log import log

    if noted is not None and not re.fullmatch("[0-9a-fA-F]{8,64}", noted):
        raise click.BadParameter("write the hash as 8 to 64 hexadecimal digits", param_hint="--head")
    with open_named(path, compare=False) as campaign:
        holds = _audited(campaign, noted, kind)
        head = log.head(campaign)
    click.echo(f"The log ends with row {head.seq}, hash {head.hash.hex()}.", err=kind != "table")
    if not holds:
        say("The campaign file is damaged: restore a backup, and find out what changed the file.")
        raise SystemExit(1)


def _audited(campaign: Campaign, noted: str | None = None, kind: str = "table") -> bool:
    """Audit an open campaign and print the findings; whether every check passed."""
    from workbench.release.audit.checks import audit

    with steps("Audit") as on_step:
        findings = audit(campaign, noted=noted, on_step=on_step)
    rows = [row for finding in findings for row in _rows_of(finding)]
    write_sheet(
        kind, text_sheet(("Result", "Check", "Detail"), rows), list(map(_content_of, findings)), wrap=True
    )
    return not any(finding.wrong for finding in findings)


def _rows_of(finding: Finding) -> list[tuple[str, str, str]]:
    result = "FAILED" if finding.wrong else "holds"
    details = [*finding.wrong, *(f"not checked: {sentence}" for sentence in finding.not_checked)]
    return [(result, finding.question, detail) for detail in details or [""]]


def _content_of(finding: Finding) -> dict[str, object]:
    return {
        "check": finding.question,
        "holds": not finding.wrong,
        "wrong": finding.wrong,
        "not_checked": finding.not_checked,
    }


@command()
def backup(campaign: Opened, file: Path | None = argument()) -> None:
    """Back up a campaign, also while a server is running; an existing file is never replaced.

    Example:
      workbench campaign backup robust
      workbench campaign backup robust /backups/robust-monday.db
    """
    from workbench.storage.campaign import backup

    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    target = file or Path(f"{campaign.name}.{stamp}.db")
    backup(campaign, target)
    say(f"Copied {campaign.path} to {target}.")


class Megabytes(click.ParamType[int]):
    """A number of megabytes, as bytes; `none` is 0."""

    name = "MB"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Bytes, of at least one megabyte."""
        from workbench.storage.campaign.organising.quota import MEGABYTE

        if value == "none":
            return 0
        if not re.fullmatch("[1-9][0-9]{0,8}", str(value)):
            self.fail(f"{value!r} is not a number of megabytes; write 500, or none", param, ctx)
        return int(value) * MEGABYTE


@command()
def quota(campaign: Opened, size: int | None = argument("[MB|none]", type=Megabytes())) -> None:
    """Show a campaign's size, or set its quota in megabytes.

    Topics, documents, runs and qrels that would exceed the quota are refused, in the browser and here; judgments
    never are. Organisers see the quota and cannot change it. none removes it.

    Example:
      workbench campaign quota robust 500
      workbench campaign quota robust none
      workbench campaign quota robust
    """
    from workbench.storage.campaign.organising.quota import MEGABYTE, set_quota, space

    if size is not None:
        set_quota(campaign, size)
    used, most = space(campaign)
    limit = f"of {most / MEGABYTE:,.1f} MB" if most else "and has no quota"
    click.echo(f"{campaign.name} takes {used / MEGABYTE:,.1f} MB {limit}.")
    if most and used > most:
        say("It exceeds its quota: nothing can be added until the quota is raised.")


@command()
def restore(path: Named, file: Path = argument("BACKUP")) -> None:
    """Restore a campaign from a backup, and audit it.

    Stop the server first. The current file is kept beside it under another name; the backup is not changed. Exit
    status 1, with nothing changed, if the backup is damaged or another process has the campaign open. Once the
    backup is in place you can start the server; the audit continues, and exits with status 1 if a check fails.

    Example:
      workbench campaign restore robust /backups/robust-monday.db
    """
    from workbench.release.backups.restoring import restore

    warn_of_network(path)
    say(f"Checking {file}: the database, the chain of its log, and its rankings.")
    head, aside = restore(file, path)
    say(f"{file} is intact; a copy of it is now {path}.")
    say(f"Its log ends with row {head.seq}, hash {head.hash.hex()}.")
    if aside is not None:
        say(f"The previous file is now {aside}; nothing is deleted.")
    say(
        "Start the server, and have every assessor open a judging page once in the browser they judged in: "
        "it resends the judgments of the last 14 days that the backup lacks."
    )
    say("The audit continues in the meantime.")
    with open_named(path, compare=False) as campaign:
        holds = _audited(campaign)
    if holds:
        say(f"{path} is intact.")
        return
    earlier = (
        f", or the previous file: workbench campaign restore {campaign.command_name} {shlex.quote(str(aside))}"
        if aside
        else ""
    )
    say(
        f"{path} is damaged. Stop the server and restore an older backup{earlier}. "
        "The browsers resend what is judged until then, as described above."
    )
    raise SystemExit(1)
