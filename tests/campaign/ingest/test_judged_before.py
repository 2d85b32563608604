"""Documents of a run that were judged before the open round are named: a warning, or why the run is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.sentences import refused
from tests.three_rounds import judge, three_rounds
from workbench.campaign.ingest import RunsRefused, add_runs, check_runs
from workbench.core.errors import Problem
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

RUN = {"1": "new d1 n1 z1", "2": "d5 other"}
"""Of round 3, in which z1 was judged; d1 was in round 1, n1 and d5 in round 2."""


@pytest.fixture
def covid(tmp_path: Path) -> Iterator[Campaign]:
    with three_rounds(tmp_path) as campaign:
        yield campaign.by("org")


def found(campaign: Campaign, path: str) -> list[Problem]:
    (check,) = check_runs([path], campaign).checks
    return [problem for problem in check.problems if problem.kind.startswith("judged-before")]


def test_they_are_counted_and_the_first_are_named_and_the_run_is_taken(
    covid: Campaign, tmp_path: Path
) -> None:
    path = write_run(tmp_path / "new.run", "new", RUN)
    (warning,) = found(covid, path)
    assert (warning.line, warning.kind) == (2, "judged-before")
    assert "3 lines of 6" in warning.message
    assert "before round 3: topic 1 d1, topic 1 n1, topic 2 d5" in warning.message
    assert warning in add_runs(covid, [path]).warnings


def test_by_the_campaigns_setting_the_run_is_refused_with_a_way_out(covid: Campaign, tmp_path: Path) -> None:
    with covid.write():
        settings.change(covid, {"judged_in_runs": "refuse"})
    path, head = write_run(tmp_path / "new.run", "new", RUN), log.head(covid)
    with refused(RunsRefused, "3 lines of 6"):
        add_runs(covid, [path])
    assert log.head(covid) == head
    cleaned = write_run(tmp_path / "clean.run", "new", {"1": "new z1", "2": "other"})
    assert add_runs(covid, [cleaned]).runs[0].lines == 3


def test_the_pair_counts_not_the_document(covid: Campaign, tmp_path: Path) -> None:
    assert found(covid, write_run(tmp_path / "new.run", "new", {"2": "d2 d4 n1", "3": "d5"})) == [], (
        "d5 was judged for 2"
    )


def test_in_the_first_round_nothing_was_judged_before(small: Campaign, tmp_path: Path) -> None:
    judge(small, {("1", "d1"): 1})
    assert found(small, write_run(tmp_path / "new.run", "new", {"1": "d1 d2"})) == []
