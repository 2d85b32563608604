"""What runs cost comes from tables and the comments above runs, in units that are said, and follows the log."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.found_wrong import wrong
from tests.sentences import refused, says
from workbench.campaign.ingest import add_runs
from workbench.campaign.run_codes import draw_codes, under_codes
from workbench.campaign.submissions.correcting import correct_runs, in_words
from workbench.campaign.submissions.run_costs import costs_of_tables, costs_of_times
from workbench.core.errors import InputError
from workbench.core.run_costs import Costs
from workbench.formats.text.content import content_of
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import run_details, runs
from workbench.storage.campaign.log import log

TABLE = "run,query time (ms),money_eur,index_size_MiB,hardware\nalpha,12,3.20,1024,2 cores\nbeta,7,,,\n"
SAME = "run,query_time_ms\nalpha,1500\n"
FAST = "run,query_time_ms,hardware\nalpha,12,2 cores\n"


def put(campaign: Campaign, table: str) -> list[str]:
    corrections = costs_of_tables(campaign, [content_of("costs.csv", table.encode())])
    return [in_words(each) for each in correct_runs(campaign.by("Olga"), corrections)]


def costs(campaign: Campaign) -> dict[str, Costs]:
    found = run_details.details(campaign)
    return {run.record.tag: found[run.run].costs for run in runs.all_runs(campaign) if run.run in found}


def test_a_later_table_replaces_what_it_names_and_the_past_keeps_its_own(small: Campaign) -> None:
    put(small, TABLE)
    then = log.newest_seq(small)
    first = {"query_time": 0.012, "money": 3.2, "currency": "EUR", "index_size": 1024 * 2**20 / 1e9}
    assert costs(small) == {"alpha": first | {"hardware": "2 cores"}, "beta": {"query_time": 0.007}}
    (line,) = put(small, '{"run": "alpha", "query_time": "1.5 s", "money": "none", "energy_kWh": 0.5}\n')
    assert says(line, "alpha", "0.012 s", "1.5 s", "3.2 EUR", "1,800,000 J")
    kept = {name: first[name] for name in ("index_size",)} | {"hardware": "2 cores"}
    assert costs(small)["alpha"] == kept | {"query_time": 1.5, "energy": 1.8e6}
    assert costs(small.at(then))["alpha"]["query_time"] == 0.012
    assert put(small, SAME) == []
    assert wrong(small) == []


def test_a_later_table_keeps_what_it_does_not_name(small: Campaign) -> None:
    tables = "run,energy_mJ,query_time_ms\nalpha,5,12\n", "run,energy_MJ,memory_GB\nalpha,5,1\n"
    found = costs_of_tables(small, [content_of("costs.csv", each.encode()) for each in tables])
    assert found["alpha"].costs == {"energy": 5e6, "query_time": 0.012, "memory": 1.0}


@pytest.mark.parametrize(
    ("text", "joules"), [("5 mJ", 0.005), ("5 MJ", 5e6), ("5 KWH", 1.8e7), ("-0 J", 0.0)]
)
def test_capitals_of_a_unit_count_where_they_tell_units_apart(
    small: Campaign, text: str, joules: float
) -> None:
    put(small, f"run,energy\nalpha,{text}\n")
    assert str(costs(small)["alpha"]["energy"]) == str(joules)


TIMES = "run,topic,ms\nalpha,1,10\nalpha,2,20\nalpha,3,60\n"


def test_a_log_of_times_gives_the_mean_and_the_95th_percentile(small: Campaign) -> None:
    found = costs_of_times(small, [content_of("times.csv", TIMES.encode())])
    correct_runs(small.by("Olga"), found)
    assert costs(small)["alpha"] == pytest.approx({"query_time": 0.03, "query_time_p95": 0.056})
    with refused(InputError, "gamma.csv:2"):
        costs_of_times(small, [content_of("gamma.csv", b"ms\n1\n")])


WRONG_TABLES = [
    ("run,query_time_ms\nalpha,1\ngamma,2\n", "gamma"),
    ("run,query_time_ms\nalpha,-1\n", "-1"),
    ("run,query_time_ms\nalpha,nan\n", "nan"),
    ("run,query_time_ms\nalpha,inf\n", "inf"),
    ("run,query_time_ms\nalpha,2e99\n", "2e99"),
    ('run,query_time_ms\nalpha,"1,234"\n', "1,234"),
    ("run,query_time\nalpha,12\n", "s, min"),
    ("run,query_time_ms\nalpha,12 s\n", "12 s"),
    ("run,query_time_weeks\nalpha,12\n", "weeks"),
    ("run,energy\nalpha,5 mj\n", "mj"),
    ("run,energy_MJ\nalpha,5 mJ\n", "mJ"),
    ("run,money\nalpha,12\n", "12"),
    ("run,memory_GB,memory_MB\nalpha,1,1000\n", "memory_MB"),
    ("run,speed\nalpha,1\n", "costs.csv:1"),
    ("run,query_time_ms\nalpha,1\nalpha,2\n", "line 2"),
    ("run,query_time_ms\n,1\n", ":2"),
    ("query_time_ms\n1\n", "run"),
    ("run,query_time_ms\n", "costs.csv"),
    ("run,index_date\nalpha,2999-01-01\n", "2999-01-01"),
    ("run,index_date\nalpha,1 March\n", "1 March"),
    ('{"run": "alpha", "energy_J": [1]}\n', ":1"),
    ("run,energy_J\nalpha,1,2\n", ":2"),
    ("run,documents_indexed\nalpha,12 docs\n", "docs"),
]


@pytest.mark.parametrize(("table", "value"), WRONG_TABLES)
def test_what_cannot_be_a_cost_is_refused_with_its_line_and_nothing_changes(
    small: Campaign, table: str, value: str
) -> None:
    before = log.head(small)
    with refused(InputError, value):
        put(small, table)
    assert log.head(small) == before


HEADER = """\
# ir_metadata.start
# schema version: 0.2
# platform:
#   hardware:
#     cpu:
#       model: Xeon
#     ram: 32888 MB
# resources:
#   query time: 12 ms
#   index date: 2020-01-01
#   runtime:
#     wallclock: 2500 ms
#   cpu:
#     energy used system: 100 J
#   gpu:
#     energy used system: 20
#   ram:
#     used process: {"max": 21630, "min": 0, "timeseries": {"values": [21630]}}
# ir_metadata.end
"""


def with_header(folder: Path, header: str) -> str:
    path = Path(write_run(folder / "gamma.run", "gamma", {"1": "d3 d1"}))
    path.write_text(header + path.read_text())
    return str(path)


def test_a_run_brings_what_tirex_tracker_writes_above_it(small: Campaign, tmp_path: Path) -> None:
    added = add_runs(small.by("Olga"), [with_header(tmp_path, HEADER)])
    assert not [each for each in added.warnings if each.kind == "costs"]
    found = dict(costs(small)["gamma"])
    assert found.pop("index_age", 0) > 365
    expected = {"query_time": 0.012, "run_time": 2.5, "energy": 120.0, "memory": 0.02163}
    assert found == pytest.approx(expected | {"hardware": "Xeon; 32888 MB"})


def test_a_figure_of_none_in_a_header_is_none_and_long_words_are_not_taken(
    small: Campaign, tmp_path: Path
) -> None:
    inside = "# resources:\n#   energy: none\n#   memory: 1 GB\n#   hardware: " + "x" * 501 + "\n"
    path = with_header(tmp_path, f"# ir_metadata.start\n{inside}# ir_metadata.end\n")
    (warning,) = [each for each in add_runs(small.by("Olga"), [path]).warnings if each.kind == "costs"]
    assert says(warning.message, "500")
    assert costs(small) == {"gamma": {"memory": 1.0}}


def test_a_sum_with_a_part_that_cannot_be_read_is_not_taken(small: Campaign, tmp_path: Path) -> None:
    path = with_header(tmp_path, HEADER.replace("system: 20", "system: -20"))
    (warning,) = [each for each in add_runs(small.by("Olga"), [path]).warnings if each.kind == "costs"]
    assert says(warning.message, "-20")
    assert "energy" not in costs(small)["gamma"] and costs(small)["gamma"]["run_time"] == 2.5


WRONG_HEADERS = [
    ("# resources:\n#   query time: -1 ms\n", "comment line 3"),
    ("# resources:\n#   query time: 12\n", "comment line 3"),
    ("# a: &x [y]\n# b: *x\n", "comment line 3"),
    ("# a: b: c\n", "comment line 2"),
    ("# a: " + "x" * 100_001 + "\n", "100,0"),
    ("# a: " + "[" * 501 + "\n", ""),
]


@pytest.mark.parametrize(("inside", "value"), WRONG_HEADERS)
def test_a_header_that_cannot_be_read_is_said_and_the_run_is_taken(
    small: Campaign, tmp_path: Path, inside: str, value: str
) -> None:
    path = with_header(tmp_path, f"# ir_metadata.start\n{inside}# ir_metadata.end\n")
    (warning,) = [each for each in add_runs(small.by("Olga"), [path]).warnings if each.kind == "costs"]
    assert says(warning.message, value)
    assert "gamma" not in costs(small)


def test_costs_come_back_with_a_bundle_and_a_blind_one_names_no_machine(
    small: Campaign, tmp_path: Path
) -> None:
    put(small, FAST)
    draw_codes(small.by("Olga"))
    assert run_details.details(under_codes(small))[1].costs == {"query_time": 0.012}
    saved = save_bundle(small, tmp_path / "small.zip", options=BundleOptions(runs=True))
    import_bundle(saved.path, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        assert costs(again) == {"alpha": {"query_time": 0.012, "hardware": "2 cores"}}
