"""ARGUE's and DRAGUN's measures on a campaign's board: the scores of files that have the same judgments."""

from __future__ import annotations

import csv
import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.asked_answers import add_answers, put_bank
from tests.judged_pairs import judge_as
from tests.made_answers import REEFS, YEARS, answer
from tests.sentences import refused
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
from workbench.campaign.rounds import open_round, seen_by_name
from workbench.core.about import CITATIONS, NUGGETS
from workbench.core.errors import UnknownName
from workbench.core.records import LABEL, Grade
from workbench.formats.answers.bank_forms import read_banks
from workbench.formats.answers.banks import Bank, GoldAnswer, Nugget, Reference
from workbench.formats.answers.banks_written import banks_text
from workbench.methods.measures import parse_measure
from workbench.release.judged_answers import judged_lines
from workbench.scoring.answers.forms import score_answers
from workbench.scoring.board import Board, load_scoring, score_campaign
from workbench.scoring.board.past_boards import table_of
from workbench.scoring.board.table import usual_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import nuggets, units
from workbench.storage.campaign.log import log

OF_CITATIONS = ("sentence_support", "citation_support")
OF_NUGGETS = ("nugget_coverage", "nugget_coverage_weighted")
OF_BOTH = ("f1", "f1_weighted")
RUBRIC = ("supportive_score", "contradictory_score")

WITH_CONTRADICTION = USUAL[NUGGETS]._replace(grades=(Grade(-1, "Contradicts"), *USUAL[NUGGETS].grades))
LABELS = {2: "supports", 1: "partial", 0: "none", -1: "contradicts"}

Values = dict[tuple[str, str, str], float]
"""By run, topic and measure."""


def values(seen: Campaign, names: Sequence[str]) -> Values:
    scoring = load_scoring(seen)
    found = scoring.values_of([scoring.settled(parse_measure(name)) for name in names])
    return {
        (tag, topic_id.partition("!")[0], name): value
        for name, whole in zip(names, found.values(), strict=True)
        for topic_id, row in zip(scoring.topic_ids, whole.tolist(), strict=True)
        for tag, value in zip(scoring.tags, row, strict=True)
    }


def of_files(paths: Sequence[Path], names: Sequence[str]) -> Values:
    return {
        (run.run, str(topic_id), name): run.values[name][place]
        for run in score_answers(paths).runs
        for name in names
        for place, topic_id in enumerate(run.topic_ids)
    }


def ask(campaign: Campaign, *questions: Any) -> list[Campaign]:
    """The campaign seen by each of these questions, whose units are all pooled."""
    found = []
    for question in questions:
        declare(campaign.by("Olga"), question)
        found.append(campaign.asking(question.name))
        add_pool(found[-1].by("Olga"), depth=100)
    return found


def judge_all(seen: Campaign, topic_id: str, grades: Sequence[int | None]) -> dict[str, int]:
    """Grades of a topic's units in their order, again from the first one when there are more; which unit has which."""
    key, given_grades = f"{topic_id}!{seen.question}", dict[str, int]()
    for place, unit in enumerate(units.of_topic(seen, key).units):
        if (grade := grades[place % len(grades)]) is not None:
            judge_as(seen.asking(""), "Ann", key, unit.unit_id, grade)
            given_grades[unit.unit_id] = grade
    return given_grades


@pytest.fixture(scope="module")
def copied(small_file: Path) -> Any:
    """A context manager with a copy of the campaign `small`, and a folder."""

    @contextmanager
    def copy() -> Iterator[tuple[Campaign, Path]]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            with open_campaign(shutil.copy(small_file, folder / "small.db")) as campaign:
                yield campaign, folder

    return copy


sentence = st.tuples(
    st.sampled_from(["Reefs recover.", "Heat kills.", "الشعاب تتعافى"]),
    st.lists(st.integers(0, 2), max_size=3, unique=True),
)
said = st.lists(sentence, min_size=1, max_size=3)
acceptable = st.lists(st.booleans(), max_size=2)
"""Whether each acceptable answer of a question rests on a document."""
banks = st.lists(
    st.tuples(acceptable, st.sampled_from(["AND", "OR", ""]), st.sampled_from(["vital", "okay", ""])),
    max_size=3,
)


def bank_of(topic_id: str, questions: Sequence[tuple[Sequence[bool], str, str]]) -> Bank:
    def answers(rest: Sequence[bool]) -> tuple[GoldAnswer, ...]:
        return tuple(
            GoldAnswer(f"answer {place}", references=(Reference("d1"),) * rests)
            for place, rests in enumerate(rest)
        )

    made = (
        Nugget(f"Question {place}?", f"n{place}", True, importance, aggregator, answers(rest))
        for place, (rest, aggregator, importance) in enumerate(questions)
    )
    certain = Nugget("What lives there?", "certain", True, "vital", "OR", answers([True]))
    return Bank(topic_id, (certain, *made), "argue")


@settings(deadline=None, max_examples=15)
@given(
    answers=st.lists(st.tuples(st.sampled_from(["one", "two"]), said), min_size=1, max_size=2),
    questions=banks,
    support=st.lists(st.sampled_from([2, 2, 1, 0, -1, None]), min_size=4, max_size=4),
    held=st.lists(st.sampled_from([2, 2, 1, 0, None]), min_size=4, max_size=4),
)
def test_argues_measures_are_those_of_the_reports_that_are_exported(
    copied: Any, answers: Any, questions: Any, support: list[int | None], held: list[int | None]
) -> None:
    with copied() as (campaign, folder):
        for run, sentences in dict(answers).items():
            add_answers(
                campaign, answer("1", *sentences, run=run, cites=("shard_1_1", "shard_1_2", "shard_1_3"))
            )
        with campaign.by("Olga").write():
            nuggets.put(campaign.by("Olga"), bank := bank_of("1", questions))
        of_citations, of_nuggets = ask(campaign, USUAL[CITATIONS], USUAL[NUGGETS])
        judge_all(of_citations, "1", support)
        judge_all(of_nuggets, "1", held)
        (folder / "reports.jsonl").write_text("".join(judged_lines(campaign, "argue")[0]))
        (folder / "bank.json").write_text(banks_text([bank], "argue"))
        expected = of_files(
            [folder / "reports.jsonl", folder / "bank.json"], [*OF_CITATIONS, *OF_NUGGETS, *OF_BOTH]
        )
        assert {run for run, *_ in expected} == dict(answers).keys()
        found = values(of_citations, [*OF_CITATIONS, *OF_BOTH]) | values(of_nuggets, OF_NUGGETS)
        assert {each: found[each] for each in expected} == expected
        beside = values(of_nuggets, OF_BOTH)
        assert {each: beside[each] for each in expected if each[2] in OF_BOTH} == {
            each: value for each, value in expected.items() if each[2] in OF_BOTH
        }
        assert not any(value for each, value in found.items() if each not in expected)


RUBRICS: Any = {
    "topic_id": "1",
    "rubrics": [
        {
            "question_id": "q-1",
            "question_text": "Who runs the site?",
            "importance": "A: Have to Know",
            "short_answers": [
                {"answer_id": "a-1", "answer": "A firm"},
                {"answer_id": "a-2", "answer": "Ann"},
            ],
        },
        {
            "question_id": "q-2",
            "question_text": "When was it?",
            "importance": "C: Nice to Know",
            "short_answers": [{"answer_id": "b-1", "answer": "In May"}],
        },
    ],
}


@pytest.fixture
def rubric(small: Campaign, tmp_path: Path) -> Campaign:
    """The campaign seen by nuggets: two runs answer topic 1, whose rubric has a question with two answers, and one."""
    for run in ("one", "two"):
        add_answers(small, answer("1", (f"Only {run} says it.", [0]), run=run))
    (tmp_path / "rubric.json").write_text(json.dumps(RUBRICS))
    with small.by("Olga").write():
        nuggets.put(small.by("Olga"), read_banks(tmp_path / "rubric.json").banks[0])
    return ask(small, WITH_CONTRADICTION)[0]


def test_each_short_answer_of_a_rubric_is_judged_by_itself(rubric: Campaign) -> None:
    assert [unit.text for unit in units.of_topic(rubric, "1!nuggets").units[:3]] == [
        "Who runs the site?\n– A firm",
        "Who runs the site?\n– Ann",
        "When was it?\n– In May",
    ]


def test_the_scores_of_dragun_weigh_questions_and_take_the_mean_of_their_answers(rubric: Campaign) -> None:
    # One supports a firm and contradicts Ann (weight 4), and has the month in part (weight 1).
    judge_all(rubric, "1", [2, -1, 1, 2, 2, 0])
    found = values(rubric, [*RUBRIC, *OF_NUGGETS])
    assert found["one", "1", "supportive_score"] == pytest.approx((4 * 1 / 2 + 1 * 1 / 2) / 5)
    assert found["one", "1", "contradictory_score"] == pytest.approx(4 * 1 / 2 / 5)
    assert found["two", "1", "supportive_score"] == pytest.approx(4 / 5)
    assert found["two", "1", "contradictory_score"] == 0
    assert [found["one", "1", name] for name in OF_NUGGETS] == [1 / 2, 4 / 5]  # a firm is an answer


@settings(deadline=None, max_examples=15)
@given(grades=st.lists(st.sampled_from([2, 1, 0, -1]), min_size=6, max_size=6))
def test_the_scores_of_dragun_are_those_of_files_with_the_same_labels(
    copied: Any, grades: list[int | None]
) -> None:
    with copied() as (campaign, folder):
        for run in ("one", "two"):
            add_answers(campaign, answer("1", (f"Only {run} says it.", [0]), run=run))
        (folder / "rubric.json").write_text(json.dumps(RUBRICS))
        with campaign.by("Olga").write():
            nuggets.put(campaign.by("Olga"), read_banks(folder / "rubric.json").banks[0])
        (seen,) = ask(campaign, WITH_CONTRADICTION)
        label = judge_all(seen, "1", grades)
        topic = units.of_topic(seen, "1!nuggets")
        with (folder / "labels.csv").open("w") as file:
            rows = csv.writer(file)
            rows.writerow(["topic_id", "run_tag", "answer_id", "annotation"])
            for run in load_scoring(seen).runs:
                for answer_id, number in zip(
                    ("a-1", "a-2", "b-1"), topic.by_run[run.run].number, strict=True
                ):
                    word = LABELS[label[topic.units[number].unit_id]]
                    rows.writerow(["1", run.record.tag, answer_id, word])
        expected = of_files([folder / "labels.csv", folder / "rubric.json"], RUBRIC)
        found = values(seen, RUBRIC)
        assert {each: found[each] for each in expected} == pytest.approx(expected)
        assert len(expected) == 4


QUESTION = Nugget(
    "How long?", "a", True, "vital", "", (GoldAnswer("decades", references=(Reference("d1"),)),)
)


@pytest.fixture
def reports(small: Campaign) -> tuple[Campaign, Campaign]:
    """The campaign seen by citations and by nuggets: of topic 1 each of two runs has two citations and one nugget."""
    for run in ("one", "two"):
        add_answers(small, answer("1", (f"Only {run} says it.", [0, 1]), run=run))
    put_bank(small, QUESTION)
    of_citations, of_nuggets = ask(small, USUAL[CITATIONS], USUAL[NUGGETS])
    return of_citations, of_nuggets


def test_the_bounds_of_f1_are_the_least_and_greatest_value_over_all_grades_of_what_waits(
    reports: tuple[Campaign, Campaign],
) -> None:
    of_citations, of_nuggets = reports
    key, ids = "1!support", [each.unit_id for each in units.of_topic(of_citations, "1!support").units]
    judge_as(of_citations.asking(""), "Ann", key, ids[0], 2)
    judge_as(of_citations.asking(""), "Ann", key, ids[2], 0)
    bounds = [values(of_citations, [f"f1(bound={side})"]) for side in ("lower", "upper")]
    found = []
    for first, second, one, two in product((0, 2), repeat=4):
        for unit_id, grade in ((ids[1], first), (ids[3], second)):
            judge_as(of_citations.asking(""), "Ann", key, unit_id, grade)
        judge_all(of_nuggets, "1", [one, two])
        found.append(values(of_citations, ["f1"]))
    for run in ("one", "two"):
        every = [each[run, "1", "f1"] for each in found]
        assert [min(every), max(every)] == [
            each[run, "1", f"f1(bound={side})"] for each, side in zip(bounds, ("lower", "upper"), strict=True)
        ]
    assert {each["one", "1", "f1"] for each in found} == {0.0, 1.0}


def test_a_live_board_follows_the_judgments_of_the_question_beside(
    reports: tuple[Campaign, Campaign],
) -> None:
    of_citations, of_nuggets = reports
    boards = {seen.question: Board() for seen in reports}
    for seen in reports:
        boards[seen.question].table(seen, ["f1"])
    rows = []
    for grades in ([2, 0], [2, 2], [0, 1]):
        judge_all(of_nuggets, "1", grades)
        judge_all(of_citations, "1", [2])
        for seen in reports:
            live = boards[seen.question].table(seen, ["f1", "f1_weighted(bound=upper)"])
            fresh = Board().table(seen, ["f1", "f1_weighted(bound=upper)"])
            assert live.rows == fresh.rows
        rows.append((log.head(of_nuggets).seq, fresh.rows))
    assert [[row.values[0] for row in each] for _, each in rows] == [[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]
    withdraw_runs(of_nuggets.asking("").by("Olga"), ["two"])
    for row, expected in rows:
        for seen in reports:
            past = table_of(seen.at(row), ["f1", "f1_weighted(bound=upper)"])
            assert [each.values for each in past.rows] == [each.values for each in expected]
    assert [each.tag for each in boards["support"].table(of_citations, ["f1"]).rows] == ["one"]


def test_f1_needs_both_questions_and_the_name_of_one_where_there_are_several(
    reports: tuple[Campaign, Campaign],
) -> None:
    of_citations, of_nuggets = reports
    judge_all(of_nuggets, "1", [2])
    second = USUAL[NUGGETS]._replace(name="again")
    judge_all(of_citations, "1", [2])
    with refused(UnknownName, "question=NAME", "again"):
        ask(of_nuggets.asking(""), second)
        values(of_citations, ["f1"])
    named = values(of_citations, ["f1(question=nuggets)", "f1(question=again)"])
    assert [named["one", "1", f"f1(question={name})"] for name in ("nuggets", "again")] == [1, 0]
    assert values(of_nuggets, ["f1"])["one", "1", "f1"] == 1
    with refused(UnknownName, "f1", "--about nuggets"):
        values(of_citations.asking(""), ["f1"])


def test_a_question_answered_by_labels_without_order_is_none_that_f1_looks_at(
    reports: tuple[Campaign, Campaign],
) -> None:
    of_citations, of_nuggets = reports
    judge_all(of_nuggets, "1", [2])
    judge_all(of_citations, "1", [2])
    ask(of_nuggets.asking(""), USUAL[NUGGETS]._replace(name="sort", answered=LABEL))
    assert values(of_citations, ["f1"])["one", "1", "f1"] == 1


def test_f1_is_of_whole_answers_and_refused_where_judgments_before_a_round_are_taken_out(
    reports: tuple[Campaign, Campaign],
) -> None:
    of_citations, of_nuggets = reports
    judge_all(of_nuggets, "1", [2])
    judge_all(of_citations, "1", [2])
    open_round(of_citations.asking("").by("Olga"), "later")
    add_answers(of_citations.asking(""), answer("1", ("Later.", [0]), run="three"))
    with refused(UnknownName, "f1", "--about nuggets"):
        score_campaign(seen_by_name(of_citations, "later-residual"), ["f1"])
    with refused(UnknownName, "f1", "--about nuggets"):
        score_campaign(seen_by_name(of_citations, "later-own"), ["f1"])
    assert score_campaign(seen_by_name(of_citations, "later"), ["f1"]).rows


def test_facts_of_a_bank_without_questions_are_all_covered_by_weight(small: Campaign) -> None:
    add_answers(small, answer("1", run="one"))
    facts = (("a", "vital"), ("b", "okay"), ("c", "3.5"), ("d", "-2"), ("e", "1e999"))
    put_bank(small, *(Nugget(text, importance=importance) for text, importance in facts))
    (seen,) = ask(small, USUAL[NUGGETS])
    judge_all(seen, "1", [2, 1, 2, 2, 0])
    found = values(seen, [*OF_NUGGETS, "supportive_score"])
    weights = 2 + 1 + 3.5 + 0 + 1
    assert found["one", "1", "nugget_coverage"] == 3 / 5
    assert found["one", "1", "nugget_coverage_weighted"] == pytest.approx((2 + 3.5) / weights)
    assert found["one", "1", "supportive_score"] == pytest.approx((2 + 0.5 + 3.5) / weights)


def test_the_measures_of_both_are_no_columns_of_a_board_without_being_asked_for() -> None:
    assert set(OF_CITATIONS) < set(usual_of(CITATIONS))
    assert {*OF_NUGGETS, *RUBRIC} < set(usual_of(NUGGETS))
    assert set(OF_BOTH).isdisjoint([*usual_of(CITATIONS), *usual_of(NUGGETS)])


def test_a_run_without_an_answer_has_no_part_in_what_is_counted(small: Campaign) -> None:
    add_answers(small, answer("1", ("Reefs recover.", [0]), run="one", cites=(REEFS, YEARS)))
    add_answers(small, answer("2", ("Heat kills.", []), run="two"))
    put_bank(small, QUESTION)
    of_citations, of_nuggets = ask(small, USUAL[CITATIONS], USUAL[NUGGETS])
    judge_all(of_citations, "1", [2])
    judge_all(of_nuggets, "1", [2])
    found = values(of_citations, ["f1", "sentence_support"])
    assert found["one", "1", "f1"] == 1
    assert {value for each, value in found.items() if each[:2] != ("one", "1")} == {0.0}
