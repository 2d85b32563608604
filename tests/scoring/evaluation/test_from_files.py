from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.sentences import says
from workbench.core.errors import InputError
from workbench.scoring.evaluation.evaluate import Options
from workbench.scoring.evaluation.from_files import evaluate_files
from workbench.scoring.evaluation.selection import DEFAULT_PROFILE, choose

# Of topic 1, b covers subtopic 1 and a covers both; of topic 2, d covers the only one.
SUBTOPICS = "1 1 a 1\n1 2 a 2\n1 1 b 1\n1 2 c 0\n2 x d 1\n"
RUN = "1 Q0 b 1 3 t\n1 Q0 z 2 2 t\n1 Q0 a 3 1 t\n"


@pytest.fixture(autouse=True)
def in_a_folder_with_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q.txt").write_text(SUBTOPICS)
    Path("a.run").write_text(RUN)


def scores(*names: str, level: int = 1, options: Options = Options()) -> dict[str, list[float]]:  # noqa: B008
    """By name the values of topics 1 and 2, and the mean, of the run a.run."""
    asked = choose(names, DEFAULT_PROFILE, {"rel": level})
    evaluation = evaluate_files("q.txt", ["a.run"], asked, options=options).evaluation
    return {
        each.name: [*found.by_topic[:, 0].tolist(), *found.overall.tolist()]
        for each, found in evaluation.scores.items()
    }


def test_qrels_are_read_with_subtopics_where_a_measure_asks_for_them() -> None:
    found = scores("StRecall@1", "alpha_nDCG@3", options=Options(complete=True))
    topic = (1 + 1.5 / 2) / (2 + 0.5 / math.log2(3))
    assert found["StRecall@1"] == [0.5, 0.0, 0.25]
    assert found["alpha_nDCG@3"] == pytest.approx([topic, 0.0, topic / 2], rel=1e-14)
    found = scores("P_IA@2", "nDCG", "P.2")
    best = 2 + 1 / math.log2(3)
    assert found["nDCG"] == pytest.approx([(1 + 2 / 2) / best, 0.0, (1 + 2 / 2) / best], rel=1e-14)
    assert found["P_2"] == [0.5, 0.0, 0.5]
    assert found["P_IA@2"] == [0.25, 0.0, 0.25]
    assert list(scores("P_IA@5", "P"))[-2:] == ["P_1000", "P_IA@5"]


def test_the_flags_hold_for_measures_of_subtopics_and_runs_with_one_tag_are_named_by_file() -> None:
    assert scores("P_IA@2", options=Options(judged_only=True))["P_IA@2"][0] == 3 / 4
    assert scores("P_IA@3", options=Options(depth=2))["P_IA@3"][0] == 1 / 6
    assert scores("StRecall", level=2)["StRecall(rel=2)"][0] == 1.0
    assert scores("StRecall@2", level=2)["StRecall(rel=2)@2"][0] == 0.0
    Path("b c.run").write_text(RUN)
    Path("d.run").write_text(RUN.replace(" t\n", " u\n"))
    found = evaluate_files(
        "q.txt", ["a.run", "b c.run", "d.run", "a.run"], choose(["P_IA@5"], DEFAULT_PROFILE, {})
    )
    assert found.evaluation.tags == ("t (a.run)", "t (b c.run)", "u", "t (a.run) 2")


def test_qrels_with_subtopics_are_refused_where_no_measure_asks_for_them_and_without_are_told() -> None:
    with pytest.raises(InputError, match="document 'a' is listed twice in topic '1'"):
        scores("map")
    Path("q.txt").write_text("1 0 a 1\n1 0 b 1\n")
    warnings = evaluate_files("q.txt", ["a.run"], choose(["P_IA@5"], DEFAULT_PROFILE, {})).warnings
    assert says(warnings[0].message)


@pytest.mark.parametrize(("grade", "level"), [(0, 1), (-1, 1), (1, 2)])
def test_qrels_in_which_nothing_is_relevant_are_warned_about(grade: int, level: int) -> None:
    Path("q.txt").write_text(f"1 0 a {grade}\n1 0 b {grade}\n")
    warnings = evaluate_files("q.txt", ["a.run"], choose(["map"], DEFAULT_PROFILE, {"rel": level})).warnings
    assert says("\n".join([str(warning) for warning in warnings]))


def warned(qrels: str, *runs: str, measure: str = "P.1", complete: bool = False) -> list[str]:
    """What is odd about these files, as a command says it."""
    Path("q.txt").write_text(qrels)
    for number, run in enumerate(runs):
        Path(f"{number}.run").write_text(run)
    names = [f"{number}.run" for number in range(len(runs))]
    options = Options(complete=complete)
    return [
        str(one)
        for one in evaluate_files(
            "q.txt", names, choose([measure], DEFAULT_PROFILE, {}), options=options
        ).warnings
    ]


def test_topics_that_are_left_out_are_counted_and_a_run_of_others_is_refused() -> None:
    judged = "".join(f"{topic} 0 d 1\n" for topic in "12345")
    first, second = "1 Q0 d 1 2 t\n2 Q0 d 1 2 t\n", "5 Q0 d 1 2 t\n6 Q0 d 1 2 t\n7 Q0 d 1 2 t\n"
    assert says("\n".join(warned(judged, first, second)))
    assert says("\n".join(warned(judged, first, second, complete=True)))
    with pytest.raises(InputError) as told:
        warned("1 0 d 1\n2 0 d 1\n", "1 Q0 d 1 2 t\n", "x Q0 d 1 2 u\ny Q0 d 1 2 u\n")
    assert says("\n".join([str(problem) for problem in told.value.problems]))
