"""The report on files of answers: which form each has, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from workbench.campaign.ingest.file_checks import FileCheck, report_on
from workbench.core.errors import InputError
from workbench.core.findings import Findings
from workbench.formats.answers.forms import FORMS, SENTENCES
from workbench.formats.answers.reading import read_answers
from workbench.formats.text.addresses import without_secrets
from workbench.formats.text.files import STANDARD_STREAM, open_input
from workbench.formats.text.sources import describe

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


def check_answers(path: str | Path, form: str | None = None, topics: Collection[str] = ()) -> FileCheck:
    """The report on one file; arguments as in `read_answers`."""
    file = without_secrets(path)
    try:
        read = read_answers(path, form, topics=topics)
    except InputError as error:
        return report_on(Findings(file, (problem._replace(kind="unreadable") for problem in error.problems)))
    return report_on(read.findings)._replace(
        sha256=describe(path).sha256,
        run=read.run,
        form=FORMS[read.form].title,
        topics=len({answer.topic_id for answer in read.answers}),
        documents=sum(len(answer.sentences) for answer in read.answers),
    )
