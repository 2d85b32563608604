"""Serving: serve and demo."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from workbench.cli.campaigns import instance_option, path_of, steps

host_option = click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
port_option = click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=5000,
    show_default=True,
    help="The port; 0 chooses a free one.",
)
no_open_option = click.option("--no-open", is_flag=True, help="Do not open a browser.")


@click.command()
@click.argument("campaigns", nargs=-1, metavar="[CAMPAIGN]...")
@host_option
@port_option
@click.option(
    "--allow-host", multiple=True, help="Another host name that the server accepts; may be repeated."
)
@click.option("--secure", is_flag=True, help="Send the session cookie over TLS only.")
@click.option(
    "--second-factor",
    type=click.Choice(["required", "optional"]),
    help="Whether organisers need a second factor. [default: required with --secure]",
)
@click.option("--behind-proxy", is_flag=True, help="Trust the X-Forwarded headers of one reverse proxy.")
@click.option(
    "--insecure",
    is_flag=True,
    help="Serve other machines without TLS: anyone on the network path can read passwords.",
)
@click.option(
    "--largest-upload",
    type=click.IntRange(1, 100_000),
    default=200,
    show_default=True,
    metavar="MB",
    help="The largest upload, in megabytes.",
)
@click.option(
    "--backups",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Back up every campaign and the accounts to this folder while serving.",
)
@click.option(
    "--backup-every",
    type=click.FloatRange(0.1, 24 * 366),
    default=1,
    show_default=True,
    metavar="HOURS",
    help="Time between backups of a file.",
)
@click.option(
    "--keep",
    type=click.IntRange(1),
    default=24,
    show_default=True,
    metavar="N",
    help="Number of newest backups to keep of each file.",
)
@click.option(
    "--keep-daily",
    type=click.IntRange(0),
    default=14,
    show_default=True,
    metavar="DAYS",
    help="Number of days for which one backup a day is kept.",
)
@click.option(
    "--keep-weekly",
    type=click.IntRange(0),
    default=8,
    show_default=True,
    metavar="WEEKS",
    help="Number of weeks for which one backup a week is kept.",
)
@click.option(
    "--log-requests", is_flag=True, help="Write one line of JSON for each request to standard error."
)
@click.option(
    "--receipt-days",
    type=click.IntRange(0, 366),
    default=14,
    show_default=True,
    metavar="DAYS",
    help="Days for which browsers keep acknowledged judgments, to send again after a restore.",
)
@click.option(
    "--security-log-days",
    type=click.IntRange(0, 36_500),
    default=365,
    show_default=True,
    metavar="DAYS",
    help="Days for which the security log keeps who signed in and from where; 0 keeps them for ever.",
)
@click.option(
    "--cache-size",
    type=click.IntRange(1),
    metavar="MB",
    help="Memory for values that pages keep, in megabytes. [default: a quarter of the machine's]",
)
@no_open_option
@instance_option
def serve(
    campaigns: Sequence[str],
    host: str,
    port: int,
    allow_host: tuple[str, ...],
    secure: bool,
    second_factor: str | None,
    behind_proxy: bool,
    insecure: bool,
    largest_upload: int,
    backups: Path | None,
    backup_every: float,
    keep: int,
    keep_daily: int,
    keep_weekly: int,
    log_requests: bool,
    receipt_days: int,
    security_log_days: int,
    cache_size: int | None,
    no_open: bool,
    instance: str | None,
) -> None:
    """Serve the named campaigns, or all in the instance folder, until stopped with Ctrl-C.

    Without accounts the command prints a link that makes the first one, and serves only this machine. To serve other
    machines, create accounts first (workbench user add NAME), and use a reverse proxy with TLS (--behind-proxy
    --secure), or --insecure.

    \b
    Example:
      workbench serve robust
      workbench serve --behind-proxy --secure --allow-host judging.example.org
      workbench serve robust --backups /backups --backup-every 6 --keep 28
    """
    _one_thread_for_each_product()
    from datetime import timedelta

    from workbench.release.backups.rotation import Schedule
    from workbench.storage.campaign import open_campaign
    from workbench.storage.instance import instance_folder
    from workbench.web.requests.uploads import UploadLimits
    from workbench.web.server.serving import Address, serve

    paths = [path_of(campaign, instance) for campaign in campaigns]
    for path in paths:
        open_campaign(path).close()
    serve(
        instance_folder(instance),
        paths or None,
        address=Address(host, port, allow_host, secure, behind_proxy, insecure),
        second_factor=None if second_factor is None else second_factor == "required",
        upload_limits=UploadLimits.of_megabytes(largest_upload),
        backups=Schedule(backups, timedelta(hours=backup_every), keep, keep_daily, keep_weekly)
        if backups
        else None,
        log_requests=log_requests,
        receipt_days=receipt_days,
        security_log_days=security_log_days,
        cache_size=cache_size and cache_size * 1_000_000,
        open_browser=not no_open,
        say=click.echo,
    )


def _one_thread_for_each_product() -> None:
    """Compute products of matrices in the thread that needs them, unless the environment says otherwise.

    Requests and jobs run side by side, and threads of a product that wait for each other on a busy machine cost several
    times what the product does. The library reads these names once, when numpy is imported.
    """
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")


@click.command()
@host_option
@port_option
@click.option("--fresh", is_flag=True, help="Recreate the demo campaign; its judgments are lost.")
@click.option(
    "--tour",
    is_flag=True,
    help="Serve a second campaign too, judged by simulated assessors, and list its pages.",
)
@no_open_option
@instance_option
def demo(host: str, port: int, fresh: bool, tour: bool, no_open: bool, instance: str | None) -> None:
    """Serve a demo campaign over Python's own documentation strings, at http://127.0.0.1:5000.

    Nothing in it is judged yet. With --tour there is a second one, most of which simulated assessors have judged. Every
    page of that one says so, and the name of each assessor says how often it errs.

    \b
    Example:
      workbench demo
      workbench demo --tour
      workbench demo --port 8000 --fresh
    """
    _one_thread_for_each_product()
    from workbench.cli.demo.campaign import ready_demo
    from workbench.storage.instance import instance_folder
    from workbench.web.server.serving import Address, serve

    folder = instance_folder(instance)
    with steps("Creating the demo campaign") as on_step:
        paths = [ready_demo(folder, fresh=fresh, progress=on_step)]
    if not tour:
        click.echo("For a campaign with judgments, scores and conflicts to look at: workbench demo --tour")
    else:
        from workbench.cli.demo.judged import ready_judged, tour_lines

        with steps("Judging the second campaign by simulation") as on_step:
            paths.append(ready_judged(folder, fresh=fresh, progress=on_step))
        for line in tour_lines(f"http://{host}:{port}"):
            click.echo(line)
    serve(folder, paths, address=Address(host, port), demo=True, open_browser=not no_open, say=click.echo)
