"""A campaign that is ready to judge: Python's own documentation strings, topics of ours, runs by variants of BM25."""
