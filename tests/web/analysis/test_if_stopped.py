"""The page of what stopping now might lose."""

from __future__ import annotations

import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask

from tests.fixture_types import MakeCampaign, SignIn
from workbench.agreement.between_assessors.effect import RunRange
from workbench.analysis.reuse.probe import WayOut
from workbench.analysis.reuse.stopped_sheets import stopped_content
from workbench.analysis.reuse.stopping import Probed, if_stopped
from workbench.core.errors import UnknownName
from workbench.core.jobs import Job
from workbench.core.records import Document, Topic
from workbench.setup.ingest import add_qrels
from workbench.storage.campaign import Campaign, open_campaign
from workbench.web.analysis import if_stopped as page

TOPICS = [Topic(str(number), f"topic {number}") for number in range(1, 11)]
DOCUMENTS = [f"d{number}" for number in range(1, 13)]
RUNS = {
    "alpha": {topic.topic_id: DOCUMENTS for topic in TOPICS},
    "beta": {topic.topic_id: DOCUMENTS[::-1] for topic in TOPICS},
}


@pytest.fixture
def judged(make_campaign: MakeCampaign, tmp_path: Path) -> Path:
    """Ten topics of twelve documents, of which the first six are judged; d1 and d3 are relevant."""
    texts = [Document(each, "", f"Text {each}.") for each in DOCUMENTS]
    path = make_campaign("judged", TOPICS, texts, RUNS, viewing="shuffle")
    lines = [
        f"{topic.topic_id} 0 {each} {int(each in ('d1', 'd3'))}\n"
        for topic in TOPICS
        for each in DOCUMENTS[:6]
    ]
    (tmp_path / "qrels.txt").write_text("".join(lines))
    with open_campaign(path) as campaign:
        add_qrels(campaign, [str(tmp_path / "qrels.txt")], actor="Anna")
    return path


def get(app: Flask, client_of: SignIn, address: str, status: int = 200) -> Any:
    answer = client_of(app, "Anna").get(address)
    assert answer.status_code == status, answer.text
    return answer


def simulated(app: Flask, client_of: SignIn, measure: str) -> str:
    """The address of the page with the numbers, when the job is done."""
    place = get(app, client_of, f"/c/judged/reuse/if-stopped?begin=1&m={measure}", 303).location
    for _ in range(100):
        if "as_of=" in place:
            return str(place)
        found = re.search(r'href="([^"]*as_of=[^"]*)"', get(app, client_of, place).text)
        if found:
            return found[1].replace("&amp;", "&")
        time.sleep(0.2)
    raise AssertionError(place)


def test_the_page_asks_for_a_measure_first(app: Flask, client_of: SignIn, judged: Path) -> None:
    text = get(app, client_of, "/c/judged/reuse/if-stopped").text
    assert "What the leaderboard might be if the rest of the pools were judged, by simulation." in text
    assert "Simulated ranks" not in text
    assert '<a href="/c/judged/runs" aria-current' in text


def test_the_draws_stand_beside_what_is_possible(app: Flask, client_of: SignIn, judged: Path) -> None:
    address = simulated(app, client_of, "P@5")
    text = " ".join(get(app, client_of, address).text.split())
    # alpha has d1 to d5, all of them judged: two of five are relevant, whatever comes. beta has d12 to d8.
    always = '<td class="numeric nowrap">0.4000 to 0.4000</td>'
    assert f'<th scope="row" dir="auto">alpha</th><td class="numeric">0.4000</td>{2 * always}' in text
    assert '<td class="numeric nowrap">0.0000 to 1.0000</td>' in text
    assert "relevant among the 60 unjudged" in text
    assert "The ranges are no confidence intervals" in text
    assert "Of 60 judged pairs 20 are relevant; learned from other topics, " in text
    spec = get(app, client_of, address.replace("if-stopped?", "if-stopped/figure.json?")).json
    assert {row["run"] for row in spec["datasets"]["rows"]} == {"alpha", "beta"}
    assert {row["range"] for row in spec["datasets"]["rows"]} == {
        "possible at all",
        "if the rest is judged (simulated)",
    }


def test_the_page_says_how_many_runs_are_left_out(
    app: Flask, client_of: SignIn, judged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_campaign(judged) as campaign:
        found = if_stopped(campaign, "P@5")._replace(left_out=("gamma", "delta"))
    monkeypatch.setattr("workbench.web.analysis.if_stopped._known", lambda measure: found)
    text = get(app, client_of, "/c/judged/reuse/if-stopped?m=P@5").text
    assert "Left out, since drawing would take too long: 2 runs of lower scores." in text


def test_where_chance_did_not_decide_what_is_judged_the_page_shows_what_is_possible_alone(
    app: Flask, client_of: SignIn, judged: Path, tmp_path: Path
) -> None:
    # d7 and d8 are the sixth and fifth of beta, so the four best of both runs are judged with d9 to d12, and only
    # d7 and d8 wait.
    lines = [f"{topic.topic_id} 0 {each} 0\n" for topic in TOPICS for each in DOCUMENTS[8:]]
    (tmp_path / "more.txt").write_text("".join(lines))
    with open_campaign(judged) as campaign:
        add_qrels(campaign, [str(tmp_path / "more.txt")], actor="Anna")
    address = simulated(app, client_of, "P@5")
    text = " ".join(get(app, client_of, address).text.split())
    assert (
        '<p class="alert">No labels are drawn for the 20 pairs without a judgment: judged pairs have' in text
    )
    assert '<h2 id="scores">Current and possible scores</h2>' in text
    assert "Simulated" not in text.partition("Current and possible scores")[2]
    assert "tau_b of the order now and then" not in text
    spec = get(app, client_of, address.replace("if-stopped?", "if-stopped/figure.json?")).json
    assert {row["range"] for row in spec["datasets"]["rows"]} == {"possible at all"}


@pytest.mark.parametrize(
    ("shared", "takes_long", "is_said"),
    [
        pytest.param(3, False, True, id="several judged"),
        pytest.param(0, False, False, id="one each judged", marks=pytest.mark.slow),
        pytest.param(3, True, False, id="not known yet"),
        pytest.param(None, False, False, id="refused", marks=pytest.mark.slow),
    ],
)
def test_the_range_by_choice_of_assessor_stands_beside_where_it_is_known(
    app: Flask,
    client_of: SignIn,
    judged: Path,
    monkeypatch: pytest.MonkeyPatch,
    shared: int | None,
    takes_long: bool,
    is_said: bool,
) -> None:
    def effect(campaign: Campaign, measure: str) -> SimpleNamespace:
        if shared is None:
            raise UnknownName(measure)
        alpha = RunRange("alpha", 0.4, 0.125, 0.25, 0.5, 0.75, 1, 1, 1)
        return SimpleNamespace(ranges=(alpha,), shared_topics=shared)

    with open_campaign(judged) as campaign:
        found = if_stopped(campaign, "P@5")
    monkeypatch.setattr(page, "_known", lambda measure: found)
    monkeypatch.setattr(page, "effect_takes_long", lambda *_: takes_long)
    monkeypatch.setattr(page, "cached_effect", effect)
    text = " ".join(get(app, client_of, "/c/judged/reuse/if-stopped?m=P@5").text.split())
    rows = text.split('<th scope="row" dir="auto">')[1:]
    assert [row[:4] for row in rows if "0.2500 to 0.5000" in row] == ["alph"] * is_said
    assert ("one of each topic’s assessors is drawn; 3 topics have several" in text) == is_said
    spec = get(app, client_of, "/c/judged/reuse/if-stopped/figure.json?m=P@5").json
    by_assessor = [row for row in spec["datasets"]["rows"] if "assessor" in row["range"]]
    assert [(row["run"], row["low"], row["high"]) for row in by_assessor] == [("alpha", 0.25, 0.5)] * is_said


def test_the_page_says_what_a_probe_showed_and_how_to_draw_one(
    app: Flask, client_of: SignIn, judged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_campaign(judged) as campaign:
        found = if_stopped(campaign, "P@5")._replace(probe=Probed(2, 197, 14))
    monkeypatch.setattr("workbench.web.analysis.if_stopped._known", lambda measure: found)
    text = " ".join(get(app, client_of, "/c/judged/reuse/if-stopped?m=P@5").text.split())
    assert "A simulation draws a label for each candidate without a judgment" in text
    assert (
        "a probe, pool 2: of its 197 pairs that were not judged before, 14 are relevant. What waits are all"
        in text
    )
    way_out = WayOut(("workbench pool judged --retire 1", "workbench pool judged --strategy uniform"), 120)
    found = found._replace(why_none="hedge chose", way_out=way_out, probe=None)
    text = get(app, client_of, "/c/judged/reuse/if-stopped?m=P@5").text
    assert "Or draw a probe by chance, and judge its 120 pairs without a judgment." in text
    assert '<pre class="commands">workbench pool judged --retire 1\nworkbench pool judged --strat' in text


def test_what_cannot_be_simulated_is_said(
    app: Flask, client_of: SignIn, make_campaign: MakeCampaign, judged: Path
) -> None:
    assert 'role="alert"' in get(app, client_of, "/c/judged/reuse/if-stopped?begin=1&m=nonsense", 422).text
    bare = make_campaign("bare", TOPICS[:1], [Document("d1", "", "Text.")], {"alpha": {"1": ["d1"]}})
    (bare.parent / "qrels.txt").write_text("1 0 d1 1\n")
    with open_campaign(bare) as campaign:
        add_qrels(campaign, [str(bare.parent / "qrels.txt")], actor="Anna")
    text = get(app, client_of, "/c/bare/reuse/if-stopped?begin=1", 422).text
    assert "No pooled pair waits for a judgment" in text
    get(app, client_of, "/c/judged/reuse/if-stopped/figure.json?as_of=1", 404)


def test_programs_get_the_draws_as_json_and_the_same_again(
    app: Flask, client_of: SignIn, judged: Path
) -> None:
    told = get(app, client_of, "/c/judged/api/reuse/if-stopped?m=P@5").json
    with open_campaign(judged) as campaign:
        assert told == stopped_content(if_stopped(campaign, "P@5"))
    again = get(app, client_of, f"/c/judged/api/reuse/if-stopped?m=P@5&as_of={told['seq']}").json
    assert (again, told["waiting"], told["measure"]) == (told, 60, "P@5")
    refused = get(app, client_of, "/c/judged/api/reuse/if-stopped?m=nonsense", 422).json
    assert refused["reason"] == "cannot be simulated"


def test_programs_get_the_job_while_labels_are_drawn(
    app: Flask, client_of: SignIn, judged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Job, "wait", lambda job, seconds: False)
    told = get(app, client_of, "/c/judged/api/reuse/if-stopped?m=P@5", 202).json
    assert told["name"] == "If judging stopped now: P@5"


def test_only_what_is_not_known_begins_a_job(
    app: Flask, client_of: SignIn, judged: Path, begun: list[str]
) -> None:
    address = "/c/judged/api/reuse/if-stopped?m=P@5"
    newest = get(app, client_of, address).json["seq"]
    for known in (address, f"{address}&as_of={newest}"):
        get(app, client_of, known)
    assert len(begun) == 1
    get(app, client_of, f"{address}&as_of={newest - 1}")
    assert len(begun) == 2
