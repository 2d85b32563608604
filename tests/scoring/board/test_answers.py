"""Answers on the board: the scores of files with the same judgments, live, in the past, without what is not judged."""

from __future__ import annotations

import csv
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.asked_answers import put_bank
from tests.judged_pairs import judge_as
from tests.made_answers import REEFS, YEARS, answer
from tests.sentences import refused
from workbench.analysis.adjudication.conflicts import conflicts
from workbench.analysis.between_assessors.effect import effect_of_disagreement
from workbench.analysis.run_profiles.one_run import run_scores
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import RunOptions, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
from workbench.campaign.rounds import open_round, seen_by_name
from workbench.core.about import CITATIONS, DOCUMENTS, NUGGETS
from workbench.core.errors import UnknownName
from workbench.formats.answers.banks import Nugget
from workbench.methods.measures import MEASURES, parse_measure
from workbench.scoring.answers.forms import score_answers
from workbench.scoring.board import Board, load_scoring, score_campaign
from workbench.scoring.board.past_boards import table_of
from workbench.scoring.board.sample_design import design_of, estimate_of
from workbench.scoring.board.table import usual_measures, usual_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import pools, units
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings as settings_of

Said = tuple[str, list[int], list[int]]
"""A sentence, the documents that it cites, and those that it cites as contradicting it."""

WORDS = {2: "supported", 1: "partially supported", 0: "not relevant", -1: "contradicted"}
ASSIGNED = {2: "support", 1: "partial_support", 0: "not_support"}


def biogen(run: str, topic_id: str, said: Sequence[Said]) -> dict[str, Any]:
    return {
        "metadata": {"team_id": "uni", "run_id": run, "qa_id": topic_id, "question": "Does it help?"},
        "answer": [
            {"text": text, "supported_citations": cited, "contradicted_citations": against}
            for text, cited, against in said
        ],
    }


def add(campaign: Campaign, path: Path, records: Sequence[Mapping[str, Any]], form: str = "") -> None:
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    add_runs(campaign.by("Olga"), [str(path)], options=RunOptions(form=form))


def ask(campaign: Campaign, kind: str) -> Campaign:
    """The campaign seen by the usual question about units of this kind, all of which are pooled."""
    declare(campaign.by("Olga"), USUAL[kind])
    seen = campaign.asking(USUAL[kind].name)
    add_pool(seen.by("Olga"), depth=100)
    return seen


def values(seen: Campaign, names: Sequence[str]) -> dict[tuple[str, str, str], float]:
    """By run, topic and measure."""
    scoring = load_scoring(seen)
    found = scoring.values_of([scoring.settled(parse_measure(name)) for name in names])
    return {
        (tag, topic_id.partition("!")[0], name): value
        for name, whole in zip(names, found.values(), strict=True)
        for topic_id, row in zip(scoring.topic_ids, whole.tolist(), strict=True)
        for tag, value in zip(scoring.tags, row, strict=True)
    }


def of_files(paths: Sequence[Path], most: int | None = None) -> dict[tuple[str, str, str], float]:
    return {
        (run.run, str(topic_id), name): value
        for run in score_answers(paths, most_citations=most).runs
        for name, of_topics in run.values.items()
        for topic_id, value in zip(run.topic_ids, of_topics, strict=True)
    }


def named(name: str, most: int | None, bound: str | None = None) -> str:
    """The measure as the registry has it."""
    given = {"most_citations": most, "bound": bound}
    inside = ",".join(f"{each}={value}" for each, value in given.items() if value is not None)
    return f"{name}({inside})" if inside else name


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


sentences = st.tuples(
    st.sampled_from(["Reefs recover.", "Heat kills.", "Fish help."]),
    st.lists(st.integers(1, 4), max_size=3, unique=True),
    st.lists(st.integers(5, 6), max_size=2, unique=True),
)
runs = st.dictionaries(
    st.sampled_from(["one", "two", "three"]),
    st.dictionaries(st.sampled_from(["1", "2"]), st.lists(sentences, min_size=1, max_size=4), min_size=1),
    min_size=1,
)
grades = st.lists(st.sampled_from([2, 1, 0, -1, None]), min_size=8, max_size=8)


@settings(deadline=None, max_examples=20)
@given(runs=runs, grades=grades, most=st.sampled_from([None, 0, 1, 2]))
def test_judged_support_has_the_scores_of_files_with_the_same_judgments(
    copied: Any, runs: dict[str, dict[str, list[Said]]], grades: list[int | None], most: int | None
) -> None:
    with copied() as (campaign, folder):
        for tag, answers in runs.items():
            records = [biogen(tag, topic_id, said) for topic_id, said in answers.items()]
            add(campaign, folder / f"{tag}.jsonl", records)
        seen, rows = ask(campaign, CITATIONS), []
        for topic_id in ("1", "2"):
            for place, unit in enumerate(units.of_topic(seen, f"{topic_id}!support").units):
                grade = grades[place % len(grades)]
                if grade is not None:
                    judge_as(campaign, "Ann", f"{topic_id}!support", unit.unit_id, grade)
                    rows.append([topic_id, unit.text, f"PMID: {unit.cited}", WORDS[grade]])
        with (folder / "judged.csv").open("w") as file:
            csv.writer(file).writerows([["qid", "answer_sentence", "citation", "judgement"], *rows])
        judged = {topic_id for topic_id, *_ in rows}
        beside = [folder / f"{tag}.jsonl" for tag, answers in runs.items() if judged & answers.keys()]
        expected = of_files([folder / "judged.csv", *beside], most) if rows and beside else {}
        names = [name for name in usual_of(CITATIONS) if MEASURES[name].parameter("most_citations")]
        written = {name: named(name, most) for name in names}
        written |= {
            f"{of}(bound=upper)": named(of, most, "upper") for of in written if MEASURES[of].has_bounds
        }
        found = values(seen, list(written.values()))
        for (tag, topic_id, name), value in expected.items():
            if name != "most_citations":
                assert (tag, name, found[tag, topic_id, written[name]]) == (tag, name, value)


words = st.sampled_from(["recovery takes decades", "grazers help", "heat kills", "algae win"])
banks = st.lists(st.tuples(words, st.booleans()), min_size=1, max_size=5, unique_by=lambda each: each[0])


@settings(deadline=None, max_examples=20)
@given(runs=runs, banks=st.tuples(banks, banks), grades=grades)
def test_judged_nuggets_have_the_scores_of_files_with_the_same_judgments(
    copied: Any,
    runs: dict[str, dict[str, list[Said]]],
    banks: Sequence[Sequence[tuple[str, bool]]],
    grades: list[int | None],
) -> None:
    with copied() as (campaign, folder):
        for tag, answers in runs.items():
            records = [biogen(tag, topic_id, said) for topic_id, said in answers.items()]
            add(campaign, folder / f"{tag}.jsonl", records)
        for topic_id, bank in zip(("1", "2"), banks, strict=True):
            importance = {True: "vital", False: "okay"}
            put_bank(
                campaign,
                *(Nugget(text, importance=importance[vital]) for text, vital in bank),
                topic_id=topic_id,
            )
        seen = ask(campaign, NUGGETS)
        lines = list[dict[str, Any]]()
        for topic_id, bank in zip(("1", "2"), banks, strict=True):
            given = dict[str, int]()
            of_topic = units.of_topic(seen, f"{topic_id}!nuggets")
            for place, unit in enumerate(of_topic.units):
                grade = grades[place % len(grades)]
                if grade is not None and grade >= 0:
                    judge_as(campaign, "Ann", f"{topic_id}!nuggets", unit.unit_id, grade)
                    given[unit.unit_id] = grade
            stored = [run for run in load_scoring(seen).runs if run.run in of_topic.by_run]
            for run in stored:
                ids = [of_topic.units[number].unit_id for number in of_topic.by_run[run.run].number]
                assigned = [
                    {
                        "text": text,
                        "importance": "vital" if vital else "okay",
                        "assignment": ASSIGNED[given.get(unit_id, 0)],
                    }
                    for (text, vital), unit_id in zip(bank, ids, strict=True)
                ]
                lines.append({"qid": topic_id, "run_id": run.record.tag, "nuggets": assigned})
        (folder / "assigned.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        expected = of_files([folder / "assigned.jsonl"])
        found = values(seen, ["strict_vital_score", "strict_all_score", "vital_score", "all_score"])
        assert {each: found[each] for each in expected} == expected
        assert not any(value for each, value in found.items() if each not in expected)


@pytest.fixture
def asked(small: Campaign, tmp_path: Path) -> Campaign:
    """The campaign seen by support: of topic 1 each run has two sentences and three citations, two of them the same."""
    path = tmp_path / "sent.jsonl"
    for run in ("one", "two"):
        said = (f"Only {run} says it.", [1]), ("Cooler years help.", [0, 1])
        path.write_text(answer("1", *said, run=run))
        add_runs(small.by("Olga"), [str(path)], options=RunOptions(form=""))
    return ask(small, CITATIONS)


def unit_of(seen: Campaign, text: str, cited: str) -> str:
    (found,) = (
        unit for unit in units.of_topic(seen, "1!support").units if (unit.text, unit.cited) == (text, cited)
    )
    return found.unit_id


def test_the_usual_measures_are_those_of_what_is_judged(asked: Campaign) -> None:
    table = score_campaign(asked)
    assert table.names == usual_of(CITATIONS)
    assert [row.tag for row in table.rows] == ["one", "two"]
    assert usual_of(NUGGETS)[:4] == ("strict_vital_score", "strict_all_score", "vital_score", "all_score")


def test_a_judgment_counts_wherever_its_unit_occurs_and_the_live_board_follows(asked: Campaign) -> None:
    board, names = Board(), ["weighted_precision", "strict_recall", "weighted_precision(bound=upper)"]
    assert [row.values for row in board.table(asked, names).rows] == [(0, 0, 1)] * 2
    judge_as(asked, "Ann", "1!support", unit_of(asked, "Cooler years help.", REEFS), 1)
    assert [row.values for row in board.table(asked, names).rows] == [(1 / 6, 0, 5 / 6)] * 2
    judge_as(asked, "Ann", "1!support", unit_of(asked, "Cooler years help.", REEFS), 2)
    assert board.table(asked, names).rows == score_campaign(asked, names).rows
    assert [row.values for row in board.table(asked, names).rows] == [(1 / 3, 1 / 2, 1)] * 2


def test_what_contradicts_is_worth_nothing_and_a_run_without_an_answer_has_zero(
    asked: Campaign, tmp_path: Path
) -> None:
    judge_as(asked, "Ann", "1!support", unit_of(asked, "Cooler years help.", REEFS), -1)
    path = tmp_path / "other.jsonl"
    path.write_text(answer("2", ("Nobody knows.", []), run="three"))
    add_runs(asked.asking("").by("Olga"), [str(path)], options=RunOptions(form=""))
    names = ["weighted_precision", "contradicted_share", "words", "contradicted_share(bound=upper)"]
    assert [row.values[:3] for row in score_campaign(asked, names).rows] == [(0, 1 / 3, 7)] * 2 + [(0, 0, 0)]
    assert [row.values[3] for row in score_campaign(asked, names).rows] == [1, 1, 0]


def test_a_measure_of_other_units_is_refused_and_one_of_documents_counts_units(asked: Campaign) -> None:
    judge_as(asked, "Ann", "1!support", unit_of(asked, "Cooler years help.", REEFS), 2)
    assert [row.values for row in score_campaign(asked, ["RR"]).rows] == [(1 / 2,)] * 2
    with refused(UnknownName, "all_score", "citations"):
        score_campaign(asked, ["all_score"])
    with refused(UnknownName, "weighted_precision", "citations"):
        score_campaign(asked.asking(""), ["weighted_precision"])
    with refused(UnknownName, "stat_weighted_precision"):
        score_campaign(asked, ["stat_weighted_precision"])
    with refused(UnknownName, "weighted_precision", "micro"):
        parse_measure("weighted_precision(mean=micro)")


def test_the_board_of_the_past_has_the_nuggets_of_then(small: Campaign, tmp_path: Path) -> None:
    (tmp_path / "sent.jsonl").write_text(answer("1", run="one"))
    add_runs(small.by("Olga"), [str(tmp_path / "sent.jsonl")], options=RunOptions(form=""))
    put_bank(small, Nugget("recovery takes decades"), Nugget("grazers help"))
    seen = ask(small, NUGGETS)
    first = units.of_topic(seen, "1!nuggets").units[0].unit_id
    judge_as(small, "Ann", "1!nuggets", first, 2)
    row = log.head(small).seq
    put_bank(small, Nugget("recovery takes decades"), *(Nugget(f"fact {n}") for n in range(3)))
    assert [row.values for row in table_of(seen, ["all_score"]).rows] == [(1 / 4,)]
    assert [row.values for row in table_of(seen.at(row), ["all_score"]).rows] == [(1 / 2,)]


def sampled(campaign: Campaign, folder: Path, **pool: Any) -> Campaign:
    """The campaign seen by support, of which a sample is pooled; two runs share half of their citations."""
    for run in ("one", "two"):
        said = [(f"Sentence {n}.", [n], []) if n % 2 else (f"{run} {n}.", [n], [n + 20]) for n in range(8)]
        add(campaign, folder / f"{run}.jsonl", [biogen(run, "1", said)])
    declare(campaign.by("Olga"), USUAL[CITATIONS])
    add_pool(campaign.asking("support").by("Olga"), **pool)
    return campaign.asking("support")


def by_unit(campaign: Campaign, unit: str) -> int:
    return (2, 1, 0, -1)[int(unit.removeprefix("unit:"), 16) % 4]


@pytest.mark.slow
@pytest.mark.parametrize(
    "pool",
    [
        {"strategy": "uniform", "depth": 100, "percent": 50},
        {"strategy": "strata", "strata": "1-4:60%,5-100:30%"},
        {"strategy": "pps", "depth": 100, "percent": 50, "prior": "rbp"},
    ],
    ids=lambda pool: pool["strategy"],
)
def test_estimates_over_many_draws_of_a_campaigns_pool_have_the_mean_of_all_judged(
    copied: Any, pool: dict[str, Any]
) -> None:
    names = [name for name in usual_of(CITATIONS) if f"stat_{name}" in MEASURES]
    estimates, draws = [f"stat_{name}" for name in names], 60
    total = np.zeros((2, len(names)))
    with copied() as (campaign, folder):
        seen = sampled(campaign, folder, depth=100)
        for unit in units.of_topic(seen, "1!support").units:
            judge_as(campaign, "Ann", "1!support", unit.unit_id, by_unit(campaign, unit.unit_id))
        exact = np.array([row.values for row in score_campaign(seen, names).rows])
    for seed in range(draws):
        with copied() as (campaign, folder):
            seen = sampled(campaign, folder, **pool, seed=seed)
            for topic_id, unit_id in pools.all_pairs(seen):
                judge_as(campaign, "Ann", topic_id, unit_id, by_unit(campaign, unit_id))
            total += [row.values for row in score_campaign(seen, estimates).rows]
    assert total / draws == pytest.approx(exact, abs=0.12)


def test_a_sample_of_everything_estimates_the_scores_themselves(small: Campaign, tmp_path: Path) -> None:
    seen = sampled(small, tmp_path, strategy="strata", strata="1-100:100%")
    for topic_id, unit_id in pools.all_pairs(seen):
        judge_as(small, "Ann", topic_id, unit_id, by_unit(small, unit_id))
    names = [name for name in usual_of(CITATIONS) if f"stat_{name}" in MEASURES]
    rows = score_campaign(seen, [*names, *(f"stat_{name}" for name in names)]).rows
    for row in rows:
        assert row.values[len(names) :] == pytest.approx(row.values[: len(names)])
    assert {estimate_of(parse_measure("weighted_precision"), design_of(seen))} == {
        parse_measure("stat_weighted_precision")
    }
    assert estimate_of(parse_measure("strict_recall"), design_of(seen)) is None


def test_a_withdrawn_run_is_scored_by_its_own_answers(asked: Campaign) -> None:
    judge_as(asked, "Ann", "1!support", unit_of(asked, "Only two says it.", YEARS), 2)
    withdraw_runs(asked.asking("").by("Olga"), ["two"])
    assert run_scores(asked, "two", "weighted_precision").mean == 1 / 3
    assert run_scores(asked, "one", "weighted_precision").mean == 0


def test_boards_by_assessor_and_rule_are_of_units_too(asked: Campaign) -> None:
    unit = unit_of(asked, "Only one says it.", YEARS)
    judge_as(asked, "Ann", "1!support", unit, 2)
    judge_as(asked, "Ben", "1!support", unit, 0)
    found = effect_of_disagreement(asked, "weighted_precision", choices=5)
    means = {
        view.name: {each.run: each.other_score for each in view.boards.positions} for view in found.views
    }
    assert {name: of_run["one"] for name, of_run in means.items()} == {
        "Ann": 1 / 3,
        "Ben": 0,
        "union": 1 / 3,
        "intersection": 0,
    }


@settings(deadline=None, max_examples=10)
@given(runs=runs, grades=st.lists(grades, min_size=1, max_size=3))
def test_the_live_board_has_the_scores_of_one_that_is_loaded_after_judgments_on_several_topics(
    copied: Any, runs: dict[str, dict[str, list[Said]]], grades: list[list[int | None]]
) -> None:
    with copied() as (campaign, folder):
        for tag, answers in runs.items():
            records = [biogen(tag, topic_id, said) for topic_id, said in answers.items()]
            add(campaign, folder / f"{tag}.jsonl", records)
        seen, board = ask(campaign, CITATIONS), Board()
        names = [*usual_of(CITATIONS), "contradicted_share(bound=upper)", "strict_recall(bound=upper)"]
        board.table(seen, names)
        for round_, of_round in enumerate(grades):
            for topic_id in ("1!support", "2!support"):
                pooled = [unit for topic, unit in pools.all_pairs(seen) if topic == topic_id]
                for unit_id, grade in zip(pooled[round_:], of_round, strict=False):
                    judge_as(campaign, "Ann", topic_id, unit_id, grade)
            assert board.table(seen, names).rows == score_campaign(seen, names).rows


def test_without_what_was_judged_before_a_round_there_are_no_measures_of_answers(asked: Campaign) -> None:
    judge_as(asked, "Ann", "1!support", unit_of(asked, "Cooler years help.", REEFS), 2)
    open_round(asked.asking("").by("Olga"), "second")
    residual = seen_by_name(asked, "second-residual")
    assert score_campaign(residual).names == usual_measures(residual) == usual_of(DOCUMENTS)
    with refused(UnknownName, "weighted_precision"):
        score_campaign(residual, ["weighted_precision"])
    assert usual_measures(seen_by_name(asked, "second")) == usual_of(CITATIONS)


def test_the_label_rule_and_conflicts_are_of_units_too(asked: Campaign) -> None:
    unit, board = unit_of(asked, "Only one says it.", YEARS), Board()
    for name, grade in (("Ann", 2), ("Ben", 2), ("Carla", 0)):
        judge_as(asked, name, "1!support", unit, grade)
    assert board.table(asked, ["weighted_precision"]).rows[0].values == (0,)
    with asked.write():
        settings_of.change(asked.asking("").by("Olga"), {"label_rule": "majority"})
    assert board.table(asked, ["weighted_precision"]).rows[0].values == (1 / 3,)
    (conflict,) = conflicts(asked, "weighted_precision").open
    assert (conflict.pair, conflict.influence.swaps) == (("1!support", unit), 1)
    assert conflict.influence.shift == pytest.approx(1 / 3)


def test_the_judged_share_of_a_run_is_that_of_all_units(small: Campaign, tmp_path: Path) -> None:
    sentences = [(f"Sentence {number}.", [0]) for number in range(20)]
    (tmp_path / "long.jsonl").write_text(answer("1", *sentences, run="long"))
    add_runs(small.by("Olga"), [str(tmp_path / "long.jsonl")], options=RunOptions(form=""))
    seen = ask(small, CITATIONS)
    for unit in units.of_topic(small, "1!support").units[:15]:
        judge_as(small, "Ann", "1!support", unit.unit_id, 2)
    assert [(row.tag, row.judged) for row in score_campaign(seen).rows] == [("long", 0.75)]


def test_conflicts_of_units_are_ordered_by_the_first_measure_of_their_board(
    small: Campaign, tmp_path: Path
) -> None:
    (tmp_path / "one.jsonl").write_text(answer("1", run="one"))
    add_runs(small.by("Olga"), [str(tmp_path / "one.jsonl")], options=RunOptions(form=""))
    put_bank(small, Nugget("grazers help"))
    assert (conflicts(small).measure, conflicts(ask(small, NUGGETS)).measure) == ("AP", "strict_vital_score")
