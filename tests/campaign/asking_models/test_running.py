"""Models are asked over HTTP, with every fault that endpoints have: nothing is lost, nothing paid twice, all said."""

from __future__ import annotations

import json
import re
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.endpoints import Behaviour, Endpoint, Handler, always, at_first, endpoint, grade, reply
from tests.sentences import refused, says
from workbench.campaign.asking_models.declaring import Declaration, declare
from workbench.campaign.asking_models.outcomes import Finished, Prices, Run
from workbench.campaign.asking_models.prompts import Chosen
from workbench.campaign.asking_models.running import ask, preview
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.model_endpoints import KEYS_FILE
from workbench.core.errors import CampaignError, NotThere
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.models.answers import each_answer
from workbench.storage.campaign.models.judges import judge_named
from workbench.storage.prompt_cache import cache_path

KEY = "sk-of-this-test-0123456789"
PAIRS = 6
"""Of the 7 pooled pairs of the campaign `small` one document has no text."""


def judge(campaign: Campaign, **said: Any) -> None:
    declare(campaign.by("Olga"), Declaration("jay", said.pop("model", "judge"), **said))


def allowed(campaign: Campaign, address: str, about: str = "documents") -> None:
    change_settings(campaign.by("Olga"), {"model-endpoints": f"{address} {about}"})


def asked(campaign: Campaign, address: str = "", *, limit: int | None = None, **run: Any) -> Finished:
    """Ask the judge, without the pauses, which are noted."""
    noted: list[float] = run.pop("pauses", [])
    keys = run.pop("keys", Path("no such file"))
    return ask(
        campaign.by("Olga"), "jay", Chosen(limit=limit), Run(address, keys, **run),
        pause=lambda seconds: bool(noted.append(seconds)),
    )  # fmt: skip


def labels(campaign: Campaign) -> dict[tuple[str, str], int | None]:
    return {
        (each.topic_id, each.document_id): each.grade
        for each in judgments.log(campaign)
        if each.kind == "model"
    }


@pytest.fixture
def with_judge(small: Campaign) -> Campaign:
    judge(small)
    return small


@pytest.fixture
def grading(with_judge: Campaign) -> Iterator[Endpoint]:
    """An endpoint that gives 1 to all, and may have the campaign's texts."""
    with endpoint(always(grade(1))) as server:
        allowed(with_judge, server.address)
        yield server


def test_each_pooled_pair_with_a_text_is_asked_once_and_labelled(
    with_judge: Campaign, grading: Endpoint
) -> None:
    done = asked(with_judge, grading.address)
    assert (done.answered, done.labelled, done.kept, done.left, done.ended) == (PAIRS, PAIRS, 0, 0, "")
    assert set(labels(with_judge).values()) == {1}
    assert list(grading.prompts.values()) == [1] * PAIRS
    stored = [each.answer for each in each_answer(with_judge, "jay")]
    assert {(each.model, each.input_tokens, each.raw) for each in stored} == {
        ("judge-1", 100, '{"grade": 1}')
    }
    again = asked(with_judge, grading.address)
    assert (again.answered, sum(grading.prompts.values())) == (0, PAIRS)


def test_the_request_has_the_texts_the_scale_and_a_schema(with_judge: Campaign, grading: Endpoint) -> None:
    asked(with_judge, grading.address, limit=1)
    (request,) = grading.requests
    assert (request["model"], request["temperature"], request["max_tokens"]) == ("judge", 0.0, 512)
    assert request["response_format"]["json_schema"]["schema"]["properties"]["grade"]["enum"] == [-2, 0, 1, 2]
    assert [each["role"] for each in request["messages"]] == ["system", "user"]


FAULTS: dict[str, tuple[Any, str]] = {
    "prose": (reply("The document is about the topic, I think."), "unreadable"),
    "two grades": (reply("grade: 1, or perhaps grade: 2"), "unreadable"),
    "off the scale": (grade(7), "off the scale"),
    "refusal": (reply(None, refusal="I cannot judge this."), "refused"),
    "filtered": (reply("", finish="content_filter"), "refused"),
    "cut off": (reply('{"grade": 1', finish="length"), "cut off"),
    "cut off behind the grade": (grade(1, finish="length"), "cut off"),
    "empty": (reply(""), "no answer"),
    "null": (reply(None), "no answer"),
    "two choices": (grade(1, choices=2), "another number of choices"),
    "no choice": (grade(1, choices=0), "another number of choices"),
    "huge": (reply("very " * 300_000), "too large"),
}


@pytest.mark.parametrize(("body", "reason"), FAULTS.values(), ids=FAULTS)
def test_what_is_no_grade_is_unlabelled_with_its_reason_and_not_asked_again(
    body: dict[str, Any], reason: str, with_judge: Campaign
) -> None:
    with endpoint(always(body)) as server:
        allowed(with_judge, server.address)
        done = asked(with_judge, server.address)
        assert (done.labelled, done.failed, done.left, labels(with_judge)) == (0, {reason: PAIRS}, 0, {})
        assert asked(with_judge, server.address).answered == 0
        assert list(server.prompts.values()) == [1] * PAIRS


def _status(status: int, **headers: str) -> Behaviour:
    return lambda handler, request, turn: handler.send(status, {"error": {"message": "not now"}}, **headers)


PASSING: dict[str, Behaviour] = {
    "429": _status(429),
    "429 with Retry-After": _status(429, Retry_After="7"),
    "500": _status(500),
    "503": _status(503),
    "broken JSON": lambda handler, request, turn: handler.send(200, b'{"choices": [{"mess'),
    "not the protocol": lambda handler, request, turn: handler.send(200, [1, 2]),
    "not UTF-8": lambda handler, request, turn: handler.send(200, b"\xff\xfe"),
    "cut midway": lambda handler, request, turn: handler.cut(),
    "closed": lambda handler, request, turn: handler.connection.close(),
    "slow": lambda handler, request, turn: handler.hang(),
}


@pytest.mark.parametrize("fault", PASSING)
def test_a_passing_fault_is_tried_again_after_a_pause(fault: str, with_judge: Campaign) -> None:
    pauses: list[float] = []
    with endpoint(at_first(PASSING[fault], always(grade(2)))) as server:
        allowed(with_judge, server.address)
        done = asked(
            with_judge, server.address, pauses=pauses, limit=2, seconds=0.3 if fault == "slow" else 60
        )
        assert (done.labelled, done.not_answered, done.ended) == (2, {}, "")
        assert list(server.prompts.values()) == [2, 2]
    longest = max(pauses)
    assert 6 < longest <= 7 if "Retry" in fault else 0 < longest <= 0.5


@pytest.mark.parametrize("fault", ["500", "broken JSON", "cut midway"])
def test_a_fault_that_stays_ends_the_run_and_loses_nothing(fault: str, with_judge: Campaign) -> None:
    def turns(handler: Handler, request: dict[str, Any], turn: int) -> None:
        with handler.endpoint.lock:
            is_early = len(handler.endpoint.prompts) <= 1
        (always(grade(1)) if is_early else PASSING[fault])(handler, request, turn)

    with endpoint(turns) as server:
        allowed(with_judge, server.address)
        done = asked(with_judge, server.address, at_once=1)
        assert (done.labelled, done.left, sum(done.not_answered.values())) == (1, PAIRS - 1, PAIRS - 1)
        assert says("\n".join(done.sentences()), "HTTP 500" if fault == "500" else "5 requests")
        server.behaviour = always(grade(1))
        assert asked(with_judge, server.address).labelled == PAIRS - 1


def test_an_endpoint_that_is_down_is_said(with_judge: Campaign) -> None:
    with endpoint(always(grade(1))) as server:
        allowed(with_judge, address := server.address)
    done = asked(with_judge, address)
    assert (done.answered, done.left) == (0, PAIRS)
    assert "no connection" in done.ended


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_all_requests_are_refused_for_ends_the_run_at_once(status: int, with_judge: Campaign) -> None:
    with endpoint(_status(status)) as server:
        allowed(with_judge, server.address)
        done = asked(with_judge, server.address, at_once=1)
        assert (done.answered, sum(server.prompts.values()), str(status) in done.ended) == (0, 1, True)


def test_one_prompt_that_is_refused_does_not_end_the_run(with_judge: Campaign) -> None:
    def refuses(handler: Handler, request: dict[str, Any], turn: int) -> None:
        is_one = "Document d1" in request["messages"][1]["content"]
        (_status(400) if is_one else always(grade(1)))(handler, request, turn)

    with endpoint(refuses) as server:
        allowed(with_judge, server.address)
        done = asked(with_judge, server.address)
    assert done.labelled + sum(done.not_answered.values()) == PAIRS
    assert done.ended == ""
    assert done.labelled


def test_what_an_endpoint_says_of_a_failure_is_read_in_part(with_judge: Campaign) -> None:
    def endless(handler: Handler, request: dict[str, Any], turn: int) -> None:
        handler.send_response(403)
        handler.end_headers()
        while not handler.endpoint.over.is_set():
            handler.wfile.write(b"no! " * 20_000)

    with endpoint(endless) as server:
        allowed(with_judge, server.address)
        assert len(asked(with_judge, server.address, limit=1).ended) < 400


def test_a_pause_longer_than_five_minutes_ends_the_run(with_judge: Campaign) -> None:
    with endpoint(_status(429, Retry_After="3600")) as server:
        allowed(with_judge, server.address)
        assert "3,600 seconds" in asked(with_judge, server.address).ended


def test_a_model_that_changes_midway_ends_the_run_and_gives_no_label(with_judge: Campaign) -> None:
    def changes(handler: Handler, request: dict[str, Any], turn: int) -> None:
        with handler.endpoint.lock:
            is_early = len(handler.endpoint.prompts) <= 2
        handler.send(200, grade(1, model="judge-1" if is_early else "judge-2"))

    with endpoint(changes) as server:
        allowed(with_judge, server.address)
        done = asked(with_judge, server.address, at_once=1)
        assert (done.labelled, done.failed) == (2, {"another model": 1})
        assert says(done.ended, "judge-2")
        later = asked(with_judge, server.address, at_once=1)
        assert (later.labelled, later.failed) == (0, {"another model": 1})


def test_nothing_is_sent_where_no_organiser_said_that_it_may_be(with_judge: Campaign) -> None:
    with endpoint(always(grade(1))) as server:
        with refused(CampaignError, "documents"):
            asked(with_judge, server.address)
        allowed(with_judge, server.address, "answers")
        with pytest.raises(CampaignError):
            asked(with_judge, server.address)
        assert server.requests == []


def test_a_redirect_is_not_followed(with_judge: Campaign, grading: Endpoint) -> None:
    def away(handler: Handler, request: dict[str, Any], turn: int) -> None:
        handler.send(307, {}, Location=f"{grading.address}/chat/completions")

    with endpoint(away) as server:
        allowed(with_judge, server.address)
        assert "307" in asked(with_judge, server.address).ended
    assert grading.requests == []


def test_proxies_of_the_environment_get_nothing(
    with_judge: Campaign, grading: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    with endpoint(always(grade(2))) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.address)
        monkeypatch.setenv("ALL_PROXY", proxy.address)
        monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another")
        asked(with_judge, grading.address)
        assert proxy.requests == []
    assert not any("org-of-another" in json.dumps(each) for each in grading.headers)


def test_a_budget_ends_the_run_before_it_is_passed_and_keeps_all(
    with_judge: Campaign, grading: Endpoint
) -> None:
    done = asked(with_judge, grading.address, most_tokens=2000, at_once=1)
    assert 1 <= done.labelled < PAIRS
    assert done.labelled + done.left == PAIRS
    assert says(done.ended, "budget")
    paid = asked(with_judge, grading.address, most_cost=0.0001, prices=Prices(1.0, 2.0))
    assert (paid.answered, sum(grading.prompts.values())) == (0, done.answered)
    rest = asked(with_judge, grading.address)
    assert (rest.labelled, sum(grading.prompts.values())) == (done.left, PAIRS)


def test_a_preview_sends_nothing_and_counts_what_would_be_sent(
    with_judge: Campaign, grading: Endpoint
) -> None:
    seen = preview(with_judge, judge_named(with_judge, "jay"), Chosen(), Run(prices=Prices(1.0, 2.0)))
    assert (seen.prompts, seen.kept, seen.without_text, seen.answer_tokens) == (PAIRS, 0, 1, PAIRS * 512)
    assert seen.cost == pytest.approx((seen.prompt_tokens + 2 * seen.answer_tokens) / 1e6)
    assert grading.requests == []


def test_the_cache_gives_the_same_labels_without_an_endpoint(
    with_judge: Campaign, grading: Endpoint, tmp_path: Path
) -> None:
    other = tmp_path / "other" / "copy.db"
    other.parent.mkdir()
    with_judge.db.conn.execute("VACUUM INTO ?", [str(other)])
    asked(with_judge, grading.address)
    shutil.copy(cache_path(with_judge.path), cache_path(other))
    with open_campaign(other) as copy:
        assert labels(copy) == {}
        done = asked(copy)
        assert (done.answered, done.kept, done.prompt_tokens) == (PAIRS, PAIRS, 0)
        assert labels(copy) == labels(with_judge)
    assert sum(grading.prompts.values()) == PAIRS


def test_a_replay_says_which_stored_answers_and_labels_do_not_follow_from_the_cache(
    with_judge: Campaign, grading: Endpoint
) -> None:
    assert asked(with_judge, grading.address, prices=Prices(1.0, 1.0)).checked == 0
    same = asked(with_judge)
    assert (same.answered, same.kept, same.checked, same.left, same.differ) == (0, 0, PAIRS, 0, ())
    with with_judge.write():  # as a hand that knows SQL
        with_judge.db.conn.execute("UPDATE model_answer SET grade = 2 WHERE place = 2")
    changed = asked(with_judge)
    assert (changed.checked, changed.answered) == (PAIRS, 0)
    one, _, label = changed.differ
    assert says(one, "grade 2", "1 follows")
    assert says(label)
    assert says("\n".join(changed.sentences()), f"{PAIRS} stored answers")
    cache_path(with_judge.path).unlink()
    gone = asked(with_judge)
    assert (gone.checked, gone.left, list(gone.not_answered.values())) == (0, 0, [PAIRS])


def test_another_address_does_not_ask_again_what_the_cache_has(
    with_judge: Campaign, grading: Endpoint, tmp_path: Path
) -> None:
    other = tmp_path / "copy.db"
    with_judge.db.conn.execute("VACUUM INTO ?", [str(other)])
    asked(with_judge, grading.address)
    shutil.copy(cache_path(with_judge.path), cache_path(other))
    with endpoint(always(grade(0))) as second, open_campaign(other) as copy:
        allowed(copy, second.address)
        assert asked(copy, second.address).kept == PAIRS
        assert second.requests == []


def test_repeats_are_asked_for_each_with_a_seed_of_its_own(small: Campaign) -> None:
    judge(small, samples=3, seed=10, temperature=0.7)
    grades = iter([2, 2, 0])
    with endpoint(lambda handler, request, turn: handler.send(200, grade(next(grades)))) as server:
        allowed(small, server.address)
        done = asked(small, server.address, limit=3, at_once=1)
        assert [request["seed"] for request in server.requests] == [10, 11, 12]
    assert done.labelled == 3
    assert list(labels(small).values()) == [2]


def test_the_key_is_sent_and_stands_nowhere(with_judge: Campaign, tmp_path: Path) -> None:
    keys = tmp_path / KEYS_FILE

    def tells(handler: Handler, request: dict[str, Any], turn: int) -> None:
        first = len(handler.endpoint.requests) == 1
        handler.send(
            200 if first else 400, reply(f"{KEY} grade: 1") if first else {"error": {"message": f"no {KEY}"}}
        )

    with endpoint(tells) as server:
        allowed(with_judge, server.address)
        keys.touch(mode=0o600)
        keys.write_text(f"# keys\n{server.address}/ {KEY}\n")
        done = asked(with_judge, server.address, keys=keys, at_once=1)
        assert {each["authorization"] for each in server.headers} == {f"Bearer {KEY}"}
    keys.unlink()
    assert done.labelled == 1
    said = "\n".join(done.sentences())
    assert KEY not in said
    assert "[key]" in said
    with_judge.db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path
    assert not any(KEY in each.answer.raw for each in each_answer(with_judge, "jay"))


def test_a_key_for_one_address_is_not_sent_to_another(
    with_judge: Campaign, grading: Endpoint, tmp_path: Path
) -> None:
    keys = tmp_path / KEYS_FILE
    keys.touch(mode=0o600)
    keys.write_text(f"https://llm.example/v1 {KEY}\n")
    asked(with_judge, grading.address, keys=keys)
    assert KEY not in json.dumps(grading.headers)


def test_a_file_of_keys_that_others_can_read_is_refused(
    with_judge: Campaign, grading: Endpoint, tmp_path: Path
) -> None:
    keys = tmp_path / KEYS_FILE
    keys.write_text(f"{grading.address} {KEY}\n")
    keys.chmod(0o640)
    with refused(CampaignError, "0640"):
        asked(with_judge, grading.address, keys=keys)
    keys.write_text(f"{KEY}\n")
    keys.chmod(0o600)
    with refused(CampaignError, ":1") as told:
        asked(with_judge, grading.address, keys=keys)
    assert KEY not in str(told.value)
    assert grading.requests == []


def test_the_cache_is_readable_by_its_owner_alone(with_judge: Campaign, grading: Endpoint) -> None:
    asked(with_judge, grading.address, limit=1)
    assert stat.S_IMODE(cache_path(with_judge.path).stat().st_mode) == 0o600


def test_a_cache_that_is_none_is_said(with_judge: Campaign, grading: Endpoint) -> None:
    cache_path(with_judge.path).write_bytes(
        b"this is no database, but a text that is long enough to be one" * 20
    )
    with refused(CampaignError):
        asked(with_judge, grading.address)
    assert grading.requests == []


def test_topics_that_lack_a_field_of_the_prompt_are_named_before_anything_is_sent(small: Campaign) -> None:
    judge(small, prompt="{{narrative}} {{document}} {{topic.background}}")
    with endpoint(always(grade(1))) as server:
        allowed(small, server.address)
        with refused(CampaignError, "narrative"):
            asked(small, server.address)
        assert server.requests == []


@pytest.mark.parametrize(("refuse", "failed"), [(False, {}), (True, {"text too long": PAIRS})])
def test_texts_beyond_the_bound_are_cut_or_refused_as_declared(
    refuse: bool, failed: dict[str, int], small: Campaign
) -> None:
    judge(small, most=1, refuse=refuse, prompt="{{title}} {{document}}")
    with endpoint(always(grade(1))) as server:
        allowed(small, server.address)
        done = asked(small, server.address)
        assert (done.cut, done.failed, len(server.requests)) == (
            PAIRS,
            failed,
            0 if refuse else 2,
        )  # all begin alike
        for request in server.requests:
            inside = re.search(r">\n(.*)\n<", request["messages"][0]["content"])
            assert inside
            assert len(inside[1].split()) == 1
    assert says(next(each_answer(small, "jay")).answer.marked, "1 words")


def test_the_same_prompt_for_two_pairs_is_paid_for_once(small: Campaign) -> None:
    judge(small, prompt="{{document}}")
    with endpoint(always(grade(1))) as server:
        allowed(small, server.address)
        done = asked(small, server.address, at_once=8)
        assert (done.labelled, sorted(server.prompts.values())) == (PAIRS, [1, 1, 1, 1])


def test_a_topic_without_a_pool_is_named(with_judge: Campaign) -> None:
    with refused(NotThere, "99"):
        ask(with_judge, "jay", Chosen(("99",)), Run())


def test_two_processes_do_not_ask_for_one_campaign(with_judge: Campaign, grading: Endpoint) -> None:
    nested: list[str] = []

    def once_more(handler: Handler, request: dict[str, Any], turn: int) -> None:
        if not nested:
            nested.append("asked")
            with open_campaign(with_judge.path) as same, pytest.raises(CampaignError) as told:
                asked(same, handler.endpoint.address)
            nested.append(str(told.value))
        handler.send(200, grade(1))

    grading.behaviour = once_more
    asked(with_judge, grading.address, limit=1)
    assert says(nested[1])
