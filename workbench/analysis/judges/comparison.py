"""Judges compared with truths, by whatever both have: the rows, and how they are read as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from workbench.analysis.judges import BANKS, LABELS, LEADERBOARDS, Of
from workbench.analysis.judges.banks import JudgedBank, Nuggets, compared_banks
from workbench.analysis.judges.boards import Asked, JudgedBoard, Submission, compared_boards, under_code
from workbench.analysis.judges.labels import JudgedLabels, Labels, compared_labels
from workbench.formats.tables.sheets import Sheet, sheet_of

Side = TypeVar("Side", Labels, Submission, Nuggets)


class Judges(NamedTuple):
    """Judges against truths; those of a campaign that are not withdrawn against its people.

    Attributes:
        seq: the row of the log up to which a campaign was read; None of files.
        of: what is compared.
        relevant_from: the smallest relevant grade of labels.
        resamples, seed: how often topics were drawn again for leaderboards, and from which random seed.
        labels: of labels, a row for each truth and judge.
        boards: of leaderboards, a row for each truth, judge, measure of either and number of best runs.
        banks: of nugget banks, a row for each truth and judge.
    """

    seq: int | None
    of: Of
    relevant_from: int
    resamples: int
    seed: int
    labels: tuple[JudgedLabels, ...] = ()
    boards: tuple[JudgedBoard, ...] = ()
    banks: tuple[JudgedBank, ...] = ()

    @property
    def rows(self) -> tuple[Any, ...]:
        """The rows of what is compared."""
        return self.labels or self.boards or self.banks


FIELDS = {LABELS: "labels", LEADERBOARDS: "boards", BANKS: "banks"}
ROWS = {LABELS: JudgedLabels, LEADERBOARDS: JudgedBoard, BANKS: JudgedBank}
SHOWN = {
    LABELS: (
        *("truth", "judge", "pairs", "pairs_missing", "topics"),
        *("kappa_all", "kappa_mean", "kappa_low", "kappa_high", "kappa_linear_all", "alpha_all"),
        *("precision_all", "recall_all", "f1_all", "jaccard_all", "tokens", "cost"),
    ),
    LEADERBOARDS: (
        *("truth", "judge", "truth_measure", "measure", "best", "runs", "topics"),
        *("tau_b", "tau_b_low", "tau_b_high", "tau_ap", "tau_ap_low", "tau_ap_high", "pearson", "spearman"),
        *("topic_tau_b", "topic_tau_b_low", "topic_tau_b_high", "kept", "lost", "reversed", "added"),
    ),
    BANKS: (
        *("truth", "judge", "topics", "topics_missing", "nuggets", "judge_nuggets", "same", "recall_all"),
        *("recall_mean", "recall_low", "recall_high", "by_chance", "vital_all", "precision_all"),
    ),
}
"""The field of each comparison's rows, their kind, and the columns for people, the truth's name first."""


def compared(
    of: Of,
    truths: Iterable[Side],
    judges: Iterable[Side],
    asked: Asked,
    *,
    seq: int | None = None,
    on_judge: Callable[[], None] = lambda: None,
) -> Judges:
    """Each judge against each truth; errors as of what compares two."""
    compare: dict[Of, Callable[[Any, Any], Iterable[Any]]] = {
        LABELS: lambda truth, judge: [compared_labels(truth, judge, asked.relevant_from)],
        LEADERBOARDS: lambda truth, judge: compared_boards(truth, judge, asked),
        BANKS: lambda truth, judge: [compared_banks(truth, judge)],
    }
    known, rows = list(truths), list[Any]()
    for judge in judges:
        rows += [row for truth in known for row in compare[of](truth, judge)]
        on_judge()
    found: dict[str, Any] = {FIELDS[of]: tuple(rows)}
    return Judges(seq, of, asked.relevant_from, asked.resamples, asked.seed, **found)


def under_codes(judges: Iterable[Side], codes: Mapping[str, str], *, whole: bool = False) -> list[Side]:
    """Judges by their codes, if they have one, in byte order; `whole` as of `under_code`."""

    def coded(each: Side) -> Side:
        if (code := codes.get(each.name)) is None:
            return each
        if isinstance(each, Submission):
            return under_code(each, code, whole=whole)
        return each._replace(name=code)

    return sorted(map(coded, judges), key=attrgetter("name"))


def sheet_of_judges(found: Judges) -> Sheet:
    """All columns of a comparison."""
    return sheet_of(ROWS[found.of], found.rows)


def sheet_for_people(found: Judges) -> Sheet:
    """The columns for people, of a campaign without the truth's name; a dash says that there is no value."""
    sheet = sheet_of(ROWS[found.of], found.rows, SHOWN[found.of][found.seq is not None :])
    return sheet._replace(
        rows=tuple(tuple("–" if cell is None else cell for cell in row) for row in sheet.rows)
    )


def remarks_on(found: Judges) -> list[str]:
    """How the table is to be read."""
    if found.of == LEADERBOARDS:
        by_topic = "τ_b by topic: 95 % interval of the mean over topics (Student's t)."
        draws = f"low and high in 95 % of {found.resamples:,} draws of topics (seed {found.seed})"
        alone = "With 0 topics the scores are of all topics together, and there are none."
        whole = f"τ_b and τ_AP: {draws}, no confidence interval. {by_topic} {alone}"
        return [whole if found.resamples else by_topic]
    shares = "Of two nuggets: the share of words that both have, 2 |A ∩ B| / (|A| + |B|)."
    interval = "Low and high: Student's t interval of the mean over topics, at the level .95."
    return [shares, interval] if found.of == BANKS else [interval]
