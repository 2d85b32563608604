"""Where we differ from the reference program on purpose: each entry of docs/audits/differences.md has its test here."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.sentences import says
from workbench.cli import main

PAGE = Path(__file__).resolve().parents[3] / "docs" / "audits" / "differences.md"


class Printed:
    """What the command printed, by name and topic."""

    def __init__(self, result: Result) -> None:
        self.status = result.exit_code
        self.lines = result.stdout.splitlines()
        self.errors = result.stderr
        rows = [line.split("\t") for line in self.lines if line.count("\t") == 2]
        self._values = {(name.strip(), topic_id): value for name, topic_id, value in rows}

    def __getitem__(self, name: str) -> str:
        return self._values[name, "all"]

    def of_topic(self, name: str, topic_id: str) -> str:
        return self._values[name, topic_id]


Evaluate = Callable[..., Printed]


@pytest.fixture
def evaluate(tmp_path: Path) -> Evaluate:
    """Evaluate a run that ranks the documents of each topic as they stand, against lines of qrels."""

    def run(qrels: str, rankings: dict[str, str] | str, *words: str) -> Printed:
        lines = rankings if isinstance(rankings, str) else run_of(rankings)
        (tmp_path / "qrels.txt").write_text(qrels, encoding="utf-8")
        (tmp_path / "run.txt").write_text(lines, encoding="utf-8")
        files = [str(tmp_path / "qrels.txt"), str(tmp_path / "run.txt")]
        return Printed(CliRunner().invoke(main, ["eval", *words, *files], catch_exceptions=False))

    return run


def run_of(rankings: dict[str, str]) -> str:
    return "".join(
        f"{topic_id} Q0 {document_id} {rank} {100 - rank} run\n"
        for topic_id, documents in rankings.items()
        for rank, document_id in enumerate(documents.split(), start=1)
    )


def test_rbp_divides_by_the_highest_grade_of_the_topic(evaluate: Evaluate) -> None:
    printed = evaluate("1 0 a 4\n1 0 b 2\n", {"1": "a b"}, "-m", "rbp")
    assert printed["rbp"] == f"{0.1 * (4 / 4 + 0.9 * 2 / 4):.4f}" == "0.1450"


def test_rbp_resid_is_0_where_all_is_judged_and_the_residual_is_not(evaluate: Evaluate) -> None:
    printed = evaluate("1 0 a 1\n", {"1": "a"}, "-m", "rbp_resid", "-m", "RBPResidual(p=0.9)")
    assert (printed["rbp_resid"], printed["RBPResidual(p=0.9)"]) == ("0.0000", f"{0.9**1:.4f}")


def test_gains_closer_than_1_are_distinguished(evaluate: Evaluate) -> None:
    printed = evaluate("1 0 a 1\n1 0 b 2\n", {"1": "a b"}, "-m", "ndcg.1=0.2,2=0.9")
    gain, best = 0.2 + 0.9 / math.log2(3), 0.9 + 0.2 / math.log2(3)
    assert printed["ndcg_1=0.2,2=0.9"] == f"{gain / best:.4f}" == "0.7482"


def test_gain_tables_may_stand_beside_one_another(evaluate: Evaluate) -> None:
    words = ("-m", "dcg", "-m", "ideal_dcg", "-m", "ndcg.1=3")
    printed = evaluate("1 0 a 1\n1 0 b 1\n", {"1": "x a"}, *words)
    assert printed["dcg"] == f"{1 / math.log2(3):.4f}"
    assert printed["ideal_dcg"] == f"{1 + 1 / math.log2(3):.4f}"
    assert printed["ndcg_1=3"] == f"{(3 / math.log2(3)) / (3 + 3 / math.log2(3)):.4f}"


def test_a_gain_for_a_negative_grade_is_refused(evaluate: Evaluate) -> None:
    printed = evaluate("1 0 a 1\n", {"1": "a"}, "-m", "ndcg.-1=2")
    assert (printed.status, printed.lines) == (1, [])
    assert "ndcg.-1=2" in printed.errors


def test_a_topic_with_negative_grades_alone_scores_0_and_counts(evaluate: Evaluate) -> None:
    printed = evaluate("1 0 a -1\n1 0 b -2\n2 0 c 1\n", {"1": "a b", "2": "c"}, "-q", "-m", "all_trec")
    assert printed.status == 0
    assert printed["num_q"] == "2"
    assert printed["map"] == "0.5000"
    assert printed.of_topic("map", "1") == printed.of_topic("ndcg", "1") == "0.0000"
    assert printed.of_topic("relstring", "1") == "'..'"


@pytest.mark.parametrize("flag", ["-J", "-M0"])
def test_a_ranking_that_is_left_empty_scores_0(flag: str, evaluate: Evaluate) -> None:
    printed = evaluate("1 0 a 1\n", {"1": "x y"}, flag, "-m", "all_trec")
    assert printed["iprec_at_recall_0.00"] == printed["11pt_avg"] == "0.0000"
    assert "nan" not in "".join(printed.lines)


EMPTIED = ("1 0 a 1\n2 0 b 1\n", {"1": "x", "2": "b"}, "-J", "-m", "11pt_avg", "-m", "iprec_at_recall.0,1")


def test_a_mean_that_would_be_nan_is_printed_as_0_with_a_warning(evaluate: Evaluate) -> None:
    printed = evaluate(*EMPTIED)
    assert printed["iprec_at_recall_0.00"] == printed["11pt_avg"] == "0.0000"
    # One relevant document has to be found for a recall of 1, so that nothing is divided by 0 there.
    assert printed["iprec_at_recall_1.00"] == f"{(0 + 1) / 2:.4f}"
    assert says(printed.errors)


def test_other_formats_count_a_ranking_that_is_left_empty_as_0_in_the_mean(evaluate: Evaluate) -> None:
    printed = evaluate(*EMPTIED, "--format", "csv")
    assert printed.lines == ["run,iprec_at_recall_0.00,iprec_at_recall_1.00,11pt_avg", "run,0.5,0.5,0.5"]
    assert printed.errors == ""


def test_num_rel_follows_the_level_with_c_too(evaluate: Evaluate) -> None:
    printed = evaluate("1 0 a 2\n1 0 b 1\n2 0 c 1\n", {"1": "a"}, "-q", "-c", "-l2", "-m", "num_rel")
    assert [printed.of_topic("num_rel", topic_id) for topic_id in ("1", "2", "all")] == ["1", "0", "1"]


def test_the_utility_of_a_missing_topic_is_that_of_an_empty_ranking(evaluate: Evaluate) -> None:
    words = ("-q", "-c", "-m", "utility.1,-1,0,0")
    printed = evaluate("1 0 a 1\n2 0 b 1\n", {"1": "a"}, *words)
    assert printed.of_topic("utility_1,-1,0,0", "2") == "0.0000"
    assert printed["utility_1,-1,0,0"] == "0.5000"


def test_a_missing_topic_is_left_out_with_a_warning(evaluate: Evaluate) -> None:
    printed = evaluate("1 0 a 1\n2 0 b 1\n", {"1": "a"}, "-m", "num_q")
    assert (printed.status, printed["num_q"]) == (0, "1")
    assert says(printed.errors)


@pytest.mark.parametrize("flags", [(), ("-c",), ("--profile", "trec_eval-9", "-c")])
def test_a_run_without_a_judged_topic_is_an_error(flags: tuple[str, ...], evaluate: Evaluate) -> None:
    printed = evaluate("301 0 a 1\n", {"0301": "a"}, *flags)
    assert (printed.status, printed.lines) == (1, [])
    assert says(printed.errors, "0301", "301")


def test_parameters_of_repeated_options_come_together(evaluate: Evaluate) -> None:
    printed = evaluate("1 0 a 1\n", {"1": "a"}, "-m", "P.10", "-m", "P.5")
    assert [line.split()[0] for line in printed.lines] == ["P_5", "P_10"]


def test_a_cutoff_given_twice_is_printed_once(evaluate: Evaluate) -> None:
    assert len(evaluate("1 0 a 1\n", {"1": "a"}, "-m", "P.5,5").lines) == 1


def test_names_with_underscores_are_understood_as_they_are_printed(evaluate: Evaluate) -> None:
    printed = evaluate("1 0 a 1\n", {"1": "a"}, "-m", "ndcg_cut_5", "-m", "P_5")
    assert [line.split()[0] for line in printed.lines] == ["P_5", "ndcg_cut_5"]


def test_a_negative_level_is_refused(evaluate: Evaluate) -> None:
    printed = evaluate("1 0 a 1\n", {"1": "a"}, "-l", "-1")
    assert (printed.status, printed.lines) == (2, [])


def test_preferences_and_judgment_groups_are_refused_with_a_reason(evaluate: Evaluate) -> None:
    printed = evaluate("1 0 a 1\n", {"1": "a"}, "-m", "prefs")
    assert printed.status == 1
    assert says(printed.errors)


QRELS = "1 0 a 1\n1 0 b 0\n"


@pytest.mark.parametrize(
    "qrels",
    [
        "# made in 2026\n# by hand\n1 0 a 1\n1 0 b 0\n",
        "1 0 a 1\n# half of it\n# so far\n1 0 b 0\n",
        "1 0 a 1\n1 0 b 0\n# the end\n",
    ],
)
def test_comments_may_stand_anywhere(qrels: str, evaluate: Evaluate) -> None:
    assert evaluate(qrels, {"1": "b a"}).lines == evaluate(QRELS, {"1": "b a"}).lines


def test_blank_lines_are_passed_over(evaluate: Evaluate) -> None:
    assert evaluate("\n1 0 a 1\n\n1 0 b 0\n\n", {"1": "b a"}).lines == evaluate(QRELS, {"1": "b a"}).lines


def test_a_byte_order_mark_is_no_part_of_a_topic(evaluate: Evaluate) -> None:
    marked = "\ufeff" + run_of({"1": "a b"})
    assert evaluate("\ufeff" + QRELS, marked).lines == evaluate(QRELS, {"1": "a b"}).lines


def test_a_score_that_is_no_number_is_refused_and_begins_with_one_when_lenient(evaluate: Evaluate) -> None:
    run = "1 Q0 b 1 1,5 run\n1 Q0 a 2 abc run\n1 Q0 x 3 0x10 run\n"
    strict = evaluate(QRELS, run)
    assert (strict.status, strict.lines) == (1, [])
    assert [line.partition("run.txt:")[2][:2] for line in strict.errors.splitlines()] == ["1:", "2:", "3:"]
    # 16, 1 and 0: x, b, a
    lenient = evaluate(QRELS, run, "--lenient", "-q", "-m", "relstring")
    assert lenient.of_topic("relstring", "1") == "'-01'"


def test_a_grade_with_a_fraction_is_refused_and_cut_off_when_lenient(evaluate: Evaluate) -> None:
    qrels = "1 0 a 1.9\n1 0 b 0.5\n1 0 c x\n"
    strict = evaluate(qrels, {"1": "a b c"})
    assert (strict.status, strict.lines) == (1, [])
    assert all(f"qrels.txt:{line}: " in strict.errors for line in (1, 2, 3))
    lenient = evaluate(qrels, {"1": "a b c"}, "--lenient", "-q", "-m", "relstring")
    assert lenient.of_topic("relstring", "1") == "'100'"


def test_a_score_that_is_nan_is_refused(evaluate: Evaluate) -> None:
    printed = evaluate(QRELS, "1 Q0 a 1 nan run\n")
    assert (printed.status, printed.lines) == (1, [])
    assert "run.txt:1: " in printed.errors


def test_a_duplicate_is_named_with_its_line_wherever_it_ranks(evaluate: Evaluate) -> None:
    printed = evaluate(QRELS, {"1": "a b c a"}, "-M", "2")
    assert (printed.status, printed.lines) == (1, [])
    assert "run.txt:4: " in printed.errors


def test_a_run_with_two_tags_is_refused_and_takes_the_last_when_lenient(evaluate: Evaluate) -> None:
    run = "1 Q0 a 1 2 first\n1 Q0 b 2 1 second\n"
    strict = evaluate(QRELS, run)
    assert (strict.status, strict.lines) == (1, [])
    assert evaluate(QRELS, run, "--lenient")["runid"] == "second"


@pytest.mark.parametrize("flags", [(), ("--lenient",)])
def test_a_grade_above_32767_is_refused(flags: tuple[str, ...], evaluate: Evaluate) -> None:
    printed = evaluate("1 0 a 1\n1 0 b 1000000000\n", {"1": "a"}, *flags)
    assert (printed.status, printed.lines) == (1, [])
    assert "qrels.txt:2: " in printed.errors


TWO_OF_FIVE = "1 0 a 1\n1 0 b 1\n1 0 c 1\n1 0 d 1\n1 0 e 0\n"


def test_precision_is_a_share_of_the_retrieved_and_recall_of_the_relevant(evaluate: Evaluate) -> None:
    # 5 retrieved, 4 relevant, 2 both: 2/5 and 2/4.
    printed = evaluate(TWO_OF_FIVE, {"1": "a x b y e"}, "-m", "set_P", "-m", "set_recall")
    assert (printed["set_P"], printed["set_recall"]) == ("0.4000", "0.5000")


def test_accuracy_adds_what_was_rightly_left_out(evaluate: Evaluate) -> None:
    # Of 20 documents 2 are relevant and retrieved, 3 retrieved alone, 2 relevant alone: 13 are neither.
    printed = evaluate(TWO_OF_FIVE, {"1": "a x b y e"}, "-N", "20", "-m", "SetAccuracy")
    assert printed["SetAccuracy(collection=20)"] == f"{(2 + 13) / 20:.4f}"


def test_every_difference_on_the_page_has_its_test_and_every_test_its_place_on_the_page() -> None:
    named = re.findall(r"`(test_\w+)`", PAGE.read_text(encoding="utf-8"))
    here = [
        name
        for name in globals()
        if name.startswith("test_") and not name.startswith("test_every_difference")
    ]
    assert sorted(name for name in named if name in here) == sorted(here)
