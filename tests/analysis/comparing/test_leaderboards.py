"""Two leaderboards: two measures, two sets of judgments, two moments."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from tests.sentences import refused
from workbench.analysis.comparing.leaderboards import (
    Leaderboard,
    leaderboard,
    leaderboard_by_file,
    ranks_of,
    two_leaderboards,
)
from workbench.analysis.comparing.scores import Scored, scores_of
from workbench.core.errors import CampaignError, InputError, UnknownName
from workbench.methods.measures import parse_measure
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def board(name: str, means: dict[str, float], values: list[list[float]] | None = None) -> Leaderboard:
    table = np.array([list(means.values())] if values is None else values)
    topic_ids = tuple(str(number) for number in range(len(table)))
    return Leaderboard(
        name, Scored(1, parse_measure("AP"), topic_ids, tuple(means), table, table.mean(axis=0))
    )


def test_positions_and_correlations_by_hand() -> None:
    one = board("then", {"a": 0.5, "b": 0.4, "c": 0.3, "gone": 0.9})
    other = board("now", {"c": 0.2, "b": 0.4, "a": 0.3, "new": 0.1})
    found = two_leaderboards(one, other)
    assert (found.runs, found.only_one, found.only_other) == (3, ("gone",), ("new",))
    assert found.tau_b == pytest.approx(1 / 3)  # of ab, ac, bc the first pair changes
    assert found.tau_ap == pytest.approx(2 / 2 * (0 / 1 + 2 / 2) - 1)
    assert [(each.run, each.rank, each.other_rank, each.moved) for each in found.positions] == [
        ("a", 1, 2, -1),
        ("b", 2, 1, 1),
        ("c", 3, 3, 0),
    ]
    assert found.tau_b_draws is None  # of one topic


def test_a_leaderboard_agrees_with_itself(judged: Campaign) -> None:
    one = leaderboard(judged, "AP")
    found = two_leaderboards(one, one)
    assert (found.tau_b, found.tau_ap, found.tau_ap_b) == pytest.approx((1, 1, 1))
    assert found.rbo is not None
    assert found.rbo.ext == pytest.approx(1)


def test_two_measures_two_moments_and_none_at_all(judged: Campaign, empty: Campaign) -> None:
    # P@1 ties both runs on topics 1 (d1 against d4) and the others: alpha 1, 0, 0 and beta 0, 1, 1.
    found = two_leaderboards(leaderboard(judged, "AP"), leaderboard(judged, "P@1"))
    assert (found.one, found.other, found.tau_b) == ("AP", "P@1", pytest.approx(1))
    assert found.tau_b_draws is None  # of three topics
    first = log.newest_seq(judged) - 3
    found = two_leaderboards(leaderboard(judged), leaderboard(judged.at(first)))
    assert found.other == f"AP as of row {first}"
    assert found.tau_b == pytest.approx(-1)  # beta leads now, alpha led then
    assert found.tau_b_draws is None  # the topics differ
    unjudged = leaderboard(judged.at(first - 1))
    found = two_leaderboards(unjudged, unjudged)
    assert (found.tau_b, found.tau_ap_b, [each.rank for each in found.positions]) == (None, None, [1, 1])
    found = two_leaderboards(leaderboard(empty), leaderboard(empty))
    assert (found.runs, found.tau_b, found.rbo, found.positions) == (0, None, None, ())


def test_two_sets_of_judgments(judged: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "other.qrels"
    file.write_text("1 0 d4 1\n1 0 unknown 1\n99 0 d1 1\n", encoding="utf-8")
    found = leaderboard(judged, "AP", qrels=file)
    assert found.name == "AP by other.qrels"
    assert found.scored.topic_ids == ("1",)
    assert found.scored.values.tolist() == [[0, 0.5]]  # d4 is first of beta, one of two relevant
    assert two_leaderboards(leaderboard(judged), found).tau_b == pytest.approx(1)
    file.write_text("99 0 d1 1\n", encoding="utf-8")
    with refused(CampaignError):
        leaderboard(judged, qrels=file)


def test_the_own_judgments_as_a_file_give_the_same_scores(judged: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "own.qrels"
    file.write_text("1 0 d1 1\n1 0 d4 0\n10 0 d6 1\n2 0 d2 2\n", encoding="utf-8")
    for measure in ("AP", "nDCG@10", "Bpref"):
        found = leaderboard(judged, measure, qrels=file).scored
        assert found.values.tolist() == scores_of(judged, measure).values.tolist()


def test_equal_scores_share_the_better_rank() -> None:
    assert ranks_of([0.3, 0.5, 0.1 + 0.2, 0.1]) == [2, 1, 2, 4]
    assert ranks_of([]) == []


def test_the_draws_of_tau_surround_it_here_and_are_the_same_for_the_same_seed() -> None:
    values = np.random.default_rng(1).random((25, 6))
    tags = dict.fromkeys("abcdef", 0.0)
    one = board("one", tags, values.tolist())
    other = board("other", tags, (values + np.random.default_rng(2).normal(0, 0.2, (25, 6))).tolist())
    found, again = two_leaderboards(one, other), two_leaderboards(one, other)
    assert found == again
    assert found.tau_b_draws is not None
    assert found.tau_b is not None
    assert found.tau_b_draws.low <= found.tau_b <= found.tau_b_draws.high


def test_a_file_of_judgments_may_unpack_to_so_much_and_errors_name_it_as_its_sender_does(
    judged: Campaign, tmp_path: Path
) -> None:
    text = "1 0 d1 1\n1 0 d2 0\n2 0 d2 1\n"
    stored = tmp_path / "upload-7"
    stored.write_bytes(gzip.compress(text.encode()))
    found = leaderboard_by_file(judged.path, "AP", stored, called="our.qrels", largest=len(text))
    assert (found.name, found.scored.tags) == ("AP by our.qrels", ("alpha", "beta"))
    with refused(InputError):
        leaderboard_by_file(judged.path, "AP", stored, called="our.qrels", largest=len(text) - 1)
    stored.write_text("7 0 d1 1\n")
    with pytest.raises(UnknownName, match=r"our\.qrels") as caught:
        leaderboard_by_file(judged.path, "AP", stored, called="our.qrels", largest=1000)
    assert "upload-7" not in str(caught.value)
