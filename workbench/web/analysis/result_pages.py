"""Declared analyses on the web: a page, its files, and the same as JSON, all by the same fields of the address.

    @result_page(blueprint, REUSE, "/reuse")
    def page(found: Reuse, asked: ResultRequest) -> str: ...

What takes seconds becomes a job, whose result is the page as of the row that it was computed at.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from flask import (
    Blueprint,
    Response,
    abort,
    g,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from workbench.analysis.registry import Analysis, Values, answer_in_file
from workbench.core.errors import CampaignError, GradesDoNotFit, UnknownName
from workbench.core.natural_order import natural
from workbench.core.results import content
from workbench.formats.tables.csv_cells import as_csv
from workbench.formats.tables.json_text import json_text
from workbench.formats.tables.latex import as_latex
from workbench.formats.tables.sheets import Cell, Sheet
from workbench.jobs.processes import Outcome, StartedJob, Work
from workbench.web.access.rules import allow_in_campaign
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import attached, refusal
from workbench.web.requests.form_values import found_as_of
from workbench.web.requests.lists import Column, Listing, ListView

REFUSED = (CampaignError, GradesDoNotFit, UnknownName)
LONGEST = 1_000
"""Letters of a field that are read."""
AS_OF = "as-of"
AS_JSON = "JSON by the fields of its page; 202 with a job while it is computed."

Row = tuple[Cell, ...]

RESULTS: dict[str, Analysis] = {}
"""The analyses that the API answers, by endpoint."""


class ResultTable(NamedTuple):
    """A table of results on a page: the view of its list, and the rows of this view."""

    list: ListView[Row]
    sheet: Sheet


class ResultRequest(NamedTuple):
    """What a page was asked for.

    Attributes:
        analysis: the analysis.
        values: its parameters.
        as_of: the row of the log; None for now.
        problem: why it shows the usual result instead, as a sentence; "" where it does not.
        said: which row was found for a date.
    """

    analysis: Analysis
    values: Values
    as_of: int | None = None
    problem: str = ""
    said: str = ""

    def fields(self, **more: Any) -> dict[str, Any]:
        """The fields of the address that ask for it; a link to another row gives `as_of`."""
        row = more.pop("as_of", self.as_of)
        return self.values | ({} if row is None else {AS_OF: row}) | more

    def table(self, sheet: Sheet, noun: str) -> ResultTable:
        """A sheet as the page shows it: searched in its texts, sorted by any column, in pages."""
        columns = [
            Column[Row](each.name, each.head, partial(_sorted_by, place, each.kind), each.kind != "text")
            for place, each in enumerate(sheet.columns)
        ]
        texts = [place for place, each in enumerate(sheet.columns) if each.kind == "text"]
        looks_in = ", ".join(sheet.columns[place].head for place in texts)
        listing = Listing[Row](
            noun, columns, text=lambda row: " ".join(str(row[place]) for place in texts), looks_in=looks_in
        )
        view = listing.view(
            sheet.rows, request.args, request.endpoint or "", campaign=g.campaign.name, **self.fields()
        )
        return ResultTable(view, sheet._replace(rows=tuple(view.rows), best=frozenset()))


def _sorted_by(place: int, kind: str, row: Row) -> Any:
    """What rows are sorted by in a column; a text in a column of numbers says that there is none."""
    cell = row[place]
    if kind == "text":
        return natural(str(cell or ""))
    return None if isinstance(cell, str) else cell


Page = Callable[[Any, ResultRequest], str]


class _Views(NamedTuple):
    """The views of an analysis, whose page a function draws and has an endpoint."""

    analysis: Analysis
    draw: Page
    endpoint: str

    def page(self) -> ResponseReturnValue:
        analysis, asked = self.analysis, ResultRequest(self.analysis, self.analysis.question({}))
        try:
            asked = _asked(analysis)
            if "format" not in request.args and self._is_slow(asked):
                begun = self._begin(asked)
                return campaign_jobs.answer(
                    begun, lambda done: redirect(self._address(asked, as_of=done.seq), 303)
                )
            found = analysis.answer(g.campaign, asked.values, as_of=asked.as_of)
        except REFUSED as error:
            asked = ResultRequest(analysis, analysis.question({}), problem=str(error))
            found = analysis.answer(g.campaign, asked.values)
        if "format" in request.args and not asked.problem:
            return _file(analysis, found)
        return make_response(self.draw(found, asked), 422 if asked.problem else 200)

    def numbers(self) -> ResponseReturnValue:
        try:
            asked = _asked(self.analysis)
            if self._is_slow(asked):
                return campaign_jobs.answer(self._begin(asked), lambda done: jsonify(content(done)))
            return jsonify(content(self.analysis.answer(g.campaign, asked.values, as_of=asked.as_of)))
        except REFUSED as error:
            return refusal(422, "cannot be computed", str(error))

    def _is_slow(self, asked: ResultRequest) -> bool:
        return self.analysis.takes_long(g.campaign, asked.values, as_of=asked.as_of)

    def _address(self, asked: ResultRequest, **more: Any) -> str:
        return url_for(self.endpoint, campaign=g.campaign.name, **asked.fields(**more))

    def _begin(self, asked: ResultRequest) -> StartedJob:
        """The job that computes the answer once for all who ask."""
        analysis, path, address = self.analysis, g.campaign.path, self._address(asked, as_of="")

        def outcome_of(found: Any) -> Outcome:
            analysis.keep(path, asked.values, found)
            return Outcome(f"As of log row {found.seq:,}.", f"{address}{found.seq}", "Show the result")

        what = (analysis.function.__module__, analysis.name, path, asked.values, asked.as_of)
        return campaign_jobs.begin(
            analysis.name_of(asked.values),
            analysis.name,
            Work(answer_in_file, what, reports=True),
            key=(*asked.values.values(), asked.as_of),
            outcome_of=outcome_of,
            user_errors=REFUSED,
        )


def result_page(blueprint: Blueprint, analysis: Analysis, address: str) -> Callable[[Page], Page]:
    """Serve an analysis at an address of campaigns, for organisers.

    The function below the decorator draws its page; with `?format=` the answer is a file, and under /api/ it is JSON.
    """

    def put(draw: Page) -> Page:
        views = _Views(analysis, draw, f"{blueprint.name}.{draw.__name__}")

        def page(campaign: str) -> ResponseReturnValue:
            return views.page()

        def numbers(campaign: str) -> ResponseReturnValue:
            return views.numbers()

        numbers.__doc__ = f"{analysis.prose}\n\n{AS_JSON}"
        organisers, endpoint = allow_in_campaign("organiser"), f"{analysis.name}_numbers"
        blueprint.add_url_rule(f"/c/<campaign>{address}", draw.__name__, organisers(page))
        blueprint.add_url_rule(f"/c/<campaign>/api/{analysis.name}", endpoint, organisers(numbers))
        RESULTS[f"{blueprint.name}.{endpoint}"] = analysis
        return draw

    return put


def plain_page(found: Any, asked: ResultRequest) -> str:
    """The page of an analysis that has no words of its own: what it finds, its table and its files."""
    analysis = asked.analysis
    table = asked.table((analysis.people or analysis.sheet)(found), "row")
    return render_template(
        "analysis/result.html", name=g.campaign.name, found=found, asked=asked, table=table
    )


def _asked(analysis: Analysis) -> ResultRequest:
    """What the address asks for; UnknownName where it cannot be read."""
    texts = {
        each.name: [request.args[each.name].strip()[:LONGEST]]
        for each in analysis.parameters
        if request.args.get(each.name, "").strip()
    }
    found = found_as_of(request.args.get(AS_OF, ""))
    values = analysis.question(analysis.read(texts))
    return ResultRequest(analysis, values, found and found.seq, said="" if found is None else str(found))


def _file(analysis: Analysis, found: Any) -> Response:
    name, kind = f"{g.campaign.name}.{analysis.name}", request.args["format"]
    if kind == "json":
        return attached(json_text(content(found)), f"{name}.json", "application/json")
    if kind == "latex":
        text = "".join(as_latex((analysis.people or analysis.sheet)(found)))
        return attached(text, f"{name}.tex", "text/plain; charset=utf-8")
    if kind != "csv":
        abort(404, "Available formats: CSV, JSON and LaTeX.")
    return attached("".join(as_csv(analysis.sheet(found))), f"{name}.csv", "text/csv; charset=utf-8")
