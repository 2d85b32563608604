"""Measures over subtopics: a document is worth what it adds to those above it."""

from __future__ import annotations
