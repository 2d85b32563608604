"""Scores of files of judged answers, without a campaign. Read first: `forms.py`, the table of all forms."""
