"""The organiser's page of submissions: the rules, who is missing, all receipts; and corrections of single runs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from flask import Response, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign import submission_rules
from workbench.campaign.submission_rules import Rules
from workbench.campaign.submissions import overview as shown
from workbench.campaign.submissions.correcting import Correction, correct_run, correct_runs, steps_of
from workbench.campaign.submissions.file_tables import corrections_of_table
from workbench.core.errors import REFUSED, AlreadyDone, CampaignError
from workbench.core.wording import as_sentence, counted, sized
from workbench.formats.text.addresses import clean_name
from workbench.formats.text.content import Content, content_of
from workbench.storage.campaign.log.kinds import LONGEST_REASON
from workbench.storage.campaign.models import submitted
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.requests.answers import attached, say
from workbench.web.requests.form_values import natural_number

blueprint = Pages("submissions", __name__)

LARGEST_TABLE = 200_000
"""Bytes: it goes to the browser and back between the preview and the change."""
Shown = dict[str, Any]


@blueprint.get("/c/<campaign>/submissions", allow=ORGANISERS)
def page(campaign: str) -> str:
    """The rules in force, and every team with its runs."""
    return _page()


@blueprint.post("/c/<campaign>/submissions", allow=ORGANISERS)
def change(campaign: str) -> ResponseReturnValue:
    """Put the rules of the form in force, if they are still those that the form showed."""
    try:
        rules = Rules(
            request.form.get("open") == "yes",
            submission_rules.parse_deadline(_text("deadline")),
            submission_rules.parse_limit(_whole("limit")),
            submission_rules.parse_fields(request.form.get("fields", "").splitlines()),
            request.form.get("submitted") == "judges",
        )
        seen = request.form.get("seen", "")
        submission_rules.change_rules(g.campaign, rules, seen=seen)
    except CampaignError as error:
        return _page(problem=f"{error}."), 400
    say("Rules saved.")
    return redirect(url_for(".page", campaign=campaign), 303)


@blueprint.post("/c/<campaign>/run/details", allow=ORGANISERS)
def correct(campaign: str) -> ResponseReturnValue:
    """Correct what is said of a run."""
    sent = request.form
    fields = submission_rules.rules_of(g.campaign).fields
    texts = {field.name: _text(f"field-{place}") for place, field in enumerate(fields)}
    correction = Correction(_text("team"), _text("tag"), _whole("priority"), _whole("depth"), texts)
    reason = _text("reason")[:LONGEST_REASON]
    try:
        found = correct_run(g.campaign, sent.get("run", ""), correction, reason=reason)
    except AlreadyDone:
        return redirect(url_for("runs.run", campaign=campaign, run=sent.get("run", "")), 303)
    except CampaignError as error:
        abort(409, f"{as_sentence(error)} Nothing was changed.")
    tag = found.now.get("tag", found.run.record.tag)
    return redirect(url_for("runs.run", campaign=campaign, run=tag, _anchor="said"), 303)


@blueprint.post("/c/<campaign>/runs/table", allow=ORGANISERS)
def correct_by_table(campaign: str) -> ResponseReturnValue:
    """Show what a table would correct of the runs or, with `do=correct`, correct it; all or nothing."""
    reason = _text("reason")[:LONGEST_REASON]

    def correct(content: Content, is_shown: bool) -> Shown:
        table = corrections_of_table(content, submission_rules.rules_of(g.campaign).fields)
        found = correct_runs(g.campaign, table, reason=reason, dry_run=is_shown)
        lines = [(each.run.record.tag, *step) for each in found for step in steps_of(each)]
        return {"lines": lines, "runs": len(found), "total": len(table), "reason": reason}

    return answer_table(
        "setup/submissions/corrections.html",
        correct,
        lambda _: url_for("runs.page", campaign=campaign),
        lambda shown: f"{counted(shown['runs'], 'run')} changed. The log has who, when and why.",
    )


def answer_table(
    template: str,
    change: Callable[[Content, bool], Shown],
    address_after: Callable[[Shown], str],
    said: Callable[[Shown], str],
) -> ResponseReturnValue:
    """The preview of the form's file `table` or, of a form with a field `do`, the way to what its `text` changed.

    `change` gets the table, and whether it is only shown, and returns what the template shows; what it refuses is shown
    there line by line as `wrong`.
    """
    sent, is_shown = request.files.get("table"), "do" not in request.form
    data = request.form.get("text", "").encode() if sent is None else sent.stream.read(LARGEST_TABLE + 1)
    name = clean_name(request.form.get("name") if sent is None else sent.filename)
    try:
        if len(data) > LARGEST_TABLE:
            raise CampaignError(f"the table is larger than {sized(LARGEST_TABLE)}; send it in several parts")
        found = change(content := content_of(name, data), is_shown)
    except REFUSED as error:
        return render_template(template, wrong=str(error).splitlines(), name=name), 422
    if not is_shown:
        say(said(found))
        return redirect(address_after(found), 303)
    return render_template(template, **found, name=name, text=content.data.decode())


@blueprint.get("/c/<campaign>/submit/receipt", allow=("organiser", "participant"))
def receipt(campaign: str) -> Response:
    """The receipt of a run, or of a file of a judge by its row, as text; participants get those of their team."""
    team = None if g.role == "organiser" else g.team
    files = {str(each.seq): each for each in submitted.files(g.campaign, team)}
    if (of_file := files.get(request.args.get("row", ""))) is not None:
        lines = shown.judge_receipt_lines(g.campaign, of_file)
    else:
        found = [] if team == "" else shown.receipts(g.campaign, team)
        of_run = {each.run.record.tag: each for each in found}.get(request.args.get("run", ""))
        if of_run is None:
            abort(404, "There is no such run here.")
        lines = shown.receipt_lines(g.campaign, of_run, submission_rules.rules_of(g.campaign).fields)
    return attached("".join(lines), "receipt.txt", "text/plain; charset=utf-8")


def _whole(name: str) -> int:
    typed = _text(name)
    if (number := natural_number(typed or "0")) is None:
        abort(400, f"{name.capitalize()}: {typed[:20]!r} is not a whole number; write it like 3.")
    return number


def _text(name: str) -> str:
    return request.form.get(name, "").strip()


def _page(*, problem: str = "") -> str:
    found, now = shown.overview(g.campaign), datetime.now(UTC)
    return render_template(
        "setup/submissions/page.html",
        found=found,
        rules=found.rules,
        seen=submission_rules.mark_of(found.rules),
        state=shown.state_words(found.rules, now),
        missing=shown.missing_words(found) if found.teams else "",
        typed=request.form if problem else None,
        problem=problem,
    )
