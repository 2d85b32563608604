"""What programs get where people get a page after a form: what was done and where it is shown, or what is wrong.

A view answers a form as browsers need it: with the way to a page that says what was done, or with the form once more
and what is wrong in it. A client that asks for JSON gets the same sentences and the address from here, and no page.
"""

from __future__ import annotations

from html.parser import HTMLParser
from http import HTTPStatus
from typing import NamedTuple

from flask import Flask, Response, g, jsonify, request

from workbench.web.access.errors import REASONS, error_answer
from workbench.web.requests.answers import wants_json


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


class _Page(HTMLParser):
    """What a page says: its alerts, the first field that it marks as wrong, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.alerts: list[str] = []
        self.text: list[str] = []
        self.field = ""
        self._in_main = self._in_alert = False
        self._open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._in_main |= tag == "main"
        if given.get("role") == "alert" and "hidden" not in given:
            self._in_alert, self._open = True, []
            self.alerts.append("")
        self._open.append(tag)
        if "aria-invalid" in given:
            self.field = self.field or given.get("name") or ""

    def handle_endtag(self, tag: str) -> None:
        self._in_main &= tag != "main"
        while tag in self._open and self._open.pop() != tag:
            pass  # what has no end of its own
        self._in_alert &= bool(self._open)

    def handle_data(self, data: str) -> None:
        words = "" if self._open[-1:] == ["script"] else " ".join(data.split())
        if words and self._in_alert:
            self.alerts[-1] = f"{self.alerts[-1]} {words}".strip()
        elif words and self._in_main:
            self.text.append(words)


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
    page = _Page(answer.get_data(as_text=True))
    if is_refusal:
        reason, field = REASONS.get(status, "bad value"), g.get("wrong_field") or page.field
        return error_answer(status, reason=reason, message=" ".join(page.alerts), field=field)
    if not page.text:
        return answer
    shown = jsonify(Done(said or " ".join(page.alerts), request.path, "\n".join(page.text))._asdict())
    shown.status_code = status
    return shown
