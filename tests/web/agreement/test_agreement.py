"""The organiser's pages of agreement: every number with its interval, and "not defined" where it is not."""

from __future__ import annotations

import csv
import html
import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, SignIn
from tests.sentences import says
from workbench.analysis.between_assessors import coefficients
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.assigning.draws import DrawnPair, DrawRecord
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

JUDGED = {"Ben": (1, 1, 0, 0, 1, 0), "Carla": (1, 0, 0, 1, 1, 0)}
"""Of d1 to d6 of topic 1: two agree on relevant, two on not, one differs each way. kappa is (4/6 - 1/2) / (1/2)."""


@pytest.fixture
def campaign(small: Path, judging_as: JudgeAs) -> Campaign:
    opened = open_campaign(small)
    for name, grades in JUDGED.items():
        for number, grade in enumerate(grades, start=1):
            judging_as(opened, name, "1", f"d{number}", grade)
    return opened


@pytest.fixture
def anna(app: Flask, campaign: Campaign, client_of: SignIn) -> FlaskClient:
    return client_of(app, "Anna")


def text(client: FlaskClient, address: str) -> str:
    return re.sub(r"\s+", " ", client.get(f"/c/small/agreement{address}").get_data(as_text=True))


def test_the_page_says_how_often_they_agree_and_has_every_coefficient(anna: FlaskClient) -> None:
    page = text(anna, "")
    assert says(page)
    assert says(page)
    row = page[page.index("Cohen&#39;s kappa <span") :]
    assert "0.333" in row[: row.index("</tr>")]
    for name in (
        "Overlap",
        "Fleiss&#39; kappa",
        "Krippendorff&#39;s alpha, ordinal",
        "Gwet&#39;s AC2, quadratic",
    ):
        assert name in page


def test_the_matrix_of_two_assessors_has_one_ones_grades_in_its_rows(anna: FlaskClient) -> None:
    page = text(anna, "?by=pair&scope=Ben,+Carla")
    assert "Rows: <bdi>Ben</bdi>; columns: <bdi>Carla</bdi>." in page
    matrix = page[page.index('class="table matrix"') :]
    cells = re.findall(r'<td class="numeric shade[^>]*>([^<]*)</td>', matrix[: matrix.index("</table>")])
    assert cells == ["2", "1", "1", "2"]


def test_the_grid_of_three_assessors_counts_every_pair_once(
    anna: FlaskClient, campaign: Campaign, judging_as: JudgeAs
) -> None:
    for number, grade in enumerate([1, 0, 0, 0, 0, 1], start=1):
        judging_as(campaign, "Dora", "1", f"d{number}", grade)
    page = text(anna, "")
    assert says(page)
    matrix = page[page.index('class="table matrix"') :]
    cells = re.findall(r'<td class="numeric shade[^>]*>([^<]*)</td>', matrix[: matrix.index("</table>")])
    assert cells[2] == ""
    assert sum(float(cell) for cell in cells if cell) == pytest.approx(6, abs=0.2)


def test_topics_stand_in_rows_that_lead_to_the_whole(anna: FlaskClient) -> None:
    assert 'href="/c/small/agreement?by=topic&amp;scope=1"' in text(anna, "?by=topic")
    assert "Topic <bdi>1</bdi>: 6 pairs, 2 assessors" in text(anna, "?by=topic&scope=1")


def test_what_is_not_defined_says_so_and_why(
    app: Flask, small: Path, client_of: SignIn, judging_as: JudgeAs
) -> None:
    """Both call the one pair relevant: kappa would be 0 by 0."""
    with open_campaign(small) as campaign:
        for name in JUDGED:
            judging_as(campaign, name, "1", "d1", 1)
    page = text(client_of(app, "Anna"), "")
    assert says(page)
    assert page.count(">not defined</td>") >= 4
    assert "nan" not in page


def test_a_campaign_that_nobody_judged_twice_says_what_to_do(
    app: Flask, small: Path, client_of: SignIn
) -> None:
    client = client_of(app, "Anna")
    for address in ("", "?by=topic", "?by=pair", "?by=assessor", "/effect"):
        page = client.get(f"/c/small/agreement{address}")
        assert page.status_code == 200
        assert "<pre" in page.get_data(as_text=True)
    assert "agreement is unknown" in text(client, "")


def test_the_effect_on_the_result_is_reported_under_every_view(anna: FlaskClient) -> None:
    page = text(anna, "/effect")
    for name in (">Ben<", ">Carla<", ">union<", ">intersection<"):
        assert name in page
    assert "1,000 times (seed 1)" in page


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("?by=nonsense", 422),
        ("?by=topic&scope=9", 422),
        ("/effect?measure=nonsense", 422),
        ("/effect?measure=AP(mean%3Dgeometric)", 422),
        ("?by=pair&pairs=all", 200),
    ],
)
def test_other_addresses(anna: FlaskClient, address: str, status: int) -> None:
    assert anna.get(f"/c/small/agreement{address}").status_code == status


def test_of_a_long_name_of_a_measure_the_beginning_is_read(anna: FlaskClient) -> None:
    assert f"no measure '{'x' * 1000}'" in html.unescape(text(anna, f"/effect?measure={'x' * 1100}"))


def test_where_pairs_were_drawn_these_alone_count_by_weight(anna: FlaskClient, campaign: Campaign) -> None:
    """Of the two drawn pairs they agree on d1, which stands for 3 pairs, and differ on d2, which stands for 1."""
    drawn = [DrawnPair("1", "d1", "relevant", 1 / 3), DrawnPair("1", "d2", "not", 1.0)]
    with campaign.write():
        draws.put(campaign.by("Anna"), DrawRecord(0.5, 1, "grade", "equal", 4), drawn)
    page = text(anna, "")
    assert says(page)
    assert says(page)
    assert says(text(anna, "?pairs=all"))


def test_until_a_drawn_pair_is_judged_twice_all_pairs_count(anna: FlaskClient, campaign: Campaign) -> None:
    with campaign.write():
        drawn = [DrawnPair("2", "d1", "not", 1.0)]
        draws.put(campaign.by("Anna"), DrawRecord(0.5, 1, "grade", "equal", 4), drawn)
    page = text(anna, "")
    assert says(page)
    assert "weighted by the inverse" not in page


def test_self_agreement_is_reported_from_hidden_repeats(anna: FlaskClient, campaign: Campaign) -> None:
    again = [
        row for row in judgments.log(campaign) if row.assessor == "Ben" and row.document_id in ("d1", "d2")
    ]
    grades = {"d1": 1, "d2": 0}
    with campaign.write():
        log.append_judgments(
            campaign,
            [
                row._replace(uuid=f"again {row.uuid}"[:36], kind="repeat", grade=grades[row.document_id])
                for row in again
            ],
        )
    assert says(text(anna, "?by=assessor"))
    page = text(anna, "?by=assessor&scope=Ben")
    assert "50 %" in page
    assert says(page)


def test_all_numbers_can_be_taken_away(anna: FlaskClient) -> None:
    rows = list(
        csv.DictReader(anna.get("/c/small/agreement?by=pair&format=csv").get_data(as_text=True).splitlines())
    )
    kappa = next(row for row in rows if row["coefficient"] == "Cohen's kappa")
    assert float(kappa["value"]) == pytest.approx(1 / 3)
    effect = anna.get("/c/small/agreement/effect?format=json")
    assert effect.get_json()["shared_topics"] == 1
    assert "small.disagreement.json" in effect.headers["Content-Disposition"]
    assert re.search(
        r"/agreement\?by=pair&amp;pairs=drawn&amp;draws=1000&[^\"]*format=csv", text(anna, "?by=pair&draws=0")
    )
    assert anna.get("/c/small/agreement?format=exe").status_code == 404


@pytest.mark.parametrize("address", ["", "?by=pair", "?by=pair&pairs=all&scope=Ben,+Carla"])
def test_in_a_large_campaign_agreement_is_computed_in_a_job(
    anna: FlaskClient, campaign: Campaign, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coefficients, "LARGE", log.newest_seq(campaign))
    first = anna.get(f"/c/small/agreement{address}")
    assert first.status_code == 303
    asked = dict(parse_qsl(urlsplit(address).query))
    assert asked.items() <= dict(parse_qsl(urlsplit(first.location).query)).items()
    assert says(anna.get(first.location).get_data(as_text=True))
    assert anna.get(f"/c/small/agreement{address}").status_code == 200


def test_the_effect_in_a_large_campaign_is_a_job_and_its_numbers_stay_as_of_their_row(
    anna: FlaskClient, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coefficients, "LARGE", 1)
    row = log.newest_seq(campaign)
    first = anna.get("/c/small/agreement/effect?measure=P@5")
    assert (first.status_code, first.location) == (303, f"/c/small/agreement/effect?measure=P@5&as-of={row}")
    (job,) = re.findall(r'href="(/c/small/jobs/\w+)"', anna.get("/c/small/jobs").get_data(as_text=True))
    assert "Effect of disagreement: measure P@5" in anna.get(job).get_data(as_text=True)
    with campaign.write():
        settings.change(campaign.by("Anna"), {"title": "Another"})
    assert anna.get(first.location).status_code == 200
    assert anna.get("/c/small/agreement/effect?measure=P@5").status_code == 303
    assert anna.get("/c/small/agreement/effect?measure=nonsense").status_code == 422
    assert anna.get("/c/small/agreement/effect?measure=P@5&as-of=99999999").status_code == 422


def test_a_file_of_a_large_campaign_comes_at_once(
    anna: FlaskClient, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coefficients, "LARGE", log.newest_seq(campaign))
    assert anna.get("/c/small/agreement?format=csv").status_code == 200
