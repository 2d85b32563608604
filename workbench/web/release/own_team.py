"""What a participant sees: the runs of their own team, and the scores of these once the organisers open them."""

from __future__ import annotations

from functools import partial

from flask import abort, g, render_template, request
from flask.typing import ResponseReturnValue

from workbench.analysis.run_profiles import one_run
from workbench.core.about import DOCUMENTS
from workbench.core.natural_order import natural
from workbench.release.campaign_summary import base_name
from workbench.release.team_sheets.rendering import SHEET_FORMATS
from workbench.scoring.board.table import printed
from workbench.storage.campaign.collection import runs, topics
from workbench.storage.campaign.collection.question_topics import about
from workbench.storage.campaign.collection.rounds import runs_of_team
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import PARTICIPANTS, Pages
from workbench.web.release.file_jobs import requested_as_of, requested_format, team_sheet
from workbench.web.requests.form_values import seen_campaign
from workbench.web.requests.languages import gettext, ngettext
from workbench.web.scoring.board_request import measure_of_a_run

blueprint = Pages("own_team", __name__)


@blueprint.get("/c/<campaign>/own-runs", allow=PARTICIPANTS)
def page(campaign: str) -> str:
    """The runs of the participant's team in the order they were added; `run` shows one of them by topic on `m`."""
    found = one_run.table_of_team(seen_campaign(), g.team)
    one = _one(found)
    return render_template(
        "release/own_team/page.html",
        lead=lead(found),
        found=found,
        rows=[
            (row, base_name(row.run.record.file), list(map(printed, found.measures, row.scores)))
            for row in found.rows
        ],
        one=one,
        lines=[] if one is None else sorted(one.topics, key=lambda line: natural(line.topic_id)),
        printed=None if one is None else partial(printed, one.measure),
        titles=topics.titles(g.campaign.asking("")),
        measures=tuple(dict.fromkeys([*measure_of_a_run()[2], *([str(one.measure)] if one else [])])),
        is_of_documents=about(g.campaign) == DOCUMENTS,
        formats=SHEET_FORMATS,
        tag=request.args.get("run", ""),
    )


@blueprint.get("/c/<campaign>/own-runs/sheet", allow=PARTICIPANTS)
def sheet(campaign: str) -> ResponseReturnValue:
    """The team's sheet of results, drawn by a job as of `as_of`, as pdf or html; 403 while scores are hidden."""
    kind, team = requested_format(), g.team
    if not settings.read(g.campaign).scores_open:
        abort(403, gettext("The organisers have not published the scores yet."))
    if not team:  # "" would be the runs of no team
        abort(404, gettext("No run of your team takes part."))
    return team_sheet(seen_campaign(requested_as_of()), team, kind, for_team=True)


@blueprint.get("/c/<campaign>/own-runs/answers", allow=PARTICIPANTS)
def answers(campaign: str) -> str:
    """What a run of the participant's team says on `topic`, else on its first one; 404 for every other run."""
    seen, tag = seen_campaign(), request.args.get("run", "")
    run = next((each for each in runs_of_team(seen, g.team) if each.record.tag == tag), None)
    answered = set() if run is None else {each.topic_id for each in runs.answers_of(seen, run)}
    topic_ids = sorted(answered, key=natural)
    topic_id = request.args.get("topic", topic_ids[0] if topic_ids else "")
    if run is None or topic_id not in answered:
        abort(404, gettext("Your team has no such answer."))
    place = topic_ids.index(topic_id)
    return render_template(
        "release/own_team/answers.html",
        tag=tag,
        record=run.record,
        topic_id=topic_id,
        title=topics.titles(g.campaign).get(topic_id, ""),
        answers=one_run.answers_shown(seen, run, topic_id),
        before=topic_ids[place - 1] if place else None,
        after=topic_ids[place + 1] if place + 1 < len(topic_ids) else None,
    )


def lead(found: one_run.TeamTable) -> str:
    """What the team has here, in a sentence or two."""
    if not found.team:
        return gettext("You are a participant without a team; an organiser can assign one to you.")
    if not found.rows:
        return gettext("No runs of team %(team)s yet.", team=found.team)
    runs = ngettext(
        "%(num)s run of team %(team)s.", "%(num)s runs of team %(team)s.", len(found.rows), team=found.team
    )
    return f"{runs} {_scored(found)}"


def _scored(found: one_run.TeamTable) -> str:
    """What the scores of the team rest on."""
    if not found.scores_open:
        return gettext("The organisers have not published the scores yet.")
    if not found.topics:
        return gettext("No judgments yet, so there are no scores.")
    topics = ngettext("%(num)s judged topic", "%(num)s judged topics", found.topics)
    if not found.waiting:
        return gettext("Scores are means over %(topics)s.", topics=topics)
    return ngettext(
        "Scores are means over %(topics)s, with %(num)s pooled pair not yet judged.",
        "Scores are means over %(topics)s, with %(num)s pooled pairs not yet judged.",
        found.waiting,
        topics=topics,
    )


def _one(found: one_run.TeamTable) -> one_run.RunScores | None:
    """The run that the address asks for by topic; None where it asks for none, or for what is not to be seen."""
    if not (tag := request.args.get("run", "")):
        return None
    return one_run.scores_of_team(seen_campaign(), found.team, tag, measure_of_a_run()[0])
