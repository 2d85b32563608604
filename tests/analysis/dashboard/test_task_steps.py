"""The steps from runs to qrels: one is next, whatever the campaign has."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.judged_pairs import judge_as
from tests.sentences import says
from workbench.analysis.dashboard.task_steps import STEPS, steps_of
from workbench.campaign import assigning
from workbench.campaign.ingest import add_documents, add_qrels, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.campaign.rounds import open_round
from workbench.core.results import content
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.people import members

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
RUN = "1 Q0 d1 1 2 alpha\n1 Q0 d2 2 1 alpha\n"


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    """An empty campaign; Olga is at this computer, and there are no members."""
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga", now=MONDAY) as made:
        yield made.by("Olga", MONDAY)


def file(campaign: Campaign, name: str, text: str) -> list[str]:
    path = campaign.path.parent / name
    path.write_text(text, encoding="utf-8")
    return [str(path)]


def topics_and_run(campaign: Campaign) -> None:
    add_topics(campaign, file(campaign, "topics", "1\tfrozen rivers\n"))
    add_runs(campaign, file(campaign, "run", RUN), team="Delft")


def pooled(campaign: Campaign) -> None:
    topics_and_run(campaign)
    texts = '{"id": "d1", "text": "Ice."}\n{"id": "d2", "text": "Water."}\n'
    add_documents(campaign, file(campaign, "documents", texts), keep_all=True)
    add_pool(campaign, depth=2)


def states(campaign: Campaign) -> str:
    return " ".join(f"{step.step}:{step.state}" for step in steps_of(campaign).steps if step.state != "later")


def there(campaign: Campaign, step: str) -> str:
    return next(each.there for each in steps_of(campaign).steps if each.step == step)


def test_an_empty_campaign_needs_topics_and_everything_else_is_later(campaign: Campaign) -> None:
    assert states(campaign) == "topics:now"
    assert steps_of(campaign).next.command == f"workbench add topics {campaign.command_name} FILE"


def test_the_next_step_leads_from_nothing_to_publishing(campaign: Campaign) -> None:
    texts = '{"id": "d1", "text": "Ice."}\n{"id": "d2", "text": "Water."}\n'
    steps = []
    for step in (
        lambda: None,
        lambda: add_topics(campaign, file(campaign, "topics", "1\tfrozen rivers\n")),
        lambda: add_documents(campaign, file(campaign, "documents", texts), keep_all=True),
        lambda: add_runs(campaign, file(campaign, "run", RUN)),
        lambda: add_pool(campaign, depth=2),
        lambda: add_qrels(campaign, file(campaign, "qrels", "1 0 d1 1\n1 0 d2 0\n"), assessor="NIST"),
        lambda: add_qrels(campaign, file(campaign, "more", "1 0 d1 0\n"), assessor="Eva"),
    ):
        step()
        steps.append(steps_of(campaign).next.step)
    assert steps == ["topics", "documents", "runs", "pool", "judge", "release", "agreement"]
    assert there(campaign, "agreement") == "1 second judgment, 1 conflict"


def test_imported_qrels_need_no_documents_and_no_pool(campaign: Campaign) -> None:
    topics_and_run(campaign)
    add_qrels(campaign, file(campaign, "qrels", "1 0 d1 1\n1 0 d2 0\n"), assessor="NIST")
    assert states(campaign) == (
        "topics:done documents:skipped runs:done pool:skipped people:skipped assign:skipped "
        "judge:done agreement:skipped stop:skipped release:now"
    )
    assert there(campaign, "runs") == "1 run of 1 team"
    assert there(campaign, "judge") == "2 pairs judged"


def test_a_new_round_needs_runs_and_a_pool_of_its_own(campaign: Campaign) -> None:
    pooled(campaign)
    add_qrels(campaign, file(campaign, "qrels", "1 0 d1 1\n1 0 d2 0\n"), assessor="NIST")
    assert steps_of(campaign).next.step == "release"
    open_round(campaign, "2")
    found = steps_of(campaign)
    assert (found.round, found.next.step) == ("2", "runs")
    assert there(campaign, "pool") == "0 pairs in 0 pools"
    add_runs(campaign, file(campaign, "late", "1 Q0 d1 1 2 beta\n1 Q0 d3 2 1 beta\n"))
    assert steps_of(campaign).next.step == "pool"
    add_qrels(campaign, file(campaign, "qrels2", "1 0 d3 1\n"), assessor="NIST")
    assert steps_of(campaign).next.step == "release", "judgments of the round need no pool"


def test_where_all_topics_are_closed_the_qrels_are_released_as_they_are(campaign: Campaign) -> None:
    pooled(campaign)
    judge_as(campaign, "Olga", "1", "d1", 1, MONDAY)
    assert steps_of(campaign).next.step == "judge"
    assigning.close(campaign, ["1"])
    found = steps_of(campaign)
    assert found.next.step == "release"
    assert there(campaign, "judge") == "1 of 2 pairs judged"
    assert {step.step: step.state for step in found.steps}["stop"] == "done"


def test_people_are_invited_and_topics_assigned_before_pairs_are_judged(campaign: Campaign) -> None:
    pooled(campaign)
    with campaign.write():
        members.put(campaign, "Olga", "organiser")
    assert steps_of(campaign).next.step == "people"
    with campaign.write():
        members.put(campaign, "Ben", "assessor")
    assert says(there(campaign, "assign"))
    assert steps_of(campaign).next.step == "judge"
    assigning.choose_who_judges(campaign, "assigned")
    assert steps_of(campaign).next.step == "assign"
    assert there(campaign, "assign") == "0 of 1 topic assigned"
    assigning.assign(campaign, ["1"], ["Ben"])
    assert steps_of(campaign).next.step == "judge"


def test_texts_come_next_where_nothing_else_can_be_judged(campaign: Campaign) -> None:
    topics_and_run(campaign)
    texts = '{"id": "d1", "text": "Ice."}\n'
    add_documents(campaign, file(campaign, "documents", texts), keep_all=True)
    add_pool(campaign, depth=2)
    add_qrels(campaign, file(campaign, "qrels", "1 0 d1 1\n"), assessor="NIST")
    assert steps_of(campaign).next.step == "documents"
    assert there(campaign, "documents") == "1 document, 1 pair without a text"


def test_nothing_is_decided_while_pairs_lack_their_text(campaign: Campaign) -> None:
    topics_and_run(campaign)
    add_pool(campaign, depth=2)
    assert states(campaign) == "topics:done documents:now runs:done pool:done"
    assert there(campaign, "stop") == "2 pairs left"


def test_the_steps_are_a_result_with_a_command_for_each(campaign: Campaign) -> None:
    found = content(steps_of(campaign))
    assert [each["step"] for each in found["steps"]] == [each.step for each in STEPS]
    assert all(each["command"].startswith("workbench ") for each in found["steps"])
    assert all(campaign.command_name in each["command"] for each in found["steps"])
