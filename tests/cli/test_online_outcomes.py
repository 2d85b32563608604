"""What users did becomes a summary in a campaign's log, and leaderboards are compared with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import write_json_lines, write_run
from tests.fixture_types import Fails, Workbench
from tests.sentences import refused, says
from workbench.analysis.figures import draw
from workbench.analysis.online.agreement import _best_in
from workbench.core.errors import UnknownName
from workbench.release.bundle.judging_arrangements import arranged
from workbench.storage.campaign import open_campaign

TOPICS = "123456"
FIRST = {"a": 10, "b": 4, "c": 7}
"""Of 14 users of each run so many click the first document."""


def clicks(first: dict[str, int] = FIRST, users: int = 24) -> list[dict[str, Any]]:
    return [
        {
            "topic": "1",
            "user": f"user of {run}, {place}",
            "run": run,
            "shown": ["r", "n"],
            "clicked": ["r"] * (place < number),
        }
        for run, number in first.items()
        for place in range(users)
    ]


@pytest.fixture
def task(done: Workbench, folder: Path) -> None:
    """Three runs on six topics: a puts the relevant document first, b second, c nowhere."""
    (folder / "six.tsv").write_text("".join(f"{topic}\ttitle\n" for topic in TOPICS))
    (folder / "six.qrels").write_text("".join(f"{topic} 0 r 1\n" for topic in TOPICS))
    done("new six")
    done("add topics six six.tsv")
    for tag, documents in {"a": "r n m", "b": "n r m", "c": "n m o"}.items():
        write_run(folder / f"{tag}.run", tag, dict.fromkeys(TOPICS, documents))
        done(f"add runs six {tag}.run")
    done("add qrels six six.qrels --yes")
    write_json_lines("clicks.jsonl", *clicks())


def boards(done: Workbench, more: str = "") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done(f"online boards six --format json {more}").stdout)
    return found


@pytest.mark.usefixtures("task")
def test_leaderboards_are_compared_with_the_order_of_users(done: Workbench) -> None:
    assert says(done("online boards six").stderr)
    assert says(done("add outcomes six clicks.jsonl").stderr)
    found = boards(done)
    assert [(row["run"], row["units"]) for row in found["runs"]] == [("a", 24), ("c", 24), ("b", 24)]
    assert [row["value"] for row in found["runs"]] == pytest.approx([10 / 24, 7 / 24, 4 / 24])
    rows = {row["measure"]: row for row in found["measures"]}
    assert rows["AP"]["tau_b"] == pytest.approx(1 / 3)  # a b c against a c b
    assert rows["P@10"]["tau_b"] == pytest.approx(0)  # a and b tie: one pair as users, one the other way
    assert (found["unit"], found["pairs"], rows["AP"]["same"]) == ("user", 0, 0)
    assert rows["AP"]["tau_b_low"] is None  # only 4 users of b clicked: no error, no draws
    assert boards(done, "--metric abandonment")["runs"][0]["run"] == "a"


@pytest.mark.usefixtures("task")
def test_draws_say_how_sure_the_order_is_and_which_measure_is_best(done: Workbench) -> None:
    write_json_lines("sure.jsonl", *clicks({"a": 14, "b": 12, "c": 10}))
    done("add outcomes six sure.jsonl")
    rows = {row["measure"]: row for row in boards(done)["measures"]}
    assert rows["AP"]["tau_b"] == 1
    assert rows["AP"]["tau_b_low"] < 1 == rows["AP"]["tau_b_high"]
    assert sum(row["best_in"] for row in rows.values()) == pytest.approx(1)
    assert rows["AP"]["best_in"] == rows["RR"]["best_in"] > rows["P@10"]["best_in"]


@pytest.mark.usefixtures("task")
def test_pairs_that_interleaving_decides_are_counted_for_and_against_each_measure(done: Workbench) -> None:
    done("interleave a.run c.run --lists 40 -o lists.jsonl")
    lists = [json.loads(line) for line in Path("lists.jsonl").read_text().splitlines()][:40]
    clicked = (["n" if place % 5 == 0 else "r"] for place in range(40))
    records = ({"list_id": each["list_id"], "clicked": of} for each, of in zip(lists, clicked, strict=True))
    write_json_lines("lists.log", *({"user": f"u{place}", **each} for place, each in enumerate(records)))
    assert says(done("add outcomes six lists.log --lists lists.jsonl").stderr)
    found = boards(done)
    assert (found["unit"], found["pairs"], found["decided"]) == ("", 1, 1)
    assert {(row["same"], row["opposite"], row["tau_b"]) for row in found["measures"]} == {(1, 0, None)}
    done("withdraw six c --reason wrong")
    assert boards(done)["pairs"] == 0


@pytest.mark.usefixtures("task")
def test_a_summary_is_added_once_and_only_of_runs_that_are_there(done: Workbench, fails: Fails) -> None:
    with open_campaign(Path("instance/six.db")) as campaign:
        before = campaign.execute("SELECT max(seq) FROM event").fetchone()[0]
    done("add outcomes six clicks.jsonl")
    assert says(fails("add outcomes six clicks.jsonl"))
    write_json_lines("other.jsonl", *clicks(), {**clicks()[0], "run": "z"}, {**clicks()[0], "run": ""})
    assert says(fails("add outcomes six other.jsonl"), "other.jsonl:73: ")
    assert json.loads(done(f"online boards six --as-of {before} --format json").stdout)["measures"] == []
    done("campaign audit six")
    assert not any(word in Path("instance/six.db").read_bytes() for word in (b"user of a", b"clicks.jsonl"))


@pytest.mark.usefixtures("task")
def test_a_bundle_has_the_summary_of_its_runs(done: Workbench) -> None:
    done("add outcomes six clicks.jsonl")
    expected = boards(done)
    done("bundle six --runs -o six.zip")
    done("import-bundle again six.zip")
    again = json.loads(done("online boards again --format json").stdout)
    assert again | {"seq": 0} == expected | {"seq": 0}


@pytest.mark.usefixtures("task")
def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch, done: Workbench, fails: Fails) -> None:
    done("interleave a.run c.run -o lists.jsonl")
    write_json_lines("lists.log", {"list_id": "a:c:1:1", "user": "u", "clicked": []})
    monkeypatch.setattr("workbench.campaign.outcomes.MOST_ROWS", 0)
    assert says(fails("add outcomes six lists.log --lists lists.jsonl"))


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ([["a", "CTR@10", 1, None, None]] * 12_001, "12,001"),
        ([["a", "fame", 1, None, None]], "fame"),
        ([["a", "RR", 1, 0.5, 1e300]], "1e[+]300"),
    ],
)
def test_a_bundle_with_other_rows_than_a_summary_has_is_refused(rows: list[Any], named: str) -> None:
    row = {"seq": 1, "kind": "user outcomes", "unit": "user", "files": [], "metrics": [], "preferences": []}
    assert arranged(row | {"preferences": [["a", "b", 9, 0.5, 0.01]]}).content["unit"] == "user"
    with pytest.raises(ValueError, match=named):
        arranged(row | {"metrics": rows})


def test_a_draw_without_tau_has_no_best_measure() -> None:
    nan = float("nan")
    assert _best_in([np.array([1, 0.5, nan, nan]), np.array([1, nan, 0.2, nan])]) == [0.375, 0.375]


@pytest.mark.usefixtures("task")
def test_pairs_of_runs_are_drawn_by_users_over_a_measure(done: Workbench) -> None:
    write_json_lines("sure.jsonl", *clicks({"a": 45, "b": 15, "c": 40}, 60))
    done("add outcomes six sure.jsonl")
    with open_campaign(Path("instance/six.db")) as campaign:
        drawn = draw(campaign, "online", {"measure": ["RR"]}).rows
        turned = draw(campaign, "online", {"measure": ["RR"], "metric": ["abandonment"]}).rows
        with refused(UnknownName, "fame"):
            draw(campaign, "online", {"metric": ["fame"]})
    found = {(row["better"], row["worse"]): row for row in drawn}
    assert {pair: row["offline"] for pair, row in found.items()} == pytest.approx(
        {("a", "b"): 0.5, ("a", "c"): 1, ("b", "c"): 0.5}
    )
    assert {pair: row["users"] for pair, row in found.items()} == {
        ("a", "b"): "as users",
        ("a", "c"): "not decided",
        ("b", "c"): "opposite",
    }
    # Welch's interval of 45 and 15 of 60, by hand: 1/2 and 1.9803 standard errors, with 118 degrees of freedom.
    error = float(np.sqrt(2 * 45 * 15 / 60 / 60 / 59))
    low = 0.5 - 1.9803 * error
    assert (found["a", "b"]["online"], found["a", "b"]["low"]) == pytest.approx((0.5, low), abs=1e-4)
    assert [row["online"] for row in turned] == pytest.approx([row["online"] for row in drawn])
