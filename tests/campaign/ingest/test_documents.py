"""Documents pass through once: their sources are recorded, and texts are kept where they are needed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.images import png
from tests.judged_pairs import judge_as
from tests.sentences import refused, says
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


def test_before_a_pool_only_ids_are_kept_and_the_source_is_recorded(empty: Campaign, tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", a1="one", a2="two")
    added = add_documents(empty.by("Olga"), [path])
    assert added[:3] == (2, 0, ())
    (source,) = documents.sources(empty)
    assert (source.file.path, source.file.size, source.documents) == (path, Path(path).stat().st_size, 2)
    assert list(documents.source_ids(empty, source.source)) == [["a1", "a2"]]


def test_all_keeps_every_text(empty: Campaign, tmp_path: Path) -> None:
    add_documents(empty.by("Olga"), [jsonl(tmp_path / "a.jsonl", a1="one", a2="two")], keep_all=True)
    assert texts(empty) == {"a1": "one", "a2": "two"}


def test_after_the_pool_texts_of_pooled_documents_are_kept(with_run: Campaign, tmp_path: Path) -> None:
    pool(with_run, 3)
    path = jsonl(tmp_path / "a.jsonl", a1="one", a2="two", zz="not pooled")
    added = add_documents(with_run.by("Olga"), [path])
    assert (added.documents, added.texts, added.without_text) == (3, 2, ("b1",))
    assert texts(with_run) == {"a1": "one", "a2": "two"}


def test_a_pool_that_grows_gets_its_texts_from_the_recorded_sources(
    with_run: Campaign, tmp_path: Path
) -> None:
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


def test_a_source_that_changed_does_not_matter_once_it_was_added_again(
    with_run: Campaign, tmp_path: Path
) -> None:
    path = jsonl(tmp_path / "a.jsonl", a1="1", a2="2", b1="3", b2="4")
    add_documents(with_run.by("Olga"), [path])
    jsonl(tmp_path / "a.jsonl", a1="1", a2="2", b1="3", b2="four")
    add_documents(with_run.by("Olga"), [path])
    pool(with_run, 4)
    assert fetch_missing_texts(with_run) == (4, (), ())
    assert texts(with_run)["b2"] == "four"


def test_the_same_file_again_is_no_second_source(empty: Campaign, tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", a1="one")
    add_documents(empty.by("Olga"), [path, path])
    before = log.head(empty)
    added = add_documents(empty.by("Olga"), [path], keep_all=True)
    assert (added.documents, added.texts) == (1, 1)
    assert len(documents.sources(empty)) == 1
    assert log.head(empty) == before


def test_a_text_once_stored_is_kept_and_another_one_is_a_warning(empty: Campaign, tmp_path: Path) -> None:
    files = [jsonl(tmp_path / "a.jsonl", a1="one"), jsonl(tmp_path / "b.jsonl", a1="other", a2="two")]
    add_documents(empty.by("Olga"), files[:1], keep_all=True)
    (warning,) = add_documents(empty.by("Olga"), files[1:], keep_all=True).warnings
    assert says(str(warning))
    assert texts(empty) == {"a1": "one", "a2": "two"}


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


def test_a_folder_is_one_source(with_run: Campaign, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "a1.txt").write_text("one", encoding="utf-8")
    (folder / "b1.md").write_text("# two", encoding="utf-8")
    added = add_documents(with_run.by("Olga"), [str(folder)])
    assert (added.documents, len(documents.sources(with_run))) == (2, 1)
    pool(with_run, 4)
    (folder / "b1.md").write_text("# changed", encoding="utf-8")
    assert fetch_missing_texts(with_run).gone == (str(folder),)


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


def test_a_relative_path_is_found_from_anywhere(
    with_run: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jsonl(tmp_path / "a.jsonl", a1="one")
    monkeypatch.chdir(tmp_path)
    add_documents(with_run.by("Olga"), ["a.jsonl"])
    monkeypatch.chdir("/")
    pool(with_run, 1)
    assert fetch_missing_texts(with_run).found == 1


def test_standard_input_is_refused_since_it_cannot_be_read_again(empty: Campaign) -> None:
    with refused(InputError):
        add_documents(empty.by("Olga"), ["-"])


def test_a_source_said_to_be_complete_is_recorded_so(empty: Campaign, tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", a1="one")
    add_documents(empty.by("Olga"), [path])
    assert not settings.read(empty).documents_complete
    add_documents(empty.by("Olga"), [path], complete=True)
    assert settings.read(empty).documents_complete


def test_the_bytes_read_are_reported(empty: Campaign, tmp_path: Path) -> None:
    told: list[int] = []
    path = jsonl(tmp_path / "a.jsonl", a1="one", a2="two")
    add_documents(empty.by("Olga"), [path], on_bytes=told.append)
    assert sum(told) == Path(path).stat().st_size


def test_a_source_without_a_missing_text_is_not_read_again(with_run: Campaign, tmp_path: Path) -> None:
    files = [jsonl(tmp_path / "a.jsonl", a1="1", a2="2"), jsonl(tmp_path / "b.jsonl", b1="three", b2="four")]
    add_documents(with_run.by("Olga"), files)
    pool(with_run, 2)
    told: list[int] = []
    assert fetch_missing_texts(with_run, on_bytes=told.append) == (2, (), ())
    assert sum(told) == Path(files[0]).stat().st_size


@pytest.mark.data
def test_empty_documents_are_stored_and_can_be_judged(
    empty: Campaign, data_folder: Path, tmp_path: Path
) -> None:
    collection = str(data_folder / "cranfield/trec-xml/cran.all.1400.xml")
    added = add_documents(empty.by("Olga"), [collection], keep_all=True, complete=True)
    assert (added.documents, added.texts) == (1400, 1400)
    assert [name for name, text in texts(empty).items() if not text] == ["471", "995"]
    add_runs(empty.by("Olga"), [write_run(tmp_path / "a.run", "a", {"1": "471 995"})])
    pool(empty, 2)
    assert judge_as(empty, "anna", "1", "471", 0).judgment.grade == 0


def claims(path: Path, **texts: str) -> str:
    lines = [json.dumps({"id": name, "title": "T", "vclaim": text}) + "\n" for name, text in texts.items()]
    path.write_text("".join(lines), encoding="utf-8")
    return str(path)


def test_a_chosen_text_field_replaces_empty_texts_and_holds_for_texts_that_are_read_later(
    with_run: Campaign, tmp_path: Path
) -> None:
    pool(with_run, depth=1)
    path = claims(tmp_path / "a.jsonl", a1="one", a2="two", b1="three", b2="four")
    (empty_texts, no_field) = add_documents(with_run.by("Olga"), [path]).warnings
    assert empty_texts.message == "1 document has no text: a1"
    assert "id, title, vclaim" in no_field.message
    added = add_documents(with_run.by("Olga"), [path], fields={"text_field": "vclaim"})
    assert (added.changed, added.warnings, texts(with_run)) == (1, (), {"a1": "one"})
    assert settings.read(with_run).text_field == "vclaim"
    pool(with_run, depth=2)
    fetch_missing_texts(with_run)
    assert texts(with_run) == {"a1": "one", "a2": "two"}


@pytest.mark.parametrize(
    ("encoding", "first", "second"),
    [("windows-1255", "שלום", "ירושלים"), ("shift_jis", "こんにちは", "東京タワー")],
)
@pytest.mark.parametrize("form", ["jsonl", "csv", "trec"])
def test_a_chosen_encoding_holds_for_texts_that_are_read_when_a_pool_grows(
    with_run: Campaign, tmp_path: Path, encoding: str, first: str, second: str, form: str
) -> None:
    record = {
        "jsonl": '{{"id": "{}", "text": "{}"}}\n',
        "csv": "{},{}\n",
        "trec": "<DOC><DOCNO>{}</DOCNO><TEXT>{}</TEXT></DOC>\n",
    }[form]
    lines = ("id,text\n" if form == "csv" else "") + record.format("a1", first) + record.format("a2", second)
    path = tmp_path / f"a.{form}"
    path.write_bytes(lines.encode(encoding))
    pool(with_run, depth=1)
    fields = {"document_encoding": encoding}
    assert add_documents(with_run.by("Olga"), [str(path)], fields=fields).warnings == ()
    assert settings.read(with_run).document_encoding == encoding
    pool(with_run, depth=2)
    fetch_missing_texts(with_run)
    assert [first in texts(with_run)["a1"], second in texts(with_run)["a2"]] == [True, True]


def test_a_chosen_encoding_replaces_texts_that_were_read_as_another(
    with_run: Campaign, tmp_path: Path
) -> None:
    pool(with_run, depth=1)
    path = tmp_path / "a1.txt"
    path.write_bytes("שלום".encode("windows-1255"))
    add_documents(with_run.by("Olga"), [str(path)])
    assert texts(with_run) == {"a1": "ùìåí"}
    fields = {"document_encoding": "windows-1255"}
    assert add_documents(with_run.by("Olga"), [str(path)], fields=fields).changed == 1
    assert texts(with_run) == {"a1": "שלום"}


def test_documents_that_the_encoding_does_not_fit_leave_the_campaign_as_it_was(
    with_run: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes(b"id\ttext\na1\tone\na2\t\xff\n")
    before = log.newest_seq(with_run)
    with pytest.raises(InputError, match=r"a\.tsv:3: byte 0xff at 19 is none of shift_jis; .*--encoding"):
        add_documents(with_run.by("Olga"), [str(path)], fields={"document_encoding": "shift_jis"})
    for name in ("windows-125", "utf-16"):
        with refused(SettingRefused, name):
            add_documents(with_run.by("Olga"), [str(path)], fields={"document_encoding": name})
    assert (log.newest_seq(with_run), settings.read(with_run).document_encoding) == (before, "")


def test_identical_documents_that_were_taken_once_are_found_when_a_pool_grows(
    with_run: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a2", "text": "two"}\n{"id": "a2", "text": "two"}\n{"id": "a1", "text": "one"}\n')
    with pytest.raises(InputError, match="first on line 1"):
        add_documents(with_run.by("Olga"), [str(path)])
    assert add_documents(with_run.by("Olga"), [str(path)], identical_once=True).documents == 2
    pool(with_run, depth=2)
    fetch_missing_texts(with_run)
    assert texts(with_run) == {"a1": "one", "a2": "two"}
