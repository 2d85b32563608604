"""A campaign small enough to score by hand, and a way to judge in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixture_types import AppendJudgment
from tests.log_rows import row
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Topic
from workbench.storage.campaign import Campaign, create_campaign, open_campaign
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.log import log

# Run "dense" lacks topic 2, and no run has topic 3.
RUNS = {
    "bm25": "1 Q0 a 1 3 bm25\n1 Q0 b 2 2 bm25\n1 Q0 c 3 1 bm25\n2 Q0 a 1 2 bm25\n2 Q0 d 2 1 bm25\n",
    "dense": "1 Q0 d 1 3 dense\n1 Q0 a 2 2 dense\n",
}


@pytest.fixture(scope="session")
def small_board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of `campaign`, made once."""
    folder = tmp_path_factory.mktemp("board")
    with create_campaign(folder / "small.db") as campaign:
        with campaign.write():
            topics.put(campaign.by("org"), [Topic(topic_id, "") for topic_id in "123"], files=[])
        for tag, text in RUNS.items():
            (folder / f"{tag}.run").write_text(text)
        add_runs(campaign.by("org"), [str(folder / f"{tag}.run") for tag in RUNS], team="team")
        add_pool(campaign.by("org"), depth=2)
    return folder / "small.db"


@pytest.fixture
def campaign(small_board: Path, tmp_path: Path) -> Iterator[Campaign]:
    """Two runs, three topics, a pool of depth 2."""
    with open_campaign(shutil.copy(small_board, tmp_path)) as campaign:
        yield campaign


@pytest.fixture
def judge() -> AppendJudgment:
    """`judge(campaign, topic, document, grade, assessor=..., kind=...)` appends a row; returns its `seq`."""

    def append(
        campaign: Campaign,
        topic_id: str,
        document_id: str,
        grade: int | None,
        assessor: str = "ann",
        kind: str = "grade",
    ) -> int:
        with campaign.write():
            documents.put_ids(campaign, [document_id])
            (stored,) = log.append_judgments(
                campaign, [row(assessor, topic_id, document_id, grade, kind=kind)]
            )
        return stored.seq

    return append
