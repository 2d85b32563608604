"""Going back to a backup: it is audited first, and the file that it replaces is kept."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from workbench.audit import Finding, audit
from workbench.campaign import log, open_campaign
from workbench.campaign.replacing import copy_as_it_is, fold, put_in_place
from workbench.errors import CampaignError


class Restored(NamedTuple):
    """What was put in place: how far its log goes, and where the earlier file is (None when there was none)."""

    head: log.Head
    aside: Path | None


def restore(
    backup: Path, path: Path, *, now: datetime | None = None, on_check: Callable[[str], object] | None = None
) -> Restored:
    """Put a copy of `backup` at `path`, unless it does not hold; the earlier file stays beside it.

    The backup itself is only read. When it is older than this version, the copy is brought up to date.

    Raises:
        NotThere: there is no such backup.
        CampaignError: it is not a campaign, fails its audit, or is the campaign itself.
        CampaignUnavailable: somebody has the campaign open.
    """
    _check_places(backup, path)
    stamp = (now or datetime.now(UTC)).astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    aside = path.with_name(f"{path.stem}.before-restore.{stamp}{path.suffix}")
    if path.exists():
        fold(path)  # the audit may take minutes: who has the campaign open should learn it at once
    # Beside the campaign, since a file gets another name at one stroke only on its own disk.
    with tempfile.TemporaryDirectory(prefix=".restoring-", dir=path.parent) as folder:
        draft = Path(folder) / path.name
        copy_as_it_is(backup, draft)
        head = _audited(draft, backup, on_check)
        fold(draft)
        if path.exists():
            fold(path)
        there = put_in_place(draft, path, aside)
    return Restored(head, aside if there else None)


def _check_places(backup: Path, path: Path) -> None:
    if not path.parent.is_dir():
        message = f"{path}: the folder {path.parent} does not exist; make it first: mkdir -p {path.parent}"
        raise CampaignError(message)
    if path.exists() and not path.is_file():
        message = f"{path}: not a file; choose another name for the campaign"
        raise CampaignError(message)
    if backup.exists() and path.exists() and backup.samefile(path):
        message = f"{backup}: this is the campaign itself, not a backup of it"
        raise CampaignError(message)


def _audited(draft: Path, backup: Path, on_check: Callable[[str], object] | None) -> log.Head:
    try:
        with open_campaign(draft) as campaign:
            findings = audit(campaign, on_check=on_check)
            head = log.head(campaign)
    except CampaignError as error:
        message = str(error).replace(str(draft), str(backup))
        raise type(error)(message) from error
    if wrong := [finding for finding in findings if finding.wrong]:
        message = f"{backup}: does not hold, so nothing was restored; try an older backup\n{_told(wrong)}"
        raise CampaignError(message)
    return head


def _told(findings: list[Finding]) -> str:
    return "\n".join(f"not so: {finding.question}: {finding.wrong[0]}" for finding in findings)
