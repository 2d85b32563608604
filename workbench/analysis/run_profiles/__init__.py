"""Runs looked at one by one: how they came in, what they brought to the pools, how they compare with the others."""

from __future__ import annotations

from workbench.analysis.run_profiles.contribution import Contribution, contributions
from workbench.analysis.run_profiles.table import CUTOFF, RunRow, RunTable, run_table

__all__ = ["CUTOFF", "Contribution", "RunRow", "RunTable", "contributions", "run_table"]
