from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from workbench.errors import Problem
from workbench.formats.documents import read_documents
from workbench.records import Document


def write(tmp_path: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return tmp_path


def warnings(path: Path) -> list[str]:
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


def test_pages_of_a_warc_file_are_decoded_by_their_charset(tmp_path: Path) -> None:
    page = "<html><title>č</title></html>"
    content = warc(
        ("a", "text/html; charset=iso-8859-2", page.encode("iso-8859-2")),
        ("b", "text/html", b"<meta charset=windows-1250>" + page.encode("cp1250")),
        ("c", "text/plain", b"plain"),
        ("d", "application/pdf", b"%PDF"),
    )
    path = write(tmp_path, {"x.warc.gz": gzip.compress(content)}) / "x.warc.gz"
    first, second, third, fourth = read_documents(path)
    assert first == Document("a", "č", page, "text/html", {"url": "http://x/a"})
    assert second.title == "č"
    assert third.text == "plain"
    assert (fourth.text, fourth.fields["content type"]) == ("", "application/pdf")
    assert [message.split(": ", 1)[1] for message in warnings(path)] == [
        "a text that is not UTF-8 was read as the file declares it, or as windows-1252 (2 times, first here)",
        "a record that is no page of text has an empty document (its kind is in the field 'content type')",
    ]


@pytest.mark.parametrize("wrong_by", [-3, 3, 9])
def test_a_wrong_length_in_a_warc_file_costs_no_other_record(tmp_path: Path, wrong_by: int) -> None:
    content = warc(("a", "text/html", b"<p>1</p>"), ("b", "text/html", b"<p>2</p>"))
    length = content.split(b"Content-Length: ")[2].split(b"\r\n")[0]
    content = content.replace(
        b"Content-Length: " + length, f"Content-Length: {int(length) + wrong_by}".encode(), 1
    )
    path = write(tmp_path, {"x.warc": content}) / "x.warc"
    assert [document.document_id for document in read_documents(path)] == ["a", "b"]
    assert len(warnings(path)) <= 1
