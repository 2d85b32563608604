"""Figures of a campaign as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import campaign_argument, open_named, say
from workbench.cli.exporting import output_option

if TYPE_CHECKING:
    from workbench.figures import Figure

ENDINGS = ("svg", "pdf", "png", "csv", "json")
USUAL = "svg"


class Plot(click.Command):
    """A command whose help ends with what the registry of figures holds."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of figures, each with its parameters."""
        from workbench.figures import load_figures

        rows = [(name, _described(one)) for name, one in sorted(load_figures().items())]
        with formatter.section("Figures"):
            formatter.write_dl(rows)


def _described(figure: Figure) -> str:
    keys = [
        f"{name}=..." if parameter.required else f"[{name}=...]"
        for name, parameter in figure.parameters.items()
    ]
    return f"{figure.summary} {' '.join(keys)}".rstrip()


@click.command(cls=Plot)
@campaign_argument
@click.argument("name", metavar="FIGURE")
@click.argument("parameters", metavar="[KEY=VALUE]...", nargs=-1)
@output_option
@click.option(
    "--format",
    "kind",
    type=click.Choice(ENDINGS),
    help="What is written.  [default: by the ending of the file; svg on standard output]",
)
def plot(path: Path, name: str, parameters: tuple[str, ...], output: str, kind: str | None) -> None:
    """Draw a FIGURE of a campaign, for papers (svg, pdf), slides (png), or its data (csv, json).

    The figures are those of the pages. json is the specification in Vega-Lite, with the data in it.

    \b
    Example:
      workbench plot robust topics -o topics.pdf
      workbench plot robust topic-scores run=THUIRr0301 measure=nDCG@10 -o scores.svg
      workbench plot robust topic-map topic=314 -o map.png
      workbench plot robust topics --format csv
    """
    from workbench.charts import FORMATS
    from workbench.figures import draw
    from workbench.formats.files import write_atomically

    asked = _read(parameters)
    ending = kind or _ending(output)
    with open_named(path) as campaign:
        chart = draw(campaign, name, asked)
    write_atomically(output, [FORMATS[ending].write(chart)])
    say(f"{chart.title}.")


def _read(parameters: tuple[str, ...]) -> dict[str, list[str]]:
    asked: dict[str, list[str]] = {}
    for parameter in parameters:
        key, sign, value = parameter.partition("=")
        if not (key and sign):
            message = f"{parameter!r} is not KEY=VALUE, such as measure=nDCG@10"
            raise click.UsageError(message)
        asked.setdefault(key, []).append(value)
    return asked


def _ending(output: str) -> str:
    if output == "-":
        return USUAL
    ending = Path(output).suffix.removeprefix(".").lower()
    if ending not in ENDINGS:
        message = f"{output}: the name must end in one of .{', .'.join(ENDINGS)}, or say --format"
        raise click.UsageError(message)
    return ending
