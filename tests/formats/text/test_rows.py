from __future__ import annotations

import pytest

from tests.sentences import says
from workbench.formats.text.lines import rows_of
from workbench.formats.text.rows import QrelsRows, RunRows, bad_grade


def run_messages(text: str | bytes) -> list[str]:
    rows = RunRows()
    data = text if isinstance(text, bytes) else text.encode()
    return [f"{row.line}: {wrong.message}" for row in rows_of(data) for wrong in rows.check(row)]


def qrels_messages(text: str) -> list[str]:
    rows = QrelsRows()
    return [f"{row.line}: {message}" for row in rows_of(text.encode()) for message in rows.check(row)]


def scored(score: str) -> list[str]:
    return run_messages(f"1 Q0 a 1 9.5 t\n1 Q0 b 2 {score} t\n")


@pytest.mark.parametrize("score", "1 -3 +3 .5 5. 1e-5 1E5 inf -inf INFINITY 00.10 1e400".split())
def test_a_decimal_number_is_a_score_and_so_is_infinity(score: str) -> None:
    assert scored(score) == []


@pytest.mark.parametrize("score", "abc 0x10 1_0 1d5 1e . - ٣ 1.2.3 infinit 5% 1,5 nan NaN -nan".split())
def test_a_word_a_decimal_comma_and_nan_are_no_scores(score: str) -> None:
    (message,) = scored(score)
    assert says(message, f"2: score '{score}'")


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        ("topic Q0 document rank score tag", ["1: score 'score'"]),
        ("1 Q0 a 1 2.0 t/1 Q0\tb 2 1.5/word", ["2: 5 columns", "3: 1 column"]),
        ("1 Q0 a 1 3 one/1 Q0 b 2 2 two/1 Q0 c 3 1 two/1 Q0 d 4 0 one", ["2: tag 'two'"]),
        ("7 Q0 a 1 3 t/8 Q0 a 1 3 t//7 Q0 a 2 2 t", ["4: document 'a'"]),
        ("1 Q0 a 1 3 one/1 Q0 a 2 x two", ["2: score 'x'", "2: tag 'two'", "2: document 'a'"]),
        ("7 Q0 01 1 3 t/7 Q0 1 2 2 t/07 Q0 1 1 2 t", []),  # zeros in front make another id
    ],
    ids=["column names", "missing columns", "a second tag", "a duplicate", "several", "zeros"],
)
def test_each_problem_of_a_run_is_named_with_its_line(lines: str, wrong: list[str]) -> None:
    messages = run_messages(lines.replace("/", "\n") + "\n")
    assert [message.startswith(start) for message, start in zip(messages, wrong, strict=True)] == [
        True
    ] * len(wrong)
    assert all(says(message) for message in messages)


def test_bytes_that_are_not_utf8_are_a_problem_of_their_line_but_for_those_after_the_tag() -> None:
    (message,) = run_messages(b"1 Q0 a 1 2.0 t \xff nan\n1 Q0 caf\xe9 1 2.0 t\n")
    assert says(message, r"2: column 3, 'caf\xe9'")


@pytest.mark.parametrize("grade", "0 1 -1 +2 007 -0 32767 -32766 0000000001".split())
def test_a_grade_is_a_whole_number(grade: str) -> None:
    assert bad_grade(grade.encode(), is_first=False) is None


@pytest.mark.parametrize("grade", ["0.5", "x", "1_0", "٣", "32768", "9" * 30])
def test_any_other_grade_is_refused_with_the_reason(grade: str) -> None:
    assert says(bad_grade(grade.encode(), is_first=False) or "", grade)


def test_qrels_have_four_columns_and_judge_a_pair_once() -> None:
    columns, once = qrels_messages("1 0 a 1\n1 0 b\n"), qrels_messages("1 0 a 1\n1 0 a 1\n2 0 a 1\n")
    assert says("\n".join(columns), "2: 3 columns", "'1 0 b'")
    assert says("\n".join(once), "2: document 'a'")
