"""The page of stopping, its files and its JSON say what the engine says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from tests.conftest import write_run
from tests.fixture_types import TokenOf
from tests.sentences import refused, says
from tests.web.alerts import alerts
from workbench.analysis.figures import draw
from workbench.analysis.trust.decisions import decide
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import UnknownName
from workbench.core.records import Topic
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import pools, topics
from workbench.storage.campaign.people import members
from workbench.web.analysis import trust

GOOD = [f"good{number}" for number in range(60)]
POOR = [f"poor{number}" for number in range(60)]
RUNS = {"far": {"1": " ".join(GOOD)}, "off": {"1": " ".join(POOR)}, "odd": {"1": " ".join(POOR[::-1])}}


@pytest.fixture
def apart(instance: Path, tmp_path: Path) -> Iterator[Campaign]:
    """Three runs of one topic, of which nothing is pooled; `far` shares no document with the others."""
    with create_campaign(instance / "apart.db") as campaign:
        with campaign.write():
            topics.put(campaign.by("Anna"), [Topic("1", "cats")], files=[])
            members.put(campaign.by("Anna"), "Anna", "organiser")
        files = [write_run(tmp_path / tag, tag, rankings) for tag, rankings in RUNS.items()]
        add_runs(campaign.by("Anna"), files)
        yield campaign


@pytest.fixture
def drawn(apart: Campaign, tmp_path: Path) -> Campaign:
    """The same with 30 of 120 documents drawn and judged: what `far` has is relevant."""
    add_pool(apart.by("Anna"), strategy="sequential-pps", depth=60, budget=30, measure="RBP(p=0.95)", seed=4)
    ids = [pair.pooled.document_id for pair in pools.each_pair(apart)]
    (tmp_path / "grades").write_text("".join(f"1 0 {id_} {int(id_[0] == 'g')}\n" for id_ in ids))
    add_qrels(apart.by("Anna"), [str(tmp_path / "grades")])
    return apart


pytestmark = pytest.mark.usefixtures("apart")


def words_of(client: FlaskClient, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.text))


def test_a_seed_that_another_order_used_is_warned_of_before_the_pool_is_created(
    drawn: Campaign, anna: FlaskClient, token_of: TokenOf
) -> None:
    asked = {
        "strategy": "sequential-pps",
        "depth": "50",
        "budget": "20",
        "measure": "RBP(p=0.95)",
        "strategy.seed": "4",
    }
    text = words_of(anna, f"/c/apart/pool?{urlencode(asked)}")
    assert says(text)
    assert says(text)
    new = re.search(r'name="expected" value="(\d+)"', anna.get(f"/c/apart/pool?{urlencode(asked)}").text)
    assert new is not None
    answer = anna.post("/c/apart/pool", data=asked | {"expected": new[1], "csrf_token": token_of(anna)})
    assert answer.status_code == 422
    assert len(pools.all_pools(drawn)) == 1
    free = words_of(anna, f"/c/apart/pool?{urlencode(asked | {'strategy.seed': '5'})}")
    assert "would be refused" not in free


def test_files_and_json_hold_all_pairs(drawn: Campaign, anna: FlaskClient) -> None:
    told = anna.get("/c/apart/api/stop").get_json()
    found = decide(drawn)
    assert found is not None
    assert told["decisions"]["pairs"] == [pair._asdict() for pair in found.pairs]
    rows = anna.get("/c/apart/stop?table=decided&format=json").get_json()
    assert rows == [pair._asdict() for pair in sorted(found.pairs, key=trust._open_first)]
    lines = anna.get("/c/apart/stop?table=decided&format=csv").text.splitlines()
    assert lines[0] == "run_a,run_b,difference,lower,upper,state,better,risk,together,in_list"
    assert len(lines) == 4
    assert anna.get("/c/apart/stop?table=decided&format=pdf").status_code == 404


def test_without_an_order_the_page_says_how_to_begin(
    apart: Campaign, anna: FlaskClient, tmp_path: Path
) -> None:
    add_pool(apart.by("Anna"), depth=2)
    (tmp_path / "grades").write_text("1 0 good0 1\n")
    add_qrels(apart.by("Anna"), [str(tmp_path / "grades")])
    text = words_of(anna, "/c/apart/stop")
    assert says(text)
    assert says(text)
    told = anna.get("/c/apart/api/stop").get_json()
    assert (told["decisions"], told["topics"]) == (None, None)
    assert anna.get("/c/apart/stop?table=decided&format=csv").status_code == 404


@pytest.mark.parametrize("query", ["measure=Bpref", "alpha=0", "alpha=small", "as-of=never"])
def test_what_cannot_be_answered_is_said_and_is_422(drawn: Campaign, anna: FlaskClient, query: str) -> None:
    page = anna.get(f"/c/apart/stop?{query}")
    assert (page.status_code, says(alerts(page.text))) == (422, True)
    refused = anna.get(f"/c/apart/api/stop?{query}", headers={"Accept": "application/json"})
    assert says(refused.get_json()["message"])


def test_what_takes_long_is_a_job_whose_answer_is_kept(
    drawn: Campaign, anna: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.analysis.trust.evidence.LINES", 0)
    answer = anna.get("/c/apart/stop?alpha=0.04")
    assert answer.status_code == 303
    assert says(words_of(anna, answer.headers["Location"]))
    assert anna.get("/c/apart/api/stop?alpha=0.03").get_json()["decisions"]["alpha"] == 0.03


def test_the_figures_have_the_pairs_and_looks_of_the_engine(drawn: Campaign) -> None:
    found = decide(drawn)
    assert found is not None
    rows = draw(drawn, "decided-pairs", {}).rows
    assert {frozenset((row["ahead"], row["behind"])): row["state"] for row in rows} == {
        frozenset(pair[:2]): pair.state for pair in found.pairs
    }
    history = draw(drawn, "decided-history", {"alpha": ["0.05"]}).rows
    assert [(row["drawn"], row["known"]) for row in history] == [tuple(look) for look in found.history]


def test_without_an_order_or_a_draw_there_is_no_figure(apart: Campaign) -> None:
    with refused(UnknownName):
        draw(apart, "decided-pairs", {})
    add_pool(apart.by("Anna"), strategy="sequential-pps", depth=60, budget=3)
    with refused(UnknownName):
        draw(apart, "decided-history", {})
