"""Samples of a pool with their judgments, as a campaign takes them in: sampling qrels, prels, or a table.

The three are what `workbench export sample` writes. The table is recognised by its first line, which names the columns
topic_id, document_id, stratum, inclusion_probability, drawn and grade, in any order. The other two differ by
their columns: sampling qrels have five, topic 0 document stratum grade, with the grade -1 for what was pooled and not
drawn (sample_eval.pl); prels have five others, topic document grade method probability, of the documents that were
drawn (statAP_MQ_eval).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.records import Source
from workbench.formats.answers.nodes import Node, read_each
from workbench.formats.qrels import QrelsFile, qrels_warnings, with_grades
from workbench.formats.tables.records import Columns
from workbench.formats.text.content import Content, is_json
from workbench.formats.text.guesses import is_number, is_of_probabilities
from workbench.formats.text.lines import Layout, Row, one_word_each, problems_of, rows_of, shown, topic_word
from workbench.formats.text.parse_mode import STRICT, ParseMode
from workbench.formats.text.rows import FirstLines, bad_grade, wrong_columns
from workbench.formats.text.sources import load_with_source

if TYPE_CHECKING:
    import polars as pl

    from workbench.formats.text.columns import Table


COLUMNS = ("topic_id", "document_id", "stratum", "inclusion_probability", "drawn", "grade")
TABLE = Columns(",".join(COLUMNS), needed=tuple((name,) for name in COLUMNS))
HIGHEST_STRATUM = 999_999_999
Candidate = tuple[tuple[str, str, int, float, bool, int | None], int]
"""A row of the frame of a sample, and its line."""


@dataclass(frozen=True, eq=False)
class SampleFile(QrelsFile):
    """A sample as it is in its file: as a QrelsFile, but the frame has all that is known of each candidate.

    Its columns are topic_id, document_id (String), stratum (Int64, from 1 within the topic), probability (Float64,
    above 0 and at most 1), drawn (Boolean) and grade (Int64, null where it is not judged).

    Attributes:
        strata: whether all candidates of each stratum are there, and those of a stratum had the same chance.
    """

    strata: bool = True

    @property
    def judged(self) -> QrelsFile:
        """What is judged of it, as qrels."""
        import polars as pl

        judged = self.frame.filter(pl.col("grade").is_not_null()).select("topic_id", "document_id", "grade")
        return QrelsFile(self.file, self.source, judged)


def read_sample(path: str | Path) -> SampleFile:
    """Read and check a sample; `-` is standard input. Raises `InputError` with all that is wrong with it."""
    content, source = load_with_source(path)
    if not is_json(content) and b"inclusion_probability" in content.data.split(b"\n", 1)[0]:
        return _from_table(content, source)
    table = sampled_qrels_table(content)
    warnings = tuple(qrels_warnings(content, table.layout))
    strata = "stratum" in table.frame.columns
    frame, more = _of_strata(content, table) if strata else (_of_probabilities(table.frame), [])
    return SampleFile(content.file, source, frame, (*warnings, *more), table.layout, strata=strata)


def _of_probabilities(frame: pl.DataFrame) -> pl.DataFrame:
    """The candidates of prels: what was drawn."""
    import polars as pl

    grade = pl.when(pl.col("grade") >= 0).then("grade").alias("grade")
    one = pl.lit(1, pl.Int64).alias("stratum")
    return frame.select("topic_id", "document_id", one, "probability", pl.lit(True).alias("drawn"), grade)


def _of_strata(content: Content, table: Table) -> tuple[pl.DataFrame, list[Problem]]:
    """The candidates of sampling qrels: the probability is the share of the stratum that is judged."""
    import polars as pl

    wrong = [
        Problem(content.file, table.layout.line_of(row), message)
        for row, text in enumerate(table.frame["stratum"].to_list())
        if (message := _bad_stratum(text.encode(), least=0)) is not None
    ]
    if wrong:
        raise InputError(wrong)
    drawn = pl.col("grade") >= 0
    stratum = pl.col("stratum").cast(pl.Int64)
    shift = int(table.frame.select(stratum.min()).item() < 1)
    frame = table.frame.select(
        "topic_id",
        "document_id",
        stratum + shift,
        (drawn.sum().cast(pl.Float64) / pl.len()).over("topic_id", "stratum").alias("probability"),
        drawn.alias("drawn"),
        pl.when(drawn).then("grade").alias("grade"),
    )
    unknown = frame.with_row_index("row").filter(pl.col("probability") == 0)
    if not unknown.is_empty():
        places = unknown.unique(["topic_id", "stratum"], keep="first", maintain_order=True)
        raise InputError(
            [
                Problem(content.file, table.layout.line_of(row), _no_rate(topic_id, stratum - shift))
                for row, topic_id, stratum in places.select("row", "topic_id", "stratum").iter_rows()
            ]
        )
    message = "strata are numbered from 0 here, and from 1 in a campaign: stratum 0 becomes 1, and so on"
    return frame, [Problem(content.file, None, message)] if shift else []


def _no_rate(topic_id: str, stratum: int) -> str:
    return (
        f"nothing of stratum {stratum} of topic {topic_id} is judged, so the share that was drawn is unknown; give the "
        "table with the column inclusion_probability (export sample --format csv), or leave the stratum's lines out"
    )


def _bad_stratum(text: bytes, *, least: int) -> str | None:
    if text.isdigit() and len(text) <= 9 and least <= int(text):
        return None
    return f"stratum {shown(text)} is not a whole number from {least} to {HIGHEST_STRATUM}; number the strata"


def _from_table(content: Content, source: Source) -> SampleFile:
    """The table of candidates, whose probabilities are known whatever is judged by now."""
    import polars as pl

    from workbench.formats.text.columns import rows_before

    found = read_each(content, "candidates", _candidate, _named, columns=TABLE)
    names = ("topic_id", "document_id", "stratum", "probability", "drawn", "grade")
    types = (pl.String, pl.String, pl.Int64, pl.Float64, pl.Boolean, pl.Int64)
    rows, lines = [row for row, _ in found], [line for _, line in found]
    frame = pl.DataFrame(rows, dict(zip(names, types, strict=True)), orient="row")
    alike = frame.group_by("topic_id", "stratum").agg(pl.col("probability").n_unique())["probability"].max()
    layout = Layout(rows_before(lines, lines[-1]))
    return SampleFile(content.file, source, frame, (), layout, strata=bool(alike == 1))


def _candidate(line: int, node: Node) -> Iterator[Candidate]:
    topic_id, document_id, stratum, chance, drawn, grade = (node.text(name) for name in COLUMNS)
    for name, value in (("topic_id", topic_id), ("document_id", document_id)):
        if len(value.split()) != 1:
            node.wrong(name, "write the identifier as in the run files, in one word")
    if drawn not in ("0", "1"):
        node.wrong("drawn", "write 1 for a document that was drawn to be judged, else 0")
    elif drawn == "0" and grade:
        node.fault(
            f"a document that was not drawn has the grade {shown(grade)}; write 1 in drawn, or no grade"
        )
    wrong = bad_grade(grade.encode(), is_first=False) if grade else None
    for message in (_bad_stratum(stratum.encode(), least=1), bad_probability(chance.encode()), wrong):
        if message is not None:
            node.fault(message)
    if not node.faults:
        given = int(float(grade)) if grade else None
        yield (topic_id, document_id, int(stratum), float(chance), drawn == "1", given), line


def _named(candidate: Candidate) -> str:
    (topic_id, document_id, *_), _ = candidate
    return f"document {shown(document_id)} of topic {shown(topic_id)}"


STRATA = ("topic_id", "iteration", "document_id", "stratum", "grade")
PROBABILITIES = ("topic_id", "document_id", "grade", "method", "probability")
SHAPES = "topic 0 document stratum grade, or topic document grade method probability"

NOT_DRAWN = -1
"""The grade of a document that was pooled and not drawn."""

METHOD = 1
"""What prels have in the column of the method, which nothing reads."""


class SampledPair(NamedTuple):
    """A candidate of a sample; `grade` is None where it was not drawn, or is not judged."""

    topic_id: str
    document_id: str
    stratum: int
    probability: float
    grade: int | None


def read_sampled_qrels(path: str | Path, parse_mode: ParseMode = STRICT) -> QrelsFile:
    """Read and check sampling qrels or prels; `-` is standard input. Raises `InputError` with all that is wrong.

    The frame has besides `stratum` (String), where what was not drawn has the grade -1, or `probability` (Float64).
    """
    content, source = load_with_source(path)
    table = sampled_qrels_table(content, parse_mode)
    warnings = tuple(qrels_warnings(content, table.layout))
    return QrelsFile(content.file, source, table.frame, warnings, table.layout)


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
    never = "a document that is never drawn does not belong in such a file"
    return f"probability {shown(text)} is not above 0 and at most 1; {never}"


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
