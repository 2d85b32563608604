"""What a check of a file finds, counted by kind: how many there are, and the first places of each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from workbench.core.errors import SHOWN_PROBLEMS, InputError, Problem

FIRST_PLACES = SHOWN_PROBLEMS
"""This many findings of each kind are kept with their messages; of all others the lines are known."""


class Kind(NamedTuple):
    """A kind of finding: whether a file that has it is refused, what it is called, and how to mend it."""

    refuses: bool
    one: str
    many: str
    way_out: str
    repair: str = ""


REPAIRED = "repaired"
NO_RUN = "not-a-run"
TOLERATED = "tolerated"

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "unreadable": Kind(
            True,
            "file that cannot be read",
            "files that cannot be read",
            "Send the file again, plain or compressed with gzip, xz, bzip2 or zstandard.",
        ),
        NO_RUN: Kind(
            True,
            "file of another format",
            "files of another format",
            "A run has six columns, separated by blanks or tabs: topic Q0 document rank score tag.",
        ),
        "not-taken": Kind(
            True,
            "submission that is not taken",
            "submissions that are not taken",
            "The rules of the campaign decide, and its organisers can change them.",
        ),
        "identifier": Kind(
            True,
            "id that cannot be taken",
            "ids that cannot be taken",
            "An id and a tag are one word of at most 500 characters.",
        ),
        "comments": Kind(
            True,
            "run with too long comments",
            "runs with too long comments",
            "The comment lines of a run have at most 1,000,000 characters together.",
        ),
        "columns": Kind(
            True,
            "line with too few columns",
            "lines with too few columns",
            "Complete these lines, or leave them out. A run has six columns: topic Q0 document rank score tag.",
            "--bad-lines drop",
        ),
        "encoding": Kind(
            True,
            "line in another encoding",
            "lines in another encoding",
            "Write the file in UTF-8, with line feeds at the ends of lines and at most one byte order mark.",
            "--bad-lines drop",
        ),
        "score": Kind(
            True,
            "score that is not a number",
            "scores that are not numbers",
            "Write a number such as 12.5 or 1e-5, and leave out lines of column names.",
            "--bad-lines drop",
        ),
        "unknown-topic": Kind(
            True,
            "unknown topic",
            "unknown topics",
            "Write topic ids as in the file of topics, and leave other topics out.",
        ),
        "unknown-document": Kind(
            True,
            "unknown document",
            "unknown documents",
            "Write document ids as in the collection, and leave other documents out.",
        ),
        "judged-before-refused": Kind(
            True,
            "list of documents judged before",
            "lists of documents judged before",
            "A run of this round has no document that was judged for its topic in an earlier one.",
        ),
        "name": Kind(
            True,
            "name that cannot be given",
            "names that cannot be given",
            "A tag is one word; a tag and the name of a team have at most 200 characters that can be printed.",
        ),
        "name-taken": Kind(
            True, "name that another run has", "names that other runs have", "Give each run a tag of its own."
        ),
        "description": Kind(
            True,
            "description that is not complete",
            "descriptions that are not complete",
            "Fill in what the organisers ask for.",
        ),
        "tag": Kind(
            True,
            "other tag",
            "other tags",
            "Write the same tag on every line; several runs are several files.",
            "--tags first",
        ),
        "duplicate": Kind(
            True,
            "document listed twice",
            "documents listed twice",
            "List each document once for each topic.",
            "--duplicates first, --duplicates best-score",
        ),
        "fields": Kind(
            True,
            "wrong field",
            "wrong fields",
            "Each answer has the fields of its form, and one run is one file.",
        ),
        "topic-twice": Kind(
            True, "topic answered twice", "topics answered twice", "A run has one answer to each topic."
        ),
        "empty-answer": Kind(
            True,
            "answer without a sentence",
            "answers without a sentence",
            "Leave the topic out, or answer it.",
        ),
        "empty-sentence": Kind(
            True, "sentence without text", "sentences without text", "Leave the sentence out."
        ),
        "citations": Kind(
            True,
            "wrong citation",
            "wrong citations",
            "Citations are written as the form has them, from 0 on.",
        ),
        "cited-before": Kind(
            True,
            "citation that the task has given",
            "citations that the task has given",
            "Cite other documents than those in existing_supported_citations.",
        ),
        "most-citations": Kind(
            True,
            "sentence with too many citations",
            "sentences with too many citations",
            "Cite the most important documents of a sentence alone.",
        ),
        "document": Kind(
            True,
            "document of another collection",
            "documents of another collection",
            "Cite by the collection's ids.",
        ),
        "references": Kind(
            True,
            "wrong list of references",
            "wrong lists of references",
            "What is cited is listed in references.",
        ),
        "reference-twice": Kind(
            True, "reference listed twice", "references listed twice", "List each document once."
        ),
        "uncited": Kind(
            True,
            "list of uncited references",
            "lists of uncited references",
            "List what is cited, and nothing else.",
        ),
        "length": Kind(
            True, "answer that is too long", "answers that are too long", "Shorten these answers."
        ),
        TOLERATED: Kind(
            False,
            "departure from the form",
            "departures from the form",
            "The task takes such a run, and may cut it.",
        ),
        REPAIRED: Kind(False, "repair", "repairs", "The repairs were chosen by the organiser."),
        "form": Kind(
            False,
            "file of another form",
            "files of another form",
            "Check whether the right columns were read.",
        ),
        "rank-order": Kind(
            False,
            "rank column against the scores",
            "rank columns against the scores",
            "Documents are ordered by their scores. If the ranks are meant, write scores that fall with them.",
        ),
        "ties": Kind(
            False,
            "rank column against the order of ties",
            "rank columns against the order of ties",
            "Equal scores are ordered by document ids. If the ranks are meant, write scores that fall with them.",
        ),
        "rank": Kind(
            False,
            "rank column with other numbers",
            "rank columns with other numbers",
            "Nothing has to be done: ranks are not used.",
        ),
        "extra-columns": Kind(
            False,
            "line with columns after the tag",
            "lines with columns after the tag",
            "Write a tag of one word, and nothing after it.",
        ),
        "comment": Kind(
            False,
            "comment that may be a line of the run",
            "comments that may be lines of the run",
            "A line that begins with '#' is a comment.",
        ),
        "missing-topics": Kind(
            False,
            "list of topics without documents",
            "lists of topics without documents",
            "A topic without documents scores 0.",
        ),
        "topic-of-no-other": Kind(
            False,
            "list of topics in no other run",
            "lists of topics in no other run",
            "Check whether topic ids are written as in the file of topics.",
        ),
        "document-without-text": Kind(
            False,
            "list of documents without text",
            "lists of documents without text",
            "Check whether document ids are written as in the collection.",
        ),
        "judged-before": Kind(
            False,
            "list of documents judged before",
            "lists of documents judged before",
            "Residual scores and pools of the round leave them out; their grades are known.",
        ),
        "same-rankings": Kind(
            False, "copy of another run", "copies of other runs", "Check whether one file was sent twice."
        ),
    }
)
"""Every kind of finding in a run, of answers too, the most decisive first: what makes all else meaningless is first."""

_ORDER = {name: place for place, name in enumerate(KINDS)}


class Wrong(NamedTuple):
    """What is wrong with a line: the kind, one of KINDS, and the message."""

    kind: str
    message: str


class Findings:
    """The findings in one file: all of them counted, of each kind the first FIRST_PLACES kept."""

    def __init__(self, file: str, problems: Iterable[Problem] = ()) -> None:
        self.file = file
        self.lines: dict[str, array[int]] = {}
        self._kept: list[Problem] = []
        for problem in problems:
            self.add(problem.line, problem.kind or "unreadable", problem.message)

    def add(self, line: int | None, kind: str, message: str) -> None:
        """Count a finding, and keep it if it is among the first of its kind."""
        places = self.lines.setdefault(kind, array("q"))
        places.append(line or 0)
        if len(places) <= FIRST_PLACES:
            self._kept.append(Problem(self.file, line, message, kind))

    def drop(self, kind: str) -> int:
        """Forget the findings of a kind; how many there were."""
        self._kept = [problem for problem in self._kept if problem.kind != kind]
        return len(self.lines.pop(kind, ()))

    def copy(self, file: str) -> Findings:
        """The same findings, under this name of the file; more can be added to them."""
        found = Findings(file)
        found.lines = {kind: array("q", lines) for kind, lines in self.lines.items()}
        found._kept = [problem._replace(file=file) for problem in self._kept]
        return found

    @property
    def counts(self) -> dict[str, int]:
        """How many findings there are of each kind, the most decisive kind first."""
        return {kind: len(self.lines[kind]) for kind in sorted(self.lines, key=_ORDER.__getitem__)}

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Those that are kept, in the order in which they were found: by their lines."""
        return tuple(self._kept)

    @property
    def decisive_first(self) -> tuple[Problem, ...]:
        """Those that are kept, the most decisive kind first."""
        return tuple(sorted(self._kept, key=lambda problem: _ORDER[problem.kind]))

    @property
    def more(self) -> int:
        """How many there are beyond those that are kept."""
        return sum(map(len, self.lines.values())) - len(self._kept)

    @property
    def refuses(self) -> bool:
        """Whether one of them prevents the file from being taken."""
        return any(KINDS[kind].refuses for kind in self.lines)

    def error(self) -> InputError:
        """The error for a file that is refused because of them."""
        refusing = [problem for problem in self._kept if KINDS[problem.kind].refuses]
        count = sum(len(lines) for kind, lines in self.lines.items() if KINDS[kind].refuses)
        return InputError(refusing, more=count - len(refusing))
