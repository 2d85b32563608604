"""Scores of judged support: the citations of runs of answers, with bounds where pairs are not judged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.wording import counted
from workbench.formats.answers.forms import words
from workbench.formats.answers.reading import read_answers
from workbench.formats.answers.support import CONTRADICTS, PARTIAL, SUPPORTS, JudgedCitation, read_support
from workbench.formats.text.content import name_of
from workbench.formats.text.lines import shown
from workbench.methods.answers.support import (
    CONTRADICTING,
    MOST_CITATIONS,
    OF_CONTRADICTING,
    SUPPORT_MEASURES,
    CitedSentence,
    packed,
)
from workbench.scoring.answers.scored import (
    Files,
    Run,
    ScoredAnswers,
    ScoredRun,
    Source,
    by_run,
    missing_topics,
)

WORTH = {SUPPORTS: 1.0, PARTIAL: 0.5}
"""What a value is worth; 0 where it is not named."""

DASHES = str.maketrans("–—", "--")
Pair = tuple[str, str, str]
"""A topic, a sentence without what files write differently, a document."""

NO_TOPIC = "it answers no topic of the judgments; name the judgments of this run's topics"
PAIRS_ALONE = (
    "these are judged pairs alone: sentences without one do not count; name the run of answers as well"
)


class _Answer(NamedTuple):
    """The citations of an answer that count."""

    run: str
    topic_id: str
    citations: list[JudgedCitation]
    line: None = None


def score_support(files: Files, complete: bool, most: int = MOST_CITATIONS) -> ScoredAnswers:
    """Score judged support by all measures; the first `most` citations of a sentence count, 0: all.

    Runs of answers named beside say which sentences and citations there are; a judged pair holds for each of these that
    has it. Raises InputError where a file is wrong, a run is there twice or answers no judged topic, or a pair that is
    looked up has two values.
    """
    judged = {path: read_support(path) for path in files["support"]}
    topics, values = set[str](), dict[Pair, set[str]]()
    for each in (each for read in judged.values() for each in read.citations):
        topics.add(each.topic_id)
        if each.value is not None:
            values.setdefault(_pair(each), set()).add(each.value)
    beside = {path: tuple(_looked_up(path, topics, values)) for path in files.get("answers", ())}
    if strange := [Problem(name_of(path), None, NO_TOPIC) for path, rows in beside.items() if not rows]:
        raise InputError(strange)
    whole = {path: read.citations for path, read in judged.items() if read.whole or not beside} | beside
    runs = {
        tag: run._replace(missing=sorted(topics - {answer.topic_id for answer in run.answers}))
        for tag, run in by_run([*whole], lambda path: _answers(whole[path], most)).items()
    }
    rows = [each for run in runs.values() for answer in run.answers for each in answer.citations]
    sides = {"": (False, tuple(SUPPORT_MEASURES))}
    if any(each.contradicting for each in rows):
        sides[CONTRADICTING] = True, OF_CONTRADICTING
    bounds = (False, True) if any(each.value is None and each.document_id for each in rows) else (False,)
    scored = tuple(_scored(tag, run, complete, sides, bounds, most) for tag, run in runs.items())
    pairs = (path for path in whole if path in judged and not judged[path].whole)
    alone = (Problem(name_of(path), None, PAIRS_ALONE) for path in pairs)
    return ScoredAnswers(scored, (*alone, *missing_topics(runs, complete), *_warnings(runs)))


def _looked_up(path: Source, topics: set[str], values: Mapping[Pair, set[str]]) -> Iterator[JudgedCitation]:
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


def _answers(citations: Iterable[JudgedCitation], most: int) -> Iterable[_Answer]:
    answers, seen = dict[tuple[str, str], _Answer](), Counter[tuple[object, ...]]()
    for each in citations:
        sentence = (*each[:3], each.contradicting)
        seen[sentence] += 1
        answer = answers.setdefault(each[:2], _Answer(each.run, each.topic_id, []))
        if not most or seen[sentence] <= most:
            answer.citations.append(each)
    return answers.values()


def _warnings(runs: Mapping[str, Run]) -> Iterator[Problem]:
    for tag, run in runs.items():
        cited = [each for answer in run.answers for each in answer.citations if each.document_id]
        if unjudged := sum(each.value is None for each in cited):
            of = f"{unjudged:,} of {counted(len(cited), 'citation')} of run {tag}"
            yield Problem(run.file, None, f"{of} are not judged; see bound=upper")


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
    run: Run,
    complete: bool,
    sides: Mapping[str, tuple[bool, Sequence[str]]],
    bounds: Sequence[bool],
    most: int,
) -> ScoredRun:
    """The scores of a run, micro over all its sentences; with `complete` topics that it lacks count 0 in the means."""
    values: dict[str, Sequence[float]] = {"most_citations": [most] * len(run.answers)}
    means, micro = {"most_citations": float(most)}, dict[str, float]()
    missing = [0.0] * len(run.missing) if complete else []
    for side, (contradicting, names) in sides.items():
        for upper in bounds:
            answers = [_sentences(answer.citations, contradicting, upper) for answer in run.answers]
            each, together = packed(answers), packed([[one for answer in answers for one in answer]])
            for measure in (SUPPORT_MEASURES[name] for name in names):
                if not upper or measure.judged:
                    name, bound = f"{side}{measure.name}", "(bound=upper)" * upper
                    values[f"{name}{bound}"] = measure.of(each).tolist()
                    means[f"{name}{bound}"] = fmean([*values[f"{name}{bound}"], *missing])
                    micro[f"{name}_micro{bound}"] = measure.of(together).item()
    return ScoredRun(tag, tuple(answer.topic_id for answer in run.answers), values, means | micro)
