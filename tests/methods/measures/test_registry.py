"""Properties of every registered measure; a measure without an example here fails the suite."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, nextafter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.methods.measures.conftest import judged_rows
from tests.methods.measures.examples import EXAMPLES
from tests.sentences import refused
from workbench.core.errors import WorkbenchError
from workbench.core.parameters import Parameter
from workbench.core.ranking import POOLED, UNJUDGED, order_run, pack_rankings
from workbench.methods.measures import MEASURES, BoundMeasure, JudgedRankings, parse_measure
from workbench.methods.measures.gains import EXPONENTIAL, Gains
from workbench.methods.measures.parameters import MODIFIERS, Value
from workbench.methods.measures.registry import Measure, bind, measure

# One ranking by the labels of its documents, three judged documents that it lacks; R = 4, N = 4.
RANKED = [2, 0, UNJUDGED, 1, 0, POOLED, -2, 1]
OTHERS = [1, 0, 0]


JUDGED = {name: entry for name, entry in MEASURES.items() if entry.of == "judgments"}


def variants() -> list[BoundMeasure]:
    """Every example, and every measure with each of its parameters changed, one at a time."""
    found = [parse_measure(name) for name, _ in EXAMPLES.values()]
    for example in list(found):
        given = {name: value for name, value in example.values if name not in MODIFIERS}
        for parameter in example.measure.parameters:
            others = [value for value in other_values(parameter) if value != given[parameter.name]]
            found += [bind(example.measure, {**given, parameter.name: value}) for value in others]
    return list(dict.fromkeys(found))


def other_values(parameter: Parameter) -> list[Value]:
    if parameter.kind is Gains:
        gains: list[Value] = [EXPONENTIAL, Gains("table", ((1, 0.25), (2, 0.5), (3, 1.0)))]
        return [each for each in gains if parameter.limits.allow(each)]
    if parameter.limits.choices:
        return list(parameter.limits.choices)
    if parameter.kind is bool:
        return [True, False]
    others: dict[str, list[Value]] = {"cutoff": [1, 3], "rel": [1, 2], "n_max": [1, 3]}
    return others.get(parameter.name, [])


VARIANTS = variants()
each_measure = pytest.mark.parametrize("entry", MEASURES.values(), ids=MEASURES.keys())
bound_measures = st.sampled_from(VARIANTS)

labels = st.sampled_from([UNJUDGED, POOLED, -2, 0, 1, 2, 3])
documents = st.sampled_from(["a", "B", "é", "𐀀", "d1", "d10", "d2"])
run_lines = st.lists(
    st.tuples(st.sampled_from("12"), documents, st.integers(0, 2).map(float)), unique_by=lambda line: line[:2]
)
qrel_lines = st.lists(
    st.tuples(st.sampled_from("123"), documents, st.integers(-1, 3)), unique_by=lambda line: line[:2]
)
RUN = {"topic_id": pl.String, "document_id": pl.String, "score": pl.Float64}
QRELS = {"topic_id": pl.String, "document_id": pl.String, "grade": pl.Int64}


def values_of_lines(
    bound: BoundMeasure, run: list[tuple[str, str, float]], qrels: list[tuple[str, str, int]]
) -> list[float]:
    frame = order_run(pl.DataFrame(run, RUN, orient="row"))
    packed = pack_rankings([frame], pl.DataFrame(qrels, QRELS, orient="row"))
    found: list[float] = bound(JudgedRankings.join(packed.rankings, packed.labels)).tolist()
    return found


def test_every_measure_has_an_example() -> None:
    assert EXAMPLES.keys() == JUDGED.keys()


@pytest.mark.parametrize(("name", "value"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_the_example_has_its_value(name: str, value: float) -> None:
    found = parse_measure(name)(judged_rows((RANKED, OTHERS)))
    assert (found, found.dtype) == (pytest.approx([value], rel=1e-13), np.float64)


@each_measure
def test_every_measure_and_parameter_explains_itself(entry: Measure) -> None:
    assert entry.summary.endswith(".")
    assert len(entry.summary) < 110
    assert entry.source.endswith(".")
    assert all(parameter.limits.help for parameter in entry.parameters)


@given(bound=bound_measures, ranked=st.lists(labels, max_size=12), others=st.lists(labels, max_size=6))
def test_values_are_in_range(bound: BoundMeasure, ranked: list[int], others: list[int]) -> None:
    value = value_of(bound, ranked, others)
    lowest, highest = bound.measure.lowest, bound.measure.highest
    assert value >= (-np.inf if lowest is None else lowest - 1e-12)
    assert value <= (np.inf if highest is None else highest + 1e-12)


# Numbers of the topic; what is rightly left out, or tied; what grows as a ranking gets worse, or ends early.
WORTH_WITHOUT_DOCUMENTS = {
    "NumQ", "NumRel", "IDCG", "SetAccuracy", "AUC", "SetE", "Utility", "yaap", "RBPResidual"
}  # fmt: skip


@given(bound=bound_measures, others=st.lists(labels, max_size=6))
def test_an_empty_ranking_is_worth_nothing(bound: BoundMeasure, others: list[int]) -> None:
    assert bound.name in WORTH_WITHOUT_DOCUMENTS or value_of(bound, [], others) == 0.0


@given(bound=bound_measures, lines=run_lines, judgments=qrel_lines, data=st.data())
def test_the_order_of_lines_and_new_names_in_the_same_order_change_nothing(
    bound: BoundMeasure,
    lines: list[tuple[str, str, float]],
    judgments: list[tuple[str, str, int]],
    data: st.DataObject,
) -> None:
    run = [(topic, f"中{document}", score) for topic, document, score in data.draw(st.permutations(lines))]
    qrels = [
        (topic, f"中{document}", grade) for topic, document, grade in data.draw(st.permutations(judgments))
    ]
    assert values_of_lines(bound, run, qrels) == values_of_lines(bound, lines, judgments)


@given(
    bound=bound_measures,
    rows=st.lists(st.tuples(st.lists(labels, max_size=5), st.lists(labels, max_size=3)), max_size=4),
)
def test_a_row_has_the_value_it_has_alone(
    bound: BoundMeasure, rows: list[tuple[list[int], list[int]]]
) -> None:
    assert bound(judged_rows(*rows)).tolist() == [value_of(bound, *row) for row in rows]


def value_of(bound: BoundMeasure, ranked: Sequence[int], others: Sequence[int]) -> float:
    (value,) = bound(judged_rows((ranked, others))).tolist()
    return float(value)


@given(
    bound=st.sampled_from([bound for bound in VARIANTS if not bound.measure.end_counts]),
    ranked=st.lists(labels, max_size=8),
    others=st.lists(labels, max_size=6),
    added=st.integers(1, 5),
)
def test_unjudged_documents_at_the_end_change_nothing_where_the_registry_says_so(
    bound: BoundMeasure, ranked: list[int], others: list[int], added: int
) -> None:
    longer = [*ranked, *[UNJUDGED] * added]
    assert value_of(bound, longer, others) == pytest.approx(value_of(bound, ranked, others), abs=1e-12)


def judged(ranked: Sequence[int]) -> list[int]:
    """The labels with every document judged."""
    return [0 if label in (UNJUDGED, POOLED) else label for label in ranked]


@given(
    bound=st.sampled_from([bound for bound in VARIANTS if not bound.measure.nonrelevant_counts]),
    ranked=st.lists(labels, max_size=8),
    others=st.lists(labels, max_size=6),
)
def test_judging_a_document_as_non_relevant_changes_nothing_where_the_registry_says_so(
    bound: BoundMeasure, ranked: list[int], others: list[int]
) -> None:
    after = value_of(bound, judged(ranked), judged(others))
    assert after == pytest.approx(value_of(bound, ranked, others), abs=1e-12)


@given(
    bound=st.sampled_from([bound for bound in VARIANTS if bound.measure.rises]),
    ranked=st.lists(labels, min_size=2, max_size=8),
    others=st.lists(labels, max_size=6),
    data=st.data(),
)
def test_a_relevant_document_that_moves_up_lowers_nothing_that_rises(
    bound: BoundMeasure, ranked: list[int], others: list[int], data: st.DataObject
) -> None:
    upper, lower = sorted(
        data.draw(st.lists(st.integers(0, len(ranked) - 1), min_size=2, max_size=2, unique=True))
    )
    ranked[upper], ranked[lower] = data.draw(st.sampled_from([UNJUDGED, POOLED, 0])), 3
    swapped = ranked.copy()
    swapped[upper], swapped[lower] = ranked[lower], ranked[upper]
    assert value_of(bound, swapped, others) >= value_of(bound, ranked, others) - 1e-12


# Rankings on which every measure that may change does change.
TELLING = [
    ([2, 0, UNJUDGED, 1, POOLED, 3], [1, 0]), ([UNJUDGED, 1, 0, 2], [1, 0, 0, 3]),
    ([POOLED, UNJUDGED, 1, 1], [0]), ([1, 2], []), ([1], [2, 0]),
]  # fmt: skip


def test_what_is_said_to_depend_on_the_end_or_on_the_non_relevant_does() -> None:
    for name, entry in JUDGED.items():
        bound = parse_measure(EXAMPLES[name][0])
        before = [value_of(bound, ranked, others) for ranked, others in TELLING]
        longer = [value_of(bound, [*ranked, UNJUDGED, UNJUDGED], others) for ranked, others in TELLING]
        assert longer != before or not entry.end_counts, name
        after = [value_of(bound, judged(ranked), others) for ranked, others in TELLING]
        assert after != before or not entry.nonrelevant_counts, name


def test_only_what_is_a_merit_of_a_run_is_marked_as_the_best() -> None:
    others = {name: entry for name, entry in MEASURES.items() if not entry.of_answers}
    found = {name: entry.best for name, entry in others.items() if entry.best != "highest"}
    assert {name for name, best in found.items() if best == "lowest"} == {"SetE", "SetFPR"}
    neither = {"IDCG", "Judged", "Unjudged", "RBPResidual", "TrecRBPResidual"}
    neither |= {"infNumRel", "statNumRel", "statPVariance", "statRBPVariance", "statDCGVariance"}
    assert {name for name, best in found.items() if best == "none"} == neither | {
        name for name, entry in MEASURES.items() if entry.is_count
    }


@pytest.mark.parametrize(
    "values", [{"rel": "1"}, {"rel": 1.5}, {"rel": True}, {"rel": None}, {"judged_only": 1}]
)
def test_a_value_of_another_kind_is_refused(values: dict[str, Value]) -> None:
    with refused(ValueError):
        bind(MEASURES["AP"], values)


def test_numbers_may_be_numpys_and_a_name_is_registered_once() -> None:
    def twice(judged: JudgedRankings) -> None:
        """A measure."""

    assert bind(MEASURES["AP"], {"rel": np.int64(2), "cutoff": None}) == parse_measure("AP(rel=2)")
    with pytest.raises(ValueError, match="two measures are called AP"):
        measure("AP")(twice)  # type: ignore[arg-type]


GAINS = ("linear", "exp", "{0:1e15,1:0}", "{0:0.6,1:1}", "{1:1e-300,2:1e15}", "{1:-1e15,2:1e15}")
NUMBERS = (0, 1, 2, 0.5, 1e-300, 1e-9, 0.999999999, 3, 1000, 2**31, 1e15, 1e300)
LABELS = st.sampled_from([UNJUDGED, POOLED, -32766, -1, 0, 0, 1, 1, 2, 3, 974, 975, 1000, 32767])
ROWS = st.lists(st.tuples(st.lists(LABELS, max_size=6), st.lists(LABELS, max_size=3)), min_size=1, max_size=3)
NAMES = list(JUDGED)


def words_of(parameter: Parameter) -> list[str]:
    """Values at and near the limits of a parameter, and far from them, as they are written."""
    limits = parameter.limits
    if parameter.kind is Gains:
        return list(GAINS)
    if limits.choices or parameter.kind in (str, bool):
        return [*limits.choices] or ["true", "false"]
    ends: list[float] = [each for each in (limits.least, limits.most) if each is not None]
    ends += [nextafter(limits.above, inf)] if limits.above is not None else []
    ends += [nextafter(limits.below, -inf)] if limits.below is not None else []
    numbers: list[Any] = [each for each in (*NUMBERS, *ends) if limits.allow(each) and abs(each) < inf]
    if parameter.kind is int:
        return [str(int(each)) for each in numbers if each == int(each)]
    return [repr(float(each)) for each in numbers] if parameter.kind is float else [limits.example]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=at_length(600, 12))
@given(data=st.data(), rows=ROWS)
def test_no_value_of_a_parameter_gives_what_is_no_number(
    name: str, data: st.DataObject, rows: list[tuple[list[int], list[int]]]
) -> None:
    written = [
        f"{parameter.name}={data.draw(st.sampled_from(words_of(parameter)))}"
        for parameter in MEASURES[name].parameters
        if parameter.required or data.draw(st.booleans())
    ]
    try:
        values = parse_measure(f"{name}({','.join(written)})" if written else name)(judged_rows(*rows))
    except WorkbenchError:
        return
    assert np.isfinite(values).all(), (written, values)
