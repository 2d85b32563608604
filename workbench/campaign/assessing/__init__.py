"""Judging: what an assessor is shown, in which order, and how a judgment gets into the log.

A judgment carries proof of what was judged: topic, document, the pool the pair came from, and the hash of the
text that was shown. One that does not match what the campaign holds is refused, whatever the reason.
"""

from __future__ import annotations

from workbench.campaign.assessing.norming import (
    access_to_session,
    own_in_session,
    queue_of_session,
    session_of,
    show_in_session,
)
from workbench.campaign.assessing.permission import Access, access_to
from workbench.campaign.assessing.progress import (
    TopicProgress,
    next_topic,
    open_pairs,
    progress_of_all,
    topic_progress,
    topic_to_go_on,
    whole_progress,
)
from workbench.campaign.assessing.queues import QueueItem, queue, size
from workbench.campaign.assessing.repeats import Repeats, hidden_again, set_repeats, state_of_repeats
from workbench.campaign.assessing.second_look import show_label
from workbench.campaign.assessing.showing import Shown, own_judgments, show
from workbench.campaign.assessing.storing import Receipt, check_pace, judge
