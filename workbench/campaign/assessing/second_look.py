"""A model's label is shown to an assessor once their own grade of the pair is stored, and never before.

Each showing is an event of the log, written before the label leaves the server: what the assessor says of the pair from
then on is a second look, whatever they undo or take back.
"""

from __future__ import annotations

from workbench.campaign.assessing.permission import access_to
from workbench.campaign.assessing.showing import own_judgments
from workbench.core.errors import JudgmentRefused
from workbench.core.wording import translatable as _
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.question_topics import question_of
from workbench.storage.campaign.grades import shown_labels
from workbench.storage.campaign.grades.shown_labels import ShownLabel
from workbench.storage.campaign.grades.sources import FORBIDDEN
from workbench.storage.campaign.organising import settings

UNJUDGED = _("judge the document first: no label of a model is shown before your own grade is stored")


def show_label(campaign: Campaign, topic_id: str, document_id: str, assessor: str) -> ShownLabel | None:
    """The label that is shown to an assessor of a pair that they graded; None where none is, as in the control group.

    Raises JudgmentRefused as `not judged` where no grade of their own is stored, and as of a judgment where they may
    not judge the topic.
    """
    with campaign.write():
        campaign = campaign.asking(question_of(campaign, topic_id))
        own = own_judgments(campaign, topic_id, document_id, assessor)
        if own.counting is None or own.counting.kind != "grade" or own.seen is None:
            raise JudgmentRefused("not judged", UNJUDGED)
        if (refusal := access_to(campaign, topic_id, assessor).refusal)[0]:
            raise JudgmentRefused(*refusal)
        rules = settings.read(campaign)
        judge, shown = rules.second_look_judge, (topic_id, document_id, assessor)
        is_off = not judge or rules.model_labels == FORBIDDEN
        if is_off or own.has_repeat or shown_labels.is_control(rules, topic_id, document_id):
            return None
        grade = shown_labels.label_of(campaign, judge, topic_id, document_id)
        before = shown_labels.find(campaign, *shown)
        if grade is None or before is not None:
            return before if before and before.judge == judge else None
        return shown_labels.put(campaign, shown, ShownLabel(judge, grade))
