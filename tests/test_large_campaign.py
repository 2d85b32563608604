"""The campaign that benchmarks measure on is the same whenever it is made, and holds together."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from workbench.release.audit.checks import audit
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"


def test_the_same_numbers_make_the_same_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    from large_campaign import Maker, make  # type: ignore[import-not-found]

    made = []
    for name in ("one.db", "other.db"):
        make(tmp_path / name, Maker(4, 3, 40), share=0.8)
        with open_campaign(tmp_path / name) as campaign:
            made.append((log.events(campaign), list(judgments.log(campaign))))
    with open_campaign(tmp_path / "one.db") as campaign:
        assert [finding for finding in audit(campaign) if finding.wrong] == []
        table = score_campaign(campaign, ["AP"])
    assert made[0] == made[1]
    assert (table.topics, len(table.rows)) == (3, 4)
    assert len({row.values for row in table.rows}) == 4
