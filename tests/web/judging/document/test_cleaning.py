"""Of a page from a stranger only its words and their structure are left."""

from __future__ import annotations

import re

import pytest

from tests.sentences import says
from workbench.web.judging.document import cleaning
from workbench.web.judging.document.cleaning import Declared, clean_html, declared
from workbench.web.judging.document.kinds import KINDS
from workbench.web.judging.document.markdown import can_be_rendered, document_html
from workbench.web.judging.document.plain import PlainText

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
    "<svg><style/><a xlink:href='javascript:alert(1)'><text>x</text></a><foreignObject><iframe src=x></svg>",
    "<svg><![CDATA[<script>alert(1)</script>]]></svg>",
    "<math><mtext><![CDATA[<img src=x onerror=alert(1)>]]></mtext></math>",
    "<input value='<script>alert(1)</script>'><optgroup label='<a href=x>'><option>x",
    "<textarea><script>alert(1)</script></textarea><xmp><img src=x onerror=alert(1)></xmp><plaintext><script>",
    "<iframe><script>alert(1)</script></iframe><noframes><a href=x onclick=alert(1)>x</noframes>",
    "<hole kind='x' onclick='alert(1)' style='x'></hole><bit hidden='x' href=x></bit>",
]


TAGS = "<script <style <svg <math <a <iframe <form <meta <link <base".split()
PARTS = [" on", "javascript:", "style=", "href", "url(", "http", " id=", " class=", " name="]


@pytest.mark.parametrize("payload", HOSTILE)
def test_nothing_that_runs_loads_or_navigates_is_left_of_html(payload: str) -> None:
    cleaned = clean_html(payload).lower().replace("<a>", "").replace("<form>", "").replace("<formula", "<")
    # What is text is escaped, and names nothing.
    cleaned = re.sub(r"&lt;.*?(?:>|&gt;)", "", cleaned)
    cleaned = re.sub("<(abbr|article|aside)", "", cleaned)
    assert [forbidden for forbidden in (*TAGS, *PARTS) if forbidden in cleaned] == []


def test_the_words_and_the_structure_of_html_stay() -> None:
    text = '<h1>Rivers</h1><p lang="de">Der <b>Rhein</b>, <a{}>mehr</a></p>'
    table = '<table><tr><th scope="col">Year<td colspan=2>1929</table>'
    cleaned = '<tr><th scope="col">Year</th><td colspan="2">1929</td></tr>'
    head = "<head><title>Rivers</title></head><body>"  # shown above the document already
    assert clean_html(head + text.format(' href="/x"') + table) == (
        f"{text.format('')}<table><tbody>{cleaned}</tbody></table>"
    )


def test_of_an_image_stays_what_says_whether_it_may_be_shown() -> None:
    html = "<img src='https://example.org/x.png' srcset='https://example.org/y.png 2x' onerror='x()' alt='A river'>"
    assert clean_html(html) == '<img alt="A river">'
    assert says(clean_html("<img src='data:image/png;base64,AAAA'>"))


def cleaned_markdown(text: str) -> str:
    return clean_html(document_html(text, latex=False))


def test_markdown_is_rendered() -> None:
    text = "# Rivers\n\n* *Rhine*\n* Thames\n\n| river | year |\n|---|---|\n| Rhine | 1929 |\n\n~~never~~ `ice < 1`\n"
    assert cleaned_markdown(text).replace("\n", "") == (
        "<h1>Rivers</h1><ul><li><em>Rhine</em></li><li>Thames</li></ul>"
        "<table><thead><tr><th>river</th><th>year</th></tr></thead><tbody><tr><td>Rhine</td><td>1929</td></tr></tbody></table>"
        "<p><s>never</s> <code>ice &lt; 1</code></p>"
    )


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("[the Rhine](javascript:alert(1))", "<p>[the Rhine](javascript:alert(1))</p>"),
        ("[the Rhine](https://example.org/)", "<p><a>the Rhine</a></p>"),
        ("<https://example.org/>", "<p><a>https://example.org/</a></p>"),
        ("![ice](https://example.org/ice.png)", '<p><img alt="ice"></p>'),
        ("<script>alert(1)</script>frozen", 'frozen<hole kind="script"></hole>'),
        (
            'frozen <b onclick="alert(1)">Rhine</b><iframe src="x"></iframe>',
            '<p>frozen <b>Rhine</b><hole kind="frame"></hole><fallback></fallback></p>',
        ),
        (
            "```html\n<script>alert(1)</script>\n```",
            "<pre><code>&lt;script&gt;alert(1)&lt;/script&gt;\n</code></pre>",
        ),
    ],
)
def test_markdown_is_cleaned_like_any_page(text: str, html: str) -> None:
    assert cleaned_markdown(text).strip() == html


def test_plain_text_is_no_html_and_very_long_markdown_is_shown_as_it_was_written() -> None:
    assert isinstance(KINDS["text/plain"]("<p>words", latex=False), PlainText)
    assert isinstance(KINDS["text/markdown"]("x" * 1_000_001, latex=False), PlainText)


@pytest.mark.parametrize(("more", "is_bold"), [(0, True), (-1, False)])
def test_formatting_that_makes_a_page_too_long_is_left_out(
    more: int, is_bold: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "<p><b>ice" * 3
    longest = len(clean_html(page))
    monkeypatch.setattr(cleaning, "SMALL", longest - cleaning.MOST_GROWTH * len(page) + more)
    cleaned = clean_html(page)
    assert ("<b>" in cleaned, cleaned.count("ice")) == (is_bold, 3)


@pytest.mark.parametrize(
    ("html", "says"),
    [('<!doctype html><HTML lang="ar" dir=RTL><body>', Declared("ar", "rtl")),
     ("<html xml:lang='zh-Hant'><body dir='ltr'>", Declared("zh-Hant", "ltr")),
     ("<html data-lang='x' hreflang=de><body><p lang='fr'>", Declared(None, None)),
     ('<html lang="&quot;><script>"><body>', Declared(None, None)), ("words", Declared(None, None))],
)  # fmt: skip
def test_a_page_says_in_which_language_and_direction_it_is_written(html: str, says: Declared) -> None:
    assert declared(html) == says


@pytest.mark.parametrize(
    ("is_rendered", "markdown"),
    [
        (True, ["*ice*\n\n" * 1000, "ice " * 4_000, "*ice* " * 900]),
        (False, ["*ice*\n\n" * 40_000, "ice " * 6_000, "*ice* " * 1_100]),
        # One such paragraph is enough.
        (False, ["*ice*\n\n" + "ice " * 6_000, "ice " * 6_000 + "\n \n*ice*"]),
        (False, ["snow\n\n" + "*ice* " * 1_100 + "\n\nsnow"]),
    ],
    ids=["short enough", "too much", "a paragraph too long", "a paragraph with too many signs"],
)
def test_markdown_that_would_take_long_is_shown_as_it_was_written(
    is_rendered: bool, markdown: list[str]
) -> None:
    assert [can_be_rendered(text) for text in markdown] == [is_rendered] * len(markdown)
