"""The pages of a server: every module with a blueprint, in the order in which they are registered."""

from __future__ import annotations

from workbench.web import api
from workbench.web.accounts import account, invitations, people, reauthentication, second_factor_pages
from workbench.web.agreement import adjudication, agreement, assessors, own_work, pairs
from workbench.web.analysis import compare, figures, reuse, runs, simulation, topics, trust
from workbench.web.judging import (
    assessor_settings,
    assignments,
    document_view,
    guidelines,
    judge,
    more_documents,
    norming,
    offline,
    preview,
    texts,
    training,
)
from workbench.web.judging import submissions as judgments
from workbench.web.monitoring import health
from workbench.web.release import downloads, own_team, publish
from workbench.web.scoring import board
from workbench.web.setup import (
    campaign_settings,
    campaigns,
    check_pages,
    dashboard,
    deleting,
    glossary,
    jobs,
    jump,
    new_campaign,
    pooling,
    questions,
    scale,
    searching,
    submissions,
    submitting,
    task_steps,
    topic_changes,
)

PAGES = (
    campaigns,
    assignments,
    assessors,
    own_work,
    adjudication,
    pairs,
    agreement,
    trust,
    compare,
    dashboard,
    task_steps,
    glossary,
    jobs,
    jump,
    judge,
    guidelines,
    campaign_settings,
    questions,
    scale,
    topic_changes,
    preview,
    training,
    more_documents,
    norming,
    offline,
    new_campaign,
    deleting,
    check_pages,
    document_view,
    judgments,
    texts,
    assessor_settings,
    own_team,
    submissions,
    submitting,
    people,
    account,
    reauthentication,
    second_factor_pages,
    invitations,
    board,
    figures,
    downloads,
    topics,
    pooling,
    searching,
    runs,
    simulation,
    reuse,
    publish,
    health,
    api,
)
