"""Who judges what: topics for assessors, lists of them, closed topics, and pairs to be judged twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from workbench.cli.accounts import disabled_here
from workbench.cli.campaigns import Asking, Opened, quoted, say
from workbench.cli.options import Group, argument, option
from workbench.cli.tables import format_option, format_option_of, text_sheet, write_list, write_sheet
from workbench.core.wording import capital, counted

if TYPE_CHECKING:
    from workbench.campaign.assigning import Overview
    from workbench.campaign.assigning.overview import TopicRow
    from workbench.formats.tables.sheets import Sheet
    from workbench.storage.campaign import Campaign

topics_argument = argument("TOPIC...", required=True)
reason_option = option("The reason, for the log.", "--reason", default="")
part_option = option(
    "The whole topics, or only their pairs drawn for a second judgment.",
    "--part",
    type=click.Choice(["whole", "second"]),
    default="whole",
)


@click.group(cls=Group)
def assign() -> None:
    """Assign topics to assessors, close and reopen them, and have pairs judged twice or again.

    Example:
      workbench assign who robust assigned
      workbench assign spread robust
      workbench assign double robust --share 0.1 --seed 7
    """


@assign.command("who")
def who_judges(
    campaign: Opened,
    who: Literal["anybody", "assigned", "claimed"] = argument(),
    lease: int | None = option("Minutes without a judgment after which a claim expires."),
) -> None:
    """Set who may judge a topic: any assessor, its assignees, or the assessor who claims it.

    Example:
      workbench assign who robust claimed --lease 45
    """
    from workbench.campaign.assigning import choose_who_judges, overview

    choose_who_judges(campaign, who, lease_minutes=lease)
    _say_left(overview(campaign, disabled=disabled_here(campaign)), campaign.command_name)


@assign.command("give")
def give(
    campaign: Opened,
    assessor: str = argument(),
    topics: tuple[str, ...] = topics_argument,
    part: str = part_option,
    add: bool = option("Keep the current assignees."),
) -> None:
    """Assign topics to an assessor, replacing earlier assignees; their judgments remain.

    Example:
      workbench assign give robust anna 303 307
    """
    from workbench.campaign.assigning import assign as assign_topics
    from workbench.campaign.assigning import without_judging_role

    with _saying_who_judges(campaign):
        assign_topics(campaign, topics, [assessor], part=part, add=add, disabled=disabled_here(campaign))
        say(f"{counted(len(set(topics)), 'topic')} assigned to {quoted(assessor)}.")
        _say_who_cannot_judge(without_judging_role(campaign, [assessor]))


@assign.command("take")
def take(
    campaign: Opened,
    topics: tuple[str, ...] = argument("[TOPIC]..."),
    names: tuple[str, ...] = option("An assessor; all topics without TOPIC.", "--from", metavar="NAME"),
    part: Literal["whole", "second"] | None = option("Only the whole topics, or only the second parts."),
) -> None:
    """Unassign topics; their judgments remain.

    Example:
      workbench assign take robust 303
      workbench assign take robust --from anna
    """
    from workbench.campaign import assigning

    if not topics and not names:
        raise click.UsageError("Name topics, or an assessor with --from.")
    parts = [part] if part else assigning.PARTS
    say(f"{assigning.unassign(campaign, names, topics, parts=parts)}.")


@assign.command("hand-over")
def hand_over_work(
    campaign: Opened,
    name: str = argument(),
    heirs: tuple[str, ...] = option(
        "Who takes over; may be repeated. [default: all other assessors]", "--to", metavar="HEIR"
    ),
    dry_run: bool = option("Show who would get what; nothing changes."),
    kind: str = format_option,
) -> None:
    """Hand over all that waits for a person: topics, second parts, and documents to judge again.

    Each goes to the heir with the fewest open pairs of those who can have it. Judgments remain the person's.

    Example:
      workbench assign hand-over robust anna --to ben --to cara --dry-run
      workbench assign hand-over robust anna --to ben --to cara
    """
    from workbench.campaign.assigning import handing_over

    asked = handing_over.Successors(name, heirs, disabled_here(campaign))
    with campaign.snapshot() if dry_run else campaign.write():
        found = (handing_over.plan_hand_over if dry_run else handing_over.hand_over)(campaign, asked)
    rows = [
        (*item, pairs, found.given.get(item, ""), found.left.get(item, ""))
        for item, pairs in found.pairs.items()
    ]
    write_list(kind, text_sheet(("Part", "Topic", "Document", "Open pairs", "Heir", "Not possible"), rows))
    say(f"Would be {found.words}. Nothing has changed." if dry_run else f"{capital(found.words)}.")


@assign.command("spread")
def spread(
    campaign: Asking,
    names: tuple[str, ...] = option(
        "An assessor; may be repeated. [default: all assessors]", "--to", metavar="NAME"
    ),
    kind: str = format_option,
) -> None:
    """Distribute unassigned topics evenly: about the same number of pairs for each assessor.

    Example:
      workbench assign spread robust
    """
    from workbench.campaign.assigning import spread as spread_topics
    from workbench.campaign.assigning import without_judging_role

    with _saying_who_judges(campaign):
        given = spread_topics(campaign, names or None, disabled=disabled_here(campaign))
        unknown = without_judging_role(campaign, names)
    nothing = "Nothing to distribute: every pooled topic is assigned, or there is no pool yet."
    write_list(kind, text_sheet(("Topic", "Assessor"), given.items()), nothing)
    if not given:
        return
    say(f"{counted(len(given), 'topic')} assigned to {counted(len(set(given.values())), 'assessor')}.")
    _say_who_cannot_judge(unknown)


@assign.command("import")
def import_(campaign: Opened, file: str = argument()) -> None:
    """Import assignments: JSON lines with account and topics, or a table with topic, assessor and part.

    The assignees of a topic in the list are replaced by those in the list; other topics are not changed.

    Example:
      workbench assign import wows topic-mapping.jsonl
    """
    from workbench.campaign.assigning import import_list
    from workbench.formats.text.content import load

    content = load(file)
    with _saying_who_judges(campaign):
        found = import_list(campaign, content, disabled=disabled_here(campaign))
    say(f"{counted(found.topics, 'topic')} assigned to {counted(found.assessors, 'assessor')}.")
    _say_who_cannot_judge(found.without_judging_role)


@assign.command("export")
def export(
    campaign: Opened,
    kind: str = format_option_of(
        "jsonl", "csv", says="JSON lines with accounts and their topics, or a table"
    ),
) -> None:
    """Print the assignments in the format that `assign import` reads.

    Example:
      workbench assign export wows > topic-mapping.jsonl
    """
    from workbench.campaign.assigning import export_list

    click.echo(export_list(campaign, kind), nl=False)


@assign.command("list")
def list_topics(campaign: Asking, kind: str = format_option) -> None:
    """List the topics: pairs judged, and assignees.

    Example:
      workbench assign list robust
    """
    from workbench.campaign.assigning import overview

    found = overview(campaign, disabled=disabled_here(campaign))
    write_list(kind, _sheet_of(found.rows), whole=list(map(_content_of, found.rows)))
    _say_left(found, campaign.command_name)
    _say_who_cannot_judge(found.without_judging_role)


@assign.command("close")
def close(campaign: Opened, topics: tuple[str, ...] = topics_argument, reason: str = reason_option) -> None:
    """Close topics: they accept no judgments until they are reopened.

    Example:
      workbench assign close robust 303 --reason "adjudicated"
    """
    from workbench.campaign.assigning import close as close_topics

    closed = close_topics(campaign, topics, reason=reason)
    say(f"{counted(len(closed), 'topic')} closed.")


@assign.command("reopen")
def reopen(campaign: Opened, topics: tuple[str, ...] = topics_argument, reason: str = reason_option) -> None:
    """Reopen closed topics.

    Example:
      workbench assign reopen robust 303
    """
    from workbench.campaign.assigning import reopen as reopen_topics

    reopened = reopen_topics(campaign, topics, reason=reason)
    say(f"{counted(len(reopened), 'topic')} reopened.")


class Draw(NamedTuple):
    """Which pairs to draw, and who judges them."""

    share: float = option("The share of the pairs to draw, such as 0.1.", required=True)
    seed: int = option("The same seed draws the same pairs.", required=True)
    stratify: Literal["none", "topic", "grade"] = option(
        "Draw from all pairs, within each topic, or within each grade given so far.", default="none"
    )
    allocate: Literal["proportional", "equal"] = option(
        "The same share of every stratum, or the same number of pairs from every stratum.",
        default="proportional",
    )
    names: tuple[str, ...] = option(
        "A second assessor; may be repeated. [default: all assessors]", "--by", metavar="NAME"
    )


@assign.command("double")
def double(campaign: Asking, asked: Draw, kind: str = format_option) -> None:
    """Draw pairs at random for a second judgment, and give each topic with drawn pairs a second assessor.

    The first assessor does not see which pairs were drawn, and neither sees the other's judgment. A second draw
    samples the pairs added since the first.

    Example:
      workbench assign double robust --share 0.1 --seed 7 --stratify grade --allocate equal
    """
    from workbench.campaign.assigning import draw_double, without_judging_role

    drawn = draw_double(
        campaign,
        asked.share,
        asked.seed,
        stratify=asked.stratify,
        allocate=asked.allocate,
        assessors=asked.names or None,
        disabled=disabled_here(campaign),
    )
    unknown = without_judging_role(campaign, drawn.seconds.values())
    rows = [(stratum, taken, size) for stratum, (taken, size) in drawn.strata.items()]
    write_sheet(kind, text_sheet(("Stratum", "Drawn", "Pairs"), rows))
    many = counted(len(set(drawn.seconds.values())), "second assessor")
    say(f"{counted(drawn.pairs, 'pair')} drawn; {counted(len(drawn.seconds), 'topic')} assigned to {many}.")
    _say_who_cannot_judge(unknown)


def _sheet_of(rows: Sequence[TopicRow]) -> Sheet:
    heads = ("Topic", "Judged", "Pooled", "Assessors", "Second", "Claimed by", "Until", "State")
    return text_sheet(heads, ((*row[:3], ", ".join(row[3]), *row[4:]) for row in map(_cells, rows)))


def _cells(row: TopicRow) -> tuple[str, int, int, list[str], str, str, str, str]:
    by, until = (row.claim.assessor, str(row.claim.until)) if row.claim else ("", "")
    state = "closed" if row.is_closed else "open"
    return row.topic_id, row.judged, row.pooled, list(row.whole), row.second or "", by, until, state


def _content_of(row: TopicRow) -> dict[str, object]:
    names = ("topic", "judged", "pooled", "assessors", "second", "claimed_by", "until", "state")
    return dict(zip(names, _cells(row), strict=True))


@contextmanager
def _saying_who_judges(campaign: Campaign) -> Iterator[None]:
    from workbench.storage.campaign.organising.settings import read

    before = read(campaign).who_judges
    yield
    if read(campaign).who_judges != before:
        way_back = f"workbench assign who {campaign.command_name} anybody"
        say(f"From now on only its assignees may judge a topic. To change this: {way_back}")


def _say_who_cannot_judge(names: Sequence[str]) -> None:
    from workbench.core.wording import listed

    if names:
        say(f"Cannot judge in this campaign (yet): {listed([quoted(name) for name in names])}")


def _say_left(found: Overview, name: str) -> None:
    if found.without_judge:
        way_out = f"workbench assign hand-over {name} NAME --to OTHER"
        say(
            f"{counted(found.without_judge, 'open topic')} assigned to people who cannot judge. "
            f"To hand them over: {way_out}"
        )
    if found.who_judges == "anybody":
        say(f"Any assessor may judge any topic. To change this: workbench assign who {name} assigned")
    elif found.unassigned:
        left = counted(found.unassigned, "open topic")
        if found.who_judges == "claimed":
            say(f"{left} unclaimed; assessors claim them on their start page.")
            return
        say(f"{left} unassigned. To distribute them: workbench assign spread {name}")
