"""The pages of a server: every module with a blueprint, by what they are about."""

from __future__ import annotations

from workbench.web import api
from workbench.web.accounts import (
    account,
    invitations,
    language,
    people,
    provider_pages,
    reauthentication,
    second_factor_pages,
)
from workbench.web.agreement import adjudication, agreement, assessors, judge_quality, own_work, pairs
from workbench.web.analysis import (
    battles,
    compare,
    costs,
    figures,
    of_plugins,
    online,
    reuse,
    runs,
    simulation,
    topics,
    trust,
)
from workbench.web.judging import (
    assessor_settings,
    assignments,
    document_view,
    guidelines,
    judge,
    more_documents,
    norming,
    nuggets,
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
    models,
    new_campaign,
    pooling,
    questions,
    scale,
    searching,
    submissions,
    submitting,
    task_steps,
    topic_changes,
    webhooks,
)

PAGES = (
    *(campaigns, campaign_settings, questions, scale, topic_changes, new_campaign, deleting, check_pages),
    *(dashboard, task_steps, glossary, jobs, jump, submissions, submitting, pooling, searching, models),
    *(judge, guidelines, assignments, preview, training, more_documents, norming, offline, document_view),
    *(nuggets, judgments, texts, assessor_settings, webhooks),
    *(assessors, own_work, adjudication, pairs, agreement, judge_quality),
    *(board, battles, trust, online, compare, costs, figures, topics, runs, simulation, reuse, of_plugins),
    *(publish, downloads, own_team),
    *(people, account, language, provider_pages, reauthentication, second_factor_pages, invitations),
    *(health, api),
)
