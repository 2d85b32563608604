"""The web application: pages for judging and for watching a campaign, on one machine.

`create_app` puts the parts together: names and origins are checked first (hosts), then who asks and whether
they may (access), then the token of the page (CSRF); after the view, every answer gets its headers.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from flask import Flask, g
from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from workbench.instance import secret_key
from workbench.web import access, editions, errors, headers, hosts, sessions, signin, uploads
from workbench.web.connections import Connections
from workbench.web.hosts import AllowedHosts
from workbench.web.signatures import TokenCheck
from workbench.web.text_reading import Readings
from workbench.web.uploads import UploadLimits

LARGEST_REQUEST = 1_000_000
LOOPBACK = AllowedHosts()
UPLOADS = UploadLimits()


def create_app(
    instance: Path,
    campaigns: Sequence[Path] | None = None,
    *,
    port: int = 5000,
    allowed: AllowedHosts = LOOPBACK,
    sign_in_token: str | None = None,
    demo: bool = False,
    secure: bool = False,
    behind_proxy: bool = False,
    upload_limits: UploadLimits = UPLOADS,
) -> Flask:
    """The application over an instance folder.

    Args:
        instance: the folder with accounts and secret, see `workbench.instance`.
        campaigns: the campaign files to serve; None serves all that lie in the instance folder.
        port: the port it is served at; part of the session cookie's name.
        allowed: the names a Host header may carry.
        sign_in_token: the token of the terminal's single-use link, for a server without accounts.
        demo: show the start button to whoever comes; for a loopback address only.
        secure: send the session cookie over TLS only, even if a request seems to come without.
        behind_proxy: believe the X-Forwarded headers of one proxy.
        upload_limits: how large the files may be that organisers send.
    """
    app = errors.Workbench(
        "workbench.web",
        template_folder=_folder("templates"),
        static_folder=_folder("static"),
        static_url_path="/static",
        instance_path=str(instance.resolve()),
    )
    app.secret_key = secret_key(instance)
    app.config.update(
        MAX_CONTENT_LENGTH=LARGEST_REQUEST, MAX_FORM_MEMORY_SIZE=LARGEST_REQUEST, BEHIND_PROXY=behind_proxy
    )
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.extensions["workbench_connections"] = Connections(instance, campaigns)
    app.extensions["workbench_readings"] = Readings()
    sessions.init_app(app, port=port, secure=secure)
    hosts.init_app(app, allowed)
    access.init_app(app)
    editions.init_app(app)
    uploads.init_app(app, upload_limits)
    _protect_forms(app)
    headers.init_app(app)
    errors.init_app(app)
    signin.init_app(app, sign_in_token=sign_in_token, demo=demo)
    app.context_processor(_who_and_where)
    _register_pages(app)
    if behind_proxy:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=1, x_proto=1, x_host=1)  # type: ignore[method-assign]
    return app


def _protect_forms(app: Flask) -> None:
    """A token lives as long as its session: a page left open overnight still saves.

    The Referer is not asked for over TLS, since privacy settings leave it out; the Origin is checked instead.
    """
    app.config.update(WTF_CSRF_TIME_LIMIT=None, WTF_CSRF_SSL_STRICT=False)
    TokenCheck(app)


def _register_pages(app: Flask) -> None:
    from workbench.web import (
        account,
        adjudication,
        agreement,
        api,
        assessors,
        assignments,
        board,
        campaigns,
        compare,
        desk,
        downloads,
        figures,
        health,
        invitations,
        judge,
        making,
        norming,
        own,
        own_team,
        people,
        pooling,
        publish,
        receipts,
        runs,
        shown,
        topics,
    )

    for module in (
        campaigns,
        assignments,
        assessors,
        adjudication,
        agreement,
        compare,
        desk,
        judge,
        norming,
        making,
        shown,
        receipts,
        own,
        own_team,
        people,
        account,
        invitations,
        board,
        figures,
        downloads,
        topics,
        pooling,
        runs,
        publish,
        health,
        api,
    ):
        app.register_blueprint(module.blueprint)


def _who_and_where() -> dict[str, object]:
    """What every template may ask for; None where nobody is signed in, or outside a campaign."""
    return {"viewer": g.get("account"), "campaign": g.get("campaign"), "role": g.get("role")}


def _folder(name: str) -> str:
    """A folder of the installed package, else of the checkout."""
    package = Path(__file__).resolve().parent.parent
    inner = package / name
    return str(inner if inner.is_dir() else package.parent / name)
