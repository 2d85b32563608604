"""Runs that teams submit: opening and closing, who is missing, and correcting what is said of a run."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import click

from workbench.cli.campaigns import Opened, say
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option, text_sheet, write_list
from workbench.core.wording import counted, listed

if TYPE_CHECKING:
    from workbench.storage.campaign import Campaign


class Changed(NamedTuple):
    """What to change of the rules."""

    is_open: bool | None = option("Open or close the submission by teams.", "--open/--close")
    judges: bool | None = option("What teams submit: judges, or runs.", "--judges/--runs")
    deadline: str | None = option('As "2027-03-01 23:59", UTC or with a zone; "" for none.', metavar="TIME")
    limit: int | None = option(
        "The most runs, or judges, that a team may have; 0 for any number.", "--runs-per-team"
    )
    fields: tuple[str, ...] = option(
        "A field of the description; * if required, =PATH to read it from ir_metadata. Repeat for all of them.",
        "--field",
        metavar="NAME[*][=PATH]",
    )
    no_fields: bool = option("Ask for no description.")


@command()
def submissions(campaign: Opened, asked: Changed, kind: str = format_option) -> None:
    """Show what teams have submitted and who is missing; open, close and set the rules.

    Members with the role participant and a team upload their runs in the browser while submission is open. The
    server's clock decides: the time counts at which the whole file has arrived. Organisers can add runs at any time.

    Example:
      workbench task submissions robust --open --deadline "2027-03-01 23:59" --runs-per-team 3
      workbench task submissions robust --field "Method*=method.automatic" --field "Model"
      workbench task submissions robust --judges --open --deadline "2027-06-01 23:59"
      workbench task submissions robust --close
      workbench task submissions robust --format json
    """
    from workbench.campaign import submission_rules
    from workbench.campaign.submissions import overview as shown

    if asked.fields and asked.no_fields:
        raise click.UsageError("use --field or --no-fields, not both")
    rules = submission_rules.rules_of(campaign)
    given = {name: getattr(asked, name) for name in ("is_open", "judges") if getattr(asked, name) is not None}
    given |= {} if asked.deadline is None else {"deadline": submission_rules.parse_deadline(asked.deadline)}
    given |= {} if asked.limit is None else {"limit": submission_rules.parse_limit(asked.limit)}
    if asked.fields or asked.no_fields:
        given["fields"] = submission_rules.parse_fields(asked.fields)
    wanted = rules._replace(**given)
    if wanted != rules:
        submission_rules.change_rules(campaign, wanted)
    found = shown.overview(campaign)
    now = datetime.now(UTC)
    say(shown.state_words(found.rules, now))
    if found.rules.takes(now) is False and found.rules.is_open and asked.is_open:
        say("Warning: the deadline has passed; set a later one with --deadline, or --deadline '' for none.")
    if found.rules.fields:
        say(f"Description: {listed([str(field) for field in found.rules.fields], 50)}.")
    if found.teams:
        say(shown.missing_words(found))
    else:
        say("No teams yet: workbench member invite CAMPAIGN --role participant --team TEAM")
    if found.without_team:
        say(f"{counted(len(found.without_team), 'participant')} without a team: {listed(found.without_team)}")
    rows = [
        (
            team.team,
            len(team.members),
            team.submitted(found.rules),
            team.newest[:16].replace("T", " "),
            "submitted" if team.submitted(found.rules) else "missing",
        )
        for team in found.teams
    ]
    heads = ("Team", "Members", f"{found.rules.noun.capitalize()}s", "Newest", "State")
    write_list(kind, text_sheet(heads, rows), whole=shown.as_json(found, now))


class Corrected(NamedTuple):
    """What to correct of a run or a topic."""

    is_topic: bool = option("The name is a topic, not a run.", "--topic")
    topic_texts: tuple[str, ...] = option(
        "With --topic: title, description, narrative, or another field that the topic has.",
        "--text",
        metavar="FIELD=TEXT",
    )
    team: str | None = option('The team that submitted it; "" for none.')
    new_tag: str | None = option("Another tag, as long as no pool names the run.", "--tag", metavar="TAG")
    priority: int | None = option("The priority among the team's runs, 1 is the highest; 0 for none.")
    depth: int | None = option("Number of documents per topic that a pool should take; 0 for none.")
    texts: tuple[str, ...] = option(
        "The text of a field of the description; an empty text removes it.",
        "--describe",
        metavar="FIELD=TEXT",
    )
    is_in_pools: bool | None = option(
        "Whether later pools draw on it unless told otherwise.", "--pool/--no-pool"
    )
    table: str | None = option(
        "A CSV of many runs: columns run, team, new_tag, priority, depth, pool (yes or no), fields of the description.",
        metavar="FILE",
    )
    dry_run: bool = option("With --table: show what would change, and change nothing.")
    reason: str = option("The reason, for the log.", default="")


@command()
def correct(campaign: Opened, asked: Corrected, tag: str = argument("[RUN|TOPIC]", required=False)) -> None:
    """Correct a run's team, tag, priority, depth or description, or with --topic the texts of a topic.

    The log keeps what was before, and scores as of an earlier row keep the earlier names. Rankings, pools and judgments
    stay as they are. To replace the rankings: workbench add runs --replaces. A corrected topic has a new version, which
    judgments name from then on. To take a topic out: workbench task withdraw --topics.

    Example:
      workbench task correct robust bm25 --team Glasgow --reason "the form was filled in wrongly"
      workbench task correct robust bm25 --tag gla-bm25 --priority 1
      workbench task correct robust bm25 --describe "Method=automatic"
      workbench task correct robust --table runs.csv --dry-run
      workbench task correct robust 312 --topic --text "title=hydrogen as a fuel for cars"
    """
    from workbench.campaign.submissions.correcting import Correction, correct_run

    described = _by_field(asked.texts, "--describe")
    correction = Correction(
        asked.team, asked.new_tag, asked.priority, asked.depth, described, asked.is_in_pools
    )
    if (asked.table is None) == (not tag):
        raise click.UsageError("name a run or topic, or a --table of runs, and not both")
    if asked.table is not None:
        if correction != Correction() or asked.is_topic or asked.topic_texts:
            raise click.UsageError("--table says what to correct; leave out all but --reason and --dry-run")
        _correct_by_table(campaign, asked.table, asked.reason, dry_run=asked.dry_run)
        return
    of_a_run = correction != Correction() or asked.reason
    if asked.is_topic and of_a_run:
        raise click.UsageError(
            "a topic has no team, tag, priority, depth, description of a run, or reason; use --text"
        )
    if asked.topic_texts and not asked.is_topic:
        raise click.UsageError("--text corrects a topic; add --topic")
    if asked.is_topic:
        _correct_topic(campaign, tag, _by_field(asked.topic_texts, "--text"))
        return
    if correction == Correction():
        raise click.UsageError("nothing to correct; give --team, --tag, --priority, --depth or --describe")
    found = correct_run(campaign, tag, correction, reason=asked.reason)
    say(f"Run {found.now.get('tag', tag)}: {listed(list(found.now))} corrected.")
    if found.pools:
        named = listed([str(pool) for pool in found.pools])
        say(f"Pool {named} drew on it: its pairs and their judgments stay.")


def _correct_by_table(campaign: Campaign, path: str, reason: str, *, dry_run: bool) -> None:
    from workbench.campaign.submission_rules import rules_of
    from workbench.campaign.submissions.correcting import correct_runs, in_words
    from workbench.campaign.submissions.file_tables import corrections_of_table
    from workbench.formats.text.content import load

    corrections = corrections_of_table(load(path), rules_of(campaign).fields)
    found = correct_runs(campaign, corrections, reason=reason, dry_run=dry_run)
    for each in found:
        click.echo(in_words(each))
    would = "would be corrected; nothing was changed" if dry_run else "corrected"
    say(f"{counted(len(found), 'run')} of {len(corrections):,} {would}.")


def _correct_topic(campaign: Campaign, topic_id: str, texts: dict[str, str]) -> None:
    from workbench.campaign.content_changes import correct_topic

    if not texts:
        raise click.UsageError("nothing to correct; give --text, such as --text title=...")
    seq = correct_topic(campaign, topic_id, texts)
    if seq is None:
        say(f"Topic {topic_id} has this text already; nothing was changed.")
    else:
        say(f"Topic {topic_id}: {listed(list(texts))} corrected (log row {seq}).")


def _by_field(texts: tuple[str, ...], option: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator:
            raise click.BadParameter(f"{text!r} has no =; write FIELD=TEXT", param_hint=option)
        found[name.strip()] = value
    return found
