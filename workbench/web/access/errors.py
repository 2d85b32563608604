"""Errors as answers: a page for people, JSON for scripts, and never a trace of the program's inside.

JSON errors are `{"reason": word, "message": sentence}`; a failure of our own also carries the number of the
request, under which the log has the details.
"""

from __future__ import annotations

import logging
import secrets
from http import HTTPStatus

from flask import Flask, Response, g, jsonify, make_response, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError  # type: ignore[import-untyped]
from werkzeug.exceptions import HTTPException, TooManyRequests

from workbench.campaign.rounds import SeveralRounds
from workbench.core import errors
from workbench.core.extras import NotInstalled
from workbench.core.wording import as_sentence
from workbench.core.wording import translatable as _
from workbench.jobs.processes import Cancelled, JobFailed, TooManyJobs
from workbench.people.accounts import AccountsUnavailable
from workbench.people.accounts.guesses import TooManyGuesses
from workbench.people.accounts.passwords import HashesBusy
from workbench.storage.campaign.file.connection import SYMPTOMS, FileFailure, words_for
from workbench.storage.campaign.opening.damage import damage_behind
from workbench.web.access.rules import OtherAccount, UnknownToken
from workbench.web.requests.answers import status_of, wants_json
from workbench.web.requests.connections import connections
from workbench.web.requests.form_fields import WrongField
from workbench.web.requests.languages import gettext, in_language

REASONS = {
    400: "bad request",
    401: "signed out",
    403: "not allowed",
    404: "not found",
    405: "wrong method",
    409: "conflict",
    413: "too large",
    415: "wrong type",
    429: "too many attempts",
    500: "failure",
    503: "unavailable",
}

TITLES = (_("Bad request"), _("Forbidden"), _("Not found"), _("Conflict"), _("Too many requests"))
"""Of HTTP's phrases those that have translations."""

SENTENCES = {
    400: _("The server could not understand this request."),
    403: _("Your role does not allow this. An organiser of the campaign can."),
    404: _("There is nothing at this address. It may have been renamed, or never existed."),
    405: _("This address does not accept requests of this kind."),
    409: _("This conflicts with what is stored now. Reload the page and check."),
    413: _("That is more than the server accepts at once."),
    415: _("The server does not accept data of this type here."),
    429: _("Too many attempts. Wait a little, then try again."),
    500: _("Something went wrong on the server. Nothing that you saved is lost."),
    503: _(
        "The campaign cannot be read or written at the moment. Nothing that you saved is lost; try again soon."
    ),
}
DAMAGED_SENTENCE = _(
    "This campaign’s file is damaged, so it is not shown. Judgments kept in this browser are not lost. The "
    "administrator can find the damage in the server’s log and restore a backup."
)
READ_ONLY_SENTENCE = _(
    "This server can read the campaign but not change it: the file is read-only here. Nothing was saved; unsent "
    "judgments in this browser are not lost."
)
CSRF_SENTENCE = _("This page was opened in an earlier session. Reload it, and try again.")

FILE_SENTENCES = {errors.DamagedCampaign: DAMAGED_SENTENCE, errors.CampaignReadOnly: READ_ONLY_SENTENCE}

NOT_READ_NOW = (errors.UnusableCampaign, AccountsUnavailable)
"""A file that cannot be used may be put right any moment: "not there" would make pages give up what they keep."""

RETRY_AFTER, RETRY_WHEN_BUSY = 5, 60
"""Seconds, for the header of that name, while a campaign is unavailable, and while the server has much to do."""

LATER = _("The server is already working on as many large files as it can handle. Try again in a minute.")

logger = logging.getLogger("workbench.web")


class Workbench(Flask):
    """Flask, with failures logged under the number of their request."""

    def log_exception(self, exc_info: object) -> None:
        """Write the details of a failure to the log; an address that holds a token by its pattern alone."""
        logger.error(
            "request %s failed: %s %s",
            request_id(),
            request.method,
            request.path if "token" not in (request.view_args or {}) else request.url_rule,
            exc_info=exc_info,  # type: ignore[arg-type]
        )


def request_id() -> str:
    """A short number for this request, for the error page and the log."""
    if "request_id" not in g:
        g.request_id = secrets.token_hex(4)
    return str(g.request_id)


def error_answer(status: int, *, reason: str = "", message: str = "", field: str = "") -> Response:
    """The page or the JSON object for an error, which may be about a `field`."""
    g.refused = reason = reason or REASONS.get(status, "error")
    message = message or gettext(SENTENCES.get(status, HTTPStatus(status).phrase))
    number = request_id() if status >= HTTPStatus.INTERNAL_SERVER_ERROR else None
    if wants_json():
        body = {"reason": reason, "message": message} | ({"request": number} if number else {})
        body |= {"field": field} if field else {}
        answer = jsonify(body)
    elif number:
        # A page of its own: whatever broke may be in what other pages share.
        answer = make_response(render_template("access/errors/failure.html", message=message, number=number))
    else:
        title = gettext(HTTPStatus(status).phrase.capitalize())
        answer = make_response(
            render_template("access/errors/error.html", title=title, message=message, is_error=True)
        )
    answer.status_code = status
    return answer


def init_app(app: Flask) -> None:
    """Answer every error by what it is."""
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(
        CSRFError, lambda _: error_answer(400, reason="csrf", message=gettext(CSRF_SENTENCE))
    )
    app.register_error_handler(
        OtherAccount,
        lambda error: error_answer(401, reason="other account", message=gettext(str(error.description))),
    )
    app.register_error_handler(UnknownToken, _unknown_token)
    for symptom in SYMPTOMS:  # DamagedCampaign is one: it is answered as what it is
        app.register_error_handler(symptom, _symptom)
    app.register_error_handler(errors.WorkbenchError, _our_error)
    app.register_error_handler(errors.DamagedCampaign, _our_error)
    app.register_error_handler(FileFailure, _file_failure)


def _http_error(error: HTTPException) -> ResponseReturnValue:
    status = error.code or 500
    spoken = error.description is not None and error.description != type(error).description
    answer = error_answer(status, message=str(error.description) if spoken else "")
    if isinstance(error, TooManyRequests) and error.retry_after is not None:
        answer.headers["Retry-After"] = str(error.retry_after)
    if status == HTTPStatus.METHOD_NOT_ALLOWED and (methods := getattr(error, "valid_methods", None)):
        answer.headers["Allow"] = ", ".join(methods)
    return answer


def _unknown_token(error: UnknownToken) -> Response:
    answer = error_answer(401, reason="token", message=gettext(str(error.description)))
    answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def _our_error(error: errors.WorkbenchError) -> ResponseReturnValue:
    """Errors that speak to people keep their words; those about files on the server go to the log alone."""
    if isinstance(error, errors.JudgmentRefused):
        return error_answer(status_of(error), reason=error.reason, message=in_language(error))
    if isinstance(error, WrongField):
        return error_answer(422, reason="bad value", message=as_sentence(error), field=error.field)
    if isinstance(error, errors.NotThere):
        return error_answer(404, message=in_language(error))
    if isinstance(error, errors.InputError):
        return error_answer(400, message=in_language(error))
    if isinstance(error, NotInstalled):
        return error_answer(422, reason="not installed", message=as_sentence(error))
    if isinstance(error, SeveralRounds):
        return error_answer(409, reason="several rounds", message=as_sentence(error))
    if isinstance(error, HashesBusy):
        return _retry_later(as_sentence(in_language(error)))
    if isinstance(error, TooManyGuesses):
        return _retry_later(in_language(error), 429, error.seconds)
    if isinstance(error, TooManyJobs):
        return _retry_later(gettext(LATER), 503, RETRY_WHEN_BUSY, "busy")
    if isinstance(error, JobFailed):
        if not isinstance(error, Cancelled):  # a client that has hung up does not read the answer
            logger.error("request %s was not done: %s", request_id(), error)
        return error_answer(
            503, reason="not done", message=gettext("This could not be done: %(why)s.", why=error)
        )
    logger.error("request %s failed: %s", request_id(), error)
    if not isinstance(error, NOT_READ_NOW):
        return error_answer(500)
    if isinstance(error, AccountsUnavailable):
        connections().reopen_accounts()
    elif g.get("campaign") is not None and not isinstance(error, errors.CampaignBusy):
        connections().reopen(g.campaign.path)
    return _retry_later(
        next((gettext(words) for kind, words in FILE_SENTENCES.items() if isinstance(error, kind)), "")
    )


def _retry_later(
    message: str = "", status: int = 503, seconds: int = RETRY_AFTER, reason: str = ""
) -> Response:
    answer = error_answer(status, message=message, reason=reason)
    answer.headers["Retry-After"] = str(seconds)
    return answer


def _symptom(error: Exception) -> ResponseReturnValue:
    """What a whole file never gives rise to: the damage, where the campaign of this request has some."""
    campaign = g.get("campaign")
    damage = None if campaign is None else damage_behind(campaign)
    if damage is None:
        raise error
    return _our_error(campaign.damaged(damage))


def _file_failure(error: FileFailure) -> ResponseReturnValue:
    """What SQLite says about a file in the middle of a request; where the file is not to blame, a failure of ours."""
    said = words_for("the campaign" if g.get("campaign") is None else g.campaign.path, error)
    return _symptom(error) if said is None else _our_error(said)
