from __future__ import annotations

import pytest

from workbench.formats.text.guesses import guess_for_qrels, guess_for_run

NOT_A_RUN = {
    "qrels": ("1 0 a 1\n1 0 b 0\n", "workbench add qrels"),
    "no tag": ("1 Q0 a 1 2.5\n1 Q0 b 2 1.5\n", """awk '{print $1, $2, $3, $4, $5, "TAG"}' FILE > NEWFILE"""),
    "topic, document, rank": ("1 a 1\n1 b 2\n", """awk '{print $1, "Q0", $2, $3, -$3, "TAG"}'"""),
    "topic, document, score": ("1 a 9.5\n1 b 2\n", """awk '{print $1, "Q0", $2, ++rank[$1], $3, "TAG"}'"""),
    "qrels of five columns": ("1 0 a 425 1\n1 0 b 425 0\n", "sample_eval"),
    "XML": ("<?xml version='1.0'?>\n<run>\n", "XML or SGML"),
    "JSON": ('{"1": {"a": 2.0}}\n', "JSON"),
    "a list in JSON": ("\n [1,\n 2]\n", "JSON"),
    "commas": ("1,Q0,a,1,2.0,t\n", "separated by commas"),
    "one column": ("a\nb\n", "1 column, but a run has six columns (topic Q0 document rank score tag)"),
}
NOT_QRELS = {
    "a run": ("1 Q0 a 1 2.5 t\n", "workbench add runs"),
    "a column names line": ("query-id corpus-id score\n1 a 1\n", "awk 'NR > 1 {print $1, 0, $2, $3}'"),
    "no second column": ("1 a 1\n1 b 0\n", "awk '{print $1, 0, $2, $3}' FILE > NEWFILE"),
    "two grades": ("1 0 a 425 1\n1 0 b 425 0\n", "awk '$5 >= 0 {print $1, $2, $3, $5}'"),
    "a sample with probabilities": ("1 a 1 2 0.25\n", "statAP"),
    "five columns of another kind": ("1 0 a 1 x\n", "awk '{print $1, $2, $3, $4}'"),
    "XML": ("<qrels>\n", "XML or SGML"),
    "JSON": ("[]\n", "JSON"),
    "commas": ("1,0,a,1\n", "separated by commas"),
    "two columns": ("a L3\n", "2 columns, but qrels have four columns (topic 0 document grade)"),
}


@pytest.mark.parametrize("name", NOT_A_RUN)
def test_a_file_that_is_no_run_is_recognised_with_the_way_out(name: str) -> None:
    text, expected = NOT_A_RUN[name]
    guess = guess_for_run(text.encode())
    assert guess is not None
    assert expected in guess


@pytest.mark.parametrize("name", NOT_QRELS)
def test_a_file_that_is_no_qrels_is_recognised_with_the_way_out(name: str) -> None:
    text, expected = NOT_QRELS[name]
    guess = guess_for_qrels(text.encode())
    assert guess is not None
    assert expected in guess
