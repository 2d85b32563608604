"""Stopping with a guarantee: what judgments so far decide about the pool judged whole, and at which risk."""

from __future__ import annotations

from workbench.analysis.stopping.decisions import Decision, Decisions, decide
from workbench.analysis.stopping.found import TopicFound, found_of

__all__ = ["Decision", "Decisions", "TopicFound", "decide", "found_of"]
