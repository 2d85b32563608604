"""What the commands share: the campaign they are about, who runs them, and how findings are shown."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import click

from workbench.cli.options import Decorator, option
from workbench.core.errors import Problem
from workbench.core.wording import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from workbench.methods.measures import BoundMeasure
    from workbench.storage.campaign import Campaign

SHOWN_WARNINGS = 25
SHOWN_NAMES = 10
WIDE = 10_000
LATE = 1.0
"""Seconds after which a command shows how far it is."""

instance_option = option(
    "The folder of campaigns and accounts.  [default: ./instance]",
    "--instance",
    type=click.Path(file_okay=False),
    envvar="WORKBENCH_INSTANCE",
)


as_of_option = option(
    "As of a log row (1234), the end of a day (2026-03-01) or a time (2026-03-01 14:30; local without an offset).",
    "--as-of",
    metavar="ROW|TIME",
)


question_option = option(
    "By the answers to this question, of campaign question.  [default: relevance]",
    "--question",
    metavar="NAME",
    default="",
)


def _round_option(usual: str) -> Any:
    return option(
        "A round, as of its end: 2, 2-residual (without what was judged before), 2-own (by its own judgments only), "
        f"or all together.  [default: {usual or 'the open round'}]",
        "--round",
        metavar="NAME",
    )


INSTANCE: list[Decorator] = instance_option.options("instance", str | None)
"""The same option of what opens files in the folder; a command has it once."""


class OpenedCampaign:
    """The argument CAMPAIGN and the option --instance: the campaign, open until the command ends."""

    def options(self, name: str, kind: Any) -> list[Decorator]:
        """Both."""
        return [click.argument("campaign"), *INSTANCE]

    def value(self, name: str, given: Mapping[str, Any]) -> Any:
        """The campaign."""
        context = click.get_current_context()
        campaign = context.with_resource(open_named(path_of(given["campaign"], given["instance"])))
        context.with_resource(campaign.reading_once())
        return campaign


class CampaignAsking(OpenedCampaign):
    """The same with the option --question: the campaign by relevance, or by a question about something else."""

    def options(self, name: str, kind: Any) -> list[Decorator]:
        """All three."""
        return [*super().options(name, kind), *question_option.options("of_question", str)]

    def value(self, name: str, given: Mapping[str, Any]) -> Any:
        """The campaign so."""
        from workbench.storage.campaign.organising.settings import asking

        return asking(super().value(name, given), given["of_question"])


class CampaignThen(OpenedCampaign):
    """The same with the option --as-of: the campaign as of the row of its log that the option names."""

    def options(self, name: str, kind: Any) -> list[Decorator]:
        """All three."""
        return [*super().options(name, kind), *as_of_option.options("moment", str | None)]

    def value(self, name: str, given: Mapping[str, Any]) -> Any:
        """The campaign then."""
        campaign = super().value(name, given)
        return campaign.at(row_as_of(campaign, given["moment"]))


class CampaignSeen(CampaignThen):
    """The same with --round and --question: by a round or all that it has, by relevance or the answers to a question.

    `usual` is what is seen without it.
    """

    def __init__(self, usual: str = "") -> None:
        self.usual = usual

    def options(self, name: str, kind: Any) -> list[Decorator]:
        """All five."""
        named = question_option.options("of_question", str)
        return [
            *super().options(name, kind),
            *_round_option(self.usual).options("of_round", str | None),
            *named,
        ]

    def value(self, name: str, given: Mapping[str, Any]) -> Any:
        """The campaign so; that all rounds are seen together is printed on standard error."""
        from workbench.campaign.rounds import BY_ROUND, rounds_note, seen_by_name
        from workbench.storage.campaign.organising.settings import asking

        asked = asking(super().value(name, given), given["of_question"])
        campaign = seen_by_name(asked, given["of_round"] or self.usual)
        if not self.usual and (note := rounds_note(campaign)):
            say(f"{note} {BY_ROUND}")
        return campaign


class CampaignPath(OpenedCampaign):
    """The same of a campaign that the command opens itself, or makes: its path."""

    def value(self, name: str, given: Mapping[str, Any]) -> Path:
        """The path."""
        return path_of(given["campaign"], given["instance"])


Opened = Annotated["Campaign", OpenedCampaign()]
Asking = Annotated["Campaign", CampaignAsking()]
Then = Annotated["Campaign", CampaignThen()]
Seen = Annotated["Campaign", CampaignSeen()]
Listed = Annotated["Campaign", CampaignSeen("all")]
Named = Annotated[Path, CampaignPath()]


def path_of(campaign: str, instance: str | None) -> Path:
    """The path of the campaign file for a name given on the command line."""
    from workbench.storage.instance import campaign_path

    return campaign_path(campaign, Path(instance or "instance"))


def open_named(path: Path, *, compare: bool = True) -> Campaign:
    """Open a campaign as `open_campaign` does, warning when it lies where SQLite's locks cannot be relied on.

    NotThere names the campaigns of the folder where there is no such file.
    """
    from workbench.core.errors import NotThere
    from workbench.core.records import COMMAND
    from workbench.storage.campaign import open_campaign
    from workbench.storage.instance import campaigns_in

    warn_of_network(path)
    if not path.is_file() and (others := campaigns_in(path.parent)):
        names = ", ".join(other.stem for other in others[:SHOWN_NAMES]) + (
            ", ..." * (len(others) > SHOWN_NAMES)
        )
        raise NotThere(f"{path}: this campaign does not exist; campaigns in {path.parent}: {names}")
    return open_campaign(path, compare=compare).by(actor(), through=COMMAND)


def measure_option(says: str = "The measure.", default: str | None = "") -> Any:
    """The option -m of a command that takes one measure; `measure_of` reads one without a default."""
    says += "" if default != "" else "  [default: AP; of answers the first of their leaderboard]"
    return option(says, "-m", "--measure", default=default, metavar="MEASURE")


def measure_of(campaign: Campaign, given: str) -> str:
    """The measure that is given, else the first of the leaderboard."""
    from workbench.scoring.board.table import usual_measures

    return given or usual_measures(campaign)[0]


def row_as_of(campaign: Campaign, text: str | None, option: str = "--as-of") -> int | None:
    """The log row that an option names, None for now; the row found for a date is printed on standard error.

    Raises CampaignError as `storage.campaign.log.as_of.find_as_of` does, and click.BadParameter for a text that is no
    row and no moment at all.
    """
    from workbench.storage.campaign.log.as_of import NotARow, find_as_of

    if text is None:
        return None
    try:
        found = find_as_of(campaign, text)
    except NotARow as error:
        raise click.BadParameter(str(error), param_hint=option) from error
    if found is None:
        raise click.BadParameter("it is empty", param_hint=option)
    if str(found):
        say(str(found))
    return found.seq


def warn_of_network(path: Path) -> None:
    """Print a warning if a file is on a network file system."""
    from workbench.storage.instance import network_file_system

    if (kind := network_file_system(path.parent)) is not None:
        say(
            f"Warning: {path} lies on a network file system ({kind}); SQLite's locks are not reliable there, "
            "and two writers can damage the file. Use a local disk."
        )


def actor() -> str:
    """Who runs this command, for the log."""
    import getpass

    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):  # a container without its user, or Windows without a name
        return "unknown"


def say(*lines: str) -> None:
    """Lines for the person at the terminal; standard output is for results that other programs read."""
    try:
        for line in lines:
            click.echo(line, err=True)
    except BrokenPipeError:  # what a command does is done whether or not its remarks are read
        drop_output(sys.stderr)


def say_sources(measures: Iterable[BoundMeasure]) -> None:
    """Say which measures are of plugins, with their versions."""
    from workbench.methods.measures.parsing import sources

    say(*(f"{name} is a measure of plugin {plugin}." for name, plugin in sources(measures).items()))


def drop_output(stream: TextIO | None = None) -> None:
    """Send what is still to be written to a stream, by default standard output, nowhere: its reader has left."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), (stream or sys.stdout).fileno())


def quoted(name: str) -> str:
    """A person's or team's name inside a sentence: in quotes unless it is one plain word."""
    return name if re.fullmatch(r"[\w.@-]+", name) else repr(name)


def show_warnings(warnings: Iterable[Problem]) -> None:
    """Warnings on standard error, each message once, at most 25 of them."""
    found = grouped(warnings)
    for warning in found[:SHOWN_WARNINGS]:
        say(f"Warning: {warning}")
    if len(found) > SHOWN_WARNINGS:
        say(f"Warning: ... and {len(found) - SHOWN_WARNINGS} more")


def grouped(warnings: Iterable[Problem]) -> list[str]:
    """Each distinct message once, in order, with the place it was first seen at and how many more there are."""
    found: dict[str, list[Problem]] = {}
    for warning in warnings:
        found.setdefault(warning.message, []).append(warning)
    return [_with_places(same) for same in found.values()]


def _with_places(same: list[Problem]) -> str:
    if len(same) == 1:
        return str(same[0])
    files = {warning.file for warning in same}
    others = counted(len(files) - 1, "more file") if len(files) > 1 else counted(len(same) - 1, "more line")
    place = str(same[0]._replace(message="")).removesuffix(": ")
    return f"{place} and {others}: {same[0].message}"


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal, nothing in a pipe; gives a function to call with the steps done."""
    if not sys.stderr.isatty():  # and rich is not imported for nothing
        yield lambda steps: None
        return
    with _bar() as bar:
        task = bar.add_task(what, total=total)
        yield lambda steps: bar.advance(task, steps)


@contextmanager
def late_progress(what: str, total: int, *, since: float | None = None) -> Iterator[Callable[[int], None]]:
    """The same for a loop that mostly takes no time: the bar is shown once it is a second after `since`.

    `since` is a reading of the monotonic clock, such as when the command began; None is when the loop begins.
    """
    since = time.monotonic() if since is None else since
    shown = ExitStack()
    advance: Callable[[int], None] | None = None
    done = 0

    def more(steps: int) -> None:
        nonlocal advance, done
        if advance is None and time.monotonic() - since > LATE:
            advance = shown.enter_context(progress(what, total))
            advance(done)
        done += steps
        if advance is not None:
            advance(steps)

    with shown:
        more(0)
        yield more


def table_console(*, wrap: bool = False) -> Console:
    """Standard output for tables: no cell is ever cut, lines are as long as they need to be.

    With `wrap`, for prose, cells are folded to the width of the terminal, if there is one.
    """
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:  # rich would end the program with an error
            raise

    return Output(width=None if wrap and sys.stdout.isatty() else WIDE)


@contextmanager
def _bar() -> Iterator[Progress]:
    """A bar with the time left; loops inside that could be observed belong to it."""
    from rich import progress as parts
    from rich.console import Console

    from workbench.jobs.observing import observed_by

    # Without markup: a description may name a topic, whatever it is called.
    words = parts.TextColumn("{task.description}", markup=False)
    left = (parts.TaskProgressColumn(), parts.TimeElapsedColumn(), parts.TextColumn("left:"))
    columns = (parts.SpinnerColumn(), words, parts.BarColumn(), *left, parts.TimeRemainingColumn())
    with observed_by(None), parts.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield bar


@contextmanager
def steps(what: str) -> Iterator[Callable[[int, int | None, str], None]]:
    """A progress bar for work that tells how many steps are done, of how many, and what comes next."""
    if not sys.stderr.isatty():
        yield lambda done, total, now: None
        return
    with _bar() as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total, now: bar.update(
            task, completed=done, total=total, description=f"{what}: {now}"
        )
