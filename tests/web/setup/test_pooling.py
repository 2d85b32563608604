"""The pool page: what a pool would hold and cost, making it, and how it has grown."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from flask import Flask, g

from tests.fixture_types import JudgeAs, MakeCampaign, SignIn, TokenOf
from tests.sentences import says
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_documents, add_runs
from workbench.campaign.pools import refusals
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import plan_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.core.records import Document, Topic
from workbench.methods.pooling import STRATEGIES
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import documents, pools, runs
from workbench.web.setup import pooling


@pytest.fixture
def unpooled(make_campaign: MakeCampaign, tmp_path: Path) -> Path:
    """Topic 1 with five documents in two runs; d1 alone is pooled. A third run, `other`, does not contribute."""
    texts = [Document(f"d{number}", "", f"The text of document {number}.") for number in range(1, 6)]
    path = make_campaign(
        "pooled", [Topic("1", "rivers"), Topic("2", "lakes")], texts, {"first": {"1": ["d1"]}}
    )
    for tag, ids in {"alpha": "d1 d2 d3", "beta": "d4 d2 d1", "other": "d5 d2"}.items():
        rows = [f"1 Q0 {id_} {rank} {100 - rank} {tag}\n" for rank, id_ in enumerate(ids.split(), 1)]
        (tmp_path / f"{tag}.run").write_text("".join(rows), encoding="utf-8")
    with open_campaign(path) as campaign:
        add_runs(campaign.by("Anna"), [str(tmp_path / f"{tag}.run") for tag in ("alpha", "beta")])
        add_runs(campaign.by("Anna"), [str(tmp_path / "other.run")], contributes=False)
    return path


def page(app: Flask, client_of: SignIn, path: str) -> str:
    answer = client_of(app, "Anna").get(path)
    assert answer.status_code == 200
    return " ".join(answer.get_data(as_text=True).split())


def post(app: Flask, client_of: SignIn, token_of: TokenOf, **form: object) -> tuple[int, str, str]:
    """Status, place one is led to, and text."""
    client = client_of(app, "Anna")
    answer = client.post("/c/pooled/pool", data={"csrf_token": token_of(client), **form})
    return answer.status_code, answer.location or "", " ".join(answer.get_data(as_text=True).split())


def test_the_page_says_what_is_pooled_and_what_a_pool_would_hold(
    app: Flask, unpooled: Path, client_of: SignIn
) -> None:
    text = page(app, client_of, "/c/pooled/pool?depth=2")
    assert "1 pair in 1 topic is pooled, and not yet judged." in text
    assert says(text)
    assert "Add 2 pairs" in text
    assert "<td>depth 100</td>" in text
    assert "document id descending" in text


def test_every_depth_has_its_price(app: Flask, unpooled: Path, client_of: SignIn) -> None:
    text = page(app, client_of, "/c/pooled/pool?depth=2&per_hour=2&hours_per_day=0.5&assessors=1")
    rows = [["1", "2", "1", "2", "1.0"], ["2", "3", "2", "3", "1.5"], ["3", "4", "3", "4", "2.0"]]
    for row in rows:
        assert "".join(f'<td class="numeric">{cell}</td>' for cell in row) in text.replace("> <", "><")
    assert "3 pairs are left to judge: 1.5 hours at an assumed 2 per hour" in text
    assert says(text)


def test_the_pace_is_the_one_the_log_has_measured_unless_another_is_asked_for(
    app: Flask, unpooled: Path, client_of: SignIn, judging_as: JudgeAs
) -> None:
    assert says(page(app, client_of, "/c/pooled/pool"))
    with open_campaign(unpooled) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1, active_seconds=90)
    text = page(app, client_of, "/c/pooled/pool?depth=2")
    assert "2 pairs are left to judge: 0.1 hours at the pace of 40 per hour over 1 judgment so far" in text
    text = page(app, client_of, "/c/pooled/pool?depth=2&per_hour=20")
    assert "at an assumed 20 per hour" in text


def test_ten_more_ranks_and_one_more_run_have_their_price(
    app: Flask, unpooled: Path, client_of: SignIn
) -> None:
    text = page(app, client_of, "/c/pooled/pool?depth=1&per_hour=1")
    assert says(text)
    assert says(text)
    assert '<td class="numeric">1 pair</td>' in text
    assert "runs=first,alpha,beta,other" in text.replace("%2C", ",")
    deep = page(app, client_of, "/c/pooled/pool?depth=3")
    assert says(deep)


def test_the_numbers_are_those_of_the_engine_and_of_the_pool_itself(
    app: Flask, unpooled: Path, client_of: SignIn, token_of: TokenOf
) -> None:
    with open_campaign(unpooled) as campaign:
        plan = plan_pool(campaign, depth=3, tags=["alpha", "beta"])
    text = page(app, client_of, "/c/pooled/pool?depth=3&runs=alpha, beta")
    assert f"Add {plan.at_depth.new} pairs" in text
    form = {
        "depth": 3,
        "strategy": "depth",
        "ties": "descending",
        "runs": "alpha, beta",
        "viewing": "best rank",
    }
    status, place, _ = post(app, client_of, token_of, expected=plan.at_depth.new, **form)
    assert (status, place.split("?")[0]) == (303, "/c/pooled/pool")
    with open_campaign(unpooled) as campaign:
        made = pools.all_pools(campaign)[-1]
    assert (made.pool, made.pairs) == (2, plan.at_depth.new)
    assert made.record == pools.PoolRecord(
        "depth", {"depth": 3}, "descending", ("alpha", "beta"), "best rank", 0
    )
    assert "Pool 2 created: 3 new pairs." in page(app, client_of, place)


def test_a_pool_much_larger_than_those_before_needs_a_tick(
    app: Flask, unpooled: Path, client_of: SignIn, token_of: TokenOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "MANY_NEW", 2)
    text = page(app, client_of, "/c/pooled/pool?depth=2")
    assert says(text)
    status, _, refused = post(app, client_of, token_of, depth=2, expected=2)
    assert (status, says(refused)) == (422, True)
    assert post(app, client_of, token_of, depth=2, expected=2, sure="yes")[0] == 303


def test_a_pool_is_retired_on_the_page_with_its_reason(
    app: Flask, unpooled: Path, client_of: SignIn, token_of: TokenOf, judging_as: JudgeAs
) -> None:
    with open_campaign(unpooled) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)

    def retire(**form: str) -> tuple[int, str, str]:
        client = client_of(app, "Anna")
        answer = client.post("/c/pooled/pool/retire", data={"csrf_token": token_of(client), **form})
        return answer.status_code, answer.location or "", " ".join(answer.get_data(as_text=True).split())

    status, _, text = retire(pool="1", reason=" ")
    assert (status, says(text)) == (422, True)
    assert retire(pool="x")[0] == 422
    status, place, _ = retire(pool="1", reason="the wrong runs")
    assert status == 303
    shown = page(app, client_of, place)
    assert says(shown)
    assert "the wrong runs" in shown
    assert 'aria-label="Retire a pool"' not in shown
    assert "No pool yet." in shown
    with open_campaign(unpooled) as campaign:
        assert pools.in_force(campaign) == []


def test_a_pool_of_a_strategy_that_this_version_lacks_is_said_and_another_can_be_planned(
    app: Flask, unpooled: Path, client_of: SignIn
) -> None:
    with open_campaign(unpooled) as campaign:
        add_pool(campaign.by("Anna"), strategy="borda", depth=2)
    with patch.dict(STRATEGIES):  # afterwards in the order of before, which lists of strategies are in
        del STRATEGIES["borda"]
        text = page(app, client_of, "/c/pooled/pool")
        assert says(text, "borda")
        assert "there is no pooling strategy" not in text
        assert "Contribution by run" in text
        with open_campaign(unpooled) as campaign:
            retire_pool(campaign.by("Anna"), 2)
        assert "was made by the strategy" not in page(app, client_of, "/c/pooled/pool")


def test_two_pools_that_choose_have_budgets_apart_and_the_page_says_so(
    app: Flask, unpooled: Path, client_of: SignIn
) -> None:
    with open_campaign(unpooled) as campaign:
        add_pool(campaign.by("Anna"), strategy="hedge", depth=3, budget=2, batch=1)
        said = "budget of its own that does not count what the others choose"
        assert said not in page(app, client_of, "/c/pooled/pool")
        add_pool(campaign.by("Anna"), strategy="mtc", depth=3, budget=2, batch=1)
        assert says(page(app, client_of, "/c/pooled/pool"))


def test_adaptive_strategies_are_offered(app: Flask, unpooled: Path, client_of: SignIn) -> None:
    text = page(app, client_of, "/c/pooled/pool?strategy=hedge&depth=2")
    assert '<option value="hedge"' in text
    assert "over 3 runs" in text


def test_a_pool_made_here_is_the_one_the_command_line_makes(
    app: Flask, unpooled: Path, client_of: SignIn, token_of: TokenOf, tmp_path: Path
) -> None:
    twin = tmp_path / "twin.db"
    shutil.copy(unpooled, twin)
    post(
        app, client_of, token_of, depth=2, ties="ascending", runs="*a*", seed=7, viewing="shuffle", expected=2
    )
    with open_campaign(twin) as campaign:
        add_pool(
            campaign.by("Olga"), depth=2, ties="ascending", tags=["*a*"], viewing_seed=7, viewing="shuffle"
        )
        theirs = pools.pooled_pairs(campaign), pools.all_pools(campaign)[-1]
    with open_campaign(unpooled) as campaign:
        assert (pools.pooled_pairs(campaign), pools.all_pools(campaign)[-1]) == theirs


def test_texts_of_new_pairs_are_read_from_the_recorded_sources(
    app: Flask, unpooled: Path, client_of: SignIn, token_of: TokenOf, tmp_path: Path
) -> None:
    (tmp_path / "more.run").write_text("2 Q0 d8 1 9 more\n2 Q0 d9 2 8 more\n", encoding="utf-8")
    (tmp_path / "more.jsonl").write_text('{"id": "d8", "text": "Late."}\n', encoding="utf-8")
    with open_campaign(unpooled) as campaign:
        add_documents(campaign.by("Anna"), [str(tmp_path / "more.jsonl")])
        add_runs(campaign.by("Anna"), [str(tmp_path / "more.run")])
        assert documents.without_text(campaign) == []
    status, place, _ = post(app, client_of, token_of, depth=2, runs="more", expected=2)
    assert status == 303
    with open_campaign(unpooled) as campaign:
        assert documents.without_text(campaign) == ["d9"]
    text = page(app, client_of, place)
    assert "Pool 2 created: 2 new pairs." in text
    assert says(text)


def test_a_pool_is_not_made_when_it_would_no_longer_be_the_one_that_was_shown(
    app: Flask, unpooled: Path, client_of: SignIn, token_of: TokenOf
) -> None:
    with open_campaign(unpooled) as campaign:
        withdraw_runs(campaign.by("Anna"), ["beta"])
    status, _, text = post(app, client_of, token_of, depth=3, expected=3)
    assert status == 409
    assert says(text)
    assert "Add 2 pairs" in text
    with open_campaign(unpooled) as campaign:
        assert len(pools.all_pools(campaign)) == 1


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"depth": "0"}, "Depth is 0; it must be at least 1."),
        ({"depth": "ten"}, "Depth is &#39;ten&#39;; it must be a whole number."),
        ({"depth": "3", "seed": str(2**63)}, "The seed must be a number from"),
        (
            {"depth": "3", "runs": "gamma"},
            "There is no run &#39;gamma&#39; in pooled; there are first, alpha, beta, other",
        ),
        ({"depth": "3", "runs": " , "}, "No run was chosen"),
        ({"depth": "3", "strategy": "dept"}, "There is no pooling strategy &#39;dept&#39;"),
        ({"depth": "3", "ties": "up"}, "There is no order of ties &#39;up&#39;"),
        ({"depth": "3", "viewing": "up"}, "There is no viewing order &#39;up&#39;"),
        ({"depth": "3", "per_hour": "nan"}, "Judgments an hour must be a number"),
        ({"depth": "3", "hours_per_day": "25"}, "Hours a day must be a number from 0.1 to 24"),
        ({"depth": "3", "budget": "-1"}, "Budget is -1; it must be at least 1."),
        ({"depth": "3", "budget": "99"}, "The budget is 99 pairs, and there are 4; give at most that"),
        (
            {"depth": "3", "run_depths": "gamma:1"},
            "run_depths: there is no run &#39;gamma&#39;; there are first",
        ),
        ({"strategy": "strata", "strata": "1-2:100%,2-3:50%"}, "The strata overlap at rank 2"),
        ({"strategy": "strata", "strata": "1:100%,3:50%"}, "The strata leave out rank 2"),
        ({"strategy": "strata", "strata": "1:100%,2-3:0%"}, "a rate is above 0 and at most 1 (100%)"),
        (
            {"strategy": "list", "pairs": "9 d1"},
            "topics that are not in the campaign: 9; add these topics first",
        ),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_made(
    app: Flask, unpooled: Path, client_of: SignIn, token_of: TokenOf, form: dict[str, str], words: str
) -> None:
    status, _, text = post(app, client_of, token_of, expected=3, **form)
    assert (status, words in text) == (422, True), text
    if "viewing" not in form:
        client = client_of(app, "Anna")
        answer = client.get("/c/pooled/pool", query_string=form)
        assert (answer.status_code, words in answer.get_data(as_text=True)) == (200, True)
    with open_campaign(unpooled) as campaign:
        assert len(pools.all_pools(campaign)) == 1


def test_a_form_without_its_token_makes_nothing(app: Flask, unpooled: Path, client_of: SignIn) -> None:
    assert client_of(app, "Anna").post("/c/pooled/pool", data={"depth": 3, "expected": 3}).status_code == 400
    with open_campaign(unpooled) as campaign:
        assert len(pools.all_pools(campaign)) == 1


def test_growth_is_shown_pool_by_pool(app: Flask, unpooled: Path, client_of: SignIn) -> None:
    with open_campaign(unpooled) as campaign:
        for depth in (1, 3):
            add_pool(campaign.by("Anna"), depth=depth)
    text = page(app, client_of, "/c/pooled/pool").replace("> <", "><")
    for added, then in ((1, 1), (1, 2), (2, 4)):
        assert f'<td class="numeric">{added}</td><td class="numeric">{then}</td></tr>' in text
    assert says(text)
    assert says(text)


def test_the_newest_pools_depth_is_where_planning_starts(
    app: Flask, unpooled: Path, client_of: SignIn
) -> None:
    assert 'name="depth" min="1" value="100"' in page(app, client_of, "/c/pooled/pool")


def test_a_campaign_whose_runs_are_all_withdrawn_says_so(
    app: Flask, unpooled: Path, client_of: SignIn
) -> None:
    with open_campaign(unpooled) as campaign:
        withdraw_runs(campaign.by("Anna"), [run.record.tag for run in runs.all_runs(campaign)])
    text = page(app, client_of, "/c/pooled/pool")
    assert says(text)
    assert says(text)


def test_what_was_typed_is_still_there_when_it_cannot_be(
    app: Flask, unpooled: Path, client_of: SignIn
) -> None:
    text = page(app, client_of, "/c/pooled/pool?depth=7&runs=gamma&per_hour=33")
    assert 'name="depth" min="1" value="7"' in text
    assert 'name="runs" value="gamma"' in text
    assert 'name="per_hour" value="33"' in text
    assert "1 pair is pooled." in text


def test_a_campaign_with_nothing_says_what_to_do(app: Flask, client_of: SignIn) -> None:
    text = page(app, client_of, "/c/robust/pool")
    assert says(text)
    assert 'href="/c/robust/add/runs"' in text
    assert '<pre class="commands">workbench ' in text


@pytest.mark.parametrize("name", ["pool-depths", "pool-topics", "pool-runs"])
def test_its_figures_can_be_taken_away(app: Flask, unpooled: Path, client_of: SignIn, name: str) -> None:
    answer = client_of(app, "Anna").get(f"/c/pooled/figures/{name}.csv?depth=2&runs=alpha,beta")
    assert answer.status_code == 200
    assert answer.get_data(as_text=True).splitlines()[0].endswith("part,pairs")
    refused = client_of(app, "Anna").get(f"/c/pooled/figures/{name}.csv?depth=0")
    assert refused.status_code == 422


def test_a_list_is_typed_line_by_line_and_the_next_page_begins_with_the_pool_before(
    app: Flask, client_of: SignIn, token_of: TokenOf, unpooled: Path
) -> None:
    text = page(app, client_of, "/c/pooled/pool?strategy=list&pairs=1+d3%0D%0A1+d9,2+d9&found_by=search")
    assert says(text)
    assert "1 d3 1 d9 2 d9</textarea>" in text
    status, place, _ = post(
        app, client_of, token_of, strategy="list", pairs="1 d3,1 d9,2 d9", found_by="search", expected="3"
    )
    assert (status, "made=2" in place) == (303, True)
    with open_campaign(unpooled) as campaign:
        assert {pair.pooled[:4] for pair in pools.pooled_pairs(campaign)} >= {("1", "d9", 0, 0)}
    later = page(app, client_of, "/c/pooled/pool")
    assert '<option value="depth"' in later
    assert "To depth 100 over 3 runs" in later
    assert "pairs 1 d3,1 d9,2 d9, found_by search" in later


def test_a_list_that_is_too_long_for_the_page_goes_to_the_command_line(
    app: Flask, client_of: SignIn, unpooled: Path
) -> None:
    pairs = ",".join(f"1 x{number}" for number in range(1000))
    text = page(app, client_of, f"/c/pooled/pool?strategy=list&pairs={pairs}")
    assert says(text)
    text = page(app, client_of, "/c/pooled/pool?strategy=list")
    assert "List needs pairs, such as pairs=1 d1.</p>" in text


@pytest.mark.parametrize(
    ("address", "depth", "longest", "curve", "leads_deeper"),
    [
        ("", 10, 51, {"depth": 10, "deepest": 50}, True),
        ("", 10, 50, {"depth": 10, "deepest": 50}, False),
        ("", 20, 61, {"depth": 20, "deepest": 60}, True),
        ("?deep=", 20, 61, {"depth": 20}, False),
    ],
)
def test_the_figure_of_depths_goes_to_three_times_the_pool_unless_all_are_asked_for(
    app: Flask,
    unpooled: Path,
    address: str,
    depth: int,
    longest: int,
    curve: dict[str, int],
    leads_deeper: bool,
) -> None:
    plan: Any = SimpleNamespace(deepest=longest)
    with app.test_request_context(f"/c/pooled/pool{address}"), open_campaign(unpooled) as campaign:
        g.campaign = campaign
        found = pooling._of_depths(pooling.usual(campaign), plan, depth, {"ties": "descending"})
    assert found["curve"] == {"ties": "descending", **curve}
    assert ("deep=" in (found["all_depths"] or "")) is leads_deeper


def test_each_value_of_a_parameter_of_words_stands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    parameters = [
        SimpleNamespace(name=name, takes_commas=name == "depths")
        for name in ("query", "depths", "k", "seed", "runs")
    ]
    monkeypatch.setattr(pooling, "STRATEGIES", {"words": SimpleNamespace(parameters=parameters)})
    values = {"query": ["ice, snow", "rain"], "depths": [1, 2], "k": 0, "seed": None, "runs": []}
    asked: Any = SimpleNamespace(strategy="words", parameters=values)
    assert pooling._assignments(asked) == ["query=ice, snow", "query=rain", "depths=1,2", "k=0"]
