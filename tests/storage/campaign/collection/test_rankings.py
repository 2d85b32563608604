"""The packed rankings load as one set of arrays, now and as of any place in the log."""

from __future__ import annotations

from pathlib import Path

from workbench.core.records import Topic
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import runs, topics
from workbench.storage.campaign.collection.rankings import StoredRankings, load_grid, load_rankings


def named(campaign: Campaign, stored: StoredRankings) -> list[tuple[str, str, list[str]]]:
    """Run, topic and documents of every row."""
    ids, rankings = runs.vocabularies(campaign), stored.rankings
    return [
        (
            stored.runs[rankings.run[row]].record.tag,
            stored.topic_ids[rankings.topic[row]],
            [
                ids[stored.topic_ids[rankings.topic[row]]][number]
                for number in rankings.document[rankings.row_start[row] : rankings.row_start[row + 1]]
            ],
        )
        for row in range(len(rankings))
    ]


def test_rows_are_run_by_run_and_topic_by_topic_in_byte_order_with_scores_if_asked(small: Campaign) -> None:
    stored = load_rankings(small)
    assert stored.topic_ids == ["1", "10", "2"]
    assert named(small, stored) == [
        ("alpha", "1", ["d1", "d2", "d3"]),
        ("alpha", "2", ["d1", "d2"]),
        ("beta", "1", ["d4", "d2", "d1"]),
        ("beta", "10", ["d6"]),
        ("beta", "2", ["d2", "d5"]),
    ]
    assert stored.rankings.score is None
    score = load_rankings(small, with_scores=True).rankings.score
    assert score is not None
    assert score.tolist() == [100, 99, 98, 100, 99, 100, 99, 98, 100, 100, 99]


def test_a_grid_has_a_row_for_every_topic_and_run_as_of_any_place_in_the_log(small: Campaign) -> None:
    stored = load_grid(small)
    assert named(small, stored) == [
        ("alpha", "1", ["d1", "d2", "d3"]),
        ("beta", "1", ["d4", "d2", "d1"]),
        ("alpha", "10", []),
        ("beta", "10", ["d6"]),
        ("alpha", "2", ["d1", "d2"]),
        ("beta", "2", ["d2", "d5"]),
    ]
    assert stored.rankings.score is None
    added = runs.all_runs(small)
    assert len(added) == 2
    for run in added:
        stored, grid = load_rankings(small.at(run.seq)), load_grid(small.at(run.seq))
        expected = stored.rankings.as_grid(len(stored.topic_ids), len(stored.runs))
        assert grid.rankings.row_start.tolist() == expected.row_start.tolist()
        assert grid.rankings.document.tolist() == expected.document.tolist()
        assert (grid.runs, grid.topic_ids) == (stored.runs, stored.topic_ids)


def test_a_run_or_topic_added_later_is_not_there_as_of_before(small: Campaign) -> None:
    alpha, _ = runs.all_runs(small)
    with small.write():
        topics.put(small.by("Olga"), [Topic("0", "added later")], files=[])
    then, now = load_rankings(small.at(alpha.seq)), load_rankings(small)
    assert [row[0] for row in named(small, then)] == ["alpha", "alpha"]
    assert then.topic_ids == ["1", "10", "2"]
    assert now.topic_ids == ["0", "1", "10", "2"]


def test_a_campaign_without_runs_has_no_rows(tmp_path: Path) -> None:
    with create_campaign(tmp_path / "new.db") as campaign:
        stored = load_rankings(campaign, with_scores=True)
        assert load_grid(campaign).rankings.row_start.tolist() == [0]
    assert len(stored.rankings) == 0
    assert stored.rankings.row_start.tolist() == [0]
    assert (stored.runs, stored.topic_ids) == ([], [])
