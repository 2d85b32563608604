"""The judging page and what assessors see around it: documents, their own judgments, settings, assignments, norming."""
