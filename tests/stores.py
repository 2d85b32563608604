"""Servers from which files are read by their addresses: a web server, and an object store that speaks S3."""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tests.clusters import process, wait_for


def missing(*modules: str) -> str | None:
    """Why a test that needs these modules cannot run here."""
    absent = next((each for each in modules if importlib.util.find_spec(each) is None), None)
    return absent and f"{absent} is not installed: make test-slow"


class Quiet(SimpleHTTPRequestHandler):
    """A web server for the tests: /denied needs a password, /cut ends in the middle."""

    def do_GET(self) -> None:
        if self.path.startswith("/denied"):
            self.send_error(403)
        elif self.path.startswith("/cut"):
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"1 Q0 d1 0 1 t\n")
        else:
            super().do_GET()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def web_server(folder: Path) -> Iterator[str]:
    """Host and port of a web server of a folder's files."""
    with serving(partial(Quiet, directory=str(folder))) as address:
        yield address


@contextmanager
def serving(handler: Any) -> Iterator[str]:
    """Host and port of a server in this process, with a thread for each connection."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def object_store() -> Iterator[dict[str, str]]:
    """A server that speaks S3: what a process needs in its environment to read from it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with process("moto.server", "-H", "127.0.0.1", "-p", str(port)):
        wait_for(lambda: _answers(port))
        yield {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "AWS_ACCESS_KEY_ID": "anna",
            "AWS_SECRET_ACCESS_KEY": "geheim",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def bucket_of(store: dict[str, str]) -> Any:
    """The files of a store, as they are now."""
    import s3fs

    return s3fs.S3FileSystem(
        key=store["AWS_ACCESS_KEY_ID"],
        secret=store["AWS_SECRET_ACCESS_KEY"],
        endpoint_url=store["AWS_ENDPOINT_URL"],
        skip_instance_cache=True,
    )


def fill(store: dict[str, str], files: dict[str, bytes]) -> None:
    """Put files into the bucket `runs`."""
    bucket = bucket_of(store)
    bucket.mkdirs("runs", exist_ok=True)
    for name, data in files.items():
        bucket.pipe(f"runs/{name}", data)
