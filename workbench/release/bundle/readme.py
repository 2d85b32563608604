"""The README of a release, its guidelines, and how to cite it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from workbench.core.wording import as_sentence, counted
from workbench.release.campaign_summary import CampaignSummary
from workbench.release.markdown import plain, table
from workbench.storage.campaign.grades.label_rules import LABEL_RULES
from workbench.storage.campaign.grades.sources import IMPORTED_LABELS, MODEL_LABELS

FILES = {
    "qrels.txt": "The judgments in four columns: topic, 0, document, grade. What most programs read.",
    "qrels-with-special.txt": "The same with the special (negative) grades.",
    "qrels-of-": "The answers to a question, in the same columns; settings.json has its scale.",
    "qrels/": "Of each round the pairs first judged in it (d2_j2), and all judged by its end (d2_j1-2), as of its end.",
    "rounds.csv": "The rounds: when each was opened, and what came in it.",
    "pool.jsonl": "Every pooled pair with its best rank, how many runs had it, stratum and inclusion probability.",
    "pools.json": "How each pool was made.",
    "drawn.json": "The pairs drawn to be judged twice, with the probability of each to be drawn.",
    "arrangements.jsonl": "How judging was arranged, step by step: rules, assignments, sessions, topics closed.",
    "judgments.jsonl": "Every judgment in the order it was made, changes of mind included.",
    "model-answers.jsonl": "What models answered that judge, failed answers too; arrangements.jsonl has their prompts.",
    "topics.jsonl": "The topics with all their texts.",
    "runs.csv": "The runs as they were submitted, for people and spreadsheets.",
    "runs.jsonl": "The same for programs, with the file of each run in here.",
    "runs/": "The runs themselves: in six columns, answers as they were sent.",
    "scores/board.csv": "The mean of every run on the default measures, in full precision.",
    "scores/board.tex": "The same as a LaTeX table (booktabs), with marks of significance.",
    "scores/topics.csv": "The score of every run on every judged topic.",
    "scores/round-": "The same of each round, as of its end: by all judgments up to it; `-residual` without what was "
    "judged before it; `-own` whole rankings by its own judgments only.",
    "scores/of-": "The same by the answers to a question.",
    "guidelines.md": "The guidelines that assessors read, and the scale of grades.",
    "settings.json": "The settings of the campaign, and the log row of this release.",
    "versions.json": "The programs that made this release.",
    "DATASHEET.md": "Questions and answers about how the data came to be.",
    "CITATION.cff": "How to cite it.",
    "SHA256SUMS": "The checksum of every file: `sha256sum -c SHA256SUMS`.",
}
"""What each file is, in the order in which the README names them."""


def readme_lines(
    facts: CampaignSummary,
    names: Mapping[str, object],
    judged: Iterable[tuple[str, str]],
    *,
    pseudonyms: bool,
    comments: bool,
) -> Iterator[str]:
    """The README's lines; `names` are the files of the bundle, by their paths, `judged` is how judging went."""
    written = f", written {facts.at}" if facts.at else ""
    yield f"# {plain(facts.settings.title)}\n\n"
    yield (
        f"Relevance judgments for {counted(facts.topics_in_force, 'topic')}: "
        f"{counted(facts.lines, 'judged pair')}, of which {facts.relevant:,} are relevant. "
        f"This release is as of row {facts.head.seq} of the campaign's log{written}, "
        f"whose hash is `{facts.head.hash.hex()}`. The same row always gives the same files.\n"
    )
    if facts.over_rounds:
        yield f"\nScores in `scores/board.csv` and `scores/topics.csv` are of all rounds. {facts.over_rounds}\n"
    yield "\n## What is in it\n\n"
    held = {name for name in FILES if name in names or any(file.startswith(name) for file in names)}
    yield from table(
        ("File", "What it is"),
        ((f"`{name}`", FILES[name]) for name in FILES if name in {*held, "SHA256SUMS"}),
    )
    yield "\n## Rules\n\n"
    yield from (f"- {plain(rule)}\n" for rule in rules(facts))
    yield f"- {_people(pseudonyms=pseudonyms, comments=comments)}\n"
    yield "\n## How it was judged\n\n"
    yield from (f"- {question} {answer}\n" for question, answer in judged)
    yield "\n## How to use it\n\n"
    yield "Any program that reads qrels takes `qrels.txt`. For example, with a run of your own:\n\n"
    yield "    workbench eval qrels.txt my.run\n\n"
    yield "The whole campaign, with the same numbers, in a file of its own:\n\n"
    yield "    workbench release import-bundle again THIS_ARCHIVE.zip\n    workbench score again\n"


def rules(facts: CampaignSummary) -> list[str]:
    """What a reader of the numbers must know, one sentence or two each."""
    settings = facts.settings
    return [
        f"A grade of {settings.relevant_from} or more is relevant.",
        rule_of_special_grades(facts),
        rule_of_conflicts(facts),
        *rules_of_sources(facts),
        "A pair without a line is unjudged, and counts as not relevant in most measures.",
        rule_of_missing_grades(facts),
        "Runs are ordered by score, largest first, and at equal scores by document id, descending by bytes; "
        "the rank column means nothing.",
        "Means are over the topics that have judgments; a topic that a run lacks scores 0.",
    ]


def rule_of_special_grades(facts: CampaignSummary) -> str:
    """A sentence on the special grades."""
    named = [grade for grade in facts.settings.grades if grade.grade < 0]
    if not facts.special and not named:
        return "There are no special (negative) grades."
    listed = ", ".join(f"{grade.grade} {grade.name}" for grade in named)
    words = f" ({listed})" if named else ""
    meant = f"Special grades{words} are below 0 and say something other than relevance"
    if not facts.special:
        return f"{meant}; no pair has one."
    are = "is" if facts.special == 1 else "are"
    return (
        f"{meant}: {counted(facts.special, 'pair')} with one {are} left out of the qrels and {are} in a file with "
        "special grades. In the scores such a pair counts as judged and not relevant."
    )


def rule_of_missing_grades(facts: CampaignSummary) -> str:
    """How many pooled pairs have no grade, and how many of these were judged."""
    missing = f"{counted(sum(facts.waiting.values()), 'pooled pair')} of {sum(facts.pooled.values()):,} have no grade"
    if not facts.without_grade:
        return f"{missing}."
    return f"{missing}; {facts.without_grade:,} of these were judged without a grade."


def rule_of_conflicts(facts: CampaignSummary) -> str:
    """A sentence on pairs with several judgments."""
    few = f"; {counted(facts.not_modelled, 'pair')} had fewer than three grades" if facts.not_modelled else ""
    says = f"Where several assessors judged a pair, {LABEL_RULES[facts.settings.label_rule].says}{few}"
    if not facts.conflicts:
        return f"{says}; on no pair do their grades differ."
    return f"{says}; on {counted(facts.conflicts, 'pair')} their grades differ."


def rules_of_sources(facts: CampaignSummary) -> list[str]:
    """Whose labels count before whose, where there are labels that were not given here."""
    settings, found = facts.settings, facts.sources
    sentences = []
    if found.imports:
        sentences.append(
            f"{IMPORTED_LABELS[settings.imported_labels]}: {counted(found.imports, 'pair')} with an imported label"
        )
    if found.models:
        alone = f"{counted(found.models, 'pair')} with a model's label, {found.only_models:,} of them with no other"
        sentences.append(f"{MODEL_LABELS[settings.model_labels]}: {alone}")
    return list(map(as_sentence, sentences))


def _people(*, pseudonyms: bool, comments: bool) -> str:
    who = (
        "Assessors are called assessor-1, assessor-2 and so on, in the order of their first judgments."
        if pseudonyms
        else "Assessors are named."
    )
    said = "Their comments are included." if comments else "Their comments are left out."
    return f"{who} {said} Hashes of single rows, the time of day and the words of rationales are left out."


def guideline_lines(facts: CampaignSummary) -> Iterator[str]:
    """The scale of grades, and the guidelines as they were written."""
    yield "# Guidelines\n\n"
    grades = ((str(each.grade), plain(each.name), plain(each.guideline)) for each in facts.settings.grades)
    yield from table(("Grade", "Name", "Guideline"), grades)
    yield f"\nRelevant from grade {facts.settings.relevant_from}. {versions_of(facts)}\n"
    if facts.settings.guidelines:
        yield f"\n{facts.settings.guidelines.rstrip()}\n"
    else:
        yield "\nNo further guidelines were written into the campaign.\n"


def versions_of(facts: CampaignSummary) -> str:
    """How many versions of guidelines and scale there were, in a sentence."""
    texts = counted(facts.guideline_texts, "version") if facts.guideline_texts else "no version"
    scales = "; ".join(
        f"from log row {version} ({at[:10]}) {', '.join(f'{grade} {name}' for grade, name, _ in then.grades)}"
        for version, at, then in facts.scales
    )
    named = f"They were {plain(scales)}" if len(facts.scales) > 1 else "Names of grades are those of now"
    return (
        f"The guidelines had {texts} and the scale of grades {counted(max(len(facts.scales), 1), 'version')}; an "
        f"assessor’s row of `judgments.jsonl` names the log row of the version on the screen. {named}."
    )


NOT_PRINTABLE = re.compile("[\x7f-\x84\x86-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""What YAML does not allow as it is, and JSON's writer leaves (yaml.org/spec/1.2.2, section 5.1)."""


def citation_lines(facts: CampaignSummary) -> Iterator[str]:
    """The lines of CITATION.cff; the organisers put their names in the place of the one author."""
    title = facts.settings.title
    fields: dict[str, object] = {
        "cff-version": "1.2.0",
        "message": "If you use this test collection, please cite it as below.",
        "type": "dataset",
        "title": f"{title}: relevance judgments",
        "abstract": _abstract(facts),
        "version": f"log row {facts.head.seq}",
        "keywords": ["information retrieval", "test collection", "relevance judgments"],
    }
    yield "# Before you publish: write the authors, the licence, and the address or DOI of the release.\n"
    for name, value in fields.items():
        yield f"{name}: {scalar(value)}\n"
    if facts.at:
        yield f"date-released: {scalar(facts.at[:10])}\n"
    yield "authors:\n"
    yield f"  - name: {scalar(f'The organisers of {title}')}\n"


def scalar(value: object) -> str:
    """A value as YAML reads it: JSON in double quotes, which is YAML too, on one line."""
    text = json.dumps(value, ensure_ascii=False)
    return NOT_PRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _abstract(facts: CampaignSummary) -> str:
    return (
        f"{facts.lines:,} judged pairs of topic and document for {facts.judged_topics:,} topics, "
        f"with a table of {len(facts.runs):,} runs."
    )
