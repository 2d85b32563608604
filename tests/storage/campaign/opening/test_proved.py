"""A large campaign that was found to be whole is not compared again while no byte of it changes, and else it is."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs
from tests.flipping import flip_the_head
from workbench.core.errors import DamagedCampaign
from workbench.release.audit.checks import audit
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.opening import damage, proved
from workbench.storage.campaign.opening.damage import LABELS, forget, require_undamaged

Comparisons = Callable[[], int]


@pytest.fixture
def large(small: Campaign, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign that counts as large, closed, and not known yet to be whole."""
    monkeypatch.setattr(damage, "LARGE", 0)
    small.close()
    forget(small.path)
    return small.path


@pytest.fixture
def comparisons(large: Path, monkeypatch: pytest.MonkeyPatch) -> Comparisons:
    """Opens the file as a new process does, and says how many comparisons that took."""
    done: list[object] = []
    compare = damage._before_reading

    def counted(campaign: Campaign, reads: damage.Reads) -> str | None:
        done.append(reads)
        return compare(campaign, reads)

    monkeypatch.setattr(damage, "_before_reading", counted)

    def opened() -> int:
        forget(large)
        done.clear()
        open_campaign(large).close()
        return len(done)

    return opened


def stamp(path: Path) -> Path:
    return path.with_name(f"{path.name}-proved")


def test_a_file_is_compared_once_while_its_bytes_are_the_same(large: Path, comparisons: Comparisons) -> None:
    assert [comparisons(), comparisons(), comparisons()] == [1, 0, 0]
    os.utime(large, (1, 1))
    assert comparisons() == 0


def test_what_is_written_is_compared_once_more(
    large: Path, comparisons: Comparisons, judging_as: JudgeAs
) -> None:
    assert comparisons() == 1
    with open_campaign(large) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
        assert large.with_name(f"{large.name}-wal").stat().st_size
        assert [comparisons(), comparisons()] == [1, 0]
    assert [comparisons(), comparisons()] == [1, 0]


def test_a_flipped_bit_is_found_and_said_each_time(large: Path, comparisons: Comparisons) -> None:
    assert comparisons() == 1
    flip_the_head(large)
    for _ in range(2):
        with pytest.raises(DamagedCampaign):
            comparisons()


@pytest.mark.parametrize("written", [b"", b"0" * 64, b"\xff", None])
def test_what_is_no_checksum_of_the_file_proves_nothing(
    large: Path, comparisons: Comparisons, written: bytes | None
) -> None:
    if written is None:
        stamp(large).mkdir()
        assert [comparisons(), comparisons()] == [1, 1]
        return
    stamp(large).write_bytes(written)
    assert [comparisons(), comparisons()] == [1, 0]


def test_another_version_of_the_workbench_compares_again(
    comparisons: Comparisons, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert comparisons() == 1
    monkeypatch.setattr(proved, "__version__", "0.0.1")
    assert [comparisons(), comparisons()] == [1, 0]


def test_a_file_with_a_journal_of_a_killed_process_is_compared(large: Path, comparisons: Comparisons) -> None:
    assert comparisons() == 1
    large.with_name(f"{large.name}-journal").write_bytes(b"rest")
    assert proved.checksum_of(large) == ""
    assert proved.is_proved(large, "") is False


def test_what_changes_while_it_is_compared_is_not_proved(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare = damage._before_reading

    def slow(campaign: Campaign, reads: damage.Reads) -> str | None:
        with closing(sqlite3.connect(large)) as other:
            other.execute("CREATE TABLE beside (x)")
            other.commit()
        return compare(campaign, reads)

    monkeypatch.setattr(damage, "_before_reading", slow)
    open_campaign(large).close()
    assert not stamp(large).exists()


def test_what_reads_labels_alone_proves_nothing_but_is_proved_by_the_whole(large: Path) -> None:
    with open_campaign(large, compare=False) as campaign:
        require_undamaged(campaign, LABELS)
        assert not stamp(large).exists()
        require_undamaged(campaign)
        assert stamp(large).exists()


def test_a_small_file_has_nothing_beside_it(small: Campaign) -> None:
    forget(small.path)
    open_campaign(small.path).close()
    assert not stamp(small.path).exists()


def test_the_audit_compares_a_file_that_was_proved(large: Path, comparisons: Comparisons) -> None:
    comparisons()
    with open_campaign(large, compare=False) as campaign:
        flip_the_head(large)
        stamp(large).write_text(proved.checksum_of(large))
        assert [finding for finding in audit(campaign) if finding.wrong]


def test_reading_the_bytes_leaves_the_locks_of_this_process(large: Path) -> None:
    with closing(sqlite3.connect(large, timeout=0)) as mine:
        mine.execute("PRAGMA journal_mode = DELETE")
        mine.execute("BEGIN EXCLUSIVE")
        assert proved.checksum_of(large)
        program = f"import sqlite3; sqlite3.connect({str(large)!r}, timeout=0).execute('BEGIN IMMEDIATE')"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        assert "database is locked" in done.stderr
