"""Judgments of people from other tools: their topics, documents and grades found in the campaign, the people coded."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from workbench.campaign.ingest import naming
from workbench.campaign.ingest.topics import takes_topics
from workbench.core.errors import NOTE, InputError, Problem
from workbench.core.records import LONGEST_COMMENT
from workbench.core.wording import counted, listed
from workbench.formats.judged_records import JudgedPair, JudgedRecords
from workbench.formats.qrels import QrelsFile
from workbench.formats.text.column_names import spelled_together
from workbench.formats.text.guesses import is_number
from workbench.formats.text.lines import identifier_problem, shown
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.organising import settings

if TYPE_CHECKING:
    import polars as pl


def qrels_of_people(
    campaign: Campaign, files: Sequence[QrelsFile | JudgedRecords], assessor: str, *, names: bool
) -> list[QrelsFile]:
    """The files as qrels of one assessor each, with comments; files of qrels stay as they are.

    People are called by the assessor's name and a number, in the order in which the files have them, or with `names`
    as in the files. Raises InputError with all topics, documents and grades that are not the campaign's.
    """
    judged = [file for file in files if isinstance(file, JudgedRecords)]
    people = dict.fromkeys(pair.person for file in judged for pair in file.pairs if pair.person)
    called = {each: each if names else f"{assessor}-{place}" for place, each in enumerate(people, start=1)}
    known = _Known(campaign, {pair.document_id for file in judged for pair in file.pairs})
    wrong = (
        (file, pair.line, words) for file in judged for pair in file.pairs for words in known.wrong(pair)
    )
    if problems := [Problem(file.source.path, line, words) for file, line, words in wrong]:
        raise InputError(problems)
    found = [file for file in files if isinstance(file, QrelsFile)]
    for file in judged:
        warnings = tuple(
            Problem(file.source.path, None, note, NOTE) for note in _notes(file, called, names=names)
        )
        for person, frame in _by_person(file, known, {"": assessor, **called}):
            found.append(QrelsFile(file.source.path, file.source, frame, warnings, assessor=person))
            warnings = ()  # once are enough
    return found


def _notes(file: JudgedRecords, called: Mapping[str, str], *, names: bool) -> Iterator[str]:
    if called and not names:
        codes = listed(list(called.values()))
        yield f"its people are called {codes}, in the order of the file; --names keeps their names"
    if file.left_out:
        yield f"left out: {', '.join(counted(number, what) for what, number in file.left_out.items())}"


def _by_person(
    file: JudgedRecords, known: _Known, called: Mapping[str, str]
) -> Iterator[tuple[str, pl.DataFrame]]:
    import polars as pl

    rows = dict[str, list[tuple[str, str, int, str]]]()
    for pair in file.pairs:
        row = (known.topic(pair.topic), pair.document_id, known.grades[_spelled(pair.value)], pair.comment)
        rows.setdefault(called[pair.person], []).append(row)
    schema = {"topic_id": pl.String, "document_id": pl.String, "grade": pl.Int64, "comment": pl.String}
    return ((person, pl.DataFrame(of_person, schema, orient="row")) for person, of_person in rows.items())


class _Known:
    """What a campaign knows: topics by id and by title, documents, and grades by number and name."""

    def __init__(self, campaign: Campaign, document_ids: Collection[str]) -> None:
        import polars as pl

        titles, scale = topics.titles(campaign), settings.read(campaign).grades
        self._takes_topics, self._ids, self._titles = (
            takes_topics(campaign),
            set(titles),
            dict[str, list[str]](),
        )
        for topic_id, title in titles.items():
            self._titles.setdefault(" ".join(title.split()), []).append(topic_id)
        sources = naming.known_documents(campaign) if document_ids else None
        asked = [pl.Series(list(document_ids), dtype=pl.String)]
        self._unknown = set() if sources is None else set(naming.unknown_values(asked, sources).to_list())
        self.grades = {_spelled(grade.name): grade.grade for grade in scale}
        self.grades |= {str(grade.grade): grade.grade for grade in scale}
        self._scale = ", ".join(f"{grade.grade} {grade.name}" for grade in scale)

    def topic(self, text: str) -> str:
        """The topic of this id, or the only one of this title; '' if there is none."""
        if text in self._ids or (self._takes_topics and identifier_problem("topic", text) is None):
            return text
        found = self._titles.get(" ".join(text.split()), [])
        return found[0] if len(found) == 1 else ""

    def wrong(self, pair: JudgedPair) -> Iterator[str]:
        """What of a judgment is not the campaign's."""
        if not self.topic(pair.topic):
            yield f"{shown(pair.topic)} is the id or title of no topic, or of several; add the topic, or write its id"
        if message := identifier_problem("document", pair.document_id):
            yield message
        elif pair.document_id in self._unknown:
            yield f"document {shown(pair.document_id)} is in none of the campaign's sources; add it, or correct the id"
        if _spelled(pair.value) not in self.grades:
            yield f"{shown(pair.value)} is not a grade of the campaign ({self._scale}), of {pair.called}"
        if len(pair.comment) > LONGEST_COMMENT:
            yield f"the comment is longer than {LONGEST_COMMENT:,} characters, of {pair.called}; shorten it"


def _spelled(text: str) -> str:
    """A grade or its name without what spelling adds: 2.0 is 2, Not relevant is notrelevant."""
    number = float(text) if is_number(text.encode()) else 0.5
    return f"{number:.0f}" if number.is_integer() else spelled_together(text)
