"""The organiser's pages of agreement: every number with its interval, and "not defined" where it is not."""

from __future__ import annotations

import csv
import html
import re
import shutil
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs
from tests.labels_of_models import add_labels_of_model
from tests.sentences import says
from workbench.analysis.between_assessors import coefficients
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.assigning.draws import DrawnPair, DrawRecord
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

pytestmark = pytest.mark.usefixtures("campaign")

JUDGED = {"Ben": (1, 1, 0, 0, 1, 0), "Carla": (1, 0, 0, 1, 1, 0)}
"""Of d1 to d6 of topic 1: two agree on relevant, two on not, one differs each way. kappa is (4/6 - 1/2) / (1/2)."""


@pytest.fixture
def campaign(small: Path, judging_as: JudgeAs) -> Campaign:
    opened = open_campaign(small)
    for name, grades in JUDGED.items():
        for number, grade in enumerate(grades, start=1):
            judging_as(opened, name, "1", f"d{number}", grade)
    return opened


def text(client: FlaskClient, address: str, campaign: str = "small") -> str:
    return re.sub(r"\s+", " ", client.get(f"/c/{campaign}/agreement{address}").text)


def matrix(page: str) -> list[str]:
    table = page[page.index('class="table matrix"') :]
    return re.findall(r'<td class="numeric shade[^>]*>([^<]*)</td>', table[: table.index("</table>")])


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
    assert 'href="/c/small/agreement?by=topic&amp;scope=1"' in text(anna, "?by=topic")
    assert "Topic <bdi>1</bdi>: 6 pairs, 2 assessors" in text(anna, "?by=topic&scope=1")


def test_the_matrix_of_two_assessors_has_one_ones_grades_in_its_rows(anna: FlaskClient) -> None:
    page = text(anna, "?by=pair&scope=Ben,+Carla")
    assert "Rows: <bdi>Ben</bdi>; columns: <bdi>Carla</bdi>." in page
    assert matrix(page) == ["2", "1", "1", "2"]


def test_the_grid_of_three_assessors_counts_every_pair_once(
    anna: FlaskClient, campaign: Campaign, judging_as: JudgeAs
) -> None:
    for number, grade in enumerate([1, 0, 0, 0, 0, 1], start=1):
        judging_as(campaign, "Dora", "1", f"d{number}", grade)
    page = text(anna, "")
    assert says(page)
    cells = matrix(page)
    assert cells[2] == ""
    assert sum(float(cell) for cell in cells if cell) == pytest.approx(6, abs=0.2)


def test_what_is_not_defined_says_so_and_why(
    anna: FlaskClient, small_again: Path, instance: Path, judging_as: JudgeAs
) -> None:
    """Both call the one pair relevant: kappa would be 0 by 0."""
    shutil.copy(small_again, instance / "one.db")
    with open_campaign(instance / "one.db") as campaign:
        for name in JUDGED:
            judging_as(campaign, name, "1", "d1", 1)
    page = text(anna, "", "one")
    assert says(page)
    assert page.count(">not defined</td>") >= 4
    assert "nan" not in page


def test_a_campaign_that_nobody_judged_twice_says_what_to_do(anna: FlaskClient) -> None:
    for address in ("", "?by=topic", "?by=pair", "?by=assessor", "/effect"):
        assert "<pre" in text(anna, address, "robust"), address
    assert says(text(anna, "", "robust"), "unknown")


def test_the_effect_is_reported_under_every_view_and_a_measure_or_scope_that_is_not_there_is_refused(
    anna: FlaskClient,
) -> None:
    page = text(anna, "/effect")
    assert [f">{name}<" in page for name in ("Ben", "Carla", "union", "intersection")] == [True] * 4
    assert says(page, "1,000", "seed 1")
    for address in ("?by=nonsense", "?by=topic&scope=9", "/effect?measure=AP(mean%3Dgeometric)"):
        assert anna.get(f"/c/small/agreement{address}").status_code == 422
    refused = anna.get(f"/c/small/agreement/effect?measure={'x' * 1100}")
    assert (refused.status_code, f"no measure '{'x' * 1000}'" in html.unescape(refused.text)) == (422, True)


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
    assert "by the inverse" not in page


def test_self_agreement_is_reported_from_hidden_repeats(anna: FlaskClient, campaign: Campaign) -> None:
    grades = {"d1": 1, "d2": 0}
    again = [
        row._replace(uuid=f"again {row.uuid}"[:36], kind="repeat", grade=grades[row.document_id])
        for row in judgments.log(campaign)
        if row.assessor == "Ben" and row.document_id in grades
    ]
    with campaign.write():
        log.append_judgments(campaign, again)
    assert says(text(anna, "?by=assessor"))
    assert says(text(anna, "?by=assessor&scope=Ben"), "50 %")


def test_all_numbers_can_be_taken_away_also_in_a_large_campaign_at_once(
    anna: FlaskClient, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = r"/agreement\?by=pair&amp;pairs=drawn&amp;draws=1000&[^\"]*format=csv"
    assert re.search(link, text(anna, "?by=pair&draws=0"))
    monkeypatch.setattr(coefficients, "LARGE", log.newest_seq(campaign))
    rows = csv.DictReader(anna.get("/c/small/agreement?by=pair&format=csv").text.splitlines())
    kappa = next(row for row in rows if row["coefficient"] == "Cohen's kappa")
    assert float(kappa["value"]) == pytest.approx(1 / 3)
    effect = anna.get("/c/small/agreement/effect?format=json")
    assert effect.get_json()["shared_topics"] == 1
    assert "small.disagreement.json" in effect.headers["Content-Disposition"]
    assert anna.get("/c/small/agreement?format=exe").status_code == 404


@pytest.mark.parametrize("address", ["", "?by=pair&pairs=all&scope=Ben,+Carla"])
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
    for wrong in ("measure=nonsense", "measure=P@5&as-of=99999999"):
        assert anna.get(f"/c/small/agreement/effect?{wrong}").status_code == 422


def test_labels_of_models_are_compared_where_that_is_asked_for(
    anna: FlaskClient, campaign: Campaign, tmp_path: Path
) -> None:
    assert "judges=yes" not in text(anna, "")
    path = tmp_path / "model.qrels"
    path.write_text("1 0 d1 1\n", encoding="utf-8")
    add_labels_of_model(campaign, path, "<i>gpt</i>")
    assert "judges=yes" in text(anna, "")
    assert "gpt" not in text(anna, "?by=pair")
    assert "&lt;i&gt;gpt&lt;/i&gt;" in text(anna, "?by=pair&judges=yes")
    assert "judges=yes" in text(anna, "?by=pair&judges=yes").partition('aria-label="Breakdown')[2]
