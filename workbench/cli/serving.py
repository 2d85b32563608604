"""Serving: serve and demo."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from workbench.cli.campaigns import instance_option, path_of, steps

host_option = click.option("--host", default="127.0.0.1", show_default=True, help="The address to serve at.")
port_option = click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=5000,
    show_default=True,
    help="The port; 0 takes a free one.",
)
no_open_option = click.option("--no-open", is_flag=True, help="Do not open a browser.")


@click.command()
@click.argument("campaigns", nargs=-1, metavar="[CAMPAIGN]...")
@host_option
@port_option
@click.option(
    "--allow-host", multiple=True, help="A further name that the server answers to; may be repeated."
)
@click.option("--secure", is_flag=True, help="Send the session cookie over TLS only.")
@click.option("--behind-proxy", is_flag=True, help="Believe the X-Forwarded headers of one proxy in front.")
@click.option(
    "--insecure",
    is_flag=True,
    help="Serve others without TLS: everybody on the way can read their passwords.",
)
@click.option(
    "--largest-upload",
    type=click.IntRange(1, 100_000),
    default=200,
    show_default=True,
    metavar="MB",
    help="How many megabytes of files organisers may send at once.",
)
@click.option(
    "--backups",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Back up every campaign, and the accounts, into this folder while serving.",
)
@click.option(
    "--backup-every",
    type=click.FloatRange(0.1, 24 * 366),
    default=1,
    show_default=True,
    metavar="HOURS",
    help="The time between two backups of a file.",
)
@click.option(
    "--keep",
    type=click.IntRange(1),
    default=48,
    show_default=True,
    metavar="N",
    help="How many of these backups are kept of each file.",
)
@click.option(
    "--log-requests", is_flag=True, help="Write one line of JSON for each request to standard error."
)
@no_open_option
@instance_option
def serve(
    campaigns: Sequence[str],
    host: str,
    port: int,
    allow_host: tuple[str, ...],
    secure: bool,
    behind_proxy: bool,
    insecure: bool,
    largest_upload: int,
    backups: Path | None,
    backup_every: float,
    keep: int,
    log_requests: bool,
    no_open: bool,
    instance: str | None,
) -> None:
    """Serve campaigns (all of the instance folder when none is named) until stopped with Ctrl-C.

    Without accounts a single-use sign-in link is printed, and only this machine is served. Anywhere else the
    server wants accounts first (workbench user add NAME), and a web server with TLS in front (--behind-proxy
    --secure) or --insecure.

    \b
    Example:
      workbench serve robust
      workbench serve --behind-proxy --secure --allow-host judging.example.org
      workbench serve robust --backups /backups --backup-every 6 --keep 28
    """
    from datetime import timedelta

    from workbench.campaign import open_campaign
    from workbench.instance import instance_folder
    from workbench.rotating_backups import Schedule
    from workbench.web.serving import Address, serve
    from workbench.web.uploads import UploadLimits

    paths = [path_of(campaign, instance) for campaign in campaigns]
    for path in paths:
        open_campaign(path).close()
    serve(
        instance_folder(instance),
        paths or None,
        address=Address(host, port, allow_host, secure, behind_proxy, insecure),
        upload_limits=UploadLimits.of_megabytes(largest_upload),
        backups=Schedule(backups, timedelta(hours=backup_every), keep) if backups else None,
        log_requests=log_requests,
        open_browser=not no_open,
        say=click.echo,
    )


@click.command()
@host_option
@port_option
@click.option("--fresh", is_flag=True, help="Make the demo's campaign anew; what was judged in it is lost.")
@no_open_option
@instance_option
def demo(host: str, port: int, fresh: bool, no_open: bool, instance: str | None) -> None:
    """A ready campaign over real text, at http://127.0.0.1:5000: Python's own documentation strings.

    \b
    Example:
      workbench demo
      workbench demo --port 8000 --fresh
    """
    from workbench.demo.campaign import ready_demo
    from workbench.instance import instance_folder
    from workbench.web.serving import Address, serve

    folder = instance_folder(instance)
    with steps("Making the demo's campaign") as on_step:
        path = ready_demo(folder, fresh=fresh, progress=on_step)
    serve(folder, [path], address=Address(host, port), demo=True, open_browser=not no_open, say=click.echo)
