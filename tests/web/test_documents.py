"""Documents are shown as their words, whatever is in them."""

from __future__ import annotations

import pytest

from workbench.records import Document
from workbench.web.documents import clean_html, has_words, text_blocks, view_of

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='https://example.org/'>x</a>",
    "<meta http-equiv='refresh' content='0;url=https://example.org/'>",
    "<base href='https://example.org/'>",
    "<link rel='stylesheet' href='https://example.org/x.css'>",
    "<style>body { background: url(https://example.org/x.png) }</style>",
    "<p style='background: url(https://example.org/x.png)'>x</p>",
    "<div onmouseover='alert(1)' id='page-data' class='strip' name='x'>x</div>",
    "<iframe src='https://example.org/'></iframe>",
    "<object data='x.swf'></object><embed src='x.swf'>",
    "<form action='https://example.org/'><input name='x' autofocus onfocus='alert(1)'><button>x</button></form>",
    "<video src='x' onerror='alert(1)'></video><audio src='x'></audio>",
    "<table background='https://example.org/x.png'><td>x</table>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<template><script>alert(1)</script></template>",
    "<!--><script>alert(1)</script>-->",
    "<details open ontoggle=alert(1)>x</details>",
    "<body onload=alert(1)><p>x",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
]


@pytest.mark.parametrize("payload", HOSTILE)
def test_nothing_that_runs_loads_or_navigates_is_left_of_html(payload: str) -> None:
    cleaned = clean_html(payload).lower()
    for forbidden in (
        "<script",
        "<style",
        "<img",
        "<svg",
        "<math",
        "<a",
        "<iframe",
        "<form",
        "<meta",
        "<link",
        "<base",
    ):
        assert forbidden not in cleaned.replace("<abbr", "").replace("<article", "").replace("<aside", "")
    for forbidden in (
        " on",
        "javascript:",
        "style=",
        "href",
        "src=",
        "url(",
        "http",
        " id=",
        " class=",
        " name=",
    ):
        assert forbidden not in cleaned


def test_the_words_and_the_structure_of_html_stay() -> None:
    html = (
        '<h1>Rivers</h1><p lang="de">Der <b>Rhein</b>, <a href="/x">mehr</a></p>'
        '<table><tr><th scope="col">Year<td colspan=2>1929</table>'
    )
    assert clean_html(html) == (
        '<h1>Rivers</h1><p lang="de">Der <b>Rhein</b>, mehr</p>'
        '<table><tbody><tr><th scope="col">Year</th><td colspan="2">1929</td></tr></tbody></table>'
    )


def test_the_title_of_a_page_is_not_shown_twice() -> None:
    assert clean_html("<head><title>Rivers</title></head><body><p>Rhine</p>") == "<p>Rhine</p>"


@pytest.mark.parametrize(
    "html", ["", " \n ", "<p>&nbsp;</p>", "<script>x()</script>", "<div><br></div>", "<img src=x>"]
)
def test_html_without_words_is_empty(html: str) -> None:
    assert not has_words(clean_html(html))
    assert view_of(Document("d", "", html, "text/html")).state == "empty"


@pytest.mark.parametrize("text", ["", "  \n\t\r\n "])
def test_text_without_words_is_empty(text: str) -> None:
    assert view_of(Document("d", "", text)).state == "empty"


def test_text_that_looks_like_html_stays_text() -> None:
    view = view_of(Document("d", "", "<script>alert(1)</script>"))
    assert view.state == "text"
    assert view.blocks[0].text == "<script>alert(1)</script>"


def test_paragraphs_part_at_blank_lines_of_every_kind() -> None:
    assert [block.text for block in text_blocks("one\n\n\ntwo\r\n\r\nthree\r\rfour\n  \t \nfive")] == [
        "one",
        "two",
        "three",
        "four",
        "five",
    ]


def test_a_word_wrap_has_no_meaning() -> None:
    wrapped = (
        "The Thames froze in the winters of 1683 and 1739, when\n"
        "fairs were held upon the ice between the bridges, and\n"
        "never since."
    )
    assert [block.kind for block in text_blocks(wrapped)] == ["flowing"]


def test_short_lines_keep_their_breaks() -> None:
    assert [block.kind for block in text_blocks("Tyger Tyger,\nburning bright")] == ["lines"]


@pytest.mark.parametrize(
    "text",
    [
        "for river in rivers:\n    freeze(river)",
        ">>> freeze('Rhine')\nTrue",
        "def freeze(river: str) -> bool",
        "Intro:\n\n    indented = True",
        "name      year\nRhine     1929",
    ],
)
def test_code_and_tables_keep_their_blanks(text: str) -> None:
    assert text_blocks(text)[-1].kind == "preformatted"


def test_a_wrapped_definition_hangs_without_being_code() -> None:
    definition = (
        "thickness: how thick the ice was, in centimetres, measured\n"
        "    at the middle of the river, or None if nobody did"
    )
    assert text_blocks(definition) == (("hanging", definition.replace("    ", "")),)


def test_an_indented_first_line_begins_a_paragraph() -> None:
    newspaper = (
        "   LONDON - The Thames has frozen over for the first time\nsince 1739, and a fair is held on it."
    )
    (block,) = text_blocks(newspaper + "\n\nMore.")[:1]
    assert block == ("flowing", newspaper.strip())


def test_a_text_indented_as_a_whole_is_not_code() -> None:
    assert [block.kind for block in text_blocks("    one\n    two\n\n    three")] == ["lines", "flowing"]


def test_markdown_is_shown_as_it_was_written() -> None:
    view = view_of(Document("d", "", "# Rivers\n\n* Rhine\n* Thames <b>", "text/markdown"))
    assert view.blocks == (("lines", "# Rivers"), ("lines", "* Rhine\n* Thames <b>"))
