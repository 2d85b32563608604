"""The choice of the language of one's pages: kept in the browser, and with the account of those who have one."""

from __future__ import annotations

from flask import abort, g, redirect, request
from werkzeug.wrappers import Response

from workbench.people.accounts import set_language
from workbench.web.access.rules import PUBLIC, Pages
from workbench.web.accounts.sign_in import local_path
from workbench.web.requests.catalogues import LANGUAGES
from workbench.web.requests.connections import accounts
from workbench.web.requests.languages import COOKIE

YEAR = 365 * 24 * 3600

blueprint = Pages("language", __name__)


@blueprint.post("/language", allow=PUBLIC)
def choose() -> Response:
    """Show pages in the field `language` from now on, and go back to the page `?next=`."""
    code = request.form.get("language", "")
    if code not in LANGUAGES:
        abort(400, f"there are pages in {', '.join(LANGUAGES)}")
    if g.viewer is not None and not g.viewer.local:
        set_language(accounts(), g.account, code)
    answer = redirect(local_path(request.args.get("next")), 303)
    answer.set_cookie(COOKIE, code, YEAR, secure=request.is_secure, httponly=True, samesite="Lax")
    return answer
