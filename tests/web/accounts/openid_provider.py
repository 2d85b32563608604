"""A provider of OpenID Connect, as a process of its own, which can be told to lie.

`python -m tests.web.accounts.openid_provider` prints its issuer. A person signs in there by typing a name, which is the
subject; the provider remembers its browser, and asks again for prompt=login. `POST /lies` takes what it does wrong.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import urllib3
from flask import Flask, Response, jsonify, redirect, request, session
from flask.typing import ResponseReturnValue
from joserfc import jws, jwt
from joserfc.jwk import KeySet, OctKey, RSAKey
from werkzeug.serving import make_server

from workbench.web.access.providers import Provider, read_provider

CLIENT, SECRET = "workbench", "the client's secret"
KEYS = {name: RSAKey.generate_key(2048, {"kid": name}) for name in ("own", "stranger", "next")}
FORM = '<form method="post"><label>Name <input name="sub"></label><button>Sign in there</button></form>'
ASKED = {"client_id": CLIENT, "response_type": "code", "scope": "openid", "code_challenge_method": "S256"}

app = Flask(__name__)
app.secret_key = "of the provider"
lies: dict[str, Any] = {}
codes: dict[str, Any] = {}
asked: list[str] = []


@app.before_request
def misbehave() -> ResponseReturnValue | None:
    asked.append(request.path)
    if request.path == lies.get("slow"):
        time.sleep(lies["seconds"])
    if request.path == lies.get("leads"):
        return redirect("/elsewhere", 307)
    if request.path == lies.get("huge"):
        return Response("x" * 5_000_000, mimetype="application/json")
    return Response(lies["body"], mimetype="application/json") if request.path == lies.get("says") else None


@app.get("/.well-known/openid-configuration")
def discovery() -> ResponseReturnValue:
    at = request.host_url.rstrip("/")
    said = {"issuer": at, "authorization_endpoint": f"{at}/authorize", "token_endpoint": f"{at}/token"}
    more = {"jwks_uri": f"{at}/keys", "id_token_signing_alg_values_supported": ["RS256", "none", "HS256"]}
    return jsonify(said | more | lies.get("discovery", {}))


@app.get("/keys")
def keys() -> ResponseReturnValue:
    return jsonify(KeySet([KEYS[name] for name in lies.get("published", ["own"])]).as_dict(private=False))


@app.route("/authorize", methods=["GET", "POST"])
def authorize() -> ResponseReturnValue:
    wanted = request.args.to_dict()
    if not ASKED.items() <= wanted.items() or wanted["redirect_uri"] not in app.config["REDIRECTS"]:
        return "nothing that this client may ask", 400
    if request.method == "POST":
        session.update(sub=request.form["sub"], at=int(time.time()))
    elif "sub" not in session or wanted.get("prompt") == "login":
        return FORM
    code = secrets.token_urlsafe()
    signed_in = session["at"] - lies.get("signed_in_before", 0)
    codes[code] = wanted | {"sub": session["sub"], "auth_time": signed_in}
    return redirect(f"{wanted['redirect_uri']}?code={code}&state={wanted['state']}&{lies.get('brings', '')}")


@app.post("/token")
def token() -> ResponseReturnValue:
    wanted, now = codes.pop(request.form["code"], {}), int(time.time())  # a code is good once
    digest = hashlib.sha256(request.form["code_verifier"].encode()).digest()
    proofs = {
        "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
        "redirect_uri": request.form["redirect_uri"],
    }
    client = request.authorization
    if not proofs.items() <= wanted.items() or (client and client.password) != SECRET:
        return {"error": "invalid_grant"}, 400
    honest = {each: wanted[each] for each in ("sub", "auth_time", "nonce")}
    honest |= {"iss": request.host_url.rstrip("/"), "aud": [CLIENT], "iat": now, "exp": now + 300}
    claims = {k: v for k, v in {**honest, **lies.get("claims", {})}.items() if v is not None}
    return {"access_token": "x", "token_type": "Bearer", "id_token": signed(claims)}


def signed(claims: dict[str, Any]) -> str:
    header = {"alg": "RS256", "kid": "own"} | lies.get("header", {})
    if header["alg"] == "none":
        return jws.serialize_compact(header, json.dumps(claims), OctKey.generate_key(), ["none"])
    if header["alg"] == "HS256":
        return jwt.encode(header, claims, OctKey.import_key(KEYS["own"].as_pem(private=False)), ["HS256"])
    return jwt.encode(header, claims, KEYS[lies.get("key", "own")])


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

    def declared(self, here: str, name: str = "uni", issuer: str = "") -> Provider:
        """This provider, or one of another issuer, as the operator of a server declares it."""
        words = (name, "Example University", issuer or self.issuer, CLIENT, "env:SECRET")
        return read_provider(words, here, {"SECRET": SECRET})

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
        return f"{back.path}?{back.query}"


@contextmanager
def provider(*redirects: str) -> Iterator[Running]:
    """The provider as a process, which sends people back to these addresses alone."""
    words = [sys.executable, "-m", "tests.web.accounts.openid_provider", *redirects]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as started:
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
