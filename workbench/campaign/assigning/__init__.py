"""Assigning: who judges which topic, which pairs are judged twice, and which topics are closed or taken."""

from __future__ import annotations

from workbench.campaign.assigning.again import (
    Requested,
    RequestRow,
    judge_again,
    requests_again,
    take_back_again,
    waiting_again,
)
from workbench.campaign.assigning.changing import (
    Imported,
    NotFree,
    assign,
    choose_who_judges,
    claim,
    close,
    export_list,
    give_back,
    import_list,
    reopen,
    spread,
    without_judging_role,
)
from workbench.campaign.assigning.drawing import draw_double
from workbench.campaign.assigning.handing_over import Successors, hand_over, unassign, without_judge
from workbench.campaign.assigning.overview import DrawnStratum, Overview, TopicRow, draws_of, overview
from workbench.storage.campaign.assigning.assignments import PARTS
