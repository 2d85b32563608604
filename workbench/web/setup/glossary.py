"""The glossary as a page, and links to its terms: `term("tau_AP")` in a template."""

from __future__ import annotations

from flask import render_template, url_for
from markupsafe import Markup

from workbench.core.glossary import GLOSSARY, anchor
from workbench.web.access.rules import SIGNED_IN, Pages
from workbench.web.requests.catalogues import ENGLISH
from workbench.web.requests.languages import page_language

blueprint = Pages("glossary", __name__)

LINK = Markup('<a class="term" href="{address}" title="{sentence}">{shown}</a>')


@blueprint.get("/glossary", allow=SIGNED_IN)
def page() -> str:
    """Every term of art on the pages in one sentence."""
    terms = sorted(GLOSSARY, key=str.casefold)
    return render_template(
        "setup/glossary/page.html", terms=[(name, anchor(name), GLOSSARY[name]) for name in terms]
    )


@blueprint.app_template_global()
def term(name: str, shown: str = "") -> Markup:
    """A link to a term of the glossary, shown as `shown`, with its sentence as title; KeyError for others.

    The glossary is English: other pages have no such title.
    """
    address = url_for("glossary.page", _anchor=anchor(name))
    sentence = GLOSSARY[name] if page_language() == ENGLISH else ""
    return LINK.format(address=address, sentence=sentence, shown=shown or name)
