"""Nuggets of topics: banks added from files, listed, and exported."""

from __future__ import annotations

from typing import Literal

from workbench.cli.adding import files_argument
from workbench.cli.campaigns import Opened, Then, say
from workbench.cli.exporting import output_option, write
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option, text_sheet, write_list
from workbench.core.wording import counted

MOST_SHOWN = 20
"""At most this many topics are named."""


@command("nuggets")
def add_nuggets(
    campaign: Opened,
    files: tuple[str, ...] = files_argument,
    form: str = option(
        "The form of the files, such as argue.  [default: told by their fields]", default="", metavar="NAME"
    ),
    proposed: bool = option("Add what topics lack as proposals, which a person accepts one by one."),
    dry_run: bool = option("Show what would change, and change nothing."),
) -> None:
    """Add nuggets: what good answers to topics hold. All files are added, or none.

    Files are those of nuggetizer, ARGUE (v3, v4) and its annotation tool, rubrics of DRAGUN, or questions with answers.
    A file replaces the nuggets of its topics; earlier versions stay in the log. Proposals, as of a model, join the
    nuggets of a topic; answers are not judged about them until they are accepted on the page Nuggets.

    Example:
      workbench add nuggets rag nuggets.jsonl --dry-run
      workbench add nuggets rag nuggets/*.json
      workbench add nuggets rag model.jsonl --proposed
    """
    from workbench.campaign.nuggets import add_nuggets, changes_in_words, counts_in_words
    from workbench.core.wording import capital

    found = add_nuggets(campaign, files, form=form, proposed=proposed, dry_run=dry_run)
    changed = [each for each in found if not each.is_same]
    if dry_run:
        say("Dry run: nothing is changed.")
    for each in changed[:MOST_SHOWN]:
        say(f"  topic {each.topic_id}: {counts_in_words([each])}")
    if len(changed) > MOST_SHOWN:
        say(f"  and {len(changed) - MOST_SHOWN:,} more topics")
    say(f"{capital(changes_in_words(found, would=dry_run))}.")


@command("nuggets")
def list_nuggets(
    campaign: Then, topic: str | None = argument(required=False), kind: str = format_option
) -> None:
    """List the topics that have nuggets, or the nuggets of one.

    Proposed are those that no person has accepted yet.

    Example:
      workbench campaign nuggets rag
      workbench campaign nuggets rag 17
      workbench campaign nuggets rag 17 --as-of 2026-03-01
    """
    from workbench.campaign.nuggets import BankCounts, bank_counts, written_reference
    from workbench.core.natural_order import natural
    from workbench.core.wording import capital
    from workbench.storage.campaign.collection import nuggets, topics

    adding = f"Add some: workbench add nuggets {campaign.command_name} FILE"
    if topic is None:
        heads = [capital(name.replace("_", " ")) for name in BankCounts._fields]
        counts = bank_counts(campaign, sorted(nuggets.topics_with_bank(campaign), key=natural))
        write_list(kind, text_sheet(heads, counts), f"No topic has nuggets yet. {adding}")
        return
    topics.named(campaign, topic)
    bank = nuggets.bank_of(campaign, topic)
    rows = [
        (
            *(each.nugget_id, each.text, each.importance),
            "; ".join(answer.text or answer.answer_id for answer in each.answers),
            "; ".join(map(written_reference, each.references)),
            "; ".join(creator.name for creator in each.creators),
            "yes" if each.proposed else "no",
        )
        for each in (bank.nuggets if bank else ())
    ]
    heads = ["Nugget", "Text", "Importance", "Answers", "References", "Made by", "Proposed"]
    write_list(kind, text_sheet(heads, rows), f"Topic {topic} has no nuggets yet. {adding}")


@command("nuggets")
def export_nuggets(
    campaign: Then,
    form: Literal["nuggetizer", "argue", "v4"] = option("The form of the file.", required=True),
    output: str = output_option,
) -> None:
    """Export the nuggets of all topics, without proposals.

    nuggetizer and argue (its v3) are JSON lines, v4 is one object with nuggetizer's banks. What came in in the form
    that is written is the same JSON again, with what has changed since; of another form it is kept as metadata.

    Example:
      workbench export nuggets rag --form argue -o nuggets.jsonl
    """
    from workbench.campaign.nuggets import without_proposals
    from workbench.core.natural_order import natural
    from workbench.formats.answers.banks_written import banks_text
    from workbench.storage.campaign.collection import nuggets

    found = nuggets.bank_file(campaign, sorted(nuggets.topics_with_bank(campaign), key=natural))
    accepted = without_proposals(found)
    write(output, [banks_text(accepted, form)])
    written = sum(len(bank.nuggets) for bank in accepted.banks)
    left_out = sum(len(bank.nuggets) for bank in found.banks) - written
    of = counted(len(found.banks), "topic")
    say(f"{counted(written, 'nugget')} of {of}; {counted(left_out, 'proposal')} left out.")
