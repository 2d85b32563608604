"""The demo's campaign of answers: runs in the form of TREC RAG 2026, nugget banks, and three questions about them.

Runs say sentences of answers.toml, by chance and each as well as its recipe has it. What documents support and which
nuggets answers hold is known from there. Simulated assessors err from it, as in the judged demo; the last topics are
open to everybody. The same seed makes the same campaign.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from workbench.campaign.assigning import choose_who_judges, draw_double, spread
from workbench.campaign.ingest import RunOptions, add_documents, add_runs, add_topics
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.nuggets import add_nuggets
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
from workbench.cli.demo.campaign import ACTOR, OnStep, in_place_of, json_lines, simulated
from workbench.cli.demo.judged import ASSESSORS, BEGUN, SEED, Clock, simulate, tour_lines
from workbench.core.about import ANSWER_PAIRS, CITATIONS, NUGGETS
from workbench.core.records import Document, Topic
from workbench.formats.answers.assigned import VITAL
from workbench.formats.answers.banks import Bank, Nugget, Reference
from workbench.formats.answers.banks_written import banks_text
from workbench.formats.text.writing import write_atomically
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pairs, pools, units
from workbench.storage.campaign.collection.unit_records import BETWEEN

ANSWERS = "answers"
TITLE = "Answers with citations, judged in part by simulated assessors"
FORM = "rag26"
LAST_TOPICS, LAST_OF_PAIRS = 2, 1
"""Topics that are left open: battles have intervals from five judged ones on."""

ASKED = [USUAL[about] for about in (CITATIONS, NUGGETS, ANSWER_PAIRS)]
DOUBLE = 0.3
DEPTH = 30
"""More units than any answer has: all are pooled."""

PAIRS = 12
"""Pairs of answers that are compared for each topic."""

FULL, PARTIAL, OPPOSITE, ASIDE = "full", "partial", "opposite", "aside"
WORTH, MUCH = {FULL: 2, PARTIAL: 1, OPPOSITE: -2, ASIDE: 0}, 2
"""What a sentence adds to its answer, and from which difference on one is better."""
DATA: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
TOPICS: list[dict[str, Any]] = DATA["topic"]


class Recipe(NamedTuple):
    """A run: the shares of vital nuggets it says, of others, of those in full, of citations that are right."""

    tag: str
    team: str
    vital: float
    okay: float
    full: float
    right: float
    aside: float = 0.2
    opposite: float = 0.0


RECIPES = [Recipe(**each) for each in DATA["run"]]


class Told(NamedTuple):
    """A sentence: the place of its nugget in the topic, None for an aside, and how it says it."""

    place: int | None
    how: str


SENTENCES: dict[str, Told] = {
    text: Told(place, how)
    for topic in TOPICS
    for place, nugget in enumerate(topic["nuggets"])
    for how in (FULL, PARTIAL, OPPOSITE)
    for text in (nugget[FULL] if how == FULL else [nugget[how]] if how in nugget else [])
} | {text: Told(None, ASIDE) for topic in TOPICS for text in topic[ASIDE]}


def answers_lines(server: str) -> list[str]:
    """The addresses of the campaign's pages, each with what it shows."""
    return tour_lines(server, DATA["tour"], name=ANSWERS, of="the campaign of answers")


def ready_answers(instance: Path, *, fresh: bool = False, progress: OnStep | None = None) -> Path:
    """The campaign of answers in an instance folder; made on the first call, and again if `fresh`.

    The files that it is made of stand in a folder beside it. CampaignUnavailable when a server has it open.
    """
    path = instance / f"{ANSWERS}.db"
    if fresh or not path.exists():
        folder = path.with_suffix("")
        _write_files(folder)
        with (
            in_place_of(path) as draft,
            new_campaign(draft, title=TITLE, guidelines=DATA["guidelines"], actor=ACTOR) as campaign,
        ):
            _fill(campaign, folder)
            _judge(campaign, progress or (lambda done, total, what: None))
    return path


def document_id(topic: dict[str, Any], number: int) -> str:
    """The id of a topic's document by its number, from 1."""
    return f"shard_{topic['topic_id']}_{number}"


def _write_files(folder: Path) -> None:
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    topics = [Topic(each["topic_id"], each["title"], narrative=each["narrative"]) for each in TOPICS]
    documents = [
        Document(document_id(topic, number), **said)
        for topic in TOPICS
        for number, said in enumerate(topic["documents"], start=1)
    ]
    banks = [Bank(each["topic_id"], _nuggets(each), "argue", each["title"]) for each in TOPICS]
    write_atomically(folder / "topics.jsonl", json_lines(topics))
    write_atomically(folder / "documents.jsonl", json_lines(documents))
    write_atomically(folder / "nuggets.jsonl", [banks_text(banks, "argue")])
    for recipe in RECIPES:
        write_atomically(folder / "runs" / f"{recipe.tag}.jsonl", run_lines(recipe))


def _nuggets(topic: dict[str, Any]) -> tuple[Nugget, ...]:
    return tuple(
        Nugget(
            each["text"],
            importance=VITAL if each.get("vital") else "okay",
            references=tuple(Reference(document_id(topic, number)) for number in each["stated"]),
        )
        for each in topic["nuggets"]
    )


def run_lines(recipe: Recipe) -> Iterator[str]:
    """A run as a file: a line for the answer to each topic."""
    for topic in TOPICS:
        chance = Random(f"{SEED} {recipe.tag} {topic['topic_id']}")  # noqa: S311  # nosec B311 - repeatable
        said = list(_said(recipe, topic, chance))
        references = sorted({number for _, numbers in said for number in numbers})
        record = {
            "metadata": {
                "team_id": recipe.team,
                "run_id": recipe.tag,
                "narrative_id": topic["topic_id"],
                "narrative": topic["narrative"],
                "run_desc": "made by the demo",
            },
            "references": [document_id(topic, number) for number in references],
            "answer": [
                {"text": text, "citations": [references.index(number) for number in numbers]}
                for text, numbers in said
            ],
        }
        yield json.dumps(record, ensure_ascii=False) + "\n"


def _said(recipe: Recipe, topic: dict[str, Any], chance: Random) -> Iterator[tuple[str, list[int]]]:
    """The sentences of an answer with the documents that they cite, by their numbers."""
    every = range(1, len(topic["documents"]) + 1)
    for nugget in topic["nuggets"]:
        if chance.random() >= (recipe.vital if nugget.get("vital") else recipe.okay):
            continue
        if OPPOSITE in nugget and chance.random() < recipe.opposite:
            text = nugget[OPPOSITE]
        else:
            text = chance.choice(nugget[FULL]) if chance.random() < recipe.full else nugget[PARTIAL]
        right = nugget["stated"] if chance.random() < recipe.right else [chance.choice(every)]
        more = [chance.choice(every)] if chance.random() < 1 - recipe.right else nugget.get("touched", [])[:1]
        yield text, list(dict.fromkeys([*right, *more]))
    if chance.random() < recipe.aside:
        yield chance.choice(topic[ASIDE]), [chance.choice(every)] * (chance.random() < 0.5)


def _fill(campaign: Campaign, folder: Path) -> None:
    by = campaign.by(ACTOR)
    add_topics(by, [str(folder / "topics.jsonl")])
    add_documents(by, [str(folder / "documents.jsonl")], keep_all=True, complete=True)
    files = {str(folder / "runs" / f"{each.tag}.jsonl"): Sender(each.team) for each in RECIPES}
    add_runs(by, list(files), options=RunOptions(form=FORM, senders=files))
    add_nuggets(by, [str(folder / "nuggets.jsonl")])
    for question in ASKED:
        declare(by, question)
        of_pairs = {"strategy": "random-pairs", "count": PAIRS}
        add_pool(
            by.asking(question.name), **(of_pairs if question.about == ANSWER_PAIRS else {"depth": DEPTH})
        )


def _judge(campaign: Campaign, progress: OnStep) -> None:
    names = [each.name for each in ASSESSORS]
    simulated(campaign, names)
    clock = Clock(BEGUN, Random(SEED))  # noqa: S311  # nosec B311 - a simulation, repeatable
    for question in ASKED:
        asked = campaign.asking(question.name)
        spread(asked.by(ACTOR, clock.now), names)
        draw_double(asked.by(ACTOR, clock.now), DOUBLE, SEED, assessors=names)
        pooled = sorted(pools.pooled_by_topic(asked))
        last = LAST_OF_PAIRS if question.about == ANSWER_PAIRS else LAST_TOPICS
        simulate(asked, pooled[:-last], Truth(asked).of, clock, progress)
    choose_who_judges(campaign.by(ACTOR, clock.now), "anybody")


class Truth:
    """The grades that answers.toml implies, of the units of the question by which the campaign is seen."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._topics = {topic["topic_id"]: topic for topic in TOPICS}

    def of(self, topic_id: str, unit_id: str) -> int:
        """The grade of a unit."""
        unit = units.find(self._campaign, topic_id, unit_id)
        if unit is None:
            raise KeyError(unit_id)
        if unit.sides is not None:
            return self._preferred(topic_id, unit.sides)
        topic = self._topics[topic_id.partition("!")[0]]
        if not unit.cited:
            answer = units.answer_of(self._campaign, topic_id, unit.run)
            told = {SENTENCES[each.text] for each in answer.sentences}
            return 2 if Told(unit.place, FULL) in told else int(Told(unit.place, PARTIAL) in told)
        place, how = SENTENCES[unit.text]
        if place is None:
            return 0
        nugget, number = topic["nuggets"][place], int(unit.cited.rpartition("_")[2])
        if how == OPPOSITE:
            return -1 if number in nugget["stated"] else 0
        if number in nugget["stated"]:
            return 2
        return 0 if number not in nugget.get("touched", ()) else 2 if how == PARTIAL else 1

    def _preferred(self, topic_id: str, sides: tuple[str, str]) -> int:
        """The label of the answer that says more, 3 for about as much, 0 where neither says anything right."""
        things = pairs.things_of_runs(self._campaign, topic_id)
        one, other = (
            sum(WORTH[SENTENCES[text].how] for text in things[side].text.split(BETWEEN) if text)
            for side in sides
        )
        if max(one, other) <= 0:
            return 0
        return 3 if abs(one - other) < MUCH else 1 if one > other else 2
