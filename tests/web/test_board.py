"""The leaderboard follows the log, and says how much of each score is judged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from workbench import judging
from workbench.campaign import Campaign, open_campaign, settings
from workbench.judging import Submission
from workbench.measures import MEASURES, parse_measure
from workbench.web.board import choices, is_offered, judged_beside, percent

SignIn = Callable[[Flask, str | None], FlaskClient]
MakeCampaign = Callable[..., Path]


@pytest.fixture
def anna(app: Flask, small: Path, client_of: SignIn) -> FlaskClient:
    return client_of(app, "Anna")


@pytest.fixture
def campaign(small: Path) -> Iterator[Campaign]:
    with open_campaign(small) as opened:
        yield opened


def judge(campaign: Campaign, document_id: str, grade: int, assessor: str = "Ben") -> None:
    shown = judging.show(campaign, "1", document_id, assessor)
    judging.judge(
        campaign,
        Submission(
            uuid=f"{assessor}-{document_id}-{grade}",
            topic_id="1",
            document_id=document_id,
            pool=shown.pool,
            text_hash=str(shown.text_hash),
            topic_version=shown.topic_version,
            guideline_version=shown.guideline_version,
            kind="grade",
            grade=grade,
            replaces=shown.mine.seq if shown.mine else None,
        ),
        assessor=assessor,
    )


def board(client: FlaskClient, query: str = "") -> Any:
    return client.get(f"/c/small/api/board{query}").get_json()


def cells(client: FlaskClient, query: str) -> dict[str, list[tuple[str, str]]]:
    rows = board(client, query)["rows"]
    return {row["run"]: [(cell["text"], cell["judged_text"]) for cell in row["cells"]] for row in rows}


def test_every_run_is_scored_with_unjudged_as_not_relevant(anna: FlaskClient, campaign: Campaign) -> None:
    judge(campaign, "d1", 1)
    judge(campaign, "d4", 0)
    # alpha: d1 d2 d3 d4, beta: d6 d5 d4 d3
    assert cells(anna, "?m=P@2&m=RR&m=NumRel") == {
        "alpha": [("0.5000", "50 %"), ("1.0000", "50 %"), ("1", "")],
        "beta": [("0.0000", "0 %"), ("0.0000", "25 %"), ("1", "")],
    }


def test_the_sentence_says_where_the_campaign_stands(anna: FlaskClient, campaign: Campaign) -> None:
    assert board(anna)["sentence"] == (
        "Nothing is judged yet, so every score is 0. 8 documents wait to be judged."
    )
    judge(campaign, "d1", 1)
    judge(campaign, "d2", 0)
    assert board(anna, "?m=P@2")["sentence"] == (
        "2 of 8 pooled pairs judged, scores over 1 topic; best P@2 so far: 0.5000 (alpha)."
    )
    # alpha: 1 of 4 is relevant, and R = 1, so F = 2 / (4 + 1); beta has none.
    assert board(anna, "?m=SetE")["sentence"].endswith("best SetE so far: 0.6000 (alpha).")
    assert board(anna, "?m=Judged@4")["sentence"].endswith("highest Judged@4 so far: 0.5000 (alpha).")


def test_a_question_without_news_is_answered_with_304(anna: FlaskClient, campaign: Campaign) -> None:
    first = anna.get("/c/small/api/board?m=AP")
    known = {"If-None-Match": first.headers["ETag"]}
    second = anna.get("/c/small/api/board?m=AP", headers=known)
    assert (second.status_code, second.data) == (304, b"")
    assert anna.get("/c/small/api/board?m=RR", headers=known).status_code == 200
    judge(campaign, "d1", 1)
    third = anna.get("/c/small/api/board?m=AP", headers=known)
    assert third.status_code == 200
    assert third.headers["ETag"] != first.headers["ETag"]


def test_the_next_answer_after_a_judgment_has_the_new_scores(anna: FlaskClient, campaign: Campaign) -> None:
    before = cells(anna, "?m=AP")
    judge(campaign, "d1", 1)
    judge(campaign, "d1", 0)
    judge(campaign, "d6", 1)
    after = cells(anna, "?m=AP")
    assert before == {"alpha": [("0.0000", "0 %")], "beta": [("0.0000", "0 %")]}
    assert after == {"alpha": [("0.0000", "25 %")], "beta": [("1.0000", "25 %")]}


def test_an_unknown_measure_is_refused_with_the_nearest_names(anna: FlaskClient) -> None:
    answer = anna.get("/c/small/api/board?m=nDGC@10")
    assert (answer.status_code, answer.get_json()["reason"]) == (422, "unknown measure")
    assert "nDCG" in answer.get_json()["message"]


def test_the_page_keeps_the_chosen_measures_and_hands_back_what_it_does_not_know(anna: FlaskClient) -> None:
    text = anna.get("/c/small/board?m=RBP(p=0.5)&m=nonsense").get_data(as_text=True)
    assert 'value="RBP(p=0.5)" checked' in text
    assert 'name="m" value="nonsense"' in text
    data = json.loads(text.split('id="page-data">')[1].split("</script>")[0])
    assert [column["name"] for column in data["board"]["columns"]] == ["RBP(p=0.5)"]


def test_the_smallest_relevant_grade_is_the_campaigns(anna: FlaskClient, campaign: Campaign) -> None:
    with campaign.write():
        changes = {"grades": [[0, "No"], [1, "Partly"], [2, "Yes"]], "relevant_from": 2}
        settings.change(campaign, changes, actor="Anna")
    judge(campaign, "d1", 1)
    judge(campaign, "d6", 2)
    assert cells(anna, "?m=RR") == {"alpha": [("0.0000", "25 %")], "beta": [("1.0000", "25 %")]}


def test_the_menu_offers_every_measure_that_needs_neither_subtopics_nor_more_than_a_cutoff() -> None:
    offered = {parse_measure(choice.name).name for choice in choices([])}
    assert offered == {name for name, entry in MEASURES.items() if is_offered(entry)}
    assert {"AP", "P", "nDCG", "RBP"} <= offered
    assert "alpha_nDCG" not in offered
    names = [choice.name for choice in choices(["P@7", "AP"])]
    assert len(names) == len(set(names))
    assert names[-1] == "P@7"
    assert [choice.name for choice in choices(["P@7", "AP"]) if choice.chosen] == ["AP", "P@7"]


def test_what_is_neither_usual_nor_chosen_is_folded_away(anna: FlaskClient) -> None:
    at_hand = {choice.name for choice in choices(["infAP"]) if choice.usual}
    assert {"AP", "nDCG@10", "infAP"} <= at_hand
    assert not {"binG", "SetF"} & at_hand
    text = anna.get("/c/small/board?m=infAP").text
    above, _, folded = text.partition("<details")
    assert 'value="infAP"' in above
    assert 'value="binG"' in folded


@pytest.mark.parametrize(
    ("measure", "beside"),
    [
        ("nDCG@20", "Judged@20"),
        ("AP", "Judged@10"),
        ("RBP(p=0.8)", "Judged@10"),
        ("P(rel=2)@5", "Judged@5"),
        ("Judged@10", None),
        ("NumRel", None),
    ],
)
def test_a_score_stands_beside_the_judged_share_of_its_own_cutoff(measure: str, beside: str | None) -> None:
    assert judged_beside(parse_measure(measure)) == beside


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0 %"), (0.001, "1 %"), (0.5, "50 %"), (0.999, "99 %"), (1, "100 %")]
)
def test_only_nothing_is_no_percent_and_only_all_is_a_hundred(share: float, text: str) -> None:
    assert percent(share) == text


def test_a_campaign_without_runs_says_what_to_do(app: Flask, instance: Path, client_of: SignIn) -> None:
    text = client_of(app, "Anna").get("/c/robust/board").get_data(as_text=True)
    assert "No run has been added yet." in text
    assert "workbench add runs robust" in text


def test_a_measure_of_subtopics_is_not_scored_in_a_campaign(anna: FlaskClient) -> None:
    assert 'name="m" value="alpha_nDCG@10"' in anna.get("/c/small/board?m=alpha_nDCG@10").get_data(
        as_text=True
    )
    answer = anna.get("/c/small/api/board?m=alpha_nDCG@10")
    assert answer.status_code == 422
    assert "alpha_nDCG@10 needs qrels with subtopics" in answer.get_json()["message"]
