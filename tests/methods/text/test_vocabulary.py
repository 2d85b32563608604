"""Forms of words that are asked for, and texts as vectors of their words."""

from __future__ import annotations

import math

import numpy as np
import pytest

from workbench.methods.text.tf_idf import LOOKED_AT, word_vectors
from workbench.methods.text.vocabulary import Vocabulary, Word, without_particle


def test_a_form_is_the_words_asked_for_that_share_its_stem_its_letters_or_its_start() -> None:
    vocabulary = Vocabulary("en")
    stem, exact, start = (
        vocabulary.register("climates", "stem"),
        vocabulary.register("Climate", "exact"),
        vocabulary.register("cli", "start"),
    )
    assert vocabulary.words("CLIMATE") == (Word(stem), Word(exact), Word(start))
    assert vocabulary.words("climates") == (Word(stem), Word(start))
    assert vocabulary.words("clip") == (Word(start),)
    assert vocabulary.words("lip") == ()


def test_a_word_asked_for_twice_is_one_and_what_folds_to_nothing_is_none() -> None:
    vocabulary = Vocabulary("en")
    assert (
        vocabulary.register("lake", "stem")
        == vocabulary.register("LAKE", "stem")
        != vocabulary.register("lake", "exact")
    )
    vocabulary = Vocabulary("ar")
    vocabulary.register("ـ", "start")
    assert vocabulary.words("مجلس") == ()


def test_starts_of_every_length_and_irregular_forms_are_found() -> None:
    vocabulary = Vocabulary("en")
    assert vocabulary.words("dying") == () and vocabulary.register("die", "stem") == 0
    assert vocabulary.words("dying") == (Word(0),)
    vocabulary = Vocabulary("en")
    starts = [vocabulary.register(start, "start") for start in ("cl", "climat", "clim", "c")]
    assert vocabulary.words("climates") == tuple(map(Word, starts))
    assert vocabulary.words("clinic") == (Word(starts[0]), Word(starts[3]))


def test_korean_words_take_the_syllables_before_what_is_attached() -> None:
    vocabulary = Vocabulary("ko")
    climate = vocabulary.register("기후의", "stem")
    assert vocabulary.words("기후변화") == (Word(climate, 2),)
    assert vocabulary.words("\u1100\u1175\u1112\u116e\u1100\u1161") == (Word(climate, 4),)
    assert vocabulary.words("기온") == ()
    assert [without_particle(word) for word in ("한국에서", "한국", "은", "물은")] == [
        "한국", "한국", "은", "물",
    ]  # fmt: skip


def test_no_more_forms_are_kept_than_the_memory_has_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.methods.text.vocabulary.FORMS_KEPT", 3)
    vocabulary = Vocabulary("en")
    vocabulary.register("river", "stem")
    for number in range(10):
        assert vocabulary.forms()["rivers"]
        assert not vocabulary.forms()[f"snow{number}"]
        assert len(vocabulary.forms()) <= 4


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
