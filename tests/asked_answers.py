"""Campaigns that ask about the answers of runs: citations and nuggets of topic 1."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from workbench.campaign.ingest import RunOptions, add_documents, add_runs
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.nuggets import change_bank
from workbench.formats.answers.banks import Nugget
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import nuggets


def add_answers(campaign: Campaign, line: str, *, replaces: bool = False) -> None:
    """Add a run of answers by its only line; it may take the place of the run of its name."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sent.jsonl"
        path.write_text(line, encoding="utf-8")
        senders = {str(path): Sender("uni", replaces=replaces)}
        add_runs(campaign.by("Olga"), [str(path)], options=RunOptions(form="", senders=senders))


def add_texts(campaign: Campaign, texts: dict[str, str], **options: bool) -> None:
    """Add documents of these texts by id, as a source that is gone afterwards."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "texts.jsonl"
        lines = [
            json.dumps({"id": name, "title": f"On {name}", "text": text}) for name, text in texts.items()
        ]
        path.write_text("\n".join(lines), encoding="utf-8")
        add_documents(campaign.by("Olga"), [str(path)], **options)


def put_bank(campaign: Campaign, *found: Nugget, topic_id: str = "1") -> None:
    """Set the bank of a topic."""
    now = nuggets.current(campaign, topic_id)
    change_bank(
        campaign.by("Olga"), topic_id, now.seq if now else 0, lambda bank: bank._replace(nuggets=found)
    )
