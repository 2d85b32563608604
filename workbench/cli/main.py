"""The group of all commands, and what becomes of errors."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any

import click

from workbench import __version__
from workbench.cli import completing
from workbench.cli.campaigns import drop_output, late_progress
from workbench.core import file_permissions
from workbench.core.errors import WorkbenchError
from workbench.core.observing import observed_by


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
            with observed_by(late_progress if sys.stderr.isatty() else None):
                return super().invoke(ctx)
        except WorkbenchError as error:
            click.echo(str(error), err=True)
            _say_way_out(error)
            ctx.exit(1)
        except KeyboardInterrupt:
            click.echo("Stopped; unfinished work is discarded.", err=True)
            ctx.exit(1)
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


@click.group(
    cls=Workbench, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
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


def _register() -> None:
    from workbench.cli import (
        accounts,
        adding,
        adding_runs,
        adding_samples,
        adjudicating,
        agreeing,
        assessors,
        assigning,
        certainty,
        checking,
        comparing,
        evaluating,
        exporting,
        hours,
        keeping,
        labelling,
        listing,
        norming,
        pairs,
        people,
        personal_data,
        plotting,
        pooling,
        publishing,
        repeating,
        reusing,
        rounds,
        scoring,
        searching,
        security_log,
        serving,
        setting,
        simulating,
        stopping,
        strategies,
        submitting,
        withdrawing,
    )

    exporting.export.add_command(hours.export_hours)
    adding.add.add_command(adding_runs.add_runs)
    adding.add.add_command(adding_samples.add_sample)
    people.member.add_command(personal_data.export_member)
    for command in (security_log.log_of_users, security_log.audit_users):
        accounts.user.add_command(command)
    for command in (
        serving.demo,
        adding.new,
        adding.add,
        checking.check,
        setting.set_,
        listing.topics,
        listing.runs,
        withdrawing.withdraw,
        submitting.correct,
        submitting.submissions,
        pooling.pool,
        searching.search,
        strategies.strategies,
        rounds.rounds,
        simulating.simulate,
        serving.serve,
        scoring.score,
        comparing.compare,
        reusing.reuse,
        certainty.certain,
        stopping.stop,
        assessors.assessors,
        repeating.repeats,
        norming.norming,
        agreeing.agreement,
        adjudicating.conflicts,
        pairs.overrule,
        pairs.broken,
        labelling.rule,
        evaluating.evaluate,
        scoring.measures,
        exporting.export,
        plotting.plot,
        publishing.report,
        publishing.bundle,
        publishing.import_bundle,
        keeping.audit,
        keeping.backup,
        keeping.restore,
        keeping.quota,
        accounts.user,
        people.member,
        assigning.assign,
    ):
        main.add_command(command)


_register()
if completing.ASKED in os.environ:
    completing.attach(main)
