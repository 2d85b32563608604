"""The comparing pages show the numbers of the engine, and say what is wrong with a question."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from datetime import datetime
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.fixture_types import JudgeAs, MakeCampaign, TokenOf
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.analysis.comparing.all_pairs import all_pairs
from workbench.analysis.comparing.leaderboards import leaderboard, two_leaderboards
from workbench.analysis.comparing.planning import plan_topics
from workbench.analysis.comparing.runs import compare_runs
from workbench.analysis.comparing.scores import scores_of
from workbench.core.extras import missing
from workbench.core.records import Document, Topic
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log
from workbench.web.analysis import compare_words as words
from workbench.web.scoring.board_request import choices

TOPICS = ("1", "2", "3", "4", "5", "6")
RELEVANT = "d2"
PLACES = {"first": 1, "second": 2, "third": 3, "mixed": 0}
"""On which rank a run has d2, the only relevant document; `mixed` has it on rank 1, 2, 3, 1, 2, 3."""


def ranking(run: str, number: int) -> list[str]:
    rank = PLACES[run] or number % 3 + 1
    others = ["d1", "d3", "d4"]
    return [*others[: rank - 1], RELEVANT, *others[rank - 1 :]]


@pytest.fixture
def four(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Iterator[Campaign]:
    """Four runs on six topics, each with one relevant document: so AP is 1 / rank."""
    path = make_campaign(
        "four",
        [Topic(topic_id, f"title {topic_id}") for topic_id in TOPICS],
        [Document(f"d{number}", f"Document {number}", "text") for number in range(1, 5)],
        {run: {t: ranking(run, n) for n, t in enumerate(TOPICS)} for run in PLACES},
    )
    with open_campaign(path) as campaign:
        for topic_id in TOPICS:
            judging_as(campaign, "Ben", topic_id, RELEVANT, 1)
        yield campaign


pytestmark = [pytest.mark.usefixtures("four"), pytest.mark.usefixtures("small")]


def said(answer: TestResponse) -> str:
    """The page as people read it: without tags, white space once."""
    text = re.sub("</?bdi>", "", answer.text)
    return " ".join(unescape(re.sub("<[^>]*>", " ", text)).split())


def lead(answer: TestResponse) -> str:
    return " ".join(unescape(" ".join(re.findall('class="lead">(.*?)</p>', answer.text))).split())


def rows(answer: TestResponse, table: str) -> list[list[str]]:
    """The cells of the table that is labelled by the heading with this id."""
    text = answer.text
    body = (
        re.split(f'<table[^>]* aria-labelledby="{table}"', text)[1].split("<tbody>")[1].split("</tbody>")[0]
    )
    found = [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in body.split("<tr>")[1:]]
    return [[unescape(re.sub("<[^>]*>", "", cell)).strip() for cell in row] for row in found]


def numbers(answer: TestResponse) -> list[str]:
    return re.findall('<td class="numeric[^>]*>([^<]*)<', answer.text)


@pytest.mark.parametrize(
    ("query", "ahead"),
    [
        # 1 on all topics against 1, 1/2, 1/3, 1, 1/2, 1/3: a difference of 7/18; the best two where none is chosen.
        (
            "?run=mixed&run=first",
            "first is ahead of mixed by 0.3889 AP (1.0000 against 0.6111); 4 topics better",
        ),
        ("", "first is ahead of mixed by 0.3889"),
        ("?baseline=third&run=first", "first is ahead of third by 0.6667"),
    ],
)
def test_two_runs_are_compared_in_a_sentence(anna: FlaskClient, query: str, ahead: str) -> None:
    assert lead(anna.get(f"/c/four/compare{query}")).startswith(ahead)


def test_the_numbers_are_those_of_the_engine(anna: FlaskClient, four: Campaign) -> None:
    found = compare_runs(four, ["mixed", "first", "third"], measure="RR")
    answer = anna.get("/c/four/compare?run=mixed&run=first&run=third&measure=RR")
    baseline, *shown = rows(answer, "tests")
    assert baseline == ["mixed", "0.6111", "25 %", "baseline"]  # one of four documents is judged
    assert shown == [
        [
            one.run,
            f"{one.mean:.4f}",
            "25 %",
            words.signed(one.difference),
            words.interval_text(one.interval),
            *map(str, (one.wins, one.ties, one.losses)),
            words.effect_text(one.effect_size),
            "can become level",  # if d1 is relevant, all have one on top
            *(words.p_text(test.p_value) for test in one.tests),
            words.p_text(one.holm),
        ]
        for one in found.differences
    ]
    assert "B = 10,000, seed 1" in said(answer)
    assert says(said(answer))


REFUSED = """
?run=first
?run=first&run=secnd
?run=1&run=2&run=3&run=4&run=5&run=6
?run=first&run=second&measure=nDGC@10
?run=first&run=second&measure=alpha_nDCG@10
?run=first&run=second&topic=77
?run=first&run=second&closer=third
/pairs?permutations=1000000
/pairs?as-of=-5
/pairs?correction=none
/boards?one=nothing
/boards?two_at=1999-12-31
/boards?one_at=99999
/boards?one_at=1
/boards?one_at=xy
/topics?difference=0
""".split()


@pytest.mark.parametrize("query", REFUSED)
def test_a_question_that_has_no_answer_is_given_back_with_a_reason(anna: FlaskClient, query: str) -> None:
    answer = anna.get(f"/c/four/compare{query}")
    assert answer.status_code == 422
    assert says(alerts(answer.text))
    assert "<form" in answer.text


@pytest.mark.parametrize("path", ["", "/pairs", "/boards", "/topics"])
def test_without_judgments_or_runs_the_pages_say_what_to_do(anna: FlaskClient, path: str) -> None:
    unjudged = anna.get(f"/c/small/compare{path}")
    assert unjudged.status_code == 200
    assert says(lead(unjudged))
    empty = anna.get(f"/c/robust/compare{path}")
    assert (empty.status_code, says(lead(empty))) == (200, True)


def test_one_topic_tells_nothing_about_chance(anna: FlaskClient, small: Path, judging_as: JudgeAs) -> None:
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
    answer = anna.get("/c/small/compare?run=beta&run=alpha")
    assert answer.status_code == 200
    assert says(lead(answer))
    assert anna.get("/c/small/compare/pairs").status_code == 200
    assert anna.get("/c/small/compare/boards").status_code == 200
    plan = anna.get("/c/small/compare/topics")
    assert plan.status_code == 422
    assert says(said(plan))


def test_all_pairs_are_those_of_the_engine(anna: FlaskClient, four: Campaign) -> None:
    found = all_pairs(four, "AP", baseline="third", permutations=1000, seed=7)
    answer = anna.get("/c/four/compare/pairs?baseline=third&permutations=1000&seed=7")
    assert found.max_t is not None
    places = [found.tags.index(tag) for tag in found.tags]
    assert [(row[1], row[2], row[3], row[6], row[7]) for row in rows(answer, "runs")] == [
        (
            found.tags[place],
            f"{found.means[place]:.4f}",
            " ".join(found.letters[place]),
            words.p_text(float(found.to_the_best[place])) if place else "–",
            "baseline" if found.tags[place] == "third" else words.p_text(float(found.max_t[place])),
        )
        for place in places
    ]
    counts = {row[0]: row[1] for row in rows(answer, "ways")}
    assert counts["Paired t, Holm"] == str(found.significant(found.holm))
    assert counts["Paired t, Benjamini-Hochberg"] == str(found.significant(found.benjamini_hochberg))
    assert says(said(answer))


def test_two_measures_agree_as_the_engine_says(anna: FlaskClient, four: Campaign) -> None:
    found = two_leaderboards(leaderboard(four, "AP"), leaderboard(four, "P@2"), resamples=200)
    answer = anna.get("/c/four/compare/boards?one=AP&two=P@2")
    assert found.rbo is not None
    coefficients = (found.tau_b, found.tau_ap, found.tau_ap_b, found.rbo.ext)
    assert [row[1] for row in rows(answer, "agreement")] == [words.three(value) for value in coefficients]
    assert lead(answer) == words.boards_sentence(found)
    # AP: first 1, mixed 11/18, second 1/2, third 1/3; P@2: first and second 1/2, mixed 1/3, third 0
    assert [(row[0], row[2], row[4]) for row in rows(answer, "places")] == [
        ("first", "1", "1"),
        ("mixed", "2", "3"),
        ("second", "3", "1"),
        ("third", "4", "4"),
    ]


def test_two_moments_are_compared(anna: FlaskClient, four: Campaign) -> None:
    newest = log.newest_seq(four)
    # One row ago topic 6 was not judged: mixed had 1, 1/2, 1/3, 1, 1/2, mean 2/3.
    answer = anna.get(f"/c/four/compare/boards?one=AP&two=AP&two_at={newest - 1}")
    assert ["mixed", "0.6111", "2", "0.6667", "2", "0"] in rows(answer, "places")
    assert f"AP and AP as of row {newest - 1} order 4 runs with tau_b 1.000" in lead(answer)


def send(client: FlaskClient, token: str, content: bytes, name: str = "other.qrels") -> TestResponse:
    sent = {"csrf_token": token, "measure": "AP", "files": (BytesIO(content), name)}
    return client.post("/c/four/compare/boards", data=sent, content_type="multipart/form-data")


def test_a_file_of_judgments_gives_the_other_board_and_is_not_kept(
    anna: FlaskClient, four: Campaign, token_of: TokenOf
) -> None:
    before = log.head(four)
    # By the file d4 alone is relevant: every run has it on rank 4.
    answer = send(anna, token_of(anna), b"1 0 d4 1\n2 0 d4 1\n")
    assert answer.status_code == 200
    assert [row[3] for row in rows(answer, "places")] == ["0.2500"] * 4
    assert "AP by the campaign and AP by other.qrels" in said(answer)
    assert says(answer.text)
    assert log.head(four) == before


def test_without_what_draws_a_picture_the_other_board_is_there_and_the_way_to_a_picture(
    anna: FlaskClient, four: Campaign, token_of: TokenOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    answer = send(anna, token_of(anna), b"1 0 d4 1\n2 0 d4 1\n")
    assert [row[3] for row in rows(answer, "places")] == ["0.2500"] * 4
    assert missing("vl_convert") in unescape(answer.text)
    assert "data:image" not in answer.text


@pytest.mark.parametrize(
    ("content", "where"), [(b"1 0 d4 1\n1 0 d4\n", "other.qrels:2"), (b"99 0 d4 1\n", "other.qrels")]
)
def test_a_file_that_cannot_be_taken_is_given_back_with_a_reason(
    anna: FlaskClient, token_of: TokenOf, content: bytes, where: str
) -> None:
    answer = send(anna, token_of(anna), content)
    assert answer.status_code == 422
    assert says(alerts(answer.text), where)


@pytest.mark.parametrize(
    "path",
    ["?run=mixed&run=first&topic=6", "/pairs?permutations=1000&baseline=first", "/topics?difference=0.2"],
)
def test_the_numbers_of_a_moment_have_an_address_that_keeps_them(
    anna: FlaskClient, four: Campaign, judging_as: JudgeAs, path: str
) -> None:
    before = anna.get(f"/c/four/compare{path}")
    (address,) = re.findall('href="([^"]*)">Permanent link', before.text)
    judging_as(four, "Ben", "6", "d3", 1)
    assert numbers(anna.get(f"/c/four/compare{path}")) != numbers(before)
    then = anna.get(unescape(address))
    assert then.status_code == 200
    assert (lead(then), numbers(then)) == (lead(before), numbers(before))
    figures = re.findall(r'data-figure="([^"]*)"', then.text)
    assert figures
    for figure in figures:
        assert "as_of=" in figure
        assert anna.get(unescape(figure)).status_code == 200


def test_the_plan_is_that_of_the_engine(anna: FlaskClient, four: Campaign) -> None:
    found = plan_topics(scores_of(four, "AP"), differences=(0.2,), topics=(6,), power=0.9)
    answer = anna.get("/c/four/compare/topics?difference=0.2&power=0.9")
    assert lead(answer) == words.plan_sentence(found)
    assert f"{found.sd:.3f}" in said(answer)


def test_every_measure_on_the_menu_can_be_compared(anna: FlaskClient) -> None:
    measures = [choice.name for choice in choices([])]
    assert len(measures) > 5
    for measure in measures:
        for address in (f"?run=mixed&run=first&measure={measure}", f"/boards?two=AP&one={measure}"):
            answer = anna.get(f"/c/four/compare{address}")
            assert answer.status_code == 200, address
            assert "nan" not in numbers(answer)


@pytest.mark.parametrize("page", ["/topics?as-of=", "/boards?one=AP&two=AP&two_at="])
def test_a_date_is_the_last_row_written_up_to_it_and_is_shown_beside_it(anna: FlaskClient, page: str) -> None:
    today = datetime.now().astimezone().date().isoformat()
    answer = anna.get(f"/c/four/compare{page}{today}")
    assert answer.status_code == 200
    newest = re.search(rf"As of {today} 23:59:59 \(.*?\) is log row (\d+), written ", answer.text)
    assert newest is not None
    assert numbers(answer) == numbers(anna.get(f"/c/four/compare{page}{newest[1]}"))


@pytest.mark.parametrize(
    ("address", "first"),
    [
        ("compare?run=first&run=third", "run,mean,difference,"),
        ("compare/pairs?baseline=third", "run,other,difference,p_randomised_tukey,"),
        ("compare/topics", "difference,topics,power_now"),
    ],
)
def test_what_is_compared_can_be_saved_and_asked_for_by_programs(
    anna: FlaskClient, address: str, first: str
) -> None:
    with_fields = f"{address}{'&' if '?' in address else '?'}"
    lines = anna.get(f"/c/four/{with_fields}format=csv").text
    assert lines.startswith(first)
    assert (
        anna.get(f"/c/four/{with_fields}format=json").get_json()
        == anna.get(f"/c/four/api/{address}").get_json()
    )
    assert says(said(anna.get(f"/c/four/{address}")))
