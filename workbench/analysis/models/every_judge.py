"""Every judge of a campaign against its people: what teams submitted, and all others."""

from __future__ import annotations

from typing import NamedTuple

from workbench.analysis.judges import labels
from workbench.analysis.judges.labels import JudgedLabels, Labels
from workbench.analysis.models.against_people import judge_of, judged_much, people_of
from workbench.analysis.registry import ANALYSES, analysis
from workbench.core.model_answers import effort_of
from workbench.formats.tables.sheets import Sheet, sheet_of
from workbench.jobs.processes import OnStep
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.run_codes import codes_of_judges
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models.answers import each_answer
from workbench.storage.campaign.organising import settings


class CampaignJudges(NamedTuple):
    """The labels of a campaign's judges against people's, as of row `seq` of the log.

    Attributes:
        seq: the row of the log.
        relevant_from: the smallest relevant grade.
        labels: a row for each judge, in byte order of their names.
    """

    seq: int
    relevant_from: int
    labels: tuple[JudgedLabels, ...]


def _sheet(found: CampaignJudges) -> Sheet:
    return sheet_of(JudgedLabels, found.labels)


def _for_people(found: CampaignJudges) -> Sheet:
    return labels.sheet_for_people(found.labels, labels.SHOWN[1:])


@analysis("judges", called="Judges", sheet=_sheet, people=_for_people, is_large=judged_much)
def every_judge(campaign: Campaign, on_step: OnStep) -> CampaignJudges:
    """Each judge's labels compared with people's, on the pairs that both labelled, and what a label took."""
    with campaign.snapshot():
        seq, relevant_from = log.head(campaign).seq, settings.read(campaign).relevant_from
        _, by_judge = judge_of(campaign, None)
        truth = Labels("people", labels.frame_of(people_of(campaign)))
        named = codes_of_judges(campaign) if campaign.coded else {}
        took = {name: effort_of(each.answer for each in each_answer(campaign, name)) for name in by_judge}
    judges = (Labels(named.get(name, name), labels.frame_of(by_judge[name]), took[name]) for name in by_judge)
    found = labels.judged_labels([truth], sorted(judges, key=lambda each: each.name), relevant_from)
    return CampaignJudges(seq, relevant_from, found.labels)


EVERY_JUDGE = ANALYSES["judges"]
