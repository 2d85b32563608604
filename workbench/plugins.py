"""What a plugin may use: the decorators that register its parts, and what these take and give.

    from workbench.plugins import FloatArray, JudgedRankings, measure

`docs/build/extending.md` shows a package of one part of each kind, `core/plugins.py` how it is found. Other
modules of the workbench may change with any version; these names stay.
"""

from __future__ import annotations

from workbench import __version__
from workbench.analysis.figures.registry import figure
from workbench.analysis.registry import MeasureName, analysis
from workbench.core.errors import CampaignError, InputError, Problem
from workbench.core.parameters import Limits
from workbench.core.ranking import Rankings
from workbench.core.results import Column, shown
from workbench.formats.documents.fields import renderer
from workbench.formats.prompts.templates import prompt
from workbench.formats.tables.sheets import Sheet, sheet_of
from workbench.formats.text.readers import reader
from workbench.jobs.processes import OnStep
from workbench.methods.charts import Chart
from workbench.methods.charts.chart import chart_of
from workbench.methods.measures.judged import FloatArray, JudgedRankings
from workbench.methods.measures.parameters import Cutoff, Rel
from workbench.methods.measures.registry import measure
from workbench.methods.pooling.registry import PoolPairs, candidates, strategy
from workbench.release.export import export, export_qrels
from workbench.scoring.board import ScoreTable, score_campaign
from workbench.scoring.board.table import rendering
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, runs
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.log.log import head

__all__ = [
    "Campaign", "CampaignError", "Chart", "Column", "Cutoff", "FloatArray", "InputError", "JudgedRankings",
    "Limits", "MeasureName", "OnStep", "PoolPairs", "Problem", "Rankings", "Rel", "ScoreTable", "Sheet", "analysis",
    "candidates", "chart_of", "export", "export_qrels", "figure", "head", "labels", "measure", "pools", "prompt",
    "reader", "renderer", "rendering", "runs", "score_campaign", "sheet_of", "shown", "strategy",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name.startswith("__"):
        raise AttributeError(name)
    raise ImportError(f"workbench {__version__} has no {name!r} for plugins; it may be of a newer version")
