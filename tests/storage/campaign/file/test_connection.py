"""Campaign files are read by many and written by one at a time; what is not committed leaves nothing."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.log_rows import chain_holds, note
from tests.sentences import refused, says
from workbench.core.errors import CampaignBusy, CampaignReadOnly, CampaignUnavailable, NotACampaign
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.grades.labels import qrels
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import GENESIS
from workbench.storage.campaign.organising import settings

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def test_a_reader_needs_no_right_to_write_and_sees_nothing_before_its_end(path: Path) -> None:
    with open_campaign(path) as writer, writer.write(), open_campaign(path) as reader:
        assert (settings.read(reader).title, qrels(reader)) == ("robust", [])
        log.append_event(writer.by("Olga", NOW), "note", {})
        assert log.newest_seq(reader) == 0
    with open_campaign(path) as writer, open_campaign(path) as reader:
        with reader.snapshot():
            assert log.newest_seq(reader) == 1
            note(writer)
            with reader.snapshot():
                assert log.newest_seq(reader) == 1
        assert log.newest_seq(reader) == 2


def test_an_error_leaves_nothing_of_its_transaction(path: Path) -> None:
    with open_campaign(path) as campaign:

        def fail() -> None:
            with campaign.write():
                log.append_event(campaign.by("Olga", NOW), "note", {})
                settings.change(campaign.by("Olga", NOW), {"title": "half"})
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            fail()
        assert log.head(campaign) == (0, GENESIS)
        assert settings.said(campaign) == {}
        note(campaign)
        assert log.newest_seq(campaign) == 1


def _note_many(path: Path, times: int) -> None:
    with open_campaign(path) as campaign:
        for _ in range(times):
            note(campaign)


@pytest.mark.parametrize("kind", [threading.Thread, multiprocessing.get_context("fork").Process])
def test_writers_in_threads_and_processes_wait_for_one_another(path: Path, kind: Any) -> None:
    writers = [kind(target=_note_many, args=(path, 10)) for _ in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    with open_campaign(path) as campaign:
        assert log.newest_seq(campaign) == 20
        assert chain_holds(campaign)


def test_a_writer_that_waits_in_vain_is_told_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_campaign(path) as writer, writer.write():
        monkeypatch.setattr("workbench.storage.campaign.opening.opening.BUSY_SECONDS", 0.05)
        with open_campaign(path) as other, refused(CampaignBusy):
            note(other)


def test_a_clean_close_leaves_one_file_and_what_is_no_damage_passes_as_it_is(path: Path) -> None:
    with open_campaign(path) as campaign:
        note(campaign)
        rows = campaign.db.conn.execute("SELECT seq FROM event")
        next(rows)
        assert len(list(path.parent.iterdir())) > 1
    assert list(path.parent.iterdir()) == [path]
    with pytest.raises(KeyError), open_campaign(path):
        raise KeyError("ours")


def test_damage_that_reading_comes_upon_is_reported_in_words_when_the_campaign_is_closed(path: Path) -> None:
    with closing(sqlite3.connect(path)) as plainly:
        (page,) = plainly.execute("SELECT rootpage FROM sqlite_master WHERE name = 'pooled'").fetchone()
    data = bytearray(path.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    path.write_bytes(data)
    told = pytest.raises(NotACampaign, match=r"damaged \(.*go back to a backup")
    with told, open_campaign(path) as campaign:
        campaign.db.conn.execute("SELECT * FROM pooled").fetchall()


WRITE_FOR_EVER = """
import sys
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.kinds import kind

kind("note", "nothing", any_field=True)
campaign = open_campaign(sys.argv[1])
while True:
    with campaign.write():
        for word in ("first", "second"):
            log.append_event(campaign.by("Olga"), "note", {"word": word})
    sys.stdout.write("committed\\n")
    sys.stdout.flush()
"""


def test_a_writer_that_is_killed_loses_only_what_it_had_not_committed(path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITE_FOR_EVER, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for _ in range(5):
            process.stdout.readline()
        process.kill()
        committed = 5 + len(process.stdout.read().splitlines())
    with open_campaign(path) as campaign:
        assert chain_holds(campaign)
        words = [event.content["word"] for event in log.events(campaign)]
        assert words == ["first", "second"] * (len(words) // 2)
        assert len(words) // 2 >= committed
        note(campaign)


def test_a_copy_of_the_file_and_its_log_taken_in_the_middle_of_a_transaction_is_whole(path: Path) -> None:
    with open_campaign(path) as campaign:
        note(campaign)
        with campaign.write():
            log.append_event(campaign.by("Olga", NOW), "note", {"word": "unfinished"})
            folder = path.parent / "crash"
            folder.mkdir()
            for file in (path, path.with_name("robust.db-wal")):
                shutil.copyfile(file, folder / file.name)
    with open_campaign(path.parent / "crash" / "robust.db") as again:
        assert log.newest_seq(again) == 1


def test_a_full_disk_is_explained(path: Path) -> None:
    with open_campaign(path) as campaign:
        (pages,) = campaign.db.execute("PRAGMA page_count").fetchone()
        campaign.db.execute(f"PRAGMA max_page_count = {pages}")
        with refused(CampaignUnavailable):
            note(campaign, ["x" * 1_000] * 100)
        assert log.newest_seq(campaign) == 0


def test_a_writer_to_a_file_that_may_only_be_read_is_told_so(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def access(place: Path | str, mode: int) -> bool:
        return not (Path(place) == path and mode & os.W_OK)

    with open_campaign(path) as campaign:
        campaign.refuse_writes()  # as SQLite does where it could open a file for reading alone
        monkeypatch.setattr(os, "access", access)
        with refused(CampaignReadOnly):
            note(campaign)


def test_a_damaged_campaign_is_named_with_the_way_back_that_finds_it(small: Campaign) -> None:
    said = str(small.damaged("page 3"))
    assert says(said)
    assert "workbench campaign restore small BACKUP" in str(small.with_bare_name().damaged("page 3"))
