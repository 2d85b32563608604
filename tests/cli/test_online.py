"""`workbench online`: lists are interleaved, and what users do with them and with lists of runs is evaluated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import write_json_lines, write_run
from tests.fixture_types import Fails, Workbench
from tests.sentences import says

RUNS = {"one": {"1": "d1 d2 d3 d4", "2": "d1 d2 d5 d6"}, "two": {"1": "d4 d3 d2 d1", "3": "d9"}}


@pytest.fixture
def runs(folder: Path) -> None:
    for tag, documents in RUNS.items():
        write_run(folder / f"{tag}.run", tag, documents)


@pytest.mark.usefixtures("runs")
def test_lists_are_made_of_two_runs_and_their_clicks_read_back(done: Workbench) -> None:
    made = done("online interleave one.run two.run --lists 40 --depth 4 -o lists.jsonl")
    assert says(made.stderr, "2 topics")
    assert done("interleave one.run two.run --lists 40 --depth 4").stdout == Path("lists.jsonl").read_text()
    other = done("interleave one.run two.run --lists 40 --depth 4 --seed 2").stdout
    assert other != Path("lists.jsonl").read_text()
    lists = [json.loads(line) for line in Path("lists.jsonl").read_text().splitlines()]
    assert [each["list_id"] for each in lists[:2]] == ["one:two:1:1", "one:two:1:2"]
    assert {tuple(sorted(zip(each["documents"], each["teams"], strict=True))) for each in lists} == {
        (("d1", "one"), ("d2", "one"), ("d3", "two"), ("d4", "two"))
    }
    assert {each["documents"][0] for each in lists} == {"d1", "d4"}
    # Of 30 users 20 click a document of the first run, 6 of the second, 4 of both; others do not click.
    clicked = [["d1"]] * 20 + [["d3"]] * 6 + [["d1", "d4"]] * 4 + [[]] * 10
    records = [
        {"list_id": each["list_id"], "user_id": f"u{place}", "clicked": of}
        for place, (each, of) in enumerate(zip(lists, clicked, strict=True))
    ]
    write_json_lines("clicks.jsonl", *records)
    result = done("online interleaving clicks.jsonl --lists lists.jsonl --format json")
    found = json.loads(result.stdout)
    (row,) = found["preferences"]
    counts = [row[name] for name in ("lists", "unclicked", "for_one", "tied", "for_other", "units")]
    assert (found["unit"], counts) == ("user", [30, 10, 20, 4, 6, 30])
    assert row["preference"] == pytest.approx(14 / 30)
    assert row["p_sign"] == pytest.approx(0.009355, abs=1e-6)  # 20 of 26
    assert row["p"] == row["p_holm"] < 0.01
    # The same list for two users: its coins are not those of each.
    write_json_lines(
        "shared.jsonl", *records, {"list_id": lists[0]["list_id"], "user_id": "v", "clicked": []}
    )
    shared = done("interleaving shared.jsonl --lists lists.jsonl --format json")
    assert json.loads(shared.stdout)["unit"] == "topic"
    assert says(shared.stderr)


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(
    "change",
    [
        {"list_id": ""},
        {"list_id": "nowhere"},
        {"topic_id": "7"},
        {"shown": ["d2", "d1"]},
        {"clicked": ["d9"]},
        {"user_id": "", "topic_id": "1"},
    ],
    ids=str,
)
def test_what_does_not_fit_the_record_of_a_list_is_refused(
    done: Workbench, fails: Fails, change: dict[str, Any]
) -> None:
    done("online interleave one.run two.run -o lists.jsonl")
    record = {"list_id": "one:two:1:1", "user_id": "u1", "clicked": ["d1"], "topic_id": "1"}
    write_json_lines("clicks.jsonl", record, record | change)
    assert says(fails("online interleaving clicks.jsonl --lists lists.jsonl"), "clicks.jsonl:2: ")


@pytest.mark.usefixtures("runs")
def test_users_who_share_a_list_are_no_sample_and_runs_of_one_name_no_pair(
    done: Workbench, fails: Fails
) -> None:
    done("online interleave one.run two.run -o lists.jsonl")
    write_json_lines(
        "clicks.jsonl", *({"list_id": "one:two:1:1", "user_id": user, "clicked": []} for user in "ab")
    )
    assert says(fails("interleaving clicks.jsonl --lists lists.jsonl --by user"), "clicks.jsonl:2: ")
    assert says(fails("interleaving clicks.jsonl", status=2))
    done("online interleave one.run two.run --depth 2 -o other.jsonl")
    assert says(fails("interleaving clicks.jsonl --lists lists.jsonl --lists other.jsonl"), "one:two:1:1")
    assert says(fails("interleave one.run one.run"))
    write_run(Path("three.run"), "three", {"7": "d1"})
    assert says(fails("interleave one.run three.run"))


def seen(place: int, run: str, **more: Any) -> dict[str, Any]:
    clicked = (["d2", "d1"], ["d3"], [])[place % 3]
    known = {"topic_id": str(place % 7), "user_id": f"{run}{place // 2}", "run": run, "clicked": clicked}
    return known | {"shown": ["d1", "d2", "d3"], "seconds": [2, 5][: len(clicked)]} | more


def test_metrics_of_clicks_are_those_of_a_few_lists_by_hand(done: Workbench, folder: Path) -> None:
    write_json_lines("clicks.jsonl", *(seen(place, "a") for place in range(90)))
    result = done("online clicks clicks.jsonl --cutoff 2 --format json")
    found = json.loads(result.stdout)
    assert [row["metric"] for row in found["metrics"]] == "CTR@1 CTR@2 RR clicks abandonment seconds".split()
    values = [row["value"] for row in found["metrics"]]
    assert values == pytest.approx([1 / 3, 1 / 3, (1 + 1 / 3) / 3, 1, 1 / 3, 2])
    at_one = json.loads(done("online clicks clicks.jsonl --cutoff 1 --format json").stdout)["metrics"]
    assert [row["metric"] for row in at_one] == ["CTR@1", "RR", "clicks", "abandonment", "seconds"]
    one, *_, seconds = found["metrics"]
    assert (found["unit"], one["units"], one["lists"], one["run"]) == ("user", 45, 90, "a")
    assert 0.2 < one["low"] < 1 / 3 < one["high"] < 0.45
    assert (seconds["low"], bool(seconds["note"])) == (None, True)
    assert says(result.stderr)
    assert says(done("clicks clicks.jsonl --by topic").stderr)


def test_groups_of_an_ab_test_are_compared_by_user(done: Workbench, fails: Fails, folder: Path) -> None:
    better = [seen(place, "b", clicked=["d1"], seconds=[3]) for place in range(0, 60, 2)]
    write_json_lines("clicks.jsonl", *(seen(place, "a") for place in range(120)), *better)
    result = done("online ab clicks.jsonl --format json")
    found = json.loads(result.stdout)
    rows = {row["metric"]: row for row in found["differences"]}
    assert found["split"] == {"groups": ["a", "b"], "units": [60, 30], "p": pytest.approx(0.00157, abs=1e-5)}
    assert rows["abandonment"]["difference"] == pytest.approx(-1 / 3)
    assert rows["abandonment"]["p"] is None  # no user of b differs from the others
    assert says(done("ab clicks.jsonl --baseline b").stderr)
    assert says(fails("ab clicks.jsonl --baseline c"))
    write_json_lines(
        "half.jsonl", *(seen(place, "b", clicked=[], seconds=[]) for place in range(40)), seen(0, "")
    )
    assert says(fails("ab half.jsonl"), "half.jsonl:41: ")
    assert says(fails("ab half.jsonl clicks.jsonl"))
    write_json_lines("both.jsonl", seen(0, "a"), seen(0, "b", user_id="a0"))
    assert says(fails("ab both.jsonl"), "both.jsonl:2: ")
    write_json_lines("alone.jsonl", seen(0, "a"))
    assert says(fails("ab alone.jsonl"))
    write_json_lines("none.jsonl", seen(0, "a", user_id=""), seen(0, "b"))
    assert says(fails("ab none.jsonl"), "none.jsonl:1: ")


def test_an_uneven_split_is_warned_of_and_a_test_has_the_error_of_both_groups(
    done: Workbench, folder: Path
) -> None:
    write_json_lines("clicks.jsonl", *(seen(place, "ab"[place >= 600]) for place in range(760)))
    result = done("online ab clicks.jsonl --format json")
    rows = {row["metric"]: row for row in json.loads(result.stdout)["differences"]}
    assert says(result.stderr, "Warning")
    assert rows["CTR@1"]["p"] > 0.5
    assert rows["CTR@1"]["p_holm"] == 1
