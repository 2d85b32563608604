"""Jobs of a campaign: what takes long is begun by a page, goes on without it, and is shown wherever it is looked for.

A view begins a job with `begin` and answers with `answer`: with the result where that is there soon, else with the
job's own page, which shows how far it is. Programs get the same as JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, cast

from flask import Flask, abort, current_app, g, jsonify, redirect, url_for
from flask.typing import ResponseReturnValue

from workbench.core.wording import translatable as _
from workbench.jobs.processes import Body, JobStore, Limits, Outcome, Record, StartedJob, Title, Work
from workbench.storage.campaign.log.log import mark
from workbench.storage.instance import JOBS_FOLDER
from workbench.web.requests.answers import wants_json
from workbench.web.requests.languages import gettext

SOON = 1.0
"""Seconds for which a request waits for a job: what takes less is answered at once."""

NO_SUCH_JOB = _("There is no such job, or it was too old to keep.")

FOR_A_JOB = Limits(seconds=900)

WORDS = {
    "waiting": _("Waiting for other jobs"),
    "running": _("Running"),
    "done": _("Done"),
    "failed": _("Failed"),
    "cancelled": _("Cancelled"),
    "interrupted": _("Interrupted"),
}


def init_app(app: Flask) -> None:
    """Give an application the book of its jobs; to be called after its queues are there."""
    files = app.extensions["workbench_long_work"].queues.files
    app.extensions["workbench_jobs"] = JobStore(files, Path(app.instance_path) / JOBS_FOLDER)


def begin(
    name: str,
    kind: str,
    body: Work | Body,
    *,
    outcome_of: Callable[[Any], Outcome],
    key: Hashable = None,
    limits: Limits = FOR_A_JOB,
    **more: Any,
) -> StartedJob:
    """Begin a job of this request's owner in the name of its person; see `JobStore.begin`."""
    job = (lambda run: run(body)) if isinstance(body, Work) else body
    title = Title(name, kind, str(g.account))
    return _book().begin(_owner(), title, job, outcome_of=outcome_of, key=key, limits=limits, **more)


def answer(begun: StartedJob, done: Callable[[Any], ResponseReturnValue]) -> ResponseReturnValue:
    """What `done` makes of the result where it comes soon, or the error; else the way to the job's page."""
    if begun.job.wait(SOON):
        return done(begun.job.outcome())
    return shown(begun.id)


def shown(id_: str) -> ResponseReturnValue:
    """The way to the page of a job; for programs the job itself."""
    if not wants_json():
        return redirect(url_for("jobs.page", campaign=g.campaign.name, job=id_), 303)
    record = find(id_)
    return jsonify(as_json(record) if record else {}), 202


def find(id_: str) -> Record | None:
    """A job of this request's owner."""
    return _book().find(_owner(), id_)


def found(id_: str) -> Record:
    """A job of this request's owner; 404 where there is none."""
    record = find(id_)
    if record is None:
        abort(404, gettext(NO_SUCH_JOB))
    return record


def finished(id_: str, kind: str) -> Record:
    """A job of this request's owner and of this kind that is done; 404 where there is none."""
    record = found(id_)
    if not is_finished(record, kind):
        abort(404, gettext(NO_SUCH_JOB))
    return record


def is_finished(record: Record, kind: str) -> bool:
    """Whether a job is of this kind and done."""
    return record.title.kind == kind and record.state == "done"


def listed(*kinds: str) -> list[Record]:
    """The jobs of this request's owner, those of these kinds alone where any are named, the newest first."""
    return _book().of(_owner(), *kinds)


def cancel(id_: str) -> bool:
    """End a job of this request's owner; False where there is nothing to end."""
    return _book().cancel(_owner(), id_)


def as_json(record: Record) -> dict[str, Any]:
    """A job as programs see it."""
    return {
        "id": record.id,
        "name": record.title.name,
        "by": record.title.by,
        "at": record.at,
        "state": record.state,
        "done": record.step.done,
        "total": record.step.total,
        "step": record.step.what,
        "ended": record.ended or None,
        "message": record.outcome.said,
        "result": record.outcome.address or None,
        "detail": record.outcome.detail,
        "address": url_for("jobs.state", campaign=g.campaign.name, job=record.id),
    }


def _owner() -> str:
    """Whose jobs they are: the campaign's, and for who is no organiser of it their own.

    The campaign is distinguished from all others, also from one that had its name before.
    """
    own = "" if g.role == "organiser" else f"\0{g.account}"
    return f"{g.campaign.path.resolve()}\0{mark(g.campaign)}{own}"


def _book() -> JobStore:
    return cast("JobStore", current_app.extensions["workbench_jobs"])
