"""Providers of sign-in (OpenID Connect): the authorization code flow with PKCE, state and nonce, by Authlib's client.

What a browser brings back counts only with a proof that the provider's own keys signed for this server and this flow
(OpenID Connect Core 1.0, section 3.1.3.7; RFC 9700). Answers of a provider are bounded in time and size.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask, current_app, request, session

from workbench.campaign.model_endpoints import address_of, is_here, keys_in
from workbench.core.errors import CampaignError, WorkbenchError
from workbench.core.extras import needed
from workbench.core.wording import message_with, translatable
from workbench.jobs.processes import Seats

ALGORITHMS = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA".split()
"""Signatures that the provider alone can make: none with a secret that others know, and never none at all."""

NAMES_ITSELF = "authorization_response_iss_parameter_supported"
SECONDS, LARGEST, LONGEST = 5.0, 200_000, 255
"""The time for an answer, its bytes, and the characters of a subject."""

KEPT, FLOW_LASTS, LEEWAY = 3600, 600, 60
"""Seconds that discovery and keys are kept, that a person may take, and by which clocks may differ."""

NOT_BEGUN = message_with("it was begun in another browser, more than ten minutes ago, or used already")
MIXED_UP = message_with("the answer is another provider’s")
NO_ANSWER = translatable("no usable answer came (%(what)s); try again, or use your password")
STATE = "_state_"  # Authlib's names of pending flows in the session begin so
_seats = Seats(most=2, of_one=2, waiting=2, patience=SECONDS)  # threads that may wait for providers


class ProviderError(WorkbenchError):
    """A provider proves nobody; the message is the reason, for people."""


class Provider(NamedTuple):
    """A provider as the operator declares it: `name` is for addresses, `label` for people, `back` where they return."""

    name: str
    label: str
    issuer: str
    client_id: str
    secret: str
    back: str

    def leave(self, *, fresh: bool, **kept: Any) -> str:
        """Begin a flow; the address where people prove who they are, with `fresh` even if they did lately."""
        more = {"prompt": "login", "max_age": "0"} if fresh else {}
        with _client(self) as client:
            begun = client.create_authorization_url(self.back, **more)
        for former in [each for each in session if each.startswith(STATE)]:  # the cookie stays small
            session.pop(former)
        address = str(begun.pop("url"))
        client.save_authorize_data(**kept | begun, redirect_uri=self.back, at=int(time.time()))
        return address

    def pending(self) -> dict[str, Any]:
        """What `leave` kept in this browser for the state that the request brings back; ProviderError for none."""
        flow = f"{STATE}{self.name}_{request.args.get('state')}"
        kept: dict[str, Any] = session.get(flow, {}).get("data", {})
        if not 0 <= time.time() - kept.get("at", 0) <= FLOW_LASTS:
            raise ProviderError(NOT_BEGUN)
        return kept

    def arrive(self) -> dict[str, Any]:
        """The proven claims about the person who came back with this request, which uses the flow up; ProviderError."""
        wanted = {"iss": {"value": self.issuer}, "aud": {"value": self.client_id}}
        with _client(self) as client:
            unnamed = "" if client.server_metadata.get(NAMES_ITSELF) else self.issuer
            if request.args.get("iss", unnamed) != self.issuer:
                raise ProviderError(MIXED_UP)
            answer = client.authorize_access_token(claims_options=wanted, leeway=LEEWAY)
            claims: dict[str, Any] = answer["id_token"] and answer["userinfo"]  # alone it proves nothing
            if not 0 < len(claims["sub"].encode()) <= LONGEST:
                raise ValueError(claims["sub"])
        return claims


def init_app(app: Flask, providers: Sequence[Provider]) -> None:
    """Give the application its providers; NotInstalled where there are some, and what asks them is missing."""
    if providers:
        with needed():
            import authlib.integrations.flask_client  # noqa: F401
    if len({each.name for each in providers}) < len(providers):
        raise CampaignError(f"{', '.join(each.name for each in providers)}: each provider needs its own name")
    app.extensions["workbench_providers"] = {each: list[Any]() for each in providers}
    app.add_template_global(providers_here, "providers")


def providers_here() -> list[Provider]:
    """The providers of this server, in the operator's order."""
    return list(current_app.extensions["workbench_providers"])


def read_provider(
    said: Sequence[str], address: str | None, environment: Mapping[str, str] = os.environ
) -> Provider:
    """A provider by the five words of --sign-in-with; CampaignError for what cannot be used."""
    name, label, issuer, client_id, secret = said
    if not re.fullmatch("[a-z0-9-]{1,32}", name):
        raise CampaignError(f"{name!r}: a provider's name is part of addresses; use a to z, 0 to 9 and -")
    is_safe = False
    with suppress(ValueError):  # what is no address at all
        is_safe = all(_is_safe(address_of(str(each))) for each in (issuer, address))
    if not is_safe:
        raise CampaignError(
            f"{issuer}, --address {address}: both must begin with https:// (http:// on this machine)"
        )
    found = environment.get(secret.removeprefix("env:"))
    if not secret.startswith("env:"):
        found = keys_in(Path(secret)).get(address_of(issuer))
    if not found:
        raise CampaignError(
            f"{secret}: no secret is there; set that variable, or write a line into the file: {issuer} SECRET"
        )
    return Provider(name, label, issuer, client_id, found, f"{str(address).rstrip('/')}/sign-in/with/{name}")


def _is_safe(address: str) -> bool:
    """Whether an address is one of https, or of http on this machine."""
    return bool(re.match("https?://[^/]" if is_here(address) else "https://[^/]", address))


@contextmanager
def _client(provider: Provider) -> Iterator[Any]:
    """Authlib's client, with discovery and keys of the last hour; ProviderError for whatever an answer leads to."""
    from authlib.integrations.flask_client import FlaskIntegration, FlaskOAuth2App

    name, _, issuer, client, secret, _ = provider
    held = current_app.extensions["workbench_providers"][provider]
    try:
        with _seats.seat(None):
            if not held or time.time() - held[0].server_metadata["_loaded_at"] > KEPT:
                known = FlaskOAuth2App(FlaskIntegration(name), name, client_id=client, client_secret=secret)
                known._server_metadata_url = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
                known.client_cls = _bounded_session
                said = known.load_server_metadata()
                endpoints = said["authorization_endpoint"], said["token_endpoint"], said["jwks_uri"]
                if said["issuer"] != issuer or not all(map(_is_safe, endpoints)):
                    raise ValueError(said["issuer"])
                said |= {"scope": "openid", "code_challenge_method": "S256"}
                said["id_token_signing_alg_values_supported"] = ALGORITHMS
                held[:] = [known]
            yield held[0]
    except ProviderError:
        raise
    except Exception as error:
        what = re.sub("[^a-z_]", "", str(getattr(error, "error", "")))[:40] or type(error).__name__
        raise ProviderError(message_with(NO_ANSWER, what=what)) from error


def _bounded_session(**more: Any) -> Any:
    from authlib.integrations.requests_client import OAuth2Session

    asking = OAuth2Session(default_timeout=SECONDS, **more)
    asking.stream, asking.max_redirects, asking.hooks["response"] = True, 0, [_read]
    return asking


def _read(answer: Any, **_: Any) -> None:
    """Read an answer; TimeoutError for one too long or too slow."""
    until, found = time.monotonic() + 2 * SECONDS, b""
    while chunk := answer.raw.read1(65_536, decode_content=True):
        found += chunk
        if len(found) > LARGEST or time.monotonic() > until:
            raise TimeoutError
    answer._content = found
