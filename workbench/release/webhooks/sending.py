"""Sending messages of webhooks, signed as Standard Webhooks says, to no address that is not meant to be reached.

A name is resolved once, all its addresses are checked, and one of them is connected to, whatever the name resolves to
later. Redirects are not followed, and of an answer nothing but its status is read.
"""

from __future__ import annotations

import hmac
import re
import socket
import time
from base64 import b64decode, b64encode
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from workbench.core.errors import CampaignError, WorkbenchError
from workbench.jobs.processes import Limits, Run, Work
from workbench.people.accounts import Accounts
from workbench.people.accounts.security_log import stamp
from workbench.people.accounts.webhooks import Message, Webhook, claimed, note_attempt
from workbench.storage.instance import secret_key

Networks = Sequence[IPv4Network | IPv6Network]

PREFIX = "whsec_"
TIMEOUT = 10.0
LIMITS = Limits(seconds=15, megabytes=1_000)
"""A receiver that never ends, whatever it does, ends with its process."""

NEVER = "192.0.0.0/24 192.88.99.0/24 168.63.129.16 ::/3 2002::/16 3fff::/20 4000::/2 8000::/1"
NOT_PUBLIC = [ip_network(each) for each in NEVER.split()]
"""What Python takes for public and is not, or may become IPv4: metadata, translation, what is not assigned."""


def may_reach(place: str, networks: Networks, *, encrypted: bool) -> bool:
    """Whether messages may go to an address: in one of the operator's networks, or over TLS a public one."""
    found = ip_address(place)
    found = getattr(found, "ipv4_mapped", None) or found
    if found.is_multicast or found.is_unspecified:
        return False
    is_public = found.is_global and not any(found in network for network in NOT_PUBLIC)
    return (encrypted and is_public) or any(found in network for network in networks)


def host_of(url: str) -> str:
    """The host of a receiver's address; CampaignError for what is none."""
    try:
        parts = urlsplit(url)
        is_one = parts.scheme in ("http", "https") and parts.port != 0 and not parts.fragment
    except ValueError:
        is_one = False
    if not is_one or not parts.hostname or not re.fullmatch(r"[!-?A-\[\]-~]{1,500}", url):
        raise CampaignError(f"{url[:500]!r} is no address of a receiver, such as https://example.org/hook")
    return parts.hostname


def secret_of(accounts: Accounts, webhook: Webhook) -> str:
    """The secret that a webhook's messages are signed with: of its salt, and the key of this server."""
    key = hmac.digest(secret_key(accounts.path.parent), b"webhook " + webhook.salt, "sha256")
    return PREFIX + b64encode(key).decode()


def signature(secret: str, id_: str, at: int, body: str) -> str:
    """The header `webhook-signature`. Source: Standard Webhooks 1.0.0, "Signature scheme", symmetric."""
    key = b64decode(secret.removeprefix(PREFIX))
    return f"v1,{b64encode(hmac.digest(key, f'{id_}.{at}.{body}'.encode(), 'sha256')).decode()}"


def send(accounts: Accounts, message: Message, networks: Networks, run: Run) -> dict[str, Any]:
    """Try to deliver a message, unless another process does, and keep the attempt, which is returned."""
    attempt: dict[str, Any] = {"at": stamp(accounts.now), "status": 0, "milliseconds": 0, "error": ""}
    if (webhook := claimed(accounts, message, LIMITS.seconds + 1)) is None:
        return attempt | {"error": "its webhook was removed, or another process sends it"}
    at, began = int(accounts.now.timestamp()), time.monotonic()
    headers = {
        "content-type": "application/json",
        "user-agent": "relevance-workbench",
        "webhook-id": message.id,
        "webhook-timestamp": str(at),
        "webhook-signature": signature(secret_of(accounts, webhook), message.id, at, message.body),
    }
    try:
        status = attempt["status"] = run(Work(post, (webhook.url, headers, message.body, networks)))
        refused = "redirects are not followed" if 300 <= status < 400 else "the receiver refused it"
        attempt["error"] = "" if 200 <= status < 300 else f"{status}: {refused}"
    except WorkbenchError as failure:
        attempt["error"] = str(failure)
    attempt["milliseconds"] = round(1000 * (time.monotonic() - began))
    note_attempt(accounts, message, attempt)
    return attempt


def post(url: str, headers: dict[str, str], body: str, networks: Networks) -> int:
    """The status that a receiver answers with; CampaignError where none comes, or it may not be reached."""
    import urllib3

    parts = urlsplit(url)
    encrypted = parts.scheme == "https"
    host, port = parts.hostname or "", parts.port or (443 if encrypted else 80)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise CampaignError(f"{host}: no such host ({error})") from error
    places = sorted({str(each[4][0]) for each in found}, key=lambda place: (":" in place, place))
    if refused := [place for place in places if not may_reach(place, networks, encrypted=encrypted)]:
        way_out = "use https and a public address, or ask the server's operator (serve --webhook-network)"
        raise CampaignError(f"{host} is {refused[0]}, where this server sends nothing; {way_out}")
    own = {"server_hostname": host, "assert_hostname": host} if encrypted else {}
    kind: Any = urllib3.HTTPSConnectionPool if encrypted else urllib3.HTTPConnectionPool
    target = parts._replace(scheme="", netloc="", path=parts.path or "/").geturl()
    try:
        with kind(places[0], port, timeout=TIMEOUT, retries=False, **own) as pool:
            sent = headers | {"host": parts.netloc}
            return int(pool.urlopen("POST", target, body, sent, redirect=False, preload_content=False).status)
    except urllib3.exceptions.HTTPError as error:
        # What answered with something else than HTTP is not quoted: nothing of it but a status may be read.
        is_other = isinstance(error, urllib3.exceptions.ProtocolError)
        said = "it does not speak HTTP" if is_other else str(error).rpartition("): ")[2]
        raise CampaignError(f"no answer from {places[0]}: {said}") from error
