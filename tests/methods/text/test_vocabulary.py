from __future__ import annotations

import pytest

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
