"""Declared analyses on the web: a page, its files, and the same as JSON, all by the same fields of the address.

    @result_page(blueprint, REUSE, "/reuse")
    def page(found: Reuse, asked: ResultRequest) -> str: ...

What takes seconds becomes a job, whose result is the page as of the row that it was computed at.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from flask import Response, abort, g, jsonify, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis.registry import Analysis, Values, answer_in_file
from workbench.campaign.rounds import seen_by_name
from workbench.core.errors import REFUSED
from workbench.core.natural_order import natural
from workbench.core.results import content
from workbench.formats.tables.csv_cells import as_csv
from workbench.formats.tables.json_text import json_text
from workbench.formats.tables.latex import as_latex
from workbench.formats.tables.sheets import Cell, Sheet
from workbench.jobs.processes import Limits, Outcome, Record, StartedJob, Work
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import attached, refusal
from workbench.web.requests.form_values import ROUND, found_as_of, seen_campaign
from workbench.web.requests.lists import Column, Listing, ListView

LONGEST = 1_000
"""Letters of a field that are read."""
AS_OF = "as-of"
AS_PAGE = "A page, or with `format` its table as a file."
AS_JSON = "JSON by the fields of its page; 202 with a job while it is computed."

Row = tuple[Cell, ...]


class Route(NamedTuple):
    """An address of an analysis, for some roles: a page, or one of the API."""

    analysis: Analysis
    rule: str
    roles: tuple[str, ...]

    @property
    def is_page(self) -> bool:
        """Whether it is a page of the browser."""
        return "/api/" not in self.rule


ROUTES: dict[str, Route] = {}
"""The addresses of all analyses by endpoint."""


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
        round: the round as the address has it.
        problem: why it shows the usual result instead, as a sentence; "" where it does not.
        said: which row was found for a date.
    """

    analysis: Analysis
    values: Values
    as_of: int | None = None
    round: str = ""
    problem: str = ""
    said: str = ""

    def fields(self, **more: Any) -> dict[str, Any]:
        """The fields of the address that ask for it; a link to another row gives `as_of`."""
        row = more.pop("as_of", self.as_of)
        seen = {ROUND: self.round} if request.args.get(ROUND) else {}
        return self.values | ({} if row is None else {AS_OF: row}) | seen | more

    @property
    def campaign(self) -> Campaign:
        """This request's campaign as of the row, by the round."""
        return seen_by_name(g.campaign.at(self.as_of), self.round)

    def answer(self) -> Any:
        """The answer; errors as of the analysis."""
        return self.analysis.answer(self.campaign, self.values)

    def takes_long(self) -> bool:
        """Whether that may have to compute for seconds first."""
        return self.analysis.takes_long(self.campaign, self.values)

    def file(self) -> Response:
        """The answer as a file in the format of `?format=`."""
        analysis, found = self.analysis, self.answer()
        return table_file(analysis.name, analysis.sheet(found), found, analysis.for_people(found))

    def page(self, template: str, found: Any, **more: Any) -> str:
        """The page of an answer, None before there is one; `more` is what its template needs besides."""
        return render_template(template, found=found, asked=self, **more)

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


def table_file(name: str, sheet: Sheet, whole: Any, people: Sheet | None = None) -> Response:
    """A table of this campaign as a file of `?format=`: JSON has the `whole`, LaTeX what is for people."""
    name, kind = f"{g.campaign.name}.{name}", request.args["format"]
    if kind == "json":
        return attached(json_text(content(whole)), f"{name}.json", "application/json")
    if kind == "latex":
        return attached("".join(as_latex(people or sheet)), f"{name}.tex", "text/plain; charset=utf-8")
    if kind != "csv":
        abort(404, "Available formats: CSV, JSON and LaTeX.")
    return attached("".join(as_csv(sheet)), f"{name}.csv", "text/csv; charset=utf-8")


Page = Callable[[Any, ResultRequest], str]


class Served(NamedTuple):
    """An analysis as a page serves it: the page's endpoint, and the part of it that has the answer.

    `usual_round` is the round by which it is seen where none is asked for, "" for that which is open.
    """

    analysis: Analysis
    endpoint: str
    anchor: str | None = None
    usual_round: str = ""

    def read(self) -> ResultRequest:
        """What the address asks for; UnknownName where it cannot be read."""
        found = found_as_of(request.args.get(AS_OF, ""))
        as_of = None if found is None else found.seq
        then = seen_campaign(as_of, self.usual_round)
        given = {
            each.name: [
                text for value in request.args.getlist(each.name) if (text := value.strip()[:LONGEST])
            ]
            for each in self.analysis.parameters
        }
        known = self.analysis.usual(then)
        values = self.analysis.read({name: texts for name, texts in given.items() if texts}, known)
        values = self.analysis.question(then, values)
        said = "" if found is None else str(found)
        seen_by = request.args.get(ROUND, "")[:LONGEST] or self.usual_round
        return ResultRequest(self.analysis, values, as_of, seen_by, said=said)

    def usual(self) -> ResultRequest:
        """What it asks for without any fields."""
        return ResultRequest(self.analysis, self.analysis.question(g.campaign, {}), round=self.usual_round)

    def address(self, asked: ResultRequest, **more: Any) -> str:
        """The page's address for a request."""
        return url_for(self.endpoint, campaign=g.campaign.name, **asked.fields(**more), _anchor=self.anchor)

    def redirect(self, asked: ResultRequest, done: tuple[Any, Any]) -> ResponseReturnValue:
        """The way to the page as of the row that a job's answer is of."""
        return redirect(self.address(asked, as_of=done[0].seq), 303)

    def begin(self, asked: ResultRequest) -> StartedJob:
        """The job that computes the answer once for all who ask."""
        analysis, path, view = self.analysis, g.campaign.path, asked.campaign.view
        before, _, after = self.address(asked, as_of="").partition(f"{AS_OF}=")

        def outcome_of(done: tuple[Any, Any]) -> Outcome:
            found, left = done
            analysis.keep(path, asked.values, found, left, view=view)
            address = f"{before}{AS_OF}={found.seq}{after}"
            detail = None if analysis.again is None else content(found)
            return Outcome(f"As of log row {found.seq:,}.", address, "Show the result", detail)

        seen = (asked.campaign.as_of, view)
        what = (analysis.function.__module__, analysis.name, path, asked.values, *seen)
        return campaign_jobs.begin(
            analysis.name_of(asked.values),
            analysis.name,
            Work(answer_in_file, what, reports=True),
            key=(analysis.name, *asked.values.values(), *seen),
            limits=Limits(seconds=analysis.seconds),
            outcome_of=outcome_of,
            user_errors=REFUSED,
        )

    def ended(self) -> list[Record]:
        """The jobs that found an answer and keep it, the newest first."""
        return [job for job in campaign_jobs.listed(self.analysis.name) if job.outcome.detail is not None]

    def recall(self, asked: ResultRequest) -> None:
        """Cache what a job keeps of what is asked for, which an earlier server may have found."""
        analysis, seq = self.analysis, log.head(asked.campaign).seq
        if analysis.again is None or analysis.known(asked.campaign, asked.values) is not None:
            return
        address = self.address(asked, as_of=seq)
        for job in self.ended():
            if job.outcome.address == address:
                found = analysis.again(job.outcome.detail)
                analysis.keep(g.campaign.path, asked.values, found, None, view=asked.campaign.view)

    def page(self, draw: Page) -> ResponseReturnValue:
        """The page that `draw` makes of the answer, a file with `?format=`, or the way to the job.

        What is kept with its jobs is only computed where something is asked for: without, the newest is shown.
        """
        analysis = self.analysis
        if analysis.again is not None and not request.args:
            ended = self.ended()
            return redirect(ended[0].outcome.address) if ended else draw(None, self.usual())
        try:
            asked = self.read()
            self.recall(asked)
            if "format" not in request.args and asked.takes_long():
                return campaign_jobs.answer(self.begin(asked), partial(self.redirect, asked))
            found = asked.answer()
        except REFUSED as error:
            asked = self.usual()._replace(problem=str(error))
            found = None if analysis.again is not None else asked.answer()
        if "format" in request.args and not asked.problem:
            return asked.file()
        return make_response(draw(found, asked), 422 if asked.problem else 200)

    def numbers(self) -> ResponseReturnValue:
        """The answer as JSON, or the job."""
        try:
            asked = self.read()
            self.recall(asked)
            if asked.takes_long():
                return campaign_jobs.answer(self.begin(asked), lambda done: jsonify(content(done[0])))
            return jsonify(content(asked.answer()))
        except REFUSED as error:
            return refusal(422, "cannot be computed", str(error))


def result_page(blueprint: Pages, analysis: Analysis, address: str, api: str = "") -> Callable[[Page], Page]:
    """Serve an analysis at an address of campaigns, for organisers.

    The function below the decorator draws its page; with `?format=` the answer is a file, and under /api/ it is JSON,
    at the address `api` where that is not the analysis's name.
    """

    def put(draw: Page) -> Page:
        served = Served(analysis, f"{blueprint.name}.{draw.__name__}")

        def page(campaign: str) -> ResponseReturnValue:
            return served.page(draw)

        page.__doc__ = f"{analysis.prose}\n\n{draw.__doc__ or AS_PAGE}"
        _serve(blueprint, draw.__name__, page, Route(analysis, f"/c/<campaign>{address}", ORGANISERS))
        serve_numbers(blueprint, served, api)
        return draw

    return put


def serve_numbers(
    blueprint: Pages, served: Served, address: str = "", roles: tuple[str, ...] = ORGANISERS
) -> None:
    """Serve an analysis as JSON under /api/, at its name where no other address is given."""
    analysis = served.analysis

    def numbers(campaign: str) -> ResponseReturnValue:
        return served.numbers()

    numbers.__doc__ = f"{analysis.prose}\n\n{AS_JSON}"
    rule = f"/c/<campaign>/api{address or f'/{analysis.name}'}"
    _serve(blueprint, f"{analysis.name}_numbers", numbers, Route(analysis, rule, roles))


def _serve(blueprint: Pages, name: str, view: Callable[[str], ResponseReturnValue], route: Route) -> None:
    blueprint.add_url_rule(route.rule, name, view, allow=route.roles)
    ROUTES[f"{blueprint.name}.{name}"] = route


def plain_page(found: Any, asked: ResultRequest) -> str:
    """The page of an analysis that has no words of its own: what it finds, its table and its files."""
    return asked.page(
        "analysis/result.html", found, table=asked.table(asked.analysis.for_people(found), "row")
    )
