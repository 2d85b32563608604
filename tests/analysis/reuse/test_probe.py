"""What chance drew from the pairs that a depth or a strategy had left, and what is learned from it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.analysis.reuse.conftest import Made
from workbench.analysis.reuse import probe
from workbench.analysis.reuse.probe import newest_probe
from workbench.analysis.reuse.stopped_sheets import stopped_content, stopped_sentences
from workbench.analysis.reuse.stopping import Probed, Stopped, if_stopped
from workbench.analysis.run_profiles.table import scoring_of
from workbench.core.errors import CampaignError, UnknownName
from workbench.setup.ingest import add_qrels
from workbench.setup.pools.choosing import choose_next
from workbench.setup.pools.making import add_pool
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools

TOPICS = [f"{number:02}" for number in range(1, 21)]
DOCUMENTS = [f"d{number:02}" for number in range(1, 21)]
Pair = tuple[str, str]


def relevant(topic: str, document: str) -> int:
    """d01 to d04 are relevant, d05 to d14 in every fourth topic."""
    number = int(document[1:])
    return int(number < 5 or (number < 15 and int(topic) % 4 == 0))


@pytest.fixture
def judge(tmp_path: Path) -> Callable[[Campaign, Iterable[Pair]], None]:
    """A function that judges pairs."""

    def judge(campaign: Campaign, pairs: Iterable[Pair]) -> None:
        file = tmp_path / f"{sum(1 for _ in tmp_path.iterdir())}.txt"
        file.write_text("".join(f"{topic} 0 {each} {relevant(topic, each)}\n" for topic, each in pairs))
        add_qrels(campaign, [str(file)], actor="Anna")

    return judge


Judge = Callable[[Campaign, Iterable[Pair]], None]


def begun(made: Made, judge: Judge, **pool: object) -> Campaign:
    """Three runs over 20 topics and 20 documents, of which all that is pooled is judged: the first three at first."""
    rng = random.Random(5)
    runs = {
        tag: (
            tag,
            {
                topic: " ".join(sorted(DOCUMENTS, key=lambda each: int(each[1:]) * skill + 9 * rng.random()))
                for topic in TOPICS
            },
        )
        for tag, skill in (("good", 1.0), ("fair", 0.6), ("poor", 0.2))
    }
    campaign = made(runs, {}, **(pool or {"depth": 3}))
    judge(campaign, pools.all_pairs(campaign))
    return campaign


def drawn(campaign: Campaign, *, percent: float = 50, seed: int = 1, depth: int = 20) -> list[Pair]:
    """The pairs that a probe brings in."""
    before = set(pools.all_pairs(campaign))
    add_pool(campaign, strategy="uniform", depth=depth, percent=percent, seed=seed, actor="Olga")
    return sorted(set(pools.all_pairs(campaign)) - before)


def test_labels_of_all_candidates_are_drawn_by_what_a_probe_shows(made: Made, judge: Judge) -> None:
    campaign = begun(made, judge)
    before = pools.all_pairs(campaign)
    new = drawn(campaign)
    judge(campaign, new)
    found = if_stopped(campaign, "P@5", draws=40)
    assert (found.why_none, found.draws) == ("", 40)
    assert found.probe == Probed(2, len(new), sum(relevant(*pair) for pair in new))
    assert (found.judged, found.waiting) == (len(before) + len(new), 400 - len(before) - len(new))
    left = sum(
        relevant(topic, each)
        for topic in TOPICS
        for each in DOCUMENTS
        if (topic, each) not in {*before, *new}
    )
    assert found.relevant is not None
    assert found.relevant.low <= left <= found.relevant.high
    assert found.check is not None
    assert found.check.whole is not None
    assert found.check.whole.pairs == len(new)
    for run in found.ranges:
        assert (run.lower or 0.0) - 1e-9 <= (run.low or 0.0) <= (run.high or 0.0) <= (run.upper or 0.0) + 1e-9
    assert "How many are relevant is learned from a probe, pool 2: of its " in stopped_sentences(found)[1]
    assert stopped_content(found)["probe"] == {
        "pool": 2,
        "pairs": len(new),
        "relevant": found.probe.relevant,
    }


def test_what_was_judged_before_a_probe_is_no_part_of_it(made: Made, judge: Judge) -> None:
    campaign = begun(made, judge)
    before = len(pools.all_pairs(campaign))
    new = drawn(campaign)
    judge(campaign, new)
    found = newest_probe(campaign, scoring_of(campaign))
    assert found is not None
    assert len(found.pairs.cell) == 400  # all candidates
    assert found.pairs.probe is not None
    assert found.pairs.probe.sum() == len(new)
    assert found.pairs.waits.sum() == 400 - before - len(new)
    assert not (found.pairs.probe & found.pairs.waits).any()
    # As of a row before the probe was drawn there is none.
    made_at = pools.all_pools(campaign)[1].seq
    assert newest_probe(campaign, scoring_of(campaign, made_at - 1)) is None


def test_a_sample_before_which_nothing_was_judged_is_no_probe(made: Made, judge: Judge) -> None:
    campaign = begun(made, judge, strategy="uniform", depth=20, percent=50.0)
    assert newest_probe(campaign, scoring_of(campaign)) is None
    with pytest.raises(CampaignError, match="no pooled pair waits"):
        if_stopped(campaign, "P@5")


def refused(campaign: Campaign, measure: str = "P@5") -> Stopped:
    found = if_stopped(campaign, measure)
    assert (found.draws, found.relevant, found.check) == (0, None, None)
    return found


def test_a_probe_has_to_be_judged_whole(made: Made, judge: Judge) -> None:
    campaign = begun(made, judge)
    new = drawn(campaign)
    judge(campaign, new[1:])
    found = refused(campaign)
    assert found.why_none == (
        f"of the {len(new)} pairs that pool 2 drew by chance from what was left, 1 wait for a judgment: judge these "
        "first"
    )
    assert found.way_out is None
    judge(campaign, new[:1])
    assert if_stopped(campaign, "P@5", draws=40).why_none == ""


def test_what_was_judged_since_a_probe_makes_it_tell_nothing(
    made: Made, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = begun(made, judge)
    judge(campaign, drawn(campaign))
    there = set(pools.all_pairs(campaign))
    others = [(topic, each) for topic in TOPICS for each in DOCUMENTS if (topic, each) not in there]
    most = int(probe.MOST_SINCE * len(others))
    judge(campaign, others[:most])
    assert if_stopped(campaign, "P@5", draws=40).why_none == ""
    judge(campaign, others[most : most + 1])
    found = refused(campaign)
    assert found.why_none.startswith(f"{most + 1} pairs that pool 2 did not draw were judged since")
    assert found.way_out is not None
    (command,) = found.way_out.commands  # nothing to retire: no pooled pair waits
    assert re.fullmatch(r"workbench pool made --strategy uniform --depth 20 --budget \d+% --seed 2", command)


def test_pairs_that_a_probe_could_not_draw_must_not_wait(made: Made, judge: Judge) -> None:
    campaign = begun(made, judge)
    judge(campaign, drawn(campaign, depth=12, percent=70))
    assert if_stopped(campaign, "P@5", draws=40).why_none == ""
    add_pool(campaign, depth=20, actor="Olga")
    assert re.fullmatch(
        r"\d+ pairs that wait had no chance to be drawn by pool 2", refused(campaign).why_none
    )


def test_a_probe_may_be_too_small(made: Made, judge: Judge) -> None:
    campaign = begun(made, judge)
    new = drawn(campaign, percent=10)
    judge(campaign, new)
    assert refused(campaign).why_none == f"the probe has {len(new)} pairs of what was left, and it takes 50"


def test_where_nothing_can_be_drawn_it_says_how_to_draw_a_probe(made: Made, judge: Judge) -> None:
    campaign = begun(made, judge, strategy="hedge", depth=20, budget=300, burn_in=3)
    assert choose_next(campaign)
    found = refused(campaign)
    assert found.why_none == "hedge chose what is judged by the judgments so far"
    said = stopped_sentences(found)[1]
    assert said.startswith(
        "Or draw a probe by chance: workbench pool made --retire 1, then workbench pool made --s"
    )
    assert said.endswith(" without a judgment. What is judged stays.")
    assert found.way_out is not None
    assert stopped_content(found)["way_out"] == {
        "commands": found.way_out.commands,
        "pairs": found.way_out.pairs,
    }


def test_where_a_strategy_chose_the_way_out_is_a_probe_that_can_be_drawn_so(made: Made, judge: Judge) -> None:
    campaign = begun(made, judge, strategy="hedge", depth=20, budget=200, burn_in=3)
    with pytest.raises(CampaignError) as error:
        if_stopped(campaign, "P@5")
    command = re.search(
        r"^no pooled pair waits .*; of candidates that are not pooled a probe tells: workbench pool made --retire 1"
        r", then workbench pool made --strategy uniform --depth 20 --budget (\d+)% --seed (\d+), and "
        r"judge its (\d+) pairs without a judgment$",
        str(error.value),
    )
    assert command
    percent, seed, number = map(int, command.groups())
    with campaign.write():
        pools.retire(campaign, 1, actor="Olga")
    judged = set(pools.all_pairs(campaign))
    grades = scoring_of(campaign).num_judged.sum()
    drawn(campaign, percent=percent, seed=seed)
    waiting = scoring_of(campaign).num_waiting.sum()
    assert (judged, waiting) == (set(), number)
    assert number >= 50
    judge(campaign, pools.all_pairs(campaign))
    done = if_stopped(campaign, "P@5", draws=40)
    assert (done.why_none, done.probe is not None and done.probe.pairs) == ("", number)
    assert done.judged == grades + number


def test_a_sample_that_cannot_be_made_again_is_no_probe(
    made: Made, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = begun(made, judge)
    drawn(campaign)
    assert newest_probe(campaign, scoring_of(campaign)) is not None

    def fails(*_: object) -> None:
        raise UnknownName("no such parameter")

    monkeypatch.setattr(probe, "frame_of", fails)
    assert newest_probe(campaign, scoring_of(campaign)) is None
    monkeypatch.undo()
    monkeypatch.setattr("workbench.storage.campaign.collection.runs.all_runs", lambda campaign: [])
    assert newest_probe(campaign, scoring_of(campaign)) is None
