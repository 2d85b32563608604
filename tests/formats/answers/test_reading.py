"""The form of a run of answers is recognised, and every fault is said with file, line and field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sentences import refused, says
from workbench.core.errors import InputError
from workbench.core.findings import KINDS
from workbench.formats.answers.forms import FORMS, characters, words
from workbench.formats.answers.reading import Citation, Sentence, read_answers

MARCO = "msmarco_v2.1_doc_00_1#0_1", "msmarco_v2.1_doc_00_2#0_1"
SHARD = "shard_3_90", "shard_7_12"
PMIDS = "123", "45"
NEUCLIR = "47601789-65d8-4706-9bde-fc89fccfdf14_1", "47601789-65d8-4706-9bde-fc89fccfdf14_2"


def rag26(topic: Any = "17", **more: Any) -> dict[str, Any]:
    run = {"team_id": "uni", "run_id": "best", "narrative": "How do …", "run_desc": "small"}
    sentences = [
        {"text": "Reefs recover slowly.", "citations": [0]},
        {"text": "Cooler years help.", "citations": [1, 0]},
    ]
    return {
        "metadata": {**run, "narrative_id": topic},
        "references": list(SHARD),
        "answer": sentences,
        **more,
    }


def of_form(name: str, topic: str = "17") -> dict[str, Any]:
    """A record that each form takes."""
    form = FORMS[name]
    documents = (
        SHARD if name == "rag26" else PMIDS if "biogen" in name else NEUCLIR if "ragtime" in name else MARCO
    )
    fields = {**dict.fromkeys(form.required, "x"), "run_id": "best"}
    fields[form.topic] = topic
    cited: Any = {"places": [1, 0], "ids": [documents[1], documents[0]]}.get(form.citations[0])
    if cited is None:
        cited = {documents[0]: 3, documents[1]: 80.5}
    inside = {form.inside: fields} if form.inside else fields
    sentence = {"text": "A b.", **{field: [] for field in form.cites}, form.cites[0]: cited}
    return {**inside, "references": list(documents), form.sentences: [sentence]}


def written(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    return path


@pytest.mark.parametrize("name", FORMS)
def test_a_run_of_each_form_is_read_without_a_finding_the_most_important_citation_first(
    name: str, tmp_path: Path
) -> None:
    read = read_answers(written(tmp_path / "a.jsonl", of_form(name), of_form(name, "18")), name)
    assert (read.run, [answer.topic_id for answer in read.answers], read.findings.counts) == (
        "best",
        ["17", "18"],
        {},
    )
    (sentence,) = read.answers[0].sentences
    assert [each.document_id for each in sentence.citations] == [
        read.answers[0].references[place] for place in (1, 0)
    ]


@pytest.mark.parametrize("name", [name for name in FORMS if "ragtime" not in name])
def test_the_form_is_told_by_fields_ids_and_citations(name: str, tmp_path: Path) -> None:
    assert read_answers(written(tmp_path / "a.jsonl", of_form(name))).form == name


def test_between_two_forms_that_fit_nothing_is_guessed(tmp_path: Path) -> None:
    with refused(InputError, "a.jsonl:1", "ragtime25", "ragtime26"):
        read_answers(written(tmp_path / "a.jsonl", of_form("ragtime25")))


def test_a_record_of_no_form_is_told_what_the_nearest_has(tmp_path: Path) -> None:
    record = rag26()
    del record["metadata"]["run_desc"]
    with refused(InputError, "a.jsonl:1", "metadata.run_desc", "--form rag26"):
        read_answers(written(tmp_path / "a.jsonl", record))


def test_a_form_that_is_not_known_is_answered_with_those_that_are(tmp_path: Path) -> None:
    with refused(InputError, "rag27", "rag26"):
        read_answers(written(tmp_path / "a.jsonl", rag26()), "rag27")


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with refused(InputError, "a.jsonl"):
        read_answers(written(tmp_path / "a.jsonl"))


def test_places_ids_and_weights_become_documents(tmp_path: Path) -> None:
    def cited(name: str, citations: Any) -> Sentence:
        record = of_form(name)
        record[FORMS[name].sentences][0]["citations"] = citations
        return read_answers(written(tmp_path / "a.jsonl", record), name).answers[0].sentences[0]

    assert cited("rag25", [1]).citations == (Citation(MARCO[1]),)
    assert cited("rag25", [MARCO[1], MARCO[1]]).citations == (Citation(MARCO[1]),)
    assert cited("ragtime26", {NEUCLIR[0]: 0.5, NEUCLIR[1]: 7}).citations == (
        Citation(NEUCLIR[1], 7.0),
        Citation(NEUCLIR[0], 0.5),
    )


def biogen(
    supported: list[Any], contradicted: list[Any], *, given: list[Any] | None = None, field: str = "answer"
) -> dict[str, Any]:
    """A record of BioGen's task A: a sentence with what supports and what contradicts it."""
    metadata = {"team_id": "uni", "run_id": "best", "qa_id": "116", "question": "Does it help?"}
    sentence = {"text": "It helps.", "supported_citations": supported, "contradicted_citations": contradicted}
    return {
        "metadata": {**metadata, "existing_supported_citations": ["7"]},
        field: [{**sentence, "existing_supported_citations": given}],
    }


@pytest.mark.parametrize("field", ["answer", "answers"])
def test_a_sentence_of_biogens_task_a_cites_for_and_against_itself(field: str, tmp_path: Path) -> None:
    read = read_answers(written(tmp_path / "a.jsonl", biogen([12, "13"], [14, 12], field=field)))
    assert (read.form, read.answers[0].topic_id, read.findings.counts) == ("biogen25-a", "116", {})
    assert read.answers[0].sentences[0].citations == (
        Citation("12"),
        Citation("13"),
        Citation("14", contradicts=True),
        Citation("12", contradicts=True),
    )


@pytest.mark.parametrize(
    ("kind", "field", "record"),
    [
        ("most-citations", "supported_citations", biogen([1, 2, 3, 4], [])),
        ("most-citations", "contradicted_citations", biogen([1], [2, 3, 4, 5])),
        ("cited-before", "supported_citations", biogen([1, 7], [])),
        ("cited-before", "supported_citations", biogen([1, 9], [], given=[9])),
        ("document", "contradicted_citations", biogen([1], [1.5])),
        ("citations", "supported_citations", biogen([1, None], [])),
        ("fields", "contradicted_citations", {**biogen([1], []), "answer": [
            {"text": "It helps.", "supported_citations": [1]}
        ]}),
    ],
)  # fmt: skip
def test_a_fault_of_biogens_task_a_is_said_with_its_field(
    kind: str, field: str, record: dict[str, Any], tmp_path: Path
) -> None:
    (problem,) = read_answers(written(tmp_path / "a.jsonl", record)).findings.problems
    assert (problem.kind, problem.line, KINDS[kind].refuses) == (kind, 1, True)
    assert says(str(problem), f"answer[0].{field}")


def test_what_was_given_may_be_cited_as_contradicting(tmp_path: Path) -> None:
    record = biogen([1], [7, 9], given=[9])
    assert read_answers(written(tmp_path / "a.jsonl", record)).findings.counts == {}


def sentences(*citations: Any) -> list[dict[str, Any]]:
    return [{"text": "A.", "citations": each} for each in citations]


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("fields", {"metadata": None}),
        ("fields", {"answer": [{"text": 3}]}),
        ("fields", {"answer": [*sentences([0, 1]), "A."]}),
        ("empty-sentence", {"answer": [*sentences([0, 1]), {"text": " "}]}),
        ("citations", {"answer": sentences([0, 1, 2])}),
        ("citations", {"answer": sentences([0, 1, -1])}),
        ("citations", {"answer": sentences([0, 1], {SHARD[0]: 1})}),
        ("citations", {"answer": sentences([0, 1, None])}),
        ("document", {"answer": sentences([0, 1]), "references": [*SHARD[:1], "msmarco"]}),
        ("references", {"answer": sentences([0, 1, "shard_9_9"])}),
        ("references", {"references": None}),
        ("length", {"answer": [{"text": "a " * 1_025, "citations": [0, 1]}]}),
        ("topic-twice", {}),
    ],
)
def test_a_fault_is_said_with_its_line_and_field(kind: str, change: dict[str, Any], tmp_path: Path) -> None:
    topic = "17" if kind == "topic-twice" else 18
    record = {name: value for name, value in {**rag26(topic), **change}.items() if value is not None}
    read = read_answers(written(tmp_path / "a.jsonl", rag26(), record), "rag26")
    (problem, *_) = [each for each in read.findings.problems if each.kind == kind]
    assert problem.line == 2
    assert KINDS[kind].refuses
    assert says("\n".join(map(str, read.findings.problems)), "a.jsonl:2")


@pytest.mark.parametrize(
    "change",
    [
        {"answer": []},
        {"references": [*SHARD, "shard_8_8"]},
        {"references": [*SHARD, SHARD[0]]},
        {"answer": sentences([0, 1], [0, 1, 2, 3]), "references": [*SHARD, "shard_8_8", "shard_9_9"]},
    ],
)
def test_what_the_task_takes_nevertheless_is_a_warning(change: dict[str, Any], tmp_path: Path) -> None:
    read = read_answers(written(tmp_path / "a.jsonl", rag26(**change)), "rag26")
    assert set(read.findings.counts) == {"tolerated"}
    assert says("\n".join(map(str, read.findings.problems)), "a.jsonl:1")


def test_all_records_are_of_one_run(tmp_path: Path) -> None:
    other = rag26("18")
    other["metadata"]["run_id"] = "another-run-of-24-letters"
    read = read_answers(written(tmp_path / "a.jsonl", rag26(), other), "rag26")
    assert [(problem.line, problem.kind) for problem in read.findings.problems] == [
        (2, "fields"),
        (2, "fields"),
    ]
    assert says("\n".join(map(str, read.findings.problems)), "another-run", "best", "20")


def test_topics_of_the_task_are_compared(tmp_path: Path) -> None:
    read = read_answers(
        written(tmp_path / "a.jsonl", rag26("17"), rag26("99")), "rag26", topics=["17", "18", "19"]
    )
    assert [(problem.line, problem.kind) for problem in read.findings.problems] == [
        (2, "unknown-topic"),
        (None, "missing-topics"),
    ]
    assert says("\n".join(map(str, read.findings.problems)), "'99'", "18", "19")


def test_length_is_counted_over_the_joined_sentences() -> None:
    assert words(["Reefs  recover", "slowly."]) == 3
    # "ﬁ" is one character that stands for two.
    assert characters(["ﬁn", "a"]) == 5


@pytest.mark.parametrize("name", FORMS)
def test_what_a_form_tolerates_are_kinds_that_refuse_elsewhere(name: str) -> None:
    assert all(KINDS[kind].refuses for kind in FORMS[name].tolerated)
