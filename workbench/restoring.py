"""Going back to a backup: it is looked through first, and the file that it replaces is kept."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from workbench.accounts import TERMINAL, AccountError, By, older, open_accounts
from workbench.audit import Finding, audit
from workbench.campaign import log, open_campaign
from workbench.campaign.replacing import copy_as_it_is, fold, put_in_place
from workbench.errors import CampaignError
from workbench.instance import ACCOUNTS_FILE


class Restored(NamedTuple):
    """What was put in place: how far its log goes, and where the earlier file is (None when there was none)."""

    head: log.Head
    aside: Path | None


class RestoredAccounts(NamedTuple):
    """What was put in place: the accounts' `path`, where the earlier file is (None when there was none), how many links
    were withdrawn, and what these accounts know otherwise than the earlier ones (None when those cannot be read).
    """

    path: Path
    aside: Path | None
    withdrawn: int
    otherwise: older.Otherwise | None


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
    aside = _aside(path, now or datetime.now(UTC))
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


def restore_accounts(
    backup: Path, instance: Path, *, by: By = TERMINAL, now: datetime | None = None
) -> RestoredAccounts:
    """Put a copy of `backup` in the place of the accounts of an instance folder; the earlier file stays beside it.

    All links in it are withdrawn and all sessions end: it knows nothing of those that were used or closed since.

    Raises:
        NotThere: there is no such backup.
        AccountError: it is not a whole file of accounts, or was written by a newer version.
        CampaignError: it is the accounts themselves, or no database.
        CampaignUnavailable: a server or another command has the accounts open.
    """
    path, moment = instance / ACCOUNTS_FILE, now or datetime.now(UTC)
    _check_places(backup, path)
    if path.exists():
        fold(path)
    with tempfile.TemporaryDirectory(prefix=".restoring-", dir=instance) as folder:
        draft = Path(folder) / path.name
        copy_as_it_is(backup, draft)
        draft.chmod(0o600)
        withdrawn = _with_shut_doors(draft, backup, by, moment)
        fold(draft)
        otherwise = older.compare(draft, path) if path.exists() else older.Otherwise()
        if path.exists():
            fold(path)
        aside = _aside(path, moment)
        there = put_in_place(draft, path, aside)
    return RestoredAccounts(path, aside if there else None, withdrawn, otherwise)


def _with_shut_doors(draft: Path, backup: Path, by: By, now: datetime) -> int:
    older.check_whole(draft, backup)
    try:
        with open_accounts(draft.parent) as accounts:
            older.check_record(accounts)
            return older.shut_doors(accounts, backup.name, by=by, now=now)
    except AccountError as error:
        message = str(error).replace(str(draft), str(backup))
        raise type(error)(message) from error


def _aside(path: Path, now: datetime) -> Path:
    return path.with_name(f"{path.stem}.before-restore.{now.astimezone(UTC):%Y%m%dT%H%M%SZ}{path.suffix}")


def _check_places(backup: Path, path: Path) -> None:
    if not path.parent.is_dir():
        message = f"{path}: the folder {path.parent} does not exist; make it first: mkdir -p {path.parent}"
        raise CampaignError(message)
    if path.exists() and not path.is_file():
        message = f"{path}: not a file, so nothing can take its place"
        raise CampaignError(message)
    if backup.exists() and path.exists() and backup.samefile(path):
        message = f"{backup}: this is the file itself, not a backup of it"
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
