"""The page of leaving out, its files, its figures, and the same as JSON."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, MakeCampaign
from tests.sentences import says
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log.log import newest_seq

pytestmark = pytest.mark.usefixtures("judged")

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


def get(anna: FlaskClient, address: str, status: int = 200) -> Any:
    answer = anna.get(address)
    assert answer.status_code == status, answer.text
    return answer


def test_the_page_has_the_verdict_the_rows_and_the_ways_to_save_them(anna: FlaskClient) -> None:
    text = " ".join(get(anna, "/c/judged/reuse?depth=1").text.split())
    # To depth 1 only d1 and d3 are judged: alpha (1 + 2/3) / 2, without d1 1/3; beta 1, without d3 1/2.
    assert "▲ Red" in text
    assert "alpha loses 60.0 % of its AP (0.8333 to 0.3333)." in text
    assert '<td class="numeric">0.8333</td><td class="numeric">0.3333</td>' in text
    assert 'href="/c/judged/reuse?measure=AP&amp;by=team&amp;depth=1&amp;as-of=' in text
    assert '<a href="/c/judged/reuse" aria-current' in text
    assert 'href="/c/judged/reuse"' in get(anna, "/c/judged/runs").text


def test_files_have_the_same_numbers(anna: FlaskClient) -> None:
    rows = list(csv.DictReader(get(anna, "/c/judged/reuse?depth=1&format=csv").text.splitlines()))
    assert [(row["left_out"], row["rank"], row["rank_without"], row["unique_relevant"]) for row in rows] == [
        ("alpha", "2", "2", "1"),
        ("beta", "1", "2", "1"),
    ]
    assert r"\toprule" in get(anna, "/c/judged/reuse?depth=1&format=latex").text
    saved = get(anna, "/c/judged/reuse?depth=1&format=json").json
    assert saved == get(anna, "/c/judged/api/reuse?depth=1").json
    assert (saved["verdict"]["level"], saved["depth"]) == ("red", 1)
    get(anna, "/c/judged/reuse?format=xml", 404)


@pytest.mark.parametrize("query", ["measure=nonsense", "measure=num_ret", "by=topic", "depth=0", "depth=ten"])
def test_what_cannot_be_read_is_said(anna: FlaskClient, query: str) -> None:
    assert 'role="alert"' in get(anna, f"/c/judged/reuse?{query}", 422).text
    refused = get(anna, f"/c/judged/api/reuse?{query}", 422).json
    assert refused["message"]


def test_before_anything_is_judged_the_page_says_so(anna: FlaskClient, make_campaign: MakeCampaign) -> None:
    make_campaign("bare", [Topic("1", "rivers")], [], RUNS)
    text = get(anna, "/c/bare/reuse").text
    assert says(text)
    assert get(anna, "/c/bare/api/reuse").json["verdict"]["level"] == "unknown"
    get(anna, "/c/bare/figures/reuse-losses.json")
    get(anna, "/c/bare/figures/unique-relevant.json")


def test_programs_get_the_same_numbers_by_a_job(
    anna: FlaskClient, judged: Path, monkeypatch: pytest.MonkeyPatch, begun: list[str]
) -> None:
    address = "/c/judged/api/reuse?depth=1&by=run"
    at_once = get(anna, address).json
    monkeypatch.setattr("workbench.analysis.registry.Analysis.takes_long", lambda *_, **__: True)
    assert get(anna, address).json == at_once
    with open_campaign(judged) as campaign:
        row = newest_seq(campaign)
    assert get(anna, f"{address}&as-of={row}").json == at_once
    assert begun[0] == "Leaving out: measure AP, by run, depth 1"
