"""Labels of models from files, as tests add them."""

from __future__ import annotations

from pathlib import Path

from workbench.campaign.model_labels import AddedModelLabels, LabelFiles, add_model_labels, judge_with
from workbench.storage.campaign import Campaign


def add_labels_of_model(
    campaign: Campaign, path: Path | str, judge: str, scale: tuple[int, ...] | None = None
) -> AddedModelLabels:
    """The lines of a file of qrels, as answers of a judge; without a scale it has the campaign's."""
    by = judge_with(campaign, judge, scale=scale)
    return add_model_labels(campaign.by("Olga"), LabelFiles([str(path)], "qrels"), by)
