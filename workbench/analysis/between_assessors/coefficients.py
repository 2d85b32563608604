"""Agreement in a whole campaign, by topic, by pair of assessors, and of assessors with themselves: as relevant or not,
and by grade.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from workbench.analysis.between_assessors.gathering import GradedPairs, Sample, gather, gather_repeats
from workbench.campaign.changing_scale import history
from workbench.core.records import LABEL
from workbench.core.results import HIDDEN, Column
from workbench.core.seed import SEED
from workbench.core.wording import counted
from workbench.methods.statistics.agreement import (
    Coefficient,
    cohen_kappa,
    coincidences,
    confusion,
    fleiss_kappa,
    grades_met,
    gwet_ac,
    krippendorff_alpha,
    overlap,
    raw_agreement,
)
from workbench.methods.statistics.arrays import FloatArray, Progress
from workbench.methods.statistics.ratings import Ratings, ratings_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

RESAMPLES = 1000

LARGE = 10_000
"""From this many log rows on agreement may take seconds: the first request is answered with a notice of progress."""

ALL_ASSESSORS = "everybody"

Grouped = Literal["campaign", "topic", "pair", "assessor"]
"""By what scopes are grouped; by assessor is self-agreement."""


NO_ORDER, BY_ORDER = "not defined: labels have no order", ("linear", "quadratic", "ordinal", "interval")
"""Why labels have no coefficient that looks at how far grades are apart, and how the names of these end."""

CHOSEN: Mapping[str, tuple[str, str, str]] = {
    "agreement": ("Agreement", "binary", "raw agreement"),
    "overlap": ("Overlap", "binary", "overlap"),
    "kappa": ("Kappa", "binary", "Cohen's kappa"),
    "ac1": ("AC1", "binary", "Gwet's AC1"),
    "same_grade": ("Same grade", "graded", "raw agreement"),
    "kappa_quadratic": ("Quadratic kappa", "graded", "Cohen's kappa, quadratic"),
    "alpha_ordinal": ("Ordinal alpha", "graded", "Krippendorff's alpha, ordinal"),
}
"""The coefficients that lists of scopes have: what people call them, the side of the scope, and the name there."""


class Scope(NamedTuple):
    """How much some assessors agree on some pairs.

    Attributes:
        name: the topic's id; the assessors, or the one whose self-agreement it is; or the campaign.
        assessors: who judged these pairs, in byte order.
        pairs: how many pairs at least two of them judged.
        table: of two assessors, how often the first gave the row's grade and the second the column's, float64 (k, k).
        binary: the coefficients of relevant or not.
        graded: the coefficients of grades.
        together: how often two grades were given to the same pair by different assessors, however many there are,
            float64 (k, k): symmetric, and each pair of m judgments counts m.
        met: the same for readers, float64 (k, k): upper triangular, and each pair counts once.
    """

    name: str
    assessors: tuple[str, ...]
    pairs: int
    table: FloatArray | None
    binary: Annotated[tuple[Coefficient, ...], Column(name="relevant_or_not")]
    graded: Annotated[tuple[Coefficient, ...], Column(name="by_grade")]
    together: Annotated[FloatArray, Column(name="coincidences")]
    met: Annotated[FloatArray, HIDDEN]

    @property
    def raw_agreement(self) -> float | None:
        """The share of pairs that are relevant for all, or for none; None where there are no pairs."""
        return self.chosen()["agreement"].value

    def side_by_side(self) -> list[tuple[str, Coefficient | None, Coefficient | None]]:
        """Every coefficient by its name, as relevant or not and by grade; None for a side that lacks it."""
        binary, graded = ({each.name: each for each in side} for side in (self.binary, self.graded))
        first, *others = graded
        names = [first, *(name for name in binary if name not in graded), *others]
        return [(name, binary.get(name), graded.get(name)) for name in names]

    def chosen(self) -> dict[str, Coefficient]:
        """The coefficients that lists of scopes have, by the words of CHOSEN."""
        found = {(side, each.name): each for side in ("binary", "graded") for each in getattr(self, side)}
        return {word: found[side, name] for word, (_, side, name) in CHOSEN.items()}


class CampaignAgreement(NamedTuple):
    """The agreement of a campaign's assessors as of row `seq` of its log.

    `grades` are the categories in order, `judged` the pairs with a grade and `shared` those with several (of
    self-agreement the repeats, and those with a grade both times); `weighted` says whether pairs are weighted as a
    sample. `scale_changes` say what became of grades that were given under other names.
    """

    seq: int
    by: Grouped
    grades: tuple[int, ...]
    relevant_from: int
    judged: int
    shared: int
    assessors: tuple[str, ...]
    resamples: int
    seed: int
    weighted: bool
    scopes: tuple[Scope, ...]
    scale_changes: tuple[str, ...]

    @property
    def about(self) -> str:
        """Which pairs the numbers between assessors are about, as a sentence."""
        if self.weighted:
            return (
                f"Estimated for all pairs from which second judgments were drawn: "
                f"{counted(self.shared, 'drawn pair')}, each weighted by the inverse of its sampling rate."
            )
        return (
            f"About the {counted(self.shared, 'pair')} that several assessors judged, each counted once: other pairs "
            "of the campaign may differ."
        )


def is_large(campaign: Campaign, values: Mapping[str, Any]) -> bool:
    """Whether agreement in this campaign may take seconds."""
    return log.newest_seq(campaign) >= LARGE


def agreement(
    campaign: Campaign,
    by: Grouped = "campaign",
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    sample: Sample | None = None,
    judges: bool = False,
    only: str | None = None,
    progress: Progress | None = None,
) -> CampaignAgreement:
    """How much the assessors of a campaign agree on the pairs that at least two of them judged, or with themselves.

    Only an assessor's own grade in force counts: no adjudications, norming or repeats. A judgment that was cleared, and
    one without a grade ("can't tell"), is missing. Self-agreement is on hidden repeats: each graded pair was as likely
    to be repeated as any other, so none weighs more.

    Args:
        by: all together, each topic, each pair of assessors with a pair in common; or each assessor with themselves,
            where with several assessors the last scope is all their pairs together.
        resamples: how often pairs are drawn again for the intervals; 0 for none.
        seed: where their chance starts, the same for each scope.
        sample: the pairs drawn for a second judgment, where not all had the same probability; others do not count.
        judges: whether models are assessors like people; their newest labels count then.
        only: the name of the one scope that is asked for; None for all.
        progress: called with how many more scopes are done.
    """
    with campaign.snapshot():
        seq = log.head(campaign).seq
        rules = settings.read(campaign)
        relevant_from, ordered = rules.relevant_from, rules.answered != LABEL
        scale_changes = tuple(history(campaign))
        if by == "assessor":
            found, twice = gather_repeats(campaign)
            assessors = tuple(twice)
            parts = iter((twice | {ALL_ASSESSORS: found} if len(twice) > 1 else twice).items())
        else:
            found = gather(campaign, sample, judges=judges)
            assessors, parts = found.assessors, PARTS[by](found)
    scopes = []
    for name, some in parts:
        if only is not None and name != only:
            continue
        scopes.append(scope_of(name, some, resamples, np.random.default_rng(seed), ordered=ordered))
        if progress is not None:
            progress(1)
    return CampaignAgreement(
        seq=seq,
        by=by,
        grades=found.grades,
        relevant_from=relevant_from,
        judged=found.judged,
        shared=len(found.pairs),
        assessors=assessors,
        resamples=resamples,
        seed=seed,
        weighted=by != "assessor" and sample is not None,
        scopes=tuple(scopes),
        scale_changes=scale_changes,
    )


def _topics(found: GradedPairs) -> Iterator[tuple[str, GradedPairs]]:
    topic_of = np.array([topic_id for topic_id, _ in found.pairs], object)
    for topic_id in dict.fromkeys(topic_of.tolist()):
        yield topic_id, found.select(topic_of == topic_id)


PARTS: Mapping[str, Callable[[GradedPairs], Iterator[tuple[str, GradedPairs]]]] = {
    "campaign": lambda found: iter([("all pairs", found)]),
    "topic": _topics,
    "pair": lambda found: ((", ".join(some.assessors), some) for some in found.of_each_two()),
}


def notes_of(scopes: Iterable[Scope]) -> dict[str, list[str]]:
    """Each reason why a value or an interval is missing, with the names of the coefficients that it applies to."""
    names: dict[str, dict[str, None]] = {}
    for scope in scopes:
        for each in (*scope.binary, *scope.graded):
            if each.note:
                names.setdefault(each.note, {})[each.name] = None
    return {note: list(about) for note, about in names.items()}


def scope_of(
    name: str, some: GradedPairs, resamples: int, rng: np.random.Generator, *, ordered: bool = True
) -> Scope:
    """All coefficients of some pairs, with intervals by a number of draws; of labels without order the nominal ones."""
    graded = ratings_of(some.labels, len(some.grades), weights=some.weights, strata=some.strata)
    relevant = np.where(some.labels < 0, some.labels, some.labels >= some.relevant)  # MISSING stays
    binary = ratings_of(relevant, 2, weights=some.weights, strata=some.strata)
    return Scope(
        name=name,
        assessors=some.assessors,
        pairs=graded.items,
        table=confusion(graded),
        binary=_binary(binary, _draws(binary, resamples, rng)),
        graded=tuple(
            each
            if ordered or not each.name.endswith(BY_ORDER)
            else each._replace(value=None, interval=None, note=NO_ORDER)
            for each in _graded(graded, _draws(graded, resamples, rng), some.grades)
        ),
        together=coincidences(graded),
        met=grades_met(graded),
    )


def _draws(ratings: Ratings, resamples: int, rng: np.random.Generator) -> FloatArray | None:
    return ratings.resampled(resamples, rng) if resamples and ratings.items else None


def _binary(ratings: Ratings, draws: FloatArray | None) -> tuple[Coefficient, ...]:
    return (
        raw_agreement(ratings, draws),
        overlap(ratings, 1, draws),
        cohen_kappa(ratings, draws=draws),
        fleiss_kappa(ratings, draws),
        krippendorff_alpha(ratings, draws=draws),
        gwet_ac(ratings, draws=draws),
    )


def _graded(ratings: Ratings, draws: FloatArray | None, grades: tuple[int, ...]) -> tuple[Coefficient, ...]:
    return (
        raw_agreement(ratings, draws),
        cohen_kappa(ratings, draws=draws),
        cohen_kappa(ratings, "linear", draws),
        cohen_kappa(ratings, "quadratic", draws),
        fleiss_kappa(ratings, draws),
        krippendorff_alpha(ratings, "nominal", draws),
        krippendorff_alpha(ratings, "ordinal", draws),
        krippendorff_alpha(ratings, "interval", draws, values=grades),
        gwet_ac(ratings, draws=draws),
        gwet_ac(ratings, "linear", draws),
        gwet_ac(ratings, "quadratic", draws),
    )
