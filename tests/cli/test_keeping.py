"""audit, backup and restore."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.fixture_types import Fails, Workbench
from tests.flipping import flip_the_head
from tests.sentences import says
from workbench.release.audit.checks import CHECKS
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising.quota import set_quota


def change(statement: str, path: str = "instance/small.db") -> None:
    """Change a file as nobody should."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


OTHER_TEXT = "UPDATE document SET text = 'another' WHERE document = 'd1'"


def test_an_audit_names_every_check_and_the_head_of_the_log(done: Workbench) -> None:
    result = done("audit small")
    with open_campaign("instance/small.db") as campaign:
        head = log.head(campaign)
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["Result", "Check", "Detail"],
        *(["holds", *question.split()] for question in CHECKS),
        f"The log ends with row {head.seq}, hash {head.hash.hex()}.".split(),
    ]
    listed = json.loads(done("audit small --format json").stdout)
    assert listed[0] == {"check": "the database is sound", "holds": True, "wrong": [], "not_checked": []}


def test_an_audit_that_fails_says_what_and_ends_with_1(workbench: Workbench) -> None:
    change(OTHER_TEXT)
    result = workbench("audit small")
    assert result.exit_code == 1
    assert says(result.stdout, "d1")
    assert "restore a backup" in result.stderr


def test_a_file_that_other_commands_refuse_as_damaged_is_audited(workbench: Workbench) -> None:
    flip_the_head(Path("instance/small.db"))
    assert "damaged" in workbench("warnings small").stderr
    result = workbench("audit small")
    assert result.exit_code == 1
    assert says(result.stdout)


def test_an_audit_tells_of_tables_that_are_not_ours_and_fails_for_an_index_on_ours(
    workbench: Workbench,
) -> None:
    for statement, status in (
        ("CREATE TABLE notes (text)", 0),
        ("CREATE UNIQUE INDEX once ON judgment (seq, assessor)", 1),
    ):
        change(statement)
        result = workbench("audit small")
        assert (result.exit_code, says(result.stdout, statement.split()[status + 2])) == (status, True)


def test_a_backup_is_a_campaign_and_never_replaces_a_file(done: Workbench, fails: Fails) -> None:
    assert done("backup small copy.db").stderr == "Copied instance/small.db to copy.db.\n"
    before = Path("copy.db").read_bytes()
    fails("backup small copy.db")
    assert Path("copy.db").read_bytes() == before
    assert done("export pool ./copy.db").stdout == done("export pool small").stdout
    done("backup small")
    assert len(list(Path().glob("small.2*Z.db"))) == 1


def test_a_backup_has_what_a_plain_copy_of_a_file_in_use_lacks(done: Workbench) -> None:
    with open_campaign("instance/small.db") as campaign:
        with campaign.write():
            campaign.db.execute("UPDATE topic SET narrative = 'new'")
        shutil.copy("instance/small.db", "plain.db")
        done("backup small copy.db")
    with closing(sqlite3.connect("copy.db")) as copy:
        assert copy.execute("SELECT DISTINCT narrative FROM topic").fetchall() == [("new",)]


def test_an_audit_asks_for_a_hash_that_was_noted(done: Workbench, workbench: Workbench) -> None:
    with open_campaign("instance/small.db") as campaign:
        noted = log.head(campaign).hash.hex()[:16]
    assert says(done("audit small --head", noted).stdout)
    assert workbench("audit small --head", "0" * 16).exit_code == 1
    assert workbench("audit small --head today").exit_code == 2


def test_a_backup_is_restored_and_the_earlier_file_named(done: Workbench) -> None:
    done("backup small copy.db")
    with open_campaign("instance/small.db") as campaign:
        head = log.head(campaign)
    done("withdraw small alpha")
    restored = done("restore small copy.db")
    said = restored.stderr.splitlines()
    (_aside,) = Path("instance").glob("small.before-restore.*Z.db")
    assert says("\n".join(said[:4]))
    assert says("\n".join(said[-2:]))
    assert restored.stdout.count("holds   ") == len(CHECKS)
    with open_campaign("instance/small.db") as campaign:
        assert log.head(campaign) == head


def test_what_the_audit_finds_in_a_restored_campaign_is_said_with_the_way_back(
    done: Workbench, workbench: Workbench
) -> None:
    done("pool small --depth 2")
    done("backup small copy.db")
    change("INSERT INTO claim VALUES ('1', 'ben', 'some day')", "copy.db")
    result = workbench("restore small copy.db")
    (aside,) = Path("instance").glob("small.before-restore.*Z.db")
    assert result.exit_code == 1
    assert says(result.stdout)
    assert says(result.stderr.splitlines()[-1])
    done("audit", str(aside))


def test_a_damaged_backup_is_not_restored(done: Workbench, fails: Fails) -> None:
    done("backup small copy.db")
    change(OTHER_TEXT, "copy.db")
    assert says(fails("restore small copy.db"))
    fails("restore small none.db")


def test_a_quota_is_set_shown_and_taken_away(
    done: Workbench, workbench: Workbench, fails: Fails, tmp_path: Path
) -> None:
    assert says(done("quota small").stdout)
    assert done("quota small 5").stdout.endswith("MB of 5.0 MB.\n")
    with open_campaign("instance/small.db") as campaign:
        set_quota(campaign.by("root"), 1)
    assert says(done("quota small").stderr)
    Path("more.tsv").write_text("11\tgreen hills\n")
    assert says(fails("add topics small more.tsv"))
    assert says(done("quota small none").stdout)
    done("add topics small more.tsv")
    assert says(workbench("quota small 0.5").stderr, "0.5")
