"""Files of judged support in the tracks' layouts: read, written, and refused with line and field."""

from __future__ import annotations

import gzip
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import refused
from workbench.core.errors import InputError, WorkbenchError
from workbench.formats.answers.support import LAYOUTS, VALUES, JudgedCitation, read_support
from workbench.formats.answers.support_written import WORDS, Texts, written_support


def written(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    return path


def rag24(**more: Any) -> dict[str, Any]:
    """Three sentences: two citations of which one was not understood, none, and four of which three are judged."""
    answer = [
        ("Reefs grow.", [0, 1], ["PS", None]),
        ("Slowly.", [], []),
        ("Fish help.", [3, 2, 1, 0], ["FS", "NS", "PS"]),
    ]
    return {
        "run_id": "best",
        "topic_id": "17",
        "references": ["d0", "d1", "d2", "d3"],
        "answer": [{"text": text, "citations": cited} for text, cited, _ in answer],
        "segments": {"d0": "…"},
        "support_eval": [
            {"answer": text, "citations": cited, "count": len(cited), "eval_scores": scores, "gpt-4o_responses": []}
            for text, cited, scores in answer
        ],
        **more,
    }  # fmt: skip


def rag25(place: int, text: str, document: str, output: str, **more: Any) -> dict[str, Any]:
    pair = {"answer_index": place, "statement": text, "citation_id": document, "support_output": output}
    return {"narrative_id": "17", "narrative": "Why …", **pair, "citation_doc": "…", **more}


def pairs(path: Path) -> list[tuple[Any, ...]]:
    """Place, document and value of each citation."""
    return [(each.place, each.document_id, each.value) for each in read_support(path).citations]


def test_rag_2024_has_whole_answers_with_scores_of_the_first_citations(tmp_path: Path) -> None:
    read = read_support(written(tmp_path / "a.jsonl", rag24()))
    assert read.whole
    assert read.citations[0] == JudgedCitation("best", "17", 0, "Reefs grow.", "d0", "partial")
    assert pairs(tmp_path / "a.jsonl") == [
        (0, "d0", "partial"),
        (0, "d1", None),
        (1, "", None),
        (2, "d3", "supports"),
        (2, "d2", "none"),
        (2, "d1", "partial"),
        (2, "d0", None),
    ]


def test_a_file_is_the_same_as_an_array_and_compressed(tmp_path: Path) -> None:
    plain = read_support(written(tmp_path / "a.jsonl", rag24(), rag24(topic_id="18")))
    array = tmp_path / "a.json.gz"
    array.write_bytes(gzip.compress(json.dumps([rag24(), rag24(topic_id="18")]).encode()))
    assert read_support(array) == plain


def test_rag_2025_has_pairs_and_the_label_between_the_last_tags(tmp_path: Path) -> None:
    file = written(
        tmp_path / "a.jsonl",
        rag25(
            1,
            "Slowly.",
            "d1",
            "<think>Full Support or <support>?</think><support> Partial Support\n</support>",
        ),
        rag25(0, "Reefs grow.", "d0", "<support>No Support</support><reasoning>no full support</reasoning>"),
        rag25(1, "Slowly.", "d2", "I cannot say: Full Support"),
        rag25(1, "Slowly.", "d3", "<support>Full Support or No Support</support>"),
    )
    assert not read_support(file).whole
    assert pairs(file) == [(1, "d1", "partial"), (0, "d0", "none"), (1, "d2", None), (1, "d3", None)]


@pytest.mark.parametrize("about", ["metadata", "meta_data"])
@pytest.mark.parametrize("field", ["answer", "answers"])
def test_biogens_labels_keep_apart_what_is_cited_against_a_sentence(
    about: str, field: str, tmp_path: Path
) -> None:
    sentence = {
        "text": "It helps.",
        "supported_citations": [1, 2, 4],
        "contradicted_citations": ["3", "1"],
        "supported_citations_labels": {"1": "Supports", "2": "Not relevant"},
        "contradicted_citations_labels": {"3": "Contradicts"},
    }
    record = {about: {"qa_id": "116", "run_id": "best"}, field: [sentence]}
    read = read_support(written(tmp_path / "a.json", record))
    assert [each[4:] for each in read.citations] == [
        ("1", "supports", False),
        ("2", "not relevant", False),
        ("4", None, False),
        ("3", "contradicts", True),
        ("1", "supports", True),
    ]


def test_biogens_judgments_are_a_table_of_pairs(tmp_path: Path) -> None:
    file = tmp_path / "judged.csv"
    file.write_text(
        "qid,answer_sentence,citation,judgement\n"
        '116,It helps.,"Title: A, b\nPMID: 12\nAbstract",Partially-supported\n'
        '116,It helps.,"PMID: 13",contradicted\n'
        '116,It helps.,"PMID: 14",\n'
    )
    assert pairs(file) == [
        ("It helps.", "12", "partial"),
        ("It helps.", "13", "contradicts"),
        ("It helps.", "14", None),
    ]


def test_biogen_2024_has_several_runs_and_the_strongest_evidence_of_a_document(tmp_path: Path) -> None:
    def evidence(document: str, relation: str | None) -> dict[str, Any]:
        return {"cited_pmid": document, "evidence_relation": relation}

    cited = [
        evidence("1", "neutral"),
        evidence("1", "supporting"),
        evidence("2", "not relevant"),
        evidence("3", None),
    ]
    answers = {
        "M1": {"answer_sentences": [{"answer_sentence": "A.", "citation_assessment": cited}]},
        "M2": {"answer_sentences": [{"answer_sentence": "B.", "citation_assessment": None}]},
    }
    file = written(tmp_path / "a.json", {"question_id": "7", "machine_generated_answers": answers})
    assert [(each.run, *each[4:6]) for each in read_support(file).citations] == [
        ("M1", "1", "supports"),
        ("M1", "2", "not relevant"),
        ("M1", "3", None),
        ("M2", "", None),
    ]


LABELLED = {
    "metadata": {"qa_id": "116"},
    "answer": [{"text": "A.", "supported_citations": [1], "contradicted_citations": []}],
}


@pytest.mark.parametrize(
    ("field", "record"),
    [
        ("topic_id", rag24(topic_id=None)),
        ("topic", rag24(topic_id="1 7")),
        ("topic", rag24(topic_id="")),
        ("references", rag24(references="d1")),
        ("answer", rag24(answer={})),
        ("answer[0].text", rag24(answer=["A."])),
        ("answer[0].citations", rag24(answer=[{"text": "Reefs grow.", "citations": [9]}])),
        ("answer[0].citations", rag24(answer=[{"text": "Reefs grow.", "citations": [int("9" * 4_000)]}])),
        ("answer[0].citations", rag24(answer=[{"text": "Reefs grow.", "citations": [True]}])),
        ("answer[0].citations", rag24(answer=[{"text": "Reefs grow.", "citations": [0]}])),
        ("support_eval", rag24(answer=[{"text": "Reefs grow.", "citations": [0, 1]}])),
        ("support_eval[0].eval_scores", rag24(support_eval=[{"answer": "Reefs grow.", "eval_scores": ["XS"]}])),
        ("support_eval[0].answer", rag24(support_eval=[{"eval_scores": []}])),
        ("support_eval[0].eval_scores", rag24(support_eval=[3])),
        ("", []),
        ("answer_index", rag25(-1, "A.", "d", "")),
        ("answer_index", rag25(10**400, "A.", "d", "")),
        ("statement", rag25(0, None, "d", "")),
        ("another text", rag25(0, "B.", "d1", "")),
        ("document", rag25(0, "A.", "d 1", "")),
        ("answer[0].supported_citations_labels", {**LABELLED, "answer": [
            {**LABELLED["answer"][0], "supported_citations_labels": [1]}
        ]}),
        ("machine_generated_answers", {"question_id": "7", "machine_generated_answers": 7}),
        ("answer_sentences", {"question_id": "7", "machine_generated_answers": {"M1": {}}}),
        ("citation_assessment", {"question_id": "7", "machine_generated_answers": {
            "M1": {"answer_sentences": [{"answer_sentence": "A.", "citation_assessment": True}]}
        }}),
    ],
)  # fmt: skip
def test_a_faulty_record_is_refused_with_line_and_field(field: str, record: Any, tmp_path: Path) -> None:
    first = rag24(topic_id="1")
    if isinstance(record, dict) and "answer_index" in record:
        first = rag25(0, "A.", "d", "")
    if isinstance(record, dict) and "question_id" in record:
        first = {"question_id": "1", "machine_generated_answers": {}}
    if isinstance(record, dict) and "metadata" in record:
        labels = {"supported_citations_labels": {}, **LABELLED["answer"][0]}
        first = {"metadata": {"qa_id": "1"}, "answer": [labels]}
    with refused(InputError, "a.jsonl:2", field):
        read_support(written(tmp_path / "a.jsonl", first, record))


def test_a_topic_twice_and_a_pair_judged_twice_are_refused(tmp_path: Path) -> None:
    with refused(InputError, "a.jsonl:2", "17"):
        read_support(written(tmp_path / "a.jsonl", rag24(), rag24()))
    yes, no = (rag25(0, "A.", "d1", f"<support>{label} Support</support>") for label in ("Full", "No"))
    with refused(InputError, "b.jsonl:3", "d1", "supports"):
        read_support(written(tmp_path / "b.jsonl", yes, yes, no))


def test_what_is_no_judged_support_is_refused(tmp_path: Path) -> None:
    with refused(InputError, "a.jsonl", "support_eval"):
        read_support(written(tmp_path / "a.jsonl", {"qid": "1"}))
    with refused(InputError, "b.jsonl"):
        read_support(written(tmp_path / "b.jsonl", rag24(answer=[], support_eval=[])))


@st.composite
def files(draw: st.DrawFn) -> tuple[str, list[JudgedCitation]]:
    """A layout, and citations that it can say."""
    layout = draw(st.sampled_from(sorted(WORDS)))
    values = st.sampled_from(sorted(WORDS[layout], key=str))
    found = []
    for run in ("",) if layout == "rag25" else ("x", "y"):
        for topic in draw(st.sets(st.sampled_from(["1", "2"]), min_size=1)):
            for place in range(draw(st.integers(1, 3))):
                text = draw(st.sampled_from(["A.", "B c.", "„É”\u2028"]))
                cited = draw(
                    st.dictionaries(st.sampled_from(["1", "2", "3"]), st.tuples(values, st.booleans()))
                )
                for document, (value, against) in cited.items():
                    found.append(
                        JudgedCitation(
                            run, topic, place, text, document, value, against and "biogen" in layout
                        )
                    )
                if not cited and layout != "rag25":
                    found.append(JudgedCitation(run, topic, place, text, "", None))
    return layout, found


@given(files())
def test_what_is_written_is_read_again(file: tuple[str, list[JudgedCitation]]) -> None:
    layout, citations = file
    lines = list(written_support(citations, layout))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        path.write_text("".join(lines), encoding="utf-8")
        if citations:
            read = read_support(path)
            assert sorted(read.citations, key=str) == sorted(citations, key=str)
            assert list(written_support(read.citations, layout)) == lines


GOOD = [
    rag24(),
    rag25(0, "A.", "d1", "<support>Full Support</support>"),
    {**LABELLED, "answer": [{**LABELLED["answer"][0], "supported_citations_labels": {"1": "Supports"}}]},
    {
        "question_id": "7",
        "machine_generated_answers": {
            "M1": {
                "answer_sentences": [
                    {
                        "answer_sentence": "A.",
                        "citation_assessment": [{"cited_pmid": "1", "evidence_relation": "neutral"}],
                    }
                ]
            }
        },
    },
]
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 10**20) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=3,
)


def changed(value: Any, draw: Any) -> Any:
    """The value with something else in one place, at any depth."""
    if isinstance(value, dict | list) and value and draw(st.booleans()):
        place = draw(st.sampled_from([*value] if isinstance(value, dict) else range(len(value))))
        copy = value.copy()
        copy[place] = changed(value[place], draw)
        return copy
    return draw(anything)


@given(st.data())
def test_whatever_stands_in_a_record_it_is_read_or_refused(data: st.DataObject) -> None:
    record = data.draw(st.sampled_from(GOOD))
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder) / "a.jsonl", record, *(changed(record, data.draw) for _ in range(3)))
        try:
            assert read_support(path).citations
        except InputError as error:
            assert all(problem.line in {2, 3, 4} for problem in error.problems)


def test_rag_2024_is_written_with_the_fields_of_the_track() -> None:
    cited = [JudgedCitation("best", "17", 0, "Reefs grow.", "d0", "partial")]
    (line,) = written_support(cited, "rag24", Texts({"17": "How …"}, {"d0": "Title: text"}))
    assert json.loads(line) == {
        "run_id": "best",
        "topic_id": "17",
        "topic": "How …",
        "references": ["d0"],
        "response_length": 2,
        "answer": [{"text": "Reefs grow.", "citations": [0]}],
        "segments": {"d0": "Title: text"},
        "support_eval": [{"answer": "Reefs grow.", "citations": [0], "count": 1, "eval_scores": ["PS"]}],
    }


@pytest.mark.parametrize("layout", WORDS)
def test_a_value_without_a_word_in_the_layout_is_not_written_as_another(layout: str) -> None:
    for value in [each for each in VALUES if each not in WORDS[layout]]:
        with refused(WorkbenchError, layout, value):
            list(written_support([JudgedCitation("x", "1", 0, "A.", "d", value)], layout))


def test_every_layout_that_is_written_is_read() -> None:
    assert WORDS.keys() < LAYOUTS.keys()
