"""Where chance starts when no seed is given."""

from __future__ import annotations

SEED = 1
"""The same question has the same answer on every page and every day."""
