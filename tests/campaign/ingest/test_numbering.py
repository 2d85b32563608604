"""Lines of runs become packed rankings: ordered once, numbered per topic, vocabularies that only grow."""

from __future__ import annotations

import polars as pl
import pytest
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


def test_documents_are_ordered_by_score_and_ties_by_id_descending() -> None:
    packed = pack_runs([frame(("1", "a", 2.0), ("1", "c", 3.0), ("1", "b", 2.0), ("10", "a", 1.0))], {})
    vocabularies = grown({}, packed.new_documents)
    assert vocabularies == {"1": ["a", "b", "c"], "10": ["a"]}
    assert unpacked(packed.runs[0], vocabularies) == [
        ("1", "c", 3.0),
        ("1", "b", 2.0),
        ("1", "a", 2.0),
        ("10", "a", 1.0),
    ]


def test_a_later_run_appends_its_new_documents_and_keeps_the_old_numbers() -> None:
    old = {"1": ["b", "z"]}
    packed = pack_runs([frame(("1", "a", 3.0), ("1", "z", 2.0), ("2", "q", 1.0))], old)
    assert packed.new_documents == {"1": (2, ["a"]), "2": (0, ["q"])}
    assert unpack_documents(packed.runs[0].rankings[0][1]).tolist() == [2, 1]


def test_a_vocabulary_may_know_documents_that_the_run_lacks() -> None:
    packed = pack_runs([frame(("1", "m", 3.0))], {"1": ["x", "y", "z"]})
    assert packed.new_documents == {"1": (3, ["m"])}


def test_two_runs_with_the_same_rankings_have_the_same_checksum_and_others_do_not() -> None:
    lines = [("1", "a", 2.0), ("1", "b", 1.0)]
    other = [("1", "a", 2.0), ("1", "b", 1.5)]
    first, second, third = pack_runs([frame(*lines), frame(*reversed(lines)), frame(*other)], {}).runs
    assert first.sha256 == second.sha256 != third.sha256


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


def test_no_runs_are_packed_to_nothing() -> None:
    assert pack_runs([], {}) == ([], {})


def test_a_number_never_means_two_documents() -> None:
    packed = pack_runs([frame(("1", "a", 1.0)), frame(("1", "b", 1.0))], {"1": ["c", "b"]})
    assert packed.new_documents == {"1": (2, ["a"])}
    numbers = [unpack_documents(run.rankings[0][1]).tolist() for run in packed.runs]
    assert numbers == [[2], [1]]


@pytest.mark.parametrize("topic_id", ["007", "٣", "a b".replace(" ", "\u00a0")])
def test_topic_ids_stay_text_in_any_script(topic_id: str) -> None:
    packed = pack_runs([frame((topic_id, "d", 1.0))], {})
    assert packed.runs[0].rankings[0][0] == topic_id
