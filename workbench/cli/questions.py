"""Questions besides relevance, about documents and answers: showing them, and asking one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from workbench.cli.campaigns import Opened, say
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option, write_sheet
from workbench.core.about import ONE
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.core.records import Question
    from workbench.storage.campaign import Campaign

About = Literal[
    "documents", "citations", "nuggets", "answers", "spans", "document-pairs", "answer-pairs", "list-pairs"
]


class Asked(NamedTuple):
    """The question, and what of it is set or changed."""

    name: str | None = argument(required=False)
    about: (
        Literal[
            "documents",
            "citations",
            "nuggets",
            "answers",
            "spans",
            "document-pairs",
            "answer-pairs",
            "list-pairs",
        ]
        | None
    ) = option(
        "Pooled documents, sentences with what they cite, nuggets with answers, whole answers, passages that "
        "nuggets refer to, or which of two is better.  [default: documents]"
    )
    title: str | None = option("The question as assessors read it.")
    answered: Literal["scale", "label", "labels", "weight"] | None = option(
        "By a grade of a scale, one label of several without order, several labels, or a number.  [default: scale]"
    )
    grades: str | None = option(
        "Its scale, as the campaign's, or its labels; of a weight the ends, as 0..10.",
        metavar="NUMBER:NAME[|GUIDELINE],...",
    )
    labels: str | None = option(
        "Several are chosen of these, numbered from 1 on, or of the nuggets of the topic.  [default: nuggets]",
        metavar="NUMBER:NAME[|GUIDELINE],...",
    )
    counts: str | None = option(
        "From so many labels on this grade.  [default: their number]", metavar="NUMBER=GRADE,..."
    )
    relevant_from: int | None = option(
        "The smallest good grade.  [default: 1]", "--good-from", metavar="GRADE"
    )
    asked_from: int | None = option(
        "Ask only about documents with this relevance or a higher one.", metavar="GRADE"
    )
    depth: int | None = option("Results of each list that is compared.  [default: 5]", metavar="K")
    of_all: bool = option("Ask about every pooled document.")
    guideline: str | None = option("A line of help for assessors.")


@command("question")
def question(campaign: Opened, asked: Asked, kind: str = format_option) -> None:
    """List the questions that are asked besides relevance, or ask one.

    It is asked about every pooled document, or about the relevant ones as they are judged, and answered by a scale of
    its own, one of several labels, several of them, which count as a grade by their number, or a number.
    The answers are judgments of topics such as 17!readable: they have assessors, agreement and progress of their own,
    and commands with --question count them in the place of relevance. Questions about answers have the usual title and
    scale where none is given, and pools of their own: workbench pool --question. A name alone shows how far the
    question is, and what a changed bank or a withdrawn run made of it.

    Example:
      workbench campaign question health
      workbench campaign question health readable --title "Is it easy to read?" --grades "0:Hard,1:Easy" --asked-from 1
      workbench campaign question health readable --guideline "As for a patient"
      workbench campaign question rag parts --title "Which parts?" --answered labels --counts 0=0,1=2,2=3,4=4
      workbench campaign question rag support --about citations
      workbench campaign question rag better --about answer-pairs
      workbench score health --question readable
      workbench export qrels health --question readable -o readable.txt
    """
    from workbench.campaign.questions import OF_NUGGETS, USUAL, Counts, declare, question_counts
    from workbench.core.records import LABELS, WEIGHT, Question
    from workbench.formats.scale import parse_grades, parse_map, parse_weights
    from workbench.formats.tables.sheets import sheet_of
    from workbench.storage.campaign.organising import settings

    given = {name: value for name, value in asked._asdict().items() if value not in (None, False)}
    name = given.pop("name", None)
    if name is None:
        if given:
            raise click.UsageError("name the question that these options are about")
        write_sheet(kind, sheet_of(Counts, question_counts(campaign)))
        return
    if given.pop("of_all", False):
        if asked.asked_from is not None:
            raise click.UsageError("give --asked-from or --of-all, not both")
        given["asked_from"] = None
    before = next((each for each in settings.read(campaign).questions if each.name == name), None)
    answered = asked.answered or (before.answered if before else "")
    if asked.grades is not None:
        given["grades"] = tuple((parse_weights if answered == WEIGHT else parse_grades)(asked.grades))
    if asked.labels is not None:
        given["labels"] = () if asked.labels == OF_NUGGETS else tuple(parse_grades(asked.labels))
    if asked.counts is not None:
        given["counts"] = tuple(sorted(parse_map(asked.counts).items()))
    if before is not None and not given:
        _show(campaign, before)
        return
    usual = USUAL.get(asked.about or "")
    if before is None and usual:
        before = usual._replace(name=name)
    if answered == LABELS and (before is None or {"answered", "labels", "counts"} & given.keys()):
        given.setdefault("grades", ())
    if before is None and not {"title", "grades"} <= given.keys():
        raise click.UsageError(f"{name} is not asked yet; give it --title and --grades")
    row = declare(campaign, (before or Question(name, "", ()))._replace(**given))
    (now,) = (each for each in question_counts(campaign) if each.name == name)
    say(f"{name} is asked about {counted(now.pooled, ONE[now.about])}, from log row {row:,} on.")


def _show(campaign: Campaign, question: Question) -> None:
    """Say how far a question is, and what it has to catch up with."""
    from workbench.campaign.pools.new_units import news_of
    from workbench.campaign.questions import question_counts

    (now,) = (each for each in question_counts(campaign) if each.name == question.name)
    say(f"{now.name} is asked about {counted(now.pooled, ONE[now.about])}; {now.judged:,} answered.")
    news = news_of(campaign.asking(now.name))
    for sentence in news.sentences:
        say(sentence)
    if news.refused:
        say(f"The newest pool cannot be made again: {news.refused}.")
    elif news.new:
        say(f"Pool them as before: workbench pool {campaign.command_name} --question {now.name}")
