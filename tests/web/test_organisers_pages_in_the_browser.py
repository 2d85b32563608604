"""Every page of an organiser: axe-core finds nothing, nothing is wider than the window, every figure is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import ConsoleMessage

from tests.fixture_types import JudgeAs, MakeCampaign, Visit
from tests.labels_of_models import add_labels_of_model
from tests.web.axe import complaints
from tests.web.drawings import A_WHILE, all_drawn
from workbench.core.records import Document, Grade, Topic
from workbench.formats.answers.banks import Bank, Creator, GoldAnswer, Nugget, Reference
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import nuggets
from workbench.web.analysis.result_pages import ROUTES
from workbench.web.pages import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("rivers")]

GRADES = (Grade(-2, "Spam"), Grade(0, "Not relevant"), Grade(1, "Relevant"), Grade(2, "Highly relevant"))
LONG_NAME = "a-team-with-a-long-name.run-17.bm25+rm3.monoT5-3b.rerank-1000.fused"
TOPICS = [
    Topic(str(number), f"frozen rivers {number}", "Which rivers freeze?", "Named rivers only.")
    for number in range(1, 7)
]
DOCUMENTS = [Document(f"d{number}", f"Document {number}", "Rivers freeze.") for number in range(1, 9)]
RUNS = {
    tag: {topic.topic_id: [f"d{1 + (shift + at) % 8}" for at in range(length)] for topic in TOPICS}
    for tag, shift, length in [("alpha", 0, 8), ("beta", 2, 6), (LONG_NAME, 5, 7)]
}
PAIR = f"run=alpha&run={LONG_NAME.replace('+', '%2B')}"

ADDRESSES = {
    # Declared by what PAGES imports.
    **{
        name: [route.rule.removeprefix("/c/<campaign>/")]
        for name, route in sorted(ROUTES.items())
        if route.is_page
    },
    "dashboard.page": ["dashboard"],
    "task_steps.page": ["steps"],
    "campaigns.own_topics": ["own-topics"],
    "assignments.page": ["assignments"],
    "assignments.hand_over": ["assignments/hand-over?from=Ben"],
    "norming.page": ["norming"],
    "assessors.page": ["assessors"],
    "assessors.one": ["assessor?name=Ben"],
    "own_work.page": ["work"],
    "agreement.page": [
        f"agreement{by}" for by in ("", "?by=topic", "?by=pair&scope=Ben,+Carla", "?by=assessor")
    ],
    "adjudication.page": ["adjudication"],
    "adjudication.pair": ["adjudicate"],
    "runs.page": ["runs", "runs?state=pooled&sort=-unique&q=a"],
    "runs.run": ["run?run=alpha"],
    "submissions.page": ["submissions"],
    "pooling.page": ["pool", "pool?depth=4"],
    "searching.page": ["search"],
    "models.page": ["models"],
    "simulation.page": ["simulation"],
    "topics.page": ["topics"],
    "topics.topic": ["topic?topic=1"],
    "nuggets.page": ["nuggets"],
    "nuggets.topic": ["nuggets/topic?topic=1", "nuggets/topic?topic=2"],
    "pairs.page": ["pair?topic=1&document=d1"],
    "pairs.of_topic": ["judgments?topic=1", "judgments?topic=1&look=yes"],
    "people.page": ["people"],
    "board.page": ["board", "board?as-of=20&q=a&run=alpha&only=yes"],
    "board.printed": ["board/print"],
    "battles.page": ["battles"],
    "compare.page": ["compare", f"compare?{PAIR}"],
    "compare.pairs": ["compare/pairs?baseline=beta"],
    "trust.page": [f"stop?one=alpha&two={LONG_NAME.replace('+', '%2B')}"],
    "online.page": ["online"],
    "compare.boards": ["compare/boards"],
    "compare.topic_set": ["compare/topics"],
    "publish.page": ["publish"],
    "new_campaign.step": [
        "add/topics",
        "add/documents",
        "add/runs",
        "add/samples",
        "add/nuggets",
        "add/model-labels",
        "add/outcomes",
    ],
    "assessor_settings.history": ["history"],
    "jobs.every": ["jobs"],
    "campaign_settings.page": ["settings"],
    "scale.page": ["settings/scale"],
    "questions.page": ["settings/questions"],
    "webhooks.page": ["settings/webhooks"],
    "guidelines.page": ["guidelines"],
    "offline.page": ["offline"],
    "training.page": ["training"],
    "training.practice": ["practice"],
    "preview.page": ["preview"],
    "topic_changes.page": ["topic/edit?topic=1"],
}
"""The pages by their endpoints, each as somebody would come to it."""

assert PAGES, "what they import declares the analyses"
NO_PAGES = (
    "/jump",
    "/own-runs",
    "/submit",
    "/api/",
    "/board.<",
    "/add/runs/report/",
    "/figures/",
    "/download/",
    "/document-frame",
    "/page-image",
    "/preview/document",
    "/practice/document",
    "/work/hours.csv",
    "/judge$",
    "/jobs/<job>",
)


@pytest.fixture
def rivers(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Path:
    """Three runs over six topics; Ben has judged the documents d1 to d5 of the first five, Carla those of the first,
    and not always alike.
    """
    path = make_campaign("rivers", TOPICS, DOCUMENTS, RUNS, grades=GRADES)
    with open_campaign(path) as campaign:
        for topic in TOPICS[:5]:
            for number in range(1, 6):
                grade = (int(topic.topic_id) * number) % 3
                judging_as(campaign, "Ben", topic.topic_id, f"d{number}", grade)
                if topic.topic_id == "1":
                    judging_as(campaign, "Carla", "1", f"d{number}", number % 2, comment="Named rivers.")
        with campaign.write():
            made = Creator("Ben", is_human=True), Creator("a-model", is_human=False)
            ice = GoldAnswer("the Lena"), GoldAnswer("the Ob")
            known = Nugget("Which rivers?", "n1", True, "vital", answers=ice, creators=made[:1])
            guess = Nugget("Ice " * 40, "n2", references=(Reference(LONG_NAME, (3, 9)),), proposed=True)
            nuggets.put(campaign.by("Ben"), Bank("1", (known,), ""))
            nuggets.put(campaign.by("Ben"), Bank("1", (known, guess._replace(creators=made)), ""))
        labels = path.with_name("model.qrels")
        lines = [
            f"{topic} 0 d{number} {(topic + number) % 3}\n" for topic in range(1, 7) for number in range(1, 9)
        ]
        labels.write_text("".join(lines), encoding="utf-8")
        add_labels_of_model(campaign, labels, LONG_NAME)
    return path


def test_every_page_is_looked_at(app: Flask) -> None:
    pages = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/c/<campaign>/")
        and "GET" in (rule.methods or ())
        and not any(part in f"{rule.rule}$" for part in NO_PAGES)
    }
    assert pages - {
        "assignments.export",
        "publish.bundle",
        "publish.sheets",
        "publish.comparison",
        "campaigns.home",
    } == set(ADDRESSES)


SHARES = 8


@pytest.mark.parametrize("share", range(SHARES))
def test_a_page_of_an_organiser(visit: Visit, address: str, share: int) -> None:
    page = visit("/c/rivers/jobs", "Anna")  # a small page; what others say is heard from the next on
    told: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            told.append(f"{page.url}: {message.text}")

    page.on("console", hear)
    page.on("pageerror", lambda error: told.append(f"{page.url}: {error}"))
    for path in [path for endpoint in [*ADDRESSES][share::SHARES] for path in ADDRESSES[endpoint]]:
        page.goto(f"{address}/c/rivers/{path}", timeout=A_WHILE)
        all_drawn(page)
        told += complaints(page, path)
    assert told == []
