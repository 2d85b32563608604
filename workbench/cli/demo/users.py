"""What the judged campaign's runs cost, how old its documents are, what users did: made up, as each page says.

Simulated users read a list from the top, click the more often the better a document is, and stop when they have enough.
Each saw one run, others saw lists that were interleaved. The same seed gives the same clicks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from random import Random

from workbench.campaign.ingest import add_documents
from workbench.campaign.outcomes import add_outcomes
from workbench.campaign.submissions.correcting import correct_runs
from workbench.campaign.submissions.run_costs import costs_of_tables
from workbench.cli.demo.campaign import json_lines
from workbench.cli.demo.runs import RECIPES, Recipe
from workbench.core.atomic_files import scratch_folder
from workbench.core.impressions import InterleavedList
from workbench.core.records import Document
from workbench.core.seed import SEED
from workbench.formats.interleaved import written_interleaved
from workbench.formats.tables.csv_cells import csv_lines
from workbench.formats.text.content import load
from workbench.formats.text.writing import write_atomically
from workbench.methods.online.interleaving import drafted_lists
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents
from workbench.storage.campaign.collection.rankings import first_documents
from workbench.storage.campaign.log.log import rows_of_events

USERS, SEARCHES, SHOWN = 150, 4, 10
"""Users of each run, what each looks for, and how long the lists are."""
LISTS = 12
"""Interleaved lists of each topic and pair of runs."""
CLICKS, ENOUGH, GOES_ON = (0.06, 0.4, 0.8), (0.0, 0.3, 0.7), 0.9
"""The chances that a document of each grade is clicked, and is enough; and that a user reads on without."""

AGES = {recipe.tag: 16 * (2 - place % 3) for place, recipe in enumerate(RECIPES)}
"""Days between a run's index and the run."""
CHANGED = 60
"""Days for which a document stays as it is, in the mean."""

Grade = Callable[[str, str], int]
Shown = dict[str, dict[str, list[str]]]


def add_users(campaign: Campaign, grade: Grade) -> None:
    """Make up costs of runs and clicks of users; `grade` has the true grade of a topic's document, 0 to 2."""
    runs = _shown(campaign)
    (first, best), *others = runs.items()
    made = [
        each
        for tag, other in others
        for each in drafted_lists((first, tag), (best, other), depth=SHOWN, lists=LISTS)
    ]
    with scratch_folder() as folder:
        _add(campaign, runs, made, grade, folder)


def _add(
    campaign: Campaign, runs: Shown, made: Sequence[InterleavedList], grade: Grade, folder: Path
) -> None:
    costs, clicks, lists, of_lists = (
        str(folder / name) for name in ("costs.csv", "clicks.jsonl", "lists.jsonl", "interleaved.jsonl")
    )
    write_atomically(costs, csv_lines([COSTS, *map(_costs, RECIPES)]))
    write_atomically(clicks, _of_runs(runs, grade))
    write_atomically(lists, map(written_interleaved, made))
    write_atomically(of_lists, _of_lists(made, grade))
    correct_runs(campaign, costs_of_tables(campaign, [load(costs)]), reason="made up by the demo")
    add_outcomes(campaign, [clicks])
    add_outcomes(campaign, [of_lists], made)


def add_dates(campaign: Campaign, source: Path) -> None:
    """Make up when documents were last changed: before the index of each run that has them among its first ones."""
    stored, rows = first_documents(campaign, SHOWN)
    added = rows_of_events(campaign, [run.seq for run in stored.runs])
    latest: dict[str, date] = {}
    for place, (_, shown) in zip(stored.rankings.run.tolist(), rows, strict=True):
        run = stored.runs[place]
        indexed = date.fromisoformat(added[run.seq][0][:10]) - timedelta(days=AGES[run.record.tag])
        latest |= {each: min(indexed, latest.get(each, indexed)) for each in shown}
    chance = Random(SEED)  # noqa: S311  # nosec B311 - a simulation, repeatable
    dated = list[Document]()
    for document, _ in documents.some(campaign, sorted(latest)):
        changed = latest[document.document_id] - timedelta(days=int(chance.expovariate(1 / CHANGED)))
        dated.append(document._replace(fields={**document.fields, "changed": changed.isoformat()}))
    source.parent.mkdir(exist_ok=True)
    write_atomically(source, json_lines(dated))
    add_documents(campaign, [str(source)], keep_all=True, changed=True)


COSTS = ("run", "query_time_ms", "energy_J", "memory_MB", "index_size_MB", "index_age_days", "hardware")


def _costs(recipe: Recipe) -> tuple[str | float, ...]:
    """Made-up figures: long topics and many words take time, and whole texts take room."""
    words = sum({"title": 4, "description": 17}[field] for field in recipe.topic_fields)
    room = sum({"title": 1.5, "text": 12.5}[field] for field in recipe.document_fields)
    room *= 1 if recipe.stop_words else 1.6
    milliseconds = round((0.5 + 0.1 * words * room**0.5) * (1.3 if recipe.stemmed else 1), 2)
    joules, memory = round(milliseconds * 0.04, 3), round(60 + 5 * room)
    return recipe.tag, milliseconds, joules, memory, room, AGES[recipe.tag], "made up"


def _shown(campaign: Campaign) -> Shown:
    """The first documents of each run, by tag and topic."""
    stored, rows = first_documents(campaign, SHOWN)
    found: Shown = {run.record.tag: {} for run in stored.runs}
    for run, (topic_id, shown) in zip(stored.rankings.run.tolist(), rows, strict=True):
        found[stored.runs[run].record.tag][topic_id] = shown
    return found


def _of_runs(runs: Shown, grade: Grade) -> Iterator[str]:
    chance = Random(SEED)  # noqa: S311  # nosec B311 - a simulation, repeatable
    for tag, rankings in runs.items():
        for user in range(USERS):
            for topic_id in chance.sample(sorted(rankings), SEARCHES):
                shown = rankings[topic_id]
                named = {"topic_id": topic_id, "user_id": f"{tag}-{user}", "run": tag, "shown": shown}
                yield _line(named, topic_id, shown, grade, chance)


def _of_lists(made: Sequence[InterleavedList], grade: Grade) -> Iterator[str]:
    chance = Random(SEED)  # noqa: S311  # nosec B311 - a simulation, repeatable
    for place, each in enumerate(made):
        named = {"list_id": each.list_id, "user_id": f"user-{place // SEARCHES}"}
        yield _line(named, each.topic_id, each.documents, grade, chance)


def _line(
    named: Mapping[str, object], topic_id: str, shown: Sequence[str], grade: Grade, chance: Random
) -> str:
    """The line of a list that a user saw: what is clicked, and when."""
    clicked, seconds, now = list[str](), list[float](), 0.0
    for document_id in shown:
        now += chance.uniform(1, 6)
        worth = grade(topic_id, document_id)
        if chance.random() < CLICKS[worth]:
            clicked.append(document_id)
            seconds.append(round(now, 1))
            now += chance.uniform(5, 60)
            if chance.random() < ENOUGH[worth]:
                break
        if chance.random() > GOES_ON:
            break
    return json.dumps({**named, "clicked": clicked, "seconds": seconds}) + "\n"
