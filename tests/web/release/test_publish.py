"""The organisers' page of what can be taken away, and what they get there."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from tests.fixture_types import Post
from tests.sentences import says
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.model_labels import LabelFiles, add_model_labels, judge_with
from workbench.cli import main
from workbench.release.bundle.writing import BundleOptions, write_bundle
from workbench.release.export import EXPORTS
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log
from workbench.web.release import file_jobs
from workbench.web.release.publish import MOST_COMPARED

GAPS = {"imported_labels": "gaps", "model_labels": "gaps"}
HOSTILE = "<b>A/B</b> & فريق"


@pytest.fixture
def campaign(small: Path, tmp_path: Path) -> Campaign:
    """`small` with five judgments, one of them special, and a run of a team with a hostile name."""
    qrels, run = tmp_path / "qrels.txt", tmp_path / "gamma.run"
    qrels.write_text("1 0 d1 1\n1 0 d2 0\n1 0 d6 1\n2 0 d1 1\n2 0 d2 -1\n", encoding="utf-8")
    run.write_text("1 Q0 d1 1 9 gamma\n2 Q0 d1 1 9 gamma\n", encoding="utf-8")
    opened = open_campaign(small)
    add_qrels(opened.by("Anna"), [str(qrels)], assessor="Quentin Q.")
    add_runs(opened.by("Anna"), [str(run)], team=HOSTILE)
    return opened


pytestmark = pytest.mark.usefixtures("campaign")


def test_the_page_says_what_can_be_published_and_what_is_missing_and_offers_every_file(
    anna: FlaskClient, campaign: Campaign
) -> None:
    page = anna.get("/c/small/publish").text
    assert says(page, "5 graded pairs", "3 pooled pairs")
    assert says(page)
    assert says(page)
    assert f"workbench campaign audit small --head {log.head(campaign).hash.hex()}" in page
    for kind, offered in EXPORTS.items():
        assert f'href="/c/small/download/{kind}"' in page
        assert offered.words in page
        assert offered.words
    assert "5 lines, 1 special" in page
    assert "&lt;b&gt;A/B&lt;/b&gt; &amp; فريق" in page
    assert "<b>A/B</b>" not in page


def test_every_single_file_can_be_taken_and_special_grades_are_in_the_one_that_says_so_alone(
    anna: FlaskClient,
) -> None:
    assert {"qrels", "pool", "judgments", "runs", "scores", "datasheet"} <= set(EXPORTS)
    texts = {}
    for kind in EXPORTS:
        answer = anna.get(f"/c/small/download/{kind}")
        assert answer.status_code == 200
        assert answer.headers["Content-Disposition"].startswith("attachment; filename=small.")
        texts[kind] = answer.text
    assert texts["special"].splitlines() == sorted([*texts["qrels"].splitlines(), "2 0 d2 -1"])


def test_the_bundle_is_the_one_of_the_command_line_byte_for_byte(
    anna: FlaskClient, campaign: Campaign
) -> None:
    seq = log.head(campaign).seq
    with anna.get("/c/small/publish/bundle?runs=1") as answer:
        assert answer.headers["Content-Disposition"] == f"attachment; filename=small-{seq}.zip"
        data = answer.data
    stream = io.BytesIO()
    write_bundle(campaign, stream, options=BundleOptions(runs=True))
    assert data == stream.getvalue()
    assert b"Quentin" not in b"".join(everything_in(data).values())


def test_a_bundle_that_is_not_that_of_the_newest_row_any_more_is_gone_to_by_its_own(
    anna: FlaskClient, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    seq = log.head(campaign).seq
    monkeypatch.setattr(file_jobs, "kept_file", lambda *_: None)  # as if others had judged while it was made
    answer = anna.get("/c/small/publish/bundle?runs=1")
    assert (answer.status_code, answer.location) == (303, f"/c/small/publish/bundle?runs=1&as_of={seq}")


def test_an_earlier_row_and_names_can_be_asked_for(anna: FlaskClient) -> None:
    earlier = everything_in(taken(anna, "/c/small/publish/bundle?as_of=3"))
    assert earlier["judgments.jsonl"] == b""
    named = everything_in(taken(anna, "/c/small/publish/bundle?names=names&as_of="))
    assert b"Quentin Q." in named["judgments.jsonl"]


@pytest.mark.parametrize(
    "told",
    (
        "as_of=999 as_of=x as_of=1999-12-31 as_of=9998-01-01 as_of=-1 as_of=1" + "0" * 30 + " names=initials"
    ).split(),
)
def test_what_makes_no_sense_is_answered_with_a_sentence(anna: FlaskClient, told: str) -> None:
    answer = anna.get(f"/c/small/publish/bundle?{told}")
    assert answer.status_code == 422
    (said,) = re.findall(r'(?s)<p class="error-message">(.*?)</p>', answer.text)
    assert says(said.partition(" up to now (")[0])


def test_a_team_gets_its_sheet_by_its_own_name(anna: FlaskClient) -> None:
    with anna.get(f"/c/small/publish/sheets?team={quote(HOSTILE)}&format=pdf") as pdf:
        assert (pdf.status_code, pdf.mimetype) == (200, "application/pdf")
        assert pdf.data.startswith(b"%PDF-")
    with anna.get(f"/c/small/publish/sheets?team={quote(HOSTILE)}&format=html") as page:
        assert page.headers["Content-Disposition"].startswith("attachment; filename")
        assert "gamma" in page.get_data(as_text=True)
        assert "alpha" not in page.get_data(as_text=True)


def test_the_sheets_of_all_teams_come_in_one_archive_with_checksums(anna: FlaskClient) -> None:
    files = everything_in(taken(anna, "/c/small/publish/sheets?format=html"))
    assert files.keys() == {"Runs-without-a-team.html", "b-A-B-b-فريق.html", "SHA256SUMS"}
    told = dict(reversed(line.split("  ")) for line in files.pop("SHA256SUMS").decode().splitlines())
    assert told == {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def test_a_comparison_for_a_paper_is_a_latex_table(anna: FlaskClient) -> None:
    table = anna.get("/c/small/publish/comparison?baseline=alpha&run=beta&run=gamma&measure=P@1")
    assert table.headers["Content-Disposition"] == "attachment; filename=small.comparison.tex"
    lines = table.get_data(as_text=True).splitlines()
    assert [line.split(" & ")[0] for line in lines if " & " in line] == ["Run", "alpha", "beta", "gamma"]


@pytest.mark.parametrize(
    ("status", "addresses"),
    [
        (404, ["sheets?team=nobody", "comparison?run=alpha&run=nobody"]),
        (422, ["sheets?format=docx", "comparison?run=alpha", "comparison"]),
        (422, [f"comparison?{'&'.join(['run=alpha'] * (MOST_COMPARED + 1))}"]),
        (422, ["comparison?run=alpha&run=beta&measure=nonsense"]),
    ],
)
def test_what_is_not_there_is_said_to_be_missing(
    anna: FlaskClient, status: int, addresses: list[str]
) -> None:
    for address in addresses:
        assert anna.get(f"/c/small/publish/{address}").status_code == status


def test_a_campaign_without_anything_says_what_to_do(anna: FlaskClient) -> None:
    page = anna.get("/c/robust/publish").text
    assert says(page, "workbench add qrels robust QRELS")
    assert "No runs yet" in page


def taken(client: FlaskClient, address: str) -> bytes:
    with client.get(address) as answer:
        assert answer.status_code == 200
        return answer.data


def everything_in(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


def test_where_a_rule_is_chosen_it_says_which_ones_are_stricter_on_pairs_judged_twice(
    anna: FlaskClient,
) -> None:
    page = anna.get("/c/small/publish").get_data(as_text=True)
    told = page[page.index('<h2 id="labels">') : page.index("Save rule")]
    assert says(told)
    assert says(told)
    listed = CliRunner().invoke(main, ["rule", "--help"]).output
    assert says(" ".join(listed.split()))


def test_how_imports_and_labels_of_models_count_is_chosen_on_the_page(
    anna: FlaskClient, campaign: Campaign, tmp_path: Path, post: Post
) -> None:
    (tmp_path / "model").write_text("1 0 d1 0\n2 0 d5 1\n", encoding="utf-8")
    files = LabelFiles([str(tmp_path / "model")], "qrels")
    add_model_labels(campaign.by("Anna"), files, judge_with(campaign, "model"))
    page = anna.get("/c/small/publish").get_data(as_text=True)
    assert says(page)
    assert says(page)
    assert says(page)
    answer = post(anna, "/c/small/publish/sources", **GAPS)
    assert (answer.status_code, answer.location) == (303, "/c/small/publish#sources")
    assert log.events(campaign, "settings")[-1].content == GAPS
    assert "6 graded pairs in 2 topics" in anna.get("/c/small/publish").get_data(as_text=True)
    assert post(anna, "/c/small/publish/sources", **GAPS | {"model_labels": "first"}).status_code == 400


def test_the_rule_of_labels_is_chosen_on_the_page(anna: FlaskClient, campaign: Campaign, post: Post) -> None:
    assert says(anna.get("/c/small/publish").text)
    answer = post(anna, "/c/small/publish/rule", rule="most lenient")
    assert (answer.status_code, answer.location) == (303, "/c/small/publish#labels")
    assert log.events(campaign, "settings")[-1].content == {"label_rule": "most lenient"}
    assert says(anna.get("/c/small/publish").text)
    assert post(anna, "/c/small/publish/rule", rule="oldest").status_code == 400
    assert post(anna, "/c/small/publish/rule", rule="dawid-skene").status_code == 409
