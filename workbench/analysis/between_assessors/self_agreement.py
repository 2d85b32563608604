"""Self-agreement of assessors on hidden repeats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.analysis.between_assessors.coefficients import RESAMPLES, CampaignAgreement, Scope, scope_of
from workbench.analysis.between_assessors.gathering import GradedPairs
from workbench.core.seed import SEED
from workbench.methods.statistics.arrays import Progress
from workbench.methods.statistics.ratings import MISSING
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades.off_record import RepeatedJudgment, repeated_judgments
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings

TIMES = ("first", "again")
ALL_ASSESSORS = "everybody"


def self_agreement(
    campaign: Campaign,
    *,
    as_of: int | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    progress: Progress | None = None,
) -> CampaignAgreement:
    """Self-agreement of each assessor; with several assessors the last scope is all their pairs together.

    A scope's name is the assessor, its two "assessors" are the first and the second judgment: the one in force when
    the pair was shown again, and the newest repeat. Each graded pair was as likely to be repeated as any
    other, so none weighs more. In the result `judged` counts the repeats, `shared` those with a grade both times.

    Args:
        campaign: an open campaign.
        as_of: a row of the log; None for now.
        resamples: how often pairs are drawn again for the intervals; 0 for none.
        seed: where their chance starts, the same for each scope.
        progress: called with how many more scopes are done.
    """
    with campaign.snapshot():
        seq = log.head_at(campaign, as_of).seq
        rules = settings.read(campaign, as_of)
        twice = repeated_judgments(campaign, as_of)
    grades = _grades(rules, twice)
    names = sorted({each.assessor for each in twice})
    groups = [(name, [each for each in twice if each.assessor == name]) for name in names]
    groups += [(ALL_ASSESSORS, twice)] if len(names) > 1 else []
    scopes: list[Scope] = []
    for name, some in groups:
        rng = np.random.default_rng(seed)
        scopes.append(scope_of(name, _graded_pairs(some, grades, rules.relevant_from), resamples, rng))
        if progress is not None:
            progress(1)
    return CampaignAgreement(
        seq=seq,
        by="assessor",
        grades=grades,
        relevant_from=rules.relevant_from,
        judged=len(twice),
        shared=sum(each.first is not None and each.again is not None for each in twice),
        assessors=tuple(names),
        resamples=resamples,
        seed=seed,
        weighted=False,
        scopes=tuple(scopes),
    )


def _grades(rules: Settings, twice: Sequence[RepeatedJudgment]) -> tuple[int, ...]:
    given = {grade for each in twice for grade in (each.first, each.again) if grade is not None}
    return tuple(sorted({grade.grade for grade in rules.grades} | given))


def _graded_pairs(
    twice: Sequence[RepeatedJudgment], grades: tuple[int, ...], relevant_from: int
) -> GradedPairs:
    both = [each for each in twice if each.first is not None and each.again is not None]
    category = {grade: number for number, grade in enumerate(grades)}
    labels = np.full((len(both), 2), MISSING, np.int64)
    for row, each in enumerate(both):
        if each.first is not None and each.again is not None:
            labels[row] = category[each.first], category[each.again]
    return GradedPairs(
        grades=grades,
        relevant=sum(grade < relevant_from for grade in grades),
        assessors=TIMES,
        pairs=tuple((each.topic_id, each.document_id) for each in both),
        labels=labels,
        weights=np.ones(len(both)),
        strata=np.zeros(len(both), np.int64),
        judged=len(twice),
    )
