"""Asking models for labels: which pairs, by which prompts, from which endpoint, within which limits.

Here alone texts are sent over the network. Read first: `running.py`.
"""
