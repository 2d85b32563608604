"""Spans of documents to which nuggets refer: units that follow from banks and rankings."""

from __future__ import annotations

import pytest

from tests.asked_answers import add_answers, add_texts, put_bank
from tests.judged_pairs import judge_as
from tests.made_answers import REEFS, YEARS, answer
from workbench.campaign.changed_ids import change_ids
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.new_units import news_of
from workbench.campaign.questions import USUAL, declare
from workbench.campaign.rounds import open_round
from workbench.core.about import CITATIONS, SPANS
from workbench.formats.answers.banks import GoldAnswer, Nugget, Reference
from workbench.formats.text.content import content_of
from workbench.release.audit.checks import audit
from workbench.scoring.board import Board, score_campaign
from workbench.scoring.board.past_boards import table_of
from workbench.scoring.board.table import DEFAULT_MEASURES
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, units
from workbench.storage.campaign.log import log

TEXTS = {REEFS: "Corals need decades. Fish help.", YEARS: "2009 was warm."}
DECADES = Nugget("Recovery takes decades", references=(Reference(REEFS, (0, 20)), Reference(YEARS)))
WHO = Nugget(
    "Who helps?",
    is_question=True,
    answers=(GoldAnswer("fish", references=(Reference(REEFS, (21, 31)), Reference("elsewhere", (0, 4)))),),
)
FISH = "Who helps?\n– fish"


@pytest.fixture
def asked(small: Campaign) -> Campaign:
    """The campaign seen by spans: a run of answers that cites both documents, and one of documents that ranks one."""
    add_texts(small, TEXTS, keep_all=True)
    add_answers(small, answer("1", ("Reefs recover slowly.", [1, 0]), run="one", cites=(REEFS, YEARS)))
    put_bank(small, DECADES, WHO)
    declare(small.by("Olga"), USUAL[SPANS])
    return small.asking("spans")


def shown(seen: Campaign) -> list[tuple[str, str, tuple[int, int]]]:
    return [(each.text, each.cited, each.span) for each in units.of_topic(seen, "1!spans").units]


def ranked(seen: Campaign) -> dict[int, list[str]]:
    found = units.of_topic(seen, "1!spans")
    return {run: [found.units[each].text for each in of.number] for run, of in found.by_run.items()}


def test_a_run_ranks_the_spans_of_the_documents_that_it_cites_with_what_refers_to_each(
    asked: Campaign,
) -> None:
    assert shown(asked) == [(DECADES.text, REEFS, (0, 20)), (FISH, REEFS, (21, 31))]
    assert list(ranked(asked).values())[-1] == [DECADES.text, FISH]


def test_a_run_of_documents_ranks_spans_in_the_order_of_its_ranking(
    asked: Campaign, tmp_path: object
) -> None:
    path = tmp_path / "ranked.run"
    lines = [f"1 Q0 {name} {rank} {9 - rank} ranked" for rank, name in enumerate((YEARS, "d1", REEFS), 1)]
    path.write_text("\n".join(lines) + "\n")
    add_runs(asked.asking("").by("Olga"), [str(path)])
    put_bank(
        asked.asking(""), DECADES._replace(references=(Reference(REEFS, (0, 20)), Reference(YEARS, (0, 4))))
    )
    places = ranked(asked)
    found = units.of_topic(asked, "1!spans")
    assert [found.units[each].cited for each in found.by_run[max(places)].number] == [YEARS, REEFS]


def test_spans_are_as_of_a_row_of_the_log_and_gone_with_their_nugget_or_run(asked: Campaign) -> None:
    row, before = log.head(asked).seq, shown(asked)
    put_bank(asked.asking(""), WHO)
    assert units.gone(asked, ["1!spans"]) == [
        ("1!spans", units.of_topic(asked.at(row), "1!spans").units[0].unit_id)
    ]
    assert shown(asked.at(row)) == before
    withdraw_runs(asked.asking("").by("Olga"), ["one"])
    assert len(units.gone(asked, ["1!spans"])) == 2


def test_an_empty_span_a_proposal_and_a_document_that_no_run_ranks_are_no_units(asked: Campaign) -> None:
    empty = Nugget("nothing", references=(Reference(REEFS, (0, 0)), Reference(REEFS, (5, 5))))
    put_bank(asked.asking(""), empty, DECADES._replace(proposed=True))
    assert len(shown(asked)) == 2  # of the bank before
    assert not units.places(asked, "1!spans")


def test_spans_are_pooled_judged_and_scored_as_documents(asked: Campaign) -> None:
    add_pool(asked.by("Olga"), depth=10)
    first, second = units.of_topic(asked, "1!spans").units
    judge_as(asked.asking(""), "Ann", "1!spans", second.unit_id, 2)
    table = Board().table(asked)
    assert table.names == DEFAULT_MEASURES
    assert {row.tag: row.values[table.names.index("RR")] for row in table.rows}["one"] == 1 / 2
    row = log.head(asked).seq
    judge_as(asked.asking(""), "Ann", "1!spans", first.unit_id, 1)
    assert score_campaign(asked, ["RR"]).rows[-1].values == (1.0,)
    assert table_of(asked.at(row), ["RR"]).rows[-1].values == (1 / 2,)


def test_a_pooled_span_waits_while_its_nugget_is_gone_and_new_ones_are_counted(asked: Campaign) -> None:
    add_pool(asked.by("Olga"), depth=10)
    first, second = (each.unit_id for each in units.of_topic(asked, "1!spans").units)
    judge_as(asked.asking(""), "Ann", "1!spans", first, 2)
    put_bank(asked.asking(""), WHO, DECADES._replace(text="Recovery takes long"))
    assert list(pools.pooled_of_topic(asked, "1!spans")) == [second]
    assert news_of(asked)[:2] == (1, 1)
    put_bank(asked.asking(""), WHO, DECADES)
    assert set(pools.pooled_of_topic(asked, "1!spans")) == {first, second}
    assert news_of(asked)[:2] == (0, 0)


def test_a_span_stays_where_its_document_gets_another_id_and_newer_runs_rank_it(asked: Campaign) -> None:
    add_pool(asked.by("Olga"), depth=10)
    before = units.of_topic(asked, "1!spans").units
    open_round(asked.asking("").by("Olga"), "2")
    change_ids(asked.asking("").by("Olga"), content_of("ids.csv", f"old,new\n{REEFS},shard_0_0\n".encode()))
    add_answers(
        asked.asking(""), answer("1", ("Reefs recover slowly.", [0]), run="two", cites=("shard_0_0",))
    )
    assert units.of_topic(asked, "1!spans").units == before
    assert list(ranked(asked).values())[-2:] == [[DECADES.text, FISH]] * 2
    assert units.gone(asked, ["1!spans"]) == []
    assert set(pools.pooled_of_topic(asked, "1!spans")) == {each.unit_id for each in before}


def test_the_audit_holds_where_a_run_ranks_no_span_and_where_one_cites_nothing(asked: Campaign) -> None:
    add_answers(asked.asking(""), answer("1", ("Nobody knows.", []), run="two"))
    declare(asked.asking("").by("Olga"), USUAL[CITATIONS])
    for name in ("spans", "support"):
        add_pool(asked.asking(name).by("Olga"), depth=10)
        key = f"1!{name}"
        judge_as(asked.asking(""), "Ann", key, units.of_topic(asked.asking(name), key).units[0].unit_id, 2)
    assert [each for each in audit(asked.asking("")) if each.wrong] == []
