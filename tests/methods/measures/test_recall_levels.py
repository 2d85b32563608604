from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest

from tests.sentences import refused
from workbench.methods.measures.parameters import ELEVEN_POINTS, Levels, documents_at, read_levels


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("{0.2,0.5,0.8}", (0.2, 0.5, 0.8)),
        (".25,.5,.75", (0.25, 0.5, 0.75)),
        ("0.8, 0.2", (0.2, 0.8)),
        ("1", (1.0,)),
    ],
)
def test_levels_are_read_in_both_notations_and_put_in_order(text: str, shares: tuple[float, ...]) -> None:
    assert read_levels(text) == Levels(shares)


@pytest.mark.parametrize("text", ["", "{}", "x", "0.5,", "1.1", "-0.1", "nan", "0.5;0.6"])
def test_what_is_no_recall_is_refused(text: str) -> None:
    with refused(ValueError):
        read_levels(text)


def test_levels_are_written_as_they_are_read() -> None:
    assert read_levels(str(ELEVEN_POINTS)) == ELEVEN_POINTS
    assert str(Levels((0.2, 0.5))) == "{0.2,0.5}"


@pytest.mark.parametrize(
    ("level", "num_rel", "nearest", "up"),
    [
        (0.3, 4, 1, 2),  # 1.2; 1.2 + 0.9 = 2.1
        (0.5, 1, 1, 1),  # 0.5 is rounded away from 0; 1.4
        (0.5, 5, 3, 3),  # 2.5: not to the even neighbour
        (0.1, 4, 0, 1),  # 0.4; 1.3
        (0.1, 1, 0, 1),  # 0.1; 1.0
        (0.05, 1, 0, 0),  # 0.05; 0.95
        (0.0, 7, 0, 0),
        (1.0, 7, 7, 7),
        (0.7, 10, 7, 7),
        (1.0, 0, 0, 0),
    ],
)
def test_a_level_is_reached_with_a_whole_number_of_documents(
    level: float, num_rel: int, nearest: int, up: int
) -> None:
    known = np.array([num_rel])
    assert documents_at(level, known, "lround").tolist() == [nearest]
    assert documents_at(level, known, "up").tolist() == [up]


@pytest.mark.parametrize("level", [*ELEVEN_POINTS.shares, 0.05, 0.35, 0.65])
def test_rounding_is_that_of_the_exact_product(level: float) -> None:
    num_rel = np.arange(600)
    products = [level * number for number in range(600)]
    exact = [int(Decimal(each).to_integral_value(ROUND_HALF_UP)) for each in products]
    assert documents_at(level, num_rel, "lround").tolist() == exact
    assert documents_at(level, num_rel, "up").tolist() == [int(each + 0.9) for each in products]
