"""Serving: serve, mcp and demo."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Literal, NamedTuple

import click

from workbench.cli.campaigns import instance_option, path_of, steps
from workbench.cli.options import FOLDER, argument, command, option

host_option = option("The address to listen on.", "--host", default="127.0.0.1")
port_option = option("The port; 0 chooses a free one.", "--port", default=5000, least=0, most=65535)
network_option = option(
    "A network such as 10.0.0.0/8 that webhooks may reach besides public addresses; may be repeated.",
    "--webhook-network",
    type=ip_network,
    metavar="NETWORK",
)
no_open_option = option("Do not open a browser.", "--no-open")


class Serving(NamedTuple):
    """How to serve, who may come, and what to keep."""

    host: str = host_option
    port: int = port_option
    allow_host: tuple[str, ...] = option("Another host name that the server accepts; may be repeated.")
    secure: bool = option("Send the session cookie over TLS only.")
    second_factor: Literal["required", "optional"] | None = option(
        "Whether organisers need one. [default: required with --secure]"
    )
    address: str | None = option("The public address, to which providers send people back.", metavar="URL")
    sign_in_with: tuple[tuple[str, ...], ...] = option(
        "A provider of OpenID Connect: a word for addresses, its name for people, the issuer, the server's id there, "
        "and the file of its secret (or env:VARIABLE); may be repeated.",
        nargs=5,
        metavar="NAME LABEL ISSUER CLIENT SECRET",
    )
    behind_proxy: bool = option("Trust the X-Forwarded headers of one reverse proxy.")
    insecure: bool = option(
        "Serve other machines without TLS: anyone on the network path can read passwords."
    )
    largest_upload: int = option(
        "The largest upload, in megabytes.", default=200, least=1, most=100_000, metavar="MB"
    )
    backups: Path | None = option(
        "Back up every campaign and the accounts to this folder while serving.", type=FOLDER, metavar="FOLDER"
    )
    backup_every: float = option(
        "Time between backups of a file.", default=1, least=0.1, most=24 * 366, metavar="HOURS"
    )
    keep: int = option("Number of newest backups to keep of each file.", default=24, least=1, metavar="N")
    keep_daily: int = option(
        "Number of days for which one backup a day is kept.", default=14, least=0, metavar="DAYS"
    )
    keep_weekly: int = option(
        "Number of weeks for which one backup a week is kept.", default=8, least=0, metavar="WEEKS"
    )
    log_requests: bool = option("Write one line of JSON for each request to standard error.")
    receipt_days: int = option(
        "Days for which browsers keep acknowledged judgments, to send again after a restore.",
        default=14,
        least=0,
        most=366,
        metavar="DAYS",
    )
    security_log_days: int = option(
        "Days for which the security log keeps who signed in and from where; 0 keeps them for ever.",
        default=365,
        least=0,
        most=36_500,
        metavar="DAYS",
    )
    webhook_network: tuple[Any, ...] = network_option
    cache_size: int | None = option(
        "Memory for values that pages keep, in megabytes. [default: a quarter of the machine's]",
        least=1,
        metavar="MB",
    )
    no_open: bool = no_open_option


@command()
def serve(
    asked: Serving,
    campaigns: Sequence[str] = argument("[CAMPAIGN]..."),
    instance: str | None = instance_option,
) -> None:
    """Serve the named campaigns, or all in the instance folder, until stopped with Ctrl-C.

    Without accounts the command prints a link that makes the first one, and serves only this machine. To serve other
    machines, create accounts first (workbench user add NAME), and use a reverse proxy with TLS (--behind-proxy
    --secure), or --insecure.

    Example:
      workbench serve robust
      workbench serve --behind-proxy --secure --allow-host judging.example.org
      workbench serve robust --backups /backups --backup-every 6 --keep 28
    """
    from datetime import timedelta

    from workbench.release.backups.rotation import Schedule
    from workbench.storage.campaign import open_campaign
    from workbench.storage.instance import instance_folder
    from workbench.web.access.providers import read_provider
    from workbench.web.app import ServerRules
    from workbench.web.requests.uploads import UploadLimits
    from workbench.web.server.serving import Address, serve

    paths = [path_of(campaign, instance) for campaign in campaigns]
    for path in paths:
        open_campaign(path).close()
    every, kept = timedelta(hours=asked.backup_every), (asked.keep, asked.keep_daily, asked.keep_weekly)
    serve(
        instance_folder(instance),
        paths or None,
        address=Address(
            asked.host, asked.port, asked.allow_host, asked.secure, asked.behind_proxy, asked.insecure
        ),
        upload_limits=UploadLimits.of_megabytes(asked.largest_upload),
        backups=Schedule(asked.backups, every, *kept) if asked.backups else None,
        log_requests=asked.log_requests,
        operated=ServerRules(
            asked.receipt_days,
            asked.security_log_days,
            None if asked.second_factor is None else asked.second_factor == "required",
            asked.webhook_network,
            tuple(read_provider(each, asked.address) for each in asked.sign_in_with),
        ),
        cache_size=asked.cache_size and asked.cache_size * 1_000_000,
        open_browser=not asked.no_open,
        say=click.echo,
    )


@command()
def mcp(
    address: str = argument("ADDRESS"),
    token_file: Path | None = option("The file with the token.  [default: WORKBENCH_TOKEN]", metavar="FILE"),
) -> None:
    """Let an assistant read and plan in a campaign, by the Model Context Protocol (MCP).

    The assistant's program starts this, and talks with it over standard input and output. ADDRESS is that of a server.
    The assistant sees what the role of the token sees. It judges, makes and sets nothing.

    Example:
      workbench campaign mcp http://localhost:5000 --token-file token.txt
    """
    import asyncio

    from workbench import connect
    from workbench.cli.assistants import serve
    from workbench.core.errors import CampaignError

    token = token_file.read_text("utf-8", "replace") if token_file else os.environ.get("WORKBENCH_TOKEN", "")
    if re.fullmatch(r"wbt_[\w-]+", token.strip(), re.ASCII) is None:
        raise CampaignError(f"{token_file or 'WORKBENCH_TOKEN'}: no token, which begins with wbt_")
    asyncio.run(serve(connect(address, token.strip(), "relevance-workbench-mcp")))


class Shown(NamedTuple):
    """How to serve the demo."""

    host: str = host_option
    port: int = port_option
    fresh: bool = option("Recreate the demo campaign; its judgments are lost.")
    tour: bool = option("Serve a second campaign too, judged by simulated assessors, and list its pages.")
    answers: bool = option("Serve a campaign of answers too, judged in part by simulated assessors.")
    no_open: bool = no_open_option


@command()
def demo(asked: Shown, instance: str | None = instance_option) -> None:
    """Serve a demo campaign over Python's own documentation strings, at http://127.0.0.1:5000.

    Nothing in it is judged yet. With --tour there is a second one, most of which simulated assessors have judged. Every
    page of that one says so, and the name of each assessor says how often it errs. So it is with --answers, where
    answers of runs are judged by nuggets and by the support of their citations.

    Example:
      workbench demo
      workbench demo --tour
      workbench demo --answers
      workbench demo --port 8000 --fresh
    """
    from workbench.cli.demo.campaign import ready_demo
    from workbench.storage.instance import instance_folder
    from workbench.web.server.serving import Address, serve

    folder = instance_folder(instance)
    with steps("Creating the demo campaign") as on_step:
        paths = [ready_demo(folder, fresh=asked.fresh, progress=on_step)]
    server = f"http://{asked.host}:{asked.port}"
    if asked.tour:
        from workbench.cli.demo.judged import ready_judged, tour_lines

        with steps("Judging the second campaign by simulation") as on_step:
            paths.append(ready_judged(folder, fresh=asked.fresh, progress=on_step))
        click.echo("\n".join(tour_lines(server)))
    if asked.answers:
        from workbench.cli.demo.answers import answers_lines, ready_answers

        with steps("Creating the campaign of answers") as on_step:
            paths.append(ready_answers(folder, fresh=asked.fresh, progress=on_step))
        click.echo("\n".join(answers_lines(server)))
    if not asked.tour and not asked.answers:
        click.echo("For a campaign with judgments, scores and conflicts to look at: workbench demo --tour")
    serve(
        folder,
        paths,
        address=Address(asked.host, asked.port),
        demo=True,
        open_browser=not asked.no_open,
        say=click.echo,
    )
