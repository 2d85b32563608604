"""Runs, nuggets, topics and pools come and go: what is asked follows, and every check of the campaign file holds."""

from __future__ import annotations

import pytest

from tests.asked_answers import add_answers, put_bank
from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from tests.made_answers import GRAZERS, REEFS, YEARS, answer
from workbench.campaign.assessing import topic_progress
from workbench.campaign.content_changes import restore_runs, restore_topics, withdraw_runs, withdraw_topics
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.campaign.questions import USUAL, declare
from workbench.core.about import CITATIONS, NUGGETS
from workbench.formats.answers.banks import Nugget
from workbench.scoring.board import Board, score_campaign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, units
from workbench.storage.campaign.log import log

OTHER, KEPT = Nugget("grazers help"), Nugget("heat kills", importance="vital")
"""The nuggets of topic 1; the first gets another text."""


@pytest.fixture
def asked(small: Campaign) -> Campaign:
    """Three runs answer topic 1, two with a sentence in common; all six nuggets with answers are judged."""
    for run, cites in (("one", (REEFS, YEARS)), ("two", (REEFS, YEARS)), ("three", (GRAZERS, YEARS))):
        add_answers(small, answer("1", (f"{run} says.", [0]), ("Shared.", [1]), run=run, cites=cites))
    put_bank(small, OTHER, KEPT, topic_id="1")
    for kind in (CITATIONS, NUGGETS):
        declare(small.by("Olga"), USUAL[kind])
        add_pool(small.asking(USUAL[kind].name).by("Olga"), depth=10)
    for unit in units.of_topic(small, "1!nuggets").units:
        judge_as(small, "Ann", "1!nuggets", unit.unit_id, 1)
    return small


def pooled(campaign: Campaign) -> tuple[int, int, int]:
    """How many nuggets with answers are pooled, how many of these Ann judged, and how many citations are pooled.

    Every check holds, and the board of the moment is the one that followed all changes.
    """
    assert wrong(campaign) == []
    found = []
    for name in ("nuggets", "support"):
        seen = campaign.asking(name)
        assert BOARDS[name].table(seen).rows == score_campaign(seen).rows
        found.append(next((row for row in topic_progress(seen, "Ann") if row.pooled), None))
    nuggets, citations = found
    return (
        nuggets.pooled if nuggets else 0,
        nuggets.judged if nuggets else 0,
        citations.pooled if citations else 0,
    )


BOARDS: dict[str, Board] = {}


@pytest.fixture(autouse=True)
def boards() -> None:
    """Boards that know nothing yet."""
    BOARDS.update(nuggets=Board(), support=Board())


def test_the_units_of_a_withdrawn_run_go_and_come_back_judged(asked: Campaign) -> None:
    row = log.newest_seq(asked)
    assert pooled(asked) == (6, 6, 4)
    withdraw_runs(asked.by("Olga"), ["three"])
    assert pooled(asked) == (4, 4, 3)
    restore_runs(asked.by("Olga"), ["three"])
    assert pooled(asked) == (6, 6, 4)
    assert len(pools.pooled_pairs(asked.asking("nuggets").at(row))) == 6


def test_a_nugget_with_another_text_leaves_and_its_old_text_comes_back_judged(asked: Campaign) -> None:
    row = log.newest_seq(asked)
    put_bank(asked, OTHER._replace(text="fish help"), KEPT, topic_id="1")
    assert pooled(asked) == (3, 3, 4)
    add_pool(asked.asking("nuggets").by("Olga"), depth=10)
    assert pooled(asked) == (6, 3, 4)
    put_bank(asked, OTHER, KEPT, topic_id="1")
    assert pooled(asked) == (6, 6, 4)
    assert len(pools.pooled_pairs(asked.asking("nuggets").at(row))) == 6


def test_what_changes_while_a_topic_is_withdrawn_holds_when_it_is_back(asked: Campaign) -> None:
    withdraw_topics(asked.by("Olga"), ["1"])
    put_bank(asked, KEPT, topic_id="1")
    assert pooled(asked) == (0, 0, 0)
    restore_topics(asked.by("Olga"), ["1"])
    assert pooled(asked) == (3, 3, 4)


def test_a_retired_pool_of_units_is_made_again(asked: Campaign) -> None:
    seen = asked.asking("nuggets")
    put_bank(asked, KEPT, topic_id="1")
    retire_pool(seen.by("Olga"), pools.in_force(seen)[0].pool, reason="made by mistake")
    assert pooled(asked) == (0, 0, 4)
    add_pool(seen.by("Olga"), depth=10)
    assert pooled(asked) == (3, 3, 4)
