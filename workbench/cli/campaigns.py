"""What the commands share: the campaign they are about, who runs them, and how findings are shown."""

from __future__ import annotations

import getpass
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from workbench.errors import Problem

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from workbench.campaign import Campaign

Function = TypeVar("Function", bound=Callable[..., Any])

SHOWN_WARNINGS = 25
SHOWN_NAMES = 10
WIDE = 10_000
NEAR_DUPLICATES = "Looking for near duplicates"

instance_option = click.option(
    "--instance",
    type=click.Path(file_okay=False),
    envvar="WORKBENCH_INSTANCE",
    help="The folder of campaigns and accounts.  [default: ./instance]",
)


def campaign_argument(function: Function) -> Function:
    """Give a command the argument CAMPAIGN and the option --instance, as `path: Path`."""
    from functools import wraps

    @click.argument("campaign")
    @instance_option
    @wraps(function)
    def with_path(*args: Any, campaign: str, instance: str | None, **options: Any) -> Any:
        return function(*args, path=path_of(campaign, instance), **options)

    return with_path  # type: ignore[return-value]


def path_of(campaign: str, instance: str | None) -> Path:
    """The file that a campaign's name stands for."""
    from workbench.instance import campaign_path

    return campaign_path(campaign, Path(instance or "instance"))


def open_named(path: Path) -> Campaign:
    """Open a campaign, warning when it lies where SQLite's locks cannot be relied on."""
    from workbench.campaign import open_campaign
    from workbench.errors import NotThere
    from workbench.instance import campaigns_in

    warn_of_network(path)
    if not path.is_file() and (others := campaigns_in(path.parent)):
        names = ", ".join(other.stem for other in others[:SHOWN_NAMES]) + (
            ", ..." * (len(others) > SHOWN_NAMES)
        )
        message = f"{path}: there is no such campaign; those in {path.parent} are {names}"
        raise NotThere(message)
    return open_campaign(path)


def check_as_of(campaign: Campaign, as_of: int | None) -> None:
    """Refuse a place that the log has not reached yet: what stands there tomorrow would give other digits."""
    from workbench.campaign.log import newest_seq
    from workbench.errors import CampaignError

    newest = newest_seq(campaign)
    if as_of is not None and as_of > newest:
        message = f"{campaign.name}: the log has no row {as_of} yet; its newest row is {newest}"
        raise CampaignError(message)


def warn_of_network(path: Path) -> None:
    """Say so when a file lies on a network file system."""
    from workbench.instance import network_file_system

    if (kind := network_file_system(path.parent)) is not None:
        say(
            f"Warning: {path} lies on a network file system ({kind}); SQLite's locks are not reliable there, "
            "and two writers can damage the file. Use a local disk."
        )


def actor() -> str:
    """Who runs this command, for the log."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container without an entry for its user
        return "unknown"


def say(text: str) -> None:
    """A line for the person at the terminal; standard output is for results that other programs read."""
    click.echo(text, err=True)


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


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: 1 topic, 1,480 pairs."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal, nothing in a pipe; gives a function to call with the steps done."""
    if not sys.stderr.isatty():  # and rich is not imported for nothing
        yield lambda steps: None
        return
    bar = _bar()
    with bar:
        task = bar.add_task(what, total=total)
        yield lambda steps: bar.advance(task, steps)


def table_console(*, wrap: bool = False) -> Console:
    """Standard output for tables: no cell is ever cut, lines are as long as they need to be.

    With `wrap`, for prose, cells are folded to the width of the terminal, if there is one.
    """
    from rich.console import Console

    return Console(width=None if wrap and sys.stdout.isatty() else WIDE)


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    # Not console.is_terminal: FORCE_COLOR makes that true in a pipe.
    is_shown = sys.stderr.isatty()
    # Without markup: a description may name a topic, whatever it is called.
    words = TextColumn("{task.description}", markup=False)
    columns = (SpinnerColumn(), words, BarColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True, disable=not is_shown)


@contextmanager
def progress_in_two(
    what: str, total: int | None, then: str
) -> Iterator[tuple[Callable[[int], None], Callable[[int, int, str], None]]]:
    """One bar for two parts of a work: functions to call with the steps done in the first, and as in `steps`."""
    if not sys.stderr.isatty():
        yield (lambda steps: None), (lambda done, total, now: None)
        return
    with _bar() as bar:
        task = bar.add_task(what, total=total)
        yield (
            lambda steps: bar.advance(task, steps),
            lambda done, total, now: bar.update(
                task, completed=done, total=total, description=f"{then}: {now}"
            ),
        )


@contextmanager
def steps(what: str) -> Iterator[Callable[[int, int, str], None]]:
    """A progress bar for work that tells how many steps are done, of how many, and what comes next."""
    with _bar() as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total, now: bar.update(
            task, completed=done, total=total, description=f"{what}: {now}"
        )
