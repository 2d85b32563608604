"""Analyses, each declared once: a function of a campaign as of a row of its log, whose answer is a kind of result.

    @analysis("reuse", called="Leaving out", sheet=sheet_of, is_large=is_large)
    def leaving_out(
        campaign: Campaign, on_step: OnStep, *, measure: MeasureName = "AP", by: By = "team"
    ) -> Reuse: ...

What it is asked for are its keyword-only parameters (core/parameters.py); the answer has the row of the log as `seq`.
From that follow the cache by the row of the log and the job where it takes long, and on the web the fields of the
address, its files and the operation of the API with its schema: web/analysis/result_pages.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_type_hints

from workbench.core.parameters import Limits, listed_values
from workbench.core.registry import Entry, Registry
from workbench.formats.tables.sheets import Sheet
from workbench.jobs.processes import OnStep
from workbench.methods.measures import parse_measure
from workbench.scoring.board.table import DEFAULT_MEASURES, usual_measures
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache

Values = dict[str, Any]
"""What an analysis is asked for: the values of all its parameters, in their order."""

MeasureName = Annotated[str, Limits("The measure")]


class Left(NamedTuple):
    """What an answer leaves behind for later ones, beside itself.

    Attributes:
        give: takes it out of the process that found the answer, `give(campaign, values)`.
        keep: puts it into this one, `keep(campaign, values, given)`.
    """

    give: Callable[[Campaign, Values], Any]
    keep: Callable[[Campaign, Values, Any], None]


@dataclass(frozen=True, eq=False)
class Analysis(Entry):
    """An analysis as the registry knows it.

    Attributes:
        called: what it is called in the list of jobs, before its parameters.
        sheet: the answer as the table that programs read.
        people: the same for people and papers, where that is another.
        is_large: whether it may take seconds, `is_large(campaign, values)`.
        usual: the defaults that follow from the campaign.
        left: what it leaves for later answers.
        seconds: how long a job may take.
        again: makes an answer of its JSON. It is then kept with the job that found it, which outlives the server, and
            the page computes it only where the address asks for something.
    """

    called: str
    sheet: Callable[[Any], Sheet]
    people: Callable[[Any], Sheet] | None = None
    is_large: Callable[[Campaign, Values], bool] = lambda campaign, values: False
    usual: Callable[[Campaign], Values] = lambda campaign: {}
    left: Left | None = None
    seconds: float = 900
    again: Callable[[Any], Any] | None = None
    cache: Cache[Any] = field(default_factory=lambda: Cache(in_all=32))

    @cached_property
    def kind(self) -> type:
        """The kind of result that it answers with."""
        kind: type = get_type_hints(self.function)["return"]
        return kind

    def for_people(self, found: Any) -> Sheet:
        """An answer as the table for people and papers."""
        return (self.people or self.sheet)(found)

    def question(self, campaign: Campaign, values: Mapping[str, Any]) -> Values:
        """All values, defaults included; UnknownName for what cannot be asked for."""
        checked = self.check(usual_measure(self, campaign) | self.usual(campaign) | dict(values))
        found: Values = {
            name: tuple(each) if isinstance(each, list) else each for name, each in checked.items()
        }
        if "measure" in found:
            parse_measure(found["measure"])
        return found

    def name_of(self, values: Values) -> str:
        """What answering it is called in the list of jobs."""
        return ": ".join(filter(None, (self.called, listed_values(values))))

    def answer(self, campaign: Campaign, values: Mapping[str, Any]) -> Any:
        """The answer now, or as of a row of the log; errors as of the function."""
        asked = self.question(campaign, values)
        return self.cache.now(
            campaign, tuple(asked.items()), lambda: self.function(campaign, _silent, **asked)
        )

    def known(self, campaign: Campaign, values: Mapping[str, Any]) -> Any:
        """The answer where it is cached, else None."""
        asked = self.question(campaign, values)
        return self.cache.known(campaign, log.head(campaign), tuple(asked.items()))

    def takes_long(self, campaign: Campaign, values: Mapping[str, Any]) -> bool:
        """Whether `answer` may have to compute for seconds first."""
        asked = self.question(campaign, values)
        return self.known(campaign, asked) is None and self.is_large(campaign, asked)

    def keep(
        self, path: Path, values: Values, found: Any, given: Any, *, view: tuple[Any, str] = (None, "")
    ) -> None:
        """Keep what another process found in the campaign at `path`, in a view of it, and what that left."""
        with open_campaign(path) as opened:
            campaign = opened.showing(view).at(found.seq)
            self.cache.at(campaign, log.head(campaign), tuple(values.items()), lambda: found)
            if self.left is not None:
                self.left.keep(campaign, values, given)


def usual_measure(entry: Entry, campaign: Campaign) -> Values:
    """The measure of an analysis or a figure that follows from what is judged; none where it has another default."""
    measure = entry.parameter("measure")
    is_usual = measure is not None and measure.default == DEFAULT_MEASURES[0]
    return {"measure": usual_measures(campaign)[0]} if is_usual else {}


ANALYSES = Registry("analysis", "analyses", Analysis)
analysis = ANALYSES.register


def answer_in_file(
    module: str,
    name: str,
    path: Path,
    values: Values,
    as_of: int | None,
    view: tuple[Any, str],
    *,
    on_step: OnStep,
) -> tuple[Any, Any]:
    """The answer of an analysis that a module declares, and what it left: what a worker process does for the server."""
    if name not in ANALYSES:
        import_module(module)
    asked = ANALYSES[name]
    with open_campaign(path) as opened, opened.snapshot():
        campaign = opened.showing(view)
        found = asked.function(campaign.at(as_of), on_step, **values)
        return found, None if asked.left is None else asked.left.give(campaign.at(found.seq), values)


def _silent(done: int, total: int | None, now: str) -> None:
    """Report no steps."""
