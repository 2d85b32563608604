"""The table of runs as CSV and JSON."""

from __future__ import annotations

import csv
import json

from workbench.campaign import Campaign, create_campaign
from workbench.run_profiles import run_table
from workbench.run_profiles.rendering import as_csv, as_json
from workbench.withdrawing import withdraw_runs


def test_csv_has_a_line_for_each_run(small: Campaign) -> None:
    (out,) = withdraw_runs(small, ["beta"], actor="Olga")
    alpha, beta = csv.DictReader(as_csv(run_table(small)))
    assert (alpha["run"], alpha["pooled"], alpha["unique"], alpha["judged_at_10"]) == (
        "alpha",
        "4",
        "2",
        "0.0",
    )
    assert (alpha["withdrawn_at_seq"], beta["withdrawn_at_seq"]) == ("", str(out.withdrawn))
    assert (beta["judged_at_10"], beta["pools"], beta["contributes"]) == ("", "1", "true")
    assert beta["warnings"].startswith("line 6: 1 of 5 documents are in none of the campaign's sources: d6;")


def test_json_names_the_row_of_the_log(small: Campaign) -> None:
    table = run_table(small)
    told = json.loads("".join(as_json(table)))
    assert told["as_of"] == {"seq": table.head.seq, "hash": table.head.hash.hex()}
    assert [(run["run"], run["pools"], len(run["warnings"])) for run in told["runs"]] == [
        ("alpha", [1], 1),
        ("beta", [1], 1),
    ]


def test_a_campaign_without_runs_has_an_empty_table(small: Campaign) -> None:
    with create_campaign(small.path.with_name("empty.db")) as empty:
        assert list(as_csv(run_table(empty))) == ["run\n"]
        assert json.loads("".join(as_json(run_table(empty))))["runs"] == []
