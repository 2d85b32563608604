"""Further questions on pages: what is shown is about one, such as its results, and relevance is a click away.

The campaign of a request is seen by `?question=` (web/access/rules.py); the links and forms of these pages keep it.
"""

from __future__ import annotations

from typing import Any

from flask import Flask, g, request
from markupsafe import Markup

from workbench.core.about import DOCUMENTS, PAIRS
from workbench.storage.campaign.collection import question_topics
from workbench.storage.campaign.organising import settings
from workbench.web.scoring.over_rounds import Choice, choice, kept_field

QUESTION = "question"

BY_QUESTION = frozenset(
    "adjudication agreement assignments board compare downloads figures own_team pooling runs.run topics trust".split()
)
"""The blueprints, or single views, that show what is pooled and assigned for a question, and what follows from the
answers to it.
"""

POOLED = "pooling"
"""The blueprint of pools: questions about documents have none of their own."""
SCORED = frozenset("board compare figures own_team runs topics trust".split())
"""Those of scores, which no question about pairs has."""


def init_app(app: Flask) -> None:
    """Give templates `question_switch()` and `kept_question()`, and links of these pages the question."""
    app.add_template_global(question_switch)
    app.add_template_global(kept_question)
    app.url_default_functions.setdefault(None, []).append(_keep)


def question_switch() -> list[Choice]:
    """What else the page of this request can be seen by; empty where nothing but relevance is asked."""
    if not is_by_question(request.endpoint or "") or request.method != "GET" or not g.get("role"):
        return []
    asked = settings.read(g.campaign.asking("")).questions
    out = (DOCUMENTS,) if request.blueprint == POOLED else PAIRS if request.blueprint in SCORED else ()
    asked = tuple(each for each in asked if each.about not in out)
    names = {"": "Relevance", **{each.name: each.title for each in asked}}
    return [
        choice(title, QUESTION, name, name == g.campaign.question)
        for name, title in (names.items() if asked else ())
    ]


def kept_question() -> Markup:
    """The field that keeps the question of this page in a form of it."""
    return kept_field(QUESTION, g.campaign.question)


def is_by_question(endpoint: str) -> bool:
    """Whether a view shows what follows from a question."""
    return bool({endpoint, endpoint.partition(".")[0]} & BY_QUESTION)


def _keep(endpoint: str, values: dict[str, Any]) -> None:
    kept = QUESTION in request.args and is_by_question(endpoint) and is_by_question(request.endpoint or "")
    if kept and (endpoint.partition(".")[0] not in SCORED or question_topics.about(g.campaign) not in PAIRS):
        values.setdefault(QUESTION, request.args[QUESTION])
