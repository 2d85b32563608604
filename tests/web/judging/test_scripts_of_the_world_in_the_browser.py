"""Documents in every script: the right words are marked, and text runs in its own direction."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode, urljoin

import pytest
from playwright.sync_api import Page

from tests.fixture_types import MakeCampaign, Visit
from workbench.core.records import Document, Topic

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Case(NamedTuple):
    """A topic's title, a document of two paragraphs, what is marked in it, and how it is written."""

    title: str
    paragraphs: tuple[str, str]
    marked: list[str]
    language: str
    direction: str


CASES = {
    "Arabic": Case(
        "تجمد الأنهار",
        ("تتجمد الأنهار الكبيرة في الشتاء، ويمشي الناس على الجليد.", "والنهر لا يتجمد في الصيف."),
        ["الأنهار"],
        "ar",
        "rtl",
    ),
    "Hebrew": Case(
        "נהרות קפואים",
        ("נהרות גדולים היו קפואים בחורף, ואנשים הלכו על הקרח.", "בקיץ אין קרח."),
        ["נהרות", "קפואים"],
        "he",
        "rtl",
    ),
    "Chinese": Case(
        "结冰的河流",
        ("冬天，北方的河流都结冰了，人们在冰上行走。", "夏天没有冰。"),
        ["河流", "结冰"],
        "zh",
        "ltr",
    ),
    "Japanese": Case(
        "凍った河川",
        ("冬になると北の河川が凍った。人々は氷の上を歩いた。", "夏に氷はない。"),
        ["河川", "凍った"],
        "ja",
        "ltr",
    ),
    "Thai": Case("แม่น้ำ", ("ในฤดูหนาวแม่น้ำแข็งตัวและผู้คนเดินบนน้ำแข็ง", "ในฤดูร้อนไม่มี"), ["แม่น้ำ"], "th", "ltr"),
    "Hindi": Case(
        "जमी हुई नदियाँ",
        ("सर्दियों में बड़ी नदियाँ जम जाती हैं और लोग बर्फ़ पर चलते हैं।", "गर्मियों में बर्फ़ नहीं होती।"),
        ["नदियाँ", "जम"],
        "hi",
        "ltr",
    ),
}

READ = """() => {
  const main = document.querySelector("main");
  return {
    text: main.textContent,
    marked: [...main.querySelectorAll("mark.hit")].map((mark) => mark.textContent),
    titled: [...document.querySelectorAll("h1 mark.hit")].length,
    language: main.lang,
    directions: [main, ...main.querySelectorAll("p")].map((block) => getComputedStyle(block).direction),
  };
}"""


def open_frame(visit: Visit, campaign: str, document_id: str) -> Page:
    return visit(f"/c/{campaign}/document-frame?{urlencode({'topic': '1', 'document': document_id})}")


def test_words_of_the_topic_are_marked_and_text_runs_its_own_way(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    topics = [Topic(script, case.title) for script, case in CASES.items()]
    made = []
    for script, case in CASES.items():
        html = "".join(f"<p>{words}</p>" for words in case.paragraphs)
        made.append(Document(f"{script}.plain", case.title, "\n\n".join(case.paragraphs)))
        made.append(Document(f"{script}.html", case.title, html, "text/html"))
    run = {script: [f"{script}.plain", f"{script}.html"] for script in CASES}
    make_campaign("world", topics, made, {"alpha": run})
    page = visit("/c/world/")
    for script, case in CASES.items():
        for document_id in run[script]:
            query = urlencode({"topic": script, "document": document_id})
            page.goto(urljoin(page.url, f"/c/world/document-frame?{query}"))
            found: dict[str, Any] = page.evaluate(READ)
            assert found["text"] == "".join(case.paragraphs)
            assert (document_id, found["marked"]) == (document_id, case.marked)
            assert found["titled"] > 0
            assert found["language"] == case.language
            assert found["directions"] == [case.direction] * 3


def test_a_text_in_two_scripts_runs_both_ways(visit: Visit, make_campaign: MakeCampaign) -> None:
    documents = [
        Document(
            "plain", "", "Frozen rivers, and those who walk on them\n\nالأنهار المتجمدة\n\nנהרות קפואים 1929"
        ),
        Document(
            "html",
            "",
            "<p>Frozen rivers, and those who walk on them<p>الأنهار المتجمدة<p>נהרות קפואים 1929",
            "text/html",
        ),
    ]
    make_campaign("world", [Topic("1", "ice")], documents, {"alpha": {"1": ["plain", "html"]}})
    for document_id in ("plain", "html"):
        found = open_frame(visit, "world", document_id).evaluate(READ)
        assert found["directions"] == ["ltr", "ltr", "rtl", "rtl"]
