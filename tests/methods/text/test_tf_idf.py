"""Texts as vectors: weights by hand, a checksum of what they come from, and any script."""

from __future__ import annotations

import math

import numpy as np
import pytest

from workbench.methods.text.tf_idf import LOOKED_AT, word_vectors


def test_the_weights_are_those_of_the_formula_and_0_without_words() -> None:
    a, b, c = 1 + math.log(3 / 3), (1 + math.log(2)) * (1 + math.log(3 / 2)), 1 + math.log(3 / 2)
    length = math.hypot(a, b)
    expected = [[a / length, b / length, 0], [a / math.hypot(a, c), 0, c / math.hypot(a, c)]]
    assert word_vectors(["Ice. Lake lake", "ice river"]).matrix.toarray() == pytest.approx(np.array(expected))
    matrix = word_vectors(["", "…", "ice"]).matrix
    assert matrix.toarray().tolist() == [[0.0], [0.0], [1.0]]
    assert word_vectors([]).matrix.shape == (0, 0)
    assert word_vectors(["ice \ud800 lake"]).matrix.nnz >= 2


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("冰冻的河流", "河流与湖泊", True),
        ("الأنهار المتجمدة", "الأنهار والبحيرات", True),
        ("น้ำแข็ง", "ice", False),
    ],
)
def test_texts_of_other_scripts_have_words_in_common(one: str, other: str, alike: bool) -> None:
    matrix = word_vectors([one, other]).matrix.toarray()
    assert (matrix[0] @ matrix[1] > 0) == alike


def test_the_checksum_tells_other_words_numbers_and_orders_of_the_beginning() -> None:
    texts = ["ice lake", "river"]
    others = (
        ["ice lake", "rivers"], ["ice ice lake", "river"], ["river", "ice lake"], ["ice lake river", ""],
    )  # fmt: skip
    assert word_vectors(["Ice, lake!", "river."]).checksum == word_vectors(texts).checksum
    assert len({word_vectors(each).checksum for each in (texts, *others)}) == 1 + len(others)
    long = "ice " * (LOOKED_AT // 4)
    assert word_vectors([long + "lake"]).checksum == word_vectors([long]).checksum
