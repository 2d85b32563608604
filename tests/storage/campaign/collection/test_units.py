"""Answers are judged in units: each sentence with each document that it cites."""

from __future__ import annotations

import pytest

from tests.asked_answers import add_answers, put_bank
from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from tests.made_answers import GRAZERS, REEFS, YEARS, answer
from tests.sentences import refused
from workbench.campaign import assigning
from workbench.campaign.assessing import queue
from workbench.campaign.campaign_settings import SettingRefused
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import plan_pool
from workbench.campaign.questions import USUAL, declare, question_counts
from workbench.core.about import ANSWERS, CITATIONS, NUGGETS
from workbench.core.errors import CampaignError
from workbench.formats.answers.banks import GoldAnswer, Nugget
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.collection import documents, runs, units
from workbench.storage.campaign.collection.ranking_blobs import unpack_documents
from workbench.storage.campaign.collection.rankings import load_grid
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.log import log
from workbench.storage.campaign.opening.integrity import foreign_key_problems

FIRST = ("Reefs recover slowly.", [1]), ("Cooler years help.", [0, 1])
SECOND = ("Nobody knows.", []), ("Cooler years help.", [0]), ("Cooler years help.", [0])
"""What the runs one and two say about topic 1; both cite the segment on reefs for cooler years."""


@pytest.fixture
def asked(small: Campaign) -> Campaign:
    """The campaign `small` with two runs of answers to topic 1, and the question about what they cite."""
    add_answers(small, answer("1", *FIRST, run="one"))
    add_answers(small, answer("1", *SECOND, run="two", cites=(REEFS,)))
    declare(small.by("Olga"), USUAL[CITATIONS])
    return small


def seen(campaign: Campaign) -> Campaign:
    return campaign.asking("support")


def said(campaign: Campaign, run: int) -> list[tuple[str, str]]:
    """The sentences of a run with what they cite, as it ranks them."""
    found = units.of_topic(campaign, "1!support")
    (ranking,) = runs.packed_rankings(seen(campaign), run=run)
    order = unpack_documents(ranking.documents).tolist()
    return [(found.units[number].text, found.units[number].cited) for number in order]


def test_a_run_ranks_its_citations_in_the_order_of_its_sentences(asked: Campaign) -> None:
    (one, two) = [run.run for run in runs.in_force(seen(asked))]
    assert said(asked, one) == [
        ("Reefs recover slowly.", YEARS),
        ("Cooler years help.", REEFS),
        ("Cooler years help.", YEARS),
    ]
    assert said(asked, two) == [("Cooler years help.", REEFS)]


def test_what_two_runs_say_alike_is_one_unit_that_is_judged_once(asked: Campaign) -> None:
    add_pool(seen(asked).by("Olga"), depth=10)
    (unit,) = [each for each in units.of_topic(asked, "1!support").units if each.cited == REEFS]
    assert [item.document_id for item in queue(asked, "1!support", "Ann")].count(unit.unit_id) == 1
    assert len(queue(asked, "1!support", "Ann")) == 3
    judge_as(asked, "Ann", "1!support", unit.unit_id, 2)
    assert [each[1:] for each in labels.qrels(seen(asked))] == [("1!support", unit.unit_id, 2)]
    assert labels.qrels(asked) == []
    assert wrong(asked) == []


def test_a_pooled_unit_has_its_sentence_as_text_and_names_what_it_cites(asked: Campaign) -> None:
    add_pool(seen(asked).by("Olga"), depth=1)
    stored = [documents.find(asked, item.document_id) for item in queue(asked, "1!support", "Ann")]
    texts = {(each.document.text, each.document.fields["document"]) for each in stored if each is not None}
    assert texts == {("Reefs recover slowly.", YEARS), ("Cooler years help.", REEFS)}


def test_a_later_run_leaves_the_numbers_of_units_as_they_are(asked: Campaign) -> None:
    before, row = runs.vocabulary(asked, "1!support"), log.head(asked).seq
    add_answers(asked, answer("1", ("Grazers help.", [0]), run="three", cites=(GRAZERS,)))
    assert runs.vocabulary(asked, "1!support")[: len(before)] == before
    assert len(runs.vocabulary(asked, "1!support")) == len(before) + 1
    assert runs.vocabulary(asked.at(row), "1!support") == before


def test_a_withdrawn_run_has_no_units_in_pools_that_follow(asked: Campaign) -> None:
    withdraw_runs(asked.by("Olga"), ["one"])
    made = add_pool(seen(asked).by("Olga"), depth=10)
    assert made.pairs == 1
    assert wrong(asked) == []


def test_runs_of_documents_take_no_part(asked: Campaign) -> None:
    assert [run.record.tag for run in load_grid(seen(asked)).runs] == ["one", "two"]
    assert [run.record.tag for run in load_grid(asked).runs] == ["alpha", "beta", "one", "two"]


def test_a_question_about_documents_has_no_pools_of_its_own(small: Campaign) -> None:
    declare(small.by("Olga"), USUAL[CITATIONS]._replace(about="documents", relevant_from=1))
    with refused(CampaignError, "support"):
        add_pool(seen(small).by("Olga"), depth=1)


def test_what_a_question_is_about_stays(asked: Campaign) -> None:
    with refused(SettingRefused, "support"):
        declare(asked.by("Olga"), USUAL[CITATIONS]._replace(about=NUGGETS))
    with refused(SettingRefused, "sentences"):
        declare(asked.by("Olga"), USUAL[CITATIONS]._replace(name="other", about="sentences"))
    with refused(SettingRefused, "citations"):
        declare(asked.by("Olga"), USUAL[CITATIONS]._replace(name="other", asked_from=1))


def test_the_question_counts_its_units(asked: Campaign) -> None:
    add_pool(seen(asked).by("Olga"), depth=10)
    (counts,) = question_counts(asked)
    assert (counts.about, counts.pooled, counts.judged) == ("citations", 3, 0)


BANK = Nugget("recovery takes decades", importance="vital"), Nugget("grazers help")


@pytest.fixture
def assigned(asked: Campaign) -> Campaign:
    """The same with two nuggets of topic 1, and the question which of them answers hold; the pool has all units."""
    put_bank(asked, *BANK)
    declare(asked.by("Olga"), USUAL[NUGGETS])
    add_pool(asked.asking("nuggets").by("Olga"), depth=10)
    return asked


def test_each_answer_is_judged_by_each_nugget(assigned: Campaign) -> None:
    found = units.of_topic(assigned, "1!nuggets")
    assert [(unit.text, unit.run) for unit in found.units] == [
        ("recovery takes decades", 3),
        ("grazers help", 3),
        ("recovery takes decades", 4),
        ("grazers help", 4),
    ]
    vital = {run: each.extra.tolist() for run, each in found.by_run.items()}
    assert vital == {3: [True, False], 4: [True, False]}
    assert len(queue(assigned, "1!nuggets", "Ann")) == 4


def test_identical_answers_are_judged_once(assigned: Campaign) -> None:
    add_answers(assigned, answer("1", *FIRST, run="copy", cites=(GRAZERS, YEARS)))
    found = units.of_topic(assigned, "1!nuggets").by_run
    assert found[5].number.tolist() == found[3].number.tolist()


def test_another_text_of_a_nugget_is_asked_about_and_another_importance_is_not(assigned: Campaign) -> None:
    before = runs.vocabulary(assigned, "1!nuggets")
    put_bank(assigned, Nugget("recovery takes decades"), Nugget("grazers help", importance="vital"))
    assert runs.vocabulary(assigned, "1!nuggets") == before
    put_bank(assigned, Nugget("recovery takes years"), Nugget("grazers help", importance="vital"))
    made = add_pool(assigned.asking("nuggets").by("Olga"), depth=10)
    assert (made.pairs, made.pool.pairs) == (4, 2)
    assert runs.vocabulary(assigned, "1!nuggets")[:4] == before
    assert wrong(assigned) == []


def test_plans_of_pools_and_draws_know_the_pairs_of_their_question_alone(assigned: Campaign) -> None:
    add_pool(seen(assigned).by("Olga"), depth=10)
    assigning.choose_who_judges(assigned.by("Olga"), "assigned")
    drawn = {}
    for name in ("support", "nuggets"):
        asked = assigned.asking(name)
        assigning.spread(asked.by("Olga"), ["Ann"])
        drawn[name] = assigning.draw_double(asked.by("Olga"), 0.5, 7, assessors=["Ben"]).pairs
        plan_pool(asked, depth=10)
        first, *_ = queue(asked, f"1!{name}", "Ann")
        judge_as(asked, "Ann", f"1!{name}", first.document_id, 2)
        assert plan_pool(asked, depth=10).at_depth.judged == 1
        assert [len(draw.drawn) for draw in draws.all_draws(asked)] == [2]
    assert drawn == {"support": 2, "nuggets": 2}
    assert plan_pool(assigned, depth=1).at_depth.judged == 0
    assert draws.all_draws(assigned) == []
    assert list(foreign_key_problems(assigned)) == []
    assert wrong(assigned) == []


def test_nuggets_that_are_only_proposed_are_not_judged(assigned: Campaign) -> None:
    put_bank(assigned, Nugget("recovery takes decades"), Nugget("algae win", proposed=True))
    assert {len(each.number) for each in units.of_topic(assigned, "1!nuggets").by_run.values()} == {1}


@pytest.mark.parametrize(
    ("nugget", "texts"),
    [
        (Nugget("How long?", answers=(GoldAnswer("decades"),)), ["How long?\n– decades"]),
        (
            Nugget("Who helps?", aggregator="AND", answers=(GoldAnswer("grazers"), GoldAnswer("fish"))),
            ["Who helps? (all of these)\n– grazers\n– fish"],
        ),
        (Nugget("Why?", parts=(Nugget("heat"), Nugget("acid"))), ["Why? (any of these)\n– heat\n– acid"]),
        (
            Nugget("Who?", aggregator="SUM", answers=(GoldAnswer("Ann"), GoldAnswer("", "a-2"))),
            ["Who?\n– Ann", "Who?\n– a-2"],
        ),
        (Nugget("Who?", aggregator="SUM"), ["Who?"]),
    ],
)
def test_a_nugget_is_shown_with_its_acceptable_answers(nugget: Nugget, texts: list[str]) -> None:
    assert units.texts_of(nugget) == texts


def test_a_sentence_with_half_a_character_is_judged_like_any_other(asked: Campaign) -> None:
    add_answers(asked, answer("1", ("Half \ud800.", [0]), run="half").replace("\ud800", "\\ud800"))
    add_pool(seen(asked).by("Olga"), depth=10)
    texts = [documents.find(asked, item.document_id) for item in queue(asked, "1!support", "Ann")]
    assert "Half ?." in [each.document.text for each in texts if each is not None]


def test_another_topics_nuggets_leave_the_units_as_they_were_read(assigned: Campaign) -> None:
    before, cited = units.of_topic(assigned, "1!nuggets"), units.of_topic(assigned, "1!support")
    put_bank(assigned, *BANK, topic_id="2")
    assert units.of_topic(assigned, "1!nuggets") is before
    put_bank(assigned, Nugget("heat kills"))
    assert units.of_topic(assigned, "1!nuggets") is not before
    assert units.of_topic(assigned, "1!support") is cited


def test_an_answer_is_judged_as_a_whole_once_however_many_runs_have_it(asked: Campaign) -> None:
    add_answers(asked, answer("1", *FIRST, run="copy", cites=(GRAZERS, YEARS)))
    declare(asked.by("Olga"), USUAL[ANSWERS])
    seen = asked.asking("quality")
    add_pool(seen.by("Olga"), depth=10)
    first, second = units.of_topic(asked, "1!quality").units
    assert first.text == "Reefs recover slowly.\nCooler years help."
    judge_as(asked, "Ann", "1!quality", first.unit_id, 3)
    judge_as(asked, "Ann", "1!quality", second.unit_id, 1)
    rows = score_campaign(seen, ["answer_score"]).rows
    assert [(row.tag, row.values) for row in rows] == [("one", (1.0,)), ("two", (1 / 3,)), ("copy", (1.0,))]
    assert wrong(asked) == []
