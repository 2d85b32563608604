"""What a team's members see to submit its runs: the rules, the form, what was wrong with a file, and receipts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

from flask import abort, g, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign import submission_rules
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.model_labels import LabelUpload
from workbench.campaign.submissions import overview as shown
from workbench.campaign.submissions.judges import NUGGETS, change_judges
from workbench.campaign.uploads import MEGABYTE, Report, Sent, UploadOptions, receive
from workbench.core.errors import CampaignError, NotThere
from workbench.core.results import content
from workbench.core.wording import as_sentence, counted
from workbench.formats.answers.forms import FORMS
from workbench.formats.tables.score_layouts import READ
from workbench.jobs.processes import Outcome, Run, StartedJob
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log.kinds import LONGEST_REASON
from workbench.storage.campaign.models import submitted
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import PARTICIPANTS, Pages
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import wants_json
from workbench.web.requests.long_work import takes_long
from workbench.web.requests.uploads import sent_files, takes_uploads, upload_limits

blueprint = Pages("submitting", __name__)

KIND = "submit run"
LONGEST_PRIORITY = 4
TEAM_FORMS = ("qrels", "rag25", "autojudge")
"""The forms of labels that teams send."""


class TeamReports(NamedTuple):
    """What became of the files of a team, in their order."""

    reports: tuple[Report, ...]


@blueprint.get("/c/<campaign>/submit", allow=PARTICIPANTS)
def page(campaign: str) -> str:
    """The rules, the form and the runs of the participant's team, with what came of the last file that was sent."""
    return _page()


@blueprint.post("/c/<campaign>/submit", allow=PARTICIPANTS)
@takes_uploads
@takes_long
def take(campaign: str) -> ResponseReturnValue:
    """Check run files and add the good ones for the participant's team; scripts get the reports as JSON.

    What counts against the deadline is the moment at which the whole request is here.
    """
    with ExitStack() as received:
        files = received.enter_context(sent_files())
        begun = _begin(files, datetime.now(UTC), received.pop_all().close)
    return campaign_jobs.answer(begun, partial(_reported, campaign))


@blueprint.post("/c/<campaign>/submit/judge", allow=("organiser", "participant"))
def change_judge(campaign: str) -> ResponseReturnValue:
    """Withdraw the judge of the form; a team withdraws its own before the deadline, organisers also restore any."""
    is_organiser, name = g.role == "organiser", request.form.get("judge", "")
    by_team = None if is_organiser else (g.team, datetime.now(UTC))
    back, reason = request.form.get("do") == "restore", request.form.get("reason", "")[:LONGEST_REASON]
    try:
        change_judges(g.campaign, [name], back=back and is_organiser, reason=reason, by_team=by_team)
    except (CampaignError, NotThere) as error:
        abort(409, f"{as_sentence(error)} Nothing was changed.")
    page = "submissions.page" if is_organiser else ".page"
    return redirect(url_for(page, campaign=campaign, _anchor="judges"), 303)


def _begin(files: Sequence[Sent], now: datetime, afterwards: Callable[[], None]) -> StartedJob:
    """The job that checks the files and adds the good ones; the rules are asked again in each transaction."""
    path, limits, actor, through = g.campaign.path, upload_limits(), str(g.member), g.campaign.through
    team, back = g.team, url_for(".page", campaign=g.campaign.name)
    options = UploadOptions(
        only_check=request.form.get("do") == "check",
        sender=_sender(team, now),
        for_team=True,
        labels=LabelUpload(request.form.get("form", "qrels"), model=request.form.get("model", "")[:200]),
    )
    rules = submission_rules.rules_of(g.campaign)
    kind = "model-labels" if rules.judges else "runs"
    reports: list[Report] = []

    def body(run: Run) -> list[Report]:
        with open_campaign(path) as campaign:
            sender = campaign.by(actor, through=through)
            received = receive(sender, kind, files, options=options, expanded=limits.expanded, run=run)
            reports.extend(received)
        return reports

    def detail() -> dict[str, Any]:
        return {"reports": content(reports)}

    names = files[0].name if len(files) == 1 else counted(len(files), "file")
    return campaign_jobs.begin(
        f"{'Check' if options.only_check else 'Submit'} {names}",
        KIND,
        body,
        limits=limits.reading,
        outcome_of=lambda _: Outcome(summary(reports, rules.noun), back, "Show the report", detail()),
        partly=detail,
        afterwards=afterwards,
    )


def _sender(team: str, now: datetime) -> Sender:
    fields = submission_rules.rules_of(g.campaign).fields
    texts = {
        field.name: request.form.get(f"field-{place}", "").replace("\r\n", "\n").strip()
        for place, field in enumerate(fields)
    }
    typed = request.form.get("priority", "").strip()
    priority = int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= LONGEST_PRIORITY else 0
    given = {name: text for name, text in texts.items() if text}
    return Sender(team, priority=priority or None, description=given, received=now)


def _reported(campaign: str, reports: list[Report]) -> ResponseReturnValue:
    status = 200 if any(not report.problems for report in reports) else 422 if reports else 400
    if wants_json():
        return jsonify(content(TeamReports(tuple(reports)))), status
    if reports and all(report.added for report in reports):
        return redirect(url_for(".page", campaign=campaign), 303)
    return _page(reports, typed=True), status


def summary(reports: Sequence[Report], noun: str) -> str:
    """What became of the files, in a sentence or two."""
    if not reports:
        return "No file was chosen."
    refused = sum(bool(report.problems) for report in reports)
    added = sum(report.added for report in reports)
    if added:
        said = f"The {noun} is submitted. Its receipt is below."
        if added > 1:
            said = f"{added:,} {noun}s are submitted. Their receipts are below."
        return said + (f" {counted(refused, 'file')} not accepted." if refused else "")
    if refused == len(reports):
        return "Nothing was submitted."
    good = (
        "The file is good." if len(reports) == 1 else f"{len(reports) - refused:,} of {len(reports):,} good."
    )
    return f"{good} This was a check: nothing was submitted."


def lead(team: str, rules: submission_rules.Rules, taken: int, now: datetime) -> str:
    """Whether the team can submit now, and how many runs it has."""
    if not team:
        return "You have no team yet; an organiser can assign one to you."
    state = shown.state_words(rules, now)
    count = f"Team {team} has {counted(taken, rules.noun)}"
    if rules.limit and rules.takes(now):
        count += f" of {rules.limit:,}"
        if taken >= rules.limit:
            by = "name" if rules.judges else "tag"
            count += f": a further file can only replace one of them, by its {by}"
    return f"{state} {count}."


def _page(reports: Sequence[Report] | None = None, *, typed: bool = False) -> str:
    now, team = datetime.now(UTC), g.team
    rules, limits = submission_rules.rules_of(g.campaign), upload_limits()
    receipts = shown.receipts(g.campaign, team) if team else []
    judges = submitted.files(g.campaign, team) if team else []
    taken = shown.TeamRuns(team, (), tuple(receipts), tuple(judges)).submitted(rules)
    jobs = campaign_jobs.listed(KIND)
    # What came of the last file, as long as the server knows.
    last = next((job for job in jobs if job.outcome.detail), None)
    earlier = [] if last is None else last.outcome.detail.get("reports", [])
    current = settings.read(g.campaign)
    return render_template(
        "setup/submissions/submit.html",
        answer_form=FORMS[current.answer_form].title if current.answer_form in FORMS else "",
        lead=lead(team, rules, taken, now),
        judges=judges[::-1],
        forms={"Labels": TEAM_FORMS, "Leaderboards": READ, "Nugget banks": (NUGGETS,)},
        rules=rules,
        takes=bool(team) and rules.takes(now),
        receipts=receipts[::-1],
        reports=earlier if reports is None else content(reports),
        said=summary(reports, rules.noun) if reports is not None else last.outcome.said if last else "",
        jobs=[job for job in jobs if job.is_unfinished],
        typed=request.form if typed else None,
        megabytes=limits.request // MEGABYTE,
    )
