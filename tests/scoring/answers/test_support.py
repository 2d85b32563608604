"""Judged support becomes scores of runs: by hand, with bounds, in any order of the files."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sentences import refused, says
from workbench.core.errors import InputError
from workbench.formats.answers.support import JudgedCitation
from workbench.formats.answers.support_written import written_support
from workbench.scoring.answers.forms import score_answers
from workbench.scoring.answers.scored import ScoredRun

LABELS = {"F": "supports", "P": "partial", "N": "none", "?": None}


def citations(run: str, topic: str, *sentences: str) -> list[JudgedCitation]:
    """Each sentence is its text and its citations with values: "A. d1=F d2=?"."""
    found = []
    for place, (text, *cited) in enumerate(each.split() for each in sentences):
        row = JudgedCitation(run, topic, place, text, "", None)
        for document, value in (each.split("=") for each in cited):
            found.append(row._replace(document_id=document, value=LABELS[value]))
        found += [] if cited else [row]
    return found


def file(path: Path, *rows: list[JudgedCitation], layout: str = "rag24") -> Path:
    path.write_text("".join(written_support([each for every in rows for each in every], layout)))
    return path


def scored(*paths: Path, complete: bool = False, most: int | None = None) -> dict[str, ScoredRun]:
    return {run.run: run for run in score_answers(paths, complete=complete, most_citations=most).runs}


def test_macro_is_the_mean_over_topics_and_micro_is_over_all_sentences(tmp_path: Path) -> None:
    # Topic 1: one sentence, fully supported. Topic 2: three, with half support, none, and nothing cited.
    first = citations("x", "1", "A. d1=F")
    second = citations("x", "2", "B. d1=P", "C. d2=N", "D.")
    run = scored(file(tmp_path / "a.jsonl", first, second))["x"]
    assert run.topic_ids == ("1", "2")
    assert run.values["weighted_precision"] == [1, 1 / 4]
    assert run.values["weighted_recall_first"] == [1, 1 / 6]
    assert run.means["weighted_recall_first"] == (1 + 1 / 6) / 2
    assert run.means["weighted_recall_first_micro"] == 1.5 / 4
    assert run.means["weighted_precision_micro"] == 1.5 / 3
    assert not any("bound" in name for name in run.means)


def test_what_is_not_judged_is_not_supported_and_supported_at_best(tmp_path: Path) -> None:
    run = scored(file(tmp_path / "a.jsonl", citations("x", "1", "A. d1=P d2=?", "B. d3=?", "C.")))["x"]
    assert (run.means["weighted_precision"], run.means["weighted_precision(bound=upper)"]) == (1 / 6, 2.5 / 3)
    assert (run.means["strict_recall"], run.means["strict_recall(bound=upper)"]) == (0, 2 / 3)
    assert (run.means["contradicted_share"], run.means["contradicted_share(bound=upper)"]) == (0, 2 / 3)
    assert run.means["cited_share"] == 2 / 3
    assert "cited_share(bound=upper)" not in run.means


def test_of_a_sentence_three_citations_count_or_as_many_as_asked_for(tmp_path: Path) -> None:
    path = file(tmp_path / "a.jsonl", citations("x", "1", "A. d1=N d2=N d3=P d4=F"))
    means = {most: scored(path, most=most)["x"].means for most in (None, 1, 0)}
    assert {most: (each["most_citations"], each["weighted_precision"]) for most, each in means.items()} == {
        None: (3, 0.5 / 3),
        1: (1, 0),
        0: (0, 1.5 / 4),
    }
    assert [each["weighted_recall_maximum"] for each in means.values()] == [0.5, 0, 1]


def test_documents_that_are_cited_against_a_sentence_have_scores_of_their_own(tmp_path: Path) -> None:
    row = JudgedCitation("x", "1", 0, "A.", "d1", "supports")
    against = row._replace(document_id="d2", value="contradicts", contradicting=True)
    rows = [row, row._replace(document_id="d3", value="contradicts")]
    rows += [against, against._replace(document_id="d4", value="neutral")]
    run = scored(file(tmp_path / "a.jsonl", rows, layout="biogen25-labels"))["x"]
    assert run.means["strict_precision"] == run.means["contradicted_share"] == 1 / 2
    assert run.means["contradicting_strict_sentence_precision"] == 1 / 2
    assert run.means["contradicting_strict_recall"] == 1


def test_pairs_alone_are_scored_over_the_sentences_that_they_have(tmp_path: Path) -> None:
    path = file(tmp_path / "x.jsonl", citations("", "1", "A. d1=P", "B. d2=F"), layout="rag25")
    found = score_answers([path])
    assert [(run.run, run.means["weighted_recall_first"]) for run in found.runs] == [("x.jsonl", 0.75)]
    assert says("\n".join(map(str, found.warnings)), "x.jsonl")


def rag25_run(run: str, topic: str, *sentences: str) -> dict[str, Any]:
    documents = [f"msmarco_v2.1_doc_00_{number}#0_1" for number in range(4)]
    answer = [
        {"text": text, "citations": [int(each) for each in cited]}
        for text, *cited in (each.split() for each in sentences)
    ]
    metadata = {"team_id": "uni", "run_id": run, "type": "automatic", "narrative": "…", "narrative_id": topic}
    return {"metadata": metadata, "references": documents, "answer": answer}


def judged_pairs(path: Path, *pairs: str) -> Path:
    """Each is the topic, the sentence, the number of the document and the value: "1 A. 0=F"."""
    rows = list[JudgedCitation]()
    for place, (topic, text, cited) in enumerate(each.split() for each in pairs):
        number, value = cited.split("=")
        document = f"msmarco_v2.1_doc_00_{number}#0_1"
        rows.append(JudgedCitation("", topic, place, text, document, LABELS[value]))
    return file(path, rows, layout="rag25")


def test_beside_runs_of_answers_a_pair_holds_wherever_it_occurs(tmp_path: Path) -> None:
    judged = judged_pairs(tmp_path / "judged.jsonl", "1 A. 0=F", "1 B. 1=P")
    (tmp_path / "x.jsonl").write_text(json.dumps(rag25_run("x", "1", "A. 0", "B. 2 1", "C.")))
    records = [rag25_run("y", "1", "A. 0"), rag25_run("y", "9", "A. 0")]
    (tmp_path / "y.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    runs = scored(tmp_path / "x.jsonl", judged, tmp_path / "y.jsonl")
    assert list(runs) == ["x", "y"]
    assert runs["x"].means["weighted_precision"] == 1.5 / 3  # document 2 is not judged for sentence B.
    assert runs["x"].means["weighted_recall_maximum"] == 1.5 / 3
    assert runs["x"].means["weighted_recall_first"] == 1 / 3
    # Topic 9 has no judged pair and does not count.
    assert (runs["y"].topic_ids, runs["y"].means["weighted_precision"]) == (("1",), 1)


def test_citations_with_numbers_count_from_the_largest(tmp_path: Path) -> None:
    documents = [f"47601789-65d8-4706-9bde-fc89fccfdf14_{number}" for number in range(4)]
    weights = dict(zip(documents, [5, 80, 40, 60], strict=True))
    metadata = {"team_id": "uni", "run_id": "x", "topic_id": "1"}
    record = {
        "metadata": metadata,
        "references": documents,
        "responses": [{"text": "A.", "citations": weights}],
    }
    (tmp_path / "x.jsonl").write_text(json.dumps(record))
    row = JudgedCitation("", "1", 0, "A.", "", "none")
    values = ["supports", "partial", "none", "none"]
    rows = [
        row._replace(document_id=each, value=value) for each, value in zip(documents, values, strict=True)
    ]
    judged = file(tmp_path / "judged.jsonl", rows, layout="rag25")
    assert scored(tmp_path / "x.jsonl", judged)["x"].means["weighted_precision"] == 0.5 / 3
    assert scored(tmp_path / "x.jsonl", judged, most=1)["x"].means["weighted_recall_first"] == 0.5


def test_judgments_of_biogen_find_their_sentences_however_blanks_and_dashes_are_written(
    tmp_path: Path,
) -> None:
    metadata = {"team_id": "uni", "run_id": "x", "qa_id": "116", "question": "Does it help?"}
    sentence = {"text": "It  helps – well ...", "supported_citations": [12], "contradicted_citations": [13]}
    (tmp_path / "x.json").write_text(json.dumps({"metadata": metadata, "answer": [sentence]}))
    (tmp_path / "j.csv").write_text(
        "qid,answer_sentence,citation,judgement\n116,It helps-well...,PMID: 12,partially supported\n"
        "116,It helps-well...,PMID: 13,contradicted\n"
    )
    means = scored(tmp_path / "x.json", tmp_path / "j.csv")["x"].means
    assert (means["strict_precision"], means["relaxed_precision"]) == (0, 1)
    assert means["contradicting_strict_recall"] == 1


def test_a_run_without_a_topic_is_scored_over_its_own_or_all(tmp_path: Path) -> None:
    x = file(tmp_path / "x.jsonl", citations("x", "1", "A. d=F"), citations("x", "2", "A. d=F"))
    y = file(tmp_path / "y.jsonl", citations("y", "2", "B. d=F"))
    assert scored(x, y)["y"].means["weighted_precision"] == 1
    assert scored(x, y, complete=True)["y"].means["weighted_precision"] == 1 / 2
    assert says("\n".join(map(str, score_answers([x, y]).warnings)), "y.jsonl", "1")


def test_two_values_of_a_pair_that_is_looked_up_and_a_run_twice_are_refused(tmp_path: Path) -> None:
    yes, no = (
        judged_pairs(tmp_path / "yes.jsonl", "1 A. 0=F"),
        judged_pairs(tmp_path / "no.jsonl", "1 A. 0=N"),
    )
    (tmp_path / "x.jsonl").write_text(json.dumps(rag25_run("x", "1", "A. 0")))
    with refused(InputError, "x.jsonl", "none", "supports"):
        scored(tmp_path / "x.jsonl", yes, no)
    whole = [file(tmp_path / name, citations("x", "1", "A. d=F")) for name in ("a.jsonl", "b.jsonl")]
    with refused(InputError, "a.jsonl", "b.jsonl"):
        scored(*whole)


def test_a_run_of_other_topics_than_those_judged_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(json.dumps(rag25_run("x", "9", "A. 0")))
    with refused(InputError, "x.jsonl"):
        scored(tmp_path / "x.jsonl", judged_pairs(tmp_path / "judged.jsonl", "1 A. 0=F"))


def test_runs_of_answers_alone_have_no_support_to_score(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(json.dumps(rag25_run("x", "1", "A. 0")))
    with refused(InputError, "x.jsonl"):
        scored(tmp_path / "x.jsonl")


values = st.sampled_from("FPN?")
answers = st.lists(st.lists(values, max_size=4), min_size=1, max_size=4)


def of_values(run: str, topic: str, answer: Sequence[Sequence[str]]) -> list[JudgedCitation]:
    cited = (" ".join(f"d{n}={value}" for n, value in enumerate(sentence)) for sentence in answer)
    return citations(run, topic, *(f"{run}{place}. {each}" for place, each in enumerate(cited)))


def judged_more(answer: Sequence[Sequence[str]], value: str) -> list[list[str]]:
    """The answer with its first unjudged citation judged."""
    flat = iter([True])
    return [
        [value if each == "?" and next(flat, False) else each for each in sentence] for sentence in answer
    ]


def interval(means: Mapping[str, float], name: str) -> tuple[float, float]:
    return means[name], means.get(f"{name}(bound=upper)", means[name])


@given(answers, answers, st.sampled_from("FPN"))
@settings(deadline=None)
def test_a_further_judgment_only_narrows_each_interval(one: Any, other: Any, value: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before, after = (
            scored(file(folder / "a.jsonl", of_values("x", "1", answer), of_values("x", "2", other)))[
                "x"
            ].means
            for answer in (one, judged_more(one, value))
        )
    for measure in (each for each in before if "(" not in each):
        (low, high), (least, most) = interval(after, measure), interval(before, measure)
        assert least - 1e-12 <= low <= high <= most + 1e-12


@given(answers, answers, answers)
@settings(deadline=None)
def test_the_order_of_files_and_of_topics_changes_no_score(x: Any, y: Any, z: Any) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [
            file(folder / f"{run}.jsonl", of_values(run, "1", one), of_values(run, "2", two))
            for run, one, two in (("x", x, y), ("y", y, z), ("z", z, x))
        ]
        found = [scored(*order) for order in permutations(files)]
        lines = files[0].read_text().splitlines(keepends=True)
        files[0].write_text("".join(reversed(lines)))
        found.append(scored(*files))
    assert all(each[run].means == found[0][run].means for each in found for run in "xyz")
