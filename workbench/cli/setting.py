"""Settings of a campaign after its beginning: showing them, and changing one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from workbench.cli.campaigns import Opened, say
from workbench.cli.options import Grouped, argument, command, option
from workbench.cli.tables import format_option_of, write_results, write_sheet
from workbench.core.wording import as_sentence, counted

if TYPE_CHECKING:
    from workbench.campaign.campaign_settings import Setting
    from workbench.campaign.changing_settings import Changed
    from workbench.formats.tables.sheets import Sheet
    from workbench.storage.campaign import Campaign

LINE = 100
"""Characters of a value that are printed."""


class Value(NamedTuple):
    """The setting, and its new value."""

    name: str | None = argument()
    value: str | None = argument()
    file: str | None = option("Read the value from a file; - is standard input.", metavar="FILE")
    yes: bool = option("Rename grades that were given, or replace the scale, without confirmation.")


class Scale(NamedTuple):
    """What becomes of the grades given, where a scale replaces another."""

    mapped: str = option(
        "What given grades become on the new scale.", "--map", default="", metavar="OLD=NEW,..."
    )
    ask_again: str = option("Ask assessors again for pairs with these grades.", default="", metavar="OLD,...")
    relevant_from: int | None = option("The smallest relevant grade of the new scale.")
    special: bool = option("Let special (negative) grades become relevant ones.")
    dry_run: bool = option("Show what was given and what would change; change nothing.")


def settings_in_groups() -> dict[str, list[str]]:
    """The names of the settings by their sections."""
    from workbench.campaign.campaign_settings import settings_by_section

    return {section: [one.name for one in found] for section, found in settings_by_section().items()}


@command("set", cls=Grouped, heading="Settings by section", groups=settings_in_groups)
def set_(
    campaign: Opened,
    asked: Value,
    scale: Scale,
    kind: str = format_option_of("table", "json", says="Text, or JSON for programs"),
) -> None:
    """Show or change a campaign's settings: title, contact, guidelines, grades, relevant-from and others.

    Without a VALUE the command prints what is in force. A change is a row of the log: scores as of earlier rows stay as
    they were, and every judgment names the version of the guidelines that was on the screen.

    Example:
      workbench campaign set robust
      workbench campaign set robust title "Robust track 2003"
      workbench campaign set robust guidelines --file guidelines.md
      workbench campaign set robust grades "0:Off topic,1:Relevant|Answers part of it,2:Key"
      workbench campaign set robust relevant-from 2
      workbench campaign set robust grades --dry-run
      workbench campaign set robust grades "0:No,1:Partly,2:Yes" --map 1=2,2=1 --dry-run
      workbench campaign set robust grades "0:No,1:Partly,2:Yes" --map 2=2 --ask-again 1 --relevant-from 2
    """
    if asked.value is not None and asked.file is not None:
        raise click.UsageError("give VALUE or --file, not both")
    if asked.name is None:
        if asked.file is not None:
            raise click.UsageError("name the setting that --file holds, such as guidelines")
        _show(campaign, kind)
        return
    from workbench.campaign.campaign_settings import SETTINGS
    from workbench.campaign.changing_settings import RenamesGiven, change_settings
    from workbench.storage.campaign.organising import settings

    chosen = SETTINGS.find(asked.name)
    text = asked.value if asked.file is None else _text_of(asked.file)
    if any(scale):
        if chosen.name != "grades":
            raise click.UsageError(
                "--map, --ask-again, --relevant-from, --special and --dry-run are about grades"
            )
        _replace_scale(campaign, text, scale, kind, is_sure=asked.yes)
        return
    if text is None:
        _print_value(campaign, chosen, kind)
        return
    before = chosen.in_force(settings.read(campaign))
    values = {asked.name: chosen.value_of(text)}
    try:
        changed = change_settings(campaign, values, renames=asked.yes)
    except RenamesGiven as error:
        click.confirm(f"{as_sentence(error)} Rename? (--yes answers this)", abort=True, err=True)
        changed = change_settings(campaign, values, renames=True)
    if kind == "json":
        _print_json(chosen, before, changed)
    else:
        _print_change(chosen, before, changed)


def _replace_scale(campaign: Campaign, text: str | None, asked: Scale, kind: str, *, is_sure: bool) -> None:
    from workbench.campaign import changing_scale
    from workbench.formats.scale import parse_grades, parse_map
    from workbench.storage.campaign.log import log
    from workbench.storage.campaign.organising import settings

    base, current = log.newest_seq(campaign), settings.read(campaign)
    if not (text or asked.mapped or asked.ask_again or asked.relevant_from):
        write_results(kind, changing_scale.GivenGrade, changing_scale.given_grades(campaign))
        return
    new = changing_scale.NewScale(
        parse_grades(text) if text else current.grades,
        current.relevant_from if asked.relevant_from is None else asked.relevant_from,
        parse_map(asked.mapped),
        frozenset(parse_map(asked.ask_again)),
        asked.special,
    )
    if not asked.dry_run and not is_sure:
        say(*changing_scale.sentences_on(changing_scale.change_scale(campaign, new, base, dry_run=True)))
        click.confirm("Replace the scale? (--yes answers this)", abort=True, err=True)
    made = changing_scale.change_scale(campaign, new, base, dry_run=asked.dry_run)
    write_results(kind, changing_scale.GivenGrade, made.given, made)
    done = f"Log row {made.row:,} has the new scale." if made.row else "Nothing was changed."
    say(*changing_scale.sentences_on(made), done)


def _show(campaign: Campaign, kind: str) -> None:
    from workbench.campaign.campaign_settings import SETTINGS, settings_by_section
    from workbench.storage.campaign.organising import settings

    current = settings.read(campaign)
    in_order = [each for found in settings_by_section().values() for each in found]
    values = {each.name: each.in_force(current) for each in in_order}
    write_sheet(kind, _sheet(values), {name: SETTINGS[name].plain(value) for name, value in values.items()})


def _sheet(values: dict[str, Any]) -> Sheet:
    from workbench.campaign.campaign_settings import SETTINGS
    from workbench.core.results import Column
    from workbench.formats.tables.sheets import Sheet

    columns = (
        Column("Section", "section", "text"),
        Column("Setting", "setting", "text"),
        Column("Value", "value", "text"),
        Column("What it is", "help", "text"),
    )
    rows = [
        (SETTINGS[name].section, name, _short(SETTINGS[name].text_of(value)), SETTINGS[name].summary)
        for name, value in values.items()
    ]
    return Sheet(columns, tuple(rows))


def _print_value(campaign: Campaign, chosen: Setting, kind: str) -> None:
    """The value alone, whole, so that it can be edited and set again."""
    from workbench.formats.tables.json_text import json_text
    from workbench.storage.campaign.organising import settings

    value = chosen.in_force(settings.read(campaign))
    click.echo(
        json_text({chosen.name: chosen.plain(value)}) if kind == "json" else chosen.text_of(value),
        nl=kind != "json",
    )


def _print_change(chosen: Setting, before: Any, changed: Changed) -> None:
    if not changed.changes:
        click.echo(f"{chosen.name}: is {_quoted(chosen, before)} already; nothing was changed.")
        return
    for change in changed.changes:
        click.echo(
            f"{chosen.name}: was {_quoted(chosen, change.before)}, is now {_quoted(chosen, change.after)} "
            f"(log row {changed.seq})."
        )
    say(*changed.notes)


def _print_json(chosen: Setting, before: Any, changed: Changed) -> None:
    from workbench.formats.tables.json_text import json_text

    after = changed.changes[0].after if changed.changes else before
    content = {
        "setting": chosen.name,
        "was": chosen.plain(before),
        "is": chosen.plain(after),
        "row": changed.seq,
        "notes": list(changed.notes),
    }
    click.echo(json_text(content), nl=False)


def _quoted(chosen: Setting, value: Any) -> str:
    """A value inside a sentence: a long text by its beginning and its length."""
    text = chosen.text_of(value)
    if not text:
        return "empty"
    length = f" ({counted(len(text), 'character')})" if chosen.kind == "text" else ""
    return f"“{_short(text)}”{length}"


def _short(text: str) -> str:
    line = " ".join(text[: 2 * LINE].split())
    return line if len(line) <= LINE and len(text) <= 2 * LINE else f"{line[: LINE - 1]}…"


def _text_of(file: str) -> str:
    from workbench.formats.text.encoding import decode
    from workbench.formats.text.files import read_bytes

    text, warning = decode(read_bytes(file))
    if warning:
        say(f"Warning: {file}: {warning}")
    return text
