"""A judge, which is a model, against people, for the organiser; and the leaderboards under the labels of both."""

from __future__ import annotations

from flask import g

from workbench.analysis.judges.comparison import Judges, remarks_on
from workbench.analysis.models.against_people import NO_JUDGE, QUALITY, Figure, JudgeQuality
from workbench.analysis.models.boards import BOARDS, PERMUTATIONS, BoardView, JudgeBoards
from workbench.analysis.models.estimates import CORRECTED, CorrectedScores, sentences
from workbench.analysis.models.every_judge import EVERY_JUDGE
from workbench.core.wording import counted
from workbench.formats.tables.sheets import sheet_of
from workbench.scoring.board.table import usual_measures
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import Pages
from workbench.web.agreement import agreement_words as words
from workbench.web.analysis.result_pages import ResultRequest, result_page
from workbench.web.judging.given import buttons_of

KINDS_OF_JUDGES = {"labels": "Labels", "leaderboards": "Leaderboards", "banks": "Nugget banks"}
blueprint = Pages("judge_quality", __name__)

PARTS = {
    "topic": ("By topic", "Topic"),
    "assessor": ("By assessor", "Assessor"),
    "near duplicates": ("On near duplicates", "Grades"),
    "repeats": ("Repeated answers", "Answers"),
    "sides": ("Sides of the prompt", "Preferences"),
    "probe": ("Documents without sense", "Documents"),
}
"""Parts with a row for each scope: their heading, and what a scope is."""


@result_page(blueprint, QUALITY, "/judge-quality")
def page(found: JudgeQuality, asked: ResultRequest) -> str:
    """The judge of `?judge=` against people, with intervals over topics."""
    return asked.page(
        "agreement/judge/page.html",
        found,
        here="page",
        parts=PARTS,
        matrix=words.shaded(found.table),
        lead=lead_of(found),
        cell=cell_of,
        words=words,
        buttons=buttons_of(settings.read(g.campaign)),
    )


@result_page(blueprint, BOARDS, "/judge-boards")
def boards(found: JudgeBoards, asked: ResultRequest) -> str:
    """The leaderboards by `?measure=` under people's labels and the judge's."""
    return asked.page(
        "agreement/judge/boards.html",
        found,
        here="boards",
        views=asked.table(sheet_of(BoardView, found.views), "row"),
        runs=asked.table(BOARDS.sheet(found), "run"),
        lead=lead_of_boards(found),
        permutations=PERMUTATIONS,
        measures=usual_measures(g.campaign),
    )


@result_page(blueprint, CORRECTED, "/corrected")
def corrected(found: CorrectedScores, asked: ResultRequest) -> str:
    """Scores by `?measure=` from the labels of `?judge=`, corrected by people's labels of a sample."""
    lead, *notes = sentences(found)
    return asked.page(
        "agreement/judge/corrected.html",
        found,
        here="corrected",
        runs=asked.table(CORRECTED.sheet(found), "run"),
        lead=lead,
        notes=notes,
        measures=("P@10", "RBP(p=0.8)", "DCG@10", "nDCG@10", "AP"),
    )


@result_page(blueprint, EVERY_JUDGE, "/judges")
def every(found: Judges, asked: ResultRequest) -> str:
    """All judges of the campaign against its people: their labels, leaderboards or nugget banks."""
    judges, kind = {each.judge for each in found.rows}, KINDS_OF_JUDGES[found.of]
    compared = f"{kind} of {counted(len(judges), 'judge')} compared with people’s."
    return asked.page(
        "agreement/judge/every.html",
        found,
        lead=compared if judges else f"No judge has {kind.lower()} yet.",
        kinds=KINDS_OF_JUDGES,
        remarks=remarks_on(found),
        table=asked.table(asked.analysis.for_people(found), "row"),
        measures=usual_measures(g.campaign),
    )


def cell_of(found: Figure | None) -> str:
    """A number with its interval as a text; "" without one."""
    if found is None:
        return ""
    value = words.number(found.value, 2)
    if found.low is None or found.high is None:
        return value
    return f"{value} ({words.number(found.low, 2)} to {words.number(found.high, 2)})"


def lead_of(found: JudgeQuality) -> str:
    """What the page says first."""
    if not found.judge:
        return NO_JUDGE
    if not found.pairs:
        return f"{found.judge} labelled {counted(found.labels, 'pair')}, none of which people have labelled."
    whole = found.scopes("all pairs")
    same, off = whole.get("by grade") or whole.get("relevant or not", {}), whole.get("grading", {})
    kappa = same.get("Cohen's kappa")
    errs = [off[name].value or 0.0 for name in ("graded above", "graded below") if off]
    what = "grade for {}, a higher one for {} and a lower one for {}" if off else "preference for {}"
    agree = 1 - sum(errs) if off else same["same grade"].value or 0.0
    return (
        f"On {counted(found.pairs, 'pair')} in {counted(found.topics, 'topic')}, {found.judge} gives people’s "
        f"{what.format(*map(words.percent, (agree, *errs)))}; "
        f"kappa {words.number(None if kappa is None else kappa.value, 2)}."
    )


def lead_of_boards(found: JudgeBoards) -> str:
    """What the judge does to the leaderboard, in one sentence."""
    if not found.views:
        return "No topic has a score by people’s labels and by a judge’s, so there is nothing to compare."
    view = found.views[0]
    pairs = counted(view.significant, "significant pair")
    return (
        f"Under {found.judge}’s labels tau to the order by people’s is {words.number(view.tau, 2)}, and "
        f"{words.number(view.tau_top, 2)} among the best {view.top:,}. Of {pairs} of runs it keeps {view.kept:,}, "
        f"loses {view.lost:,} and reverses {view.reversed:,}, and it adds {view.gained:,}."
    )
