"""What a question about answers has to catch up with: judgments of units that are gone, and units that are new."""

from __future__ import annotations

from typing import Any, NamedTuple

from workbench.campaign.pools.plan import plan_pool
from workbench.core.errors import CampaignError, NotThere, UnknownName
from workbench.core.records import MOST_LABELS
from workbench.core.wording import counted
from workbench.methods.pooling import STRATEGIES
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, topics, units
from workbench.storage.campaign.grades import chosen_labels, judgments


class UnitNews(NamedTuple):
    """What changed since the question was pooled and judged.

    Attributes:
        stale: judgments in force of units that no answer has any more.
        new: units that the newest pool would bring in if it were made now.
        refused: why it would be refused, "" where it would not.
        older, beyond: judgments from before a nugget came that is a label, and nuggets for which no label is left.
    """

    stale: int = 0
    new: int = 0
    refused: str = ""
    older: int = 0
    beyond: int = 0

    @property
    def sentences(self) -> list[str]:
        """What there is to say."""
        are, them = ("is", "it") if self.stale == 1 else ("are", "them")
        stale = (
            f"{counted(self.stale, 'judgment')} {are} of what no answer has any more; the log keeps {them}."
        )
        older = f"Asked again since a nugget came: {counted(self.older, 'judgment')}."
        beyond = f"{counted(self.beyond, 'nugget')} cannot be chosen: topics number {MOST_LABELS}, earlier texts too."
        new = f"{counted(self.new, 'new unit')} {'waits' if self.new == 1 else 'wait'} to be pooled."
        said = ((stale, self.stale), (older, self.older), (beyond, self.beyond), (new, self.new))
        return [sentence for sentence, number in said if number]


def news_of(campaign: Campaign) -> UnitNews:
    """Those of the question by which the campaign is seen; nothing of one about documents."""
    stale = 0
    gone: dict[str, set[str]] = {}
    for topic_id, unit_id in units.gone(campaign, units.topics(campaign)):
        gone.setdefault(topic_id, set()).add(unit_id)
    for topic_id, unit_ids in gone.items():
        of_topic = judgments.current_of_topic(campaign, topic_id)
        stale += sum(row.document_id in unit_ids and row.kind != "cleared" for row in of_topic)
    news = UnitNews(stale)
    for topic_id in topics.topic_ids(campaign):
        if found := chosen_labels.offered(campaign, topic_id):
            older = news.older + len(chosen_labels.stale(campaign, topic_id))
            news = news._replace(older=older, beyond=news.beyond + found.beyond)
    planned = as_newest(campaign)
    if planned is None:
        return news
    try:
        plan = plan_pool(campaign, **planned)
    except (CampaignError, NotThere, UnknownName) as error:
        return news._replace(refused=str(error))
    return news._replace(new=plan.at_depth.new, refused=plan.refused)


def as_newest(campaign: Campaign) -> dict[str, Any] | None:
    """The arguments by which the question's newest pool was made, over all runs that contribute now.

    None where there is no pool, and where the newest names its pairs or chooses more by itself.
    """
    made = pools.in_force(campaign)
    strategy = STRATEGIES.get(made[-1].record.strategy) if made else None
    if strategy is None or strategy.listed is not None or strategy.kind == "adaptive":
        return None
    record = made[-1].record
    return {"strategy": record.strategy, "ties": record.ties, **record.parameters}
