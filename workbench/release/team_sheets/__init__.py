"""Sheets of results for teams, as HTML and PDF."""
