from __future__ import annotations

import pytest

from tests.sentences import says
from workbench.formats.text.lines import Comment, rows_of
from workbench.formats.text.rows import QrelsRows, RunRows, bad_grade, row_in_a_comment


def run_messages(text: str | bytes) -> list[str]:
    rows = RunRows()
    data = text if isinstance(text, bytes) else text.encode()
    return [f"{row.line}: {wrong.message}" for row in rows_of(data) for wrong in rows.check(row)]


def qrels_messages(text: str) -> list[str]:
    rows = QrelsRows()
    return [f"{row.line}: {message}" for row in rows_of(text.encode()) for message in rows.check(row)]


def scored(score: str) -> list[str]:
    return run_messages(f"1 Q0 a 1 9.5 t\n1 Q0 b 2 {score} t\n")


FRACTION = (
    "is not a whole number; write whole ones, such as 0, 1 and 2 for 0, 0.5 and 1, "
    "and say in a measure what each is worth: nDCG(gains={1:0.5,2:1})"
)


@pytest.mark.parametrize("score", "1 -3 +3 .5 5. 1e-5 1E5 inf -inf INFINITY 00.10 1e400".split())
def test_a_decimal_number_is_a_score_and_so_is_infinity(score: str) -> None:
    assert scored(score) == []


@pytest.mark.parametrize("score", "abc 0x10 1_0 1d5 1e . - ٣ 1.2.3 infinit 5%".split())
def test_a_word_is_no_score(score: str) -> None:
    assert says("\n".join(scored(score)))


def test_a_decimal_comma_is_named_with_what_to_write() -> None:
    assert says("\n".join(scored("1,5")))


@pytest.mark.parametrize("score", ["nan", "NaN", "-nan"])
def test_nan_gives_a_document_no_place(score: str) -> None:
    assert says("\n".join(scored(score)))


def test_a_line_of_column_names_is_recognised() -> None:
    [message] = run_messages("topic Q0 document rank score tag\n")
    assert says(message)


def test_a_missing_column_is_shown_with_its_line() -> None:
    assert says("\n".join(run_messages("1 Q0 a 1 2.0 t\n1 Q0\tb 2 1.5\n")))
    assert run_messages("word\n")[0].startswith("1: 1 column, but")


def test_a_second_tag_is_named_once_with_the_line_of_the_first() -> None:
    lines = "1 Q0 a 1 3 one\n1 Q0 b 2 2 two\n1 Q0 c 3 1 two\n1 Q0 d 4 0 one\n"
    assert says("\n".join(run_messages(lines)))


def test_a_duplicate_is_named_with_topic_document_and_its_first_line() -> None:
    assert says("\n".join(run_messages("7 Q0 a 1 3 t\n8 Q0 a 1 3 t\n\n7 Q0 a 2 2 t\n")))


def test_leading_zeros_make_another_identifier() -> None:
    assert run_messages("7 Q0 01 1 3 t\n7 Q0 1 2 2 t\n07 Q0 1 1 2 t\n") == []


def test_one_line_may_have_several_problems() -> None:
    messages = run_messages("1 Q0 a 1 3 one\n1 Q0 a 2 x two\n")
    assert [message.split()[1] for message in messages] == ["score", "tag", "document"]


def test_text_that_is_not_utf8_is_a_problem_of_its_line() -> None:
    [message] = run_messages(b"1 Q0 caf\xe9 1 2.0 t\n")
    assert message.startswith(r"1: column 3, 'caf\xe9', is not UTF-8; convert the file")


def test_columns_after_the_tag_are_not_looked_at() -> None:
    assert run_messages(b"1 Q0 a 1 2.0 t \xff nan\n") == []


@pytest.mark.parametrize("grade", ["0", "1", "-1", "+2", "007", "-0", "32767", "-32766", "0000000001"])
def test_a_grade_is_a_whole_number(grade: str) -> None:
    assert bad_grade(grade.encode(), is_first=False) is None


@pytest.mark.parametrize("grade", ["0.5", "x", "1_0", "٣", "32768", "9" * 30])
def test_any_other_grade_is_refused_with_the_reason(grade: str) -> None:
    assert says(bad_grade(grade.encode(), is_first=False) or "", grade)


def test_qrels_have_exactly_four_columns() -> None:
    assert says("\n".join(qrels_messages("1 0 a 1\n1 0 b\n1 0 c 1 x\n")))


def test_a_pair_is_judged_once() -> None:
    assert says("\n".join(qrels_messages("1 0 a 1\n1 0 a 1\n2 0 a 1\n")))


@pytest.mark.parametrize("text", ["# team: one two three four 5", "# 1 Q0 a 1 2.0 t", "#", "#1 Q0 a"])
def test_an_ordinary_comment_is_no_row(text: str) -> None:
    assert row_in_a_comment(Comment(1, text), columns=6, number_in=4) is None


def test_a_comment_that_may_be_a_row_is_pointed_out() -> None:
    message = row_in_a_comment(Comment(1, "#1 Q0 a 1 2.0 t"), columns=6, number_in=4)
    assert message is not None
    assert says(message)
    assert "rename the topic" in message
