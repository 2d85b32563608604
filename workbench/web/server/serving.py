"""Serving the application with waitress: from checks that must hold before the first request to a clean end."""

from __future__ import annotations

import errno
import gc
import logging
import os
import secrets
import select
import socket
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from flask import Flask

from workbench.core.atomic_files import remove_abandoned
from workbench.core.errors import WorkbenchError
from workbench.jobs.processes import JobStore
from workbench.people.accounts import has_accounts, open_accounts
from workbench.release.backups.rotation import Schedule, backing_up
from workbench.storage.campaign.file.replacing import tidy
from workbench.storage.campaign.log.cache import bound_values
from workbench.storage.campaign.opening.opening import bound_pages
from workbench.storage.instance import command_name, network_file_system
from workbench.web.app import LARGEST_REQUEST, RULES, UPLOADS, ServerRules, create_app
from workbench.web.monitoring import request_log
from workbench.web.monitoring.metrics import watch_queue
from workbench.web.monitoring.request_log import writing_lines
from workbench.web.requests.allowed_hosts import AllowedHosts, is_loopback
from workbench.web.requests.connections import Connections
from workbench.web.requests.file_cache import FileCache
from workbench.web.requests.long_work import Queues
from workbench.web.requests.uploads import UploadLimits
from workbench.web.server.limits import for_values, raise_limit

THREADS = 8
LARGEST_ANSWER = 1 << 30
"""Bytes of an answer that are put on the disk until a slow client takes them; a thread waits with larger ones."""

IDLE = 60
"""Seconds after which a connection is closed on which nothing comes and no answer is being made."""

NEW_OBJECTS = 50_000
"""For how many new objects Python's collector waits: each look for cycles walks through the campaigns in memory, and
nearly everything that a request makes is freed without."""

EVERYWHERE = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - what others may bind to

logger = logging.getLogger("workbench.web")


class CannotServe(WorkbenchError):
    """The server does not start; the message says why and what to do."""


@dataclass(frozen=True)
class Address:
    """Where and how to serve.

    Port 0 takes any free port. `allow_hosts` are further names that the server answers to; `secure` keeps the
    session cookie to TLS; `behind_proxy` believes the X-Forwarded headers of one proxy in front; `insecure` serves
    others without TLS.
    """

    host: str = "127.0.0.1"
    port: int = 5000
    allow_hosts: tuple[str, ...] = ()
    secure: bool = False
    behind_proxy: bool = False
    insecure: bool = False


@writing_lines()
def serve(
    instance: Path,
    campaigns: Sequence[Path] | None = None,
    *,
    address: Address = Address(),
    demo: bool = False,
    upload_limits: UploadLimits = UPLOADS,
    backups: Schedule | None = None,
    log_requests: bool = False,
    operated: ServerRules = RULES,
    cache_size: int | None = None,
    open_browser: bool = True,
    say: Callable[[str], None],
) -> None:
    """Serve until the process is asked to stop (Ctrl-C or SIGTERM), then leave every campaign as one file.

    What is not said here is said at `create_app`. `say` gets what the person at the terminal should read, line by line;
    `log_requests` writes a line for each request to standard error; what pages have computed of campaigns takes at most
    `cache_size` bytes, by default a share of the machine's memory. Raises CannotServe when the address is taken or not
    ours, when serving there would let anyone in, and when backups cannot go where they should.
    """
    shares = raise_limit()
    bound_pages()
    bound_values(cache_size or for_values())
    if backups is not None:
        _check_backup_folder(instance, backups.folder)
    _tidy({instance, *(path.parent for path in campaigns or ())}, backups)
    with_accounts = _check_who_could_come_in(instance, address, demo=demo)
    _check_passwords_are_encrypted(address)
    sockets = listen(address.host, address.port)
    port = int(sockets[0].getsockname()[1])
    token = None if with_accounts or demo else secrets.token_urlsafe(32)
    queues = Queues.new()
    try:
        app = create_app(
            instance,
            campaigns,
            port=port,
            allowed=AllowedHosts.for_address(address.host, address.allow_hosts),
            sign_in_token=token,
            demo=demo,
            secure=address.secure,
            behind_proxy=address.behind_proxy,
            upload_limits=upload_limits,
            backups=backups,
            queues=queues,
            operated=operated,
        )
        if log_requests:
            request_log.init_app(app)
        base = f"http://{_shown(address.host)}:{port}/"
        link = f"{base}start/{token}" if token else base
        held = cast("Connections", app.extensions["workbench_connections"])
        held.most = shares.files
        _open_campaigns(held, say, named=campaigns is not None)
        _warn_of_the_network(say, address)
        if warning := shares.warning():
            say(f"Warning: {warning}.")
        _warn_of_the_folder(say, instance)
        _greet(say, base, link, backups)
        open_at = link if open_browser and has_desktop() else None
        _run(app, sockets, in_the_background(app, backups), n_connections=shares.connections, open_at=open_at)
    finally:
        queues.close()
        for sock in sockets:
            sock.close()


def listen(host: str, port: int) -> list[socket.socket]:
    """Sockets bound to every address of `host`, all on one port; CannotServe says what is wrong."""
    if not 0 <= port <= 65535:
        raise CannotServe(f"{port} is not a port; choose one from 1 to 65535, or 0 for any that is free")
    sockets: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, place in dict.fromkeys(found):
            if sockets and port == 0:
                place = (place[0], sockets[0].getsockname()[1], *place[2:])
            sockets.append(_bind(family, kind, protocol, place))
    except OSError as error:
        for sock in sockets:
            sock.close()
        raise CannotServe(_why_not(host, port, error)) from error
    return sockets


def has_desktop() -> bool:
    """Whether there is a screen on which a browser could open."""
    if sys.platform in {"darwin", "win32"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _check_who_could_come_in(instance: Path, address: Address, *, demo: bool) -> bool:
    """Whether there are accounts; CannotServe when anyone could come in without one."""
    with open_accounts(instance) as accounts:
        with_accounts = has_accounts(accounts)
    exposed = not is_loopback(address.host) or address.behind_proxy
    if demo and exposed:
        raise CannotServe(
            f"the demo needs no password, so it is served on this machine alone, not at {address.host or '*'}; "
            "leave out --host"
        )
    if exposed and not with_accounts:
        raise CannotServe(
            f"there are no accounts in {instance}, and others could reach {address.host or '*'}; "
            "make one first: workbench user add NAME"
        )
    return with_accounts


def _check_passwords_are_encrypted(address: Address) -> None:
    """CannotServe if others would send passwords without TLS unasked: a proxy or `secure` alone is no TLS."""
    if is_loopback(address.host) or address.insecure or (address.behind_proxy and address.secure):
        return
    raise CannotServe(
        f"at {address.host or '*'} others would send their passwords without TLS, so anyone on the way could read "
        "them. Leave out --host, put a web server with TLS (nginx) in front on the same machine, and serve with "
        "--behind-proxy --secure: docs/run/serving.md#behind-tls. In a network that you trust: --insecure"
    )


def _warn_of_the_network(say: Callable[[str], None], address: Address) -> None:
    if is_loopback(address.host):
        return
    if address.behind_proxy and address.secure:
        say(
            f"Warning: the proxy is trusted, and others may reach {address.host or '*'} without it. "
            "Let nothing but the proxy reach this port."
        )
    else:
        say(
            "Warning: without TLS, anyone on the way can read the passwords and sessions of all who sign in here. "
            "With TLS: docs/run/serving.md#behind-tls"
        )


def _tidy(folders: Iterable[Path], backups: Schedule | None) -> None:
    """Remove what killed processes left half made where this server keeps its files."""
    for folder in folders:
        tidy(folder)
    for folder in (Path(tempfile.gettempdir()), *((backups.folder,) if backups else ())):
        remove_abandoned(folder)


def _check_backup_folder(instance: Path, folder: Path) -> None:
    """Make the folder of backups when it is missing; CannotServe when it will not do."""
    if folder.resolve() == instance.resolve():
        raise CannotServe(
            f"{folder}: the instance folder, where every backup would be served as a campaign of its own; "
            "choose another folder for --backups, best on another disk"
        )
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        message = f"{folder}: backups cannot be put there ({error.strerror}); choose another with --backups"
        raise CannotServe(message) from error


def _bind(family: int, kind: int, protocol: int, place: tuple[object, ...]) -> socket.socket:
    sock = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind(place)
        sock.listen()
    except BaseException:
        sock.close()
        raise
    return sock


def _why_not(host: str, port: int, error: OSError) -> str:
    if isinstance(error, socket.gaierror):
        return f"{host}: this machine has no such address; try --host 127.0.0.1"
    if isinstance(error, PermissionError):
        return f"port {port} is not for ordinary users; choose one above 1023: --port 5000"
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} is in use, perhaps by another workbench; "
            f"choose another with --port {port + 1}, or --port 0 for any that is free"
        )
    return f"{host}:{port}: cannot listen there ({error.strerror}); try --host 127.0.0.1"


def _shown(host: str) -> str:
    if host in EVERYWHERE:
        return socket.gethostname()
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _open_campaigns(held: Connections, say: Callable[[str], None], *, named: bool) -> None:
    """Open every campaign once: a file that was named must be good, any other is left out with a warning."""
    for name, path in held.paths().items():
        try:
            with held.visiting(name) as campaign:
                if campaign is None:
                    way_out = f"create it with: workbench new {command_name(path)}"
                    raise CannotServe(f"{path}: this campaign does not exist; {way_out}")
        except WorkbenchError as error:
            if named:
                raise
            say(f"Warning: not served: {error}")


def _warn_of_the_folder(say: Callable[[str], None], instance: Path) -> None:
    if (kind := network_file_system(instance)) is not None:
        say(
            f"Warning: {instance} is on a network file system ({kind}), where SQLite's locks cannot be relied on. "
            "Keep campaigns on a local disk."
        )


def _greet(say: Callable[[str], None], base: str, link: str, backups: Schedule | None) -> None:
    """Say how the server is run, and last, where it stays in sight, where it is."""
    say(f"Workbench is served at {base}")
    if backups is not None:
        hours = backups.every.total_seconds() / 3600
        say(
            f"Backups every {hours:g} h in {backups.folder}; "
            f"the newest {backups.keep} of each campaign and of the accounts are kept, "
            f"then one a day ({backups.days}) and one a week ({backups.weeks})."
        )
    first = (
        "Open it at" if link == base else "There are no accounts yet. Create the first one with this link:"
    )
    say(f"Stop it with Ctrl-C. {first} {link}")


@contextmanager
def in_the_background(app: Flask, backups: Schedule | None) -> Iterator[None]:
    """Do all that a server repeats beside its answers for as long as the block runs, each in a thread of its own."""
    from workbench.web.monitoring.watching import watching
    from workbench.web.server.choosing import choosing
    from workbench.web.server.limits import giving_back
    from workbench.web.server.warming import keeping_warm
    from workbench.web.server.webhooks import webhooks_sent

    held = cast("Connections", app.extensions["workbench_connections"])
    with (
        backing_up(held.files, backups),
        keeping_warm(held, app.jinja_env),
        watching(app.extensions["workbench_watch"], held.settle),
        choosing(app, held),
        webhooks_sent(app, held),
        giving_back(),
    ):
        yield


def _run(
    app: Flask,
    sockets: list[socket.socket],
    beside: AbstractContextManager[None],
    *,
    n_connections: int,
    open_at: str | None,
) -> None:
    """Serve until stopped, with `beside` entered; then close the files, which folds their logs in."""
    from waitress.server import create_server  # type: ignore[import-untyped]

    from workbench.web.server.request_size import limit_bodies
    from workbench.web.server.request_threads import Lanes
    from workbench.web.server.stopping import run_until_stopped

    logging.getLogger("waitress").setLevel(logging.ERROR)
    server = create_server(
        app,
        sockets=sockets,
        _dispatcher=Lanes(app, THREADS),
        connection_limit=n_connections,
        channel_timeout=IDLE,
        cleanup_interval=IDLE // 4,
        channel_request_lookahead=1,  # without it a client that has hung up is not noticed
        asyncore_use_poll=hasattr(select, "poll"),
        outbuf_high_watermark=LARGEST_ANSWER,
        max_request_body_size=app.config["UPLOAD_LIMITS"].request + LARGEST_REQUEST,
        clear_untrusted_proxy_headers=not app.config["BEHIND_PROXY"],
        ident=None,
    )
    limit_bodies(server, app, 2 * LARGEST_REQUEST)
    if open_at is not None:
        threading.Thread(target=webbrowser.open, args=(open_at,), daemon=True).start()
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
    watch_queue(app, lambda: len(server.task_dispatcher.queue))
    with beside:
        has_ended = run_until_stopped(server)
    cast("JobStore", app.extensions["workbench_jobs"]).close()
    cast("FileCache", app.extensions["workbench_made_files"]).close()
    if has_ended:
        cast("Connections", app.extensions["workbench_connections"]).close()
    else:
        # A file is not closed while a thread works with it: the system does it, and nothing in it is lost.
        logger.warning("stopped before every request had ended")
