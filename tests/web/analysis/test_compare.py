"""The comparing pages show the numbers of the engine, and say what is wrong with a question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from scipy.stats import binomtest, ttest_rel, wilcoxon
from werkzeug.test import TestResponse

from tests.fixture_types import JudgeAs, MakeCampaign, SignIn, TokenOf
from tests.sentences import says
from workbench.analysis.comparing.all_pairs import all_pairs
from workbench.analysis.comparing.leaderboards import leaderboard, two_leaderboards
from workbench.analysis.comparing.planning import plan_topics
from workbench.analysis.comparing.runs import compare_runs
from workbench.analysis.comparing.scores import scores_of
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.core.records import Document, Topic
from workbench.scoring.board.past_boards import topic_scores_of
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


pytestmark = pytest.mark.usefixtures("four")


def said(answer: TestResponse) -> str:
    """The page as people read it: without tags, white space once."""
    text = re.sub("</?bdi>", "", answer.get_data(as_text=True))
    return " ".join(unescape(re.sub("<[^>]*>", " ", text)).split())


def lead(answer: TestResponse) -> str:
    return " ".join(
        unescape(" ".join(re.findall('class="lead">(.*?)</p>', answer.get_data(as_text=True)))).split()
    )


def rows(answer: TestResponse, table: str) -> list[list[str]]:
    """The cells of the table that is labelled by the heading with this id."""
    text = answer.get_data(as_text=True)
    body = (
        re.split(f'<table[^>]* aria-labelledby="{table}"', text)[1].split("<tbody>")[1].split("</tbody>")[0]
    )
    found = [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in body.split("<tr>")[1:]]
    return [[unescape(re.sub("<[^>]*>", "", cell)).strip() for cell in row] for row in found]


def numbers(answer: TestResponse) -> list[str]:
    return re.findall('<td class="numeric[^>]*>([^<]*)<', answer.get_data(as_text=True))


def test_two_runs_are_compared_in_a_sentence(anna: FlaskClient) -> None:
    # first: 1 on all topics; mixed: 1, 1/2, 1/3, 1, 1/2, 1/3, mean 11/18. The differences have mean 7/18 and
    # standard deviation 0.3103: t = 3.07 with 5 degrees of freedom.
    answer = anna.get("/c/four/compare?run=mixed&run=first")
    assert lead(answer).startswith(
        "first is ahead of mixed by 0.3889 AP (1.0000 against 0.6111); 4 topics better, 0 worse, 2 equal. "
        "The difference is significant (paired t, p = 0.028, 95 % interval "
    )


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


def test_the_baseline_can_be_named_apart(anna: FlaskClient) -> None:
    assert lead(anna.get("/c/four/compare?baseline=third&run=first")).startswith(
        "first is ahead of third by 0.6667"
    )


def test_the_two_best_runs_are_compared_where_nobody_chose(anna: FlaskClient) -> None:
    # first has 1, mixed 11/18, second 1/2
    answer = anna.get("/c/four/compare")
    assert lead(answer).startswith("first is ahead of mixed by 0.3889")
    assert "No runs chosen" in said(answer)


def test_the_documents_that_make_the_difference_are_reported(anna: FlaskClient) -> None:
    # On topic 3, first has d2 on rank 1 and mixed on rank 3.
    answer = said(anna.get("/c/four/compare?run=mixed&run=first&topic=3"))
    assert "On topic 3 (title 3), first has AP 1.0000 and mixed 0.3333: a difference of +0.6667." in answer
    assert "Document 2 d2 Relevant 1 3 +0.6667" in answer


def test_figures_are_of_what_is_compared(anna: FlaskClient) -> None:
    text = anna.get("/c/four/compare?run=mixed&run=first&measure=P@2").get_data(as_text=True)
    for figure in re.findall(r'data-figure="([^"]*)"', text):
        answer = anna.get(unescape(figure))
        assert answer.status_code == 200
    assert "compare-topics.svg?run=first&amp;baseline=mixed&amp;measure=P@2" in text
    assert "compare-curves.svg?run=mixed&amp;run=first" in text
    for name in ("topic-precision-recall", "topic-gain", "topic-roc"):
        assert f"{name}.svg?topic=3&amp;run=mixed&amp;run=first" in text


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("?run=first", "Choose a second run to compare first with"),
        ("?run=first&run=first", "Choose a second run to compare first with"),
        ("?run=first&run=secnd", "There is no run 'secnd'; did you mean second?"),
        ("?run=1&run=2&run=3&run=4&run=5&run=6", "At most 5 runs can be compared at once, not 6"),
        ("?run=first&run=second&measure=nDGC@10", "nDCG"),
        ("?run=first&run=second&measure=alpha_nDCG@10", "needs judgments of subtopics"),
        ("?run=first&run=second&topic=77", "Topic '77' has no judgments, or does not exist"),
        ("?run=first&run=second&closer=third", "Run third is not among those"),
        ("/pairs?baseline=nobody", "There is no run 'nobody'"),
        ("/pairs?permutations=1000000", "Permutations is 1000000; it must be at least 1 and at most 10000"),
        ("?as-of=99999", "The log has no row 99999 yet"),
        ("/pairs?as-of=-5", "'-5' is not a log row such as 1234"),
        ("/pairs?correction=none", "The correction must be one of tukey, holm, bh, not 'none'"),
        ("/pairs?seed=-1", "Seed is -1; it must be at least 0"),
        ("/boards?one=nothing", "nothing"),
        ("/boards?two_at=1999-12-31", "the log begins at"),
        ("/topics?as-of=9998-01-01", "9998-01-01 is in the future"),
        ("/boards?one_at=99999", "The log has no row 99999 yet; its newest row is"),
        ("/boards?one_at=1", "As of row 1 no run was judged yet"),
        ("/boards?one_at=xy", "'xy' is not a log row such as 1234"),
        ("/topics?difference=0", "Difference is 0.0; it must be at least 0.0001 and at most 1000"),
        ("/topics?difference=nan", "Difference is nan; it must be at least 0.0001 and at most 1000"),
        ("/topics?difference=much", "Difference is 'much'; it must be a number"),
        ("/topics?power=1.5", "Power is 1.5; it must be above 0 and below 1"),
    ],
)
def test_a_question_that_has_no_answer_is_given_back_with_a_reason(
    anna: FlaskClient, query: str, message: str
) -> None:
    answer = anna.get(f"/c/four/compare{query}")
    assert answer.status_code == 422
    assert message in said(answer)
    assert "<form" in answer.get_data(as_text=True)


def test_what_was_asked_stays_in_the_form(anna: FlaskClient) -> None:
    text = anna.get("/c/four/compare?run=third&measure=nDGC").get_data(as_text=True)
    assert text.count(" selected>third<") == 1
    assert 'name="measure" value="nDGC"' in text


@pytest.mark.parametrize("path", ["", "/pairs", "/boards", "/topics"])
def test_without_judgments_or_runs_the_pages_say_what_to_do(
    app: Flask, client_of: SignIn, small: Path, path: str
) -> None:
    client = client_of(app, "Anna")
    unjudged = client.get(f"/c/small/compare{path}")
    assert unjudged.status_code == 200
    assert says(lead(unjudged))
    empty = client.get(f"/c/robust/compare{path}")
    assert (empty.status_code, says(lead(empty))) == (200, True)


@pytest.mark.parametrize("path", ["", "/pairs", "/boards", "/topics"])
def test_runs_that_are_withdrawn_are_not_said_to_be_missing(
    anna: FlaskClient, four: Campaign, path: str
) -> None:
    withdraw_runs(four.by("Anna"), ["first", "second", "third"])
    page = f"/c/four/compare{path}"
    assert says(lead(anna.get(page)))
    withdraw_runs(four.by("Anna"), ["mixed"])
    assert says(lead(anna.get(page)))


def test_documents_as_of_a_row_have_their_grades_of_that_time(
    anna: FlaskClient, four: Campaign, judging_as: JudgeAs
) -> None:
    then = log.newest_seq(four)
    address = f"/c/four/compare?run=first&run=third&topic=1&as-of={then}"
    before = said(anna.get(address))
    judging_as(four, "Ben", "1", RELEVANT, 0)
    judging_as(four, "Ben", "1", "d1", 1)
    assert said(anna.get(address)).replace(f"{then + 2}", f"{then}") == before


def test_runs_that_never_differ_say_nothing_of_the_number_of_topics(
    anna: FlaskClient, four: Campaign
) -> None:
    withdraw_runs(four.by("Anna"), ["mixed"])
    assert says(lead(anna.get("/c/four/compare/topics")))


def test_one_topic_tells_nothing_about_chance(
    app: Flask, client_of: SignIn, small: Path, judging_as: JudgeAs
) -> None:
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
    client = client_of(app, "Anna")
    answer = client.get("/c/small/compare?run=beta&run=alpha")
    assert answer.status_code == 200
    assert says(lead(answer))
    assert client.get("/c/small/compare/pairs").status_code == 200
    assert client.get("/c/small/compare/boards").status_code == 200
    plan = client.get("/c/small/compare/topics")
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
    assert says(answer.get_data(as_text=True))
    assert log.head(four) == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"1 0 d4 1\n1 0 d4\n", "other.qrels:2: "),
        (b"99 0 d4 1\n", "other.qrels: none of its topics is one of four"),
        (b"", "other.qrels"),
    ],
)
def test_a_file_that_cannot_be_taken_is_given_back_with_a_reason(
    anna: FlaskClient, token_of: TokenOf, content: bytes, message: str
) -> None:
    answer = send(anna, token_of(anna), content)
    assert answer.status_code == 422
    assert message in said(answer)
    assert "/tmp" not in said(answer)


def test_a_form_without_a_file_asks_for_one(anna: FlaskClient, token_of: TokenOf) -> None:
    answer = anna.post("/c/four/compare/boards", data={"csrf_token": token_of(anna)})
    assert answer.status_code == 422
    assert says(said(answer))


@pytest.mark.parametrize(
    "path", ["?run=mixed&run=first", "/pairs?permutations=1000&baseline=first", "/topics?difference=0.2"]
)
def test_the_numbers_of_a_moment_have_an_address_that_keeps_them(
    anna: FlaskClient, four: Campaign, judging_as: JudgeAs, path: str
) -> None:
    before = anna.get(f"/c/four/compare{path}")
    (address,) = re.findall('href="([^"]*)">Permanent link', before.get_data(as_text=True))
    judging_as(four, "Ben", "6", "d3", 1)
    assert numbers(anna.get(f"/c/four/compare{path}")) != numbers(before)
    then = anna.get(unescape(address))
    assert then.status_code == 200
    assert (lead(then), numbers(then)) == (lead(before), numbers(before))
    figures = re.findall(r'data-figure="([^"]*)"', then.get_data(as_text=True))
    assert figures
    for figure in figures:
        assert "as_of=" in figure
        assert anna.get(unescape(figure)).status_code == 200


def test_the_plan_is_that_of_the_engine(anna: FlaskClient, four: Campaign) -> None:
    found = plan_topics(scores_of(four, "AP"), differences=(0.2,), topics=(6,), power=0.9)
    answer = anna.get("/c/four/compare/topics?difference=0.2&power=0.9")
    assert lead(answer) == words.plan_sentence(found)
    assert f"{found.sd:.3f}" in said(answer)


def test_runs_with_odd_names_are_text(
    app: Flask, client_of: SignIn, make_campaign: MakeCampaign, judging_as: JudgeAs
) -> None:
    odd = "<b>&run"
    rankings = {odd: {"1": ["d1"], "2": ["d1"]}, "plain": {"1": ["d2"], "2": ["d1"]}}
    documents = [Document("d1", "one", "text"), Document("d2", "two", "text")]
    path = make_campaign("odd", [Topic("1", "one"), Topic("2", "two")], documents, rankings)
    with open_campaign(path) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
        judging_as(campaign, "Ben", "2", "d1", 1)
    client = client_of(app, "Anna")
    answer = client.get("/c/odd/compare", query_string={"run": ["plain", odd]})
    assert lead(answer).startswith("<b>&run is ahead of plain")
    assert "<b>" not in answer.get_data(as_text=True)
    for path_of in ("pairs", "boards", "topics"):
        assert "<b>" not in client.get(f"/c/odd/compare/{path_of}").get_data(as_text=True)


def test_every_measure_on_the_menu_can_be_compared(anna: FlaskClient) -> None:
    measures = [choice.name for choice in choices([])]
    assert len(measures) > 5
    for measure in measures:
        for path in ("?run=mixed&run=first&", "/pairs?permutations=1&", "/boards?two=AP&one=", "/topics?"):
            address = f"/c/four/compare{path}" + (measure if path.endswith("=") else f"measure={measure}")
            answer = anna.get(address)
            # Where all runs have the same value on all topics there is no variance to plan with.
            assert answer.status_code == 200 or "tell nothing about the variance" in said(answer), address
            assert "nan" not in numbers(answer)


@pytest.mark.slow
@pytest.mark.data
def test_a_page_of_real_runs_has_the_p_values_of_scipy(
    app: Flask, client_of: SignIn, instance: Path, data_folder: Path
) -> None:
    files = [str(data_folder / f"robust03/runs/{tag}.txt.gz") for tag in ("aplrob03a", "pircRBa1")]
    with open_campaign(instance / "robust.db") as campaign:
        add_runs(campaign.by("Anna"), files)
        add_qrels(campaign.by("Anna"), [str(data_folder / "robust03/qrels.txt")])
        scored = topic_scores_of(campaign, "nDCG@10")
    one, other = scored.values.T
    address = "/c/robust/compare?run=aplrob03a&run=pircRBa1&measure=nDCG@10"
    _, row = rows(client_of(app, "Anna").get(address), "tests")
    difference = other - one
    wins = int((difference > 0).sum())
    assert row[5:8] == [str(wins), str(int((difference == 0).sum())), str(int((difference < 0).sum()))]
    t = ttest_rel(other, one).pvalue
    ranks = wilcoxon(difference, zero_method="wilcox", correction=True, method="asymptotic").pvalue
    sign = binomtest(wins, int((difference != 0).sum())).pvalue
    assert [row[10], row[12], row[13]] == [words.p_text(p) for p in (t, ranks, sign)]


@pytest.mark.parametrize(
    "page", ["?as-of=", "/pairs?permutations=1000&as-of=", "/topics?as-of=", "/boards?one=AP&two=AP&two_at="]
)
def test_a_date_is_the_last_row_written_up_to_it_and_is_shown_beside_it(anna: FlaskClient, page: str) -> None:
    today = datetime.now().astimezone().date().isoformat()
    answer = anna.get(f"/c/four/compare{page}{today}")
    assert answer.status_code == 200
    newest = re.search(rf"As of {today} 23:59:59 \(.*?\) is log row (\d+), written ", answer.text)
    assert newest is not None
    assert numbers(answer) == numbers(anna.get(f"/c/four/compare{page}{newest[1]}"))


def test_every_pair_is_in_a_list_that_is_searched_and_sorted(anna: FlaskClient) -> None:
    found = said(anna.get("/c/four/compare/pairs?pair-q=SECOND+first&pair-sort=p&measure=RR"))
    assert "1 of 6 pairs matches." in found
    assert "first second +0.5000" in found
    page = anna.get("/c/four/compare/pairs?pair-sort=-difference&measure=RR").text
    assert page.index("run=third&amp;run=first") < page.index("run=second&amp;run=first")
    assert "measure=RR&amp;" in page
    assert "pair-sort=difference" in page


def test_the_topics_of_a_comparison_are_a_list(anna: FlaskClient) -> None:
    page = anna.get("/c/four/compare?run=first&run=mixed&topic-sort=-score1&measure=RR").text
    table = page[page.index("Scores by topic") :]
    shown = re.findall(r"topic=(\d)#closer", table)
    assert (shown[:2], len(shown)) == (["1", "4"], 6)
    assert "run=first&amp;run=mixed&amp;measure=RR&amp;topic-sort=score1" in table


def test_with_many_runs_a_run_is_found_by_typing(
    app: Flask, client_of: SignIn, make_campaign: MakeCampaign, judging_as: JudgeAs
) -> None:
    tags = [f"run{number}" for number in range(31)]
    path = make_campaign(
        "many", [Topic("1", "ice")], [Document("d1", "One", "text")], {tag: {"1": ["d1"]} for tag in tags}
    )
    with open_campaign(path) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
    page = client_of(app, "Anna").get("/c/many/compare?run=run3&run=run30").text
    assert page.count('<option value="run3"></option>') == 1
    assert '<input name="run" list="runs-there" value="run30"' in page


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
    lines = anna.get(f"/c/four/{with_fields}format=csv").get_data(as_text=True)
    assert lines.startswith(first)
    assert (
        anna.get(f"/c/four/{with_fields}format=json").get_json()
        == anna.get(f"/c/four/api/{address}").get_json()
    )
    assert says(said(anna.get(f"/c/four/{address}")))
