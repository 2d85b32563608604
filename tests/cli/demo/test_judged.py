"""The demo's second campaign: judged by simulation, said so, and something to see on every page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.analysis.adjudication.conflicts import conflicts
from workbench.analysis.costs.declared import COSTS
from workbench.analysis.costs.freshness import FRESHNESS
from workbench.analysis.online.agreement import ONLINE
from workbench.analysis.trust.certain_pairs import certain_pairs
from workbench.campaign.adaptive_pools import adaptive_pools
from workbench.cli.demo.campaign import TEAMS
from workbench.cli.demo.judged import ASSESSORS, TOUR, ready_judged, tour_lines
from workbench.cli.demo.runs import RECIPES
from workbench.release.audit.checks import audit
from workbench.release.export import export_qrels
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import run_details
from workbench.storage.campaign.counts.progress import progress_by_topic
from workbench.storage.campaign.grades import judgments
from workbench.web.app import create_app

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def instance(demo_instance: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tour")
    shutil.copy(demo_instance / "demo.db", folder / "demo.db")
    ready_judged(folder)
    return folder


@pytest.fixture
def judged(instance: Path) -> Iterator[Campaign]:
    with open_campaign(instance / "judged.db") as campaign:
        yield campaign


def test_every_judgment_is_of_an_assessor_whose_name_says_how_often_it_errs(judged: Campaign) -> None:
    assert {row.assessor for row in judgments.log(judged)} == {each.name for each in ASSESSORS}
    assert all(each.name.startswith("Simulated ") for each in ASSESSORS)
    assert all(each.name.endswith(f"({each.errs:.0%} wrong)".replace("%", " %")) for each in ASSESSORS)


def test_most_is_judged_some_twice_and_not_alike_and_a_pool_is_under_way(judged: Campaign) -> None:
    progress = progress_by_topic(judged, "")
    share = sum(each.judged for each in progress) / sum(each.pooled for each in progress)
    assert 0.75 < share < 1
    assert len(conflicts(judged, "AP", top=10).open) > 10
    assert adaptive_pools(judged)
    found = certain_pairs(judged)
    assert found.number("certain") > 0
    assert found.number("open") > 0


def test_runs_have_costs_and_users_and_a_measure_agrees_with_them(judged: Campaign) -> None:
    costs, online = COSTS.answer(judged, {}), ONLINE.answer(judged, {})
    assert all(each.cost is not None for each in costs.runs) and len(costs.runs) == len(RECIPES)
    assert all(each.error is not None for each in online.runs) and online.decided > 0
    assert max(each.tau_b or 0 for each in online.measures) > 0.5
    assert {details.costs["hardware"] for details in run_details.details(judged).values()} == {"made up"}


def test_documents_have_made_up_dates_before_the_indexes_that_have_them(judged: Campaign) -> None:
    found = FRESHNESS.answer(judged, {})
    assert found.field == "changed" and (found.reason, found.wrong, found.later, found.early) == ("", 0, 0, 0)
    assert len(found.runs) == len(RECIPES) and all(run.dated == 1 for run in found.runs)
    assert len([run for run in found.runs if run.recent and run.interval_from is not None]) > 0
    assert [team.team for team in found.teams] == list(TEAMS)
    assert all(0 < team.found < team.new for team in found.teams)


def test_it_stands_up_to_an_audit(judged: Campaign) -> None:
    assert [finding for finding in audit(judged) if finding.wrong] == []


def test_the_same_seed_gives_the_same_grades(judged: Campaign, instance: Path, tmp_path: Path) -> None:
    shutil.copy(instance / "demo.db", tmp_path / "demo.db")
    with open_campaign(ready_judged(tmp_path)) as again:
        assert export_qrels(again).qrels == export_qrels(judged).qrels


def test_a_second_start_takes_it_as_it_is(instance: Path) -> None:
    before = (instance / "judged.db").read_bytes()
    assert ready_judged(instance) == instance / "judged.db"
    assert (instance / "judged.db").read_bytes() == before


def test_every_page_of_the_tour_is_there(instance: Path) -> None:
    app = create_app(instance, [instance / "judged.db"])
    adapter = app.url_map.bind("localhost")
    for page, _ in TOUR:
        assert adapter.match(f"/c/judged/{page}")
    app.extensions["workbench_connections"].close()
    lines = tour_lines("http://127.0.0.1:5000")
    assert lines[1].startswith("  1. http://127.0.0.1:5000/c/judged/board ")
