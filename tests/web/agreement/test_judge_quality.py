"""The pages of a judge against people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.sentences import says
from workbench.campaign.ingest import add_qrels
from workbench.storage.campaign import Campaign, open_campaign
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
        add_qrels(campaign.by("Olga"), [str(path)], assessor=name, source=source)
    return campaign


def test_without_labels_of_models_both_pages_say_what_to_do(anna: FlaskClient, campaign: Campaign) -> None:
    for address in ("judge-quality", "judge-boards"):
        answer = anna.get(f"/c/small/{address}")
        assert answer.status_code == 200
        assert "--source model" in answer.text


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
    assert csv[0] == "part,scope,coefficient,value,low,high,topics,pairs,note"
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
