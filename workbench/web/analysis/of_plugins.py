"""The pages of analyses that plugins add: each draws itself, in the menu of results."""

from __future__ import annotations

from typing import Any

from workbench.analysis.registry import ANALYSES, Analysis
from workbench.web.access.rules import Pages
from workbench.web.analysis.result_pages import Page, ResultRequest, plain_page, result_page
from workbench.web.places import PLACES, RESULTS, Place

blueprint = Pages("of_plugins", __name__)


def _page_of(analysis: Analysis) -> Page:
    def page(found: Any, asked: ResultRequest) -> str:
        return plain_page(found, asked)

    page.__name__ = analysis.name.replace("-", "_")
    return page


for _analysis in ANALYSES.of_plugins().values():
    _page, _address = _page_of(_analysis), f"/of-plugins/{_analysis.name}"
    result_page(blueprint, _analysis, _address, _address)(_page)
    PLACES.append(Place(f"{blueprint.name}.{_page.__name__}", _analysis.called, RESULTS))
