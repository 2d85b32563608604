"""Organising: settings of a campaign, its quota of space, and the warnings that organisers dismissed.

It imports the file and the log. Read first: settings.py.
"""
