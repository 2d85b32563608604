"""The leaderboard follows the log, and says how much of each score is judged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, MakeCampaign
from tests.judged_pairs import judge_as
from tests.sentences import says
from workbench.analysis.trust.intervals import intervals_of
from workbench.campaign.content_changes import withdraw_runs
from workbench.core.records import Document, Topic
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import run_details, runs
from workbench.storage.campaign.log import log

pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture
def campaign(small: Path) -> Iterator[Campaign]:
    with open_campaign(small) as opened:
        yield opened


def judge(
    campaign: Campaign, document_id: str, grade: int, assessor: str = "Ben", topic_id: str = "1"
) -> None:
    judge_as(campaign, assessor, topic_id, document_id, grade, datetime.now(UTC))


def board(client: FlaskClient, query: str = "") -> Any:
    return client.get(f"/c/small/api/board{query}").get_json()


def values(told: Any) -> dict[str, float]:
    """What each run has in the first column."""
    return {row["run"]: row["cells"][0]["value"] for row in told["rows"]}


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
    assert says(board(anna)["sentence"])
    judge(campaign, "d1", 1)
    judge(campaign, "d2", 0)
    assert board(anna, "?m=P@2")["sentence"] == (
        "2 of 8 pooled pairs judged, scores over 1 of 2 topics; best P@2 so far: 0.5000 (alpha)."
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


@pytest.mark.parametrize(("measure", "said"), [("nDGC@10", "nDCG"), ("alpha_nDCG@10", "subtopics")])
def test_a_measure_that_campaigns_lack_is_refused(anna: FlaskClient, measure: str, said: str) -> None:
    answer = anna.get(f"/c/small/api/board?m={measure}")
    assert (answer.status_code, answer.get_json()["reason"]) == (422, "unknown measure")
    assert said in answer.get_json()["message"]


def test_the_page_keeps_the_chosen_measures_and_hands_back_what_it_does_not_know(anna: FlaskClient) -> None:
    text = anna.get("/c/small/board?m=RBP(p=0.5)&m=nonsense").text
    assert 'value="RBP(p=0.5)" checked' in text
    assert 'name="m" value="nonsense"' in text
    assert re.findall('class="numeric" aria-sort.*data-sort="(.*?)"', text) == ["RBP(p=0.5)"]


def test_the_pages_script_follows_it_with_one_question(anna: FlaskClient, campaign: Campaign) -> None:
    follows = {"X-Background": "yes", "Accept": "application/json"}
    address = "/c/small/board?m=AP&rows=all&intervals=known"
    first = anna.get(address, headers=follows)
    tag = first.headers["ETag"]
    assert 'data-score="AP">0.0000<' in first.text
    assert anna.get(address, headers={**follows, "If-None-Match": tag}).status_code == 304
    assert anna.get(address, headers={"If-None-Match": tag}).status_code == 200, (
        "a page that is opened is whole"
    )
    assert 'data-intervals="0"' not in first.text
    sure = anna.get("/c/small/board?m=AP&rows=all&intervals=yes", headers=follows)
    judge(campaign, "d6", 1)
    news = anna.get(address, headers={**follows, "If-None-Match": tag})
    assert 'data-score="AP">1.0000<' in news.text
    row = sure.text.split('data-intervals="')[1].split('"')[0]
    assert f"Bars, lines and ≈ signs are as of row {int(row):,}." in news.text
    assert anna.get(address + "&m=nDGC", headers=follows).json["reason"] == "unknown measure"
    assert anna.get(address + "&as-of=x", headers=follows).json["reason"] == "no such row"


# The board at a moment of the log.


def test_the_board_as_of_a_row_has_the_digits_of_the_engine(anna: FlaskClient, campaign: Campaign) -> None:
    first = log.newest_seq(campaign)
    for document_id, grade in (("d1", 1), ("d6", 1), ("d1", 0), ("d4", 1)):
        judge(campaign, document_id, grade)
    withdraw_runs(campaign.by("Anna"), ["alpha"])
    newest = log.newest_seq(campaign)
    for seq in range(first - 2, newest + 1):
        table = score_campaign(campaign.at(seq), ["AP", "P@2"])
        told = board(anna, f"?m=AP&m=P@2&as-of={seq}")
        assert (told["seq"], told["newest"], told["live"]) == (seq, newest, False)
        assert [[row["run"], *(cell["value"] for cell in row["cells"])] for row in told["rows"]] == [
            [row.tag, *row.values] for row in table.rows
        ]
    assert [row["run"] for row in board(anna)["rows"]] == ["beta"]


def test_the_words_are_those_of_the_moment(anna: FlaskClient, campaign: Campaign) -> None:
    judge(campaign, "d1", 1)
    then = log.newest_seq(campaign)
    judge(campaign, "d1", 0)
    judge(campaign, "d6", 1)
    told = board(anna, f"?m=RR&as-of={then}")
    assert (
        told["sentence"]
        == "1 of 8 pooled pairs judged, scores over 1 of 2 topics; best RR so far: 1.0000 (alpha)."
    )
    assert told["moment"].startswith(f"As of row {then} of {then + 2}, written ")
    assert says(told["moment"])
    compared = anna.get(told["compared"])
    assert compared.status_code == 200
    assert f"as of row {then}" in compared.text
    now = board(anna, "?m=RR")
    assert (now["moment"], now["compared"], now["live"]) == ("", None, True)
    assert "best RR so far: 1.0000 (beta)" in now["sentence"]


def test_an_answer_about_the_past_changes_only_when_the_log_grows(
    anna: FlaskClient, campaign: Campaign
) -> None:
    judge(campaign, "d1", 1)
    address = f"/c/small/api/board?m=AP&as-of={log.newest_seq(campaign)}"
    first = anna.get(address)
    known = {"If-None-Match": first.headers["ETag"]}
    assert anna.get(address, headers=known).status_code == 304
    assert anna.get("/c/small/api/board?m=AP", headers=known).status_code == 200
    judge(campaign, "d6", 1)
    later = anna.get(address, headers=known)
    assert later.status_code == 200
    assert later.get_json()["rows"] == first.get_json()["rows"]


@pytest.mark.parametrize("row", ["-1", "9" * 30, "٣"])
def test_what_is_no_row_is_refused_and_the_page_says_so(anna: FlaskClient, row: str) -> None:
    for address in ("api/board", "api/board/intervals"):
        answer = anna.get(f"/c/small/{address}?as-of={row}")
        assert (answer.status_code, answer.get_json()["reason"]) == (422, "no such row")
    page = anna.get(f"/c/small/board?as-of={row}")
    assert page.status_code == 200
    assert says(page.text)
    assert says(page.text)


def test_the_board_can_be_that_of_a_date_and_says_which_row_it_is(
    anna: FlaskClient, campaign: Campaign
) -> None:
    judge(campaign, "d1", 1)
    today = datetime.now().astimezone().date().isoformat()
    newest = log.newest_seq(campaign)
    told = board(anna, f"?as-of={today}")
    assert (told["seq"], told["live"]) == (newest, False)
    assert re.match(rf"{today} 23:59:59 \(.*\) is log row {newest}, written {today}", told["moment"])
    assert f"{today} 23:59:59" in anna.get(f"/c/small/board?as-of={today}").text
    early = anna.get("/c/small/api/board?as-of=1999-12-31")
    assert (early.status_code, "the log begins at" in early.get_json()["message"]) == (422, True)


# One row for each team, how sure the board is, and pages without scripts.


def name_teams(campaign: Campaign, teams: dict[str, str]) -> None:
    with campaign.write():
        for run in runs.all_runs(campaign):
            if team := teams.get(run.record.tag):
                run_details.put(campaign.by("Olga"), run.run, {"team": run.record.team}, {"team": team})


def test_a_team_stands_with_its_best_run(anna: FlaskClient, campaign: Campaign) -> None:
    name_teams(campaign, {"alpha": "A", "beta": "A"})
    judge(campaign, "d6", 1)
    assert [row["run"] for row in board(anna, "?m=RR&by=team")["rows"]] == ["beta"]
    assert [row["run"] for row in board(anna, "?m=SetE&m=RR&by=team")["rows"]] == ["beta"]  # the lower one
    assert list(anna.get("/c/small/api/board/intervals?m=RR&by=team").get_json()["rows"]) == ["beta"]
    judge(campaign, "d1", 1)
    judge(campaign, "d2", 1)
    assert [row["run"] for row in board(anna, "?m=P@2&by=team")["rows"]] == ["alpha"]


def test_how_sure_the_board_is_comes_from_the_engine(anna: FlaskClient, campaign: Campaign) -> None:
    judge(campaign, "d1", 1)
    judge(campaign, "d1", 1, topic_id="2")
    seq = log.newest_seq(campaign)
    judge(campaign, "d2", 1)
    for query, as_of in (("", None), (f"&as-of={seq}", seq)):
        told = anna.get(f"/c/small/api/board/intervals?m=AP&m=NumRel{query}").get_json()
        found = intervals_of(campaign.at(as_of), ["AP", "NumRel"])
        assert (told["seq"], told["columns"]) == (found.head.seq, ["AP", "NumRel"])
        for at, tag in enumerate(found.tags):
            (cell, count) = told["rows"][tag]
            sure = found.measures[0]
            assert sure.bounds is not None
            assert sure.p_values is not None
            assert (cell["interval"], says(cell["why_none"])) == (None, True)
            assert [cell["open"]["low"], cell["open"]["high"]] == [side[at] for side in sure.bounds]
            assert cell["p"] == f"{sure.p_values[at]:.4f}"
            assert (count["interval"], count["open"], count["level"]) == (None, None, None)
    answer = anna.get("/c/small/api/board/intervals?m=nDGC@10")
    assert (answer.status_code, answer.get_json()["reason"]) == (422, "unknown measure")


@pytest.fixture
def six(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Iterator[Campaign]:
    """Two runs on six topics, on each of which d1 is relevant: `mixed` has it on ranks 1 and 2, `first` always on 1."""
    path = make_campaign(
        "six",
        [Topic(topic_id, "title") for topic_id in "123456"],
        [Document(f"d{number}", f"Document {number}", "text") for number in (1, 2)],
        {
            "first": {topic_id: ["d1", "d2"] for topic_id in "123456"},
            "mixed": {topic_id: ["d1", "d2"] if topic_id in "123" else ["d2", "d1"] for topic_id in "123456"},
        },
    )
    with open_campaign(path) as campaign:
        for topic_id in "123456":
            judging_as(campaign, "Ben", topic_id, "d1", 1)
        yield campaign


def test_a_run_has_its_interval_or_the_reason_why_it_has_none(anna: FlaskClient, six: Campaign) -> None:
    told = anna.get("/c/six/api/board/intervals?m=RR").get_json()["rows"]
    # 1, 1, 1, 1/2, 1/2, 1/2: s = .2739, t = 2.5706 with 5 degrees of freedom; 2.5706 * .2739 / sqrt(6) = .2874.
    assert told["mixed"][0]["interval"]["text"] == "0.4626 to 1.0000", "no score is above 1"
    assert told["mixed"][0]["why_none"] == ""
    assert told["first"][0]["interval"] is None
    assert says(told["first"][0]["why_none"])
    page = anna.get("/c/six/board?m=RR&intervals=yes").text
    assert page.split("board-body")[1].split("</table>")[0].count("dot-interval") == 1
    assert says(page)


def test_the_board_can_be_that_of_the_topics_judged_to_the_end(anna: FlaskClient, campaign: Campaign) -> None:
    judge(campaign, "d1", 1)
    finished = board(anna, "?m=RR&topics=finished")
    assert says(finished["sentence"])
    assert finished["topics"] == {
        "shown": 0,
        "judged": 1,
        "finished": 0,
        "in_the_end": 2,
        "only_finished": True,
        "text": "0 of 2 topics fully judged",
    }
    judge(campaign, "d1", 0, topic_id="2")
    judge(campaign, "d2", 1, topic_id="2")
    seq = log.newest_seq(campaign)
    every, some = (anna.get(f"/c/small/api/board?m=RR{query}") for query in ("", "&topics=finished"))
    assert every.headers["ETag"] != some.headers["ETag"]
    assert values(board(anna, "?m=RR")) == {"alpha": 0.75, "beta": 0.5}
    for query in ("", f"&as-of={seq}"):
        told = board(anna, f"?m=RR&m=RR(bound=lower)&topics=finished{query}")
        assert values(told) == {"alpha": 0.5, "beta": 1.0}
        assert says(told["sentence"])
        assert [column["topics"] for column in told["columns"]] == [1, 2]
        sure = anna.get(f"/c/small/api/board/intervals?m=RR&topics=finished{query}").get_json()
        # The bars are over both topics all the same: of topic 1 alpha has 1, beta anything from 0 to 1.
        reach = {run: (cell["open"]["low"], cell["open"]["high"]) for run, (cell,) in sure["rows"].items()}
        assert (sure["open_topics"], reach) == (2, {"alpha": (0.75, 0.75), "beta": (0.5, 1.0)})
    page = anna.get("/c/small/board?m=RR&topics=finished&intervals=yes").text
    assert '<option value="finished" selected>fully judged</option>' in page
    assert "1 of 2 topics fully judged" in page
    assert 'class="dot dot-part"' in page
    assert "topics=finished" in page.split('id="now"')[1].split(">")[0]


def test_the_board_shows_what_is_looked_for_with_the_places_on_the_whole_board(
    anna: FlaskClient, campaign: Campaign
) -> None:
    judge(campaign, "d1", 1)
    for query in ("q=BET", "run=beta&only=yes"):
        page = anna.get(f"/c/small/board?m=AP&{query}").text
        assert re.findall(r'<tr data-run="(\w+)">', page) == ["beta"]
        assert '<td class="numeric place">2</td>' in page
        assert "1 of 2 runs" in page
    ticked = anna.get("/c/small/board?m=AP&q=alpha&run=beta").text
    assert '<input type="hidden" name="run" value="beta" data-plain>' in ticked


def test_without_scripts_a_long_board_begins_with_its_first_rows_and_leads_to_all(
    anna: FlaskClient, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(campaign, "d1", 1)
    monkeypatch.setattr("workbench.web.scoring.board.FIRST_ROWS", 1)

    def shown(address: str) -> list[str]:
        return re.findall(r'<tr data-run="(\w+)">', anna.get(address).text)

    first = anna.get("/c/small/board?m=AP&by=team&run=beta").text
    assert re.findall(r'<tr data-run="(\w+)">', first) == ["alpha"]
    assert "1 of 2 runs" not in first, "nothing was looked for"
    assert '<input type="hidden" name="run" value="beta" data-plain>' in first, "its tick is kept"
    ((address, words),) = re.findall(r'id="board-rest"><a class="turn" href="([^"]+)">([^<]+)<', first)
    assert words == "All 2 rows"
    assert shown(unescape(address)) == ["alpha", "beta"]
    assert "by=team" in address
    every = anna.get(unescape(address)).text
    assert '<input type="hidden" name="rows" value="all" data-plain>' in every
    assert "board-rest" not in every
    assert shown("/c/small/board?m=AP&q=beta") == ["beta"]
    assert "board-rest" not in anna.get("/c/small/board?m=AP&q=beta").text


def test_what_is_shown_is_taken_along_as_csv_latex_and_print(anna: FlaskClient, campaign: Campaign) -> None:
    judge(campaign, "d1", 1)
    csv = anna.get("/c/small/board.csv?m=RR&m=nonsense&sort=Run&order=descending")
    assert (csv.mimetype, csv.text) == ("text/csv", "run,RR\nbeta,0.0\nalpha,1.0\n")
    assert anna.get("/c/small/board.csv?m=RR&q=beta").text == "run,RR\nbeta,0.0\n"
    latex = anna.get("/c/small/board.tex?m=RR&run=alpha&only=yes").text
    assert "\\toprule" in latex
    assert "beta" not in latex
    printed = anna.get("/c/small/board/print?m=RR&q=beta").text
    assert '<td class="numeric">2</td><th scope="row" dir="auto">beta</th>' in printed
    assert says(printed)
