"""Near duplicates are found when texts or pairs come, among the documents of one topic, and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import write_run
from workbench.campaign import near_duplicates as stage
from workbench.campaign.ingest import add_documents, add_runs, fetch_missing_texts
from workbench.campaign.near_duplicates import find_near_duplicates, words_to_compare
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Document
from workbench.formats.documents.reading import read_documents
from workbench.methods.text import duplicates
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import near_duplicates

RIVER = "The frozen river broke up in March, two weeks before the lake did."
LAKE = "The lake was open in May; until then nobody went out on the ice."
TEXTS = {"a": RIVER, "b": RIVER.upper(), "c": LAKE, "d": f"{LAKE} ", "e": RIVER}
RANKINGS = {"1": "a b c e", "2": "c d a"}


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Campaign]:
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga") as campaign:
        yield campaign


@pytest.fixture
def with_run(empty: Campaign, tmp_path: Path) -> Campaign:
    """One run of two topics; a, b and e say the same, and so do c and d."""
    add_runs(empty.by("Olga"), [write_run(tmp_path / "a.run", "a", RANKINGS)])
    return empty


def clusters_of_texts(texts: dict[str, str]) -> list[tuple[str, ...]]:
    signatures = {document_id: duplicates.sign(text) for document_id, text in texts.items()}
    return duplicates.clusters(signatures, lambda document_id: duplicates.shingles_of(texts[document_id]))


def written(path: Path, **texts: str) -> str:
    lines = [json.dumps({"id": name, "text": text}) + "\n" for name, text in texts.items()]
    path.write_text("".join(lines), encoding="utf-8")
    return str(path)


def clusters(campaign: Campaign) -> dict[str, dict[str, str]]:
    return {topic_id: near_duplicates.of_topic(campaign, topic_id) for topic_id in RANKINGS}


FOUND = {"1": {"a": "a", "b": "a", "e": "a"}, "2": {"c": "c", "d": "c"}}
NOTHING: dict[str, dict[str, str]] = {"1": {}, "2": {}}


def test_a_pool_over_stored_texts_finds_them(with_run: Campaign, tmp_path: Path) -> None:
    add_documents(with_run.by("Olga"), [written(tmp_path / "d.jsonl", **TEXTS)], keep_all=True)
    assert clusters(with_run) == NOTHING
    add_pool(with_run.by("Olga"), depth=4)
    assert clusters(with_run) == FOUND


def test_texts_that_come_after_the_pool_are_compared(with_run: Campaign, tmp_path: Path) -> None:
    add_pool(with_run.by("Olga"), depth=4)
    add_documents(with_run.by("Olga"), [written(tmp_path / "d.jsonl", **TEXTS)])
    assert clusters(with_run) == FOUND


def test_texts_that_are_fetched_are_compared(with_run: Campaign, tmp_path: Path) -> None:
    add_documents(with_run.by("Olga"), [written(tmp_path / "d.jsonl", **TEXTS)])
    add_pool(with_run.by("Olga"), depth=4)
    assert clusters(with_run) == NOTHING
    fetch_missing_texts(with_run)
    assert clusters(with_run) == FOUND


def test_what_was_interrupted_is_done_the_next_time(
    with_run: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*anything: object) -> None:
        raise KeyboardInterrupt

    add_documents(with_run.by("Olga"), [written(tmp_path / "d.jsonl", **TEXTS)], keep_all=True)
    monkeypatch.setattr(stage, "words_to_compare", interrupted)
    with pytest.raises(KeyboardInterrupt):
        add_pool(with_run.by("Olga"), depth=4)
    assert clusters(with_run) == NOTHING
    monkeypatch.undo()
    find_near_duplicates(with_run)
    assert clusters(with_run) == FOUND


def test_few_shingles_in_memory_give_the_same_clusters(
    with_run: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [f"w{number}" for number in range(60)]
    texts = {
        name: " ".join([*words[:place], "new", *words[place + 1 :]])
        for name, place in {"a": 20, "b": 21, "c": 22, "e": 23}.items()
    }
    monkeypatch.setattr(stage, "KEPT_BYTES", 0)
    add_documents(with_run.by("Olga"), [written(tmp_path / "d.jsonl", **texts)], keep_all=True)
    add_pool(with_run.by("Olga"), depth=4)
    assert near_duplicates.of_topic(with_run, "1") == dict.fromkeys("abce", "a")


def test_an_image_that_markdown_holds_is_no_word_of_it() -> None:
    markdown = Document("d", "Ice", "a ![b](data:image/png;base64,AAAA) c", "text/markdown")
    assert words_to_compare(markdown) == "Ice\na ![b]() c"


@pytest.mark.data
@pytest.mark.parametrize(
    "path",
    [
        pytest.param("cranfield/trec-xml/cran.all.1400.xml", marks=pytest.mark.slow),
        "wows/spot-check/corpus.jsonl.gz",
    ],
)
def test_in_real_texts_exactly_the_altered_copies_are_found(data_folder: Path, path: str) -> None:
    """The collections have no near duplicates of their own; a copy of a long text without one word is one."""
    texts = {row.document_id: words_to_compare(row) for row in read_documents(str(data_folder / path))}
    assert clusters_of_texts(texts) == []
    long = [document_id for document_id in texts if len(texts[document_id].split()) > 100]
    for document_id in long:
        words = texts[document_id].split()
        texts[f"{document_id} copy"] = " ".join(words[:50] + words[51:])
    assert len(long) > 60
    assert clusters_of_texts(texts) == sorted((document_id, f"{document_id} copy") for document_id in long)


def test_a_text_that_is_added_meanwhile_is_compared_too(with_run: Campaign, tmp_path: Path) -> None:
    add_pool(with_run.by("Olga"), depth=4)
    rest = {name: text for name, text in TEXTS.items() if name != "e"}
    late = written(tmp_path / "late.jsonl", e=RIVER)
    looked_at = []

    def on_topic(done: int, total: int, now: str) -> None:
        looked_at.append(now)
        if len(looked_at) == 2:
            # Topic 1 has been read by now; this other connection finds nothing of topic 2 to change.
            with open_campaign(with_run.path) as other:
                add_documents(other.by("Otto"), [late])

    add_documents(with_run.by("Olga"), [written(tmp_path / "d.jsonl", **rest)], on_topic=on_topic)
    assert looked_at == ["topic 1", "topic 2", "topic 1"]
    assert clusters(with_run) == FOUND
