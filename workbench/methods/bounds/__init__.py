"""What is certain about the difference of two runs, whatever the pooled and unjudged documents turn out to be.

The pool is taken to be closed: every document that was pooled and is not judged may get any grade from 0 to the highest
of the scale, and a document that was never pooled stays non-relevant. Two separate bars, one for each run, overstate
what is open: a document that both runs have at the same rank cannot change their difference, whatever it is. The bounds
here are of the difference itself, and exact where a measure's entry says so.

Read first: topic_runs.py, then registry.py, then additive.py; pairs.py has all pairs of runs over all topics.
"""

from __future__ import annotations

from workbench.methods.bounds import additive, average_precision, binary, normalised  # noqa: F401  (importing them fills the registry)
from workbench.methods.bounds.registry import DIFFERENCES, Completion, Differences, differences_of
from workbench.methods.bounds.topic_runs import TopicRuns

__all__ = ["DIFFERENCES", "Completion", "Differences", "TopicRuns", "differences_of"]
