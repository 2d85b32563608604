"""The test of all pairs is made once for each row of the log, and is the same as the one that is not cached."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from workbench.analysis.comparing import all_pairs, scores_of
from workbench.analysis.comparing.all_pairs import affordable, cached_pairs
from workbench.analysis.comparing.scores import Scored
from workbench.core.errors import NotThere
from workbench.storage.campaign import Campaign

module = import_module("workbench.analysis.comparing.all_pairs")  # the package has a function of that name


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
    found = cached_pairs(judged, "AP", baseline=baseline, permutations=300, seed=5)
    fresh = all_pairs(judged, "AP", baseline=baseline, permutations=300, seed=5)
    assert found.tags == fresh.tags
    np.testing.assert_array_equal(found.randomised_tukey, fresh.randomised_tukey)
    if baseline is None:
        assert found.max_t is None
    else:
        np.testing.assert_array_equal(found.max_t, fresh.max_t)


def test_a_test_is_made_once_until_the_log_goes_on(judged: Campaign, made: list[Scored]) -> None:
    for baseline in (None, "alpha", "beta", None):
        cached_pairs(judged, "AP", baseline=baseline, permutations=300)
    assert len(made) == 1
    cached_pairs(judged, "P@1", permutations=300)
    cached_pairs(judged, "AP", permutations=301)
    cached_pairs(judged, "AP", permutations=300, seed=2)
    assert len(made) == 4


def test_nobody_shuffles_more_often_than_is_offered(judged: Campaign) -> None:
    assert cached_pairs(judged, permutations=10**9).permutations == 10_000
    assert cached_pairs(judged, permutations=0).permutations == 1


@pytest.mark.parametrize(
    ("shape", "permutations"), [((50, 143), 1_000), ((100, 17), 2_000), ((3, 2), 10_000)]
)
def test_the_quick_number_depends_on_the_size(
    judged: Campaign, shape: tuple[int, int], permutations: int
) -> None:
    assert affordable(scores_of(judged)._replace(values=np.zeros(shape))) == permutations


def test_an_unknown_baseline_is_refused(judged: Campaign) -> None:
    with pytest.raises(NotThere, match="there is no run 'delta'"):
        cached_pairs(judged, baseline="delta")
