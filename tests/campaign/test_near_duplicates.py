"""Near duplicates are found when texts or pairs come, among the documents of one topic, and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import write_run
from workbench.campaign import near_duplicates as stage
from workbench.campaign.ingest import add_documents, add_runs, fetch_missing_texts
from workbench.campaign.near_duplicates import find_near_duplicates, html_words, words_to_compare
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Document
from workbench.formats.documents.reading import read_documents
from workbench.methods.text import duplicates
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import near_duplicates
from workbench.storage.campaign.log import log

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


def test_a_pool_that_grows_lets_clusters_grow(with_run: Campaign, tmp_path: Path) -> None:
    add_documents(with_run.by("Olga"), [written(tmp_path / "d.jsonl", **TEXTS)], keep_all=True)
    add_pool(with_run.by("Olga"), depth=2)
    assert clusters(with_run) == {"1": {"a": "a", "b": "a"}, "2": {"c": "c", "d": "c"}}
    add_pool(with_run.by("Olga"), depth=4)
    assert clusters(with_run) == FOUND


def test_only_topics_where_something_came_are_looked_at(with_run: Campaign, tmp_path: Path) -> None:
    looked_at: list[tuple[int, int, str]] = []

    def on_topic(*step: object) -> None:
        looked_at.append(step)  # type: ignore[arg-type]

    add_pool(with_run.by("Olga"), depth=4, on_topic=on_topic)
    assert looked_at == []
    first = written(tmp_path / "first.jsonl", a=RIVER, c=LAKE)
    add_documents(with_run.by("Olga"), [first], on_topic=on_topic)
    assert looked_at == [(0, 2, "topic 1"), (1, 2, "topic 2")]
    looked_at.clear()
    second = written(tmp_path / "second.jsonl", b=RIVER, a="another text, which is not taken")
    add_documents(with_run.by("Olga"), [second], on_topic=on_topic)
    assert looked_at == [(0, 1, "topic 1")]
    looked_at.clear()
    find_near_duplicates(with_run, on_topic=on_topic)
    fetch_missing_texts(with_run, on_topic=on_topic)
    add_pool(with_run.by("Olga"), depth=4, on_topic=on_topic)
    assert looked_at == []


def test_topics_that_are_named_are_looked_at_again(with_run: Campaign, tmp_path: Path) -> None:
    add_documents(with_run.by("Olga"), [written(tmp_path / "d.jsonl", **TEXTS)], keep_all=True)
    add_pool(with_run.by("Olga"), depth=4)
    with with_run.write():
        near_duplicates.put(with_run, "1", [], texts=4)
        near_duplicates.put(with_run, "2", [], texts=3)
    find_near_duplicates(with_run)
    assert clusters(with_run) == NOTHING
    find_near_duplicates(with_run, ["2"])
    assert clusters(with_run) == {"1": {}, "2": FOUND["2"]}


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


def test_a_document_of_several_topics_is_read_once(
    with_run: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []

    def noting(document: Document) -> str:
        read.append(document.document_id)
        return words_to_compare(document)

    add_documents(with_run.by("Olga"), [written(tmp_path / "d.jsonl", **TEXTS)], keep_all=True)
    monkeypatch.setattr(stage, "words_to_compare", noting)
    add_pool(with_run.by("Olga"), depth=4)
    assert sorted(read) == ["a", "b", "c", "d", "e"]


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


def test_nothing_of_it_is_in_the_log(with_run: Campaign, tmp_path: Path) -> None:
    add_documents(with_run.by("Olga"), [written(tmp_path / "d.jsonl", **TEXTS)], keep_all=True)
    add_pool(with_run.by("Olga"), depth=4)
    before = log.head(with_run)
    find_near_duplicates(with_run, ["1", "2"])
    assert log.head(with_run) == before


@pytest.mark.parametrize(
    "html",
    [
        "<p>The frozen river</p><p>broke up.</p>",
        "<div>The <b>fro</b>zen<!-- not --> river<br>broke&nbsp;up.</div>",
        "<title>Ice</title><style>p {color: red}</style><h1>The frozen river</h1>broke up.<script>let a = 1</script>",
        "<table><tr><td>The frozen<td>river<tr><td>broke<td>up.</table>",
        "<html><head><title>Ice</title></head><body onload='x()'>The frozen river <a href='x'>broke up</a>.</body>",
    ],
)
def test_of_html_the_words_count_and_not_the_tags(html: str) -> None:
    page = words_to_compare(Document("d", "Ice", html, "text/html"))
    assert page.replace(".", "").replace("\xa0", " ").split() == [
        "Ice",
        "The",
        "frozen",
        "river",
        "broke",
        "up",
    ]


def test_what_looks_like_a_tag_in_the_text_of_a_page_is_text() -> None:
    assert html_words("<p>if a &lt;b&gt; c &amp;amp; d</p>").split() == ["if", "a", "<b>", "c", "&amp;", "d"]


@pytest.mark.parametrize("media_type", ["text/plain", "text/markdown"])
def test_other_texts_count_as_they_are(media_type: str) -> None:
    assert words_to_compare(Document("d", "Ice", "a <b> c", media_type)) == "Ice\na <b> c"


def test_an_image_that_markdown_holds_is_no_word_of_it() -> None:
    markdown = Document("d", "Ice", "a ![b](data:image/png;base64,AAAA) c", "text/markdown")
    assert words_to_compare(markdown) == "Ice\na ![b]() c"


def test_documents_without_a_text_are_no_duplicates_even_with_one_title() -> None:
    assert words_to_compare(Document("d", "Untitled", " \n")) == ""
    assert words_to_compare(Document("d", "Untitled", "<p>&nbsp;</p><script>x</script>", "text/html")) == ""


def test_another_title_makes_a_short_text_another(with_run: Campaign, tmp_path: Path) -> None:
    lines = [
        {"id": "a", "title": "Ice", "text": "It broke."},
        {"id": "b", "title": "Snow", "text": "It broke."},
    ]
    path = tmp_path / "d.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    add_documents(with_run.by("Olga"), [str(path)], keep_all=True)
    add_pool(with_run.by("Olga"), depth=4)
    assert clusters(with_run) == NOTHING


def shingles_by_hand(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return set(zip(*(words[place:] for place in range(5)), strict=False))


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


@pytest.mark.data
def test_the_most_similar_abstracts_of_cranfield_are_no_near_duplicates(data_folder: Path) -> None:
    path = data_folder / "cranfield/trec-xml/cran.all.1400.xml"
    texts = {row.document_id: words_to_compare(row) for row in read_documents(str(path))}
    one, other = (shingles_by_hand(texts[document_id]) for document_id in ("1274", "1319"))
    assert 0.6 < len(one & other) / len(one | other) < 0.8
    assert clusters_of_texts({name: texts[name] for name in ("1274", "1319")}) == []
