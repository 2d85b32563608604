"""Figures of a campaign as files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from workbench.cli.campaigns import instance_option, open_named, path_of, say, show_warnings
from workbench.cli.exporting import output_option
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option, text_sheet, write_sheet

if TYPE_CHECKING:
    from workbench.methods.charts import Chart

ENDINGS = ("svg", "pdf", "png", "csv", "json")
USUAL = "svg"


class Words(NamedTuple):
    """What stands after `plot`: a campaign, or qrels and runs; the figure; its parameters."""

    sources: tuple[str, ...]
    name: str
    parameters: tuple[str, ...]


@command()
def plot(
    words: tuple[str, ...] = argument("{CAMPAIGN | QRELS RUN...} FIGURE [KEY=VALUE]...", required=True),
    instance: str | None = instance_option,
    output: str = output_option,
    kind: str | None = option(
        "Output format.  [default: by the file's suffix; svg on standard output]",
        "--format",
        type=click.Choice(ENDINGS),
    ),
) -> None:
    """Export a FIGURE of a campaign, for papers (svg, pdf), slides (png), or its data (csv, json).

    The figures are those of the web pages; workbench analyse figures lists them with their parameters. json is the
    specification in Vega-Lite, including the data. Qrels and run files may stand in the place of a campaign.

    Example:
      workbench analyse plot robust topics -o topics.pdf
      workbench analyse plot robust topic-scores run=THUIRr0301 measure=nDCG@10 -o scores.svg
      workbench analyse plot robust topic-map topic=314 -o map.png
      workbench analyse plot robust topics --format csv
      workbench analyse plot qrels.txt bm25.run dense.run topic-precision-recall topic=314 -o curve.pdf
    """
    from workbench.formats.text.writing import write_atomically
    from workbench.methods.charts import FORMATS

    parsed = _parsed(words)
    parameters = _read(parsed.parameters)
    ending = kind or _ending(output)
    chart = _drawn(parsed, parameters, instance)
    write_atomically(output, [FORMATS[ending].write(chart)])
    say(f"{chart.title}.")


def _parsed(words: tuple[str, ...]) -> Words:
    """The figure is the first word after the first that names one; if none does, the last before KEY=VALUE."""
    from workbench.analysis.figures import load_figures

    named = [place for place, word in enumerate(words) if place and word in load_figures()]
    plain = [place for place, word in enumerate(words) if place and not re.match(r"\w+=", word)]
    if not plain:
        message = f"no FIGURE after {words[0]}, such as topics; workbench analyse figures lists them"
        raise click.UsageError(message)
    place = named[0] if named else plain[-1]
    return Words(words[:place], words[place], words[place + 1 :])


def _drawn(words: Words, parameters: dict[str, list[str]], instance: str | None) -> Chart:
    from workbench.analysis.figures import draw
    from workbench.scoring.evaluation.reading import read_evaluation

    if len(words.sources) > 1:
        files = read_evaluation(words.sources[0], words.sources[1:])
        show_warnings([*files.qrels.warnings, *(problem for run in files.runs for problem in run.warnings)])
        return draw(files, words.name, parameters)
    with open_named(path_of(words.sources[0], instance)) as campaign:
        return draw(campaign, words.name, parameters)


def _read(parameters: tuple[str, ...]) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for parameter in parameters:
        key, sign, value = parameter.partition("=")
        if not (key and sign):
            raise click.UsageError(f"{parameter!r} is not KEY=VALUE, such as measure=nDCG@10")
        values.setdefault(key, []).append(value)
    return values


def _ending(output: str) -> str:
    if output == "-":
        return USUAL
    ending = Path(output).suffix.removeprefix(".").lower()
    if ending not in ENDINGS:
        message = f"{output}: the name must end in one of .{', .'.join(ENDINGS)}; otherwise add --format"
        raise click.UsageError(message)
    return ending


@command()
def figures(kind: str = format_option) -> None:
    """The figures, what each shows, and the parameters it takes.

    Example:
      workbench analyse figures
      workbench analyse figures --format json
    """
    from workbench.analysis.figures import load_figures

    rows = [
        (name, one.summary, " ".join(each.usage for each in one.parameters), "yes" if one.files else "no")
        for name, one in sorted(load_figures().items())
    ]
    sheet = text_sheet(("Figure", "What it shows", "Parameters", "From files too"), rows)
    write_sheet(kind, sheet, wrap=True)
