"""Collections named by their id in ir_datasets: documents, topics, qrels, and what is said where they cannot be had."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

import workbench as wb
from tests.clusters import outcome, running
from tests.conftest import skip_or_fail
from tests.sentences import refused
from tests.stores import missing
from workbench.campaign.ingest import add_documents, add_runs, fetch_missing_texts
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import InputError
from workbench.core.records import Document
from workbench.formats.documents.reading import read_documents
from workbench.formats.qrels import read_qrels
from workbench.formats.text import files
from workbench.formats.text.addresses import document_lines
from workbench.formats.topics.reading import read_topics
from workbench.storage.campaign.collection import documents


class Page(NamedTuple):
    """A document as the web collections have them."""

    doc_id: str
    url: str
    http_headers: bytes
    body: bytes
    body_content_type: str


class Paper(NamedTuple):
    """A document whose text has a name of its own."""

    doc_id: str
    finding: str
    authors: tuple[str, ...]

    def default_text(self) -> str:
        return self.finding


class Judged(NamedTuple):
    """A judgment with a subtopic."""

    query_id: str
    doc_id: str
    relevance: int
    subtopic_id: str


class Query(NamedTuple):
    """A topic as TREC's collections have them."""

    query_id: str
    title: str
    description: str
    keywords: tuple[str, ...]


@pytest.fixture
def provides(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put a collection `test` into a stand-in for ir_datasets, of which only what is asked for is there."""

    def put(docs: Sequence[Any] = (), qrels: Sequence[Any] = (), queries: Sequence[Any] = ()) -> None:
        parts = {"docs": docs, "qrels": qrels, "queries": queries}
        collection = SimpleNamespace(
            has=lambda part: bool(parts[part]),
            docs_iter=lambda: iter(docs),
            qrels_iter=lambda: iter(qrels),
            queries_iter=lambda: iter(queries),
        )
        registry = {"test": collection}
        module = SimpleNamespace(load=registry.__getitem__, registry=registry)
        monkeypatch.setitem(sys.modules, "ir_datasets", module)

    return put


def test_pages_in_bytes_become_pages_without_what_the_server_said(provides: Callable[..., None]) -> None:
    page = b"<title>Snow</title><meta charset=windows-1252><p>na\xefve"
    provides([Page("p1", "http://a/", b"HTTP/1.1 200 OK", page, "text/html")])
    (document,) = read_documents("irds:test")
    fields = {"url": "http://a/", "media_type": "text/html"}
    assert document == Document("p1", "Snow", page.decode("windows-1252"), "text/html", fields)


def test_judgments_of_subtopics_keep_them_in_the_second_column(provides: Callable[..., None]) -> None:
    provides(qrels=[Judged("1", "a", 1, "s1"), Judged("1", "b", 0, "s2")])
    assert read_qrels("irds:test").frame.rows() == [("1", "a", 1), ("1", "b", 0)]


def test_a_topic_that_a_collection_has_twice_is_refused_as_in_a_file(provides: Callable[..., None]) -> None:
    provides(queries=[Query("7", "snow", "", ()), Query("7", "ice", "", ())])
    with pytest.raises(InputError, match=r"^irds:test:2: topic '7' occurs twice \(first on line 1\)"):
        read_topics("irds:test")


def test_what_is_secret_in_the_address_of_topics_is_neither_shown_nor_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(files, "read_address", lambda path, topics: b"qid,title\n1,\n2,ice\n")
    read = read_topics("https://anna:geheim@host/topics.csv?key=1")
    assert (read.file, read.source.path) == ("https://...@host/topics.csv...",) * 2
    assert [warning.file for warning in read.warnings] == [read.file]


def test_what_fails_is_named_by_the_id(provides: Callable[..., None]) -> None:
    def broken() -> Iterator[Paper]:
        yield Paper("x", "It is cold.", ())
        raise RuntimeError("get a copy from NIST first\nand more")

    provides([Paper("x", "It is cold.", ())])
    sys.modules["ir_datasets"].registry["test"].docs_iter = broken
    for name in ("irds:tset", "irds:test"):
        with refused(InputError, f"{name}: "):
            list(read_documents(name))
    with refused(InputError):
        read_qrels("irds:test")
    with refused(InputError):
        read_topics("irds:test")


def test_without_ir_datasets_an_id_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    for read in (read_qrels, read_topics, lambda name: list(read_documents(name))):
        with refused(InputError):
            read("irds:a")


@pytest.mark.slow
def test_a_collection_of_the_real_ir_datasets_is_pooled_and_evaluated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reason := missing("ir_datasets"):
        skip_or_fail(reason)
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "home"))
    import ir_datasets

    docs, qrels, run = (tmp_path / name for name in ("docs.tsv", "qrels", "a.run"))
    docs.write_text("d1\tsnow\nd2\tice\nd3\train\n")
    qrels.write_text("1 0 d1 2\n1 0 d3 0\n")
    run.write_text("1 Q0 d2 1 3 a\n1 Q0 d1 2 2 a\n1 Q0 d3 3 1 a\n")
    if "tests/snow" not in ir_datasets.registry:
        made = ir_datasets.create_dataset(docs_tsv=str(docs), qrels_trec=str(qrels))
        ir_datasets.registry.register("tests/snow", made)
    assert wb.evaluate("irds:tests/snow", str(run), "RR").mean["a"]["RR"] == 0.5
    with pytest.raises(
        InputError, match="irds:cranfeld: there is no collection 'cranfeld' in ir_datasets; did"
    ):
        list(read_documents("irds:cranfeld"))
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga") as campaign:
        add_runs(campaign.by("Olga"), [str(run)])
        assert add_documents(campaign.by("Olga"), ["irds:tests/snow"], complete=True).documents == 3
        add_pool(campaign.by("Olga"), depth=2)
        assert fetch_missing_texts(campaign) == (2, (), ())
        found = {row.document.document_id: row.document.text for row in documents.all_texts(campaign)}
        assert found == {"d1": "snow", "d2": "ice"}
        docs.write_text("d1\tsnow\nd2\tice\nd3\tmore rain\n")  # another edition of the collection
        add_pool(campaign.by("Olga"), depth=3)
        assert fetch_missing_texts(campaign) == (0, ("d3",), ("irds:tests/snow",))


@pytest.mark.slow
@pytest.mark.data
def test_the_real_cranfield_by_its_id_says_what_its_files_say(data_folder: Path, tmp_path: Path) -> None:
    if reason := missing("ir_datasets"):
        skip_or_fail(reason)
    here, home = data_folder / "cranfield", tmp_path / "cranfield"
    home.mkdir()
    for name, kept in (("cran.all.1400", "docs.txt"), ("cranqrel", "qrels.txt")):
        shutil.copy(here / name, home / kept)  # as ir_datasets keeps them once they are downloaded
    (tmp_path / "qrels").write_text(
        "".join(f"{topic} 0 {name} {grade}\n" for topic, name, grade in lines(here / "cranqrel"))
    )
    run = str(here / "runs" / "teamA-en-bm25.txt.gz")
    words = ("-m", "nDCG@10", "-m", "AP", "--format", "csv")
    by_id, said, status = outcome(
        running("eval", *words, "irds:cranfield", run, IR_DATASETS_HOME=str(tmp_path))
    )
    assert status == 0, said
    assert by_id == outcome(running("eval", *words, str(tmp_path / "qrels"), run))[0]
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga"):
        pass
    adding = ("add", "documents", str(tmp_path / "c.db"), "irds:cranfield", "--all")
    _, said, status = outcome(running(*adding, IR_DATASETS_HOME=str(tmp_path)))
    empty = "Warning: irds:cranfield: 2 documents have no text: 471, 995\n"
    assert (said, status) == (f"{empty}1,400 documents seen, 1,400 texts stored.\n", 0)


def lines(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text().splitlines()]


def test_values_inside_values_are_read_by_their_names(provides: Callable[..., None]) -> None:
    class Inner(NamedTuple):
        title: str
        text: bytes

    class Outer(NamedTuple):
        doc_id: str
        text: str
        section: Inner
        more: dict[Any, Any]
        day: Any

    provides([Outer("x", "Ice.", Inner("T", b"na\xefve"), {1: ("a", None)}, date(2027, 3, 1))])
    (line,) = document_lines("test")
    assert json.loads(line) == {
        "doc_id": "x",
        "text": "Ice.",
        "section": {"title": "T", "text": "naïve"},
        "more": {"1": ["a", None]},
        "day": "2027-03-01",
    }
