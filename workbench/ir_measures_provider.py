"""A provider for ir_measures: its measures, and what is built on them such as PyTerrier, with values of this engine.

    from workbench.ir_measures_provider import PROVIDER, use

    PROVIDER.calc_aggregate([AP, nDCG @ 10], qrels, run)
    use()  # from here on ir_measures.calc, and PyTerrier's Experiment

ir_measures is not installed with the workbench: pip install ir-measures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import ir_measures
from ir_measures import CalcResults, Metric
from ir_measures.util import QrelsConverter, RunConverter

from workbench import Scores, evaluate
from workbench.core.errors import UnknownName
from workbench.methods.measures import BoundMeasure, parse_measure
from workbench.scoring.evaluation.selection import PROFILES, RequestedOutput, judgments_for

OTHERS = frozenset({"Accuracy"})
"""Names under which ir_measures has another measure."""


def our_measure(measure: ir_measures.Measure, profile: str = "trec_eval-10") -> BoundMeasure | None:
    """The measure here that a measure of ir_measures is; None where there is none, or it needs subtopics or a sample.

    Theirs is the meaning: the beta of SetF is the square, and the highest grade of ERR is 4.
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
    return found if is_plain and measure.NAME not in OTHERS else None


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
        return WorkbenchEvaluator(measures, QrelsConverter(qrels).as_dict_of_dict(), self.profile)


class WorkbenchEvaluator(ir_measures.Evaluator):  # type: ignore[misc] # it has no types
    """Scores runs against the same qrels; a judged topic that a run lacks counts as an empty ranking."""

    def __init__(
        self,
        measures: Iterable[ir_measures.Measure],
        qrels: Mapping[str, Mapping[str, int]],
        profile: str = "trec_eval-10",
    ) -> None:
        super().__init__(list(measures), set(qrels))
        self.qrels, self.profile = qrels, profile
        self.ours = {measure: our_measure(measure, profile) for measure in self.measures}
        if unknown := [str(measure) for measure, found in self.ours.items() if found is None]:
            message = f"not measures of this provider: {', '.join(unknown)}"
            raise ValueError(message)

    def _scores(self, run: Any) -> Scores | None:
        """The scores of the judged topics; None where nothing is judged."""
        found = RunConverter(run).as_dict_of_dict()
        rankings = {topic_id: found.get(topic_id, {}) for topic_id in self.qrels}
        if not rankings:
            return None
        asked = list(dict.fromkeys(measure for measure in self.ours.values() if measure is not None))
        return evaluate(self.qrels, {"run": rankings}, asked, profile=self.profile)

    def _metrics(self, scores: Scores | None) -> list[Metric]:
        return [
            Metric(query_id=topic_id, measure=measure, value=values[str(ours)])
            for topic_id, values in ({} if scores is None else scores.per_topic["run"]).items()
            for measure, ours in self.ours.items()
        ]

    def _iter_calc(self, run: Any) -> Iterator[Metric]:
        yield from self._metrics(self._scores(run))

    def calc(self, run: Any) -> CalcResults:
        """The means, added up as trec_eval does, and the values of all topics."""
        scores = self._scores(run)
        means = {} if scores is None else scores.mean["run"]
        default = {measure: measure.aggregator().result() for measure in self.measures} if not means else {}
        aggregated = default or {measure: means[str(ours)] for measure, ours in self.ours.items()}
        return CalcResults(aggregated, self._metrics(scores))

    def calc_aggregate(self, run: Any) -> Any:
        """The means alone."""
        return self.calc(run).aggregated


PROVIDER = ir_measures.providers.register(WorkbenchProvider())


def use(provider: WorkbenchProvider = PROVIDER) -> None:
    """Let `ir_measures.calc` and its kin, and what calls them, take from `provider` what it has, the rest as before."""
    chain: Sequence[Any] = ir_measures.DefaultPipeline.providers
    others = [each for each in chain if not isinstance(each, WorkbenchProvider)]
    ir_measures.DefaultPipeline.providers = [others[0], provider, *others[1:]]  # the first are the user's own
