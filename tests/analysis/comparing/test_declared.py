"""Declared comparisons find what the engine finds; the test of all pairs is made once for each row of the log."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sentences import refused
from workbench.analysis.comparing import declared as module
from workbench.analysis.comparing.all_pairs import all_pairs
from workbench.analysis.comparing.declared import COMPARISON, PAIRS, affordable
from workbench.analysis.comparing.scores import Scored, scores_of
from workbench.core.errors import NotThere, UnknownName
from workbench.storage.campaign import Campaign


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Scored]:
    """The scores for which a test was made."""
    calls: list[Scored] = []
    make = module.pairs_of

    def counting(scored: Scored, **options: int) -> object:
        calls.append(scored)
        return make(scored, **options)

    monkeypatch.setattr(module, "pairs_of", counting)
    return calls


@pytest.mark.parametrize("baseline", [None, "beta"])
def test_what_is_cached_is_what_the_engine_finds(judged: Campaign, baseline: str | None) -> None:
    found = PAIRS.answer(judged, {"baseline": baseline, "permutations": 300, "seed": 5})
    fresh = all_pairs(judged, "AP", baseline=baseline, permutations=300, seed=5)
    assert found.tags == fresh.tags
    np.testing.assert_array_equal(found.randomised_tukey, fresh.randomised_tukey)
    if baseline is None:
        assert found.max_t is None
    else:
        np.testing.assert_array_equal(found.max_t, fresh.max_t)


def test_a_test_is_made_once_until_the_log_goes_on(judged: Campaign, made: list[Scored]) -> None:
    for baseline in (None, "alpha", "beta", None):
        PAIRS.answer(judged, {"baseline": baseline, "permutations": 300})
    assert len(made) == 1
    PAIRS.answer(judged, {"measure": "P@1", "permutations": 300})
    PAIRS.answer(judged, {"permutations": 301})
    PAIRS.answer(judged, {"permutations": 300, "seed": 2})
    assert len(made) == 4


@pytest.mark.parametrize(
    ("shape", "permutations"), [((50, 143), 1_000), ((100, 17), 2_000), ((3, 2), 10_000)]
)
def test_the_quick_number_depends_on_the_size(
    judged: Campaign, shape: tuple[int, int], permutations: int
) -> None:
    assert affordable(scores_of(judged)._replace(values=np.zeros(shape))) == permutations


def test_runs_keep_their_order_and_are_compared_once_the_baseline_first(judged: Campaign) -> None:
    asked = {"run": ["beta", "alpha", "beta"], "baseline": "alpha"}
    assert COMPARISON.answer(judged, asked).tags == ("alpha", "beta")
    with refused(NotThere, "delta"):
        PAIRS.answer(judged, {"baseline": "delta"})
    for number in (10_001, 0):
        with refused(UnknownName):
            PAIRS.answer(judged, {"permutations": number})
