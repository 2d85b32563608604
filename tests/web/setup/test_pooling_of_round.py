"""The page of pools in a campaign of several rounds: whole rankings or the residual collection."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.fixture_types import TokenOf
from tests.sentences import says
from tests.three_rounds import three_rounds
from tests.web.alerts import alerts
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import changed_ids, pools, rounds
from workbench.storage.campaign.people import members


@pytest.fixture
def covid(instance: Path) -> Iterator[Campaign]:
    with three_rounds(instance) as campaign, campaign.write():
        members.put(campaign.by("Anna"), "Anna", "organiser")
    with open_campaign(instance / "covid.db") as campaign:
        yield campaign


pytestmark = pytest.mark.usefixtures("covid")


def expected(text: str) -> int:
    found = re.search(r'name="expected" value="(\d+)"', text)
    assert found is not None
    return int(found[1])


def test_a_plan_is_of_the_open_rounds_runs_on_the_rankings_that_are_chosen(anna: FlaskClient) -> None:
    whole, residual = (anna.get(f"/c/covid/pool?depth=2&residual={each}").text for each in ("no", "yes"))
    assert (expected(whole), expected(residual)) == (6, 4)
    assert '<option value="yes" selected>residual collection</option>' in residual
    assert says(whole)
    assert "residual=true" in residual.replace("&amp;", "&")
    assert "residual=true" not in whole
    figure = anna.get("/c/covid/figures/pool-topics.csv?depth=2&residual=true")
    assert sum(int(line.rpartition(",")[2]) for line in figure.text.splitlines()[1:]) == 4


def test_it_is_made_as_it_was_shown_and_the_page_goes_on_from_it(
    anna: FlaskClient, covid: Campaign, token_of: TokenOf
) -> None:
    form = {"depth": 2, "residual": "yes", "expected": 4, "csrf_token": token_of(anna)}
    assert anna.post("/c/covid/pool", data=form).status_code == 303
    (made,) = pools.all_pools(covid)
    assert (made.record.residual, made.record.runs, made.pairs) == ("3", ("c3",), 4)
    text = anna.get("/c/covid/pool").text
    assert says(text)
    assert '<option value="yes" selected>residual collection</option>' in text


def test_a_campaign_in_its_first_round_has_no_such_choice(anna: FlaskClient, small: Path) -> None:
    assert 'name="residual"' not in anna.get("/c/small/pool?residual=yes").text


def test_the_next_round_is_opened_on_the_page(anna: FlaskClient, covid: Campaign, token_of: TokenOf) -> None:
    text = anna.get("/c/covid/pool").text
    rows = re.findall(r"<tr><td>(\w+)</td><td>.*?</td>(.*?)</tr>", text)
    assert [(name, re.findall(r">(\d+)<", cells)) for name, cells in rows] == [
        ("1", ["2", "2", "0", "5"]),
        ("2", ["2", "1", "0", "8"]),
        ("3", ["1", "0", "0", "5"]),
    ]
    assert 'name="round" maxlength="40" value="4"' in text
    token = token_of(anna)
    answer = anna.post("/c/covid/pool/round", data={"csrf_token": token, "round": "4"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/c/covid/pool#rounds")
    assert [(each.name, each.actor) for each in rounds.all_rounds(covid)][-1] == ("4", "Anna")
    text = anna.get("/c/covid/pool").text
    assert ("Cancel round 4" in text, 'name="round" maxlength' in text) == (True, False)
    anna.post("/c/covid/pool/round", data={"csrf_token": token, "cancel": "4"})
    assert [each.name for each in rounds.all_rounds(covid)] == ["1", "2", "3"]
    assert "Cancel round" not in anna.get("/c/covid/pool").text, "judgments came in round 3"
    for name in ("3", "2", "1", "7"):
        refused = anna.post("/c/covid/pool/round", data={"csrf_token": token, "cancel": name})
        assert (refused.status_code, says(alerts(refused.text), name)) == (422, True)
    for name in ("3", "two words"):
        refused = anna.post("/c/covid/pool/round", data={"csrf_token": token, "round": name})
        assert (refused.status_code, says(alerts(refused.text), name)) == (422, True)


def test_a_table_of_changed_ids_is_shown_before_it_is_in_force(
    anna: FlaskClient, covid: Campaign, token_of: TokenOf
) -> None:
    def send(**fields: object) -> TestResponse:
        return anna.post("/c/covid/pool/ids", data={"csrf_token": token_of(anna), **fields})

    def file(text: str) -> tuple[io.BytesIO, str]:
        return io.BytesIO(text.encode()), "ids.csv"

    shown = send(table=file("old,new\nz1,y<1\nz2,y<1\n"))
    assert shown.status_code == 200
    assert '<textarea name="text" hidden>old,new\nz1,y&lt;1\nz2,y&lt;1\n</textarea>' in shown.text
    assert says(" ".join(re.findall(r'<li dir="auto">(.*)</li>', shown.text)), "z1 (0) and z2 (1)")
    assert changed_ids.id_tables(covid) == []
    done = send(text="old,new\r\nz1,y<1\r\nz2,y<1\r\n", name="ids.csv", do="change")
    assert (done.status_code, done.location) == (303, "/c/covid/pool#rounds")
    assert changed_ids.id_tables(covid) == [{"z1": "y<1", "z2": "y<1"}]
    assert says("".join(re.findall(r"hint.>For(.*)</p>", anna.get("/c/covid/pool").text)), "2 ids")
    for text in ("z1,y2\n", "z4,y4\ny4,z4\n", "", "x" * 200_001):
        refused = send(table=file(text))
        assert refused.status_code == 422
        assert says(" ".join(re.findall(r'<li dir="auto">(.*)</li>', refused.text)))
    assert 'action="/c/small/pool/ids"' not in anna.get("/c/small/pool").text


def test_the_qrels_of_rounds_are_downloads_of_their_usual_names(anna: FlaskClient, small: Path) -> None:
    text = anna.get("/c/covid/publish").text
    assert re.findall(r"download/(rounds?-[\w-]+)", text) == [
        "round-1",
        "round-2",
        "rounds-to-2",
        "round-3",
        "rounds-to-3",
    ]
    third = anna.get("/c/covid/download/round-3")
    assert third.headers["Content-Disposition"] == "attachment; filename=qrels-covid_d3_j3.txt"
    assert third.text == "1 0 z1 0\n1 0 z2 1\n2 0 z3 1\n3 0 z1 0\n"
    second = anna.get("/c/covid/download/rounds-to-2")
    assert "filename=qrels-covid_d2_j1-2.txt" in second.headers["Content-Disposition"]
    assert (len(second.text.splitlines()), "1 0 d2 0\n" in second.text) == (13, True)
    assert "download/round-" not in anna.get("/c/small/publish").text
    assert anna.get("/c/small/download/round-1").status_code == 404
