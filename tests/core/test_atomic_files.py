"""A file has its name whole or not at all; what killed processes left is removed, and never what a living one has."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.sentences import refused, says
from workbench.campaign.new_campaign import new_campaign
from workbench.core import atomic_files
from workbench.core.atomic_files import drafting, name_new, remove_abandoned, scratch_folder, sync
from workbench.core.errors import CampaignBeingCreated
from workbench.storage.campaign import create_campaign, open_campaign
from workbench.storage.campaign.file.replacing import put_in_place, replacement, tidy
from workbench.storage.campaign.people import members

MAKES = """
import sys
from pathlib import Path
from workbench.core.atomic_files import drafting
with drafting(Path(sys.argv[1])) as draft:
    draft.write_text("half")
    print("making", flush=True)
    sys.stdin.read()
"""


def beside(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_draft_lies_beside_its_file_for_its_owner_alone_and_is_gone_afterwards(tmp_path: Path) -> None:
    with drafting(tmp_path / "a.db") as draft:
        assert draft == tmp_path / ".a.db.workbench-draft" / "a.db"
        assert draft.parent.stat().st_mode & 0o777 == 0o700
        for name in (draft.name, "a.db-wal"):
            (draft.parent / name).write_text("half")
    assert beside(tmp_path) == []


def test_what_another_process_is_making_is_left_to_it_and_removed_once_it_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic_files, "PATIENCE", 0.0)
    command = [sys.executable, "-c", MAKES, str(tmp_path / "a.db")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "making\n"
        remove_abandoned(tmp_path)
        assert (tmp_path / ".a.db.workbench-draft" / "a.db").read_text() == "half"
        with refused(CampaignBeingCreated):
            drafting(tmp_path / "a.db").__enter__()
        process.kill()
        process.wait()
    assert beside(tmp_path) == [".a.db.workbench-draft"]
    remove_abandoned(tmp_path)
    assert beside(tmp_path) == []


def test_of_those_who_wait_for_one_another_each_makes_its_file_alone(tmp_path: Path) -> None:
    def make(number: int) -> None:
        with drafting(tmp_path / "a", wait=True) as draft:
            with draft.open("x") as file:
                file.write(str(number))
            atomic_files.put_over(draft, tmp_path / "a")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(make, range(12)))
    assert beside(tmp_path) == ["a"]
    assert int((tmp_path / "a").read_text()) in range(12)


def test_a_folder_of_another_user_or_a_link_is_not_used_and_not_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "dear").touch()
    (tmp_path / ".a.workbench-draft").symlink_to("elsewhere")
    remove_abandoned(tmp_path)
    with pytest.raises(OSError, match=r"\.a\.workbench-draft"):
        drafting(tmp_path / "a").__enter__()
    (tmp_path / ".b.workbench-draft").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    remove_abandoned(tmp_path)
    with refused(PermissionError):
        drafting(tmp_path / "b").__enter__()
    assert beside(tmp_path) == [".a.workbench-draft", ".b.workbench-draft", "elsewhere"]
    assert beside(tmp_path / "elsewhere") == ["dear"]


def test_two_long_names_that_begin_alike_have_drafts_of_their_own(tmp_path: Path) -> None:
    with drafting(tmp_path / f"{'a' * 201}b") as one, drafting(tmp_path / f"{'a' * 201}c") as other:
        assert one.parent != other.parent
        assert len(one.parent.name) == 1 + 100 + 1 + 16 + len(atomic_files.ENDING)
    with drafting(tmp_path / ("é" * 127)) as draft:  # the longest name
        draft.write_text("whole")
        name_new(draft, tmp_path / draft.name)
    assert beside(tmp_path) == ["é" * 127]
    with drafting(tmp_path / ("a" * 200)) as draft:
        assert draft.parent.name == f".{'a' * 200}{atomic_files.ENDING}"


def test_a_folder_that_goes_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open

    def goes(path: Path, flags: int) -> int:
        monkeypatch.setattr(os, "open", opened)
        path.rmdir()
        return opened(path, flags)

    monkeypatch.setattr(os, "open", goes)
    with drafting(tmp_path / "a") as draft:
        assert draft.parent.is_dir()


@pytest.mark.parametrize("links", [True, False])
def test_what_appeared_meanwhile_is_never_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(errno.EPERM, "not permitted")

    if not links:
        monkeypatch.setattr(os, "link", no_links)
    with drafting(tmp_path / "a") as draft:
        draft.write_text("mine")
        name_new(draft, tmp_path / "b")
        draft.write_text("mine")
        (tmp_path / "a").symlink_to("nothing")
        with pytest.raises(FileExistsError):
            name_new(draft, tmp_path / "a")
    assert beside(tmp_path) == ["a", "b"]


def test_a_disk_without_locks_has_drafts_that_nobody_removes_but_their_makers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr("fcntl.flock", no_locks)
    with drafting(tmp_path / "a") as draft:
        draft.write_text("whole")
        with pytest.raises(OSError, match="no locks"):
            drafting(tmp_path / "a").__enter__()
        remove_abandoned(tmp_path)
        name_new(draft, tmp_path / "a")
    assert beside(tmp_path) == ["a"]


def test_a_scratch_folder_removes_those_that_were_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "workbench-0123.workbench-draft").mkdir()
    (tmp_path / "workbench-of-mine").mkdir()
    with scratch_folder() as one, scratch_folder() as other:
        assert beside(tmp_path) == sorted([one.name, other.name, "workbench-of-mine"])
    assert beside(tmp_path) == ["workbench-of-mine"]


def test_a_log_left_by_a_file_that_is_gone_is_not_read_into_a_new_campaign_of_its_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "a.db"
    with new_campaign(path, title="Old", actor="Olga") as campaign, campaign.write():
        members.put(campaign.by("Olga"), "Anna", "assessor")
    with open_campaign(path) as campaign:
        with campaign.write():
            members.put(campaign.by("Olga"), "Ben", "assessor")
        shutil.copy(f"{path}-wal", tmp_path / "kept")
    path.unlink()
    (tmp_path / "kept").rename(f"{path}-wal")
    with new_campaign(path, title="New", actor="Olga") as campaign:
        assert members.all_members(campaign) == {}
    assert says(caplog.text)


def test_a_restore_that_was_killed_between_its_two_names_is_undone_by_the_next_start(tmp_path: Path) -> None:
    path, aside = tmp_path / "a.db", tmp_path / "a.before-restore.20260301T120000Z.db"
    earlier = tmp_path / "a.before-restore.20260201T120000Z.db"
    for each in (path, earlier):
        create_campaign(each).close()
    os.link(path, aside)
    with replacement(tmp_path / "b.db"):  # of another campaign: this one is not its business
        assert aside.exists()
    tidy(tmp_path)
    assert set(beside(tmp_path)) == {"a.db", earlier.name}
    os.link(path, aside)
    with replacement(path) as draft:
        create_campaign(draft).close()
        assert set(beside(tmp_path)) == {".a.db.workbench-draft", "a.db", earlier.name}
        os.link(path, aside)
        tidy(tmp_path)  # of a server that starts meanwhile
        assert aside.exists()
        aside.unlink()
        put_in_place(draft, path, aside)
    assert set(beside(tmp_path)) == {"a.db", earlier.name, aside.name}


def test_what_cannot_be_put_on_the_disk_is_an_error_but_for_the_names_in_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: int) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    (tmp_path / "a").write_text("x")
    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match="Invalid argument"):
        sync(tmp_path / "a")
    sync(tmp_path)


@pytest.mark.parametrize("locks", [True, False])
def test_what_was_left_in_the_folder_of_a_draft_goes_and_nothing_that_a_link_leads_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locks: bool
) -> None:
    if not locks:  # then folders of dead processes stay, until one of them is needed again
        monkeypatch.setattr(atomic_files, "fcntl", None)
    path = tmp_path / "a.db"
    with drafting(path) as draft:
        folder = draft.parent
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "kept").write_text("x")
    folder.mkdir(mode=0o700)
    (folder / "half").write_text("x")
    (folder / "more" / "of it").mkdir(parents=True)
    (folder / "link").symlink_to(tmp_path / "other")
    with drafting(path) as draft:
        assert draft.parent == folder
        assert list(folder.iterdir()) == []
    assert (tmp_path / "other" / "kept").read_text() == "x"
