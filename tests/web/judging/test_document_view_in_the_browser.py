"""What a browser makes of a document: the stored text to the letter, its passage, lines that can be read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import MakeCampaign, Visit
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import near_duplicates
from workbench.storage.campaign.people import own_terms

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AWKWARD = (
    " first line\r\nsecond\t tab  blanks\r\n\r\n    indented = 1\r\n    more\r\n\r\nold\rMac\rlines\n\n"
    "🙂 <b>&amp;</b> \u00a0 no\u00adbreak \u2028 x\u0085y\n\n" + "River ice. " * 400 + "\n\nthe\x0c end\n"
)
FILLER = "Nothing is said of it in these words, which are there to be long enough. " * 25
PARAGRAPHS = ["The first.", FILLER, "All rivers froze that year.", FILLER, "The last."]
SENTENCES = (
    "In the winter of that year the river was frozen from bank to bank, and a fair was held upon the ice. "
    "There were tents, little printing presses, fires with whole oxen over them; ill-fitting skates killed a few. "
)


def open_frame(visit: Visit, campaign: str, document_id: str, **options: Any) -> Page:
    """A document's frame, opened directly."""
    against = {"against": options.pop("against")} if "against" in options else {}
    query = urlencode({"topic": "1", "document": document_id, **against})
    return visit(f"/c/{campaign}/document-frame?{query}", **options)


def make_one(make_campaign: MakeCampaign, *documents: Document, title: str = "rivers") -> Path:
    run = {"alpha": {"1": [document.document_id for document in documents]}}
    return make_campaign("one", [Topic("1", title)], documents, run)


def test_every_paragraph_is_the_stored_text_from_its_start_to_the_letter(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    make_one(make_campaign, Document("d", "", AWKWARD), title="river tab")
    blocks = open_frame(visit, "one", "d").evaluate(
        "[...document.querySelectorAll('main p')].map((p) => [Number(p.dataset.start), p.textContent])"
    )
    assert len(blocks) == 7
    for start, text in blocks:
        assert text == AWKWARD[start : start + len(text)]
    assert "".join("".join(text.split()) for _, text in blocks) == "".join(AWKWARD.split())


def test_lines_end_where_the_stored_lines_of_a_verse_do(visit: Visit, make_campaign: MakeCampaign) -> None:
    make_one(
        make_campaign,
        Document("unix", "", "a\nb\nc"),
        Document("dos", "", "a\r\nb\r\nc"),
        Document("mac", "", "a\rb\rc"),
    )
    for document_id in ("unix", "dos", "mac"):
        paragraph = open_frame(visit, "one", document_id).locator("main p")
        assert (
            paragraph.evaluate(
                "(p) => Math.round(p.offsetHeight / parseFloat(getComputedStyle(p).lineHeight))"
            )
            == 3
        )


def test_the_text_of_a_page_is_the_same_with_marks_and_without(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    html = (
        "<h1>Rivers</h1><pre>\n\n  river\n</pre><p>a &lt;river&gt; &amp; <i>ri</i>ver<img src=x alt='a river'></p>"
        "<table>\n<tr><td>river<td>&nbsp;x</table><ul><li>r<li>river</ul>\r\nend"
    )
    read = "document.querySelector('main').textContent"
    make_one(make_campaign, Document("d", "", html, "text/html"))
    marked = open_frame(visit, "one", "d")
    assert marked.locator("main mark").count() == 8
    make_campaign(
        "none", [Topic("1", "glacier")], [Document("d", "", html, "text/html")], {"alpha": {"1": ["d"]}}
    )
    plain = open_frame(visit, "none", "d")
    assert plain.locator("main mark").count() == 0
    assert marked.evaluate(read) == plain.evaluate(read)
    assert marked.evaluate(read) == "Rivers\n  river\na <river> & rivera river\nriver\u00a0xrriver\nend"


def test_a_passage_is_shown_alone_until_the_whole_is_asked_for(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    html = f"bare <b>words</b><ol>{''.join(f'<li>{words}' for words in PARAGRAPHS)}</ol><p>end</p>"
    make_one(
        make_campaign,
        Document("html", "", html, "text/html"),
        Document("plain", "", "\n\n".join(PARAGRAPHS), "text/plain"),
    )
    page = open_frame(visit, "one", "html")
    for name, before in (("html", 3), ("plain", 2)):
        page.goto(page.url.replace("=html", f"={name}"))
        expect(page.get_by_text("All rivers froze that year.")).to_be_visible()
        expect(page.get_by_text("The first.")).to_be_hidden()
        expect(page.get_by_text("The last.")).to_be_hidden()
        expect(page.get_by_text(f"… {before} paragraphs before")).to_be_visible()
        page.evaluate("document.body.classList.remove('passage')")
        expect(page.get_by_text("The first.")).to_be_visible()
        expect(page.get_by_text("The last.")).to_be_visible()
        expect(page.get_by_text(f"… {before} paragraphs before")).to_be_hidden()


LINES = """() => {
  const lines = new Map();
  const range = document.createRange();
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    for (let place = 0; place < walker.currentNode.length; place++) {
      range.setStart(walker.currentNode, place);
      range.setEnd(walker.currentNode, place + 1);
      const { bottom } = range.getBoundingClientRect();
      lines.set(bottom, (lines.get(bottom) ?? "") + walker.currentNode.data[place]);
    }
  }
  return [...lines.values()].map((line) => line.trimEnd().length);
}"""


def test_a_line_holds_at_most_75_characters_at_every_size(visit: Visit, make_campaign: MakeCampaign) -> None:
    make_one(make_campaign, Document("d", "", SENTENCES * 6))
    page = open_frame(visit, "one", "d", viewport={"width": 1600, "height": 900})
    for size in ("13px", "17px", "26px"):
        page.evaluate("(size) => document.documentElement.style.setProperty('--size', size)", size)
        assert 60 < max(page.evaluate(LINES)) <= 75
        assert page.evaluate("getComputedStyle(document.querySelector('main')).fontSize") == size


def luminance(colour: str) -> float:
    """Relative luminance of an `rgb()` colour (WCAG 2.2)."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


STYLES = """(marks) => marks.map((mark) => [mark, getComputedStyle(mark)]).map(([mark, style]) => [
    mark.className, style.color, style.backgroundColor,
    [style.borderBlockEndStyle, style.borderBlockEndWidth, style.textDecorationLine, style.textDecorationStyle]
        .join(" "),
])"""


def test_marks_can_be_read_and_told_apart_without_their_colour(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    text = "Rivers, winter, trade, salt and lakes: the ice"
    path = make_one(
        make_campaign,
        Document("a", "", f"{text} melts."),
        Document("b", "", f"{text} froze."),
        title="rivers winter trade salt lakes",
    )
    with open_campaign(path) as campaign, campaign.write():
        near_duplicates.put(campaign, "1", [("a", "b")], texts=2)
        own_terms.put(campaign, "Ben", "1", "ice")
    page = open_frame(visit, "one", "b", against="a")
    assert_marks_are_readable(page)
    page.emulate_media(color_scheme="dark")
    assert_marks_are_readable(page)


def assert_marks_are_readable(page: Page) -> None:
    styles = page.locator("main mark").evaluate_all(STYLES)
    assert [style[0] for style in styles] == [*["hit"] * 5, "hit own", "changed begins replaces"]
    assert all(contrast(ink, ground) >= 4.5 for _, ink, ground, _ in styles)
    grounds = [ground for _, _, ground, _ in styles]
    assert len(set(grounds)) == 6
    assert grounds[5] == grounds[0]
    lines = [line for *_, line in styles]
    assert lines == [
        "none 0px none solid",
        "solid 2px none solid",
        "dashed 2px none solid",
        "double 3px none solid",
        "solid 3px none solid",
        "none 0px overline solid",
        "none 0px underline dotted",
    ]
    for kind in ("find", "rationale"):
        highlight = page.evaluate(
            f"(style => [style.color, style.backgroundColor])(getComputedStyle(document.body, '::highlight({kind})'))"
        )
        assert contrast(*highlight) >= 4.5
    page.emulate_media(forced_colors="active")
    forced = page.locator("main mark").evaluate_all(STYLES)
    assert all(contrast(ink, ground) >= 4.5 for _, ink, ground, _ in forced)
    assert [line for *_, line in forced] == lines
    page.emulate_media(forced_colors="none")


def test_comments_and_strings_of_code_can_be_read_and_code_has_the_size_of_text(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    make_one(make_campaign, Document("d", "", "x = 'ice'  # river\n", "text/x-code"), title="river")
    page = open_frame(visit, "one", "d", color_scheme="dark")
    colours = """(one) => [getComputedStyle(one).color, getComputedStyle(document.documentElement).backgroundColor]"""
    places = [".block-code li", ".code-comment", ".code-string"]
    for _ in range(2):
        found = [page.locator(place).evaluate(colours) for place in places]
        assert len({ink for ink, _ in found}) == 3
        assert all(contrast(ink, ground) >= 4.5 for ink, ground in found)
        mark = page.locator(".code-comment mark").evaluate("(one) => getComputedStyle(one).color")
        assert mark != found[1][0]
        page.emulate_media(color_scheme="light")
    sizes = page.evaluate(
        "[document.querySelector('.block-code'), document.body].map((one) => getComputedStyle(one).fontSize)"
    )
    assert sizes[0] == sizes[1]
    page.emulate_media(forced_colors="active")
    assert all(contrast(*page.locator(place).evaluate(colours)) >= 4.5 for place in places)


def test_numbers_of_a_table_end_at_the_right_of_their_column(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    rows = "<tr><th>River<th>Length</tr><tr><td>Elbe<td>1,094</tr><tr><td>Oder<td>84</tr>"
    make_one(make_campaign, Document("d", "", f"<table>{rows}</table>", "text/html"))
    ends = """(cells) => cells.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return Math.round(range.getBoundingClientRect().right);
    })"""
    numbers = open_frame(visit, "one", "d").locator(":is(td, th):last-child").evaluate_all(ends)
    assert len(numbers) == 3
    assert len(set(numbers)) == 1


def test_the_head_of_a_long_table_stays_in_view_while_its_rows_are_scrolled(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    wide = f"Station{'x' * 200}"

    def table(name: str) -> str:
        rows = "".join(f"<tr><td>{name} {number}<td>{number} cm" for number in range(200))
        return f"<p>Ice.</p><table><thead><tr><th>Station<th>Thickness</thead><tbody>{rows}</table>"

    made = [Document(each[:8], "", table(each), "text/html") for each in ("Station", wide)]
    make_one(make_campaign, *made, title="glacier")
    page = open_frame(visit, "one", "Station")
    for name in ("Station", wide):
        page.goto(page.url.replace("=Station", f"={name[:8]}"))
        page.get_by_text(f"{name} 150").scroll_into_view_if_needed()
        tops = page.locator("th").evaluate_all(
            "(heads) => heads.map((head) => head.getBoundingClientRect().top)"
        )
        assert tops == [0, 0]
        expect(page.get_by_text("Ice.")).not_to_be_in_viewport()
        page.get_by_text("150 cm").scroll_into_view_if_needed()
        expect(page.get_by_text("Thickness")).to_be_in_viewport()


def test_code_has_one_font_and_each_stored_line_is_one_line(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    lines = ["def flow(river):", "    return " + " + ".join(f"river[{n}]" for n in range(80)), "", "flow([])"]
    make_one(make_campaign, Document("d", "", "\n".join(lines), "text/x-code"))
    shown = open_frame(visit, "one", "d").locator(".block-code li")
    assert [text.rstrip("\n") for text in shown.all_text_contents()] == lines
    fonts, heights = shown.evaluate_all(
        """(lines) => [
            lines.map((line) => getComputedStyle(line).fontFamily),
            lines.map((line) => line.offsetHeight),
        ]"""
    )
    assert len(set(fonts)) == 1
    assert "monospace" in fonts[0]
    assert len(set(heights)) == 1


def test_the_numbers_of_lines_stay_in_sight_and_a_mark_is_not_under_them(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    make_one(
        make_campaign,
        Document("d", "", f"{'x ' * 300}glacier {'x ' * 300}\n", "text/x-code"),
        title="glacier",
    )
    page = open_frame(visit, "one", "d")
    line, mark = page.locator(".block-code li"), page.locator("mark")
    mark.evaluate("(mark) => mark.scrollIntoView({ block: 'start' })")
    scrolled = page.locator("main").evaluate("(main) => main.scrollLeft")
    assert scrolled > 0
    page.locator("main").evaluate("(main, left) => main.scrollTo({ left })", 100_000)
    mark.evaluate("(mark) => mark.scrollIntoView({ block: 'start' })")
    edge = "(line) => parseFloat(getComputedStyle(line, '::before').width)"
    box, main = mark.bounding_box(), page.locator("main").bounding_box()
    assert box and main
    assert box["x"] >= main["x"] + line.evaluate(edge)
    assert line.evaluate("(line) => getComputedStyle(line, '::before').position") == "sticky"


SUM = "<mi>x</mi><mo>+</mo>" * 200
WIDE_TABLE = f"<table><tr>{'<td>Station' * 60}</table>"
WIDE_WITHIN = f"<p>Ice <math><mrow>{SUM}</mrow></math>."


WIDE = {
    "alone_.formula": f"<math display=block><mfrac><mrow>{SUM}</mrow><mi>y</mi></mfrac></math>",
    "within_.formula": WIDE_WITHIN,
    "a_.table": WIDE_TABLE,
    "marked_pre": f"<pre><code>{'x ' * 400}\n \n</code></pre>",
    "code_main": f"{'x ' * 400}\n\n",
}
"""By what it is, and the element that scrolls."""


def test_what_is_left_of_a_wide_formula_of_a_table_or_of_code_shows_at_its_edges(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    kinds = {name: "text/x-code" if name == "code_main" else "text/html" for name in WIDE}
    make_one(make_campaign, *(Document(name, "", text, kinds[name]) for name, text in WIDE.items()))
    page = open_frame(visit, "one", "a_.table")
    address = page.url
    for name in WIDE:
        page.goto(address.replace("a_.table", name))
        assert shaded(page, name) == SHADED, name
        page.emulate_media(color_scheme="dark")
        assert shaded(page, name) == SHADED, name
        page.emulate_media(color_scheme="light", forced_colors="active")
        assert shaded(page, name) == SHADED, name
        page.emulate_media(forced_colors="none")


SHADED = [[False, True], [True, True], [True, False]]


def shaded(page: Page, name: str) -> list[list[bool]]:
    """Whether what scrolls is shaded at its left and right edge: at its start, further on, and at its end."""
    wide = page.locator(name.split("_")[1])
    left, top, width, height = wide.evaluate(
        "(one) => ((box) => [box.left, box.top, box.width, box.height])(one.getBoundingClientRect())"
    )

    # The numbers of lines of code stay at its edge.
    numbers = 3.5 * 17 + 1 if name == "code_main" else 0

    def strip(place: float) -> bytes:
        return page.screenshot(clip={"x": place, "y": top + height - 4, "width": 2, "height": 3})

    def shaded_after(scrolled: int) -> list[bool]:
        wide.evaluate("(one, left) => one.scrollTo({ left })", scrolled)
        paper = strip(left + width / 4)
        return [strip(edge) != paper for edge in (left + 1 + numbers, left + width - 3)]

    return [shaded_after(scrolled) for scrolled in (0, 200, 100_000)]


def test_a_document_does_not_scroll_sideways_for_what_is_wide_in_it(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    make_one(make_campaign, Document("d", "", WIDE_TABLE + WIDE_WITHIN, "text/html"))
    page = open_frame(visit, "one", "d")
    wider = "(part) => part.scrollWidth > part.clientWidth"
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        found = [page.locator(part).evaluate(wider) for part in ("html", ".table", ".formula")]
        assert found == [False, True, True]


PLACES = """() => [...document.querySelectorAll("math, p, b")].map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [x, y, width, height];
})"""


def test_a_formula_that_could_scroll_stands_on_the_line_as_one_that_could_not(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    tall = "<mfrac><mi>x</mi><mfrac><mi>y</mi><mi>z</mi></mfrac></mfrac>"
    formulas = ["<mi>x</mi>", "<mi>x</mi><mo>+</mo><mi>y</mi>", tall, f"<msqrt>{tall}</msqrt>"]
    lines = "".join(f"<p>Ice <math>{each}</math>, <b>snow</b> and " * 30 for each in formulas)
    make_one(make_campaign, Document("d", "", lines, "text/html"))
    page = open_frame(visit, "one", "d")
    found = page.evaluate(PLACES)
    page.locator(".formula").evaluate_all(
        "(all) => all.forEach(({ style }) => (style.cssText = 'display: inline; margin: 0 !important; padding: 0'))"
    )
    assert page.evaluate(PLACES) == found


def test_a_formula_before_the_passage_is_not_shown_with_it(visit: Visit, make_campaign: MakeCampaign) -> None:
    formula, far = "<math display={}><mi>x</mi></math>", "The Thames froze. " * 200
    made = [
        Document(each, "", f"<p>{formula.format(each)} {far}The glacier melts.", "text/html")
        for each in ("inline", "block")
    ]
    make_one(make_campaign, *made, title="glacier")
    page = open_frame(visit, "one", "inline")
    for name in ("inline", "block"):
        page.goto(page.url.replace("=inline", f"={name}"))
        expect(page.get_by_text("The glacier melts.")).to_be_visible()
        expect(page.locator(".formula")).to_be_hidden()
        page.evaluate("document.body.classList.remove('passage')")
        expect(page.locator(".formula")).to_be_visible()


DOT = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


def test_an_image_that_the_page_holds_is_painted_and_no_other_is_asked_for(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    html = f"<img src='{DOT}' alt='a dot'><img src='/static/icon.svg' alt='the icon'>"
    markdown = f"![a dot]({DOT}) ![the icon](/static/icon.svg)"
    make_one(
        make_campaign,
        Document("html", "", html, "text/html"),
        Document("markdown", "", markdown, "text/markdown"),
    )
    page = open_frame(visit, "one", "html")
    for name in ("html", "markdown"):
        page.goto(page.url.replace("=html", f"={name}"))
        widths = page.locator("img").evaluate_all("(images) => images.map((image) => image.naturalWidth)")
        assert widths == [1]
        expect(page.locator(".picture")).to_have_text("the icon")
