"""Measures of a user who stops when satisfied: what stands above a document makes it worth less."""

from __future__ import annotations
