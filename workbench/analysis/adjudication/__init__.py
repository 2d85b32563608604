"""Settling what assessors disagree on: which conflicts first, what the adjudicator is shown, and what is stored."""
