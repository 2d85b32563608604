"""The glossary as a page, and links to its terms: `term("tau_AP")` in a template."""

from __future__ import annotations

from flask import render_template, url_for
from markupsafe import Markup

from workbench.core.glossary import GLOSSARY, anchor
from workbench.web.access.rules import SIGNED_IN, Pages

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
    """A link to a term of the glossary, shown as `shown`, with its sentence as title; KeyError for others."""
    address = url_for("glossary.page", _anchor=anchor(name))
    return LINK.format(address=address, sentence=GLOSSARY[name], shown=shown or name)
