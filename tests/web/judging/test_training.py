"""Before the first document assessors read the guidelines and examples, and practise; practice never counts."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.fixture_types import JudgeAs, MakeCampaign, Post, TokenOf
from tests.judged_pairs import NOW
from tests.log_rows import row
from tests.sentences import refused, says
from workbench.campaign import assigning, training
from workbench.campaign.changing_settings import change_settings
from workbench.cli import main
from workbench.core.errors import CampaignError, NotThere
from workbench.core.records import Document, Topic
from workbench.release.export import EXPORTS
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.assigning import training as stored
from workbench.storage.campaign.assigning.training import EXAMPLE, PRACTICE, TrainingPair
from workbench.storage.campaign.collection import documents as stored_documents
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

REASON = "Ice alone is not about rivers."
TRAINING = "/c/rivers/training"
CHOICE = {"topic": "1", "document": "d1", "use": PRACTICE, "grade": "1", "reason": REASON}
MARK = 97


"""A grade on no other pair, so that it is found wherever it gets to."""


@pytest.fixture
def rivers(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Path:
    """Three documents, of which Carla judged d1 and d2."""
    documents = [Document(f"d{number}", f"Title {number}", "Ice.") for number in (1, 2, 3)]
    path = make_campaign("rivers", [Topic("1", "ice")], documents, {"a": {"1": ["d1", "d2", "d3"]}})
    with open_campaign(path) as campaign:
        judging_as(campaign, "Carla", "1", "d1", 1)
        judging_as(campaign, "Carla", "1", "d2", 0)
    return path


Practise = Callable[..., str]


@pytest.fixture
def practise(ben: FlaskClient, post: Post) -> Practise:
    """Ben's answer to a pair of the set: what the page after it says."""

    def answer(document_id: str, grade: int, status: int = 200) -> str:
        form = {"topic": "1", "document": document_id, "grade": str(grade)}
        sent = post(ben, "/c/rivers/practice", **form)
        page = ben.get(sent.location) if sent.status_code == 303 else sent
        assert page.status_code == status
        return " ".join(html.unescape(page.text).split())

    return answer


def downloads(client: FlaskClient) -> dict[str, str]:
    """All files with data on offer, without the lines that name the log's newest row."""
    texts = {kind: client.get(f"/c/rivers/download/{kind}").text for kind in EXPORTS if kind != "datasheet"}
    return {kind: re.sub(r"(?m)^.*(log row|hash \w|head).*$", "", text) for kind, text in texts.items()}


pytestmark = pytest.mark.usefixtures("rivers")


def exports(path: Path, folder: Path) -> dict[str, str]:
    found = {}
    for what in ("qrels", "pool", "judgments", "rationales", "scores", "topic-scores", "latex", "hours"):
        run = CliRunner().invoke(main, ["export", what, str(path), "-o", str(folder / what)])
        assert run.exit_code == 0, run.output
        found[what] = re.sub(r"(?m)^% As of log row.*$", "", (folder / what).read_text())
    return found


def choose(path: Path, use: str, *document_ids: str, grade: int = 1) -> None:
    with open_campaign(path) as campaign:
        for document_id in document_ids:
            training.choose_pair(campaign.by("Anna"), TrainingPair("1", document_id, use, grade, REASON))


def test_guidelines_come_before_the_first_document_and_are_confirmed_once_per_version(
    ben: FlaskClient, rivers: Path, post: Post
) -> None:
    assert ben.get("/c/rivers/judge?topic=1").status_code == 200, "without any guidelines"
    with open_campaign(rivers) as campaign:
        change_settings(campaign.by("Anna"), {"guidelines": "Read all."})
        version = log.newest_seq(campaign)
    assert ben.get("/c/rivers/judge?topic=1").location == "/c/rivers/guidelines"
    assert says(ben.get("/c/rivers/guidelines").text)
    for address in ("/c/rivers/judge?tour=1", "/c/rivers/judge"):
        assert post(ben, "/c/rivers/guidelines", version=str(version), then="judge").location == address
    assert ben.get("/c/rivers/judge?tour=1").location == "/c/rivers/judge?topic=1&tour=1"
    assert ben.get("/c/rivers/judge?topic=1").status_code == 200
    with open_campaign(rivers) as campaign:
        (read,) = log.events(campaign, stored.READ)
        assert (read.actor, read.content) == ("Ben", {"version": version})
        change_settings(campaign.by("Anna"), {"guidelines": "Read half."})
    page = ben.get("/c/rivers/judge?topic=1")
    assert (page.status_code, "The guidelines changed" in page.text) == (200, True), (
        "it stops nobody who has begun"
    )


def test_an_organiser_chooses_an_example_on_the_page_of_a_pair_and_assessors_read_it_with_its_reason(
    anna: FlaskClient, ben: FlaskClient, post: Post
) -> None:
    assert says(anna.get("/c/rivers/pair?topic=1&document=d1").text)
    form = CHOICE | {"do": "choose", "use": "example"}
    assert [post(who, TRAINING, **form).status_code for who in (ben, anna)] == [403, 303]
    assert ben.get("/c/rivers/judge?topic=1").location == "/c/rivers/guidelines"
    assert REASON in ben.get("/c/rivers/guidelines").text
    assert "Ice</mark>." in ben.get("/c/rivers/practice/document?topic=1&document=d1").text
    assert ben.get("/c/rivers/practice/document?topic=1&document=d3").status_code == 404
    assert [post(anna, TRAINING, **form | {"do": "remove"}).status_code for _ in range(2)] == [303, 409]
    assert REASON not in ben.get("/c/rivers/guidelines").text


def tick(client: FlaskClient, token_of: TokenOf, **form: object) -> TestResponse:
    """Send the table of d1 and d2 with these boxes and reasons."""
    sent = {"do": "tick", "topic": "1", "document": ["d1", "d2"], "csrf_token": token_of(client), **form}
    return client.post(TRAINING, data=sent)


def used(path: Path) -> dict[str, list[tuple[str, int, str]]]:
    with open_campaign(path) as campaign:
        return {
            use: [(pair.document_id, pair.grade, pair.reason) for pair in stored.pairs(campaign, use)]
            for use in (EXAMPLE, PRACTICE)
        }


def test_boxes_of_the_table_choose_and_drop_judged_documents_with_their_grades(
    anna: FlaskClient, rivers: Path, token_of: TokenOf
) -> None:
    page = anna.get(TRAINING).text
    assert all(f'name="practice" value="{name}"' in page for name in ("d1", "d2"))
    assert 'value="d3"' not in page, "not judged"
    assert '<bdi class="hint">d1</bdi>' in page, "the id, by which the table is ordered and searched"
    reasons = {"reason-0": "Names one.", "reason-1": "Names none."}
    assert tick(anna, token_of, example=["d1"], practice=["d1", "d2"], **reasons).status_code == 303
    chosen = [("d1", 1, "Names one."), ("d2", 0, "Names none.")]
    assert used(rivers) == {EXAMPLE: chosen[:1], PRACTICE: chosen}
    shown = {"was-example": ["d1"], "was-practice": ["d1", "d2"]}
    tick(anna, token_of, practice=["d1", "d2"], **{**reasons, "reason-0": "Names it.", **shown})
    assert used(rivers) == {EXAMPLE: [], PRACTICE: [("d1", 1, "Names it."), chosen[1]]}
    tick(anna, token_of, example=["d2"], **{"reason-0": "", "reason-1": "Names none."})
    left = {EXAMPLE: chosen[1:], PRACTICE: [("d1", 1, "Names it."), chosen[1]]}
    assert used(rivers) == left, "what another organiser chose after the table was opened stays"


def test_a_table_that_is_refused_stores_nothing_and_keeps_what_was_typed(
    anna: FlaskClient, rivers: Path, token_of: TokenOf
) -> None:
    answer = tick(anna, token_of, example=["d1", "d2"], **{"reason-1": "Names none."})
    assert (answer.status_code, used(rivers)) == (422, {EXAMPLE: [], PRACTICE: []})
    assert 'value="Names none."' in answer.text
    assert 'name="example" value="d1" checked' in answer.text


@pytest.mark.parametrize("use", [EXAMPLE, PRACTICE])
@pytest.mark.parametrize(
    ("changes", "words"),
    [*(({"reason": reason}, "reason") for reason in ("", "  \n", "x" * 1001)),
     ({"document": "d3"}, "is not judged"), ({"grade": "9"}, "grade 9 is not"),
     ({"grade": "x"}, "choose one of"), ({"use": "exam"}, "of example, practice")],
)  # fmt: skip
def test_a_pair_without_a_reason_or_a_grade_is_refused_and_nothing_is_stored(
    anna: FlaskClient, rivers: Path, post: Post, use: str, changes: dict[str, str], words: str
) -> None:
    refused = post(anna, TRAINING, **CHOICE | {"use": use} | changes)
    assert (refused.status_code, words in html.unescape(refused.text).lower()) == (422, True)
    assert used(rivers) == {EXAMPLE: [], PRACTICE: []}


def test_a_practice_set_is_offered_until_it_is_answered_and_says_what_the_organiser_said_and_why(
    anna: FlaskClient, ben: FlaskClient, rivers: Path, practise: Practise
) -> None:
    link = '<a class="turn" href="/c/rivers/practice">Practice</a>'
    assert link not in ben.get("/c/rivers/").text
    choose(rivers, PRACTICE, "d1", "d2")
    assert link not in anna.get("/c/rivers/own-topics").text, "an organiser chose the set"
    page = practise("d1", 0)
    assert "You said" in page and REASON in page and "and the organiser" not in page
    practise("d3", 1, status=409)  # not in the set
    practise("d2", 9, status=422)
    assert link in ben.get("/c/rivers/").text
    assert says(practise("d2", 1))
    assert says(ben.get("/c/rivers/practice").text)
    assert link not in ben.get("/c/rivers/").text
    with open_campaign(rivers) as campaign:
        assert len(stored.attempts(campaign, "Ben")[0]) == 2


def test_the_first_answer_of_an_attempt_counts_and_a_result_that_sufficed_stays(
    anna: FlaskClient, ben: FlaskClient, rivers: Path, post: Post, practise: Practise
) -> None:
    choose(rivers, PRACTICE, "d1", "d2")
    with open_campaign(rivers) as campaign:
        change_settings(campaign.by("Anna"), {"practice-required": 5})
    judging = "/c/rivers/judge?topic=1"
    assert ben.get(judging).location == "/c/rivers/practice"
    assert anna.get(judging).status_code == 200, "an organiser chose the set"
    for document_id, grade in (("d1", 0), ("d1", 1), ("d2", 1)):
        practise(document_id, grade)
    assert says(ben.get("/c/rivers/practice").text), "all there are"
    assert ben.get(judging).location == "/c/rivers/practice"
    post(ben, "/c/rivers/practice", do="again")
    practise("d1", 1)
    practise("d2", 1)
    assert ben.get(judging).status_code == 200
    post(ben, "/c/rivers/practice", do="again")
    assert ben.get(judging).status_code == 200
    assert "reached" in anna.get(TRAINING).text


def test_how_many_have_to_be_right_is_set_on_the_page_and_nothing_typed_is_none(
    anna: FlaskClient, rivers: Path, post: Post
) -> None:
    for typed, required in (("3", 3), ("", 0)):
        assert post(anna, TRAINING, do="require", required=typed).location == TRAINING
        with open_campaign(rivers) as campaign:
            assert settings.read(campaign).practice_required == required
    assert post(anna, TRAINING, do="require", required="-1").status_code == 422


def test_a_document_without_a_text_is_no_example(rivers: Path) -> None:
    with open_campaign(rivers) as campaign:
        with campaign.write():
            stored_documents.put_ids(campaign, ["gone"])
            log.append_judgments(campaign, [row("Carla", "1", "gone", 1)])
        with refused(NotThere, "gone"):
            training.choose_pair(campaign.by("Anna"), TrainingPair("1", "gone", EXAMPLE, 1, REASON))


def test_practice_is_in_no_judgment_and_in_no_export(
    anna: FlaskClient, rivers: Path, practise: Practise, tmp_path: Path
) -> None:
    with open_campaign(rivers) as campaign:
        scale = [[0, "No", ""], [1, "Yes", ""], [MARK, "Practised", ""]]
        change_settings(campaign.by("Anna"), {"grades": scale}, renames=True)
    choose(rivers, PRACTICE, "d1", "d2", grade=MARK)
    before, exported = downloads(anna), exports(rivers, tmp_path)
    with open_campaign(rivers) as campaign:
        judged = list(log.hashed_judgments(campaign))
        for document_id in ("d1", "d2"):
            practise(document_id, MARK)
        assert list(log.hashed_judgments(campaign)) == judged
        assert len(stored.attempts(campaign, "Ben")[0]) == 2
    assert (downloads(anna), exports(rivers, tmp_path)) == (before, exported)
    agreement = CliRunner().invoke(main, ["agreement", str(rivers)]).output
    assert "Ben" not in " ".join([*before.values(), *exported.values(), agreement])


def test_a_use_takes_so_many_pairs_and_a_pair_chosen_again_is_corrected(rivers: Path) -> None:
    with open_campaign(rivers) as campaign:
        limit = training.MOST[EXAMPLE]
        for number in range(limit):
            with campaign.write():
                stored.put_pair(campaign.by("Anna"), TrainingPair("1", f"x{number}", EXAMPLE, 1, "x"))
        with pytest.raises(CampaignError, match="5 pairs for example already"):
            training.choose_pair(campaign.by("Anna"), TrainingPair("1", "d1", EXAMPLE, 1, REASON))
        training.choose_pair(campaign.by("Anna"), TrainingPair("1", "d1", PRACTICE, 1, REASON))
        training.choose_pair(campaign.by("Anna"), TrainingPair("1", "d1", PRACTICE, 0, "Else."))
        assert stored.pairs(campaign, PRACTICE) == [TrainingPair("1", "d1", PRACTICE, 0, "Else.")]


def test_how_many_examples_help_is_said_until_there_are_three(
    anna: FlaskClient, rivers: Path, judging_as: JudgeAs
) -> None:
    with open_campaign(rivers) as campaign:
        judging_as(campaign, "Carla", "1", "d3", 1)

    def said() -> str:
        return " ".join(re.findall(r"<p>((?:None yet\. )?Three to five[^<]*)</p>", anna.get(TRAINING).text))

    assert says(said(), "None yet.", training.MOST[EXAMPLE])
    hint = said().removeprefix("None yet. ")
    for name, left in (("d1", hint), ("d2", hint), ("d3", "")):
        choose(rivers, EXAMPLE, name)
        assert (name, said()) == (name, left)


def start_of(client: FlaskClient) -> str:
    """What the start page says first: what to do next, and how far one is."""
    (block,) = re.findall(r'(?s)<section class="start".*?</section>', client.get("/c/rivers/own-topics").text)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", block)).split())


def test_the_start_page_says_what_to_do_next_and_how_far_one_is(
    ben: FlaskClient, make_campaign: MakeCampaign, post: Post, judging_as: JudgeAs, practise: Practise
) -> None:
    names = ["d1", "d2", "d3", "d4"]
    made = [Document(name, "", "Ice.") for name in names]
    path = make_campaign("rivers", [Topic("1", "ice")], made, {"a": {"1": names}})
    with open_campaign(path) as campaign:
        judging_as(campaign, "Carla", "1", "d1", 1)
        judging_as(campaign, "Carla", "1", "d2", 0)
        change_settings(campaign.by("Anna"), {"guidelines": "Read all.", "practice-required": 1})
        version = log.newest_seq(campaign)
    assert says(start_of(ben), "Today 0 judged In total 2 of 4 0 by you")
    choose(path, EXAMPLE, "d2", grade=0)
    choose(path, PRACTICE, "d1")
    assert says(start_of(ben))
    post(ben, "/c/rivers/guidelines", version=str(version), then="judge")
    assert says(start_of(ben))
    practise("d1", 0)
    assert says(start_of(ben)), "the result that is required is not reached"
    post(ben, "/c/rivers/practice", do="again")
    practise("d1", 1)
    assert says(start_of(ben), "2 of 4 left")
    for name, at, told in (
        ("d3", NOW, "Today 0 judged In total 3 of 4 1 by you"),
        ("d4", datetime.now(UTC), "Today 1 judged In total 4 of 4 2 by you, on 2 days"),
    ):
        with open_campaign(path) as campaign:
            judging_as(campaign, "Ben", "1", name, 1, now=at)
        assert says(start_of(ben), told)


@pytest.mark.parametrize("who", ["claimed", "assigned"])
def test_the_start_page_of_an_assessor_without_a_topic_says_how_to_get_one(
    ben: FlaskClient, rivers: Path, who: str
) -> None:
    with open_campaign(rivers) as campaign:
        assigning.choose_who_judges(campaign.by("Anna"), who)
    assert says(start_of(ben), "Today 0 judged In total 0 of 0")
