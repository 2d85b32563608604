"""Assignments in the browser's words: what an organiser changes, what an assessor sees of it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.conftest import judge_as
from tests.fixture_types import Post, SignIn, TokenOf
from tests.sentences import says
from tests.web.alerts import alerts
from tests.web.judging.sent import judged, shown
from workbench.campaign import assigning
from workbench.campaign.assigning.overview import Overview, TopicRow
from workbench.campaign.content_changes import withdraw_topics
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.assigning import assignments, claims, draws
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members
from workbench.web.judging.assignments import sentence

Change = Callable[..., TestResponse]
Page = Callable[..., str]

WRONG: list[tuple[str, dict[str, object], int, str]] = [
    ("assign", {"assessors": "Ben"}, 422, '<option dir="auto" selected>Ben</option>'),
    ("assign", {"topics": ["1"], "list": "q=river"}, 422, "1 of 2 topics matches."),
    ("assign", {"topics": ["1"], "assessors": "Ben", "part": "half"}, 422, ""),
    ("assign", {"topics": ["1"], "assessors": "Zoe"}, 422, "Zoe"),
    ("unassign", {"topics": ["1"]}, 422, "to unassign"),
    ("unassign all", {"topics": ["1"]}, 409, "Nothing to change"),
    ("close", {"topics": ["7"]}, 422, "&#39;7&#39; in small"),
    ("close", {"list": "q=river", "every": "0123456789abcdef"}, 422, "1 topic matches now"),
    ("reopen", {"topics": ["1"]}, 409, "another organiser"),
    ("import", {}, 422, "Choose a file"),
    ("import", {"list": (io.BytesIO(b"\x1f\x8b\x08\x00"), "list.gz")}, 422, "list.gz: this is "),
    ("double", {"share": "10", "seed": "x"}, 422, "Seed"),
    *(("double", {"share": share, "seed": "1"}, 422, "at most 100 and above 0") for share in ("0", "100.1")),
    ("double", {"share": "10", "seed": "1", "stratify": "moon"}, 422, "no stratum &#39;moon&#39;"),
    ("double", {"share": "10", "seed": "1"}, 422, "Any assessor"),
    ("who judges", {"who": "claimed", "minutes": "an hour"}, 422, "minutes"),
    ("who judges", {"who": "nobody"}, 422, ""),
    ("what", {}, 422, "who judges"),
]


"""What a form may ask in vain, with the answer's status and words."""


@pytest.fixture
def change(app: Flask, small: Path, client_of: SignIn, token_of: TokenOf) -> Change:
    """Send Anna's form of the page."""
    assert small.exists()
    client = client_of(app, "Anna")

    def send(do: str, **fields: object) -> TestResponse:
        data = {"do": do, "csrf_token": token_of(client), **fields}
        return client.post("/c/small/assignments", data=data, content_type="multipart/form-data")

    return send


@pytest.fixture
def page(app: Flask, client_of: SignIn) -> Page:
    """A page of the campaign as somebody sees it."""

    def read(path: str = "assignments", who: str = "Anna") -> str:
        answer = client_of(app, who).get(f"/c/small/{path}")
        assert answer.status_code == 200
        return answer.text

    return read


def choose(path: Path, who: str) -> None:
    with open_campaign(path) as campaign:
        assigning.choose_who_judges(campaign.by("Anna"), who)


def give(path: Path, topic_id: str, *names: str) -> None:
    with open_campaign(path) as campaign:
        assigning.assign(campaign.by("Anna"), [topic_id], names)


def test_an_organiser_chooses_who_judges_and_gives_topics(change: Change, small: Path, page: Page) -> None:
    assert says(page())
    assert change("who judges", who="assigned", minutes="45").status_code == 303
    assert says(page(), "2 of 2 topics")
    assert says(page("dashboard"), "2 topics")
    given = change("assign", topics=["1", "2"], assessors="Ben", part="whole")
    assert given.location == "/c/small/assignments"
    change("assign", topics=["2"], assessors="Anna", part="more")
    change("assign", topics=["1"], assessors="Carla", part="second")
    change("close", topics=["2"])
    with open_campaign(small) as campaign:
        assert assignments.owners(campaign) == {"1": ("Ben",), "2": ("Ben", "Anna")}
        assert assignments.of_topic(campaign, "1") == {"Ben": "whole", "Carla": "second"}
        assert (settings.read(campaign).who_judges, settings.read(campaign).lease_minutes) == ("assigned", 45)
        assert set(assignments.closed(campaign)) == {"2"}
    text = page("assignments?state=closed&has=more")
    assert '<a href="/c/small/assignments" aria-current="page">Assignments</a>' in text
    assert says(text, "1 of 2 topics")
    change("who judges", who="claimed")
    with open_campaign(small) as campaign:
        assert settings.read(campaign).lease_minutes == 45, "what is not typed stays"


def test_what_cannot_be_changed_is_said(change: Change) -> None:
    for do, fields, status, words in WRONG:
        answer = change(do, **fields)
        assert (do, answer.status_code, words in answer.text) == (do, status, True)


def test_a_list_comes_in_and_goes_out_as_what_it_is(anna: FlaskClient, change: Change) -> None:
    lines = '{"account": "Ben", "topics": ["2", "1"]}\n'
    assert change("import", list=(io.BytesIO(lines.encode()), "list.jsonl")).status_code == 303
    for form in ("", "?form=jsonl"):
        answer = anna.get(f"/c/small/assignments/list{form}")
        assert (answer.mimetype, answer.text) == ("application/jsonl", lines)
    table = anna.get("/c/small/assignments/list?form=csv")
    assert (table.mimetype, table.text) == ("text/csv", "topic,assessor,part\n2,Ben,whole\n1,Ben,whole\n")
    assert table.headers["Content-Disposition"] == 'attachment; filename="small-assignments.csv"'
    assert anna.get("/c/small/assignments/list?form=pdf").status_code == 404


def test_pairs_are_drawn_on_the_page_and_listed_by_stratum(change: Change, small: Path, page: Page) -> None:
    choose(small, "assigned")
    give(small, "1", "Ben")
    drawn = change("double", share="50", stratify="topic", allocate="proportional")
    assert drawn.status_code == 303
    with open_campaign(small) as campaign:
        assert {topic: len(pairs) for topic, pairs in draws.drawn(campaign).items()} == {"1": 3, "2": 1}
        assert assignments.of_topic(campaign, "1") == {"Ben": "whole", "Carla": "second"}
        assert [draw.record.seed for draw in draws.all_draws(campaign)] == [1], "where none is typed"
    assert "<bdi>each topic</bdi>" in page()
    assert "Draw from pairs added since" in page()


def test_an_assessor_sees_their_own_topics_and_may_read_others(
    ben: FlaskClient, app: Flask, client_of: SignIn, small: Path, page: Page
) -> None:
    choose(small, "assigned")
    assert says(page("", "Ben"))
    give(small, "1", "Ben")
    home = page("", "Ben")
    assert "frozen rivers" in home
    assert "warm lakes" not in home
    assert 'id="shut"' not in page("judge?topic=1", "Ben")
    others = page("judge?topic=2", "Ben")
    assert says(others)
    assert ben.get("/c/small/judge").location == "/c/small/judge?topic=1"
    assert client_of(app, "Carla").get("/c/small/judge").location == "/c/small/own-topics"


def test_a_topic_is_taken_and_given_back(
    ben: FlaskClient, app: Flask, client_of: SignIn, token_of: TokenOf, small: Path, page: Page
) -> None:
    choose(small, "claimed")
    carla = client_of(app, "Carla")

    def send(client: FlaskClient, **fields: str) -> TestResponse:
        return client.post("/c/small/", data={"csrf_token": token_of(client), **fields})

    assert says(page("", "Ben"))
    assert "Claim this topic" in page("judge?topic=1", "Ben")
    assert send(ben, topic="1").location == "/c/small/judge?topic=1"
    assert "Claimed until" in page("", "Ben")
    late = send(carla, topic="1")
    assert late.status_code == 409
    assert says(late.text)
    assert send(ben, topic="7").status_code == 404
    with open_campaign(small) as campaign:
        withdraw_topics(campaign.by("Anna"), ["2"])
    gone = send(carla, topic="2")
    assert gone.status_code == 409
    assert says(gone.text)
    assert send(ben, topic="1", do="give back").location == "/c/small/own-topics"
    with open_campaign(small) as campaign:
        assert claims.all_claims(campaign) == {}


def test_a_judgment_that_is_not_the_assessors_to_give_is_refused_with_the_reason(
    ben: FlaskClient, post_json: Post, small: Path
) -> None:
    def judge(document_id: str, number: int) -> tuple[int, str | None]:
        answer = post_json(ben, "/c/small/api/judgments", judged(shown(ben, document_id), number))
        return answer.status_code, answer.get_json().get("reason")

    choose(small, "assigned")
    assert judge("d1", 1) == (403, "not yours")
    give(small, "1", "Ben")
    assert judge("d1", 1) == (201, None)
    with open_campaign(small) as campaign:
        assigning.close(campaign.by("Anna"), ["1"])
    assert judge("d2", 2) == (409, "topic closed")


@pytest.mark.parametrize(
    ("who_judges", "given"),
    [("anybody", "--"), *(("assigned", given) for given in ("", "xx", "x-", "--x")), ("claimed", "--x")],
)
def test_where_the_assignments_stand_is_a_sentence(who_judges: str, given: str) -> None:
    rows = tuple(
        TopicRow(str(n), "", 5, 0, ("Ann",) if sign == "x" else (), None, None, is_closed=False, drawn=0)
        for n, sign in enumerate(given)
    )
    assert says(sentence(Overview(who_judges, True, 45, rows, ("Ann",), ())))


def test_pairs_to_be_judged_again_are_listed_and_the_list_of_topics_keeps_its_own_view(
    small: Path, page: Page
) -> None:
    assert "Judged again" not in page("assignments")
    with open_campaign(small) as campaign:
        judge_as(campaign, "Anna", "1", "d1", 1)
        judge_as(campaign, "Ben", "1", "d2", 1)
        assigning.judge_again(campaign.by("Anna"), [("1", "d1")], by="Ben", reason="<b>cut off</b>")
        assigning.judge_again(campaign.by("Anna"), [("1", "d2")], by="Anna")
        judge_as(campaign, "Anna", "1", "d2", 0)
    text = page("assignments?q=river")
    assert "&lt;b&gt;cut off&lt;/b&gt;" in text
    assert text.index("cut off") < text.index(">d2</a>")
    text = page("assignments?q=river&again-state=judged")
    assert "cut off" not in text
    assert says(text, "1 of 2 topics")
    assert says(text, "1 of 2 requests")


def test_topics_are_taken_from_all_who_have_them_and_distributed_evenly(change: Change, shared: Path) -> None:
    assert change("unassign all", topics=["1", "2"]).status_code == 303
    with open_campaign(shared) as campaign:
        assert assignments.of_topic(campaign, "1") == {}
        assert change("spread").status_code == 303
        assert sorted(assignments.owners(campaign).values()) == [("Ben",), ("Carla",)]


@pytest.fixture
def shared(small: Path) -> Path:
    """Topic 1 is Ben's, and Carla its second assessor; topic 2 is Carla's, and Ben its second assessor."""
    choose(small, "assigned")
    with open_campaign(small) as campaign:
        for first, second, topic_id in (("Ben", "Carla", "1"), ("Carla", "Ben", "2")):
            assigning.assign(campaign.by("Anna"), [topic_id], [first])
            assigning.assign(campaign.by("Anna"), [topic_id], [second], part="second")
    return small


def test_unassigning_all_that_a_search_finds_takes_both_parts_of_the_named_assessor_and_no_others(
    anna: FlaskClient, post: Post, shared: Path
) -> None:
    page = anna.get("/c/small/assignments?q=ben").text
    assert '<option dir="auto" selected>Ben</option>' in page
    (every,) = re.findall(r'name="every" value="(\w+)"', page)
    answer = post(anna, "/c/small/assignments", do="unassign", list="q=ben", every=every, **{"from": "Ben"})
    assert says(anna.get(answer.location).text, "2 assignments of Ben")
    with open_campaign(shared) as campaign:
        left = [(row.topic_id, row.assessor, row.part) for row in assignments.all_assignments(campaign)]
    assert sorted(left) == [("1", "Carla", "second"), ("2", "Carla", "whole")]
    assert "ended." not in anna.get("/c/small/assignments").text


ACTIONS: dict[str, dict[str, str]] = {
    "assign": {"assessors": "Anna"}, "unassign": {"from": "Ben"}, "unassign all": {}, "close": {},
    "reopen": {},
}  # fmt: skip


"""What is done with selected topics, with the fields it needs."""


@pytest.mark.parametrize("do", ACTIONS)
@pytest.mark.parametrize("every", [True, False])
def test_an_action_on_selected_topics_changes_these_alone_in_one_event_or_nothing_at_all(
    change: Change, shared: Path, do: str, every: bool, page: Page
) -> None:
    if do == "reopen":
        with open_campaign(shared) as campaign:
            assigning.close(campaign.by("Anna"), ["1", "2"])
    text = page("assignments?q=river")
    (mark,) = re.findall(r'name="every" value="(\w+)"', text)
    seen = re.findall(r'name="seen" value="([^"]+)"', text)
    selected: dict[str, object] = {"every": mark} if every else {"topics": ["1"], "seen": seen}
    fields = {"list": "q=river", **selected, **ACTIONS[do]}
    before = _of_topics(shared)
    assert change(do, **fields).status_code == 303
    after = _of_topics(shared)
    assert (after["1"] != before["1"], after["2"] == before["2"]) == (True, True)
    assert after["seq"] == before["seq"] + 1
    with open_campaign(shared) as campaign:
        assigning.assign(campaign.by("Anna"), ["1"], ["Dora"], add=True)
    changed = _of_topics(shared)
    assert change(do, **fields).status_code == 422
    assert _of_topics(shared) == changed


def _of_topics(path: Path) -> dict[str, Any]:
    with open_campaign(path) as campaign:
        shut = assignments.closed(campaign)
        found = {each: (assignments.of_topic(campaign, each), each in shut) for each in ("1", "2")}
        return {**found, "seq": log.newest_seq(campaign)}


def test_a_persons_work_is_previewed_and_handed_over_as_previewed(
    app: Flask, small: Path, client_of: SignIn, post: Post
) -> None:
    anna = client_of(app, "Anna")
    give(small, "1", "Ben")
    give(small, "2", "Ben")
    preview = anna.get("/c/small/assignments/hand-over?from=Ben&to=Carla").text
    assert says(preview, "2 topics")
    (plan,) = re.findall(r'name="plan" value="([^"]+)"', preview)
    sent = {"do": "hand over", "from": "Ben", "to": "Carla", "plan": unescape(plan)}
    with open_campaign(small) as campaign:
        before = log.head(campaign)
    give(small, "2", "Anna")  # another organiser, meanwhile
    changed = post(anna, "/c/small/assignments", **sent)
    assert (changed.status_code, says(changed.text, "of Ben has changed")) == (409, True)
    for plan in ("", "x", "[1]", '[["whole", "1"]]', '[[["whole"], "1", "", "Carla"]]'):
        wrong = post(anna, "/c/small/assignments", **{**sent, "plan": plan})
        assert wrong.status_code in (400, 409)
    with open_campaign(small) as campaign:
        assert log.head(campaign).seq == before.seq + 1
    give(small, "2", "Ben")
    done = post(anna, "/c/small/assignments", **sent)
    assert says(anna.get(done.location).text, "2 topics to Carla")
    with open_campaign(small) as campaign:
        assert assignments.owners(campaign) == {"1": ("Carla",), "2": ("Carla",)}


@pytest.mark.parametrize("heir", ["Ben", "Zoe"])
def test_who_cannot_take_over_is_refused_on_the_preview(
    app: Flask, small: Path, client_of: SignIn, heir: str
) -> None:
    give(small, "1", "Ben")
    refused = client_of(app, "Anna").get(f"/c/small/assignments/hand-over?from=Ben&to={heir}").text
    assert says(alerts(refused), heir)
    assert 'value="hand over"' not in refused


def test_where_there_is_nothing_to_hand_over_the_page_leads_on(small: Path, page: Page) -> None:
    assert small.exists()
    assert says(page("assignments/hand-over"))


def test_of_200_members_heirs_are_chosen_one_by_one_in_a_field(small: Path, page: Page) -> None:
    with open_campaign(small) as campaign, campaign.write():
        for number in range(200):
            members.put(campaign.by("Anna"), f"Member {number}", "assessor")
    give(small, "1", "Ben")
    first = page("assignments/hand-over?from=Ben")
    offered = re.search(r'<datalist id="heirs">(.*?)</datalist>', first)
    assert offered is not None
    assert {f"Member {number}" for number in range(200)} < set(re.findall(r'value="([^"]+)"', offered[1]))
    assert 'type="checkbox"' not in first  # no one is chosen, so there is no preview
    assert 'value="hand over"' not in first
    second = page("assignments/hand-over?from=Ben&to=Member 7&to=Member 8&to=")
    assert re.findall(r'type="checkbox" name="to" value="([^"]+)" checked', second) == [
        "Member 7",
        "Member 8",
    ]
    assert re.findall(r'<th scope="row"><bdi>(.*?)</bdi>', second) == ["Member 7", "Member 8"]
    assert 'value="hand over"' in second
