"""docs/use/formats.md lists what the readers of files say: here each of these sentences is provoked."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.conftest import ROOT
from tests.formats.collections_of_documents import warc, write
from tests.images import png_bomb
from tests.pdfs import drawn, encrypted, pdf
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.submissions.file_tables import files_of_table, senders_of_table
from workbench.cli import main
from workbench.core.errors import InputError, Problem
from workbench.formats.documents import in_pdf, open_file, page_images
from workbench.formats.documents.reading import read_documents
from workbench.formats.pair_lists import read_pairs
from workbench.formats.qrels import read_qrels, read_subtopic_qrels
from workbench.formats.run_tables import read_run_table
from workbench.formats.runs import read_run
from workbench.formats.samples import read_sample, read_sampled_qrels
from workbench.formats.text.content import load
from workbench.formats.text.files import WAYS_OUT
from workbench.formats.topics.reading import read_topics

PAGE = ROOT / "docs" / "use" / "formats.md"
GOOD = "1 Q0 d1 1 2 t\n"
PACKED = gzip.compress(GOOD.encode() * 100, mtime=0)

RUNS: tuple[str | bytes, ...] = (
    "",
    "\n# only a comment\n",
    PACKED[:-9],
    PACKED[:10] + b"\xff" * 20,
    PACKED + b"and more",
    b"PK\x03\x04\0\0 a.txt",
    b"%PDF-1.7\0",
    GOOD * 50 + "\0",
    GOOD.encode("utf-16"),
    GOOD + "1 Q0 d2\n",
    "1 Q0 d\xe9 1 2 t\n".encode("latin-1"),
    GOOD.replace("2 t", "nan t"),
    GOOD.replace("2 t", "2,5 t"),
    GOOD.replace("2 t", "high t"),
    GOOD + "1 Q0 d2 2 1 u\n",
    GOOD + GOOD,
    GOOD.replace("\n", "\r") + GOOD,
    GOOD + "\ufeff1 Q0 d2 2 1 t\n",
    '{"topic": "1"}\n',
    "1 0 d1 2\n",
    "1 Q0 d1 1 2\n",
    "1 d1 2.5\n",
    "1 d1 1\n1 d2 2\n",
    "1,Q0,d1,1,2,t\n",
    "1 Q0 d1 2 9 t\n1 Q0 d2 1 8 t\n",
    "1 Q0 d1 1 9 t\n1 Q0 d2 1 8 t\n",
    "1 Q0 d1 0 9 t\n",
    "1 Q0 d1 first 9 t\n",
    "1 Q0 d1 1 9 my tag\n",
    "#1 Q0 d1 1 2 t\n" + GOOD,
    "1\tQ0\tLake Placid\t1\t9\tt\n1\tQ0\tSalt Spring\t2\t8\tt\n",
    f"1 Q0 {'d' * 501} 1 2 t\n",
    "<run><topic/></run>\n",
    "qid,docno,score\n1,d1,2,3\n",
    "qid,docno,score\n,d1,2\n",
    "qid,docno,score\n1,d1,two words\n",
)
QRELS = (
    "1 0 d1 1\n1 0 d2\n",
    "1 0 d1 1\n1 0 d1 1\n",
    "1 0 d1 high\n",
    "1 0 d1 high\n" * 1002,
    "1 0 d1 0.5\n",
    "1 0 d1 99999\n",
    GOOD,
    "1 d1 1\n",
    "topic document grade\n1 d1 1\n",
    "1 0 d1 1 2\n",
    "1 d1 2 1 0.25\n",
    "1 0 d1 1 x\n",
    "a b c\n1 d1 1\n1 d2 0\n",
    "1 0 Lake Placid 1\n1 0 Salt Spring 0\n",
)
SAMPLES = ("1 0 d1 1\n", "1 d1 1 1 1.5\n")
CANDIDATES = "topic_id,document_id,stratum,inclusion_probability,drawn,grade\n"
SAMPLES_TO_ADD = (
    "1 0 d1 1 -1\n1 0 d2 2 1\n",
    "1 0 d1 x 1\n",
    "1 0 d1 0 1\n",
    CANDIDATES.replace("drawn,", "") + "1,d1,1,0.5,1\n",
    CANDIDATES + "1,d1,1,0.5,2,\n",
    CANDIDATES + "1,d1,1,0.5,0,1\n",
)
FILE_TABLES = (
    "run,depth\na,1\n",
    "file,team\n,A\nfile,A\nfile,B\n",
    "file\nelsewhere.run\n",
    "file\nfile\n./file\n",
)

RUN_TABLES = (
    "team,depth\nA,1\n",
    "run,team\na,A\n",
    "run,depth\n",
    "run,depth\n,1\n",
    "run,depth\na,x\n",
    "run,depth\na,1\na,2\n",
)
PAIRS = ("1 d1 1\n", "# none\n")
SUBTOPIC_QRELS = ("1 a d1 1\n1 a d1 0\n", "1 0 d1 1\n1 0 d2 0\n")
TOPICS: tuple[str | bytes, ...] = (
    "",
    "1\tcaf\xe9\n".encode("latin-1"),
    "1 0 d1 1\n",
    GOOD,
    "<doc><docno>1</docno><text>wings</text></doc>",
    "nr\tTopic\n1\tcats\n2\tdogs\n",
    "<topics><topic number='1'><document rank='1' docid='d1'/></topic></topics>",
    "qid\tlabel\n1\t2\n",
    "<html><body>Page</body></html>",
    "frozen rivers\n",
    "1,frozen rivers\n",
    "1\tfrozen rivers\nlakes\n",
    "qid,title\n1,rivers,lakes\n",
    'qid,title\n1,"rivers\n',
    '{"title": "rivers"}',
    "[1, 2]",
    '{"id": 1',
    '{"id": 1, "title": "rivers"}\n{"id"\n',
    "<topics><topic number='1'><query>rivers</topic>",
    "<topics><a>rivers</a></topics>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><topics/>",
    "qid,title\n,rivers\n",
    "1\trivers\n1\tlakes\n",
    "1 2\trivers\n",
    "[]",
    '{"id": "1"}',
    "1\t\n2\tlakes\n",
    "1\trivers &amp; lakes\n",
    "head\twords\n1\trivers\n2\tlakes\n",
    '[{"number": 81, "title": "boats", "turn": [{"number": 1, "raw_utterance": "How?"}]}]',
)
WARC = "WARC/1.0\r\nWARC-Type: response\r\nWARC-TREC-ID: d1\r\n"
PICTURE = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n"
DOCUMENTS: tuple[tuple[str, str | bytes], ...] = (
    ("twice.jsonl", '{"id": "1", "text": "a"}\n' * 2),
    ("blank.jsonl", '{"id": "a b", "text": "a"}\n'),
    ("nameless.jsonl", '{"text": "a"}\n'),
    ("textless.jsonl", '{"id": "1", "year": 1999}\n'),
    ("tweets.jsonl", '{"delete": {}}\n'),
    ("header.csv", "a,b\n1,2\n"),
    ("cells.csv", "id,text\n1,a,b\n"),
    ("quotes.csv", 'id,text\n1,"a\n'),
    ("tabs.tsv", "1\ta\nb\n"),
    ("list.jsonl", "[1]"),
    ("open.json", '[{"id": "1", "text": "a"}'),
    ("latin.jsonl", '{"id": "1", "text": "\xe9"}\n'.encode("latin-1")),
    ("wiki.xml", "<mediawiki>"),
    ("a.run", GOOD + GOOD.replace("d1", "d2")),
    ("style.css", "a {}"),
    ("broken.parquet", b"PAR1"),
    ("some.jsonl", '{"id": "1", "year": 1999}\n{"text": "a"}\n{"delete": {}}\n{"id": "2", "text": "a"}\n'),
    ("latin.txt", "caf\xe9".encode("latin-1")),
    ("cut.trec", "<DOC><DOCNO>1</DOCNO><TEXT>a</TEXT>"),
    ("short.warc", f"{WARC}Content-Length: 1\r\n\r\nHTTP/1.1 200 OK\r\n\r\na"),
    ("length.warc", f"{WARC}\r\n\r\n{WARC}Content-Length: 0\r\n\r\n"),
    ("cut.warc", f"{WARC}Content-Length: 999\r\n\r\nHTTP/1.1 200 OK\r\n\r\na"),
    ("secret.pdf", encrypted(pdf("a"), "secret")),
    ("broken.pdf", b"%PDF-1.7 broken"),
    ("pages.pdf", pdf(*["a"] * 2_001)),
    ("missing.pdf", "<html>not found</html>"),
    ("odd.pdf", pdf("a", b"", b"").replace(b"/Length 0 ", b"/Filter /X")),
    ("scan.pdf", pdf("")),
    ("cut.png", b"\x89PNG\r\n\x1a\n"),
    ("large.png", png_bomb(9_999, 9_999)),
    ("archive.mbox", "From a\n\nb\n\n" * 1_001),
    ("paper.warc", warc(("a", "application/pdf", b"%PDF-1.7 broken"))),
    ("bomb.warc", warc(("a", "image/png", png_bomb(9_999, 9_999)))),
    (
        "empty.jsonl",
        '{"id": "1", "title": "a", "score": 2}\n{"id": "2", "title": ""}\n{"id": "3", "title": ""}\n',
    ),
    ("likely.tsv", "nr\ttext\n1\ta\n2\tb\n"),
    ("odd.tsv", "docid\tpassage number\n1\ta\n"),
    ("picture.warc", f"{WARC}Content-Length: {len(PICTURE)}\r\n\r\n{PICTURE}"),
)
FOLDER = {"a.txt": "a", "b.css": "b {}", "d.css": "d {}", "c.jsonl": '{"id": "1", "text": "a"}\n'}
IMAGES = {"a.html": "<img src=b.txt><img src=c.png>", "b.txt": "a", "c.png": png_bomb(9_999, 9_999)}
WITH_A_SERVER = (
    "tests/formats/text/test_ir_datasets_ids.py",
    "tests/campaign/ingest/test_documents_at_addresses.py",
)
"""Tests that expect what is said of collections elsewhere, with servers and packages of their own."""

COMMANDS = (
    "new c.db",
    "check a.run lone.run",
    "check - --name file",
    "add runs c.db a.run",
    "add runs c.db a.run",
    "add runs c.db b.run",
    "add topics c.db one.tsv",
    "add topics c.db two.tsv",
    "add topics c.db two.tsv three.tsv",
    "add runs c.db unknown.run",
    "add runs c.db unknown.run --extra-topics drop",
    "add qrels c.db unknown.qrels",
    "add qrels c.db high.qrels",
    "add documents c.db -",
    "add documents c.db https://a:b@localhost/docs.jsonl",
    "add documents c.db hebrew.jsonl --encoding shift_jis",
    "add documents c.db docs.jsonl --encoding shift-jsi",
    "add documents c.db docs.jsonl --encoding utf-16",
    "add documents c.db docs.jsonl",
    "add runs c.db partly.run",
    "add qrels c.db elsewhere.qrels",
    "pool c.db --depth 2 --runs-file depths.csv",
    "pool c.db --strategy list --pairs unknown.qrels",
    "pool c.db --strategy list --pairs elsewhere.qrels --dry-run",
    "move docs.jsonl",
    "pool c.db --depth 2",
    "add documents c.db moved --complete",
    "add documents c.db another.jsonl --all",
    "add runs c.db other.run",
    "add documents c.db copies.jsonl --duplicates identical",
    "check ties.run",
    "add qrels c.db renamed.qrels",
)
FILES: dict[str, str | bytes] = {
    "a.run": "1 Q0 d1 1 2 a\n2 Q0 d1 1 2 a\n4 Q0 d1 1 2 a\n",
    "b.run": "1 Q0 d1 1 2 b\n2 Q0 d1 1 2 b\n4 Q0 d1 1 2 b\n",
    "one.tsv": "1\trivers\n",
    "two.tsv": "1\trivers\n2\tlakes\n4\twells\n",
    "three.tsv": "1\tseas\n",
    "depths.csv": "run,depth\na,2\nelsewhere,3\n",
    "unknown.run": "3 Q0 d1 1 2 c\n",
    "unknown.qrels": "3 0 d1 1\n5 0 d1 1\n",
    "high.qrels": "1 0 d1 7\n1 0 d2 8\n",
    "lone.run": "9 Q0 d1 1 2 l\n",
    "elsewhere.qrels": "1 0 d6 1\n1 0 d7 1\n",
    "another.jsonl": '{"id": "d1", "text": "not a"}\n',
    "docs.jsonl": '{"id": "d1", "text": "a"}\n',
    "hebrew.jsonl": b'{"id": "d1", "text": "\xf9\xec\xe5\xed"}\n',
    "partly.run": "1 Q0 d9 1 2 d\n1 Q0 d8 2 1 d\n",
    "other.run": "1 Q0 d8 1 2 e\n",
    "ties.run": "1 Q0 d1 1 5 t\n1 Q0 d2 2 5 t\n",
    "renamed.qrels": "01 0 d1 1\n",
    "copies.jsonl": '{"id": "c1", "text": "a"}\n{"id": "c1", "text": "a"}\n',
}


def shown_messages() -> list[str]:
    """All messages in the first cells of the tables of messages."""
    tables = re.findall(r"^\| message \|.*\n((?:\|.*\n)+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    cells = [row.split(" | ")[0] for table in tables for row in table.splitlines()[1:]]
    return [message for cell in cells for message in re.findall(r"`([^`]+)`", cell)]


def said(read: Callable[[Path], Any], path: Path, content: str | bytes) -> Iterator[str]:
    """All that a reader says of a file with this content: its problems or its warnings."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    try:
        result = read(path)
    except InputError as error:
        yield from map(str, error.problems)
    else:
        yield from map(str, getattr(result, "warnings", result))


def warnings_on_documents(path: Path) -> list[Problem]:
    warnings: list[Problem] = []
    for _ in read_documents(path, on_warning=warnings.append):
        pass
    return warnings


def said_of_folders(folder: Path) -> Iterator[str]:
    empty, mixed = folder / "empty", folder / "mixed"
    for made in (empty, mixed):
        made.mkdir()
    for name, text in FOLDER.items():
        (mixed / name).write_text(text, encoding="utf-8")
    yield from map(str, warnings_on_documents(mixed))
    yield from map(str, warnings_on_documents(write(folder / "images", IMAGES)))
    for name in ("style.css", ""):
        (empty / "style.css").write_text("a {}", encoding="utf-8")
        if not name:
            (empty / "style.css").unlink()
        with pytest.raises(InputError) as refused:
            warnings_on_documents(empty)
        yield str(refused.value)


def said_by_commands(folder: Path) -> Iterator[str]:
    """What the commands say, one after another, about a campaign of its own."""
    write(folder, FILES)
    for command in COMMANDS:
        program, *words = command.split()
        if program == "move":
            (folder / words[0]).rename(folder / "moved")
            continue
        yield CliRunner().invoke(main, [program, *words], input=GOOD).output


def everything_said(folder: Path) -> Iterator[str]:
    yield from WAYS_OUT.values()
    yield from page_images.SAID_ONCE
    yield from (page_images.warning_of((), 20, is_full=False), page_images.warning_of((), 20, is_full=True))
    for test in WITH_A_SERVER:
        yield (ROOT / test).read_text(encoding="utf-8")
    readers: tuple[tuple[Callable[[Path], Any], Iterable[str | bytes]], ...] = (
        (read_run, RUNS),
        (read_qrels, QRELS),
        (read_sampled_qrels, SAMPLES),
        (read_sample, SAMPLES_TO_ADD),
        (read_pairs, PAIRS),
        (lambda path: read_run_table(load(path)), RUN_TABLES),
        (lambda path: files_of_table(str(path), Sender()), FILE_TABLES),
        (lambda path: senders_of_table(load(path), ["other.run"], Sender()), FILE_TABLES),
        (read_subtopic_qrels, SUBTOPIC_QRELS),
        (read_topics, TOPICS),
    )
    for read, contents in readers:
        for content in contents:
            yield from said(read, folder / "file", content)
    for name, content in DOCUMENTS:
        yield from said(warnings_on_documents, folder / name, content)
    yield from said_of_folders(folder)
    yield from said_by_commands(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(open_file, "LONGEST_DOCUMENT", 3)
        yield from said(warnings_on_documents, folder / "long.txt", "four")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(in_pdf, "MOST_SECONDS", 0)
        yield from said(warnings_on_documents, folder / "slow.pdf", pdf(*[drawn("a") * 3_000] * 20))


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> str:
    """All sentences that the readers and commands say of the samples above."""
    folder = tmp_path_factory.mktemp("messages")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return "\n".join(everything_said(folder))


@pytest.mark.parametrize("message", shown_messages())
def test_a_message_on_the_page_of_formats_is_what_is_said(message: str, everything: str) -> None:
    pattern = "[^\n]+".join(re.escape(piece) for piece in message.split("…") if piece)
    assert re.search(pattern, everything)
