from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.cli.demo.campaign import STEPS, make_demo, ready_demo
from workbench.cli.demo.runs import RECIPES
from workbench.cli.demo.topics import GRADES, TOPICS
from workbench.core.records import Document
from workbench.release.audit.checks import audit
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import documents, pools, runs, topics
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.organising import settings


@pytest.fixture
def campaign(demo_instance: Path) -> Iterator[Campaign]:
    with open_campaign(demo_instance / "demo.db") as opened:
        yield opened


@pytest.fixture
def small_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that is read in no time: one document a topic, made of the topic's own words."""
    library = [Document(f"library.{topic.topic_id}", topic.title, topic.narrative) for topic in TOPICS]
    monkeypatch.setattr("workbench.cli.demo.campaign.read_standard_library", lambda: iter(library))


def test_the_demo_has_topics_runs_texts_and_a_pool_that_nobody_has_judged(campaign: Campaign) -> None:
    assert [stored.topic for stored in topics.all_topics(campaign)] == list(TOPICS)
    assert {run.record.tag for run in runs.all_runs(campaign)} == {recipe.tag for recipe in RECIPES}
    known = settings.read(campaign)
    assert (known.grades, bool(known.guidelines), known.documents_complete) == (GRADES, True, True)
    (pool,) = pools.all_pools(campaign)
    assert pool.record.parameters == {"depth": 10}
    pooled = {pair.pooled.topic_id for pair in pools.pooled_pairs(campaign)}
    assert pooled == {topic.topic_id for topic in TOPICS}
    assert documents.without_text(campaign) == []
    assert sum(1 for _ in documents.all_texts(campaign)) > 3000
    assert list(judgments.log(campaign)) == []
    assert [finding for finding in audit(campaign) if finding.wrong] == []


def test_the_files_it_was_made_from_stand_beside_it(demo_instance: Path) -> None:
    names = {
        path.relative_to(demo_instance / "demo").as_posix() for path in (demo_instance / "demo").rglob("*.*")
    }
    assert names == {"topics.jsonl", "documents.jsonl", *(f"runs/{recipe.tag}.run" for recipe in RECIPES)}


def test_a_second_start_takes_the_demo_as_it_is(demo_instance: Path) -> None:
    before = (demo_instance / "demo.db").read_bytes()
    assert ready_demo(demo_instance) == demo_instance / "demo.db"
    assert (demo_instance / "demo.db").read_bytes() == before


def test_a_fresh_demo_takes_the_place_of_the_old_one_with_all_its_files(
    small_library: None, tmp_path: Path
) -> None:
    for name in ("demo.db", "demo.db-wal", "demo.db-shm"):
        (tmp_path / name).write_text("left over", encoding="utf-8")
    begun: list[tuple[int, int]] = []
    path = ready_demo(tmp_path, fresh=True, progress=lambda done, total, _: begun.append((done, total)))
    assert begun == [(done, STEPS) for done in range(STEPS)]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["demo", "demo.db"]
    with open_campaign(path) as campaign:
        assert settings.read(campaign).title == "Python's standard library"


def test_an_interrupted_making_leaves_no_campaign(tmp_path: Path) -> None:
    def interrupt(done: int, total: int, words: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_demo(tmp_path / "demo.db", progress=interrupt)
    assert not (tmp_path / "demo.db").exists()
