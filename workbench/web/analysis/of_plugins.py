"""The pages of analyses that plugins add: each draws itself, in the menu of results."""

from __future__ import annotations

from typing import Any

from workbench.analysis.registry import ANALYSES, Analysis
from workbench.web.access.rules import Pages
from workbench.web.analysis.result_pages import ResultRequest, plain_page, result_page
from workbench.web.places import PLACES, RESULTS, Place

blueprint = Pages("of_plugins", __name__)


def _serve(analysis: Analysis) -> None:
    def page(found: Any, asked: ResultRequest) -> str:
        return plain_page(found, asked)

    page.__name__ = analysis.name.replace("-", "_")
    result_page(blueprint, analysis, *[f"/of-plugins/{analysis.name}"] * 2)(page)
    PLACES.append(Place(f"{blueprint.name}.{page.__name__}", analysis.called, RESULTS))


for _analysis in ANALYSES.of_plugins().values():
    _serve(_analysis)
