"""What will be published: everything that can be taken away, and what a reader of it must know.

Every download is a GET that changes nothing; a bundle and sheets stand for the row of the log that was the newest
when they were asked for, or the one that `as_of` names.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from typing import IO

from flask import Blueprint, Response, abort, g, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign.log import newest_seq
from workbench.comparing import compare_runs
from workbench.errors import CampaignError, NotThere, UnknownName
from workbench.labelling import choose_rule, choose_sources, rule_state
from workbench.publishing import shelf
from workbench.publishing.archive import Content, write_archive
from workbench.publishing.bundle import NAMES, Wishes, bundle_name, write_bundle
from workbench.publishing.facts import kept_facts
from workbench.publishing.latex import comparison_latex
from workbench.publishing.names import file_name
from workbench.publishing.readme import rules
from workbench.publishing.sheet_rendering import SHEET_FORMATS, render_sheet
from workbench.publishing.team_sheets import NO_TEAM, Sheet, sheet_names, sheets_of, teams_of
from workbench.statistics.dawid_skene import TooFewLabels
from workbench.web.access import allow_in_campaign
from workbench.web.downloads import attached

blueprint = Blueprint("publish", __name__)

MEDIA_TYPES = {"html": "text/html; charset=utf-8", "pdf": "application/pdf"}
MOST_COMPARED = 20


@blueprint.get("/c/<campaign>/publish")
@allow_in_campaign("organiser")
def page(campaign: str) -> str:
    """Everything that can be taken away, each with one sentence."""
    facts = kept_facts(g.campaign)
    return render_template(
        "publish/page.html",
        name=campaign,
        facts=facts,
        state=shelf.state_of(facts),
        sizes=shelf.sizes_of(facts),
        rules=rules(facts),
        waiting=shelf.most_waiting(facts),
        teams=teams_of(g.campaign),
        no_team=NO_TEAM,
        labelling=rule_state(g.campaign, sum(facts.qrels.values())),
    )


@blueprint.post("/c/<campaign>/publish/rule")
@allow_in_campaign("organiser")
def rule(campaign: str) -> ResponseReturnValue:
    """Choose the `rule` that makes one grade of several."""
    try:
        choose_rule(g.campaign, request.form.get("rule", ""), actor=str(g.account))
    except UnknownName as error:
        abort(400, str(error))
    except TooFewLabels as error:
        abort(409, str(error))
    return redirect(url_for(".page", campaign=campaign, _anchor="labels"), 303)


@blueprint.post("/c/<campaign>/publish/sources")
@allow_in_campaign("organiser")
def sources(campaign: str) -> ResponseReturnValue:
    """Choose how `imported_labels` and `model_labels` count."""
    imported, models = request.form.get("imported_labels"), request.form.get("model_labels")
    try:
        choose_sources(g.campaign, imported_labels=imported, model_labels=models, actor=str(g.account))
    except UnknownName as error:
        abort(400, str(error))
    return redirect(url_for(".page", campaign=campaign, _anchor="sources"), 303)


@blueprint.get("/c/<campaign>/publish/bundle")
@allow_in_campaign("organiser")
def bundle(campaign: str) -> ResponseReturnValue:
    """The release bundle; `runs`, `comments`, `names` and `as_of` as the command line has them."""
    names = request.args.get("names", NAMES[0])
    if names not in NAMES:
        abort(422, f"Assessors are called by {' or '.join(NAMES)}, not {names!r}.")
    wishes = Wishes("runs" in request.args, "comments" in request.args, names)
    as_of = _as_of()
    return _archive(lambda draft: bundle_name(write_bundle(g.campaign, draft, wishes=wishes, as_of=as_of)))


@blueprint.get("/c/<campaign>/publish/sheets")
@allow_in_campaign("organiser")
def sheets(campaign: str) -> ResponseReturnValue:
    """The sheet of one `team` as a file, or those of all teams in an archive; `format` is pdf or html."""
    kind, team = request.args.get("format", "pdf"), request.args.get("team")
    if kind not in SHEET_FORMATS:
        abort(422, f"Sheets come as {' or '.join(SHEET_FORMATS)}, not {kind!r}.")
    try:
        found = sheets_of(g.campaign, teams=None if team is None else [team], as_of=_as_of())
    except NotThere as error:
        abort(404, str(error))
    names = sheet_names([sheet.name for sheet in found], kind)
    if team is not None:
        return attached(render_sheet(found[0], kind), names[0], MEDIA_TYPES[kind])
    contents: dict[str, Content] = {
        name: partial(_rendered, sheet, kind) for name, sheet in zip(names, found, strict=True)
    }
    folder = f"{file_name(campaign)}-sheets"
    return _archive(partial(_of_sheets, folder, contents))


@blueprint.get("/c/<campaign>/publish/comparison")
@allow_in_campaign("organiser")
def comparison(campaign: str) -> Response:
    """Runs against the first `run` on a `measure`, as a LaTeX table with marks of significance."""
    tags, measure = request.args.getlist("run"), request.args.get("measure") or "AP"
    if len(tags) > MOST_COMPARED:
        abort(422, f"Choose at most {MOST_COMPARED} runs.")
    try:
        found = compare_runs(
            g.campaign, tags, measure=measure, baseline=request.args.get("baseline") or None, as_of=_as_of()
        )
    except NotThere as error:
        abort(404, str(error))
    except (UnknownName, CampaignError) as error:
        abort(422, str(error))
    table = "".join(comparison_latex(found))
    return attached(table, f"{campaign}.comparison.tex", "application/x-tex; charset=utf-8")


def _archive(write: Callable[[IO[bytes]], str]) -> ResponseReturnValue:
    """An answer with the archive that `write` writes; it returns what the archive is called."""
    draft = tempfile.TemporaryFile()  # noqa: SIM115 - the answer closes it
    try:
        name = write(draft)
    except BaseException:
        draft.close()
        raise
    draft.seek(0)
    return send_file(draft, "application/zip", as_attachment=True, download_name=f"{name}.zip")


def _of_sheets(folder: str, contents: Mapping[str, Content], draft: IO[bytes]) -> str:
    write_archive(draft, folder, contents)
    return folder


def _rendered(sheet: Sheet, kind: str) -> list[str | bytes]:
    return [render_sheet(sheet, kind)]


def _as_of() -> int | None:
    """The row of the log that the address names, if it names one; the log must have it."""
    told = request.args.get("as_of", "")
    if not told:
        return None
    newest = newest_seq(g.campaign)
    if not told.isdecimal() or not told.isascii() or len(told) > 18 or int(told) > newest:
        abort(422, f"The log has no row {told!r}; its newest row is {newest}.")
    return int(told)
