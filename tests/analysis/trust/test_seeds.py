"""A pool that grows in another way is another order, and needs a seed by which no other was begun."""

from __future__ import annotations

import numpy as np
import pytest

from tests.analysis.trust.conftest import GiveGrades, Made
from tests.sentences import refused, says
from workbench.analysis.trust.decisions import decide
from workbench.analysis.trust.sentences import notes_on_decided
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import CampaignError
from workbench.core.ranking import Names, Rankings
from workbench.methods.pooling.strategies.sequential_pps import draw
from workbench.methods.statistics.betting import evidence
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools

TWO = {"one": {"1": "a b c d e"}, "two": {"1": "f b g d h"}}
ORDER = {"strategy": "sequential-pps", "depth": 5, "measure": "P@5", "seed": 0, "budget": 3}
EACH = 40


def begun(made: Made, give_grades: GiveGrades, **pool: object) -> Campaign:
    """A campaign of which a first pool is judged."""
    campaign = made(TWO)
    add_pool(campaign.by("Olga"), **pool)  # type: ignore[arg-type]
    give_grades(campaign, {pair.pooled[:2]: 1 for pair in pools.each_pair(campaign)})
    return campaign


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (ORDER, ORDER | {"depth": 4, "measure": "P@4"}),
        (ORDER, ORDER | {"ties": "ascending"}),
        ({"strategy": "random", "depth": 5, "budget": 3, "seed": 0}, ORDER),
    ],
)
def test_another_order_by_a_seed_that_judgments_have_told_of_is_refused(
    made: Made, give_grades: GiveGrades, first: dict[str, object], then: dict[str, object]
) -> None:
    campaign = begun(made, give_grades, **first)
    with refused(CampaignError, f"pool 1 ({first['strategy']})", "seed 0", "such as 1"):
        add_pool(campaign.by("Olga"), **then)  # type: ignore[arg-type]
    add_pool(campaign.by("Olga"), **then | {"seed": 1})  # type: ignore[arg-type]
    assert decide(campaign) is not None


def test_where_it_was_drawn_all_the_same_nothing_is_decided_unless_nothing_was_judged(
    made: Made, give_grades: GiveGrades, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = made(TWO)
    other = ORDER | {"depth": 4, "measure": "P@4"}
    add_pool(campaign.by("Olga"), **ORDER)  # type: ignore[arg-type]
    add_pool(campaign.by("Olga"), **other)  # type: ignore[arg-type]
    assert decide(campaign) is not None
    give_grades(campaign, {pair.pooled[:2]: 1 for pair in pools.each_pair(campaign)})
    monkeypatch.setattr("workbench.campaign.pools.making.why_refused", lambda campaign, record: "")
    add_pool(campaign.by("Olga"), **other | {"ties": "ascending"})  # type: ignore[arg-type]
    with refused(CampaignError):
        decide(campaign)


def test_the_same_order_goes_on_by_its_seed(made: Made, give_grades: GiveGrades) -> None:
    campaign = begun(made, give_grades, **ORDER)
    add_pool(campaign.by("Olga"), **ORDER | {"budget": 5})  # type: ignore[arg-type]
    found = decide(campaign)
    assert found is not None
    assert (found.order.series.numbers, found.order.series.others) == ((1, 2), ())


def test_each_order_has_a_risk_of_its_own(made: Made, give_grades: GiveGrades) -> None:
    campaign = begun(made, give_grades, **ORDER)
    add_pool(campaign.by("Olga"), **ORDER | {"seed": 1})  # type: ignore[arg-type]
    found = decide(campaign)
    assert found is not None
    assert found.order.series.others == (1,)
    (told,) = [note for note in notes_on_decided(found, "made") if "another order" in note]
    assert says(told, "Pool 1")


def rankings_of(runs: int) -> Rankings:
    """So many runs of one topic, which share no document: 0-0, 0-1 ..., 1-0 ..."""
    ids = [f"{run}-{place}" for run in range(runs) for place in range(EACH)]
    rows = np.arange(runs, dtype=np.int32)
    names = Names(["1"], {"1": ids}, [str(run) for run in range(runs)])
    return Rankings(
        np.arange(runs + 1) * EACH, np.arange(len(ids), dtype=np.uint32), rows, 0 * rows, None, names
    )


def is_wrong(first_seed: int, second_seed: int) -> bool:
    """Whether the third run, which comes when half of two others is judged, is decided not to be worse: it is.

    All documents are relevant but one of the third run.
    """
    measure = f"P@{EACH}"
    before = draw(rankings_of(2), depth=EACH, measure=measure, seed=first_seed)
    judged = {before.ids[place] for place in before.sequence[:EACH].tolist()}
    after = draw(rankings_of(3), depth=EACH, measure=measure, seed=second_seed)
    places = [place for place in after.sequence.tolist() if after.ids[place] not in judged]
    run = np.array([int(after.ids[place][1][0]) for place in places])
    gain = np.array([float(after.ids[place][1] != "2-0") for place in places])
    known = np.bincount([int(document[0]) for _, document in judged], minlength=3) / EACH
    size = after.size[places]
    seen = evidence(
        np.equal.outer(np.arange(3), run) / EACH,
        gain,
        size,
        size[::-1].cumsum()[::-1],
        known=known,
        worst=float((1 / EACH / size).max()),
    )
    return bool(seen.decided(0.05)[2, :2].any())


def test_after_another_order_by_the_same_seed_evidence_would_be_wrong_nearly_always() -> None:
    assert sum(is_wrong(seed, seed) for seed in range(40)) >= 38
    assert sum(is_wrong(seed, 1_000 + seed) for seed in range(40)) <= 4  # two pairs, each at a risk of .05
