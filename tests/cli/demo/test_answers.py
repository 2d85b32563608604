"""The demo's campaign of answers: three questions, judged in part by simulation, and two topics left to a visitor."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from workbench.analysis.adjudication.conflicts import conflicts
from workbench.campaign.assessing import queue
from workbench.campaign.battles import battles
from workbench.campaign.ingest import check_runs
from workbench.campaign.questions import USUAL
from workbench.cli.demo.answers import (
    DATA,
    FORM,
    RECIPES,
    SENTENCES,
    TOPICS,
    Told,
    Truth,
    ready_answers,
    run_lines,
)
from workbench.cli.demo.judged import ASSESSORS
from workbench.core.about import ANSWER_PAIRS
from workbench.core.battles import LEFT, RIGHT, TIE
from workbench.formats.answers.forms import FORMS
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import documents, nuggets, units
from workbench.storage.campaign.counts.progress import progress_by_topic
from workbench.storage.campaign.grades import judgments, labels
from workbench.storage.campaign.organising import settings
from workbench.web.app import create_app


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("answers")
    ready_answers(folder)
    return folder


@pytest.fixture
def answers(instance: Path, tmp_path: Path) -> Iterator[Campaign]:
    shutil.copy(instance / "answers.db", tmp_path)
    with open_campaign(tmp_path / "answers.db") as campaign:
        yield campaign


def test_its_runs_are_what_a_task_would_take_and_the_same_each_time(instance: Path) -> None:
    files = sorted((instance / "answers/runs").iterdir())
    checked = check_runs(list(map(str, files))).checks
    assert {(check.verdict, check.form) for check in checked} == {("fine", FORMS[FORM].title)}
    written = {file.name: file.read_text() for file in files}
    assert written == {f"{recipe.tag}.jsonl": "".join(run_lines(recipe)) for recipe in RECIPES}


def test_each_topic_has_nuggets_and_each_cited_document_a_text(answers: Campaign) -> None:
    for topic in TOPICS:
        bank = nuggets.bank_of(answers, topic["topic_id"])
        assert bank is not None
        assert [each.importance for each in bank.nuggets] == ["vital"] * 3 + ["okay"] * 3
    cited = {
        unit.cited
        for topic in TOPICS
        for unit in units.of_topic(answers, f"{topic['topic_id']}!support").units
    }
    assert len(cited) > 20
    assert documents.text_hashes(answers, cited).keys() == cited


def test_no_sentence_stands_for_two_things() -> None:
    said = [
        text for topic in TOPICS for each in topic["nuggets"] for text in (*each["full"], each["partial"])
    ]
    said += [each["opposite"] for topic in TOPICS for each in topic["nuggets"] if "opposite" in each]
    said += [text for topic in TOPICS for text in topic["aside"]]
    assert sorted(SENTENCES) == sorted(said)


@pytest.mark.parametrize(
    ("text", "cited", "grade"),
    [
        ("Staling is starch that forms firm crystals as the bread cools.", 1, 2),
        ("Staling is starch that forms firm crystals as the bread cools.", 2, 1),
        ("Staling is starch that forms firm crystals as the bread cools.", 4, 0),
        ("A refrigerator slows the staling of bread.", 2, -1),
    ],
)
def test_the_grade_of_a_citation_is_what_the_document_states(
    answers: Campaign, monkeypatch: pytest.MonkeyPatch, text: str, cited: int, grade: int
) -> None:
    unit = units.Unit("unit:1", text, "", f"shard_201_{cited}", 1, 0)
    monkeypatch.setattr(units, "find", lambda *_: unit)
    assert Truth(answers).of("201!support", "unit:1") == grade


def test_the_grade_of_a_nugget_is_what_the_answer_says(answers: Campaign) -> None:
    truth = Truth(answers)
    for unit in units.of_topic(answers, "201!nuggets").units:
        answer = units.answer_of(answers, "201!nuggets", unit.run)
        said = {
            SENTENCES[each.text].how for each in answer.sentences if SENTENCES[each.text].place == unit.place
        }
        grade = 2 if "full" in said else 1 if "partial" in said else 0
        assert truth.of("201!nuggets", unit.unit_id) == grade
    assert Told(0, "full") in SENTENCES.values()


@pytest.mark.parametrize("question", ["support", "nuggets"])
def test_four_topics_of_six_are_judged_some_pairs_twice_and_not_alike(
    answers: Campaign, question: str
) -> None:
    asked = answers.asking(question)
    progress = progress_by_topic(asked, "")
    assert [each.topic_id for each in progress if each.judged] == [f"20{n}!{question}" for n in range(1, 5)]
    assert all(each.judged in (0, each.pooled) for each in progress)
    assert len(conflicts(asked, "AP", top=10).open) > 3
    given = {row.grade for row in judgments.log(answers) if row.topic_id.endswith(question)}
    assert given == {each.grade for each in settings.read(asked).grades}


def test_pairs_of_answers_are_compared_with_ties_and_the_left_one_wins_more_often(answers: Campaign) -> None:
    found = Counter(each.winner for each in battles(answers, USUAL[ANSWER_PAIRS].name))
    assert set(found) >= {LEFT, RIGHT, TIE}
    assert found[LEFT] > found[RIGHT]


def test_every_judgment_is_of_an_assessor_whose_name_says_that_it_is_simulated(answers: Campaign) -> None:
    assert {row.assessor for row in judgments.log(answers)} == {each.name for each in ASSESSORS}
    assert settings.read(answers).assessors_simulated


def test_a_visitor_judges_what_is_open(answers: Campaign) -> None:
    for question in ("support", "nuggets"):
        asked, topic_id = answers.asking(question), f"205!{question}"
        first, *_ = queue(asked, topic_id, "Vera")
        judge_as(asked, "Vera", topic_id, first.document_id, 2)
        assert [item.grade for item in queue(asked, topic_id, "Vera")][:2] == [2, None]


def test_it_stands_up_to_an_audit_and_comes_out_of_a_bundle_the_same(
    answers: Campaign, tmp_path: Path
) -> None:
    assert wrong(answers) == []
    saved = save_bundle(answers, tmp_path / "answers.zip", options=BundleOptions(runs=True))
    import_bundle(saved.path, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        assert wrong(again) == []
        for question in ("support", "nuggets"):
            first, second = answers.asking(question), again.asking(question)
            assert [row[1:] for row in labels.qrels(first)] == [row[1:] for row in labels.qrels(second)]
            assert progress_by_topic(first, "") == progress_by_topic(second, "")
            pooled = [item.document_id for item in queue(first, f"205!{question}", "Vera")]
            texts = [
                [stored.document.text for stored in documents.some(each, pooled)] for each in (first, second)
            ]
            assert texts[0] == texts[1] != []


def test_a_second_start_takes_it_as_it_is(instance: Path) -> None:
    before = (instance / "answers.db").read_bytes()
    assert ready_answers(instance) == instance / "answers.db"
    assert (instance / "answers.db").read_bytes() == before


def test_every_page_that_is_named_is_there(instance: Path) -> None:
    app = create_app(instance, [instance / "answers.db"])
    adapter = app.url_map.bind("localhost")
    for page, _ in DATA["tour"]:
        assert adapter.match(f"/c/answers/{page.partition('?')[0]}")
    app.extensions["workbench_connections"].close()
