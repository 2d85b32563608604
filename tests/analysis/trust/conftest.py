"""Campaigns of which a random order was pooled, in part, and one that is small enough to score by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.fixture_types import WriteRun
from tests.scoring.board.conftest import campaign, judge, small_board  # noqa: F401  (fixtures)
from workbench.campaign.ingest import add_documents, add_qrels, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Topic
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import pools, topics

Made = Callable[..., Campaign]
GiveGrades = Callable[..., None]


@pytest.fixture
def made(tmp_path: Path, written_run: WriteRun) -> Iterator[Made]:
    """A function from runs (tag -> topic -> documents) to an open campaign that has a text of each document."""
    with ExitStack() as stack:

        def make(runs: Mapping[str, dict[str, str]]) -> Campaign:
            campaign = stack.enter_context(create_campaign(tmp_path / "made.db"))
            with campaign.write():
                ids = sorted({topic_id for rankings in runs.values() for topic_id in rankings})
                topics.put(campaign.by("Olga"), [Topic(topic_id, "") for topic_id in ids], files=[])
            files = [written_run(tmp_path / tag, tag, rankings) for tag, rankings in runs.items()]
            add_runs(campaign.by("Olga"), files)
            rankings = [ranking for by_topic in runs.values() for ranking in by_topic.values()]
            ids = sorted({each for ranking in rankings for each in ranking.split()})
            texts = tmp_path / "documents.jsonl"
            texts.write_text(
                "".join(json.dumps({"id": each, "text": f"About {each}."}) + "\n" for each in ids)
            )
            add_documents(campaign.by("Olga"), [str(texts)], keep_all=True)
            return campaign

        yield make


@pytest.fixture
def give_grades(tmp_path: Path) -> GiveGrades:
    """A function that gives pairs (topic and document id) a grade."""

    def give(judged: Campaign, grades: Mapping[tuple[str, str], int]) -> None:
        path = tmp_path / "grades.txt"
        path.write_text("".join(f"{one} 0 {other} {grade}\n" for (one, other), grade in grades.items()))
        add_qrels(judged.by("Olga"), [str(path)])

    return give


GOOD = " ".join(f"good{number}" for number in range(150))
POOR = " ".join(f"poor{number}" for number in range(150))
FAR_APART = {"far": {"1": GOOD, "2": GOOD}, "off": {"1": POOR, "2": POOR}}
ORDER = {"strategy": "sequential-pps", "depth": 150, "measure": "P@150", "seed": 1}


def pooled(judged: Campaign) -> list[tuple[str, str]]:
    """The pooled pairs, topic and document id."""
    return [pair.pooled[:2] for pair in pools.each_pair(judged)]


@pytest.fixture
def far_apart(made: Made, give_grades: GiveGrades) -> Campaign:
    """Two runs without a document in common, 50 pairs drawn in an order; those of the run `far` are relevant."""
    judged = made(FAR_APART)
    add_pool(judged.by("Olga"), budget=50, **ORDER)  # type: ignore[arg-type]
    give_grades(judged, {pair: int(pair[1].startswith("good")) for pair in pooled(judged)})
    return judged
