"""Completion in the shell: campaigns, measures, runs and figures by name; commands and options are click's own.

This runs only while a shell asks for completions. Files are read, never opened as campaigns are, which
may check all of them first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import click
from click.shell_completion import CompletionItem

CUTOFFS = (5, 10, 20, 50, 100, 1000)
NEW = {"new", "import-bundle"}
"""Commands whose campaign does not exist yet."""

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def attach(group: click.Group) -> None:
    """Give every parameter of the group's commands that names a campaign, a measure or runs its completion."""
    for command in leaves(group):
        about = [parameter.name for parameter in command.params]
        for parameter in command.params:
            if (complete := _complete_of(command, parameter, about)) is not None:
                parameter._custom_shell_complete = complete


def leaves(group: click.Group) -> Iterator[click.Command]:
    """The commands of a group and of the groups in it."""
    for command in group.commands.values():
        if isinstance(command, click.Group):
            yield from leaves(command)
        else:
            yield command


def _complete_of(
    command: click.Command, parameter: click.Parameter, about: Sequence[str | None]
) -> Complete | None:
    if command.name == "plot" and parameter.name == "words":
        return _of_plot
    if parameter.name in ("campaign", "campaigns") and command.name not in NEW:
        return lambda context, _, begun: _items(campaigns(context), begun, or_file=True)
    if "MEASURE" in (parameter.metavar or "") or "--measure" in parameter.opts:
        return lambda _, __, begun: _items(measures(), begun)
    if "campaign" in about and ("RUN" in (parameter.metavar or "") or "--run" in parameter.opts):
        return lambda context, _, begun: _items(runs(context, _campaign(context)), begun)
    if (command.name, parameter.name) == ("simulate", "qrels"):
        return lambda context, _, begun: _items(campaigns(context), begun, or_file=True)
    return None


def campaigns(context: click.Context) -> list[str]:
    """The names of the campaigns in the instance folder."""
    from workbench.storage.instance import campaigns_in

    return [path.stem for path in campaigns_in(_instance(context))]


def measures() -> list[str]:
    """The names of measures, with the usual cutoffs where they have one, and those of the reference program."""
    from workbench.methods.measures import MEASURES

    names: list[str] = []
    for measure in MEASURES.values():
        cutoff = measure.parameter("cutoff")
        if cutoff is None or not cutoff.required:
            names.append(measure.name)
        names += [f"{measure.name}@{number}" for number in CUTOFFS if cutoff is not None]
    return names


def runs(context: click.Context, campaign: object) -> list[str]:
    """The names of a campaign's runs; none where there is no such campaign."""
    from workbench.storage.campaign.collection.run_tags import tags_in
    from workbench.storage.instance import campaign_path

    return tags_in(campaign_path(campaign, _instance(context))) if isinstance(campaign, str) else []


def _of_plot(context: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
    """The campaign, then the figure, then its parameters: KEY= at first, and of runs and measures the values."""
    from workbench.analysis.figures import load_figures

    words = context.params.get("words") or ()
    if not words:
        return _items(campaigns(context), begun, or_file=True)
    found = load_figures()
    figure = next((found[word] for word in words if word in found), None)
    if figure is None:
        return _items(found, begun, or_file=True)
    key, sign, _value = begun.partition("=")
    if not sign:
        return _items([f"{parameter.name}=" for parameter in figure.parameters], begun)
    values = {"run": lambda: runs(context, words[0]), "measure": measures}
    return _items([f"{key}={value}" for value in values.get(key, list)()], begun)


def _campaign(context: click.Context) -> object:
    """The campaign of the line so far; after an option that waits for its value click leaves the words unread."""
    return context.params.get("campaign") or next(iter(context.args), None)


def _instance(context: click.Context) -> Path:
    from workbench.storage.instance import default_instance

    return Path(context.params.get("instance") or default_instance())


def _items(names: Iterable[str], begun: str, *, or_file: bool = False) -> list[CompletionItem]:
    """The names that begin so; with `or_file` the shell completes paths where none does."""
    found = [CompletionItem(name) for name in names if name.startswith(begun)]
    return found or ([CompletionItem(begun, type="file")] if or_file else [])
