"""The table of the form of run files, which says of each file whose it is."""

from __future__ import annotations

from collections.abc import Sequence

from flask import request

from workbench.campaign.ingest.senders import Sender
from workbench.campaign.submissions.file_tables import senders_of_table
from workbench.campaign.uploads import Report, Sent, UploadOptions
from workbench.core.errors import SHOWN_PROBLEMS, InputError, Problem
from workbench.core.wording import sized
from workbench.formats.text.addresses import clean_name
from workbench.formats.text.content import content_of

LARGEST = 1_000_000
"""Bytes of a table."""


def with_table(
    options: UploadOptions, kind: str, files: Sequence[Sent]
) -> tuple[UploadOptions, tuple[Problem, ...]]:
    """The options with what the table of this request says of the files, and all that is wrong with it.

    Without a table they are the same. The page sends one request for each file, with the names of all (`named`).
    """
    table = request.files.get("table")
    if kind != "runs" or table is None or not table.filename:
        return options, ()
    name, data = clean_name(table.filename), table.stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        message = f"the table is larger than {sized(LARGEST)}; send its files in several parts"
        return options, (Problem(name, None, message),)
    names = [clean_name(each) for each in request.form.getlist("named")] or [sent.name for sent in files]
    usual = Sender(options.team, options.contributes, replaces=options.replaces)
    try:
        return options._replace(senders=senders_of_table(content_of(name, data), names, usual)), ()
    except InputError as error:
        return options, error.problems


def refused_by_table(files: Sequence[Sent], wrong: Sequence[Problem]) -> list[Report]:
    """A report for each file, none of which is read because the table is wrong."""
    problems = tuple(
        Problem(sent.name, None, str(problem)) for sent in files[:1] for problem in wrong[:SHOWN_PROBLEMS]
    )
    return [
        Report(sent.name, False, "not added: the table has errors", problems, more=len(wrong) - len(problems))
        for sent in files
    ]
