"""Pages of another version of the server: told in every answer, and refused only where they are not understood."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import TokenOf
from workbench.web.requests import page_version


def test_a_page_and_every_answer_name_the_same_edition(anna: FlaskClient, app: Flask) -> None:
    edition = app.config["EDITION"]
    page = anna.get("/c/robust/dashboard")
    assert f'<meta name="edition" content="{edition}">' in page.text
    assert f'<meta name="form" content="{page_version.FORM}">' in page.text
    for path in ("/c/robust/", "/session", "/nowhere", "/health"):
        assert anna.get(path).headers[page_version.EDITION_HEADER] == edition


def test_another_file_makes_another_edition_and_the_same_files_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("one")
    of_one = page_version.edition_of.__wrapped__(str(tmp_path))
    assert page_version.edition_of.__wrapped__(str(tmp_path)) == of_one
    (tmp_path / "folder.d").mkdir()
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_text("compiled")
    assert page_version.edition_of.__wrapped__(str(tmp_path)) == of_one
    (tmp_path / "a.js").write_text("two")
    of_two = page_version.edition_of.__wrapped__(str(tmp_path))
    (tmp_path / "a.js").rename(tmp_path / "b.js")
    assert len({of_one, of_two, page_version.edition_of.__wrapped__(str(tmp_path))}) == 3


@pytest.mark.parametrize(
    ("form", "said"),
    [("1", "older"), ("", "older"), ("5", "newer"), *((form, None) for form in (None, "2", "3", "4"))],
)
def test_a_form_that_is_not_understood_is_refused_and_one_that_is_goes_on_to_be_read(
    ben: FlaskClient, app: Flask, token_of: TokenOf, form: str | None, said: str | None
) -> None:
    app.config.update(OLDEST_FORM=2, FORM=4)
    headers = {"X-CSRFToken": token_of(ben)} | ({} if form is None else {page_version.FORM_HEADER: form})
    answer = ben.post("/c/robust/api/judgments", json={}, headers=headers)
    told = answer.get_json()
    assert (answer.status_code == 409, told["reason"] == "other version") == (said is not None,) * 2
    assert said is None or said in told["message"]
