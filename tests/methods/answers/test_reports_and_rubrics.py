"""Measures of judged reports and by rubrics: what holds of all of them, and the value that the notes check by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.registry import Entry
from workbench.methods.answers.reports import REPORT_MEASURES, ReportCounts, of_all_reports
from workbench.methods.answers.rubrics import RUBRIC_MEASURES, packed

SHARES = [name for name in REPORT_MEASURES if name != "character_count"]


@st.composite
def counts(draw: st.DrawFn) -> ReportCounts:
    def part_of(whole: int) -> int:
        return draw(st.integers(0, whole))

    sentences, citations, nuggets = (draw(st.integers(0, 9)) for _ in range(3))
    return ReportCounts(
        *(sentences, part_of(sentences), citations, part_of(citations), part_of(citations)),
        *(nuggets, part_of(nuggets), 2 * nuggets, part_of(2 * nuggets), draw(st.integers(0, 9))),
    )


def test_the_harmonic_mean_of_support_and_coverage_is_that_of_the_published_example() -> None:
    of_all = ReportCounts(263, 251, 263, 263, 251, 266, 193, 266, 193, 0)
    values = [
        REPORT_MEASURES[name].function(of_all) for name in ("sentence_support", "nugget_coverage", "f1")
    ]
    assert [round(each, 4) for each in values] == [0.9544, 0.7256, 0.8244]


@pytest.mark.parametrize("name", SHARES)
@given(st.lists(counts(), min_size=1, max_size=4))
def test_shares_are_between_none_and_all_and_their_means_between_the_least_and_the_most(
    name: str, reports: list[ReportCounts]
) -> None:
    values = [REPORT_MEASURES[name].function(report) for report in reports]
    assert 0 <= min(values) <= max(values) <= 1
    assert min(values) - 1e-9 <= of_all_reports(name, reports)["macro"] <= max(values) + 1e-9
    assert 0 <= of_all_reports(name, reports)["micro"] <= 1
    assert of_all_reports(name, reports[:1]) == {"micro": values[0], "macro": values[0]}


worth = st.lists(st.sampled_from([1.0, 0.5, 0.0, -1.0]), max_size=4)


@given(st.lists(st.tuples(st.sampled_from([4.0, 2.0, 1.0]), worth), max_size=6))
def test_what_supports_and_what_contradicts_is_at_most_all_together(
    labelled: list[tuple[float, list[float]]],
) -> None:
    def value(name: str, answer: list[tuple[float, list[float]]]) -> float:
        return float(RUBRIC_MEASURES[f"{name}_score"].function(packed([answer, []]))[0])

    supports, contradicts = value("supportive", labelled), value("contradictory", labelled)
    assert supports >= 0 and contradicts >= 0 and supports + contradicts <= 1 + 1e-9
    turned = [(weight, [-each for each in values if abs(each) == 1]) for weight, values in labelled]
    back = [(weight, [-each for each in values]) for weight, values in turned]
    assert value("supportive", turned) == value("contradictory", back)


@given(st.lists(st.tuples(st.sampled_from([4.0, 2.0, 1.0]), worth), max_size=6))
def test_a_question_weighs_its_weight_however_many_labels_it_has(
    labelled: list[tuple[float, list[float]]],
) -> None:
    whole = sum(weight for weight, _ in labelled)
    held = [
        (weight, sum(max(each, 0) for each in values) / len(values)) for weight, values in labelled if values
    ]
    (found,) = RUBRIC_MEASURES["supportive_score"].function(packed([labelled]))
    assert found == pytest.approx(sum(weight * each for weight, each in held) / whole if whole else 0)


@pytest.mark.parametrize(
    "entry", [*REPORT_MEASURES.values(), *RUBRIC_MEASURES.values()], ids=lambda entry: entry.name
)
def test_every_measure_says_its_formula_and_source(entry: Entry) -> None:
    assert all(f"\n\n{word}:" in entry.prose for word in ("Formula", "Source"))
