"""Reusability: what those who took part lose without their own documents, and what others may miss."""

from __future__ import annotations

from workbench.analysis.reuse.origin import By
from workbench.analysis.reuse.report import Reuse, reuse
from workbench.analysis.reuse.rows import AtCost, LeftOut, RunWithout
from workbench.analysis.reuse.verdict import Verdict

__all__ = ["AtCost", "By", "LeftOut", "Reuse", "RunWithout", "Verdict", "reuse"]
