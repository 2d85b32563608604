"""Agreement between assessors, for the organiser: overall, by topic, by pair, self-agreement; and what their
disagreement does to the result.
"""

from __future__ import annotations

from typing import Any

from flask import g

from workbench.analysis.between_assessors import sheets
from workbench.analysis.between_assessors.coefficients import RESAMPLES, CampaignAgreement, notes_of
from workbench.analysis.between_assessors.declared import AGREEMENT, DISAGREEMENT
from workbench.analysis.between_assessors.effect import Effect
from workbench.core.about import PAIRS
from workbench.scoring.board.table import usual_measures
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.grades import sources
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import Pages
from workbench.web.agreement import agreement_words as words
from workbench.web.analysis.result_pages import ResultRequest, result_page
from workbench.web.judging.given import buttons_of

blueprint = Pages("agreement", __name__)

SHOWN = 300
"""This many topics or pairs of assessors are listed."""


@result_page(blueprint, AGREEMENT, "/agreement")
def page(found: CampaignAgreement, asked: ResultRequest) -> str:
    """Agreement `?by=` campaign, topic, pair or assessor; `?scope=` is one of their rows in detail.

    Where pairs were drawn for a second judgment these alone count, by weight, unless `?pairs=all`.
    """
    by, chosen = asked.values["by"], asked.values["scope"]
    whole, scope = found, found.scopes[0] if found.shared and (chosen or by == "campaign") else None
    if chosen:  # sixty assessors are 1,770 pairs of them: rows have no intervals, which take most of the time
        rows = asked.values | {"scope": None, "draws": 0}
        whole = AGREEMENT.answer(asked.campaign, rows)
    rules = settings.read(g.campaign)
    good = rules.called(rules.relevant_from) if g.campaign.question else ""
    return asked.page(
        "agreement/agreement/page.html",
        found,
        here=by,
        scope=scope,
        number_of_rows=len(whole.scopes),
        rows=whole.scopes[:SHOWN],
        notes={} if scope is None else notes_of([scope]),
        matrix=None if scope is None else words.matrix_of(scope),
        lead=words.lead_of(found, scope, good, of_pairs=rules.about in PAIRS),
        good=good,
        any_drawn=by != "assessor" and not asked.values["judges"] and bool(draws.all_draws(g.campaign)),
        has_numbers=bool(found.shared),
        files=asked._replace(values=asked.values | {"scope": None, "draws": RESAMPLES}),
        kept=({"pairs": "all"} if asked.values["pairs"] == "all" else {})
        | ({"judges": "yes"} if asked.values["judges"] else {}),
        **_common(),
    )


@result_page(blueprint, DISAGREEMENT, "/agreement/effect")
def effect(found: Effect, asked: ResultRequest) -> str:
    """The leaderboard by `?measure=` under other grades, and how far each run's score moves."""
    return asked.page(
        "agreement/agreement/effect.html",
        found,
        here="effect",
        views=asked.table(sheets.sheet_of_views(found), "view"),
        lead=words.lead_of_effect(found),
        line=words.Line.of_ranges(found),
        measures=usual_measures(g.campaign),
        has_numbers=bool(found.shared_topics),
        kept={},
        **_common(),
    )


def _common() -> dict[str, Any]:
    current = settings.read(g.campaign)
    return {
        "words": words,
        "buttons": buttons_of(current),
        "any_models": sources.has_models(g.campaign),
        "of_pairs": current.about in PAIRS,
        "titles": topics.titles(g.campaign),
    }
