"""To which addresses a campaign's texts may be sent, and the keys of endpoints.

The setting `model-endpoints` of a campaign lists addresses with what may be sent there: `https://models.example/v1
documents, citations`. Without it no text leaves the machine. `http` is for this machine alone, unless the word
`unencrypted` is there too.

Keys are in the environment, as WORKBENCH_MODEL_KEY, or in a file of mode 0600 with an address and its key on each line,
so that no key is sent to another address than its own.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from workbench.core.about import ABOUT
from workbench.core.errors import CampaignError
from workbench.core.wording import listed
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.organising import settings

KEY_VARIABLE = "WORKBENCH_MODEL_KEY"
KEYS_FILE = "model_keys"
"""The file of keys in the instance folder."""

UNENCRYPTED = "unencrypted"
LONGEST, MOST = 2_000, 20
LONGEST_KEYS = 100_000


class Endpoint(NamedTuple):
    """An address, and which questions' texts may be sent there, by what they are about."""

    address: str
    about: tuple[str, ...]
    unencrypted: bool = False

    def __str__(self) -> str:
        return f"{self.address} {', '.join([*self.about, *([UNENCRYPTED] if self.unencrypted else [])])}"


def read_endpoints(text: str) -> list[Endpoint]:
    """The endpoints of a setting, between semicolons; ValueError for what is none.

    >>> [each.address for each in read_endpoints("http://127.0.0.1:8080/v1 documents; https://a.example/v1 answers")]
    ['http://127.0.0.1:8080/v1', 'https://a.example/v1']
    """
    found = [_endpoint(part) for part in text.split(";") if part.strip()]
    if len(text) > LONGEST or len(found) > MOST:
        raise ValueError(f"{len(found)} endpoints in {len(text):,} characters, at most {MOST} in {LONGEST:,}")
    return found


def address_of(text: str) -> str:
    """An endpoint's address as it is compared; ValueError for what is none."""
    parts = urlsplit(text.strip())
    host = (parts.hostname or "").lower()
    try:
        port = parts.port
    except ValueError:
        port = -1
    is_plain = parts.scheme in ("http", "https") and host and not (parts.query or parts.fragment)
    if (
        not is_plain
        or "@" in parts.netloc
        or port == -1
        or not text.strip().isprintable()
        or " " in text.strip()
    ):
        raise ValueError(
            f"{text.strip()[:200]!r} is no address of an endpoint, such as https://models.example/v1"
        )
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}{'' if port is None else f':{port}'}{parts.path.rstrip('/')}"


def require_permitted(campaign: Campaign, address: str, about: str) -> None:
    """CampaignError unless the campaign says that texts of such questions may be sent to this address."""
    allowed = read_endpoints(settings.read(campaign.asking("")).model_endpoints)
    if any(each.address == address and about in each.about for each in allowed):
        return
    said = "; ".join([*map(str, allowed), f"{address} {about}"])
    raise CampaignError(
        f"{campaign.name} does not say that texts about {about} may be sent to {address}; nothing was sent. "
        f'An organiser allows it with: workbench campaign set {campaign.command_name} model-endpoints "{said}"'
    )


def key_for(address: str, file: Path, *, environment: Mapping[str, str] = os.environ) -> str:
    """The key of an endpoint: that of the file where it names the address, else that of the environment, or ""."""
    known = keys_in(file)
    return known[address] if address in known else environment.get(KEY_VARIABLE, "").strip()


def keys_in(file: Path) -> dict[str, str]:
    """The key of each address in a file, if it is there; CampaignError if others may read it or a line is wrong."""
    try:
        descriptor = os.open(file, os.O_RDONLY)
    except FileNotFoundError:
        return {}
    with os.fdopen(descriptor, encoding="utf-8", errors="replace") as stream:
        found = os.fstat(stream.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise CampaignError(f"{file}: not a file; it holds an address and its key on each line")
        if os.name == "posix" and found.st_mode & 0o077:
            mode = stat.S_IMODE(found.st_mode)
            raise CampaignError(
                f"{file}: other users can read it (mode {mode:04o}), so it was not: chmod 600 {file}"
            )
        lines = stream.read(LONGEST_KEYS).splitlines()
    keys = {}
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            address, _, key = line.strip().partition(" ")
            try:
                keys[address_of(address)] = key.strip()
            except ValueError:  # the message would show what may be a key
                message = (
                    f"{file}:{number}: no address before the key; write it like https://models.example/v1 KEY"
                )
                raise CampaignError(message) from None
    return keys


def _endpoint(text: str) -> Endpoint:
    address, *words = text.replace(",", " ").split()
    found = Endpoint(
        address_of(address), tuple(each for each in ABOUT if each in words), UNENCRYPTED in words
    )
    if unknown := [word for word in words if word not in (*ABOUT, UNENCRYPTED)]:
        raise ValueError(
            f"{listed(unknown)} behind {address}; write which of {', '.join(ABOUT)} may be sent there"
        )
    if not found.about:
        raise ValueError(
            f"it does not say what may be sent to {address}; write one or more of {', '.join(ABOUT)}"
        )
    if address.lower().startswith("http:") and not (found.unencrypted or is_here(found.address)):
        raise ValueError(
            f"{address} is not encrypted; write https, or the word {UNENCRYPTED} behind it for a network that you trust"
        )
    return found


def is_here(address: str) -> bool:
    """Whether an address is on this machine."""
    host = urlsplit(address).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
