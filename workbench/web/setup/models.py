"""Labels from models: the judges with what they answered, a form that declares one, and one that asks it as a job."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from flask import current_app, g, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign.asking_models.declaring import Declaration, declare
from workbench.campaign.asking_models.outcomes import Finished, Preview, Prices, Run
from workbench.campaign.asking_models.prompts import Chosen
from workbench.campaign.asking_models.running import ask, preview
from workbench.campaign.model_endpoints import KEYS_FILE, keys_in, read_endpoints
from workbench.core.errors import CampaignError, NotThere, UnknownName
from workbench.core.parameters import Limits
from workbench.core.wording import counted
from workbench.formats.prompts.templates import PROMPTS
from workbench.jobs.processes import Outcome
from workbench.storage.campaign.models.answers import tallies
from workbench.storage.campaign.models.judges import judge_named, judges
from workbench.storage.campaign.opening.in_worker import work_on
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import say
from workbench.web.requests.form_fields import Count, ShortName, Text

blueprint = Pages("models", __name__)
MOST_WORDS: int = Declaration._field_defaults["most"]
Price = Annotated[float, Limits("for a million tokens; written 0.5, not 0,5", least=0)]

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
def declare_judge(
    campaign: str,
    *,
    name: ShortName = "",
    model: ShortName = "",
    question: Text = "",
    prompt: Text = "",
    own: Text = "",
    narrative: bool = False,
    samples: Count = 1,
    words: Count = MOST_WORDS,
    plain: bool = False,
) -> ResponseReturnValue:
    """Declare a judge or its next version; 422 where it cannot be asked. `own` is a prompt of one's own."""
    prompt = own.strip() or prompt
    said = Declaration(
        name, model, question, prompt, narrative=narrative, samples=samples, most=words, plain=plain
    )
    try:
        declare(g.campaign.by(g.account), said)
    except Refused as error:
        return page(campaign, str(error)), 422
    say(f"The judge {name} is declared.")
    return redirect(url_for(".page", campaign=campaign), 303)


@blueprint.post("/c/<campaign>/models/ask", allow=ORGANISERS)
def begin(
    campaign: str,
    *,
    judge: Text,
    endpoint: Text = "",
    limit: Count = 0,
    probe: Count = 0,
    tokens: Count = 0,
    price__sent: Price = 0,
    price__received: Price = 0,
    action: Literal["ask", "preview"] = "ask",
) -> ResponseReturnValue:
    """Ask a judge, or estimate what that would take, as a job; 422 where it cannot be asked."""
    name, back, only = judge, url_for(".page", campaign=campaign), action == "preview"
    try:
        if endpoint and endpoint not in _addresses():
            raise CampaignError(f"{endpoint[:200]!r} is not among the endpoints of this campaign and server")
        found = judge_named(g.campaign, name)
        chosen = Chosen(limit=limit or None, probe=probe)
        run = Run(
            endpoint,
            _keys(),
            seconds=ANSWER_SECONDS,
            prices=Prices(price__sent, price__received),
            most_tokens=tokens or None,
            most_seconds=MOST_SECONDS,
        )
        work = work_on(
            g.campaign.by(g.account), *((preview, found, chosen, run) if only else (ask, name, chosen, run))
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


def _keys() -> Path:
    return Path(current_app.instance_path) / KEYS_FILE


def _addresses() -> list[str]:
    """The endpoints that the server's administrator listed and the campaign allows."""
    allowed = {each.address for each in read_endpoints(settings.read(g.campaign.asking("")).model_endpoints)}
    return [address for address in keys_in(_keys()) if address in allowed]
