"""Who judges what: topics for assessors, lists of them, closed topics, and pairs to be judged twice."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import actor, campaign_argument, counted, open_named, quoted, say

if TYPE_CHECKING:
    from workbench.assigning import Overview
    from workbench.campaign import Campaign

TOPICS = click.argument("topics", nargs=-1, required=True, metavar="TOPIC...")
REASON = click.option("--reason", default="", help="Why, for the log.")
PART = click.option(
    "--part",
    type=click.Choice(["whole", "second"]),
    default="whole",
    show_default=True,
    help="The whole of the topics, or the pairs of them that are judged twice.",
)


@click.group()
def assign() -> None:
    """Who judges what: choose, give, spread, import, export, close, reopen, double.

    \b
    Example:
      workbench assign who robust assigned
      workbench assign spread robust
      workbench assign double robust --share 0.1 --seed 7
    """


@assign.command("who")
@campaign_argument
@click.argument("who", type=click.Choice(["anybody", "assigned", "claimed"]))
@click.option("--lease", type=int, help="Minutes without a judgment after which a taken topic is free again.")
def who_judges(path: Path, who: str, lease: int | None) -> None:
    """Choose who may judge a topic: anybody; those it is assigned to; or whoever takes it while it is nobody's.

    \b
    Example:
      workbench assign who robust claimed --lease 45
    """
    from workbench.assigning import choose_who_judges, overview

    with open_named(path) as campaign:
        choose_who_judges(campaign, who, lease_minutes=lease, actor=actor())
        _say_left(overview(campaign), campaign.name)


@assign.command("give")
@campaign_argument
@click.argument("assessor")
@TOPICS
@PART
@click.option("--add", is_flag=True, help="Beside those who have the topics, not in their place.")
def give(path: Path, assessor: str, topics: tuple[str, ...], part: str, add: bool) -> None:
    """Give topics to an assessor, in the place of those who had them; what they judged stays.

    \b
    Example:
      workbench assign give robust anna 303 307
    """
    from workbench.assigning import assign as assign_topics
    from workbench.assigning import strangers

    with open_named(path) as campaign, _saying_who_judges(campaign):
        assign_topics(campaign, topics, [assessor], part=part, add=add, actor=actor())
        say(f"{counted(len(set(topics)), 'topic')} given to {quoted(assessor)}.")
        _say_strangers(strangers(campaign, [assessor]))


@assign.command("take")
@campaign_argument
@TOPICS
@PART
def take(path: Path, topics: tuple[str, ...], part: str) -> None:
    """Take topics from everybody who has them; what was judged stays.

    \b
    Example:
      workbench assign take robust 303
    """
    from workbench.assigning import unassign

    with open_named(path) as campaign:
        unassign(campaign, topics, part=part, actor=actor())
    say(f"{counted(len(set(topics)), 'topic')} assigned to nobody.")


@assign.command("spread")
@campaign_argument
@click.option("--to", "names", multiple=True, metavar="NAME", help="To whom; by default all assessors.")
def spread(path: Path, names: tuple[str, ...]) -> None:
    """Spread the topics that have nobody over the assessors, so that everybody gets about as many pairs.

    \b
    Example:
      workbench assign spread robust
    """
    from workbench.assigning import spread as spread_topics
    from workbench.assigning import strangers

    with open_named(path) as campaign, _saying_who_judges(campaign):
        given = spread_topics(campaign, names or None, actor=actor())
        unknown = strangers(campaign, names)
    for topic_id, assessor in given.items():
        click.echo(f"{topic_id}\t{assessor}")
    if not given:
        say("Nothing to give: every pooled topic has somebody, or there is no pool yet.")
        return
    say(f"{counted(len(given), 'topic')} given to {counted(len(set(given.values())), 'assessor')}.")
    _say_strangers(unknown)


@assign.command("import")
@campaign_argument
@click.argument("file")
def import_(path: Path, file: str) -> None:
    """Assign topics as a list says: JSON lines with account and topics, or a table with topic, assessor and part.

    A topic that the list names belongs to whom the list says, and to nobody else; other topics stay as they are.

    \b
    Example:
      workbench assign import wows topic-mapping.jsonl
    """
    from workbench.assigning import import_list
    from workbench.formats.content import load

    content = load(file)
    with open_named(path) as campaign, _saying_who_judges(campaign):
        found = import_list(campaign, content, actor=actor())
    say(f"{counted(found.topics, 'topic')} given to {counted(found.assessors, 'assessor')}.")
    _say_strangers(found.strangers)


@assign.command("export")
@campaign_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "csv"]),
    default="jsonl",
    show_default=True,
    help="JSON lines with accounts and their topics, or a table.",
)
def export(path: Path, form: str) -> None:
    """Print the list of assignments, as `assign import` reads it.

    \b
    Example:
      workbench assign export wows > topic-mapping.jsonl
    """
    from workbench.assigning import export_list

    with open_named(path) as campaign:
        click.echo(export_list(campaign, form), nl=False)


@assign.command("list")
@campaign_argument
def list_topics(path: Path) -> None:
    """Each topic, how many of its pairs are judged, and who has it.

    \b
    Example:
      workbench assign list robust
    """
    from workbench.assigning import overview

    with open_named(path) as campaign:
        found = overview(campaign)
        for row in found.rows:
            second = f"second: {row.second}" if row.second else ""
            taken = f"taken by {row.claim.assessor} until {row.claim.until}" if row.claim else ""
            state = "closed" if row.is_closed else ""
            words = [", ".join(row.whole), second, taken, state]
            click.echo(
                f"{row.topic_id}\t{row.judged}/{row.pooled}\t{'; '.join(word for word in words if word)}"
            )
        _say_left(found, campaign.name)
        _say_strangers(found.strangers)


@assign.command("close")
@campaign_argument
@TOPICS
@REASON
def close(path: Path, topics: tuple[str, ...], reason: str) -> None:
    """Close topics: nothing more is judged there until they are opened again.

    \b
    Example:
      workbench assign close robust 303 --reason "adjudicated"
    """
    from workbench.assigning import close as close_topics

    with open_named(path) as campaign:
        closed = close_topics(campaign, topics, reason=reason, actor=actor())
    say(f"{counted(len(closed), 'topic')} closed.")


@assign.command("reopen")
@campaign_argument
@TOPICS
@REASON
def reopen(path: Path, topics: tuple[str, ...], reason: str) -> None:
    """Open closed topics again.

    \b
    Example:
      workbench assign reopen robust 303
    """
    from workbench.assigning import reopen as reopen_topics

    with open_named(path) as campaign:
        reopened = reopen_topics(campaign, topics, reason=reason, actor=actor())
    say(f"{counted(len(reopened), 'topic')} open again.")


@assign.command("double")
@campaign_argument
@click.option("--share", type=float, required=True, help="Which share of the pairs, such as 0.1.")
@click.option("--seed", type=int, required=True, help="The same seed draws the same pairs.")
@click.option(
    "--stratify",
    type=click.Choice(["none", "topic", "grade"]),
    default="none",
    show_default=True,
    help="Draw from all pairs, within each topic, or within each grade given so far.",
)
@click.option(
    "--allocate",
    type=click.Choice(["proportional", "equal"]),
    default="proportional",
    show_default=True,
    help="The same share of every stratum, or as many pairs from every stratum.",
)
@click.option(
    "--by", "names", multiple=True, metavar="NAME", help="Second assessors; by default all assessors."
)
def double(path: Path, share: float, seed: int, stratify: str, allocate: str, names: tuple[str, ...]) -> None:
    """Draw pairs at random for a second judgment, and give each topic with drawn pairs a second assessor.

    The first assessor does not see which pairs were drawn, and neither sees what the other said. A second draw takes
    pairs that came since the first.

    \b
    Example:
      workbench assign double robust --share 0.1 --seed 7 --stratify grade --allocate equal
    """
    from workbench.assigning import draw_double, strangers

    with open_named(path) as campaign:
        drawn = draw_double(
            campaign,
            share,
            seed,
            stratify=stratify,
            allocate=allocate,
            assessors=names or None,
            actor=actor(),
        )
        unknown = strangers(campaign, drawn.seconds.values())
    for stratum, (taken, size) in drawn.strata.items():
        click.echo(f"{stratum}\t{taken}\t{size}")
    many = counted(len(set(drawn.seconds.values())), "second assessor")
    say(f"{counted(drawn.pairs, 'pair')} drawn; {counted(len(drawn.seconds), 'topic')} given to {many}.")
    _say_strangers(unknown)


@contextmanager
def _saying_who_judges(campaign: Campaign) -> Iterator[None]:
    """Tell when the first topic that is given changes who judges."""
    from workbench.campaign.settings import read

    before = read(campaign).who_judges
    yield
    if read(campaign).who_judges != before:
        way_back = f"workbench assign who {shlex.quote(campaign.name)} anybody"
        say(f"From now on only those to whom a topic is given judge it. To change that: {way_back}")


def _say_strangers(names: Sequence[str]) -> None:
    from workbench.ingest.naming import listed

    if names:
        say(f"Not assessors of this campaign (yet): {listed([quoted(name) for name in names])}")


def _say_left(found: Overview, name: str) -> None:
    name = shlex.quote(name)
    if found.who_judges == "anybody":
        say(f"Anybody judges any topic. To change that: workbench assign who {name} assigned")
    elif found.without_anybody:
        left = counted(found.without_anybody, "open topic")
        if found.who_judges == "claimed":
            say(f"{left} to be taken by assessors, on the first page that they see.")
            return
        say(f"{left} without anybody. To give them all: workbench assign spread {name}")
