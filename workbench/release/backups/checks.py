"""The check of a copy in a process of its own, which gives way to everything else that runs on the machine.

The server's threads share one interpreter: a check in one of them would hold up the others.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from workbench.core.atomic_files import scratch_folder
from workbench.core.errors import WorkbenchError
from workbench.jobs.processes import JobFailed, Limits, Work, Workers
from workbench.people.accounts import account_restore, open_accounts
from workbench.release.backups.files import Finding
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.opening.damage import damage_in
from workbench.storage.instance import ACCOUNTS_FILE

LEAST_URGENT = 19
LIMITS = Limits(seconds=3600, megabytes=4096)


def check_in_background(path: Path, *, accounts: bool = False) -> Finding | None:
    """Check a copy in a process of its own; None when that process came to no answer."""
    workers = Workers()
    try:
        finding: Finding = workers.run(Work(check_gently, (path, accounts)), LIMITS)
    except JobFailed:
        return None
    finally:
        workers.close()
    return finding


def check_gently(path: Path, accounts: bool) -> Finding:
    """Check a copy with the lowest priority, which this process keeps."""
    be_gentle()
    return (check_accounts if accounts else check_campaign)(path)


def be_gentle() -> None:
    """Give way to everything else that runs on the machine from now on."""
    with suppress(OSError, AttributeError):  # not on Windows
        os.nice(LEAST_URGENT)


def check_campaign(path: Path) -> Finding:
    """Whether a copy of a campaign holds: SQLite's own checks, the chain of the log, and the stored hashes."""
    try:
        with open_campaign(path, compare=False) as campaign:
            if (damage := damage_in(campaign)) is not None:
                return Finding(damage, 0, "")
            head = log.head(campaign)
    except WorkbenchError as error:
        return _refused(path, error)
    return Finding("", head.seq, head.hash.hex())


def check_accounts(path: Path) -> Finding:
    """Whether a copy of the accounts holds: SQLite's own checks, and the workbench's own triggers alone."""
    try:
        account_restore.check_whole(path, path)
        with scratch_folder() as folder:  # to open one may write to it
            shutil.copyfile(path, folder / ACCOUNTS_FILE)
            open_accounts(folder).close()
    except WorkbenchError as error:
        return _refused(path, error)
    return Finding("", 0, "")


def _refused(path: Path, error: WorkbenchError) -> Finding:
    """The error without the name of the file, which the finding lies beside."""
    return Finding(str(error).removeprefix(f"{path}: "), 0, "")
