"""Leaving out runs and teams, by hand on three runs of five documents, and by property."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pytest import approx

import workbench as wb
from tests.analysis.reuse.conftest import GRADES, RUNS, Made
from tests.sentences import says
from workbench.analysis.reuse.origin import origin_to_depth
from workbench.analysis.reuse.report import Effort, Reuse, _pooled_alone, reuse
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import UnknownName
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign


def lines(found: Reuse) -> list[tuple[object, ...]]:
    """Left out, run, score and score without, ranks, unique relevant."""
    return [
        (row.name, run.run, round(run.score, 4), round(run.score_without, 4), *run[3:5], row.unique_relevant)
        for row in found.rows
        for run in row.runs
    ]


def test_a_team_is_left_out_with_what_only_its_runs_put_into_the_pool(made: Made) -> None:
    # R = 4: AP of a1 is (1 + 1 + 1) / 4, of a2 (1 + 1) / 4, of b1 (1 + 1 + 3/4) / 4.
    # Without Aachen d2 and d3 are lost, R = 2: a1 and a2 have d1 at rank 1, b1 has (1 + 1) / 2.
    # Without Bergen d7 is lost, R = 3: b1 has d1 at rank 2 and d2 at rank 4, (1/2 + 2/4) / 3.
    assert lines(reuse(made(depth=3), "AP")) == [
        ("Aachen", "a1", 0.75, 0.5, 1, 2, 2),
        ("Aachen", "a2", 0.5, 0.5, 3, 2, 2),
        ("Bergen", "b1", 0.6875, 0.3333, 2, 3, 1),
    ]


def test_left_out_by_itself_a_run_keeps_what_its_team_mates_found(made: Made) -> None:
    # Without a1 d3 is lost, R = 3: a1 and a2 have 2/3, b1 (1 + 1 + 3/4) / 3. a2 alone put in d6, which is not relevant.
    assert lines(reuse(made(depth=3), "AP", by="run")) == [
        ("a1", "a1", 0.75, 0.6667, 1, 2, 1),
        ("a2", "a2", 0.5, 0.5, 3, 3, 0),
        ("b1", "b1", 0.6875, 0.3333, 2, 3, 1),
    ]


def test_a_depth_may_take_the_place_of_pools(made: Made) -> None:
    pooled, not_pooled = made(depth=3), made(name="without")
    assert lines(reuse(pooled, "AP")) == lines(reuse(not_pooled, "AP", depth=3))
    # To depth 1 only d1, of a1 and a2, and d7 count as judged: R = 2.
    assert lines(reuse(pooled, "AP", depth=1)) == [
        ("Aachen", "a1", 0.5, 0.0, 2, 2, 1),
        ("Aachen", "a2", 0.5, 0.0, 2, 2, 1),
        ("Bergen", "b1", 1.0, 0.5, 1, 3, 1),
    ]


def test_pairs_that_no_run_put_into_a_pool_stay(made: Made) -> None:
    campaign = made(RUNS, {"1": GRADES["1"] | {"d5": 1, "d9": 1}}, depth=3)
    found = reuse(campaign, "R@5")
    # Of d1 d2 d3 d7 d5 d9 a1 has four, without Aachen d1 and d5 of d1 d7 d5 d9.
    assert found.outside == 2
    assert lines(found)[0] == ("Aachen", "a1", 0.6667, 0.5, 1, 1, 2)


@pytest.mark.parametrize("team", ["", "team of {}"])
def test_runs_of_no_team_and_teams_of_one_run_are_left_out_like_runs(made: Made, team: str) -> None:
    apart = {tag: (team.format(tag), rankings) for tag, (_, rankings) in RUNS.items()}
    campaign = made(apart, depth=3)
    by_team, by_run = reuse(campaign, "AP"), reuse(campaign, "AP", by="run")
    assert [row._replace(name="") for row in by_team.rows] == [row._replace(name="") for row in by_run.rows]


def test_what_a_withdrawn_run_put_into_the_pool_stays_in(made: Made) -> None:
    campaign = made(depth=3)
    withdraw_runs(campaign.by("Olga"), ["a2"])
    found = reuse(campaign, "AP", by="run")
    # d2 is of a1 and a2: it is not a1's alone. There is no row for a2, which takes no part.
    assert lines(found) == [("a1", "a1", 0.75, 0.6667, 1, 2, 1), ("b1", "b1", 0.6875, 0.3333, 2, 2, 1)]


def test_runs_that_put_nothing_in_are_named_and_not_left_out(
    made: Made, tmp_path: Path, written_run: object
) -> None:
    campaign = made(depth=3)
    path = tmp_path / "late.run"
    path.write_text("1 Q0 d9 1 2 late\n1 Q0 d1 2 1 late\n")
    add_runs(campaign.by("Olga"), [str(path)], contributes=False, team="Cadiz")
    found = reuse(campaign, "AP")
    assert [row.name for row in found.rows] == ["Aachen", "Bergen"]
    assert found.not_left_out == ("late",)
    # It takes part in the ranks all the same: without Bergen it has (1/2) / 3.
    assert lines(found)[-1] == ("Bergen", "b1", 0.6875, 0.3333, 2, 3, 1)


def test_negative_grades_are_judged_and_not_relevant(made: Made) -> None:
    campaign = made(RUNS, {"1": GRADES["1"] | {"d3": -2}}, depth=3)
    assert lines(reuse(campaign, "AP", by="run"))[0] == ("a1", "a1", 0.6667, 0.6667, 2, 2, 0)


@pytest.mark.parametrize("grades", [{}, {"1": {"d1": 0}}])
def test_without_judgments_nothing_is_said(made: Made, grades: dict[str, dict[str, int]]) -> None:
    found = reuse(made(RUNS, grades, depth=3), "AP")
    assert (found.rows, found.verdict.level) == ((), "unknown")
    assert says(found.verdict.reasons[0].words)


def test_of_one_team_or_without_a_pool_nothing_can_be_said(made: Made) -> None:
    campaign = made({tag: RUNS[tag] for tag in ("a1", "a2")}, depth=3)
    found = reuse(campaign, "AP")
    assert (found.rows, found.verdict.level) == ((), "unknown")
    assert says(found.verdict.reasons[0].words, "Aachen")
    assert len(reuse(campaign, "AP", by="run").rows) == 2
    one = made({"a1": RUNS["a1"]}, name="one", depth=3)
    assert reuse(one, "AP", by="run").verdict.level == "unknown"
    unpooled = reuse(made(name="unpooled"), "AP").verdict
    assert (unpooled.level, says(unpooled.reasons[0].words, "--depth")) == ("unknown", True)


@pytest.mark.parametrize("measure", ["num_ret", "Judged@10", "xinfAP", "infAP"])
def test_measures_that_rank_no_runs_or_estimate_are_refused(made: Made, measure: str) -> None:
    with pytest.raises(UnknownName, match="choose"):
        reuse(made(depth=3), measure)


def test_earlier_rows_of_the_log_say_what_they_said(made: Made, tmp_path: Path) -> None:
    campaign = made(depth=3)
    before = reuse(campaign, "AP")
    path = tmp_path / "more.txt"
    path.write_text("1 0 d4 1\n")
    add_qrels(campaign.by("Olga"), [str(path)])
    add_pool(campaign.by("Olga"), depth=5)
    assert lines(reuse(campaign, "AP")) != lines(before)
    assert lines(reuse(campaign.at(before.head.seq), "AP")) == lines(before)


def random_campaign(made: Made, seed: int) -> Campaign:
    """Six runs of three teams and one without, three topics, seven documents a ranking."""
    rng = random.Random(seed)
    documents = [f"d{number}" for number in range(14)]
    runs = {
        f"r{number}": (team, {topic: " ".join(rng.sample(documents, 7)) for topic in "123"})
        for number, team in enumerate(["A", "A", "B", "B", "C", ""])
    }
    grades = {topic: {each: rng.choice([-1, 0, 0, 1, 2]) for each in documents[:12]} for topic in "123"}
    return made(runs, grades, name=f"random{seed}", depth=3)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
@pytest.mark.parametrize(
    "measure", ["AP", "P@5", "nDCG@5", "RBP(p=0.8)", "Bpref", "AP(mean=micro)", "AP(judged_only=true)"]
)
def test_scores_are_those_of_the_qrels_without_these_lines(made: Made, seed: int, measure: str) -> None:
    """Against qrels that never had the lines, scored from the beginning; who brings nothing alone loses nothing."""
    campaign = random_campaign(made, seed)
    rankings, qrels = read_again(campaign)
    scored = {
        tag: {topic: {each: -place for place, each in enumerate(ids)} for topic, ids in by_topic.items()}
        for tag, by_topic in rankings.items()
    }
    rows = reuse(campaign, measure).rows
    assert sorted(run.run for row in rows for run in row.runs) == sorted(rankings)
    for row in rows:
        mine = {run.run for run in row.runs}
        own, others = (
            {
                (topic, document)
                for tag, by_topic in rankings.items()
                if (tag in mine) is is_own
                for topic, documents in by_topic.items()
                for document in documents[:3]
            }
            for is_own in (True, False)
        )
        reduced = {
            topic: {each: grade for each, grade in grades.items() if (topic, each) not in own - others}
            for topic, grades in qrels.items()
        }
        means = wb.evaluate(reduced, scored, [measure]).mean
        for run in row.runs:
            assert run.score_without == approx(means[run.run][measure])
            above = sum(mean[measure] > means[run.run][measure] + 1e-9 for mean in means.values())
            assert run.rank_without == 1 + above


def read_again(campaign: Campaign) -> tuple[dict[str, dict[str, list[str]]], dict[str, dict[str, int]]]:
    """The rankings and grades of a campaign, from the files it was made of."""
    rankings: dict[str, dict[str, list[str]]] = {}
    qrels: dict[str, dict[str, int]] = {}
    for path in sorted(each for each in campaign.path.parent.iterdir() if each.suffix in ("", ".txt")):
        for words in map(str.split, path.read_text().splitlines()):
            if path.name == "qrels.txt":
                qrels.setdefault(words[0], {})[words[2]] = int(words[3])
            else:
                rankings.setdefault(path.name, {}).setdefault(words[0], []).append(words[2])
    return rankings, qrels


def test_past_a_limit_those_are_left_out_that_lose_most_and_the_others_are_named(made: Made) -> None:
    # Aachen alone found two relevant documents, Bergen one; each time the 15 ranked documents are scored again.
    campaign = made(depth=3)
    found = reuse(campaign, "AP", effort=Effort(entries=15, tested=0))
    assert [row.name for row in found.rows] == ["Aachen"]
    assert found.skipped == ("Bergen",)
    assert says(" ".join(found.notes), "Bergen")
    nothing = reuse(campaign, "AP", effort=Effort(entries=14, tested=0))
    assert (nothing.rows, nothing.verdict.level) == ((), "unknown")


def test_where_differences_by_topic_are_not_averaged_significance_is_not_tested(made: Made) -> None:
    found = reuse(made(depth=3), "AP(mean=micro)")
    assert [note for note in found.notes if note.startswith("Significance is not tested: ")]
    assert all(row.preserved is None for row in found.rows)
    assert not [note for note in reuse(made(depth=3, name="other"), "AP").notes if "not tested" in note]


def test_as_if_only_a_pool_to_a_depth_had_been_judged_the_rest_of_it_waits(made: Made) -> None:
    scoring = scoring_of(made(RUNS, {"1": {"d1": 1, "d2": 1, "d7": 0, "d5": 1}}))
    # To depth 3 the pool is d1, d2, d3, d6, d7 and d8; d5 is judged outside of it.
    found = _pooled_alone(scoring, origin_to_depth(scoring, 3))
    judged = (scoring.num_judged.tolist(), found.num_judged.tolist(), found.num_waiting.tolist())
    assert judged == ([4], [3], [3])
