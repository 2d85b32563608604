"""workbench pooling strategies: the registry of strategies as tables and as JSON."""

from __future__ import annotations

import csv
import json

from click.testing import CliRunner

from tests.sentences import says
from workbench.cli import main


def printed(*words: str) -> str:
    result = CliRunner().invoke(main, ["strategies", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_each_strategy_has_a_row_with_its_purpose_if_it_has_one() -> None:
    rows = list(csv.reader(printed("--format", "csv").splitlines()))
    assert rows[0] == ["strategy", "kind", "what_it_pools", "parameters"]
    assert rows[1:] == [
        [
            each["name"],
            each["kind"],
            f"{each['summary']} Purpose: {each['purpose']}." if each["purpose"] else each["summary"],
            " ".join(one["name"] for one in each["parameters"]),
        ]
        for each in json.loads(printed("--format", "json"))
    ]


def test_json_has_all_of_a_strategy() -> None:
    (found,) = [each for each in json.loads(printed("--format", "json")) if each["name"] == "strata"]
    assert found.pop("help").startswith(found["summary"])
    names = [one["name"] for one in found["parameters"]]
    (strata,) = [one for one in found.pop("parameters") if one["name"] == "strata"]
    assert says(strata["help"], "1-10:100%,11-40:20%,41-100:10%")
    assert says(found.pop("summary"))
    assert found == {"name": "strata", "kind": "sampled", "purpose": "estimate the scores of the whole pool"}
    assert "seed" in names
    told = [strata[name] for name in ("kind", "required", "several", "choices")]
    assert told == ["text", True, False, []]


def test_a_parameter_has_one_row_for_all_strategies_where_it_means_the_same() -> None:
    table = printed().splitlines()
    (heads,) = [
        place for place, line in enumerate(table) if line.split() == ["Parameter", "Meaning", "Strategies"]
    ]
    rows = [" ".join(line.split()) for line in table[heads + 1 :]]
    assert says(rows[0])
    (ranks,) = [row for row in rows if row.startswith("depth how many documents")]
    assert says(ranks)
    assert not any("required" in row for row in rows if row.startswith("budget "))
