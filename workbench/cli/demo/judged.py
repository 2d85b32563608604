"""The demo's second campaign: the same task, most of it judged by simulated assessors of known error rates.

No person judged it: every page says so, and each assessor's name says how often it errs. What it errs from are made-up
grades, higher for documents that more runs have at the top. The same seed gives the same grades.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple
from uuid import UUID

from workbench.campaign.assessing import judge, queue, show, topic_progress
from workbench.campaign.assigning import draw_double, spread
from workbench.campaign.campaign_settings import SETTINGS
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.pools.making import add_pool
from workbench.cli.demo.campaign import ACTOR, NAME, OnStep, in_place_of, simulated
from workbench.cli.demo.users import add_dates, add_users
from workbench.core.battles import seen_from
from workbench.storage.campaign import backup, open_campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.organising import settings

JUDGED = "judged"
TITLE = "Python's standard library, judged by simulated assessors"
SEED = 20
BEGUN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LAST_TOPICS = 3
"""Topics that are left open, so that there is something to do."""

DOUBLE = 0.15
BUDGET = 1200


class Simulated(NamedTuple):
    """A simulated assessor: the name, which states the share of wrong grades, that share, and its pace."""

    name: str
    errs: float
    seconds: int


ASSESSORS = (
    Simulated("Simulated A (3 % wrong)", 0.03, 24),
    Simulated("Simulated B (10 % wrong)", 0.10, 17),
    Simulated("Simulated C (25 % wrong)", 0.25, 9),
)

TOUR = (
    (
        "board",
        "the leaderboard: scores, what rests on unjudged documents, how many pairs of runs are certain",
    ),
    ("compare", "comparisons of runs, with tests and intervals"),
    (
        "stop",
        "whether judging can stop, and which pairs of runs are certain whatever the rest turns out to be",
    ),
    ("topics", "topics by difficulty"),
    ("costs", "what runs cost, made up, beside their scores"),
    ("freshness", "how recent what runs find is, by made-up dates of documents"),
    ("online", "what simulated users did with runs, against leaderboards"),
    ("assessors", "the simulated assessors: pace, strictness, the errors that their names state"),
    ("agreement", "agreement on the pairs that two of them judged"),
    ("adjudication", "their conflicts, to be settled"),
    ("pool", "pools: depth 10, and one that grows while it is judged"),
)
"""Pages in the order in which `workbench demo --tour` names them."""


def tour_lines(
    server: str,
    pages: Sequence[tuple[str, str]] = TOUR,
    *,
    name: str = JUDGED,
    of: str = "the campaign that simulated assessors judged",
) -> list[str]:
    """The addresses of a campaign's pages, each with what it shows; the judged campaign's without others."""
    places = [f"{number}. {server}/c/{name}/{page}" for number, (page, _) in enumerate(pages, start=1)]
    width = max(map(len, places))
    return [f"A tour of {of}:"] + [
        f"  {place:<{width}}  {shows}" for place, (_, shows) in zip(places, pages, strict=True)
    ]


def ready_judged(instance: Path, *, fresh: bool = False, progress: OnStep | None = None) -> Path:
    """The judged campaign in an instance folder that has the demo's; made on the first call, and again if `fresh`."""
    path = instance / f"{JUDGED}.db"
    if fresh or not path.exists():
        with in_place_of(path) as draft:
            with open_campaign(instance / f"{NAME}.db") as demo:
                draft.unlink(missing_ok=True)
                backup(demo, draft)
            with open_campaign(draft) as campaign:
                add_dates(campaign.by(ACTOR), instance / JUDGED / "documents.jsonl")
                truth = _fill(campaign, progress or (lambda done, total, what: None))
                add_users(campaign.by(ACTOR), truth.of)
    return path


def _fill(campaign: Campaign, progress: OnStep) -> Truth:
    now, names = BEGUN, [each.name for each in ASSESSORS]
    simulated(campaign, names)
    change_settings(campaign.by(ACTOR), {"title": SETTINGS.find("title").value_of(TITLE)})
    add_pool(campaign.by(ACTOR), strategy="maxmean", depth=30, budget=BUDGET)
    spread(campaign.by(ACTOR, now), names)
    draw_double(campaign.by(ACTOR, now), DOUBLE, SEED, assessors=names)
    truth, chance = Truth(campaign), Random(SEED)  # noqa: S311  # nosec B311 - a simulation, repeatable
    pooled = sorted(pools.pooled_topics(campaign))
    simulate(campaign, pooled[:-LAST_TOPICS], truth.of, Clock(now, chance), progress)
    return truth


class Clock:
    """The time at which simulated assessors judge, and the chance by which they err."""

    def __init__(self, now: datetime, chance: Random) -> None:
        self.now, self.chance = now, chance

    def later(self, seconds: float) -> datetime:
        """So many seconds later, and now from then on."""
        self.now += timedelta(seconds=seconds)
        return self.now


ON_LEFT = 1
"""The label that prefers the left side, as shown."""


def simulate(
    campaign: Campaign,
    topic_ids: Sequence[str],
    truth: Callable[[str, str], int],
    clock: Clock,
    progress: OnStep,
) -> None:
    """Have these topics judged by ASSESSORS, who err from the true grade of topic and document to one beside it.

    Of a pair of things the true preference is by its things, and who errs takes what stands left.
    """
    chance = clock.chance
    scale = sorted(grade.grade for grade in settings.read(campaign).grades)
    for done, topic_id in enumerate(topic_ids):
        progress(done, len(topic_ids), f"judging topic {topic_id}")
        for each in ASSESSORS:
            if topic_id not in {own.topic_id for own in topic_progress(campaign, each.name)}:
                continue
            for document_id in _open_pairs(campaign, topic_id, each.name):
                seconds = round(each.seconds * chance.uniform(0.5, 2.0), 1)
                shown = show(campaign, topic_id, document_id, each.name)
                grade = seen_from(shown.left, truth(topic_id, document_id)) or 0
                errs = chance.random() < each.errs
                if errs and shown.left:
                    grade = ON_LEFT
                elif errs:
                    place = scale.index(grade)
                    beside = scale[max(0, place - 1) : place] + scale[place + 1 : place + 2]
                    grade = beside[0] if len(beside) == 1 else chance.choice(beside)
                uuid = str(UUID(int=chance.getrandbits(128), version=4))
                sent = shown.judged(document_id, uuid=uuid, grade=grade, active_seconds=seconds)
                judge(campaign, sent, assessor=each.name, now=clock.later(seconds))


def _open_pairs(campaign: Campaign, topic_id: str, assessor: str) -> Iterator[str]:
    """What the assessor's queue holds, until nothing is left that was not offered before."""
    offered: set[str] = set()
    while fresh := [
        item.document_id for item in queue(campaign, topic_id, assessor) if item.document_id not in offered
    ]:
        offered.update(fresh)
        yield from fresh


class Truth:
    """Made-up grades: the more runs have a document near the top, the higher, with some chance."""

    def __init__(self, campaign: Campaign) -> None:
        self._ranks = {
            (pair.pooled.topic_id, pair.pooled.document_id): (pair.pooled.best_rank, pair.pooled.runs)
            for pair in pools.each_pair(campaign)
        }
        self._highest = max(grade.grade for grade in settings.read(campaign).grades)

    def of(self, topic_id: str, document_id: str) -> int:
        """The grade of a document for a topic."""
        rank, runs = self._ranks.get((topic_id, document_id), (20, 1))
        luck = Random(f"{SEED} {topic_id} {document_id}").uniform(-0.4, 0.4)  # noqa: S311  # nosec B311
        worth = runs / 14 + 1 / rank - 0.45 + luck
        return max(0, min(self._highest, int(worth * 2)))
