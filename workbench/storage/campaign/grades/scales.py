"""The scales of a campaign: under which name a grade was given, and what is in force of each grade.

Where a scale replaces another, rows with the source REMAPPED replace those before. What people said stays as they said
it, under the name that its number had in the version of the guidelines that the row names.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from workbench.core.records import NORMING, REMAPPED, REPEAT
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import shown
from workbench.storage.campaign.grades.current_judgments import OWN_KINDS
from workbench.storage.campaign.grades.sources import ADJUDICATION, MODEL
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings

_GIVEN = f"SELECT max(seq) AS seq, document, {shown('assessor')} AS name, kind, grade FROM judgment"
_IN_FORCE = f"""{_GIVEN} WHERE topic = :topic AND kind IN ({OWN_KINDS}) GROUP BY document, assessor
    UNION ALL {_GIVEN} WHERE topic = :topic AND kind = '{ADJUDICATION}' GROUP BY document
    UNION ALL {_GIVEN} WHERE topic = :topic AND kind = '{MODEL}' GROUP BY document, assessor
    UNION ALL {_GIVEN} WHERE topic = :topic AND kind = '{REPEAT}' GROUP BY document, assessor"""


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
    rows = campaign.execute(f"{_IN_FORCE} ORDER BY document, seq", {"topic": topic_id})
    return list(map(Said._make, rows))


def given_in_norming(campaign: Campaign) -> dict[int, int]:
    """How many rows of norming sessions hold each grade."""
    return campaign.mapping(
        f"SELECT grade, count(*) FROM judgment WHERE kind = '{NORMING}' AND grade IS NOT NULL GROUP BY grade"
    )


class Scales:
    """The settings, with them the scale, under which each row of the log was given."""

    def __init__(self, campaign: Campaign) -> None:
        versions = settings.guideline_versions(campaign)
        self._begin = [version.version for version in versions]
        self._settings = [Settings(""), *(version.settings for version in versions)]

    def at(self, place: int) -> Settings:
        """Those of a version of the guidelines, or in force at a row of the log."""
        return self._settings[bisect_right(self._begin, place)]

    def name(self, grade: int, place: int) -> str:
        """What a grade was called then; its number where it was not on the scale."""
        return next((each.name for each in self.at(place).grades if each.grade == grade), str(grade))


def as_given(
    campaign: Campaign, seqs: Iterable[int], *, at_first: bool = True
) -> dict[int, tuple[int, Settings]]:
    """The grade of each of these rows that has one, and the settings under which it was given; with `at_first` of a
    row of a later scale what its assessor gave under the first one.
    """
    scales = Scales(campaign)
    rows = campaign.execute(
        f"""WITH RECURSIVE said (named, seq) AS (
            SELECT value, value FROM json_each(:seqs)
            UNION ALL SELECT named, replaces FROM said JOIN judgment USING (seq)
            WHERE :at_first AND source = '{REMAPPED}' AND replaces IS NOT NULL
        )
        SELECT named, grade, coalesce(guideline_version, seq), min(seq) FROM said JOIN judgment USING (seq)
        WHERE grade IS NOT NULL GROUP BY named""",
        {"seqs": json.dumps(list(seqs)), "at_first": at_first},
    )
    return {named: (grade, scales.at(place)) for named, grade, place, _ in rows}
