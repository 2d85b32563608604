"""Lines of runs become packed rankings: ordered once, numbered per topic, vocabularies that only grow."""

from __future__ import annotations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from workbench.campaign.ingest.numbering import PackedRun, pack_runs
from workbench.storage.campaign.collection.ranking_blobs import unpack_documents, unpack_scores

Line = tuple[str, str, float]


def frame(*lines: Line) -> pl.DataFrame:
    schema = {"topic_id": pl.String, "document_id": pl.String, "score": pl.Float64}
    return pl.DataFrame(list(lines), schema=schema, orient="row")


def unpacked(run: PackedRun, vocabularies: dict[str, list[str]]) -> list[Line]:
    return [
        (topic_id, vocabularies[topic_id][number], score)
        for topic_id, documents, scores in run.rankings
        for number, score in zip(
            unpack_documents(documents).tolist(), unpack_scores(scores).tolist(), strict=True
        )
    ]


def grown(old: dict[str, list[str]], new: dict[str, tuple[int, list[str]]]) -> dict[str, list[str]]:
    result = {topic_id: list(ids) for topic_id, ids in old.items()}
    for topic_id, (first, ids) in new.items():
        assert first == len(result.get(topic_id, []))
        result.setdefault(topic_id, []).extend(ids)
    return result


ids = st.text(st.characters(exclude_categories=("Cs", "Z", "C")), min_size=1, max_size=3)
runs = st.lists(
    st.dictionaries(st.tuples(ids, ids), st.sampled_from([0.0, -0.0, 1.0, 2.5, float("inf")]), min_size=1),
    min_size=1,
    max_size=3,
)


@given(runs, runs)
def test_what_is_unpacked_is_what_was_packed_in_the_one_order(first: list, second: list) -> None:
    vocabularies: dict[str, list[str]] = {}
    for batch in (first, second):
        frames = [frame(*((*pair, score) for pair, score in run.items())) for run in batch]
        packed = pack_runs(frames, vocabularies)
        vocabularies = grown(vocabularies, packed.new_documents)
        for run, result in zip(batch, packed.runs, strict=True):
            lines = [(*pair, score) for pair, score in run.items()]
            lines.sort(key=lambda line: line[1].encode(), reverse=True)
            lines.sort(key=lambda line: (line[0].encode(), -line[2]))
            assert unpacked(result, vocabularies) == lines
