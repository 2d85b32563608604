"""Documents that stand at addresses: read as a stream, recorded without secrets, read again for a larger pool."""

from __future__ import annotations

import gzip
import hashlib
import io
from collections.abc import Iterator
from pathlib import Path

import polars
import pytest

from tests.clusters import outcome, running
from tests.conftest import skip_or_fail, write_run
from tests.sentences import refused, says
from tests.stores import fill, missing
from workbench.campaign.ingest import add_documents, add_runs, fetch_missing_texts
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import InputError, Problem
from workbench.formats.documents.reading import read_documents
from workbench.formats.text.compression import zstd
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents

LINES = b"".join(b'{"id": "d%d", "text": "text %d"}\n' % (number, number) for number in range(1, 5))


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    """A campaign with a run over one topic: d1, d2, d3, d4 in this order."""
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga") as campaign:
        add_runs(campaign.by("Olga"), [write_run(tmp_path / "a.run", "a", {"1": "d1 d2 d3 d4"})])
        yield campaign


def parquet() -> bytes:
    stored = io.BytesIO()
    texts = {"id": [f"d{number}" for number in range(1, 5)], "text": [f"text {n}" for n in range(1, 5)]}
    polars.DataFrame(texts).write_parquet(stored)
    return stored.getvalue()


def in_memory(name: str, data: bytes) -> str:
    """The address of a file in fsspec's own store, in the memory of this process."""
    if reason := missing("fsspec"):
        skip_or_fail(reason)
    import fsspec

    fsspec.filesystem("memory").pipe(f"/tests/{name}", data)
    return f"memory://tests/{name}"


def texts(campaign: Campaign) -> dict[str, str]:
    return {row.document.document_id: row.document.text for row in documents.all_texts(campaign)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("d.jsonl", LINES),
        ("d.jsonl.zst", zstd().compress(LINES)),
        ("d.jsonl.gz", gzip.compress(LINES)),
        ("d.parquet", parquet()),
        ("d.tsv", b"".join(b"d%d\ttext %d\n" % (number, number) for number in range(1, 5))),
    ],
    ids=["JSONL", "JSONL.zst", "JSONL.gz", "parquet", "TSV"],
)
def test_a_pool_that_grows_reads_its_texts_from_the_address_again(
    campaign: Campaign, web: str, tmp_path: Path, name: str, data: bytes
) -> None:
    (tmp_path / name).write_bytes(data)
    for address in (f"http://{web}/{name}", in_memory(name, data)):
        assert add_documents(campaign.by("Olga"), [address]).documents == 4
        source = documents.sources(campaign)[-1].file
        assert source == (address, len(data), hashlib.sha256(data).hexdigest())
    add_pool(campaign.by("Olga"), depth=2)
    assert fetch_missing_texts(campaign) == (2, (), ())
    (tmp_path / name).unlink()  # the other address has the same documents
    add_pool(campaign.by("Olga"), depth=3)
    assert fetch_missing_texts(campaign).found == 1
    assert texts(campaign) == {"d1": "text 1", "d2": "text 2", "d3": "text 3"}


@pytest.mark.slow
def test_an_address_whose_file_has_changed_gives_no_texts_and_is_named(campaign: Campaign) -> None:
    address = in_memory("changing.jsonl", LINES)
    add_documents(campaign.by("Olga"), [address])
    add_pool(campaign.by("Olga"), depth=2)
    in_memory("changing.jsonl", LINES + b'{"id": "d5", "text": "more"}\n')
    assert fetch_missing_texts(campaign) == (0, ("d1", "d2"), (address,))
    assert texts(campaign) == {}


@pytest.mark.slow
def test_secrets_in_an_address_are_not_stored_or_shown(campaign: Campaign, web: str, tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_bytes(LINES)
    address = f"http://anna:geheim@{web}/d.jsonl?key=abc123"
    shown = f"http://...@{web}/d.jsonl..."
    with refused(InputError, "http://...@"):
        add_documents(campaign.by("Olga"), [address])
    assert add_documents(campaign.by("Olga"), [address], keep_all=True).texts == 4
    (tmp_path / "d.jsonl").write_bytes(LINES.replace(b"text 1", b"text 2"))
    (warning,) = add_documents(campaign.by("Olga"), [address], keep_all=True).warnings
    assert warning.file == shown
    (tmp_path / "d.jsonl").write_bytes(LINES + b"{\n")
    with refused(InputError, "http://...@"):
        add_documents(campaign.by("Olga"), [address], keep_all=True)
    (tmp_path / "d.jsonl").unlink()
    with refused(InputError, "http://...@"):
        add_documents(campaign.by("Olga"), [address], keep_all=True)
    stored = "\n".join(campaign.db.conn.iterdump())
    assert shown in stored
    assert not any(secret in stored for secret in ("geheim", "abc123"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "data", "line"),
    [
        ("d.jsonl", LINES[:-20], 4),
        ("d.jsonl.zst", zstd().compress(LINES)[:-9], None),
        ("d.jsonl.gz", gzip.compress(LINES)[:-12], None),
        ("d.parquet", parquet()[:-9], None),
        ("d.jsonl", b"", None),
        ("d.pdf", b"%PDF-1.7", None),
        ("d.jsonl", b'{"id": "a", "text": "b"}\n' * 2, 2),
    ],
    ids=["lines", "zstandard", "gzip", "parquet", "empty", "another kind", "an id twice"],
)
def test_broken_files_are_told_as_files(tmp_path: Path, name: str, data: bytes, line: int | None) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as here:
        list(read_documents(tmp_path / name))
    address = in_memory(name, data)
    with pytest.raises(InputError) as there:
        list(read_documents(address))
    said = [problem._replace(file=address) for problem in here.value.problems]
    assert [_without_path(problem) for problem in there.value.problems] == [_without_path(p) for p in said]
    assert there.value.problems[0].line == line


def _without_path(problem: Problem) -> Problem:
    """Polars names the file that it reads, which is a temporary one for an address."""
    return problem._replace(message=problem.message.split(": ")[0])


@pytest.mark.slow
def test_an_answer_that_ends_in_the_middle_is_an_error_and_nothing_is_kept(
    campaign: Campaign, web: str
) -> None:
    before = "\n".join(campaign.db.conn.iterdump())
    with refused(InputError):
        add_documents(campaign.by("Olga"), [f"http://{web}/cut.jsonl"], keep_all=True)
    assert "\n".join(campaign.db.conn.iterdump()) == before


@pytest.mark.slow
def test_a_file_that_is_shorter_than_its_store_says_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    address = in_memory("short.jsonl", LINES)
    from fsspec.implementations.memory import MemoryFile

    monkeypatch.setattr(MemoryFile, "size", len(LINES) + 20, raising=False)
    with refused(InputError, f"{address}: ", len(LINES), len(LINES) + 20):
        list(read_documents(address))


@pytest.mark.slow
def test_a_single_document_at_an_address_is_named_by_its_file(web: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<title>T</title><p>ice")
    (document,) = read_documents(f"http://{web}/page.html?v=2")
    assert (document.document_id, document.title) == ("page", "T")


@pytest.mark.slow
def test_the_command_adds_what_matches_in_an_object_store(tmp_path: Path, store: dict[str, str]) -> None:
    fill(store, {"d/1.jsonl.zst": zstd().compress(LINES), "d/2.parquet": parquet(), "e": b""})
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga"):
        pass
    path = str(tmp_path / "c.db")
    _, said, status = outcome(running("add", "documents", path, "s3://runs/d/1*", "--all", **store))
    assert (said, status) == ("4 documents seen, 4 texts stored.\n", 0)
    _, said, status = outcome(running("add", "documents", path, "s3://runs/d/*", **store))
    assert says(said)
    _, said, status = outcome(running("add", "documents", path, "s3://runs/f/*", **store))
    assert (says(said), status) == (True, 1)
