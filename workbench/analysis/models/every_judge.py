"""Every judge of a campaign against its people: labels, leaderboards and nugget banks, by teams and by others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import starmap
from typing import Annotated, Any

from workbench.analysis.between_assessors.coefficients import is_large
from workbench.analysis.between_assessors.gathering import judge_of, people_of
from workbench.analysis.comparing.scores import scores_of
from workbench.analysis.judges import BANKS, LABELS, LEADERBOARDS, Of
from workbench.analysis.judges.banks import Nuggets
from workbench.analysis.judges.boards import Asked, Submission
from workbench.analysis.judges.comparison import (
    Judges,
    compared,
    sheet_for_people,
    sheet_of_judges,
    under_codes,
)
from workbench.analysis.judges.labels import Labels, frame_of
from workbench.analysis.registry import ANALYSES, MeasureName, Values, analysis
from workbench.campaign.run_codes import tags_by_code, under_names
from workbench.core.model_answers import effort_of
from workbench.core.parameters import Limits
from workbench.formats.answers.banks import nugget_rows
from workbench.jobs.processes import OnStep
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import nuggets
from workbench.storage.campaign.collection.run_codes import codes_of_judges
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models import submitted
from workbench.storage.campaign.models.answers import each_answer
from workbench.storage.campaign.models.submitted import Row
from workbench.storage.campaign.organising import settings

LARGE = 4
"""So many leaderboards or banks are compared while a page waits."""
SCORES = ("run", "topic", "measure", "value")
FILES = {LEADERBOARDS: submitted.LEADERBOARD, BANKS: submitted.BANK}


def _is_large(campaign: Campaign, values: Values) -> bool:
    if values["of"] == LABELS:
        return is_large(campaign, values)
    return sum(each.what == FILES[values["of"]] for each in submitted.files(campaign)) > LARGE


@analysis("judges", called="Judges", sheet=sheet_of_judges, people=sheet_for_people, is_large=_is_large)
def every_judge(
    campaign: Campaign,
    on_step: OnStep,
    *,
    of: Annotated[Of, Limits("Labels, leaderboards or nugget banks")] = "labels",
    measure: MeasureName = "AP",
    best: Annotated[tuple[int, ...], Limits("Also among so many best runs", least=2)] = (10,),
) -> Judges:
    """Each judge compared with people: its labels, its leaderboard or its nuggets, on what both have."""
    with campaign.snapshot():
        plain, truths, judges = under_names(campaign), list[Any](), list[Any]()
        if of == LABELS:
            truths = [Labels("people", frame_of(people_of(campaign)))]
            for name, grades in judge_of(campaign, None)[1].items():
                took = effort_of(each.answer for each in each_answer(campaign, name))
                judges.append(Labels(name, frame_of(grades), took))
        elif of == BANKS:
            stored = (nuggets.bank_of(campaign, each) for each in nuggets.topics_with_bank(campaign))
            truths = [Nuggets("people", nugget_rows(bank for bank in stored if bank is not None))]
            judges = list(starmap(Nuggets, submitted.newest_rows(campaign, FILES[of]).items()))
        else:
            truths = [_board(plain, measure)]
            judges = list(_boards(submitted.newest_rows(campaign, FILES[of]), tags_by_code(plain)))
        coded = under_codes(judges, codes_of_judges(campaign) if campaign.coded else {})
        asked = Asked(best=best, relevant_from=settings.read(campaign).relevant_from)
        return compared(of, truths, coded, asked, seq=log.head(campaign).seq)


def _board(campaign: Campaign, measure: str) -> Submission:
    """The campaign's leaderboard; of a measure of which less is better with the sign turned round."""
    import polars as pl

    scored = scores_of(campaign, measure)
    sign = -1 if scored.measure.best == "lowest" else 1
    by_topic = zip((None, *scored.topic_ids), (scored.merits, *(sign * scored.values)), strict=True)
    rows = [
        (tag, topic_id, measure, float(value))
        for topic_id, values in by_topic
        for tag, value in zip(scored.tags, values, strict=True)
    ]
    return Submission("people", pl.DataFrame(rows, SCORES, orient="row"))


def _boards(files: Mapping[str, Sequence[Row]], tags: Mapping[str, str]) -> Iterator[Submission]:
    """The leaderboards of judges, in which runs have their tags."""
    import polars as pl

    for name, rows in files.items():
        scores = pl.DataFrame(rows, SCORES, orient="row").with_columns(pl.col("run").replace(tags))
        yield Submission(name, scores.unique(("run", "topic", "measure"), keep="first", maintain_order=True))


EVERY_JUDGE = ANALYSES["judges"]
