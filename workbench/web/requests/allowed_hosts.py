"""Which names this server answers to.

A page of an attacker can point its own name at our address (DNS rebinding) and would then be "same origin"
with us in every visitor's browser. So the Host header is checked before anything else, and the Origin of every
request that changes something.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))?", re.IGNORECASE)
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
OTHER_NAME = (
    "This server does not answer to that name.\n"
    "If the name is right, start it with: workbench serve --allow-host NAME\n"
)
STANDARD_PORTS = {"http": ":80", "https": ":443"}


@dataclass(frozen=True)
class AllowedHosts:
    """The names a Host header may carry.

    A name without a port is right with every port: a tunnel or a proxy changes the port, and rebinding needs
    a name. `extra` are the names the organiser gave; `addresses` says that a bare IP address will do, since
    no attacker can rebind one.
    """

    extra: frozenset[str] = frozenset()
    addresses: bool = False

    @classmethod
    def for_address(cls, host: str, extra: Iterable[str] = ()) -> AllowedHosts:
        """What a server listening at `host` answers to, plus the names given with --allow-host."""
        given = frozenset(name.strip().lower().rstrip(".") for name in extra)
        if is_loopback(host):
            return cls(given)
        machine = socket.gethostname().lower()
        return cls(given | {host.lower(), machine, f"{machine}.local"}, addresses=True)

    def accept(self, header: str) -> bool:
        """Whether a Host header names this server."""
        match = HOST.fullmatch(header)
        if match is None:
            return False
        name = match["name"].lower().removesuffix(".")
        if name in LOOPBACK_NAMES or name in self.extra or header.lower() in self.extra:
            return True
        return self.addresses and _address(name) is not None

    def accept_origin(self, origin: str, host: str) -> bool:
        """Whether an Origin header belongs to a page of this server: the same name and port, or a given name.

        The scheme may differ: behind a proxy that ends TLS, the page is https and the request is http.
        """
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        standard = STANDARD_PORTS.get(parts.scheme)
        if standard is None:
            return False
        there = parts.netloc.lower().removesuffix(standard)
        here = host.lower().removesuffix(standard)
        return there == here or (parts.hostname or "") in self.extra or there in self.extra


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens at `host`."""
    address = _address(host)
    return host.lower() == "localhost" or (address is not None and address.is_loopback)


def init_app(app: Flask, hosts: AllowedHosts) -> None:
    """Check Host and Origin before any other work is done for a request."""

    def check() -> Response | None:
        host, origin = request.environ.get("HTTP_HOST", ""), request.headers.get("Origin")
        if not hosts.accept(host):
            return Response(OTHER_NAME, status=400, mimetype="text/plain")
        changes = request.method not in SAFE_METHODS
        if changes and origin is not None and not hosts.accept_origin(origin, host):
            abort(403, "This request comes from a page of another site.")
        return None

    app.before_request(check)


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name.strip("[]"))
    except ValueError:
        return None
