"""What can be taken away from a campaign, in numbers: how much is in each file, and what is still missing."""

from __future__ import annotations

from typing import NamedTuple

from workbench.core.natural_order import natural
from workbench.core.wording import counted
from workbench.release.campaign_summary import CampaignSummary

SHOWN_TOPICS = 10


class Waiting(NamedTuple):
    """A topic with pooled pairs that have no grade: how many of how many."""

    topic_id: str
    waiting: int
    pooled: int


def sizes_of(facts: CampaignSummary) -> dict[str, str]:
    """The content of each download as a phrase, by its name."""
    judged = len(facts.runs) * facts.judged_topics
    return {
        "qrels": counted(facts.lines, "line"),
        "special": f"{counted(facts.lines + facts.special, 'line')}, {facts.special:,} special",
        "pool": counted(sum(facts.pooled.values()), "pair"),
        "judgments": counted(facts.judgments, "judgment"),
        "runs": counted(len(facts.runs) + len(facts.withdrawn), "run"),
        "scores": counted(len(facts.runs), "run"),
        "topic-scores": counted(judged, "line"),
        "board": counted(len(facts.runs), "run"),
    }


def state_of(facts: CampaignSummary) -> str:
    """The sentence at the top: what can be published, and what is not judged yet, or judged without a grade."""
    ready = f"{counted(sum(facts.qrels.values()), 'graded pair')} in {counted(facts.judged_topics, 'topic')}"
    if not facts.qrels:
        nothing = "No grades yet, only “can’t tell”" if facts.without_grade else "No judgments yet"
        return f"{nothing}, so there are no qrels to publish."
    open_pairs = sum(facts.waiting.values()) - facts.without_grade
    counts = {"not yet judged": open_pairs, "judged without a grade": facts.without_grade}
    missing = [
        f"{counted(number, 'pooled pair')} {'is' if number == 1 else 'are'} {what}"
        for what, number in counts.items()
        if number
    ]
    return f"{ready} can be published; {' and '.join(missing) or 'no pooled pair is without a grade'}."


def most_waiting(facts: CampaignSummary, limit: int = SHOWN_TOPICS) -> list[Waiting]:
    """The topics with the most pairs without a grade, most first; equal ones as people count."""
    rows = [Waiting(topic_id, count, facts.pooled[topic_id]) for topic_id, count in facts.waiting.items()]
    return sorted(rows, key=lambda row: (-row.waiting, natural(row.topic_id)))[:limit]
