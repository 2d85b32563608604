"""The page of runs: what each brought, how each does, and taking one out or back by a form."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.fixture_types import JudgeAs, TokenOf
from tests.sentences import says
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import RunOptions, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.formats.run_repairs import Repairs
from workbench.methods.pooling import STRATEGIES
from workbench.scoring.board import score_campaign
from workbench.scoring.board.past_boards import topic_scores_of
from workbench.scoring.board.table import printed
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import withdrawals

pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture
def judged(small: Path, judging_as: JudgeAs) -> Path:
    """Topic 1: d1 is relevant, which alpha has at rank 1 and beta has not; d4, at rank 4 and 3, is not."""
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
        judging_as(campaign, "Ben", "1", "d4", 0)
    return small


def page(client: FlaskClient, path: str = "") -> str:
    answer = client.get(f"/c/small/{'run' if 'run=' in path else 'runs'}{path}")
    assert answer.status_code == 200
    return " ".join(unescape(answer.text).split())


def change(client: FlaskClient, token: str, **fields: str) -> TestResponse:
    return client.post("/c/small/run", data={"csrf_token": token, **fields})


def test_the_page_of_a_run_has_the_digits_of_the_engine(anna: FlaskClient, judged: Path) -> None:
    with open_campaign(judged) as campaign:
        (row, _) = score_campaign(campaign, ["nDCG@10"]).rows
        found = topic_scores_of(campaign, "nDCG@10")
    value = printed(found.measure, row.values[0])
    text = page(anna, "?run=alpha&m=nDCG@10")
    assert f"Rank 1 of 2 runs by nDCG@10 ({value})." in text
    assert "to the pool, 2 of them unique, 1 of these relevant." in text
    shown = [printed(found.measure, float(each)) for each in (1.0, 0.5, 1.0)]
    assert "".join(f'<td class="numeric">{each}</td>' for each in (*shown, "1")) in text
    assert "/c/small/figures/topic-scores.svg?run=alpha&measure=nDCG@10" in text


def test_a_rank_of_a_run_leads_to_the_page_of_that_pair(anna: FlaskClient) -> None:
    answer = anna.get("/c/small/run?run=alpha&topic=1&rank=2")
    assert (answer.status_code, answer.location) == (302, "/c/small/pair?topic=1&document=d2")
    for rank in (-1, 5):  # alpha has d1 to d4
        beyond = anna.get(f"/c/small/run?run=alpha&topic=1&rank={rank}")
        assert beyond.status_code == 404
        assert says(beyond.text)


def test_long_rankings_are_turned_page_by_page(anna: FlaskClient, small: Path, tmp_path: Path) -> None:
    lines = [f"2 Q0 e{rank:03} {rank} {500 - rank} long\n" for rank in range(1, 121)]
    (tmp_path / "long.run").write_text("".join(lines))
    with open_campaign(small) as campaign:
        add_runs(campaign.by("Anna"), [str(tmp_path / "long.run")])
    for number, (first, last) in {2: ("e051", "e100"), 3: ("e101", "e120"), 99: ("e101", "e120")}.items():
        text = page(anna, f"?run=long&topic=2&page={number}")
        assert f">{first}<" in text
        assert f">{last}<" in text
        assert f">e{int(first[1:]) - 1:03}<" not in text
    assert "not pooled" in text
    assert says(page(anna, "?run=long&topic=1"))


@pytest.mark.parametrize("path", ["", "?run=gamma", "?run=alpha&topic=7", "?run="])
def test_what_is_not_there_is_not_found(anna: FlaskClient, path: str) -> None:
    assert anna.get(f"/c/small/run{path}").status_code == 404


def test_a_run_is_withdrawn_and_restored_by_a_form(
    anna: FlaskClient, judged: Path, token_of: TokenOf
) -> None:
    assert '<details class="runs-details" open> <summary>Withdraw this run…' in page(anna, "?run=alpha&ask")
    answer = change(anna, token_of(anna), run="alpha", change="withdraw", reason="  broken\nindex ")
    assert (answer.status_code, answer.location) == (303, "/c/small/run?run=alpha")
    text = page(anna, "?run=alpha")
    assert "Withdrawn. Its AP would be 1.0000." in text
    assert 'by <bdi>Anna</bdi>: <q dir="auto">broken index</q>' in text
    assert "compare?run" not in text
    assert "1 run is withdrawn." in page(anna)
    assert [row["run"] for row in anna.get("/c/small/api/board").get_json()["rows"]] == ["beta"]
    change(anna, token_of(anna), run="alpha", change="restore")
    assert "Rank 1 of 2 runs by AP (1.0000)." in page(anna, "?run=alpha")
    with open_campaign(judged) as campaign:
        assert [step.kind for step in withdrawals.steps(campaign)] == ["withdrawal", "restoration"]


def test_a_form_that_another_organiser_was_quicker_to_send_changes_nothing(
    anna: FlaskClient, small: Path, token_of: TokenOf
) -> None:
    with open_campaign(small) as campaign:
        withdraw_runs(campaign.by("Olga"), ["alpha"])
    assert change(anna, token_of(anna), run="alpha", change="withdraw").status_code == 409
    assert change(anna, token_of(anna), run="alpha", change="drop").status_code == 422
    assert change(anna, token_of(anna), run="gamma", change="withdraw").status_code == 404
    with open_campaign(small) as campaign:
        assert len(withdrawals.steps(campaign)) == 1


def test_a_pool_by_a_strategy_that_is_not_here_is_a_sentence_on_both_pages(
    small: Path, anna: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(STRATEGIES, "later", replace(STRATEGIES["depth"], name="later"))
    with open_campaign(small) as campaign:
        add_pool(campaign.by("Anna"), strategy="later", depth=2)
    monkeypatch.delitem(STRATEGIES, "later")
    for path in ("", "?run=alpha"):
        assert "to pool 2 is not counted: there is no pooling strategy 'later'" in page(anna, path)


def test_a_repaired_run_says_so_in_the_list_and_what_was_repaired_on_its_page(
    anna: FlaskClient, small: Path, tmp_path: Path
) -> None:
    (path := tmp_path / "twice.run").write_text("1 Q0 d1 1 3 twice\n1 Q0 d1 2 2 twice\n", encoding="utf-8")
    with open_campaign(small) as campaign:
        add_runs(campaign.by("Olga"), [str(path)], options=RunOptions(repairs=Repairs(duplicates="first")))
    listed = unescape(anna.get("/c/small/runs").text)
    message = "1 line of documents listed twice in a topic left out; the first line of each was kept"
    assert "1 run was repaired when added." in listed
    assert f'title="{message}">repaired' in listed
    assert "twice" not in anna.get("/c/small/runs?state=pooled").text
    assert "twice" in anna.get("/c/small/runs?state=repaired").text
    assert "alpha" not in anna.get("/c/small/runs?state=repaired").text.partition("<tbody>")[2]
    page = unescape(anna.get("/c/small/run?run=twice").text)
    assert f'<li dir="auto">{message} <code>duplicates first</code></li>' in page
    assert "Repaired when it was added" not in anna.get("/c/small/run?run=alpha").text


@pytest.mark.usefixtures("judged")
def test_a_measure_that_does_not_exist_is_reported(anna: FlaskClient) -> None:
    text = page(anna, "?run=beta&m=nDGC")
    assert says(text)
    assert "Rank 2 of 2 runs by AP (0.0000)." in text


def test_a_campaign_whose_runs_are_all_withdrawn_still_shows_them(
    anna: FlaskClient, judged: Path, token_of: TokenOf
) -> None:
    for tag in ("alpha", "beta"):
        change(anna, token_of(anna), run=tag, change="withdraw")
    assert "2 runs are withdrawn." in page(anna)
    assert "Its AP would be 1.0000." in page(anna, "?run=alpha")
    assert anna.get("/c/small/figures/run-recall.json?run=alpha").status_code == 200
    assert anna.get("/c/small/figures/topic-scores.csv?run=alpha").status_code == 200
