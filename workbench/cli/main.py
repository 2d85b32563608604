"""The group of all commands, and what becomes of errors."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Iterator, Mapping, MutableMapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from workbench import __version__
from workbench.cli.campaigns import drop_output, late_progress
from workbench.core import file_permissions
from workbench.core.errors import WorkbenchError
from workbench.jobs.observing import observed_by

ASKED = "_WORKBENCH_COMPLETE"
"""What the environment holds while a shell asks for completions, by click's rule for a command of this name."""

STOPPED = 130
"""The exit status after Ctrl-C, by the rule of shells: 128 and the number of SIGINT."""


class Workbench(click.Group):
    """A group whose commands end with exit status 1 and the message alone when the input is wrong."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Commands in the order in which a campaign meets them."""
        return list(self.commands)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """As of any group; the help, which is printed here, may be more than its reader wants."""
        try:
            return super().make_context(*args, **extra)
        except BrokenPipeError as error:
            drop_output()
            raise click.exceptions.Exit(0) from error

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; errors of the workbench are for people, so no traceback."""
        _prepare_output()
        try:
            observer = partial(late_progress, since=time.monotonic()) if sys.stderr.isatty() else None
            with observed_by(observer):
                return super().invoke(ctx)
        except WorkbenchError as error:
            click.echo(str(error), err=True)
            _say_way_out(error)
            ctx.exit(1)
        except KeyboardInterrupt:
            click.echo("Stopped; unfinished work is discarded.", err=True)
            ctx.exit(STOPPED)
        except BrokenPipeError:  # the reader of our output has had enough, which is no error
            drop_output()
            ctx.exit(0)
        except OSError as error:
            drop_output()
            click.echo(
                f"{error.filename or 'standard output'}: the operating system reports: {error.strerror}",
                err=True,
            )
            _say_way_out(error)
            ctx.exit(1)
        except UnicodeEncodeError as error:
            around = error.object[max(0, error.start - 20) : error.end + 20]
            click.echo(f"{around!r} is not valid UTF-8, so it cannot be stored; type it again", err=True)
            ctx.exit(1)


def _prepare_output() -> None:
    """Results are UTF-8 whatever the locale, as files are; a terminal of another encoding gets escapes."""
    if sys.stdout is None:  # closed by the parent process
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  (for as long as we run)
    elif isinstance(sys.stdout, io.TextIOWrapper):
        if sys.stdout.isatty():
            sys.stdout.reconfigure(errors="backslashreplace")
        else:
            sys.stdout.reconfigure(encoding="utf-8")


def _say_way_out(error: BaseException | None) -> None:
    """Where the system refused this user a file: whose it is, and what to do."""
    while error is not None:
        if isinstance(error, PermissionError) and error.filename is not None:
            if said := file_permissions.way_out(os.fsdecode(error.filename)):
                click.echo(said, err=True)
            return
        error = error.__cause__ or error.__context__


class LateCommands(MutableMapping[str, click.Command]):
    """Commands by name, in the order in which they are listed, each imported when it is called."""

    def __init__(self, places: Mapping[str, str], members: Mapping[str, tuple[str, ...]]) -> None:
        """Import nothing yet; arguments are such as COMMANDS and MEMBERS."""
        self._found: dict[str, click.Command | str] = dict(places)
        self._members = members

    def __getitem__(self, name: str) -> click.Command:
        found = self._found[name]
        if isinstance(found, str):
            found = self._found[name] = _imported(found)
            if isinstance(found, click.Group):
                for place in self._members.get(name, ()):
                    found.add_command(_imported(place))
        return found

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._found[name] = command

    def __delitem__(self, name: str) -> None:
        del self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def _imported(place: str) -> click.Command:
    module, _, name = place.partition(":")
    command: click.Command = getattr(import_module(f"workbench.cli.{module}"), name)
    return command


COMMANDS = {
    "demo": "serving:demo",
    "new": "adding:new",
    "add": "adding:add",
    "check": "run_files:check",
    "set": "setting:set_",
    "topics": "listing:topics",
    "runs": "listing:runs",
    "withdraw": "withdrawing:withdraw",
    "correct": "submitting:correct",
    "submissions": "submitting:submissions",
    "pool": "pooling:pool",
    "pool-files": "pooling:pool_files",
    "search": "searching:search",
    "strategies": "strategies:strategies",
    "round": "rounds:rounds",
    "simulate": "simulating:simulate",
    "serve": "serving:serve",
    "score": "scoring:score",
    "compare": "comparing:compare",
    "reuse": "analyses:reuse",
    "certain": "trust:certain",
    "stop": "trust:stop",
    "assessors": "assessors:assessors",
    "repeats": "repeating:repeats",
    "norming": "norming:norming",
    "agreement": "agreeing:agreement",
    "conflicts": "pairs:conflicts",
    "overrule": "pairs:overrule",
    "broken": "pairs:broken",
    "warnings": "warnings:warnings",
    "rule": "labelling:rule",
    "eval": "evaluating:evaluate",
    "measures": "scoring:measures",
    "export": "exporting:export",
    "plot": "plotting:plot",
    "report": "publishing:report",
    "bundle": "publishing:bundle",
    "import-bundle": "publishing:import_bundle",
    "audit": "keeping:audit",
    "backup": "keeping:backup",
    "restore": "keeping:restore",
    "quota": "keeping:quota",
    "user": "accounts:user",
    "member": "people:member",
    "assign": "assigning:assign",
}
"""Every command in the order in which a campaign meets it, and where it stands."""

MEMBERS = {
    "export": ("publishing:topic_scores", "publishing:latex"),
    "assign": ("judging_again:again",),
    "add": ("adding_labels:add_qrels", "run_files:add_runs", "adding_labels:add_sample"),
    "user": ("security_log:log_of_users", "security_log:audit_users"),
    "member": (
        "privacy:export_member",
        "privacy:rename_member",
        "privacy:hide_member",
        "privacy:forget_member",
    ),
}
"""The commands of groups that are in other modules than their group."""


@click.group(
    cls=Workbench,
    commands=LateCommands(COMMANDS, MEMBERS),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="workbench")
def main() -> None:
    """Pooling, relevance assessment and live scoring, from run files to released qrels.

    A campaign is one SQLite file. A bare name such as robust means robust.db in the instance folder
    (--instance, else ./instance); a name with a suffix or a folder is a path.

    \b
    Example:
      workbench demo
      workbench new robust --title "Robust 2003" --grades "0:Not relevant,1:Relevant,2:Highly relevant"
      workbench add topics robust topics.txt
      workbench add runs robust runs/*.gz
      workbench pool robust --depth 10
      workbench serve robust
    """


if ASKED in os.environ:
    from workbench.cli import completing

    completing.attach(main)
