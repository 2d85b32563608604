"""Files with any names of columns, of which an organiser chose id, text, title and address."""

from __future__ import annotations

import io
import re
from pathlib import Path

import polars
import pytest

from tests.formats.collections_of_documents import write
from tests.sentences import refused, says
from workbench.core.errors import InputError, Problem
from workbench.core.records import Document
from workbench.formats.documents.fields import chosen_fields
from workbench.formats.documents.reading import read_documents

ASKED = (["nr"], ["tekst"], ["kop"], ["adres"])
CHOICE = chosen_fields(["kop"], ["tekst"], ["nr"], ASKED)
AGAIN = chosen_fields(["kop"], ["tekst"], ["nr"])
ROWS = {
    "jaar": ["1963", "1997"],
    "kop": ["Elf steden", "Nog eens"],
    "nr": ["a7", "a8"],
    "tekst": ["Koud, nat.", "IJs; wind"],
    "adres": ["http://x/7", "http://x/8"],
}
DOCUMENTS = [
    Document("a7", "Elf steden", "Koud, nat.", fields={"jaar": "1963", "adres": "http://x/7"}),
    Document("a8", "Nog eens", "IJs; wind", fields={"jaar": "1997", "adres": "http://x/8"}),
]


def in_parquet() -> bytes:
    stored = io.BytesIO()
    polars.DataFrame(ROWS).write_parquet(stored)
    return stored.getvalue()


FILES: dict[str, str | bytes] = {
    "a.csv": 'jaar,kop,nr,tekst,adres\n1963,Elf steden,a7,"Koud, nat.",http://x/7\n1997,Nog eens,a8,IJs; wind,http://x/8\n',
    "a.tsv": "jaar\tkop\tnr\ttekst\tadres\n1963\tElf steden\ta7\tKoud, nat.\thttp://x/7\n"
    "1997\tNog eens\ta8\tIJs; wind\thttp://x/8\n",
    "b.csv": 'jaar;kop;nr;tekst;adres\n1963;Elf steden;a7;Koud, nat.;http://x/7\n1997;Nog eens;a8;"IJs; wind";http://x/8\n',
    "a.txt": "Jaar\tKop\tNR\tTekst\tAdres\n1963\tElf steden\ta7\tKoud, nat.\thttp://x/7\n"
    "1997\tNog eens\ta8\tIJs; wind\thttp://x/8\n",
    "a.jsonl": '{"jaar": 1963, "kop": "Elf steden", "nr": "a7", "tekst": "Koud, nat.", "adres": "http://x/7"}\n'
    '{"nr": "a8", "tekst": "IJs; wind", "kop": "Nog eens", "jaar": 1997, "adres": "http://x/8"}\n',
    "a.parquet": in_parquet(),
}


@pytest.mark.parametrize("name", FILES)
def test_columns_of_any_name_are_id_text_title_and_address(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, {name: FILES[name]}) / name
    for choice in (CHOICE, AGAIN):
        found: list[Problem] = []
        assert list(read_documents(path, choice=choice, on_warning=found.append)) == DOCUMENTS
        assert found == []
        texts = [each.text for each in read_documents(path, choice=choice, wanted={"a8"})]
        assert texts == ["", "IJs; wind"]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("part", ["id", "text", "title", "address"])
def test_a_chosen_column_that_is_not_there_is_refused_with_those_that_are(
    tmp_path: Path, name: str, part: str
) -> None:
    path = write(tmp_path, {name: FILES[name]}) / name
    title, text, ids = (
        ["titel"] if part == "title" else ["kop"],
        ["inhoud"] if part == "text" else ["tekst"],
        ["sleutel"] if part == "id" else ["nr"],
    )
    asked = {"id": ids, "text": text, "title": title, "address": ["url"]}[part]
    with pytest.raises(InputError) as caught:
        list(read_documents(path, choice=chosen_fields(title, text, ids, [asked])))
    (problem,) = caught.value.problems
    named = set(re.findall(r"\w+", problem.message.lower()))
    assert named >= {asked[0], "jaar", "kop", "nr", "tekst", "adres"}


def test_a_chosen_id_comes_before_a_usual_one_which_stays_a_field(tmp_path: Path) -> None:
    path = write(tmp_path, {"a.csv": "id,url,text\n1,http://x,Ice\n"}) / "a.csv"
    choice = chosen_fields([], [], ["URL"], [["URL"]])
    (document,) = read_documents(path, choice=choice)
    assert document == Document("http://x", "", "Ice", fields={"id": "1"})
    (document,) = read_documents(path, choice=choice._replace(address=("url",)))
    assert document.fields == {"id": "1", "url": "http://x"}


def test_beside_a_chosen_id_a_single_other_column_is_the_text(tmp_path: Path) -> None:
    path = write(tmp_path, {"a.csv": "woorden,nr\nIJs,a7\n"}) / "a.csv"
    for asked in ([["nr"]], []):
        assert list(read_documents(path, choice=chosen_fields([], [], ["nr"], asked))) == [
            Document("a7", "", "IJs")
        ]


def test_of_several_names_for_one_part_a_file_needs_one(tmp_path: Path) -> None:
    choice = chosen_fields([], [], ["nr", "key"], [["nr", "key"]])
    path = write(tmp_path, {"a.jsonl": '{"key": "1", "text": "Ice"}\n'}) / "a.jsonl"
    assert list(read_documents(path, choice=choice)) == [Document("1", "", "Ice")]


def test_a_field_that_only_later_records_have_is_there(tmp_path: Path) -> None:
    lines = '{"id": "1", "text": "Ice"}\n{"id": "2", "tekst": "IJs"}\n'
    path = write(tmp_path, {"a.jsonl": lines}) / "a.jsonl"
    found = list(read_documents(path, choice=chosen_fields([], ["tekst"], [], [["tekst"]])))
    assert [each.text for each in found] == ["Ice", "IJs"]


def test_columns_are_not_chosen_of_documents_without_any(tmp_path: Path) -> None:
    path = write(tmp_path, {"a.trec": "<DOC><DOCNO>1</DOCNO><TEXT>Ice</TEXT></DOC>\n"}) / "a.trec"
    with refused(InputError, "a.trec"):
        list(read_documents(path, choice=CHOICE))


def test_of_a_folder_each_file_with_columns_needs_those_that_are_chosen(tmp_path: Path) -> None:
    folder = write(tmp_path, {"a.csv": FILES["a.csv"], "b.html": "<p>Ice", "c.txt": "no columns"})
    assert [each.document_id for each in read_documents(folder, choice=CHOICE)] == ["a7", "a8", "b", "c"]
    write(tmp_path, {"d.csv": "id,text\n1,Ice\n"})
    with pytest.raises(InputError) as caught:
        list(read_documents(folder, choice=CHOICE))
    assert says(str(caught.value).replace(str(tmp_path) + "/", ""), "d.csv")
