"""What showing a model's label does to second looks, by pairs that are never shown.

Which pairs are shown is drawn, so that both groups are alike but for the showing. All pairs that were to be shown count
as shown, also the few whose label never came on a screen (cards, a page that was closed): else the groups would differ.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.over_topics import Estimate, between_groups, estimate, of_group
from workbench.storage.campaign.grades.shown_labels import FirstGrade

CONTROL, SHOWN, DIFFERENCE = "control", "shown", "shown minus control"
FIRST, TOWARDS = "first grade the model's", "changed towards the model"
AWAY, LAST = "changed away from it", "last grade the model's"


def outcomes(given: FirstGrade) -> dict[str, bool]:
    """What became of a first grade; who took it back without another is away from the model."""
    before = abs(given.first - given.model)
    after = np.inf if given.last is None else abs(given.last - given.model)
    return {FIRST: before == 0, TOWARDS: after < before, AWAY: after > before, LAST: after == 0}


def tables_of(given: Iterable[FirstGrade]) -> dict[str, FloatArray]:
    """By outcome, how many grades of each topic have it: float64 (topics, 2, 2), control and shown by no and yes."""
    rows = list(given)
    topics = {topic: place for place, topic in enumerate(dict.fromkeys(row.topic_id for row in rows))}
    found = {name: np.zeros((len(topics), 2, 2)) for name in (FIRST, TOWARDS, AWAY, LAST)}
    for row in rows:
        for name, has in outcomes(row).items():
            found[name][topics[row.topic_id], int(not row.control), int(has)] += 1
    return found


def effect(tables: FloatArray) -> dict[str, tuple[Estimate, FloatArray]]:
    """The share with an outcome in each group, the difference, and how many grades of each topic it rests on."""
    found = {}
    for scope, row in ((CONTROL, 0), (SHOWN, 1)):
        share, about = of_group(row)
        found[scope] = estimate(tables, share, about, lowest=0.0), about(tables)
    both = tables[(tables.sum(axis=2) > 0).all(axis=1)]
    found[DIFFERENCE] = estimate(tables, between_groups), both.sum(axis=(1, 2))
    return found
