"""A stand-in for Hadoop's WebHDFS: a name node and its data node, which serve a folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from tests.stores import serving

DENIED = "org.apache.hadoop.security.AccessControlException"
LOST = "org.apache.hadoop.hdfs.BlockMissingException"
NOT_FOUND = "java.io.FileNotFoundException"


@contextmanager
def hadoop(folder: Path) -> Iterator[str]:
    """Host and port of a name node of a folder."""
    with serving(partial(WebHDFS, folder=folder)) as address:
        yield address


class WebHDFS(BaseHTTPRequestHandler):
    """Answers as Hadoop documents them in "WebHDFS REST API".

    It wants a user, and anna may read, though not what is called `denied`. Of a file that is called `cut` the data node
    sends the half and ends, of `short` it sends the half as if that were all, and the blocks of `lost` are lost.
    """

    def __init__(self, *connection: Any, folder: Path) -> None:
        self.folder = folder
        super().__init__(*connection)

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        self.inside = unquote(parts.path).removeprefix("/webhdfs/v1")
        self.file = self.folder / self.inside.lstrip("/")
        user = self.asked.get("user.name")
        if user is None:
            self.send_error(401, "Authentication required")
        elif user != "anna" or "denied" in self.inside:
            self.refuse(403, DENIED, f'Permission denied: user={user}, access=READ, inode="{self.inside}"')
        elif not self.file.exists():
            self.refuse(404, NOT_FOUND, f"File does not exist: {self.inside}")
        elif self.asked["op"] == "GETFILESTATUS":
            self.answer(200, {"FileStatus": about(self.file, "")})
        elif self.asked["op"] == "LISTSTATUS":
            found = [about(each, each.name) for each in sorted(self.file.iterdir())]
            self.answer(200, {"FileStatuses": {"FileStatus": found}})
        else:
            assert self.asked["op"] == "OPEN"
            self.open()

    def open(self) -> None:
        if self.file.is_dir():
            self.refuse(404, NOT_FOUND, f"Path is not a file: {self.inside}")
        elif "namenoderpcaddress" not in self.asked:
            asked = urlencode({**self.asked, "namenoderpcaddress": "127.0.0.1:8020"})
            self.send_response(307)
            self.send_header("Location", f"http://{self.headers['Host']}{urlsplit(self.path).path}?{asked}")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif "lost" in self.inside:
            self.refuse(403, LOST, "Could not obtain block: BP-1:blk_1_1 file=/lost")
        else:
            first = int(self.asked["offset"])
            data = self.file.read_bytes()[first : first + int(self.asked["length"])]
            half = data[: len(data) // 2]
            size = len(half if "short" in self.inside else data)
            self.send(200, half if "short" in self.inside or "cut" in self.inside else data, size)

    def refuse(self, code: int, name: str, message: str) -> None:
        names = {"exception": name.rpartition(".")[2], "javaClassName": name}
        self.answer(code, {"RemoteException": {**names, "message": message}})

    def answer(self, code: int, content: object) -> None:
        data = json.dumps(content).encode()
        self.send(code, data, len(data))

    def send(self, code: int, data: bytes, size: int) -> None:
        self.send_response(code)
        self.send_header("Content-Length", str(size))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


def about(path: Path, name: str) -> dict[str, object]:
    """What a name node says of a file or folder."""
    folder = path.is_dir()
    return {
        "accessTime": 1320171722771,
        "blockSize": 0 if folder else 33554432,
        "group": "supergroup",
        "length": 0 if folder else path.stat().st_size,
        "modificationTime": 1320171722771,
        "owner": "anna",
        "pathSuffix": name,
        "permission": "755" if folder else "644",
        "replication": 0 if folder else 1,
        "type": "DIRECTORY" if folder else "FILE",
    }
