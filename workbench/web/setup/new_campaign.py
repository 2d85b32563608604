"""Making a campaign in the browser: its title and scale, then its topics, documents and runs, file by file."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, NamedTuple

from flask import abort, g, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign.model_labels import UPLOADED, LabelUpload
from workbench.campaign.new_campaign import name_from, new_campaign
from workbench.campaign.uploads import MEGABYTE, Report, Sent, UploadOptions, receive
from workbench.core.errors import CampaignError, UnknownName, UnusableCampaign
from workbench.core.natural_order import natural
from workbench.core.records import PAGE, Grade
from workbench.core.results import content
from workbench.core.wording import counted
from workbench.formats.run_repairs import Repairs, chosen_repairs
from workbench.formats.scale import ScaleError, scale_of
from workbench.formats.topics.fields import FieldChoice
from workbench.jobs.processes import Outcome, Run, StartedJob
from workbench.people.members.inviting import note_first_organiser
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import documents, pools, runs, topics, user_outcomes
from workbench.storage.campaign.models.judges import judges
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.quota import space
from workbench.web.access.rules import MAKERS, ORGANISERS, Pages
from workbench.web.requests import campaign_jobs
from workbench.web.requests.answers import wants_json
from workbench.web.requests.connections import accounts, connections
from workbench.web.requests.long_work import takes_long
from workbench.web.requests.uploads import sent_files, takes_uploads, upload_limits
from workbench.web.setup.step_listings import COUNTS, LABELS, LISTINGS, NUGGETS, OUTCOMES, SAMPLES, banks
from workbench.web.setup.tables_of_files import refused_by_table, with_table

blueprint = Pages("new_campaign", __name__)
logger = logging.getLogger("workbench.web")

ROWS = 6
"""How many grades the form has room for; more come with workbench new."""

LONGEST_TITLE = 200
KINDS = ("topics", "documents", "runs")
BESIDE = {
    SAMPLES: ("Pool", "pooling.page"),
    NUGGETS: ("Nuggets", "nuggets.page"),
    LABELS: ("Labels from models", "models.page"),
    OUTCOMES: ("What users do", "online.page"),
}
"""What is no step of every campaign: its name among the steps, and its page."""
NOUNS = {SAMPLES: "pair", LABELS: "judge"}
DOCUMENT_FIELDS = ("id_field", "text_field", "title_field", "address_field", "document_encoding")
"""What is chosen of documents; their fields in the form have hyphens."""

ADDRESS = "/c/<campaign>/add/<any(topics, documents, runs, samples, nuggets, 'model-labels', outcomes):kind>"


UNCHECKED = ("topics", "documents")
"""Kinds of files that cannot be checked alone."""


class Step(NamedTuple):
    """One step of filling a campaign: what it is about, what is there as text, its address, whether it is open."""

    name: str
    there: str
    address: str
    current: bool
    done: bool


class Reports(NamedTuple):
    """What became of files.

    Attributes:
        there: what is there now.
        job: the job that checked them.
    """

    reports: tuple[Report, ...]
    there: str
    job: str


class Typed(NamedTuple):
    """What the form for a new campaign holds."""

    title: str = ""
    name: str = ""
    relevant_from: str = "1"
    guidelines: str = ""
    grades: tuple[tuple[str, str, str], ...] = ()


@blueprint.get("/new", allow=MAKERS)
def form() -> str:
    """The form for a new campaign, with two grades to begin with."""
    return _form(Typed(grades=tuple((str(grade), name, line) for grade, name, line in settings.BINARY)))


@blueprint.post("/new", allow=MAKERS)
def make() -> ResponseReturnValue:
    """Make a campaign; the person who did is its organiser, and goes on to its topics."""
    typed = _typed()
    try:
        name = _make(typed)
    except ScaleError as error:
        return _form(typed, f"{error.why}."), 400
    except CampaignError as error:
        return _form(typed, f"{error}."), 400
    return redirect(url_for(".step", campaign=name, kind="topics"), 303)


@blueprint.get(ADDRESS, allow=ORGANISERS)
def step(campaign: str, kind: str) -> str:
    """One step of filling a campaign: what is there, and the form that takes more."""
    done = {word: request.args.get(word, 0, type=int) for word in ("deleted", "added")}
    nouns = {"deleted": "document", "added": "file"}
    said = (f"{counted(number, nouns[word])} {word}." for word, number in done.items() if number > 0)
    return step_page(kind, said=next(said, ""))


@blueprint.post(ADDRESS, allow=ORGANISERS)
@takes_uploads
@takes_long
def take(campaign: str, kind: str) -> ResponseReturnValue:
    """Check and add the files that were sent; answers with a report for each.

    Scripts get JSON. A form gets the page with the reports, or goes back to the step where all went well.
    """
    options = _upload_options()
    if options.only_check and kind in UNCHECKED:
        abort(422, f"Files of {kind} are checked as they are added: send them without do=check.")
    with ExitStack() as received:
        files = received.enter_context(sent_files())
        lists = received.enter_context(sent_files("lists"))
        options = options._replace(lists=lists[0] if lists else None)
        begun = _begin(kind, files, options, received.pop_all().close)
    return campaign_jobs.answer(begun, partial(_reported, campaign, kind, begun.id))


def _begin(
    kind: str, files: Sequence[Sent], options: UploadOptions, afterwards: Callable[[], None]
) -> StartedJob:
    """The job that checks and adds files; each is in the campaign or not, whenever it is cancelled."""
    path, limits, actor, through = g.campaign.path, upload_limits(), g.member, g.campaign.through
    options, wrong = with_table(options, kind, files)
    back = url_for(".step", campaign=g.campaign.name, kind=kind)
    reports: list[Report] = []

    def body(run: Run) -> list[Report]:
        with open_campaign(path) as campaign:
            sender = campaign.by(actor, through=through)
            received = receive(sender, kind, files, options=options, expanded=limits.expanded, run=run)
            reports.extend(received if not wrong else refused_by_table(files, wrong))
        return reports

    def detail() -> dict[str, Any]:
        with open_campaign(path) as campaign:
            return {"reports": content(reports), "there": _there(campaign, kind)}

    names = files[0].name if len(files) == 1 else f"{len(files):,} files of {kind}"
    return campaign_jobs.begin(
        f"{'Check' if options.only_check else 'Check and add'} {names}",
        f"add {kind}",
        body,
        limits=limits.reading,
        outcome_of=lambda _: Outcome(summary(reports), back, f"Show {kind}", detail()),
        partly=detail,
        afterwards=afterwards,
    )


def _reported(campaign: str, kind: str, job: str, reports: list[Report]) -> ResponseReturnValue:
    """The answer with what became of the files; `job` is the job that checked them."""
    if wants_json():
        there = _there(g.campaign, kind)
        return jsonify(content(Reports(tuple(reports), there, job))), 200 if reports else 400
    if reports and all(report.added and not report.warnings for report in reports):
        return redirect(url_for(".step", campaign=campaign, kind=kind, added=len(reports)), 303)
    page = step_page(kind, reports, said=summary(reports), job=job)
    return page, 200 if any(report.added for report in reports) else 422


def steps(current: str) -> list[Step]:
    """The steps of filling a campaign, each with what is there."""
    campaign, beside = g.campaign, (SAMPLES, *({NUGGETS, LABELS, OUTCOMES} & {current}))
    pages = {
        kind: (kind.capitalize(), url_for("new_campaign.step", campaign=campaign.name, kind=kind))
        for kind in KINDS
    }
    pages |= {kind: (BESIDE[kind][0], url_for(BESIDE[kind][1], campaign=campaign.name)) for kind in beside}
    return [
        Step(name, _there(campaign, kind), address, kind == current, _count(campaign, kind) > 0)
        for kind, (name, address) in pages.items()
    ]


def _count(campaign: Campaign, kind: str) -> int:
    if kind == "topics":
        return len(topics.topic_ids(campaign))
    if kind == "documents":
        return documents.number_in_sources(campaign)
    if kind == SAMPLES:  # they become pools
        return sum(pool.brought for pool in pools.in_force(campaign))
    if kind == NUGGETS:
        return sum(each.nuggets + each.proposed for each in banks(campaign))
    if kind == OUTCOMES:
        return len(user_outcomes.newest(campaign))
    return len(judges(campaign) if kind == LABELS else runs.all_runs(campaign))


def _there(campaign: Campaign, kind: str) -> str:
    return counted(_count(campaign, kind), NOUNS.get(kind, kind.removesuffix("s")))


def summary(reports: Sequence[Report]) -> str:
    """What became of all files, in one sentence."""
    added = sum(report.added for report in reports)
    refused = sum(bool(report.problems) for report in reports)
    checked = len(reports) - added - refused
    if not reports:
        return "No file was chosen."
    if checked:
        return f"{_files(checked)} good, {refused:,} with errors. This was a check: nothing was added."
    if refused and added:
        return f"{_files(added)} added. {_files(refused)} with errors: nothing was added from them."
    return f"Nothing was added: {_files(refused)} with errors." if refused else f"{_files(added)} added."


def _make(typed: Typed) -> str:
    if not typed.title:
        raise CampaignError("A campaign needs a title")
    relevant_from = int(typed.relevant_from) if typed.relevant_from.isdecimal() else 0
    grades: Sequence[Grade] = scale_of(typed.grades, relevant_from)
    name = name_from(typed.name, typed.title)
    folder = connections().folder
    taken = {*connections().paths(), *connections().missing()}
    if folder is None or name.lower() in {other.lower() for other in taken}:
        raise CampaignError(f"There is a campaign named {name} already; choose another name")
    try:
        made = new_campaign(
            folder / f"{name}.db",
            title=typed.title,
            grades=grades,
            relevant_from=relevant_from,
            guidelines=typed.guidelines,
            organiser=None if g.viewer.local else g.account,
            actor=g.account,
            through=PAGE,
        )
    except (CampaignError, UnusableCampaign) as error:  # its words name a path, which is for the log alone
        logger.error("a campaign cannot be created: %s", error)
        raise CampaignError(
            f"The campaign {name} cannot be created here at the moment; choose another name"
        ) from error
    with made:
        if not g.viewer.local:
            note_first_organiser(accounts(), made, g.account)
    return name


def _typed() -> Typed:
    sent = request.form
    columns = [sent.getlist(f"grade-{column}")[:ROWS] for column in ("number", "name", "guideline")]
    return Typed(
        title=" ".join(sent.get("title", "").split())[:LONGEST_TITLE],
        name=sent.get("name", "").strip(),
        relevant_from=sent.get("relevant-from", "").strip()[:4],
        guidelines=sent.get("guidelines", "").replace("\r\n", "\n").strip(),
        grades=tuple(zip(*columns, strict=False)),
    )


def _form(typed: Typed, message: str = "") -> str:
    room = [*typed.grades, *[("", "", "")] * (ROWS - len(typed.grades))]
    return render_template("setup/new_campaign/new.html", typed=typed, rows=room, message=message)


def _upload_options() -> UploadOptions:
    sent = request.form
    try:
        repairs = chosen_repairs(**{name: sent.get(name, "") for name in Repairs._fields})
    except UnknownName as error:
        abort(422, str(error))
    return UploadOptions(
        team=" ".join(sent.get("team", "").split())[:LONGEST_TITLE],
        contributes="no-pool" not in sent,
        name="file" if sent.get("name") == "file" else "tag",
        only_check=sent.get("do") == "check",
        complete="complete" in sent,
        document_fields={name: sent.get(name.replace("_", "-"), "").strip() for name in DOCUMENT_FIELDS},
        identical_once="identical-once" in sent,
        stored_texts=sent.get("stored-texts", "keep"),
        replaces="replaces" in sent,
        assessor=" ".join(sent.get("assessor", "").split())[:LONGEST_TITLE],
        repairs=repairs,
        proposed="proposed" in sent,
        labels=LabelUpload(
            *(" ".join(sent.get(each, "").split())[:LONGEST_TITLE] for each in LabelUpload._fields)
        ),
        fields=FieldChoice(_field("title"), _field("description"), _field("narrative"), "per-turn" in sent),
    )


def _field(part: str) -> str | None:
    """The name of the field that is this part of a topic or document, None for the usual ones."""
    return request.form.get(f"{part}-field", "").strip() or None


def step_page(kind: str, reports: Sequence[Report] = (), *, said: str = "", job: str = "") -> str:
    """The page of a step with what became of files."""
    limits = upload_limits()
    # The topic that the organiser is shown as an assessor will see it.
    every = (stored.topic for stored in topics.all_topics(g.campaign)) if kind == "topics" else ()
    return render_template(
        f"setup/new_campaign/{kind}.html",
        kind=kind,
        steps=steps(kind),
        reports=reports,
        job=job,
        said=said,
        sources=documents.sources(g.campaign)[::-1],
        counts=COUNTS,
        listing=LISTINGS[kind](),
        jobs=campaign_jobs.listed(f"add {kind}"),
        preview=min(every, key=lambda topic: natural(topic.topic_id), default=None),
        typed=request.form,
        forms=UPLOADED,
        megabytes=limits.request // MEGABYTE,
        most=limits.request,
        space=space(g.campaign),
        megabyte=MEGABYTE,
    )


def _files(number: int) -> str:
    return counted(number, "file")
