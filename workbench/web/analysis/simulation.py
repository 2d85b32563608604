"""Simulations for the organiser: which strategies find what with which budget, on the campaign's judgments so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from flask import Blueprint, Response, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis.simulating.campaigns import (
    CampaignSimulation,
    as_content,
    from_content,
    simulate_campaign,
    simulate_file,
)
from workbench.analysis.simulating.selection import named_strategies, read_budgets, usual_strategies
from workbench.analysis.simulating.sheets import choices_sheet, rows_sheet
from workbench.analysis.simulating.whole import Simulation
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.registry import Entry
from workbench.core.wording import counted, listed
from workbench.formats.tables.csv_cells import as_csv
from workbench.formats.tables.sheets import Sheet, printed_rows
from workbench.jobs.processes import Outcome, Record, Work
from workbench.methods.charts.reuse import Outcome as Dot
from workbench.methods.charts.reuse import simulated_strategies
from workbench.methods.measures import parse_measure
from workbench.methods.pooling import STRATEGIES
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import allow_in_campaign
from workbench.web.analysis.figures import answer as figure
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import attached
from workbench.web.setup.strategy_fields import fields_of, read_fields, usual_values

blueprint = Blueprint("simulation", __name__)

KIND = "simulation"
"""The kind of this page's jobs."""
SIMULATION = Entry(KIND, simulate_campaign)
FIRST = ("depth", "rrf", "hedge", "pps")
"""The strategies that are chosen when the page is first opened."""

LONGEST_OTHERS = 2_000
"""Letters of the strategies with parameters that are read."""

Refused = (CampaignError, UnknownName)


class SimulationRequest(NamedTuple):
    """What is to be simulated: strategies that are ticked, others as they were written, and parameters."""

    ticked: list[str]
    others: str
    parameters: dict[str, Any]

    @property
    def names(self) -> list[str]:
        """All strategies, each once."""
        return list(dict.fromkeys([*self.ticked, *filter(None, map(str.strip, self.others.split(";")))]))


@blueprint.get("/c/<campaign>/simulation")
@allow_in_campaign("organiser")
def page(campaign: str) -> ResponseReturnValue:
    """The form, and what came of the simulation that `?job=` names, or of the newest."""
    record = campaign_jobs.finished(request.args["job"], KIND) if "job" in request.args else _newest()
    return _page(_request_of(record), record, [])


@blueprint.post("/c/<campaign>/simulation")
@allow_in_campaign("organiser")
def begin(campaign: str) -> ResponseReturnValue:
    """Begin a simulation; 422 where something of it cannot be read, or the campaign has nothing to simulate on."""
    asked, wrong = _read()
    try:
        if not asked.names:
            wrong.append("Choose at least one strategy.")
        if wrong:
            return _page(asked, None, wrong), 422
        named_strategies(asked.names, asked.parameters["depth"], has_texts=True)
        read_budgets(asked.parameters["budget"])
        parse_measure(asked.parameters["measure"])
        begun = campaign_jobs.begin(
            f"Simulation: {listed(asked.names)}",
            KIND,
            Work(simulate_file, (g.campaign.path, asked.names, asked.parameters), reports=True),
            outcome_of=partial(_outcome, asked, url_for(".page", campaign=campaign)),
            user_errors=Refused,
        )
        return campaign_jobs.answer(
            begun, lambda _: redirect(url_for(".page", campaign=campaign, job=begun.id), 303)
        )
    except Refused as error:
        return _page(asked, None, [str(error)]), 422


@blueprint.get("/c/<campaign>/simulation/<job>.csv")
@allow_in_campaign("organiser")
def file(campaign: str, job: str) -> Response:
    """The rows of a simulation, as `workbench simulate --format csv` writes them."""
    sheet = rows_sheet(_result(campaign_jobs.finished(job, KIND)).rows)
    return attached("".join(as_csv(sheet)), f"{campaign}.simulation.csv", "text/csv; charset=utf-8")


@blueprint.get("/c/<campaign>/simulation/<job>/figure.<ending>")
@allow_in_campaign("organiser")
def chart(campaign: str, job: str, ending: str) -> Response:
    """The rows of a simulation as a figure, in one of the formats of figures."""
    record = campaign_jobs.finished(job, KIND)
    dots = [
        Dot(row.strategy, row.budget, row.recall, row.recall_low, row.recall_high, row.tau, row.rmse)
        for row in _result(record).rows
    ]
    return figure(simulated_strategies(record.outcome.detail["parameters"]["measure"], dots), ending)


@blueprint.app_template_filter("printed_sheet")
def printed_sheet(sheet: Sheet) -> list[list[str]]:
    """The cells of a sheet as people read them."""
    return printed_rows(sheet)


def _outcome(asked: SimulationRequest, page: str, found: CampaignSimulation) -> Outcome:
    detail = as_content(found.found) | asked._asdict() | {"seq": found.seq}
    said = f"{counted(len(asked.names), 'strategy', 'strategies')}, as of log row {found.seq:,}."
    return Outcome(said, page, "Show the simulation", detail)


def _read() -> tuple[SimulationRequest, list[str]]:
    """What the form asks for, and messages on what is wrong with it."""
    others = request.form.get("others", "")[:LONGEST_OTHERS].strip()
    given = {name: request.form[name] for name in request.form}
    parameters, wrong = read_fields(SIMULATION, given, usual_values(SIMULATION, {}))
    ticked = [name for name in request.form.getlist("strategy") if name in usual_strategies()]
    return SimulationRequest(ticked, others, parameters), wrong


def _newest() -> Record | None:
    return next((each for each in campaign_jobs.listed(KIND) if campaign_jobs.is_finished(each, KIND)), None)


def _request_of(record: Record | None) -> SimulationRequest:
    """What was simulated, so that the form begins with it; else what it begins with at first."""
    if record is None:
        return SimulationRequest(list(FIRST), "", usual_values(SIMULATION, {}))
    detail: Mapping[str, Any] = record.outcome.detail
    return SimulationRequest(*(detail[name] for name in SimulationRequest._fields))


def _result(record: Record) -> Simulation:
    return from_content(record.outcome.detail)


def _page(asked: SimulationRequest, record: Record | None, said: Sequence[str]) -> str:
    found = None if record is None else _result(record)
    return render_template(
        "analysis/simulation/page.html",
        name=g.campaign.name,
        settings=settings.read(g.campaign),
        asked=asked,
        fields=fields_of(SIMULATION, asked.parameters),
        strategies=[STRATEGIES[name] for name in usual_strategies()],
        said=said,
        record=record,
        found=found,
        rows=None if found is None else rows_sheet(found.rows),
        choices=choices_sheet(found.plan) if found is not None and found.plan is not None else None,
        jobs=[job for job in campaign_jobs.listed(KIND) if record is None or job.id != record.id],
    )
