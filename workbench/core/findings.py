"""What a check of a file finds, counted by kind: how many there are, and the first places of each."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from workbench.core.errors import SHOWN_PROBLEMS, InputError, Problem

FIRST_PLACES = SHOWN_PROBLEMS
"""This many findings of each kind are kept with their messages; of all others the lines are known."""


ONE_OR_MANY = re.compile(r"\{([^|]*)\|([^}]*)\}")


class Kind(NamedTuple):
    """A kind of finding: what it is called, how to mend it, by which repairs, and whether it refuses a file.

    Several are called as one with an s at the first word, or as braces say: `cop{y|ies} of {another run|other runs}`.
    """

    called: str
    way_out: str
    repair: str = ""
    refuses: bool = True

    @property
    def one(self) -> str:
        """What one of them is called."""
        return ONE_OR_MANY.sub(r"\1", self.called)

    @property
    def many(self) -> str:
        """What several of them are called."""
        if "{" in self.called:
            return ONE_OR_MANY.sub(r"\2", self.called)
        return re.sub(r"(?<=\w)(?= |$)", "s", self.called, count=1)


REPAIRED = "repaired"
NO_RUN = "not-a-run"
TOLERATED = "tolerated"

_note = partial(Kind, refuses=False)

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "unreadable": Kind(
            "file that cannot be read",
            "Send the file again, plain or compressed with gzip, xz, bzip2 or zstandard.",
        ),
        NO_RUN: Kind(
            "file of another format",
            "A run has six columns, separated by blanks or tabs: topic Q0 document rank score tag.",
        ),
        "not-taken": Kind(
            "submission{|s} that {is|are} not taken",
            "The rules of the campaign decide, and its organisers can change them.",
        ),
        "identifier": Kind(
            "id that cannot be taken", "An id and a tag are one word of at most 500 characters."
        ),
        "comments": Kind(
            "run with too long comments",
            "The comment lines of a run have at most 1,000,000 characters together.",
        ),
        "columns": Kind(
            "line with too few columns",
            "Complete these lines, or leave them out. A run has six columns: topic Q0 document rank score tag.",
            "--bad-lines drop",
        ),
        "encoding": Kind(
            "line in another encoding",
            "Write the file in UTF-8, with line feeds at the ends of lines and at most one byte order mark.",
            "--bad-lines drop",
        ),
        "score": Kind(
            "score{|s} that {is not a number|are not numbers}",
            "Write a number such as 12.5 or 1e-5, and leave out lines of column names.",
            "--bad-lines drop",
        ),
        "unknown-topic": Kind(
            "unknown topic{|s}", "Write topic ids as in the file of topics, and leave other topics out."
        ),
        "unknown-document": Kind(
            "unknown document{|s}", "Write document ids as in the collection, and leave other documents out."
        ),
        "judged-before-refused": Kind(
            "list of documents judged before",
            "A run of this round has no document that was judged for its topic in an earlier one.",
        ),
        "name": Kind(
            "name that cannot be given",
            "A tag is one word; a tag and the name of a team have at most 200 characters that can be printed.",
        ),
        "name-taken": Kind(
            "name{|s} that {another run has|other runs have}", "Give each run a tag of its own."
        ),
        "description": Kind(
            "description{|s} that {is|are} not complete", "Fill in what the organisers ask for."
        ),
        "tag": Kind(
            "other tag{|s}",
            "Write the same tag on every line; several runs are several files.",
            "--tags first",
        ),
        "duplicate": Kind(
            "document listed twice",
            "List each document once for each topic.",
            "--duplicates first, --duplicates best-score",
        ),
        "fields": Kind("wrong field{|s}", "Each answer has the fields of its form, and one run is one file."),
        "topic-twice": Kind("topic answered twice", "A run has one answer to each topic."),
        "empty-answer": Kind("answer without a sentence", "Leave the topic out, or answer it."),
        "empty-sentence": Kind("sentence without text", "Leave the sentence out."),
        "citations": Kind("wrong citation{|s}", "Citations are written as the form has them, from 0 on."),
        "cited-before": Kind(
            "citation that the task has given",
            "Cite other documents than those in existing_supported_citations.",
        ),
        "most-citations": Kind(
            "sentence with too many citations", "Cite the most important documents of a sentence alone."
        ),
        "document": Kind("document of another collection", "Cite by the collection's ids."),
        "references": Kind("wrong list{|s} of references", "What is cited is listed in references."),
        "reference-twice": Kind("reference listed twice", "List each document once."),
        "uncited": Kind("list of uncited references", "List what is cited, and nothing else."),
        "length": Kind("answer{|s} that {is|are} too long", "Shorten these answers."),
        TOLERATED: _note("departure from the form", "The task takes such a run, and may cut it."),
        REPAIRED: _note("repair", "The repairs were chosen by the organiser."),
        "form": _note("file of another form", "Check whether the right columns were read."),
        "rank-order": _note(
            "rank column{|s} against the scores",
            "Documents are ordered by their scores. If the ranks are meant, write scores that fall with them.",
        ),
        "ties": _note(
            "rank column{|s} against the order of ties",
            "Equal scores are ordered by document ids. If the ranks are meant, write scores that fall with them.",
        ),
        "costs": _note(
            "cost that cannot be read", "Write a number from 0 with its unit, such as query time: 12 ms."
        ),
        "rank": _note("rank column{|s} with other numbers", "Nothing has to be done: ranks are not used."),
        "extra-columns": _note(
            "line with columns after the tag", "Write a tag of one word, and nothing after it."
        ),
        "comment": _note(
            "comment{|s} that may be {a line|lines} of the run", "A line that begins with '#' is a comment."
        ),
        "missing-topics": _note("list of topics without documents", "A topic without documents scores 0."),
        "topic-of-no-other": _note(
            "list of topics in no other run", "Check whether topic ids are written as in the file of topics."
        ),
        "document-without-text": _note(
            "list of documents without text", "Check whether document ids are written as in the collection."
        ),
        "judged-before": _note(
            "list of documents judged before",
            "Residual scores and pools of the round leave them out; their grades are known.",
        ),
        "same-rankings": _note(
            "cop{y|ies} of {another run|other runs}", "Check whether one file was sent twice."
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
