from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pytest

from workbench.core.errors import InputError
from workbench.core.records import TopicQrels
from workbench.formats.qrels import QrelsFile, read_qrels, write_qrels

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


def test_a_topic_that_begins_with_a_hash_is_reported() -> None:
    qrels = qrels_of(THREE + "#3 0 a 1\n")
    assert qrels.frame.rows() == ROWS
    assert [warning.line for warning in qrels.warnings] == [4]


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
