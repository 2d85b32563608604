"""workbench pooling: what it says, what a pool that grows keeps, pools from files, search, and the strategies."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.fixture_types import Fails, JudgeAs, Rows, Workbench
from tests.sentences import says
from workbench.campaign.pools import refusals
from workbench.cli import main
from workbench.methods.pooling import WISHES
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import pools


def test_a_pool_grows_says_by_how_much_and_keeps_the_viewing_order_unless_told_otherwise(
    done: Workbench, campaign: Campaign
) -> None:
    assert says(done("pool small --depth 2").stderr)
    assert says(done("pool small --depth 3").stderr)
    done("pool small --depth 3 --order shuffle --seed 7")
    done("pool small --depth 3")
    orders = [(pool.record.viewing, pool.record.seed) for pool in pools.all_pools(campaign)]
    assert orders == [("document id", 0)] * 3 + [("shuffle", 7)] * 2


def test_runs_are_chosen_by_tag_or_pattern(done: Workbench, fails: Fails, campaign: Campaign) -> None:
    for chosen, tags in (("al*", ("alpha",)), ("al*,beta", ("alpha", "beta")), ("beta, beta", ("beta",))):
        done("pool small --depth 1 --runs", chosen)
        assert pools.all_pools(campaign)[-1].record.runs == tags
    assert says(fails("pool small --depth 1 --runs al*,gamma-*"), "gamma-*")


DRY_RUN = """
Pool over 2 runs
Depth Pairs New To judge
1 5 0 5
3 8 1 6

Topic Pairs at depth 3 New
1 4 1
2 3 0
10 1 0

Run Pairs at depth 3 From this run only
alpha 5 2
beta 6 3
"""


def test_a_dry_run_shows_sizes_and_hours_and_makes_nothing(
    done: Workbench, fails: Fails, state: Callable[[], bytes], campaign: Campaign, judging_as: JudgeAs
) -> None:
    for document_id, seconds in (("d1", 1000), ("d2", 2600)):
        judging_as(campaign, "Ann", "1", document_id, 1, active_seconds=seconds)
    before = state()
    shown = done("pool small --depth 3 --dry-run").stdout
    assert [line.split() for line in shown.splitlines()[:-1]] == [
        *map(str.split, DRY_RUN.strip().splitlines())
    ]
    assert says(shown, "3.0 hours")
    planned = json.loads(done("pool small --depth 3 --dry-run --format json").stdout)
    assert (planned["pairs"], planned["pooled_already"], planned["to_judge"]) == (8, 7, 6)
    assert planned["by_run"][1] == {"run": "beta", "team": "", "pairs": 6, "alone": 3, "new": 0}
    assert says(fails("pool small --depth 3 --format csv", status=2))
    assert state() == before


@pytest.mark.parametrize(
    ("given", "parameters"),
    [("5", (5, None, False)), ("2 --per-topic", (2, None, True)), ("12.5%", (None, 12.5, False))],
)
def test_a_budget_is_of_all_pairs_of_each_topic_or_a_share(
    done: Workbench, campaign: Campaign, given: str, parameters: tuple[object, ...]
) -> None:
    done(f"pool small --strategy rrf --depth 3 --budget {given}")
    known = pools.all_pools(campaign)[-1].record.parameters
    assert tuple(known[name] for name in ("budget", "percent", "per_topic")) == parameters


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ("rrf --budget 0", 2),
        ("rrf --budget 101%", 2),
        ("rrf --budget many", 2),
        ("rrf --budget 99", 1),
        ("rrf --budget 9 --set percent=5", 1),
        ("rrf --per-topic", 1),
        ("list --budget 5", 2),
    ],
)
def test_a_budget_that_cannot_be_is_refused_and_nothing_is_made(
    fails: Fails, state: Callable[[], bytes], given: str, status: int
) -> None:
    before = state()
    assert says(fails(f"pool small --depth 3 --strategy {given}", status=status))
    assert state() == before


def test_a_pool_much_larger_than_those_before_is_made_after_a_question(
    done: Workbench, fails: Fails, state: Callable[[], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "MANY_NEW", 1)
    monkeypatch.setattr(refusals, "MUCH_LARGER", 8 / 7)
    before = state()
    assert says(fails("pool small --depth 3"))
    fails("pool small --depth 3", given="n\n")
    assert says(fails("pool small --strategy mtf --depth 3 --budget 8"))
    assert state() == before
    assert done("pool small --depth 3", given="y\n").stderr.count("Create it?") == 1
    assert done("pool small --depth 4 --yes").stderr.startswith("Pool 3: 8 pairs")
    assert says(done("pool small --strategy mtf --depth 3 --budget 8").stderr, "Pool 4: up to 8 pairs")


def test_a_pool_is_retired_by_its_number_and_its_judgments_stay(
    done: Workbench, fails: Fails, state: Callable[[], bytes], judging_as: JudgeAs
) -> None:
    done("pool small --depth 3")
    assert says(done("pool small --retire 2").stderr)
    with open_campaign("instance/small.db") as campaign:
        judging_as(campaign, "Ann", "1", "d1", 1)
    before = state()
    refused = fails("pool small --retire 1")
    assert state() == before
    assert says(refused)
    assert says(done("pool small --retire 1 --reason 'the wrong runs'").stderr)
    assert "pool 1 is retired already" in fails("pool small --retire 1 --reason 'once more'")
    done("audit small")


def test_texts_of_new_pairs_are_read_from_the_recorded_sources(done: Workbench) -> None:
    done("new web")
    done("add documents web documents.jsonl")
    done("add runs web alpha.run beta.run")
    told = done("pool web --depth 1").stderr
    assert says(told)
    assert says(told)
    Path("documents.jsonl").unlink()
    told = done("pool web --depth 3").stderr
    assert says(told)
    assert "workbench add documents web FILE" in told


def test_a_campaign_without_runs_cannot_be_pooled_and_says_what_to_do(fails: Fails, done: Workbench) -> None:
    done("new web")
    for words in ([], ["--dry-run"]):
        assert "workbench add runs web FILE" in fails("pool web --depth 3", *words)


@pytest.mark.data
def test_ties_ascending_give_the_pool_that_was_judged(done: Workbench, data_folder: Path) -> None:
    folder = data_folder / "wows"
    files = sorted(str(path) for path in (folder / "runs").iterdir() if path.name.startswith("ows-"))
    done("new wows")
    done("add runs wows --name file", *files)
    done("pool wows --depth 11 --ties ascending")
    ours = {tuple(line.split()) for line in done("export pool wows").stdout.splitlines()}
    judged = json.loads((folder / "judgment-pool.json").read_text(encoding="utf-8"))
    pool = {(topic_id, document_id) for topic_id, ids in judged.items() for document_id in ids}
    with (folder / "manual.csv").open(encoding="utf-8", newline="") as stream:
        manual = {(row["qid"], row["doc_id"]) for row in csv.DictReader(stream)}
    assert (len(ours), len(pool)) == (3563, 3717)
    assert ours | manual == pool


def test_the_lines_are_those_of_the_campaigns_pool_and_a_campaign_takes_them(done: Workbench) -> None:
    result = done("pool-files alpha.run beta.run --depth 2 -o pool.txt")
    assert (result.stdout, result.stderr) == ("", "7 pairs over 3 topics from 2 runs.\n")
    assert Path("pool.txt").read_text() == done("export pool small").stdout
    taken = done("pool small --strategy list --pairs pool.txt").stderr
    assert "Pool 2: 7 pairs over 3 topics" in taken


def test_csv_has_best_rank_and_runs_and_the_budget_is_kept(done: Workbench) -> None:
    words = ("--strategy", "rrf", "--depth", "3", "--budget", "1", "--per-topic", "--format", "csv")
    assert says(done("pool-files alpha.run beta.run", *words).stdout)


def test_standard_input_is_one_of_the_runs(done: Workbench) -> None:
    read = done("pool-files - beta.run --depth 2", given=Path("alpha.run").read_text())
    assert read.stdout == done("pool-files alpha.run beta.run --depth 2").stdout


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["gone.run", "--depth", "2"], 1),
        (["alpha.run"], 2),
        (["alpha.run", "--strategy", "mtf", "--depth", "2"], 1),
        (["alpha.run", "--strategy", "deep"], 1),
        (["-", "-", "--depth", "2"], 1),
    ],
)
def test_files_that_cannot_be_pooled_are_refused_and_nothing_is_printed(
    workbench: Workbench, words: list[str], status: int
) -> None:
    result = workbench("pool-files", *words)
    assert (result.exit_code, result.stdout) == (status, "")
    assert says(result.stderr)


def test_a_search_shows_what_is_found_and_changes_nothing(
    done: Workbench, state: Callable[[], bytes]
) -> None:
    before = state()
    rows = list(csv.reader(done("search small 1 text d1 --format csv").stdout.splitlines()))
    assert rows == [
        ["rank", "document_id", "title", "pooled", "judged", "excerpt"],
        ["1", "d1", "Document d1", "yes", "", "The *text* of document 1."],
    ]
    content = json.loads(done("search small 1 d3 --format json").stdout)
    assert [(each["document_id"], each["pooled"], each["judged"]) for each in content] == [
        ("d3", False, False)
    ]
    assert len(done("search small 1 text --limit 2").stdout.splitlines()) == 3
    assert state() == before


def test_of_what_is_not_found_programs_get_no_rows(done: Workbench, rows: Rows) -> None:
    assert rows("search small 1 zebra") == []
    assert says(done("search small 1 zebra ice").stderr)


def test_documents_that_are_named_and_the_first_ones_are_pooled(done: Workbench, campaign: Campaign) -> None:
    made = done("search small 1 text --add d5 --add-first 3")
    assert says(made.stderr)
    assert [pair.pooled.document_id for pair in pools.pooled_pairs(campaign) if pair.pool == 2] == [
        "d3",
        "d5",
    ]


def test_what_is_pooled_or_was_not_found_is_refused_with_a_way_out(fails: Fails) -> None:
    assert says(fails("search small 1 text --add d1"))
    assert says(fails("search small 1 text --limit 1 --add d3"))


def test_a_title_sends_nothing_to_the_terminal(done: Workbench, folder: Path) -> None:
    title = "a\x1b]0;owned\x07\nb"
    (folder / "odd.jsonl").write_text(json.dumps({"id": "odd", "title": title, "text": "heron"}) + "\n")
    done("add documents small odd.jsonl --all")
    shown = done("search small 1 heron").stdout
    assert "a ]0;owned  b" in shown
    assert len(shown.splitlines()) == 2


def printed(*words: str) -> str:
    result = CliRunner().invoke(main, ["strategies", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_each_strategy_has_a_row_under_its_wish() -> None:
    rows = list(csv.reader(printed("--format", "csv").splitlines()))
    assert rows[0] == ["you_want_to", "strategy", "kind", "what_it_pools", "parameters"]
    titles = {name: wish.title for name, wish in WISHES.items()} | {"compare": rows[-1][0]}
    assert rows[1:] == [
        [
            titles[each["wish"]],
            each["name"],
            each["kind"],
            each["summary"],
            " ".join(one["name"] for one in each["parameters"]) or "none",
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
    assert found == {"name": "strata", "kind": "sampled", "wish": "estimate"}
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
