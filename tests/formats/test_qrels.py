from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import polars as pl
import pytest

from tests.sentences import says
from workbench.core.errors import InputError
from workbench.core.records import TopicQrels
from workbench.formats.qrels import QrelsFile, read_qrels, write_qrels
from workbench.formats.text.commands import command

THREE = "1 0 a 1\n1 0 b 0\n2 0 a -1\n"
ROWS = [("1", "a", 1), ("1", "b", 0), ("2", "a", -1)]


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def qrels_of(text: str | bytes) -> QrelsFile:
    Path("a.qrels").write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_qrels("a.qrels")


def by_topic(rows: Iterable[tuple[str, str, int]]) -> Iterator[TopicQrels]:
    for topic_id, of_one in groupby(rows, key=itemgetter(0)):
        _, document_ids, grades = zip(*of_one, strict=True)
        yield TopicQrels(topic_id, document_ids, grades)


def refusal(text: str | bytes) -> list[str]:
    with pytest.raises(InputError) as caught:
        qrels_of(text)
    return str(caught.value).splitlines()


def test_qrels_are_read_with_their_source_and_rows() -> None:
    qrels = qrels_of(THREE)
    assert (qrels.file, qrels.source.size, qrels.warnings) == ("a.qrels", len(THREE), ())
    assert qrels.frame.rows() == ROWS
    assert qrels.frame.schema == {"topic_id": pl.String, "document_id": pl.String, "grade": pl.Int64}


@pytest.mark.parametrize(
    "text",
    [
        THREE.replace(" ", "\t"),
        THREE.replace("\n", " \r\n"),
        "\ufeff" + THREE,
        "\n# one\n# two\n" + THREE.replace("\n", "\n\n") + "# last",
        THREE.rstrip(),
        gzip.compress(THREE.encode(), mtime=0),
    ],
)
def test_the_layout_of_the_lines_does_not_matter(text: str | bytes) -> None:
    assert qrels_of(text).frame.rows() == ROWS


def test_lines_are_numbered_with_blank_lines_and_comments() -> None:
    assert qrels_of("# one\n\n" + THREE).line_of(1) == 4


def test_a_grade_that_is_no_whole_number_is_refused() -> None:
    assert says("\n".join(refusal(THREE + "2 0 b 0.5\n")))


def test_a_pair_judged_twice_is_refused_even_with_the_same_grade() -> None:
    twice = "a.qrels:4: document 'b' is listed twice in topic '1', first at line 2; keep one of the two lines"
    first, way_out = refusal(THREE + "1 0 b 0\n")
    assert (first, command("qrels with repeated lines") in way_out) == (twice, True)
    assert refusal(THREE + "1 0 b 1\n") == [twice]  # which grade holds, no command knows


@pytest.mark.parametrize(
    "text",
    [
        "q\td\tg\n1\ta\t1\n",
        "1 0 a 425 1\n1 0 b 425 0\n",
        "1 a 1\n",
        "1 Q0 a 1 2.5 t\n",
        '[{"1": 1}]',
        "",
        "# nothing\n",
        b"\0",
    ],
)
def test_another_format_is_refused_for_what_it_is(text: str | bytes) -> None:
    [problem] = refusal(text)
    assert says(problem)


def test_a_topic_that_begins_with_a_hash_is_reported() -> None:
    qrels = qrels_of(THREE + "#3 0 a 1\n")
    assert qrels.frame.rows() == ROWS
    assert [warning.line for warning in qrels.warnings] == [4]


def test_qrels_are_written_in_four_columns_and_read_back() -> None:
    write_qrels("out.qrels", by_topic(ROWS))
    assert Path("out.qrels").read_text() == THREE
    assert read_qrels("out.qrels").frame.rows() == ROWS


@pytest.mark.parametrize("wrong", [("#1", "a", 1), ("1", "a b", 1), ("1", "", 1)])
def test_what_could_not_be_read_again_is_not_written(wrong: tuple[str, str, int]) -> None:
    with pytest.raises(InputError, match=r"^out\.qrels: "):
        write_qrels("out.qrels", by_topic([("1", "a", 1), wrong]))
    assert not Path("out.qrels").exists()


FIVE_COLUMNS = "this looks like qrels with a stratum or a second grade"
VERDICTS: dict[str, int | str] = {
    "qrels.adhoc.401-450.txt.gz": 86830,
    "qrels.backgroundlinking18.txt": 8508,
    "qrels.beir-v1.0.0-nfcorpus.test.txt": 12334,
    "qrels.beir-v1.0.0-scifact.test.txt": 339,
    "qrels.bright-leetcode.txt": 262,
    "qrels.car17v2.0.benchmarkY1test.txt": 6192,
    "qrels.ciral-v1.0-yo-test-a-pools.tsv": 8311,
    "qrels.ciral-v1.0-yo-test-a.tsv": 1921,
    "qrels.clef06fr.txt": 17882,
    "qrels.core17.txt.gz": 30030,
    "qrels.dl19-passage.txt": 9260,
    "qrels.dl21-doc-msmarco-v2.1.txt": 10973,
    "qrels.dummy.txt": 4,
    "qrels.hc4-v1.0-zh.test.txt": 2751,
    "qrels.microblog2011.txt.gz": 60129,
    "qrels.miracl-v1.0-de-dev.tsv": 3144,
    "qrels.miracl-v1.0-ko-dev.tsv": 3057,
    "qrels.misinfo2019.dyneval-5col.txt.gz": FIVE_COLUMNS,
    "qrels.mmeb-visdoc-ViDoRe_esg_reports_human_labeled_v2.test.txt": 128,
    "qrels.web.51-100.txt": 25329,
}
"""Our verdict on every qrels file in the wild: how many judgments it has, or why it is refused."""


@pytest.mark.data
def test_every_qrels_file_in_the_wild_has_a_verdict(data_folder: Path) -> None:
    assert {path.name for path in (data_folder / "formats").glob("qrels*")} == set(VERDICTS)


@pytest.mark.data
@pytest.mark.parametrize("name", VERDICTS)
def test_qrels_in_the_wild_are_read_or_refused_with_the_right_reason(data_folder: Path, name: str) -> None:
    verdict = VERDICTS[name]
    if isinstance(verdict, int):
        qrels = read_qrels(data_folder / "formats" / name)
        assert qrels.frame.height == verdict
        assert qrels.warnings == ()
    else:
        with pytest.raises(InputError, match=verdict):
            read_qrels(data_folder / "formats" / name)


OTHERS: dict[str, int | str] = {
    "agreement/qrels.rag25.test.txt": 10284,
    "agreement/qrels.rag25.test-umbrela2.txt": 10284,
    "cranfield/trec-xml/cranqrel.trec.txt": 1837,
    "robust03/qrels.txt": 128796,
    "wows/spot-check/qrels.txt": 113,
    "nist/test/qrels.test": 3681,
    "nist/test/qrels.test.with-comments": 3681,
    "nist/test/qrels.comment.test": 5890,
    "nist/test/qrels.rel_level": 3681,
    "nist/test/qrels-302.test": 1061,
    "nist/test/qrels.123": "listed twice",
    "cranfield/cranqrel": "the second column of qrels is missing",
    "formats-ntcir/geotime-M-JA-JA-01-D": "XML or SGML",
    "formats-ntcir/pyntcireval/sample.rel": "2 columns, but qrels have four columns",
    "robust03/runs/humR03dc.txt.gz": "this looks like a run",
    "wows/manual.csv": "is listed twice in topic '6', first at line 25",
}


@pytest.mark.data
@pytest.mark.parametrize("name", OTHERS)
def test_other_real_qrels_are_read_or_refused_with_the_right_reason(data_folder: Path, name: str) -> None:
    verdict = OTHERS[name]
    if isinstance(verdict, int):
        assert read_qrels(data_folder / name).frame.height == verdict
    else:
        with pytest.raises(InputError, match=verdict):
            read_qrels(data_folder / name)


@pytest.mark.data
def test_all_qrels_that_the_reference_program_reads_are_read(data_folder: Path) -> None:
    paths = sorted(data_folder.glob("golden/*/qrels.txt"))
    assert paths
    for path in paths:
        assert read_qrels(path).frame.height == len(path.read_bytes().split()) / 4
