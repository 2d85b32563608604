"""The table of topics, counted by hand from the campaign in conftest."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from workbench.analysis.topic_profiles import Difficulty, TopicRow, as_sheet, topic_table
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.new_campaign import new_campaign
from workbench.core.errors import UnknownName
from workbench.core.results import content
from workbench.formats.tables.csv_cells import as_csv
from workbench.storage.campaign import Campaign
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
