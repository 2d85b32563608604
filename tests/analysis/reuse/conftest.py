"""Campaigns of a few runs, teams and judgments, so small that leaving out can be done by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.fixture_types import WriteRun
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Topic
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import topics

Made = Callable[..., Campaign]

RUNS = {
    "a1": ("Aachen", {"1": "d1 d2 d3 d4 d5"}),
    "a2": ("Aachen", {"1": "d1 d2 d6 d4 d5"}),
    "b1": ("Bergen", {"1": "d7 d1 d8 d2 d4"}),
}
"""Three runs of two teams. To depth 3 the pool is d1 (all), d2 (both of Aachen), d3 (a1), d6 (a2), d7 and d8 (b1)."""

GRADES = {"1": {"d1": 1, "d2": 1, "d3": 1, "d6": 0, "d7": 1, "d8": 0}}


@pytest.fixture
def made(tmp_path: Path, written_run: WriteRun) -> Iterator[Made]:
    """A function from runs (tag -> team and rankings), grades and a pool to an open campaign."""
    with ExitStack() as stack:

        def make(
            runs: Mapping[str, tuple[str, dict[str, str]]] = RUNS,
            grades: Mapping[str, Mapping[str, int]] = GRADES,
            *,
            name: str = "made",
            **pool: object,
        ) -> Campaign:
            folder = tmp_path / name
            folder.mkdir()
            campaign = stack.enter_context(create_campaign(folder / f"{name}.db"))
            ids = sorted({topic_id for _, rankings in runs.values() for topic_id in rankings} | set(grades))
            with campaign.write():
                topics.put(campaign.by("Olga"), [Topic(topic_id, "") for topic_id in ids], files=[])
            for tag, (team, rankings) in runs.items():
                add_runs(campaign.by("Olga"), [written_run(folder / tag, tag, rankings)], team=team)
            if pool:
                add_pool(campaign.by("Olga"), **pool)  # type: ignore[arg-type]
            lines = [
                f"{topic_id} 0 {document_id} {grade}\n"
                for topic_id, by_document in grades.items()
                for document_id, grade in by_document.items()
            ]
            if lines:
                (folder / "qrels.txt").write_text("".join(lines), encoding="utf-8")
                add_qrels(campaign.by("Olga"), [str(folder / "qrels.txt")])
            return campaign

        yield make
