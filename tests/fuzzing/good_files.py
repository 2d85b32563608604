"""Small good files of every kind that is read, to be broken: plain, in other encodings, compressed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import polars as pl

from tests.images import JPEG, WEBP_EXTENDED, png
from tests.pdfs import pdf
from workbench.formats.text.compression import zstd

RUN = b"""# made by hand
1 Q0 d1 1 9.5 alpha
1 Q0 d2 2 8.25 alpha
1\tQ0\td3\t3\t-1e-3\talpha
2 Q0 d1 1 7 alpha
10 Q0 d\xc3\xa9 1 0.5 alpha
"""
SEVERAL_TAGS = b"1 Q0 d1 1 2 alpha\n1 Q0 d2 2 1 beta\n"
QRELS = b"1 0 d1 1\n1 0 d2 0\n1 0 d3 -2\n2 0 d1 2\n\n10 0 d\xc3\xa9 +1\n"
SUBTOPIC_QRELS = b"1 1 d1 1\n1 2 d1 0\n1 1 d2 2\n2 0 d1 1\n"
ZSCORES = b"1 map 0.25 0.1\n2 map 0.5 0\n1 P_10 3e-1 .5\n"
SCALE = (
    b"-2:Spam,0:Not relevant|Nothing, or a table of contents,1:Relevant,2:Highly relevant|The whole answer"
)

ASSIGNMENTS = [
    b'{"account": "anna", "topics": ["3", "17"]}\n{"account": "ben", "topics": ["4"], "part": "second"}\n',
    b"topic,assessor,part\n1,Ben,whole\n2,Carla,second\n",
    b"assessor\ttopic\nBen\t1\n",
]
TOPICS = [
    b"1\tfrozen rivers\n2\twarm lakes\n",
    b'id,title,description\n1,frozen rivers,"which, where"\n2,warm lakes,\n',
    b"<top>\n<num> Number: 1\n<title> frozen rivers\n<desc> Description:\nWhich?\n<narr> Narrative:\nAny.\n</top>\n"
    b"<top>\n<num> Number: 2\n<title> warm &amp; lakes\n</top>\n",
    b"<?xml version='1.0' encoding='UTF-8'?>\n<topics><topic number='1'><title>frozen</title><narrative>n</narrative>"
    b"<subtopic number='1' type='inf'>s</subtopic></topic><topic number='2'><title>warm</title></topic></topics>",
    b"<topics>\n<topic><id>1</id><query>frozen &#233; rivers</query></topic></topics>",
    b'[{"id": 1, "title": "frozen rivers", "fields": {"a": [1, 2.5e3, null]}}, {"id": "2", "title": "warm"}]',
    b'{"1": {"title": "frozen"}, "2": {"title": "warm"}}',
    b'{"qid": "1", "query": "frozen"}\n{"qid": "2", "query": "\\u00e9"}\n',
    b".I 1\n.T\nfrozen rivers\n.W\nWhich rivers?\n.I 2\n.W\nWarm?\n",
    b"<DOC>\n<DOCNO>1</DOCNO>\nfrozen rivers\n</DOC>\n<DOC>\n<DOCNO>2</DOCNO>\nwarm\n</DOC>\n",
    "1\tvereiste Flüsse\n2\twarme Seen\n".encode("latin-1"),
    "\ufeff1\tfrozen\n2\twarm\n".encode("utf-16-le"),
]

_TREC = b"""<DOC>
<DOCNO> d1 </DOCNO>
<TITLE>Rivers &amp; ice</TITLE>
<TEXT>
Frozen <b>rivers</b> of the north.
</TEXT>
</DOC>
<DOC><DOCNO>d2</DOCNO><TEXT>warm</TEXT></DOC>
"""
_PAGE = b"<!DOCTYPE html><html><head><meta charset='latin-1'><title>Rivers</title></head><body><p>Ice</p></body></html>"
_HTTP = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\n\r\n"
    + gzip.compress(_PAGE, mtime=0)
)
_WARC = (
    (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-TREC-ID: d1\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
        b"WARC-Date: 2020-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
        b"WARC-Target-URI: http://example.org/\r\nContent-Length: %d\r\n\r\n" % len(_HTTP)
    )
    + _HTTP
    + b"\r\n\r\n"
)


_IMAGE = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n" + png()
_WARC += (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-TREC-ID: d2\r\nContent-Type: application/http; msgtype=response\r\n"
    b"WARC-Target-URI: http://example.org/ice.png\r\nContent-Length: %d\r\n\r\n"
    % len(_IMAGE)
    + _IMAGE
    + b"\r\n\r\n"
)


def _parquet() -> bytes:
    stream = io.BytesIO()
    pl.DataFrame({"docno": ["d1", "d2"], "text": ["frozen", "warm"], "n": [1, None]}).write_parquet(stream)
    return stream.getvalue()


def _zip() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("../d1.txt", "frozen")
    return stream.getvalue()


def _tar() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("/d1.txt"))
    return stream.getvalue()


DOCUMENTS = [
    (".trec", _TREC),
    (".xml", _TREC),
    ("", _TREC),
    (".warc", _WARC),
    (".warc.gz", gzip.compress(_WARC, mtime=0)),
    (
        ".jsonl",
        b'{"docno": "d1", "title": "t", "text": "frozen", "n": [1.10]}\n{"docno": "d2", "contents": "warm"}\n',
    ),
    (".json", b'[{"id": "d1", "text": "frozen"}, {"id": 2, "text": {"a": null}}]'),
    (".tsv", b"d1\tfrozen rivers\nd2\twarm lakes\n"),
    (".csv", b'docno,title,text\nd1,Rivers,"frozen\nrivers"\nd2,,""\n'),
    (".parquet", _parquet()),
    (".txt", b"frozen rivers\n"),
    (".md", b"# Rivers\n\n* frozen [here](http://x) ![ice](a.png)\n"),
    (".html", _PAGE),
    ("", b".I 1\n.T\nfrozen\n.A\nx\n.W\nrivers\n.I 2\n.W\nwarm\n"),
    (".txt.zst", zstd().compress(b"frozen")),
    (".zip", _zip()),
    (".tar", _tar()),
    ("", "<DOC><DOCNO>d1</DOCNO>é</DOC>".encode("utf-16")),
    (".pdf", pdf("Frozen rivers.", "warm", title="Rivers")),
    (".pdf", pdf("Frozen rivers.", packed=True)),
    (".png", png()),
    (".jpg", JPEG),
    (".webp", WEBP_EXTENDED),
]


def also_compressed(files: list[bytes]) -> list[bytes]:
    """The files as they are, and the first of them in each compression; the plain ones come up more often."""
    first = files[0]
    packed = [
        gzip.compress(first, mtime=0),
        gzip.compress(first, mtime=0) + gzip.compress(first, mtime=0),
        lzma.compress(first),
        bz2.compress(first),
        zstd().compress(first),
    ]
    return [*files * (1 + 8 // len(files)), *packed]
