"""Run files: what a system returned, one document a line: topic, Q0, document, rank, score, tag.

Accepted: any mix of blanks and tabs, LF or CR LF, a byte order mark, blank lines, comments (lines that begin
with '#', kept as the header), columns after the tag, any compression that `workbench.formats.text.files` reads. A
score is a decimal number as in `NUMBER` of `workbench.formats.text.guesses`; infinity is one, nan is not. The order of
the lines and the rank column mean nothing. See `workbench.formats.text.lines` for the grammar of lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.findings import NO_RUN, Findings, Wrong
from workbench.core.records import Source
from workbench.formats import run_repairs
from workbench.formats.row_forms import form_notes, lines_with_source
from workbench.formats.text import lenient_numbers
from workbench.formats.text.content import Content
from workbench.formats.text.files import READERS, refused
from workbench.formats.text.guesses import guess_for_run
from workbench.formats.text.lines import Layout, misplaced_bytes, one_word, one_word_each, rows_of, topic_word
from workbench.formats.text.parse_mode import STRICT, ParseMode
from workbench.formats.text.rows import RunRows, blank_in_an_id, row_in_a_comment
from workbench.jobs.observing import observed_rows

if TYPE_CHECKING:
    import polars as pl

    from workbench.formats.answers.reading import AnswersFile
    from workbench.formats.text.columns import Table, Types

RUN_COLUMNS = ("topic_id", "iteration", "document_id", "rank", "score", "tag")
DROPPED = ("columns", "encoding", "score")
"""Kinds of findings of which a line has no row, so that the repair of bad lines leaves it out."""

UNREADABLE = ("identifier", *DROPPED)
"""All kinds of findings of which a line has no row."""


@dataclass(frozen=True, eq=False)
class RunFile:
    """A run as it is in its file.

    Attributes:
        file: its name as given.
        tag: the run's name, from the sixth column; one in each file.
        source: the file as stored.
        frame: columns topic_id (String), document_id (String), score (Float64), one row a document, in the order
            of the file, without nulls or nan, each pair of topic and document once.
        header: its comment lines, joined by line feeds; '' if there are none.
        warnings: findings that do not prevent reading.
        done: the repairs of what the caller chose to have repaired, with the lines that they changed.
        answers: the answers whose citations the rows are; None for a run of documents.
    """

    file: str
    tag: str
    source: Source
    frame: pl.DataFrame
    header: str = ""
    warnings: tuple[Problem, ...] = ()
    done: tuple[run_repairs.Done, ...] = ()
    layout: Layout = field(default=Layout(), repr=False)
    answers: AnswersFile | None = None

    @property
    def repairs(self) -> tuple[run_repairs.Repair, ...]:
        """What was changed, of what the caller chose to have repaired."""
        return tuple(done.repair for done in self.done)

    def line_of(self, row: int) -> int:
        """The number of the line, from 1, on which row `row` of the frame, from 0, stands."""
        if self.answers is not None:
            return self.topics[self.frame["topic_id"][row]]
        return self.layout.line_of(row)

    @cached_property
    def topics(self) -> Mapping[str, int]:
        """The line on which each topic is first, in the order of the file; that of an answer may have no row."""
        if self.answers is not None:
            lines = dict[str, int]()
            for answer in self.answers.answers:
                lines.setdefault(answer.topic_id, answer.line)
            return lines
        first = self.frame.select("topic_id").with_row_index("row").unique("topic_id", keep="first")
        return {topic_id: self.line_of(row) for row, topic_id in first.sort("row").iter_rows()}


class ExaminedRun(NamedTuple):
    """A run file with all that was found in it.

    `source` is None where the file could not be read at all; `run` is what could be read of it, None for nothing. The
    file is good unless the findings refuse it.
    """

    file: str
    findings: Findings
    source: Source | None = None
    run: RunFile | None = None


def read_run(path: str | Path, parse_mode: ParseMode = STRICT) -> RunFile:
    """Read and check a run; `-` is standard input. Raises `InputError` with all that is wrong with it."""
    return _good(examine_run(path, parse_mode))


def _good(examined: ExaminedRun) -> RunFile:
    if examined.run is None or examined.findings.refuses:
        raise examined.findings.error()
    return examined.run


def examine_run(
    path: str | Path, parse_mode: ParseMode = STRICT, repairs: run_repairs.Repairs = run_repairs.AS_SENT
) -> ExaminedRun:
    """Everything that a run file holds, and everything that is wrong with it after the repairs."""
    try:
        content, source = lines_with_source(path, parse_mode, is_run=True)
    except InputError as error:
        return ExaminedRun(str(path), Findings(str(path), error.problems))
    read = _read_rows(content, parse_mode, repairs)
    table = read.table
    if table is None:
        return ExaminedRun(content.file, read.findings, source)
    run = RunFile(
        file=content.file,
        tag=table.frame["tag"][0 if repairs.tags else -1],  # all are equal unless reading is lenient
        source=source,
        frame=table.frame.select("topic_id", "document_id", "score"),
        header=table.layout.header,
        warnings=(*run_warnings(content, table), *rank_warnings(content, table)),
        done=read.done,
        layout=table.layout,
    )
    return ExaminedRun(content.file, read.findings, source, run)


class _Rows(NamedTuple):
    """The rows that could be read, None for none, what is wrong with others, and what was repaired."""

    table: Table | None
    findings: Findings
    done: tuple[run_repairs.Done, ...] = ()


def run_table(content: Content, parse_mode: ParseMode = STRICT, *, ranks: bool = True) -> Table:
    """The rows of a run, checked: topic_id, document_id and tag as text, score as Float64, without nan.

    With `ranks`, the rank as text too. Raises `InputError` with all that is wrong with the file.
    """
    read = _read_rows(content, parse_mode, ranks=ranks)
    if read.table is None or read.findings.refuses:
        raise read.findings.error()
    return read.table if parse_mode.own_documents else _without_own(content, read.table)


def _without_own(content: Content, table: Table) -> Table:
    found = run_repairs.without_own_documents(table.frame, table.layout)
    if found is None:
        return table
    if not found[0].any():
        raise refused(content.file, "each of its documents is the topic itself, so nothing is left of it")
    return run_repairs.keeping(table, found[0])


def _read_rows(
    content: Content,
    parse_mode: ParseMode,
    repairs: run_repairs.Repairs = run_repairs.AS_SENT,
    *,
    ranks: bool = True,
) -> _Rows:
    from workbench.formats.text.columns import read_columns, slow_columns

    kept = kept_columns(parse_mode, ranks=ranks)
    table = read_columns(content.data, RUN_COLUMNS, kept, comments=parse_mode.comments)
    if (
        table is not None and table.longer is not None and not ranks
    ):  # the ranks tell whether columns are shifted
        return _read_rows(content, parse_mode, repairs)
    frame = None if table is None else checked_run(content.data, table, parse_mode)
    if table is not None and frame is not None:
        return _Rows(table._replace(frame=frame), Findings(content.file))
    once = repairs.duplicates == "identical"
    findings = run_findings(content, parse_mode, drops=bool(repairs.bad_lines), once=once)
    if NO_RUN in findings.lines:
        return _Rows(None, findings)
    bad = {line for kind in UNREADABLE for line in findings.lines.get(kind, ())}
    if table is None or bad:
        table = slow_columns(content.data, RUN_COLUMNS, comments=parse_mode.comments, bad=bad)
    if table.frame.is_empty():
        return _Rows(None, findings)
    scored = table._replace(frame=with_scores(table, parse_mode))
    return _repaired(scored, content, findings, sorted(bad), repairs)


def _repaired(
    table: Table, content: Content, findings: Findings, bad: list[int], repairs: run_repairs.Repairs
) -> _Rows:
    """The rows after the repairs that need nothing but the file; findings that were repaired are forgotten."""
    done: list[run_repairs.Done] = []
    bad = [line for line in bad if line not in findings.lines.get("identifier", ())]
    if bad and repairs.bad_lines:
        for kind in DROPPED:
            findings.drop(kind)
        done.append(run_repairs.without_bad_lines(content.data, bad))
    if repairs.tags and findings.drop("tag"):
        done.append(run_repairs.with_first_tag(table))
    if repairs.duplicates == "identical" and not run_repairs.identical_once(table.frame).all():
        table, once = run_repairs.with_each_document_once(table, "identical")
        done.append(once)
    elif repairs.duplicates and findings.drop("duplicate"):
        table, once = run_repairs.with_each_document_once(table, repairs.duplicates)
        done.append(once)
    return _Rows(table, findings, tuple(done))


def kept_columns(parse_mode: ParseMode, *, ranks: bool) -> Types:
    """The columns of a run that are of use, and what each is read as."""
    import polars as pl

    score = pl.String if parse_mode.lenient else pl.Float64
    rank = {"rank": pl.String} if ranks else {}
    return {"topic_id": pl.String, "document_id": pl.String, **rank, "score": score, "tag": pl.String}


def read_runs(paths: Sequence[str | Path], parse_mode: ParseMode = STRICT) -> list[RunFile]:
    """Read several runs at once, in the order of `paths`: all of them, or an `InputError` on all that is wrong."""
    examined = examine_runs(paths, parse_mode)
    refused = [each.findings.error() for each in examined if each.run is None or each.findings.refuses]
    if refused:
        problems = chain.from_iterable(error.problems for error in refused)
        raise InputError(problems, more=sum(error.more for error in refused))
    return [_good(each) for each in examined]


def examine_runs(
    paths: Sequence[str | Path],
    parse_mode: ParseMode = STRICT,
    repairs: run_repairs.Repairs = run_repairs.AS_SENT,
    *,
    examine: Callable[[str | Path, ParseMode, run_repairs.Repairs], ExaminedRun] = examine_run,
) -> list[ExaminedRun]:
    """Examine several runs at once, in the order of `paths`; `examine` is what examines one."""
    with ThreadPoolExecutor(READERS) as pool:
        results = pool.map(lambda path: examine(path, parse_mode, repairs), paths)
        return list(observed_rows(results, len(paths), "Reading runs"))


def run_findings(
    content: Content, parse_mode: ParseMode = STRICT, *, drops: bool = False, once: bool = False
) -> Findings:
    """Everything that is wrong with a run, line by line; the authority on what is accepted.

    `drops` and `once` as in `RunRows`.
    """
    rows, findings, first = (
        RunRows(lenient=parse_mode.lenient, drops=drops, once=once),
        Findings(content.file),
        None,
    )
    for row in rows_of(content.data, comments=parse_mode.comments):
        if (misplaced := misplaced_bytes(row)) is not None:
            wrong = [Wrong("encoding", misplaced)]
        else:
            wrong = list(rows.check(row))
        for kind, message in wrong:
            findings.add(row.line, kind, message)
        if first is None:
            first = row
            if wrong and not misplaced and (guess := guess_for_run(content.data)) is not None:
                return _no_run(content.file, row.line, guess)
    if first is None:
        return _no_run(content.file, None, "there is no line of a run in it, only blanks or comments")
    return findings


def _no_run(file: str, line: int | None, message: str) -> Findings:
    return Findings(file, [Problem(file, line, message, NO_RUN)])


def with_scores(table: Table, parse_mode: ParseMode = STRICT) -> pl.DataFrame:
    """The rows of a run with the score as a number; null where it is none."""
    import polars as pl

    if parse_mode.lenient:
        return table.frame.with_columns(lenient_numbers.scores(table.frame["score"]).alias("score"))
    if table.frame.schema["score"] == pl.Float64:
        return table.frame
    # Rounds as Python's float() does, and takes what NUMBER takes, and nan (the tests compare them).
    return table.frame.with_columns(pl.col("score").cast(pl.Float64, strict=False))


def checked_run(data: bytes, table: Table, parse_mode: ParseMode = STRICT) -> pl.DataFrame | None:
    """The rows that were read of some bytes, with scores as numbers, or None if anything is wrong with them."""
    from workbench.formats.text.columns import has_long_words, has_repeated_pairs

    frame = with_scores(table, parse_mode)
    scores, tags = frame["score"], frame["tag"]
    if scores.null_count() or scores.is_nan().any() or not (parse_mode.lenient or (tags == tags[0]).all()):
        return None
    if table.longer is not None and not parse_mode.lenient and _has_blank_in_an_id(data, table, parse_mode):
        return None
    return None if has_long_words(frame) or has_repeated_pairs(frame) else frame


def _has_blank_in_an_id(data: bytes, table: Table, parse_mode: ParseMode) -> bool:
    """Whether `blank_in_an_id` refuses a line; lines are looked at one by one only where that is possible."""
    frame = table.frame
    shifted = "rank" not in frame.columns or not frame["rank"].str.contains(r"^[+-]?[0-9]+$").all()
    if not shifted and not any(line.count(b"\t") >= 5 for line in data.split(b"\n")):
        return False
    return any(blank_in_an_id(row, 6) for row in rows_of(data, comments=parse_mode.comments))


def run_warnings(content: Content, table: Table) -> Iterator[Problem]:
    """What is odd in the lines of a run without being wrong."""
    yield from form_notes(content)
    file, layout = content.file, table.layout
    for comment in layout.comments:
        if (message := row_in_a_comment(comment, columns=6, number_in=4)) is not None:
            yield Problem(file, comment.line, message, "comment")
    if table.longer is not None:
        message = f"what follows the tag {table.frame['tag'][0]!r} is not read (a tag is one word)"
        yield Problem(file, layout.line_of(table.longer), message, "extra-columns")


def rank_warnings(content: Content, table: Table) -> list[Problem]:
    """What the rank column of a run, read by `run_table`, says that is not so; nothing where it has none."""
    if not content.has_ranks:
        return []
    from workbench.formats.rank_column import RankColumn

    frame = table.frame
    columns = frame["topic_id"], frame["document_id"], frame["rank"]
    return list(RankColumn(content.file, *columns, frame["score"].to_numpy(), table.layout).warnings())


class RankedDocuments(NamedTuple):
    """What a run has for one topic: its documents and their scores, in rank order."""

    topic_id: str
    document_ids: Sequence[str]
    scores: Sequence[float]


def run_text(path: str | Path, header: str, rankings: Iterable[RankedDocuments], tag: str) -> Iterator[str]:
    """The text of a run file in six columns, a ranking at a time, in the order given, each topic at most once.

    Ranks count from 1 in each topic. Scores are written with as many digits as it takes to read the same
    number again. `header` is lines of comment, given '# ' where they have none; '' for none. What could not be
    read again is an `InputError` under the name `path` (a blank in an identifier, '#' before a topic, a score of nan).
    """
    for line in filter(None, header.split("\n")):
        yield f"{line}\n" if line.startswith("#") else f"# {line}\n"
    tag = one_word(path, tag)
    for topic_id, document_ids, scores in rankings:
        begin, words = topic_word(path, topic_id), one_word_each(path, document_ids)
        numbers = _written(path, scores)
        yield "".join(
            [
                f"{begin} Q0 {word} {rank} {number} {tag}\n"
                for rank, (word, number) in enumerate(zip(words, numbers, strict=True), start=1)
            ]
        )


def _written(path: str | Path, scores: Sequence[float]) -> list[str]:
    numbers = [repr(float(score)) for score in scores]
    if "nan" in numbers:
        raise refused(path, "a score of nan cannot be written: it gives its document no place")
    return numbers
