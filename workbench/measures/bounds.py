"""The lowest and the highest value that the judgments still to come could lead to."""

from __future__ import annotations
