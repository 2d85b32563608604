"""Going back to a backup: it is checked quickly first, and the file that it replaces is kept.

The audit comes afterwards, on the campaign in its place: it may take minutes, and judging need not wait for it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from workbench.core.errors import CampaignError, UnusableCampaign
from workbench.people.accounts import AccountError, AccountsUnavailable, account_restore, open_accounts
from workbench.release.backups.packing import copy_of
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.file.replacing import BEFORE_RESTORE, fold, put_in_place, replacement
from workbench.storage.campaign.log import log
from workbench.storage.campaign.opening.damage import damage_in
from workbench.storage.instance import ACCOUNTS_FILE


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
    differences: account_restore.AccountDifferences | None


def restore(backup: Path, path: Path, *, now: datetime | None = None) -> Restored:
    """Put a copy of `backup` at `path`, unless it is damaged; the earlier file stays beside it.

    The backup itself is only read. SQLite's own check, the chain of the log and the hashes of rankings must
    hold; the audit is for the caller to make afterwards.

    Raises:
        NotThere: there is no such backup.
        NotACampaign: it is none, or is damaged.
        CampaignError: it is the campaign itself.
        CampaignUnavailable: another process has the campaign open.
    """
    _check_places(backup, path)
    aside = _aside(path, now or datetime.now(UTC))
    if path.exists():
        fold(path)  # the check takes time: who has the campaign open should learn it at once
    with replacement(path) as draft:
        copy_of(backup, draft)
        head = _checked(draft, backup)
        fold(draft)
        if path.exists():
            fold(path)
        there = put_in_place(draft, path, aside)
    return Restored(head, aside if there else None)


def restore_accounts(
    backup: Path, instance: Path, actor: str = "", *, now: datetime | None = None
) -> RestoredAccounts:
    """Put a copy of `backup` in the place of the accounts of an instance folder; the earlier file stays beside it.

    All links in it are withdrawn and all sessions end: it knows nothing of those that were used or closed since.

    Raises:
        NotThere: there is no such backup.
        AccountError: it is not a whole file of accounts, or was made by another version.
        CampaignError: it is the accounts themselves, or no database.
        CampaignUnavailable: a server or another command has the accounts open.
    """
    path, moment = instance / ACCOUNTS_FILE, now or datetime.now(UTC)
    _check_places(backup, path)
    if path.exists():
        fold(path)
    with replacement(path) as draft:
        copy_of(backup, draft)
        withdrawn = _with_revoked_access(draft, backup, actor, moment)
        fold(draft)
        differences = (
            account_restore.compare(draft, path) if path.exists() else account_restore.AccountDifferences()
        )
        if path.exists():
            fold(path)
        aside = _aside(path, moment)
        there = put_in_place(draft, path, aside)
    return RestoredAccounts(path, aside if there else None, withdrawn, differences)


def _with_revoked_access(draft: Path, backup: Path, actor: str, now: datetime) -> int:
    account_restore.check_whole(draft, backup)
    try:
        with open_accounts(draft.parent) as accounts:
            return account_restore.revoke_access(accounts.by(actor).at(now), backup.name)
    except (AccountError, AccountsUnavailable) as error:
        raise type(error)(str(error).replace(str(draft), str(backup))) from error


def _aside(path: Path, now: datetime) -> Path:
    return path.with_name(f"{path.stem}{BEFORE_RESTORE}{now.astimezone(UTC):%Y%m%dT%H%M%SZ}{path.suffix}")


def _check_places(backup: Path, path: Path) -> None:
    if not path.parent.is_dir():
        message = f"{path}: the folder {path.parent} does not exist; make it first: mkdir -p {path.parent}"
        raise CampaignError(message)
    if path.exists() and not path.is_file():
        raise CampaignError(f"{path}: not a file, so nothing can take its place")
    if backup.exists() and path.exists() and backup.samefile(path):
        raise CampaignError(f"{backup}: this is the file itself, not a backup of it")


def _checked(draft: Path, backup: Path) -> log.Head:
    try:
        with open_campaign(draft, compare=False) as campaign:
            damage = damage_in(campaign)
            head = log.head(campaign)
    except (CampaignError, UnusableCampaign) as error:
        raise type(error)(str(error).replace(str(draft), str(backup))) from error
    if damage is not None:
        raise CampaignError(f"{backup}: damaged, so nothing was restored; try an older backup ({damage})")
    return head
