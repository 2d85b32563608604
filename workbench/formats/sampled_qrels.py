"""Judgments of a sample with its design, in the two forms of the field.

Sampling qrels have five columns, topic 0 document stratum grade, with the grade -1 for what was pooled and not drawn
(sample_eval.pl). Prels have five others, topic document grade method probability, of the documents that were drawn
(statAP_MQ_eval). Which of the two a file is, its columns say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import InputError
from workbench.formats.qrels import QrelsFile, qrels_warnings, with_grades
from workbench.formats.text.content import Content, load_with_source
from workbench.formats.text.guesses import is_number, is_of_probabilities
from workbench.formats.text.lines import Row, one_word_each, problems_of, rows_of, shown, topic_word
from workbench.formats.text.parse_mode import STRICT, ParseMode
from workbench.formats.text.rows import FirstLines, bad_grade, wrong_columns

if TYPE_CHECKING:
    from workbench.formats.text.columns import Table

STRATA = ("topic_id", "iteration", "document_id", "stratum", "grade")
PROBABILITIES = ("topic_id", "document_id", "grade", "method", "probability")
SHAPES = "topic 0 document stratum grade, or topic document grade method probability"

NOT_DRAWN = -1
"""The grade of a document that was pooled and not drawn."""

METHOD = 1
"""What prels have in the column of the method, which nothing reads."""


@dataclass(frozen=True, eq=False)
class SampledQrelsFile(QrelsFile):
    """Judgments of a sample as they are in their file.

    As a QrelsFile, but the frame has besides `stratum` (String), where what was not drawn has the grade -1, or
    `probability` (Float64).
    """


class SampledPair(NamedTuple):
    """A candidate of a sample; `grade` is None where it was not drawn, or is not judged."""

    topic_id: str
    document_id: str
    stratum: int
    probability: float
    grade: int | None


def read_sampled_qrels(path: str | Path, parse_mode: ParseMode = STRICT) -> SampledQrelsFile:
    """Read and check sampling qrels or prels; `-` is standard input.

    Raises `InputError` with all that is wrong with them.
    """
    content, source = load_with_source(path)
    table = sampled_qrels_table(content, parse_mode)
    warnings = tuple(qrels_warnings(content, table.layout))
    return SampledQrelsFile(content.file, source, table.frame, warnings, table.layout)


def sampled_qrels_table(content: Content, parse_mode: ParseMode = STRICT) -> Table:
    """The rows of sampling qrels or prels, checked; frame and errors as in `read_sampled_qrels`."""
    import polars as pl

    from workbench.formats.text.columns import slow_columns

    columns = columns_of(content.data, comments=parse_mode.comments)
    rows = _SampledRows(columns)
    if problems := problems_of(content, rows.check, "qrels", comments=parse_mode.comments):
        raise InputError(problems)
    table = slow_columns(content.data, columns, comments=parse_mode.comments)
    frame = with_grades(table)
    if "probability" in columns:
        frame = frame.with_columns(pl.col("probability").cast(pl.Float64))
    kept = [name for name in columns if name not in {"iteration", "method"}]
    return table._replace(frame=frame.select(kept))


def columns_of(data: bytes, *, comments: bool = True) -> tuple[str, ...]:
    """STRATA or PROBABILITIES, by what the columns hold."""
    rows = [row.columns for row in rows_of(data, comments=comments) if len(row.columns) == 5]
    return PROBABILITIES if is_of_probabilities(rows) else STRATA


class _SampledRows:
    """Checks the rows of one file, in order: columns, encoding, grade, probability, repeated documents."""

    def __init__(self, columns: tuple[str, ...]) -> None:
        self._columns = columns
        self._first_lines = FirstLines()
        self._seen_any = False

    def check(self, row: Row) -> Iterator[str]:
        """What is wrong with the next row."""
        is_first, self._seen_any = not self._seen_any, True
        if (message := wrong_columns(row, 5, f"a sample has five ({SHAPES})")) is not None:
            yield message
            return
        value = dict(zip(self._columns, row.columns, strict=True))
        found = [
            bad_grade(value["grade"], is_first=is_first),
            bad_probability(value.get("probability")),
            self._first_lines.repeated(row.line, value["topic_id"], value["document_id"]),
        ]
        yield from filter(None, found)


def bad_probability(text: bytes | None) -> str | None:
    """The message for an inclusion probability that is none; None where it is one, or there is none to check."""
    if text is None or (is_number(text) and 0 < float(text) <= 1):
        return None
    return f"probability {shown(text)} is not above 0 and at most 1; what is never drawn is in no such file"


def strata_lines(path: str | Path, pairs: Iterable[SampledPair]) -> Iterator[str]:
    """The lines of sampling qrels, of all candidates; what is not judged has the grade -1.

    A topic or document that could not be read again is an `InputError`, of the file `path`.
    """
    for pair in pairs:
        grade = NOT_DRAWN if pair.grade is None else pair.grade
        yield f"{_words(path, pair, ' 0 ')} {pair.stratum} {grade}\n"


def probability_lines(path: str | Path, pairs: Iterable[SampledPair]) -> Iterator[str]:
    """The lines of prels, of the candidates that are judged; errors as in `strata_lines`."""
    for pair in pairs:
        if pair.grade is not None:
            yield f"{_words(path, pair, ' ')} {pair.grade} {METHOD} {pair.probability!r}\n"


def _words(path: str | Path, pair: SampledPair, between: str) -> str:
    one_word_each(path, [pair.document_id])
    return f"{topic_word(path, pair.topic_id)}{between}{pair.document_id}"
