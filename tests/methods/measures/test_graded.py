from __future__ import annotations

from math import log2
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.methods.measures.conftest import value_of
from workbench.core.errors import UnknownName
from workbench.core.ranking import POOLED, UNJUDGED, order_run, pack_rankings
from workbench.formats.qrels import read_qrels
from workbench.formats.runs import read_run
from workbench.methods.measures import JudgedRankings, parse_measure, parse_named

labels = st.sampled_from([UNJUDGED, POOLED, -2, 0, 0, 1, 2, 3, 5])
rankings = st.lists(labels, max_size=20)
others_lists = st.lists(labels, max_size=9)


def test_no_measure_of_gain_asks_what_is_relevant() -> None:
    for name in ("CG", "DCG", "IDCG", "nDCG", "nDCGrel", "G"):
        assert parse_measure(name, defaults={"rel": 3}) == parse_measure(name)


TEN_GAINS = [2, 0, 0, 3, 5, 0, 0, 4, 0, 0]


def test_cumulated_gains_of_the_textbook() -> None:
    values = [value_of(f"CG@{cutoff}", TEN_GAINS) for cutoff in range(1, 11)]
    assert values == [2, 2, 2, 5, 10, 10, 10, 14, 14, 14]


@pytest.mark.parametrize("discount", ["below-base", "after-first"])
def test_discounted_gains_of_the_textbook_with_the_original_discount_of_base_two(discount: str) -> None:
    gain = 2 + 3 / log2(4) + 5 / log2(5) + 4 / log2(8)
    ideal = 5 + 4 / log2(2) + 3 / log2(3) + 2 / log2(4)
    assert value_of(f"DCG(discount={discount})@10", TEN_GAINS) == pytest.approx(gain)
    assert value_of(f"IDCG(discount={discount})@10", TEN_GAINS) == pytest.approx(ideal)
    assert (f"{gain:.2f}", f"{ideal:.2f}") == ("6.99", "11.89")
    values = [value_of(f"nDCG(discount={discount})@{cutoff}", TEN_GAINS) for cutoff in range(1, 11)]
    printed = ".40 .22 .18 .29 .48 .48 .48 .59 .59 .59"
    assert " ".join(f"{value:.2f}".removeprefix("0") for value in values) == printed


def test_the_two_readings_of_the_original_discount_differ_above_base_two() -> None:
    # log_4(3) is log2(3) / 2.
    assert value_of("DCG(discount=below-base,base=4)", [0, 0, 3, 3]) == pytest.approx(3 + 3 / 1)
    after_first = 3 / (log2(3) / 2) + 3 / 1
    assert value_of("DCG(discount=after-first,base=4)", [0, 0, 3, 3]) == pytest.approx(after_first)


# Relevance 1 means non-relevant here; the best ten are nine of grade 3 and one of grade 2.
GRADES_FROM_ONE = [3, 2, 1, 1, 3, 1, 1, 2, 1, 1]
SEVEN_MORE = [3] * 7


def test_a_textbook_that_counts_the_lowest_grade_as_gain() -> None:
    gain = 3 + 2 + 1 / log2(3) + 1 / 2 + 3 / log2(5) + 1 / log2(6) + 1 / log2(7) + 2 / 3
    gain += 1 / log2(9) + 1 / log2(10)
    ideal = 3 * (2 + sum(1 / log2(rank) for rank in range(3, 10))) + 2 / log2(10)
    assert (f"{gain:.4f}", f"{ideal:.4f}", f"{gain / ideal:.4f}") == ("9.4492", "15.4625", "0.6111")
    value = value_of("nDCG(discount=below-base)@10", GRADES_FROM_ONE, SEVEN_MORE)
    assert value == pytest.approx(gain / ideal)


def test_the_same_with_no_gain_for_the_lowest_grade() -> None:
    gain = 2 + 1 + 2 / log2(5) + 1 / 3
    ideal = 2 * (2 + sum(1 / log2(rank) for rank in range(3, 10))) + 1 / log2(10)
    name = "nDCG(gains={1:0,2:1,3:2},discount=below-base)@10"
    assert value_of(name, GRADES_FROM_ONE, SEVEN_MORE) == pytest.approx(gain / ideal)
    assert f"{gain / ideal:.4f}" == "0.4109"


@pytest.mark.parametrize(
    ("gains", "expected"),
    [("{1:3,2:-1,3:1}", 3 - 1 / log2(3) + 1 / 2), ("{1:-1,2:1,3:3}", -1 + 1 / log2(3) + 3 / 2)],
)
def test_gains_may_be_negative(gains: str, expected: float) -> None:
    assert value_of(f"CG(gains={gains})@3", [1, 2, 3]) == 3
    assert value_of(f"DCG(gains={gains})@3", [1, 2, 3]) == pytest.approx(expected)
    assert f"{expected:.3f}" in {"2.869", "1.131"}


def test_a_table_of_gains_orders_the_ideal_and_may_give_grade_zero_a_gain() -> None:
    gains = "gains={0:2,1:-1,2:0,3:5}"
    ideal = 5 / log2(2) + 2 / log2(3) + 2 / log2(4)
    assert value_of(f"IDCG({gains})", [1, 0], [0, 3, 2, UNJUDGED, -1]) == ideal
    assert value_of(f"nDCG({gains})", [1, 0], [0, 3, 2, UNJUDGED, -1]) == (-1 + 2 / log2(3)) / ideal
    assert value_of("DCG(gains={0:1})", [UNJUDGED, POOLED, -1, 0]) == 1 / log2(5)
    for name in ("nDCG", "nDCGrel", "Rndcg", "G", "Q", "O"):
        assert value_of(f"{name}(gains={{1:0}})", [1, 0, 1], [1]) == 0.0


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("nDCG(dcg='exp-log2')@10", "nDCG(gains=exp)@10"),
        ('nDCG(dcg="exp-log2")@10', "nDCG(gains=exp)@10"),
        ("nDCG(dcg='log2')@10", "nDCG@10"),
    ],
)
def test_gains_are_understood_as_ir_measures_writes_them(written: str, canonical: str) -> None:
    assert str(parse_measure(written)) == canonical


def test_names_of_the_reference_keep_their_gains_as_written() -> None:
    (named,) = parse_named("ndcg.1=3,2=9,4=4.5")
    assert named.name == "ndcg_1=3,2=9,4=4.5"
    assert str(named.measure) == "nDCG(gains={1:3,2:9,4:4.5})"


@pytest.mark.parametrize("text", ["nDCG(discount=ln)", "nDCG(base=1)", "nDCG(gains={1:x})", "ndcg.1=x"])
def test_what_is_no_gain_or_discount_is_refused(text: str) -> None:
    with pytest.raises(UnknownName):
        parse_measure(text)


def test_the_levels_are_gains_and_not_grades() -> None:
    assert value_of("Rndcg(gains={1:4,2:4})", [1, 2, 0, 0]) == 1.0
    expected = (0 + (4 / log2(3)) / (4 + 1 / log2(3)) + (4 / log2(3)) / (4 + 1 / log2(3))) / 3
    assert value_of("Rndcg(gains={1:4,2:1})", [0, 1, 0, 0], [2]) == pytest.approx(expected)


@given(
    ranked=st.lists(st.sampled_from([UNJUDGED, 0, 1, 2, 3]), max_size=9),
    others=st.lists(st.integers(0, 3), max_size=5),
)
def test_gain_by_cost_as_its_definition_says(ranked: list[int], others: list[int]) -> None:
    worth = {1: 0.4, 2: 2.5, 3: 1.25}
    ideal = sorted((worth[grade] for grade in [*ranked, *others] if grade > 0), reverse=True)
    total = 0.0
    for rank, label in enumerate(ranked, start=1):
        found = sum(worth.get(above, 0.0) for above in ranked[:rank])
        cost = sum(max(1.0, gain) for gain in ideal[:rank]) + max(0, rank - len(ideal))
        total += worth.get(label, 0.0) / log2(2 + cost - found)
    expected = total / sum(ideal) if ideal else 0.0
    assert value_of("G(gains={1:0.4,2:2.5,3:1.25})", ranked, others) == pytest.approx(expected)


@pytest.mark.data
@pytest.mark.parametrize(
    "name", ["ndcg", "ndcg_rel", "Rndcg", "G", "ndcg_cut_5", "ndcg_cut_100", "rbp", "rbp_resid"]
)
def test_graded_judgments_score_as_the_reference_prints_them(data_folder: Path, name: str) -> None:
    folder = data_folder / "nist" / "test"
    run = order_run(read_run(folder / "results.test").frame)
    packed = pack_rankings([run], read_qrels(folder / "qrels.rel_level").frame)
    values = parse_measure(name, defaults={"rel": 2})(JudgedRankings.join(packed.rankings, packed.labels))
    ours = {packed.topic_ids[topic]: f"{value:.4f}" for topic, value in enumerate(values)}
    lines = [line.split() for line in (folder / "out.test.aql").read_text().splitlines()]
    theirs = {topic: value for measure, topic, value in lines if measure == name and topic != "all"}
    assert theirs == {topic: ours[topic] for topic in theirs}
    assert theirs


@pytest.mark.parametrize("beta", [0.0, 1.0, 2.5])
@given(ranked=rankings, others=others_lists)
def test_blended_ratios_as_their_definition_says(ranked: list[int], others: list[int], beta: float) -> None:
    ideal = sorted((label for label in [*ranked, *others] if label > 0), reverse=True)
    ratios = []
    for rank, label in enumerate(ranked, start=1):
        above = [each for each in ranked[:rank] if each > 0]
        if label > 0:
            ratios.append((len(above) + beta * sum(above)) / (rank + beta * sum(ideal[:rank])))
    mean = sum(ratios) / len(ideal) if ideal else 0.0
    assert value_of(f"Q(beta={beta})", ranked, others) == pytest.approx(mean)
    assert value_of(f"O(beta={beta})", ranked, others) == pytest.approx(ratios[0] if ratios else 0.0)


@pytest.mark.parametrize("name", ["Q", "O"])
def test_a_large_beta_with_large_gains_gives_the_share_of_the_gain_alone(name: str) -> None:
    assert value_of(f"{name}(gains=exp,beta=1e15)", [999], [1000]) == pytest.approx(
        0.5 / (2 if name == "Q" else 1)
    )
    assert value_of(f"{name}(gains=exp,beta=1e15)", [1000], []) == 1.0


# A run of four documents: grade 0, 3, not judged, 2; of ten relevant ones three each of grades 3 and 2, four of 1.
NTCIR_RANKED = [0, 3, UNJUDGED, 2]
NTCIR_OTHERS = [3, 3, 2, 2, 1, 1, 1, 1]


GRADE = "gains={1:1,2:4,3:9}"


@pytest.mark.data
@pytest.mark.parametrize(
    ("file", "theirs", "ours"),
    [
        ("res_test_compute.txt", "AP", "AP"),
        ("res_test_compute.txt", "RR", "RR"),
        ("res_test_compute.txt", "Q-measure", "Q"),
        ("res_test_compute.txt", "O-measure", "O"),
        ("res_test_compute.txt", "nDCG@1000", "nDCG(discount=below-base)@1000"),
        ("res_test_compute.txt", "MSnDCG@1000", "nDCG@1000"),
        ("res_test_compute.txt", "RBP", "RBP(p=0.95,gains={1:0.333333333333,2:0.666666666667,3:1})"),
        ("res_test_compute_cutoff.txt", "nDCG@0002", "nDCG(discount=below-base)@2"),
        ("res_test_compute_cutoff.txt", "MSnDCG@0002", "nDCG@2"),
        ("res_test_compute_grade.txt", "Q-measure", f"Q({GRADE})"),
        ("res_test_compute_grade.txt", "O-measure", f"O({GRADE})"),
        ("res_test_compute_grade.txt", "nDCG@1000", f"nDCG({GRADE},discount=after-first)@1000"),
        ("res_test_compute_grade.txt", "MSnDCG@1000", f"nDCG({GRADE})@1000"),
    ],
)
def test_values_are_those_of_another_library_for_ntcir(
    data_folder: Path, file: str, theirs: str, ours: str
) -> None:
    text = (data_folder / "formats-ntcir" / "pyntcireval" / file).read_text()
    pairs = [line.partition("= ") for line in text.splitlines()]
    printed = {name.strip(): value.strip() for name, _, value in pairs}
    assert f"{value_of(ours, NTCIR_RANKED, NTCIR_OTHERS):.4f}" == printed[theirs]


@given(ranked=rankings, others=others_lists)
def test_graded_average_precision_as_its_definition_says(ranked: list[int], others: list[int]) -> None:
    share = {1: 0.2, 2: 0.5, 3: 0.0, 4: 0.0, 5: 0.3}

    def asked_up_to(grade: int) -> float:
        return sum(share[each] for each in range(1, grade + 1))

    expected = 0.0
    for rank, label in enumerate(ranked, start=1):
        if label > 0:
            above = [min(each, label) for each in ranked[:rank] if each > 0]
            expected += sum(map(asked_up_to, above)) / rank
    possible = sum(asked_up_to(label) for label in [*ranked, *others] if label > 0)
    value = value_of("GAP(thresholds={1:0.2,2:0.5,5:0.3})", ranked, others)
    assert value == pytest.approx(expected / possible if possible else 0.0)


@given(ranked=rankings, others=others_lists)
def test_graded_average_precision_asks_for_each_grade_as_often_unless_told(
    ranked: list[int], others: list[int]
) -> None:
    told = value_of("GAP(thresholds={1:0.2,2:0.2,3:0.2,4:0.2,5:0.2})", ranked, others)
    assert value_of("GAP", ranked, others) == pytest.approx(told)
