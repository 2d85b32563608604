"""The pages of a judge against people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.fixture_types import MakeCampaign
from tests.labels_of_models import add_labels_of_model
from tests.sentences import says
from workbench.analysis.models.estimates import NOT_CHECKED
from workbench.campaign.ingest import add_qrels
from workbench.campaign.model_labels import LabelFiles, add_model_labels, judge_with
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.core.records import Document, Topic
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import pools
from workbench.web.agreement.judge_quality import cell_of

NAME = "<i>gpt</i>"


@pytest.fixture
def campaign(small: Path) -> Iterator[Campaign]:
    with open_campaign(small) as opened:
        yield opened


@pytest.fixture
def labelled(campaign: Campaign, tmp_path: Path) -> Campaign:
    for name, source, text in (
        ("Zoe", "human", "1 0 d1 1\n1 0 d4 0\n2 0 d1 2\n"),
        (NAME, "model", "1 0 d1 2\n1 0 d4 0\n2 0 d1 2\n2 0 d5 1\n"),
        ("tiny", "model", "1 0 d3 2\n"),
    ):
        path = tmp_path / "labels.qrels"
        path.write_text(text, encoding="utf-8")
        if source == "model":
            add_labels_of_model(campaign, path, name, (0, 1, 2))
        else:
            add_qrels(campaign.by("Olga"), [str(path)], assessor=name)
    return campaign


def test_without_labels_of_models_both_pages_say_what_to_do(anna: FlaskClient, campaign: Campaign) -> None:
    for address in ("judge-quality", "judge-boards", "corrected"):
        answer = anna.get(f"/c/small/{address}")
        assert answer.status_code == 200
        assert "add model-labels" in answer.text


def test_a_judges_page_has_its_matrix_and_the_others_to_choose(anna: FlaskClient, labelled: Campaign) -> None:
    page = anna.get("/c/small/judge-quality").text
    assert "<option selected>&lt;i&gt;gpt&lt;/i&gt;</option>" in page
    assert "<option>tiny</option>" in page
    assert 'id="matrix"' in page
    other = anna.get("/c/small/judge-quality?judge=tiny")
    assert other.status_code == 200
    assert says(other.text, "tiny labelled 1 pair")
    wrong = anna.get("/c/small/judge-quality?judge=nobody")
    assert (wrong.status_code, "nobody" in wrong.text) == (422, True)


def test_the_api_and_the_files_have_the_same_numbers(anna: FlaskClient, labelled: Campaign) -> None:
    found = anna.get("/c/small/api/judge-quality").json
    assert found is not None
    assert (found["judge"], found["pairs"], found["topics"]) == (NAME, 3, 2)
    csv = anna.get("/c/small/judge-quality?format=csv").text.splitlines()
    assert csv[0] == "part,scope,coefficient,value,low,high,holds,topics,pairs,note"
    assert len(csv) == 1 + len(found["figures"])


def test_the_boards_page_says_what_the_judge_keeps_and_that_nobody_checked(
    anna: FlaskClient, labelled: Campaign
) -> None:
    page = anna.get("/c/small/judge-boards?measure=P@2")
    assert page.status_code == 200
    assert says(page.text, "checked by people")
    boards = anna.get("/c/small/api/judge-boards?measure=P@2&on=all&family=llama").json
    assert boards is not None
    assert (boards["on"], boards["family"], [view["of"] for view in boards["views"]]) == (
        "all",
        "llama",
        ["all runs"],
    )
    for measure in ("nonsense", "statAP", "AP(mean=geometric)"):
        assert anna.get("/c/small/judge-boards", query_string={"measure": measure}).status_code == 422


def test_a_number_that_is_not_there_is_an_empty_cell() -> None:
    assert cell_of(None) == ""


@pytest.fixture
def drawn(make_campaign: MakeCampaign, tmp_path: Path) -> Path:
    """Six topics of ten documents, half of them drawn; a model labelled all, and then people what was drawn."""
    ids = [f"t{number}" for number in range(6)]
    documents = [Document(f"d{number}", "", f"Text {number}.") for number in range(10)]
    orders = {"alpha": documents, "beta": documents[::-1]}
    runs = {
        run: {topic: [each.document_id for each in order] for topic in ids} for run, order in orders.items()
    }
    path = make_campaign("drawn", [Topic(each, "rivers") for each in ids], documents, runs)
    with open_campaign(path) as opened:
        for pool in pools.all_pools(opened):
            retire_pool(opened.by("Olga"), pool.pool, reason="")
        add_pool(opened.by("Olga"), strategy="uniform", depth=10, percent=50.0, seed=1)
        said = [
            f"{topic} 0 {each.document_id} {number % 2}"
            for topic in ids
            for number, each in enumerate(documents)
        ]
        people = [f"{one} 0 {two} {int(two[1:]) % 2}" for one, two in pools.all_pairs(opened)]
        file = tmp_path / "labels.qrels"
        file.write_text("\n".join(said) + "\n", encoding="utf-8")
        add_model_labels(opened.by("Olga"), LabelFiles([str(file)], "qrels"), judge_with(opened, "gpt"))
        file.write_text("\n".join(people) + "\n", encoding="utf-8")
        add_qrels(opened.by("Olga"), [str(file)])
    return path


@pytest.mark.usefixtures("drawn")
def test_corrected_scores_are_a_page_a_file_and_json(anna: FlaskClient) -> None:
    page = anna.get("/c/drawn/corrected?measure=P@5")
    assert page.status_code == 200, page.text
    assert ">0.4000</td>" in page.text
    assert NOT_CHECKED in page.text
    found = anna.get("/c/drawn/api/corrected?measure=P@5").json
    assert found is not None
    assert (found["judge"], found["topics"], found["unbiased"]) == ("gpt", 6, True)
    assert {each["run"]: each["estimate"] for each in found["runs"]} == pytest.approx(
        {"alpha": 0.4, "beta": 0.6}
    )
    csv = anna.get("/c/drawn/corrected?format=csv").text.splitlines()
    assert NOT_CHECKED.replace(" ", "_") in csv[0]
    assert anna.get("/c/drawn/corrected?measure=RR").status_code == 422
