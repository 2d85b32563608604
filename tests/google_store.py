"""A server that speaks the protocol of Google Cloud Storage: an emulator that asks for a token, as Google does."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qs

from tests.stores import serving

TOKEN = "ya29.geheim"


@contextmanager
def google_store(folder: Path) -> Iterator[dict[str, str]]:
    """What a process needs in its environment to read from the server; keys to it are put into the folder.

    anna may read, though not what is called `denied`. Of an object that is called `cut` half is sent.
    """
    from gcp_storage_emulator.server import RequestHandler
    from gcp_storage_emulator.storage import Storage

    class Guarded(RequestHandler):  # type: ignore[misc]
        def do_GET(self) -> None:  # noqa: N802
            if not is_refused(self):
                sent = self.wfile
                self.wfile = io.BytesIO() if "cut" in self.path and "alt=media" in self.path else sent
                super().do_GET()
                if self.wfile is not sent:
                    answer = self.wfile.getvalue()
                    sent.write(answer[: -(len(answer.partition(b"\r\n\r\n")[2]) // 2)])
                    self.wfile = sent

        def do_POST(self) -> None:  # noqa: N802
            if self.path == "/token":
                give_token(self)
            elif not is_refused(self):
                super().do_POST()

    with serving(partial(Guarded, Storage(use_memory_fs=True))) as address:
        for name in ("anna", "eva"):
            write_key(folder / f"{name}.json", name, f"http://{address}/token")
        yield {
            "STORAGE_EMULATOR_HOST": f"http://{address}",
            "GOOGLE_APPLICATION_CREDENTIALS": str(folder / "anna.json"),
            "NO_GCE_CHECK": "true",  # no machine of Google's would be asked for its account
            "GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT": "false",  # no gRPC, which the emulator does not speak
        }


def is_refused(server: BaseHTTPRequestHandler) -> bool:
    if server.headers.get("Authorization") != f"Bearer {TOKEN}":
        error = {"code": 401, "message": "Anonymous caller does not have storage.objects.get access"}
    elif "denied" in server.path:
        error = {"code": 403, "message": "anna@tests does not have storage.objects.get access"}
    else:
        return False
    send(server, error["code"], {"error": error})
    return True


def give_token(server: BaseHTTPRequestHandler) -> None:
    asked = parse_qs(server.rfile.read(int(server.headers["Content-Length"])).decode())
    claims = json.loads(base64.urlsafe_b64decode(asked["assertion"][0].split(".")[1] + "=="))
    if claims["iss"] == "anna@tests":
        send(server, 200, {"access_token": TOKEN, "expires_in": 3600, "token_type": "Bearer"})
    else:
        send(server, 400, {"error": "invalid_grant", "error_description": "account not found: eva@tests"})


def send(server: BaseHTTPRequestHandler, code: int, content: object) -> None:
    data = json.dumps(content).encode()
    server.send_response(code)
    server.send_header("Content-Length", str(len(data)))
    server.end_headers()
    server.wfile.write(data)


def write_key(path: Path, name: str, tokens: str) -> None:
    """A key of a service account, as Google gives it out; tokens for it are had at this address."""
    from cryptography.hazmat.primitives.asymmetric import rsa
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = rsa.generate_private_key(65537, 2048).private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    about = {
        "type": "service_account",
        "project_id": "tests",
        "private_key_id": "1",
        "private_key": key.decode(),
    }
    path.write_text(json.dumps({**about, "client_email": f"{name}@tests", "token_uri": tokens}))


def fill(store: dict[str, str], files: dict[str, bytes]) -> None:
    """Put files into the bucket `runs`."""
    import gcsfs

    bucket = gcsfs.core.GCSFileSystem(
        endpoint_url=store["STORAGE_EMULATOR_HOST"],
        token=store["GOOGLE_APPLICATION_CREDENTIALS"],
        project="tests",
        skip_instance_cache=True,
    )
    bucket.mkdir("runs")
    for name, data in files.items():
        bucket.pipe(f"runs/{name}", data)
