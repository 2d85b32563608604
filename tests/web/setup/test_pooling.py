"""The pool page: what a pool would hold and cost, making it, and how it has grown."""

from __future__ import annotations

import gzip
import re
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qsl

import pytest
from flask import Flask, g
from flask.testing import FlaskClient
from lxml import html
from werkzeug.test import TestResponse

from tests.fixture_types import JudgeAs, MakeCampaign, TokenOf
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.campaign import uploads
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_documents, add_runs
from workbench.campaign.pools import refusals
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import plan_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.core.records import Document, Topic
from workbench.methods.pooling import STRATEGIES, WISHES
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import documents, pools, runs
from workbench.web.setup import pooling

pytestmark = pytest.mark.usefixtures("unpooled")


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


def page(anna: FlaskClient, path: str) -> str:
    answer = anna.get(path)
    assert answer.status_code == 200
    return " ".join(answer.text.split())


def post(anna: FlaskClient, token_of: TokenOf, **form: object) -> tuple[int, str, str]:
    """Status, place one is led to, and text."""
    answer = anna.post("/c/pooled/pool", data={"csrf_token": token_of(anna), **form})
    return answer.status_code, answer.location or "", " ".join(answer.text.split())


def test_the_pace_is_the_one_the_log_has_measured_unless_another_is_asked_for(
    anna: FlaskClient, unpooled: Path, judging_as: JudgeAs
) -> None:
    assert says(page(anna, "/c/pooled/pool"))
    with open_campaign(unpooled) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1, active_seconds=90)
    text = page(anna, "/c/pooled/pool?depth=2")
    assert "2 pairs are left to judge: 0.1 hours at the pace of 40 per hour over 1 judgment so far" in text
    text = page(anna, "/c/pooled/pool?depth=2&per_hour=20")
    assert "at an assumed 20 per hour" in text


def test_the_numbers_are_those_of_the_engine_and_of_the_pool_itself(
    anna: FlaskClient, unpooled: Path, token_of: TokenOf
) -> None:
    with open_campaign(unpooled) as campaign:
        plan = plan_pool(campaign, depth=3, tags=["alpha", "beta"])
    text = page(anna, "/c/pooled/pool?depth=3&runs=alpha, beta")
    assert f"Add {plan.at_depth.new} pairs" in text
    form = {
        "depth": 3,
        "strategy": "depth",
        "ties": "descending",
        "runs": "alpha, beta",
        "viewing": "best rank",
    }
    status, place, _ = post(anna, token_of, expected=plan.at_depth.new, **form)
    assert (status, place.split("?")[0]) == (303, "/c/pooled/pool")
    with open_campaign(unpooled) as campaign:
        made = pools.all_pools(campaign)[-1]
    assert (made.pool, made.pairs) == (2, plan.at_depth.new)
    assert made.record == pools.PoolRecord(
        "depth", {"depth": 3}, "descending", ("alpha", "beta"), "best rank", 0
    )
    assert "Pool 2 created: 3 new pairs." in page(anna, place)


def test_a_pool_much_larger_than_those_before_needs_a_tick(
    anna: FlaskClient, token_of: TokenOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "MANY_NEW", 2)
    text = page(anna, "/c/pooled/pool?depth=2")
    assert says(text)
    status, _, refused = post(anna, token_of, depth=2, expected=2)
    assert (status, says(refused)) == (422, True)
    assert post(anna, token_of, depth=2, expected=2, sure="yes")[0] == 303


def test_a_pool_is_retired_on_the_page_with_its_reason(
    anna: FlaskClient, unpooled: Path, token_of: TokenOf, judging_as: JudgeAs
) -> None:
    with open_campaign(unpooled) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)

    def retire(**form: str) -> tuple[int, str, str]:
        answer = anna.post("/c/pooled/pool/retire", data={"csrf_token": token_of(anna), **form})
        return answer.status_code, answer.location or "", " ".join(answer.text.split())

    status, _, text = retire(pool="1", reason=" ")
    assert (status, says(text)) == (422, True)
    assert retire(pool="x")[0] == 422
    status, place, _ = retire(pool="1", reason="the wrong runs")
    assert status == 303
    shown = page(anna, place)
    assert says(shown)
    assert "the wrong runs" in shown
    assert 'aria-label="Retire a pool"' not in shown
    assert "No pool yet." in shown
    with open_campaign(unpooled) as campaign:
        assert pools.in_force(campaign) == []


def test_a_pool_of_a_strategy_that_this_version_lacks_is_said_and_another_can_be_planned(
    anna: FlaskClient, unpooled: Path
) -> None:
    with open_campaign(unpooled) as campaign:
        add_pool(campaign.by("Anna"), strategy="borda", depth=2)
    with patch.dict(STRATEGIES):  # afterwards in the order of before, which lists of strategies are in
        del STRATEGIES["borda"]
        text = page(anna, "/c/pooled/pool")
        assert says(text, "borda")
        assert "there is no pooling strategy" not in text
        assert "Contribution by run" in text
        with open_campaign(unpooled) as campaign:
            retire_pool(campaign.by("Anna"), 2)
        assert "was made with the strategy" not in page(anna, "/c/pooled/pool")


def test_two_pools_that_choose_have_budgets_apart_and_the_page_says_so(
    anna: FlaskClient, unpooled: Path
) -> None:
    with open_campaign(unpooled) as campaign:
        add_pool(campaign.by("Anna"), strategy="hedge", depth=3, budget=2, batch=1)
        said = "budget of its own"
        assert said not in page(anna, "/c/pooled/pool")
        add_pool(campaign.by("Anna"), strategy="mtc", depth=3, budget=2, batch=1)
        assert says(page(anna, "/c/pooled/pool"))


def test_texts_of_new_pairs_are_read_from_the_recorded_sources(
    anna: FlaskClient, unpooled: Path, token_of: TokenOf, tmp_path: Path
) -> None:
    (tmp_path / "more.run").write_text("2 Q0 d8 1 9 more\n2 Q0 d9 2 8 more\n", encoding="utf-8")
    (tmp_path / "more.jsonl").write_text('{"id": "d8", "text": "Late."}\n', encoding="utf-8")
    with open_campaign(unpooled) as campaign:
        add_documents(campaign.by("Anna"), [str(tmp_path / "more.jsonl")])
        add_runs(campaign.by("Anna"), [str(tmp_path / "more.run")])
        assert documents.without_text(campaign) == []
    status, place, _ = post(anna, token_of, depth=2, runs="more", expected=2)
    assert status == 303
    with open_campaign(unpooled) as campaign:
        assert documents.without_text(campaign) == ["d9"]
    text = page(anna, place)
    assert "Pool 2 created: 2 new pairs." in text
    assert says(text)


def test_a_pool_is_not_made_when_it_would_no_longer_be_the_one_that_was_shown(
    anna: FlaskClient, unpooled: Path, token_of: TokenOf
) -> None:
    with open_campaign(unpooled) as campaign:
        withdraw_runs(campaign.by("Anna"), ["beta"])
    status, _, text = post(anna, token_of, depth=3, expected=3)
    assert status == 409
    assert says(text)
    assert "Add 2 pairs" in text
    with open_campaign(unpooled) as campaign:
        assert len(pools.all_pools(campaign)) == 1


@pytest.mark.parametrize(
    "asked",
    [
        *("depth=0", f"seed={2**63}", "runs=gamma", "runs=+,+", "strategy=dept", "ties=up", "viewing=up"),
        *(
            "per_hour=nan",
            "budget=99",
            "strategy=strata&strata=1-2:100%25,2-3:50%25",
            "strategy=list&pairs=9+d1",
        ),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_made(
    anna: FlaskClient, unpooled: Path, token_of: TokenOf, asked: str
) -> None:
    form = {"depth": "3", **dict(parse_qsl(asked))}
    sent = anna.post("/c/pooled/pool", data={"csrf_token": token_of(anna), "expected": 3, **form})
    assert (sent.status_code, says(alerts(sent.text))) == (422, True)
    shown = anna.get("/c/pooled/pool", query_string=form)
    assert shown.status_code == 200
    assert "viewing" in form or alerts(shown.text) == alerts(sent.text)
    with open_campaign(unpooled) as campaign:
        assert len(pools.all_pools(campaign)) == 1


def test_a_campaign_whose_runs_are_all_withdrawn_says_so(anna: FlaskClient, unpooled: Path) -> None:
    with open_campaign(unpooled) as campaign:
        withdraw_runs(campaign.by("Anna"), [run.record.tag for run in runs.all_runs(campaign)])
    text = page(anna, "/c/pooled/pool")
    assert says(text)
    assert says(text)


def test_a_list_that_is_too_long_for_the_page_goes_to_the_command_line(anna: FlaskClient) -> None:
    pairs = ",".join(f"1 x{number}" for number in range(1000))
    text = page(anna, f"/c/pooled/pool?strategy=list&pairs={pairs}")
    assert says(text)


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


def current_wish(text: str) -> list[str]:
    return re.findall(r'aria-current="true"><b>([^<]+)</b>', text)


def test_one_says_what_one_wants_before_any_strategy_is_named(anna: FlaskClient) -> None:
    text = page(anna, "/c/pooled/pool")
    nav = text[text.index('class="wishes"') : text.index("</nav>", text.index('class="wishes"'))]
    ways = dict(zip(re.findall(r"<b>([^<]+)</b>", nav), re.findall(r'href="([^"]+)"', nav), strict=True))
    assert list(ways) == [wish.title for wish in WISHES.values()]
    assert current_wish(text) == [WISHES["top"].title]
    for title, address in ways.items():
        assert current_wish(page(anna, address.replace("&amp;", "&"))) == [title]


def test_a_wish_keeps_the_runs_and_the_pace_that_were_asked_for(anna: FlaskClient) -> None:
    text = page(anna, "/c/pooled/pool?runs=alpha&per_hour=20&depth=2")
    (way,) = [each for each in re.findall(r'href="([^"]+)"', text) if "strategy=pps" in each]
    assert ("runs=alpha" in way, "per_hour=20" in way, "depth=" in way) == (True, True, False)


def test_the_strategies_of_a_wish_are_in_one_menu_in_sentences(anna: FlaskClient) -> None:
    text = page(anna, "/c/pooled/pool?strategy=strata")
    assert re.findall(r'<option value="([a-z-]+)"[^>]*>\1: ', text) == [
        "pps",
        "strata",
        "uniform",
        "by-model",
    ]
    shown = html.document_fromstring(
        anna.get("/c/pooled/pool?depth=2&budget=3&strategy=rrf").text
    ).text_content()
    assert not {"per_topic", "burn_in"} & set(re.split(r"[^\w]+", shown))


def advice_in(text: str) -> list[str]:
    return re.findall(r'<p class="plan-advice">([^<]+)</p>', text)


def test_depth_and_budget_say_what_they_cost_by_these_runs(
    anna: FlaskClient, unpooled: Path, judging_as: JudgeAs
) -> None:
    text = page(anna, "/c/pooled/pool?depth=1&budget=1&strategy=rrf")
    assert says("\n".join(advice_in(text)))
    with open_campaign(unpooled) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1, active_seconds=1800)
    text = page(anna, "/c/pooled/pool?strategy=rrf&depth=3")
    assert says("\n".join(advice_in(text)))


@pytest.mark.parametrize(
    ("asked", "field", "folded"),
    [
        ("depth=two", "depth", False),
        ("depth=3&budget=99&strategy=rrf", "budget", False),
        ("strategy=strata&strata=1-2:x", "", False),
        ("strategy=rrf&depth=3&per_topic=true", "per_topic", True),
        ("depth=2&runs=gamma", "runs", True),
        ("depth=2&assessors=none", "assessors", True),
        ("strategy=random&depth=2&strategy.seed=x", "strategy.seed", True),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_which_keeps_what_was_typed(
    anna: FlaskClient, asked: str, field: str, folded: bool
) -> None:
    tree = html.document_fromstring(anna.get(f"/c/pooled/pool?{asked}").text)
    (alert,) = tree.xpath("//*[@role='alert']")
    assert (field == "") == (not alert.xpath("ancestor::*[@class='plan-about']"))
    if field:
        (control,) = alert.xpath("ancestor::div[contains(concat(@class, ' '), 'plan-field ')]//*[@name]")
        typed = dict(parse_qsl(asked))[field]
        assert control.get("name") == field
        assert typed in (control.get("value"), *control.xpath("option[@selected]/@value"))
    assert bool(tree.xpath("//details[@open]")) is folded
    assert not tree.xpath("//form[@aria-label='Create a pool']")


def send_list(anna: FlaskClient, token_of: TokenOf, *files: tuple[str, bytes]) -> TestResponse:
    sent = [(BytesIO(content), name) for name, content in files]
    return anna.post("/c/pooled/pool/list", data={"csrf_token": token_of(anna), "files": sent})


PAIRS = b"1 d2\n1 d9\n2 d3\n"


def test_a_list_of_mine_is_sent_as_a_file_previewed_and_made(
    anna: FlaskClient, unpooled: Path, token_of: TokenOf
) -> None:
    answer = send_list(anna, token_of, ("found.txt.gz", gzip.compress(PAIRS)))
    assert (answer.status_code, answer.location.partition("&list=")[0]) == (
        303,
        "/c/pooled/pool?strategy=list",
    )
    text = page(anna, answer.location)
    assert current_wish(text) == [WISHES["list"].title]
    assert '<b dir="auto">found.txt.gz</b>: 3 pairs.' in text
    assert "Add 3 pairs" in text
    inputs = html.document_fromstring(text).xpath("//form[@aria-label='Create a pool']//input")
    hidden = {each.get("name"): each.get("value") for each in inputs}
    made = anna.post("/c/pooled/pool", data=hidden | {"csrf_token": token_of(anna)})
    assert made.status_code == 303
    with open_campaign(unpooled) as campaign:
        newest = pools.all_pools(campaign)[-1]
    assert (newest.record.strategy, newest.pairs) == ("list", 3)
    assert newest.record.parameters["pairs"] == ["1 d2", "1 d9", "2 d3"]
    assert "Pool 2 created: 3 new pairs." in page(anna, made.location)


@pytest.mark.parametrize(
    "files",
    [
        [],
        [("a.txt", PAIRS), ("b.txt", PAIRS)],
        [("found.txt", b"1 d2\n1\n1 d2\n")],
        [("found.txt", b"9 d2\n")],
        [("many.txt", b"1 d1\n1 d2\n1 d3\n1 d4\n")],
        [("bomb.gz", gzip.compress(b"1 d1 # " + b"x" * 1_000_000))],
    ],
    ids=["none", "two", "wrong lines", "unknown topic", "too many", "too large"],
)
def test_a_list_that_cannot_be_is_refused_beside_the_file_and_nothing_is_kept(
    anna: FlaskClient,
    app: Flask,
    unpooled: Path,
    token_of: TokenOf,
    files: list[tuple[str, bytes]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(uploads, "MOST_PAIRS", 3)
    app.config["UPLOAD_LIMITS"] = app.config["UPLOAD_LIMITS"]._replace(expanded=500_000)
    answer = send_list(anna, token_of, *files)
    assert (answer.status_code, says(alerts(answer.text))) == (422, True)
    tree = html.document_fromstring(answer.text)
    assert tree.xpath("//input[@name='files'][@aria-invalid='true']")
    assert current_wish(" ".join(answer.text.split())) == [WISHES["list"].title]
    with open_campaign(unpooled) as campaign:
        assert len(pools.all_pools(campaign)) == 1


def test_a_list_that_is_no_longer_kept_is_to_be_sent_again(anna: FlaskClient, token_of: TokenOf) -> None:
    gone = "/c/pooled/pool?strategy=list&list=0123"
    assert says(alerts(anna.get(gone).text))
    answer = anna.post(
        "/c/pooled/pool", data={"strategy": "list", "list": "0123", "csrf_token": token_of(anna)}
    )
    assert answer.status_code == 422


def test_the_form_of_a_list_says_nothing_is_wrong_before_anything_was_sent(anna: FlaskClient) -> None:
    text = page(anna, "/c/pooled/pool?strategy=list")
    assert alerts(text) == ""
    assert "Create this pool" not in text


def test_the_history_of_pools_is_in_sentences(anna: FlaskClient, unpooled: Path) -> None:
    with open_campaign(unpooled) as campaign:
        add_pool(campaign.by("Anna"), strategy="rrf", depth=3, budget=2, per_topic=True)
    text = page(anna, "/c/pooled/pool")
    assert says("\n".join(re.findall(r"<td>((?:depth|rrf): [^<]+)</td>", text)))


def test_a_program_gets_a_plan_with_the_page_that_shows_the_same_to_a_person(anna: FlaskClient) -> None:
    plan = anna.get("/c/pooled/api/pool?strategy=depth&depth=3&per_hour=30").get_json()
    assert plan["hours"] == plan["to_judge"] / 30
    assert plan["by_depth"][0]["depth"] == 1
    shown = " ".join(page(anna, plan["page"].partition("localhost")[2]).split())
    assert f"a pool has {plan['pairs']:,} pairs, " in shown
    assert f"it would grow by {plan['new']:,}" in shown
    wrongs = {"depth=0": "depth", "runs=none": "runs", "strategy=deep": "", "strategy=depth&k=5": "k"}
    for wrong, field in wrongs.items():
        answer = anna.get(f"/c/pooled/api/pool?{wrong}")
        assert (answer.status_code, answer.get_json()["field"]) == (422, field)
        assert says(answer.get_json()["message"])
