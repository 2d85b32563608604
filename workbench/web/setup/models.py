"""Labels from models: the judges with what they answered, a form that declares one, and one that asks it as a job."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from flask import current_app, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign.asking_models.declaring import Declaration, declare
from workbench.campaign.asking_models.outcomes import Finished, Preview, Prices, Run
from workbench.campaign.asking_models.prompts import Chosen
from workbench.campaign.asking_models.running import ask, preview
from workbench.campaign.model_endpoints import KEYS_FILE, keys_in, read_endpoints
from workbench.core.errors import CampaignError, NotThere, UnknownName
from workbench.core.wording import counted
from workbench.formats.prompts.templates import PROMPTS
from workbench.jobs.processes import Outcome
from workbench.storage.campaign.models.answers import tallies
from workbench.storage.campaign.models.judges import judge_named, judges
from workbench.storage.campaign.opening.in_worker import work_on
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.requests import campaign_jobs
from workbench.web.requests.form_values import one_line, whole_number

blueprint = Pages("models", __name__)

KIND = "labels from a model"
MOST_SECONDS, ANSWER_SECONDS = 500.0, 60.0
"""After how long a job sends no further prompt, so that other jobs of the campaign get their turn, and for how long it
waits for an answer; the next job goes on."""

Refused = (CampaignError, NotThere, UnknownName)


@blueprint.get("/c/<campaign>/models", allow=ORGANISERS)
def page(campaign: str, said: str = "") -> str:
    """The judges, and the forms; with what was wrong with one that was sent."""
    try:
        addresses = _addresses()
    except CampaignError:  # its message names folders of the server
        addresses = []
        said = said or f"the server’s file {KEYS_FILE} is not used; its administrator has to mend it"
    return render_template(
        "setup/models/page.html",
        judges=judges(g.campaign),
        tallies=tallies(g.campaign),
        questions=settings.read(g.campaign.asking("")).questions,
        addresses=addresses,
        prompts=PROMPTS,
        said=said,
        jobs=campaign_jobs.listed(KIND),
        keys_file=KEYS_FILE,
    )


@blueprint.post("/c/<campaign>/models/judge", allow=ORGANISERS)
def declare_judge(campaign: str) -> ResponseReturnValue:
    """Declare a judge or its next version; 422 where it cannot be asked."""
    own = request.form.get("own", "").strip()
    try:
        said = Declaration(
            one_line("name", 200),
            one_line("model", 200),
            question=request.form.get("question", ""),
            prompt=own or request.form.get("prompt", ""),
            narrative="narrative" in request.form,
            samples=whole_number("samples", "write the repeats as a whole number", 1),
            most=whole_number(
                "words", "write the words of a text as a whole number", Declaration._field_defaults["most"]
            ),
            plain="plain" in request.form,
        )
        declare(g.campaign.by(g.account), said)
    except Refused as error:
        return page(campaign, str(error)), 422
    return redirect(url_for(".page", campaign=campaign), 303)


@blueprint.post("/c/<campaign>/models/ask", allow=ORGANISERS)
def begin(campaign: str) -> ResponseReturnValue:
    """Ask a judge, or estimate what that would take, as a job; 422 where it cannot be asked."""
    name, address = request.form.get("judge", ""), request.form.get("endpoint", "")
    back = url_for(".page", campaign=campaign)
    try:
        if address and address not in _addresses():
            raise CampaignError(f"{address[:200]!r} is not among the endpoints of this campaign and server")
        judge = judge_named(g.campaign, name)
        limit = whole_number("limit", "write the most answers as a whole number", 0) or None
        chosen = Chosen(limit=limit, probe=whole_number("probe", "write the documents as a whole number", 0))
        tokens = whole_number("tokens", "write the budget of tokens as a whole number", 0) or None
        run = Run(
            address,
            _keys(),
            seconds=ANSWER_SECONDS,
            prices=_prices(),
            most_tokens=tokens,
            most_seconds=MOST_SECONDS,
        )
        only = request.form.get("action") == "preview"
        work = work_on(
            g.campaign.by(g.account), *((preview, judge, chosen, run) if only else (ask, name, chosen, run))
        )
        begun = campaign_jobs.begin(
            f"{'Preview' if only else 'Labels'}: {name}",
            KIND,
            work,
            outcome_of=partial(_estimated if only else _finished, back),
            user_errors=Refused,
        )
        return campaign_jobs.answer(begun, lambda _: campaign_jobs.shown(begun.id))
    except Refused as error:
        return page(campaign, str(error)), 422


def _estimated(back: str, found: Preview) -> Outcome:
    said = (
        f"{counted(found.prompts, 'prompt')} to answer, {found.kept:,} of them from the cache: "
        f"about {found.prompt_tokens:,} tokens sent, at most {found.answer_tokens:,} received"
    )
    cost = f", at most {found.cost:,.2f} to pay" if found.cost else ""
    return Outcome(f"{said}{cost}.", back, "Labels from models")


def _finished(back: str, found: Finished) -> Outcome:
    return Outcome(" ".join(found.sentences()), back, "Labels from models")


def _prices() -> Prices:
    try:
        return Prices(*(float(request.form.get(name) or 0) for name in ("price-sent", "price-received")))
    except ValueError:
        raise CampaignError("a price is not a number; write 0.5, not 0,5") from None


def _keys() -> Path:
    return Path(current_app.instance_path) / KEYS_FILE


def _addresses() -> list[str]:
    """The endpoints that the server's administrator listed and the campaign allows."""
    allowed = {each.address for each in read_endpoints(settings.read(g.campaign.asking("")).model_endpoints)}
    return [address for address in keys_in(_keys()) if address in allowed]
