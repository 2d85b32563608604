"""Campaign files are made whole, opened with suspicion, and copied whole."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlite_utils import Database

from tests.log_rows import chain_holds, note
from tests.sentences import refused
from workbench.core.errors import CampaignError, NotACampaign, NotThere, OtherSchema
from workbench.jobs.observing import observed_by
from workbench.storage.campaign import backup, create_campaign, open_campaign
from workbench.storage.campaign.file import schema
from workbench.storage.campaign.log import log
from workbench.storage.campaign.opening import opening
from workbench.storage.campaign.people import members

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def plain(path: Path, *statements: str) -> None:
    """Run statements as somebody else's program would, after the campaign was closed."""
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_campaign_and_its_copy_are_made_for_their_owner_alone_and_that_can_be_changed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "rivers.db"
    with create_campaign(path) as campaign:
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        assert set(modes.values()) == {0o600}
        assert {"rivers.db", "rivers.db-wal"} <= modes.keys()
        assert stat.S_IMODE(backup(campaign, tmp_path / "copy.db").stat().st_mode) == 0o600
    path.chmod(0o640)  # a group that may read it
    with open_campaign(path) as campaign, campaign.write():
        assert stat.S_IMODE((tmp_path / "rivers.db-wal").stat().st_mode) == 0o640
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_connection_trusts_no_schema_keeps_references_and_waits_for_the_disk(path: Path) -> None:
    with open_campaign(path) as campaign:
        names = "trusted_schema foreign_keys synchronous recursive_triggers journal_mode".split()
        found = [campaign.db.execute(f"PRAGMA {name}").fetchone()[0] for name in names]
    full = 2
    assert found == [0, 1, full, 0, "wal"]


def test_nothing_replaces_a_file_that_is_there(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(CampaignError, match=r"robust\.db: already exists; choose another name"):
        create_campaign(path)
    assert path.read_bytes() == before
    (path.parent / "copy.db").write_text("dear")
    with open_campaign(path) as campaign, refused(CampaignError):
        backup(campaign, path.parent / "copy.db")
    assert (path.parent / "copy.db").read_text() == "dear"
    with open_campaign(path) as campaign, pytest.raises(NotThere, match="mkdir -p"):
        backup(campaign, path.parent / "none" / "copy.db")
    with pytest.raises(NotThere, match="mkdir -p "):
        create_campaign(path.parent / "none" / "robust.db")


def test_nothing_is_left_behind_when_the_making_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(db: Database) -> None:
        db.execute("CREATE TABLE half (x)")
        raise KeyboardInterrupt

    monkeypatch.setattr(schema, "create", fail)
    with pytest.raises(KeyboardInterrupt):
        create_campaign(tmp_path / "robust.db")
    assert list(tmp_path.iterdir()) == []


NO_CAMPAIGN: dict[str, Callable[[bytes], bytes]] = {
    "a text": lambda whole: b"a text that is longer than a header of sixteen bytes\n" * 40,
    "empty": lambda whole: b"",
    "a damaged page": lambda whole: whole[:100] + b"\xff" * 3996 + whole[4096:],
    # The number of the schema's format: 4 is the highest there is.
    "another format": lambda whole: whole[:44] + b"\0\0\0\x09" + whole[48:],
    "another encoding": lambda whole: whole.replace(b"CREATE TABLE judgment", b"CREATE TABLE judgm\xffnt"),
    "another word": lambda whole: whole.replace(b"CREATE TABLE judgment", b"CREATE TXBLE judgment"),
    "no UTF-8": lambda whole: whole.replace(b"seq INTEGER PRIMARY KEY", b"seq INTEGER PR\x80MARY KEY"),
}


@pytest.mark.parametrize("what", NO_CAMPAIGN)
def test_a_file_that_is_no_campaign_is_refused_and_stays_as_it_is(path: Path, what: str) -> None:
    path.write_bytes(broken := NO_CAMPAIGN[what](path.read_bytes()))
    with refused(NotACampaign, "robust.db"):
        open_campaign(path)
    assert path.read_bytes() == broken


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE event (seq INTEGER)"],
        [f"PRAGMA application_id = {schema.APPLICATION_ID}", "CREATE TABLE t (x)"],
    ],
    ids=["other", "claims"],
)
def test_another_database_is_no_campaign(tmp_path: Path, statements: list[str]) -> None:
    with refused(NotThere):
        open_campaign(tmp_path / "other.db")
    plain(tmp_path / "other.db", *statements)
    with refused(NotACampaign, "other.db"):
        open_campaign(tmp_path / "other.db")


def test_a_value_that_is_not_what_was_written_is_reported_as_damage(path: Path) -> None:
    with open_campaign(path) as campaign:
        note(campaign, "a word to be damaged")
    path.write_bytes(path.read_bytes().replace(b'"a word to be damaged"', b'"a word to be damaged!'))
    told = pytest.raises(NotACampaign, match=r"row \d+ of the log is not what was written")
    with told, open_campaign(path) as campaign:
        log.events(campaign, "note")


@pytest.mark.parametrize("version", [0, schema.VERSION + 1, 0x31])
def test_a_campaign_of_another_version_is_refused_by_its_number_and_not_changed(
    path: Path, version: int
) -> None:
    plain(path, f"PRAGMA application_id = {schema.FAMILY << 8 | version}", "CREATE VIEW other AS SELECT 1")
    before = path.read_bytes()
    with refused(OtherSchema):
        open_campaign(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TRIGGER spy AFTER INSERT ON judgment BEGIN DELETE FROM member; END"],
        ["CREATE VIEW everything AS SELECT * FROM judgment"],
        ["DROP VIEW qrel"],
        ["DROP VIEW qrel", "CREATE VIEW qrel AS SELECT 1 AS topic, 2 AS document, 3 AS grade, 4 AS seq"],
        ["DROP TRIGGER judgment_is_never_updated"],
        [
            "DROP TRIGGER judgment_is_never_updated",
            "CREATE TRIGGER judgment_is_never_updated BEFORE UPDATE ON judgment BEGIN SELECT 1; END",
        ],
        ["DROP TRIGGER event_is_never_deleted", "CREATE VIEW event_is_never_deleted AS SELECT 1"],
        [
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_schema SET name = CAST(name AS BLOB) WHERE type = 'trigger'",
        ],
    ],
    ids="trigger|view|no view|other view|no trigger|other trigger|name taken|no name".split("|"),
)
def test_triggers_and_views_that_are_not_ours_are_refused(path: Path, statements: list[str]) -> None:
    plain(path, *statements)
    with refused(NotACampaign):
        open_campaign(path)


def test_a_backup_is_one_file_with_the_log_that_was_committed_and_the_mode_of_the_campaign(
    path: Path,
) -> None:
    path.chmod(0o640)
    with open_campaign(path) as campaign, open_campaign(path) as writer:
        note(campaign)
        head = log.head(campaign)
        with writer.write():
            log.append_event(writer.by("Olga", NOW), "note", {"word": "unfinished"})
            copy = backup(campaign, path.with_name("copy.db"))
    assert stat.S_IMODE(copy.stat().st_mode) == 0o640
    assert copy.read_bytes()[18:20] == b"\1\1"  # neither read nor written in WAL mode
    with open_campaign(copy) as opened, open_campaign(copy) as reader:
        assert (opened.name, log.head(opened), chain_holds(opened)) == ("copy", head, True)
        note(opened)
        with reader.snapshot():
            assert log.newest_seq(reader) == 2
            note(opened)
        assert log.newest_seq(reader) == 3
    assert sorted(file.name for file in path.parent.iterdir()) == ["copy.db", "robust.db"]


def test_a_backup_copies_some_pages_at_a_time_and_what_is_written_meanwhile_comes_after_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "PAGES_AT_ONCE", 5)
    copied: list[int] = []

    @contextmanager
    def judging(what: str, total: int) -> Iterator[Callable[[int], None]]:
        assert (what, total) == ("Copying", pages)
        yield further

    def further(pages: int) -> None:
        copied.append(pages)
        with open_campaign(path) as other, other.write():
            members.put(other.by("Anna"), f"Ben {len(copied)}", "assessor")

    with open_campaign(path) as campaign:
        (pages,) = campaign.db.conn.execute("PRAGMA page_count").fetchone()
        before = log.head(campaign)
        with observed_by(judging):
            copy = backup(campaign, path.with_name("copy.db"))
    assert (sum(copied), set(copied[:-1])) == (pages, {5})
    with open_campaign(copy) as opened:
        assert log.head(opened) == before
    with open_campaign(path) as campaign:
        assert len(members.all_members(campaign)) >= len(copied)
