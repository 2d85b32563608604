"""Analyses, each declared once: a function of a campaign as of a row of its log, whose answer is a kind of result.

    @analysis("reuse", called="Leaving out", sheet=sheet_of, is_large=is_large)
    def leaving_out(
        campaign: Campaign, as_of: int | None, on_step: OnStep, *, measure: MeasureName = "AP", by: By = "team"
    ) -> Reuse: ...

What it is asked for are its keyword-only parameters (core/parameters.py); the answer has the row of the log as `seq`.
From that follow the cache by the row of the log and the job where it takes long, and on the web the fields of the
address, its files and the operation of the API with its schema: web/analysis/result_pages.py.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from workbench.core.parameters import Limits, listed_values
from workbench.core.registry import Entry, Registry
from workbench.formats.tables.sheets import Sheet
from workbench.jobs.processes import OnStep
from workbench.methods.measures import parse_measure
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache

Values = dict[str, Any]
"""What an analysis is asked for: the values of all its parameters, in their order."""

MeasureName = Annotated[str, Limits("The measure")]


@dataclass(frozen=True, eq=False)
class Analysis(Entry):
    """An analysis as the registry knows it.

    Attributes:
        called: what it is called in the list of jobs, before its parameters.
        sheet: the answer as the table that programs read.
        people: the same for people and papers, where that is another.
        is_large: whether it may take seconds in a campaign.
    """

    called: str
    sheet: Callable[[Any], Sheet]
    people: Callable[[Any], Sheet] | None = None
    is_large: Callable[[Campaign], bool] = lambda campaign: False
    cache: Cache[Any] = field(default_factory=lambda: Cache(in_all=32))

    @cached_property
    def kind(self) -> type:
        """The kind of result that it answers with."""
        kind: type = get_type_hints(self.function)["return"]
        return kind

    def question(self, values: Mapping[str, Any]) -> Values:
        """All values, defaults included; UnknownName for what cannot be asked for."""
        found = self.check(values)
        if "measure" in found:
            parse_measure(found["measure"])
        return found

    def name_of(self, values: Values) -> str:
        """What answering it is called in the list of jobs."""
        return f"{self.called}: {listed_values(values)}"

    def answer(self, campaign: Campaign, values: Mapping[str, Any], *, as_of: int | None = None) -> Any:
        """The answer now, or as of a row of the log; errors as of the function."""
        asked = self.question(values)
        return self.cache.now(
            campaign, _key(asked), lambda: self.function(campaign, as_of, _silent, **asked), as_of=as_of
        )

    def takes_long(self, campaign: Campaign, values: Mapping[str, Any], *, as_of: int | None = None) -> bool:
        """Whether `answer` may have to compute for seconds first."""
        key = _key(self.question(values))
        return self.is_large(campaign) and not self.cache.known(campaign, log.head_at(campaign, as_of), key)

    def keep(self, path: Path, values: Values, found: Any) -> None:
        """Keep what another process found in the campaign at `path`."""
        with open_campaign(path) as campaign:
            self.cache.at(campaign, log.head_at(campaign, found.seq), _key(values), lambda: found)


ANALYSES = Registry("analysis", "analyses", Analysis)
analysis = ANALYSES.register


def answer_in_file(
    module: str, name: str, path: Path, values: Values, as_of: int | None, *, on_step: OnStep
) -> Any:
    """The answer of an analysis that a module declares: what a worker process does for the server."""
    import_module(module)
    with open_campaign(path) as campaign, campaign.snapshot():
        return ANALYSES[name].function(campaign, as_of, on_step, **values)


def _key(values: Values) -> Hashable:
    return tuple(values.items())


def _silent(done: int, total: int | None, now: str) -> None:
    """Report no steps."""
