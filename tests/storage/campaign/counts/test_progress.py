"""Counts that follow the log are those of the file, whatever was written to it and by which process."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as trying
from hypothesis import strategies as st

from tests.log_rows import rolled_back, row
from workbench.campaign.content_changes import mark_broken
from workbench.campaign.pools.pool_job import retire_pool
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.counts import progress as module
from workbench.storage.campaign.counts.progress import Progress, _Counts, progress_by_topic
from workbench.storage.campaign.log import log

PAIRS = [("1", "d1"), ("1", "d2"), ("10", "d6"), ("2", "d1"), ("10", "d1")]
KINDS = [("grade", 1), ("can't tell", None), ("cleared", None), ("adjudication", 2), ("repeat", 0)]


def counted(campaign: Campaign, assessor: str) -> list[Progress]:
    """What one gets who has counted nothing before."""
    return _Counts().progress(campaign, assessor)


def judged(campaign: Campaign, *pairs: tuple[str, str]) -> None:
    with campaign.write():
        log.append_judgments(campaign, [row("Ann", *pair, 1) for pair in pairs])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Collection[str] | None]:
    """The topics that were counted, question by question; None for all of them."""
    found: list[Collection[str] | None] = []
    original = module._counted

    def noted(campaign: Campaign, topic_ids: Collection[str] | None) -> dict[str, tuple[int, int, int]]:
        found.append(topic_ids)
        return original(campaign, topic_ids)

    monkeypatch.setattr(module, "_counted", noted)
    return found


@trying(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    steps=st.lists(
        st.lists(
            st.tuples(st.sampled_from(["Ann", "Ben"]), st.sampled_from(PAIRS), st.sampled_from(KINDS)),
            max_size=3,
        ),
        max_size=8,
    )
)
def test_after_any_judgments_the_counts_are_those_of_the_file(
    small_file: Path, tmp_path: Path, steps: list[list[tuple[str, tuple[str, str], tuple[str, int | None]]]]
) -> None:
    path = tmp_path / f"{uuid4()}.db"
    path.write_bytes(small_file.read_bytes())
    with open_campaign(path) as campaign:
        for step in steps:
            with campaign.write():
                log.append_judgments(
                    campaign,
                    [row(assessor, *pair, grade, kind=kind) for assessor, pair, (kind, grade) in step],
                )
            for assessor in ("Ann", "Ben"):
                assert progress_by_topic(campaign, assessor) == counted(campaign, assessor)


def test_only_topics_that_were_judged_since_are_counted_again(
    small: Campaign, asked: list[Collection[str] | None]
) -> None:
    assert [each.judged for each in progress_by_topic(small, "Ann")] == [0, 0, 0]
    judged(small, ("1", "d1"), ("2", "d1"))
    assert [each.judged for each in progress_by_topic(small, "Ann")] == [1, 0, 1]
    assert [(each.judged, each.mine) for each in progress_by_topic(small, "Ben")] == [(1, 0), (0, 0), (1, 0)]
    assert asked == [None, {"1", "2"}]


def test_another_event_has_all_topics_counted_again(
    small: Campaign, asked: list[Collection[str] | None]
) -> None:
    assert [each.held_back for each in progress_by_topic(small, "Ann")] == [0, 1, 0]
    mark_broken(small.by("Olga"), ["d1"], reason="cut off")
    assert [each.held_back for each in progress_by_topic(small, "Ann")] == [1, 1, 1]
    retire_pool(small.by("Olga"), 1, reason="the wrong runs")
    assert progress_by_topic(small, "Ann") == []
    assert asked == [None, None, None]


def test_a_reader_of_an_earlier_row_gets_its_counts_and_takes_nothing_back(small: Campaign) -> None:
    with open_campaign(small.path) as reader, reader.snapshot():
        log.head(reader)
        judged(small, ("1", "d1"))
        assert [each.judged for each in progress_by_topic(small, "Ann")] == [1, 0, 0]
        assert [each.judged for each in progress_by_topic(reader, "Ann")] == [0, 0, 0]
        assert [each.judged for each in progress_by_topic(small, "Ann")] == [1, 0, 0]


def test_what_was_rolled_back_is_not_counted(small: Campaign) -> None:
    with rolled_back(small):
        log.append_judgments(small, [row("Ann", "1", "d1", 1)])
        assert [each.judged for each in progress_by_topic(small, "Ann")] == [1, 0, 0]
    assert [each.judged for each in progress_by_topic(small, "Ann")] == [0, 0, 0]
    judged(small, ("2", "d1"))
    assert [each.judged for each in progress_by_topic(small, "Ann")] == [0, 0, 1]
