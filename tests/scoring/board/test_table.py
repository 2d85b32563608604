"""Scores of a campaign as a table, and as files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixture_types import AppendJudgment
from workbench.methods.measures import parse_measure
from workbench.scoring.board import ScoreRow, ScoreTable, score_campaign
from workbench.scoring.board.past_boards import topic_scores_of
from workbench.scoring.board.table import RENDERINGS, printed, sheet_of
from workbench.storage.campaign import Campaign, create_campaign, open_campaign
from workbench.storage.campaign.log.log import Head
from workbench.storage.campaign.organising import settings


@pytest.fixture
def judged(campaign: Campaign, judge: AppendJudgment) -> Campaign:
    """Topic 1: a and d relevant, b not, c unjudged. Topic 2: d highly relevant. Topic 3: nothing."""
    for topic_id, document_id, grade in [("1", "a", 1), ("1", "d", 1), ("1", "b", 0), ("2", "d", 2)]:
        judge(campaign, topic_id, document_id, grade)
    return campaign


def test_scores_are_means_over_the_judged_topics(judged: Campaign) -> None:
    table = score_campaign(judged, ["AP", "P@2", "RR"])
    assert (table.topics, table.judgments) == (2, 4)
    assert table.rows == (
        ScoreRow(
            "bm25", "team", ((1 / 2 + 1 / 2) / 2, (1 / 2 + 1 / 2) / 2, (1 + 1 / 2) / 2), (2 / 3 + 1 / 2) / 2
        ),
        ScoreRow("dense", "team", ((1 + 0) / 2, (1 + 0) / 2, (1 + 0) / 2), (1 + 0) / 2),
    )


def test_counts_are_added_up_and_whole(judged: Campaign) -> None:
    table = score_campaign(judged, ["NumQ", "NumRet", "NumRel", "NumRelRet"])
    assert [row.values for row in table.rows] == [(2, 5, 3, 2), (2, 2, 3, 2)]
    assert all(isinstance(value, int) for value in table.rows[0].values)


def test_documents_that_no_run_has_count_as_relevant(judged: Campaign, judge: AppendJudgment) -> None:
    judge(judged, "2", "elsewhere", 1)
    (bm25, _) = score_campaign(judged, ["R@10"]).rows
    assert bm25.values == ((1 / 2 + 1 / 2) / 2,)


def test_the_campaigns_relevant_grades_are_the_default_and_names_stay_as_asked(judged: Campaign) -> None:
    assert score_campaign(judged, ["map", "P.5,10", " AP "]).names == ("map", "P@5", "P@10", "AP")
    with judged.write():
        settings.change(judged.by("org"), {"relevant_from": 2})
    table = score_campaign(judged, ["AP", "AP(rel=1)", "nDCG@2"])
    assert [str(measure) for measure in table.measures] == ["AP(rel=2)", "AP", "nDCG@2"]
    assert table.rows[0].values[:2] == ((0 + 1 / 2) / 2, (1 / 2 + 1 / 2) / 2)


def test_the_same_row_of_the_log_has_the_same_digits_for_ever(
    judged: Campaign, judge: AppendJudgment
) -> None:
    before = score_campaign(judged)
    judge(judged, "1", "a", 0)
    judge(judged, "3", "x", 1)
    assert score_campaign(judged) != before
    assert score_campaign(judged.at(before.seq)) == before


def test_without_judgments_every_score_is_zero_and_without_runs_there_is_none(
    campaign: Campaign, tmp_path: Path
) -> None:
    table = score_campaign(campaign, ["AP", "NumRet"])
    assert (table.topics, table.judgments) == (0, 0)
    assert [row.values for row in table.rows] == [(0, 0), (0, 0)]
    with create_campaign(tmp_path / "empty.db") as campaign:
        assert score_campaign(campaign).rows == ()


def test_scores_by_topic_are_those_of_the_judged_topics(judged: Campaign) -> None:
    scores = topic_scores_of(judged, "AP")
    assert (scores.topic_ids, scores.tags) == (("1", "2"), ("bm25", "dense"))
    assert scores.values.tolist() == [[1 / 2, 1.0], [1 / 2, 0.0]]


@pytest.fixture(scope="module")
def robust(robust_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    """17 real runs with the official judgments, imported."""
    path = shutil.copyfile(robust_file, tmp_path_factory.mktemp("robust") / "robust.db")
    with open_campaign(path) as campaign:
        yield campaign


def expected(folder: Path, tag: str) -> dict[str, str]:
    lines = (folder / "robust03" / "expected" / f"{tag}.te10").read_text().splitlines()
    return {name.strip(): value for name, _, value in (line.split("\t") for line in lines)}


def lines_of(table: ScoreTable, row: ScoreRow) -> dict[str, str]:
    values = zip(table.names, table.measures, row.values, strict=True)
    return {name: f"{value:.0f}" if measure.is_count else f"{value:.4f}" for name, measure, value in values}


@pytest.mark.slow
@pytest.mark.data
def test_a_real_campaign_scores_as_the_reference_prints(data_folder: Path, robust: Campaign) -> None:
    cuts = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
    families = [f"{family}_{cut}" for family in ("P", "recall", "ndcg_cut", "map_cut") for cut in cuts]
    counts = ["num_q", "num_ret", "num_rel", "num_rel_ret"]
    table = score_campaign(robust, [*counts, "map", "Rprec", "recip_rank", "bpref", "ndcg", *families])
    for row in table.rows:
        reference = expected(data_folder, row.tag)
        assert lines_of(table, row) == {name: reference[name] for name in table.names}
    assert len(table.rows) == 17


TABLE = ScoreTable(
    head=Head(7, bytes(32)),
    names=("map", "P@3", "NumRet"),
    measures=tuple(parse_measure(name) for name in ("map", "P@3", "NumRet")),
    topics=2,
    judgments=4,
    rows=(ScoreRow("bm25", "team", (0.5, 1 / 3, 1000), 0.9), ScoreRow("a_b", "", (0.25, 2 / 3, 2), 0.5)),
)


def rendered(name: str, table: ScoreTable = TABLE) -> str:
    return "".join(RENDERINGS[name](table))


def test_csv_and_the_reference_programs_lines_have_their_digits() -> None:
    assert rendered("csv") == f"run,map,P@3,NumRet\nbm25,0.5,{1 / 3},1000\na_b,0.25,{2 / 3},2\n"
    evil = TABLE._replace(rows=(TABLE.rows[0]._replace(tag="=1+1"),))
    assert rendered("csv", evil).splitlines()[1] == f"'=1+1,0.5,{1 / 3},1000"
    assert rendered("trec").splitlines()[:4] == [
        "runid                 \tall\tbm25",
        "map                   \tall\t0.5000",
        "P_3                   \tall\t0.3333",
        "num_ret               \tall\t1000",
    ]


def test_json_says_what_the_scores_stand_for_and_latex_marks_the_best() -> None:
    content = json.loads(rendered("json"))
    assert content["as_of"] == {"seq": 7, "hash": "0" * 64}
    assert (content["topics"], content["judgments"]) == (2, 4)
    assert content["runs"][0]["scores"] == {"map": 0.5, "P@3": 1 / 3, "NumRet": 1000}
    lines = rendered("latex").splitlines()
    assert r"bm25 & \textbf{0.5000} & 0.3333 & 1,000 \\" in lines
    assert r"a\_b & 0.2500 & \textbf{0.6667} & 2 \\" in lines


@pytest.mark.parametrize("name", RENDERINGS)
def test_a_table_without_runs_can_be_rendered(name: str) -> None:
    assert rendered(name, TABLE._replace(rows=())).endswith("\n") or name == "trec"


def test_a_sheet_marks_the_best_and_has_teams_where_they_are_asked_for() -> None:
    assert sheet_of(TABLE).best == {(0, 1), (1, 2)}
    assert sheet_of(TABLE._replace(rows=TABLE.rows[:1])).best == set()
    sheet = sheet_of(TABLE, with_teams=True)
    assert [column.head for column in sheet.columns] == ["Run", "Team", "AP", "P@3", "NumRet"]
    assert sheet.rows[0] == ("bm25", "team", 0.5, 1 / 3, 1000)
    assert printed(parse_measure("AP"), 0.00005) == "0.0001"
    assert printed(parse_measure("AP"), 0.03125) == "0.0312"
    assert printed(parse_measure("NumRet"), 100000) == "100,000"
