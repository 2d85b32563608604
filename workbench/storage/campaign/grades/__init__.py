"""Grades: the judgments in force, whose they are, and the one label that a rule makes of several.

It imports the parts before it. Read first: judgments.py, then label_rules.py and labels.py.
"""
