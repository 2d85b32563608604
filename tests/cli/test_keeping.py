"""audit, backup and restore."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from workbench.audit import CHECKS
from workbench.campaign import log, open_campaign

Workbench = Callable[..., Result]


def test_an_audit_names_every_check_and_the_head_of_the_log(done: Workbench) -> None:
    result = done("audit", "small")
    with open_campaign("instance/small.db") as campaign:
        head = log.head(campaign)
    assert result.stdout.splitlines() == [
        *(f"holds   {question}" for question in CHECKS),
        f"The log ends with row {head.seq}, hash {head.hash.hex()}.",
    ]


def test_an_audit_that_fails_says_what_and_ends_with_1(workbench: Workbench) -> None:
    connection = sqlite3.connect("instance/small.db", isolation_level=None)
    connection.execute("UPDATE document SET text = 'another' WHERE document = 'd1'")
    connection.close()
    result = workbench("audit", "small")
    assert result.exit_code == 1
    assert "FAILED  every judgment was made on the text that is stored" in result.stdout
    assert "document 'd1': the text is not the one that was stored" in result.stdout
    assert "go back to a backup" in result.stderr


def test_a_backup_is_a_campaign_and_never_replaces_a_file(done: Workbench, workbench: Workbench) -> None:
    assert done("backup", "small", "copy.db").stderr == "Copied instance/small.db to copy.db.\n"
    before = Path("copy.db").read_bytes()
    assert workbench("backup", "small", "copy.db").exit_code == 1
    assert Path("copy.db").read_bytes() == before
    assert done("export", "pool", "./copy.db").stdout == done("export", "pool", "small").stdout


def test_a_backup_without_a_name_carries_the_time(done: Workbench) -> None:
    done("backup", "small")
    assert len(list(Path().glob("small.2*Z.db"))) == 1


def test_a_backup_has_what_a_plain_copy_of_a_file_in_use_lacks(done: Workbench) -> None:
    with open_campaign("instance/small.db") as campaign:
        with campaign.write():
            campaign.db.execute("UPDATE topic SET narrative = 'new'")
        shutil.copy("instance/small.db", "plain.db")
        done("backup", "small", "copy.db")
    copy = sqlite3.connect("copy.db")
    assert copy.execute("SELECT DISTINCT narrative FROM topic").fetchall() == [("new",)]
    copy.close()


def test_an_audit_asks_for_a_hash_that_was_noted(done: Workbench, workbench: Workbench) -> None:
    with open_campaign("instance/small.db") as campaign:
        noted = log.head(campaign).hash.hex()[:16]
    assert (
        f"holds   the log still has the row whose hash begins with {noted}"
        in done("audit", "small", "--head", noted).stdout
    )
    assert workbench("audit", "small", "--head", "0" * 16).exit_code == 1
    assert workbench("audit", "small", "--head", "today").exit_code == 2


def test_a_backup_is_restored_and_the_earlier_file_named(done: Workbench) -> None:
    done("backup", "small", "copy.db")
    with open_campaign("instance/small.db") as campaign:
        head = log.head(campaign)
    done("withdraw", "small", "alpha")
    said = done("restore", "copy.db", "small").stderr.splitlines()
    (aside,) = Path("instance").glob("small.before-restore.*Z.db")
    assert said[:3] == [
        "copy.db holds; a copy of it is now instance/small.db.",
        f"Its log ends with row {head.seq}, hash {head.hash.hex()}.",
        f"The file that was there is {aside}; nothing is deleted.",
    ]
    with open_campaign("instance/small.db") as campaign:
        assert log.head(campaign) == head


def test_a_backup_that_does_not_hold_is_not_restored(done: Workbench, workbench: Workbench) -> None:
    done("backup", "small", "copy.db")
    connection = sqlite3.connect("copy.db", isolation_level=None)
    connection.execute("UPDATE document SET text = 'another' WHERE document = 'd1'")
    connection.close()
    result = workbench("restore", "copy.db", "small")
    assert result.exit_code == 1
    assert "copy.db: does not hold, so nothing was restored" in result.stderr
    assert workbench("restore", "none.db", "small").exit_code == 1
