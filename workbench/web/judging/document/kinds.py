"""How each kind of document is read to be shown: a function from its text, registered under its media type."""

from __future__ import annotations

from html import escape

from workbench.core.plugins import PluginFailed
from workbench.formats.documents.fields import KINDS, renderer
from workbench.methods.text.formulas import BETWEEN
from workbench.web.judging.document.blocks import LINES, PREFORMATTED, Block, text_blocks
from workbench.web.judging.document.cleaning import clean_html, declared
from workbench.web.judging.document.json_text import JsonText, is_json
from workbench.web.judging.document.markdown import can_be_rendered, document_html, put_images, without_images
from workbench.web.judging.document.markup import Markup
from workbench.web.judging.document.plain import Code, PlainText


def shown(text: str, media_type: str, *, latex: bool) -> Markup | PlainText:
    """A text as it is shown; what a plugin makes of it is cleaned like any page, and where it fails the text itself."""
    try:
        found = KINDS.get(media_type, plain)(text, latex=latex)
    except PluginFailed:  # organisers see it on the dashboard; assessors go on
        return plain(text, latex=latex)
    return Markup(clean_html(found, latex=latex)) if isinstance(found, str) else found


@renderer("text/plain")
def plain(text: str, *, latex: bool) -> Markup | PlainText:
    """Plain text, or JSON; with formulas it is a page."""
    if is_json(text):
        return JsonText(text)
    if latex and BETWEEN.search(text):
        return Markup(clean_html("".join(map(_as_element, text_blocks(text))), latex=True))
    return PlainText(text)


@renderer("text/html")
def page(text: str, *, latex: bool) -> Markup:
    """A page, cleaned."""
    return Markup(clean_html(text, latex=latex), declared(text))


@renderer("text/markdown")
def markdown(text: str, *, latex: bool) -> Markup | PlainText:
    """Markdown as a cleaned page; very long Markdown as it was written. Its images cost no time of rendering."""
    text, images = without_images(text)
    if not can_be_rendered(text):
        return PlainText(text)
    return Markup(put_images(clean_html(document_html(text, latex=latex)), images))


@renderer("text/x-code")
def code(text: str, *, latex: bool) -> Code:
    """Source code, with the numbers of its lines; a dollar in it is one."""
    return Code(text)


def _as_element(block: Block) -> str:
    html = escape(block.text)
    if block.kind == PREFORMATTED:
        return f"<pre>\n{html}</pre>"
    return f"<p>{html.replace(chr(10), '<br>') if block.kind == LINES else html}</p>"
