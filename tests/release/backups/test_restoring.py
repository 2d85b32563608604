"""Going back to a backup loses neither the backup nor the file that it replaces."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import tempfile
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pyotp import TOTP

from tests.fixture_types import JudgeAs, Submit
from tests.flipping import flip_the_head
from tests.sentences import refused, says
from workbench.campaign.assessing.storing import judge
from workbench.core.errors import CampaignError, CampaignUnavailable, NotACampaign, NotThere
from workbench.people.accounts import (
    AccountError,
    Accounts,
    add_account,
    begin_session,
    check_password,
    find_session,
    get_account,
    links,
    open_accounts,
    security_log,
    set_disabled,
    set_makes_campaigns,
    set_password,
)
from workbench.people.accounts import backup as backup_of_accounts
from workbench.people.accounts.account_restore import AccountDifferences
from workbench.people.accounts.second_factor import (
    recovery_codes_left,
    remove_second_factor,
    set_second_factor,
    use_code,
)
from workbench.people.members.password_links import make_reset
from workbench.release.audit.checks import audit
from workbench.release.backups.restoring import restore, restore_accounts
from workbench.storage.campaign import Campaign, backup, open_campaign
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log

NOW = datetime(2026, 3, 2, 8, 30, tzinfo=UTC)
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
ASIDE = "small.before-restore.20260302T083000Z.db"


@pytest.fixture
def path(small: Campaign, judging_as: JudgeAs, tmp_path: Path) -> Path:
    """The campaign with two judgments, closed; `backup.db` beside it has the first alone."""
    judging_as(small, "Ben", "1", "d1", 2)
    backup(small, tmp_path / "backup.db")
    judging_as(small, "Ben", "1", "d2", 0)
    small.close()
    return small.path


def judged(path: Path) -> list[tuple[str, int | None]]:
    with open_campaign(path) as campaign:
        return [(row.document_id, row.grade) for row in judgments.log(campaign)]


def beside(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir())


def test_the_backup_is_in_place_and_the_earlier_file_beside_it(path: Path, tmp_path: Path) -> None:
    restored = restore(tmp_path / "backup.db", path, now=NOW)
    assert judged(path) == [("d1", 2)]
    assert restored.aside == tmp_path / ASIDE
    assert judged(tmp_path / ASIDE) == [("d1", 2), ("d2", 0)]
    assert judged(tmp_path / "backup.db") == [("d1", 2)]
    with open_campaign(path) as campaign:
        assert restored.head == log.head(campaign)
    assert beside(path) == ["backup.db", ASIDE, "small.db"]
    path.unlink()
    (tmp_path / "backup.db").chmod(0o644)
    assert restore(tmp_path / "backup.db", path, now=NOW).aside is None
    assert judged(path) == [("d1", 2)]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_is_damaged_is_set_aside_as_it_is(path: Path, copy: Path, tmp_path: Path) -> None:
    path.write_bytes(b"\xff" * 5000)
    restore(tmp_path / "backup.db", path, now=NOW)
    assert (tmp_path / ASIDE).read_bytes() == b"\xff" * 5000
    assert judged(path) == [("d1", 2)]
    (tmp_path / "instance" / "accounts.db").write_bytes(b"\xff" * 5000)
    restored = restore_accounts(copy, tmp_path / "instance", now=NOW)
    assert restored.differences is None, "nothing is known of them"
    assert restored.aside is not None
    assert restored.aside.read_bytes() == b"\xff" * 5000


def test_a_damaged_backup_changes_nothing(path: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "backup.db", isolation_level=None)
    connection.execute("UPDATE document SET text = 'another' WHERE document = 'd1'")
    connection.close()
    before = beside(path)
    with pytest.raises(CampaignError) as refused:
        restore(tmp_path / "backup.db", path, now=NOW)
    assert says(str(refused.value))
    assert beside(path) == before
    assert judged(path) == [("d1", 2), ("d2", 0)]
    flip_the_head(tmp_path / "backup.db")  # such a file cannot even be opened
    with pytest.raises(CampaignError):
        restore(tmp_path / "backup.db", path, now=NOW)


def test_what_is_no_campaign_is_refused_under_its_own_name(path: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "other.db")
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    with refused(NotACampaign):
        restore(tmp_path / "other.db", path)
    with refused(NotThere):
        restore(tmp_path / "none.db", path)
    with refused(CampaignError):
        restore(path, path)
    with pytest.raises(CampaignError, match="mkdir -p "):
        restore(tmp_path / "backup.db", tmp_path / "none" / "small.db")
    assert beside(path) == ["backup.db", "other.db", "small.db"]


def test_a_campaign_that_is_open_is_left_alone(path: Path, tmp_path: Path) -> None:
    with open_campaign(path) as campaign:
        with campaign.snapshot():
            list(judgments.each_of_view_of_qrels(campaign))
        with pytest.raises(CampaignUnavailable, match="stop the server"):
            restore(tmp_path / "backup.db", path)
    assert judged(path) == [("d1", 2), ("d2", 0)]


def test_the_log_of_a_killed_server_stays_with_the_earlier_file(path: Path, tmp_path: Path) -> None:
    with open_campaign(path) as campaign:
        with campaign.write():
            campaign.db.execute("UPDATE topic SET narrative = 'new'")
        left = [shutil.copy(f"{path}{end}", f"{tmp_path}/kept{end}") for end in ("", "-wal")]
    for file, end in zip(left, ("", "-wal"), strict=True):
        Path(file).replace(f"{path}{end}")
    restore(tmp_path / "backup.db", path, now=NOW)
    with open_campaign(tmp_path / ASIDE, compare=False) as aside:
        assert aside.db.execute("SELECT DISTINCT narrative FROM topic").fetchall() == [("new",)]
    assert judged(path) == [("d1", 2)]


def test_a_backup_taken_while_judgments_are_written_holds_and_is_restored(
    small: Campaign, submit: Submit, tmp_path: Path
) -> None:
    done, begun = threading.Event(), threading.Event()
    written: list[tuple[str, int | None]] = []

    def judge_on() -> None:
        with open_campaign(small.path) as campaign:
            while not done.is_set() or len(written) < 10:
                grade = len(written) % 3
                minute = NOW + timedelta(minutes=len(written))  # one pair, as often as the pace allows
                judge(campaign, submit(campaign, "Ben", "1", "d1", grade), assessor="Ben", now=minute)
                written.append(("d1", grade))
                if len(written) == 5:
                    begun.set()

    writer = threading.Thread(target=judge_on)
    writer.start()
    assert begun.wait(60)
    acknowledged = len(written)
    backup(small, tmp_path / "backup.db")
    done.set()
    writer.join()
    small.close()
    with open_campaign(tmp_path / "backup.db") as copy:
        assert [finding.wrong for finding in audit(copy) if finding.wrong] == []
    restore(tmp_path / "backup.db", small.path)
    held = judged(small.path)
    assert len(held) >= acknowledged
    assert held == written[: len(held)]


PASSWORD, LATER_PASSWORD = "a long enough one", "another long one"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The accounts of the folder `instance` as they were before Anna's link was used and Ben was shut."""
    instance, target = tmp_path / "instance", tmp_path / "accounts.auto.20260301T120000Z.db"
    instance.mkdir()
    with open_accounts(instance) as accounts:
        for name in ("Anna", "Ben"):
            add_account(accounts.at(NOW), name, PASSWORD)
        set_makes_campaigns(accounts.at(NOW), "Ben", makes=True)
        token = make_reset(accounts.at(NOW), "Anna")
        backup_of_accounts(accounts, target)
        with accounts.write():
            link = links.find_link(accounts.at(NOW), token, "reset")
            links.put_used(accounts.at(NOW), link, name="Anna")
        set_password(accounts.at(NOW), "Anna", LATER_PASSWORD)
        set_disabled(accounts.at(NOW), "Ben", disabled=True)
        set_makes_campaigns(accounts.at(NOW), "Ben", makes=False)
        add_account(accounts.at(NOW), "Cleo", PASSWORD)
    return target


def test_accounts_come_back_without_the_links_and_sessions_that_were_open_then(
    copy: Path, tmp_path: Path
) -> None:
    with open_accounts_of(copy) as then:
        token = begin_session(then.at(NOW), "Anna")
    shutil.copy(then.path, copy)
    with open_accounts_of(copy) as again:
        assert find_session(again.at(NOW), token) is not None, "the backup holds no session to be ended"
    restored = restore_accounts(copy, tmp_path / "instance", now=NOW)
    assert stat.S_IMODE((tmp_path / "instance" / "accounts.db").stat().st_mode) == 0o600
    with open_accounts(tmp_path / "instance") as accounts:
        assert find_session(accounts.at(NOW), token) is None
        assert check_password(accounts, "Anna", PASSWORD) is not None
        assert [link.state(NOW) for link in links.resets_of(accounts, "Anna")] == ["withdrawn"]
        assert security_log.acts(accounts)[-1][2:] == ("accounts restored", "", "", "terminal", copy.name)
    assert restored.withdrawn == 1


def test_what_older_accounts_know_otherwise_is_reported_and_the_earlier_file_is_kept(
    copy: Path, tmp_path: Path
) -> None:
    instance = tmp_path / "instance"
    before = copy.read_bytes()
    restored = restore_accounts(copy, instance, now=NOW)
    assert restored.differences == AccountDifferences(
        shut=("Ben",), forbidden=("Ben",), other_password=("Anna",), newer=("Cleo",)
    )
    assert restored.aside == instance / "accounts.before-restore.20260302T083000Z.db"
    assert says("\n".join(beside(instance / "accounts.db")))
    assert stat.S_IMODE((instance / "accounts.db").stat().st_mode) == 0o600
    assert copy.read_bytes() == before


def test_used_recovery_codes_and_earlier_second_factors_do_not_come_back_unsaid(tmp_path: Path) -> None:
    instance, target = tmp_path / "instance", tmp_path / "then.db"
    instance.mkdir()
    by, codes = ("Anna", "192.0.2.1"), {}
    with open_accounts(instance) as accounts:
        for name in ("Anna", "Ben", "Cleo"):
            add_account(accounts.at(NOW), name, PASSWORD)
        for name in ("Anna", "Cleo"):
            codes[name] = set_second_factor(accounts.by(*by).at(NOW), name, SECRET, TOTP(SECRET).at(NOW))
        backup_of_accounts(accounts, target)
        assert use_code(accounts.by(*by).at(NOW), "Anna", codes["Anna"][0])
        remove_second_factor(accounts.by(*by).at(NOW), "Anna")
        set_second_factor(accounts.by(*by).at(NOW), "Ben", SECRET, TOTP(SECRET).at(NOW))
    restored = restore_accounts(target, instance, now=NOW)
    assert restored.differences == AccountDifferences(second_factor=("Anna", "Ben"))
    with open_accounts(instance) as accounts:
        assert not use_code(accounts.by(*by).at(NOW), "Anna", codes["Anna"][0])
        assert [recovery_codes_left(accounts, name) for name in codes] == [0, 0]


def test_accounts_that_are_in_use_are_not_replaced_also_after_they_were_restored(
    copy: Path, tmp_path: Path
) -> None:
    instance = tmp_path / "instance"
    for _ in range(2):
        with open_accounts(instance) as accounts:
            assert get_account(accounts, "Anna")
            with pytest.raises(CampaignUnavailable, match="stop the server"):
                restore_accounts(copy, instance, now=NOW)
        (instance / "accounts.db").unlink()
        assert restore_accounts(copy, instance, now=NOW).aside is None


def test_what_is_no_whole_file_of_accounts_does_not_take_their_place(
    small: Campaign, copy: Path, tmp_path: Path
) -> None:
    instance = tmp_path / "instance"
    before = beside(instance / "accounts.db")
    (tmp_path / "cut.db").write_bytes(copy.read_bytes()[:-8192])
    (tmp_path / "text.db").write_text("Dear organiser, these are no accounts.\n" * 200)
    for file, said in {
        small.path: "small.db: a database, but not a file of accounts",
        tmp_path / "cut.db": r"cut\.db: ",
        tmp_path / "text.db": r"text\.db: cannot be copied as a database",
        tmp_path / "none.db": r"none\.db: this file does not exist",
        instance / "accounts.db": "this is the file itself",
    }.items():
        with pytest.raises((AccountError, CampaignError, NotThere), match=said):
            restore_accounts(file, instance)
    assert beside(instance / "accounts.db") == before
    with open_accounts(instance) as accounts:
        assert check_password(accounts, "Anna", LATER_PASSWORD) is not None


def test_poisoned_accounts_do_not_take_the_place_of_others_and_their_trigger_never_runs(
    copy: Path, tmp_path: Path
) -> None:
    instance = tmp_path / "instance"
    with closing(sqlite3.connect(copy)) as poisoned:
        poisoned.executescript(
            "CREATE TRIGGER bad AFTER DELETE ON session BEGIN UPDATE account SET makes_campaigns = 1; END"
        )
    before = beside(instance / "accounts.db")
    with refused(AccountError):
        restore_accounts(copy, instance, now=NOW)
    assert beside(instance / "accounts.db") == before
    with open_accounts(instance) as accounts:
        assert not get_account(accounts, "Anna").makes_campaigns


def open_accounts_of(file: Path) -> Accounts:
    folder = Path(tempfile.mkdtemp(dir=file.parent))
    shutil.copy(file, folder / "accounts.db")
    return open_accounts(folder)


def test_nothing_takes_the_place_of_what_is_no_file(path: Path, tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    with refused(CampaignError):
        restore(tmp_path / "backup.db", tmp_path / "folder.db")
    assert list((tmp_path / "folder.db").iterdir()) == []
