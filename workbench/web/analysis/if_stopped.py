"""What stopping now might lose, for the organisers: simulated leaderboards beside hard bounds and disagreement."""

from __future__ import annotations

from typing import NamedTuple

from flask import Blueprint, Response, abort, g, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.agreement.between_assessors.cached import cached_effect, effect_takes_long
from workbench.analysis.reuse.cached_stopping import keep_stopped, known_stopped, stopped_of_file
from workbench.analysis.reuse.stopped_sheets import (
    check_sentences,
    held_words,
    left_out_words,
    not_drawn_words,
    probe_words,
    stopped_content,
)
from workbench.analysis.reuse.stopping import Stopped
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.jobs import Outcome, StartedJob, Work
from workbench.methods.charts import Chart
from workbench.methods.charts.reuse import Place
from workbench.methods.charts.reuse import if_stopped as chart_of_places
from workbench.methods.measures import parse_measure
from workbench.scoring.board import DEFAULT_MEASURES
from workbench.storage.campaign.collection import settings
from workbench.storage.campaign.log.log import newest_seq
from workbench.web.access.rules import allow_in_campaign
from workbench.web.analysis.figures import answer as figure
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import refusal
from workbench.web.requests.form_values import natural_number

blueprint = Blueprint("if_stopped", __name__)

KIND = "if stopped"
"""The kind of this page's jobs."""

USUAL = "AP"
LONGEST_MEASURE = 200
Refused = (CampaignError, UnknownName)


class Assessors(NamedTuple):
    """The ranges of scores over choices of an assessor for each topic, and how many topics have several."""

    ranges: dict[str, tuple[float, float]]
    topics: int


@blueprint.get("/c/<campaign>/reuse/if-stopped")
@allow_in_campaign("organiser")
def page(campaign: str) -> ResponseReturnValue:
    """Simulated leaderboards by the measure `?m=`, as of the row `?as_of=` that a job has computed them for.

    Without such a row the page asks for a measure; `?begin=1` begins the job.
    """
    measure = request.args.get("m", "").strip()[:LONGEST_MEASURE] or USUAL
    found = _known(measure)
    if found is not None:
        return _page(measure, found, "")
    if "begin" not in request.args:
        return _page(measure, None, "")
    try:
        parse_measure(measure)
        return campaign_jobs.answer(_begin(measure), lambda done: redirect(_address(measure, done.seq), 303))
    except Refused as error:
        return _page(measure, None, str(error)), 422


@blueprint.get("/c/<campaign>/api/reuse/if-stopped")
@allow_in_campaign("organiser")
def numbers(campaign: str) -> ResponseReturnValue:
    """The same as JSON by `?m=`, as of `?as_of=` or now; 202 with a job while labels are drawn."""
    measure = request.args.get("m", "").strip()[:LONGEST_MEASURE] or USUAL
    try:
        found = _known(measure) or _newest(measure)
        if found is None:
            parse_measure(measure)
            return campaign_jobs.answer(_begin(measure), lambda done: jsonify(stopped_content(done)))
    except Refused as error:
        return refusal(422, "cannot be simulated", str(error))
    return jsonify(stopped_content(found))


@blueprint.get("/c/<campaign>/reuse/if-stopped/figure.<ending>")
@allow_in_campaign("organiser")
def chart(campaign: str, ending: str) -> Response:
    """The scores now, with what they may become, in one of the formats of figures; 404 where they are not known."""
    measure = request.args.get("m", "").strip()[:LONGEST_MEASURE] or USUAL
    found = _known(measure)
    if found is None:
        abort(404, "These numbers are not known any more; compute them again on the page.")
    return figure(_chart(found), ending)


def _begin(measure: str) -> StartedJob:
    path = g.campaign.path
    page = url_for(".page", campaign=g.campaign.name, m=measure)

    def outcome_of(found: Stopped) -> Outcome:
        keep_stopped(path, measure, found)
        return Outcome(f"As of log row {found.seq:,}.", f"{page}&as_of={found.seq}", "Show the result")

    return campaign_jobs.begin(
        f"If judging stopped now: {measure}",
        KIND,
        Work(stopped_of_file, (path, measure), reports=True),
        key=measure,
        outcome_of=outcome_of,
        user_errors=Refused,
    )


def _address(measure: str, row: int) -> str:
    return url_for(".page", campaign=g.campaign.name, m=measure, as_of=row)


def _known(measure: str) -> Stopped | None:
    row = natural_number(request.args.get("as_of", ""))
    return None if row is None else known_stopped(g.campaign, measure, row)


def _newest(measure: str) -> Stopped | None:
    return None if "as_of" in request.args else known_stopped(g.campaign, measure, newest_seq(g.campaign))


def _assessors(measure: str) -> Assessors | None:
    """What disagreement does to the scores, where several assessors judged and it is known or soon computed."""
    try:
        if effect_takes_long(g.campaign, measure):
            return None
        effect = cached_effect(g.campaign, measure)
    except Refused:
        return None
    if not effect.shared_topics:
        return None
    return Assessors({each.run: (each.low, each.high) for each in effect.ranges}, effect.shared_topics)


def _chart(found: Stopped) -> Chart:
    assessors = _assessors(str(found.measure))
    places = [
        Place(
            run.run,
            run.score,
            None if run.low is None or run.high is None else (run.low, run.high),
            None if run.lower is None or run.upper is None else (run.lower, run.upper),
            None if assessors is None else assessors.ranges.get(run.run),
        )
        for run in found.ranges
    ]
    return chart_of_places(str(found.measure), places)


def _page(measure: str, found: Stopped | None, problem: str) -> str:
    return render_template(
        "analysis/reuse/if_stopped.html",
        name=g.campaign.name,
        settings=settings.read(g.campaign),
        measure=measure,
        measures=DEFAULT_MEASURES,
        found=found,
        assessors=None if found is None else _assessors(str(found.measure)),
        newest=newest_seq(g.campaign),
        problem=problem,
        left_out_words=left_out_words,
        not_drawn_words=not_drawn_words,
        held_words=held_words,
        probe_words=probe_words,
        check_sentences=check_sentences,
    )
