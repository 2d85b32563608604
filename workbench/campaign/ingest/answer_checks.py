"""Files of answers as runs: recognised, read and checked; the ranking of a topic is what its answer cites."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import InputError
from workbench.core.findings import Findings
from workbench.formats.answers.forms import FORMS, SENTENCES
from workbench.formats.answers.reading import Answer, AnswersFile, read_answers
from workbench.formats.run_repairs import Repairs
from workbench.formats.runs import ExaminedRun, RunFile, examine_run
from workbench.formats.tables.json_text import json_line
from workbench.formats.text.files import STANDARD_STREAM, open_input
from workbench.formats.text.lines import identifier_problem
from workbench.formats.text.parse_mode import ParseMode
from workbench.formats.text.sources import load_with_source
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, sent_answers
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.organising.settings import NO_FORM

if TYPE_CHECKING:
    import polars as pl

SEEN = 256 * 1024
"""Bytes in which the first record of a file of answers begins its sentences."""

ANSWERS = re.compile(rb'\s*\[?\s*\{.*"(%s)"\s*:\s*\[' % "|".join(SENTENCES).encode(), re.DOTALL)


def holds_answers(path: str | Path) -> bool:
    """Whether a file is one of answers, by how it begins; standard input never is."""
    if str(path) == STANDARD_STREAM:
        return False
    try:
        with open_input(path) as stream:
            return ANSWERS.match(stream.read(SEEN)) is not None
    except InputError:
        return False


def examine_sent(
    form: str | None, taken: str, path: str | Path, mode: ParseMode, repairs: Repairs
) -> ExaminedRun:
    """A file of a run, of documents or of answers; `form` as in `RunOptions`, `taken` is one of ANSWER_FORMS."""
    if form is None and not holds_answers(path):
        return examine_run(path, mode, repairs)
    found = examine_answers(path, form or (taken if taken in FORMS else ""))
    if taken == NO_FORM:
        message = "the campaign takes no runs of answers; an organiser can change that"
        found.findings.add(None, "not-taken", message)
    return found


def examine_answers(path: str | Path, form: str = "") -> ExaminedRun:
    """A file of answers as a run, with all that is wrong; without a form, one of FORMS, the fields tell it."""
    try:
        content, source = load_with_source(path)
        read = read_answers(content, form or None)
    except InputError as error:
        return ExaminedRun(str(path), Findings(str(path), error.problems))
    problems = [
        (answer.line, problem)
        for answer in read.answers
        for document_id in answer.cited
        if (problem := identifier_problem("document", document_id))
    ]
    for line, problem in problems:
        read.findings.add(line, "identifier", problem)
    named = [("run", read.run), ("team", read.team), *(("topic", each.topic_id) for each in read.answers)]
    # Such words are no text for anything else.
    if problems or any(identifier_problem(*each) for each in named):
        return ExaminedRun(read.file, read.findings, source)
    run = RunFile(read.file, read.run, source, _citations(read.answers), answers=read)
    return ExaminedRun(read.file, read.findings, source, run)


def _citations(answers: Iterable[Answer]) -> pl.DataFrame:
    """The cited documents as the rows of a run, scores falling; of two answers to a topic those of the first lead."""
    import polars as pl

    cited = dict[str, dict[str, None]]()
    for answer in answers:
        cited.setdefault(answer.topic_id, {}).update(dict.fromkeys(answer.cited))
    rows = [
        (topic_id, document_id, float(len(documents) - place))
        for topic_id, documents in cited.items()
        for place, document_id in enumerate(documents)
    ]
    schema = {"topic_id": pl.String, "document_id": pl.String, "score": pl.Float64}
    return pl.DataFrame(rows, schema, orient="row")


def sentences_in(read: AnswersFile) -> int:
    """How many sentences a run of answers has."""
    return sum(len(answer.sentences) for answer in read.answers)


def words_of_run(campaign: Campaign, run: StoredRun) -> str:
    """The same of a stored run; "" for one of documents."""
    form, sent = run.record.form, runs.answers_of(campaign, run)
    return words_sha256(sent_answers.read(campaign, each, form) for each in sent) if form else ""


def words_sha256(answers: Iterable[Answer]) -> str:
    """The checksum of what answers say, whatever else their records have, such as the name of the run."""
    digest = sha256()
    for answer in answers:
        said = [answer.topic_id, *(sentence.text for sentence in answer.sentences)]
        digest.update(json_line(said).encode(errors="surrogatepass"))
    return digest.hexdigest()
