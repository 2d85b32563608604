"""A datasheet for a release: who made the data, how, and what it is good for.

The themes are those of Gebru et al., Datasheets for Datasets (Communications of the ACM 64(12), 2021), in our own
words and for a test collection. What the campaign knows is filled in; what only its organisers know is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from workbench.core.parameters import listed_values
from workbench.core.wording import capital, counted
from workbench.release.bundle.how_judged import Answers, answers, how_judged, reusable
from workbench.release.bundle.readme import rule_of_conflicts, rule_of_special_grades, versions_of
from workbench.release.campaign_summary import CampaignSummary
from workbench.release.markdown import plain
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.pools import PoolRecord

PARTS_OF_ROUND = ("run", "topic", "pool", "judgment")
"""What comes in a round, as `RoundCounts` counts it."""

TO_WRITE = "**To be written by the organisers.**"


class Question(NamedTuple):
    """A question, what the campaign can answer, and what the organisers are asked to add ("" for nothing)."""

    question: str
    answer: Callable[[CampaignSummary], str]
    add: str = ""


def _nothing(_: CampaignSummary) -> str:
    return ""


def _holds(facts: CampaignSummary) -> str:
    return (
        f"{counted(facts.topics_in_force, 'topic')}{_out(facts)}, "
        f"{counted(sum(facts.pooled.values()), 'pooled pair')} of topic and document, "
        f"{counted(facts.judgments, 'judgment')}, and a table of {counted(len(facts.runs), 'run')} "
        f"by {counted(len(facts.teams), 'named team')}."
    )


def _out(facts: CampaignSummary) -> str:
    number = len(facts.withdrawn_topics)
    return f" ({counted(number, 'other')} withdrawn, whose texts are in `topics.jsonl`)" if number else ""


def _by_grade(facts: CampaignSummary) -> str:
    names = {grade.grade: grade.name for grade in facts.settings.grades}
    parts = [
        f"grade {grade} ({plain(names.get(grade, 'not on the scale'))}): {count:,}"
        for grade, count in facts.qrels.items()
    ]
    return f"Pairs by grade in force: {'; '.join(parts)}." if parts else "No pair has a grade yet."


def _missing(facts: CampaignSummary) -> str:
    return (
        f"{counted(sum(facts.waiting.values()), 'pooled pair')} in {counted(len(facts.waiting), 'topic')} "
        f"have no grade. {counted(facts.topics_in_force - facts.judged_topics, 'topic')} have no graded pair at all. "
        "Documents outside the pool were not judged, save where qrels were imported."
    )


def _sample(facts: CampaignSummary) -> str:
    if not facts.pools:
        return "The campaign made no pool: its judgments were imported."
    return " ".join(
        f"Pool {pool.pool}: strategy {_strategy(pool.record)}{_values(pool.record)}{_residual(pool.record)} "
        f"over {counted(len(pool.record.runs), 'run')}, {counted(pool.brought, 'new pair')}."
        for pool in facts.pools
    )


def _strategy(record: PoolRecord) -> str:
    return " of plugin ".join(map(plain, filter(None, (record.strategy, record.plugin))))


def _residual(record: PoolRecord) -> str:
    if record.residual is None:
        return ""
    return f" on the residual collection (without what was judged before round {plain(record.residual)})"


def _values(record: PoolRecord) -> str:
    values = listed_values(record.parameters)
    return f" ({plain(values)})" if values else ""


def _collection(facts: CampaignSummary) -> str:
    if not facts.collection:
        return "The campaign did not record the files of the documents."
    return (
        "The documents themselves are not part of this release. They came from "
        + "; ".join(
            f"{plain(file.name)} ({counted(file.documents, 'document')}, SHA-256 `{file.sha256}`)"
            for file in facts.collection
        )
        + "."
    )


def _runs(facts: CampaignSummary) -> str:
    out = f", {counted(len(facts.withdrawn), 'run')} withdrawn" if facts.withdrawn else ""
    return f"{counted(len(facts.runs), 'run')}{out}; `runs.csv` lists them.{_rounds(facts)}"


def _rounds(facts: CampaignSummary) -> str:
    if not facts.over_rounds:
        return ""
    named = "; ".join(
        f"round {each.round.name}: "
        + ", ".join(counted(getattr(each, f"{name}s"), name) for name in PARTS_OF_ROUND)
        for each in facts.rounds
    )
    return f" There were {len(facts.rounds)} rounds, {named}. {facts.over_rounds}"


def _not_for(_: CampaignSummary) -> str:
    return (
        "Systems unlike those that were pooled may rank unjudged documents high: say how much of a score rests on "
        "unjudged documents."
    )


def _who_judged(facts: CampaignSummary) -> str:
    if facts.judged_between is None:
        return "There are no judgments yet."
    first, last = (time[:10] for time in facts.judged_between)
    return (
        f"{counted(len(facts.assessors), 'assessor')} (imports count as one each) between {first} and {last}. "
        f"{plain(rule_of_conflicts(facts))} {versions_of(facts)}"
    )


def _cleaning(facts: CampaignSummary) -> str:
    text = (
        "Nothing is ever deleted from the campaign's log: a changed mind is a new judgment, and both are in "
        f"`judgments.jsonl`. {plain(rule_of_special_grades(facts))}"
    )
    return "\n".join((text, *_repairs(facts)))


def _repairs(facts: CampaignSummary) -> Iterator[str]:
    repaired = [run for run in (*facts.runs, *facts.withdrawn) if run.repairs]
    if repaired:
        yield (
            "\nRuns that were repaired when they were added, by choice of the organisers; `runs.csv` has the "
            "checksum of each file as it was submitted:\n"
        )
    for run in repaired:
        yield from (f"- {plain(run.record.tag)}: {plain(repair.message)}" for repair in run.repairs)


def _people(_: CampaignSummary) -> str:
    return (
        "`judgments.jsonl` holds the work of people under pseudonyms unless the README says that they are named: "
        "the day and the seconds spent on each judgment are included, the time of day is not."
    )


def _version(facts: CampaignSummary) -> str:
    return (
        f"This release is as of row {facts.head.seq} of the log (hash `{facts.head.hash.hex()}`). A later release "
        "names a later row; the judgments of this one are then its beginning."
    )


COLLECTED, SERVES = "How it was collected", "What it is for"
"""The themes to which the questions about judging by several people belong, and about systems that took no part."""

QUESTIONS: dict[str, tuple[Question, ...]] = {
    "Why it was made": (
        Question(
            "For which task and which questions was the collection made?",
            _nothing,
            "the task, and the gap it fills.",
        ),
        Question("Who made it, and who paid for it?", _nothing, "people, institutions, grants."),
    ),
    "What it holds": (
        Question("What are the items, and how many are there?", _holds),
        Question("How are the judgments spread over the grades?", _by_grade),
        Question("Is it everything, or a sample?", _sample, "why these runs and this depth."),
        Question("What is missing?", _missing),
        Question("Where are the documents?", _collection, "where to get them, and under which terms."),
        Question(
            "Does it hold anything confidential, or that could offend or identify people?",
            _people,
            "what the documents and topics may hold.",
        ),
    ),
    COLLECTED: (
        Question(
            "Where do the topics come from?", _nothing, "who wrote them, from what, and how they were chosen."
        ),
        Question(
            "Who sent runs, and how were they asked?", _runs, "the call, the rules, automatic or manual."
        ),
        Question(
            "Who judged, when, and how were they trained and paid?",
            _who_judged,
            "who they were, training, payment.",
        ),
        Question(
            "Was there an ethical review, and did the people agree?",
            _nothing,
            "review, consent, and how to withdraw it.",
        ),
    ),
    "What was done to it": (Question("What was cleaned, merged or left out?", _cleaning),),
    SERVES: (
        Question(
            "What has it been used for, and what else could it serve?",
            _nothing,
            "uses so far, and others that make sense.",
        ),
        Question("What should it not be used for?", _not_for, "other limits."),
    ),
    "How it is given away": (
        Question("Under which licence, and where?", _nothing, "licence, address, DOI."),
    ),
    "Who looks after it": (
        Question(
            "Who is the contact, and how are errors corrected?",
            _version,
            "an address, and how corrections are announced.",
        ),
    ),
}


def datasheet_of(campaign: Campaign, facts: CampaignSummary) -> Iterator[str]:
    """The datasheet of a campaign as of the log row of `facts`."""
    judged = answers(facts, how_judged(campaign.at(facts.head.seq)))
    return datasheet_lines(facts, judged, reusable(campaign.at(facts.head.seq)))


def datasheet_lines(facts: CampaignSummary, judged: Answers, others: Answers) -> Iterator[str]:
    """The datasheet in Markdown; `judged` says how judging went, `others` how systems that took no part would fare."""
    more = {COLLECTED: judged, SERVES: others}
    yield f"# Datasheet: {plain(facts.settings.title)}\n\n"
    yield f"What is marked “{TO_WRITE.strip('*.')}” the campaign cannot know.\n"
    for theme, questions in QUESTIONS.items():
        yield f"\n## {theme}\n"
        for question in questions:
            yield f"\n### {question.question}\n\n"
            yield from (f"{part}\n" for part in _answer(question, facts))
        for text, answer in more.get(theme, ()):
            yield f"\n### {text}\n\n{answer}\n"


def _answer(question: Question, facts: CampaignSummary) -> Iterator[str]:
    answer = question.answer(facts)
    if answer:
        yield answer
    if question.add:
        if answer:
            yield ""
        yield f"{TO_WRITE} {capital(question.add)}"
