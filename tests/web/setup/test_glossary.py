"""The glossary: pages link to its terms where they stand, and it explains no others."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from workbench.core.glossary import GLOSSARY
from workbench.web.setup.glossary import term

TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
ON_THE_JUDGING_PAGE = {"near duplicate", "rationale"}
"""Terms of the page on which a link would lead an assessor away from the document."""


def linked() -> set[str]:
    texts = [path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html")]
    return {name for text in texts for _, name in re.findall(r"""\bterm\((["'])(.*?)\1[,)]""", text)}


def test_every_term_that_a_page_links_to_is_explained_and_no_other() -> None:
    assert linked() | ON_THE_JUDGING_PAGE == set(GLOSSARY)


def test_every_explanation_is_one_sentence() -> None:
    assert [name for name, said in GLOSSARY.items() if not re.fullmatch(r"[A-Z].*\.", said)] == []
    assert [name for name, said in GLOSSARY.items() if re.search(r"[.?!] [A-Z]", said)] == []


def test_a_link_leads_to_the_place_on_the_page_and_has_the_sentence(
    app: Flask, client_of: Callable[[Flask, str], FlaskClient]
) -> None:
    with app.test_request_context():
        link = term("Kendall's tau", "tau <b>")
    address, title, shown = re.findall(r'href="([^"]*)" title="([^"]*)">(.*)</a>', link)[0]
    assert (address, shown) == ("/glossary#kendall-s-tau", "tau &lt;b&gt;")
    assert title == GLOSSARY["Kendall's tau"]
    page = client_of(app, "Carla").get("/glossary").text
    assert '<dt id="kendall-s-tau">Kendall&#39;s tau</dt>' in page


def test_a_term_that_is_not_explained_is_an_error(app: Flask) -> None:
    with app.test_request_context(), pytest.raises(KeyError):
        term("tau_Z")
