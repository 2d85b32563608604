"""What an import of labels changes: nothing that was judged here, nothing in silence, all of it or nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.judged_pairs import judge_as
from tests.log_rows import row
from tests.sentences import refused
from workbench.campaign.ingest import add_qrels
from workbench.campaign.ingest.qrels import ChangedLabel
from workbench.core.errors import CampaignError
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.log import log


@pytest.fixture
def qrels(tmp_path: Path) -> Callable[..., str]:
    def write(*lines: str) -> str:
        (tmp_path / "q").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return str(tmp_path / "q")

    return write


def label(campaign: Campaign) -> int | None:
    return labels.label_of(campaign, "1", "d1")


def test_an_import_leaves_a_grade_that_was_given_here_and_says_so(
    small: Campaign, qrels: Callable[..., str]
) -> None:
    judge_as(small, "Ann", "1", "d1", 1)
    before = score_campaign(small, ["AP"]).rows
    added = add_qrels(small.by("Olga"), [qrels("1 0 d1 0")], assessor="llm")
    assert (label(small), score_campaign(small, ["AP"]).rows) == (1, before)
    assert (added.judgments, added.changed, added.first_labels, added.not_in_force) == (1, (), 0, 1)


def test_a_dry_run_says_what_the_import_then_does_and_changes_nothing(
    small: Campaign, qrels: Callable[..., str]
) -> None:
    add_qrels(small.by("Olga"), [qrels("1 0 d1 2", "1 0 d2 0")], assessor="NIST")
    path = qrels("1 0 d1 0", "1 0 d2 0", "1 0 elsewhere 1")
    before = list(small.db.conn.iterdump())
    trial = add_qrels(small.by("Olga"), [path], assessor="LDC", dry_run=True)
    assert list(small.db.conn.iterdump()) == before
    assert trial.changed == (ChangedLabel("1", "d1", 2, 0),)
    assert (trial.judgments, trial.first_labels, trial.not_in_force) == (3, 1, 0)
    assert add_qrels(small.by("Olga"), [path], assessor="LDC") == trial


@pytest.mark.parametrize("kind", ["grade", "norming", "model"])
def test_a_name_has_one_source(small: Campaign, qrels: Callable[..., str], kind: str) -> None:
    with small.write():
        log.append_judgments(small, [row("Ann", "1", "d1", 1, kind=kind)])
    before = log.head(small)
    with refused(CampaignError):
        add_qrels(small.by("Olga"), [qrels("1 0 d1 0")], assessor="Ann")
    assert log.head(small) == before


def test_an_import_that_breaks_off_leaves_nothing(
    small: Campaign, qrels: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, before = qrels("1 0 d1 0", "1 0 elsewhere 0"), list(small.db.conn.iterdump())
    monkeypatch.setattr("workbench.campaign.ingest.qrels.sources.precedence_at", lambda campaign: 1 / 0)
    as_of = log.head(small)
    with pytest.raises(ZeroDivisionError):
        add_qrels(small.by("Olga"), [path])
    assert (log.head(small), list(small.db.conn.iterdump())) == (as_of, before)


KILLED = """
import os, signal, sys
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log
from workbench.campaign.ingest import add_qrels

append = log.append_judgments

def then_killed(campaign, rows):
    append(campaign, rows)
    os.kill(os.getpid(), signal.SIGKILL)

log.append_judgments = then_killed
with open_campaign(sys.argv[1]) as campaign:
    add_qrels(campaign.by("Olga"), [sys.argv[2]])
"""


def test_an_import_that_is_killed_after_its_last_row_leaves_nothing(
    small: Campaign, qrels: Callable[..., str]
) -> None:
    before, path = log.head(small), qrels("1 0 d1 0", "1 0 d2 1")
    small.close()
    killed = subprocess.run([sys.executable, "-c", KILLED, str(small.path), path], check=False)
    assert killed.returncode == -9
    with open_campaign(small.path) as campaign:
        assert log.head(campaign) == before
        assert labels.qrels(campaign) == []
        assert add_qrels(campaign.by("Olga"), [path]).judgments == 2
