"""One file takes the place of another whole, and neither is lost."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sentences import refused, says
from workbench.core.errors import CampaignBeingCreated, CampaignError, CampaignUnavailable, NotThere
from workbench.storage.campaign import backup, create_campaign, open_campaign
from workbench.storage.campaign.file.replacing import (
    BEFORE_RESTORE,
    copy_as_it_is,
    fold,
    put_in_place,
    put_over_unused,
    replacement,
    tidy,
    whole_file,
)
from workbench.storage.campaign.people import members

HOLDS = """
import sys
from workbench.storage.campaign import open_campaign
campaign = open_campaign(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with create_campaign(tmp_path / "a.db") as campaign, campaign.write():
        members.put(campaign.by("Anna"), "Anna", "assessor")
    return tmp_path / "a.db"


def names_in(path: Path) -> list[str]:
    with open_campaign(path) as campaign:
        return list(members.all_members(campaign))


def beside(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir())


def test_a_copy_has_what_is_still_in_the_log_of_a_file_in_use(path: Path, tmp_path: Path) -> None:
    with open_campaign(path) as campaign:
        with campaign.write():
            members.put(campaign.by("Anna"), "Ben", "assessor")
        copy_as_it_is(path, tmp_path / "copy.db")
        assert names_in(tmp_path / "copy.db") == ["Anna", "Ben"]


def test_what_is_copied_stays_as_it_is(path: Path, tmp_path: Path) -> None:
    with open_campaign(path) as campaign:
        copy = backup(campaign, tmp_path / "backup.db")
    before = copy.read_bytes()
    copy_as_it_is(copy, tmp_path / "copy.db")
    assert copy.read_bytes() == before
    assert beside(path) == ["a.db", "backup.db", "copy.db"]
    copy_as_it_is(shutil.copy(path, tmp_path / "plain.db"), tmp_path / "other.db")
    assert names_in(tmp_path / "other.db") == ["Anna"]


def test_a_file_that_is_missing_or_no_database_is_not_copied(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("a text that is longer than a header\n" * 40)
    with refused(NotThere):
        copy_as_it_is(tmp_path / "none.db", tmp_path / "copy.db")
    with refused(CampaignError):
        copy_as_it_is(tmp_path / "notes.txt", tmp_path / "copy.db")
    assert not fold(tmp_path / "notes.txt")


def test_a_campaign_that_another_process_has_open_is_not_folded(path: Path) -> None:
    command = [sys.executable, "-c", HOLDS, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        with refused(CampaignUnavailable):
            fold(path)
        process.communicate("")
    assert fold(path)


def test_the_log_of_a_killed_process_is_folded_into_its_file(path: Path, tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    killed.mkdir()
    with open_campaign(path) as campaign:
        with campaign.write():
            members.put(campaign.by("Anna"), "Ben", "assessor")
        for file in (path, Path(f"{path}-wal")):
            shutil.copy(file, killed)
    assert fold(killed / "a.db")
    assert beside(killed / "a.db") == ["a.db"]
    assert names_in(killed / "a.db") == ["Anna", "Ben"]


def test_the_earlier_file_gets_another_name_and_its_mode_stays_at_the_place(
    path: Path, tmp_path: Path
) -> None:
    create_campaign(tmp_path / "draft").close()
    path.chmod(0o640)
    before = path.read_bytes()
    assert put_in_place(tmp_path / "draft", path, tmp_path / "aside.db")
    assert (tmp_path / "aside.db").read_bytes() == before
    assert names_in(path) == []
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert beside(path) == ["a.db", "aside.db"]


def test_a_log_that_could_not_be_folded_goes_with_its_file(path: Path, tmp_path: Path) -> None:
    create_campaign(tmp_path / "draft").close()
    (tmp_path / "a.db-wal").write_text("a log")
    (tmp_path / "a.db-shm").write_text("its index")
    put_in_place(tmp_path / "draft", path, tmp_path / "aside.db")
    assert beside(path) == ["a.db", "aside.db", "aside.db-wal"]


@pytest.mark.parametrize("links", [True, False])
def test_what_has_the_other_name_already_is_never_replaced_also_on_a_disk_without_second_names(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(errno.EPERM, "not permitted")

    if not links:
        monkeypatch.setattr(os, "link", no_links)
    create_campaign(tmp_path / "draft").close()
    before = path.read_bytes()
    put_in_place(tmp_path / "draft", path, tmp_path / "aside.db")
    assert (tmp_path / "aside.db").read_bytes() == before
    assert names_in(path) == []
    create_campaign(tmp_path / "draft").close()
    with pytest.raises(CampaignError, match=r"aside\.db: already exists"):
        put_in_place(tmp_path / "draft", path, tmp_path / "aside.db")
    assert (names_in(path), (tmp_path / "aside.db").read_bytes()) == ([], before)


def test_without_an_earlier_file_nothing_is_set_aside(tmp_path: Path) -> None:
    create_campaign(tmp_path / "draft").close()
    assert not put_in_place(tmp_path / "draft", tmp_path / "a.db", tmp_path / "aside.db")
    connection = sqlite3.connect(tmp_path / "a.db")
    assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
    connection.close()
    assert beside(tmp_path / "a.db") == ["a.db"]


WAY_OUT = "choose another name"


def test_a_new_file_has_its_name_when_it_is_whole_and_leaves_nothing_when_it_is_not(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with pytest.raises(CampaignError) as caught, whole_file(path, WAY_OUT) as draft:
        draft.write_text("half")
        raise CampaignError(f"{draft}: the disk is full")
    assert says(str(caught.value)), "the name of the draft is nobody's concern"
    with pytest.raises(CampaignError, match=r"^a reason without a name$"), whole_file(path, WAY_OUT):
        raise CampaignError("a reason without a name")
    assert beside(path) == []
    with whole_file(path, WAY_OUT) as draft:
        draft.write_text("whole")
    assert (beside(path), path.read_text()) == (["a.db"], "whole")
    with pytest.raises(CampaignError, match=f"already exists; {WAY_OUT}"), whole_file(path, WAY_OUT):
        pytest.fail("there is a file")
    assert path.read_text() == "whole"


@pytest.mark.parametrize(
    ("function", "error", "kind", "said"),
    [
        (
            "drafting",
            CampaignBeingCreated("another one makes it"),
            CampaignUnavailable,
            "another one makes it",
        ),
        (
            "drafting",
            OSError(errno.ENOSPC, "No space left"),
            CampaignError,
            "cannot be created: No space left",
        ),
        ("drafting", FileNotFoundError(), NotThere, "does not exist; make it first: mkdir -p "),
        (
            "name_new",
            OSError(errno.EIO, "Input/output error"),
            CampaignError,
            "cannot be created: Input/output error",
        ),
        ("name_new", FileExistsError(), CampaignError, f"already exists; {WAY_OUT}"),
    ],
)
def test_a_file_that_cannot_be_made_says_why_and_nothing_is_left(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    function: str,
    error: Exception,
    kind: type[Exception],
    said: str,
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(f"workbench.storage.campaign.file.replacing.{function}", fails)
    with pytest.raises(kind, match=said), whole_file(tmp_path / "a.db", WAY_OUT) as draft:
        draft.write_text("whole")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (CampaignBeingCreated("another one makes it"), CampaignUnavailable, "another one makes it"),
        (
            OSError(errno.EROFS, "Read-only file system"),
            CampaignError,
            "cannot be replaced: Read-only file system",
        ),
    ],
)
def test_a_file_that_cannot_be_replaced_says_why(
    path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, kind: type[Exception], said: str
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr("workbench.storage.campaign.file.replacing.drafting", fails)
    with pytest.raises(kind, match=said), replacement(path):
        pytest.fail("nothing can be made ready")
    assert names_in(path) == ["Anna"]


def test_a_second_name_that_a_killed_process_left_goes_and_the_log_comes_back_to_its_file(
    path: Path, tmp_path: Path
) -> None:
    aside = tmp_path / f"a{BEFORE_RESTORE}20260301T120000Z.db"
    os.link(path, aside)
    aside.with_name(f"{aside.name}-wal").write_bytes(b"log")
    other = tmp_path / f"a{BEFORE_RESTORE}20260228T120000Z.db"
    other.write_bytes(b"an earlier file")
    tidy(tmp_path)
    assert says("\n".join(beside(path)))
    assert (tmp_path / "a.db-wal").read_bytes() == b"log"
    os.link(path, aside)
    aside.with_name(f"{aside.name}-wal").write_bytes(b"older")
    tidy(tmp_path)
    assert (tmp_path / "a.db-wal").read_bytes() == b"log", "a log that the file has is not replaced"
    assert not aside.exists()


def test_what_a_damaged_file_left_beside_it_is_not_read_into_the_one_in_its_place(
    path: Path, tmp_path: Path
) -> None:
    shutil.copy(path, tmp_path / "draft")
    path.write_bytes(b"damaged" * 1000)
    for end in ("-wal", "-shm", "-journal"):
        path.with_name(f"{path.name}{end}").write_bytes(b"of the damaged file")
    put_over_unused(tmp_path / "draft", path)
    assert beside(path) == ["a.db"]
    assert names_in(path) == ["Anna"]


def test_a_sound_file_that_nobody_has_open_is_put_over_and_one_that_is_open_is_not(
    path: Path, tmp_path: Path
) -> None:
    create_campaign(tmp_path / "new.db").close()
    with open_campaign(path) as campaign:
        names_in(path)
        with campaign.write():
            members.put(campaign.by("Anna"), "Ben", "assessor")
        with refused(CampaignUnavailable):
            put_over_unused(tmp_path / "new.db", path)
    assert names_in(path) == ["Anna", "Ben"]
    put_over_unused(tmp_path / "new.db", path)
    assert names_in(path) == []
    assert beside(path) == ["a.db"]
