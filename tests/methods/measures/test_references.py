"""The same numbers as the reference program prints for real runs; for other libraries see test_peers.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.ranking import Packed
from workbench.methods.measures import JudgedRankings, over_topics, parse_measure

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


@pytest.mark.data
@pytest.mark.parametrize("name", NAMES)
def test_real_runs_score_as_the_reference_prints_them(
    data_folder: Path, robust03: tuple[list[str], Packed], name: str
) -> None:
    tags, joined = robust03
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
