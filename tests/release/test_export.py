"""What leaves a campaign says exactly what the campaign holds, as of any point of its log."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs
from tests.log_rows import rows_of_the_chain
from tests.sentences import refused
from workbench.campaign.ingest import RunOptions, add_runs
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import NotThere
from workbench.core.records import Judgment, Qrel, Rationale
from workbench.release.export import (
    export_qrels,
    export_run,
    judgment_lines,
    pool_csv,
    pool_lines,
    rationale_lines,
)
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import GENESIS


def test_qrels_are_labels_sorted_by_topic_and_document_with_special_ones_counted(
    small: Campaign, judging_as: JudgeAs
) -> None:
    told = [
        ("2", "d1", 1),
        ("1", "d2", 0),
        ("1", "d1", 1),
        ("1", "d1", 2),
        ("1", "d4", -2),
        ("2", "d2", None),
    ]
    for pair in told:
        judging_as(small, "anna", *pair)
    then = log.head(small)
    exported, special = export_qrels(small), export_qrels(small, special=True)
    assert exported.qrels == [Qrel("1", "d1", 2), Qrel("1", "d2", 0), Qrel("2", "d1", 1)]
    assert (exported.head, exported.left_out, exported.conflicts) == (then, 1, 0)
    assert (special.qrels[2], special.left_out) == (Qrel("1", "d4", -2), 0)
    judging_as(small, "ben", "1", "d1", 0)
    judging_as(small, "ben", "1", "d2", 0)
    assert (export_qrels(small).qrels[0], export_qrels(small).conflicts) == (Qrel("1", "d1", 0), 1)
    assert export_qrels(small.at(then.seq)) == exported


def test_the_pool_is_one_pair_a_line_and_as_csv_says_where_each_pair_came_from(small: Campaign) -> None:
    expected = "1 d1\n1 d2\n1 d4\n10 d6\n2 d1\n2 d2\n2 d5\n"
    assert "".join(pool_lines(small)) == expected
    then = log.newest_seq(small)
    add_pool(small.by("Olga"), depth=3)
    assert "".join(pool_lines(small.at(then))) == expected
    rows = {(row["topic_id"], row["document_id"]): row for row in csv.DictReader(pool_csv(small))}
    assert (rows["1", "d2"]["pool"], rows["1", "d2"]["best_rank"], rows["1", "d2"]["runs"]) == ("1", "2", "2")
    assert (rows["1", "d3"]["pool"], rows["1", "d3"]["best_rank"]) == ("2", "3")
    assert rows["1", "d3"]["inclusion_probability"] == "1.0"


def test_the_judgment_log_as_jsonl_is_read_again_with_its_chain(small: Campaign, judging_as: JudgeAs) -> None:
    kept = (Rationale("text", 4, 8, "text"), Rationale("title", 0, 8, "Document"))
    judging_as(small, "anna", "1", "d1", 1, comment='quotes " and \u2028 and 雪', active_seconds=2.5)
    judging_as(small, "ben", "1", "d1", None, rationales=kept, same_as="d2", input="same")
    lines = list(judgment_lines(small))
    assert all(line.count("\n") == 1 for line in lines)
    rows = [json.loads(line) for line in lines]
    hashes = [bytes.fromhex(row.pop("hash")) for row in rows]
    assert [row.pop("grade_name") for row in rows] == ["Relevant", None]
    assert [row.pop("chosen_names") for row in rows] == [None, None]
    reasons = [tuple(Rationale(**reason) for reason in row.pop("rationales")) for row in rows]
    read = [Judgment(**row, rationales=kept) for row, kept in zip(rows, reasons, strict=True)]
    assert read[0].comment == 'quotes " and \u2028 and 雪'
    assert (read[0].input, read[0].same_as, read[0].rationales) == (None, None, ())
    assert (read[1].input, read[1].same_as, read[1].rationales) == ("same", "d2", kept)
    assert hashes == [each.hash for each in rows_of_the_chain(small) if each.table == "judgment"]
    assert hashes[1] == log.head(small).hash
    assert hashes[0] != GENESIS


def test_rationales_in_force_as_jsonl_say_whose_they_are_and_where_they_stand(
    small: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(small, "Zoë", "1", "d1", 2, rationales=(Rationale("text", 0, 3, "The"),))
    then = log.newest_seq(small)
    seq = judging_as(small, "Zoë", "1", "d1", 1, rationales=(Rationale("text", 4, 8, "text"),)).judgment.seq
    (line,) = rationale_lines(small)
    assert '"assessor": "Zoë"' in line
    assert json.loads(line) == {
        "topic_id": "1",
        "document_id": "d1",
        "assessor": "Zoë",
        "grade": 1,
        "field": "text",
        "start": 4,
        "end": 8,
        "text": "text",
        "seq": seq,
        "grade_name": "Relevant",
    }
    assert [json.loads(line)["text"] for line in rationale_lines(small.at(then))] == ["The"]


def test_a_run_comes_out_in_rank_order_with_its_scores(small: Campaign) -> None:
    run = export_run(small, "beta")
    assert list(run.rankings) == [
        ("1", ["d4", "d2", "d1"], [100.0, 99.0, 98.0]),
        ("10", ["d6"], [100.0]),
        ("2", ["d2", "d5"], [100.0, 99.0]),
    ]
    with refused(NotThere, "gamma"):
        export_run(small, "gamma")


def test_an_empty_campaign_exports_nothing(tmp_path: Path) -> None:
    with new_campaign(tmp_path / "empty.db", title="Empty", actor="Olga") as campaign:
        assert export_qrels(campaign)[:3] == ([], 0, 0)
        assert (
            list(pool_lines(campaign))
            == list(judgment_lines(campaign))
            == list(rationale_lines(campaign))
            == []
        )
        assert len(list(pool_csv(campaign))) == 1


@pytest.mark.data
def test_the_pool_of_ties_ascending_is_the_one_that_was_judged(data_folder: Path, tmp_path: Path) -> None:
    folder = data_folder / "wows"
    with new_campaign(tmp_path / "wows.db", title="WOWS", actor="Olga") as campaign:
        files = sorted(str(path) for path in (folder / "runs").iterdir() if path.name.startswith("ows-"))
        add_runs(campaign.by("Olga"), files, options=RunOptions(name="file"))
        made = add_pool(campaign.by("Olga"), depth=11, ties="ascending")
        assert (len(files), made.pairs) == (9, 3563)
