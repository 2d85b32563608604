"""The organiser's pages on agreement, adjudication and assessors."""
