"""The jump field offers each role what it may open; assessors learn nothing of runs, teams or people by it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.fixture_types import SignIn
from workbench.campaign.ingest import add_runs
from workbench.core.records import Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pools, topics
from workbench.storage.campaign.people import members

Jump = Callable[..., list[tuple[str, str, str]]]


@pytest.fixture
def jump(app: Flask, client_of: SignIn, small: Path) -> Jump:
    """What somebody is offered in `small` for what is typed: kind, name and address of each target."""
    with open_campaign(small) as campaign, campaign.write():
        for who, (role, team) in {
            "Wilma": ("adjudicator", ""),
            "Paul": ("participant", "Alpha"),
            "Olga": ("observer", ""),
        }.items():
            members.put(campaign.by("Anna"), who, role, team=team)

    def ask(who: str, typed: str) -> list[tuple[str, str, str]]:
        found: list[dict[str, Any]] = (
            client_of(app, who).get("/c/small/jump", query_string={"q": typed}).get_json()["targets"]
        )
        return [(each["kind"], each["name"], each["address"]) for each in found]

    return ask


def test_an_organiser_finds_pages_topics_runs_people_and_documents(jump: Jump) -> None:
    assert jump("Anna", "agre")[0] == ("page", "Agreement", "/c/small/agreement")
    assert jump("Anna", "warm") == [("topic", "2", "/c/small/topic?topic=2")]
    assert jump("Anna", "alph") == [("run", "alpha", "/c/small/run?run=alpha")]
    assert jump("Anna", "carl") == [("person", "Carla", "/c/small/assessor?name=Carla")]
    assert jump("Anna", "olga") == [("person", "Olga", "/c/small/people?q=Olga")]
    assert jump("Anna", "d6") == [("document", "d6", "/c/small/pair?topic=1&document=d6")]


def test_what_begins_so_comes_before_what_has_it_inside_in_natural_order(jump: Jump, small: Path) -> None:
    with open_campaign(small) as campaign, campaign.write():
        more = [Topic("r10", "deep"), Topic("r9", "deep"), Topic("3", "a pair of r9")]
        topics.put(campaign.by("Anna"), more, files=[])
    assert [name for kind, name, _ in jump("Anna", "r9")] == ["r9", "3"]
    assert [name for kind, name, _ in jump("Anna", "deep")] == ["r9", "r10"]


@pytest.mark.parametrize("who", ["Ben", "Wilma"])
def test_those_who_judge_are_offered_no_run_team_person_or_document(jump: Jump, who: str) -> None:
    for typed in ("", "a", "alpha", "beta", "Anna", "Carla", "d1", "team", "e"):
        assert {kind for kind, *_ in jump(who, typed)} <= {"page", "topic"}, typed
    assert jump(who, "frozen") == [("topic", "1", "/c/small/judge?topic=1")]
    assert jump(who, "people") == []


def test_a_participant_is_offered_the_runs_of_the_own_team_alone(
    jump: Jump, small: Path, tmp_path: Path
) -> None:
    with open_campaign(small) as campaign:
        for team, tag in (("Alpha", "rank-a"), ("Beta", "rank-b")):
            (tmp_path / tag).write_text(f"1 Q0 d1 1 9 {tag}\n", encoding="utf-8")
            add_runs(campaign.by("Anna"), [str(tmp_path / tag)], team=team)
    assert jump("Paul", "rank") == [("run", "rank-a", "/c/small/own-runs")]
    assert jump("Paul", "beta") == jump("Paul", "alpha")[1:] == []
    assert jump("Paul", "frozen") == jump("Paul", "Anna") == jump("Paul", "d1") == []
    assert jump("Paul", "your runs") == [("page", "Your runs", "/c/small/own-runs")]


def test_an_observer_is_offered_pages_alone(jump: Jump) -> None:
    assert {kind for typed in "abdefrw" for kind, *_ in jump("Olga", typed)} == {"page"}
    assert jump("Olga", "lead")[0] == ("page", "Leaderboard", "/c/small/board")


@pytest.mark.parametrize("who", ["Anna", "Ben", "Wilma", "Paul", "Olga"])
def test_everything_that_is_offered_can_be_opened(
    jump: Jump, app: Flask, client_of: SignIn, who: str
) -> None:
    client = client_of(app, who)
    offered = {address for typed in ("", "a", "1", "d", "o") for *_, address in jump(who, typed)}
    answers: dict[str, TestResponse] = {
        address: client.get(address, follow_redirects=True) for address in offered
    }
    assert {address for address, answer in answers.items() if answer.status_code != 200} == set()


@pytest.mark.parametrize(
    "typed",
    ["%", "_", "a" * 100_000, "d1\0", "\ud800", "'; DROP TABLE pooled; --", "*", "\\", "[", "\U0010ffff"],
)
def test_hostile_input_finds_nothing_and_breaks_nothing(jump: Jump, typed: str) -> None:
    sent = typed.encode("utf-8", "replace").decode()
    assert jump("Anna", sent[:10_000]) == [] or sent in ("?", "\\")


def test_documents_are_found_by_the_index_and_never_counted_through(small: Path) -> None:
    with open_campaign(small) as campaign:
        assert pools.pairs_from(campaign, "d", 3) == [("1", "d1"), ("2", "d1"), ("1", "d2")]
        assert pools.pairs_from(campaign, "%", 3) == []
        plan = campaign.execute(
            "EXPLAIN QUERY PLAN SELECT topic, document FROM pooled WHERE document >= 'd' AND document < 'e' "
            "ORDER BY document, topic LIMIT 6"
        ).fetchall()
    assert all("pooled_document" in row[3] or "RIGHT PART" in row[3] or "LAST TERM" in row[3] for row in plan)


def test_at_most_twenty_are_offered(jump: Jump, small: Path) -> None:
    with open_campaign(small) as campaign, campaign.write():
        topics.put(campaign.by("Anna"), [Topic(f"e{number}", "e") for number in range(50)], files=[])
    assert len(jump("Anna", "")) == 20
    assert len(jump("Anna", "e")) <= 20
    assert sum(kind == "topic" for kind, *_ in jump("Anna", "e")) == 6
