"""Documents of an index of OpenSearch or Elasticsearch, from a stand-in that answers as their manuals say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.search_indices import Index, search_server
from workbench.core.errors import InputError
from workbench.core.records import Document
from workbench.formats.documents.reading import read_documents
from workbench.formats.qrels import read_qrels
from workbench.formats.text.content import expanded
from workbench.setup.ingest import add_documents, add_runs, fetch_missing_texts
from workbench.setup.new_campaign import new_campaign
from workbench.setup.pools.making import add_pool
from workbench.storage.campaign.collection import documents

DOCUMENTS: list[tuple[str, dict[str, Any]]] = [
    (f"d{number}", {"title": f"Title {number}", "contents": f"text {number}"}) for number in range(1, 6)
]


NO_INDEX = "this is not what a search index answers; write opensearch+https://HOST:9200/INDEX"


def said_of(address: str) -> str:
    with pytest.raises(InputError) as error:
        list(read_documents(address))
    return str(error.value).partition(": ")[2]


@pytest.mark.parametrize("scheme", ["opensearch", "elasticsearch"])
def test_all_pages_of_an_index_are_read_and_the_server_may_forget_them(scheme: str) -> None:
    index = Index(DOCUMENTS, page=2)
    with search_server(index) as server:
        found = list(read_documents(f"{scheme}+http://{server}/web"))
    assert found == [Document(name, its["title"], its["contents"]) for name, its in DOCUMENTS]
    assert index.asked == ["POST /web/_search", *["POST /_search/scroll"] * 3, "DELETE /_search/scroll"]
    assert index.open == {}


def test_an_id_of_its_own_comes_before_the_one_of_the_index() -> None:
    with search_server(Index([("x7", {"docno": "FT-1", "text": "snow", "year": 1999})])) as server:
        (document,) = read_documents(f"opensearch+http://{server}/web")
    assert (document.document_id, document.fields["year"]) == ("FT-1", "1999")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"failed_parts": 1}, "the index answers in part: 1 of 3 parts (shards) failed; see to it, and read"),
        ({"forgets_after": 2}, "the server has forgotten the reading that was begun (scroll); read it again"),
        ({"is_cut_after": 1}, "an answer of the server ends in the middle, or does not end; read it again"),
        ({"counts_more": 3}, "it ends after 5 of 8 documents; read it again"),
        ({"password": "ApiKey abc123"}, "access is denied; set WORKBENCH_INDEX_AUTHORIZATION to what"),
        ({"documents": []}, "the file is empty; was it written to the end?"),
        ({"status": 503}, "the server answers with status 503; try again later"),
        ({"says": b"<html>"}, NO_INDEX),
        ({"says": [1]}, NO_INDEX),
        ({"says": {"hits": {"total": "5"}, "_scroll_id": "s1"}}, NO_INDEX),
        ({"says": {"hits": {"total": 5}, "_scroll_id": 7}}, NO_INDEX),
        ({"says": {"hits": {"total": 5, "hits": {}}, "_scroll_id": "s1"}}, NO_INDEX),
        (
            {"says": {"hits": {"total": 5, "hits": []}, "_scroll_id": "s1", "timed_out": True}},
            "the index answers in",
        ),
        ({"without_source": True}, "the index does not keep what was indexed (_source is disabled)"),
    ],
)
def test_an_index_that_is_not_read_in_full_is_an_error(change: dict[str, Any], message: str) -> None:
    with search_server(replace(Index(DOCUMENTS, page=2), **change)) as server:
        assert said_of(f"opensearch+http://{server}/web").startswith(message)


def test_addresses_without_an_index_say_so() -> None:
    with search_server(Index(DOCUMENTS)) as server:
        address = f"opensearch+http://{server}"
        assert said_of(f"{address}/wbe") == "there is no such index; check the address"
        for path in ("", "/", "/web?q=snow"):
            assert said_of(address + path).startswith("this is not what a search index answers; write")
    assert said_of(f"{address}/web").startswith("it cannot be read (ConnectionRefusedError)")
    with pytest.raises(InputError, match="a search index holds documents; name a file"):
        read_qrels(f"{address}/web")
    assert expanded([f"{address}/web-*"]) == [f"{address}/web-*"]  # the server's matter


def test_credentials_are_sent_and_never_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    index = Index(DOCUMENTS, password="ApiKey abc123")
    with search_server(index) as server:
        monkeypatch.setenv("WORKBENCH_INDEX_AUTHORIZATION", "ApiKey abc123")
        assert len(list(read_documents(f"opensearch+http://{server}/web"))) == 5
        with pytest.raises(InputError) as error:
            list(read_documents(f"opensearch+http://anna:geheim@{server}/web"))
    assert str(error.value).startswith(f"opensearch+http://...@{server}/web: access is denied")
    assert index.authorizations == {"ApiKey abc123", "Basic YW5uYTpnZWhlaW0="}


def test_a_pool_that_grows_reads_the_index_again_in_whatever_order_it_answers(
    tmp_path: Path, written_run: Callable[..., str]
) -> None:
    index = Index(DOCUMENTS, page=2)
    with search_server(index) as server, new_campaign(tmp_path / "c", title="C", actor="Olga") as campaign:
        add_runs(campaign, [written_run(tmp_path / "a.run", "a", {"1": "d4 d1 d3"})], actor="Olga")
        address = f"opensearch+http://{server}/web"
        assert add_documents(campaign, [address], actor="Olga").documents == 5
        add_pool(campaign, depth=2, actor="Olga")
        index.documents = DOCUMENTS[::-1]
        assert fetch_missing_texts(campaign) == (2, (), ())
        add_pool(campaign, depth=3, actor="Olga")
        index.documents = [*DOCUMENTS[:-1], ("d5", {"contents": "another text"})]
        assert fetch_missing_texts(campaign) == (0, ("d3",), (address,))
        texts = {row.document.document_id: row.document.text for row in documents.all_texts(campaign)}
    assert texts == {"d4": "text 4", "d1": "text 1"}
