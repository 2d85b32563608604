"""What will be published: everything that can be taken away, and what a reader of it must know.

Every download is a GET that changes nothing; a bundle and sheets stand for the row of the log that was the newest
when they were asked for, or the one that `as_of` names. Archives and sheets are made by jobs, and kept for a while.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis.comparing.runs import compare_runs
from workbench.campaign.label_rules import choose_rule, choose_sources, rule_state
from workbench.campaign.rounds import require_one_round
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.wording import capital, counted
from workbench.jobs.processes import Outcome, Work
from workbench.methods.statistics.dawid_skene import TooFewLabels
from workbench.release.archive_jobs import audit_file, make_bundle, make_sheets
from workbench.release.audit.findings import Finding
from workbench.release.bundle.readme import rules
from workbench.release.bundle.writing import NAMES, BundleOptions
from workbench.release.campaign_summary import cached_summary, most_waiting, sizes_of, state_of
from workbench.release.latex import comparison_latex
from workbench.release.team_sheets.sheets import NO_TEAM, teams_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.rounds import taking_part
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import Head
from workbench.storage.campaign.opening.in_worker import work_on
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.accounts.reauthentication import confirmed
from workbench.web.release.file_jobs import (
    KIND,
    kept_file,
    made_file,
    requested_as_of,
    requested_format,
    team_sheet,
)
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import attached, say
from workbench.web.requests.form_fields import Text
from workbench.web.requests.form_values import seen_campaign
from workbench.web.requests.long_work import takes_long

blueprint = Pages("publish", __name__)

MOST_COMPARED = 20


@blueprint.get("/c/<campaign>/publish", allow=ORGANISERS)
def page(campaign: str) -> str:
    """Everything that can be taken away, each with one sentence; sheets and tables of scores are of a round."""
    facts, seen = cached_summary(g.campaign), seen_campaign()
    compared = taking_part(seen)
    return render_template(
        "release/publish/page.html",
        facts=facts,
        state=state_of(facts),
        sizes=sizes_of(facts, len(compared)),
        runs=compared,
        rules=rules(facts),
        waiting=most_waiting(facts),
        teams=teams_of(seen),
        no_team=NO_TEAM,
        labelling=rule_state(g.campaign, sum(facts.qrels.values())),
        jobs=campaign_jobs.listed(KIND),
    )


@blueprint.post("/c/<campaign>/publish/rule", allow=ORGANISERS)
def rule(campaign: str, *, rule: Text) -> ResponseReturnValue:
    """Choose the `rule` that makes one grade of several."""
    try:
        choose_rule(g.campaign, rule)
    except UnknownName as error:
        abort(400, str(error))
    except TooFewLabels as error:
        abort(409, str(error))
    say(f"Several grades of a pair become one by the rule {rule}.")
    return redirect(url_for(".page", campaign=campaign, _anchor="labels"), 303)


@blueprint.post("/c/<campaign>/publish/sources", allow=ORGANISERS)
def sources(
    campaign: str, *, imported_labels: Text | None = None, model_labels: Text | None = None
) -> ResponseReturnValue:
    """Choose how `imported_labels` and `model_labels` count."""
    try:
        choose_sources(g.campaign, imported_labels=imported_labels, model_labels=model_labels)
    except UnknownName as error:
        abort(400, str(error))
    say("How imported labels and labels of models count is changed.")
    return redirect(url_for(".page", campaign=campaign, _anchor="sources"), 303)


@blueprint.get("/c/<campaign>/publish/bundle", allow=ORGANISERS)
@takes_long
@confirmed
def bundle(campaign: str) -> ResponseReturnValue:
    """The release bundle; `runs`, `comments`, `names` and `as_of` as the command line has them."""
    names = request.args.get("names", NAMES[0])
    if names not in NAMES:
        abort(422, f"Assessors are named by {' or '.join(NAMES)}, not {names!r}.")
    options = BundleOptions("runs" in request.args, "comments" in request.args, names)
    return _archive(f"Release bundle{_with(options)}", make_bundle, options)


@blueprint.get("/c/<campaign>/publish/sheets", allow=ORGANISERS)
@takes_long
def sheets(campaign: str) -> ResponseReturnValue:
    """The sheet of one `team` as a file, or those of all teams in an archive; `format` is pdf or html."""
    kind, team = requested_format(), request.args.get("team")
    seen = seen_campaign(requested_as_of())
    require_one_round(seen, "Team sheets")
    if team is None:
        return _archive(f"Team sheets as {kind.upper()}", make_sheets, kind, campaign=seen)
    return team_sheet(seen, team, kind)


@blueprint.get("/c/<campaign>/publish/comparison", allow=ORGANISERS)
@takes_long
def comparison(campaign: str) -> Response:
    """Runs against the first `run` on a `measure`, as a LaTeX table with marks of significance."""
    tags, measure = request.args.getlist("run"), request.args.get("measure") or "AP"
    seen = seen_campaign(requested_as_of())
    require_one_round(seen, "A LaTeX table")
    if len(tags) > MOST_COMPARED:
        abort(422, f"Choose at most {MOST_COMPARED} runs.")
    try:
        found = compare_runs(seen, tags, measure=measure, baseline=request.args.get("baseline") or None)
    except (UnknownName, CampaignError) as error:
        abort(422, str(error))
    table = "".join(comparison_latex(found))
    return attached(table, f"{campaign}.comparison.tex", "application/x-tex; charset=utf-8")


@blueprint.post("/c/<campaign>/publish/audit", allow=ORGANISERS)
def audit(campaign: str) -> ResponseReturnValue:
    """Check the campaign's consistency, as `workbench campaign audit` does; the job's page shows what was found."""
    begun = campaign_jobs.begin(
        "Audit", KIND, Work(audit_file, (g.campaign.path,), reports=True), key="audit", outcome_of=_audited
    )
    return campaign_jobs.answer(begun, lambda _: campaign_jobs.shown(begun.id))


def _audited(found: tuple[list[Finding], Head]) -> Outcome:
    findings, head = found
    wrong = sum(bool(finding.wrong) for finding in findings)
    said = (
        f"{counted(wrong, 'check')} of {len(findings)} failed"
        if wrong
        else f"all {len(findings)} checks hold"
    )
    sentence = f"{capital(said)}, as of log row {head.seq:,}, hash {head.hash.hex()[:16]}."
    return Outcome(sentence, detail={"findings": [finding._asdict() for finding in findings]})


def _archive(
    name: str, make: Callable[..., str], *wanted: object, campaign: Campaign | None = None
) -> ResponseReturnValue:
    """The archive of `make`, with names, of a campaign as of a row; None for this whole campaign as requested."""
    seen = campaign or g.campaign.at(requested_as_of())
    head, what = log.head(seen), (make.__name__, wanted, seen.view)
    then = seen.at(head.seq)
    return kept_file(what, head) or made_file(
        name, what, head, lambda target: work_on(then, make, target, *wanted), as_of=seen.as_of
    )


def _with(options: BundleOptions) -> str:
    """What a bundle holds besides what all of them do, as it is behind its name."""
    chosen = {"runs": options.runs, "comments": options.comments, "names": options.names == NAMES[1]}
    *first, last = [word for word, is_in in chosen.items() if is_in] or [""]
    return f" with {' and '.join(filter(None, (', '.join(first), last)))}" if last else ""
