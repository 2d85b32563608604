from __future__ import annotations

import pytest

from tests.fixture_types import MakeJudged
from tests.methods.measures.conftest import value_of as value
from tests.sentences import refused
from workbench.core.errors import UnknownName, WorkbenchError
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.measures import parse_measure, parse_named

# 2 of 5 retrieved documents are relevant, and 1 more was not retrieved.
RANKED = [1, 0, UNJUDGED, 2, POOLED]
OTHERS = [1, 0]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("SetP", 2 / 5), ("SetP(rel=2)", 1 / 5), ("SetR", 2 / 3), ("SetR(rel=2)", 1.0), ("SetRelP", 2 / 3),
        ("SetP(relative=true)", 2 / 3), ("SetMeanPR", (2 / 5 + 2 / 3) / 2), ("SetF", 2 * 2 / (5 + 3)),
        ("SetE", 1 - 2 * 2 / (5 + 3)), ("SetAP", (2 / 5) * (2 / 3)),
        ("SetAccuracy(collection=20)", (2 + 14) / 20), ("SetFPR(collection=20)", 3 / 17), ("Utility", 2 - 3),
        ("Utility(c=-2)", 2 - 3 - 2),
        ("Utility(a=3,b=-0.5,d=0.25,collection=20)", 3 * 2 - 0.5 * 3 + 0.25 * 14),
    ],
)  # fmt: skip
def test_values_worked_out_by_hand(judge: MakeJudged, measure: str, expected: float) -> None:
    assert parse_measure(measure)(judge(RANKED, OTHERS)) == pytest.approx([expected], rel=1e-15)


@pytest.mark.parametrize(
    ("found", "retrieved", "relevant", "precision", "recall"),
    [(2, 5, 4, 0.4, 0.5), (2, 4, 4, 0.5, 0.5), (2, 3, 10, 0.6667, 0.2), (3, 5, 10, 0.6, 0.3)],
)
def test_worked_example_of_precision_and_recall_of_sets(
    found: int, retrieved: int, relevant: int, precision: float, recall: float
) -> None:
    ranked, others = [1] * found + [0] * (retrieved - found), [1] * (relevant - found)
    assert round(value("SetP", ranked, others), 4) == precision
    assert round(value("SetR", ranked, others), 4) == recall


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("SetF(beta=2)", 5 * (2 / 5) * (2 / 3) / (4 * 2 / 5 + 2 / 3)),
        ("SetF(beta=0.5)", 1.25 * (2 / 5) * (2 / 3) / (0.25 * 2 / 5 + 2 / 3)), ("SetF(beta=0)", 2 / 5),
        ("SetF(beta_squared=4)", 5 * (2 / 5) * (2 / 3) / (4 * 2 / 5 + 2 / 3)),
        ("SetF(alpha=0.2)", 1 / (0.2 / (2 / 5) + 0.8 / (2 / 3))), ("SetF(alpha=0)", 2 / 3),
        ("SetF(alpha=1)", 2 / 5), ("SetE(beta=2)", 1 - 5 * (2 / 5) * (2 / 3) / (4 * 2 / 5 + 2 / 3)),
    ],
)  # fmt: skip
def test_f_weighs_recall_by_beta_or_precision_by_alpha(measure: str, expected: float) -> None:
    assert value(measure, RANKED, OTHERS) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("name", ["SetF", "SetE"])
def test_beta_and_alpha_exclude_one_another(name: str) -> None:
    with refused(UnknownName):
        parse_measure(f"{name}(beta=2,alpha=0.5)")


def test_names_of_the_reference_keep_their_numbers_as_they_were_written() -> None:
    # (2 + 1) P R / (2 P + R)
    expected = 3 * (2 / 5) * (2 / 3) / (2 * (2 / 5) + 2 / 3)
    (named,) = parse_named("set_F.2")
    assert named.name == "set_F_2"
    assert str(named.measure) == "SetF(beta_squared=2.0)"
    assert value("set_F.2", RANKED, OTHERS) == expected
    assert value("SetF(beta=1.4142135623730951)", RANKED, OTHERS) == pytest.approx(expected)
    (named,) = parse_named("utility.2,-1,0,.5")
    assert (named.name, str(named.measure)) == ("utility_2,-1,0,.5", "Utility(a=2.0,d=0.5)")


@pytest.mark.parametrize("name", ["SetAccuracy", "SetTPR", "SetFPR", "AUC"])
def test_the_collection_is_named_or_given_for_all_and_holds_what_is_retrieved_or_relevant(name: str) -> None:
    with pytest.raises(UnknownName, match=rf"{name} needs a collection, as in {name}\(collection="):
        parse_measure(name)
    assert str(parse_measure(name, defaults={"collection": 20})) == f"{name}(collection=20)"
    value(f"{name}(collection=6)", RANKED, OTHERS)
    with refused(WorkbenchError):
        value(f"{name}(collection=5)", RANKED, OTHERS)


def test_where_nothing_is_retrieved_or_everything_is_relevant_there_is_a_value_all_the_same() -> None:
    assert value("SetAccuracy(collection=100)", [], [1, 1]) == 98 / 100
    assert value("SetFPR(collection=2)", [1], [1]) == 0.0
    assert value("SetE", [], [1]) == value("SetE", [0]) == 1.0
    assert value("SetMeanPR", [], [1, 0]) == value("SetF(alpha=0.5)", [0]) == value("SetMeanPR", []) == 0.0


@pytest.mark.parametrize(
    "name", ["utility.1,2", "utility.1,2,3,x", "utility.1,2,3,inf", "set_F.x", "set_F.-1"]
)
def test_numbers_that_cannot_be_are_refused(name: str) -> None:
    with refused(UnknownName):
        parse_measure(name)


# Nothing retrieved, nothing relevant
