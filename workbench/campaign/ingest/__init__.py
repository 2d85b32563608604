"""Ingest: files are checked as a whole, and go into a campaign all or not at all."""

from workbench.campaign.ingest.documents import AddedDocuments, add_documents, fetch_missing_texts
from workbench.campaign.ingest.qrels import AddedQrels, add_qrels
from workbench.campaign.ingest.run_checks import RunOptions, RunsRefused
from workbench.campaign.ingest.runs import AddedRuns, add_runs, check_runs
from workbench.campaign.ingest.topics import AddedTopics, add_topics
