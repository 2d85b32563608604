"""Catalogues are in step with the sources, and say what the sources say."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from babel.messages import Catalog, Message
from babel.messages.pofile import read_po
from flask import Flask

from tests.conftest import ROOT
from workbench.web.requests.catalogues import FOLDER, LANGUAGES, script

CODES = [code for code in LANGUAGES if code != "en"]
TRANSLATED = CODES
"""Languages in which every message has a translation."""
PLACE = re.compile(r"%\(\w+\)s|%%")
TAG = re.compile(r"<[^>]*>")


@cache
def tool() -> Any:
    spec = importlib.util.spec_from_file_location("catalogues", ROOT / ".ci" / "catalogues.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def sources() -> Catalog:
    if not (ROOT / ".ci").exists():
        pytest.skip("no checkout")
    found: Catalog = tool().messages()
    return found


def texts(text: object) -> Sequence[str]:
    return (text,) if isinstance(text, str) else text  # type: ignore[return-value]


def of(code: str) -> list[Message]:
    with (FOLDER / code / "LC_MESSAGES" / "messages.po").open("rb") as stream:
        return [each for each in read_po(stream, locale=code) if each.id]


@pytest.mark.parametrize("code", CODES)
def test_a_catalogue_has_the_messages_of_the_sources_and_no_others(code: str) -> None:
    path = FOLDER / code / "LC_MESSAGES" / "messages.po"
    assert path.read_bytes() == tool().in_step(path, sources()), "run: make catalogues"


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_message_is_translated_in_all_its_forms(code: str) -> None:
    assert [texts(each.id)[0] for each in of(code) if each.fuzzy or not all(texts(each.string))] == []


@pytest.mark.parametrize("code", CODES)
def test_a_translation_has_the_places_and_the_tags_of_its_message(code: str) -> None:
    wrong = []
    for each in of(code):
        names = texts(each.id)
        for form in filter(None, texts(each.string)):
            # A form for one thing may name it in a word: it need not have the number.
            places = [Counter(PLACE.findall(text)) for text in (*names, form)]
            number = Counter(["%(num)s"]) if len(names) > 1 else Counter[str]()
            same = places[-1] in (places[0], places[-2], places[-2] - number)
            if not same or Counter(TAG.findall(form)) not in (Counter(TAG.findall(text)) for text in names):
                wrong.append((names[0], form))
    assert wrong == []


def test_no_message_without_a_tag_has_a_straight_quotation_mark() -> None:
    # It would end the attribute that a template puts it in.
    all_texts = [text for each in sources() if each.id for text in texts(each.id)]
    all_texts += [text for code in CODES for each in of(code) for text in texts(each.string)]
    assert [text for text in all_texts if '"' in text and not TAG.search(text)] == []


def test_a_language_has_its_messages_of_scripts_as_a_script_that_browsers_keep(app: Flask) -> None:
    client, edition = app.test_client(), app.config["EDITION"]
    answer = client.get(f"/static/{edition}/messages.de.js")
    assert (answer.mimetype, "immutable" in answer.headers["Cache-Control"]) == ("text/javascript", True)
    said = json.loads(script("de").removeprefix("globalThis.workbenchMessages = ").rstrip(";\n"))
    assert said["language"] == "de"
    for name in ("messages.en.js", "messages.xx.js", "messages.__.js"):
        assert client.get(f"/static/{edition}/{name}").status_code == 404
