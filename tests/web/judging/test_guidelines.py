"""Guidelines are shown as Markdown, whatever they hold; assessors are shown what changed until they have read it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, MakeCampaign, Post
from tests.sentences import says
from workbench.campaign import guidelines
from workbench.campaign.changing_settings import change_settings
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.organising import settings
from workbench.web.judging.document import markdown
from workbench.web.judging.document.markdown import guidelines_html, put_images, without_images

HOSTILE = """<script>alert(1)</script> <img src=x onerror=alert(2)> ![p](https://example.org/p.png)

[a](javascript:alert(3)) [b](data:text/html,x) [c](https://example.org/?q="><script>) <a href=x onclick=y>d</a>

<style>*{color:red}</style><iframe src=//example.org></iframe>
"""


@pytest.fixture
def rivers(make_campaign: MakeCampaign) -> Path:
    return make_campaign("rivers", [Topic("1", "ice")], [Document("d1", "", "Ice.")], {"a": {"1": ["d1"]}})


@pytest.mark.parametrize(
    ("text", "parts"),
    [("# One\n\n###### Six", ['<h3 dir="auto">One</h3>', '<h6 dir="auto">Six</h6>']),
     ("- a\n- b", ['<li dir="auto">a</li>']),
     ("[x](https://example.org)", ['href="https://example.org"', 'rel="noopener noreferrer"']),
     ("| a |\n|---|\n| b |", ['<td dir="auto">b</td>']), ("One\nTwo", ['<p dir="auto">One<br>\nTwo</p>']),
     ("اقرأ **كل** وثيقة", ['<p dir="auto">اقرأ <strong>كل</strong> وثيقة</p>'])],
)  # fmt: skip
def test_markdown_becomes_headings_lists_links_and_tables_below_those_of_the_page(
    text: str, parts: list[str]
) -> None:
    html = guidelines_html(text)
    assert html is not None
    assert [part for part in parts if part not in html] == []


def test_hostile_markdown_runs_and_loads_nothing() -> None:
    html = guidelines_html(HOSTILE)
    assert html is not None
    for tag in ("<script", "<img", "<style", "<iframe", 'href="javascript', 'href="data', '<a href="x'):
        assert tag not in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize(
    "text",
    ["[" * 99_000, "*a_" * 33_000, "> " * 49_000, "- " * 49_000, "`" * 99_000, "<" * 99_000, "a\n" * 49_000,
     "\n\n".join(["*_" * 900] * 50), "|a" * 9_000 + "\n" + "|-" * 9_000, "![" * 900 + "\n\n" + "](" * 900],
    ids=lambda text: text[:6],
)  # fmt: skip
def test_markdown_that_is_made_to_take_long_does_not(text: str) -> None:
    begun = time.process_time()
    guidelines_html(text)
    assert time.process_time() - begun < 5


def test_assessors_are_led_to_what_changed_until_they_have_read_it(
    ben: FlaskClient, rivers: Path, post: Post, judging_as: JudgeAs
) -> None:
    with open_campaign(rivers) as campaign:
        change_settings(campaign.by("Anna"), {"guidelines": "Read all."})
        assert "The guidelines changed" not in ben.get("/c/rivers/").text, "Ben has judged nothing yet"
        judging_as(campaign, "Ben", "1", "d1", 1)
        change_settings(campaign.by("Anna"), {"guidelines": "Read half <b>."})
        version = settings.read(campaign).guideline_version
    for address in ("/c/rivers/", "/c/rivers/judge?topic=1"):
        assert "The guidelines changed" in ben.get(address).text
    page = ben.get("/c/rivers/guidelines").text
    assert '<span>1</span> <span dir="auto">Relevant</span>' in page
    assert "<kbd" not in page.partition("<main")[2]
    assert "<del>all</del>" in page
    assert "<ins>half &lt;b&gt;.</ins>" in page or "<ins>half &lt;b</ins>" in page
    answer = post(ben, "/c/rivers/guidelines", version=str(version), then="judge")
    assert (answer.status_code, answer.location) == (303, "/c/rivers/judge")
    for address in ("/c/rivers/", "/c/rivers/judge?topic=1"):
        assert "The guidelines changed" not in ben.get(address).text
    assert "read the changes" not in ben.get("/c/rivers/guidelines").text


def test_every_version_can_be_read_and_held_against_the_one_before(ben: FlaskClient, rivers: Path) -> None:
    with open_campaign(rivers) as campaign:
        first = change_settings(campaign.by("Anna"), {"guidelines": "Read all."}).seq
        changed = {"grades": [[0, "No", ""], [1, "Yes", ""], [2, "Key", ""]], "relevant-from": 2}
        second = change_settings(campaign.by("Anna"), changed).seq
    page = ben.get(f"/c/rivers/guidelines?version={second}&since={first}").text
    assert "Relevant from grade <del>1</del> <ins>2</ins>" in page
    assert "2 Key" in page
    assert says(ben.get(f"/c/rivers/guidelines?version={first}").text)
    assert ben.get(f"/c/rivers/guidelines?version={second}&since=0").status_code == 200
    for wrong in (f"version={second + 1}", f"since={second + 7}", f"version={2**70}"):
        assert ben.get(f"/c/rivers/guidelines?{wrong}").status_code == 404


def test_a_version_that_never_was_is_not_noted_as_read(
    ben: FlaskClient, rivers: Path, post: Post, judging_as: JudgeAs
) -> None:
    with open_campaign(rivers) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
        change_settings(campaign.by("Anna"), {"guidelines": "Read."})
    versions = {"": 422, "x": 422, "-1": 422, "0": 303, "999": 303, str(2**63 - 1): 303, str(2**63): 422}
    for version, status in versions.items():
        assert post(ben, "/c/rivers/guidelines", version=version).status_code == status, version
    assert "The guidelines changed" in ben.get("/c/rivers/").text


def test_guidelines_of_an_older_campaign_that_are_too_long_have_a_page_of_their_own_alone(
    ben: FlaskClient, rivers: Path
) -> None:
    with open_campaign(rivers) as campaign, campaign.write():
        settings.change(campaign.by("Anna"), {"guidelines": "word " * 150_000})
    with open_campaign(rivers) as campaign:
        guidelines.note_read(campaign, "Ben", settings.read(campaign).guideline_version)
    judging = ben.get("/c/rivers/judge?topic=1").text
    assert len(judging) < 100_000
    assert "Open the guidelines" in judging
    assert ben.get("/c/rivers/guidelines").status_code == 200


def test_images_are_taken_out_of_markdown_and_put_back_as_far_as_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    images = [f"data:image/png;base64,{letter * 8}" for letter in "ab"]
    text, held = without_images("".join(f"![x]({image})" for image in images))
    assert held == images
    assert says(text)
    cleaned = "".join(f'<img alt="x" src="data:image/png;held,{number}">' for number in range(3))
    whole = "".join(f'<img alt="x" src="{image}">' for image in images)
    third = '<img alt="x" src="data:image/png;held,2">'
    assert put_images(cleaned, held) == whole + third, "there is no third one"
    monkeypatch.setattr(markdown, "LONGEST_IMAGES", 2 * len(images[0]) - 1)
    assert put_images(cleaned, held) == whole.replace(images[1], "data:image/png;held,1") + third
    monkeypatch.setattr(markdown, "LONGEST_IMAGES", 2 * len(images[0]))
    assert put_images(cleaned, held) == whole + third
