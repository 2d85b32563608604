"""A provider of OpenID Connect, of Authlib's parts for providers, as a process of its own, which can be told to lie.

`python -m tests.web.accounts.openid_provider` prints its issuer. A person signs in there by typing a name, which is the
subject; the provider remembers its browser, and asks again for prompt=login. `POST /lies` takes what it does wrong.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import urllib3
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, grants
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oidc.core import OpenIDCode, UserInfo
from flask import Flask, Response, jsonify, redirect, request, session
from flask.typing import ResponseReturnValue
from joserfc import jws, jwt
from joserfc.jwk import KeySet, OctKey, RSAKey
from werkzeug.serving import make_server

CLIENT, SECRET = "workbench", "the client's secret"
KEYS = {name: RSAKey.generate_key(2048, {"kid": name}) for name in ("own", "stranger", "next")}
FORM = '<form method="post"><label>Name <input name="sub"></label><button>Sign in there</button></form>'

app = Flask(__name__)
app.secret_key = "of the provider"
lies: dict[str, Any] = {}
codes: dict[str, Any] = {}
asked: list[str] = []


class Client(ClientMixin):
    """The one client."""

    client_id = CLIENT

    def get_client_id(self) -> str:
        return CLIENT

    def get_default_redirect_uri(self) -> str:
        raise AssertionError

    def get_allowed_scope(self, scope: str) -> str:
        return scope

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirect_uri in app.config["REDIRECTS"]

    def check_client_secret(self, client_secret: str) -> bool:
        return client_secret == SECRET

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == "client_secret_basic"

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type == "authorization_code"


class Code(AuthorizationCodeMixin):
    """One authorization code: what was asked for, by whom, and when that person signed in."""

    def __init__(self, given: dict[str, str], sub: str, auth_time: int) -> None:
        self.given, self.sub, self.auth_time = given, sub, auth_time
        self.code_challenge, self.code_challenge_method = (
            given["code_challenge"],
            given["code_challenge_method"],
        )

    def get_redirect_uri(self) -> str:
        return self.given["redirect_uri"]

    def get_scope(self) -> str:
        return self.given["scope"]

    def get_nonce(self) -> str | None:
        return self.given.get("nonce")

    def get_auth_time(self) -> int:
        return self.auth_time

    def get_acr(self) -> None:
        return None

    def get_amr(self) -> None:
        return None


class Grant(grants.AuthorizationCodeGrant):
    """The authorization code grant over `codes`; a code is good once."""

    def save_authorization_code(self, code: str, request: Any) -> None:
        codes[code] = Code(dict(request.payload.data), *request.user)

    def query_authorization_code(self, code: str, client: Any) -> Any:
        return codes.get(code)

    def delete_authorization_code(self, authorization_code: Any) -> None:
        for code in [code for code, held in codes.items() if held is authorization_code]:
            del codes[code]

    def authenticate_user(self, authorization_code: Any) -> str:
        return str(authorization_code.sub)


class Tokens(OpenIDCode):
    """The ID token, as it should be, or with what `lies` says."""

    def exists_nonce(self, nonce: str, request: Any) -> bool:
        return False

    def resolve_client_private_key(self, client: Any) -> Any:
        return KEYS["own"]

    def get_encode_header(self, client: Any) -> dict[str, str]:
        return {"alg": "RS256", "kid": "own"}

    def get_client_claims(self, client: Any) -> dict[str, Any]:
        return {"iss": request.host_url.rstrip("/"), "aud": [CLIENT]}

    def generate_user_info(self, user: str, scope: str) -> UserInfo:
        claims = {"email": user, "email_verified": True} if "email" in scope else {}
        return UserInfo(sub=user, **claims)

    def encode_id_token(self, token: Any, request: Any) -> str:
        honest = jwt.decode(super().encode_id_token(token, request), KEYS["own"])
        claims = {k: v for k, v in {**honest.claims, **lies.get("claims", {})}.items() if v is not None}
        header = honest.header | lies.get("header", {})
        if header["alg"] == "none":
            return jws.serialize_compact(header, json.dumps(claims), OctKey.generate_key(), ["none"])
        if header["alg"] == "HS256":
            return jwt.encode(header, claims, OctKey.import_key(KEYS["own"].as_pem(private=False)), ["HS256"])
        return jwt.encode(header, claims, KEYS[lies.get("key", "own")])


server = AuthorizationServer(app, lambda _: Client(), lambda token, request: None)
server.register_grant(Grant, [Tokens(require_nonce=True), CodeChallenge(required=True)])


@app.before_request
def misbehave() -> ResponseReturnValue | None:
    asked.append(request.path)
    if request.path == lies.get("slow"):
        time.sleep(lies["seconds"])
    if request.path == lies.get("huge"):
        return Response("x" * 5_000_000, mimetype="application/json")
    return Response(lies["body"], mimetype="application/json") if request.path == lies.get("says") else None


@app.get("/.well-known/openid-configuration")
def discovery() -> ResponseReturnValue:
    issuer = request.host_url.rstrip("/")
    said = {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/authorize",
        "token_endpoint": f"{issuer}/token",
    }
    more = {"jwks_uri": f"{issuer}/keys", "id_token_signing_alg_values_supported": ["RS256", "none", "HS256"]}
    return jsonify(said | more | lies.get("discovery", {}))


@app.get("/keys")
def keys() -> ResponseReturnValue:
    return jsonify(KeySet([KEYS[name] for name in lies.get("published", ["own"])]).as_dict(private=False))


@app.route("/authorize", methods=["GET", "POST"])
def authorize() -> ResponseReturnValue:
    if request.method == "POST":
        session.update(sub=request.form["sub"], at=int(time.time()))
    elif "sub" not in session or request.args.get("prompt") == "login":
        return FORM
    user = session["sub"], session["at"] - lies.get("signed_in_before", 0)
    answer = server.create_authorization_response(
        grant_user=user, grant=server.get_consent_grant(end_user=user)
    )
    if more := lies.get("brings"):
        return redirect(f"{answer.location}&{more}")
    return answer


@app.post("/token")
def token() -> ResponseReturnValue:
    return server.create_token_response()


@app.post("/lies")
def lie() -> ResponseReturnValue:
    lies.clear()
    lies.update(request.get_json())
    found = jsonify(asked[:-1])
    asked.clear()
    return found


class Running:
    """The provider's process, and people who sign in there."""

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        self._pool = urllib3.PoolManager(retries=False)

    def lies(self, **what: Any) -> list[str]:
        """Let it do this wrong from now on, and nothing else; what it was asked for since the last time."""
        return list(self._pool.request("POST", f"{self.issuer}/lies", json=what).json())

    def sign_in(self, address: str, sub: str) -> str:
        """Sign in at the address to which a page of the workbench led; the path to which it leads back."""
        answer = self._pool.request(
            "POST", address, fields={"sub": sub}, encode_multipart=False, redirect=False
        )
        assert answer.status in (302, 303), answer.data
        back = urlsplit(answer.headers["Location"])
        assert "code" in parse_qs(back.query), answer.headers["Location"]
        return f"{back.path}?{back.query}"


@contextmanager
def provider(*redirects: str) -> Iterator[Running]:
    """The provider as a process, which sends people back to these addresses alone."""
    import subprocess

    words = [sys.executable, "-m", "tests.web.accounts.openid_provider", *redirects]
    environment = {**os.environ, "AUTHLIB_INSECURE_TRANSPORT": "1"}
    with subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as started:
        assert started.stdout is not None
        try:
            yield Running(started.stdout.readline().decode().strip())
        finally:
            started.kill()


if __name__ == "__main__":
    app.config["REDIRECTS"] = sys.argv[1:]
    running = make_server("127.0.0.1", 0, app, threaded=True)
    sys.stdout.write(f"http://127.0.0.1:{running.server_port}\n")
    sys.stdout.flush()
    running.serve_forever()
