"""Measures of the retrieved documents as a set, without regard to their order."""

from __future__ import annotations
