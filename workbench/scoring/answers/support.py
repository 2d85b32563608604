"""Scores of judged support: the citations of runs of answers, with bounds where pairs are not judged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.wording import counted, listed
from workbench.formats.answers.forms import words
from workbench.formats.answers.reading import read_answers
from workbench.formats.answers.support import CONTRADICTS, PARTIAL, SUPPORTS, JudgedCitation, read_support
from workbench.formats.text.content import Content, name_of
from workbench.formats.text.lines import shown
from workbench.methods.answers.support import SUPPORT_MEASURES, CitedSentence
from workbench.scoring.answers.scored import Files, ScoredAnswers, ScoredRun

WORTH = {SUPPORTS: 1.0, PARTIAL: 0.5}
"""What a value is worth; 0 where it is not named."""

MOST_CITATIONS = 3
"""So many citations of a sentence are judged by TREC RAG and BioGen."""

OF_CONTRADICTING = ("strict_sentence_precision", "strict_recall")
"""The measures of documents that are cited as contradicting a sentence, by BioGen's task A."""

DASHES = str.maketrans("–—", "--")
Pair = tuple[str, str, str]
"""A topic, a sentence without what files write differently, a document."""

PAIRS_ALONE = (
    "these are judged pairs alone: sentences without one do not count; name the run of answers as well"
)


class _Run(NamedTuple):
    """The citations of a run by topic, and the file that they are in."""

    file: str
    answers: dict[str, list[JudgedCitation]]


def score_support(files: Files, complete: bool, most: int = MOST_CITATIONS) -> ScoredAnswers:
    """Score judged support by all measures; the first `most` citations of a sentence count, 0: all.

    Runs of answers named beside say which sentences and citations there are; a judged pair holds for each of these that
    has it. Raises InputError where a file is wrong, a run is there twice, or a pair that is looked up has two values.
    """
    judged = [(name_of(path), read_support(path)) for path in files["support"]]
    topics, values = set[str](), dict[Pair, set[str]]()
    for each in (each for _, read in judged for each in read.citations):
        topics.add(each.topic_id)
        if each.value is not None:
            values.setdefault(_pair(each), set()).add(each.value)
    beside = [(name_of(path), _looked_up(path, topics, values)) for path in files.get("answers", ())]
    whole = [(file, read.citations) for file, read in judged if read.whole or not beside]
    runs = _runs_of([*whole, *beside], most)
    warnings = [Problem(file, None, PAIRS_ALONE) for file, read in judged if not read.whole and not beside]
    warnings += (warning for tag, run in runs.items() for warning in _warnings(tag, run, topics, complete))
    rows = [each for run in runs.values() for answer in run.answers.values() for each in answer]
    sides = {"": (False, tuple(SUPPORT_MEASURES))}
    if any(each.contradicting for each in rows):
        sides["contradicting_"] = True, OF_CONTRADICTING
    bounds = (False, True) if any(each.value is None and each.document_id for each in rows) else (False,)
    at_least = len(topics) if complete else 0
    scored = (_scored(tag, run.answers, at_least, sides, bounds, most) for tag, run in runs.items())
    return ScoredAnswers(tuple(scored), tuple(warnings))


def _looked_up(
    path: str | Path | Content, topics: set[str], values: Mapping[Pair, set[str]]
) -> Iterator[JudgedCitation]:
    """The citations of a run of answers to these topics, with the values of their pairs."""
    read = read_answers(path, any_fitting=True)
    for answer in (each for each in read.answers if each.topic_id in topics):
        for place, (text, citations) in enumerate(answer.sentences):
            row = JudgedCitation(read.run, answer.topic_id, place, text, "", None)
            for document, _, against in citations or [("", None, False)]:
                cited = row._replace(document_id=document, contradicting=against)
                known = sorted(values.get(_pair(cited), ()))
                if len(known) > 1:
                    message = f"{shown(text)} with {document} is judged {' and '.join(known)}; keep one"
                    raise InputError([Problem(read.file, answer.line, message)])
                yield cited._replace(value=known[0] if known else None)


def _pair(citation: JudgedCitation) -> Pair:
    # BioGen's files differ in blanks, dashes and rows of dots.
    text = re.sub(r"\.{2,}", "...", "".join(citation.sentence.split()).translate(DASHES))
    return citation.topic_id, text, citation.document_id


def _runs_of(read: Sequence[tuple[str, Iterable[JudgedCitation]]], most: int) -> dict[str, _Run]:
    """The runs with the citations that count."""
    runs = dict[str, _Run]()
    for file, citations in read:
        seen, name = Counter[tuple[object, ...]](), Path(file).name
        for each in citations:
            tag, sentence = each.run or name, (*each[:3], each.contradicting)
            run = runs.setdefault(tag, _Run(file, {}))
            if run.file != file:
                message = f"run {tag} was read from {run.file}; name one file with all its answers, once"
                raise InputError([Problem(file, None, message)])
            seen[sentence] += 1
            if not most or seen[sentence] <= most:
                run.answers.setdefault(each.topic_id, []).append(each)
    return runs


def _warnings(tag: str, run: _Run, topics: set[str], complete: bool) -> Iterator[Problem]:
    if missing := sorted(topics - {*run.answers}):
        counts = "0 for each" if complete else f"the mean is over {counted(len(run.answers), 'topic')}"
        yield Problem(
            run.file, None, f"run {tag} has no answer to {listed(missing)}: {counts} (see --complete)"
        )
    cited = [each for rows in run.answers.values() for each in rows if each.document_id]
    if unjudged := sum(each.value is None for each in cited):
        message = (
            f"{unjudged:,} of {counted(len(cited), 'citation')} of run {tag} are not judged; see bound=upper"
        )
        yield Problem(run.file, None, message)


def _sentences(rows: Sequence[JudgedCitation], contradicting: bool, upper: bool) -> list[CitedSentence]:
    """The sentences of an answer; with `upper` what is not judged has the best value."""
    cited = dict[int | str, tuple[str, list[str | None]]]()
    for each in rows:
        found = cited.setdefault(each.place, (each.sentence, []))[1]
        if each.document_id and each.contradicting == contradicting:
            found.append(each.value)
    worth = {CONTRADICTS: 1.0} if contradicting else WORTH
    return [
        CitedSentence(
            words([text]),
            tuple(float(upper) if value is None else worth.get(value, 0.0) for value in found),
            tuple(upper if value is None else value == CONTRADICTS for value in found),
        )
        for text, found in cited.values()
    ]


def _scored(
    tag: str,
    answers: Mapping[str, Sequence[JudgedCitation]],
    topics: int,
    sides: Mapping[str, tuple[bool, Sequence[str]]],
    bounds: Sequence[bool],
    most: int,
) -> ScoredRun:
    """The scores of a run; the means are over at least this many topics, micro over all its sentences."""
    values: dict[str, Sequence[float]] = {"most_citations": [most] * len(answers)}
    means, micro = {"most_citations": float(most)}, dict[str, float]()
    for side, (contradicting, names) in sides.items():
        for upper in bounds:
            sentences = [_sentences(rows, contradicting, upper) for rows in answers.values()]
            for measure in (SUPPORT_MEASURES[name] for name in names):
                if not upper or measure.judged:
                    key = f"{side}{measure.name}{'(bound=upper)' * upper}"
                    values[key] = [measure.of(each) for each in sentences]
                    means[key] = fmean([*values[key], *[0.0] * (topics - len(answers))] or [0.0])
                    name = f"{side}{measure.name}({'bound=upper,' * upper}mean=micro)"
                    micro[name] = measure.of([each for answer in sentences for each in answer])
    return ScoredRun(tag, tuple(answers), values, means | micro)
