"""Every judge of a campaign against its people: labels, leaderboards and nugget banks, by teams and by others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Annotated, Literal, NamedTuple

from workbench.analysis.between_assessors.coefficients import is_large
from workbench.analysis.between_assessors.gathering import judge_of, people_of
from workbench.analysis.comparing.scores import scores_of
from workbench.analysis.judges.banks import JudgedBank, Nuggets, judged_banks
from workbench.analysis.judges.boards import Asked, JudgedBoard, Submission, judged_boards, under_code
from workbench.analysis.judges.labels import JudgedLabels, Labels, frame_of, judged_labels
from workbench.analysis.judges.tables import BANKS, LABELS, LEADERBOARDS, sheet_for_people, sheet_of_judges
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
Of = Literal["labels", "leaderboards", "banks"]


class CampaignJudges(NamedTuple):
    """What a campaign's judges say against its people, as of row `seq` of the log; withdrawn judges take no part.

    Attributes:
        seq: the row of the log.
        of: what is compared.
        relevant_from: the smallest relevant grade.
        labels: of labels, a row for each judge, in byte order of their names.
        boards: of leaderboards, a row for each judge, measure and number of best runs.
        banks: of nugget banks, a row for each judge.
    """

    seq: int
    of: Of
    relevant_from: int
    labels: tuple[JudgedLabels, ...] = ()
    boards: tuple[JudgedBoard, ...] = ()
    banks: tuple[JudgedBank, ...] = ()

    @property
    def rows(self) -> tuple[JudgedLabels, ...] | tuple[JudgedBoard, ...] | tuple[JudgedBank, ...]:
        """The rows of what is compared."""
        return self.labels or self.boards or self.banks


def _is_large(campaign: Campaign, values: Values) -> bool:
    if values["of"] == LABELS:
        return is_large(campaign, values)
    return sum(each.what == FILES[values["of"]] for each in submitted.files(campaign)) > LARGE


@analysis(
    "judges",
    called="Judges",
    sheet=lambda found: sheet_of_judges(found.of, found.rows),
    people=lambda found: sheet_for_people(found.of, found.rows, first=1),
    is_large=_is_large,
)
def every_judge(
    campaign: Campaign,
    on_step: OnStep,
    *,
    of: Annotated[Of, Limits("Labels, leaderboards or nugget banks")] = "labels",
    measure: MeasureName = "AP",
    best: Annotated[tuple[int, ...], Limits("Also among so many best runs", least=2)] = (10,),
) -> CampaignJudges:
    """Each judge compared with people: its labels, its leaderboard or its nuggets, on what both have."""
    with campaign.snapshot():
        found = CampaignJudges(log.head(campaign).seq, of, settings.read(campaign).relevant_from)
        codes = codes_of_judges(campaign) if campaign.coded else {}
        if of == LABELS:
            truth, judges = Labels("people", frame_of(people_of(campaign))), _labels(campaign, codes)
            return found._replace(labels=judged_labels([truth], judges, found.relevant_from).labels)
        files = submitted.newest_rows(campaign, FILES[of])
        if of == BANKS:
            banks = [nuggets.bank_of(campaign, each) for each in nuggets.topics_with_bank(campaign)]
            ours = Nuggets("people", nugget_rows(bank for bank in banks if bank is not None))
            own = [Nuggets(codes.get(name, name), rows) for name, rows in files.items()]
            return found._replace(banks=judged_banks([ours], sorted(own, key=itemgetter(0))).banks)
        plain = under_names(campaign)
        theirs = sorted(_boards(files, tags_by_code(plain), codes), key=itemgetter(0))
        return found._replace(boards=judged_boards([_board(plain, measure)], theirs, Asked(best=best)).boards)


def _labels(campaign: Campaign, codes: Mapping[str, str]) -> list[Labels]:
    _, by_judge = judge_of(campaign, None)
    took = {name: effort_of(each.answer for each in each_answer(campaign, name)) for name in by_judge}
    judges = (Labels(codes.get(name, name), frame_of(by_judge[name]), took[name]) for name in by_judge)
    return sorted(judges, key=lambda each: each.name)


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


def _boards(
    files: Mapping[str, Sequence[Row]], tags: Mapping[str, str], codes: Mapping[str, str]
) -> Iterator[Submission]:
    """The leaderboards of judges, in which runs have their tags."""
    import polars as pl

    for name, rows in files.items():
        scores = pl.DataFrame(rows, SCORES, orient="row").with_columns(pl.col("run").replace(tags))
        given = Submission(
            name, scores.unique(("run", "topic", "measure"), keep="first", maintain_order=True)
        )
        yield under_code(given, codes[name]) if codes else given


EVERY_JUDGE = ANALYSES["judges"]
