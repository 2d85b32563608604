"""How recent what runs find is: dates of documents are a field of theirs."""

from __future__ import annotations

from datetime import date
from typing import Annotated, NamedTuple

import numpy as np

from workbench.core.errors import CampaignError
from workbench.core.results import Column
from workbench.core.run_costs import day_of
from workbench.core.wording import counted
from workbench.methods.costs import freshness
from workbench.methods.measures.judged import FloatArray
from workbench.methods.statistics.intervals import t_interval
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, rankings, runs
from workbench.storage.campaign.collection.rounds import taking_part
from workbench.storage.campaign.log import log

FEWEST_SIDES = 20
"""With fewer topics that have a recent document, or one that is not, t intervals cover too seldom; see
benchmarks/coverage_of_freshness.py."""


class RunFreshness(NamedTuple):
    """How recent the first documents of a run are, in the mean over the topics where one of them has a date.

    Attributes:
        run: its tag.
        topics: these topics.
        dated: the share of the first documents that have a date, over all topics of the run.
        recent: the share of those with a date that are recent.
        interval_from, interval_to: its interval, Student's t over topics at 95 %; None where fewer than 20 topics have
            a recent document, or one that is not.
        first_recent: the mean of 1 / the rank of the first recent one, 0 for a topic without one.
        age: the mean of the medians of their ages in days.
    """

    run: Annotated[str, Column("Run", "run")]
    topics: int
    dated: Annotated[float, Column("With date")]
    recent: Annotated[float | None, Column("Recent")]
    interval_from: Annotated[float | None, Column("Interval from")]
    interval_to: Annotated[float | None, Column("to")]
    first_recent: Annotated[float | None, Column("1 / rank of first recent")]
    age: Annotated[float | None, Column("Median age (days)", kind="size")]


class Freshnesses(NamedTuple):
    """The runs with the largest share of recent documents first, as of a day.

    Attributes:
        on: the day from which ages count.
        within: days up to which a document is recent.
        cutoff: how many first documents count.
        runs: the runs.
        later: documents with a date after that day, which count as without one.
        wrong: documents whose field is no date.
        example: the first of these, with its value; "" for none.
    """

    on: str
    within: int
    cutoff: int
    runs: tuple[RunFreshness, ...]
    later: int
    wrong: int
    example: str


def freshness_of(campaign: Campaign, *, field: str, on: date | None, within: int, cutoff: int) -> Freshnesses:
    """How recent the first documents of each run are; without a day, as of that on which the newest was added.

    CampaignError where no document has such a field, or none a date in it.
    """
    stored, names = rankings.load_beginnings(campaign, cutoff), runs.vocabularies(campaign)
    start, documents_ = stored.rankings.row_start.tolist(), stored.rankings.document.tolist()
    found = [
        [names[stored.topic_ids[topic]][number] for number in documents_[start[row] : start[row + 1]]]
        for row, topic in enumerate(stored.rankings.topic.tolist())
    ]
    days, wrong = _days(campaign, {each for row in found for each in row}, field)
    added = log.rows_of_events(campaign, [run.seq for run in stored.runs]).values()
    day = on or date.fromisoformat(max(at for at, _, _ in added)[:10])
    age = {name: float((day - each).days) for name, each in days.items() if each <= day}
    ages = np.full((len(found), max(map(len, found), default=0)), np.inf)
    for place, row in enumerate(found):
        ages[place, : len(row)] = [age.get(each, np.nan) for each in row]
    tags = {run.run: run.record.tag for run in taking_part(campaign)}
    places = [(at, tags[run.run]) for at, run in enumerate(stored.runs) if run.run in tags]
    rows = [_of_run(tag, ages[stored.rankings.run == at], within) for at, tag in places]
    rows.sort(key=lambda each: -1.0 if each.recent is None else each.recent, reverse=True)
    example = next((f"{name}: {value!r}" for name, value in wrong.items()), "")
    later = len(days) - len(age)
    return Freshnesses(day.isoformat(), within, cutoff, tuple(rows), later, len(wrong), example)


def sentences(found: Freshnesses) -> list[str]:
    """What the table says, and which documents count as without a date."""
    days = counted(found.within, "day")
    said = [f"Recent: at most {days} before {found.on}; first {found.cutoff:,} documents."]
    if found.later:
        later = counted(found.later, "document")
        said.append(f"{later} dated after {found.on}, which count as without a date.")
    if found.wrong:
        has = f"{counted(found.wrong, 'document')} whose field is no date"
        said.append(f"{has}, such as {found.example}; write 2026-03-01.")
    return said


def _days(campaign: Campaign, document_ids: set[str], field: str) -> tuple[dict[str, date], dict[str, str]]:
    """The days of documents by their ids, and those whose field is no date, with its value."""
    days, wrong = dict[str, date](), dict[str, str]()
    for document_id, text in documents.field_of(campaign, sorted(document_ids), field).items():
        try:
            days[document_id] = day_of(text.strip())
        except ValueError:
            wrong[document_id] = text[:60]
    if not days:
        number = counted(len(document_ids), "document")
        has = f"{counted(len(wrong), 'document')} with other values" if wrong else "no document with it"
        raise CampaignError(
            f"the field {field!r} has no date in {number} at the top of rankings ({has}); name another field with "
            "--field, write dates such as 2026-03-01, or store all texts: workbench add documents --all"
        )
    return days, wrong


def _of_run(tag: str, ages: FloatArray, within: int) -> RunFreshness:
    of_dated, of_recent, *others = freshness(ages, within)
    here = ~np.isnan(of_recent)
    dated = float(of_dated[~np.isnan(of_dated)].mean()) if len(ages) else 0.0
    if not here.any():
        return RunFreshness(tag, 0, dated, None, None, None, None, None)
    shares = of_recent[here]
    recent, first, age = (float(each[here].mean()) for each in (of_recent, *others))
    sides = min(int((shares > 0).sum()), int((shares < 1).sum()))
    interval = t_interval(shares, lowest=0, highest=1) if sides >= FEWEST_SIDES else None
    low, high = interval or (None, None)
    return RunFreshness(tag, len(shares), dated, recent, low, high, first, age)
