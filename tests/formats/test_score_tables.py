from __future__ import annotations

from workbench.formats.score_tables import Column, Row, best_rows, best_values, latex_lines, printed

COLUMNS = [Column("AP"), Column("P@5"), Column("NumRet", is_count=True, best="none")]
ROWS = [Row("bm25", (0.5, 1 / 3, 1000)), Row("a_b", (0.25, 2 / 3, 2))]


def test_counts_are_whole_and_everything_else_has_four_digits() -> None:
    assert [printed(value, column) for column, value in zip(COLUMNS, ROWS[0].values, strict=True)] == [
        "0.5000",
        "0.3333",
        "1,000",
    ]
    assert printed(None, COLUMNS[0]) == ""


def test_the_best_of_a_column_is_its_highest_value_and_a_count_has_none() -> None:
    assert best_values(COLUMNS, ROWS) == [0.5, 2 / 3, None]


def test_the_best_of_a_column_where_less_is_better_is_its_lowest_value() -> None:
    assert best_values([Column("SetE", best="lowest")], [Row("one", (0.5,)), Row("two", (0.25,))]) == [0.25]


def test_where_all_runs_are_alike_none_is_the_best() -> None:
    assert best_values(COLUMNS[:1], [Row("one", (0.5,)), Row("two", (0.5,))]) == [None]
    assert best_values(COLUMNS[:1], [Row("one", (0.5,)), Row("two", (0.5,)), Row("three", (0.25,))]) == [0.5]


def test_without_runs_there_is_no_best() -> None:
    assert best_values(COLUMNS, []) == [None, None, None]


def test_a_single_run_is_not_the_best_of_anything() -> None:
    assert best_values(COLUMNS, ROWS[:1]) == [None, None, None]


def test_runs_compete_topic_by_topic() -> None:
    topics = [
        Row("one", (0.1,), "1"),
        Row("one", (0.9,), "2"),
        Row("one", (0.6,)),
        Row("two", (0.2,), "1"),
        Row("two", (0.8,), "2"),
        Row("two", (0.5,)),
    ]
    assert best_rows(COLUMNS[:1], topics) == [[False], [True], [True], [True], [False], [False]]


def test_latex_escapes_names_and_marks_the_best() -> None:
    lines = "".join(latex_lines(COLUMNS, ROWS)).splitlines()
    assert lines[0] == r"\begin{tabular}{lrrr}"
    assert r"bm25 & \textbf{0.5000} & 0.3333 & 1,000 \\" in lines
    assert r"a\_b & 0.2500 & \textbf{0.6667} & 2 \\" in lines


def test_latex_has_a_column_of_topics_where_there_are_topics() -> None:
    lines = "".join(latex_lines(COLUMNS[:1], [Row("x", (None,), "1_a"), Row("x", (0.5,))])).splitlines()
    assert lines == [
        r"\begin{tabular}{llr}",
        r"\toprule",
        r"Run & Topic & AP \\",
        r"\midrule",
        r"x & 1\_a &  \\",
        r"x & all & 0.5000 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
