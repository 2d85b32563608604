"""In a real browser: the bundle, a sheet and a table for a paper are taken away from the page of what is published."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.fixture_types import Visit
from tests.sentences import says
from tests.web.axe import found
from workbench.campaign.ingest import add_qrels
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, write_bundle
from workbench.release.team_sheets.rendering import render_sheet
from workbench.release.team_sheets.sheets import sheets_of
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]


LOOKS = [
    {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"},
    {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
    {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
]


@pytest.fixture
def judged(small: Path, tmp_path: Path) -> Path:
    (tmp_path / "q.txt").write_text("1 0 d1 1\n1 0 d6 0\n2 0 d2 -1\n", encoding="utf-8")
    with open_campaign(small) as campaign:
        add_qrels(campaign.by("Anna"), [str(tmp_path / "q.txt")], assessor="Quentin")
    return small


def test_the_bundle_that_is_downloaded_gives_the_same_numbers(
    judged: Path, visit: Visit, tmp_path: Path
) -> None:
    page = visit("/c/small/publish", "Anna")
    page.get_by_label("Include run files").check()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Download bundle").click()
    path = tmp_path / taken.value.suggested_filename
    taken.value.save_as(path)
    with open_campaign(judged) as campaign:
        stream = io.BytesIO()
        write_bundle(campaign, stream, options=BundleOptions(runs=True))
    assert path.read_bytes() == stream.getvalue()
    assert import_bundle(path, tmp_path / "again.db", actor="Olga").same_scores
    with zipfile.ZipFile(path) as archive:
        assert all(b"Quentin" not in archive.read(name) for name in archive.namelist())


def test_a_sheet_and_a_table_are_one_click_away(judged: Path, visit: Visit, tmp_path: Path) -> None:
    page = visit("/c/small/publish", "Anna")
    with page.expect_download() as taken:
        page.get_by_role("link", name="PDF for Runs").click()
    assert says(taken.value.suggested_filename)
    assert Path(taken.value.path()).read_bytes().startswith(b"%PDF-")
    page.get_by_label("beta").check()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Download table").click()
    assert "\nbeta & " in Path(taken.value.path()).read_text(encoding="utf-8")


def test_a_sheet_sent_as_html_needs_nothing_else_and_axe_finds_nothing(
    judged: Path, browser: Browser, tmp_path: Path
) -> None:
    with open_campaign(judged) as campaign:
        (sheet,) = sheets_of(campaign)
    (tmp_path / "sheet.html").write_bytes(render_sheet(sheet, "html"))
    for look in LOOKS:
        context = browser.new_context(**look)  # type: ignore[arg-type]
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))  # type: ignore[misc]
        page.goto(f"file://{tmp_path / 'sheet.html'}")
        assert found(page, "sheet") == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert asked == [f"file://{tmp_path / 'sheet.html'}"]
        context.close()
