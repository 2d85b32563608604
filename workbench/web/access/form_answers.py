"""What programs get where people get a page after a form: what was done and where it is shown, or what is wrong.

A view answers a form as browsers need it: with the way to a page that says what was done, or with the form once more
and what is wrong in it. A client that asks for JSON gets the same sentences and the address from here, and no page.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import NamedTuple

from flask import Flask, Response, g, jsonify, request

from workbench.web.access.errors import REASONS, error_answer
from workbench.web.requests.answers import wants_json

ALERTS = "//*[@role='alert'][not(@hidden)]"


class Done(NamedTuple):
    """What a form did.

    Attributes:
        message: what was done, in the words of the page.
        address: where it is shown.
        text: what the page says that shows first what would be done; "" where it is done.
    """

    message: str
    address: str
    text: str = ""


def init_app(app: Flask) -> None:
    """Answer forms of programs with JSON."""
    app.after_request(_for_programs)


def _for_programs(answer: Response) -> Response:
    """The answer as JSON, for a client that asks for it and would get the page after a form, or one that refuses."""
    status, is_form = answer.status_code, request.method == "POST"
    is_refusal = status >= HTTPStatus.BAD_REQUEST
    is_redirect = (
        is_form and not is_refusal and status >= HTTPStatus.MULTIPLE_CHOICES and bool(answer.location)
    )
    is_page = answer.mimetype == "text/html" and (is_form or is_refusal)
    if not (is_redirect or is_page) or not wants_json():
        return answer
    said = " ".join(g.get("said", ()))
    if is_redirect:
        return jsonify(Done(said or "Done.", answer.location)._asdict())
    from lxml import html  # type: ignore[import-untyped]

    found = html.document_fromstring(answer.get_data(as_text=True) or "<p>")
    alerts = " ".join(" ".join(each.text_content().split()) for each in found.xpath(ALERTS))
    if is_refusal:
        reason, marked = REASONS.get(status, "bad value"), found.xpath("string(//@name[../@aria-invalid])")
        return error_answer(status, reason=reason, message=alerts, field=g.get("wrong_field") or marked)
    texts = [" ".join(each.split()) for each in found.xpath("//main//text()[not(ancestor::script)]")]
    if not texts:
        return answer
    shown = jsonify(Done(said or alerts, request.path, "\n".join(filter(None, texts)))._asdict())
    shown.status_code = status
    return shown
