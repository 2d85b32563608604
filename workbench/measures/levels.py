"""Precision over recall: at given levels of recall, between them, and over both error rates."""

from __future__ import annotations
