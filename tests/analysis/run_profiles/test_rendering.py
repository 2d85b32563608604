"""The table of runs as CSV and JSON."""

from __future__ import annotations

import csv

from tests.sentences import says
from workbench.analysis.run_profiles.table import as_sheet, for_people, run_table
from workbench.campaign.content_changes import withdraw_runs
from workbench.core.results import content
from workbench.formats.tables.csv_cells import as_csv
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.log import log


def test_csv_has_a_line_for_each_run(small: Campaign) -> None:
    (out,) = withdraw_runs(small.by("Olga"), ["beta"])
    alpha, beta = csv.DictReader(as_csv(as_sheet(run_table(small))))
    assert (alpha["run"], alpha["pooled"], alpha["unique"], alpha["judged"]) == ("alpha", "4", "2", "0.0")
    assert (alpha["withdrawn_at_seq"], beta["withdrawn_at_seq"]) == ("", str(out.withdrawn))
    assert (beta["judged"], beta["pools"], beta["contributes"]) == ("", "1", "yes")
    assert says(beta["warnings"])


def test_of_one_run_the_table_has_everything(small: Campaign) -> None:
    table = run_table(small)
    alpha = table.runs[0].run
    (row,) = csv.DictReader(as_csv(as_sheet(table._replace(runs=table.runs[:1]))))
    assert row == {
        "run": "alpha",
        "team": "",
        "priority": "",
        "depth": "",
        "topics": "2",
        "lines": "5",
        "file": alpha.record.file,
        "sha256": alpha.record.sha256,
        "added_at_seq": str(alpha.seq),
        "withdrawn_at_seq": "",
        "contributes": "yes",
        "pools": "1",
        "pooled": "4",
        "unique": "2",
        "unique_relevant": "0",
        "judged": "0.0",
        "warnings": "nothing for 1 of 3 topics: 10; they will score 0",
        "warned": "1",
        "state": "in",
        "repairs": "",
    }


def test_json_names_the_row_of_the_log(small: Campaign) -> None:
    table = run_table(small)
    told = content(table)
    assert told["seq"] == log.newest_seq(small)
    assert [(run["run"], run["pools"], len(run["warnings"])) for run in told["runs"]] == [
        ("alpha", [1], 1),
        ("beta", [1], 1),
    ]


def test_people_see_counts_and_no_column_of_teams_where_there_are_none(small: Campaign) -> None:
    sheet = for_people(run_table(small))
    heads = [column.head for column in sheet.columns]
    assert heads == [
        "Run",
        "Topics",
        "Lines",
        "Warnings",
        "Pooled",
        "Unique",
        "Relevant",
        "Judged@10",
        "State",
    ]
    assert sheet.rows[0][:6] == ("alpha", 2, 5, 1, 4, 2)


def test_a_campaign_without_runs_has_an_empty_table(small: Campaign) -> None:
    with create_campaign(small.path.with_name("empty.db")) as empty:
        assert len(list(as_csv(as_sheet(run_table(empty))))) == 1
        assert content(run_table(empty))["runs"] == []
