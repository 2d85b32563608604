"""Leaderboards as files: scores of runs by topic, one a line, in the layouts of `tables.score_layouts` and one more.

No layout can be told from the file, so the reader is given its name. In trec_eval and ir_measures-cli a file is a run,
named by its line `runid`, else by its own name; a folder holds a leaderboard, a file for each run. `ranking` has six
columns, as a run of documents has, in which runs are in the place of documents.

Source of the columns: auto-judge-base, leaderboard.py, and eval_results/io.py of auto-judge-evaluate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import InputError
from workbench.formats.answers.nodes import Node, read_each
from workbench.formats.tables.score_layouts import LAYOUTS, OVERALL, READ, Score
from workbench.formats.text.content import Content, load
from workbench.formats.text.files import refused
from workbench.formats.text.guesses import is_number
from workbench.formats.text.lines import Row, problems_of, shown
from workbench.formats.text.rows import wrong_columns

if TYPE_CHECKING:
    import polars as pl

NAME_OF_RUN = "runid"
MEANS_TOO = "ir_measures-cli"
"""A layout whose files may lack the topics."""


def read_leaderboard(path: str | Path, layout: str) -> pl.DataFrame:
    """The scores of a file, or of all files of a folder: columns run, topic (null: of all topics), measure, value.

    Raises InputError with all that is wrong: other columns, what is no number, a score that is there twice.
    """
    import polars as pl

    folder = Path(path)
    if folder.is_dir():
        files = sorted(each for each in folder.iterdir() if each.is_file() and each.name[0] != ".")
        if not files:
            raise refused(path, "the folder holds no files; name a folder with a file for each run")
        found = pl.concat([_read(each, layout) for each in files])
        if (twice := found.filter(found.select("run", "topic", "measure").is_duplicated())).height:
            run, topic, measure, _ = twice.row(0)
            message = f"two files have {_named(run, topic, measure)}; keep one of them"
            raise refused(path, message)
        return found
    return _read(path, layout)


def _read(path: str | Path, layout: str) -> pl.DataFrame:
    import polars as pl

    from workbench.formats.text.columns import read_columns, slow_columns

    content, names = load(path), READ[layout]
    if layout == "jsonl":
        read = partial(_objects, LAYOUTS[layout].columns)
        scores = read_each(
            content, "scores", read, lambda each: _named(each.run, each.topic or OVERALL, each.measure)
        )
        return pl.DataFrame(
            scores, schema={**dict.fromkeys(names, pl.String), "value": pl.Float64}, orient="row"
        )
    if layout in LAYOUTS and LAYOUTS[layout].has_head:
        content = _without_head(content)
    if layout == MEANS_TOO and len(content.data.lstrip().partition(b"\n")[0].split()) == 2:
        names = names[1:]
    table = read_columns(content.data, names)
    found = None if table is None or table.longer is not None else _scores(table.frame, content.file)
    if found is None:
        if problems := problems_of(content, _Rows(names, content.file).check, "scores"):
            raise InputError(problems)
        found = _scores(slow_columns(content.data, names).frame, content.file)
    if found is None:
        raise refused(path, "a score is no number, or is there twice; correct the file")
    return found


def _without_head(content: Content) -> Content:
    """The content with a blank line in the place of a first one that names columns; numbers of lines stay."""
    first, _, rest = content.data.partition(b"\n")
    columns = first.split()
    return content if not columns or is_number(columns[-1]) else content._replace(data=b"\n" + rest)


def _scores(frame: pl.DataFrame, file: str) -> pl.DataFrame | None:
    """The rows of a table as scores; None where something is wrong with one."""
    import polars as pl

    if "run" not in frame.columns:
        named = frame.filter(pl.col("measure") == NAME_OF_RUN)["value"].to_list()
        run = named[0] if named else Path(file).name
        frame = frame.filter(pl.col("measure") != NAME_OF_RUN).with_columns(pl.lit(run).alias("run"))
    if "topic" not in frame.columns:
        frame = frame.with_columns(pl.lit(OVERALL).alias("topic"))
    number = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
    found = frame.select(
        "run",
        pl.col("topic").replace(OVERALL, None),
        "measure",
        pl.when(pl.col("value").str.contains(number)).then(pl.col("value")).cast(pl.Float64, strict=False),
    )
    if not found["value"].is_finite().all() or found["value"].null_count():
        return None
    return None if found.select("run", "topic", "measure").is_duplicated().any() else found


class _Rows:
    """Checks the rows of a file, in order."""

    def __init__(self, names: Sequence[str], file: str) -> None:
        self._names, self._file, self._first = names, file, dict[tuple[str, ...], int]()

    def check(self, row: Row) -> Iterator[str]:
        """What is wrong with the next row."""
        shape = " ".join(name if name != "q0" else "Q0" for name in self._names)
        if wrong := wrong_columns(row, len(self._names), f"the layout has {len(self._names)} ({shape})"):
            yield f"{wrong}; or name another layout"
            return
        cells = {name: value.decode() for name, value in zip(self._names, row.columns, strict=True)}
        if "run" not in cells and cells["measure"] == NAME_OF_RUN:
            return
        value = cells["value"].encode()
        if not is_number(value) or abs(float(value)) == float("inf"):
            yield f"{shown(value)} is not a number; write 0.5, or name another layout ({shape} was read)"
        key = (cells.get("run", self._file), cells.get("topic", OVERALL), cells["measure"])
        if (first := self._first.setdefault(key, row.line)) != row.line:
            yield f"{_named(*key)} is in line {first} already; keep one of both"


def _objects(columns: Mapping[str, str], line: int, node: Node) -> Iterator[Score]:
    run, topic, measure, value = (node.text(name, needed="write it as text") for name in columns.values())
    node.check_ids(topic, run)
    if value and (not is_number(value.encode()) or abs(float(value)) == float("inf")):
        node.wrong(columns["value"], "write a number, such as 0.5")
    if not node.faults:
        yield Score(run, None if topic == OVERALL else topic, measure, float(value))


def _named(run: str, topic: str | None, measure: str) -> str:
    return f"{measure} of run {shown(run)} on topic {shown(topic or OVERALL)}"
