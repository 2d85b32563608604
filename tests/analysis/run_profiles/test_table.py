"""The table of runs tells of each what came in, what it brought, and how much of it is judged."""

from __future__ import annotations

import csv

from tests.fixture_types import JudgeAs
from tests.sentences import says
from workbench.analysis.run_profiles.contribution import Contribution
from workbench.analysis.run_profiles.table import CUTOFF, as_sheet, for_people, run_table
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.results import content
from workbench.formats.tables.csv_cells import as_csv
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.log import log


def test_every_run_has_a_row_with_what_it_brought(small: Campaign) -> None:
    alpha, beta = run_table(small).runs
    assert (alpha.run, beta.run) == tuple(runs.all_runs(small))
    assert (alpha.pools, alpha.contribution, alpha.state) == ((1,), Contribution(4, 2, 0), "in")
    assert [warning.message for warning in alpha.run.warnings] == [
        "nothing for 1 of 3 topics: 10; they will score 0"
    ]


def test_the_share_of_judged_documents_is_the_mean_over_judged_topics(
    small: Campaign, judging_as: JudgeAs
) -> None:
    assert [row.judged for row in run_table(small).runs] == [0.0, 0.0]
    judging_as(small, "Ann", "1", "d1", 1)
    judging_as(small, "Ann", "2", "d2", 0)
    # Among the first 2: alpha has d1 of topic 1 and d2 of topic 2, beta has d2 of topic 2.
    assert [row.judged for row in run_table(small, cutoff=2).runs] == [0.5, 0.25]
    assert run_table(small).cutoff == CUTOFF


def test_a_withdrawn_run_is_in_the_table_without_a_share(small: Campaign, judging_as: JudgeAs) -> None:
    seq = judging_as(small, "Ann", "1", "d1", 1).judgment.seq
    (out,) = withdraw_runs(small.by("Olga"), ["alpha"])
    alpha, beta = run_table(small).runs
    assert (alpha.run, alpha.judged, alpha.state) == (out, None, "withdrawn")
    assert alpha.contribution == Contribution(4, 2, 1)
    assert beta.judged is not None
    assert run_table(small.at(seq)).runs[0].judged is not None
    assert run_table(small.at(seq)).runs[0].state == "in"


def test_the_live_table_is_that_as_of_the_newest_row(small: Campaign, judging_as: JudgeAs) -> None:
    judging_as(small, "Ann", "1", "d1", 1)
    add_pool(small.by("Olga"), depth=3, tags=["beta"])
    live = run_table(small)
    assert live == run_table(small.at(live.seq))
    assert live.runs[1].pools == (1, 2)


def test_csv_has_a_line_for_each_run_and_json_names_the_row_of_the_log(small: Campaign) -> None:
    table = run_table(small)
    first = table.runs[0].run
    (row,) = csv.DictReader(as_csv(as_sheet(table._replace(runs=table.runs[:1]))))
    assert says(row.pop("warnings"), "1 of 3")
    assert {name: cell for name, cell in row.items() if cell} == {
        "run": "alpha", "topics": "2", "lines": "5", "file": first.record.file, "sha256": first.record.sha256,
        "added_at_seq": str(first.seq), "contributes": "yes", "pools": "1", "pooled": "4", "unique": "2",
        "unique_relevant": "0", "judged": "0.0", "warned": "1", "state": "in",
    }  # fmt: skip
    told = content(table)
    assert told["seq"] == log.newest_seq(small)
    runs = [(run["run"], run["pools"], len(run["warnings"])) for run in told["runs"]]
    assert runs == [("alpha", [1], 1), ("beta", [1], 1)]
    assert "Team" not in [column.head for column in for_people(table).columns]
    (out,) = withdraw_runs(small.by("Olga"), ["beta"])
    alpha, beta = csv.DictReader(as_csv(as_sheet(run_table(small))))
    assert (alpha["withdrawn_at_seq"], beta["withdrawn_at_seq"]) == ("", str(out.withdrawn))
    assert (beta["judged"], beta["pools"], beta["contributes"]) == ("", "1", "yes")
