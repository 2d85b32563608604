"""The scales of a campaign: by which name a grade was given, as what it counts now, and what is in force of each grade.

Where a scale replaces another, rows with the source REMAPPED replace those before. What people said stays as they said
it, under the name that its number had in the version of the guidelines that the row names.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from workbench.core.records import NORMING, REMAPPED, Judgment
from workbench.storage.campaign.collection.question_topics import questions
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import shown
from workbench.storage.campaign.grades.current_judgments import OWN_KINDS
from workbench.storage.campaign.grades.sources import ADJUDICATION
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings

_IN_FORCE = f"""SELECT max(seq) AS seq, document, {shown("assessor")} AS name, kind, grade FROM judgment
    WHERE topic = ? AND kind <> '{NORMING}' GROUP BY document,
    iif(kind IN ({OWN_KINDS}), '', kind), iif(kind = '{ADJUDICATION}', '', assessor) ORDER BY document, seq"""


class Said(NamedTuple):
    """A row of the log that is in force; `grade` is None where it has none."""

    seq: int
    document_id: str
    assessor: str
    kind: str
    grade: int | None


def in_force_of_topic(campaign: Campaign, topic_id: str) -> list[Said]:
    """All that is in force of a topic now, by document and in the order of the log: each assessor's own judgment and
    newest hidden repeat, adjudications, and labels of models, whether they count or not.
    """
    return list(map(Said._make, campaign.execute(_IN_FORCE, [topic_id])))


class Scales:
    """The versions of what assessors read, with them the scale, under which each row of the log was given."""

    def __init__(self, campaign: Campaign) -> None:
        self.versions = settings.guideline_versions(campaign)
        self._questions = questions(campaign.now)
        self.replaced = [each for each in self.versions if each.version == each.settings.scale_version]

    def at(self, place: int, topic_id: str = "") -> Settings:
        """The settings of a version of the guidelines, or in force at a row of the log; of a topic by its question."""
        earlier = bisect_right(self.versions, place, key=lambda each: each.version)
        found = self.versions[earlier - 1].settings if earlier else Settings("")
        return found.asking(self._questions.get(topic_id, ""))

    def name_of(self, row: Judgment) -> str | None:
        """What the grade of a row of the log was called when it was given; None without a grade."""
        place = row.seq if row.guideline_version is None else row.guideline_version
        return None if row.grade is None else self.at(place, row.topic_id).called(row.grade)

    def now(self, grade: int | None, place: int) -> int | None:
        """As what a grade that was given then counts now; None where it is asked again, or was on no scale."""
        for version, _, then in self.replaced:
            if version > place:
                became: dict[int | None, int] = dict(then.remapped)
                grade = None if grade in then.asked_again else became.get(grade)
        return grade


class AsGiven(NamedTuple):
    """A grade as it was given: by which row of the log, the settings then, and as what its newest row counts now."""

    seq: int
    grade: int
    then: Settings
    now: int

    @property
    def name(self) -> str:
        """What it was called."""
        return self.then.called(self.grade)


def as_given(campaign: Campaign, seqs: Iterable[int], *, at_first: bool = True) -> dict[int, AsGiven]:
    """The rows that have a grade; with `at_first` as their assessors gave it, under the scale of that time."""
    if not (named := list(seqs)):
        return {}
    scales = Scales(campaign)
    rows = campaign.execute(
        f"""WITH RECURSIVE said (named, now, seq) AS (
            SELECT seq, grade, seq FROM judgment WHERE seq IN (SELECT value FROM json_each(:seqs))
            UNION ALL SELECT named, now, replaces FROM said JOIN judgment USING (seq)
            WHERE :at_first AND source = '{REMAPPED}' AND replaces IS NOT NULL
        )
        SELECT named, min(seq), grade, coalesce(guideline_version, seq), topic, now FROM said JOIN judgment USING (seq)
        WHERE grade IS NOT NULL AND now IS NOT NULL GROUP BY named""",
        {"seqs": json.dumps(named), "at_first": at_first},
    )
    return {
        each: AsGiven(seq, grade, scales.at(place, topic_id), now)
        for each, seq, grade, place, topic_id, now in rows
    }


def worded(campaign: Campaign, seqs: Iterable[int]) -> dict[int, str]:
    """The grade of each of these rows as it was given, and as it counts where that differs: `1 Key, now 3 Key`."""
    today = settings.read(campaign)
    found = {}
    for seq, given in as_given(campaign, seqs).items():
        words, now = f"{given.grade} {given.name}", f"{given.now} {today.called(given.now)}"
        found[seq] = words if words == now else f"{words}, now {now}"
    return found
