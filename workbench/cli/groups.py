"""The groups of commands that a newcomer looks for; which commands they hold is in `main.MEMBERS`."""

from __future__ import annotations

import click

from workbench.cli.options import Group


@click.group(cls=Group)
def campaign() -> None:
    """Show and change a campaign: steps, settings, topics, runs, warnings; prove it, back it up.

    Example:
      workbench campaign set robust title "Robust 2003"
      workbench campaign steps robust
      workbench campaign audit robust
    """


@click.group(cls=Group)
def task() -> None:
    """Run a shared task: what teams submitted, corrections, withdrawals, rounds.

    Example:
      workbench task submissions robust
      workbench task withdraw robust bm25 --reason "wrong index"
    """


@click.group(cls=Group)
def pooling() -> None:
    """Prepare pools: their strategies, pools without a campaign, search, simulation.

    Example:
      workbench pooling strategies
      workbench pooling simulate qrels.txt runs/*.gz
    """


@click.group(cls=Group)
def judging() -> None:
    """Look after judging: assessors, agreement, conflicts, label rule, repeats, norming.

    Example:
      workbench judging agreement robust
      workbench judging conflicts robust
    """


@click.group(cls=Group)
def analyse() -> None:
    """Ask what the scores show: comparisons, certain pairs, when to stop, reuse, figures.

    Example:
      workbench analyse compare robust bm25 dense
      workbench analyse stop robust
    """


@click.group(cls=Group)
def online() -> None:
    """Evaluate by what users do: interleaved lists, click logs, A/B tests.

    Example:
      workbench online interleave bm25.run dense.run --lists 100 -o lists.jsonl
      workbench online interleaving clicks.jsonl --lists lists.jsonl
    """


@click.group(cls=Group)
def release() -> None:
    """Publish a campaign: team sheets and bundles; read a bundle back.

    Example:
      workbench release report robust -o sheets
      workbench release bundle robust -o robust.zip
    """
