"""Going back to a backup never mixes it with what was written to the file it replaces."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.release.audit.checks import audit
from workbench.storage.campaign import Campaign, backup, create_campaign, open_campaign
from workbench.storage.campaign.file.replacing import set_aside_foreign_log
from workbench.storage.campaign.people import members


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with create_campaign(tmp_path / "a.db") as campaign:
        write(campaign, "Anna")
    return tmp_path / "a.db"


def write(campaign: Campaign, *names: str) -> None:
    for name in names:
        with campaign.write():
            members.put(campaign.by("Anna"), name, "assessor")


def test_a_backup_put_in_the_place_of_an_open_campaign_is_what_is_read_from_then_on(path: Path) -> None:
    many = [f"Ben {number}" for number in range(500)]
    with open_campaign(path) as before:
        copy = backup(before, path.with_name("copy.db"))
        write(before, *many)
        before.db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        write(before, *many)  # from the start of the log again, over pages that only the old file has
        copy.replace(path)
        with open_campaign(path) as after:
            assert list(members.all_members(after)) == ["Anna"]
            write(after, "Carla")
        write(before, "Dora")  # whoever still has the old file open writes to the old file
    with open_campaign(path) as after:
        assert list(members.all_members(after)) == ["Anna", "Carla"]
        assert [finding.wrong for finding in audit(after) if finding.wrong] == []
    aside = list(path.parent.glob("a.db-wal.replaced.*"))
    assert len(aside) == 1
    assert aside[0].stat().st_size > 0


def test_the_log_of_a_killed_server_is_not_played_into_a_backup(path: Path, tmp_path: Path) -> None:
    with open_campaign(path) as campaign:
        copy = backup(campaign, tmp_path / "copy.db")
        write(campaign, "Ben")
        left = shutil.copy(f"{path}-wal", tmp_path / "left")
    copy.replace(path)
    shutil.copy(left, f"{path}-wal")
    with open_campaign(path) as campaign:
        assert list(members.all_members(campaign)) == ["Anna"]


def test_a_campaigns_own_log_stays_where_it_is(path: Path, tmp_path: Path) -> None:
    with open_campaign(path) as campaign:
        write(campaign, "Ben")
        assert set_aside_foreign_log(path) is None
        killed = tmp_path / "killed"
        killed.mkdir()
        for file in (path, Path(f"{path}-wal")):
            shutil.copy(file, killed / file.name)
    with open_campaign(killed / "a.db") as campaign:
        assert list(members.all_members(campaign)) == ["Anna", "Ben"]


@pytest.mark.parametrize("first", [open_campaign, create_campaign])
def test_opening_a_campaign_again_takes_no_lock_away_from_those_who_have_it_open(
    path: Path, first: Callable[[Path], Campaign]
) -> None:
    if first is create_campaign:
        path = path.with_name("new.db")
    with first(path) as campaign:
        write(campaign, "Ben")
        with open_campaign(path):
            pass
        # Whoever closes as the last one removes the log; another process must see that it is not the last.
        code = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM member'); c.close()"
        subprocess.run([sys.executable, "-c", code, str(path)], check=True)
        assert Path(f"{path}-wal").stat().st_size > 0
