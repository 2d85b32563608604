"""Which documents are seen and which topics count.

Topic 1 has two relevant documents and topic 2 one, of grade 2. The run ranks for topic 1 an unjudged document, a
relevant one, one that is not relevant, and the other relevant one; it lacks topic 2 and has a topic 3 that
nobody judged.
"""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from workbench.formats.zscores import Usual
from workbench.scoring.evaluation.evaluate import MISSING_ZSCORE, Evaluation, Options, evaluate
from workbench.scoring.evaluation.joining import Joined, join
from workbench.scoring.evaluation.selection import PROFILES, choose

QRELS = [("1", "a", 1), ("1", "b", 0), ("1", "c", 1), ("2", "d", 2)]
RUN = [("1", "x", 4.0), ("1", "a", 3.0), ("1", "b", 2.0), ("1", "c", 1.0), ("3", "a", 1.0)]
AP_1 = (1 / 2 + 2 / 4) / 2


@pytest.fixture
def joined() -> Joined:
    qrels = pl.DataFrame(QRELS, schema=["topic_id", "document_id", "grade"], orient="row")
    run = pl.DataFrame(RUN, schema=["topic_id", "document_id", "score"], orient="row")
    return join(qrels, [run], ["one"])


def scored(joined: Joined, name: str, options: Options = Options(), version: int = 10) -> Evaluation:  # noqa: B008
    profile = PROFILES[f"trec_eval-{version}"]
    return evaluate(joined, choose([name], profile, {"rel": 1}), options._replace(profile=profile))


def overall(evaluation: Evaluation) -> float:
    (scores,) = evaluation.scores.values()
    return float(scores.overall[0])


def test_a_topic_counts_when_it_has_judgments_and_the_run_has_it_or_when_all_do(joined: Joined) -> None:
    evaluation = scored(joined, "map")
    assert overall(evaluation) == AP_1
    assert evaluation.topic_ids == ("1", "2")
    assert evaluation.counted.tolist() == evaluation.listed.tolist() == [[True], [False]]
    evaluation = scored(joined, "map", Options(complete=True))
    assert overall(evaluation) == AP_1 / 2
    assert evaluation.listed.tolist() == [[True], [True]]
    evaluation = scored(joined, "map", Options(complete=True), version=9)
    assert overall(evaluation) == AP_1 / 2
    assert evaluation.listed.tolist() == [[True], [False]]


def test_a_missing_topic_has_the_value_of_an_empty_ranking_or_the_floor(joined: Joined) -> None:
    # yaap is ln((1 + s) / (1 + R - s)), s the sum of the precisions: for topic 1 s is 1 and R is 2.
    first, missing = math.log((1 + 1) / (1 + 2 - 1)), math.log(1 / (1 + 1))
    complete = Options(complete=True)
    assert overall(scored(joined, "yaap", complete)) == pytest.approx((first + missing) / 2)
    assert overall(scored(joined, "yaap", complete, version=9)) == pytest.approx((first + 0) / 2)
    wanted = math.exp((math.log(AP_1) + math.log(0.00001)) / 2)
    for version in (9, 10):
        assert overall(scored(joined, "gm_map", Options(complete=True), version)) == pytest.approx(wanted)


def test_zscores_are_those_of_means_counts_and_logarithms_or_minus_a_million(joined: Joined) -> None:
    usual = {("1", "map"): Usual(0.3, 0.0)}
    (scores,) = scored(joined, "map", Options(complete=True, zscores=usual)).scores.values()
    assert scores.by_topic[:, 0].tolist() == [MISSING_ZSCORE, MISSING_ZSCORE]
    usual = {("1", "num_ret"): Usual(2.0, 4.0), ("2", "num_ret"): Usual(1.0, 2.0)}
    options = Options(complete=True, zscores=usual)
    assert overall(scored(joined, "num_ret", options)) == (4 - 2) / 4 + (0 - 1) / 2
    assert overall(scored(joined, "num_q", options)) == 2
    usual = {("1", "gm_map"): Usual(-1.0, 2.0)}
    wanted = math.exp((math.log(AP_1) + 1.0) / 2.0)
    assert overall(scored(joined, "gm_map", Options(zscores=usual))) == pytest.approx(wanted)


def test_an_evaluation_without_runs_is_empty() -> None:
    qrels = pl.DataFrame(QRELS, schema=["topic_id", "document_id", "grade"], orient="row")
    evaluation = scored(join(qrels, [], []), "map")
    (scores,) = evaluation.scores.values()
    assert scores.by_topic.shape == (2, 0)
    assert np.array_equal(scores.overall, [])
