"""The registry of figures, and how their parameters are read from text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from workbench.analysis.registry import Analysis
from workbench.campaign.rounds import rounds_note
from workbench.core.errors import UnknownName
from workbench.core.registry import Entry, Registry, load_modules
from workbench.methods.charts import Chart
from workbench.methods.charts.chart import noted
from workbench.scoring.evaluation.reading import EvaluationFiles
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log.log import newest_seq

FigureFunction = Callable[..., Chart]
MOMENTS = frozenset({"as_of", "one_at", "two_at"})
"""Parameters that name a row of the log."""


@dataclass(frozen=True, eq=False)
class Figure(Entry):
    """A figure as the registry knows it."""

    function: FigureFunction
    files: bool = False
    """Whether it is drawn from files of qrels and runs too."""
    of: Analysis | None = None
    """The analysis that it draws, which may have to compute for seconds first; a page does so in a job."""

    scores: bool = True
    """Whether it shows scores, which are over all rounds of a campaign; the picture says so."""


FIGURES = Registry("figure", "figures", Figure)


def figure(
    name: str,
    *,
    files: bool = False,
    of: Analysis | None = None,
    scores: bool = True,
) -> Callable[[FigureFunction], FigureFunction]:
    """Put a function `(campaign, *, parameters) -> Chart` into the registry.

    With `files`, it takes `EvaluationFiles` in the place of a campaign as well; for the others see `Figure`.
    """
    return FIGURES.register(name, files=files, of=of, scores=scores)


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
            needs, or a value is no number where one is needed, or one of MOMENTS is no row of the log; or what the
            figure itself says of a run, topic or measure.
    """
    found = load_figures().find(name)
    parameters = found.read(asked)
    moments = MOMENTS & parameters.keys()
    if isinstance(source, EvaluationFiles):
        _check_files(found, moments)
    else:
        for moment in moments:
            _check_row(source, moment, parameters[moment])
    chart = found.function(source, **parameters)
    if isinstance(source, EvaluationFiles) or not found.scores:
        return chart
    return noted(chart, rounds_note(source, parameters.get("as_of")))


def drawing_takes_long(campaign: Campaign, name: str, asked: Mapping[str, Sequence[str]]) -> bool:
    """Whether `draw` may have to compute for seconds first; errors as there."""
    found = load_figures().find(name)
    parameters = found.read(asked)
    for moment in MOMENTS & parameters.keys():
        _check_row(campaign, moment, parameters[moment])
    if found.of is None:
        return False
    asked = {
        each.name: parameters[each.name]
        for each in found.of.parameters
        if parameters.get(each.name) not in (None, "")
    }
    return found.of.takes_long(campaign, asked, as_of=parameters.get("as_of"))


def _check_files(figure: Figure, moments: Set[str]) -> None:
    if not figure.files:
        names = ", ".join(sorted(name for name, one in load_figures().items() if one.files))
        message = f"{figure.name} is drawn from a campaign; from files there are: {names}"
        raise UnknownName(message)
    if moments:
        message = (
            f"{', '.join(sorted(moments))} is a row of a campaign's log, and files have none; leave it out"
        )
        raise UnknownName(message)


def _check_row(campaign: Campaign, name: str, row: int) -> None:
    """What the log has not reached yet would look different tomorrow."""
    newest = newest_seq(campaign)
    if not 0 <= row <= newest:
        message = f"{name} must be a row of the log, from 0 to {newest}, not {row}"
        raise UnknownName(message)
