"""Single pairs: conflicts between assessors, and what an organiser corrects."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.cli.campaigns import Asking, Opened, measure_option, say
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option, text_sheet, write_list, write_results
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.analysis.adjudication.conflicts import Conflicts


class Overruled(NamedTuple):
    """A pair, and the grade that it is to have."""

    topic: str = argument()
    document: str = argument()
    grade: int = argument()
    reason: str = option("The reason, stored with the grade.", required=True)
    expected: int | None = option("Only if this is the grade that counts now.", "--from", metavar="GRADE")


@command()
def overrule(campaign: Opened, asked: Overruled) -> None:
    """Overrule the grade of a document for a topic, as an adjudication with a reason.

    The assessors' own grades remain. Negative grades follow --:
    workbench judging overrule robust 303 d1 --reason spam -- -2

    Example:
      workbench judging overrule robust 303 FBIS3-10082 0 --reason "about another river"
      workbench judging overrule robust 303 FBIS3-10082 0 --from 2 --reason "about another river"
    """
    from workbench.analysis.pairs.overruling import counts_by
    from workbench.analysis.pairs.overruling import overrule as overrule_pair
    from workbench.storage.campaign.grades import labels

    overrule_pair(
        campaign, asked.topic, asked.document, asked.grade, reason=asked.reason, expected=asked.expected
    )
    label, rule = labels.label_of(campaign, asked.topic, asked.document), labels.rule_at(campaign)
    say(
        f"Stored; the grade that counts is {label}." if label == asked.grade else f"Stored. {counts_by(rule)}"
    )


@command()
def broken(
    campaign: Opened,
    documents: tuple[str, ...] = argument("[DOCUMENT...]"),
    reason: str = option("What is broken; needed to mark documents.", default=""),
    repaired: bool = option("Remove the mark from these documents."),
    kind: str = format_option,
) -> None:
    """Mark documents whose text is broken, so that they are not judged; without documents, list those that are marked.

    They wait until their text is replaced (workbench add documents --changed) or the mark is taken back. Judgments,
    labels and scores stay as they are.

    Example:
      workbench judging broken robust FBIS3-10082 --reason "cut off after the first page"
      workbench judging broken robust FBIS3-10082 --repaired
      workbench judging broken robust
    """
    from workbench.campaign.content_changes import mark_broken, mark_not_broken
    from workbench.storage.campaign.collection import broken as marks

    if not documents:
        found = marks.marked(campaign).values()
        rows = [(mark.document_id, mark.at, mark.actor, mark.reason) for mark in found]
        write_list(kind, text_sheet(("Document", "Time", "Actor", "Reason"), rows))
    elif repaired:
        mark_not_broken(campaign, documents, reason=reason)
        say(f"{counted(len(set(documents)), 'document')} no longer marked as broken.")
    else:
        mark_broken(campaign, documents, reason=reason)
        say(f"{counted(len(set(documents)), 'document')} marked as broken.")


@command()
def conflicts(
    campaign: Asking,
    measure: str = measure_option("The measure that orders the runs."),
    top: int = option("Number of top runs whose order counts.", default=10, least=1, metavar="K"),
    kind: str = format_option,
) -> None:
    """List pairs with different grades that are not yet adjudicated, most urgent first.

    First are those that could change the order of the top runs: with one of the given grades, and all other pairs
    unchanged, a top run would swap places or tie with another run. Then the largest differences between grades.
    Resolve them in the browser, on the page Adjudication.

    Example:
      workbench judging conflicts robust
      workbench judging conflicts robust -m nDCG@10 --top 5
      workbench judging conflicts robust --format csv > conflicts.csv
    """
    from workbench.analysis.adjudication.conflicts import Conflict
    from workbench.analysis.adjudication.conflicts import conflicts as conflicts_of

    found = conflicts_of(campaign, measure, top=top)
    if kind != "table" or found.open:
        write_results(kind, Conflict, found.open, found)
    say(*_remarks(found))


def _remarks(found: Conflicts) -> list[str]:
    remarks = [f"{counted(len(found.open), 'conflict')} open, {len(found.settled):,} settled."]
    if not (found.open or found.settled or found.hidden):
        remarks.append(
            "Conflicts arise on pairs with several judgments: workbench assign double CAMPAIGN --share 0.1 --seed 1"
        )
    if found.open and found.runs > 1:
        which = "the runs" if found.runs == found.top else f"the top {found.top} runs"
        remarks.append(
            f"{found.changing:,} of them alone could change the order of {which} by {found.measure}."
        )
    if found.hidden:
        remarks.append(
            f"{counted(found.hidden, 'more conflict')} cannot be shown: the pair is not pooled, or the campaign has no "
            "text of the document."
        )
    if found.unscored:
        remarks.append(
            f"The {found.unscored:,} narrowest conflicts were not scored, since there are too many."
        )
    return remarks
