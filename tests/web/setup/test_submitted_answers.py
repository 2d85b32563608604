"""Teams submit runs of answers, and pages show what these say and cite."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest
from flask import Flask

from tests.fixture_types import Post, SignIn
from tests.made_answers import REEFS, YEARS, answer
from tests.sentences import says
from tests.web.setup.test_submissions import Send
from tests.web.setup.test_submissions import send as send  # fixtures
from tests.web.setup.test_submissions import send_all as send_all
from tests.web.setup.test_submissions import teams as teams
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.people import members

pytestmark = pytest.mark.usefixtures("teams")

HOSTILE = "<script>alert(1)</script> & \ud800"
ARABIC = "تتعافى الشعاب ببطء"
SENT = (answer("1", (ARABIC, [1]), ("Twice.", [0, 1])) + answer("2", ("Nothing.", []), cites=())).encode()


def page_of(tag: str, topic: str = "") -> str:
    return f"/c/small/run?{urlencode({'run': tag, **({'topic': topic} if topic else {})})}"


def test_a_team_submits_answers_and_the_receipt_names_their_form(
    app: Flask, teams: Path, client_of: SignIn, send: Send
) -> None:
    anna, paul = (client_of(app, name) for name in ("Anna", "Paul"))
    (checked,) = send(paul, SENT, "best.jsonl", script=True, do="check").json["reports"]
    assert (checked["added"], checked["problems"]) == (False, [])
    assert says(checked["sentence"], "best", "TREC RAG 2026")
    assert send(paul, SENT, "best.jsonl").status_code == 303
    with open_campaign(teams) as campaign:
        stored = runs.all_runs(campaign)[-1].record
    assert (stored.tag, stored.team, stored.form, stored.topics) == ("best", "Delft", "rag26", 2)
    receipt = paul.get("/c/small/submit/receipt?run=best").text
    assert "Form: TREC RAG 2026\n" in receipt
    assert f": {stored.answers_sha256}\n" in receipt
    for address, who in (("submit", paul), ("runs", anna), ("submissions", anna), ("own-runs", paul)):
        assert "best" in who.get(f"/c/small/{address}").text, address
    assert "TREC RAG 2026" in anna.get("/c/small/runs").text


def test_a_file_with_a_fault_is_refused_and_one_of_the_same_tag_replaces_the_run(
    app: Flask, teams: Path, client_of: SignIn, send: Send, post: Post
) -> None:
    anna, paul = (client_of(app, name) for name in ("Anna", "Paul"))
    bad = send(paul, answer("1", ("A.", [4])).encode(), "bad.jsonl", script=True)
    assert bad.status_code == 422
    assert [(each["line"], each["kind"]) for each in bad.json["reports"][0]["problems"]] == [(1, "citations")]
    for content in (SENT, answer("1").encode()):
        assert send(paul, content, "best.jsonl").status_code == 303
    with open_campaign(teams) as campaign:
        first, second = runs.all_runs(campaign)[-2:]
        assert (first.withdrawn is None, second.record.tag) == (False, "best")
        assert [each.record + "\n" for each in runs.answers_of(campaign, second)] == [answer("1")]
    assert post(anna, "/c/small/run", run="best", change="withdraw").status_code == 303


def test_a_campaign_may_take_no_answers(
    app: Flask, teams: Path, client_of: SignIn, post: Post, send: Send
) -> None:
    anna, paul = (client_of(app, name) for name in ("Anna", "Paul"))
    for form, is_named in (("rag26", True), ("none", False)):
        assert post(anna, "/c/small/settings", **{"answer-form": form}).status_code == 303
        assert ("TREC RAG 2026" in paul.get("/c/small/submit").text) == is_named
    assert send(paul, SENT, "best.jsonl", script=True).status_code == 422


def test_the_page_of_a_run_shows_each_sentence_with_what_it_cites(
    app: Flask, client_of: SignIn, send: Send
) -> None:
    anna, paul = (client_of(app, name) for name in ("Anna", "Paul"))
    rude = answer("1", (HOSTILE, [0]), run="rude").encode(errors="backslashreplace")
    assert [send(paul, content, "a.jsonl").status_code for content in (SENT, rude)] == [303, 303]
    text = anna.get(page_of("best", "1")).text
    first, second = (each.split("</li>")[0] for each in text.split('<li dir="auto">')[1:])
    assert first.startswith(ARABIC)
    assert [f'title="{each}"' in first for each in (REEFS, YEARS)] == [False, True]
    assert second.index(f'title="{REEFS}"') < second.index(f'title="{YEARS}"')
    assert ">1</a>" in second
    assert says(text.split("<h1")[1].split("<ol")[0].split('class="hint">')[1], "TREC RAG 2026")
    assert "<script>alert" not in anna.get(page_of("rude", "1")).text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; ?" in anna.get(page_of("rude", "1")).text
    assert anna.get(page_of("best", "2")).text.count('<li dir="auto">') == 1
    assert '<li dir="auto">' not in anna.get(page_of("alpha", "1")).text
    assert "TREC RAG 2026" in anna.get(page_of("best")).text


def test_a_team_reads_its_own_answers_with_the_documents_they_cite(
    app: Flask, client_of: SignIn, send: Send
) -> None:
    paul = client_of(app, "Paul")
    assert send(paul, SENT, "best.jsonl").status_code == 303
    assert 'href="/c/small/own-runs/answers?run=best"' in paul.get("/c/small/own-runs").text
    first = paul.get("/c/small/own-runs/answers?run=best").text
    assert first.count('<li dir="auto">') == 2
    assert ARABIC in first
    assert [first.count(f"<bdi>{each}</bdi>") for each in (REEFS, YEARS)] == [1, 2]
    (after,) = re.findall('rel="next" href="([^"]*)"', first)
    second = paul.get(unescape(after)).text
    assert ("Nothing." in second, 'rel="next"' in second, 'rel="prev"' in second) == (True, False, True)
    assert "/c/small/pair" not in first + second  # those are for organisers


def test_answers_of_another_team_are_like_those_of_a_run_that_is_not_there(
    app: Flask, teams: Path, client_of: SignIn, send: Send
) -> None:
    paul, olga, wilma = (client_of(app, name) for name in ("Paul", "Olga", "Wilma"))
    send(paul, SENT, "best.jsonl")
    send(olga, answer("2", ("Theirs.", []), cites=(), run="hers", team="Αθήνα").encode(), "hers.jsonl")
    with open_campaign(teams) as campaign, campaign.write():
        members.put(campaign.by("Anna"), "Ben", "assessor")
    own = "/c/small/own-runs/answers?run="
    assert olga.get(f"{own}hers").status_code == 200
    told = {
        re.sub('/c/small/[^"]*|no such run|best', "", olga.get(own + tag).text)
        for tag in ("best", "no such run")
    }
    assert len(told) == 1
    for who, tag in ((olga, "best"), (paul, "hers"), (wilma, "best"), (wilma, ""), (paul, "alpha")):
        assert who.get(own + tag).status_code == 404
        assert who.get(f"{own}{tag}&topic=1").status_code == 404
    assert paul.get(f"{own}best&topic=10").status_code == 404
    for name in ("Anna", "Ben"):  # organisers have the page of the run
        assert client_of(app, name).get(f"{own}best").status_code == 403


def test_of_a_long_answer_the_beginning_is_shown(app: Flask, client_of: SignIn, send: Send) -> None:
    anna, paul = (client_of(app, name) for name in ("Anna", "Paul"))
    long = answer("1", *(("A.", [0]) for _ in range(250)), ("x" * 9_000, [0]), cites=(REEFS,))
    send(paul, long.encode(), "long.jsonl")
    text = anna.get(page_of("best", "1")).text
    assert text.count('<li dir="auto">') == 200
    assert len(text) < 200_000
