from __future__ import annotations

import json

import pytest

from workbench.methods.measures import parse_measure
from workbench.scoring.board import ScoreRow, ScoreTable
from workbench.scoring.board.table import RENDERINGS, printed, sheet_of
from workbench.storage.campaign.log.log import Head

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
