"""A provider for ir_measures: its measures, and what is built on them such as PyTerrier, with values of this engine.

    from workbench.ir_measures_provider import PROVIDER, use

    PROVIDER.calc_aggregate([AP, nDCG @ 10], qrels, run)
    use()  # from here on ir_measures.calc, and PyTerrier's Experiment

ir_measures is not installed with the workbench: pip install ir-measures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import ir_measures
from ir_measures import Metric
from ir_measures.util import QrelsConverter, RunConverter

from workbench import evaluate
from workbench.core.errors import UnknownName
from workbench.methods.measures import BoundMeasure, parse_measure
from workbench.scoring.evaluation.selection import PROFILES, RequestedOutput, judgments_for


def our_measure(measure: ir_measures.Measure, profile: str = "trec_eval-10") -> BoundMeasure | None:
    """The measure here that a measure of ir_measures is; None where there is none, or it needs subtopics or a sample.

    Theirs is the meaning: the beta of SetF is the square, the highest grade of ERR is 4, and Accuracy is another one.
    """
    name = str(measure).replace("True", "true").replace("False", "false")
    if measure.NAME == "SetF":
        name = name.replace("beta=", "beta_squared=")
    elif measure.NAME == "ERR":
        name = name.replace("ERR", "ERR(max_grade=4)", 1)
    try:
        found = parse_measure(name, defaults=PROFILES[profile].defaults)
    except UnknownName:
        return None
    is_plain = judgments_for([RequestedOutput(name, found)]) == "plain"
    return found if is_plain and measure.NAME != "Accuracy" else None


class WorkbenchProvider(ir_measures.Provider):  # type: ignore[misc] # it has no types
    """The measures that are the same here and there; `profile` is the version of trec_eval that is followed."""

    NAME = "workbench"

    def __init__(self, profile: str = "trec_eval-10") -> None:
        super().__init__()
        self.profile = profile

    def supports(self, measure: ir_measures.Measure) -> bool:
        """Whether the measure is known here, with these parameters."""
        measure.validate_params()
        return our_measure(measure, self.profile) is not None

    def _evaluator(self, measures: Iterable[ir_measures.Measure], qrels: Any) -> WorkbenchEvaluator:
        ours = {measure: our_measure(measure, self.profile) for measure in measures}
        if unknown := [str(measure) for measure, found in ours.items() if found is None]:
            message = f"not measures of this provider: {', '.join(unknown)}"
            raise ValueError(message)
        return WorkbenchEvaluator(ours, QrelsConverter(qrels).as_dict_of_dict(), self.profile)


class WorkbenchEvaluator(ir_measures.Evaluator):  # type: ignore[misc] # it has no types
    """Scores runs against the same qrels; a judged topic that a run lacks counts as an empty ranking."""

    def __init__(self, ours: Mapping[Any, Any], qrels: Mapping[str, Mapping[str, int]], profile: str) -> None:
        super().__init__(list(ours), set(qrels))
        self.ours, self.qrels, self.profile = ours, qrels, profile

    def _iter_calc(self, run: Any) -> Iterator[Metric]:
        if not self.qrels:
            return
        found = RunConverter(run).as_dict_of_dict()
        rankings = {topic_id: found.get(topic_id, {}) for topic_id in self.qrels}
        scores = evaluate(self.qrels, {"run": rankings}, self.ours.values(), profile=self.profile)
        for topic_id, values in scores.per_topic["run"].items():
            for measure, ours in self.ours.items():
                yield Metric(query_id=topic_id, measure=measure, value=values[str(ours)])


PROVIDER = ir_measures.providers.register(WorkbenchProvider())


def use(provider: WorkbenchProvider = PROVIDER) -> None:
    """Let `ir_measures.calc` and its kin, and what calls them, take from `provider` what it has, the rest as before."""
    pipeline = ir_measures.DefaultPipeline
    first, *others = (each for each in pipeline.providers if not isinstance(each, WorkbenchProvider))
    pipeline.providers = [first, provider, *others]  # the first are the user's own
