"""The web application: pages for judging and for watching a campaign, on one machine.

`create_app` puts the parts together: names and origins are checked first (hosts), then who asks and whether
they may (access), then the token of the page (CSRF); after the view, every answer gets its headers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from flask import Flask, g
from jinja2 import StrictUndefined
from markupsafe import Markup
from werkzeug.local import LocalProxy
from werkzeug.middleware.proxy_fix import ProxyFix

from workbench.core import plugins
from workbench.core.extras import missing
from workbench.core.wording import as_sentence, counted
from workbench.release.backups.rotation import Schedule
from workbench.release.webhooks.sending import Networks
from workbench.storage.campaign.organising import settings
from workbench.storage.instance import monitor_token, secret_key
from workbench.web import places
from workbench.web.access import errors, form_answers, providers, rules, second_factor, sessions
from workbench.web.access.providers import Provider
from workbench.web.access.signatures import TokenCheck
from workbench.web.accounts import reauthentication, sign_in
from workbench.web.monitoring import metrics
from workbench.web.monitoring.watching import Watch
from workbench.web.requests import (
    allowed_hosts,
    campaign_jobs,
    compression,
    file_cache,
    headers,
    languages,
    long_work,
    page_version,
    static_files,
    uploads,
)
from workbench.web.requests.allowed_hosts import AllowedHosts
from workbench.web.requests.connections import Connections
from workbench.web.requests.long_work import Queues
from workbench.web.requests.uploads import UploadLimits
from workbench.web.scoring import over_questions, over_rounds

LARGEST_REQUEST = 1_000_000
LOOPBACK = AllowedHosts()
UPLOADS = UploadLimits()


class ServerRules(NamedTuple):
    """What the operator of a server lays down.

    Attributes:
        receipt_days: how long browsers keep judgments that were acknowledged.
        security_log_days: how long the security log says who signed in, and from where; 0 is as long as the instance.
        second_factor: whether organisers, and accounts that may make campaigns, need a second factor; None is where
            cookies travel over TLS alone.
        webhook_networks: networks that are not public, which webhooks may reach nevertheless.
        providers: the providers that people may sign in with, beside passwords.
    """

    receipt_days: int = 14
    security_log_days: int = 365
    second_factor: bool | None = None
    webhook_networks: Networks = ()
    providers: Sequence[Provider] = ()


RULES = ServerRules()


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
    backups: Schedule | None = None,
    queues: Queues | None = None,
    operated: ServerRules = RULES,
) -> Flask:
    """The application over an instance folder.

    Args:
        instance: the folder with accounts and secret, see `workbench.storage.instance`.
        campaigns: the campaign files to serve; None serves all that lie in the instance folder.
        port: the port it is served at; part of the session cookie's name.
        allowed: the names a Host header may carry.
        sign_in_token: the token of the terminal's link, which makes the first account of a server without any.
        demo: show the start button to every visitor; for a loopback address only.
        secure: send the session cookie over TLS only, even if a request seems to come without.
        behind_proxy: believe the X-Forwarded headers of one proxy.
        upload_limits: how large the files may be that organisers send.
        backups: the backups that are made while it is served, to be watched.
        queues: where heavy work is done beside the server; None does it in this process.
        operated: how long what is kept, and whether there is a second factor.
    """
    plugins.load()  # before pages are imported, which list what there is
    app = errors.Workbench(
        "workbench.web",
        template_folder=_folder("templates"),
        static_folder=_folder("static"),
        static_url_path="/static",
        instance_path=str(instance.resolve()),
    )
    app.secret_key = secret_key(instance)
    monitor_token(instance)  # made before the first request with it
    app.config.update(
        MAX_CONTENT_LENGTH=LARGEST_REQUEST,
        MAX_FORM_MEMORY_SIZE=LARGEST_REQUEST,
        BEHIND_PROXY=behind_proxy,
        RECEIPT_DAYS=operated.receipt_days,
        SECURITY_LOG_DAYS=operated.security_log_days,
        WEBHOOK_NETWORKS=operated.webhook_networks,
    )
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    languages.init_app(app)
    app.add_template_global(counted)
    app.add_template_global(missing)
    app.add_template_filter(as_sentence, "sentence")
    app.add_template_filter(partial(_time_element, languages.day), "day")
    app.add_template_filter(partial(_time_element, languages.moment), "moment")
    held = app.extensions["workbench_connections"] = Connections(instance, campaigns)
    watch = app.extensions["workbench_watch"] = Watch(held, instance, backups)
    sessions.init_app(app, port=port, secure=secure)
    allowed_hosts.init_app(app, allowed)
    rules.init_app(app)
    page_version.init_app(app)
    static_files.init_app(app)
    uploads.init_app(app, upload_limits)
    long_work.init_app(app, queues)
    campaign_jobs.init_app(app)
    file_cache.init_app(app)
    _protect_forms(app)
    reauthentication.init_app(app)
    wanted = operated.second_factor
    second_factor.init_app(app, required=secure if wanted is None else wanted)
    providers.init_app(app, operated.providers)
    headers.init_app(app)
    compression.init_app(app)
    metrics.init_app(app, watch)
    errors.init_app(app)
    form_answers.init_app(app)
    sign_in.init_app(app, sign_in_token=sign_in_token, demo=demo)
    app.context_processor(_who_and_where)
    places.init_app(app)
    over_rounds.init_app(app)
    over_questions.init_app(app)
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
    from workbench.web.pages import PAGES

    for page in PAGES:
        app.register_blueprint(page.blueprint)


def _who_and_where() -> dict[str, object]:
    """What every template may ask for: None while signed out, or outside a campaign; in one its name and settings."""
    names = {"viewer": "account", "campaign": "campaign", "role": "role", "simulated": "simulated"}
    said = {name: g.get(held) for name, held in names.items()}
    if not g.get("role"):
        return said
    return said | {"name": g.campaign.name, "settings": LocalProxy(lambda: settings.read(g.campaign))}


def _time_element(words: Callable[[str], str], at: str) -> Markup:
    return Markup('<time class="nowrap" datetime="{}">{}</time>').format(at, words(at))


def _folder(name: str) -> str:
    """A folder of the installed package, else of the checkout."""
    package = Path(__file__).resolve().parent.parent
    inner = package / name
    return str(inner if inner.is_dir() else package.parent / name)
