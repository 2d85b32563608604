"""By a round every analysis says what it says of a campaign that has the round's runs and judgments alone."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import workbench.analysis
from tests.conftest import write_run
from tests.three_rounds import ROUNDS, Grades, Runs, judge, three_rounds
from workbench.analysis.registry import ANALYSES
from workbench.campaign.ingest import add_runs
from workbench.campaign.rounds import seen_by_name
from workbench.core.records import Topic
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import topics

for each in walk_packages(workbench.analysis.__path__, f"{workbench.analysis.__name__}."):
    import_module(each.name)

OWN = ROUNDS["2"].grades
PARTS: dict[str, tuple[Runs, Grades]] = {
    "2": (ROUNDS["2"].runs, ROUNDS["1"].grades | OWN),
    "2-own": (ROUNDS["2"].runs, OWN),
    "2-residual": (ROUNDS["2"].residual, OWN),
}

OTHER = {
    *(
        "runs",
        "assessors",
        "history",
        "stop",
        "swap",
        "simulation",
        "corrected",
        "judge-boards",
        "judges",
        "online",
        "freshness",
        "battles",
    )
}
"""What is about all runs and their pools, people, rows of the log, a pool's own order, what waits, replays, and what
needs labels of a model or preferences."""

ASKED = {"measure": "AP", "depth": 3}


@pytest.fixture
def covid(tmp_path: Path) -> Iterator[Campaign]:
    with three_rounds(tmp_path) as campaign:
        yield campaign


def alone(folder: Path, runs: Runs, grades: Grades) -> Iterator[Campaign]:
    """A campaign that has these runs and grades, and nothing else."""
    with create_campaign(folder / "alone.db") as campaign:
        with campaign.write():
            topics.put(campaign.by("org"), [Topic(each, "") for each in "123"], files=[])
        add_runs(
            campaign.by("org"), [write_run(folder / f"{tag}.alone", tag, rows) for tag, rows in runs.items()]
        )
        judge(campaign, grades)
        yield campaign


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", sorted(ANALYSES.keys() - OTHER))
def test_it_is_what_is_said_of_the_round_alone(covid: Campaign, tmp_path: Path, name: str, part: str) -> None:
    analysis, seen = ANALYSES[name], seen_by_name(covid, part)
    for campaign in alone(tmp_path, *PARTS[part]):
        asked = {each.name: ASKED[each.name] for each in analysis.parameters if each.name in ASKED}
        by_round, expected = (analysis.sheet(analysis.answer(each, asked)).rows for each in (seen, campaign))
        assert [row for row in by_round if row not in expected] == []
        assert len(by_round) == len(expected) > 0
