"""Judging: what an assessor is shown, in which order, and how a judgment gets into the log.

A judgment carries proof of what was judged: topic, document, the pool the pair came from, and the hash of the
text that was shown. One that does not match what the campaign holds is refused, whatever the reason.
"""

from __future__ import annotations

from workbench.judging.in_norming import access_to_session, queue_of_session, session_of
from workbench.judging.permission import Access, access_to
from workbench.judging.progress import TopicProgress, next_topic, topic_progress, whole_progress
from workbench.judging.queues import QueueItem, queue
from workbench.judging.repeats import Repeats, hidden_again, set_repeats, state_of_repeats
from workbench.judging.showing import Shown, own_judgment, show
from workbench.judging.storing import Receipt, judge
from workbench.judging.submissions import (
    INPUTS,
    LONGEST_COMMENT,
    LONGEST_RATIONALE,
    LONGEST_SECONDS,
    MOST_RATIONALES,
    SCREEN_KINDS,
    Submission,
    has_half_character,
)

__all__ = [
    "INPUTS",
    "LONGEST_COMMENT",
    "LONGEST_RATIONALE",
    "LONGEST_SECONDS",
    "MOST_RATIONALES",
    "SCREEN_KINDS",
    "Access",
    "QueueItem",
    "Receipt",
    "Repeats",
    "Shown",
    "Submission",
    "TopicProgress",
    "access_to",
    "access_to_session",
    "has_half_character",
    "hidden_again",
    "judge",
    "next_topic",
    "own_judgment",
    "queue",
    "queue_of_session",
    "session_of",
    "set_repeats",
    "show",
    "state_of_repeats",
    "topic_progress",
    "whole_progress",
]
