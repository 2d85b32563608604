"""pool: what it says, and what a pool that grows keeps."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs, Workbench
from tests.sentences import says
from workbench.campaign.pools import refusals
from workbench.methods.pooling import STRATEGIES, Strategy
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pools


def test_a_pool_grows_and_says_by_how_much(done: Workbench) -> None:
    assert done("pool", "small", "--depth", "2").stderr.startswith(
        "Pool 2: 7 pairs over 3 topics from 2 runs, 0 of them new.\n"
    )
    assert done("pool", "small", "--depth", "3").stderr.startswith(
        "Pool 3: 8 pairs over 3 topics from 2 runs, 1 of them new.\n"
    )


def test_runs_are_chosen_by_tag_or_pattern(done: Workbench, workbench: Workbench) -> None:
    for chosen, count in (("al*", "1 run"), ("al*,beta", "2 runs"), ("*a", "2 runs")):
        assert (
            f"Pool over {count}"
            in done("pool", "small", "--depth", "1", "--runs", chosen, "--dry-run").stdout
        )
    unknown = workbench("pool", "small", "--depth", "1", "--runs", "al*,gamma-*")
    assert (unknown.exit_code, says(unknown.stderr, "gamma-*")) == (1, True)


def test_a_dry_run_shows_sizes_and_makes_nothing(done: Workbench, state: Callable[[], bytes]) -> None:
    before = state()
    shown = done("pool", "small", "--depth", "3", "--dry-run").stdout
    assert [line.split() for line in shown.splitlines()[:-1]] == [
        ["Pool", "over", "2", "runs"],
        ["Depth", "Pairs", "New", "To", "judge"],
        ["1", "5", "0", "7"],
        ["3", "8", "1", "8"],
        [],
        ["Topic", "Pairs", "at", "depth", "3", "New"],
        ["1", "4", "1"],
        ["2", "3", "0"],
        ["10", "1", "0"],
        [],
        ["Run", "Pairs", "at", "depth", "3", "From", "this", "run", "only"],
        ["alpha", "5", "2"],
        ["beta", "6", "3"],
    ]
    assert says(shown)
    planned = json.loads(done("pool", "small", "--depth", "3", "--dry-run", "--format", "json").stdout)
    assert (planned["pairs"], planned["pooled_already"], planned["to_judge"]) == (8, 7, 8)
    assert planned["by_run"][1] == {"tag": "beta", "team": "", "brings": 6, "alone": 3, "new": 0}
    assert state() == before


def test_a_budget_is_of_all_pairs_of_each_topic_or_a_share(done: Workbench) -> None:
    def parameters(*given: str) -> tuple[object, ...]:
        done("pool", "small", "--strategy", "rrf", "--depth", "3", "--budget", *given)
        with open_campaign("instance/small.db") as campaign:
            known = pools.all_pools(campaign)[-1].record.parameters
        return tuple(known[name] for name in ("budget", "percent", "per_topic"))

    assert parameters("5") == (5, None, False)
    assert parameters("2", "--per-topic") == (2, None, True)
    assert parameters("12.5%") == (None, 12.5, False)


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        (["rrf", "--budget", "0"], 2, "budget is 0; it must be at least 1"),
        (["rrf", "--budget", "-3"], 2, "budget is -3; it must be at least 1"),
        (["rrf", "--budget", "0%"], 2, "percent is 0.0; it must be at most 100 and above 0"),
        (["rrf", "--budget", "101%"], 2, "percent is 101.0; it must be at most 100 and above 0"),
        (["rrf", "--budget", "many"], 2, "budget is 'many'; it must be a whole number"),
        (["rrf", "--budget", "99"], 1, "the budget is 99 pairs, and there are 8; give at most that"),
        (["rrf", "--budget", "9", "--set", "percent=5"], 1, "budget and percent say the same in two ways"),
        (["rrf", "--per-topic"], 1, "per_topic says that a budget is that of each topic; give a budget"),
        (["list", "--budget", "5"], 2, "list has no budget; choose a strategy that orders the documents"),
    ],
)
def test_a_budget_that_cannot_be_is_refused_and_nothing_is_made(
    workbench: Workbench, state: Callable[[], bytes], given: list[str], code: int, message: str
) -> None:
    before = state()
    result = workbench("pool", "small", "--depth", "3", "--strategy", *given)
    assert (result.exit_code, message in " ".join(result.stderr.split())) == (code, True), result.stderr
    assert state() == before


def test_a_pool_much_larger_than_those_before_is_made_after_a_question(
    done: Workbench, workbench: Workbench, state: Callable[[], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "MANY_NEW", 1)
    monkeypatch.setattr(refusals, "MUCH_LARGER", 8 / 7)
    before = state()
    refused = workbench("pool", "small", "--depth", "3")
    assert (refused.exit_code, state() == before) == (1, True)
    assert says(refused.stderr)
    no = workbench("pool", "small", "--depth", "3", given="n\n")
    assert (no.exit_code, no.stdout, state() == before) == (1, "", True)
    adaptive = workbench("pool", "small", "--strategy", "mtf", "--depth", "3", "--budget", "8")
    assert (adaptive.exit_code, state() == before) == (1, True)
    assert says(adaptive.stderr)
    assert done("pool", "small", "--depth", "3", given="y\n").stderr.count("Create it?") == 1
    assert done("pool", "small", "--depth", "4", "--yes").stderr.startswith("Pool 3: 8 pairs")


def test_a_pool_is_retired_by_its_number_and_its_judgments_stay(
    done: Workbench, workbench: Workbench, state: Callable[[], bytes], judging_as: JudgeAs
) -> None:
    done("pool", "small", "--depth", "3")
    assert says(done("pool", "small", "--retire", "2").stderr)
    with open_campaign("instance/small.db") as campaign:
        judging_as(campaign, "Ann", "1", "d1", 1)
    before = state()
    refused = workbench("pool", "small", "--retire", "1")
    assert (refused.exit_code, state() == before) == (1, True)
    assert says(refused.stderr)
    assert says(done("pool", "small", "--retire", "1", "--reason", "the wrong runs").stderr)
    again = workbench("pool", "small", "--retire", "1", "--reason", "once more")
    assert (again.exit_code, "pool 1 is retired already" in again.stderr) == (1, True)
    done("audit", "small")


def test_strategies_are_listed_with_kind_and_purpose(
    done: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    keen = Strategy("keen", STRATEGIES["rrf"].function, kind="adaptive", purpose="separate the systems")
    monkeypatch.setitem(STRATEGIES, "keen", keen)
    rows = {row["name"]: row for row in json.loads(done("strategies", "--format", "json").stdout)}
    assert (rows["rrf"]["kind"], rows["rrf"]["purpose"]) == ("static", "")
    assert (rows["keen"]["kind"], rows["keen"]["purpose"]) == ("adaptive", "separate the systems")
    table = " ".join(done("strategies").stdout.split())
    assert "adaptive" in table
    assert "Purpose:" in table
    assert " depth run_depths priorities runs_per_team budget percent per_topic rrf " in table
    assert " depth, rrf, borda, combsum and " in table


def test_a_dry_run_says_how_long_judging_takes_at_the_pace_so_far(
    done: Workbench, judging_as: JudgeAs
) -> None:
    with open_campaign("instance/small.db") as campaign:
        for document_id, seconds in (("d1", 1000), ("d2", 2600)):
            judging_as(campaign, "Ann", "1", document_id, 1, active_seconds=seconds)
    shown = done("pool", "small", "--depth", "3", "--dry-run").stdout
    assert says(shown)


def test_a_pool_that_grows_keeps_the_viewing_order_unless_told_otherwise(done: Workbench) -> None:
    def orders() -> list[tuple[str, int]]:
        with open_campaign("instance/small.db") as campaign:
            return [(pool.record.viewing, pool.record.seed) for pool in pools.all_pools(campaign)]

    done("pool", "small", "--depth", "3")
    done("pool", "small", "--depth", "3", "--order", "shuffle", "--seed", "7")
    done("pool", "small", "--depth", "3")
    assert orders() == [("document id", 0), ("document id", 0), ("shuffle", 7), ("shuffle", 7)]


def test_a_first_pool_is_shuffled(done: Workbench) -> None:
    done("new", "web")
    done("add", "runs", "web", "alpha.run")
    done("pool", "web", "--depth", "1")
    with open_campaign("instance/web.db") as campaign:
        assert [(pool.record.viewing, pool.record.seed) for pool in pools.all_pools(campaign)] == [
            ("shuffle", 0)
        ]


def test_texts_of_new_pairs_are_read_from_the_recorded_sources(done: Workbench) -> None:
    done("new", "web")
    done("add", "documents", "web", "documents.jsonl")
    done("add", "runs", "web", "alpha.run", "beta.run")
    told = done("pool", "web", "--depth", "1").stderr
    assert says(told)
    assert says(told)
    Path("documents.jsonl").unlink()
    told = done("pool", "web", "--depth", "3").stderr
    assert says(told)
    assert "workbench add documents web FILE" in told


def test_runs_can_be_chosen_by_their_tags(done: Workbench) -> None:
    done("pool", "small", "--depth", "3", "--runs", "beta, beta")
    with open_campaign("instance/small.db") as campaign:
        assert pools.all_pools(campaign)[-1].record.runs == ("beta",)


def test_a_campaign_without_runs_cannot_be_pooled_and_says_what_to_do(
    workbench: Workbench, done: Workbench
) -> None:
    done("new", "web")
    for words in ([], ["--dry-run"]):
        result = workbench("pool", "web", "--depth", "3", *words)
        assert result.exit_code == 1
        assert "workbench add runs web FILE" in result.stderr


@pytest.mark.data
def test_ties_ascending_give_the_pool_that_was_judged(done: Workbench, data_folder: Path) -> None:
    folder = data_folder / "wows"
    files = sorted(str(path) for path in (folder / "runs").iterdir() if path.name.startswith("ows-"))
    done("new", "wows")
    done("add", "runs", "wows", "--name", "file", *files)
    done("pool", "wows", "--depth", "11", "--ties", "ascending")
    ours = {tuple(line.split()) for line in done("export", "pool", "wows").stdout.splitlines()}
    judged = json.loads((folder / "judgment-pool.json").read_text(encoding="utf-8"))
    pool = {(topic_id, document_id) for topic_id, ids in judged.items() for document_id in ids}
    with (folder / "manual.csv").open(encoding="utf-8", newline="") as stream:
        manual = {(row["qid"], row["doc_id"]) for row in csv.DictReader(stream)}
    assert (len(ours), len(pool)) == (3563, 3717)
    assert ours | manual == pool


def test_a_format_is_for_what_a_dry_run_shows(workbench: Workbench, state: Callable[[], bytes]) -> None:
    before = state()
    refused = workbench("pool", "small", "--depth", "3", "--format", "csv")
    assert refused.exit_code == 2
    assert says(refused.stderr)
    assert state() == before


def test_an_adaptive_pool_much_larger_than_those_before_is_made_after_one_question(
    done: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "MANY_NEW", 1)
    monkeypatch.setattr(refusals, "MUCH_LARGER", 8 / 7)
    made = done("pool", "small", "--strategy", "mtf", "--depth", "3", "--budget", "8", given="y\n").stderr
    assert (made.count("Create it?"), "Pool 2: " in made) == (1, True)
