"""Core: the records, errors and arrays that all other rooms speak of.

Here belongs what several rooms need and what knows nothing of files of the field, campaigns or pages:
records, errors, registries, wording, the order of a run, hash chains, files that appear whole or not at all. A
core module imports libraries and core modules alone. Read first: `records.py`, then `ranking.py`.
"""
