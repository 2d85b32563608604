"""Every text of an assessor's pages is a message: in a language that puts each message between brackets nothing else is
outside of them but data, and in German and Arabic each page answers.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from tests.fixture_types import SignIn
from tests.web.brackets import Brackets, outside
from workbench.web.requests import languages

PAGES = (
    *(
        "/",
        "/c/small/own-topics",
        "/c/small/judge?topic=1",
        "/c/small/guidelines",
        "/c/small/history",
        "/c/small/offline",
    ),
    *("/c/small/work", "/c/small/norming", "/c/small/nuggets", "/c/small/practice", "/c/small/jobs"),
    *("/c/small/document-frame?topic=1&document=d1", "/sign-in"),
)


@pytest.mark.parametrize("address", PAGES)
def test_no_text_of_an_assessor_s_page_is_outside_of_a_message(
    small: Path, app: Flask, client_of: SignIn, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(languages, "translations", lambda _: Brackets())
    page = client_of(app, "Ben").get(address, headers={"Accept-Language": "de"}, follow_redirects=True)
    assert "⟦" in page.text
    assert outside(page.text) == []


@pytest.mark.parametrize("code", ["de", "ar"])
@pytest.mark.parametrize("address", PAGES)
def test_pages_answer_in_other_languages_as_in_english(
    small: Path, app: Flask, client_of: SignIn, address: str, code: str
) -> None:
    ben = client_of(app, "Ben")
    english, other = (ben.get(address, headers={"Accept-Language": each}) for each in ("en", code))
    assert (other.status_code, other.status_code < 500) == (english.status_code, True)


def test_a_text_that_is_no_message_is_found() -> None:
    assert outside("<body><p>⟦Page ⟦one⟧ of⟧ some</p><a title='Open'>⟦x⟧</a><bdi>data</bdi></body>") == [
        "Open",
        "some",
    ]
