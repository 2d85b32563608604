"""Release: what leaves a campaign or a server as files or messages, and the proof that it is right.

Here belong exports, the release bundle and its import, tables for papers, sheets of results for teams, webhooks, and
the audit. It imports every room above it, and no door. Read first: `export.py`, then `bundle/writing.py`.
"""
