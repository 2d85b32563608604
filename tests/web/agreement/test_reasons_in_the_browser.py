"""The reasons of assessors beside a document that is adjudicated: marked in it and gone to, without a server."""

from __future__ import annotations

import json

import pytest

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SPACE = "<div style='height: 3000px'></div>"
TEXT = f"{SPACE}<details><p data-field=text>The river\n\nfroze in January.</p></details>{SPACE}"


def quote(letter: str, start: int, text: str) -> str:
    rationale = json.dumps({"field": "text", "start": start, "end": start + len(text), "text": text})
    return f"<li data-mark={letter} data-voice='Assessor {letter}' data-rationale='{rationale}'></li>"


def test_reasons_are_marked_in_reading_order_gone_to_and_unfolded(page_of: PageOf) -> None:
    quotes = quote("b", 20, "January") + quote("a", 4, "river") + quote("c", 4, "lake")
    page = page_of(f"<ul>{quotes}</ul><iframe style='height: 300px' srcdoc=\"{TEXT}\"></iframe>")
    page.frame_locator("iframe").locator("details").wait_for()
    page.evaluate("""async () => {
        const { BlindedGrades } = await import("/static/agreement/blinded_grades.js");
        window.view = document.querySelector("iframe").contentWindow;
        window.blindedGrades = new BlindedGrades(document.querySelector("ul"));
        window.coloured = (name) => [...(view.CSS.highlights.get(name) ?? [])].map(String);
        window.details = view.document.querySelector("details");
    }""")
    assert page.evaluate("(blindedGrades.step(1), blindedGrades.goTo(0), blindedGrades.at)") == -1
    page.evaluate("blindedGrades.mark(view.document), blindedGrades.mark(view.document)")
    marks = ("voice-a", "voice-b", "voice-c", "voice-now")
    assert [page.evaluate(f"coloured('{name}')") for name in marks] == [["river"], ["January"], [], []]
    assert page.evaluate("[...document.querySelectorAll('li')].map((one) => one.textContent)") == [
        "Show", "Show", "Not found in this text.",
    ]  # fmt: skip
    assert page.locator("button").first.get_attribute("aria-label") == (
        "Show this rationale of Assessor b in the document"
    )
    assert page.evaluate("[details.open, view.scrollY > 2000]") == [True, True]
    page.evaluate("details.open = false, view.scrollTo(0, 0)")
    page.locator("button").first.click()
    assert page.evaluate("[details.open, coloured('voice-now'), blindedGrades.at]") == [True, ["January"], 1]
    assert page.evaluate("Math.round(blindedGrades.places[1].range.getBoundingClientRect().top)") == 100
    found = [
        page.evaluate(f"(blindedGrades.step({step}), coloured('voice-now')[0])") for step in (1, 1, -1, -1)
    ]
    assert found == ["river", "January", "river", "January"]


def test_the_first_step_back_goes_to_the_last_reason_and_what_is_in_sight_is_not_scrolled_to(
    page_of: PageOf,
) -> None:
    quotes = quote("a", 0, "The river") + quote("b", 11, "froze")
    page = page_of(f"<ul>{quotes}</ul><iframe srcdoc='<p data-field=text>The river\n\nfroze.</p>'></iframe>")
    page.frame_locator("iframe").locator("p").wait_for()
    page.evaluate("""async () => {
        const { BlindedGrades } = await import("/static/agreement/blinded_grades.js");
        window.view = document.querySelector("iframe").contentWindow;
        window.blindedGrades = new BlindedGrades(document.querySelector("ul"));
        view.scrollBy = () => (window.scrolled = true);
        blindedGrades.mark(view.document);
    }""")
    assert page.evaluate("window.scrolled ?? false") is False
    assert page.evaluate("(blindedGrades.step(-1), blindedGrades.at)") == 1
    assert page.evaluate("scrolled") is True
