"""Methods: the pure calculations of the field, without files, clock or unseeded chance.

Here belong measures, pooling strategies, statistics, the analysis of texts, and charts as specifications. A
method takes arrays and records and returns them; it imports `core` and, for what is written, `formats`. Read
first: `measures/registry.py`, then one measure in `measures/binary.py`.
"""
