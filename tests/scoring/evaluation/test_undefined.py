"""Which means would be nan: those of interpolated precision where no relevant document has to be found."""

from __future__ import annotations

import polars as pl
import pytest

from tests.sentences import says
from workbench.scoring.evaluation.evaluate import Evaluation, Options, evaluate
from workbench.scoring.evaluation.joining import join
from workbench.scoring.evaluation.reference_output import undefined, undefined_means
from workbench.scoring.evaluation.selection import PROFILES, choose

# Topic 1 has three relevant documents and topic 2 one. `judged` finds some of each, `blind` no judged document
# of topic 1, `short` lacks topic 1.
QRELS = [("1", "a", 1), ("1", "b", 1), ("1", "c", 1), ("2", "d", 1)]
RUNS = {
    "judged": [("1", "a", 1.0), ("2", "d", 1.0)],
    "blind": [("1", "x", 1.0), ("2", "d", 1.0)],
    "short": [("2", "d", 1.0)],
}
LEVELS = "iprec_at_recall.0,.1,.2,1"


def evaluated(name: str, options: Options, version: int = 10) -> Evaluation:
    columns = ["topic_id", "document_id", "grade"], ["topic_id", "document_id", "score"]
    qrels = pl.DataFrame(QRELS, schema=columns[0], orient="row")
    runs = [pl.DataFrame(run, schema=columns[1], orient="row") for run in RUNS.values()]
    profile = PROFILES[f"trec_eval-{version}"]
    return evaluate(
        join(qrels, runs, list(RUNS)), choose([name], profile, {"rel": 1}), options._replace(profile=profile)
    )


def undefined_in(evaluation: Evaluation) -> dict[str, list[str]]:
    """run -> the names of the means that would be nan."""
    return {
        tag: [requested.name for requested in evaluation.requested if undefined(evaluation, requested)[run]]
        for run, tag in enumerate(evaluation.tags)
    }


@pytest.mark.parametrize(
    ("version", "levels"),
    [
        # lround(.1 * 3) is 0 and lround(.2 * 3) is 1
        (10, ["iprec_at_recall_0.00", "iprec_at_recall_0.10"]),
        # .1 * 3 + .9 is more than 1
        (9, ["iprec_at_recall_0.00"]),
    ],
)
def test_a_level_that_takes_no_relevant_document_has_no_mean(version: int, levels: list[str]) -> None:
    found = undefined_in(evaluated(LEVELS, Options(judged_only=True), version))
    assert found == {"judged": [], "blind": levels, "short": []}


def test_missing_topics_and_levels_may_have_no_mean() -> None:
    options = Options(complete=True, judged_only=True)
    assert undefined_in(evaluated("11pt_avg", options))["short"] == ["11pt_avg"]
    assert undefined_in(evaluated("11pt_avg", options, 9))["short"] == []
    assert undefined_in(evaluated("11pt_avg", Options(complete=True)))["short"] == []
    assert undefined_in(evaluated("11pt_avg..5,1", Options(judged_only=True)))["blind"] == []
    assert undefined_in(evaluated("11pt_avg..1,1", Options(judged_only=True)))["blind"] == ["11pt_avg_.1,1"]


@pytest.mark.parametrize("name", ["map", "relstring", "recall", "IPrec(recall=0)"])
def test_nothing_else_is_without_a_mean(name: str) -> None:
    assert undefined_in(evaluated(name, Options(depth=0))) == {tag: [] for tag in RUNS}


def test_a_warning_names_the_run_and_its_means() -> None:
    (warning,) = undefined_means(evaluated("11pt_avg", Options(judged_only=True)))
    assert warning.file == "blind"
    assert says(warning.message)
