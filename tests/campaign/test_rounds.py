"""Rounds are rows of the log: what comes after one belongs to the round that it opens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.found_wrong import wrong
from tests.sentences import refused
from tests.three_rounds import judge, three_rounds
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.campaign.rounds import cancel_round, cancellation, find_round, name_of, open_round, part_named
from workbench.core.errors import AlreadyDone, CampaignError, NotThere, UnknownName
from workbench.core.records import Topic
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import rounds, topics
from workbench.storage.campaign.collection.rounds import OfRound, seen_by
from workbench.storage.campaign.log import log


@pytest.fixture
def covid(tmp_path: Path) -> Iterator[Campaign]:
    with three_rounds(tmp_path) as campaign:
        yield campaign


def test_a_round_in_which_nothing_came_is_not_left_for_another(covid: Campaign) -> None:
    open_round(covid.by("Olga"), "4")
    before = log.newest_seq(covid)
    with refused(AlreadyDone):
        open_round(covid.by("Olga"), "5")
    assert log.newest_seq(covid) == before


def test_a_round_in_which_nothing_came_can_be_cancelled(covid: Campaign) -> None:
    before, third = rounds.all_rounds(covid), log.newest_seq(covid)
    opened = open_round(covid.by("Olga"), "4")
    assert cancel_round(covid.by("Olga"), "4").counts.round == opened
    assert rounds.all_rounds(covid) == before
    assert len(rounds.all_rounds(covid.at(opened.opened))) == 4
    judge(covid, {("2", "z3"): 0})
    assert rounds.all_rounds(covid)[-1].holds(log.newest_seq(covid))
    assert open_round(covid.by("Olga"), "4").number == 4
    assert rounds.all_rounds(covid)[2].last == third + 3
    assert wrong(covid) == []


def sent(campaign: Campaign, folder: Path, tag: str, documents: str, team: str = "") -> None:
    add_runs(campaign.by("Olga"), [write_run(folder / f"{documents}.run", tag, {"1": documents})], team=team)


def test_what_came_in_a_round_that_is_cancelled_belongs_to_the_round_before(
    covid: Campaign, tmp_path: Path
) -> None:
    sent(covid, tmp_path, "same", "d1")
    opened = open_round(covid.by("Olga"), "4")
    sent(covid, tmp_path, "same", "d1 d2")
    with covid.write():
        topics.put(covid.by("Olga"), [Topic("9", "")], files=[])
    before = log.head(covid)
    preview = cancellation(covid, "4")
    assert preview.moved == "1 run and 1 topic of round 4 then belong to round 3."
    assert log.head(covid) == before
    assert cancel_round(covid.by("Olga"), "4") == preview
    third = seen_by(covid, OfRound(rounds.all_rounds(covid)[-1]))
    assert [run.record.tag for run in rounds.taking_part(third)] == ["c3", "same", "same.4"]
    assert third.part.round.holds(opened.opened + 1)
    assert wrong(covid) == []


def test_a_round_with_judgments_or_a_pool_of_its_own_stays_and_so_does_one_that_is_over(
    covid: Campaign, small: Campaign, tmp_path: Path
) -> None:
    before = rounds.all_rounds(covid)
    for name in ("3", "2", "1"):
        with refused(CampaignError, name):
            cancel_round(covid.by("Olga"), name)
    with refused(NotThere, "7"):
        cancel_round(covid.by("Olga"), "7")
    with refused(CampaignError):
        cancel_round(small.by("Olga"), "1")
    assert rounds.all_rounds(covid) == before
    open_round(covid.by("Olga"), "4")
    sent(covid, tmp_path, "new", "d9 d1")
    add_pool(covid.by("Olga"), depth=2, residual=True)
    with refused(CampaignError, "pool 1"):
        cancel_round(covid.by("Olga"), "4")


def test_names_of_rounds_are_used_once_and_fit_into_names_of_files(covid: Campaign) -> None:
    with refused(AlreadyDone):
        open_round(covid.by("Olga"), "2")
    for name in ("", "2/3", "2-3", "two words", "x" * 41, "all"):
        with refused(CampaignError):
            open_round(covid.by("Olga"), name)


def test_an_unknown_round_is_an_error_that_names_those_there_are(covid: Campaign) -> None:
    assert find_round(covid, "3").number == 3
    with pytest.raises(NotThere, match=r"covid has no round 7; it has 1, 2, 3\."):
        find_round(covid, "7")


@pytest.mark.parametrize(
    ("text", "round_name", "judged"),
    [("", "3", "all"), ("2", "2", "all"), (" 1-own ", "1", "own"), ("3-residual", "3", "residual")],
)
def test_a_part_is_named_by_its_round_and_the_judgments_that_count(
    covid: Campaign, text: str, round_name: str, judged: str
) -> None:
    found = part_named(covid, text)
    assert found is not None
    assert (found.round.name, found.judged) == (round_name, judged)
    assert part_named(covid, name_of(found)) == found


def test_all_rounds_together_are_no_part_and_a_campaign_of_one_round_has_none(
    covid: Campaign, small: Campaign
) -> None:
    assert part_named(covid, "all") is part_named(small, "") is None
    assert part_named(covid, name_of(None)) is None
    first = part_named(covid.at(3), "")
    assert first is None
    for name, kind in (
        ("7", NotThere),
        ("2-all", UnknownName),
        ("2-else", UnknownName),
        ("all-own", NotThere),
    ):
        with refused(kind, name.partition("-")[0]):
            part_named(covid, name)
