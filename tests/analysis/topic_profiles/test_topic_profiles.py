"""The table of topics, its map of ranks, how relevant documents were found, and surprises; see conftest."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from tests.fixture_types import JudgeAs, WriteRun
from workbench.analysis.topic_profiles import (
    Difficulty,
    Found,
    Stretch,
    Surprise,
    TopicRow,
    _names,
    as_sheet,
    follow,
    history_of,
    rank_map,
    surprises,
    topic_table,
)
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.new_campaign import new_campaign
from workbench.core.errors import UnknownName
from workbench.core.results import content
from workbench.formats.tables.csv_cells import as_csv
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.grades.rows_over_time import LoggedGrade
from workbench.storage.campaign.grades.sources import Vote
from workbench.storage.campaign.log import log


def test_topics_are_counted_and_placed_by_the_median_of_all_runs(judged: Campaign) -> None:
    table = topic_table(judged)
    assert table.runs == 2
    assert table.rows == (
        TopicRow("1", "frozen rivers", 2, 3, 2, 1, 1, Difficulty(1 / 3, 2 / 3, 2 / 3, 1.0), 1),
        TopicRow("2", "warm lakes", 2, 3, 1, 2, 1, Difficulty(0.5, 0.75, 0.75, 1.0), 2),
        TopicRow("10", "deep seas", 1, 1, 0, 1, 0, None, None),
    )


def test_the_hardest_topic_comes_first_and_what_has_no_scores_last(judged: Campaign) -> None:
    table = topic_table(judged)
    assert [row.topic_id for row in table.hardest_first()] == ["1", "2"]
    assert [row.topic_id for row in table.all_hardest_first()] == ["1", "2", "10"]


def test_where_less_is_better_the_hardest_topic_has_the_highest_median(judged: Campaign) -> None:
    # Of topic 1 each run retrieves one relevant document among three, of topic 2 one among two: SetE is 1 - F.
    medians = [row.difficulty.median for row in topic_table(judged, "SetE").hardest_first() if row.difficulty]
    assert medians[0] > medians[1]
    assert [row.place for row in topic_table(judged, "SetE").hardest_first()] == [1, 2]


def test_equal_medians_share_the_lower_place(judged: Campaign) -> None:
    # Both runs have one relevant document among the first two of either topic.
    places = {row.topic_id: row.place for row in topic_table(judged, "P@5").rows}
    assert places == {"1": 1, "2": 1, "10": None}


def test_the_measure_and_the_moment_can_be_chosen(judged: Campaign) -> None:
    one_less = log.newest_seq(judged) - 1
    then = topic_table(judged.at(one_less), "RR")
    assert then.seq == one_less
    assert str(then.measure) == "RR"
    row = then.row("2")
    assert row is not None
    assert (row.judged, row.difficulty, row.place) == (0, None, None)
    assert topic_table(judged).rows == topic_table(judged.at(one_less + 1)).rows


def test_a_measure_that_does_not_exist_is_refused(judged: Campaign) -> None:
    with pytest.raises(UnknownName, match="XYZ"):
        topic_table(judged, "XYZ")


def test_csv_has_a_line_for_each_topic_and_nothing_where_there_are_no_scores(judged: Campaign) -> None:
    head, one, two, ten = as_csv(as_sheet(topic_table(judged)))
    assert head == ("topic,title,runs,pooled,judged,waiting,relevant,lowest,median,mean,highest,place\n")
    assert one == f"1,frozen rivers,2,3,2,1,1,{1 / 3!r},{2 / 3!r},{2 / 3!r},1.0,1\n"
    assert ten == "10,deep seas,1,1,0,1,0,,,,,\n"
    assert two == "2,warm lakes,2,3,1,2,1,0.5,0.75,0.75,1.0,2\n"


def test_json_names_the_row_of_the_log(judged: Campaign) -> None:
    table = topic_table(judged)
    found = content(table)
    assert (found["seq"], found["measure"], found["runs"]) == (log.newest_seq(judged), "AP", 2)
    assert [found["topics"][1][name] for name in ("lowest", "mean", "highest")] == [0.5, 0.75, 1.0]
    assert found["topics"][2]["median"] is None


@pytest.mark.data
def test_medians_of_real_runs_are_those_of_the_reference(data_folder: Path, tmp_path: Path) -> None:
    chosen = ("303", "389", "650")
    qrels = _lines_of(chosen, (data_folder / "robust03/qrels.txt").read_text(encoding="utf-8"))
    (tmp_path / "qrels").write_text(qrels, encoding="utf-8")
    grades = {
        topic: {document: int(grade) for document, grade in one.items()}
        for topic, one in _nested(qrels, 3).items()
    }
    reference = pytrec_eval.RelevanceEvaluator(grades, {"map"})
    values = []
    for packed in sorted((data_folder / "robust03/runs").iterdir()):
        lines = _lines_of(chosen, gzip.decompress(packed.read_bytes()).decode())
        (tmp_path / f"{packed.name}.run").write_text(lines, encoding="utf-8")
        found = reference.evaluate(_nested(lines, 4))
        values.append([found.get(topic, {"map": 0.0})["map"] for topic in chosen])
    with new_campaign(tmp_path / "robust.db", title="Robust", actor="Olga") as campaign:
        add_runs(campaign.by("Olga"), sorted(map(str, tmp_path.glob("*.run"))))
        add_qrels(campaign.by("Olga"), [str(tmp_path / "qrels")])
        table = topic_table(campaign)
    assert len(table.rows) == len(chosen)
    for row, expected in zip(table.rows, np.array(values).T, strict=True):
        assert row.difficulty is not None
        assert row.difficulty.median == pytest.approx(float(np.median(expected)))
        assert row.difficulty.highest == pytest.approx(float(expected.max()))


def _lines_of(topics: tuple[str, ...], text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if line.split(maxsplit=1)[0] in topics)


def _nested(text: str, column: int) -> dict[str, dict[str, float]]:
    """topic -> document -> the value in a column."""
    found: dict[str, dict[str, float]] = {}
    for line in text.splitlines():
        cells = line.split()
        found.setdefault(cells[0], {})[cells[2]] = float(cells[column])
    return found


def test_the_best_run_is_on_top_and_ranks_of_one_grade_are_one_stretch(judged: Campaign) -> None:
    assert rank_map(judged, "1") == (
        ["alpha", "beta"],
        [
            Stretch("alpha", 1, 1, 1),
            Stretch("alpha", 2, 2, 0),
            Stretch("alpha", 3, 3, None),
            Stretch("beta", 1, 1, None),
            Stretch("beta", 2, 2, 0),
            Stretch("beta", 3, 3, 1),
        ],
    )
    assert {one.last for one in rank_map(judged, "1", depth=1)[1]} == {1}
    assert rank_map(judged, "2")[0] == ["beta", "alpha"]
    assert rank_map(judged, "10") == (["beta"], [Stretch("beta", 1, 1, None)])
    with pytest.raises(UnknownName, match="there is no topic '7' in small"):
        rank_map(judged, "7")


def test_the_best_run_is_on_top_also_where_the_lowest_value_is_best(
    judged: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(judged, "Ann", "2", "d5", 1)
    # Relevant are d2 and d5, which beta retrieves; alpha retrieves d1 and d2. SetE is an error.
    assert rank_map(judged, "2", measure="SetE")[0] == ["beta", "alpha"]


def test_pooled_or_not_a_document_without_a_grade_is_unjudged(judged: Campaign) -> None:
    # d5 of beta is pooled; d3 of topic 1 is not: both are without a grade.
    assert rank_map(judged, "2")[1][-1] == Stretch("beta", 2, 2, None)
    assert rank_map(judged.at(log.newest_seq(judged) - 3), "1")[1] == [
        Stretch("alpha", 1, 3, None),
        Stretch("beta", 1, 3, None),
    ]


def test_each_judgment_of_the_topic_is_a_point(judged: Campaign) -> None:
    newest = log.newest_seq(judged)
    assert history_of(judged, "1") == [Found(newest - 2, 1, 1, 0), Found(newest - 1, 2, 2, 1)]
    assert history_of(judged.at(newest - 2), "1") == [Found(newest - 2, 1, 1, 0)]
    assert history_of(judged, "10") == []


def test_the_newest_grade_in_force_counts_as_in_qrels() -> None:
    given = [("Ann", 1), ("Ben", 0), ("Ben", None), ("Ann", None)]
    said = [LoggedGrade(seq, "1", "d1", *each) for seq, each in enumerate(given, start=1)]
    found = [Found(1, 1, 1, 1), Found(2, 2, 1, 0), Found(3, 3, 1, 1), Found(4, 4, 0, 0)]
    assert follow(said, relevant_from=1) == found
    assert follow(said[:1], relevant_from=2) == [Found(1, 1, 1, 0)]


def test_the_rule_of_labels_is_told_who_said_what_and_as_what() -> None:
    told: list[list[tuple[str, str]]] = []

    def last(votes: Sequence[Vote]) -> int:
        told.append([(vote.assessor, vote.kind) for vote in votes])
        return votes[-1].grade

    said = [
        LoggedGrade(1, "1", "d1", "Ann", 1),
        LoggedGrade(2, "1", "d1", "Ann", 0, "model"),
        LoggedGrade(3, "1", "d1", None, 2),
        LoggedGrade(4, "1", "d1", "Ann", 0),
    ]
    assert [found.relevant for found in follow(said, 1, last)] == [1, 0, 1, 0]
    assert told == [
        [("Ann", "grade")],
        [("Ann", "grade"), ("Ann", "model")],
        [("Ann", "grade"), ("Ann", "model"), ("", "adjudication")],
        [("Ann", "model"), ("", "adjudication"), ("Ann", "grade")],
    ]


def test_what_at_least_half_of_the_runs_found_and_is_not_relevant_is_named(judged: Campaign) -> None:
    found = surprises(judged, "1")
    assert (found.runs, found.depth) == (2, 100)
    assert found.not_relevant == (Surprise("d2", "Document d2", 0, 2, 2),)
    assert found.relevant == ()
    assert surprises(judged, "1", most=0).not_relevant == ()
    # d2 has rank 2 in both runs; alpha, half of the runs, has d1 at rank 1.
    found = surprises(judged, "1", depth=1)
    assert (found.not_relevant, found.relevant) == ((), ())
    with pytest.raises(UnknownName, match="there is no topic '7'"):
        surprises(judged, "7")


def test_a_relevant_document_that_no_run_has_comes_first(judged: Campaign, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 d77 1\n1 0 d5 2\n", encoding="utf-8")
    add_qrels(judged.by("Olga"), [str(tmp_path / "qrels")])
    titles = [
        (one.document_id, one.title, one.grade, one.best_rank) for one in surprises(judged, "1").relevant
    ]
    assert titles == [("d5", "Document d5", 2, None), ("d77", "", 1, None)]


def test_a_run_without_the_topic_is_not_one_of_its_runs(
    judged: Campaign, written_run: WriteRun, tmp_path: Path
) -> None:
    add_runs(judged.by("Olga"), [written_run(tmp_path / "gamma.run", "gamma", {"2": "d1 d2"})])
    assert [surprises(judged, topic_id).runs for topic_id in ("1", "2")] == [2, 3]


def test_the_one_nearest_the_top_comes_first_among_equals(judged: Campaign, judging_as: JudgeAs) -> None:
    judging_as(judged, "Ann", "1", "d1", -2)
    found = surprises(judged, "1").not_relevant
    assert [(one.document_id, one.best_rank) for one in found] == [("d1", 1), ("d2", 2)]


def test_all_documents_that_no_run_has_are_named_by_the_numbers_of_the_topic(judged: Campaign) -> None:
    scoring = scoring_of(judged)
    vocabulary = list(runs.vocabulary(judged, "1"))
    every = list(range(len(vocabulary)))
    unknown = replace(scoring, numbers={})
    assert _names(judged, unknown, "1", every) == dict(enumerate(vocabulary))
    assert _names(judged, scoring, "1", []) == {}
