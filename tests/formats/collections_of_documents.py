"""What the tests of documents are told with: files written, read, and what is said about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import InputError, Problem
from workbench.core.records import Document
from workbench.formats.documents.reading import read_documents


def write(tmp_path: Path, files: dict[str, str | bytes]) -> Path:
    """Writes files below a folder; returns the folder."""
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return tmp_path


def read(tmp_path: Path, name: str, content: str | bytes) -> list[Document]:
    """The documents of a file of this name and content."""
    return list(read_documents(write(tmp_path, {name: content}) / name))


def refusal(tmp_path: Path, name: str, content: str | bytes) -> str:
    """Why a file of this name and content is refused, without the name of the test's folder."""
    with pytest.raises(InputError) as caught:
        read(tmp_path, name, content)
    return str(caught.value).replace(str(tmp_path) + "/", "")


def warnings(path: Path) -> list[str]:
    """The warnings about a file or folder, without the name of the folder around it."""
    found: list[Problem] = []
    list(read_documents(path, on_warning=found.append))
    return [str(problem).replace(str(path.parent) + "/", "") for problem in found]


def warc(*pages: tuple[str, str, bytes]) -> bytes:
    """A WARC file of (id, Content-Type, body) pages."""
    records = [b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 4\r\n\r\na: b\r\n\r\n"]
    for name, content_type, body in pages:
        block = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n".encode() + body
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{name}>\r\nWARC-Target-URI: http://x/{name}\r\n"
        records.append(f"{head}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n")
    return b"".join(records)
