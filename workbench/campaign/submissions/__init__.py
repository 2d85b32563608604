"""Runs that teams submit: tables of many, corrections of what was said of one, receipts, and who is missing."""
