"""Which estimate is shown beside a score where the pool of a campaign is a sample."""

from __future__ import annotations

from workbench.methods.measures import BoundMeasure, parse_measure
from workbench.methods.measures.gains import LINEAR
from workbench.methods.measures.modifiers import MODIFIERS
from workbench.scoring.board.sample_design import Design


def estimate_of(measure: BoundMeasure, design: Design) -> BoundMeasure | None:
    """The measure that estimates another from the sample of a campaign; None where none does."""
    if not design.sampled or design.why_none:
        return None
    return estimator_of(measure, has_strata=design.has_strata)


def estimator_of(measure: BoundMeasure, *, has_strata: bool) -> BoundMeasure | None:
    """The measure that estimates another from a sample; None where none does.

    `has_strata` says whether the candidates of a stratum all had the same chance.
    """
    if any(name in MODIFIERS for name, _ in measure.values):
        return None
    name = _name(measure, has_strata=has_strata)
    return None if name is None else parse_measure(name)


def _name(measure: BoundMeasure, *, has_strata: bool) -> str | None:
    values = dict(measure.values)
    rel, cutoff = measure.rel, values.get("cutoff")
    if measure.name == "AP" and cutoff is None:
        return f"{'xinfAP' if has_strata else 'statAP'}(rel={rel})"
    if measure.name == "P":
        return f"statP(rel={rel})@{cutoff}"
    if measure.name == "RBP" and cutoff is None and values.get("gains") is None:
        return f"statRBP(p={values['p']},rel={rel})"
    usual = (values.get("gains"), values.get("discount"), values.get("base")) == (LINEAR, "plus-one", 2.0)
    if measure.name == "DCG" and usual:
        return "statDCG" if cutoff is None else f"statDCG@{cutoff}"
    if measure.name == "nDCG" and usual and cutoff is None and has_strata:
        return "infNDCG"
    return None
