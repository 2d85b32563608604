"""What showing a model's label does to second looks, by pairs that are never shown.

Which pairs are shown is drawn, so that both groups are alike but for the showing. All pairs that were to be shown count
as shown, also the few whose label never came on a screen (cards, a page that was closed): else the groups would differ.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.over_topics import Estimate, estimate, found
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
    """By outcome, how many grades of each topic have it: float64 (topics, 2, 2); first row control, second
    shown, and on the diagonal those that have it.
    """
    rows = list(given)
    topics = {topic: place for place, topic in enumerate(dict.fromkeys(row.topic_id for row in rows))}
    tables = {name: np.zeros((len(topics), 2, 2)) for name in (FIRST, TOWARDS, AWAY, LAST)}
    for row in rows:
        for name, has in outcomes(row).items():
            group = int(not row.control)
            tables[name][topics[row.topic_id], group, group if has else 1 - group] += 1
    return tables


def effect(tables: FloatArray) -> dict[str, tuple[Estimate, FloatArray]]:
    """The share with an outcome in each group, the difference, and how many grades of each topic it rests on."""
    (control, of_control), (shown, of_shown) = found(0), found(1)
    both = tables[(tables.sum(axis=2) > 0).all(axis=1)]
    difference = estimate(tables, lambda each: shown(each) - control(each))
    return {
        CONTROL: (estimate(tables, control, of_control, lowest=0.0), of_control(tables)),
        SHOWN: (estimate(tables, shown, of_shown, lowest=0.0), of_shown(tables)),
        DIFFERENCE: (difference, both.sum(axis=(1, 2))),
    }
