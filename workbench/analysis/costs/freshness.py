"""How recent what runs find is, and how soon they find what is new: dates of documents are a field of theirs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.registry import ANALYSES, Values, analysis
from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.results import Column
from workbench.core.run_costs import day_of
from workbench.core.wording import counted
from workbench.formats.tables.sheets import sheet_of
from workbench.jobs.processes import OnStep
from workbench.methods.costs import found_within, freshness
from workbench.methods.measures.judged import FloatArray
from workbench.methods.statistics.intervals import t_interval
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, rankings, run_details
from workbench.storage.campaign.collection.rounds import taking_part
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

NEVER = "1970-01-01"
Dated = tuple[date, dict[str, set[str]]]
"""The day of a run, and its first documents by topic."""
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


class TeamDelay(NamedTuple):
    """How soon a team's runs have new relevant documents among their first ones.

    A run is of the day of its index, else of that on which it was added. Of each topic those relevant documents are new
    that are dated after the team's first run, and not after its last.

    Attributes:
        team: its name; a run without one stands alone.
        first, last: the days of its first and last run.
        new: how many documents of topics are new.
        found: how many of them a run had, from their date on.
        median: the days after which half of them are found (Kaplan and Meier); None where that is not reached.
        soon: the share found within the days in which a document is recent; None where no run was that much later.
    """

    team: Annotated[str, Column("Team", "team")]
    runs: int
    first: Annotated[str, Column("First run")]
    last: Annotated[str, Column("Last run")]
    new: int
    found: int
    median: Annotated[float | None, Column("Median delay (days)", kind="size")]
    soon: Annotated[float | None, Column("Found while recent")]


class Freshnesses(NamedTuple):
    """The runs with the largest share of recent documents first, as of a day.

    Attributes:
        seq: the row of the log.
        field: that which has the dates.
        on: the day from which ages count.
        within: days up to which a document is recent.
        cutoff: how many first documents count.
        runs: the runs.
        teams: how soon new documents were found.
        later: documents with a date after that day, which count as without one.
        early: new documents that a run had before their date; they are not among those of teams.
        wrong: documents whose field is no date.
        example: the first of these, with its value; "" for none.
        reason: why there are no runs; "" where there are.
    """

    seq: int
    field: str
    on: str
    within: int
    cutoff: int
    runs: tuple[RunFreshness, ...] = ()
    teams: tuple[TeamDelay, ...] = ()
    later: int = 0
    early: int = 0
    wrong: int = 0
    example: str = ""
    reason: str = ""


Field = Annotated[str, Limits("The field with dates of documents")]
Day = Annotated[str, Limits("The day from which ages count")]
Within = Annotated[int, Limits("Up to how many days old a document is recent", least=0, most=100_000)]
Cutoff = Annotated[int, Limits("How many first documents of each ranking count", least=1, most=10_000)]


def _usual(campaign: Campaign) -> Values:
    """The first field in which one of some documents has a date."""
    fields = documents.some_fields(campaign)
    return {"field": next((name for of in fields for name, text in of.items() if _day(text)), "date")}


@analysis(
    "freshness", called="Freshness", sheet=lambda found: sheet_of(RunFreshness, found.runs), usual=_usual
)
def freshness_of(
    campaign: Campaign,
    on_step: OnStep,
    *,
    field: Field = "date",
    on: Day = "",
    within: Within = 30,
    cutoff: Cutoff = 10,
) -> Freshnesses:
    """How recent the first documents of each run are, and how soon new ones are found.

    Without a day, ages count from that on which the newest run was added. UnknownName for a day that is none.
    """
    try:
        asked = day_of(on) if on else None
    except ValueError as error:
        raise UnknownName(str(error)) from error
    stored, beginnings = rankings.first_documents(campaign, cutoff)
    topics, found = [topic for topic, _ in beginnings], [documents_ for _, documents_ in beginnings]
    wanted = _relevant(campaign)
    values = documents.field_of(
        campaign, sorted({each for of in (*found, *wanted.values()) for each in of}), field
    )
    days = {name: day for name, text in values.items() if (day := _day(text))}
    wrong = {name: text for name, text in values.items() if name not in days}
    added = log.rows_of_events(campaign, [run.seq for run in stored.runs])
    newest = max((at for at, _, _ in added.values()), default=NEVER)
    day = asked or date.fromisoformat(newest[:10])
    answer = Freshnesses(log.head(campaign).seq, field, day.isoformat(), within, cutoff)
    if not days:
        return answer._replace(reason=_reason(field, len(values)))
    age = {name: float((day - each).days) for name, each in days.items() if each <= day}
    ages = np.full((len(found), max(map(len, found), default=0)), np.inf)
    for place, row in enumerate(found):
        ages[place, : len(row)] = [age.get(each, np.nan) for each in row]
    of_run, said = stored.rankings.run, run_details.details(campaign)
    rows, teams = list[RunFreshness](), defaultdict[str, list[Dated]](list)
    records = {run.run: run.record for run in taking_part(campaign)}
    for at, run in enumerate(stored.runs):
        if run.run not in records:
            continue
        tag, places = records[run.run].tag, np.flatnonzero(of_run == at).tolist()
        rows.append(_of_run(tag, ages[places], within))
        index_age = said[run.run].costs.get("index_age") if run.run in said else 0
        indexed = date.fromisoformat(added[run.seq][0][:10]) - timedelta(days=float(index_age or 0))
        teams[records[run.run].team or tag].append((indexed, {topics[row]: {*found[row]} for row in places}))
    rows.sort(key=lambda each: -1.0 if each.recent is None else each.recent, reverse=True)
    delays = [_of_team(team, of, days, wanted, within) for team, of in sorted(teams.items())]
    example = next((f"{name}: {text[:60]!r}" for name, text in wrong.items()), "")
    return answer._replace(
        runs=tuple(rows),
        teams=tuple(each for each, _ in delays),
        later=len(days) - len(age),
        early=sum(early for _, early in delays),
        wrong=len(wrong),
        example=example,
    )


FRESHNESS = ANALYSES["freshness"]


def sentences(found: Freshnesses) -> list[str]:
    """What the tables say, and which documents count as without a date."""
    days = counted(found.within, "day")
    said = [f"Recent: at most {days} before {found.on} by {found.field}; first {found.cutoff:,} documents."]
    if any(each.topics and each.interval_from is None for each in found.runs):
        said.append(
            f"No interval where fewer than {FEWEST_SIDES} topics have a recent document, or one that is not."
        )
    if found.later:
        later = counted(found.later, "document")
        said.append(f"{later} dated after {found.on}, which count as without a date.")
    if found.wrong:
        has = f"{counted(found.wrong, 'document')} whose field is no date"
        said.append(f"{has}, such as {found.example}; write 2026-03-01.")
    if found.early:
        early = counted(found.early, "new document")
        said.append(f"{early} found before their dates, and left out: correct those, or those of indexes.")
    return said


def _day(text: str) -> date | None:
    try:
        return day_of(text.strip())
    except ValueError:
        return None


def _reason(field: str, wrong: int) -> str:
    has = f"{counted(wrong, 'document')} with other values" if wrong else "no document with it"
    return (
        f"the field {field!r} has no date in the documents at the top of rankings ({has}); name another field, write "
        "dates such as 2026-03-01, or store all texts: workbench add documents --all"
    )


def _relevant(campaign: Campaign) -> dict[str, set[str]]:
    """The relevant documents of each topic."""
    least = settings.read(campaign).relevant_from
    with campaign.snapshot():
        return {
            topic.topic_id: {
                name for name, grade in zip(topic.document_ids, topic.grades, strict=True) if grade >= least
            }
            for topic in labels.each_topic(campaign)
        }


def _of_team(
    team: str, of: list[Dated], days: Mapping[str, date], wanted: Mapping[str, set[str]], within: int
) -> tuple[TeamDelay, int]:
    """The delays of a team's runs, and how many documents they had before their dates."""
    first, last = min(day for day, _ in of), max(day for day, _ in of)
    delays, seen, early = list[float](), list[bool](), 0
    for topic_id, names in wanted.items():
        for name in names & days.keys():
            dated = days[name]
            if not first < dated <= last:
                continue
            had = min((day for day, found in of if name in found.get(topic_id, ())), default=None)
            if had is not None and had < dated:
                early += 1
            else:
                seen.append(had is not None)
                delays.append(float(((had or last) - dated).days))
    after, share = found_within(np.array(delays), np.array(seen, bool))
    half, soon = np.flatnonzero(share >= 0.5), np.searchsorted(after, within, side="right")
    median = float(after[half[0]]) if len(half) else None
    known = float(share[soon - 1]) if soon else 0.0
    told = (len(seen), sum(seen), median, known if max(delays, default=-1) >= within else None)
    return TeamDelay(team, len(of), first.isoformat(), last.isoformat(), *told), early


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
