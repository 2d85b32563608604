"""The forms in which judged answers are scored, told by the fields of a file and never guessed between two.

A further form is one entry of FORMS, and a function that scores its files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from workbench.core.wording import listed
from workbench.formats.answers.bank_forms import is_bank
from workbench.formats.answers.fields import Fields, fields_of
from workbench.formats.answers.forms import SENTENCES
from workbench.formats.answers.rubric_labels import COMPOUND, QUESTIONS, REPORTS, has_labels
from workbench.formats.answers.support import holds_support
from workbench.formats.text.content import Content, name_of
from workbench.formats.text.files import STANDARD_STREAM, read_bytes, refused
from workbench.scoring.answers.assigned import score_assigned
from workbench.scoring.answers.reports import score_reports
from workbench.scoring.answers.rubrics import score_labels
from workbench.scoring.answers.scored import ScoredAnswers
from workbench.scoring.answers.support import score_support


class JudgedForm(NamedTuple):
    """A form of file.

    Attributes:
        title: what it holds, to follow "this file has".
        fits: whether a file with these fields has the form.
        score: the scores of the files, and whether a topic that a run lacks counts as 0; None where the form is read
            only beside another.
        beside: the names of the forms that are read with it.
        of_citations: whether `score` takes how many citations of a sentence count.
    """

    title: str
    fits: Callable[[Fields], bool]
    score: Callable[..., ScoredAnswers] | None = None
    beside: tuple[str, ...] = ()
    of_citations: bool = False


FORMS: Mapping[str, JudgedForm] = MappingProxyType(
    {
        "banks": JudgedForm("nugget banks", is_bank),
        "assigned": JudgedForm(
            "assigned nuggets (nuggetizer)",
            lambda fields: fields.has("qid", "nuggets") and not is_bank(fields),
            score_assigned,
        ),
        "reports": JudgedForm(
            "judged reports (ARGUE)",
            lambda fields: fields.has("report", "judgments"),
            score_reports,
            ("banks",),
        ),
        REPORTS: JudgedForm(
            "labels of reports (DRAGUN)", partial(has_labels, REPORTS), score_labels, ("banks",)
        ),
        QUESTIONS: JudgedForm(
            "labels of questions (DRAGUN)", partial(has_labels, QUESTIONS), score_labels, ("banks", COMPOUND)
        ),
        COMPOUND: JudgedForm("compound questions (DRAGUN)", partial(has_labels, COMPOUND)),
        "support": JudgedForm(
            "judged support of citations", holds_support, score_support, ("answers",), of_citations=True
        ),
        "answers": JudgedForm(
            "runs of answers",
            lambda fields: (
                not holds_support(fields) and any(fields.has(f"{name}.text") for name in SENTENCES)
            ),
        ),
    }
)


def score_answers(
    paths: Sequence[str | Path], *, complete: bool = False, most_citations: int | None = None
) -> ScoredAnswers:
    """Score files of judged answers, all of one form, by all measures of that form.

    Args:
        paths: files of one form of FORMS, with those that it is read beside; `-` is standard input.
        complete: whether a topic that a run lacks counts as 0, of those that any of the runs has.
        most_citations: so many citations of a sentence count, 0: all; None as the form has it.

    Raises:
        InputError: something is wrong with a file, or it has no form of FORMS, or several, or another than the rest.
    """
    files = dict[str, list[str | Path | Content]]()
    for path in paths:
        # Standard input is read once, and looked at twice.
        kept = Content(STANDARD_STREAM, read_bytes(path)) if str(path) == STANDARD_STREAM else path
        files.setdefault(_form_of(kept), []).append(kept)
    scored = {name: score for name in files if (score := FORMS[name].score) is not None}
    if not scored:
        wanted = listed([form.title for form in FORMS.values() if {*files} <= {*form.beside}])
        message = f"the files have {_titles(files)}, which is not scored alone; name {wanted} with them"
        raise refused(paths[0], message)
    first, score = next(iter(scored.items()))
    for name in files:
        if name not in (first, *FORMS[first].beside):
            message = f"this file has {FORMS[name].title}, others have {FORMS[first].title}; score each form by itself"
            raise refused(name_of(files[name][0]), message)
    if most_citations is None:
        return score(files, complete)
    if not FORMS[first].of_citations:
        message = f"{FORMS[first].title} have no citations to count; leave out --most-citations"
        raise refused(name_of(files[first][0]), message)
    return score(files, complete, most_citations)


def _form_of(path: str | Path | Content) -> str:
    fields = fields_of(path)
    fitting = [name for name, form in FORMS.items() if form.fits(fields)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        message = f"the fields are those of {_titles(fitting)}; leave out what is not needed"
        raise refused(name_of(path), message)
    found = listed(sorted(fields.names)) or "(none)"
    raise refused(name_of(path), f"the fields {found} are of no form that eval-answers reads: see its --help")


def _titles(names: Iterable[str]) -> str:
    return " and ".join(FORMS[name].title for name in names)
