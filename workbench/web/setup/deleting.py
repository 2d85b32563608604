"""Deleting topics and documents that nothing refers to: what would go and what stays is shown first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from flask import g, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign.deleting import Unused, delete_unused
from workbench.core.errors import REFUSED, CampaignError
from workbench.core.parameters import Limits
from workbench.jobs.processes import Outcome
from workbench.storage.campaign.log.kinds import LONGEST_REASON
from workbench.storage.campaign.opening.in_worker import work_on
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.requests import campaign_jobs
from workbench.web.requests.form_fields import Reason, Text
from workbench.web.requests.long_work import in_worker, takes_long

blueprint = Pages("deleting", __name__)
Ids = Annotated[Sequence[str], Limits("ids, also several on lines of their own")]
Sources = Annotated[Sequence[int], Limits("numbers of sources of documents", least=0)]


@blueprint.post("/c/<campaign>/delete/<any(topic, document):kind>", allow=ORGANISERS)
@takes_long
def page(
    campaign: str,
    kind: str,
    *,
    ids: Ids = (),
    source: Sources = (),
    every: bool = False,
    reason: Reason = "",
    do: Literal["show", "delete"] = "show",
    seen: Text = "",
) -> ResponseReturnValue:
    """Show what would be deleted of what the form chooses or, with `do=delete`, delete it: all of that or nothing."""
    back = url_for("topics.page", campaign=campaign)
    if kind == "document":
        back = url_for("new_campaign.step", campaign=campaign, kind="documents")
    named = tuple(filter(None, map(str.strip, "\n".join(ids).splitlines())))
    chosen = None if every else named
    asked = Unused(kind, chosen, tuple(source), reason, dry_run=do != "delete", seen=seen)
    shown = {"asked": asked, "back": back, "kind": kind, "longest_reason": LONGEST_REASON}
    try:
        if not (every or named or source):
            raise CampaignError(f"choose {kind}s first")
        if asked.dry_run:
            found = in_worker(work_on(g.campaign, delete_unused, asked), campaign_jobs.FOR_A_JOB)
            return render_template("setup/deleting.html", **shown, found=found, wrong="")
        begun = campaign_jobs.begin(
            f"Delete unused {kind}s",
            "delete",
            work_on(g.campaign, delete_unused, asked),
            outcome_of=lambda done: Outcome(f"{done}.", back, f"Show {kind}s"),
            user_errors=REFUSED,
        )
        return campaign_jobs.answer(begun, lambda done: redirect(f"{back}?deleted={done.number}", 303))
    except REFUSED as error:
        return render_template("setup/deleting.html", **shown, found=None, wrong=str(error)), 422
