"""Further questions on pages of results: what is shown is the answers to one, and relevance is a click away.

The campaign of a request is seen by `?question=` (web/access/rules.py); the links and forms of these pages keep it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import Flask, g, request, url_for
from markupsafe import Markup

from workbench.storage.campaign.organising import settings

QUESTION = "question"

BY_QUESTION = frozenset(
    {"adjudication", "agreement", "board", "compare", "downloads", "figures", "topics", "trust"}
)
"""The blueprints that show what follows from the answers to a question."""


class QuestionChoice(NamedTuple):
    """A question as its answers can be seen: what it asks, its address, and whether it is what is seen."""

    called: str
    address: str
    chosen: bool


def init_app(app: Flask) -> None:
    """Give templates `question_switch()` and `kept_question()`, and links of these pages the question."""
    app.add_template_global(question_switch)
    app.add_template_global(kept_question)
    app.url_default_functions.setdefault(None, []).append(_keep)


def question_switch() -> list[QuestionChoice]:
    """What else the page of this request can be seen by; empty where nothing but relevance is asked."""
    if request.blueprint not in BY_QUESTION or request.method != "GET" or not g.get("role"):
        return []
    asked = settings.read(g.campaign.asking("")).questions
    names = {"": "Relevance", **{each.name: each.title for each in asked}}
    fields = request.args.to_dict(flat=False) | (request.view_args or {})
    return [
        QuestionChoice(
            title, url_for(request.endpoint or "", **fields | {QUESTION: name}), name == g.campaign.question
        )
        for name, title in (names.items() if asked else ())
    ]


def kept_question() -> Markup:
    """The field that keeps the question of this page in a form of it."""
    name = g.campaign.question
    return Markup('<input type="hidden" name="{}" value="{}">').format(QUESTION, name) if name else Markup()


def _keep(endpoint: str, values: dict[str, Any]) -> None:
    if (
        endpoint.partition(".")[0] in BY_QUESTION
        and request.blueprint in BY_QUESTION
        and QUESTION in request.args
    ):
        values.setdefault(QUESTION, request.args[QUESTION])
