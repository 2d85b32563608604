"""The same numbers as the field's reference programs, to the last bit or the last printed digit."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import ir_measures
import polars as pl
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from workbench.formats.qrels import read_qrels
from workbench.formats.runs import read_run
from workbench.measures import JudgedRankings, over_topics, parse_measure
from workbench.ranking import Packed, order_run, pack_rankings

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
FAMILIES = ("P", "recall", "ndcg_cut", "map_cut")
SINGLE = ("map", "ndcg", "Rprec", "recip_rank", "bpref", "num_q", "num_ret", "num_rel", "num_rel_ret")
SETS = ("set_P", "set_relative_P", "set_recall", "set_map", "set_F", "utility")
LEVELS = [tenth / 10 for tenth in range(11)]
MULTIPLES = [fifth / 5 for fifth in range(1, 11)]
NAMES = [
    *SINGLE,
    *SETS,
    "11pt_avg",
    "binG",
    "num_nonrel_judged_ret",
    "gm_map",
    *(f"{family}_{cutoff}" for family in (*FAMILIES, "relative_P") for cutoff in CUTOFFS),
    *(f"success_{cutoff}" for cutoff in (1, 5, 10)),
    *(f"iprec_at_recall_{level:.2f}" for level in LEVELS),
    *(f"Rprec_mult_{multiple:.2f}" for multiple in MULTIPLES),
]
# Families as pytrec_eval is asked for them, with the parameters that it is given.
LISTED = {
    **dict.fromkeys((*FAMILIES, "relative_P"), (1, 2, *CUTOFFS)),
    "success": (1, 2, 10),
    "iprec_at_recall": (*LEVELS, 0.05, 0.35, 0.65),
    "Rprec_mult": (*MULTIPLES, 0.3, 5.0),
}
UNLISTED = (*SETS, "11pt_avg", "binG", "num_nonrel_judged_ret")

RUN = {"topic_id": pl.String, "document_id": pl.String, "score": pl.Float64}
QRELS = {"topic_id": pl.String, "document_id": pl.String, "grade": pl.Int64}

IDS = ["d1", "d10", "d2", "D2", "007", "7", "é", "中", "𐀀", "\uffff", "a#b", "-1", "_", "z", "zz"]
topics = st.sampled_from(["1", "10", "2", "é"])
Run = list[tuple[str, str, float]]
Qrels = list[tuple[str, str, int]]

# Whole numbers are exact in the 32 bits that pytrec_eval keeps of a score.
tied_runs = st.lists(
    st.tuples(topics, st.sampled_from(IDS), st.integers(-1, 2).map(float)),
    min_size=1,
    max_size=40,
    unique_by=lambda line: line[:2],
)
qrels_of_runs = st.lists(
    st.tuples(topics, st.sampled_from(IDS), st.sampled_from([-2, -1, 0, 0, 1, 1, 2, 3])),
    min_size=1,
    max_size=40,
    unique_by=lambda line: line[:2],
)


def packed(run: Run, qrels: Qrels) -> Packed:
    ordered = order_run(pl.DataFrame(run, RUN, orient="row"))
    return pack_rankings([ordered], pl.DataFrame(qrels, QRELS, orient="row"))


def by_topic(joined: Packed, name: str, rel: int = 1, **defaults: str) -> dict[str, float]:
    """The measure's value for each topic of the run."""
    measure = parse_measure(name, defaults={"rel": rel, **defaults})
    values = measure(JudgedRankings.join(joined.rankings, joined.labels))
    ids = [joined.topic_ids[topic] for topic in joined.rankings.topic]
    return dict(zip(ids, values.tolist(), strict=True))


Value = TypeVar("Value", int, float)


def nested(lines: list[tuple[str, str, Value]]) -> dict[str, dict[str, Value]]:
    found: dict[str, dict[str, Value]] = {}
    for topic_id, document_id, value in lines:
        found.setdefault(topic_id, {})[document_id] = value
    return found


@given(run=tied_runs, qrels=qrels_of_runs, rel=st.sampled_from([1, 2, 3]))
def test_every_topic_equals_pytrec_eval_to_the_last_bit(run: Run, qrels: Qrels, rel: int) -> None:
    # The reference reads beyond an array where all judgments of a topic are negative.
    sound = {topic for topic, _, grade in qrels if grade >= 0}
    judged = nested([line for line in qrels if line[0] in sound])
    families = {f"{family}.{','.join(map(str, values))}" for family, values in LISTED.items()}
    single = {*SINGLE, *UNLISTED} - {"num_q"}
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {*single, *families}, rel)
    joined = packed(run, qrels)
    theirs = evaluator.evaluate(nested(run))
    # It is version 9 of the reference, which rounds recall levels up.
    for name in {name for values in theirs.values() for name in values}:
        ours = by_topic(joined, name, rel, rounding="up")
        assert (name, {topic: ours[topic] for topic in theirs}) == (
            name,
            {topic: values[name] for topic, values in theirs.items()},
        )


@pytest.mark.parametrize("asked", ["set_F.2", "set_F.0.25"])
@given(run=tied_runs, qrels=qrels_of_runs)
def test_the_number_after_set_f_is_what_it_is_to_the_reference(asked: str, run: Run, qrels: Qrels) -> None:
    sound = {topic for topic, _, grade in qrels if grade >= 0}
    judged = nested([line for line in qrels if line[0] in sound])
    ours = by_topic(packed(run, qrels), asked)
    for topic, values in pytrec_eval.RelevanceEvaluator(judged, {asked}).evaluate(nested(run)).items():
        assert list(values.values()) == [ours[topic]]


@given(run=tied_runs, qrels=qrels_of_runs, cutoff=st.sampled_from([None, 1, 3, 10]))
def test_the_judged_share_equals_ir_measures(run: Run, qrels: Qrels, cutoff: int | None) -> None:
    # It orders equal scores by ascending ids, so there are none here.
    ordered = order_run(pl.DataFrame(run, RUN, orient="row")).rows()
    falling = [(topic, document, float(-rank)) for rank, (topic, document, _) in enumerate(ordered)]
    docs = [ir_measures.ScoredDoc(*line) for line in falling]
    judged = [ir_measures.Qrel(*line) for line in qrels]
    theirs = ir_measures.Judged if cutoff is None else ir_measures.Judged @ cutoff
    joined = packed(falling, qrels)
    ours = by_topic(joined, "Judged" if cutoff is None else f"Judged@{cutoff}")
    for metric in ir_measures.iter_calc([theirs], judged, docs):
        if metric.query_id in ours:
            assert ours[metric.query_id] == metric.value


@pytest.fixture(scope="module")
def robust(data_folder: Path) -> tuple[list[str], Packed]:
    """17 runs with their tags, joined with the official judgments."""

    folder = data_folder / "robust03"
    runs = [read_run(file) for file in sorted((folder / "runs").glob("*.gz"))]
    judgments = read_qrels(folder / "qrels.txt").frame
    return [run.tag for run in runs], pack_rankings([order_run(run.frame) for run in runs], judgments)


@pytest.mark.data
@pytest.mark.parametrize("name", NAMES)
def test_real_runs_score_as_the_reference_prints_them(
    data_folder: Path, robust: tuple[list[str], Packed], name: str
) -> None:
    tags, joined = robust
    n_topics, n_runs = len(joined.topic_ids), len(tags)
    measure = parse_measure(name)
    values = measure(JudgedRankings.join(joined.rankings.as_grid(n_topics, n_runs), joined.labels))
    by_topic = values.reshape(n_topics, n_runs)
    means = over_topics(measure, by_topic, joined.labels, joined.labels.judged_topics())
    printed = [f"{mean:.0f}" if measure.is_count else f"{mean:.4f}" for mean in means]
    expected = []
    for tag in tags:
        lines = (data_folder / "robust03" / "expected" / f"{tag}.te10").read_text().splitlines()
        expected += [line.split("\t")[2] for line in lines if line.split("\t")[0].strip() == name]
    assert printed == expected
