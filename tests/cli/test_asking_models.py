"""`workbench judge-by-model`: in a process of its own, killed in the middle, and the same again goes on."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.endpoints import Endpoint, Handler, always, endpoint, grade
from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.model_endpoints import KEY_VARIABLE
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.models.judges import judges

JAY = "judge-by-model small --judge jay --model judge"
PAIRS = 6
KEY = "sk-of-this-test-0123456789"


@pytest.fixture
def server(campaign: Campaign) -> Iterator[Endpoint]:
    """An endpoint that gives 1 to all, to which the campaign `small` may send documents."""
    with endpoint(always(grade(1))) as found:
        change_settings(campaign.by("Olga"), {"model-endpoints": f"{found.address} documents"})
        yield found


def labelled(campaign: Campaign) -> list[str]:
    return [f"{each.topic_id} {each.document_id}" for each in judgments.log(campaign) if each.kind == "model"]


def test_killed_in_the_middle_and_called_again_no_prompt_is_paid_for_twice(
    server: Endpoint, campaign: Campaign, folder: Path
) -> None:
    reached = Event()

    def hangs(handler: Handler, request: dict[str, Any], turn: int) -> None:
        if sum(handler.endpoint.prompts.values()) > 3:
            reached.set()
            handler.hang()
        else:
            handler.send(200, grade(1))

    server.behaviour = hangs
    words = [*JAY.split(), "--endpoint", server.address, "--at-once", "1"]
    command = [sys.executable, "-m", "workbench", *words]
    environment = {**os.environ, KEY_VARIABLE: KEY}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) as killed:
        assert reached.wait(60)
        killed.send_signal(signal.SIGKILL)
        killed.wait(60)
    assert labelled(campaign) == []
    answered = [key for key, times in server.prompts.items()][:3]
    server.behaviour = always(grade(1))
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert says(done.stderr, "3 of them")
    assert len(labelled(campaign)) == PAIRS
    assert [server.prompts[key] for key in answered] == [1, 1, 1]
    for path in folder.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path


def test_a_dry_run_shows_what_would_be_sent_and_changes_nothing(
    done: Workbench, server: Endpoint, campaign: Campaign
) -> None:
    before = campaign.number("SELECT count(*) FROM event")
    (found,) = json.loads(done(f"{JAY} --dry-run --prices 1 2 --format json").stdout)
    assert (found["prompts"], found["answer_tokens"]) == (PAIRS, PAIRS * 512)
    assert server.requests == []
    assert campaign.number("SELECT count(*) FROM event") == before


def test_a_run_that_ends_early_has_exit_status_1(fails: Fails, server: Endpoint, campaign: Campaign) -> None:
    assert says(fails(f"{JAY} --endpoint {server.address} --most-tokens 1"), "6 prompts left")
    assert server.requests == []


def test_a_replay_checks_what_is_stored_and_has_exit_status_1_where_it_differs(
    done: Workbench, fails: Fails, server: Endpoint, campaign: Campaign
) -> None:
    done(f"{JAY} --endpoint {server.address} --samples 2")
    assert says(done("judge-by-model small --judge jay --replay").stderr, "12 stored answers")
    with campaign.write():
        campaign.db.conn.execute("UPDATE model_answer SET grade = 0 WHERE place = 1")
    assert says(fails("judge-by-model small --judge jay --replay"), "grade 0")


def test_a_probe_is_asked_about_by_the_command(done: Workbench, server: Endpoint, campaign: Campaign) -> None:
    (found,) = json.loads(done(f"{JAY} --dry-run --probe 2 --format json").stdout)
    assert found["prompts"] == 12
    done(f"{JAY} --endpoint {server.address} --probe 2")
    assert (len(server.requests), labelled(campaign)) == (12, [])


def test_two_lists_are_compared_by_the_command_and_are_battles_of_a_model(
    done: Workbench, server: Endpoint, campaign: Campaign
) -> None:
    done("campaign question small better --about list-pairs --depth 2")
    done("pool small --question better --strategy all-pairs")
    change_settings(campaign.by("Olga"), {"model-endpoints": f"{server.address} list-pairs"})

    def prefers(handler: Handler, request: dict[str, Any], turn: int) -> None:
        left, right = re.findall(r"<data-\w+>\n(.*?)\n</data", request["messages"][-1]["content"], re.DOTALL)
        handler.send(200, grade(1 if left > right else 2))

    server.behaviour = prefers
    done(f"{JAY} --question better --samples 2 --endpoint {server.address}")
    assert len(server.requests) == 2 * len(labelled(campaign)) > 0
    found = json.loads(done("battles --campaign small --question better --format json").stdout)
    assert found["strengths"]["classes"] == {"model": len(labelled(campaign))}
    assert found["strengths"]["tied"] == 0.0


def test_no_judge_is_declared_where_its_endpoint_or_file_of_keys_is_wrong(
    fails: Fails, server: Endpoint, campaign: Campaign, folder: Path
) -> None:
    (folder / "keys").write_text("no address\n", encoding="utf-8")
    (folder / "keys").chmod(0o600)
    assert says(fails(f"{JAY} --endpoint http://127.0.0.1:1/v1"), "http://127.0.0.1:1/v1")
    assert says(fails(f"{JAY} --endpoint llm.example"), "llm.example")
    assert says(fails(f"{JAY} --endpoint {server.address} --keys {folder / 'keys'}"), "keys:1")
    assert judges(campaign) == []


def test_without_the_library_a_sentence_says_how_to_get_it(
    fails: Fails, server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    assert says(fails(f"{JAY} --endpoint {server.address}"), "pip install")


def test_a_prompt_that_is_no_file_and_not_shipped_is_refused(fails: Fails, server: Endpoint) -> None:
    assert says(fails(f"{JAY} --prompt four-grade --endpoint {server.address}"), "four-grades")
