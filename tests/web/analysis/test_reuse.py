"""The page of leaving out, its files, its figures, and the same as JSON."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.fixture_types import JudgeAs, MakeCampaign, SignIn
from tests.sentences import says
from workbench.analysis.reuse import declared
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log.log import newest_seq

RUNS = {"alpha": {"1": ["d1", "d2", "d3"]}, "beta": {"1": ["d3", "d1", "d2"]}}


@pytest.fixture
def judged(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Path:
    """One topic, of which alpha and beta were pooled whole; d1 and d3 are relevant."""
    documents = [Document(f"d{number}", "", f"Text {number}.") for number in range(1, 4)]
    path = make_campaign("judged", [Topic("1", "rivers")], documents, RUNS)
    with open_campaign(path) as campaign:
        for document, grade in {"d1": 1, "d2": 0, "d3": 1}.items():
            judging_as(campaign, "Ben", "1", document, grade)
    return path


def get(app: Flask, client_of: SignIn, address: str, status: int = 200) -> Any:
    answer = client_of(app, "Anna").get(address)
    assert answer.status_code == status, answer.text
    return answer


def test_the_page_has_the_verdict_the_rows_and_the_ways_to_save_them(
    app: Flask, client_of: SignIn, judged: Path
) -> None:
    text = " ".join(get(app, client_of, "/c/judged/reuse?depth=1").text.split())
    # To depth 1 only d1 and d3 are judged: alpha (1 + 2/3) / 2, without d1 1/3; beta 1, without d3 1/2.
    assert "▲ Red" in text
    assert "alpha loses 60.0 % of its AP (0.8333 to 0.3333)." in text
    assert '<td class="numeric">0.8333</td><td class="numeric">0.3333</td>' in text
    assert 'href="/c/judged/reuse?measure=AP&amp;by=team&amp;depth=1&amp;as-of=' in text
    assert '<a href="/c/judged/runs" aria-current' in text
    assert 'href="/c/judged/reuse"' in get(app, client_of, "/c/judged/runs").text


def test_pools_that_all_runs_share_lose_nothing(app: Flask, client_of: SignIn, judged: Path) -> None:
    text = get(app, client_of, "/c/judged/reuse?by=run").text
    assert says(text)
    assert "▲ Red" not in text


def test_files_have_the_same_numbers(app: Flask, client_of: SignIn, judged: Path) -> None:
    rows = list(csv.DictReader(get(app, client_of, "/c/judged/reuse?depth=1&format=csv").text.splitlines()))
    assert [(row["left_out"], row["rank"], row["rank_without"], row["unique_relevant"]) for row in rows] == [
        ("alpha", "2", "2", "1"),
        ("beta", "1", "2", "1"),
    ]
    assert r"\toprule" in get(app, client_of, "/c/judged/reuse?depth=1&format=latex").text
    saved = get(app, client_of, "/c/judged/reuse?depth=1&format=json").json
    assert saved == get(app, client_of, "/c/judged/api/reuse?depth=1").json
    assert (saved["verdict"]["level"], saved["depth"]) == ("red", 1)
    get(app, client_of, "/c/judged/reuse?format=xml", 404)


def test_figures_are_drawn_from_the_same(app: Flask, client_of: SignIn, judged: Path) -> None:
    spec = get(app, client_of, "/c/judged/figures/reuse-losses.json?depth=1").json
    assert [(row["run"], round(row["score"], 4)) for row in spec["datasets"]["rows"]] == [
        ("beta", 1.0),
        ("beta", 0.5),
        ("alpha", 0.8333),
        ("alpha", 0.3333),
    ]
    spec = get(app, client_of, "/c/judged/figures/unique-relevant.json?depth=1").json
    assert [row["relevant documents"] for row in spec["datasets"]["rows"]] == [1, 1]
    get(app, client_of, "/c/judged/figures/reuse-losses.json?depth=0", 422)


@pytest.mark.parametrize("query", ["measure=nonsense", "measure=num_ret", "by=topic", "depth=0", "depth=ten"])
def test_what_cannot_be_read_is_said(app: Flask, client_of: SignIn, judged: Path, query: str) -> None:
    assert 'role="alert"' in get(app, client_of, f"/c/judged/reuse?{query}", 422).text
    refused = get(app, client_of, f"/c/judged/api/reuse?{query}", 422).json
    assert refused["message"]


def test_what_takes_long_becomes_a_job(
    app_of_jobs: Flask, client_of: SignIn, judged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(declared, "LINES", 0)
    place = get(app_of_jobs, client_of, "/c/judged/reuse?depth=1", 303).location
    assert "/c/judged/jobs/" in place
    assert "Leaving out: measure AP, by team, depth 1" in get(app_of_jobs, client_of, place).text


def test_the_result_of_a_job_that_ends_soon_is_shown_at_once(
    app: Flask, client_of: SignIn, judged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(declared, "LINES", 0)
    place = get(app, client_of, "/c/judged/reuse?depth=1", 303).location
    assert "as-of=" in place
    assert "alpha loses 60.0 %" in get(app, client_of, place).text


def test_before_anything_is_judged_the_page_says_so(
    app: Flask, client_of: SignIn, make_campaign: MakeCampaign
) -> None:
    make_campaign("bare", [Topic("1", "rivers")], [], RUNS)
    text = get(app, client_of, "/c/bare/reuse").text
    assert says(text)
    assert get(app, client_of, "/c/bare/api/reuse").json["verdict"]["level"] == "unknown"
    get(app, client_of, "/c/bare/figures/reuse-losses.json")
    get(app, client_of, "/c/bare/figures/unique-relevant.json")


def test_programs_get_the_same_numbers_by_a_job(
    app: Flask, client_of: SignIn, judged: Path, monkeypatch: pytest.MonkeyPatch, begun: list[str]
) -> None:
    address = "/c/judged/api/reuse?depth=1&by=run"
    at_once = get(app, client_of, address).json
    monkeypatch.setattr("workbench.analysis.registry.Analysis.takes_long", lambda *_, **__: True)
    assert get(app, client_of, address).json == at_once
    with open_campaign(judged) as campaign:
        row = newest_seq(campaign)
    assert get(app, client_of, f"{address}&as-of={row}").json == at_once
    assert begun[0] == "Leaving out: measure AP, by run, depth 1"


@pytest.mark.parametrize(
    ("depth", "status"), [("1", 200), ("268435456", 200), ("268435457", 422), ("x", 422)]
)
def test_a_depth_is_a_number_up_to_the_largest(
    app: Flask, client_of: SignIn, judged: Path, depth: str, status: int
) -> None:
    told = get(app, client_of, f"/c/judged/api/reuse?depth={depth}", status).json
    assert ("message" in told) == (status == 422)
