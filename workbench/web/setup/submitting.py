"""What a team's members see to submit its runs: the rules, the form, what was wrong with a file, and receipts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Literal

from flask import abort, g, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign import submission_rules
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.model_labels import LabelUpload
from workbench.campaign.submissions import overview as shown
from workbench.campaign.submissions.judges import NUGGETS, change_judges
from workbench.campaign.uploads import MEGABYTE, Report, Sent, UploadOptions, receive
from workbench.core.errors import CampaignError, NotThere
from workbench.core.parameters import Limits
from workbench.core.results import content
from workbench.core.wording import as_sentence, counted
from workbench.core.wording import translatable as _
from workbench.formats.answers.forms import FORMS
from workbench.formats.tables.score_layouts import READ
from workbench.jobs.processes import Outcome, Run, StartedJob
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.models import submitted
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import PARTICIPANTS, Pages
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import wants_json
from workbench.web.requests.form_fields import Reason, ShortName, Text
from workbench.web.requests.languages import gettext, in_language, ngettext
from workbench.web.requests.long_work import takes_long
from workbench.web.requests.uploads import sent_files, takes_uploads, upload_limits

blueprint = Pages("submitting", __name__)

KIND = "submit run"
Priority = Annotated[int, Limits("the team’s order of its runs, from 1", least=0, most=9_999)]
TEAM_FORMS = ("qrels", "rag25", "autojudge")
"""The forms of labels that teams send."""

HAS, HAS_OF = _("Team %(team)s has %(number)s."), _("Team %(team)s has %(number)s of %(limit)s.")
HAS_ALL_RUNS = _(
    "Team %(team)s has %(number)s of %(limit)s: a further file can only replace one of them, by its tag."
)
HAS_ALL_JUDGES = _(
    "Team %(team)s has %(number)s of %(limit)s: a further file can only replace one of them, by its name."
)


@blueprint.get("/c/<campaign>/submit", allow=PARTICIPANTS)
def page(campaign: str) -> str:
    """The rules, the form and the runs of the participant's team, with what came of the last file that was sent."""
    return _page()


@blueprint.post("/c/<campaign>/submit", allow=PARTICIPANTS)
@takes_uploads
@takes_long
def take(
    campaign: str,
    *,
    do: Literal["add", "check"] = "add",
    form: Text = "qrels",
    model: ShortName = "",
    priority: Priority = 0,
) -> ResponseReturnValue:
    """Check run files and add the good ones for the participant's team; scripts get the reports as JSON.

    What counts against the deadline is the moment at which the whole request is here.
    """
    with ExitStack() as received:
        files = received.enter_context(sent_files())
        labels, sender = LabelUpload(form, model=model), _sender(g.team, priority, datetime.now(UTC))
        options = UploadOptions(only_check=do == "check", sender=sender, for_team=True, labels=labels)
        begun = _begin(files, options, received.pop_all().close)
    return campaign_jobs.answer(begun, partial(_reported, campaign))


@blueprint.post("/c/<campaign>/submit/judge", allow=("organiser", "participant"))
def change_judge(
    campaign: str, *, judge: Text, do: Literal["withdraw", "restore"] = "withdraw", reason: Reason = ""
) -> ResponseReturnValue:
    """Withdraw the judge of the form; a team withdraws its own before the deadline, organisers also restore any."""
    is_organiser, back = g.role == "organiser", do == "restore"
    by_team = None if is_organiser else (g.team, datetime.now(UTC))
    try:
        change_judges(g.campaign, [judge], back=back and is_organiser, reason=reason, by_team=by_team)
    except (CampaignError, NotThere) as error:
        abort(409, f"{as_sentence(in_language(error))} {gettext('Nothing was changed.')}")
    page = "submissions.page" if is_organiser else ".page"
    return redirect(url_for(page, campaign=campaign, _anchor="judges"), 303)


def _begin(files: Sequence[Sent], options: UploadOptions, afterwards: Callable[[], None]) -> StartedJob:
    """The job that checks the files and adds the good ones; the rules are asked again in each transaction."""
    path, limits, actor, through = g.campaign.path, upload_limits(), str(g.member), g.campaign.through
    back = url_for(".page", campaign=g.campaign.name)
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
        outcome_of=lambda _: Outcome(
            summary(content(reports), judges=rules.judges), back, "Show the report", detail()
        ),
        partly=detail,
        afterwards=afterwards,
    )


def _sender(team: str, priority: int, now: datetime) -> Sender:
    fields = submission_rules.rules_of(g.campaign).fields
    texts = {
        field.name: request.form.get(f"field-{place}", "").replace("\r\n", "\n").strip()
        for place, field in enumerate(fields)
    }
    given = {name: text for name, text in texts.items() if text}
    return Sender(team, priority=priority or None, description=given, received=now)


def _reported(campaign: str, reports: list[Report]) -> ResponseReturnValue:
    status = 200 if any(not report.problems for report in reports) else 422 if reports else 400
    if wants_json():
        return jsonify(reports=content(reports)), status
    if reports and all(report.added for report in reports):
        return redirect(url_for(".page", campaign=campaign), 303)
    return _page(reports, typed=True), status


def summary(reports: Sequence[dict[str, Any]], *, judges: bool) -> str:
    """What became of the files, by their reports as JSON, in a sentence or two."""
    if not reports:
        return gettext("No file was chosen.")
    refused = sum(bool(report["problems"]) for report in reports)
    added = sum(report["added"] for report in reports)
    if added:
        text = _submitted(added, judges=judges)
        out = ngettext("%(num)s file not accepted.", "%(num)s files not accepted.", refused)
        return f"{text} {out}" if refused else text
    if refused == len(reports):
        return gettext("Nothing was submitted.")
    if len(reports) == 1:
        return gettext("The file is good. This was a check: nothing was submitted.")
    good, total = len(reports) - refused, len(reports)
    return gettext(
        "%(good)s of %(total)s good. This was a check: nothing was submitted.", good=good, total=total
    )


def _submitted(added: int, *, judges: bool) -> str:
    if judges:
        return ngettext(
            "The judge is submitted. Its receipt is below.",
            "%(num)s judges are submitted. Their receipts are below.",
            added,
        )
    return ngettext(
        "The run is submitted. Its receipt is below.",
        "%(num)s runs are submitted. Their receipts are below.",
        added,
    )


def lead(team: str, rules: submission_rules.Rules, taken: int, now: datetime) -> str:
    """Whether the team can submit now, and how many runs it has."""
    if not team:
        return gettext("You have no team yet; an organiser can assign one to you.")
    if rules.judges:
        number, has_all = ngettext("%(num)s judge", "%(num)s judges", taken), HAS_ALL_JUDGES
    else:
        number, has_all = ngettext("%(num)s run", "%(num)s runs", taken), HAS_ALL_RUNS
    has = HAS if not (rules.limit and rules.takes(now)) else HAS_OF if taken < rules.limit else has_all
    count = gettext(has, team=team, number=number, limit=rules.limit)
    return f"{in_language(shown.state_words(rules, now))} {count}"


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
    found = earlier if reports is None else content(reports)
    is_said = reports is not None or (last is not None and last.state == "done")
    current = settings.read(g.campaign)
    return render_template(
        "setup/submissions/submit.html",
        answer_form=FORMS[current.answer_form].title if current.answer_form in FORMS else "",
        lead=lead(team, rules, taken, now),
        judges=judges[::-1],
        forms={_("Labels"): TEAM_FORMS, _("Leaderboards"): READ, _("Nugget banks"): (NUGGETS,)},
        rules=rules,
        takes=bool(team) and rules.takes(now),
        receipts=receipts[::-1],
        reports=found,
        said=summary(found, judges=rules.judges) if is_said else last.outcome.said if last else "",
        jobs=[job for job in jobs if job.is_unfinished],
        typed=request.form if typed else None,
        megabytes=limits.request // MEGABYTE,
    )
