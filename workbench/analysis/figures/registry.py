"""The registry of figures, and how their parameters are read from text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import Annotated, Any

from workbench.analysis.registry import Analysis, usual_measure
from workbench.campaign.rounds import rounds_note, seen_by_name
from workbench.core.errors import CampaignError, NotThere, UnknownName
from workbench.core.parameters import NO_LIMITS, Limits, Parameter, parameters_of
from workbench.core.registry import Entry, Registry, load_modules
from workbench.methods.charts import Chart
from workbench.methods.charts.chart import noted
from workbench.scoring.evaluation.reading import EvaluationFiles
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log.log import newest_seq

FigureFunction = Callable[..., Chart]
AS_OF = Parameter("as_of", int, None, False, NO_LIMITS)
"""The row of the log that a campaign is drawn as of: a parameter of every figure that has no rows of its own."""
ROUND = Parameter("round", str, None, False, NO_LIMITS)
"""The round that it is drawn by, as `campaign.rounds.part_named` reads it: a parameter of every figure of scores."""
ROWS = frozenset({"one_at", "two_at"})
"""The parameters of a figure of two rows."""


Depth = Annotated[int, Limits("how many ranks are drawn", least=1)]


@dataclass(frozen=True, eq=False)
class Figure(Entry):
    """A figure as the registry knows it: a function `(campaign, *, parameters) -> Chart`, or `(answer) -> Chart`."""

    function: FigureFunction
    files: bool = False
    """Whether it is drawn from files of qrels and runs too."""
    of: Analysis | None = None
    """The analysis whose answer it draws, with its parameters; what takes seconds, a page computes in a job first."""

    scores: bool = True
    """Whether it shows scores, which are of a round, or over all rounds; then the picture says so."""

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Those of the function or the analysis, and which row of the log and which round it is drawn by."""
        own = parameters_of(self.function) if self.of is None else self.of.parameters
        moment = () if ROWS & {each.name for each in own} else (AS_OF,)
        return (*own, *moment, *((ROUND,) if self.scores else ()))


FIGURES = Registry("figure", "figures", Figure, Chart)


figure = FIGURES.register


@cache
def load_figures() -> Registry[Figure]:
    """All figures; the modules of this package are imported on the first call."""
    package = import_module("workbench.analysis.figures")
    load_modules(package.__name__, package.__path__)
    return FIGURES


def draw(source: Campaign | EvaluationFiles, name: str, asked: Mapping[str, Sequence[str]]) -> Chart:
    """The figure `name` of a campaign or of files, with parameters as text, each with all the values it was given.

    Raises:
        UnknownName: there is no such figure, or none of files, or it has no such parameter, or lacks one that it
            needs, or a value is no number where one is needed, or the log does not have a row; or what the
            figure itself says of a run, topic or measure.
    """
    found = load_figures().find(name)
    parameters = found.read(asked)
    if isinstance(source, EvaluationFiles):
        _check_files(found, parameters)
        return found.function(source, **parameters)
    then = _then(source, found, parameters)
    if found.of is None:
        chart = found.function(then, **usual_measure(found, then) | parameters)
    else:
        chart = found.function(found.of.answer(then, parameters))
    return noted(chart, rounds_note(then)) if found.scores else chart


def drawing_takes_long(campaign: Campaign, name: str, asked: Mapping[str, Sequence[str]]) -> bool:
    """Whether `draw` may have to compute for seconds first; errors as there."""
    found = load_figures().find(name)
    parameters = found.read(asked)
    then = _then(campaign, found, parameters)
    return found.of is not None and found.of.takes_long(then, parameters)


def _then(campaign: Campaign, figure: Figure, parameters: dict[str, Any]) -> Campaign:
    """The campaign as of the row and by the round that it is drawn by, which are taken out of the parameters."""
    for name in parameters.keys() & {AS_OF.name, *ROWS}:
        _check_row(campaign, name, parameters[name])
    then = campaign.at(parameters.pop(AS_OF.name, None))
    if not figure.scores or campaign.part is not None:
        return then
    try:
        return seen_by_name(then, parameters.pop(ROUND.name, None))
    except (CampaignError, NotThere) as error:
        raise UnknownName(str(error)) from error


def _check_files(figure: Figure, parameters: Mapping[str, Any]) -> None:
    if not figure.files:
        names = ", ".join(sorted(name for name, one in load_figures().items() if one.files))
        raise UnknownName(f"{figure.name} is drawn from a campaign; from files there are: {names}")
    if moments := parameters.keys() & {AS_OF.name, ROUND.name, *ROWS}:
        message = f"{', '.join(sorted(moments))} is about a campaign's log, and files have none; leave it out"
        raise UnknownName(message)


def _check_row(campaign: Campaign, name: str, row: int) -> None:
    """What the log has not reached yet would look different tomorrow."""
    newest = newest_seq(campaign)
    if not 0 <= row <= newest:
        raise UnknownName(f"{name} must be a row of the log, from 0 to {newest}, not {row}")
