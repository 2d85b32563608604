"""The instance folder: names stand for files, and the secret stays one."""

from __future__ import annotations

import logging
import shlex
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.sentences import refused, says
from workbench.storage.instance import (
    InstanceError,
    Space,
    campaign_in,
    campaign_path,
    campaigns_in,
    command_name,
    instance_folder,
    network_file_system,
    secret_key,
)

MOUNTS = """\
/dev/vda / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
server:/home /home nfs4 rw,vers=4.2 0 0
/dev/sdb1 /home/local xfs rw 0 0
//files/my\\040share /mnt/my\\040share cifs rw 0 0
anna@host: /mnt/host fuse.sshfs rw 0 0
"""


def test_the_folder_is_made_for_its_owner_alone_and_one_that_is_there_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stat.S_IMODE(instance_folder(tmp_path / "new").stat().st_mode) == 0o700
    (tmp_path / "new").chmod(0o750)
    assert stat.S_IMODE(instance_folder(tmp_path / "new").stat().st_mode) == 0o750
    assert instance_folder(tmp_path / "a" / "b").is_dir()
    monkeypatch.chdir(tmp_path)
    assert instance_folder() == Path("instance")
    assert (tmp_path / "instance").is_dir()
    (tmp_path / "taken").write_text("")
    with refused(InstanceError, "taken"):
        instance_folder(tmp_path / "taken")


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("web-2.0", "inst/web-2.0.db"),
        ("robust", "inst/robust.db"),
        ("007", "inst/007.db"),
        ("日本語", "inst/日本語.db"),
        ("robust.db", "robust.db"),
        ("./robust", "robust"),
        ("old/robust", "old/robust"),
        ("/data/robust.db", "/data/robust.db"),
    ],
)
def test_a_bare_name_is_a_file_of_the_instance_and_a_path_is_a_path(name: str, path: str) -> None:
    assert campaign_path(name, Path("inst")) == Path(path)


@pytest.mark.parametrize(
    ("path", "called"),
    [
        ("instance/robust.db", "robust"),
        ("./instance/../instance/robust.db", "robust"),
        ("instance/two words.db", "'two words'"),
        ("instance/web-2.0.db", "web-2.0"),
        ("instance/a.b.db", "instance/a.b.db"),  # a.b would be a path
        ("robust.db", "robust.db"),
        ("other/two words.db", "'other/two words.db'"),
        ("instance/robust.wb", "instance/robust.wb"),
    ],
)
def test_a_command_finds_the_campaign_under_the_name_that_messages_give_it(
    path: str, called: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WORKBENCH_INSTANCE", raising=False)
    assert command_name(Path(path)) == called
    (word,) = shlex.split(called)
    assert campaign_path(word, Path("instance")).resolve() == Path(path).resolve()
    monkeypatch.setenv("WORKBENCH_INSTANCE", "other")
    assert shlex.split(command_name(Path("other/two words.db"))) == ["two words"]
    assert command_name(Path("instance/robust.db")) == "instance/robust.db"


@pytest.mark.parametrize("name", ["", "  ", ".", "..", "a\nb", "a\x00b"])
def test_what_names_no_file_is_refused(name: str) -> None:
    with refused(InstanceError):
        campaign_path(name, Path("inst"))


@pytest.mark.parametrize("name", ["accounts", "accounts.db", "other/accounts.db"])
def test_the_file_of_accounts_is_no_campaign(name: str) -> None:
    with pytest.raises(InstanceError, match="accounts"):
        campaign_path(name, Path("inst"))


def test_campaigns_are_listed_by_name_without_accounts_and_leftovers(tmp_path: Path) -> None:
    leftovers = ("accounts.db", "a.db-wal", "secret_key", "notes.txt", "a.before-restore.20261121T193123Z.db")
    for name in ("b.db", "a.db", "a.before-noon.db", "before-restore.db", *leftovers):
        (tmp_path / name).write_text("")
    (tmp_path / "folder.db").mkdir()
    found = [path.name for path in campaigns_in(tmp_path)]
    assert found == ["a.before-noon.db", "a.db", "b.db", "before-restore.db"]
    assert campaigns_in(tmp_path / "missing") == []


def test_a_campaign_is_found_by_its_name_as_in_the_list_and_nothing_else_is(tmp_path: Path) -> None:
    instance = tmp_path / "instance"
    instance.mkdir()
    aside = "a.before-restore.20261121T193123Z"
    for name in ("a.db", "accounts.db", f"{aside}.db", "notes.txt", "../outside.db"):
        (instance / name).touch()
    (instance / "folder.db").mkdir()
    assert campaign_in(instance, "a") == instance / "a.db"
    others = ["a\0", "a" * 300, "ä" * 200, "a" * 5000, "\ud800", *"|.|..|A|b".split("|")]
    for name in (*others, "accounts", aside, "notes", "folder", "../outside", "../instance/a"):
        assert campaign_in(instance, name) is None


def test_the_secret_is_made_once_random_and_for_its_owner_alone(tmp_path: Path) -> None:
    first = secret_key(tmp_path / "one")
    assert len(first) == 32
    assert secret_key(tmp_path / "one") == first
    assert secret_key(tmp_path / "two") != first
    assert stat.S_IMODE((tmp_path / "one" / "secret_key").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["secret_key"]


def test_servers_that_start_together_share_one_secret(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(lambda _: secret_key(tmp_path), range(32)))) == 1


def test_a_secret_that_others_can_read_is_closed_with_a_warning_and_a_damaged_one_refused(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    before = secret_key(tmp_path)
    (tmp_path / "secret_key").chmod(0o644)
    with caplog.at_level(logging.WARNING):
        assert secret_key(tmp_path) == before
    assert says(caplog.text)
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    (tmp_path / "secret_key").write_bytes(b"short")
    with refused(InstanceError, "secret_key"):
        secret_key(tmp_path)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/lib/instance", None),
        ("/home/anna/instance", "nfs4"),
        ("/home", "nfs4"),
        ("/homes/anna", None),
        ("/home/local/instance", None),
        ("/mnt/my share/instance", "cifs"),
        ("/mnt/host/instance", "fuse.sshfs"),
    ],
)
def test_a_network_file_system_is_seen(tmp_path: Path, path: str, kind: str | None) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNTS)
    assert network_file_system(Path(path), mounts=mounts) == kind
    assert network_file_system(Path(path), mounts=tmp_path / "missing") is None


@pytest.mark.parametrize(
    ("free", "size", "words"),
    [
        (3_100_000_000, 50_000_000_000, "3.1 GB of 50.0 GB are free (6 %)"),
        (2_000_000_000_000, 2_000_000_000_000, "2,000.0 GB of 2,000.0 GB are free (100 %)"),
        (0, 0, "0.0 GB of 0.0 GB are free (0 %)"),
    ],
)
def test_free_space_is_said_in_gigabytes_and_percent(free: int, size: int, words: str) -> None:
    assert str(Space("campaigns", free, size)) == words
