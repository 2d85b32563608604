"""The group of all commands, and what becomes of errors."""

from __future__ import annotations

import io
import os
import sys
import time
from collections import UserDict
from collections.abc import Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import click

from workbench import __version__
from workbench.cli.campaigns import drop_output, late_progress
from workbench.cli.options import Group
from workbench.core import file_permissions, plugins
from workbench.core.errors import WorkbenchError
from workbench.core.wording import as_sentence
from workbench.jobs.observing import observed_by

ASKED = "_WORKBENCH_COMPLETE"
"""What the environment holds while a shell asks for completions, by click's rule for a command of this name."""

LONGEST_HELP = 100
"""Characters of a command's line in a list."""

STOPPED = 130
"""The exit status after Ctrl-C, by the rule of shells: 128 and the number of SIGINT."""


class Workbench(Group):
    """A group whose commands end with exit status 1 and the message alone when the input is wrong."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Commands in the order in which a campaign meets them, then groups."""
        return list(self.commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command or group of the name; a command of SHORT also without its group."""
        found = super().get_command(ctx, SHORT.get(cmd_name, cmd_name))
        return (
            found.get_command(ctx, cmd_name)
            if cmd_name in SHORT and isinstance(found, click.Group)
            else found
        )

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what stands alone, in the order in which a campaign meets it, and the groups."""
        for title, names in (("Commands", COMMANDS), ("Groups", GROUPS)):
            found = [(name, self.commands[name].get_short_help_str(LONGEST_HELP)) for name in names]
            with formatter.section(title):
                formatter.write_dl(found)

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
                found = super().invoke(ctx)
            if _say_troubles():
                ctx.exit(1)
            return found
        except WorkbenchError as error:
            click.echo(str(error), err=True)
            _say_troubles(said=str(error))
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
    """Results are UTF-8 and lines end alike everywhere, as in files; a terminal of another encoding gets escapes."""
    if sys.stdout is None:  # closed by the parent process
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  (for as long as we run)
    elif isinstance(sys.stdout, io.TextIOWrapper):
        if sys.stdout.isatty():
            sys.stdout.reconfigure(errors="backslashreplace")
        else:
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")


def _say_troubles(said: str = "") -> bool:
    """Say which plugins are switched off, and what others raised unless that was said; whether any raised an error."""
    for trouble in (each for plugin in plugins.KNOWN for each in plugin.troubles if each not in said):
        click.echo(as_sentence(trouble), err=True)
    return any(plugin.failures for plugin in plugins.KNOWN)


def _say_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """The version, and that of each plugin with what it adds, or why it is switched off."""
    if wanted and not context.resilient_parsing:
        click.echo(f"workbench, version {__version__}")
        for each in plugins.load():
            off = each.problem and f"switched off: {each.problem}"
            click.echo(f"plugin {each}: {off or ', '.join(each.adds) or 'adds nothing'}")
        context.exit()


def _say_way_out(error: BaseException | None) -> None:
    """Where the system refused this user a file: whose it is, and what to do."""
    while error is not None:
        if isinstance(error, PermissionError) and error.filename is not None:
            if said := file_permissions.way_out(os.fsdecode(error.filename)):
                click.echo(said, err=True)
            return
        error = error.__cause__ or error.__context__


class LateCommands(UserDict[str, Any]):
    """Commands by name, in the order in which they are listed, each imported when it is called."""

    def __init__(self, places: Mapping[str, click.Command | str], group: str = "") -> None:
        """Import nothing yet; a place is such as in COMMANDS."""
        super().__init__(places)
        self._group = group

    def __getitem__(self, name: str) -> click.Command:
        found = self.data[name] if name in self.data else self._with_plugins()[name]
        if isinstance(found, str):
            module, _, attribute = found.partition(":")
            found = self.data[name] = getattr(import_module(f"workbench.cli.{module}"), attribute)
            if isinstance(found, click.Group):
                found.commands = LateCommands({**found.commands, **MEMBERS.get(name, {})}, name)
        return cast("click.Command", found)

    def _with_plugins(self) -> dict[str, Any]:
        """All, with those of plugins, which are looked for once: where a name is not known, or all are listed."""
        if self._group in ADDED and plugins.load():
            module = import_module(f"workbench.cli.{ADDED[self._group]}")
            self.data = {**module.commands_of_plugins(), **self.data}
        self._group = ""
        return self.data

    def __contains__(self, name: object) -> bool:
        return name in self.data or name in self._with_plugins()

    def __iter__(self) -> Iterator[str]:
        return iter(self._with_plugins())

    def __len__(self) -> int:
        return len(self._with_plugins())


COMMANDS = {
    "demo": "serving:demo",
    "new": "adding:new",
    "check": "run_files:check",
    "pool": "pooling:pool",
    "serve": "serving:serve",
    "judge-by-model": "asking_models:judge_by_model",
    "score": "scoring:score",
    "eval": "evaluating:evaluate",
    "eval-answers": "answers:eval_answers",
    "judges": "judged_judges:judges",
    "battles": "battles:battles",
}
"""The commands that stand alone, in the order in which a campaign meets them, and their places."""

GROUPS = {
    "campaign": "groups:campaign",
    "add": "adding:add",
    "task": "groups:task",
    "pooling": "groups:pooling",
    "assign": "assigning:assign",
    "judging": "groups:judging",
    "analyse": "groups:analyse",
    "online": "groups:online",
    "export": "exporting:export",
    "release": "groups:release",
    "member": "people:member",
    "user": "accounts:user",
}

MEMBERS = {
    "campaign": {
        "set": "setting:set_",
        "question": "questions:question",
        "nuggets": "nuggets:list_nuggets",
        "steps": "listing:steps",
        "topics": "listing:topics",
        "runs": "listing:runs",
        "warnings": "warnings:warnings",
        "webhooks": "webhooks:list_webhooks",
        "quota": "keeping:quota",
        "audit": "keeping:audit",
        "backup": "keeping:backup",
        "restore": "keeping:restore",
        "mcp": "serving:mcp",
    },
    "add": {
        "model-labels": "model_labels:add_model_labels",
        "qrels": "adding_labels:add_qrels",
        "answers": "run_files:add_answers",
        "nuggets": "nuggets:add_nuggets",
        "outcomes": "online:add_outcomes",
        "runs": "run_files:add_runs",
        "run-costs": "run_costs:add_run_costs",
        "sample": "adding_labels:add_sample",
    },
    "task": {
        "submissions": "submitting:submissions",
        "correct": "submitting:correct",
        "withdraw": "withdrawing:withdraw",
        "codes": "run_codes:list_codes",
        "round": "rounds:rounds",
        "changed-ids": "rounds:ids",
    },
    "pooling": {
        "strategies": "strategies:strategies",
        "search": "searching:search",
        "pool-files": "pooling:pool_files",
        "simulate": "simulating:simulate",
    },
    "assign": {"again": "judging_again:again"},
    "judging": {
        "assessors": "assessors:assessors",
        "agreement": "agreeing:agreement",
        "judge-quality": "judge_quality:judge_quality",
        "probe": "judge_quality:probe",
        "conflicts": "pairs:conflicts",
        "overrule": "pairs:overrule",
        "broken": "pairs:broken",
        "rule": "labelling:rule",
        "repeats": "repeating:repeats",
        "norming": "norming:norming",
    },
    "analyse": {
        "measures": "scoring:measures",
        "compare": "comparing:compare",
        "certain": "trust:certain",
        "stop": "trust:stop",
        "reuse": "analyses:reuse",
        "costs": "run_costs:costs",
        "latency": "run_costs:latency",
        "freshness": "run_costs:freshness",
        "corrected": "judge_quality:corrected",
        "plot": "plotting:plot",
        "figures": "plotting:figures",
    },
    "online": {
        "interleave": "online:interleave",
        "interleaving": "online:interleaving",
        "clicks": "online:clicks",
        "ab": "online:ab",
        "boards": "online:boards",
    },
    "export": {
        "scores": "publishing:scores",
        "topic-scores": "publishing:topic_scores",
        "latex": "publishing:latex",
        "grades": "battles:export_grades",
        "model-labels": "model_labels:export_model_labels",
        "beir": "publishing:export_beir",
        "nuggets": "nuggets:export_nuggets",
        "judged-answers": "answers:export_judged",
    },
    "release": {
        "report": "publishing:report",
        "bundle": "publishing:bundle",
        "import-bundle": "publishing:import_bundle",
    },
    "member": {
        "export": "privacy:export_member",
        "rename": "privacy:rename_member",
        "hide": "privacy:hide_member",
        "forget": "privacy:forget_member",
    },
    "user": {"log": "security_log:log_of_users", "audit": "security_log:audit_users"},
}
"""The commands of groups that are in other modules than their group."""

ADDED = {"analyse": "analyses", "export": "publishing"}
"""The groups to which plugins add commands, and the modules that make these."""

SHORT = {
    name: group for group, place in GROUPS.items() if place.startswith("groups:") for name in MEMBERS[group]
}
"""Commands that are also called without their group, as in `workbench analyse stop robust`; no help lists them so."""

START = """\
Start with one of these; workbench --help lists all commands.
  workbench demo                   a ready campaign, to look at and to judge
  workbench new robust             a campaign of your own; its help says what to add to it
  workbench check RUN...           are these run files right?
  workbench eval QRELS RUN...      scores of run files, as trec_eval prints them"""


@click.group(
    cls=Workbench,
    commands=LateCommands({**COMMANDS, **GROUPS}),
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_say_version, help="Show versions."
)
@click.pass_context
def main(context: click.Context) -> None:
    """Pooling, relevance assessment and live scoring, from run files to released qrels.

    A campaign is one SQLite file. A bare name such as robust means robust.db in the instance folder
    (--instance, else ./instance); a name with a suffix or a folder is a path.

    Example:
      workbench demo
      workbench new robust --title "Robust 2003" --grades "0:Not relevant,1:Relevant,2:Highly relevant"
      workbench add topics robust topics.txt && workbench add runs robust runs/*.gz
      workbench pool robust --depth 10 && workbench serve robust
    """
    _one_thread_for_each_product()
    if context.invoked_subcommand is None:
        click.echo(START)


def _one_thread_for_each_product() -> None:
    """Compute products of matrices in the thread that needs them, unless the environment says otherwise.

    More threads take a tenth of a short command to start. Of a server requests and jobs run side by side, and threads
    of a product that wait for each other on a busy machine cost several times what the product does. The library reads
    these names once, when numpy is imported.
    """
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")


if ASKED in os.environ:
    from workbench.cli import completing

    completing.attach(main)
