"""Documents pass through once: their sources are recorded, and texts are kept where they are needed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.images import png
from tests.judged_pairs import judge_as
from tests.sentences import refused
from workbench.campaign.campaign_settings import SettingRefused
from workbench.campaign.ingest import add_documents, add_runs, fetch_missing_texts
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import InputError
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings


@pytest.fixture
def with_run(empty: Campaign, tmp_path: Path) -> Campaign:
    """A campaign with a run over one topic: a1, a2, b1, b2 in this order."""
    add_runs(empty.by("Olga"), [write_run(tmp_path / "a.run", "a", {"1": "a1 a2 b1 b2"})])
    return empty


def jsonl(path: Path, **texts: str) -> str:
    lines = [json.dumps({"id": name, "text": text}) + "\n" for name, text in texts.items()]
    path.write_text("".join(lines), encoding="utf-8")
    return str(path)


def texts(campaign: Campaign) -> dict[str, str]:
    return {row.document.document_id: row.document.text for row in documents.all_texts(campaign)}


def pool(campaign: Campaign, depth: int) -> None:
    add_pool(campaign.by("Olga"), depth=depth)


def test_a_pool_that_grows_gets_texts_from_recorded_sources(with_run: Campaign, tmp_path: Path) -> None:
    files = [jsonl(tmp_path / "a.jsonl", a1="1", a2="2"), jsonl(tmp_path / "b.jsonl", b1="3", b2="4")]
    add_documents(with_run.by("Olga"), files)
    pool(with_run, 1)
    assert fetch_missing_texts(with_run) == (1, (), ())
    assert texts(with_run) == {"a1": "1"}
    pool(with_run, 4)
    assert fetch_missing_texts(with_run) == (3, (), ())
    assert texts(with_run) == {"a1": "1", "a2": "2", "b1": "3", "b2": "4"}
    assert fetch_missing_texts(with_run) == (0, (), ())


@pytest.mark.parametrize("harm", [Path.unlink, lambda path: jsonl(path, b1="another text", b2="4")])
def test_a_source_that_is_gone_or_changed_is_named_and_not_read(
    with_run: Campaign, tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    files = [jsonl(tmp_path / "a.jsonl", a1="1", a2="2"), jsonl(tmp_path / "b.jsonl", b1="3", b2="4")]
    add_documents(with_run.by("Olga"), files)
    pool(with_run, 4)
    harm(tmp_path / "b.jsonl")
    assert fetch_missing_texts(with_run) == (2, ("b1", "b2"), (files[1],))


def test_a_bad_file_among_good_ones_leaves_nothing(with_run: Campaign, tmp_path: Path) -> None:
    pool(with_run, 4)
    before = log.head(with_run)
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": "b1", "text": "one"}\n{"id": "b1", "text": "again"}\n', encoding="utf-8")
    files = [jsonl(tmp_path / "a.jsonl", a1="1"), str(bad), jsonl(tmp_path / "c.jsonl", b2="4")]
    with pytest.raises(InputError, match=r"bad\.jsonl:2: document 'b1' occurs twice"):
        add_documents(with_run.by("Olga"), files, complete=True)
    assert log.head(with_run) == before
    assert texts(with_run) == {}
    assert documents.sources(with_run) == []
    assert add_documents(with_run.by("Olga"), [files[0]]).texts == 1


def test_a_page_and_the_images_beside_it_are_one_source(with_run: Campaign, tmp_path: Path) -> None:
    (page, image) = (tmp_path / "a1.md", tmp_path / "ice.png")
    page.write_text("![ice](ice.png)")
    image.write_bytes(png())
    add_documents(with_run.by("Olga"), [str(page)])
    (source,) = documents.sources(with_run)
    assert (source.file.path, source.file.size) == (str(page), len(png()) + len("![ice](ice.png)"))
    image.write_bytes(png(2, 2))
    pool(with_run, 1)
    assert fetch_missing_texts(with_run).gone == (str(page),)
    image.write_bytes(png())
    assert fetch_missing_texts(with_run)[:2] == (1, ())
    assert texts(with_run)["a1"].startswith("![ice](data:image/png;base64,")


def test_standard_input_is_refused_since_it_cannot_be_read_again(empty: Campaign) -> None:
    with refused(InputError):
        add_documents(empty.by("Olga"), ["-"])


@pytest.mark.data
def test_empty_documents_are_stored_and_judged(empty: Campaign, data_folder: Path, tmp_path: Path) -> None:
    collection = str(data_folder / "cranfield/trec-xml/cran.all.1400.xml")
    added = add_documents(empty.by("Olga"), [collection], keep_all=True, complete=True)
    assert (added.documents, added.texts) == (1400, 1400)
    assert [name for name, text in texts(empty).items() if not text] == ["471", "995"]
    add_runs(empty.by("Olga"), [write_run(tmp_path / "a.run", "a", {"1": "471 995"})])
    pool(empty, 2)
    assert judge_as(empty, "anna", "1", "471", 0).judgment.grade == 0


def test_documents_that_the_encoding_does_not_fit_leave_the_campaign_as_it_was(
    with_run: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes(b"id\ttext\na1\tone\na2\t\xff\n")
    before = log.newest_seq(with_run)
    with pytest.raises(
        InputError, match=r"a\.tsv:3: byte 0xff at 19 is not valid in shift_jis; .*--encoding"
    ):
        add_documents(with_run.by("Olga"), [str(path)], fields={"document_encoding": "shift_jis"})
    for name in ("windows-125", "utf-16"):
        with refused(SettingRefused, name):
            add_documents(with_run.by("Olga"), [str(path)], fields={"document_encoding": name})
    assert (log.newest_seq(with_run), settings.read(with_run).document_encoding) == (before, "")


CLAIMS = "nr,claim,link\na1,Ice is cold.,http://x/1\nb1,Rivers freeze.,http://x/2\n"


def test_chosen_columns_are_settings_by_which_texts_are_read_again(
    with_run: Campaign, tmp_path: Path
) -> None:
    (tmp_path / "claims.csv").write_text(CLAIMS)
    (tmp_path / "more.csv").write_text("key,claim\na2,Snow.\n")
    settings_of = {"id_field": "nr", "text_field": "claim", "address_field": "Link"}
    add_documents(with_run.by("Olga"), [str(tmp_path / "claims.csv")], fields=settings_of)
    found = settings.read(with_run)
    assert (found.id_field, found.text_field, found.document_fields) == ("nr", "claim", "link: link")
    add_documents(with_run.by("Olga"), [str(tmp_path / "more.csv")], fields={"id_field": "key"})
    assert settings.read(with_run).id_field == "key; nr", "claims.csv is read again by nr"
    pool(with_run, 3)
    assert fetch_missing_texts(with_run.by("Olga")).without_text == ()
    assert texts(with_run) == {"a1": "Ice is cold.", "a2": "Snow.", "b1": "Rivers freeze."}
    stored = documents.find(with_run, "a1")
    assert stored is not None
    assert stored.document.fields == {"link": "http://x/1"}


def test_the_address_comes_first_among_fields_and_is_a_link(empty: Campaign, tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", a1="one")
    with empty.write():
        settings.change(empty, {"document_fields": "price; text: hidden"})
    add_documents(empty.by("Olga"), [path], fields={"address_field": "text"})
    assert settings.read(empty).document_fields == "text: link; price"


@pytest.mark.parametrize("part", ["id_field", "text_field", "title_field", "address_field"])
def test_a_chosen_column_that_one_file_lacks_leaves_the_campaign_as_it_was(
    with_run: Campaign, tmp_path: Path, part: str
) -> None:
    (tmp_path / "claims.csv").write_text(CLAIMS)
    paths = [jsonl(tmp_path / "a.jsonl", a2="one"), str(tmp_path / "claims.csv")]
    before = log.newest_seq(with_run)
    with refused(InputError, "claims.csv", "nr", "claim", "link"):
        add_documents(with_run.by("Olga"), paths[1:], fields={"id_field": "nr", part: "kop"})
    with refused(InputError, "a.jsonl"):
        add_documents(with_run.by("Olga"), paths, fields={part: "link"})
    assert (log.newest_seq(with_run), documents.sources(with_run)) == (before, [])


def test_before_a_pool_only_ids_are_kept_and_the_source_is_recorded(empty: Campaign, tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", a1="one", a2="two")
    added = add_documents(empty.by("Olga"), [path])
    assert added[:3] == (2, 0, ())
    (source,) = documents.sources(empty)
    assert (source.file.path, source.file.size, source.documents) == (path, Path(path).stat().st_size, 2)
    assert list(documents.source_ids(empty, source.source)) == [["a1", "a2"]]


def test_after_the_pool_texts_of_pooled_documents_are_kept(with_run: Campaign, tmp_path: Path) -> None:
    pool(with_run, 3)
    path = jsonl(tmp_path / "a.jsonl", a1="one", a2="two", zz="not pooled")
    added = add_documents(with_run.by("Olga"), [path])
    assert (added.documents, added.texts, added.without_text) == (3, 2, ("b1",))
    assert texts(with_run) == {"a1": "one", "a2": "two"}
