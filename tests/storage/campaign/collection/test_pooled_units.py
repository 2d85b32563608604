"""Pooled units of answers: the texts that they cite, and those that no answer has any more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.asked_answers import add_answers, add_texts, put_bank
from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from tests.made_answers import GRAZERS, REEFS, YEARS, answer
from tests.sentences import refused, says
from workbench.campaign.assessing import queue
from workbench.campaign.content_changes import restore_runs, restore_topics, withdraw_runs, withdraw_topics
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import plan_pool
from workbench.campaign.questions import USUAL, declare, question_counts
from workbench.core.about import CITATIONS, NUGGETS
from workbench.core.errors import CampaignError
from workbench.core.records import Topic
from workbench.formats.answers.banks import Nugget
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import documents, pools, topics, units
from workbench.storage.campaign.grades import judgments, labels
from workbench.storage.campaign.log import log

FIRST = ("Reefs recover slowly.", [1]), ("Cooler years help.", [0, 1])
SECOND = ("Nobody knows.", []), ("Cooler years help.", [0])
BANK = Nugget("recovery takes decades"), Nugget("grazers help"), Nugget("cold helps")


@pytest.fixture
def asked(small: Campaign) -> Campaign:
    """The campaign `small` with two runs of answers to topic 1, three nuggets, and all units pooled."""
    add_answers(small, answer("1", *FIRST, run="one"))
    add_answers(small, answer("1", *SECOND, run="two", cites=(REEFS,)))
    put_bank(small, *BANK)
    for about in (CITATIONS, NUGGETS):
        declare(small.by("Olga"), USUAL[about])
        pool(small, USUAL[about].name)
    return small


def pool(campaign: Campaign, name: str) -> None:
    add_pool(campaign.asking(name).by("Olga"), depth=100)


def said(campaign: Campaign, assessor: str, topic_id: str) -> list[tuple[str, str]]:
    """The units of an assessor's queue: what they say, and the run that had each first or the document it cites."""
    asked = campaign.asking(topic_id.partition("!")[2])
    found = [units.find(campaign, topic_id, item.document_id) for item in queue(asked, topic_id, assessor)]
    return [(unit.text, unit.cited or str(unit.run)) for unit in found if unit is not None]


def citing(campaign: Campaign, document_id: str) -> list[str]:
    """Units that cite a document."""
    return [unit.unit_id for unit in units.of_topic(campaign, "1!support").units if unit.cited == document_id]


def test_the_nuggets_of_an_answer_follow_each_other_in_the_order_of_the_bank(asked: Campaign) -> None:
    firsts = set()
    for assessor in ("Ann", "Ben", "Cem", "Dan", "Eva", "Fay", "Gil"):
        found = said(asked, assessor, "1!nuggets")
        texts, runs = [text for text, _ in found], [run for _, run in found]
        assert texts == [nugget.text for nugget in BANK] * 2
        assert runs in (["3"] * 3 + ["4"] * 3, ["4"] * 3 + ["3"] * 3)
        firsts.add(runs[0])
    assert firsts == {"3", "4"}


def test_the_order_follows_a_bank_that_is_ordered_otherwise(asked: Campaign) -> None:
    put_bank(asked, *reversed(BANK))
    texts = [text for text, _ in said(asked, "Ann", "1!nuggets")]
    assert texts == [nugget.text for nugget in reversed(BANK)] * 2


def test_the_citations_of_a_sentence_follow_each_other(asked: Campaign) -> None:
    add_answers(asked, answer("1", ("Reefs recover slowly.", [0]), run="three", cites=(GRAZERS,)))
    pool(asked, "support")
    for assessor in ("Ann", "Ben", "Cem", "Dan", "Eva"):
        texts = [text for text, _ in said(asked, assessor, "1!support")]
        assert texts in ([FIRST[0][0]] * 2 + [FIRST[1][0]] * 2, [FIRST[1][0]] * 2 + [FIRST[0][0]] * 2)


def test_the_texts_of_cited_documents_are_asked_for(asked: Campaign) -> None:
    assert documents.without_text(asked) == ["d6", REEFS, YEARS]
    named = dict(documents.topics_without_text(asked, 5))
    assert (named[REEFS], named[YEARS]) == (["1!support"], ["1!support"])
    add_texts(asked, {REEFS: "Reefs.", GRAZERS: "Grazers."})
    assert documents.without_text(asked) == ["d6", YEARS]
    assert documents.find(asked, GRAZERS) is None


def test_a_judgment_without_the_cited_text_is_told_from_one_with_it(asked: Campaign) -> None:
    for unit_id in citing(asked, REEFS):
        judge_as(asked, "Ann", "1!support", unit_id, None)
    add_texts(asked, {REEFS: "Reefs.", YEARS: "Years."})
    standing = judgments.standing_on_other_texts(asked)
    assert [row.document_id for row in standing] == citing(asked, REEFS)
    changed = [text.document_id for change in documents.changes(asked) for text in change.texts]
    assert changed == citing(asked, REEFS)
    assert wrong(asked) == []


def test_another_text_of_a_cited_document_leaves_judgments_on_the_old_one(asked: Campaign) -> None:
    add_texts(asked, {REEFS: "Reefs.", YEARS: "Years."})
    for unit_id in [*citing(asked, REEFS), *citing(asked, YEARS)]:
        judge_as(asked, "Ann", "1!support", unit_id, 2)
    add_texts(asked, {REEFS: "Other reefs.", YEARS: "Years."}, changed=True)
    assert [row.document_id for row in judgments.standing_on_other_texts(asked)] == citing(asked, REEFS)
    (change,) = documents.changes_of(asked, citing(asked, REEFS)[0])
    assert [text[0] for text in change.content["texts"]] == [REEFS, *citing(asked, REEFS)]
    assert wrong(asked) == []
    add_texts(asked, {REEFS: "Third reefs."}, changed=True, judge_again=True)
    assert judgments.standing_on_other_texts(asked) == []
    assert labels.grades_of_topic(asked, "1!support").keys() == set(citing(asked, YEARS))
    assert wrong(asked) == []


def test_a_nugget_that_is_gone_is_asked_no_more_and_its_judgments_stay(asked: Campaign) -> None:
    before, row = queue(asked, "1!nuggets", "Ann"), log.newest_seq(asked)
    judge_as(asked, "Ann", "1!nuggets", before[1].document_id, 2)
    put_bank(asked, BANK[0], Nugget("grazers eat algae"))
    assert [text for text, _ in said(asked, "Ann", "1!nuggets")] == [BANK[0].text] * 2
    counts = question_counts(asked)[1]
    assert (counts.pooled, counts.judged) == (2, 0)
    assert labels.grades_of_topic(asked, "1!nuggets") == {before[1].document_id: 2}
    assert len(pools.pooled_pairs(asked.at(row), "1!nuggets")) == 6
    assert wrong(asked) == []


def test_a_nugget_that_comes_back_is_asked_again_with_its_judgments(asked: Campaign) -> None:
    before = queue(asked, "1!nuggets", "Ann")
    judge_as(asked, "Ann", "1!nuggets", before[1].document_id, 2)
    put_bank(asked, BANK[0])
    gone = log.newest_seq(asked)
    put_bank(asked, *BANK)
    now = queue(asked, "1!nuggets", "Ann")
    assert [item.document_id for item in now] == [item.document_id for item in before]
    assert [item.state for item in now].count("mine") == 1
    assert len(pools.pooled_pairs(asked.at(gone), "1!nuggets")) == 2
    assert wrong(asked) == []


def test_what_only_withdrawn_runs_say_is_asked_no_more(asked: Campaign) -> None:
    withdraw_runs(asked.by("Olga"), ["one"])
    assert said(asked, "Ann", "1!support") == [("Cooler years help.", REEFS)]
    assert [run for _, run in said(asked, "Ann", "1!nuggets")] == ["4"] * 3
    assert [counts.pooled for counts in question_counts(asked)] == [1, 3]
    assert wrong(asked) == []
    restore_runs(asked.by("Olga"), ["one"])
    assert [counts.pooled for counts in question_counts(asked)] == [3, 6]
    assert wrong(asked) == []


def test_a_topic_that_is_restored_has_the_units_that_answers_have_then(asked: Campaign) -> None:
    withdraw_topics(asked.by("Olga"), ["1"])
    put_bank(asked, BANK[0])
    restore_topics(asked.by("Olga"), ["1"])
    assert [counts.pooled for counts in question_counts(asked)] == [3, 2]
    assert wrong(asked) == []


def test_a_list_names_units_that_answers_have(asked: Campaign) -> None:
    with refused(CampaignError, "d1"):
        add_pool(asked.asking("support").by("Olga"), strategy="list", pairs=["1!support d1"])


def test_a_run_that_says_what_is_gone_again_brings_it_back(asked: Campaign) -> None:
    withdraw_runs(asked.by("Olga"), ["one"])
    add_answers(asked, answer("1", *FIRST, run="again"))
    assert [counts.pooled for counts in question_counts(asked)] == [3, 6]
    assert wrong(asked) == []


def test_a_run_that_takes_the_place_of_another_takes_its_units_out(asked: Campaign) -> None:
    add_answers(asked, answer("1", ("Algae grow.", [0]), run="one"), replaces=True)
    assert [counts.pooled for counts in question_counts(asked)] == [1, 3]
    assert wrong(asked) == []


SAMPLES: dict[str, dict[str, Any]] = {
    "rrf": {"depth": 3, "budget": 2},
    "pps": {"depth": 3, "budget": 2, "seed": 3},
    "strata": {"strata": "1:100%,2:50%", "seed": 3},
    "sequential-pps": {"depth": 3, "budget": 2, "measure": "P@2", "seed": 3},
    "mtf": {"depth": 3, "budget": 2},
    "hedge": {"depth": 3, "budget": 2},
    "mtc": {"depth": 3},
    "cal": {"depth": 3, "budget": 2, "seed": 3},
    "separate": {"depth": 3, "budget": 2},
}


@pytest.mark.parametrize("strategy", SAMPLES)
def test_units_are_pooled_and_sampled_by_every_kind_of_strategy(small: Campaign, strategy: str) -> None:
    add_answers(small, answer("1", *FIRST, run="one"))
    add_answers(small, answer("1", *SECOND, run="two", cites=(REEFS,)))
    declare(small.by("Olga"), USUAL[CITATIONS])
    seen = small.asking("support")
    planned = plan_pool(seen, strategy=strategy, **SAMPLES[strategy]).total
    made = add_pool(seen.by("Olga"), strategy=strategy, **SAMPLES[strategy])
    assert made.pairs <= planned <= 3
    (item, *_) = queue(seen, "1!support", "Ann")
    judge_as(small, "Ann", "1!support", item.document_id, 2)
    assert wrong(small) == []


def test_a_unit_that_is_gone_and_still_pooled_is_found(asked: Campaign) -> None:
    put_bank(asked, Nugget("Heat bleaches"))
    assert wrong(asked) == []
    asked.execute("INSERT INTO pooled SELECT * FROM retired_pair")
    asked.execute("DELETE FROM retired_pair")
    asked.db.conn.commit()
    ((_, found),) = (each for each in wrong(asked) if "answer" in each[0])
    assert len(found) == 6
    assert says(found[0])


def test_units_are_asked_also_where_no_document_is_pooled(tmp_path: Path) -> None:
    with create_campaign(tmp_path / "reefs.db") as campaign:
        with campaign.write():
            topics.put(campaign.by("Olga"), [Topic("1", "reefs")], files=[])
        add_answers(campaign, answer("1", ("Reefs recover.", [0]), run="one"))
        put_bank(campaign, Nugget("Ice"))
        declare(campaign.by("Olga"), USUAL[NUGGETS])
        pool(campaign, "nuggets")
        assert [item.state for item in queue(campaign, "1!nuggets", "Ann")] == ["open"]
